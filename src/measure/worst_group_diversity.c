/* SPDX-License-Identifier: Apache-2.0 */
/* worst_group_diversity.c - the greatest group diversity of any group, range diversity being the
 * mean over columns.
 *
 * Loukides, PhD thesis 2008, Definition 5.2.4. O(groups * columns).
 */
#include "measure/measures.h"

static double value(const shoal_measure_view *view)
{
    const shoal_protection_view *p = view->protection;
    double worst = 0;
    for (uint32_t g = 0; g < p->n_groups; g++) {
        double rd = 0;
        for (uint32_t c = 0; c < p->n_columns; c++)
            rd += p->range_diversity[(size_t)g * p->n_columns + c];
        double gd = shoal_group_diversity(p->loss[g], rd / p->n_columns);
        if (gd > worst) worst = gd;
    }
    return worst;
}

const shoal_measure_row shoal_measure_row_gd = {
    .info = {
        .name = "gd",
        .help = "group diversity of the worst group",
        .label = "gd",
        .decimals = 6,
        .unit = "share",
        .needs = SHOAL_MEASURE_NEEDS_SENSITIVE,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 240,
              .names = "gd|group-diversity",
              .title = "mean of the loss and the range diversity of a group",
              .text = "The maximum over groups; upc minimises it while a cluster grows.",
              .formula = "gd(g) = mean qd(g) / 2 + rd(g) / 2",
              .reading = "In [0,1], lower is better.",
              .source = "Loukides: doctoral thesis, definition 5.2.4" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, gd),
    .value = value,
};
