/* SPDX-License-Identifier: Apache-2.0 */
/* row_hints.h - warnings about the order and the identifiers of a table. */
#ifndef SHOAL_ROW_HINTS_H
#define SHOAL_ROW_HINTS_H

#include "table/table_internal.h"

/*
 * Read the first rows of a loaded table that came from CSV; of others nothing is found. A table
 * with an entity column has no repeated identifiers. `with_sensitive`: sensitive columns may be the
 * sort key, too. SHOAL_ENOMEM; SHOAL_EDATA when the text has changed.
 */
SHOAL_NODISCARD shoal_status shoal_row_hints_find(shoal_row_hints *out, const shoal_table *table,
                                                  bool with_sensitive, uint32_t threads,
                                                  shoal_error *err);

/* Neighbouring rows between which the values of a column rise, and fall. */
typedef struct shoal_order_counts {
    uint64_t n_rows, n_rises, n_falls;
    double expected; /* share of neighbours that fall in a random order */
} shoal_order_counts;

/* Are the rows sorted by the column, or nearly? See row_hints.c for the rule. */
bool shoal_order_is_told(const shoal_order_counts *counts);
/* The share of neighbours that fall where the rows of a loaded table are in a random order. */
double shoal_share_of_falls(const shoal_table *table, const shoal_column *column);

#endif
