/* SPDX-License-Identifier: Apache-2.0 */
/* priced_search.h - the cheapest row where its sensitive values have a price too.
 *
 *     cost(t) = loss of the cluster's quasi-identifiers with t + sum over sensitive columns of price[value of t]
 *
 * A *side* is the price list of one sensitive column: any number for any code, kept with the minima of its runs (a segment tree), so that
 * the least price in a run of codes is found in O(log codes). The kernel's tree is built over quasi-identifiers and sensitive columns
 * together: its nodes know the run of codes of each. The bound of a node is that of its quasi-identifiers plus the least price
 * of each sensitive column's run; so a search leaves out what cannot win, and its answer is exactly that of a scan, ties included.
 *
 *     shoal_priced_search_make(&priced, ...);                            codes of both kinds, side by side
 *     shoal_kernel_make(&kernel, &priced.metric, &priced.classes, ...)
 *     shoal_priced_search_cheapest(&priced, &state, &cluster, sides, SHOAL_LOSS_MAX, &cost)
 *
 * What a price means is the caller's: a change of S-diversity or of range diversity, a rise of what a privacy model still lacks. Prices are >= 0;
 * INFINITY means never. The cluster is one of priced.qids; a cluster of one row makes the search one for the nearest rows.
 */
#ifndef SHOAL_PRICED_SEARCH_H
#define SHOAL_PRICED_SEARCH_H

#include "search/kernel.h"

/* Prices of one column. A cost is floor(price * scale): the scale may change without touching the prices. */
typedef struct shoal_side {
    uint32_t n_codes;
    double *least; /* entry n_codes + c: the price of code c; entry i < n_codes: the lesser of entries 2i and 2i + 1 */
    double scale;
} shoal_side;

/* All prices are 0, the scale is 1. */
SHOAL_NODISCARD bool shoal_side_init(shoal_side *side, uint32_t n_codes);
void shoal_side_free(shoal_side *side);
/* Change one price. O(log codes). */
void shoal_side_put(shoal_side *side, uint32_t code, double price);
/* Change all of them. O(codes). */
void shoal_side_fill(shoal_side *side, const double *prices);
/* The least price in lo..hi, lo <= hi. */
double shoal_side_least(const shoal_side *side, uint32_t lo, uint32_t hi);

static inline double shoal_side_price(const shoal_side *side, uint32_t code)
{
    return side->least[side->n_codes + code];
}

typedef struct shoal_priced_search {
    uint32_t n_qids, n_sides;
    shoal_space space;     /* quasi-identifiers, then sensitive columns; the attributes are borrowed */
    shoal_metric metric;   /* of both: it shapes the tree */
    shoal_metric qids;     /* the first n_qids lines of it: for clusters */
    shoal_classes classes; /* codes of both; counts and rows are borrowed */
} shoal_priced_search;

/* Columns, and how much each matters; both borrowed. */
typedef struct shoal_weighted_space {
    const shoal_space *space;
    const double *weights; /* one per attribute, in [0,1]; NULL: all 1 */
} shoal_weighted_space;

/*
 * Put the codes of `sides` (columns whose codes begin at `values_at` in the extra columns of the
 * classes) behind those of `qids`. Weights scale the losses of quasi-identifiers and say how much
 * sensitive columns matter for the tree's shape. Borrows spaces and classes. O(classes * columns)
 * time and 4 bytes a code.
 */
SHOAL_NODISCARD shoal_status shoal_priced_search_make(shoal_priced_search *out, shoal_weighted_space qids,
                                                     shoal_weighted_space sides, const shoal_classes *classes,
                                                     uint32_t values_at, shoal_error *err);
void shoal_priced_search_clear(shoal_priced_search *priced);

/* Codes of a class: n_qids, then n_sides. */
static inline const uint32_t *shoal_priced_search_codes(const shoal_priced_search *priced, uint32_t class_index)
{
    return shoal_class_codes(&priced->classes, class_index);
}

/* What a class costs; SHOAL_LOSS_MAX: never. */
shoal_loss shoal_priced_search_cost(const shoal_priced_search *priced, const shoal_cluster *cluster, const shoal_side *sides, const uint32_t *codes);

/*
 * The cheapest class left of those below `limit`, ties to the lower class, or SHOAL_NO_CLASS. `state` belongs to a kernel over classes
 * with n_qids + n_sides codes, those of `classes`: priced.classes, or some of them numbered anew.
 */
uint32_t shoal_priced_search_cheapest(const shoal_priced_search *priced, const shoal_classes *classes, shoal_kernel_state *state,
                              const shoal_cluster *cluster, const shoal_side *sides, shoal_loss limit, shoal_loss *cost);

/* The cheapest classes that hold `n_rows` rows left, by cost and then number, `out` with room for n_rows; returns how many. */
uint32_t shoal_priced_search_cheapest_rows(const shoal_priced_search *priced, const shoal_classes *classes, shoal_kernel_state *state,
                                   const shoal_cluster *cluster, const shoal_side *sides, uint32_t n_rows, shoal_neighbour *out);

#endif
