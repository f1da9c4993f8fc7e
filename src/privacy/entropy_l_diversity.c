/* SPDX-License-Identifier: Apache-2.0 */
/* entropy_l_diversity.c - the entropy of the sensitive values of every group is at least that of l
 * equally frequent ones (definition 3.1).
 *
 *     H(g) = - sum over values s of q_s ln q_s  >=  ln l,      q_s: share of the group's rows with
 * value s
 *
 * The achieved number is exp(H), the effective number of values: 1 if all rows agree, m if m values
 * are equally frequent. l need not be an integer. Entropy is concave, so the union of two groups
 * that satisfy it satisfies it, too. Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam:
 * l-Diversity, TKDD 2007, definition 4.1. O(values present) per group.
 */
#include "privacy/model.h"

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    const shoal_tally *tally = shoal_model_tally(model, group);
    const uint32_t *codes = shoal_tally_sorted(tally);
    double entropy = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        double share = (double)tally->counts[codes[i]] / (double)tally->n_rows;
        entropy -= share * log(share);
    }
    return tally->n_present > 0 ? exp(entropy) : 0;
}

static double lack(const shoal_model *model, const shoal_group_view *group)
{
    double effective = achieved(model, group);
    return shoal_lack_of(shoal_at_least(effective, model->values[0]), model->values[0] - effective);
}

const shoal_model_kind shoal_model_entropy_l_diversity = {
    .name = "l-diversity",
    .variant = "entropy",
    .values = "L",
    .summary = "the entropy of every group's sensitive values is at least ln L",
    .strength = &(const shoal_model_strength){ "entropy_l", "entropy:1",
                                               "effective number of values in the worst group" },
    .n_values = 1,
    .counts_values = true,
    .least = 1,
    .most = 4294967295.0,
    .more_is_better = true,
    .is_monotone = true,
    .achieved = achieved,
    .lack = lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 60,
              .names = "entropy-l-diversity|entropy",
              .title = "the sensitive values of a group have at least the entropy of l equally "
                       "likely values",
              .text = "Stricter than distinct l-diversity: rare values do not compensate for one "
                      "frequent value.",
              .formula = "-sum_s p_s log p_s >= log l",
              .reading =
                  "l need not be a whole number. It cannot exceed the value of the whole table.",
              .source = "Machanavajjhala et al. 2006" },
            { 0 },
        },
};
