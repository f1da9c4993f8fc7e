/* SPDX-License-Identifier: Apache-2.0 */
/* scores.c - accuracy, balanced accuracy, area under the ROC curve; stratified folds. See scores.h.
 *
 * The area is the probability that a row with the label gets a greater probability for it than a
 * row without, ties counting half (Mann and Whitney). It is computed from the ranks of the
 * probabilities; ties get their mean rank.
 */
#include "evaluate/scores.h"

#include <stdlib.h>

typedef struct scored {
    double probability;
    bool has_label;
} scored;

static int by_probability(const void *x, const void *y)
{
    const scored *a = x, *b = y;
    return (a->probability > b->probability) - (a->probability < b->probability);
}

/* Area for one label against the rest; 0.5 if one side is empty. */
static double area_of(scored *list, const double *probabilities, const uint32_t *labels, size_t n,
                      uint32_t n_labels, uint32_t label)
{
    double ranks = 0, n_with = 0;
    for (size_t i = 0; i < n; i++)
        list[i] = (scored){ probabilities[i * n_labels + label], labels[i] == label };
    qsort(list, n, sizeof *list, by_probability);
    for (size_t begin = 0, end; begin < n; begin = end) {
        double here = 0;
        for (end = begin; end < n && list[end].probability == list[begin].probability; end++)
            here += list[end].has_label;
        ranks += here * ((double)(begin + end) + 1) / 2; /* ranks begin+1 .. end share their mean */
        n_with += here;
    }
    double n_without = (double)n - n_with;
    return n_with > 0 && n_without > 0 ? (ranks - n_with * (n_with + 1) / 2) / (n_with * n_without)
                                       : 0.5;
}

/* Count the correctly predicted and all rows of each label. */
static void count_found(double *found, double *all, const double *probabilities,
                        const uint32_t *labels, size_t n, uint32_t n_labels)
{
    for (size_t i = 0; i < n; i++) {
        const double *p = probabilities + i * n_labels;
        uint32_t best = 0;
        for (uint32_t c = 1; c < n_labels; c++)
            if (p[c] > p[best]) best = c;
        all[labels[i]]++;
        found[labels[i]] += best == labels[i];
    }
}

shoal_status shoal_scores_make(shoal_scores *out, const double *probabilities,
                               const uint32_t *labels, size_t n, uint32_t n_labels,
                               shoal_error *err)
{
    shoal_scores s = { 0 };
    scored *list = shoal_alloc(n, sizeof *list);
    double *found = shoal_alloc_zero((size_t)n_labels * 2, sizeof *found), *all = found + n_labels;
    if (list == NULL || found == NULL) {
        shoal_free(list);
        shoal_free(found);
        return shoal_fail_memory(err);
    }
    uint32_t n_occurring = 0;
    count_found(found, all, probabilities, labels, n, n_labels);
    for (uint32_t c = 0; c < n_labels; c++) {
        if (all[c] == 0) continue;
        n_occurring++;
        s.accuracy += found[c] / (double)n;
        s.balanced_accuracy += found[c] / all[c];
        s.auc += area_of(list, probabilities, labels, n, n_labels, c) * all[c] / (double)n;
    }
    if (n_occurring > 0) s.balanced_accuracy /= n_occurring;
    shoal_free(list);
    shoal_free(found);
    *out = s;
    return SHOAL_OK;
}

shoal_status shoal_deal_folds(uint32_t *fold_of_row, const uint32_t *labels, size_t n,
                              uint32_t n_labels, uint32_t folds, uint64_t seed, shoal_error *err)
{
    uint32_t *rows = shoal_alloc(n, sizeof *rows), next = 0;
    if (rows == NULL) return shoal_fail_memory(err);
    for (uint32_t c = 0; c < n_labels; c++) {
        shoal_rng rng;
        size_t n_here = 0;
        shoal_rng_init(&rng, seed, c);
        for (size_t i = 0; i < n; i++) {
            if (labels[i] != c) continue;
            /* inside-out Fisher-Yates shuffle */
            size_t at = (size_t)shoal_rng_below(&rng, ++n_here);
            rows[n_here - 1] = rows[at];
            rows[at] = (uint32_t)i;
        }
        for (size_t i = 0; i < n_here; i++) {
            fold_of_row[rows[i]] = next;
            next = (next + 1) % folds;
        }
    }
    shoal_free(rows);
    return SHOAL_OK;
}
