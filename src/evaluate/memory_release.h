/* SPDX-License-Identifier: Apache-2.0 */
/* memory_release.h - a checked release that is kept in memory and read back, and selected rows of a
 * table as a table. */
#ifndef SHOAL_MEMORY_RELEASE_H
#define SHOAL_MEMORY_RELEASE_H

#include "published/released.h"

#include <shoal/pipeline.h>

/* A release that went through the pipeline and stays in memory. */
typedef struct shoal_memory_release {
    shoal_memory_sink *sink;
    shoal_outcome *outcome;
} shoal_memory_release;

/*
 * Make a release of a table, in its order, suppressed rows as `*`. SHOAL_EINVAL where it is no
 * table of rows: two tables (anatomy), a mapping of counted tuples. End with
 * shoal_memory_release_clear(), also after a failure.
 */
SHOAL_NODISCARD shoal_status shoal_memory_release_make(shoal_memory_release *out,
                                                       const shoal_table *table,
                                                       const shoal_spec *spec,
                                                       const shoal_callbacks *callbacks,
                                                       bool with_measures, shoal_error *err);
/*
 * Load the release: the quasi-identifiers, and other columns c of `table`, which it was made of,
 * with wanted[c] (may be NULL), as categories. The release must outlive the table that is opened.
 */
SHOAL_NODISCARD shoal_status shoal_memory_release_open(shoal_table **out,
                                                       const shoal_memory_release *release,
                                                       const shoal_table *table, const bool *wanted,
                                                       uint32_t threads, shoal_error *err);
void shoal_memory_release_clear(shoal_memory_release *release);

/* Rows `rows` (ascending) of a table that came from Arrow, opened but not loaded (arrow_rows.c).
 * SHOAL_EINVAL for nested columns. */
SHOAL_NODISCARD shoal_status shoal_arrow_open_rows(shoal_table **out, const shoal_table *table,
                                                   const uint32_t *rows, size_t n_rows,
                                                   shoal_error *err);

/*
 * Rows `rows` (ascending) of a table, as a loaded table with the same roles, types, hierarchies and
 * missing values. `text` must outlive the table, and is cleared by the caller in any case.
 * SHOAL_EINVAL for tables of counted tuples and nested Arrow columns.
 */
SHOAL_NODISCARD shoal_status shoal_table_take_rows(shoal_table **out, shoal_buffer *text,
                                                   const shoal_table *table, const uint32_t *rows,
                                                   size_t n_rows, uint32_t threads,
                                                   shoal_error *err);

#endif
