/* SPDX-License-Identifier: Apache-2.0 */
/** @file classify.h  Is a release still good to learn from? Classifiers trained on it and tried on rows they have not seen. */
#ifndef SHOAL_CLASSIFY_H
#define SHOAL_CLASSIFY_H

#include <shoal/release.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Naive Bayes, a decision tree and logistic regression. */
#define SHOAL_N_CLASSIFIERS 3

/** Options of shoal_classify(). Zero is the default of every field. */
typedef struct shoal_classify_options {
    size_t size;
    uint32_t folds; /**< of the stratified cross-validation; 0 means 10 */
    uint64_t seed;
    uint32_t threads;             /**< 0 means one; the result does not depend on it */
    bool numbers_as_categories;   /**< an interval is a category, not its midpoint */
    /** Anonymise the training part of each fold with these, instead of taking a release; NULL: take the release. */
    const shoal_anonymize_options *anonymize;
    /** Gets the training and test rows of every fold as CSV, for other classifiers; NULL: nobody does. See docs/evaluation.md. */
    shoal_write_fn write_folds;
    void *write_payload;
    shoal_progress_fn progress;
    void *progress_payload;
} shoal_classify_options;

#define SHOAL_CLASSIFY_OPTIONS_INIT { .size = sizeof(shoal_classify_options) }

/** How often a classifier is right. Over all folds together: each row is predicted once. */
typedef struct shoal_scores {
    double accuracy;
    double balanced_accuracy; /**< mean over labels of the share of its rows that were found */
    double auc;               /**< area under the ROC curve; several labels: each against the rest, weighted by its rows */
} shoal_scores;

typedef struct shoal_classify_result {
    uint64_t n_rows;       /**< with a label */
    uint64_t n_unlabelled; /**< left out */
    uint32_t n_labels;
    uint32_t folds;
    uint64_t n_by_tuple;   /**< test rows recoded by a published tuple that covers them; the others column by column */
    shoal_scores baseline; /**< always the most frequent label of the training part */
    const char *names[SHOAL_N_CLASSIFIERS]; /**< static */
    shoal_scores original[SHOAL_N_CLASSIFIERS];
    shoal_scores released[SHOAL_N_CLASSIFIERS];
} shoal_classify_result;

/**
 * Train on rows of the release, test on held-out rows of the original that are recoded as the training rows were; beside
 * it, train and test on the original. Features are the quasi-identifiers and sensitive columns of `original`, the label is its
 * first class column. `released` has all rows of the original in its order, with those columns loaded as categories; it is NULL
 * where options->anonymize is given, and the training part of each fold is anonymised on its own.
 * See docs/evaluation.md for how test rows are recoded.
 * @return SHOAL_EINVAL (options, no class column, rows or columns that do not match), SHOAL_EDATA (fewer than two labels, fewer
 *         rows than folds), what shoal_anonymize() returns, SHOAL_EIO (write_folds), SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_classify(shoal_classify_result *out, const shoal_table *original,
                                                     const shoal_table *released, const shoal_classify_options *options,
                                                     shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
