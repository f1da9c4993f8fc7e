/* SPDX-License-Identifier: Apache-2.0 */
/* priced_search.h - search for the cheapest row when sensitive values have prices, too.
 *
 *     cost(t) = loss of the cluster's quasi-identifiers with t
 *             + sum over sensitive columns of price[value of t]
 *
 * A *side* is the price list of one sensitive column, a price per code, stored as a segment tree of
 * minima, so that the least price in a range of codes is found in O(log codes). The kernel is built
 * over quasi-identifiers and sensitive columns together, so its nodes have ranges of both. The
 * bound of a node is that of its quasi-identifiers plus the least price in the range of each
 * sensitive column. The answer is exactly that of a scan, ties included.
 *
 *     shoal_priced_search_make(&priced, ...)
 *     shoal_kernel_make(&kernel, &priced.metric, &priced.classes, ...)
 *     shoal_priced_search_cheapest(&priced, &state, &cluster, sides, SHOAL_LOSS_MAX, &cost)
 *
 * The meaning of prices is up to the caller: a change of S-diversity or of range diversity, or of
 * the deficit of a privacy model. Prices are >= 0; INFINITY excludes a value. The cluster is one of
 * priced.qids; with a cluster of one row the search finds the nearest rows.
 */
#ifndef SHOAL_PRICED_SEARCH_H
#define SHOAL_PRICED_SEARCH_H

#include "search/kernel.h"

/*
 * Prices of one column. A cost is floor(price * scale), so the scale can change without updating
 * the prices.
 */
typedef struct shoal_side {
    uint32_t n_codes;
    /* [n_codes + c]: price of code c; [i], i < n_codes: minimum of [2i] and [2i + 1] */
    double *least;
    double scale;
} shoal_side;

/* All prices 0, scale 1. False when out of memory. */
SHOAL_NODISCARD bool shoal_side_init(shoal_side *side, uint32_t n_codes);
void shoal_side_free(shoal_side *side);
/* Set one price. O(log codes). */
void shoal_side_put(shoal_side *side, uint32_t code, double price);
/* Set all prices. O(codes). */
void shoal_side_fill(shoal_side *side, const double *prices);
/* The least price of codes lo..hi, lo <= hi. O(log codes). */
double shoal_side_least(const shoal_side *side, uint32_t lo, uint32_t hi);

static inline double shoal_side_price(const shoal_side *side, uint32_t code)
{
    return side->least[side->n_codes + code];
}

typedef struct shoal_priced_search {
    uint32_t n_qids, n_sides;
    /* quasi-identifiers, then sensitive columns; the attributes are borrowed */
    shoal_space space;
    shoal_metric metric;   /* of both; determines the shape of the tree */
    shoal_metric qids;     /* the first n_qids lines of `metric`, for clusters; borrowed from it */
    shoal_classes classes; /* codes of both; counts and rows are borrowed */
} shoal_priced_search;

/* Columns, and how much each matters; both borrowed. */
typedef struct shoal_weighted_space {
    const shoal_space *space;
    const double *weights; /* one per attribute, in [0,1]; NULL: all 1 */
} shoal_weighted_space;

/*
 * Put the codes of `sides` (columns whose codes begin at `values_at` in the extra columns of the
 * classes) after those of `qids`. Weights scale the losses of quasi-identifiers and set how much
 * sensitive columns matter for the tree's shape. Borrows spaces and classes. O(classes * columns)
 * time and 4 bytes a code.
 */
SHOAL_NODISCARD shoal_status shoal_priced_search_make(shoal_priced_search *out,
                                                      shoal_weighted_space qids,
                                                      shoal_weighted_space sides,
                                                      const shoal_classes *classes,
                                                      uint32_t values_at, shoal_error *err);
void shoal_priced_search_clear(shoal_priced_search *priced);

/* Codes of a class: n_qids, then n_sides. */
static inline const uint32_t *shoal_priced_search_codes(const shoal_priced_search *priced,
                                                        uint32_t class_index)
{
    return shoal_class_codes(&priced->classes, class_index);
}

/* The cost of a class with these codes; SHOAL_LOSS_MAX: excluded. */
shoal_loss shoal_priced_search_cost(const shoal_priced_search *priced, const shoal_cluster *cluster,
                                    const shoal_side *sides, const uint32_t *codes);

/*
 * The cheapest remaining class with a cost below `limit`, ties to the lower class, or
 * SHOAL_NO_CLASS. `state` belongs to a kernel over `classes`, which have n_qids + n_sides codes:
 * priced.classes, or a renumbered part of them.
 */
uint32_t shoal_priced_search_cheapest(const shoal_priced_search *priced,
                                      const shoal_classes *classes, shoal_kernel_state *state,
                                      const shoal_cluster *cluster, const shoal_side *sides,
                                      shoal_loss limit, shoal_loss *cost);

/*
 * The cheapest classes with `n_rows` remaining rows, by cost, then number; `out` has room for
 * n_rows. Returns how many.
 */
uint32_t shoal_priced_search_cheapest_rows(const shoal_priced_search *priced,
                                           const shoal_classes *classes, shoal_kernel_state *state,
                                           const shoal_cluster *cluster, const shoal_side *sides,
                                           uint32_t n_rows, shoal_neighbour *out);

#endif
