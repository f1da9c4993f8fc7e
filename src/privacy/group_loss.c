/* SPDX-License-Identifier: Apache-2.0 */
/* group_loss.c - utility as a condition: the mean loss of a group over its quasi-identifiers is at
 * most U.
 *
 * The achieved number is the mean Q-diversity of the published quasi-identifiers; that of the worst
 * group is the measure wgu. The model has no column and needs the original, which gives the width
 * of published values. A union of groups loses at least as much as each of them, so merging cannot
 * repair it. Suppressed rows (`*` only) lose 1 by design and are counted separately: their loss is
 * passed as unknown (NaN), which counts as satisfied. Loukides, PhD thesis 2008, definition 5.2.2
 * and Algorithm 6. O(1) per group.
 */
#include "privacy/model.h"

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    (void)model;
    return group->loss;
}

/* The excess loss in rows: how many rows would have to lose 0 instead of 1. */
static double lack(const shoal_model *model, const shoal_group_view *group)
{
    double asked = model->values[0];
    if (isnan(group->loss)) return 0;
    return shoal_lack_of(shoal_at_most(group->loss, asked),
                         (group->loss - asked) * (double)group->n_rows);
}

const shoal_model_kind shoal_model_group_loss = {
    .name = "group-loss",
    .variant = "",
    .values = "U",
    .summary = "the mean loss over the quasi-identifiers of every group is at most U",
    .help = "maximum mean loss (0..1) over the quasi-identifiers of a group (wgu <= U); suppressed "
            "rows are counted separately",
    .letter = "U",
    .n_values = 1,
    .least = 0,
    .most = 1,
    .has_no_column = true,
    .needs_original = true,
    .grows_by_merging = true,
    .achieved = achieved,
    .lack = lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 170,
              .names = "group-loss",
              .title = "a limit on the information loss of each group",
              .text = "A condition on utility: the mean loss over the quasi-identifiers of every "
                      "group is at most U. It is checked against the original. Suppressed rows, "
                      "with a loss of 1, are counted separately.",
              .formula = "1/|Q| sum_a loss_a(g) <= U for all g; the greatest is wgu",
              .reading = "In [0,1]. Together with range-diversity, the guarantee of upc.",
              .source = "Loukides: doctoral thesis, chapter 5" },
            { 0 },
        },
};
