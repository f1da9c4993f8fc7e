/* SPDX-License-Identifier: Apache-2.0 */
/* distinct_l_diversity.c - every group has at least l distinct sensitive values (definition 3.1).
 *
 * Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam: l-Diversity, TKDD 2007. O(1) per group.
 */
#include "privacy/model.h"

double shoal_distinct_achieved(const shoal_model *model, const shoal_group_view *group)
{
    return shoal_model_tally(model, group)->n_present;
}

double shoal_distinct_lack(const shoal_model *model, const shoal_group_view *group)
{
    double missing = model->values[0] - shoal_model_tally(model, group)->n_present;
    return missing > 0 ? missing : 0;
}

const shoal_model_kind shoal_model_distinct_l_diversity = {
    .name = "l-diversity",
    .variant = "distinct",
    .values = "L",
    .summary = "every group has at least L distinct sensitive values",
    .n_values = 1,
    .least = 1,
    .most = 4294967295.0,
    .is_whole = true,
    .more_is_better = true,
    .is_monotone = true,
    .achieved = shoal_distinct_achieved,
    .lack = shoal_distinct_lack,
};
