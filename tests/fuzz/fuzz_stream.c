/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_stream.c - any bytes as a CSV file, read at once and in windows: the same error, or the same codes and rows.
 *
 * The first byte chooses header or none and the size of the windows.
 */
#include "table/csv.h"

#include "original.h"

static shoal_status load(shoal_table **out, const char *data, size_t size, bool no_header, size_t window, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    csv.no_header = no_header;
    *out = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(out, data, size, NULL, NULL, &csv, err));
    for (size_t c = 0; c < (*out)->n_columns; c++)
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(*out, c, SHOAL_ROLE_QUASI, err));
    return window > 0 ? shoal_csv_count(*out, &options, window, err) : shoal_csv_load(*out, &options, SHOAL_CSV_BLOCK, err);
}

static void check_columns(const shoal_table *a, const shoal_table *b)
{
    for (size_t i = 0; i < a->n_columns; i++) {
        const shoal_column *p = &a->columns[i], *q = &b->columns[i];
        require(p->n_values == q->n_values && p->type == q->type && p->null_code == q->null_code, "another column");
        for (uint32_t code = 0; code < p->n_values; code++) {
            require(p->values[code].length == q->values[code].length &&
                        memcmp(p->values[code].data, q->values[code].data, p->values[code].length) == 0,
                    "other values");
            require(p->counts[code] == q->counts[code], "other counts");
        }
    }
}

static bool same_codes(const shoal_table *a, uint64_t x, const shoal_table *b, uint64_t y)
{
    for (size_t c = 0; c < a->n_columns; c++)
        if (shoal_column_code(&a->columns[c], x) != shoal_column_code(&b->columns[c], y)) return false;
    return true;
}

/* Every line stands for as many rows as there are with its codes. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    shoal_error err_whole = { 0 }, err_windows = { 0 };
    shoal_table *whole, *windows;
    const char *text = (const char *)data + 1;
    shoal_status a = load(&whole, text, size - 1, data[0] % 2 == 1, 0, &err_whole);
    shoal_status b = load(&windows, text, size - 1, data[0] % 2 == 1, 1 + (size_t)(data[0] >> 1) * 4, &err_windows);
    require(a == b && strcmp(err_whole.message, err_windows.message) == 0, "another outcome in windows");
    require_said(a, &err_whole);
    if (a == SHOAL_OK) {
        require(whole->n_rows == windows->total && whole->n_columns == windows->n_columns, "another shape");
        check_columns(whole, windows);
        check_lines(whole, windows);
    }
    shoal_table_free(whole);
    shoal_table_free(windows);
    return 0;
}
