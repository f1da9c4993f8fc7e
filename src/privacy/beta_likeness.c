/* SPDX-License-Identifier: Apache-2.0 */
/* beta_likeness.c - the share of a sensitive value in a group exceeds its share in the table by at
 * most a relative gain.
 *
 *     basic:     (q_s - p_s) / p_s  <=  beta                     for every value s with q_s > p_s
 *     enhanced:  (q_s - p_s) / p_s  <=  min(beta, -ln p_s)       likewise
 *
 * q_s and p_s are the shares of rows with value s in the group and in the whole table. Rare values
 * are protected as well as frequent ones, and only gains count. The enhanced form also prevents a
 * frequent value from filling a group (q_s < 1). The achieved number is the least sufficient beta:
 * the greatest gain; infinite where the second bound of the enhanced form is exceeded, since no
 * beta is sufficient then. The gain of a union is at most that of its parts, so the union of two
 * groups that satisfy it satisfies it, too.
 * Cao, Karras: Publishing Microdata with a Robust Privacy Guarantee, PVLDB 2012, definitions 2
 * and 3. O(values present) per group.
 */
#include "privacy/model.h"

static double gain(const shoal_model *model, const shoal_tally *tally, uint32_t code)
{
    double share = tally->counts[code] / (double)tally->n_rows,
           overall = (double)model->totals[code] / (double)model->n_rows;
    return (share - overall) / overall;
}

static double greatest_gain(const shoal_model *model, const shoal_group_view *group)
{
    const shoal_tally *tally = shoal_model_tally(model, group);
    double greatest = 0;
    for (uint32_t i = 0; i < tally->n_present; i++)
        greatest = fmax(greatest, gain(model, tally, tally->present[i]));
    return greatest;
}

/* The second bound of the enhanced form, -ln p_s. */
static double log_limit(const shoal_model *model, uint32_t code)
{
    return log((double)model->n_rows / (double)model->totals[code]);
}

static double enhanced_gain(const shoal_model *model, const shoal_group_view *group)
{
    const shoal_tally *tally = shoal_model_tally(model, group);
    for (uint32_t i = 0; i < tally->n_present; i++) {
        uint32_t code = tally->present[i];
        if (!shoal_at_most(gain(model, tally, code), log_limit(model, code))) return INFINITY;
    }
    return greatest_gain(model, group);
}

/* Rows above the allowed number, summed over all values. */
static double excess(const shoal_model *model, const shoal_group_view *group, bool is_enhanced)
{
    const shoal_tally *tally = shoal_model_tally(model, group);
    const uint32_t *codes = shoal_tally_sorted(tally);
    double rows = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        double limit = is_enhanced ? fmin(model->values[0], log_limit(model, codes[i]))
                                   : model->values[0];
        double allowed = (double)tally->n_rows * (double)model->totals[codes[i]] /
                         (double)model->n_rows * (1 + limit);
        if (!shoal_at_most(gain(model, tally, codes[i]), limit))
            rows += fmax(tally->counts[codes[i]] - allowed, 0);
    }
    return rows;
}

static double lack_basic(const shoal_model *model, const shoal_group_view *group)
{
    return shoal_lack_of(shoal_at_most(greatest_gain(model, group), model->values[0]),
                         excess(model, group, false));
}

static double lack_enhanced(const shoal_model *model, const shoal_group_view *group)
{
    return shoal_lack_of(shoal_at_most(enhanced_gain(model, group), model->values[0]),
                         excess(model, group, true));
}

const shoal_model_kind shoal_model_basic_beta_likeness = {
    .name = "beta-likeness",
    .variant = "basic",
    .values = "BETA",
    .summary =
        "the share of a sensitive value in a group exceeds its overall share by at most BETA times",
    .help =
        "relative gain of a sensitive value in a group: basic:BETA or enhanced:BETA; repeatable",
    .strength = &(const shoal_model_strength){ "beta", "basic:1e9",
                                               "greatest relative gain of a value in a group" },
    .n_values = 1,
    .least = 0,
    .most = 1e9,
    .is_monotone = true,
    .uses_totals = true,
    .is_about_shares = true,
    .achieved = greatest_gain,
    .lack = lack_basic,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 130,
              .names = "beta-likeness|basic-beta-likeness",
              .title = "no sensitive value is much more likely in a group than in the table",
              .text = "Limits the relative gain of an attacker, so that rare values are protected "
                      "as well as frequent ones.",
              .formula = "(p_s - q_s) / q_s <= beta for all s with p_s > q_s",
              .reading = "beta = 1: at most twice as likely.",
              .source =
                  "Cao, Karras: Publishing microdata with a robust privacy guarantee, VLDB 2012" },
            { 0 },
        },
};

const shoal_model_kind shoal_model_enhanced_beta_likeness = {
    .name = "beta-likeness",
    .variant = "enhanced",
    .values = "BETA",
    .summary = "like basic, and at most -ln of its overall share",
    .n_values = 1,
    .least = 0,
    .most = 1e9,
    .is_monotone = true,
    .uses_totals = true,
    .is_about_shares = true,
    .achieved = enhanced_gain,
    .lack = lack_enhanced,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 140,
              .names = "enhanced-beta-likeness|enhanced",
              .title = "beta-likeness that also limits frequent values",
              .text = "Replaces beta by the smaller of beta and the information content of the "
                      "value, so that no value can become certain.",
              .formula = "(p_s - q_s) / q_s <= min(beta, -ln q_s)",
              .source = "Cao, Karras 2012" },
            { 0 },
        },
};
