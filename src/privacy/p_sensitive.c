/* SPDX-License-Identifier: Apache-2.0 */
/* p_sensitive.c - p-sensitive k-anonymity: every group has at least p distinct values of each
 * sensitive column (definition 3.1).
 *
 * With one sensitive column it equals distinct l-diversity; k is a separate requirement.
 * Truta, Vinay: Privacy Protection: p-Sensitive k-Anonymity Property, ICDE Workshops 2006. O(1) per
 * group.
 */
#include "privacy/model.h"

const shoal_model_kind shoal_model_p_sensitive = {
    .name = "p-sensitive",
    .variant = "",
    .values = "P",
    .summary = "every group has at least P distinct values of each sensitive column",
    .help = "every group has at least P distinct values of each sensitive column; repeatable",
    .n_values = 1,
    .counts_values = true,
    .least = 1,
    .most = 4294967295.0,
    .is_whole = true,
    .more_is_better = true,
    .is_monotone = true,
    .achieved = shoal_distinct_achieved,
    .lack = shoal_distinct_lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 120,
              .names = "p-sensitive-k-anonymity|p-sensitive|p-sensitivity",
              .title = "at least k rows, and at least p distinct values of each sensitive column",
              .text = "Distinct l-diversity for every sensitive column, with k.",
              .formula = "|g| >= k and distinct values >= p",
              .source =
                  "Truta, Vinay: Privacy protection: p-sensitive k-anonymity property, 2006" },
            { 0 },
        },
};
