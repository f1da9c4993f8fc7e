/* SPDX-License-Identifier: Apache-2.0 */
/* test_base.c - memory, errors, numbers in text, random numbers.
 * Covers: alloc.c, allocator.c, decimal.c, error.c, number.c, rng.c
 */
#include "base/base.h"
#include "test.h"

#include <math.h>

static void test_numbers(void **state)
{
    (void)state;
    double v;
    assert_true(shoal_parse_number("17", 2, &v) && v == 17);
    assert_true(shoal_parse_number(" -2.50 ", 7, &v) && v == -2.5);
    assert_true(shoal_parse_number("7.0", 3, &v) && v == 7);
    assert_true(shoal_parse_number("-0", 2, &v) && v == 0 && !signbit(v));
    assert_true(shoal_parse_number(".5", 2, &v) && v == 0.5);
    assert_true(shoal_parse_number("1e3", 3, &v) && v == 1000);
    assert_true(shoal_parse_number("12345678901234567890", 20, &v) && v == 12345678901234567890.0);
    assert_true(shoal_parse_number("0.1234567890123456789", 21, &v) && v == 0.1234567890123456789);
    assert_true(shoal_parse_number("1.5e-3", 6, &v) && v == 1.5e-3);
    const char *bad[] = { "",     " ",   "-",   ".",   "e5",  "1e",  "1e+",
                          "0x10", "nan", "inf", "1,5", "12a", "1 2", "1e999" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (shoal_parse_number(bad[i], strlen(bad[i]), &v))
            fail_msg("'%s' passed for a number", bad[i]);
}

/* Texts in ascending order; those with the same rank are the same number. */
static void test_decimals_are_compared_by_their_digits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int rank;
    } cases[] = { { "-1e400", 0 },
                  { "-9007199254740993", 1 },
                  { "-9007199254740992", 2 },
                  { "-9007199254740992.0", 2 },
                  { "-0.5", 3 },
                  { "0", 4 },
                  { "-0.00", 4 },
                  { "0e9", 4 },
                  { "1e-30", 5 },
                  { ".1", 6 },
                  { "0.10", 6 },
                  { "0.1000000000000000000001", 7 },
                  { "1", 8 },
                  { "1.", 8 },
                  { "+1", 8 },
                  { " 10e-1 ", 8 },
                  { "9007199254740992", 9 },
                  { "9007199254740993", 10 },
                  { "9.007199254740993e15", 10 },
                  { "0009007199254740993", 10 },
                  { "90071992547409930", 11 } };
    enum { N = sizeof cases / sizeof *cases };
    for (int i = 1; i < N; i++) /* the first is no double: it compares as equal */
        for (int j = 1; j < N; j++) {
            int wanted = (cases[i].rank > cases[j].rank) - (cases[i].rank < cases[j].rank);
            int found = shoal_compare_decimals(cases[i].text, strlen(cases[i].text), cases[j].text,
                                               strlen(cases[j].text));
            assert_int_equal((found > 0) - (found < 0), wanted);
        }
    assert_int_equal(shoal_compare_decimals("2020-01-01", 10, "2021-01-01", 10), 0);
    assert_int_equal(shoal_compare_decimals(cases[0].text, strlen(cases[0].text), "1", 1), 0);
}

static void test_dates(void **state)
{
    (void)state;
    double v;
    assert_true(shoal_parse_date("1970-01-01", 10, &v) && v == 0);
    assert_true(shoal_parse_date("2000-03-01", 10, &v) && v == 11017);
    assert_true(shoal_parse_date("2024-02-29", 10, &v));
    assert_true(shoal_parse_date("1969-12-31", 10, &v) && v == -1);
    const char *bad[] = { "2023-02-29", "2023-13-01", "2023-00-10",
                          "2023-1-1",   "20230101",   "2023-04-31" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(shoal_parse_date(bad[i], strlen(bad[i]), &v));
}

static void test_random_numbers_are_pinned(void **state)
{
    (void)state;
    shoal_rng a, b;
    shoal_rng_init(&a, 1, 0);
    shoal_rng_init(&b, 1, 1);
    assert_true(shoal_rng_next(&a) != shoal_rng_next(&b));
    double sum = 0, squares = 0;
    enum { N = 100000 };
    for (int i = 0; i < N; i++) {
        assert_true(shoal_rng_below(&a, 7) < 7);
        double x = shoal_rng_normal(&a);
        sum += x;
        squares += x * x;
    }
    assert_true(fabs(sum / N) < 0.02 && fabs(squares / N - 1) < 0.02);
}

static void test_arena_and_buffer(void **state)
{
    (void)state;
    shoal_arena arena = { 0 };
    for (size_t i = 1; i < 3000; i += 7) {
        unsigned char *piece = shoal_arena_alloc(&arena, i * 100);
        assert_non_null(piece);
        assert_true((uintptr_t)piece % 16 == 0);
        memset(piece, (int)(i & 255), i * 100);
    }
    shoal_arena_clear(&arena);
    shoal_buffer text = { 0 };
    for (int i = 0; i < 1000; i++) shoal_buffer_print(&text, "%d,", i);
    assert_false(text.failed);
    assert_int_equal(text.size, strlen(text.data));
    shoal_buffer_clear(&text);
    assert_null(shoal_alloc(SIZE_MAX / 2, 3)); /* the product overflows */
}

static void test_statuses(void **state)
{
    (void)state;
    const struct {
        shoal_status status;
        int code;
    } rows[] = {
        { SHOAL_OK, 0 },           { SHOAL_EIO, 1 },    { SHOAL_EINVAL, 2 },
        { SHOAL_EUNSAT, 3 },       { SHOAL_EDATA, 4 },  { SHOAL_EBUDGET, 5 },
        { SHOAL_ECANCELLED, 130 }, { SHOAL_ENOMEM, 1 }, { SHOAL_EINTERNAL, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(shoal_status_exit_code(rows[i].status), rows[i].code);
        assert_memory_equal(shoal_status_name(rows[i].status), "SHOAL_", 6);
    }
    shoal_error err;
    assert_fails(shoal_fail(&err, SHOAL_EDATA, "row %d", 812), SHOAL_EDATA, "row 812");
    assert_int_equal(shoal_fail(NULL, SHOAL_EIO, "nobody listens"), SHOAL_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_decimals_are_compared_by_their_digits),
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_random_numbers_are_pinned),
        cmocka_unit_test(test_arena_and_buffer),
        cmocka_unit_test(test_statuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
