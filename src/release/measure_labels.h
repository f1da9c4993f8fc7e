/* SPDX-License-Identifier: Apache-2.0 */
/* measure_labels.h - the most frequent class label of each group: what the classification metric counts. */
#ifndef SHOAL_MEASURE_LABELS_H
#define SHOAL_MEASURE_LABELS_H

#include "classes/classes.h"

/*
 * Rows of each of `n_groups` groups that have its most frequent label; free with shoal_free(). `group_of_row` has
 * n_rows entries below n_groups. O(n_rows).
 */
SHOAL_NODISCARD shoal_status shoal_count_majorities(uint64_t **out, uint32_t *group_of_row, uint32_t n_groups,
                                                   const shoal_column *labels, uint64_t n_rows, shoal_error *err);

/* CM of the table as it is: each tuple of its quasi-identifiers is a group. */
SHOAL_NODISCARD shoal_status shoal_cm_of_table(double *out, const shoal_table *table, const shoal_space *space,
                                              const shoal_column *labels, shoal_error *err);

#endif
