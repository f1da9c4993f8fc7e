/* SPDX-License-Identifier: Apache-2.0 */
/* alpha.c - (alpha,k)-anonymity: no sensitive value has more than the share alpha of a group's rows
 * (definition 3.1).
 *
 *     max over values s of q_s  <=  alpha,      q_s: share of the group's rows with value s
 *
 * This is the general form, which protects every value; k is a separate requirement. The union of
 * two groups that satisfy it satisfies it, too. Wong, Li, Fu, Wang: (alpha,k)-anonymity, KDD 2006.
 * O(values present) per group.
 */
#include "privacy/model.h"

static uint32_t most_frequent(const shoal_tally *tally)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < tally->n_present; i++)
        if (tally->counts[tally->present[i]] > most) most = tally->counts[tally->present[i]];
    return most;
}

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    const shoal_tally *tally = shoal_model_tally(model, group);
    return tally->n_rows > 0 ? most_frequent(tally) / (double)tally->n_rows : 0;
}

static double lack(const shoal_model *model, const shoal_group_view *group)
{
    const shoal_tally *tally = shoal_model_tally(model, group);
    bool holds = shoal_at_most(achieved(model, group), model->values[0]);
    return shoal_lack_of(holds, most_frequent(tally) - model->values[0] * (double)tally->n_rows);
}

const shoal_model_kind shoal_model_alpha = {
    .name = "alpha",
    .variant = "",
    .values = "ALPHA",
    .summary = "no sensitive value has more than the share ALPHA of the rows of a group",
    .help = "maximum share of a sensitive value in a group; repeatable",
    .strength = &(const shoal_model_strength){ "alpha", "1",
                                               "share of the most frequent value of a group" },
    .n_values = 1,
    .least = 0,
    .most = 1,
    .is_monotone = true,
    .achieved = achieved,
    .lack = lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 110,
              .names = "alpha-k-anonymity|(alpha,k)|alpha-k",
              .title =
                  "at least k rows, and no sensitive value with more than a share alpha of a group",
              .text = "Limits the probability of a value in a group.",
              .formula = "|g| >= k and max_s p_s <= alpha",
              .reading = "alpha near 1/k is strict; 1 has no effect.",
              .source = "Wong, Li, Fu, Wang: (alpha,k)-anonymity, KDD 2006" },
            { 0 },
        },
};
