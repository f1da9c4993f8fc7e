/* SPDX-License-Identifier: Apache-2.0 */
/* record_distance.h - the distance of two rows by Pramanik et al.: differences of numbers,
 * distortions of categories.
 *
 *     Dist(t, t') = sum over attributes a of WID(a) * dist_a(v, v')
 *
 *     numbers      |v - v'| / (max - min)
 *     categories   WHD of generalising a leaf to the lowest node above both (distortion.h; uniform
 *                  or koc-height weights); a column without hierarchy has the levels {value, *}
 *     WID          the attribute's priority (1), or 1 - L^m / (sum over attributes of L^m), L =
 *                  steps from the leaves to the root, m attributes: those with more steps weigh
 *                  less
 *
 * The distance to a **generalised record** is that of the cover: for a number the width of the
 * interval extended by it, for a category the distortion up to the lowest node above both. So the
 * distance of a row to the record of its own group is the loss of each row of the group, and the
 * row nearest to a growing group is the one with which it loses least. This makes it a
 * shoal_metric, usable by the search kernel.
 *
 * Departure from the paper: if leaves differ in depth, a node uses the path of its deepest leaf,
 * and never costs less than a node below it.
 *
 * Pramanik, Lau, Zhang: K-anonymity Through the Enhanced Clustering Method, 2016, definitions 6 to
 * 9.
 */
#ifndef SHOAL_RECORD_DISTANCE_H
#define SHOAL_RECORD_DISTANCE_H

#include "search/metric.h"
#include "cost/distortion.h"

/*
 * Definition 9 from the steps of each attribute. A single attribute gets weight 1, where the
 * formula gives 0: with weight 0 all rows would have distance 0.
 */
void shoal_wid(double *out, const uint32_t *n_steps, uint32_t n_attrs);
/* The same from ladders: the steps from the deepest leaf of each. False when out of memory. */
SHOAL_NODISCARD bool shoal_wid_of_ladders(double *out, const shoal_ladders *ladders);

/*
 * The distance as a metric; clear with shoal_metric_clear(). `exponent` is gamma. O(nodes + codes).
 */
SHOAL_NODISCARD shoal_status shoal_record_metric_make(shoal_metric *out, const shoal_space *space,
                                                      shoal_weighting weighting, double exponent,
                                                      bool uses_wid, shoal_error *err);
/* The same with the weights of the columns, or those given; its priorities are not used. */
SHOAL_NODISCARD shoal_status shoal_record_metric_make_weighted(shoal_metric *out,
                                                               const shoal_space *space,
                                                               const shoal_ascent_weights *weights,
                                                               bool uses_wid, shoal_error *err);

#endif
