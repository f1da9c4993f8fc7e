/* SPDX-License-Identifier: Apache-2.0 */
/* window.c - see window.h. Uses the CSV reader with a start offset and a limit for the starts of
 * records. */
#include "table/window.h"

#include "table/csv.h"

shoal_status shoal_window_open(shoal_window *window, const shoal_table *table, size_t bytes,
                               uint32_t threads, shoal_error *err)
{
    *window = (shoal_window){ .table = table,
                              .bytes = bytes > 0 ? bytes : 1,
                              .threads = threads > 0 ? threads : 1 };
    shoal_table *rows = &window->rows;
    rows->columns = shoal_alloc_zero(table->n_columns, sizeof *rows->columns);
    if (rows->columns == NULL) return shoal_fail_memory(err);
    rows->n_columns = table->n_columns;
    for (size_t c = 0; c < table->n_columns; c++)
        rows->columns[c] = (shoal_column){ .name = table->columns[c].name,
                                           .role = table->columns[c].role,
                                           .type = SHOAL_TYPE_CATEGORICAL,
                                           .asked_type = SHOAL_TYPE_CATEGORICAL };
    const shoal_text_source *whole = shoal_table_text(table);
    window->text = (shoal_text_source){ .base = { &shoal_source_text, whole->base.name },
                                        .data = whole->data,
                                        .size = whole->size,
                                        .is_map = whole->is_map,
                                        .delimiter = whole->delimiter,
                                        .has_header = whole->has_header,
                                        .n_joined = whole->n_joined,
                                        .trailing_delimiter = whole->trailing_delimiter,
                                        .window_next = whole->body };
    rows->source = &window->text.base;
    return SHOAL_OK;
}

shoal_status shoal_window_next(shoal_window *window, bool *is_there, shoal_error *err)
{
    shoal_table *rows = &window->rows;
    shoal_text_source *text = &window->text;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.threads = window->threads;
    text->rows_before += rows->n_rows;
    shoal_table_clear_rows(rows);
    shoal_arena_clear(&rows->arena);
    *is_there = text->window_next < text->size;
    if (!*is_there) return SHOAL_OK;
    text->body = text->window_next;
    text->window_end = text->size - text->body > window->bytes ? text->body + window->bytes
                                                               : text->size;
    return shoal_csv_load(rows, &options, SHOAL_CSV_BLOCK, err);
}

void shoal_window_close(shoal_window *window)
{
    if (window->rows.columns != NULL) shoal_table_clear_rows(&window->rows);
    shoal_arena_clear(&window->rows.arena);
    shoal_free(window->rows.columns);
    window->rows = (shoal_table){ 0 };
}

double shoal_window_progress(const shoal_window *window)
{
    const shoal_text_source *text = &window->text;
    return text->size > 0 ? (double)text->window_next / (double)text->size : 1;
}
