/* SPDX-License-Identifier: Apache-2.0 */
/* weighted_distortion.c - distortion under the given weights of levels and priorities.
 *
 *     sum over rows, sum over attributes of P_a WHD_a(level of the value, level published)
 *
 * The ratio divides by that of a table of `*` alone. If a method has weights or priorities in its
 * parameters, these count, else those of the columns.
 *
 * Sun, Wang, Li 2008, definitions 5 and 6; Li et al. 2006, definitions 5 to 7 (weights). Cost:
 * O(attributes); the levels were counted when the view was made.
 */
#include "measure/measures.h"

static double value(const shoal_measure_view *view)
{
    double sum = 0;
    for (uint32_t a = 0; a < view->n_attrs; a++)
        sum += view->priorities[a] * view->weighted_distortions[a];
    return sum;
}

static double ratio(const shoal_measure_view *view)
{
    double whole = 0;
    for (uint32_t a = 0; a < view->n_attrs; a++) whole += view->priorities[a] * view->root_costs[a];
    whole *= (double)view->n_rows;
    return whole > 0 ? value(view) / whole : 0;
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_MEASURE,
      .place = 142,
      .names = "weighted_distortion|weighted_distortion_ratio|weighted-distortion|weights",
      .title = "distortion weighted by levels and by the priorities of columns",
      .text = "Like distortion, but each step up the hierarchy has a weight (--weights), and each "
              "quasi-identifier a priority (--priority). The ratio divides by that of a fully "
              "suppressed table.",
      .formula = "Distortion(t,t') = sum P_a WHD_a(level, level'); WHD(p,q) = sum of the weights "
                 "of the steps / sum of all weights",
      .reading = "Equal to distortion with uniform weights and equal priorities.",
      .source = "Sun et al. 2008, definitions 5 and 6; Li et al. 2006, definition 5" },
    { 0 },
};

const shoal_measure_row shoal_measure_row_weighted_distortion = {
    .info = {
        .name = "weighted_distortion",
        .help = "generalised levels weighted by level and priority, summed over cells",
        .label = "weighted distort.",
        .decimals = 4,
        .unit = "cells",
        .after = "distortion_ratio",
        .needs = SHOAL_MEASURE_NEEDS_WEIGHTS,
        .terms = terms,
    },
    .value = value,
};

const shoal_measure_row shoal_measure_row_weighted_distortion_ratio = {
    .info = {
        .name = "weighted_distortion_ratio",
        .help = "relative to a fully suppressed table",
        .decimals = 6,
        .unit = "share",
        .needs = SHOAL_MEASURE_NEEDS_WEIGHTS,
        .terms = terms,
    },
    .value = ratio,
};
