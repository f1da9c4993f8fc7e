/* SPDX-License-Identifier: Apache-2.0 */
/* modification_rate.c - the share of quasi-identifier cells whose published text is not their
 * original.
 *
 * Li, Wong, Fu, Pei: Achieving k-Anonymity by Clustering in Attribute Hierarchical Structures,
 * DaWaK 2006. Cost: O(1); the changed cells were counted when the view was made.
 */
#include "measure/measures.h"

double shoal_measure_modification_rate(const shoal_measure_view *view)
{
    double cells = (double)view->n_rows * view->n_attrs;
    return cells > 0 ? (double)view->n_changed / cells : 0;
}

const shoal_measure_row shoal_measure_row_modification_rate = {
    .info = {
        .name = "modification_rate",
        .help = "share of cells changed",
        .label = "modification rate",
        .decimals = 6,
        .unit = "share",
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 150,
              .names = "modification_rate|modification-rate",
              .title = "share of quasi-identifier cells that changed",
              .text = "Counts whether a cell changed, not by how much.",
              .formula = "changed cells / (n m)",
              .reading = "In [0,1].",
              .source = "Li et al. 2006" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, modification_rate),
    .value = shoal_measure_modification_rate,
};
