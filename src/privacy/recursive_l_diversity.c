/* SPDX-License-Identifier: Apache-2.0 */
/* recursive_l_diversity.c - the most frequent value is less than c times as frequent as the rarer
 * ones together (definition 3.1).
 *
 *     r_1 < c (r_l + r_{l+1} + ... + r_m),      r_1 >= r_2 >= ... >= r_m: how often each value
 * occurs in the group
 *
 * The achieved number is r_1 / (r_l + ... + r_m), the greatest c that is not sufficient; infinite
 * if the group has fewer than l values. The inequality is strict; counts are integers, so only c
 * itself can be rounded (rule: model.h). The sum of the l - 1 greatest counts of a union is at most
 * the sum over its parts, so the union of two groups that satisfy it satisfies it, too.
 * Machanavajjhala et al.: l-Diversity, TKDD 2007, definition 4.2. O(p log p) per group of p values,
 * O(p l) for small l.
 */
#include "privacy/model.h"

/* up to this many greatest counts are kept in a sorted list; more are found by binary search */
enum { FEW = 16 };

/* Sum of the n <= FEW greatest counts, by insertion into a sorted list of the greatest so far. */
static uint64_t sum_greatest(const shoal_tally *tally, uint32_t n)
{
    uint64_t greatest[FEW], sum = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        uint64_t count = tally->counts[tally->present[i]];
        if (kept == n && (n == 0 || count <= greatest[n - 1])) continue;
        uint32_t at = kept < n ? kept++ : n - 1;
        for (; at > 0 && greatest[at - 1] < count; at--) greatest[at] = greatest[at - 1];
        greatest[at] = count;
    }
    for (uint32_t i = 0; i < kept; i++) sum += greatest[i];
    return sum;
}

/* The same for more: find the n-th greatest count by binary search, sum all counts above it and
 * fill up with equal ones. */
static uint64_t sum_many_greatest(const shoal_tally *tally, uint32_t n)
{
    uint64_t low = 1, high = tally->n_rows; /* the n-th greatest count is in low..high */
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        uint32_t n_reaching = 0;
        for (uint32_t i = 0; i < tally->n_present; i++)
            n_reaching += tally->counts[tally->present[i]] >= middle;
        if (n_reaching >= n)
            low = middle;
        else
            high = middle - 1;
    }
    uint64_t sum = 0;
    uint32_t n_above = 0;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        uint64_t count = tally->counts[tally->present[i]];
        if (count <= low) continue;
        sum += count;
        n_above++;
    }
    return sum + (uint64_t)(n - n_above) * low;
}

/* r_1, and r_l + ... + r_m. */
static void find_head_and_tail(const shoal_model *model, const shoal_tally *tally, double *head,
                               double *tail)
{
    double l = model->values[1];
    *head = (double)sum_greatest(tally, 1);
    *tail = 0;
    if (l > tally->n_present) return;
    uint32_t n = (uint32_t)l - 1;
    *tail = (double)(tally->n_rows -
                     (n <= FEW ? sum_greatest(tally, n) : sum_many_greatest(tally, n)));
}

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    double head, tail;
    find_head_and_tail(model, shoal_model_tally(model, group), &head, &tail);
    return tail > 0 ? head / tail : INFINITY;
}

/* Rows that the tail lacks, plus values that the group lacks for having a tail at all. */
static double lack(const shoal_model *model, const shoal_group_view *group)
{
    const shoal_tally *tally = shoal_model_tally(model, group);
    double head, tail, c = model->values[0];
    find_head_and_tail(model, tally, &head, &tail);
    double missing = model->values[1] - tally->n_present, short_by = head / c - tail;
    return shoal_lack_of(shoal_below(head, c * tail),
                         (missing > 0 ? missing : 0) + (short_by > 0 ? short_by : 0));
}

const shoal_model_kind shoal_model_recursive_l_diversity = {
    .name = "l-diversity",
    .variant = "recursive",
    .values = "C,L",
    .summary = "in every group the most frequent sensitive value occurs less than C times as often "
               "as the L-th and all rarer values together",
    .n_values = 2,
    .counts_values = true,
    .least = 1e-9,
    .most = 1e9,
    .least2 = 1,
    .most2 = 4294967295.0,
    .is_whole = true,
    .is_monotone = true,
    .achieved = achieved,
    .lack = lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 70,
              .names = "recursive-l-diversity|recursive|c-l-diversity",
              .title = "the most frequent value is not too frequent (c,l)",
              .text = "The most frequent sensitive value must occur less than c times as often as "
                      "the l-th and all rarer ones "
                      "together.",
              .formula = "r_1 < c (r_l + r_{l+1} + ... + r_n)",
              .reading = "Small c and large l are strict. Frequencies 2,1,1 satisfy (2,2).",
              .source = "Machanavajjhala et al. 2006" },
            { 0 },
        },
};
