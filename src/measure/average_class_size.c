/* SPDX-License-Identifier: Apache-2.0 */
/* average_class_size.c - C_AVG: how many times larger than k the average group is.
 *
 * rows / (groups * k); 1 is the best that k allows. Rows left out of the release do not count.
 * LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006. Cost: O(1).
 */
#include "measure/measures.h"

double shoal_measure_cavg(const shoal_measure_view *view, uint32_t k)
{
    double least = (double)view->n_groups * k;
    return least > 0 ? (double)(view->n_rows - view->n_left_out) / least : 0;
}

static double value(const shoal_measure_view *view)
{
    return shoal_measure_cavg(view, view->k);
}

const shoal_measure_row shoal_measure_row_cavg = {
    .info = {
        .name = "cavg",
        .help = "average group size divided by k",
        .label = "cavg",
        .decimals = 4,
        .unit = "k",
        .in_frontier = true,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 70,
              .names = "cavg|c_avg",
              .title = "average group size divided by k",
              .text = "How much larger groups are than they need to be.",
              .formula = "C_AVG = n / (groups * k)",
              .reading = "At least 1; depends only on group sizes.",
              .source = "LeFevre et al. 2006" },
            { 0 },
        },
    },
    .field = offsetof(shoal_measures, cavg),
    .value = value,
};
