/* SPDX-License-Identifier: Apache-2.0 */
/* t_closeness_equal.c - t-closeness with equal distances between all values.
 *
 *     EMD(q, p) = 1/2 sum over values s of |q_s - p_s|  <=  t
 *
 * The earth mover's distance with ground distance 1 between any two values: the share of rows that
 * would have to change. It equals the sum of the positive differences alone, so values that the
 * group lacks need not be visited. The distance is convex, so the union of two groups that satisfy
 * it satisfies it, too, and the whole table always does. Li, Li, Venkatasubramanian: t-Closeness,
 * ICDE 2007. O(values present) per group.
 */
#include "privacy/model.h"

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    const shoal_tally *tally = shoal_model_tally(model, group);
    /* in units of 1 / (rows of the group * rows of the table): integers, so the order does not
     * matter */
    uint64_t gained = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        uint32_t code = tally->present[i];
        uint64_t here = tally->counts[code] * model->n_rows,
                 there = model->totals[code] * tally->n_rows;
        gained += here > there ? here - there : 0;
    }
    return tally->n_rows > 0 ? (double)gained / ((double)tally->n_rows * (double)model->n_rows) : 0;
}

static double lack(const shoal_model *model, const shoal_group_view *group)
{
    double distance = achieved(model, group), t = model->values[0];
    return shoal_lack_of(shoal_at_most(distance, t), (distance - t) * (double)group->n_rows);
}

const shoal_model_kind shoal_model_t_closeness_equal = {
    .name = "t-closeness",
    .variant = "equal",
    .values = "T",
    .summary = "the earth mover's distance between the sensitive values of every group and the "
               "whole table is at most T, with all values equally far apart",
    .strength = &(const shoal_model_strength){ "t_equal", "equal:1",
                                               "with all values equally far apart" },
    .n_values = 1,
    .least = 0,
    .most = 1,
    .is_monotone = true,
    .uses_totals = true,
    .is_about_shares = true,
    .achieved = achieved,
    .lack = lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 80,
              .names = "t-closeness|t-closeness-equal|equal-t-closeness|equal|emd",
              .title =
                  "the sensitive values of a group are distributed as in the whole table, up to t",
              .text =
                  "Measured by the earth mover's distance, the amount of probability moved times "
                  "the distance. With equal distances it is half the sum of the differences.",
              .formula = "EMD(P_g, Q) <= t; equal: 1/2 sum_s |p_s - q_s|",
              .reading =
                  "0 is the distribution of the table; 0.1 to 0.3 are usual. Strict, and costly.",
              .source = "Li, Li, Venkatasubramanian: t-closeness, ICDE 2007" },
            { 0 },
        },
};
