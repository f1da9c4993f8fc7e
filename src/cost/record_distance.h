/* SPDX-License-Identifier: Apache-2.0 */
/* record_distance.h - how far two rows are apart when numbers are measured and categories climb (Pramanik et al.).
 *
 *     Dist(t, t') = sum over attributes a of WID(a) * dist_a(v, v')
 *
 *     numbers      |v - v'| / (max - min)
 *     categories   WHD: what climbing from a leaf to the lowest node above both counts (distortion.h; uniform or
 *                  koc-height weights); a column without a hierarchy has the levels {value, *}
 *     WID          1, or 1 - L^m / (sum over attributes of L^m), L = steps from the leaves to the root, m attributes:
 *                  the more steps an attribute has, the less one of its steps matters
 *
 * **To a generalised record** the distance is that of the cell's cover: a number is as far from an interval as the
 * interval with the number is wide, a category as far from a node as the climb to the lowest node above both. So
 * the distance of a row to the record of its own group is what each row of the group loses, and the row nearest to a
 * growing group is the one that makes it lose least: a shoal_metric, with which the search kernel answers.
 *
 * Where leaves are not equally deep, a node counts the path of its deepest leaf, and never less than a node below it.
 *
 * Pramanik, Lau, Zhang: K-anonymity Through the Enhanced Clustering Method, 2016, definitions 6 to 9.
 */
#ifndef SHOAL_RECORD_DISTANCE_H
#define SHOAL_RECORD_DISTANCE_H

#include "search/metric.h"
#include "cost/distortion.h"

/*
 * Definition 9 from the steps of each attribute. One attribute alone weighs 1, where the formula says 0: with nothing
 * to weigh it against, all rows would be equally far apart.
 */
void shoal_wid(double *out, const uint32_t *n_steps, uint32_t n_attrs);
/* The same for ladders: the steps of each from its deepest leaf. False when out of memory. */
SHOAL_NODISCARD bool shoal_wid_of_ladders(double *out, const shoal_ladders *ladders);

/* The distance as a metric; clear with shoal_metric_clear(). `exponent` is gamma. O(nodes + codes). */
SHOAL_NODISCARD shoal_status shoal_record_metric_make(shoal_metric *out, const shoal_space *space,
                                                      shoal_weighting weighting, double exponent, bool uses_wid,
                                                      shoal_error *err);

#endif
