/* SPDX-License-Identifier: Apache-2.0 */
/* t_closeness_ordered.c - t-closeness with ordered values: the distance of two values is that of
 * their ranks.
 *
 *     EMD(q, p) = 1/(m-1) sum over i = 1..m-1 of | Q_i - P_i |  <=  t
 *
 * m distinct values of the table in order, Q_i and P_i the shares of rows up to the i-th in the
 * group and in the whole table; the ground distance of the i-th and the j-th value is |i - j| / (m
 * - 1). Numbers and dates are ordered by value, text by bytes, a missing value comes last; a
 * hierarchy does not matter here.
 *
 * Between two values of the group Q is constant and P increases, so each such interval is split
 * where P passes Q, and both parts are summed from prefix sums. O(p log m) per group of p values;
 * 24 bytes per value of the table. Li, Li, Venkatasubramanian: t-Closeness, ICDE 2007, section 5.2.
 */
#include "privacy/model.h"

#include <stdlib.h>

typedef struct line {
    uint32_t n_values; /* m */
    uint32_t *rank;    /* of each code that occurs in the table */
    uint32_t *code_at; /* the inverse */
    bool is_in_order;  /* codes and ranks have the same order */
    uint64_t *below;   /* rows of the table with one of the first i values, i = 0..m */
    double *sum_below; /* below[1] + ... + below[i], i = 0..m */
} line;

static void clear(shoal_model *model)
{
    line *l = model->data;
    if (l == NULL) return;
    shoal_free(l->rank);
    shoal_free(l->code_at);
    shoal_free(l->below);
    shoal_free(l->sum_below);
    shoal_free(l);
    model->data = NULL;
}

static void fill(line *l, const shoal_model *model)
{
    const shoal_attribute *attr = model->attr;
    uint32_t n = 0;
    l->is_in_order = !attr->is_tree;
    /* column codes are in order */
    for (uint32_t value = 0; value < attr->source->n_values; value++) {
        uint32_t code = attr->code_of_value[value];
        /* several values may share a code: count it once */
        if (attr->value_of_code[code] != value || model->totals[code] == 0) continue;
        l->rank[code] = n;
        l->code_at[n] = code;
        l->below[n + 1] = l->below[n] + model->totals[code];
        l->sum_below[n + 1] = l->sum_below[n] + (double)l->below[n + 1];
        n++;
    }
    l->n_values = n;
}

static shoal_status prepare(shoal_model *model, shoal_error *err)
{
    line *l = shoal_alloc_zero(1, sizeof *l);
    if (l == NULL) return shoal_fail_memory(err);
    size_t room = (size_t)model->attr->source->n_values + 1;
    model->data = l;
    l->rank = shoal_alloc_zero(model->attr->n_codes, sizeof *l->rank);
    l->code_at = shoal_alloc_zero(room, sizeof *l->code_at);
    l->below = shoal_alloc_zero(room, sizeof *l->below);
    l->sum_below = shoal_alloc_zero(room, sizeof *l->sum_below);
    if (l->rank == NULL || l->code_at == NULL || l->below == NULL || l->sum_below == NULL) {
        clear(model);
        return shoal_fail_memory(err);
    }
    fill(l, model);
    return SHOAL_OK;
}

/* Sum of |below[i] - level| over i = from..to-1, from >= 1; `below` is ascending, so a binary
 * search finds the sign change. */
static double sum_gaps(const line *l, uint32_t from, uint32_t to, double level)
{
    uint32_t low = from, high = to; /* the first i whose below[i] reaches the level */
    if (from >= to) return 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((double)l->below[middle] < level)
            low = middle + 1;
        else
            high = middle;
    }
    double under = level * (low - from) - (l->sum_below[low - 1] - l->sum_below[from - 1]);
    double over = l->sum_below[to - 1] - l->sum_below[low - 1] - level * (to - low);
    return under + over;
}

static int by_rank(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* The ranks of the values of the group, ascending, in the scratch array of the tally. */
static const uint32_t *sorted_ranks(const line *l, const shoal_tally *tally)
{
    const uint32_t *codes = shoal_tally_sorted(tally);
    for (uint32_t i = 0; i < tally->n_present; i++) tally->sorted[i] = l->rank[codes[i]];
    if (!l->is_in_order) qsort(tally->sorted, tally->n_present, sizeof *tally->sorted, by_rank);
    return tally->sorted;
}

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    const line *l = model->data;
    const shoal_tally *tally = shoal_model_tally(model, group);
    if (l->n_values < 2 || tally->n_rows == 0) return 0;
    const uint32_t *ranks = sorted_ranks(l, tally);
    /* rows of the table per row of the group */
    double scale = (double)model->n_rows / (double)tally->n_rows;
    double level = 0, sum = 0;
    uint32_t from = 1;
    uint64_t n_rows = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        sum += sum_gaps(l, from, ranks[i] + 1, level);
        n_rows += tally->counts[l->code_at[ranks[i]]];
        level = (double)n_rows * scale;
        from = ranks[i] + 1;
    }
    sum += sum_gaps(l, from, l->n_values, level);
    return sum / ((double)model->n_rows * (l->n_values - 1));
}

static double lack(const shoal_model *model, const shoal_group_view *group)
{
    double distance = achieved(model, group), t = model->values[0];
    return shoal_lack_of(shoal_at_most(distance, t), (distance - t) * (double)group->n_rows);
}

const shoal_model_kind shoal_model_t_closeness_ordered = {
    .name = "t-closeness",
    .variant = "ordered",
    .values = "T",
    .summary = "the earth mover's distance between the sensitive values of every group and the "
               "whole table is at most T, with distances by rank",
    .n_values = 1,
    .least = 0,
    .most = 1,
    .is_monotone = true,
    .prefers_numbers = true,
    .uses_totals = true,
    .is_about_shares = true,
    .prepare = prepare,
    .clear = clear,
    .achieved = achieved,
    .lack = lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 90,
              .names = "t-closeness-ordered|ordered-t-closeness|ordered",
              .title = "t-closeness for ordered values",
              .text = "The distance of two values is the difference of their ranks. For salaries, "
                      "ages and grades.",
              .formula = "EMD = 1/(m-1) sum_i |sum_{j<=i} (p_j - q_j)|",
              .source = "Li, Li, Venkatasubramanian 2007" },
            { 0 },
        },
};
