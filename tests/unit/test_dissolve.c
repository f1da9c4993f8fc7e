/* SPDX-License-Identifier: Apache-2.0 */
/* test_dissolve.c - rows that exceed a multiple of k return to their own class instead of forming a
 * group that loses something. */
#include "groups.h"

/* Ten values, each more than k times, none of them a multiple of k. */
static shoal_table *make_dense(uint32_t k)
{
    static char csv[10 * 64 * 4 + 64];
    char *at = csv + sprintf(csv, "job\n");
    for (uint32_t v = 0; v < 10; v++)
        for (uint32_t i = 0; i < 5 * k + 1; i++) at += sprintf(at, "j%u\n", v);
    return make_table(&(table_spec){
        .csv = csv, .columns = { { .name = "job", .type = SHOAL_TYPE_CATEGORICAL } } });
}

static shoal_status run(shoal_grouping **out, const shoal_table *table, const char *effort,
                        uint32_t k)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    const shoal_param params[] = { { "effort", effort } };
    options.k = k;
    options.algorithm = "shoal";
    options.params = params;
    options.n_params = 1;
    return shoal_anonymize(out, table, &options, NULL, NULL);
}

static void test_dense_tables_lose_nothing(void **state)
{
    (void)state;
    static const char *efforts[] = { "0", "1", "2", "5", "9" };
    for (uint32_t k = 2; k <= 12; k++) {
        shoal_table *table = make_dense(k);
        for (size_t e = 0; e < sizeof efforts / sizeof *efforts; e++) {
            shoal_grouping *grouping = NULL;
            assert_int_equal(run(&grouping, table, efforts[e], k), SHOAL_OK);
            assert_int_equal(shoal_grouping_n_groups(grouping), 10);
            shoal_grouping_free(grouping);
        }
        shoal_table_free(table);
    }
}

static shoal_status run_once(const shoal_table *table)
{
    shoal_grouping *grouping = NULL;
    shoal_status status = run(&grouping, table, "1", 4);
    shoal_grouping_free(grouping);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_table *table = make_dense(4);
    assert_survives_allocation_failure(run_once(table));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense_tables_lose_nothing),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
