/* SPDX-License-Identifier: Apache-2.0 */
/* test_recode.c - the published text of each kind of cell.
 * Covers: release_cell.c
 */
#include "publish/recode.h"
#include "release_fixture.h"

static const char zip_levels[] =
    "4350;435*;*\n4351;435*;*\n4352;435*;*\n4400;44**;*\n4401;44**;*\n";

static const column_spec columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, zip_levels, SHOAL_ON_MISSING_TOP },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
};

/* Text of (row, column) is as expected. */
static void assert_cell(const shoal_table *table, const shoal_grouping *grouping, uint64_t row,
                        size_t column, const char *expected)
{
    shoal_error err;
    char *text = NULL;
    assert_ok(shoal_release_cell(&text, table, grouping, row, column, &err));
    assert_string_equal(text, expected);
    shoal_string_free(text);
}

static void open_grouped(shoal_table **table, shoal_grouping **grouping, const char *text,
                         shoal_missing missing, const uint32_t *groups)
{
    shoal_error err;
    table_spec spec = { .text = text, .columns = columns, .n_columns = 3, .missing = missing };
    assert_ok(open_table(table, &spec, &err));
    assert_ok(group_rows(grouping, *table, groups, &err));
}

static void test_values_ranges_nodes_sets(void **state)
{
    (void)state;
    static const char text[] = "id,age,zip,job\n"
                               "1,17,4350,cook\n2,24,4352,a|b\n"
                               "3,30,4350,cook\n4,30,4350,cook\n"
                               "5,30,4400,cook\n6,31,4350,miner\n"
                               "7,30.5,4350,cook\n8,99,4351,a|b\n9,50,4350,miner\n"
                               "10,50,4350,miner\n";
    static const uint32_t groups[] = { 0, 0, 1, 1, 2, 2, 3, 3, 3, SHOAL_SUPPRESSED };
    shoal_table *table = NULL;
    shoal_grouping *grouping = NULL;
    open_grouped(&table, &grouping, text, SHOAL_MISSING_OWN_CATEGORY, groups);
    assert_cell(table, grouping, 0, 1, "[17..24]");
    assert_cell(table, grouping, 1, 2, "435*");
    assert_cell(table, grouping, 1, 3, "{a\\|b|cook}");
    assert_cell(table, grouping, 2, 1, "30");
    assert_cell(table, grouping, 2, 2, "4350");
    assert_cell(table, grouping, 2, 3, "cook");
    assert_cell(table, grouping, 4, 2, "*"); /* the root */
    assert_cell(table, grouping, 4, 3, "{cook|miner}");
    assert_cell(table, grouping, 6, 1, "[30.5..99]");
    assert_cell(table, grouping, 6, 3, "*"); /* the whole domain */
    assert_cell(table, grouping, 6, 0, "7"); /* passes through */
    for (size_t c = 1; c <= 3; c++) assert_cell(table, grouping, 9, c, "*");
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static const char text_with_nulls[] =
    "age,zip,job\n17,4350,cook\n,,\n24,4350,cook\n,,\n9,9999,x\n9,9999,x\n9,4350,y\n9,4351,z\n";
static const uint32_t groups_with_nulls[] = { 0, 0, 0, 1, 2, 2, 3, 3 };

static void test_missing_as_own_category(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    shoal_grouping *grouping = NULL;
    open_grouped(&table, &grouping, text_with_nulls, SHOAL_MISSING_OWN_CATEGORY, groups_with_nulls);
    assert_cell(table, grouping, 0, 0, "*"); /* numbers and a missing one */
    assert_cell(table, grouping, 0, 1, "*");
    assert_cell(table, grouping, 0, 2, "{cook|}"); /* the missing value is the last member */
    for (size_t c = 0; c < 3; c++) assert_cell(table, grouping, 3, c, "");
    assert_cell(table, grouping, 4, 1, "*"); /* known only as the root, also alone */
    assert_cell(table, grouping, 6, 1, "435*");
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_missing_as_wildcard(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    shoal_grouping *grouping = NULL;
    open_grouped(&table, &grouping, text_with_nulls, SHOAL_MISSING_WILDCARD, groups_with_nulls);
    assert_cell(table, grouping, 0, 0, "[17..24]");
    assert_cell(table, grouping, 0, 1, "4350");
    assert_cell(table, grouping, 0, 2, "cook");
    for (size_t c = 0; c < 3; c++) assert_cell(table, grouping, 1, c, "");
    /* its group has no value at all */
    for (size_t c = 0; c < 3; c++) assert_cell(table, grouping, 3, c, "");
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_missing_conservative(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    shoal_grouping *grouping = NULL;
    open_grouped(&table, &grouping, text_with_nulls, SHOAL_MISSING_CONSERVATIVE, groups_with_nulls);
    for (size_t c = 0; c < 3; c++) assert_cell(table, grouping, 0, c, "*");
    for (size_t c = 0; c < 3; c++) assert_cell(table, grouping, 3, c, "*");
    assert_cell(table, grouping, 6, 2, "{y|z}");
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_exact_nodes(void **state)
{
    (void)state;
    static const char text[] = "age,zip,job\n17,4350,cook\n17,4350,cook\n";
    static const uint32_t groups[] = { 0, 0 };
    shoal_table *table = NULL;
    shoal_grouping *grouping = NULL;
    open_grouped(&table, &grouping, text, SHOAL_MISSING_OWN_CATEGORY, groups);
    const shoal_hierarchy *tree = grouping->space.attrs[1].tree;
    uint32_t node = shoal_tree_find_node(tree, "435*", 4);
    grouping->cells[1] = (shoal_range){ SHOAL_CELL_NODE, node };
    assert_cell(table, grouping, 0, 1, "435*");
    grouping->cells[1] = (shoal_range){ SHOAL_CELL_NODE, tree->n_nodes - 1 };
    assert_cell(table, grouping, 0, 1, "*");
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* Each distinct text once, star first, loss by text; the same for any number of threads. */
static void test_dictionary_of_texts(void **state)
{
    (void)state;
    static const char text[] = "age,zip,job\n10,4350,a b\n20,4351,\" c\"\n10,4350,a b\n20,4351,\" "
                               "c\"\n10,4400,x\"y\n60,4401,x\"y\n";
    static const uint32_t groups[] = { 0, 0, 1, 1, 2, 2 };
    shoal_error err;
    shoal_table *table = NULL;
    shoal_grouping *grouping = NULL;
    open_grouped(&table, &grouping, text, SHOAL_MISSING_OWN_CATEGORY, groups);
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        shoal_recoding recoding;
        assert_ok(shoal_recoding_make(&recoding, grouping, ',', true, threads, &err));
        assert_int_equal(grouping->n_groups, 2); /* the first two publish the same */
        const shoal_recoded_column *age = &recoding.columns[0], *job = &recoding.columns[2];
        assert_int_equal(age->n_texts, 4); /* *, missing, two ranges */
        assert_string_equal(age->texts[SHOAL_TEXT_STAR].data, "*");
        assert_true(age->loss[SHOAL_TEXT_STAR] == 1);
        uint32_t narrow = shoal_recoded_text(&recoding, 0, 3);
        assert_string_equal(age->texts[narrow].data, "[10..20]");
        assert_true(age->loss[narrow] == 0.2);
        assert_string_equal(job->texts[shoal_recoded_text(&recoding, 2, 0)].data, "{ c|a b}");
        shoal_text quoted = job->csv[shoal_recoded_text(&recoding, 2, 4)];
        assert_int_equal(quoted.length, 6);
        assert_memory_equal(quoted.data, "\"x\"\"y\"", 6);
        shoal_text empty = job->csv[job->null_text];
        assert_int_equal(empty.length, 2); /* "" where an empty line would be no row */
        shoal_recoding_clear(&recoding);
    }
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_cells_outside(void **state)
{
    (void)state;
    static const char text[] = "name,age\nA,17\nB,17\n";
    static const column_spec two[] = { { "name", SHOAL_ROLE_IDENTIFIER, 0, NULL, 0 },
                                       { "age", SHOAL_ROLE_QUASI, 0, NULL, 0 } };
    static const uint32_t groups[] = { 0, 0 };
    shoal_error err;
    shoal_table *table = NULL;
    shoal_grouping *grouping = NULL;
    char *cell = NULL;
    table_spec spec = { .text = text, .columns = two, .n_columns = 2 };
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(group_rows(&grouping, table, groups, &err));
    assert_fails(shoal_release_cell(&cell, table, grouping, 0, 0, &err), SHOAL_EINVAL,
                 "'name' is not published");
    assert_fails(shoal_release_cell(&cell, table, grouping, 2, 1, &err), SHOAL_EINVAL, "outside");
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static shoal_status make_and_clear(const shoal_grouping *grouping)
{
    shoal_recoding recoding = { 0 };
    shoal_status status = shoal_recoding_make(&recoding, grouping, ',', true, 1, NULL);
    shoal_recoding_clear(&recoding);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    shoal_grouping *grouping = NULL;
    open_grouped(&table, &grouping, text_with_nulls, SHOAL_MISSING_OWN_CATEGORY, groups_with_nulls);
    assert_survives_allocation_failure(make_and_clear(grouping));
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_ranges_nodes_sets),
        cmocka_unit_test(test_missing_as_own_category),
        cmocka_unit_test(test_missing_as_wildcard),
        cmocka_unit_test(test_missing_conservative),
        cmocka_unit_test(test_exact_nodes),
        cmocka_unit_test(test_dictionary_of_texts),
        cmocka_unit_test(test_cells_outside),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("recode", tests, NULL, NULL);
}
