/* SPDX-License-Identifier: Apache-2.0 */
/* sensitive_variance.c - the least variance of a group's sensitive numbers.
 *
 * The worst group of the worst sensitive column of numbers; missing values are left out. Large
 * values protect against learning a narrow range, not against learning a frequent value: {0, 40,
 * 40} has a variance of 355.6 and says 40 with probability 2/3.
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
        .help = "variance of the sensitive numbers of the group where it is least",
        .decimals = 4,
        .unit = "square of the column's",
        .more_is_better = true,
        .needs = SHOAL_MEASURE_NEEDS_SENSITIVE_NUMBERS,
        .terms = (const shoal_term[]){
            { .kind = SHOAL_TERM_MEASURE, .place = 245,
              .names = "variance",
              .title = "the least variance of a group's sensitive numbers",
              .text = "How far the sensitive numbers of a group lie from their mean, in the group "
                      "where that is least. It speaks of ranges, not of frequent values: {0, 40, "
                      "40} has 355.6 and still says 40 with probability 2/3.",
              .formula = "min over groups of sum (x - mean)^2 / |g|",
              .reading = "In squares of the column's unit; higher is better.",
              .source = "LeFevre, DeWitt, Ramakrishnan: Workload-aware anonymization, KDD 2006; "
                        "Loukides: doctoral thesis, section 2.1.2" },
            { 0 },
        },
    },
    .value = value,
};
