/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_csv.c - any bytes as a CSV file: no crash, and the same outcome for two sizes of blocks, and
 * for a text that grows.
 *
 * The first byte chooses header or none and the size of the small blocks; the rest is the file.
 */
#include "growing_text.h"
#include "table/csv.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "fuzz_csv: %s\n", what);
    abort();
}

/* `step`: of a text that grows; 0: it is complete. */
static shoal_status load(shoal_table **out, const uint8_t *data, size_t size, bool no_header,
                         size_t block, size_t step, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    csv.no_header = no_header;
    options.encode_all = true;
    *out = NULL;
    SHOAL_RETURN_IF_ERROR(
        shoal_table_open_memory(out, (const char *)data, size, NULL, NULL, &csv, err));
    if (step > 0) growing_text_begin(*out, step, 0);
    return shoal_csv_load(*out, &options, block, err);
}

/* The invariant of table_internal.h. */
static void check_column(const shoal_table *table, const shoal_column *column)
{
    require(column->is_encoded && column->type != SHOAL_TYPE_AUTO, "not encoded");
    uint64_t n_rows = 0;
    for (uint32_t code = 0; code < column->n_values; code++) {
        require(column->counts[code] > 0, "a code without rows");
        n_rows += column->counts[code];
        if (code == 0 || code == column->null_code) continue;
        shoal_text a = column->values[code - 1], b = column->values[code];
        int order = memcmp(a.data, b.data, a.length < b.length ? a.length : b.length);
        bool ascends = column->numbers != NULL ? column->numbers[code - 1] < column->numbers[code]
                                               : order < 0 || (order == 0 && a.length < b.length);
        require(ascends, "codes out of order");
    }
    require(n_rows == table->n_rows, "counts do not add up");
    require(column->null_code == SHOAL_NO_CODE || column->null_code + 1 == column->n_values,
            "missing is not last");
}

/* Each row, scanned again from its offset, has the values that its codes say. */
static void check_rows(const shoal_table *table)
{
    shoal_arena arena = { 0 };
    for (uint64_t row = 0; row < table->n_rows; row++) {
        const char *at = shoal_table_record(table, row), *end = shoal_table_text_end(table);
        require(row == 0 || shoal_table_text(table)->row_offset[row] >
                                shoal_table_text(table)->row_offset[row - 1],
                "offsets out of order");
        for (size_t i = 0; i < table->n_columns; i++) {
            const shoal_column *column = &table->columns[i];
            shoal_field field;
            shoal_field_end kind = shoal_scan_field(&field, &at, end, shoal_table_delimiter(table));
            require(kind == SHOAL_FIELD_MORE ||
                        (kind == SHOAL_FIELD_LAST && i + 1 == table->n_columns),
                    "a short row");
            shoal_text found = shoal_field_value(&field, &arena);
            uint32_t code = shoal_column_code(column, row);
            require(code < column->n_values, "a code too high");
            if (column->numbers != NULL) continue; /* its text may be another spelling */
            shoal_text known = column->values[code];
            require(known.length == found.length &&
                        memcmp(known.data, found.data, found.length) == 0,
                    "another text");
        }
    }
    shoal_arena_clear(&arena);
}

static void check_same(const shoal_table *a, const shoal_table *b)
{
    require(a->n_rows == b->n_rows && a->n_columns == b->n_columns, "another shape");
    require(memcmp(shoal_table_text(a)->row_offset, shoal_table_text(b)->row_offset,
                   a->n_rows * sizeof *shoal_table_text(a)->row_offset) == 0,
            "other offsets");
    for (size_t i = 0; i < a->n_columns; i++) {
        const shoal_column *p = &a->columns[i], *q = &b->columns[i];
        require(p->n_values == q->n_values && p->type == q->type && p->null_code == q->null_code,
                "another column");
        require(memcmp(p->codes, q->codes, a->n_rows * p->code_width) == 0, "other codes");
        for (uint32_t code = 0; code < p->n_values; code++)
            require(
                p->values[code].length == q->values[code].length &&
                    memcmp(p->values[code].data, q->values[code].data, p->values[code].length) == 0,
                "other values");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    bool no_header = data[0] % 2 == 1;
    size_t block = 1 + (data[0] >> 1);
    shoal_error err_whole = { 0 }, err_cut = { 0 }, err_grown = { 0 };
    shoal_table *whole, *cut, *grown;
    shoal_status a = load(&whole, data + 1, size - 1, no_header, SHOAL_CSV_BLOCK, 0, &err_whole);
    shoal_status b = load(&cut, data + 1, size - 1, no_header, block, 0, &err_cut);
    shoal_status c = load(&grown, data + 1, size - 1, no_header, block, 1 + size % 7, &err_grown);
    require(a == b && strcmp(err_whole.message, err_cut.message) == 0,
            "another outcome by the size of blocks");
    require(a == c && strcmp(err_whole.message, err_grown.message) == 0,
            "another outcome of a text that grows");
    if (a == SHOAL_OK) {
        for (size_t i = 0; i < whole->n_columns; i++) check_column(whole, &whole->columns[i]);
        check_rows(whole);
        check_same(whole, cut);
        check_same(whole, grown);
    } else {
        require(a == SHOAL_EDATA && err_whole.message[0] != '\0', "an unexpected failure");
    }
    shoal_table_free(whole);
    shoal_table_free(cut);
    shoal_table_free(grown);
    return 0;
}
