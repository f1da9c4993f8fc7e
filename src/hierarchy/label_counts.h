/* SPDX-License-Identifier: Apache-2.0 */
/* label_counts.h - how many rows a label of a level would have, before a builder makes it. */
#ifndef SHOAL_LABEL_COUNTS_H
#define SHOAL_LABEL_COUNTS_H

#include "hierarchy/build.h"

typedef struct shoal_label_counts {
    shoal_draft labels;
    uint64_t *rows; /* of each label */
    size_t room;
} shoal_label_counts;

#define SHOAL_LABEL_COUNTS_INIT                                                                    \
    {                                                                                              \
        .labels = SHOAL_DRAFT_INIT                                                                 \
    }

/* Add the rows of a value to a label. SHOAL_ENOMEM only. */
SHOAL_NODISCARD shoal_status shoal_label_counts_add(shoal_label_counts *counts, uint32_t level,
                                                    const char *label, size_t size, uint64_t rows,
                                                    shoal_error *err);
/* Rows of the label; 0 when it was never added. */
uint64_t shoal_label_counts_of(const shoal_label_counts *counts, uint32_t level, const char *label,
                               size_t size);
void shoal_label_counts_clear(shoal_label_counts *counts);
/* Rows with the value of a leaf. */
uint64_t shoal_builder_rows(const shoal_builder *builder, uint32_t leaf);

#endif
