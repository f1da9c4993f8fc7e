/* SPDX-License-Identifier: Apache-2.0 */
/* entropy.c - H(A) = - sum over values of f log2 f; see information.h. */
#include "cost/information.h"

#include <math.h>

double shoal_entropy(const uint32_t *counts, size_t n)
{
    double n_rows = 0, sum = 0;
    for (size_t i = 0; i < n; i++) n_rows += counts[i];
    for (size_t i = 0; i < n; i++)
        if (counts[i] > 0) sum += counts[i] * log2(n_rows / counts[i]);
    return n_rows > 0 ? sum / n_rows : 0;
}
