/* SPDX-License-Identifier: Apache-2.0 */
/* test_arrow_rows.c - some rows of an Arrow table as a table: values, nulls, roles, batches without
 * any of them. */
#include "arrow_streams.h"

#include "evaluate/memory_release.h"

static shoal_error err;
static const int64_t first_ages[] = { 20, 21, 22 }, middle_ages[] = { 30 },
                     last_ages[] = { 40, 41 };
static const char *const first_jobs[] = { "a", NULL, "b" }, *const middle_jobs[] = { "c" },
                         *const last_jobs[] = { "a", "d" };
static const column first[] = { { .name = "age", .format = "l", .values = first_ages },
                                { .name = "job", .format = "u", .texts = first_jobs } };
static const column middle[] = { { .name = "age", .format = "l", .values = middle_ages },
                                 { .name = "job", .format = "u", .texts = middle_jobs } };
static const column last[] = { { .name = "age", .format = "l", .values = last_ages },
                               { .name = "job", .format = "u", .texts = last_jobs } };
static const batch batches[] = { { first, 3, 0 }, { middle, 1, 0 }, { last, 2, 0 } };

static shoal_status open_all(shoal_table **out)
{
    producer p = { .batches = batches, .n_batches = 3, .n_columns = 2 };
    struct ArrowArrayStream stream = make_stream(&p);
    shoal_table *table = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_arrow(&table, &stream, &err));
    shoal_status status = shoal_table_set_role(table, 1, SHOAL_ROLE_QUASI, &err);
    if (status == SHOAL_OK) status = shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err);
    if (status == SHOAL_OK) status = shoal_table_load(table, NULL, &err);
    if (status == SHOAL_OK)
        *out = table;
    else
        shoal_table_free(table);
    return status;
}

static shoal_status take(shoal_table **out, const uint32_t *rows, size_t n)
{
    shoal_table *table = NULL;
    shoal_buffer unused = { 0 };
    SHOAL_RETURN_IF_ERROR(open_all(&table));
    shoal_status status = shoal_table_take_rows(out, &unused, table, rows, n, 1, &err);
    shoal_table_free(table); /* the part stands alone */
    return status;
}

static void assert_cell(const shoal_table *table, size_t c, uint64_t row, const char *expected)
{
    size_t length;
    const char *text = shoal_table_value(table, c, shoal_table_code(table, c, row), &length);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(text, expected, length);
}

static void test_rows(void **state)
{
    (void)state;
    static const uint32_t rows[] = { 1, 2, 5 }; /* none of the middle batch */
    shoal_table *part = NULL;
    assert_ok(take(&part, rows, 3));
    assert_int_equal(shoal_table_n_rows(part), 3);
    assert_cell(part, 0, 0, "21");
    assert_cell(part, 0, 1, "22");
    assert_cell(part, 0, 2, "41");
    assert_int_equal(shoal_table_code(part, 1, 0), shoal_table_null_code(part, 1));
    assert_cell(part, 1, 1, "b");
    assert_cell(part, 1, 2, "d");
    assert_int_equal(shoal_table_type(part, 0), SHOAL_TYPE_NUMERIC);
    assert_int_equal(shoal_table_role(part, 1), SHOAL_ROLE_QUASI);
    shoal_table_free(part);
    assert_int_equal(n_live_structures, 0);
}

static shoal_status take_and_free(void)
{
    static const uint32_t rows[] = { 0, 3, 4 };
    shoal_table *part = NULL;
    shoal_status status = take(&part, rows, 3);
    shoal_table_free(part);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    assert_survives_allocation_failure(take_and_free());
    assert_int_equal(n_live_structures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows),
                                        cmocka_unit_test(test_allocation_failure) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
