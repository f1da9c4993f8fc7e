/* SPDX-License-Identifier: Apache-2.0 */
/* mpm.c - max-range protection measure: the mean over groups of their mean S-diversity over
 * sensitive columns.
 *
 * A group counts once, however many rows it has; suppressed rows that are published as `*` are one
 * group. Loukides, PhD thesis 2008, Definition 3.1.4. O(groups * columns).
 */
#include "measure/measures.h"

double shoal_measure_mpm_of_column(const shoal_protection_view *view, uint32_t column)
{
    double sum = 0;
    for (uint32_t g = 0; g < view->n_groups; g++)
        sum += view->s_diversity[(size_t)g * view->n_columns + column];
    return view->n_groups > 0 ? sum / view->n_groups : 0;
}

double shoal_measure_mpm(const shoal_protection_view *view)
{
    double sum = 0;
    for (uint32_t c = 0; c < view->n_columns; c++) sum += shoal_measure_mpm_of_column(view, c);
    return view->n_columns > 0 ? sum / view->n_columns : 0;
}

static double value(const shoal_measure_view *view)
{
    return shoal_measure_mpm(view->protection);
}

const shoal_measure_row shoal_measure_row_mpm = {
    .info = {
        .name = "mpm",
        .help = "mean s-diversity of a group: 0 values span the domain, 1 all equal",
        .label = "mpm",
        .decimals = 6,
        .unit = "share",
        .needs = SHOAL_MEASURE_NEEDS_SENSITIVE,
        .in_frontier = true,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 180,
              .names = "mpm|mean-protection-measure",
              .title = "mean s-diversity over groups and sensitive columns",
              .text = "The protection measure that accompanies um in its source.",
              .formula = "MPM = 1/h sum_g mean sd(g)",
              .reading = "In [0,1], lower is better.",
              .source = "Loukides: doctoral thesis, definition 3.1.4" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, mpm),
    .value = value,
};
