/* SPDX-License-Identifier: Apache-2.0 */
/* two_thirds.c - example of a privacy model for the recipes test: no sensitive value has more than
 * 2/3 of a group, times a factor. */
#include "privacy/model.h"

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    const shoal_tally *tally = shoal_model_tally(model, group);
    uint32_t most = 0;
    for (uint32_t i = 0; i < tally->n_present; i++)
        if (tally->counts[tally->present[i]] > most) most = tally->counts[tally->present[i]];
    return tally->n_rows > 0 ? 1.5 * most / (double)tally->n_rows : 0;
}

static double lack(const shoal_model *model, const shoal_group_view *group)
{
    double value = achieved(model, group);
    return shoal_lack_of(shoal_at_most(value, model->values[0]), value - model->values[0]);
}

const shoal_model_kind shoal_model_two_thirds = {
    .name = "two-thirds",
    .variant = "",
    .values = "FACTOR",
    .summary = "no sensitive value has more than FACTOR times two thirds of a group",
    .help = "example of the recipes test",
    .n_values = 1,
    .least = 0,
    .most = 1.5,
    .is_monotone = true,
    .achieved = achieved,
    .lack = lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .names = "two-thirds",
              .title = "an example",
              .text = "A model that the recipes test adds.",
              .source = "docs/architecture.md" },
            { 0 },
        },
};
