/* SPDX-License-Identifier: Apache-2.0 */
/* tuples.h - number the distinct tuples of some code columns. */
#ifndef SHOAL_TABLE_TUPLES_H
#define SHOAL_TABLE_TUPLES_H

#include "table/table_internal.h"

/*
 * Number the distinct tuples of `n_columns` code columns by first appearance: the hashing behind classes, also
 * used to count published tuples. `*ids` receives one number a row; free with shoal_free().
 */
SHOAL_NODISCARD shoal_status shoal_number_tuples(uint32_t **ids, uint32_t *n_distinct, const shoal_column *const *columns,
                                                size_t n_columns, uint64_t n_rows, uint32_t threads, shoal_error *err);

#endif
