/* SPDX-License-Identifier: Apache-2.0 */
/* metric.h - losses as integers, so that sums are exact and independent of their order.
 *
 * The loss of an attribute in [0,1] is stored as an integer in 0..one (one = 2^24, less with very
 * many QIDs), so that the sum over attributes fits 32 bits, ties are true ties, and no bound
 * exceeds its loss by rounding. Numbers are first rounded to positions on an integer line and
 * subtracted there, so widening a range in two steps costs the same as in one.
 *
 * A cluster is the cover of some rows: per attribute a range of codes (sets: also the members) and
 * its loss. The loss of a cluster after adding one row is a sum over attributes of a function of
 * the row's code alone; branch and bound over a tree of rows depends on this (see kernel.h).
 */
#ifndef SHOAL_METRIC_H
#define SHOAL_METRIC_H

#include "classes/classes.h"
#include "hierarchy/box.h"

/* An integer loss. SHOAL_LOSS_MAX is above the loss of any cluster. */
typedef uint32_t shoal_loss;
#define SHOAL_LOSS_MAX UINT32_MAX

typedef struct shoal_measure_line {
    bool is_interval, is_tree, is_set; /* how it covers values: see shoal_attribute */
    bool is_tabled;                    /* its losses are looked up in tables: see shoal_metric */
    uint32_t n_plain, top_from, n_codes, wild_code;
    shoal_loss *position; /* is_interval: position of each plain code on 0..one */
    /* small trees: loss of the cover of x and y at x * n_plain + y; or NULL */
    shoal_loss *pair;
    const shoal_hierarchy *tree;
    shoal_loss *node_loss; /* is_tree: of each node */
    shoal_loss *set_loss;  /* is_set: of n members, 0..n_plain */
    shoal_loss one;        /* loss of `*`: the weight of the attribute */
    uint32_t n_words, word_at;
} shoal_measure_line;

typedef struct shoal_metric {
    shoal_measure_line *lines;
    uint32_t n_attrs, n_words;
    bool has_sets, has_wild;
    bool has_tables; /* all attributes are ordered, without wild code, with at most 256 codes */
    /*
     * Losses of attributes without wild code and with at most 256 codes (sets: 255) are looked up
     * in tables (lookup.h), unless these are few; those of the others are computed.
     */
    uint32_t *untabled, n_untabled, n_tabled;
    bool has_tabled_sets;
    double unit;  /* integer loss of 1.0 */
    double whole; /* loss of a row of `*` alone: the sum of the weights */
} shoal_metric;

/*
 * `weights` (one per attribute, in [0,1]) may be NULL: the priorities of the attributes, 1 each by
 * default. Borrows the trees of the space.
 */
SHOAL_NODISCARD shoal_status shoal_metric_make(shoal_metric *out, const shoal_space *space,
                                               const double *weights, shoal_error *err);
void shoal_metric_clear(shoal_metric *metric);

/* Loss of the range lo..hi of an ordered attribute, lo <= hi. */
static inline shoal_loss shoal_line_range(const shoal_measure_line *line, uint32_t lo, uint32_t hi)
{
    if (hi >= line->n_plain) return lo == hi && hi < line->top_from ? 0 : line->one;
    if (line->is_interval) return line->position[hi] - line->position[lo];
    if (line->pair != NULL) return line->pair[(size_t)lo * line->n_plain + hi];
    return line->node_loss[shoal_tree_cover(line->tree, lo, hi)];
}

/* Loss of the cover of two codes. */
static inline shoal_loss shoal_line_pair(const shoal_measure_line *line, uint32_t x, uint32_t y)
{
    if (x == line->wild_code || y == line->wild_code) {
        uint32_t other = x == line->wild_code ? y : x;
        return other != line->wild_code && other >= line->top_from ? line->one : 0;
    }
    if (line->is_set)
        return x >= line->top_from || y >= line->top_from ? line->one
                                                          : line->set_loss[1 + (x != y)];
    return shoal_line_range(line, x < y ? x : y, x > y ? x : y);
}

/*
 * Fill n_codes entries: the loss of an ordered attribute of a cluster that covers `own`, after
 * adding each code. Sets: `own` is one code.
 */
void shoal_line_tabulate(const shoal_measure_line *line, shoal_range own, shoal_loss *table);

/* ---- clusters ---- */

/* The cover of some rows, for one metric. Owns its arrays: end with shoal_cluster_free(). */
typedef struct shoal_cluster {
    shoal_range *ranges;
    shoal_loss *losses;  /* of each attribute */
    uint64_t *words;     /* members of sets */
    uint32_t *n_members; /* of each set; for others unused */
    /*
     * Probes: the loss of attribute a after adding code c at 256 a + c, kept up to date; zeros
     * where the attribute has no table; attributes are padded to a multiple of 8. Else NULL.
     */
    shoal_loss *table;
    uint8_t *lows;        /* probes with a table: the least code of each attribute */
    uint8_t *several;     /* and 255 where it is a set with two members or more, else 0 */
    uint8_t *next_member; /* and of such sets: the member at or above code c at 256 a + c, or 255 */
    shoal_loss loss;      /* sum over attributes */
    uint32_t n_rows;
} shoal_cluster;

SHOAL_NODISCARD bool shoal_cluster_init(shoal_cluster *cluster, const shoal_metric *metric);
/*
 * The same for a cluster used in queries (a probe): with a table if an attribute has one. What is
 * copied to it needs shoal_cluster_tabulate().
 */
SHOAL_NODISCARD bool shoal_cluster_init_probe(shoal_cluster *cluster, const shoal_metric *metric);
void shoal_cluster_free(shoal_cluster *cluster);
void shoal_cluster_clear(shoal_cluster *cluster, const shoal_metric *metric);
void shoal_cluster_add(shoal_cluster *cluster, const shoal_metric *metric, const uint32_t *codes,
                       uint32_t n_rows);
/*
 * The same without its table, which is stale until shoal_cluster_tabulate(): for rows that are
 * added one after the other without a query in between.
 */
void shoal_cluster_add_untabled(shoal_cluster *cluster, const shoal_metric *metric,
                                const uint32_t *codes, uint32_t n_rows);
void shoal_cluster_tabulate(shoal_cluster *cluster, const shoal_metric *metric);
/* Add all rows of another cluster. Not for clusters with a table. */
void shoal_cluster_join(shoal_cluster *cluster, const shoal_cluster *other,
                        const shoal_metric *metric);
void shoal_cluster_copy(shoal_cluster *to, const shoal_cluster *from, const shoal_metric *metric);

/* Is the table valid? After shoal_cluster_clear() it is stale until the first row is added. */
static inline bool shoal_cluster_has_table(const shoal_cluster *cluster)
{
    return cluster->table != NULL && cluster->n_rows > 0;
}

/* Loss of one attribute after adding `code` to the cluster. */
static inline shoal_loss shoal_cluster_attr_with(const shoal_cluster *cluster,
                                                 const shoal_measure_line *line, uint32_t a,
                                                 uint32_t code)
{
    if (code == line->wild_code) return cluster->losses[a];
    shoal_range range = cluster->ranges[a];
    if (line->is_set) {
        if (code >= line->top_from || (range.lo <= range.hi && range.hi >= line->top_from))
            return line->one;
        bool is_member = cluster->words[line->word_at + code / 64] >> (code % 64) & 1;
        return line->set_loss[cluster->n_members[a] + !is_member];
    }
    return shoal_line_range(line, code < range.lo ? code : range.lo,
                            code > range.hi ? code : range.hi);
}

/*
 * Loss of the cluster after adding the tuple; a partial sum >= limit is returned as soon as there
 * is one.
 */
static inline shoal_loss shoal_cluster_with(const shoal_cluster *cluster,
                                            const shoal_metric *metric, const uint32_t *codes,
                                            shoal_loss limit)
{
    shoal_loss sum = 0;
    if (shoal_cluster_has_table(cluster) && metric->has_tables) {
        for (uint32_t a = 0; a < metric->n_attrs; a++) sum += cluster->table[a * 256 + codes[a]];
        return sum;
    }
    for (uint32_t a = 0; a < metric->n_attrs && sum < limit; a++)
        sum += shoal_cluster_attr_with(cluster, &metric->lines[a], a, codes[a]);
    return sum;
}

/* Loss of the cover of two tuples: the distance of k-Members. */
shoal_loss shoal_metric_pair(const shoal_metric *metric, const uint32_t *x, const uint32_t *y);

#endif
