/* SPDX-License-Identifier: Apache-2.0 */
/* sensitive_variance.c - the least variance of a group's sensitive numbers.
 *
 * The worst group of the worst sensitive column of numbers; missing values are left out. Large
 * values protect against learning a narrow range, not against learning a frequent value: {0, 40,
 * 40} has a variance of 355.6 and discloses 40 with probability 2/3.
 *
 * LeFevre, DeWitt, Ramakrishnan: Workload-aware anonymization, KDD 2006; Loukides, PhD thesis 2008,
 * section 2.1.2. Cost: O(1); measure_protection.c finds it.
 */
#include "measure/measures.h"

static double value(const shoal_measure_view *view)
{
    return view->protection->least_variance;
}

const shoal_measure_row shoal_measure_row_variance = {
    .info = {
        .name = "variance",
        .help = "lowest variance of the sensitive values of a group",
        .decimals = 4,
        .unit = "square of the column's unit",
        .more_is_better = true,
        .needs = SHOAL_MEASURE_NEEDS_SENSITIVE_NUMBERS,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 245,
              .names = "variance",
              .title = "lowest variance of the sensitive values of a group",
              .text = "The variance of the numeric sensitive values, in the group where it is "
                      "lowest. It measures spread, not frequency: {0, 40, 40} has a variance of "
                      "355.6, but discloses 40 with probability 2/3.",
              .formula = "min over groups of sum (x - mean)^2 / |g|",
              .reading = "In squared units of the column; higher is better.",
              .source = "LeFevre, DeWitt, Ramakrishnan: Workload-aware anonymization, KDD 2006; "
                        "Loukides: doctoral thesis, section 2.1.2" },
            { 0 },
        },
    },
    .value = value,
};
