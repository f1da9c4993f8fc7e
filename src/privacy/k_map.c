/* SPDX-License-Identifier: Apache-2.0 */
/* k_map.c - the published values of every group fit at least k rows of a population table.
 *
 * The achieved number is the number of rows of the population that fit the published values. It
 * protects against an attacker who does not know which persons of the population are in the table.
 * A larger group fits at least as many rows, so the union of two groups that satisfy it satisfies
 * it, too. Sweeney: Computational Disclosure Control, 2001. O(1) per group once the population is
 * counted (population.h).
 */
#include "privacy/model.h"

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    (void)model;
    return group->population;
}

static double lack(const shoal_model *model, const shoal_group_view *group)
{
    if (isnan(group->population)) return 0;
    double missing = model->values[0] - group->population;
    return missing > 0 ? missing : 0;
}

const shoal_model_kind shoal_model_k_map = {
    .name = "k-map",
    .variant = "",
    .values = "K",
    .summary = "every group matches at least K rows of the population",
    .help = "every group matches at least K rows of the population; requires --population",
    .n_values = 1,
    .least = 1,
    .most = 4294967295.0,
    .is_whole = true,
    .more_is_better = true,
    .is_monotone = true,
    .has_no_column = true,
    .needs_population = true,
    .achieved = achieved,
    .lack = lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 40,
              .names = "k-map|k_map",
              .title = "every group matches at least k persons of the population",
              .text = "Like k-anonymity, but counted in the population from which the table is "
                      "drawn: a unique row is safe if many persons outside the table match it. "
                      "Needs a population table, or an estimate.",
              .formula =
                  "min over groups of F >= k, F = persons of the population that the tuple covers",
              .reading = "Appropriate if attackers cannot know who is in the table.",
              .source = "Sweeney 2002; El Emam, Dankar: Protecting privacy using k-anonymity, "
                        "JAMIA 2008" },
            { 0 },
        },
};
