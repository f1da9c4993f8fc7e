/* SPDX-License-Identifier: Apache-2.0 */
/* test_encode.c - columns from pieces: types, orders of values, codes.
 * Covers: value_sort.c
 */
#include "table/csv.h"
#include "test.h"

#include <stdio.h>

static shoal_error err;

/* Load a one-column table (header `v`) of the given rows as a quasi-identifier; at most `block`
 * bytes a piece. */
static shoal_status load(shoal_table **out, const char *rows, shoal_type type,
                         const char *const *nulls, size_t n_nulls, size_t block)
{
    static char text[4096];
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    csv.delimiter = ';';
    snprintf(text, sizeof text, "v\n%s", rows);
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(out, text, strlen(text), NULL, NULL, &csv, &err));
    shoal_status status = shoal_table_set_role(*out, 0, SHOAL_ROLE_QUASI, &err);
    if (status == SHOAL_OK) status = shoal_table_set_type(*out, 0, type, &err);
    if (status == SHOAL_OK && nulls != NULL)
        status = shoal_table_set_nulls(*out, nulls, n_nulls, SHOAL_MISSING_OWN_CATEGORY, &err);
    if (status == SHOAL_OK) status = shoal_csv_load(*out, &options, block, &err);
    return status;
}

/* The values in code order, then the codes of the rows: "a|b|c 0 2 1". */
static const char *spell(const shoal_table *table)
{
    static char out[4096];
    size_t n = 0;
    for (uint32_t code = 0; code < shoal_table_n_values(table, 0); code++) {
        size_t length;
        const char *text = shoal_table_value(table, 0, code, &length);
        if (code > 0) out[n++] = '|';
        memcpy(out + n, text, length);
        n += length;
    }
    out[n] = '\0';
    for (uint64_t row = 0; row < shoal_table_n_rows(table); row++)
        n += (size_t)snprintf(out + n, sizeof out - n, " %u", shoal_table_code(table, 0, row));
    return out;
}

static void assert_encodes(const char *rows, shoal_type asked, shoal_type found,
                           const char *expected)
{
    const size_t blocks[] = { 1, 2, 3, 7, 4096 };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        shoal_table *table = NULL;
        assert_ok(load(&table, rows, asked, NULL, 0, blocks[i]));
        assert_int_equal(shoal_table_type(table, 0), found);
        assert_string_equal(spell(table), expected);
        assert_int_equal(table->columns[0].numbers != NULL, found != SHOAL_TYPE_CATEGORICAL);
        shoal_table_free(table);
    }
}

static void test_text_by_bytes(void **state)
{
    (void)state;
    assert_encodes("b\na\nab\nb\nB\n\xc3\xa9\n", SHOAL_TYPE_AUTO, SHOAL_TYPE_CATEGORICAL,
                   "B|a|ab|b|\xc3\xa9 3 1 2 3 0 4");
    assert_encodes("abcdefghij\nabcdefgh\nabcdefghi\n", SHOAL_TYPE_AUTO, SHOAL_TYPE_CATEGORICAL,
                   "abcdefgh|abcdefghi|abcdefghij 2 0 1");
    assert_encodes("10\n9\n", SHOAL_TYPE_CATEGORICAL, SHOAL_TYPE_CATEGORICAL, "10|9 0 1");
}

static void test_numbers_by_value(void **state)
{
    (void)state;
    assert_encodes("10\n9\n-3\n-20\n0.5\n", SHOAL_TYPE_AUTO, SHOAL_TYPE_NUMERIC,
                   "-20|-3|0.5|9|10 4 3 1 0 2");
    assert_encodes("7.0\n7\n07.00\n+7\n3\n", SHOAL_TYPE_NUMERIC, SHOAL_TYPE_NUMERIC,
                   "3|7 1 1 1 1 0");
    assert_encodes("0.0\n-0\n-0e0\n0\n", SHOAL_TYPE_AUTO, SHOAL_TYPE_NUMERIC, "0 0 0 0 0");
    /* least by bytes */
    assert_encodes("7.0\n+07\n7e0\n", SHOAL_TYPE_NUMERIC, SHOAL_TYPE_NUMERIC, "+07 0 0 0");
}

static void test_what_is_a_number(void **state)
{
    (void)state;
    assert_encodes("0\n0.5\n-0.5\n", SHOAL_TYPE_AUTO, SHOAL_TYPE_NUMERIC, "-0.5|0|0.5 1 2 0");
    assert_encodes("01234\n1234\n", SHOAL_TYPE_AUTO, SHOAL_TYPE_CATEGORICAL, "01234|1234 0 1");
    assert_encodes("1\nx\n", SHOAL_TYPE_AUTO, SHOAL_TYPE_CATEGORICAL, "1|x 0 1");
    /* missing values alone tell nothing */
    assert_encodes("\n\n", SHOAL_TYPE_AUTO, SHOAL_TYPE_CATEGORICAL, " 0 0");
    assert_encodes("", SHOAL_TYPE_AUTO, SHOAL_TYPE_CATEGORICAL, "");
    assert_encodes("2021-03-01\n1999-12-31\n", SHOAL_TYPE_AUTO, SHOAL_TYPE_DATE,
                   "1999-12-31|2021-03-01 1 0");
    assert_encodes("2021-02-30\n1999-12-31\n", SHOAL_TYPE_AUTO, SHOAL_TYPE_CATEGORICAL,
                   "1999-12-31|2021-02-30 1 0");
}

static void test_missing_is_last(void **state)
{
    (void)state;
    assert_encodes("5\n\n3\n\n", SHOAL_TYPE_AUTO, SHOAL_TYPE_NUMERIC, "3|5| 1 2 0 2");
    const char *nulls[] = { "?", "NA", "-" };
    shoal_table *table = NULL;
    assert_ok(load(&table, "NA\n4\n\n-\nNA\n7\n", SHOAL_TYPE_CATEGORICAL, nulls, 3, 3));
    assert_string_equal(spell(table), "|4|7|NA 3 1 0 3 3 2");
    assert_int_equal(shoal_table_null_code(table, 0), 3);
    assert_int_equal(shoal_table_value_count(table, 0, 3), 3);
    assert_int_equal(shoal_table_value_count(table, 0, 1), 1);
    shoal_table_free(table);
    assert_ok(load(&table, "a\n\n", SHOAL_TYPE_AUTO, nulls, 0, 100));
    assert_int_equal(shoal_table_null_code(table, 0), SHOAL_NO_CODE); /* no string means missing */
    assert_string_equal(spell(table), "|a 1 0");
    shoal_table_free(table);
}

static void test_not_a_number(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    assert_fails(
        load(&table, "1\nsecret\n2\nsecret\nother\n", SHOAL_TYPE_NUMERIC, NULL, 0, 3), SHOAL_EDATA,
        "csv: row 2, column 'v': not a number; 3 rows are not; if the text means missing, name it "
        "with --null; otherwise set the format with --format, or make the column categorical");
    assert_false(error_says(&err, "secret"));
    shoal_table_free(table);
    assert_fails(load(&table, "2020-01-01\n1.1.2020\n", SHOAL_TYPE_DATE, NULL, 0, 100), SHOAL_EDATA,
                 "row 2, column 'v': not a date");
    shoal_table_free(table);
}

/* Codes of one byte up to 256 values, two up to 65536, then four. */
static void test_code_widths(void **state)
{
    (void)state;
    const uint32_t counts[] = { 256, 257, 65536, 65537 };
    const uint8_t widths[] = { 1, 2, 2, 4 };
    for (int i = 0; i < 4; i++) {
        shoal_buffer text = { 0 };
        shoal_buffer_add(&text, "v\n", 2);
        for (uint32_t v = counts[i]; v-- > 0;) shoal_buffer_print(&text, "%u\n", v);
        shoal_table *table = NULL;
        shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
        assert_ok(shoal_table_open_memory(&table, text.data, text.size, NULL, NULL, NULL, &err));
        assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_SENSITIVE, &err));
        assert_ok(shoal_csv_load(table, &options, i % 2 ? 5000 : SHOAL_CSV_BLOCK, &err));
        assert_int_equal(table->columns[0].code_width, widths[i]);
        assert_int_equal(table->columns[0].n_values, counts[i]);
        for (uint32_t row = 0; row < counts[i]; row++)
            assert_int_equal(shoal_table_code(table, 0, row), counts[i] - 1 - row);
        shoal_table_free(table);
        shoal_buffer_clear(&text);
    }
}

/* Values that no row has, values that stand there twice, and a width that was not set: as an Arrow
 * dictionary may be. */
static void test_foreign_dictionaries(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    assert_ok(shoal_table_open_memory(&table, "v\n", 2, NULL, NULL, NULL, &err));
    shoal_text values[] = { { "b", 1 }, { "unused", 6 }, { "a", 1 }, { "b", 1 } };
    uint64_t counts[] = { 1, 0, 1, 1 };
    uint32_t codes[] = { 3, 2, 0 };
    shoal_raw_codes piece = {
        .values = values, .counts = counts, .n_values = 4, .codes = codes, .n_rows = 3
    };
    table->n_rows = 3;
    assert_ok(shoal_encode_column(table, 0, &piece, 1, 1, &err));
    assert_string_equal(spell(table), "a|b 1 0 1");
    assert_int_equal(shoal_table_value_count(table, 0, 1), 2);
    shoal_table_free(table);
}

static void test_sort_is_the_same_for_any_threads(void **state)
{
    (void)state;
    enum { N = 40000 };
    static char bytes[N][12];
    static shoal_text texts[N];
    static shoal_sort_item one[N], four[N];
    shoal_rng rng;
    shoal_rng_init(&rng, 5, 0);
    for (uint32_t i = 0; i < N; i++) {
        texts[i] = (shoal_text){ bytes[i], shoal_rng_below(&rng, 12) };
        for (size_t j = 0; j < texts[i].length; j++)
            bytes[i][j] = (char)('a' + shoal_rng_below(&rng, 2));
        one[i] = four[i] = (shoal_sort_item){ shoal_text_sort_key(texts[i]), i };
    }
    assert_true(shoal_sort_values(one, N, texts, false, 1));
    assert_true(shoal_sort_values(four, N, texts, false, 4));
    for (uint32_t i = 0; i < N; i++) assert_int_equal(one[i].index, four[i].index);
    for (uint32_t i = 1; i < N; i++) {
        shoal_text a = texts[one[i - 1].index], b = texts[one[i].index];
        int order = memcmp(a.data, b.data, a.length < b.length ? a.length : b.length);
        assert_true(order < 0 || (order == 0 && a.length <= b.length));
    }
}

static shoal_status load_and_free(const char *rows, shoal_type type)
{
    shoal_table *table = NULL;
    shoal_status status = load(&table, rows, type, NULL, 0, 10);
    shoal_table_free(table);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_survives_allocation_failure(load_and_free("3\n2\n1.0\n\n1\n", SHOAL_TYPE_AUTO));
    assert_survives_allocation_failure(load_and_free("3\n2\n1.0\n\n1\n", SHOAL_TYPE_NUMERIC));
    assert_survives_allocation_failure(load_and_free("x\ny\n\n\"a\"\"b\"\nz\n", SHOAL_TYPE_AUTO));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_by_bytes),
        cmocka_unit_test(test_numbers_by_value),
        cmocka_unit_test(test_what_is_a_number),
        cmocka_unit_test(test_missing_is_last),
        cmocka_unit_test(test_not_a_number),
        cmocka_unit_test(test_code_widths),
        cmocka_unit_test(test_foreign_dictionaries),
        cmocka_unit_test(test_sort_is_the_same_for_any_threads),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
