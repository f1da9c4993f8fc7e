/* SPDX-License-Identifier: Apache-2.0 */
/* test_datafly.c - Datafly step by step: the column with the most distinct values goes up first. */
#include "levels.h"

static const char birth[] =
    "1964-09-27;1964;*\n1964-09-29;1964;*\n1965-02-14;1965;*\n1965-05-01;1965;*\n";
static const char race[] = "asian;person;*\nblack;person;*\nwhite;person;*\n";
static const char zip[] = "02138;0213*;*\n02139;0213*;*\n02141;0214*;*\n02142;0214*;*\n";

static const table_spec patients = {
    .csv = "race,birth,sex,zip\n"
           "asian,1964-09-27,f,02139\n"
           "asian,1964-09-29,f,02139\n"
           "asian,1964-09-27,m,02138\n"
           "asian,1964-09-29,m,02138\n"
           "black,1965-02-14,f,02141\n"
           "black,1965-05-01,f,02142\n",
    .columns = { { "race", SHOAL_TYPE_CATEGORICAL, race, 0, 0 },
                 { "birth", SHOAL_TYPE_CATEGORICAL, birth, 0, 0 },
                 { "sex", SHOAL_TYPE_CATEGORICAL, NULL, 0, 0 },
                 { "zip", SHOAL_TYPE_CATEGORICAL, zip, 0, 0 } },
};

static shoal_grouping *run(const shoal_table *table, uint32_t k, const char *suppression)
{
    shoal_error err;
    shoal_param param = { "suppression", suppression };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.algorithm = "datafly";
    options.params = &param;
    options.n_params = 1;
    shoal_grouping *grouping = NULL;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    assert_valid_grouping(grouping, table, k);
    return grouping;
}

static void assert_levels(const shoal_grouping *grouping, uint32_t r, uint32_t b, uint32_t s,
                          uint32_t z)
{
    const uint32_t expected[] = { r, b, s, z };
    for (uint32_t a = 0; a < 4; a++)
        assert_int_equal(shoal_grouping_level(grouping, a), expected[a]);
    assert_int_equal(shoal_grouping_height(grouping, 1), 2);
    assert_int_equal(shoal_grouping_level(grouping, 4), SHOAL_NO_LEVEL);
}

/* Birth and zip have four values each; birth was named first. One step makes years, then zip goes
 * up: three pairs. */
static void test_most_distinct_first(void **state)
{
    (void)state;
    shoal_table *table = make_table(&patients);
    shoal_grouping *grouping = run(table, 2, "0");
    assert_levels(grouping, 0, 1, 0, 1);
    assert_grouped(grouping, "aabbcc");
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* After years the two black women alone stand out: two of six rows. Suppressing them ends it
 * sooner. */
static void test_suppression_ends_it_sooner(void **state)
{
    (void)state;
    shoal_table *table = make_table(&patients);
    shoal_grouping *grouping = run(table, 2, "0.34");
    assert_levels(grouping, 0, 1, 0, 0);
    assert_int_equal(grouping->n_suppressed, 2);
    assert_int_equal(grouping->group_of_row[4], SHOAL_SUPPRESSED);
    shoal_grouping_free(grouping);
    grouping = run(table, 2, "0.33"); /* one row: the two may not go */
    assert_levels(grouping, 0, 1, 0, 1);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* One row that stands out needs company: the smallest other group goes with it, if both may. */
static void test_suppressed_rows_hide_among_k(void **state)
{
    (void)state;
    table_spec spec = { .csv = "s\na\na\na\nb\nb\nc\n",
                        .columns = { { "s", SHOAL_TYPE_CATEGORICAL, NULL, 0, 0 } } };
    shoal_table *table = make_table(&spec);
    shoal_grouping *grouping = run(table, 2, "0.5");
    assert_int_equal(shoal_grouping_level(grouping, 0), 0);
    assert_int_equal(grouping->n_suppressed, 3); /* c and both b */
    assert_int_equal(grouping->n_groups, 1);
    shoal_grouping_free(grouping);
    grouping = run(table, 2, "0.4"); /* two rows: c may go, b with it may not */
    assert_int_equal(shoal_grouping_level(grouping, 0), 1);
    assert_int_equal(grouping->n_suppressed, 0);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_wrong_suppression(void **state)
{
    (void)state;
    shoal_error err;
    static const char *const wrong[] = { "-0.1", "1.01", "much", "", "nan" };
    shoal_table *table = make_table(&patients);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        shoal_param param = { "suppression", wrong[i] };
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = 2;
        options.algorithm = "datafly";
        options.params = &param;
        options.n_params = 1;
        shoal_grouping *grouping = NULL;
        assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL,
                     "suppression must be a");
    }
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_most_distinct_first),
        cmocka_unit_test(test_suppression_ends_it_sooner),
        cmocka_unit_test(test_suppressed_rows_hide_among_k),
        cmocka_unit_test(test_wrong_suppression),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
