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
    .help = "sensitive values of every group: distinct:L, entropy:L or recursive:C,L; repeatable",
    .letter = "l",
    .strength = &(const shoal_model_strength){ "distinct_l", "distinct:1",
                                               "distinct values in the worst group" },
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
              .place = 50,
              .names = "distinct-l-diversity|l-diversity|distinct",
              .title = "every group has at least l distinct sensitive values",
              .text = "An attacker who knows the group of a person is left with l possible values. "
                      "They need not be equally likely, nor different in meaning.",
              .formula = "number of distinct values in g >= l",
              .reading = "l = 2 excludes groups in which all rows have the same value.",
              .source = "Machanavajjhala et al.: l-diversity, ICDE 2006" },
            { 0 },
        },
};
