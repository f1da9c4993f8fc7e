/* SPDX-License-Identifier: Apache-2.0 */
/* scores.h - how good predictions are, and how rows are divided for testing. */
#ifndef SHOAL_SCORES_H
#define SHOAL_SCORES_H

#include "base/base.h"

#include <shoal/classify.h>

/*
 * Scores of predictions: probabilities[row][label] for n rows with these labels. The label with the greatest probability is
 * predicted, of equal ones the first. O(n log n) a label. SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_scores_make(shoal_scores *out, const double *probabilities, const uint32_t *labels, size_t n,
                                              uint32_t n_labels, shoal_error *err);

/*
 * Deal n rows to folds 0..folds-1 so that each has its share of every label: the rows of a label, in an order drawn from
 * the seed, go to the folds in turn, each label going on where the one before ended. SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_deal_folds(uint32_t *fold_of_row, const uint32_t *labels, size_t n, uint32_t n_labels,
                                             uint32_t folds, uint64_t seed, shoal_error *err);

#endif
