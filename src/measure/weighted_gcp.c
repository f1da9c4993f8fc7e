/* SPDX-License-Identifier: Apache-2.0 */
/* weighted_gcp.c - gcp with the quasi-identifiers weighted by their priorities.
 *
 *     sum over groups of |g| sum over attributes of P_a qd_a(g) / (n sum of P_a)
 *
 * in [0,1]; a suppressed row counts 1. With equal priorities it is gcp, also where all are 0. It is
 * what the distance-based methods minimise if priorities are given. Priorities: Sun, Wang, Li 2008,
 * definition 4. Cost: O(groups * attributes).
 */
#include "measure/measures.h"

static double value(const shoal_measure_view *view)
{
    double sum = 0, whole = 0;
    for (uint32_t a = 0; a < view->n_attrs; a++) {
        sum += view->priorities[a] * shoal_measure_ncp_of_attr(view, a);
        whole += view->priorities[a];
    }
    if (!(whole > 0)) return shoal_measure_gcp(view);
    return view->n_rows > 0 ? sum / (whole * (double)view->n_rows) : 0;
}

const shoal_measure_row shoal_measure_row_weighted_gcp = {
    .info = {
        .name = "weighted_gcp",
        .help = "mean loss over rows, quasi-identifiers weighted by their priorities",
        .label = "weighted gcp",
        .decimals = 6,
        .unit = "share",
        .after = "gcp",
        .needs = SHOAL_MEASURE_NEEDS_WEIGHTS,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 12,
              .names = "weighted_gcp|weighted-gcp|priority",
              .title = "mean loss over rows, weighted by the priorities of the quasi-identifiers",
              .text = "Like gcp, with each quasi-identifier weighted by its priority "
                      "(--priority): 1 for the most important. Distance-based methods minimise "
                      "it if priorities are given.",
              .formula = "sum |g| sum P_a qd_a(g) / (n sum P_a)",
              .reading = "In [0,1]; equal to gcp if all priorities are equal.",
              .source = "priorities: Sun et al. 2008, definition 4" },
            { 0 },
        },
    },
    .value = value,
};
