/* SPDX-License-Identifier: Apache-2.0 */
/* class_risk.c - success probabilities of attackers, from the sizes of classes; see class_risk.h.
 *
 * A record in a class of f records is re-identified with probability 1/f by an attacker who knows
 * that the person is in the table (prosecutor), and with 1/F by one who knows only that the person
 * is one of F in the population (journalist). Records above a threshold are counted twice: by exact
 * comparison, and with the usual rounding (0.33, 0.09 and 0.05 mean classes of 3, 11 and 20,
 * although 1/3 and 1/11 are above 0.33 and 0.09).
 *
 * Reference: El Emam, Guide to the De-Identification of Personal Health Information (2013), part
 * III; the thresholds are its precedents. Cost: O(classes * thresholds), O(classes log classes) for
 * the distinct sizes.
 */
#include "risk/class_risk.h"

#include <math.h>
#include <stdlib.h>

static int by_size(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

shoal_status shoal_size_counts(shoal_size_count **out, size_t *n_out, const uint64_t *sizes,
                               size_t n, shoal_error *err)
{
    uint64_t *sorted = shoal_alloc(n, sizeof *sorted);
    shoal_size_count *counts = shoal_alloc(n, sizeof *counts);
    if (sorted == NULL || counts == NULL) {
        shoal_free(sorted);
        shoal_free(counts);
        return shoal_fail_memory(err);
    }
    size_t n_sizes = 0;
    for (size_t i = 0; i < n; i++) sorted[i] = sizes[i];
    qsort(sorted, n, sizeof *sorted, by_size);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1])
            counts[n_sizes++] = (shoal_size_count){ sorted[i], 0 };
        counts[n_sizes - 1].n_classes++;
    }
    shoal_free(sorted);
    *out = counts;
    *n_out = n_sizes;
    return SHOAL_OK;
}

void shoal_attack_measure(shoal_attack *out, const uint64_t *n_records, const double *risk,
                          size_t n, const double *thresholds, size_t n_thresholds)
{
    shoal_attack a = { 0 };
    double sum = 0, n_all = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (double)n_records[i] * risk[i];
        n_all += (double)n_records[i];
        if (risk[i] > a.highest) a.highest = risk[i];
        for (size_t t = 0; t < n_thresholds; t++) {
            if (risk[i] > thresholds[t]) a.n_above[t] += n_records[i];
            if (risk[i] > 1 / floor(1 / thresholds[t])) a.n_above_rounded[t] += n_records[i];
        }
    }
    a.mean = n_all > 0 ? sum / n_all : 0;
    *out = a;
}

void shoal_risk_fill_bins(shoal_risk_bin *bins, const uint64_t *n_records, const uint64_t *sizes,
                          size_t n)
{
    /* the last 1 makes the high end of the last bin 0: no end */
    static const uint64_t lows[SHOAL_RISK_BINS + 1] = { 1, 2, 3, 5, 11, 20, 50, 100, 1000, 1 };
    for (size_t b = 0; b < SHOAL_RISK_BINS; b++)
        bins[b] = (shoal_risk_bin){ .low = lows[b], .high = lows[b + 1] - 1 };
    for (size_t i = 0; i < n; i++) {
        size_t b = SHOAL_RISK_BINS - 1;
        while (b > 0 && sizes[i] < lows[b]) b--;
        bins[b].n_classes++;
        bins[b].n_records += n_records[i];
    }
}
