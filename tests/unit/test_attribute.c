/* SPDX-License-Identifier: Apache-2.0 */
/* test_attribute.c - codes of attributes, missing values in each mode, values that a hierarchy
 * lacks, losses. */
#include "hierarchy/kind.h"
#include "oracle.h"

/* Of an attribute without sets. */
static double range_loss(const shoal_attribute *attr, uint32_t lo, uint32_t hi)
{
    return shoal_cover_loss(attr, (shoal_range){ lo, hi }, 0);
}

/* The postcodes of the worked example: 21 leaves below nodes of 6, 4 and 11. */
static const char *postcode_levels(void)
{
    static char text[1000];
    size_t used = 0;
    for (int i = 10; i <= 30; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "NW%d;NW[%s];*\n", i,
                                 i <= 15   ? "10-15"
                                 : i <= 19 ? "16-19"
                                           : "20-30");
    return text;
}

static const char colours[] = "red;warm;*\norange;warm;*\nblue;cold;*\ngreen;cold;*\nteal;cold;*\n";

static void test_numbers_are_coded_by_value(void **state)
{
    (void)state;
    shoal_table *table = make_table(
        &(table_spec){ .csv = "a,b\n10,x\n9,x\n100,x\n9,y\n",
                       .columns = { { .name = "a", .type = SHOAL_TYPE_NUMERIC } } });
    shoal_space space = make_space(table);
    const shoal_attribute *attr = &space.attrs[0];
    assert_int_equal(space.n_attrs, 1);
    assert_int_equal(space.n_words, 0);
    assert_ptr_equal(attr->kind, &shoal_kind_number);
    assert_int_equal(attr->n_plain, 3);
    assert_int_equal(attr->top_from, 3);
    assert_int_equal(attr->n_codes, 3);
    assert_int_equal(attr->wild_code, SHOAL_NO_CODE);
    const uint32_t expected[] = { 1, 0, 2, 0 };
    for (uint64_t row = 0; row < 4; row++)
        assert_int_equal(code_in_row(&space, 0, row), expected[row]);
    assert_near(range_loss(attr, 0, 1), 1 / 91.0, 1e-12);
    assert_near(range_loss(attr, 1, 2), 90 / 91.0, 1e-12);
    assert_near(range_loss(attr, 0, 2), 1, 1e-12);
    assert_near(range_loss(attr, 2, 2), 0, 0);
    assert_near(range_loss(attr, UINT32_MAX, 0), 0, 0);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_qids_keep_the_order_in_which_they_were_named(void **state)
{
    (void)state;
    shoal_table *table = make_table(
        &(table_spec){ .csv = "a,b,c\n1,x,p\n2,y,q\n",
                       .columns = { { .name = "c", .type = SHOAL_TYPE_CATEGORICAL },
                                    { .name = "a", .type = SHOAL_TYPE_NUMERIC } } });
    shoal_space space = make_space(table);
    assert_int_equal(space.n_attrs, 2);
    assert_int_equal(space.attrs[0].column, 2);
    assert_int_equal(space.attrs[1].column, 0);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* Definition 2.1 on the numbers of its oracle: ages in a column 30 wide, postcodes of 21 leaves. */
static void test_losses_of_the_worked_example(void **state)
{
    (void)state;
    shoal_table *table = make_table(
        &(table_spec){ .csv = "age,postcode\n20,NW10\n30,NW15\n35,NW20\n50,NW30\n",
                       .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                                    { .name = "postcode",
                                      .type = SHOAL_TYPE_CATEGORICAL,
                                      .levels = postcode_levels() } } });
    shoal_space space = make_space(table);
    const shoal_attribute *age = &space.attrs[0], *postcode = &space.attrs[1];
    assert_ptr_equal(postcode->kind, &shoal_kind_tree);
    assert_int_equal(postcode->n_plain, 21);
    uint32_t nw10 = code_of_text(postcode, "NW10"), nw15 = code_of_text(postcode, "NW15");
    uint32_t nw20 = code_of_text(postcode, "NW20"), nw30 = code_of_text(postcode, "NW30");
    assert_near(range_loss(age, 0, 1), 10 / 30.0, 1e-12);
    assert_near(range_loss(age, 2, 3), 15 / 30.0, 1e-12);
    assert_near(range_loss(postcode, nw10, nw15), 5 / 20.0, 1e-12);
    assert_near(range_loss(postcode, nw20, nw30), 10 / 20.0, 1e-12);
    assert_near(range_loss(postcode, nw15, nw20), 1, 1e-12);
    assert_near(range_loss(postcode, nw15, nw15), 0, 0);
    assert_int_equal(postcode->value_of_code[nw10 + 1], SHOAL_NO_CODE); /* no row has NW11 */
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* Levels of a number cost the width they stand for, wherever their leaves lie; text among them
 * makes it anything. */
static void test_levels_of_numbers_cost_their_width(void **state)
{
    (void)state;
    static const char levels[] =
        "1;low;low;*\n9;low;low;*\n10;ten;high;*\n11;tens;high;*\n21;tens;high;*\n"
        "50;far;high;*\n60;far;high;*\n30;odd;odd;*\nnone;odd;odd;*\n";
    static const struct {
        const char *label;
        double loss;
    } cases[] = { { "low", 4 / 20.0 },
                  { "ten", 0 },
                  { "tens", 10 / 20.0 },
                  { "high", 15 / 20.0 },
                  { "far", 0 },
                  { "odd", 1 },
                  { "*", 1 },
                  { "9", 0 } };
    shoal_table *table = make_table(&(table_spec){
        .csv = "n\n5\n9\n11\n21\n25\n",
        .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC, .levels = levels } } });
    shoal_space space = make_space(table);
    const shoal_attribute *n = &space.attrs[0];
    assert_ptr_equal(n->kind, &shoal_kind_number);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t node = shoal_tree_find_node(n->tree, cases[i].label, strlen(cases[i].label));
        assert_int_not_equal(node, SHOAL_NO_NODE);
        assert_near(shoal_node_loss(n, node), cases[i].loss, 1e-12);
    }
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_domain_of_the_data_counts_only_leaves_that_occur(void **state)
{
    (void)state;
    shoal_table *table = make_table(&(table_spec){
        .csv = "c,x\nred,1\nblue,1\nteal,1\nred,1\n",
        .columns = { { .name = "c", .type = SHOAL_TYPE_CATEGORICAL, .levels = colours } },
        .data_only = true });
    shoal_space space = make_space(table);
    const shoal_attribute *attr = &space.attrs[0];
    uint32_t red = code_of_text(attr, "red"), blue = code_of_text(attr, "blue"),
             teal = code_of_text(attr, "teal");
    /* 2 of 3; by the hierarchy 3 of 5 */
    assert_near(range_loss(attr, blue, teal), 1 / 2.0, 1e-12);
    assert_near(range_loss(attr, red, teal), 1, 1e-12);
    shoal_space_clear(&space);
    shoal_table_set_domain(table, false);
    space = make_space(table);
    assert_near(range_loss(&space.attrs[0], blue, teal), 2 / 4.0, 1e-12);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* Numbers, a set and a tree, each with missing values, in one mode. */
static shoal_table *table_with_nulls(shoal_missing mode, const char *levels)
{
    return make_table(&(table_spec){
        .csv = "n,s,t\n5,a,red\n?,?,?\n7,b,blue\n6,a,teal\n",
        .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "s", .type = SHOAL_TYPE_CATEGORICAL },
                     { .name = "t", .type = SHOAL_TYPE_CATEGORICAL, .levels = levels } },
        .null = "?",
        .missing = mode });
}

static void assert_line(const shoal_attribute *attr, uint32_t n_plain, uint32_t top_from,
                        uint32_t n_codes, uint32_t wild)
{
    assert_int_equal(attr->n_plain, n_plain);
    assert_int_equal(attr->top_from, top_from);
    assert_int_equal(attr->n_codes, n_codes);
    assert_int_equal(attr->wild_code, wild);
}

static void test_missing_as_a_category_of_its_own(void **state)
{
    (void)state;
    shoal_table *table = table_with_nulls(SHOAL_MISSING_OWN_CATEGORY, colours);
    shoal_space space = make_space(table);
    assert_line(&space.attrs[0], 3, 4, 4, SHOAL_NO_CODE);
    assert_line(&space.attrs[1], 3, 3, 3, SHOAL_NO_CODE); /* one more member */
    assert_line(&space.attrs[2], 5, 6, 6, SHOAL_NO_CODE);
    for (uint32_t a = 0; a < 3; a++)
        assert_int_equal(code_in_row(&space, a, 1), a == 0 ? 3 : a == 1 ? 2 : 5);
    assert_near(range_loss(&space.attrs[0], 3, 3), 0, 0); /* equal to itself */
    assert_near(range_loss(&space.attrs[0], 2, 3), 1, 0); /* with anything else: the root */
    assert_near(range_loss(&space.attrs[2], 5, 5), 0, 0);
    assert_near(range_loss(&space.attrs[2], 4, 5), 1, 0);
    assert_near(space.attrs[1].scale, 1 / 2.0, 0);
    /* |D| is 5 leaves and the missing value */
    assert_near(range_loss(&space.attrs[2], 0, 1), 1 / 5.0, 1e-12);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_a_hierarchy_may_hold_the_missing_value(void **state)
{
    (void)state;
    shoal_table *table = table_with_nulls(SHOAL_MISSING_OWN_CATEGORY,
                                          "red;warm;*\n?;warm;*\nblue;cold;*\nteal;cold;*\n");
    shoal_space space = make_space(table);
    assert_line(&space.attrs[2], 4, 4, 4, SHOAL_NO_CODE);
    uint32_t red = code_of_text(&space.attrs[2], "red"), missing = code_in_row(&space, 2, 1);
    assert_near(range_loss(&space.attrs[2], red, missing), 1 / 3.0, 1e-12);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_missing_may_be_anything(void **state)
{
    (void)state;
    shoal_table *table = table_with_nulls(SHOAL_MISSING_CONSERVATIVE, colours);
    shoal_space space = make_space(table);
    assert_line(&space.attrs[0], 3, 3, 4, SHOAL_NO_CODE);
    assert_line(&space.attrs[1], 2, 2, 3, SHOAL_NO_CODE);
    assert_line(&space.attrs[2], 5, 5, 6, SHOAL_NO_CODE);
    for (uint32_t a = 0; a < 3; a += 2) {
        uint32_t missing = code_in_row(&space, a, 1);
        assert_true(missing >= space.attrs[a].top_from);
        assert_near(range_loss(&space.attrs[a], missing, missing), 1, 0); /* even alone */
        assert_near(range_loss(&space.attrs[a], 0, missing), 1, 0);
    }
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_missing_matches_everything(void **state)
{
    (void)state;
    shoal_table *table = table_with_nulls(SHOAL_MISSING_WILDCARD, colours);
    shoal_space space = make_space(table);
    assert_line(&space.attrs[0], 3, 3, 4, 3);
    assert_line(&space.attrs[1], 2, 2, 3, 2);
    assert_line(&space.attrs[2], 5, 5, 6, 5);
    for (uint32_t a = 0; a < 3; a++)
        assert_int_equal(code_in_row(&space, a, 1), space.attrs[a].wild_code);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static const table_spec lacking = {
    .csv = "t,x\nred,1\nSECRET,1\nblue,1\nHIDDEN,1\nSECRET,1\n",
    .columns = { { .name = "t", .type = SHOAL_TYPE_CATEGORICAL, .levels = colours } },
};

static void test_a_lacking_value_is_an_error(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = make_table(&lacking);
    shoal_space space = { .n_attrs = 42 };
    assert_fails(shoal_space_make(&space, table, &err), SHOAL_EDATA, "column 't'");
    assert_int_equal(space.n_attrs, 42); /* untouched */
    assert_true(error_says(&err, "2 of its 4 distinct values"));
    assert_true(error_says(&err, "3 rows"));
    assert_true(error_says(&err, "row 4")); /* HIDDEN, the first of the two in the order of codes */
    assert_true(error_says(&err, "--on-missing"));
    assert_false(error_says(&err, "SECRET"));
    assert_false(error_says(&err, "HIDDEN"));
    shoal_table_free(table);
}

static void test_a_lacking_value_is_known_as_the_top(void **state)
{
    (void)state;
    table_spec spec = lacking;
    spec.columns[0].on_missing = SHOAL_ON_MISSING_TOP;
    shoal_table *table = make_table(&spec);
    shoal_space space = make_space(table);
    assert_line(&space.attrs[0], 5, 5, 6, SHOAL_NO_CODE);
    assert_int_equal(code_in_row(&space, 0, 1), 5);
    assert_int_equal(code_in_row(&space, 0, 3), 5); /* one code for all of them */
    assert_near(range_loss(&space.attrs[0], 5, 5), 1, 0);
    assert_near(range_loss(&space.attrs[0], 0, 1), 1 / 4.0, 1e-12);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_a_lacking_value_becomes_a_leaf(void **state)
{
    (void)state;
    table_spec spec = lacking;
    spec.columns[0].on_missing = SHOAL_ON_MISSING_OWN_LEAF;
    shoal_table *table = make_table(&spec);
    shoal_space space = make_space(table);
    const shoal_attribute *attr = &space.attrs[0];
    assert_line(attr, 5, 7, 7, SHOAL_NO_CODE);
    uint32_t secret = code_in_row(&space, 0, 1), hidden = code_in_row(&space, 0, 3);
    assert_true(secret >= 5 && hidden >= 5 && secret != hidden);
    assert_near(range_loss(attr, secret, secret), 0, 0);
    assert_near(range_loss(attr, 5, 6), 1, 0);
    assert_near(range_loss(attr, 0, 1), 1 / 6.0, 1e-12); /* |D| is 7 now */
    assert_near(range_loss(attr, 2, 4), 2 / 6.0, 1e-12);
    for (uint32_t v = 0; v < 4; v++)
        assert_int_equal(attr->value_of_code[attr->code_of_value[v]], v);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* Missing is wild, a lacking value is known as the top: two codes above the leaves. */
static void test_top_and_wild_side_by_side(void **state)
{
    (void)state;
    table_spec spec = lacking;
    spec.csv = "t,x\nred,1\n?,1\nblue,1\nHIDDEN,1\n";
    spec.null = "?";
    spec.missing = SHOAL_MISSING_WILDCARD;
    spec.columns[0].on_missing = SHOAL_ON_MISSING_TOP;
    shoal_table *table = make_table(&spec);
    shoal_space space = make_space(table);
    assert_line(&space.attrs[0], 5, 5, 7, 6);
    assert_int_equal(code_in_row(&space, 0, 1), 6);
    assert_int_equal(code_in_row(&space, 0, 3), 5);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_constant_columns_lose_nothing(void **state)
{
    (void)state;
    shoal_table *table = make_table(&(table_spec){
        .csv = "n,s,t\n5,a,red\n5,a,red\n",
        .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "s", .type = SHOAL_TYPE_CATEGORICAL },
                     { .name = "t", .type = SHOAL_TYPE_CATEGORICAL, .levels = colours } },
        .data_only = true });
    shoal_space space = make_space(table);
    assert_near(space.attrs[0].scale, 0, 0);
    assert_near(space.attrs[1].scale, 0, 0);
    for (uint32_t v = 0; v < space.attrs[2].tree->n_nodes; v++)
        assert_near(space.attrs[2].node_loss[v], 0, 0);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* Only one leaf occurs, yet a row that could be anything is published as `*`, and that costs 1. */
static void test_the_top_of_a_constant_column_costs_one(void **state)
{
    (void)state;
    shoal_table *table = make_table(&(table_spec){
        .csv = "t,x\nred,1\n?,1\n",
        .columns = { { .name = "t", .type = SHOAL_TYPE_CATEGORICAL, .levels = colours } },
        .null = "?",
        .missing = SHOAL_MISSING_CONSERVATIVE,
        .data_only = true });
    shoal_space space = make_space(table);
    const shoal_attribute *attr = &space.attrs[0];
    assert_near(range_loss(attr, attr->top_from, attr->top_from), 1, 0);
    assert_near(attr->node_loss[attr->tree->n_nodes - 1], 1, 0);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* The domain's width overflows a double, or its inverse does; shares of it are numbers all the
 * same. */
static void test_extreme_numbers_have_sound_losses(void **state)
{
    (void)state;
    const char *texts[] = { "n,x\n-1.6e308,1\n0,1\n1.6e308,1\n", "n,x\n0,1\n1e-310,1\n2e-310,1\n" };
    for (size_t i = 0; i < 2; i++) {
        shoal_table *table = make_table(&(table_spec){
            .csv = texts[i], .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC } } });
        shoal_space space = make_space(table);
        assert_near(range_loss(&space.attrs[0], 0, 2), 1, 1e-12);
        assert_near(range_loss(&space.attrs[0], 0, 1), 0.5, 1e-12);
        assert_near(range_loss(&space.attrs[0], 1, 2), 0.5, 1e-12);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

static void test_refuses(void **state)
{
    (void)state;
    shoal_error err;
    shoal_space space;
    shoal_table *table = make_table(&(table_spec){ .csv = "a,b\n1,2\n" });
    assert_fails(shoal_space_make(&space, table, &err), SHOAL_EINVAL, "--qid");
    shoal_table_free(table);
    assert_ok(shoal_table_open_memory(&table, "a,b\n1,2\n", 8, NULL, NULL, NULL, &err));
    assert_fails(shoal_space_make(&space, table, &err), SHOAL_EINVAL, "not loaded");
    shoal_table_free(table);
}

/* Every node of every tree of random tables, and every pair of numbers, against the definition. */
static void test_random_tables_follow_the_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        shoal_table *table = random_table(seed, 40);
        shoal_space space = make_space(table);
        for (uint32_t a = 0; a < space.n_attrs; a++) {
            const shoal_attribute *attr = &space.attrs[a];
            if (attr->is_set) continue;
            for (uint64_t i = 0; i < table->n_rows; i++)
                for (uint64_t j = 0; j < table->n_rows; j += 3) {
                    uint32_t pair[2] = { code_in_row(&space, a, i), code_in_row(&space, a, j) };
                    if (pair[0] > pair[1] || pair[0] == attr->wild_code ||
                        pair[1] == attr->wild_code)
                        continue;
                    double loss = range_loss(attr, pair[0], pair[1]);
                    assert_near(loss, loss_by_definition(attr, pair, 2, table->domain_is_data),
                                1e-12);
                }
        }
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

static shoal_status make_and_clear(const shoal_table *table)
{
    shoal_space space = { 0 };
    shoal_status status = shoal_space_make(&space, table, NULL);
    shoal_space_clear(&space);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_table *table = table_with_nulls(SHOAL_MISSING_OWN_CATEGORY, colours);
    assert_survives_allocation_failure(make_and_clear(table));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_are_coded_by_value),
        cmocka_unit_test(test_qids_keep_the_order_in_which_they_were_named),
        cmocka_unit_test(test_losses_of_the_worked_example),
        cmocka_unit_test(test_levels_of_numbers_cost_their_width),
        cmocka_unit_test(test_domain_of_the_data_counts_only_leaves_that_occur),
        cmocka_unit_test(test_missing_as_a_category_of_its_own),
        cmocka_unit_test(test_a_hierarchy_may_hold_the_missing_value),
        cmocka_unit_test(test_missing_may_be_anything),
        cmocka_unit_test(test_missing_matches_everything),
        cmocka_unit_test(test_a_lacking_value_is_an_error),
        cmocka_unit_test(test_a_lacking_value_is_known_as_the_top),
        cmocka_unit_test(test_a_lacking_value_becomes_a_leaf),
        cmocka_unit_test(test_top_and_wild_side_by_side),
        cmocka_unit_test(test_constant_columns_lose_nothing),
        cmocka_unit_test(test_the_top_of_a_constant_column_costs_one),
        cmocka_unit_test(test_extreme_numbers_have_sound_losses),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_random_tables_follow_the_definition),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
