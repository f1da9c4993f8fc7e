/* SPDX-License-Identifier: Apache-2.0 */
/* memory_release.h - a release that is written into memory and read back, and a part of a table as a table. */
#ifndef SHOAL_MEMORY_RELEASE_H
#define SHOAL_MEMORY_RELEASE_H

#include "published/released.h"

#include <shoal/release.h>

/*
 * Write the release of a grouping to `text` and open it: the quasi-identifiers, and other columns c of `table` with
 * wanted[c] (may be NULL), as categories. SHOAL_EINVAL for a release in two tables (anatomy). `text` must outlive the table, and is cleared by the caller in any case.
 */
SHOAL_NODISCARD shoal_status shoal_memory_release(shoal_table **out, shoal_buffer *text, const shoal_table *table,
                                                 const shoal_grouping *grouping, const bool *wanted, uint32_t threads,
                                                 shoal_error *err);

/* Rows `rows` (ascending) of a table that came from Arrow, opened but not loaded (arrow_rows.c). SHOAL_EINVAL for nested columns. */
SHOAL_NODISCARD shoal_status shoal_arrow_open_rows(shoal_table **out, const shoal_table *table, const uint32_t *rows, size_t n_rows,
                                                  shoal_error *err);

/*
 * Rows `rows` (ascending) of a table, as a loaded table with the same roles, types, hierarchies and
 * missing values. `text` as above. SHOAL_EINVAL for tables of counted tuples and nested Arrow columns.
 */
SHOAL_NODISCARD shoal_status shoal_table_take_rows(shoal_table **out, shoal_buffer *text, const shoal_table *table,
                                                  const uint32_t *rows, size_t n_rows, uint32_t threads, shoal_error *err);

#endif
