/* SPDX-License-Identifier: Apache-2.0 */
/* fold_writer.h - training and test rows as CSV for other programs: fold, part, row, features,
 * label.
 *
 * A number is written as a number, a category as its published text, a missing feature as an empty
 * field.
 */
#ifndef SHOAL_FOLD_WRITER_H
#define SHOAL_FOLD_WRITER_H

#include "evaluate/classifier.h"
#include "table/table_internal.h"

#include <shoal/release.h>

/* Rows of one part of one fold. */
typedef struct shoal_fold_part {
    uint32_t fold;
    const char *name; /* "train", "test" */
    const shoal_feature *features;
    uint32_t n_features;
    const shoal_column *const *texts; /* column of each feature: categories are its codes */
    const uint32_t *rows;             /* in the features */
    const uint32_t *original_rows;    /* the same rows in the original */
    size_t n_rows;
    const shoal_column *label; /* of the original */
} shoal_fold_part;

/* The first line; features have the names of the columns of the original. */
SHOAL_NODISCARD shoal_status shoal_fold_write_header(const shoal_column *const *columns, uint32_t n,
                                                     const shoal_column *label,
                                                     shoal_write_fn write, void *payload,
                                                     shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_fold_write(const shoal_fold_part *part, shoal_write_fn write,
                                              void *payload, shoal_error *err);

#endif
