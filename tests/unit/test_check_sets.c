/* SPDX-License-Identifier: Apache-2.0 */
/* test_check_sets.c - k over sets of columns, over combinations of columns, and over persons.
 *
 * Several tables are the smallest ones in which other tools were reported to go wrong: pairs of
 * keys left unprotected, strata smaller than k, several key combinations at once, gaps counted as
 * values, persons with several rows.
 */
#include "release_fixture.h"

#include <stdio.h>

static const column_spec columns[] = {
    { "a", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "b", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "c", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

static const column_spec with_persons[] = {
    { "id", SHOAL_ROLE_ENTITY, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "a", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "b", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

static shoal_set_options options_of(uint32_t k, uint32_t threads)
{
    shoal_set_options options = SHOAL_SET_OPTIONS_INIT;
    options.k = k;
    options.threads = threads;
    return options;
}

static shoal_table *open_text(const char *text, const column_spec *specs, size_t n,
                              shoal_missing missing)
{
    shoal_error err;
    shoal_table *table = NULL;
    table_spec spec = { .text = text, .columns = specs, .n_columns = n, .missing = missing };
    assert_ok(open_table(&table, &spec, &err));
    return table;
}

static shoal_set_result check_set(const shoal_table *table, const size_t *set, size_t n, uint32_t k)
{
    shoal_error err;
    shoal_set_result result;
    shoal_set_options options = options_of(k, 2);
    assert_ok(shoal_check_set(&result, table, set, n, &options, &err));
    return result;
}

/* Every value of a, b and c occurs four times, every pair twice, every triple once. */
static const char cube[] = "a,b,c\n0,0,0\n0,0,1\n0,1,0\n0,1,1\n1,0,0\n1,0,1\n1,1,0\n1,1,1\n";

static void test_sets_of_a_cube(void **state)
{
    (void)state;
    shoal_table *table = open_text(cube, columns, 3, SHOAL_MISSING_OWN_CATEGORY);
    static const size_t pair[] = { 0, 2 }, one[] = { 1 }, twice[] = { 1, 1 };
    assert_int_equal(check_set(table, NULL, 0, 2).min_group, 1);
    assert_int_equal(check_set(table, NULL, 0, 2).failing_rows, 8);
    assert_int_equal(check_set(table, pair, 2, 2).min_group, 2);
    assert_int_equal(check_set(table, pair, 2, 2).failing_groups, 0);
    assert_int_equal(check_set(table, pair, 2, 3).failing_groups, 4);
    assert_int_equal(check_set(table, one, 1, 3).min_group, 4);
    assert_int_equal(check_set(table, twice, 2, 3).n_groups, 2);
    shoal_table_free(table);
}

static shoal_subsets_result check_subsets(const shoal_table *table, uint32_t m, uint32_t k,
                                          uint32_t threads)
{
    shoal_error err;
    shoal_subsets_result result;
    shoal_set_options options = options_of(k, threads);
    assert_ok(shoal_check_subsets(&result, table, m, &options, &err));
    return result;
}

/* All triples hide among 2 in (a, b) and (a, c); only (b, c) leaves rows alone. A check that takes
   sets in turn and stops early or trusts single columns does not see it. */
static void test_pairs_left_unprotected(void **state)
{
    (void)state;
    shoal_table *table = open_text("a,b,c\nx,1,p\nx,1,q\nx,2,p\nx,2,q\nx,1,p\nx,2,q\n", columns, 3,
                                   SHOAL_MISSING_OWN_CATEGORY);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        shoal_subsets_result r = check_subsets(table, 2, 2, threads);
        assert_int_equal(r.n_columns, 2);
        assert_int_equal(r.n_sets, 3);
        assert_int_equal(r.n_failing, 1);
        assert_int_equal(r.worst[0], 1);
        assert_int_equal(r.worst[1], 2);
        assert_int_equal(r.worst_result.min_group, 1);
        assert_int_equal(r.worst_result.failing_rows, 2);
        assert_int_equal(r.n_listed, 1);
        assert_int_equal(r.listed[0], 1);
        assert_int_equal(r.listed_results[0].failing_groups, 2);
        shoal_subsets_clear(&r);
    }
    shoal_subsets_result r = check_subsets(table, 1, 3, 1);
    assert_int_equal(r.n_failing, 0);
    assert_int_equal(r.worst_result.min_group, 3);
    shoal_subsets_clear(&r);
    r = check_subsets(table, 9, 2, 1); /* more than there are: all together */
    assert_int_equal(r.n_columns, 3);
    assert_int_equal(r.n_sets, 1);
    assert_int_equal(r.worst_result.min_group, 1);
    shoal_subsets_clear(&r);
    shoal_table_free(table);
}

/* A region with two people cannot be 3-anonymous, whatever is done to the other columns. */
static void test_stratum_smaller_than_k(void **state)
{
    (void)state;
    shoal_table *table = open_text("a,b\nnorth,*\nnorth,*\nnorth,*\nsouth,*\nsouth,*\n", columns, 2,
                                   SHOAL_MISSING_OWN_CATEGORY);
    static const size_t stratum[] = { 0 }, other[] = { 1 };
    shoal_set_result r = check_set(table, stratum, 1, 3);
    assert_int_equal(r.min_group, 2);
    assert_int_equal(r.failing_groups, 1);
    assert_int_equal(r.failing_rows, 2);
    assert_int_equal(check_set(table, other, 1, 3).failing_groups, 0);
    assert_int_equal(check_set(table, NULL, 0, 3).failing_rows, 2);
    shoal_table_free(table);
}

/* Gaps left by local suppression: read as wildcards every row hides among two, read as a value of
 * their own it does not. */
static void test_gaps_as_own_category_are_not_2_anonymous(void **state)
{
    (void)state;
    static const char text[] = "a,b\nx,1\n,1\ny,2\ny,\n";
    shoal_table *wild = open_text(text, columns, 2, SHOAL_MISSING_WILDCARD);
    shoal_table *own = open_text(text, columns, 2, SHOAL_MISSING_OWN_CATEGORY);
    shoal_table *star = open_text(text, columns, 2, SHOAL_MISSING_CONSERVATIVE);
    assert_int_equal(check_set(wild, NULL, 0, 2).min_group, 2);
    assert_int_equal(check_set(wild, NULL, 0, 2).failing_rows, 0);
    assert_int_equal(check_set(own, NULL, 0, 2).min_group, 1);
    assert_int_equal(check_set(own, NULL, 0, 2).failing_rows, 4);
    assert_int_equal(check_set(star, NULL, 0, 2).failing_rows, 4);
    shoal_table_free(wild);
    shoal_table_free(own);
    shoal_table_free(star);
}

/* Both groups have three rows; the first is one patient with three visits. */
static void test_one_person_with_many_rows(void **state)
{
    (void)state;
    static const char text[] = "id,a,b\n7,x,1\n7,x,1\n7,x,1\n8,y,2\n9,y,2\n10,y,2\n8,y,2\n";
    shoal_table *table = open_text(text, with_persons, 3, SHOAL_MISSING_OWN_CATEGORY);
    shoal_set_result r = check_set(table, NULL, 0, 2);
    assert_int_equal(r.n_rows, 7);
    assert_int_equal(r.n_persons, 4);
    assert_int_equal(r.min_group, 1);
    assert_int_equal(r.failing_groups, 1);
    assert_int_equal(r.failing_rows, 3);
    shoal_table_free(table);
    table = open_text(text, with_persons + 1, 2, SHOAL_MISSING_OWN_CATEGORY);
    assert_int_equal(check_set(table, NULL, 0, 2).min_group, 3); /* as rows */
    shoal_table_free(table);
}

/* A person in two groups counts once where they become one. */
static void test_persons_are_not_added_up(void **state)
{
    (void)state;
    static const char text[] = "id,a,b\n1,x,1\n1,x,2\n2,x,1\n2,x,2\n";
    shoal_table *table = open_text(text, with_persons, 3, SHOAL_MISSING_OWN_CATEGORY);
    static const size_t a[] = { 1 };
    assert_int_equal(check_set(table, NULL, 0, 2).min_group, 2);
    assert_int_equal(check_set(table, a, 1, 3).min_group, 2);
    assert_int_equal(check_set(table, a, 1, 3).failing_groups, 1);
    shoal_table_free(table);
}

static void test_unnamed_persons_are_one(void **state)
{
    (void)state;
    shoal_table *table = open_text("id,a,b\n,x,1\n,x,1\n5,x,1\n", with_persons, 3,
                                   SHOAL_MISSING_OWN_CATEGORY);
    assert_int_equal(check_set(table, NULL, 0, 2).min_group, 2);
    shoal_table_free(table);
}

static void test_refusals(void **state)
{
    (void)state;
    shoal_error err;
    shoal_set_result r;
    shoal_subsets_result all;
    shoal_set_options none = options_of(0, 1), two = options_of(2, 1), raw = { 0 };
    static const size_t absent[] = { 7 };
    shoal_table *table = open_text(cube, columns, 3, SHOAL_MISSING_OWN_CATEGORY);
    assert_fails(shoal_check_set(&r, table, NULL, 0, &none, &err), SHOAL_EINVAL, "k is 0");
    assert_fails(shoal_check_set(&r, table, NULL, 0, &raw, &err), SHOAL_EINVAL, "not initialised");
    assert_fails(shoal_check_set(&r, table, absent, 1, &two, &err), SHOAL_EINVAL,
                 "column 8 of a set");
    assert_fails(shoal_check_set(&r, table, absent, 0, &two, &err), SHOAL_EINVAL, "empty");
    assert_fails(shoal_check_subsets(&all, table, 0, &two, &err), SHOAL_EINVAL, "at least 1");
    shoal_table_free(table);
    table = open_text(cube, columns, 0, SHOAL_MISSING_OWN_CATEGORY);
    assert_fails(shoal_check_set(&r, table, NULL, 0, &two, &err), SHOAL_EINVAL,
                 "no quasi-identifier");
    shoal_table_free(table);
    table = open_text("id,a,b\n1,,1\n2,x,1\n", with_persons, 3, SHOAL_MISSING_WILDCARD);
    assert_fails(shoal_check_set(&r, table, NULL, 0, &two, &err), SHOAL_EINVAL,
                 "persons cannot be counted");
    shoal_table_free(table);
}

/* 30 over 15 is more than a million. */
static void test_too_many_combinations(void **state)
{
    (void)state;
    shoal_error err;
    shoal_buffer text = { 0 };
    column_spec many[30];
    char names[30][8];
    for (int c = 0; c < 30; c++) {
        snprintf(names[c], sizeof names[c], "c%d", c);
        many[c] = (column_spec){ names[c], SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 };
        shoal_buffer_print(&text, "%s%s", c > 0 ? "," : "", names[c]);
    }
    shoal_buffer_add(&text, "\n", 1);
    for (int c = 0; c < 30; c++) shoal_buffer_print(&text, "%s1", c > 0 ? "," : "");
    shoal_buffer_add(&text, "\n", 2);
    shoal_table *table = open_text(text.data, many, 30, SHOAL_MISSING_OWN_CATEGORY);
    shoal_subsets_result r;
    shoal_set_options options = options_of(2, 1);
    assert_fails(shoal_check_subsets(&r, table, 15, &options, &err), SHOAL_EINVAL,
                 "more than 1000000 combinations");
    r = check_subsets(table, 3, 2, 2);
    assert_int_equal(r.n_sets, 4060);
    assert_int_equal(r.n_failing, 4060);
    assert_int_equal(r.n_listed, SHOAL_SUBSETS_LISTED);
    assert_int_equal(r.worst[2], 2); /* all are as bad: the first */
    shoal_subsets_clear(&r);
    shoal_table_free(table);
    shoal_buffer_clear(&text);
}

static shoal_status subsets_status(const shoal_table *table)
{
    shoal_error err;
    shoal_subsets_result r = { 0 };
    shoal_set_options options = options_of(2, 1);
    shoal_status status = shoal_check_subsets(&r, table, 2, &options, &err);
    shoal_subsets_clear(&r);
    return status;
}

static shoal_status set_status(const shoal_table *table)
{
    shoal_error err;
    shoal_set_result r;
    shoal_set_options options = options_of(2, 1);
    return shoal_check_set(&r, table, NULL, 0, &options, &err);
}

static void test_memory(void **state)
{
    (void)state;
    shoal_table *table = open_text(cube, columns, 3, SHOAL_MISSING_OWN_CATEGORY);
    assert_survives_allocation_failure(subsets_status(table));
    assert_survives_allocation_failure(set_status(table));
    shoal_table_free(table);
    table = open_text("id,a,b\n1,x,1\n1,x,2\n2,x,1\n", with_persons, 3, SHOAL_MISSING_OWN_CATEGORY);
    assert_survives_allocation_failure(set_status(table));
    shoal_table_free(table);
    table = open_text("a,b\nx,1\n,1\ny,2\ny,\n", columns, 2, SHOAL_MISSING_WILDCARD);
    assert_survives_allocation_failure(set_status(table));
    shoal_table_free(table);
}

static int stop_now(const char *phase, double fraction, void *payload)
{
    (void)phase;
    (void)fraction;
    (void)payload;
    return 1;
}

static void test_stop(void **state)
{
    (void)state;
    shoal_error err;
    shoal_subsets_result r;
    shoal_table *table = open_text(cube, columns, 3, SHOAL_MISSING_OWN_CATEGORY);
    shoal_set_options options = options_of(2, 1);
    options.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(stop_now, NULL);
    assert_fails(shoal_check_subsets(&r, table, 2, &options, &err), SHOAL_ECANCELLED, "stopped");
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_of_a_cube),
        cmocka_unit_test(test_pairs_left_unprotected),
        cmocka_unit_test(test_stratum_smaller_than_k),
        cmocka_unit_test(test_gaps_as_own_category_are_not_2_anonymous),
        cmocka_unit_test(test_one_person_with_many_rows),
        cmocka_unit_test(test_persons_are_not_added_up),
        cmocka_unit_test(test_unnamed_persons_are_one),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_too_many_combinations),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_stop),
    };
    return cmocka_run_group_tests_name("check_sets", tests, NULL, NULL);
}
