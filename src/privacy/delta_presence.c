/* SPDX-License-Identifier: Apache-2.0 */
/* delta_presence.c - knowing that a person is in the population tells little about whether he is in the table.
 *
 *     delta_min  <=  rows of the group / rows of the population that its published values fit  <=  delta_max
 *
 * The quotient is the chance that such a person of the population is in the table. The number achieved is the greatest one; groups
 * below delta_min count as failing too. A group that fits no row of the population has the chance 1: it cannot be
 * there at all unless the population lacks its persons. Groups that satisfy it need not do so as one: published values may
 * grow faster or slower than rows.
 * Nergiz, Atzori, Clifton: Hiding the Presence of Individuals from Shared Databases, SIGMOD 2007. O(1) a group once the population is
 * counted (population.h).
 */
#include "privacy/model.h"

static shoal_status check_order(shoal_model *model, shoal_error *err)
{
    if (model->values[0] <= model->values[1]) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "delta-presence: the first number is above the second {fix} write MIN,MAX");
}

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    (void)model;
    if (isnan(group->population)) return NAN;
    double rows = (double)group->n_rows;
    return rows >= group->population ? 1 : rows / group->population;
}

/* Rows of the population that are missing, or, below delta_min, rows of the group. */
static double lack(const shoal_model *model, const shoal_group_view *group)
{
    if (isnan(group->population)) return 0;
    double chance = achieved(model, group), least = model->values[0], most = model->values[1], rows = (double)group->n_rows;
    bool holds = shoal_at_least(chance, least) && shoal_at_most(chance, most);
    double over = most > 0 ? rows / most - group->population : rows, under = least * group->population - rows;
    return shoal_lack_of(holds, fmax(fmax(over, under), 0));
}

const shoal_model_kind shoal_model_delta_presence = {
    .name = "delta-presence",
    .variant = "",
    .values = "MIN,MAX",
    .summary = "for every group the chance that a person of the population whom it fits is in the table lies in MIN..MAX",
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
};
