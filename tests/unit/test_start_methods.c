/* SPDX-License-Identifier: Apache-2.0 */
/* test_start_methods.c - rows that the default method had no time for are grouped by Mondrian, not
 * lumped together. */
#include "groups.h"

enum { N_ROWS = 120 };

static shoal_table *make_people(void)
{
    static char csv[N_ROWS * 16 + 64];
    char *at = csv + sprintf(csv, "age,job\n");
    for (int i = 0; i < N_ROWS; i++) at += sprintf(at, "%d,j%d\n", i * 37 % 61, i * 11 % 7);
    return make_table(
        &(table_spec){ .csv = csv,
                       .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                                    { .name = "job", .type = SHOAL_TYPE_CATEGORICAL } } });
}

static shoal_status run(shoal_grouping **out, const shoal_table *table, const char *algorithm,
                        uint32_t k, double time_limit)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.algorithm = algorithm;
    options.time_limit = time_limit;
    return shoal_anonymize(out, table, &options, NULL, NULL);
}

/* With no time at all every row is left to Mondrian, for small k (groups) and large k (boxes). */
static void test_no_time_is_mondrian(void **state)
{
    (void)state;
    static const uint32_t ks[] = { 2, 5, 40 };
    shoal_table *table = make_people();
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        shoal_grouping *hurried = NULL, *mondrian = NULL;
        assert_int_equal(run(&hurried, table, "shoal", ks[i], 1e-9), SHOAL_OK);
        assert_int_equal(run(&mondrian, table, "mondrian", ks[i], 0), SHOAL_OK);
        assert_true(shoal_grouping_stopped_early(hurried));
        assert_false(shoal_grouping_stopped_early(mondrian));
        assert_true(shoal_grouping_n_groups(hurried) > 1);
        for (uint64_t row = 0; row < N_ROWS; row++)
            assert_int_equal(shoal_grouping_group(hurried, row),
                             shoal_grouping_group(mondrian, row));
        shoal_grouping_free(hurried);
        shoal_grouping_free(mondrian);
    }
    shoal_table_free(table);
}

static shoal_status run_hurried(const shoal_table *table)
{
    shoal_grouping *grouping = NULL;
    shoal_status status = run(&grouping, table, "shoal", 5, 1e-9);
    shoal_grouping_free(grouping);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_table *table = make_people();
    assert_survives_allocation_failure(run_hurried(table));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_time_is_mondrian),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
