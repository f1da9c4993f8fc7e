/* SPDX-License-Identifier: Apache-2.0 */
/* class_risk.h - success probabilities of attackers, from the sizes of classes. */
#ifndef SHOAL_CLASS_RISK_H
#define SHOAL_CLASS_RISK_H

#include "base/base.h"

#include <shoal/risk.h>

/* Number of classes of one size. */
typedef struct shoal_size_count {
    uint64_t size, n_classes;
} shoal_size_count;

/* The distinct sizes, ascending; free with shoal_free(). O(n log n). */
SHOAL_NODISCARD shoal_status shoal_size_counts(shoal_size_count **out, size_t *n_out,
                                               const uint64_t *sizes, size_t n, shoal_error *err);

/* `n` classes of n_records[i] records, each re-identified with probability risk[i]. */
void shoal_attack_measure(shoal_attack *out, const uint64_t *n_records, const double *risk,
                          size_t n, const double *thresholds, size_t n_thresholds);

/* Count classes in the bins 1, 2, 3-4, 5-10, 11-19, 20-49, 50-99, 100-999, 1000 and more. */
void shoal_risk_fill_bins(shoal_risk_bin *bins, const uint64_t *n_records, const uint64_t *sizes,
                          size_t n);

#endif
