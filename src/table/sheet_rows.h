/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_rows.h - rows of a spreadsheet that are no records: totals, empty rows, notes. */
#ifndef SHOAL_SHEET_ROWS_H
#define SHOAL_SHEET_ROWS_H

#include "table/table_internal.h"

enum { SHOAL_SHEET_ROWS_NAMED = 8 };

typedef struct shoal_sheet_rows {
    uint64_t *rows; /* ascending, from 0; owned */
    uint64_t n, n_totals, n_empty, n_notes;
} shoal_sheet_rows;

/*
 * Of a loaded table that came from text of at most a spreadsheet's number of rows; of others
 * nothing is found. Free with shoal_free(out->rows). SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_sheet_rows_find(shoal_sheet_rows *out, const shoal_table *table,
                                                   shoal_error *err);

/* "3 rows are no records (1 total, 1 empty, 1 note): rows 11, 12 and 13". */
void shoal_sheet_rows_tell(char *out, size_t size, const shoal_sheet_rows *found);

/*
 * Leave rows out and load again with the same options: their records become blank lines in a copy
 * of the text, so that the others keep their lines in messages. After a failure the table can only
 * be freed. SHOAL_ENOMEM and as shoal_table_load().
 */
SHOAL_NODISCARD shoal_status shoal_sheet_rows_skip(shoal_table *table,
                                                   const shoal_sheet_rows *found,
                                                   const shoal_load_options *options,
                                                   shoal_error *err);

#endif
