/* SPDX-License-Identifier: Apache-2.0 */
/* test_check.c - counting published tuples, with missing values in each mode.
 * Covers: published_tuples.c, tuple_match.c
 */
#define _GNU_SOURCE
#include "files.h"
#include "release_fixture.h"

static const column_spec columns[] = {
    { "a", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "b", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "c", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

static shoal_check_result check_text(const char *text, size_t n_quasi, shoal_missing missing,
                                     uint32_t k, uint32_t threads)
{
    shoal_error err;
    shoal_table *table = NULL;
    shoal_check_result result;
    table_spec spec = {
        .text = text, .columns = columns, .n_columns = n_quasi, .missing = missing
    };
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(shoal_check(&result, table, k, threads, &err));
    shoal_table_free(table);
    return result;
}

static void test_counts(void **state)
{
    (void)state;
    static const char text[] =
        "a,s,b\nx,1,[1..2]\ny,2,3\nx,3,[1..2]\n*,4,*\ny,5,3\nx,6,[1..2]\n*,7,*\nz,8,3\n";
    shoal_check_result r = check_text(text, 2, SHOAL_MISSING_OWN_CATEGORY, 2, 1);
    assert_int_equal(r.n_rows, 8);
    assert_int_equal(r.n_groups, 4);
    assert_int_equal(r.min_group, 1);
    assert_int_equal(r.suppressed_rows, 2);
    assert_int_equal(r.failing_groups, 1);
    assert_int_equal(r.failing_rows, 1);
    r = check_text(text, 2, SHOAL_MISSING_OWN_CATEGORY, 3, 1);
    assert_int_equal(r.failing_groups, 3);
    assert_int_equal(r.failing_rows, 5); /* the suppressed rows are a group like any other */
}

/* Rows of a file that was written to since they were loaded say nothing about it. */
static void test_changed_file(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    shoal_check_result result;
    folder f = make_folder();
    const shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    put_text(in_folder(&f, "t"), "a,b\nx,1\nx,2\n");
    assert_ok(shoal_table_open_csv(&table, in_folder(&f, "t"), NULL, &err));
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_load(table, &options, &err));
    assert_ok(shoal_check(&result, table, 2, 1, &err));
    FILE *file = fopen(in_folder(&f, "t"), "r+b");
    fseek(file, 4, SEEK_SET);
    fputc('y', file);
    fclose(file);
    assert_fails(shoal_check(&result, table, 2, 1, &err), SHOAL_EIO,
                 "changed while it was being read");
    shoal_table_free(table);
    remove_folder(&f);
}

static const char text_with_missing[] = "a,b\nx,1\n,1\nx,\ny,2\n,2\n*,1\n*,1\n";

static void test_missing_is_own_category(void **state)
{
    (void)state;
    shoal_check_result r = check_text(text_with_missing, 2, SHOAL_MISSING_OWN_CATEGORY, 2, 1);
    assert_int_equal(r.n_groups, 6);
    assert_int_equal(r.min_group, 1);
    assert_int_equal(r.failing_rows, 5);
}

static void test_missing_is_wildcard(void **state)
{
    (void)state;
    /* (x,1): x1, ?1, x?. (?,1): x1, ?1, x?, *1, *1. (x,?): x1, ?1, x?, ?2. (y,2): y2, ?2. (?,2):
     * x?, y2, ?2. (*,1): ?1, *1, *1 */
    shoal_check_result r = check_text(text_with_missing, 2, SHOAL_MISSING_WILDCARD, 3, 1);
    assert_int_equal(r.n_groups, 6);
    assert_int_equal(r.min_group, 2);
    assert_int_equal(r.failing_groups, 1);
    assert_int_equal(r.failing_rows, 1);
    r = check_text(text_with_missing, 2, SHOAL_MISSING_WILDCARD, 4, 2);
    assert_int_equal(r.failing_rows, 5);
    r = check_text("a,b\n,\nx,1\ny,2\n", 2, SHOAL_MISSING_WILDCARD, 2, 1);
    assert_int_equal(r.min_group, 2); /* the row without values matches all three */
    assert_int_equal(r.failing_groups, 0);
}

static void test_missing_is_conservative(void **state)
{
    (void)state;
    shoal_check_result r = check_text(text_with_missing, 2, SHOAL_MISSING_CONSERVATIVE, 2, 1);
    assert_int_equal(r.n_groups, 6); /* (?,1) and (*,1) differ for a reader */
    assert_int_equal(r.failing_rows, 5);
    r = check_text("a,b\n*,2\n,2\n*,2\n", 2, SHOAL_MISSING_CONSERVATIVE, 2, 1);
    assert_int_equal(r.n_groups, 2);
    assert_int_equal(r.failing_rows, 1);
}

/* Against counting every pair of rows, on seeded random tables. */
static void test_wildcard_equals_all_pairs(void **state)
{
    (void)state;
    enum { N = 60, M = 3 };
    shoal_rng rng;
    shoal_rng_init(&rng, 7, 0);
    for (int round = 0; round < 40; round++) {
        uint64_t cells[N][M];
        shoal_buffer text = { 0 };
        shoal_buffer_print(&text, "a,b,c\n");
        for (int i = 0; i < N; i++) {
            for (int c = 0; c < M; c++) {
                cells[i][c] = shoal_rng_below(&rng, 4); /* 0 is missing */
                if (cells[i][c] > 0) shoal_buffer_print(&text, "v%d", (int)cells[i][c]);
                shoal_buffer_print(&text, "%s", c + 1 < M ? "," : "\n");
            }
        }
        uint64_t least = N, n_failing = 0;
        for (int i = 0; i < N; i++) {
            uint64_t n = 0;
            for (int j = 0; j < N; j++) {
                bool same = true;
                for (int c = 0; c < M; c++)
                    same = same &&
                           (cells[i][c] == 0 || cells[j][c] == 0 || cells[i][c] == cells[j][c]);
                n += same;
            }
            if (n < least) least = n;
            n_failing += n < 9;
        }
        shoal_check_result r = check_text(buffer_text(&text), M, SHOAL_MISSING_WILDCARD, 9,
                                          1 + (uint32_t)round % 2);
        assert_int_equal(r.min_group, least);
        assert_int_equal(r.failing_rows, n_failing);
        shoal_buffer_clear(&text);
    }
}

static void test_wrong_calls(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    shoal_check_result result;
    table_spec spec = { .text = "a,b\nx,1\n", .columns = columns, .n_columns = 0 };
    assert_ok(open_table(&table, &spec, &err));
    assert_fails(shoal_check(&result, table, 2, 1, &err), SHOAL_EINVAL, "no quasi-identifier");
    assert_fails(shoal_check(&result, table, 0, 1, &err), SHOAL_EINVAL, "k is 0");
    shoal_table_free(table);
}

static void test_no_rows(void **state)
{
    (void)state;
    shoal_check_result r = check_text("a,b\n", 2, SHOAL_MISSING_WILDCARD, 2, 1);
    assert_int_equal(r.n_rows, 0);
    assert_int_equal(r.min_group, 0);
}

static shoal_status check_with_less_memory(const shoal_table *table)
{
    shoal_check_result result;
    return shoal_check(&result, table, 2, 1, NULL);
}

static void test_allocation_failure(void **state)
{
    (void)state;
    for (int mode = SHOAL_MISSING_OWN_CATEGORY; mode <= SHOAL_MISSING_CONSERVATIVE; mode++) {
        shoal_error err;
        shoal_table *table = NULL;
        table_spec spec = { .text = text_with_missing,
                            .columns = columns,
                            .n_columns = 2,
                            .missing = (shoal_missing)mode };
        assert_ok(open_table(&table, &spec, &err));
        assert_survives_allocation_failure(check_with_less_memory(table));
        shoal_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_changed_file),
        cmocka_unit_test(test_missing_is_own_category),
        cmocka_unit_test(test_missing_is_wildcard),
        cmocka_unit_test(test_missing_is_conservative),
        cmocka_unit_test(test_wildcard_equals_all_pairs),
        cmocka_unit_test(test_wrong_calls),
        cmocka_unit_test(test_no_rows),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
