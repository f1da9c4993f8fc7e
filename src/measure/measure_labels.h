/* SPDX-License-Identifier: Apache-2.0 */
/* measure_labels.h - the most frequent class label of each group: what the classification metric
 * counts. */
#ifndef SHOAL_MEASURE_LABELS_H
#define SHOAL_MEASURE_LABELS_H

#include "classes/classes.h"

/*
 * Rows of each of `n_groups` groups that have its most frequent label; free with shoal_free().
 * `group_of_entry` has lines->n entries below n_groups; `labels` has a code for each line.
 * O(entries).
 */
SHOAL_NODISCARD shoal_status shoal_count_majorities(uint64_t **out, uint32_t *group_of_entry,
                                                    uint32_t n_groups, const shoal_column *labels,
                                                    const shoal_lines *lines, shoal_error *err);

/* CM of the table as it is: each tuple of its quasi-identifiers is a group. */
SHOAL_NODISCARD shoal_status shoal_cm_of_table(double *out, const shoal_table *table,
                                               const shoal_space *space, const shoal_column *labels,
                                               shoal_error *err);

#endif
