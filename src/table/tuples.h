/* SPDX-License-Identifier: Apache-2.0 */
/* tuples.h - number the distinct tuples of some code columns. */
#ifndef SHOAL_TABLE_TUPLES_H
#define SHOAL_TABLE_TUPLES_H

#include "table/table_internal.h"

/* What there is to say of rows and their distinct tuples, which are numbered by first appearance. */
typedef struct shoal_numbering {
    uint32_t n;      /* distinct tuples */
    uint32_t *ids;   /* of each row */
    uint64_t *begin; /* n + 1: how many rows have tuples of lower numbers */
    uint64_t *first; /* the first row of each tuple; NULL unless asked for */
    uint32_t *rows;  /* row numbers, tuple after tuple, ascending in each; NULL unless asked for */
} shoal_numbering;

typedef enum shoal_numbering_extent { SHOAL_NUMBER_ONLY, SHOAL_NUMBER_FIRST, SHOAL_NUMBER_ROWS } shoal_numbering_extent;

/*
 * Number the distinct tuples of `n_columns` code columns: the hashing behind classes, also used to count published tuples. Codes must be
 * below their column's n_values (one that needs more bits is found: SHOAL_EINTERNAL), unless that is 0: not known. Lists of rows are for fewer than 2^32 of them.
 */
SHOAL_NODISCARD shoal_status shoal_numbering_make(shoal_numbering *out, const shoal_column *const *columns, size_t n_columns,
                                                 uint64_t n_rows, shoal_numbering_extent extent, uint32_t threads, shoal_error *err);
void shoal_numbering_clear(shoal_numbering *numbering);

/* The numbers alone: `*ids` receives one a row; free with shoal_free(). */
SHOAL_NODISCARD shoal_status shoal_number_tuples(uint32_t **ids, uint32_t *n_distinct, const shoal_column *const *columns,
                                                size_t n_columns, uint64_t n_rows, uint32_t threads, shoal_error *err);

#endif
