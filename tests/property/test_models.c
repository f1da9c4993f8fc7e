/* SPDX-License-Identifier: Apache-2.0 */
/* test_models.c - every method under every privacy model, on random tables: it holds in every group, or the program says no.
 *
 * Whether a model holds is worked out here from rows and values, not by the code under test.
 */
#include "groups.h"

enum { TABLES = 40 };

typedef struct demand {
    shoal_model_spec specs[2];
    size_t n;
} demand;

static const demand demands[] = {
    { { { "l-diversity", "distinct:2", "illness" } }, 1 },
    { { { "l-diversity", "distinct:3", NULL } }, 1 },
    { { { "l-diversity", "distinct:3", "illness" }, { "l-diversity", "distinct:5", "income" } }, 2 },
};

/* Distinct values of a column in a group. */
static uint32_t count_distinct(const shoal_grouping *grouping, const shoal_table *table, size_t column, uint32_t group)
{
    uint32_t n = 0;
    for (uint32_t value = 0; value < shoal_table_n_values(table, column); value++) {
        bool is_there = false;
        for (uint64_t row = 0; row < shoal_grouping_n_rows(grouping) && !is_there; row++)
            is_there = shoal_grouping_group(grouping, row) == group && shoal_table_code(table, column, row) == value;
        n += is_there;
    }
    return n;
}

static void assert_holds(const shoal_grouping *grouping, const shoal_table *table, const shoal_model_spec *spec)
{
    uint32_t l = (uint32_t)atoi(strchr(spec->value, ':') + 1);
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        if (shoal_table_role(table, c) != SHOAL_ROLE_SENSITIVE) continue;
        if (spec->column != NULL && strcmp(spec->column, shoal_table_column_name(table, c)) != 0) continue;
        for (uint32_t g = 0; g < shoal_grouping_n_groups(grouping); g++)
            assert_true(count_distinct(grouping, table, c, g) >= l);
    }
}

static void check(const shoal_table *table, const char *algorithm, const demand *asked, uint64_t seed)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_anonymize_options options = SHOAL_ANONYMIZE_OPTIONS_INIT;
    options.k = 3;
    options.seed = seed;
    options.algorithm = algorithm;
    options.models = asked->specs;
    options.n_models = asked->n;
    shoal_status status = shoal_anonymize(&grouping, table, &options, &err);
    if (status == SHOAL_EUNSAT) return;
    assert_ok(status);
    assert_valid_grouping(grouping, table, 3);
    for (size_t s = 0; s < asked->n; s++) assert_holds(grouping, table, &asked->specs[s]);
    shoal_grouping_free(grouping);
}

static void test_every_method_under_every_model(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        shoal_table *table = random_table(seed, 40 + 5 * (uint32_t)seed);
        for (size_t i = 0; i < shoal_algorithm_count(); i++)
            for (size_t d = 0; d < sizeof demands / sizeof *demands; d++)
                check(table, shoal_algorithm_name(i), &demands[d], seed);
        shoal_table_free(table);
    }
}

/* A person with several rows counts once. */
static void test_persons_are_counted_not_rows(void **state)
{
    (void)state;
    shoal_buffer csv = { 0 };
    shoal_buffer_print(&csv, "id,age,sex,label\n");
    for (int row = 0; row < 120; row++) shoal_buffer_print(&csv, "p%d,%d,%c,%c\n", row / 4, 20 + row / 6, "fm"[row % 2], "yn"[row % 3 == 0]);
    shoal_buffer_add(&csv, "", 1);
    table_spec spec = { .csv = csv.data, .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC }, { .name = "sex", .type = SHOAL_TYPE_CATEGORICAL }, { .name = "id", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_ENTITY }, { .name = "label", .type = SHOAL_TYPE_CATEGORICAL, .role = SHOAL_ROLE_CLASS } } };
    shoal_table *table = make_table(&spec);
    size_t id = shoal_table_find_column(table, "id");
    for (size_t i = 0; i < shoal_algorithm_count(); i++) {
        shoal_grouping *grouping = anonymize(table, shoal_algorithm_name(i), 4, 1, 1);
        for (uint32_t g = 0; g < shoal_grouping_n_groups(grouping); g++) assert_true(count_distinct(grouping, table, id, g) >= 4);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
    shoal_buffer_clear(&csv);
}

static void test_what_no_table_can_give_is_refused(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(4, 60);
    shoal_grouping *grouping = NULL;
    shoal_anonymize_options options = SHOAL_ANONYMIZE_OPTIONS_INIT;
    shoal_model_spec spec = { "l-diversity", "distinct:6", "illness" };
    options.k = 3;
    options.models = &spec;
    options.n_models = 1;
    assert_fails(shoal_anonymize(&grouping, table, &options, &err), SHOAL_EUNSAT, "illness");
    spec.value = "distinct:2.5";
    assert_fails(shoal_anonymize(&grouping, table, &options, &err), SHOAL_EINVAL, "whole");
    spec.value = "distinkt:2";
    assert_fails(shoal_anonymize(&grouping, table, &options, &err), SHOAL_EINVAL, "distinct:L");
    spec.value = "distinct:2";
    spec.column = "x";
    assert_fails(shoal_anonymize(&grouping, table, &options, &err), SHOAL_EINVAL, "not sensitive");
    spec.name = "z-diversity";
    spec.column = NULL;
    assert_fails(shoal_anonymize(&grouping, table, &options, &err), SHOAL_EINVAL, "no privacy model");
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_under_every_model),
        cmocka_unit_test(test_persons_are_counted_not_rows),
        cmocka_unit_test(test_what_no_table_can_give_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
