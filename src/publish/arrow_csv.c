/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_csv.c - columns of a CSV table as Arrow text arrays, without CSV quotes.
 *
 * Each row is scanned once, up to the last column needed. Cost: O(bytes of the rows).
 */
#include "publish/arrow_out.h"

#include <errno.h>

typedef struct text_column {
    int32_t *offsets;
    shoal_buffer bytes;
} text_column;

static int add_field(text_column *column, int64_t i, const shoal_field *field, shoal_arena *arena)
{
    shoal_text text = shoal_field_value(field, arena);
    if (text.data == NULL) return ENOMEM;
    shoal_buffer_add(&column->bytes, text.data, text.length);
    if (column->bytes.failed) return ENOMEM;
    if (column->bytes.size > INT32_MAX) return EOVERFLOW; /* offsets of format u have 32 bits */
    column->offsets[i + 1] = (int32_t)column->bytes.size;
    return 0;
}

static int add_row(text_column *made, int64_t i, const shoal_table *table, uint64_t row,
                   const size_t *columns, size_t n_columns, shoal_arena *arena)
{
    const shoal_text_source *text = shoal_table_text(table);
    const char *at = shoal_table_record(table, row), *end = shoal_table_text_end(table);
    size_t c = 0;
    int code = 0;
    for (size_t wanted = 0; wanted < n_columns && code == 0; wanted++) {
        shoal_field field;
        do shoal_scan_field(&field, &at, end, text->delimiter);
        while (c++ < columns[wanted]);
        code = add_field(&made[wanted], i, &field, arena);
    }
    return code;
}

static int fill(text_column *made, const shoal_table *table, const size_t *columns,
                size_t n_columns, const shoal_row_run *run)
{
    for (size_t c = 0; c < n_columns; c++) {
        made[c].offsets = shoal_alloc((size_t)run->n + 1, sizeof *made[c].offsets);
        if (made[c].offsets == NULL) return ENOMEM;
        made[c].offsets[0] = 0;
    }
    shoal_arena arena = { 0 };
    int code = 0;
    for (int64_t i = 0; i < run->n && code == 0; i++)
        code = add_row(made, i, table,
                       run->first + (run->rows == NULL ? (uint64_t)i : run->rows[i]), columns,
                       n_columns, &arena);
    shoal_arena_clear(&arena);
    return code;
}

/* Move the collected texts into an array. */
static int finish(struct ArrowArray *out, shoal_arrow_kept *kept, text_column *column,
                  int64_t n_rows)
{
    int code = shoal_arrow_array_init(out, kept, 3, 0, false);
    if (code != 0) return code;
    out->length = n_rows;
    shoal_arrow_array_own(out, 1, column->offsets);
    column->offsets = NULL;
    if (column->bytes.data == NULL)
        return shoal_arrow_array_alloc(out, 2, 0, 1) == NULL ? ENOMEM : 0;
    shoal_arrow_array_own(out, 2, column->bytes.data);
    column->bytes = (shoal_buffer){ 0 };
    return 0;
}

int shoal_arrow_from_csv(struct ArrowArray **out, shoal_arrow_kept *kept, const shoal_table *table,
                         const size_t *columns, size_t n_columns, const shoal_row_run *run)
{
    text_column *made = shoal_alloc_zero(n_columns, sizeof *made);
    if (made == NULL) return ENOMEM;
    int code = fill(made, table, columns, n_columns, run);
    for (size_t c = 0; c < n_columns && code == 0; c++)
        code = finish(out[c], kept, &made[c], run->n);
    for (size_t c = 0; c < n_columns; c++) {
        shoal_free(made[c].offsets);
        shoal_buffer_clear(&made[c].bytes);
    }
    shoal_free(made);
    return code;
}
