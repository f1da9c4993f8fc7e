/* SPDX-License-Identifier: Apache-2.0 */
/* divergence.c - Kullback-Leibler divergence between a column and itself after suppression; see
 * information.h. */
#include "cost/information.h"

#include <math.h>

double shoal_divergence_of_kept(const uint32_t *before, const uint32_t *after, size_t n,
                                uint32_t *n_gone)
{
    double n_rows = 0, sum = 0;
    *n_gone = 0;
    for (size_t i = 0; i < n; i++) n_rows += before[i];
    for (size_t i = 0; i < n; i++) {
        if (before[i] == after[i]) continue;
        if (after[i] == 0)
            ++*n_gone;
        else
            sum += before[i] * log2((double)before[i] / after[i]);
    }
    return n_rows > 0 ? sum / n_rows : 0;
}

double shoal_divergence(const uint32_t *before, const uint32_t *after, size_t n)
{
    uint32_t n_gone;
    double sum = shoal_divergence_of_kept(before, after, n, &n_gone);
    return n_gone > 0 ? INFINITY : sum;
}

double shoal_normalised_divergence(const uint32_t *before, const uint32_t *after, size_t n)
{
    double entropy = shoal_entropy(before, n);
    return entropy > 0 ? shoal_divergence(before, after, n) / entropy : 0;
}
