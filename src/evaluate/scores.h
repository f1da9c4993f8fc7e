/* SPDX-License-Identifier: Apache-2.0 */
/* scores.h - quality of predictions, and the division of rows into folds. */
#ifndef SHOAL_SCORES_H
#define SHOAL_SCORES_H

#include "base/base.h"

#include <shoal/classify.h>

/*
 * Scores of the predictions probabilities[row][label] for n rows with these labels. The prediction
 * is the label of greatest probability, the first of equal ones. O(n log n) per label.
 * SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_scores_make(shoal_scores *out, const double *probabilities,
                                               const uint32_t *labels, size_t n, uint32_t n_labels,
                                               shoal_error *err);

/*
 * Assign n rows to folds 0..folds-1 so that each fold has its share of every label: the rows of a
 * label, shuffled by the seed, go to the folds in turn; the next label continues with the next
 * fold. SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_deal_folds(uint32_t *fold_of_row, const uint32_t *labels,
                                              size_t n, uint32_t n_labels, uint32_t folds,
                                              uint64_t seed, shoal_error *err);

#endif
