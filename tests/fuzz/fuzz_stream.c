/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_stream.c - any bytes as a CSV file, read at once and in windows: the same error, or the same
 * codes and rows; and a second pass over the windows finds the line of every row, as the writer of
 * a release does.
 *
 * The first byte chooses header or none and the size of the windows.
 */
#include "table/csv.h"
#include "table/line_index.h"
#include "table/window.h"

#include "original.h"

static shoal_status load(shoal_table **out, const char *data, size_t size, bool no_header,
                         size_t window, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    csv.no_header = no_header;
    *out = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(out, data, size, NULL, NULL, &csv, err));
    for (size_t c = 0; c < (*out)->n_columns; c++)
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(*out, c, SHOAL_ROLE_QUASI, err));
    return window > 0 ? shoal_csv_count(*out, &options, window, err)
                      : shoal_csv_load(*out, &options, SHOAL_CSV_BLOCK, err);
}

static void check_columns(const shoal_table *a, const shoal_table *b)
{
    for (size_t i = 0; i < a->n_columns; i++) {
        const shoal_column *p = &a->columns[i], *q = &b->columns[i];
        require(p->n_values == q->n_values && p->type == q->type && p->null_code == q->null_code,
                "another column");
        for (uint32_t code = 0; code < p->n_values; code++) {
            require(
                p->values[code].length == q->values[code].length &&
                    memcmp(p->values[code].data, q->values[code].data, p->values[code].length) == 0,
                "other values");
            require(p->counts[code] == q->counts[code], "other counts");
        }
    }
}

static bool same_codes(const shoal_table *a, uint64_t x, const shoal_table *b, uint64_t y)
{
    for (size_t c = 0; c < a->n_columns; c++)
        if (shoal_column_code(&a->columns[c], x) != shoal_column_code(&b->columns[c], y))
            return false;
    return true;
}

/* Every line represents as many rows as there are with its codes. */
static void check_lines(const shoal_table *rows, const shoal_table *lines)
{
    enum { MOST = 400 };
    if (rows->n_rows > MOST) return;
    for (uint64_t line = 0; line < lines->n_rows; line++) {
        uint64_t n = 0;
        for (uint64_t row = 0; row < rows->n_rows; row++) n += same_codes(lines, line, rows, row);
        require(n == shoal_table_weight(lines, line), "other rows");
    }
}

/* The lines of a window's rows have the codes that these rows have in memory, and so do the texts
 * of each column. */
static void check_window(const shoal_table *whole, const shoal_table *windows,
                         const shoal_table *rows)
{
    shoal_error err = { 0 };
    const shoal_line_index *index = shoal_table_line_index(windows);
    uint32_t *lines = malloc((rows->n_rows + 1) * sizeof *lines);
    require(lines != NULL && shoal_line_index_find(lines, index, rows, 1, &err) == SHOAL_OK,
            "a row without a line");
    for (uint64_t row = 0; row < rows->n_rows; row++)
        require(
            lines[row] < windows->n_rows &&
                same_codes(windows, lines[row], whole, shoal_table_text(rows)->rows_before + row),
            "the line of another row");
    for (uint32_t i = 0; i < index->n_columns; i++) {
        const shoal_column *column = &rows->columns[index->columns[i]];
        uint32_t *codes = malloc((column->n_values + (size_t)1) * sizeof *codes);
        require(codes != NULL && shoal_line_index_codes(codes, index, i, rows, &err) == SHOAL_OK,
                "a text without a code");
        for (uint64_t row = 0; row < rows->n_rows; row++)
            require(codes[shoal_column_code(column, row)] ==
                        shoal_column_code(&whole->columns[index->columns[i]],
                                          shoal_table_text(rows)->rows_before + row),
                    "another code");
        free(codes);
    }
    free(lines);
}

static void check_second_pass(const shoal_table *whole, const shoal_table *windows)
{
    shoal_error err = { 0 };
    shoal_window window;
    bool is_there = true;
    uint64_t n_rows = 0;
    if (!shoal_table_is_streamed(windows)) return;
    require(shoal_window_open(&window, windows, shoal_table_line_index(windows)->window_bytes, 1,
                              &err) == SHOAL_OK,
            "no second pass");
    while (shoal_window_next(&window, &is_there, &err) == SHOAL_OK && is_there) {
        check_window(whole, windows, &window.rows);
        n_rows += window.rows.n_rows;
        require(shoal_window_progress(&window) >= 0 && shoal_window_progress(&window) <= 1,
                "progress beyond the end");
    }
    require(!is_there && n_rows == whole->n_rows, "another number of rows");
    shoal_window_close(&window);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    shoal_error err_whole = { 0 }, err_windows = { 0 };
    shoal_table *whole, *windows;
    const char *text = (const char *)data + 1;
    shoal_status a = load(&whole, text, size - 1, data[0] % 2 == 1, 0, &err_whole);
    shoal_status b = load(&windows, text, size - 1, data[0] % 2 == 1,
                          1 + (size_t)(data[0] >> 1) * 4, &err_windows);
    require(a == b && strcmp(err_whole.message, err_windows.message) == 0,
            "another outcome in windows");
    require_said(a, &err_whole);
    if (a == SHOAL_OK) {
        require(whole->n_rows == windows->total && whole->n_columns == windows->n_columns,
                "another shape");
        check_columns(whole, windows);
        check_lines(whole, windows);
        check_second_pass(whole, windows);
    }
    shoal_table_free(whole);
    shoal_table_free(windows);
    return 0;
}
