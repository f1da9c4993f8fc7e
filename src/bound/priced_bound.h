/* SPDX-License-Identifier: Apache-2.0 */
/* priced_bound.h - the lower bound by prices of classes: from the floors of the classes to the sum
 * of their prices.
 *
 * Only classes with fewer than k rows are priced. One with k rows or more can be a group alone: its
 * price is what it loses unchanged. One with a missing value that matches everything is free: it is
 * inside every box that its other values allow, has no loss there, and its price is its floor.
 */
#ifndef SHOAL_PRICED_BOUND_H
#define SHOAL_PRICED_BOUND_H

#include "bound/dual_ascent.h"

/* Larger k would need too much room for sums over 2k rows. */
enum { PRICED_MOST_K = 1 << 16 };

typedef struct priced_bound {
    shoal_price *price; /* of each class: feasible, so rows lose at least the sum; may be below 0 */
    double sum;         /* over all rows, in units of the metric, rounded down */
    dual_result ascent;
} priced_bound;

/*
 * `floor` has for each class what no box with k rows around it undercuts, in floors of
 * box_choices.h. Free the prices with priced_bound_clear(). 2 <= k <= PRICED_MOST_K.
 */
SHOAL_NODISCARD shoal_status priced_bound_find(priced_bound *out, const shoal_metric *metric,
                                               const shoal_classes *classes, uint32_t k,
                                               const shoal_price *floor, const dual_limits *limits,
                                               shoal_error *err);
void priced_bound_clear(priced_bound *bound);

/* Sum over the rows of all classes, rounded down to a number that a double holds. */
double priced_bound_sum(const shoal_classes *classes, const shoal_price *price);

#endif
