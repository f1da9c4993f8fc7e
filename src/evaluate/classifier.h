/* SPDX-License-Identifier: Apache-2.0 */
/* classifier.h - rows with features and labels, and models that predict labels.
 *
 * A feature is a number or a category in each row, or missing. Training and test rows are two sets
 * of samples with the same features. A trained model is read-only and keeps no reference to the
 * samples. All models are deterministic.
 */
#ifndef SHOAL_CLASSIFIER_H
#define SHOAL_CLASSIFIER_H

#include "base/base.h"

#define SHOAL_NO_CATEGORY UINT32_MAX

typedef struct shoal_feature {
    bool is_number;
    uint32_t n_categories;
    const double *numbers;      /* of each row; NaN is missing */
    const uint32_t *categories; /* of each row; SHOAL_NO_CATEGORY is missing */
} shoal_feature;

typedef struct shoal_samples {
    uint32_t n_features, n_classes;
    const shoal_feature *features;
    const uint32_t *labels; /* of each row */
    /*
     * Returns true if training should end; called in every loop that may take long. train() then
     * returns SHOAL_ECANCELLED. NULL: never.
     */
    bool (*is_stopped)(void *payload);
    void *stop_payload;
} shoal_samples;

static inline bool shoal_samples_stopped(const shoal_samples *samples)
{
    return samples->is_stopped != NULL && samples->is_stopped(samples->stop_payload);
}

typedef struct shoal_classifier {
    const char *name; /* "naive-bayes" */
    SHOAL_NODISCARD shoal_status (*train)(void **model, const shoal_samples *samples,
                                          const uint32_t *rows, size_t n_rows, shoal_error *err);
    /*
     * Probability of each class for a row of `samples`, which may differ from the training samples.
     * False if memory is short.
     */
    bool (*predict)(const void *model, const shoal_samples *samples, uint32_t row,
                    double *probabilities);
    void (*free)(void *model);
} shoal_classifier;

extern const shoal_classifier shoal_naive_bayes, shoal_decision_tree, shoal_logistic_regression;

/* Upper confidence limit of the errors of a leaf with n cases and e errors (decision_tree.c). */
double shoal_pessimistic_errors(double n, double e);

#endif
