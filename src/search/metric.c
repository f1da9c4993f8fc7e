/* SPDX-License-Identifier: Apache-2.0 */
/* metric.c - integer losses and clusters; see metric.h.
 *
 * Losses are whole numbers of which `unit` (2^24, less with more than 128 attributes) is the loss
 * of an attribute that is published as `*`: so sums are the same in any order and ties are exact.
 *
 *     numbers   each code has a position, rounded once; a range loses the difference of two. Of
 * ages 17..90 the positions of 20 and 24 are 3/73 and 7/73 of 2^24, 689475 and 1608774, and 20..24
 * loses 919299, where 4/73 of 2^24 is 919299.5. So a loss may be off by one unit, which the lower
 * bound allows for. trees     the loss of the lowest node above both ends; up to PAIR_CODES leaves,
 * a table of all pairs. sets      by the number of values: set_loss[n], 0 for none or one.
 *
 * A cluster is the cover of some rows: ranges of codes, for sets also their members as bits. A
 * *probe* also has a table: the loss of an attribute after adding each code. With the codes 0..3
 * for the ages 20, 24, 31, 50, a cluster that covers 24..31 has the table (in years)
 *
 *     code      0    1    2    3          0: 20..31 = 11       1, 2: inside, 24..31 = 7
 *     table    11    7    7   26          3: 24..50 = 26
 *
 * so the loss with any row is one look-up and one addition per attribute. Adding a row changes only
 * the tables of the attributes that it widens.
 */
#include "search/metric.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* trees of up to PAIR_CODES leaves have a table of pairs: at most 144 KiB */
enum { PAIR_CODES = 192, TABLE_CODES = 256, LEAST_TABLED = 3 };

enum { NO_MEMBER = 255 }; /* above every code of a set with a table */

/* Rounded to the nearest, so each loss is off by at most half a unit. */
static shoal_loss to_loss(double loss, double one)
{
    return (shoal_loss)llround(loss * one);
}

/* Positions are differences from the first code: an interval loses position[hi] - position[lo]. */
static bool fill_positions(shoal_measure_line *line, const shoal_attribute *attr)
{
    line->position = shoal_alloc(attr->n_plain, sizeof *line->position);
    if (line->position == NULL) return false;
    for (uint32_t c = 0; c < attr->n_plain; c++)
        line->position[c] = to_loss((attr->position[c] - attr->position[0]) * attr->scale,
                                    line->one);
    return true;
}

/* The pairs are symmetric; a pair is the loss of the lowest node above both leaves. */
static bool fill_nodes(shoal_measure_line *line, const shoal_attribute *attr)
{
    const shoal_hierarchy *tree = attr->tree;
    line->node_loss = shoal_alloc(tree->n_nodes, sizeof *line->node_loss);
    if (line->node_loss == NULL) return false;
    for (uint32_t node = 0; node < tree->n_nodes; node++)
        line->node_loss[node] = to_loss(attr->node_loss[node], line->one);
    uint32_t n = line->n_plain;
    if (n > PAIR_CODES) return true;
    line->pair = shoal_alloc((size_t)n * n, sizeof *line->pair);
    if (line->pair == NULL) return false;
    for (uint32_t lo = 0; lo < n; lo++)
        for (uint32_t hi = lo; hi < n; hi++)
            line->pair[(size_t)lo * n + hi] = line->pair[(size_t)hi * n + lo] =
                line->node_loss[shoal_tree_cover(tree, lo, hi)];
    return true;
}

/* Entry n is the loss of n members; two more than there are values, for look-ups one beyond. */
static bool fill_sets(shoal_measure_line *line, const shoal_attribute *attr)
{
    line->set_loss = shoal_alloc((size_t)attr->n_plain + 2, sizeof *line->set_loss);
    if (line->set_loss == NULL) return false;
    for (uint32_t n = 0; n < attr->n_plain + 2; n++)
        line->set_loss[n] = n > 1 ? to_loss((n - 1) * attr->scale, line->one) : 0;
    return true;
}

/* Exactly one kind of table per line, by the form of its covers. */
static bool make_line(shoal_measure_line *line, const shoal_attribute *attr, shoal_loss one)
{
    *line = (shoal_measure_line){
        .is_interval = attr->is_interval,
        .is_tree = attr->is_tree,
        .is_set = attr->is_set,
        .n_plain = attr->n_plain,
        .top_from = attr->top_from,
        .n_codes = attr->n_codes,
        .wild_code = attr->wild_code,
        .tree = attr->tree,
        .one = one,
        .n_words = attr->n_words,
        .word_at = attr->word_at,
    };
    if (attr->is_interval) return fill_positions(line, attr);
    return attr->is_tree ? fill_nodes(line, attr) : fill_sets(line, attr);
}

/* A set needs one code more, for "no member". */
static bool may_have_table(const shoal_measure_line *line)
{
    return line->wild_code == SHOAL_NO_CODE && line->n_codes + line->is_set <= TABLE_CODES;
}

/* Which attributes have tables: none, where they are few among many. */
static bool list_tabled(shoal_metric *metric)
{
    metric->untabled = shoal_alloc(metric->n_attrs, sizeof *metric->untabled);
    if (metric->untabled == NULL) return false;
    for (uint32_t a = 0; a < metric->n_attrs; a++)
        metric->n_tabled += may_have_table(&metric->lines[a]);
    if (!metric->has_tables && metric->n_tabled < LEAST_TABLED) metric->n_tabled = 0;
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        shoal_measure_line *line = &metric->lines[a];
        line->is_tabled = metric->n_tabled > 0 && may_have_table(line);
        if (!line->is_tabled)
            metric->untabled[metric->n_untabled++] = a;
        else if (line->is_set)
            metric->has_tabled_sets = true;
    }
    return true;
}

/* The unit is a power of two, halved until the losses of all attributes fit into 31 bits: up to 128
 * attributes have 2^24 units each. */
shoal_status shoal_metric_make(shoal_metric *out, const shoal_space *space, const double *weights,
                               shoal_error *err)
{
    shoal_metric metric = { .n_words = space->n_words, .unit = 16777216, .has_tables = true };
    /* the sum over attributes stays within 2^31 */
    assert(space->n_attrs > 0);
    while (metric.unit * space->n_attrs > 2147483648.0) metric.unit /= 2;
    metric.lines = shoal_alloc_zero(space->n_attrs, sizeof *metric.lines);
    bool ok = metric.lines != NULL;
    for (uint32_t a = 0; ok && a < space->n_attrs; a++) {
        metric.n_attrs = a + 1;
        ok = make_line(
            &metric.lines[a], &space->attrs[a],
            to_loss(weights == NULL ? space->attrs[a].priority : weights[a], metric.unit));
        metric.whole += metric.lines[a].one;
        metric.has_tables &= space->attrs[a].n_codes <= TABLE_CODES && !space->attrs[a].is_set &&
                             space->attrs[a].wild_code == SHOAL_NO_CODE;
        metric.has_sets |= space->attrs[a].is_set;
        metric.has_wild |= space->attrs[a].wild_code != SHOAL_NO_CODE;
    }
    if (!ok || !list_tabled(&metric)) {
        shoal_metric_clear(&metric);
        return shoal_fail_memory(err);
    }
    *out = metric;
    return SHOAL_OK;
}

void shoal_metric_clear(shoal_metric *metric)
{
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        shoal_free(metric->lines[a].position);
        shoal_free(metric->lines[a].pair);
        shoal_free(metric->lines[a].node_loss);
        shoal_free(metric->lines[a].set_loss);
    }
    shoal_free(metric->lines);
    shoal_free(metric->untabled);
    *metric = (shoal_metric){ 0 };
}

/* A cluster is reused for many groups: clear() empties it without freeing. */
bool shoal_cluster_init(shoal_cluster *cluster, const shoal_metric *metric)
{
    *cluster = (shoal_cluster){ 0 };
    size_t m = metric->n_attrs;
    /* One block; the 64-bit words first, because their alignment is the largest. */
    uint64_t *block = shoal_alloc(metric->n_words + 2 * m, sizeof *block);
    if (block == NULL) return false;
    cluster->words = block;
    cluster->ranges = (shoal_range *)(void *)(block + metric->n_words);
    cluster->losses = (shoal_loss *)(void *)(cluster->ranges + m);
    cluster->n_members = cluster->losses + m;
    shoal_cluster_clear(cluster, metric);
    return true;
}

/* With a table for each tabled attribute: worth it only for a cluster that asks many queries. */
bool shoal_cluster_init_probe(shoal_cluster *cluster, const shoal_metric *metric)
{
    if (!shoal_cluster_init(cluster, metric)) return false;
    if (metric->n_tabled == 0) return true;
    /* padding attributes have entries of 0 */
    size_t stride = ((size_t)metric->n_attrs + 7) / 8 * 8;
    size_t members = metric->has_tabled_sets ? stride * TABLE_CODES / 4 : 0;
    cluster->table = shoal_alloc_zero(stride * TABLE_CODES + stride / 2 + members,
                                      sizeof *cluster->table);
    if (cluster->table == NULL) {
        shoal_cluster_free(cluster);
        return false;
    }
    cluster->lows = (uint8_t *)(cluster->table + stride * TABLE_CODES);
    cluster->several = cluster->lows + stride;
    cluster->next_member = cluster->several + stride;
    return true;
}

/* `table` holds lows and members, too; `words` holds ranges and losses. */
void shoal_cluster_free(shoal_cluster *cluster)
{
    shoal_free(cluster->table);
    shoal_free(cluster->words);
    *cluster = (shoal_cluster){ 0 };
}

/* Tables need no clearing: they are written again with the first row. */
void shoal_cluster_clear(shoal_cluster *cluster, const shoal_metric *metric)
{
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        cluster->ranges[a] = SHOAL_EMPTY_RANGE;
        cluster->losses[a] = 0;
        cluster->n_members[a] = 0;
    }
    if (metric->n_words > 0) memset(cluster->words, 0, metric->n_words * sizeof *cluster->words);
    if (cluster->table != NULL) memset(cluster->several, 0, metric->n_attrs);
    cluster->loss = 0;
    cluster->n_rows = 0;
}

/* Both were made for the same metric; tables of probes are not copied. */
void shoal_cluster_copy(shoal_cluster *to, const shoal_cluster *from, const shoal_metric *metric)
{
    memcpy(to->words, from->words,
           (metric->n_words + 2 * (size_t)metric->n_attrs) * sizeof *to->words);
    to->loss = from->loss;
    to->n_rows = from->n_rows;
}

/* A set of one member has no bits yet: another value makes two members, itself none. */
static void tabulate_one_member(const shoal_measure_line *line, uint32_t own, shoal_loss *table)
{
    for (uint32_t code = 0; code < line->n_codes; code++)
        table[code] = own >= line->top_from || code >= line->top_from
                          ? line->one
                          : line->set_loss[1 + (code != own)];
}

/* Codes below `own` cost less the nearer they are, as do codes above: look-ups of ranges rely on
 * the table being unimodal (lookup.h). */
void shoal_line_tabulate(const shoal_measure_line *line, shoal_range own, shoal_loss *table)
{
    if (line->is_set) {
        tabulate_one_member(line, own.lo, table);
        return;
    }
    uint32_t lo = own.lo, hi = own.hi, n = line->n_plain;
    assert(lo <= hi && hi < line->n_codes);
    bool is_number = line->is_interval;
    if (hi >= n || (!is_number && line->pair == NULL)) {
        for (uint32_t code = 0; code < line->n_codes; code++)
            table[code] = shoal_line_range(line, code < lo ? code : lo, code > hi ? code : hi);
        return;
    }
    shoal_loss now = shoal_line_range(line, lo, hi);
    if (is_number) {
        for (uint32_t code = 0; code < lo; code++)
            table[code] = line->position[hi] - line->position[code];
        for (uint32_t code = hi + 1; code < n; code++)
            table[code] = line->position[code] - line->position[lo];
    } else {
        memcpy(table, line->pair + (size_t)hi * n, lo * sizeof *table);
        memcpy(table + hi + 1, line->pair + (size_t)lo * n + hi + 1, (n - hi - 1) * sizeof *table);
    }
    for (uint32_t code = lo; code <= hi; code++) table[code] = now;
    for (uint32_t code = n; code < line->n_codes; code++) table[code] = line->one;
}

/* The members of a set cost nothing more, other values one step; where members are, is for ranges
 * of codes. */
static void tabulate_members(shoal_cluster *cluster, const shoal_measure_line *line, uint32_t a)
{
    shoal_loss *table = cluster->table + (size_t)a * TABLE_CODES;
    uint8_t *next = cluster->next_member + (size_t)a * TABLE_CODES;
    bool is_top = cluster->ranges[a].hi >= line->top_from;
    shoal_loss within = is_top ? line->one : line->set_loss[cluster->n_members[a]];
    shoal_loss beyond = is_top ? line->one : line->set_loss[cluster->n_members[a] + 1];
    for (uint32_t code = 0; code < line->top_from; code++) table[code] = beyond;
    for (uint32_t code = line->top_from; code < line->n_codes; code++) table[code] = line->one;
    uint32_t from = 0;
    for (uint32_t w = 0; w < line->n_words; w++)
        for (uint64_t left = cluster->words[line->word_at + w]; left != 0; left &= left - 1) {
            uint32_t member = 64 * w + (uint32_t)__builtin_ctzll(left);
            table[member] = within;
            memset(next + from, (int)member, member + 1 - from);
            from = member + 1;
        }
    memset(next + from, NO_MEMBER, line->n_codes - from);
    cluster->several[a] = cluster->n_members[a] > 1 ? UINT8_MAX : 0;
}

/* Update the table of an attribute after its range or its members have changed. */
static void update_table(shoal_cluster *cluster, const shoal_measure_line *line, uint32_t a)
{
    cluster->lows[a] = (uint8_t)cluster->ranges[a].lo;
    if (line->is_set)
        tabulate_members(cluster, line, a);
    else
        shoal_line_tabulate(line, cluster->ranges[a], cluster->table + (size_t)a * TABLE_CODES);
}

static void add_member(shoal_cluster *cluster, const shoal_measure_line *line, uint32_t a,
                       uint32_t code)
{
    uint64_t *word = &cluster->words[line->word_at + code / 64], bit = (uint64_t)1 << (code % 64);
    cluster->n_members[a] += !(*word & bit);
    *word |= bit;
}

/* A code between the ends of a set's range need not be a member of the set. */
static bool is_covered(const shoal_cluster *cluster, const shoal_measure_line *line, uint32_t a,
                       uint32_t code)
{
    if (code < cluster->ranges[a].lo || code > cluster->ranges[a].hi) return false;
    return !line->is_set ||
           (code < line->n_plain && cluster->words[line->word_at + code / 64] >> (code % 64) & 1);
}

/* The loss never decreases. `with_tables` is a constant in both callers, so that the compiler makes
 * two versions of the loop. */
static inline void cover(shoal_cluster *cluster, const shoal_metric *metric, const uint32_t *codes,
                         uint32_t n_rows, bool with_tables)
{
    assert(n_rows <= UINT32_MAX - cluster->n_rows);
    cluster->n_rows += n_rows;
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        const shoal_measure_line *line = &metric->lines[a];
        uint32_t code = codes[a];
        assert(code < line->n_codes || code == line->wild_code);
        if (code == line->wild_code) continue;
        if (is_covered(cluster, line, a, code)) continue;
        shoal_loss with = shoal_cluster_attr_with(cluster, line, a, code);
        cluster->loss += with - cluster->losses[a];
        cluster->losses[a] = with;
        if (code < cluster->ranges[a].lo) cluster->ranges[a].lo = code;
        if (code > cluster->ranges[a].hi) cluster->ranges[a].hi = code;
        if (line->is_set && code < line->n_plain) add_member(cluster, line, a, code);
        if (with_tables && line->is_tabled) update_table(cluster, line, a);
    }
}

void shoal_cluster_add(shoal_cluster *cluster, const shoal_metric *metric, const uint32_t *codes,
                       uint32_t n_rows)
{
    cover(cluster, metric, codes, n_rows, cluster->table != NULL);
}

void shoal_cluster_add_untabled(shoal_cluster *cluster, const shoal_metric *metric,
                                const uint32_t *codes, uint32_t n_rows)
{
    cover(cluster, metric, codes, n_rows, false);
}

/* For probes that took rows by add_untabled(): one update per attribute instead of one per row. */
void shoal_cluster_tabulate(shoal_cluster *cluster, const shoal_metric *metric)
{
    for (uint32_t a = 0; cluster->table != NULL && a < metric->n_attrs; a++)
        if (metric->lines[a].is_tabled && cluster->ranges[a].lo <= cluster->ranges[a].hi)
            update_table(cluster, &metric->lines[a], a);
}

/* Count the members of a set again; returns its loss. */
static shoal_loss count_members(shoal_cluster *cluster, const shoal_measure_line *line, uint32_t a)
{
    uint32_t n = 0;
    for (uint32_t w = 0; w < line->n_words; w++)
        n += (uint32_t)__builtin_popcountll(cluster->words[line->word_at + w]);
    cluster->n_members[a] = n;
    return cluster->ranges[a].hi >= line->top_from ? line->one : line->set_loss[n];
}

/* Tables are not updated: only clusters without a table are joined. */
void shoal_cluster_join(shoal_cluster *cluster, const shoal_cluster *other,
                        const shoal_metric *metric)
{
    assert(cluster->table == NULL && other->n_rows <= UINT32_MAX - cluster->n_rows);
    cluster->n_rows += other->n_rows;
    for (uint32_t w = 0; w < metric->n_words; w++) cluster->words[w] |= other->words[w];
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        const shoal_measure_line *line = &metric->lines[a];
        shoal_range theirs = other->ranges[a], *mine = &cluster->ranges[a];
        if (theirs.lo > theirs.hi) continue;
        if (theirs.lo < mine->lo) mine->lo = theirs.lo;
        if (theirs.hi > mine->hi) mine->hi = theirs.hi;
        shoal_loss with = line->is_set ? count_members(cluster, line, a)
                                       : shoal_line_range(line, mine->lo, mine->hi);
        cluster->loss += with - cluster->losses[a];
        cluster->losses[a] = with;
    }
}

shoal_loss shoal_metric_pair(const shoal_metric *metric, const uint32_t *x, const uint32_t *y)
{
    shoal_loss sum = 0;
    for (uint32_t a = 0; a < metric->n_attrs; a++)
        sum += shoal_line_pair(&metric->lines[a], x[a], y[a]);
    return sum;
}
