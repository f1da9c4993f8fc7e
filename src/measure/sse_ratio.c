/* SPDX-License-Identifier: Apache-2.0 */
/* sse_ratio.c - SSE/SST: how far microaggregated numbers are from the originals, against the mean
 * of the column.
 *
 * The squared distances are summed where the spread behind published cells is
 * (published/uncovered_spread.c). Domingo-Ferrer, Mateo-Sanz: Practical Data-Oriented
 * Microaggregation, TKDE 2002. Cost: O(1).
 */
#include "measure/measures.h"

static double value(const shoal_measure_view *view)
{
    return view->sse_ratio;
}

const shoal_measure_row shoal_measure_row_sse_ratio = {
    .info = {
        .name = "sse_ratio",
        .help = "squared error of numeric columns, relative to publishing the mean",
        .label = "sse ratio",
        .decimals = 6,
        .after = "distortion_ratio",
        .unit = "ratio",
        .needs = SHOAL_MEASURE_NEEDS_MICROAGGREGATION,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 100,
              .names = "sse_ratio|sse|sst",
              .title = "squared error of microaggregated numeric columns",
              .text = "Squared distances between original and published values, divided by those "
                      "to the mean of the column; averaged over numeric quasi-identifiers.",
              .formula = "SSE / SST",
              .reading = "0 unchanged, 1 every value at the mean.",
              .source = "Domingo-Ferrer, Mateo-Sanz 2002" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, sse_ratio),
    .value = value,
};
