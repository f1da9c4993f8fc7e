/* SPDX-License-Identifier: Apache-2.0 */
/* csv_rows.c - lists the fields of rows a stretch at a time; see csv_rows.h.
 *
 * Cost: O(bytes) if rows are requested in ascending order.
 */
#include "table/csv_rows.h"

shoal_csv_rows *shoal_csv_rows_new(const shoal_table *table, size_t n_columns)
{
    shoal_csv_rows *rows = shoal_alloc(1, sizeof *rows);
    if (rows == NULL) return NULL;
    rows->table = table;
    rows->n_columns = n_columns;
    rows->first = rows->end = 0;
    return rows;
}

void shoal_csv_rows_move(shoal_csv_rows *rows, uint64_t row)
{
    const shoal_text_source *text = shoal_table_text(rows->table);
    const uint64_t *offset = text->row_offset;
    /* no offset gives where the last row ends */
    uint64_t end = row, last = rows->table->n_rows - 1;
    while (end < last && offset[end + 1] - offset[row] <= SHOAL_CSV_STRETCH) end++;
    rows->first = row;
    rows->end = end > row ? end : row + 1;
    rows->is_listed = end > row;
    if (!rows->is_listed) return;
    shoal_csv_index_make(&rows->index, text->data + offset[row],
                         (size_t)(offset[end] - offset[row]), text->delimiter);
    rows->is_listed = rows->index.is_regular && rows->index.n_feeds == end - row;
    for (uint64_t i = 1; rows->is_listed && i <= end - row; i++)
        rows->is_listed = (size_t)(rows->index.feeds[i] - rows->index.feeds[i - 1]) ==
                          rows->n_columns;
}
