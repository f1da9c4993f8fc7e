/* SPDX-License-Identifier: Apache-2.0 */
/* csv_rows.h - the positions of the fields of rows that are read one after the other.
 *
 * The separators of a stretch of rows are listed at once (csv_index.h); requesting a row outside of
 * the stretch lists the one that begins with it. Rows that cannot be listed (odd quotes, other
 * numbers of fields, blank lines, longer than a stretch, the last of the table) must be scanned.
 */
#ifndef SHOAL_CSV_ROWS_H
#define SHOAL_CSV_ROWS_H

#include "table/csv_index.h"
#include "table/table_internal.h"

typedef struct shoal_csv_rows {
    const shoal_table *table; /* with offsets of its rows; borrowed */
    size_t n_columns;         /* fields that a row must have */
    uint64_t first, end;      /* rows of the stretch */
    bool is_listed;           /* else they must be scanned */
    shoal_csv_index index;
} shoal_csv_rows;

/* NULL when memory is short; to be freed with shoal_free(). */
shoal_csv_rows *shoal_csv_rows_new(const shoal_table *table, size_t n_columns);

/* For shoal_csv_rows_marks() only. */
void shoal_csv_rows_move(shoal_csv_rows *rows, uint64_t row);

/*
 * Positions in shoal_csv_rows_text(), until another row is requested: field c of the row begins
 * after [c], which the cast (uint16_t)([c] + 1) gives, and ends before [c + 1], the last one with a
 * carriage return, if there is one. NULL: the row must be scanned.
 */
static inline const uint16_t *shoal_csv_rows_marks(shoal_csv_rows *rows, uint64_t row)
{
    if (row < rows->first || row >= rows->end) shoal_csv_rows_move(rows, row);
    return rows->is_listed ? rows->index.marks + rows->index.feeds[row - rows->first] : NULL;
}

static inline const char *shoal_csv_rows_text(const shoal_csv_rows *rows)
{
    return shoal_table_record(rows->table, rows->first);
}

#endif
