/* SPDX-License-Identifier: Apache-2.0 */
/* test_column_summary.c - distributions of a column before and after: bars add up, ranges are
 * round, cells are spread over what they cover. */
#include "test.h"
#include "published/released.h"

#include <math.h>
#include <shoal/shoal.h>
#include <shoal/summary.h>

static shoal_error err;

/* `type`: of the first column; the second is a category. */
static shoal_status summarise(shoal_column_summary *out, const char *original, const char *release,
                              shoal_type type, size_t column)
{
    shoal_table *table = NULL, *released = NULL;
    shoal_status status = shoal_table_open_memory(&table, original, strlen(original), NULL, NULL,
                                                  NULL, &err);
    for (size_t c = 0; c < 2 && status == SHOAL_OK; c++)
        status = shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, &err);
    if (status == SHOAL_OK) status = shoal_table_set_type(table, 0, type, &err);
    if (status == SHOAL_OK) status = shoal_table_set_type(table, 1, SHOAL_TYPE_CATEGORICAL, &err);
    if (status == SHOAL_OK) status = shoal_table_load(table, NULL, &err);
    if (status == SHOAL_OK && release != NULL)
        status = shoal_released_open(&released, release, strlen(release), table, 1, &err);
    if (status == SHOAL_OK) status = shoal_column_summary_find(out, table, released, column, &err);
    shoal_table_free(released);
    shoal_table_free(table);
    return status;
}

static void sums(const shoal_column_summary *s, double *before, double *after)
{
    *before = *after = 0;
    for (size_t i = 0; i < s->n_bars; i++) {
        *before += s->bars[i].before;
        *after += s->bars[i].after;
    }
}

static const char small[] = "n,c\n1,a\n2,a\n3,b\n4,b\n,b\n";
static const char small_release[] = "n,c\n[1..2],a\n[1..2],a\n[3..4],*\n[3..4],{a|b}\n,b\n";

static void test_small(void **state)
{
    (void)state;
    double before, after;
    shoal_column_summary s;
    assert_ok(summarise(&s, small, small_release, SHOAL_TYPE_NUMERIC, 0));
    assert_true(s.has_release && s.n_rows == 5 && s.n_values == 4 && s.n_missing == 1 &&
                s.n_bars == 5 && s.n_texts == 3 && s.n_released == 5);
    assert_string_equal(s.bars[4].label, "missing");
    for (size_t i = 0; i < 5; i++)
        assert_true(fabs(s.bars[i].before - 1) < 1e-9 && fabs(s.bars[i].after - 1) < 1e-9);
    assert_true(s.exact_rows == 1 && s.star_rows == 0 && s.median_width == 1);
    shoal_column_summary_clear(&s);
    assert_ok(summarise(&s, small, small_release, SHOAL_TYPE_NUMERIC, 1));
    assert_string_equal(s.bars[0].label, "b"); /* the most frequent first */
    /* b: 1, half of *, half of {a|b} */
    assert_true(s.bars[0].before == 3 && fabs(s.bars[0].after - 2) < 1e-9 &&
                fabs(s.bars[1].after - 3) < 1e-9);
    assert_true(s.exact_rows == 3 && s.star_rows == 1);
    assert_string_equal(s.texts[0].text, "a");
    assert_int_equal(s.texts[0].n_rows, 2);
    sums(&s, &before, &after);
    assert_true(before == 5 && fabs(after - 5) < 1e-9);
    shoal_column_summary_clear(&s);
    assert_ok(summarise(&s, small, NULL, SHOAL_TYPE_NUMERIC, 1));
    assert_false(s.has_release);
    shoal_column_summary_clear(&s);
}

/* Many numbers become ranges of round widths; rows are kept, whatever the cells are. */
static void test_ranges(void **state)
{
    (void)state;
    char original[8000] = "n,c\n", release[8000] = "n,c\n";
    double before, after;
    shoal_column_summary s;
    for (int i = 0; i < 90; i++) {
        sprintf(original + strlen(original), "%d,%c\n", 17 + i, 'a' + i % 26);
        if (i % 3 == 0)
            sprintf(release + strlen(release), "[%d..%d],*\n", 17 + i / 10 * 10, 26 + i / 10 * 10);
        /* a mean covers no value */
        else
            sprintf(release + strlen(release), "%s,%c\n", i % 3 == 1 ? "*" : "30.5", 'a' + i % 26);
    }
    assert_ok(summarise(&s, original, release, SHOAL_TYPE_NUMERIC, 0));
    assert_string_equal(s.bars[0].label, "10 to below 20");
    assert_string_equal(s.bars[9].label, "100 to below 110");
    assert_int_equal(s.n_bars, 10);
    sums(&s, &before, &after);
    assert_true(before == 90 && fabs(after - 90) < 1e-6);
    assert_true(s.bars[2].after > 30); /* thirty means of 30.5 */
    shoal_column_summary_clear(&s);
    assert_ok(summarise(&s, original, release, SHOAL_TYPE_NUMERIC, 1));
    assert_int_equal(s.n_bars, SHOAL_SUMMARY_BARS - 2);
    assert_string_equal(s.bars[s.n_bars - 1].label, "other values");
    sums(&s, &before, &after);
    assert_true(before == 90 && fabs(after - 90) < 1e-6);
    shoal_column_summary_clear(&s);
}

static void test_dates(void **state)
{
    (void)state;
    char original[2000] = "n,c\n";
    shoal_column_summary s;
    for (int i = 0; i < 28; i++) sprintf(original + strlen(original), "2024-02-%02d,a\n", 1 + i);
    assert_ok(summarise(&s, original, NULL, SHOAL_TYPE_DATE, 0));
    assert_true(s.n_bars >= 6 && s.n_bars <= SHOAL_SUMMARY_BARS);
    assert_int_equal(strncmp(s.bars[0].label, "2024-0", 6), 0);
    assert_non_null(strstr(s.bars[0].label, " to 2024-02-"));
    shoal_column_summary_clear(&s);
}

static shoal_status sweep(void)
{
    shoal_column_summary s;
    shoal_status status = summarise(&s, small, small_release, SHOAL_TYPE_NUMERIC, 1);
    if (status == SHOAL_OK) shoal_column_summary_clear(&s);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    assert_survives_allocation_failure(sweep());
}

static void test_refused(void **state)
{
    (void)state;
    shoal_column_summary s;
    assert_fails(summarise(&s, small, NULL, SHOAL_TYPE_NUMERIC, 7), SHOAL_EINVAL,
                 "no encoded column");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_small), cmocka_unit_test(test_ranges),
                                        cmocka_unit_test(test_dates),
                                        cmocka_unit_test(test_short_memory),
                                        cmocka_unit_test(test_refused) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
