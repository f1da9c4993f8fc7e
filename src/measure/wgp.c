/* SPDX-License-Identifier: Apache-2.0 */
/* wgp.c - worst-group protection: the greatest range diversity of any group in any sensitive
 * column.
 *
 * Loukides, PhD thesis 2008, Definition 5.1.5. O(groups * columns).
 */
#include "measure/measures.h"

double shoal_measure_wgp_of_column(const shoal_protection_view *view, uint32_t column)
{
    double worst = 0;
    for (uint32_t g = 0; g < view->n_groups; g++) {
        double rd = view->range_diversity[(size_t)g * view->n_columns + column];
        if (rd > worst) worst = rd;
    }
    return worst;
}

double shoal_measure_wgp(const shoal_protection_view *view)
{
    double worst = 0;
    for (uint32_t c = 0; c < view->n_columns; c++) {
        double rd = shoal_measure_wgp_of_column(view, c);
        if (rd > worst) worst = rd;
    }
    return worst;
}

static double value(const shoal_measure_view *view)
{
    return shoal_measure_wgp(view->protection);
}

const shoal_measure_row shoal_measure_row_wgp = {
    .info = {
        .name = "wgp",
        .help = "range diversity of the worst group",
        .label = "wgp",
        .decimals = 6,
        .unit = "share",
        .needs = SHOAL_MEASURE_NEEDS_SENSITIVE,
        .in_frontier = true,
        .terms = shoal_range_diversity_terms,
    },
    .field = offsetof(shoal_measures, wgp),
    .value = value,
};
