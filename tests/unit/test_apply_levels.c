/* SPDX-License-Identifier: Apache-2.0 */
/* test_apply_levels.c - levels learnt on one table, applied to another: groups, suppression,
 * refusals. */
#include "levels.h"
#include "publish/publish.h"
#include "method/registry.h"

static const table_spec people = {
    .csv = "zip,age,x\n11,30,1\n12,35,1\n11,62,1\n21,61,1\n22,60,1\n23,33,1\n",
    .columns = { { .name = "zip",
                   .type = SHOAL_TYPE_CATEGORICAL,
                   .levels = "11;1*;*\n12;1*;*\n13;1*;*\n21;2*;*\n22;2*;*\n23;2*;*\n" },
                 { .name = "age",
                   .type = SHOAL_TYPE_NUMERIC,
                   .levels = "30;30-39;*\n33;30-39;*\n35;30-39;*\n60;60-69;*\n61;60-69;*\n62;60-69;"
                             "*\n" } },
};

static shoal_status apply_choices(shoal_grouping **out, const shoal_table *table,
                                  const shoal_level_choice *choices, size_t n, uint32_t k,
                                  shoal_error *err)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.threads = 2;
    options.levels = choices;
    options.n_levels = n;
    return shoal_apply_levels(out, table, &options, err);
}

static shoal_status apply(shoal_grouping **out, const shoal_table *table, uint32_t zip,
                          uint32_t age, uint32_t k, shoal_error *err)
{
    /* the order does not matter */
    const shoal_level_choice choices[] = { { "age", age, 2 }, { "zip", zip, SHOAL_NO_LEVEL } };
    return apply_choices(out, table, choices, 2, k, err);
}

static void assert_cell(const shoal_table *table, const shoal_grouping *grouping, uint64_t row,
                        size_t column, const char *text)
{
    shoal_error err;
    char *cell = NULL;
    assert_ok(shoal_release_cell(&cell, table, grouping, row, column, &err));
    assert_string_equal(cell, text);
    shoal_string_free(cell);
}

static void test_every_row_is_kept_without_k(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = make_table(&people);
    shoal_grouping *grouping = NULL;
    assert_ok(apply(&grouping, table, 1, 1, 0, &err));
    assert_valid_grouping(grouping, table, 1);
    assert_grouped(grouping, "aabccd");
    assert_int_equal(grouping->n_suppressed, 0);
    assert_int_equal(shoal_grouping_level(grouping, 0), 1);
    assert_cell(table, grouping, 2, 0, "1*");
    assert_cell(table, grouping, 2, 1, "60-69");
    shoal_grouping_free(grouping);
    assert_ok(apply(&grouping, table, 0, 2, 0, &err));
    assert_grouped(grouping, "abacde");
    assert_cell(table, grouping, 0, 1, "*");
    assert_cell(table, grouping, 0, 0, "11");
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_k_suppresses(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = make_table(&people);
    shoal_grouping *grouping = NULL;
    assert_ok(apply(&grouping, table, 1, 1, 2, &err)); /* rows 2 and 5 are alone, and two */
    assert_valid_grouping(grouping, table, 2);
    assert_int_equal(grouping->n_suppressed, 2);
    assert_int_equal(grouping->group_of_row[2], SHOAL_SUPPRESSED);
    assert_cell(table, grouping, 5, 0, "*");
    shoal_grouping_free(grouping);
    assert_ok(apply(&grouping, table, 1, 1, 3, &err)); /* all groups are too small */
    assert_int_equal(grouping->n_suppressed, 6);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* Rows that are left out need not hide each other; but some must be left. */
static void test_left_out_rows_may_be_few(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = make_table(&people);
    shoal_grouping *grouping = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    const shoal_level_choice choices[] = { { "age", 1, 2 }, { "zip", 2, 2 } }; /* three rows each */
    options.k = 2;
    options.drop_suppressed = true;
    options.levels = (const shoal_level_choice[]){ { "age", 1, 2 }, { "zip", 1, 2 } };
    options.n_levels = 2;
    assert_ok(shoal_apply_levels(&grouping, table, &options, &err));
    options.levels = choices;
    assert_int_equal(grouping->n_suppressed, 2);
    shoal_grouping_free(grouping);
    options.k = 4;
    grouping = NULL;
    assert_fails(shoal_apply_levels(&grouping, table, &options, &err), SHOAL_EUNSAT,
                 "all rows would be suppressed");
    options.size = 0;
    assert_fails(shoal_apply_levels(&grouping, table, &options, &err), SHOAL_EINVAL,
                 "not initialised");
    assert_null(grouping);
    shoal_table_free(table);
}

/* What a full-domain method made of a table, its levels make again of the same table. */
static void test_the_same_table_gives_the_same_release(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < 40; seed++) {
        shoal_table *table = random_table(seed, 80);
        shoal_grouping *learnt = anonymize(table, "iack", 3, 0, 1), *again = NULL;
        shoal_level_choice choices[DRAFT_COLUMNS];
        uint32_t n = learnt->space.n_attrs;
        for (uint32_t a = 0; a < n; a++)
            choices[a] = (shoal_level_choice){ learnt->space.attrs[a].source->name,
                                               shoal_grouping_level(learnt, a),
                                               shoal_grouping_height(learnt, a) };
        assert_ok(apply_choices(&again, table, choices, n, 3, &err));
        assert_same_grouping(learnt, again);
        shoal_grouping_free(learnt);
        shoal_grouping_free(again);
        shoal_table_free(table);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = make_table(&people);
    shoal_grouping *grouping = NULL;
    assert_fails(apply(&grouping, table, 3, 1, 0, &err), SHOAL_EINVAL,
                 "'zip': level 3 is above the highest level 2");
    assert_fails(apply(&grouping, table, 1, 1, 7, &err), SHOAL_EUNSAT, "6 rows");
    const shoal_level_choice other_tree[] = { { "age", 1, 4 }, { "zip", 1, 2 } },
                             lacking[] = { { "age", 1, 2 } },
                             stranger[] = { { "age", 1, 2 }, { "zip", 1, 2 }, { "x", 0, 1 } };
    assert_fails(apply_choices(&grouping, table, other_tree, 2, 0, &err), SHOAL_EINVAL,
                 "4 levels above the values, but this one has 2");
    assert_fails(apply_choices(&grouping, table, lacking, 1, 0, &err), SHOAL_EINVAL,
                 "no level for quasi-identifier 'zip'");
    assert_fails(apply_choices(&grouping, table, stranger, 3, 0, &err), SHOAL_EINVAL,
                 "'x', which is not a quasi-identifier");
    assert_null(grouping);
    shoal_table_free(table);
}

static shoal_status apply_and_free(const shoal_table *table)
{
    shoal_grouping *grouping = NULL;
    shoal_status status = apply(&grouping, table, 1, 1, 2, NULL);
    shoal_grouping_free(grouping);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_table *table = make_table(&people);
    assert_survives_allocation_failure(apply_and_free(table));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_kept_without_k),
        cmocka_unit_test(test_k_suppresses),
        cmocka_unit_test(test_left_out_rows_may_be_few),
        cmocka_unit_test(test_the_same_table_gives_the_same_release),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
