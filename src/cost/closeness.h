/* SPDX-License-Identifier: Apache-2.0 */
/* closeness.h - the rows that are nearest to all others.
 *
 *     n-closeness(t) = (n - 1) / sum over the other rows u of Dist(t, u)
 *
 * The distance is a sum over attributes, so the sum over all rows is computed per attribute from
 * the counts of its values (numbers by prefix sums, trees by the rows outside each subtree on the
 * path to the root), then by one look-up per attribute and class. Exact, in integer units of the
 * metric.
 *
 * Pramanik, Lau, Zhang 2016, equation 3 and Fig. 4. Cost: O(c q + sum of values * height) for c
 * classes, q attributes, instead of the O(n^2 q) of the definition.
 */
#ifndef SHOAL_CLOSENESS_H
#define SHOAL_CLOSENESS_H

#include "search/metric.h"

/*
 * sums[c] receives the sum of distances from a row of class c to all other rows, in integer losses
 * (shoal_metric_pair()).
 */
SHOAL_NODISCARD shoal_status shoal_closeness_sums(uint64_t *sums, const shoal_metric *metric,
                                                  const shoal_classes *classes, shoal_error *err);

/*
 * The `n` rows (1 <= n <= rows) of highest n-closeness, that is of least sum, highest first, ties
 * to the lower row.
 */
SHOAL_NODISCARD shoal_status shoal_closest_rows(uint32_t *rows, uint64_t n, const uint64_t *sums,
                                                const shoal_classes *classes, shoal_error *err);

#endif
