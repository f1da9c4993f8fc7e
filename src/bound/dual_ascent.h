/* SPDX-License-Identifier: Apache-2.0 */
/* dual_ascent.h - prices of classes that are a lower bound, and their ascent.
 *
 * Partition the rows into groups of at least k, each row of a group losing the cost c(B) of its box
 * B. The dual of the linear relaxation: maximise the sum of the rows' prices so that in no box B a
 * set S of at least k rows has a sum above |S| c(B). Such prices are *feasible*: added up over the
 * groups of any release they never exceed its loss.
 *
 * Any prices p become feasible by taking the values v of box_walk.h off: a set S of k to 2k - 1
 * rows gives each of its priced rows a share of its excess, so p - v has none, and a larger set
 * falls into parts of that size, whose boxes cost no more. So the sum of p - v is a lower bound
 * whatever p is; how it was found needs no proof. The sum is concave in p, and its greatest value
 * is the optimum of the linear programme.
 *
 * Ascent: between two passes over all boxes the prices follow the boxes known so far (box_pool.h).
 * A row that is in more than one of the sets which gave values, on average, is priced too high, and
 * one in fewer too low: that is the supergradient, scaled down where it is large and smoothed over
 * steps, whose length falls with the share of the work that was done. Where a pass finds that the
 * prices went too far they return to the best so far.
 *
 * A row may also be suppressed, which loses 1 in each attribute: no price is above that.
 */
#ifndef SHOAL_DUAL_ASCENT_H
#define SHOAL_DUAL_ASCENT_H

#include "bound/box_walk.h"

typedef struct dual_limits {
    uint32_t threads;
    uint64_t max_work; /* classes visited, over all passes */
    uint32_t max_passes;
    double start, deadline; /* on the clock of shoal_seconds(); a deadline of 0: none */
    bool (*may_go_on)(double done, void *payload); /* asked several times in a pass; NULL: always */
    void *payload;
} dual_limits;

typedef struct dual_result {
    uint64_t n_passes; /* whole ones */
    /* branches bounded instead of walked in the pass that the prices come from */
    uint64_t n_cut;
    uint64_t work;
    bool is_stopped; /* by may_go_on or the deadline */
} dual_result;

/*
 * Raise list->price as far as the limits allow. It comes in as feasible prices (list->floor, for
 * one) and is feasible when it goes out, with a sum over rows that is not lower. The same result
 * for any number of threads, unless there is a deadline.
 */
SHOAL_NODISCARD shoal_status dual_ascend(price_list *list, const dual_limits *limits,
                                         dual_result *out, shoal_error *err);

/* What a suppressed row loses, rounded down. */
shoal_price dual_highest_price(const shoal_metric *metric);

#endif
