/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_join.c - any bytes as the names of two columns (the first line) and as the CSV file that
 * they are joined in.
 *
 * A joined table is refused exactly where the file is, with the same words. Else it has the same
 * rows, the same values in all old columns, and in the new one both texts with a semicolon between,
 * or a missing value where one of them is missing.
 */
#include "table/join_columns.h"

#include "original.h"

static shoal_status load(shoal_table *table, shoal_error *err)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    for (size_t c = 0; c < table->n_columns; c++)
        require(shoal_table_set_type(table, c, SHOAL_TYPE_CATEGORICAL, err) == SHOAL_OK, "no type");
    return shoal_table_load(table, &options, err);
}

static shoal_text cell(const shoal_table *table, size_t column, uint64_t row)
{
    return table->columns[column].values[shoal_table_code(table, column, row)];
}

static bool is_same(shoal_text a, shoal_text b)
{
    return a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
}

/* But for the number of the line, which counts the line ends inside of joined texts twice. */
static bool is_same_complaint(const char *a, const char *b)
{
    const char *line = strstr(a, "(line "), *other = strstr(b, "(line ");
    if (line == NULL || other == NULL) return strcmp(a, b) == 0;
    return line - a == other - b && strncmp(a, b, (size_t)(line - a)) == 0 &&
           strcmp(strchr(line, ')'), strchr(other, ')')) == 0;
}

static void check_rows(const shoal_table *made, const shoal_table *plain)
{
    size_t parts[2], n = 0, last = plain->n_columns;
    for (size_t c = 0; c < last; c++)
        if (made->columns[c].is_joined && n < 2) parts[n++] = c;
    require(n == 2 && made->n_columns == last + 1 && made->n_rows == plain->n_rows,
            "other columns or rows");
    for (uint64_t row = 0; row < made->n_rows; row++) {
        for (size_t c = 0; c < last; c++)
            require(is_same(cell(made, c, row), cell(plain, c, row)), "another value");
        shoal_text a = cell(plain, parts[0], row), b = cell(plain, parts[1], row),
                   both = cell(made, last, row);
        bool is_missing = a.length == 0 || b.length == 0;
        require(is_missing ==
                    (shoal_table_code(made, last, row) == shoal_table_null_code(made, last)),
                "missing in one only");
        if (is_missing) continue;
        require(both.length == a.length + b.length + 1, "another length");
        /* the second column first */
        bool is_turned = memcmp(both.data, a.data, a.length) != 0 || both.data[a.length] != ';';
        shoal_text first = is_turned ? b : a, second = is_turned ? a : b;
        require(memcmp(both.data, first.data, first.length) == 0 &&
                    both.data[first.length] == ';' &&
                    memcmp(both.data + first.length + 1, second.data, second.length) == 0,
                "not the two texts");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char spec[200] = "";
    const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
    size_t n = end != NULL ? (size_t)(end - data) : size;
    memcpy(spec, data, n < sizeof spec - 1 ? n : sizeof spec - 1);
    const char *text = end != NULL ? (const char *)end + 1 : "";
    size_t length = end != NULL ? size - n - 1 : 0;
    shoal_table *made = NULL, *plain = NULL;
    shoal_error said = { 0 }, err = { 0 };
    if (shoal_table_open_memory(&made, text, length, NULL, NULL, NULL, &err) != SHOAL_OK) return 0;
    require(shoal_table_open_memory(&plain, text, length, NULL, NULL, NULL, &err) == SHOAL_OK,
            "not opened again");
    shoal_status joined = shoal_table_join(made, "joined", spec, NULL, &err);
    require_said(joined, &err);
    if (joined == SHOAL_OK && shoal_table_text(made)->n_joined == 1) {
        shoal_status status = load(made, &said), wanted = load(plain, &err);
        require(status == wanted, "refused once only");
        require(status == SHOAL_OK || is_same_complaint(said.message, err.message),
                "refused for another reason");
        if (status == SHOAL_OK) check_rows(made, plain);
    }
    shoal_table_free(made);
    shoal_table_free(plain);
    return 0;
}
