/* SPDX-License-Identifier: Apache-2.0 */
/* test_oka.c - rows move from full groups to those that lack some; frequent rows, any seed, no
 * time. */
#include "groups.h"

#define TREE_AB "a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n"

/*
 * The example of docs/algorithms/kmembers.md: ages 20, 21, 22, 60, 61, 62 and k = 3. Whichever two
 * rows are the seeds, a cluster that gets four rows or more gives up those furthest from its mean
 * until it has three, and the other takes them.
 */
static void test_ages(void **state)
{
    (void)state;
    const table_spec spec = { .csv = "age,x\n20,a\n21,b\n22,c\n60,d\n61,e\n62,f\n",
                              .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC } } };
    shoal_table *table = make_table(&spec);
    for (uint64_t seed = 0; seed < 40; seed++) {
        shoal_grouping *g = anonymize(table, "oka", 3, seed, 1);
        assert_valid_grouping(g, table, 3);
        assert_grouped(g, "aaabbb");
        shoal_grouping_free(g);
    }
    shoal_table_free(table);
}

/* Centres are means: 10, 20 and 90 have one at 40, so 90 goes first, although the cover would be
 * the same without 10. */
static void test_gives_up_the_furthest_from_the_mean(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "age,q\n10,a1\n20,a1\n90,a1\n0,b1\n",
        .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "q", .type = SHOAL_TYPE_CATEGORICAL, .levels = TREE_AB } }
    };
    shoal_table *table = make_table(&spec);
    int n_seen = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        shoal_grouping *g = anonymize(table, "oka", 2, seed, 1);
        assert_valid_grouping(g, table, 2);
        n_seen += g->group_of_row[0] == g->group_of_row[1] &&
                  g->group_of_row[2] == g->group_of_row[3];
        shoal_grouping_free(g);
    }
    assert_true(n_seen > 10);
    shoal_table_free(table);
}

/* Sizes are k to 2k-1 and more where equal tuples meet; all rows of a table of k are one group. */
static void test_sizes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        shoal_table *table = random_table(seed, 97);
        for (uint32_t k = 2; k <= 97; k = k * 2 + 1) {
            shoal_grouping *g = anonymize(table, "oka", k, seed, 1);
            assert_valid_grouping(g, table, k);
            assert_int_equal(g->n_suppressed, 0);
            assert_true(g->n_groups <= 97 / k);
            shoal_grouping_free(g);
        }
        shoal_table_free(table);
    }
}

/* Times that run out in the pass and among the moves. */
static void test_no_time(void **state)
{
    (void)state;
    shoal_table *table = random_table(22, 3000);
    for (int i = 0; i < 24; i++) {
        shoal_error err;
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = 7;
        options.algorithm = "oka";
        options.time_limit = 1e-8 * (double)(1 << i);
        shoal_grouping *grouping = NULL;
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_valid_grouping(grouping, table, 7);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ages),
        cmocka_unit_test(test_gives_up_the_furthest_from_the_mean),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_no_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
