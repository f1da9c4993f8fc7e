/* SPDX-License-Identifier: Apache-2.0 */
/* utility_measure.c - UM, the mean over groups of their mean loss, and WGU, that of the worst
 * group.
 *
 * Unlike gcp a group counts once, however many rows it has. Rows published as `*` in every
 * attribute are one group that loses 1; rows left out of the release are in no group and do not
 * count. Loukides, PhD thesis, definitions 3.1.2 (UM) and 5.2.2 (WGU). Cost: O(groups *
 * attributes).
 */
#include "measure/measures.h"

static double mean_loss(const shoal_measure_view *view, uint32_t group)
{
    double sum = 0;
    for (uint32_t a = 0; a < view->n_attrs; a++)
        sum += view->loss[(size_t)group * view->n_attrs + a];
    return view->n_attrs > 0 ? sum / view->n_attrs : 0;
}

double shoal_measure_um(const shoal_measure_view *view)
{
    double sum = 0;
    for (uint32_t g = 0; g < view->n_groups; g++) sum += mean_loss(view, g);
    return view->n_groups > 0 ? sum / view->n_groups : 0;
}

double shoal_measure_wgu(const shoal_measure_view *view)
{
    double worst = 0;
    for (uint32_t g = 0; g < view->n_groups; g++) {
        double loss = mean_loss(view, g);
        if (loss > worst) worst = loss;
    }
    return worst;
}

const shoal_measure_row shoal_measure_row_um = {
    .info = {
        .name = "um",
        .help = "mean loss of a group",
        .label = "um",
        .decimals = 6,
        .unit = "share",
        .in_frontier = true,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 40,
              .names = "um|utility-measure",
              .title = "mean loss of a group",
              .text = "Averages over groups, not rows, so many small groups can outweigh a few "
                      "large ones with high loss. Reported for comparison with papers; use gcp "
                      "to judge a release.",
              .formula = "UM = 1/h sum_g 1/m sum_a qd_a(g)",
              .reading = "In [0,1], lower is better.",
              .source = "Loukides: doctoral thesis, definition 3.1.2" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, um),
    .value = shoal_measure_um,
};

const shoal_measure_row shoal_measure_row_wgu = {
    .info = {
        .name = "wgu",
        .help = "loss of the worst group",
        .label = "wgu",
        .decimals = 6,
        .unit = "share",
        .in_frontier = true,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 50,
              .names = "wgu|worst-group-utility",
              .title = "loss of the worst group",
              .text = "The maximum over groups of the mean Q-diversity.",
              .formula = "WGU = max_g 1/m sum_a qd_a(g)",
              .reading = "In [0,1], lower is better: the loss of the rows that lost most.",
              .source = "Loukides: doctoral thesis, definition 5.2.2" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, wgu),
    .value = shoal_measure_wgu,
};
