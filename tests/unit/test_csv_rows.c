/* SPDX-License-Identifier: Apache-2.0 */
/* test_csv_rows.c - the fields of rows by lists of separators are those that a scan finds, in any
 * order of rows. */
#include "table/csv_rows.h"

#include "test.h"

#include <shoal/shoal.h>

enum { ROWS = 3000, COLUMNS = 4, TEXT_SIZE = 1 << 20 };

static shoal_error err;

/* Long rows and quotes now and then, blank lines where asked for. */
static size_t write_text(char *out, bool has_blank_lines, const char *line_end)
{
    size_t at = (size_t)sprintf(out, "a,b,c,d%s", line_end);
    for (int row = 0; row < ROWS; row++) {
        at += (size_t)sprintf(out + at, "%d,%s,\"x,%d\",", row, row % 7 == 0 ? "" : "text",
                              row % 100);
        if (row == 1000) memset(out + at, 'z', 2 * SHOAL_CSV_STRETCH);
        if (row == 1000) at += 2 * SHOAL_CSV_STRETCH;
        at += (size_t)sprintf(out + at, "%d%s", row * 3, line_end);
        if (has_blank_lines && row % 500 == 0) at += (size_t)sprintf(out + at, "%s", line_end);
    }
    return at;
}

static shoal_table *open_text(const char *text, size_t size)
{
    shoal_table *table = NULL;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    assert_ok(shoal_table_open_memory(&table, text, size, NULL, NULL, NULL, &err));
    for (size_t c = 0; c < COLUMNS; c++)
        assert_ok(
            shoal_table_set_role(table, c, c == 0 ? SHOAL_ROLE_QUASI : SHOAL_ROLE_OTHER, &err));
    assert_ok(shoal_table_load(table, &load, &err));
    return table;
}

/* Is the row listed? Its fields are then those of a scan. */
static bool check_row(shoal_csv_rows *rows, uint64_t row)
{
    const shoal_table *table = rows->table;
    const char *at = shoal_table_record(table, row), *end = shoal_table_text_end(table);
    const uint16_t *marks = shoal_csv_rows_marks(rows, row);
    if (marks == NULL) return false;
    for (size_t c = 0; c < COLUMNS; c++) {
        shoal_field field;
        shoal_scan_field(&field, &at, end, shoal_table_delimiter(table));
        const char *text = shoal_csv_rows_text(rows);
        size_t mark_end = marks[c + 1];
        if (c + 1 == COLUMNS && text[mark_end - 1] == '\r') mark_end--;
        assert_ptr_equal(text + (uint16_t)(marks[c] + 1), field.begin);
        assert_ptr_equal(text + mark_end, field.end);
    }
    return true;
}

static uint64_t count_listed(const shoal_table *table, size_t n_columns, uint64_t step)
{
    uint64_t n = 0;
    shoal_csv_rows *rows = shoal_csv_rows_new(table, n_columns);
    assert_non_null(rows);
    for (uint64_t i = 0; i < ROWS; i++) n += check_row(rows, i * step % ROWS);
    shoal_free(rows);
    return n;
}

static void test_fields_are_those_of_a_scan(void **state)
{
    (void)state;
    char *text = malloc(TEXT_SIZE);
    for (int form = 0; form < 2; form++) {
        shoal_table *table = open_text(text, write_text(text, false, form == 0 ? "\n" : "\r\n"));
        assert_int_equal(table->n_rows, ROWS);
        /* without the long row and the last */
        assert_int_equal(count_listed(table, COLUMNS, 1), ROWS - 2);
        /* 7 and ROWS have no common factor: each row once */
        assert_int_equal(count_listed(table, COLUMNS, 7), ROWS - 2);
        assert_int_equal(count_listed(table, COLUMNS - 1, 1), 0);
        shoal_table_free(table);
    }
    free(text);
}

static void test_blank_lines_are_not_listed(void **state)
{
    (void)state;
    char *text = malloc(TEXT_SIZE);
    shoal_table *table = open_text(text, write_text(text, true, "\n"));
    uint64_t n = count_listed(table, COLUMNS, 1);
    assert_true(n > 0 && n < ROWS - 2);
    shoal_table_free(table);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_fields_are_those_of_a_scan),
                                        cmocka_unit_test(test_blank_lines_are_not_listed) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
