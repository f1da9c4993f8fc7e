/* SPDX-License-Identifier: Apache-2.0 */
/** @file classify.h  How well classifiers trained on a release predict held-out rows. */
#ifndef SHOAL_CLASSIFY_H
#define SHOAL_CLASSIFY_H

#include <shoal/release.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Naive Bayes, a decision tree and logistic regression. */
#define SHOAL_N_CLASSIFIERS 3

/** A table with more labels requires `top_classes`: time and memory grow with each label. */
#define SHOAL_MOST_LABELS 100

/** Options of shoal_classify(). Zero is the default of every field; nothing is kept. */
typedef struct shoal_classify_options {
    size_t size;                /**< sizeof(shoal_classify_options); set by the initialiser */
    uint32_t folds;             /**< of the stratified cross-validation; 0 means 10 */
    uint64_t seed;              /**< of the division into folds */
    uint32_t threads;           /**< 0 means one; the result does not depend on it */
    bool numbers_as_categories; /**< use an interval as a category, not as its midpoint */
    /**
     * Number of labels to distinguish, the most frequent ones; all others count as one label. 0:
     * all labels, at most SHOAL_MOST_LABELS.
     */
    uint32_t top_classes;
    /** Anonymise the training part of each fold with these options; NULL: use `released`. */
    const shoal_spec *anonymize;
    /**
     * Receives the training and test rows of every fold as CSV, for other classifiers; may be NULL.
     * See docs/evaluation.md.
     */
    shoal_write_fn write_folds;
    void *write_payload; /**< passed to `write_folds` */
    const shoal_callbacks *callbacks;
} shoal_classify_options;

#define SHOAL_CLASSIFY_OPTIONS_INIT                                                                \
    {                                                                                              \
        .size = sizeof(shoal_classify_options)                                                     \
    }

/** Quality of one classifier, in [0,1], over all folds together: each row is predicted once. */
typedef struct shoal_scores {
    double accuracy;          /**< share of the rows that are predicted correctly */
    double balanced_accuracy; /**< mean over labels of the label's accuracy */
    double auc; /**< area under the ROC curve; each label against the rest, weighted by its rows */
} shoal_scores;

/** Result of shoal_classify(). It owns nothing. */
typedef struct shoal_classify_result {
    uint64_t n_rows;         /**< rows with a label */
    uint64_t n_unlabelled;   /**< rows without one, which are left out */
    uint32_t n_labels;       /**< distinguished labels; all others count as one of them */
    uint32_t n_other_labels; /**< labels that count as one; 0: none */
    uint64_t n_other_rows;   /**< rows that have them */
    uint32_t folds;          /**< number of folds used */
    uint64_t n_by_tuple;     /**< test rows recoded by a tuple; the others column by column */
    shoal_scores baseline;   /**< always predict the most frequent label of the training part */
    const char *names[SHOAL_N_CLASSIFIERS];     /**< of the classifiers; static */
    shoal_scores original[SHOAL_N_CLASSIFIERS]; /**< trained on the original */
    shoal_scores released[SHOAL_N_CLASSIFIERS]; /**< trained on the release */
} shoal_classify_result;

/**
 * Train on rows of the release and test on held-out rows of the original, recoded like the training
 * rows; for comparison, train and test on the original. Features are the quasi-identifiers and
 * sensitive columns of `original`; the label is its first class column. See docs/evaluation.md for
 * how test rows are recoded.
 * @param out  the scores; nothing to free
 * @param original  loaded; needed during the call only
 * @param released  all rows of the original in the same order, with those columns loaded as
 *        categories; NULL if options->anonymize is given (then each fold's training part is
 *        anonymised)
 * @return SHOAL_OK, SHOAL_EINVAL (options, no class column, more than SHOAL_MOST_LABELS labels
 *         without `top_classes`, rows or columns that do not match),
 *         SHOAL_EDATA (fewer than two labels, fewer rows than folds), any error of
 *         shoal_anonymize(), SHOAL_EIO (`write_folds` failed), SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_classify(shoal_classify_result *out,
                                                      const shoal_table *original,
                                                      const shoal_table *released,
                                                      const shoal_classify_options *options,
                                                      shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
