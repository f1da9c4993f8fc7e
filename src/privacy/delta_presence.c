/* SPDX-License-Identifier: Apache-2.0 */
/* delta_presence.c - bounds the probability that a person of the population is in the table.
 *
 *     delta_min  <=  rows of the group / rows of the population that its published values fit  <=
 * delta_max
 *
 * The quotient is the probability that such a person of the population is in the table. The
 * achieved number is the greatest one; groups below delta_min fail, too. A group that fits no row
 * of the population has probability 1: that happens only if the population lacks its persons. The
 * union of two groups that satisfy it need not satisfy it: the rows of the population that fit may
 * grow faster or slower than the rows of the group. Nergiz, Atzori, Clifton: Hiding the Presence of
 * Individuals from Shared Databases, SIGMOD 2007. O(1) per group once the population is counted
 * (population.h).
 */
#include "privacy/model.h"

static shoal_status check_order(shoal_model *model, shoal_error *err)
{
    if (model->values[0] <= model->values[1]) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "delta-presence: the first number is above the second {fix} write MIN,MAX");
}

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    (void)model;
    if (isnan(group->population)) return NAN;
    double rows = (double)group->n_rows;
    return rows >= group->population ? 1 : rows / group->population;
}

/* Missing rows of the population, or, below delta_min, of the group. */
static double lack(const shoal_model *model, const shoal_group_view *group)
{
    if (isnan(group->population)) return 0;
    double chance = achieved(model, group), least = model->values[0], most = model->values[1],
           rows = (double)group->n_rows;
    bool holds = shoal_at_least(chance, least) && shoal_at_most(chance, most);
    double over = most > 0 ? rows / most - group->population : rows,
           under = least * group->population - rows;
    return shoal_lack_of(holds, fmax(fmax(over, under), 0));
}

const shoal_model_kind shoal_model_delta_presence = {
    .name = "delta-presence",
    .variant = "",
    .values = "MIN,MAX",
    .summary = "for every group, the probability that a matching person of the population is in "
               "the table is in MIN..MAX",
    .help = "probability that a person of the population who matches a group is in the table; "
            "requires --population",
    .n_values = 2,
    .least = 0,
    .most = 1,
    .least2 = 0,
    .most2 = 1,
    .has_no_column = true,
    .needs_population = true,
    .prepare = check_order,
    .achieved = achieved,
    .lack = lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 190,
              .names = "delta-presence",
              .title = "whether a person is in the table remains uncertain",
              .text = "For each person of the population, the probability of being in the table, "
                      "given the release, must lie between two limits. Needs a population table.",
              .formula = "delta_min <= f / F <= delta_max",
              .reading = "For tables where membership is itself sensitive, such as the register of "
                         "a disease.",
              .source =
                  "Nergiz, Atzori, Clifton: Hiding the presence of individuals, SIGMOD 2007" },
            { 0 },
        },
};
