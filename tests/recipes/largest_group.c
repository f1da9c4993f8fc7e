/* SPDX-License-Identifier: Apache-2.0 */
/* largest_group.c - example of a measure for the recipes test: the share of the rows that are in
 * the largest group. O(groups). */
#include "measure/measures.h"

static double value(const shoal_measure_view *view)
{
    uint64_t most = 0;
    for (uint32_t g = 0; g < view->n_groups; g++)
        if (view->sizes[g] > most) most = view->sizes[g];
    return view->n_rows > 0 ? (double)most / (double)view->n_rows : 0;
}

const shoal_measure_row shoal_measure_row_largest_group = {
    .info = {
        .name = "largest_group",
        .help = "share of the rows in the largest group",
        .label = "largest group",
        .decimals = 6,
        .unit = "share",
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE,
              .names = "largest_group",
              .title = "an example",
              .text = "A measure that the recipes test adds.",
              .source = "docs/architecture.md" },
            { 0 },
        },
    },
    .value = value,
};
