/* SPDX-License-Identifier: Apache-2.0 */
/* discernibility.c - DM: each row costs the number of rows that it cannot be distinguished from.
 *
 * The sum of squared group sizes; a suppressed row could be any row and costs n.
 * Bayardo and Agrawal: Data Privacy through Optimal k-Anonymization, ICDE 2005. Cost: O(groups).
 */
#include "measure/measures.h"

double shoal_measure_dm(const shoal_measure_view *view)
{
    double sum = (double)shoal_view_n_suppressed(view) * (double)view->n_rows;
    for (uint32_t g = 0; g < view->n_groups; g++) {
        uint64_t n_suppressed = g == view->star_group ? view->n_starred : 0;
        sum += (double)(view->sizes[g] - n_suppressed) * (double)view->sizes[g];
    }
    return sum;
}

const shoal_measure_row shoal_measure_row_dm = {
    .info = {
        .name = "dm",
        .help = "discernibility",
        .label = "dm",
        .decimals = 0,
        .unit = "rows^2",
        .in_frontier = true,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 60,
              .names = "dm|discernibility",
              .title = "number of rows that each row is indistinguishable from",
              .text = "The sum of squared group sizes; a suppressed row counts n.",
              .formula = "DM = sum_{|g|>=k} |g|^2 + n * suppressed rows",
              .reading = "At least n k. Depends only on group sizes, not on the width of values.",
              .source = "Bayardo, Agrawal: Data privacy through optimal k-anonymization, ICDE "
                        "2005" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, dm),
    .value = shoal_measure_dm,
};
