/* SPDX-License-Identifier: Apache-2.0 */
/* unique_columns.h - published columns whose values nearly single rows out or name persons. */
#ifndef SHOAL_UNIQUE_COLUMNS_H
#define SHOAL_UNIQUE_COLUMNS_H

#include "table/table_internal.h"

/*
 * Which of the columns that a release passes on (sensitive, class, other) have a unique value in
 * one row of ten or more, or values or a name that identify persons? *out is freed with
 * shoal_free(). Columns that are not encoded are read if the table is CSV: up to a million rows, of
 * a streamed table those of its first window. SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_unique_columns_find(shoal_unique_column **out, size_t *n_out,
                                                       const shoal_table *table, uint32_t threads,
                                                       shoal_error *err);

#endif
