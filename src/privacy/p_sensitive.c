/* SPDX-License-Identifier: Apache-2.0 */
/* p_sensitive.c - p-sensitive k-anonymity: every group has at least p distinct values of each sensitive column (definition 3.1).
 *
 * With one sensitive column it equals distinct l-diversity; k is a separate requirement.
 * Truta, Vinay: Privacy Protection: p-Sensitive k-Anonymity Property, ICDE Workshops 2006. O(1) per group.
 */
#include "privacy/model.h"

const shoal_model_kind shoal_model_p_sensitive = {
    .name = "p-sensitive",
    .variant = "",
    .values = "P",
    .summary = "every group has at least P distinct values of each sensitive column",
    .n_values = 1,
    .least = 1,
    .most = 4294967295.0,
    .is_whole = true,
    .more_is_better = true,
    .is_monotone = true,
    .achieved = shoal_distinct_achieved,
    .lack = shoal_distinct_lack,
};
