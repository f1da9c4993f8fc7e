/* SPDX-License-Identifier: Apache-2.0 */
/* tuples.h - numbers the distinct tuples of some code columns. */
#ifndef SHOAL_TABLE_TUPLES_H
#define SHOAL_TABLE_TUPLES_H

#include "table/table_internal.h"

/* The distinct tuples of some rows, numbered by first appearance. */
typedef struct shoal_numbering {
    uint32_t n;      /* distinct tuples */
    uint32_t *ids;   /* of each row */
    uint64_t *begin; /* n + 1: how many rows have tuples of lower numbers */
    uint64_t *first; /* first row of each tuple; only with SHOAL_NUMBER_FIRST, else NULL */
    uint32_t *rows;  /* rows by tuple, then ascending; only with SHOAL_NUMBER_ROWS, else NULL */
} shoal_numbering;

typedef enum shoal_numbering_extent {
    SHOAL_NUMBER_ONLY,
    SHOAL_NUMBER_FIRST,
    SHOAL_NUMBER_ROWS
} shoal_numbering_extent;

/*
 * Number the distinct tuples of `n_columns` code columns. Used to form classes and to count
 * published tuples. Codes must be below n_values of their column, unless that is 0 (not known); a
 * code that needs more bits is SHOAL_EINTERNAL. SHOAL_NUMBER_ROWS needs fewer than 2^32 rows. End
 * with shoal_numbering_clear().
 */
SHOAL_NODISCARD shoal_status shoal_numbering_make(shoal_numbering *out,
                                                  const shoal_column *const *columns,
                                                  size_t n_columns, uint64_t n_rows,
                                                  shoal_numbering_extent extent, uint32_t threads,
                                                  shoal_error *err);
void shoal_numbering_clear(shoal_numbering *numbering);

/* The numbers alone: `*ids` receives one per row, to be freed with shoal_free(). */
SHOAL_NODISCARD shoal_status shoal_number_tuples(uint32_t **ids, uint32_t *n_distinct,
                                                 const shoal_column *const *columns,
                                                 size_t n_columns, uint64_t n_rows,
                                                 uint32_t threads, shoal_error *err);

#endif
