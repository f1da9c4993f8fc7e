/* SPDX-License-Identifier: Apache-2.0 */
/* delta_disclosure.c - in every group each sensitive value has about the same share as in the whole
 * table.
 *
 *     | ln(q_s / p_s) |  <  delta      for every value s
 *
 * q_s and p_s are the shares of rows with value s in the group and in the whole table; natural
 * logarithm. By the definition s runs over all values of the table, so a group without one of them
 * fails for every delta (form `all`, the default). In the form `present` s runs over the values of
 * the group: weaker, and satisfied by smaller groups. The achieved number is the greatest |ln(q_s /
 * p_s)|. The share in a union is between those of its parts, so the union of two groups that
 * satisfy `all` satisfies it, too; this does not hold for `present`, where one part may lack the
 * value. Brickell, Shmatikov: The Cost of Privacy, KDD 2008, definition 5. O(values present) per
 * group, O(values) for `all` where some lack.
 */
#include "privacy/model.h"

/* Count the values that occur in the table: not all leaves of a hierarchy do. */
static shoal_status count_values(shoal_model *model, shoal_error *err)
{
    uint32_t *n_values = shoal_alloc_zero(1, sizeof *n_values);
    if (n_values == NULL) return shoal_fail_memory(err);
    for (uint32_t code = 0; code < model->attr->n_codes; code++)
        *n_values += model->totals[code] > 0;
    model->data = n_values;
    return SHOAL_OK;
}

static void clear(shoal_model *model)
{
    shoal_free(model->data);
    model->data = NULL;
}

static double overall(const shoal_model *model, uint32_t code)
{
    return (double)model->totals[code] / (double)model->n_rows;
}

static double achieved_present(const shoal_model *model, const shoal_group_view *group)
{
    const shoal_tally *tally = shoal_model_tally(model, group);
    double greatest = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        uint32_t code = tally->present[i];
        greatest = fmax(greatest, fabs(log(tally->counts[code] / (double)tally->n_rows /
                                           overall(model, code))));
    }
    return greatest;
}

static bool has_all_values(const shoal_model *model, const shoal_group_view *group)
{
    return shoal_model_tally(model, group)->n_present == *(const uint32_t *)model->data;
}

static double achieved_all(const shoal_model *model, const shoal_group_view *group)
{
    return has_all_values(model, group) ? achieved_present(model, group) : INFINITY;
}

/* Rows by which the count of a value is above or below the allowed interval. */
static double rows_off(const shoal_model *model, const shoal_tally *tally, uint32_t code)
{
    double fair = (double)tally->n_rows * overall(model, code), factor = exp(model->values[0]),
           count = tally->counts[code];
    return fmax(count - fair * factor, 0) + fmax(fair / factor - count, 0);
}

static double lack_present(const shoal_model *model, const shoal_group_view *group)
{
    const shoal_tally *tally = shoal_model_tally(model, group);
    const uint32_t *codes = shoal_tally_sorted(tally);
    if (shoal_below(achieved_present(model, group), model->values[0])) return 0;
    double rows = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) rows += rows_off(model, tally, codes[i]);
    return shoal_lack_of(false, rows);
}

/* A value that the group lacks counts as one row to add, however rare it is. */
static double lack_all(const shoal_model *model, const shoal_group_view *group)
{
    if (has_all_values(model, group)) return lack_present(model, group);
    double rows = *(const uint32_t *)model->data - shoal_model_tally(model, group)->n_present;
    return rows + lack_present(model, group);
}

static const shoal_term terms[] = {
    { .kind = SHOAL_TERM_MODEL,
      .place = 150,
      .names = "delta-disclosure|delta-disclosure-privacy",
      .title = "sensitive values are neither much more nor much less likely in a group",
      .text = "Every value of the table must occur in every group with about its overall share. "
              "Very strict.",
      .formula = "|log(p_s / q_s)| < delta for all s",
      .source = "Brickell, Shmatikov: The cost of privacy, KDD 2008" },
    { 0 },
};

const shoal_model_kind shoal_model_delta_disclosure = {
    .name = "delta-disclosure",
    .variant = "all",
    .values = "DELTA",
    .summary = "in every group the share of each sensitive value of the table is within a factor "
               "exp(DELTA) of its overall share",
    .help = "|ln| of a sensitive value's share in a group over its overall share: all:DELTA, or "
            "present:DELTA for the values that occur in a group; repeatable",
    .n_values = 1,
    .least = 1e-6,
    .most = 1e3,
    .is_monotone = true,
    .uses_totals = true,
    .is_about_shares = true,
    .prepare = count_values,
    .clear = clear,
    .achieved = achieved_all,
    .lack = lack_all,
    .terms = terms,
};

const shoal_model_kind shoal_model_delta_disclosure_present = {
    .name = "delta-disclosure",
    .variant = "present",
    .values = "DELTA",
    .summary = "like all, only for the values that occur in the group",
    .strength =
        &(const shoal_model_strength){
            "delta", "present:1000",
            "greatest |ln| ratio of a value's share to that in the whole table" },
    .n_values = 1,
    .least = 1e-6,
    .most = 1e3,
    .uses_totals = true,
    .is_about_shares = true,
    .achieved = achieved_present,
    .lack = lack_present,
    .terms = terms,
};
