/* SPDX-License-Identifier: Apache-2.0 */
/* class_labels.h - which labels of a class column are distinguished: all, or the most frequent ones
 * and the rest together. */
#ifndef SHOAL_CLASS_LABELS_H
#define SHOAL_CLASS_LABELS_H

#include "table/table_internal.h"

typedef struct shoal_class_labels {
    uint32_t *number_of;   /* of each code but the missing value's: 0..n-1; owned */
    uint32_t n;            /* distinct labels, the rest counted as one */
    uint32_t n_other;      /* labels of the rest; 0: there is none */
    uint64_t n_other_rows; /* its rows */
} shoal_class_labels;

/*
 * Number the labels. `top` > 0: the `top` most frequent keep their order, all others are the last
 * label. 0: all, if they are at most SHOAL_MOST_LABELS, else SHOAL_EINVAL. End with
 * shoal_class_labels_clear().
 */
SHOAL_NODISCARD shoal_status shoal_class_labels_make(shoal_class_labels *out,
                                                     const shoal_column *column, uint32_t top,
                                                     shoal_error *err);
void shoal_class_labels_clear(shoal_class_labels *labels);

#endif
