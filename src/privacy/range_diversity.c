/* SPDX-License-Identifier: Apache-2.0 */
/* range_diversity.c - the mean confidence with which a group links its rows to their sensitive
 * ranges; as a model: at most P.
 *
 *     rd(G) = 1/|G| * sum over distinct values u of dc(u)
 *
 * In [0,1]: 1 if all rows have one value. The sensitive ranges are the policy of the column
 * (sensitive_range.h). With f the shares of the values, rd = sum f(u) f(x) pc(u,x) over x in SR(u).
 * If ranges are equal or disjoint, this form is convex, so a union is never worse than the worse of
 * its parts, and no grouping of all rows is better than the whole table as one group. Loukides, PhD
 * thesis 2008, Definition 5.1.4 and 5.1.5. O(values^2) per group at most; range_growth.h updates it
 * row by row.
 */
#include "privacy/model.h"
#include "privacy/protection.h"

#include <math.h>

double shoal_range_diversity(const shoal_sensitive_ranges *ranges, const shoal_tally *tally)
{
    double sum = 0;
    for (uint32_t i = 0; i < tally->n_present; i++)
        sum += shoal_disclosure_confidence(ranges, tally, tally->present[i]);
    return tally->n_rows > 0 ? sum / (double)tally->n_rows : 0;
}

/* ---- the model ---- */

static void clear(shoal_model *model)
{
    if (model->data == NULL) return;
    shoal_sensitive_ranges_clear(model->data);
    shoal_free(model->data);
    model->data = NULL;
}

static shoal_status prepare(shoal_model *model, shoal_error *err)
{
    shoal_sensitive_ranges *ranges = shoal_alloc_zero(1, sizeof *ranges);
    if (ranges == NULL) return shoal_fail_memory(err);
    shoal_status status = shoal_sensitive_ranges_make(ranges, model->attr, err);
    if (status != SHOAL_OK)
        shoal_free(ranges);
    else
        model->data = ranges;
    return status;
}

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    return shoal_range_diversity(model->data, shoal_model_tally(model, group));
}

/* n more rows with a value far from all others reduce rd to about rd (|G| / (|G| + n))^2; solved
 * for n. */
static double lack(const shoal_model *model, const shoal_group_view *group)
{
    double asked = model->values[0], rd = achieved(model, group);
    return shoal_lack_of(shoal_at_most(rd, asked), (double)group->n_rows * (sqrt(rd / asked) - 1));
}

const shoal_term shoal_range_diversity_terms[] = {
    { .kind = SHOAL_TERM_MODEL,
      .place = 160,
      .names = "range-diversity|rd|wgp",
      .title = "confidence in the sensitive ranges of a group; wgp is that of the worst group",
      .text = "Values within a range around a person's own value count as disclosure, near ones "
              "more than distant ones, because similar values can disclose as much as equal ones.",
      .formula = "rd(g) = 1/|g| sum_u dc(u), dc(u) = f(u) sum_{x in SR(u)} f(x) pc(u,x) / |g|; wgp "
                 "= max rd",
      .reading = "In [0,1], lower is better.",
      .source = "Loukides: doctoral thesis, chapter 5" },
    { 0 },
};

const shoal_model_kind shoal_model_range_diversity = {
    .name = "range-diversity",
    .variant = "",
    .values = "P",
    .summary = "no group links its rows to their sensitive ranges with a mean confidence above P",
    .help = "no group links its rows to their sensitive ranges (--sensitive-range) with a mean "
            "confidence above P",
    .letter = "P",
    .n_values = 1,
    .least = 1e-6, /* 0 cannot be reached: a value is always in its own range */
    .most = 1,
    .prepare = prepare,
    .clear = clear,
    .achieved = achieved,
    .lack = lack,
    .terms = shoal_range_diversity_terms,
};
