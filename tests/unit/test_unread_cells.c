/* SPDX-License-Identifier: Apache-2.0 */
/* test_unread_cells.c - unreadable cells of a release: counted by column, and the error that names
 * the columns. */
#include "release_fixture.h"

#include <shoal/release.h>

static const column_spec columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, "a;x;*\nb;x;*\n", 0 },
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};
static const char original[] = "age,job,zip\n1,a,10\n2,b,11\n3,a,20\n4,b,21\n";
static const char readable[] =
    "age,job,zip\n[1..2],x,{10|11}\n[1..2],x,{10|11}\n[3..4],*,*\n[3..4],*,*\n";
static const char unreadable[] = "age,job,zip\n[1..2],x,1*\n[1..2],x,1*\nold,blue,2*\nold,*,*\n";

static void open_both(shoal_table **table, shoal_table **released, const char *text)
{
    shoal_error err;
    table_spec spec = { .text = original, .columns = columns, .n_columns = 3 };
    assert_ok(open_table(table, &spec, &err));
    assert_ok(shoal_released_open(released, text, strlen(text), *table, 1, &err));
}

static void test_readable(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL, *released = NULL;
    shoal_unread unread;
    open_both(&table, &released, readable);
    assert_ok(shoal_unread_find(&unread, table, released, NULL, 0, &err));
    assert_int_equal(unread.n_cells, 0);
    assert_int_equal(unread.n_columns, 0);
    assert_ok(shoal_unread_refuse(&unread, table, &err));
    shoal_unread_clear(&unread);
    shoal_table_free(released);
    shoal_table_free(table);
}

static void test_columns_are_named(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL, *released = NULL;
    shoal_unread unread;
    open_both(&table, &released, unreadable);
    assert_ok(shoal_unread_find(&unread, table, released, NULL, 0, &err));
    assert_int_equal(unread.n_cells, 6);
    assert_int_equal(unread.n_columns, 3);
    assert_int_equal(unread.cells[0], 2);
    assert_int_equal(unread.cells[1], 1);
    assert_int_equal(unread.cells[2], 3);
    assert_int_equal(unread.columns[2], 2);
    assert_int_equal(shoal_unread_refuse(&unread, table, &err), SHOAL_EDATA);
    assert_non_null(strstr(err.message, "6 published cells"));
    /* job has one, without that label */
    assert_non_null(strstr(err.message, "'job' (1), 'zip' (3, no hierarchy)"));
    assert_null(strstr(err.message, "blue")); /* no cell */
    assert_non_null(strstr(err.fix, "--allow-unread"));
    shoal_unread_clear(&unread);
    size_t job = 1;
    assert_ok(shoal_unread_find(&unread, table, released, &job, 1, &err));
    assert_int_equal(unread.n_cells, 1);
    assert_int_equal(unread.columns[0], 1);
    assert_int_equal(shoal_unread_refuse(&unread, table, &err), SHOAL_EDATA);
    assert_null(strstr(err.fix, "job.csv")); /* its hierarchy is there */
    shoal_unread_clear(&unread);
    /* queries that ask for nothing */
    assert_ok(shoal_unread_find(&unread, table, released, &job, 0, &err));
    assert_int_equal(unread.n_cells, 0);
    shoal_table_free(released);
    shoal_table_free(table);
}

/* Names that do not fit are counted, and no name is cut in the middle of a character. */
static void test_many_long_names(void **state)
{
    (void)state;
    enum { N = 12, NAME = 200 };
    shoal_error err;
    static char text[N * (NAME + 8) + 64], release[sizeof text];
    shoal_table *table = NULL, *released = NULL;
    column_spec many[N];
    static char names[N][NAME];
    size_t n = 0;
    for (int i = 0; i < N; i++) {
        size_t used = (size_t)snprintf(names[i], NAME, "c%02d", i);
        while (used + 3 < NAME) used += (size_t)snprintf(names[i] + used, NAME - used, "\u00e4");
        many[i] = (column_spec){ names[i], SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 };
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i > 0 ? "," : "", names[i]);
    }
    memcpy(release, text, n);
    size_t m = n;
    for (int i = 0; i < N; i++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s1", i > 0 ? "," : "\n");
        m += (size_t)snprintf(release + m, sizeof release - m, "%s?", i > 0 ? "," : "\n");
    }
    snprintf(text + n, sizeof text - n, "\n");
    snprintf(release + m, sizeof release - m, "\n");
    table_spec spec = { .text = text, .columns = many, .n_columns = N };
    shoal_unread unread;
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(shoal_released_open(&released, release, strlen(release), table, 1, &err));
    assert_ok(shoal_unread_find(&unread, table, released, NULL, 0, &err));
    assert_int_equal(unread.n_columns, N);
    assert_int_equal(shoal_unread_refuse(&unread, table, &err), SHOAL_EDATA);
    assert_non_null(strstr(err.message, " more columns"));
    shoal_unread_clear(&unread);
    shoal_table_free(released);
    shoal_table_free(table);
}

static shoal_status find_with_less_memory(const shoal_table *table, const shoal_table *released)
{
    shoal_unread unread;
    shoal_status status = shoal_unread_find(&unread, table, released, NULL, 0, NULL);
    if (status == SHOAL_OK) shoal_unread_clear(&unread);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    shoal_table *table = NULL, *released = NULL;
    open_both(&table, &released, unreadable);
    assert_survives_allocation_failure(find_with_less_memory(table, released));
    shoal_table_free(released);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readable),
        cmocka_unit_test(test_columns_are_named),
        cmocka_unit_test(test_many_long_names),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("unread_cells", tests, NULL, NULL);
}
