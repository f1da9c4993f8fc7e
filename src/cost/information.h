/* SPDX-License-Identifier: Apache-2.0 */
/* information.h - mutual information of a quasi-identifier and the class column, and divergence by
 * suppression.
 *
 * All in bits, from counts of rows:
 *
 *     H(A)       entropy of the values                             entropy.c
 *     I(A;C)     mutual information with the class, H(C) - H(C|A);
 *     I_N        the same over H(A), 0 where H(A) = 0              mutual_information.c
 *     D(A'||A'') Kullback-Leibler divergence of the values before and after
 *                suppression, infinite when a value has disappeared;
 *     D_N        the same over H(A'), 0 where H(A') = 0            divergence.c
 *
 * If H(A) = 0 the column has one value: it has no information and loses none.
 *
 * Li, Liu, Baig, Wong: Information based data anonymization for classification utility, Data &
 * Knowledge Engineering 70(12), 2011, sections 3 and 4. The paper has H(C) = 0.97 in Example 1,
 * where its formula gives 0.9544.
 */
#ifndef SHOAL_INFORMATION_H
#define SHOAL_INFORMATION_H

#include "base/base.h"

/* Rows by value and class label. A cell is a pair that occurs; its number of rows may be 0. */
typedef struct shoal_joint {
    uint32_t n_values, n_labels, n_cells;
    uint32_t *value, *label; /* of each cell */
    uint32_t *cell_rows;
    uint32_t *value_rows; /* of each value */
    uint32_t *label_rows; /* of each label */
} shoal_joint;

/*
 * What is counted: `n` items of rows[i] rows each, with values below n_values and labels below
 * n_labels.
 */
typedef struct shoal_labelled_items {
    uint32_t *values, *labels; /* only read */
    const uint32_t *rows;
    uint32_t n, n_values, n_labels;
} shoal_labelled_items;

/*
 * Count items. `cells` (may be NULL) receives the cell of each; free it with shoal_free(). Free the
 * joint with shoal_joint_clear(). O(n + n_values + n_labels).
 */
SHOAL_NODISCARD shoal_status shoal_joint_make(shoal_joint *out, uint32_t **cells,
                                              const shoal_labelled_items *items, shoal_error *err);
void shoal_joint_clear(shoal_joint *joint);

/* H of a distribution given as counts; zeros are ignored; 0 without rows. O(n). */
double shoal_entropy(const uint32_t *counts, size_t n);
/* H(C|A). */
double shoal_conditional_entropy(const shoal_joint *joint);
/* I(A;C) and I_N. */
double shoal_mutual_information(const shoal_joint *joint);
double shoal_normalised_information(const shoal_joint *joint);
/*
 * D and D_N of `before` against `after`, rows of each of n values. Both are shares of the number of
 * rows before: rows that are missing in `after` have the value `*`, which no row had before.
 */
double shoal_divergence(const uint32_t *before, const uint32_t *after, size_t n);
/* The part of D from values that still occur; `*n_gone` receives the number of others. */
double shoal_divergence_of_kept(const uint32_t *before, const uint32_t *after, size_t n,
                                uint32_t *n_gone);
double shoal_normalised_divergence(const uint32_t *before, const uint32_t *after, size_t n);

#endif
