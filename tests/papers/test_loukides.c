/* SPDX-License-Identifier: Apache-2.0 */
/* test_loukides.c - measures on the tables of Loukides' thesis (Tables 2.4 to 2.7, 3.1 to 3.3, 3.5
 * to 3.10, 5.1 and 5.3, and their examples).
 *
 * The postcode hierarchy of Figure 3.2 has the 21 leaves NW10..NW30 under NW[10-15], NW[16-19] and
 * NW[20-30]. Covers: disclosure_confidence.c, group_diversity.c, max_range_weighted.c,
 * measure_protection.c, mpm.c, pairwise_contribution.c, range_curve.c, sensitive_range.c, wgp.c
 */
#include "privacy/protection.h"
#include "privacy/range_growth.h"
#include "release_fixture.h"

#include <math.h>

static char *postcode_levels(void)
{
    shoal_buffer text = { 0 };
    for (int i = 10; i <= 30; i++)
        shoal_buffer_print(&text, "NW%d;%s;*\n", i,
                           i <= 15   ? "NW[10-15]"
                           : i <= 19 ? "NW[16-19]"
                                     : "NW[20-30]");
    shoal_buffer_add(&text, "", 1);
    return text.data;
}

static const char table_3_1[] =
    "Age,Postcode,Salary\n30,NW10,10\n32,NW15,10\n37,NW12,10\n40,NW13,10\n"
    "45,NW20,20\n46,NW30,40\n57,NW30,40\n60,NW25,30\n";
static const char table_3_2[] =
    "Age,Postcode,Salary\n[30-40],NW[10-15],10\n[30-40],NW[10-15],10\n[30-40],NW[10-15],10\n"
    "[30-40],NW[10-15],10\n[45-60],NW[20-30],20\n[45-60],NW[20-30],40\n[45-60],NW[20-30],40\n"
    "[45-60],NW[20-30],30\n";

static shoal_table *open_postcodes(const char *text, bool has_age)
{
    shoal_error err;
    shoal_table *table = NULL;
    char *levels = postcode_levels();
    column_spec columns[] = {
        { "Postcode", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, levels, 0 },
        { "Age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    };
    table_spec spec = { .text = text, .columns = columns, .n_columns = has_age ? 2 : 1 };
    assert_ok(open_table(&table, &spec, &err));
    shoal_free(levels);
    return table;
}

static void assert_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-12) fail_msg("%.15g instead of %.15g", value, expected);
}

static void assert_table_3_2(const shoal_measures *m)
{
    assert_near(m->um, 95.0 / 240);
    assert_near(m->wgu, 0.5);
    assert_near(m->gcp, 95.0 / 240); /* equal groups: rows weigh as groups do */
    assert_near(m->ncp, 95.0 / 240 * 16);
    assert_near(m->dm, 32);
    assert_near(m->cavg, 1);
    assert_near(m->modification_rate, 1);
    assert_int_equal(m->n_groups, 2);
    assert_int_equal(m->min_group, 4);
}

static void test_example_3_1_1(void **state)
{
    (void)state;
    static const uint32_t groups[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
    shoal_error err;
    shoal_table *table = open_postcodes(table_3_1, true), *released = NULL;
    shoal_grouping *grouping = NULL;
    shoal_measures m;
    uint64_t unread = 9;
    assert_ok(group_rows(&grouping, table, groups, &err));
    assert_ok(shoal_measure_grouping(&m, table, grouping, 4, &err));
    assert_table_3_2(&m);
    shoal_measures_clear(&m);
    assert_ok(shoal_released_open(&released, table_3_2, sizeof table_3_2 - 1, table, 1, &err));
    assert_ok(shoal_measure_release(&m, table, released, 4, &unread, &err));
    assert_table_3_2(&m);
    assert_int_equal(unread, 0);
    shoal_measures_clear(&m);
    shoal_table_free(released);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* Table 3.3 has the same DM and C_AVG and a larger UM. */
static void test_example_3_1_2(void **state)
{
    (void)state;
    static const uint32_t groups[] = { 0, 0, 1, 1, 0, 0, 1, 1 };
    shoal_error err;
    shoal_table *table = open_postcodes(table_3_1, true);
    shoal_grouping *grouping = NULL;
    shoal_measures m;
    assert_ok(group_rows(&grouping, table, groups, &err));
    assert_ok(shoal_measure_grouping(&m, table, grouping, 4, &err));
    assert_near(m.dm, 32);
    assert_near(m.cavg, 1);
    assert_near(m.um, ((16.0 / 30 + 1) / 2 + (23.0 / 30 + 1) / 2) / 2);
    assert_true(m.um > 95.0 / 240);
    shoal_measures_clear(&m);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_example_3_1_3(void **state)
{
    (void)state;
    static const char *const texts[] = { "Postcode\nNW10\nNW13\n", "Postcode\nNW20\nNW23\n" };
    static const double expected[] = { 0.25, 0.5 };
    static const uint32_t groups[] = { 0, 0 };
    for (int i = 0; i < 2; i++) {
        shoal_error err;
        shoal_table *table = open_postcodes(texts[i], false);
        shoal_grouping *grouping = NULL;
        shoal_measures m;
        assert_ok(group_rows(&grouping, table, groups, &err));
        assert_ok(shoal_measure_grouping(&m, table, grouping, 2, &err));
        assert_near(m.um, expected[i]);
        shoal_measures_clear(&m);
        shoal_grouping_free(grouping);
        shoal_table_free(table);
    }
}

/* ---- Tables 2.4, 2.6 and 2.7: does the release disclose who has a mortgage? ---- */

static const char table_2_4[] =
    "Age,Postcode,Salary,Mortgage\n15,NW10,10,Y\n30,NW15,10,N\n30,NW12,10,Y\n15,NW13,10,N\n"
    "40,NW20,20,Y\n80,NW30,40,N\n80,NW30,40,N\n40,NW25,30,Y\n";
static const char table_2_7[] =
    "Age,Postcode,Salary,Mortgage\n[15..30],{NW10|NW12},10,Y\n[15..30],{NW13|NW15},10,N\n"
    "[15..30],{NW10|NW12},10,Y\n[15..30],{NW13|NW15},10,N\n40,{NW20|NW25},20,Y\n"
    "80,NW30,40,N\n80,NW30,40,N\n40,{NW20|NW25},30,Y\n";

static shoal_table *open_mortgages(void)
{
    static const column_spec columns[] = {
        { "Age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
        { "Postcode", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "Mortgage", SHOAL_ROLE_CLASS, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    };
    shoal_error err;
    shoal_table *table = NULL;
    table_spec spec = { .text = table_2_4, .columns = columns, .n_columns = 3 };
    assert_ok(open_table(&table, &spec, &err));
    return table;
}

static void assert_cm(const uint32_t *groups, double expected)
{
    shoal_error err;
    shoal_table *table = open_mortgages();
    shoal_grouping *grouping = NULL;
    shoal_measures m;
    assert_ok(group_rows(&grouping, table, groups, &err));
    assert_ok(shoal_measure_grouping(&m, table, grouping, 2, &err));
    assert_true(m.has_class);
    assert_near(m.cm, expected);
    assert_near(m.cm_before, 0); /* every tuple of the original has one label */
    shoal_measures_clear(&m);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_classification_metric(void **state)
{
    (void)state;
    assert_cm((const uint32_t[]){ 0, 1, 1, 0, 2, 2, 2, 2 }, 4.0 / 8); /* Table 2.6 */
    assert_cm((const uint32_t[]){ 0, 1, 0, 1, 2, 3, 3, 2 }, 0);       /* Table 2.7 */
    const uint32_t none = SHOAL_SUPPRESSED;
    /* suppressed rows count */
    assert_cm((const uint32_t[]){ 0, 1, 0, 1, none, none, none, none }, 4.0 / 8);
}

static void test_classification_metric_of_a_release(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = open_mortgages(), *released = NULL;
    shoal_measures m;
    assert_ok(shoal_released_open(&released, table_2_7, sizeof table_2_7 - 1, table, 1, &err));
    assert_ok(shoal_measure_release(&m, table, released, 2, NULL, &err));
    assert_true(m.has_class);
    assert_near(m.cm, 0);
    shoal_measures_clear(&m);
    shoal_table_free(released);
    shoal_table_free(table);
}

/* ---- protection ---- */

/* The example takes the salaries of Table 3.3's second group to span 10 to 30; as printed, one of
 * them is 40. */
static void test_example_3_1_4(void **state)
{
    (void)state;
    static const char as_in_example[] =
        "Age,Salary\n30,10\n32,10\n37,10\n40,10\n45,20\n46,40\n57,30\n60,30\n";
    static const uint32_t groups[] = { 0, 0, 1, 1, 0, 0, 1, 1 };
    static const column_spec columns[] = {
        { "Age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
        { "Salary", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_NUMERIC, NULL, 0 },
    };
    shoal_error err;
    shoal_table *table = NULL;
    shoal_grouping *grouping = NULL;
    shoal_measures m;
    assert_ok(open_table(
        &table, &(table_spec){ .text = as_in_example, .columns = columns, .n_columns = 2 }, &err));
    assert_ok(group_rows(&grouping, table, groups, &err));
    assert_ok(shoal_measure_grouping(&m, table, grouping, 4, &err));
    assert_int_equal(m.n_sensitive, 1);
    assert_near(m.mpm, 1.0 / 6);
    assert_near(m.sensitive_mpm[0], 1.0 / 6);
    assert_near(m.mr_wtd, (m.um + m.mpm) / 2);
    shoal_measures_clear(&m);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static const char table_3_8[] =
    "Age,Height,Postcode,Salary\n10,170,NW30,20\n15,175,NW32,20\n15,170,NW30,65\n20,175,NW32,65\n"
    "20,170,NW30,20\n25,175,NW32,20\n25,170,NW30,65\n30,175,NW32,65\n";

static shoal_table *open_table_3_8(void)
{
    static const column_spec columns[] = {
        { "Age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
        { "Height", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
        { "Postcode", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "Salary", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_NUMERIC, NULL, 0 },
    };
    shoal_error err;
    shoal_table *table = NULL;
    assert_ok(open_table(
        &table, &(table_spec){ .text = table_3_8, .columns = columns, .n_columns = 4 }, &err));
    return table;
}

/* The thesis prints UM 0.75 and 0.25; its own definition gives 0.75 and 1/12. */
static void test_tables_3_9_and_3_10(void **state)
{
    (void)state;
    static const uint32_t groups[2][8] = { { 0, 0, 1, 1, 2, 2, 3, 3 }, { 0, 1, 0, 1, 2, 3, 2, 3 } };
    static const double um[] = { 0.75, 1.0 / 12 }, mpm[] = { 1, 0 };
    shoal_error err;
    shoal_table *table = open_table_3_8();
    for (int i = 0; i < 2; i++) {
        shoal_grouping *grouping = NULL;
        shoal_measures m;
        assert_ok(group_rows(&grouping, table, groups[i], &err));
        assert_ok(shoal_measure_grouping(&m, table, grouping, 2, &err));
        assert_near(m.um, um[i]);
        assert_near(m.mpm, mpm[i]);
        assert_near(m.wgp, i == 0 ? 1 : 0.5); /* one value in a group, or two apart */
        shoal_measures_clear(&m);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

static shoal_grouping *cluster(const shoal_table *table, const char *algorithm, uint32_t k,
                               const shoal_param *params, size_t n_params)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.algorithm = algorithm;
    options.k = k;
    options.params = params;
    options.n_params = n_params;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    return grouping;
}

/* Algorithm 2 as printed cuts Table 3.8 (3.5 is the same data) along Age alone and shares equal
 * ages: Tables 3.6 and 3.9, s = k = 2, UM 0.75, MPM 1. */
static void test_algorithm_2_as_printed(void **state)
{
    (void)state;
    static const uint32_t groups[8] = { 0, 0, 1, 1, 2, 2, 3, 3 };
    static const shoal_param params[] = { { "prepartition", "printed" },
                                          { "s", "2" },
                                          { "delta", "1" } };
    shoal_error err;
    shoal_measures m;
    shoal_table *table = open_table_3_8();
    shoal_grouping *grouping = cluster(table, "toc", 2, params, 3);
    for (uint64_t row = 0; row < 8; row++)
        assert_int_equal(shoal_grouping_group(grouping, row), groups[row]);
    assert_ok(shoal_measure_grouping(&m, table, grouping, 2, &err));
    assert_near(m.um, 0.75);
    assert_near(m.mpm, 1);
    shoal_measures_clear(&m);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* Protection is the same from the published text, also with its rows in another order or some of
 * them left out. */
static void test_protection_of_a_release(void **state)
{
    (void)state;
    static const char released_text[] = "Age,Height,Postcode,Salary\n[15..20],175,NW32,65\n[10..15]"
                                        ",170,NW30,20\n[10..15],170,NW30,65\n"
                                        "[15..20],175,NW32,20\n";
    static const column_spec columns[] = {
        { "Age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "Height", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "Postcode", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "Salary", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    };
    shoal_error err;
    shoal_table *table = open_table_3_8(), *released = NULL;
    shoal_measures m;
    assert_ok(open_table(&released,
                         &(table_spec){ .text = released_text, .columns = columns, .n_columns = 4 },
                         &err));
    assert_ok(shoal_measure_release(&m, table, released, 2, NULL, &err));
    assert_int_equal(m.n_sensitive, 1);
    assert_near(m.mpm, 0);
    assert_near(m.wgp, 0.5);
    assert_near(m.dc, 0.5);
    assert_near(m.gd, 1.0 / 24 + 0.25); /* a quarter of the ages, nothing else, is lost: 1/12 */
    shoal_measures_clear(&m);
    shoal_table_free(released);
    shoal_table_free(table);
}

/* The incomes of Table 5.1 and, in one more row, the top of the domain 0K..99K of Figure 5.1. */
static const char table_5_1[] = "Age,Income\n30,1\n22,4\n29,22\n29,23\n31,24\n35,9\n37,0\n39,9\n41,"
                                "25\n42,26\n44,90\n45,90\n50,99\n";

static shoal_table *open_incomes(const char *policy, bool has_tree, shoal_space *space)
{
    shoal_error err;
    shoal_table *table = NULL;
    shoal_buffer levels = { 0 };
    for (int i = 0; i < 100; i++)
        shoal_buffer_print(&levels, "%d;%d-%d;%d-%d;*\n", i, i / 5 * 5, i / 5 * 5 + 4, i / 10 * 10,
                           i / 10 * 10 + 9);
    shoal_buffer_add(&levels, "", 1);
    column_spec columns[] = {
        { "Age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
        { "Income", SHOAL_ROLE_SENSITIVE, has_tree ? SHOAL_TYPE_CATEGORICAL : SHOAL_TYPE_NUMERIC,
          has_tree ? levels.data : NULL, 0 },
    };
    assert_ok(open_table(
        &table, &(table_spec){ .text = table_5_1, .columns = columns, .n_columns = 2 }, &err));
    assert_ok(shoal_table_set_sensitive_range(table, 1, policy, &err));
    assert_ok(shoal_space_make_role(space, table, SHOAL_ROLE_SENSITIVE, SHOAL_MISSING_OWN_CATEGORY,
                                    &err));
    shoal_buffer_clear(&levels);
    return table;
}

static uint32_t income_code(const shoal_space *space, const char *text)
{
    const shoal_column *column = space->attrs[0].source;
    for (uint32_t v = 0; v < column->n_values; v++)
        if (column->values[v].length == strlen(text) &&
            memcmp(column->values[v].data, text, strlen(text)) == 0)
            return space->attrs[0].code_of_value[v];
    fail_msg("no income %s", text);
    return 0;
}

static void test_pairwise_contribution(void **state)
{
    (void)state;
    for (int has_tree = 0; has_tree < 2; has_tree++) {
        shoal_space space;
        shoal_table *table = open_incomes(NULL, has_tree, &space);
        uint32_t one = income_code(&space, "1"), four = income_code(&space, "4"),
                 ninety = income_code(&space, "90");
        assert_near(shoal_pairwise_contribution(&space.attrs[0], one, four),
                    has_tree ? 1 - 4.0 / 99 : 1 - 3.0 / 99);
        assert_near(shoal_pairwise_contribution(&space.attrs[0], four, one),
                    has_tree ? 1 - 4.0 / 99 : 1 - 3.0 / 99);
        /* 0.101 */
        assert_near(shoal_pairwise_contribution(&space.attrs[0], one, ninety),
                    has_tree ? 0 : 1 - 89.0 / 99);
        assert_near(shoal_pairwise_contribution(&space.attrs[0], one, one), 1);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

/* The second group of Table 5.3 with SR(22K) = [10K,30K]. */
static void test_disclosure_confidence(void **state)
{
    (void)state;
    static const char *const incomes[] = { "0", "22", "23", "24", "25", "26" };
    shoal_error err;
    shoal_space space;
    shoal_table *table = open_incomes("map:10..30", false, &space);
    shoal_sensitive_ranges ranges;
    shoal_tally tally;
    shoal_range_growth growth;
    assert_ok(shoal_sensitive_ranges_make(&ranges, &space.attrs[0], &err));
    assert_true(shoal_tally_init(&tally, space.attrs[0].n_codes));
    assert_true(shoal_range_growth_init(&growth, &ranges));
    for (int i = 0; i < 6; i++) {
        shoal_tally_add(&tally, income_code(&space, incomes[i]), 1);
        shoal_range_growth_add(&growth, income_code(&space, incomes[i]), 1);
    }
    /* 0.8165 */
    assert_near(shoal_disclosure_confidence(&ranges, &tally, income_code(&space, "22")),
                (5 - 10.0 / 99) / 6);
    assert_near(shoal_disclosure_confidence(&ranges, &tally, income_code(&space, "0")), 1.0 / 6);
    /* 0K stands for itself; the distances within 22..26 add up to 2 (4*1 + 3*2 + 2*3 + 1*4) = 40.
     */
    assert_near(shoal_range_diversity(&ranges, &tally), (1 + 25 - 40.0 / 99) / 36);
    assert_near(shoal_range_growth_now(&growth), (1 + 25 - 40.0 / 99) / 36);
    shoal_range_growth_free(&growth);
    shoal_tally_free(&tally);
    shoal_sensitive_ranges_clear(&ranges);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* Table 6.2: values 0 to 19 under each policy. */
static void test_policies(void **state)
{
    (void)state;
    static const struct {
        const char *policy;
        int value, low, high;
        bool is_partition;
    } cases[] = {
        { "value", 7, 7, 7, true },
        { "map:10..15", 12, 10, 15, true },
        { "map:10..15", 16, 16, 16, true },
        { "map:10..15|16..17", 17, 16, 17, true },
        { "map:10..15|16..17", 18, 18, 18, true },
        { "map:0..4=0..9|5..9=0..9|16..17=16..19|18..19=16..19", 4, 0, 9, true },
        { "map:0..4=0..9|5..9=0..9|16..17=16..19|18..19=16..19", 12, 12, 12, true },
        { "map:0..9|10..15|16..19", 19, 16, 19, true },
        { "map:0..4=0..9", 7, 7, 7, false },
        { "map:0..4=0..9", 3, 0, 9, false },
        { "map:3..5|0..9", 4, 3, 5, false }, /* the first entry counts */
        { "map:3..5|0..9", 6, 0, 9, false },
        { "width:6", 10, 7, 13, false },
        { "width:0", 10, 10, 10, true },
        { "width:100", 10, 0, 19, true },
    };
    shoal_buffer text = { 0 };
    shoal_buffer_print(&text, "Age,Income\n");
    for (int i = 0; i < 20; i++) shoal_buffer_print(&text, "%d,%d\n", i / 2, i);
    shoal_buffer_add(&text, "", 1);
    static const column_spec columns[] = {
        { "Age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
        { "Income", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_NUMERIC, NULL, 0 },
    };
    shoal_error err;
    shoal_table *table = NULL;
    shoal_space space;
    assert_ok(open_table(
        &table, &(table_spec){ .text = text.data, .columns = columns, .n_columns = 2 }, &err));
    assert_ok(shoal_space_make_role(&space, table, SHOAL_ROLE_SENSITIVE, SHOAL_MISSING_OWN_CATEGORY,
                                    &err));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_sensitive_ranges ranges;
        assert_ok(shoal_table_set_sensitive_range(table, 1, cases[i].policy, &err));
        assert_ok(shoal_sensitive_ranges_make(&ranges, &space.attrs[0], &err));
        shoal_range range = ranges.of_code[cases[i].value];
        assert_int_equal(range.lo, cases[i].low);
        assert_int_equal(range.hi, cases[i].high);
        assert_int_equal(ranges.is_partition, cases[i].is_partition);
        shoal_sensitive_ranges_clear(&ranges);
    }
    static const char *const wrong[] = { "",         "none",          "width:x",  "width:-1",
                                         "level:1",  "level:0.5",     "map:",     "map:3..x",
                                         "map:5..3", "map:1..5=2..9", "map:1..5|" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        shoal_sensitive_ranges ranges;
        assert_ok(shoal_table_set_sensitive_range(table, 1, wrong[i], &err));
        assert_fails(shoal_sensitive_ranges_make(&ranges, &space.attrs[0], &err), SHOAL_EINVAL,
                     "Income");
    }
    shoal_space_clear(&space);
    shoal_table_free(table);
    shoal_buffer_clear(&text);
}

/* Ancestors: of a category, and of a number that has a hierarchy. */
static void test_levels(void **state)
{
    (void)state;
    static const struct {
        const char *policy, *value;
        uint32_t low, high; /* leaves are numbered 0..99 */
    } cases[] = {
        { "level:0", "22", 22, 22 },         { "level:1", "22", 20, 24 },
        { "level:2", "22", 20, 29 },         { "level:3", "22", 0, 99 },
        { "level:9", "22", 0, 99 },          { "map:20-29", "22", 20, 29 },
        { "map:20-29|90-99", "90", 90, 99 }, { "map:20-29", "9", 9, 9 },
    };
    shoal_error err;
    shoal_space space;
    shoal_table *table = open_incomes(NULL, true, &space);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        shoal_sensitive_ranges ranges;
        assert_ok(shoal_table_set_sensitive_range(table, 1, cases[i].policy, &err));
        assert_ok(shoal_sensitive_ranges_make(&ranges, &space.attrs[0], &err));
        shoal_range range = ranges.of_code[income_code(&space, cases[i].value)];
        assert_int_equal(range.lo, cases[i].low);
        assert_int_equal(range.hi, cases[i].high);
        assert_true(ranges.is_partition);
        shoal_sensitive_ranges_clear(&ranges);
    }
    shoal_sensitive_ranges ranges;
    assert_ok(shoal_table_set_sensitive_range(table, 1, "map:nobody", &err));
    assert_fails(shoal_sensitive_ranges_make(&ranges, &space.attrs[0], &err), SHOAL_EINVAL,
                 "label");
    assert_ok(shoal_table_set_sensitive_range(table, 1, "width:4", &err));
    assert_fails(shoal_sensitive_ranges_make(&ranges, &space.attrs[0], &err), SHOAL_EINVAL,
                 "numeric");
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_level_of_numbers(void **state)
{
    (void)state;
    shoal_error err;
    shoal_space space;
    shoal_table *table = open_incomes("level:2", false, &space);
    shoal_hierarchy *tree = NULL;
    shoal_sensitive_ranges ranges;
    static const char levels[] = "0;low;*\n1;low;*\n4;low;*\n9;low;*\n22;middle;*\n23;middle;*\n24;"
                                 "middle;*\n25;middle;*\n26;middle;*\n90;high;*\n99;high;*\n";
    assert_ok(shoal_hierarchy_parse(&tree, levels, sizeof levels - 1, "Income", &err));
    assert_ok(shoal_table_set_hierarchy(table, 1, tree, SHOAL_ON_MISSING_ERROR, &err));
    shoal_space_clear(&space);
    assert_ok(shoal_space_make_role(&space, table, SHOAL_ROLE_SENSITIVE, SHOAL_MISSING_OWN_CATEGORY,
                                    &err));
    assert_ok(shoal_table_set_sensitive_range(table, 1, "level:1", &err));
    assert_ok(shoal_sensitive_ranges_make(&ranges, &space.attrs[0], &err));
    assert_int_equal(ranges.of_code[1].lo, 0); /* 0, 1, 4, 9 | 22 .. 26 | 90, 99 */
    assert_int_equal(ranges.of_code[1].hi, 3);
    assert_int_equal(ranges.of_code[6].lo, 4);
    assert_int_equal(ranges.of_code[6].hi, 8);
    assert_int_equal(ranges.of_code[10].lo, 9);
    shoal_sensitive_ranges_clear(&ranges);
    shoal_hierarchy_free(tree);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* Generalisation cost: two cells of Age are generalised from a value to an interval (one of two
 * levels), one cell of Postcode one of two. */
static void test_genc(void **state)
{
    (void)state;
    static const uint32_t groups[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
    shoal_error err;
    shoal_table *table = open_postcodes(table_3_1, true);
    shoal_grouping *grouping = NULL;
    shoal_measures m;
    assert_ok(group_rows(&grouping, table, groups, &err));
    assert_ok(shoal_measure_grouping(&m, table, grouping, 4, &err));
    assert_near(m.genc, 8 * (0.5 + 0.5));
    assert_near(m.genc, m.distortion);
    shoal_measures_clear(&m);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/*
 * Algorithm 6 on Table 5.1, k = 3, U = 0.7, P = 0.5, sensitive ranges of ten: clusters that grow
 * until a limit is met leave rows that pass P as a group of `*`; those that stop at k rows have WGU
 * 13/23 (ages 22 to 35) and WGP 0.481. The default finds them by itself and reports them.
 */
static void test_algorithm_6(void **state)
{
    (void)state;
    static const char text[] = "Age,Income\n30,1\n22,4\n29,22\n29,23\n31,24\n35,9\n37,0\n39,9\n41,"
                               "25\n42,26\n44,90\n45,90\n";
    static const shoal_param params[] = { { "U", "0.7" }, { "P", "0.5" }, { "stop", "limits" } };
    shoal_error err;
    shoal_table *table = NULL;
    shoal_measures m;
    shoal_buffer levels = { 0 };
    for (int i = 0; i < 100; i++)
        shoal_buffer_print(&levels, "%d;%d-%d;%d-%d;*\n", i, i / 5 * 5, i / 5 * 5 + 4, i / 10 * 10,
                           i / 10 * 10 + 9);
    shoal_buffer_add(&levels, "", 1);
    const column_spec columns[] = { { "Age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                    { "Income", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL,
                                      levels.data, 0 } };
    assert_ok(open_table(&table, &(table_spec){ .text = text, .columns = columns, .n_columns = 2 },
                         &err));
    assert_ok(shoal_table_set_sensitive_range(table, 1, "level:2", &err));
    shoal_grouping *grouping = cluster(table, "upc", 3, params, 2);
    const char *name, *word;
    double value;
    assert_true(shoal_grouping_setting(grouping, 0, &name, &value, &word) &&
                strcmp(name, "prepartition") == 0 && strcmp(word, "off") == 0);
    assert_true(shoal_grouping_setting(grouping, 1, &name, &value, &word) &&
                strcmp(name, "stop") == 0 && strcmp(word, "k") == 0);
    assert_false(shoal_grouping_setting(grouping, 2, &name, &value, &word));
    assert_ok(shoal_measure_grouping(&m, table, grouping, 3, &err));
    assert_near(m.wgu, 13.0 / 23);
    assert_true(fabs(m.wgp - 0.481) < 5e-4);
    assert_int_equal(shoal_grouping_n_suppressed(grouping), 0);
    shoal_measures_clear(&m);
    shoal_grouping_free(grouping);
    shoal_spec options = SHOAL_SPEC_INIT;
    options.algorithm = "upc";
    options.k = 3;
    options.params = params;
    options.n_params = 3;
    grouping = NULL;
    /* not that there is no grouping */
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EUNSAT,
                 "suppressed rows, as a group, would exceed P");
    options.drop_suppressed = true;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    assert_true(shoal_grouping_n_suppressed(grouping) > 0);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
    shoal_buffer_clear(&levels);
}

/* The setting of that name which a method has noted. */
static double noted(const shoal_grouping *grouping, const char *wanted)
{
    const char *name, *word;
    double value;
    for (size_t i = 0; shoal_grouping_setting(grouping, i, &name, &value, &word); i++)
        if (strcmp(name, wanted) == 0) return value;
    fail_msg("no setting %s", wanted);
    return NAN;
}

/*
 * Algorithm 4: s is k, 2k, ... until two scores in turn differ by less than epsilon, and is what it
 * is then. With delta = 1 a part is a cluster, so UM rises with s: the best s is k.
 */
static void test_algorithm_4_at_its_exit(void **state)
{
    (void)state;
    shoal_param params[] = {
        { "w_u", "1" }, { "delta", "1" }, { "epsilon", "1" }, { "s-choice", "best" }
    };
    shoal_table *table = open_table_3_8();
    for (int i = 0; i < 2; i++) {
        params[3].value = i == 0 ? "best" : "exit";
        shoal_grouping *grouping = cluster(table, "toc", 2, params, 4);
        assert_near(noted(grouping, "s"), i == 0 ? 2 : 4);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

static shoal_status find_and_clear(const shoal_table *table, const shoal_table *released)
{
    shoal_range_curve curve = { 0 };
    shoal_status status = shoal_range_curve_find(&curve, table, released, NULL);
    shoal_range_curve_clear(&curve);
    return status;
}

/* A release of Table 5.1 with generalised incomes: a cell represents the values that it covers, all
 * equally likely. */
static void test_generalised_sensitive_values(void **state)
{
    (void)state;
    static const char text[] = "Age,Income\n30,1\n22,4\n29,22\n29,23\n31,24\n35,9\n37,0\n39,9\n41,"
                               "25\n42,26\n44,90\n45,90\n";
    static const char released_text[] =
        "Age,Income\n[30..35],1\n[22..29],4\n[22..29],20-29\n[22..29],20-29\n[30..35],24\n[30..35],"
        "9\n"
        "[37..41],0\n[37..41],9\n[37..41],25\n[42..45],26\n[42..45],90-99\n[42..45],*\n";
    shoal_error err;
    shoal_table *table = NULL, *released = NULL;
    shoal_measures m;
    shoal_range_curve curve;
    shoal_buffer levels = { 0 };
    for (int i = 0; i < 100; i++)
        shoal_buffer_print(&levels, "%d;%d-%d;%d-%d;*\n", i, i / 5 * 5, i / 5 * 5 + 4, i / 10 * 10,
                           i / 10 * 10 + 9);
    shoal_buffer_add(&levels, "", 1);
    column_spec columns[] = { { "Age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                              { "Income", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_CATEGORICAL, levels.data,
                                0 } };
    assert_ok(open_table(&table, &(table_spec){ .text = text, .columns = columns, .n_columns = 2 },
                         &err));
    assert_ok(shoal_table_set_sensitive_range(table, 1, "level:2", &err));
    columns[0].type = SHOAL_TYPE_CATEGORICAL;
    columns[1].levels = NULL;
    assert_ok(open_table(&released,
                         &(table_spec){ .text = released_text, .columns = columns, .n_columns = 2 },
                         &err));
    assert_ok(shoal_measure_release(&m, table, released, 3, NULL, &err));
    assert_int_equal(m.n_sensitive, 1);
    /* {1, 24, 9}: 1 and 9 are in one range, pc = 1 - 9/99; the others have less */
    double two = 1 - 9.0 / 99, worst = (1 + 1 + 1 + 2 * two) / 9;
    assert_near(m.wgp, worst);
    assert_ok(shoal_range_curve_find(&curve, table, released, &err));
    assert_int_equal(curve.n_rows, 12);
    assert_int_equal(curve.n_steps, 4);
    assert_near(curve.steps[3].diversity, worst);
    /* {4, 20-29, 20-29}: 22 to 26 have 0.4 rows each; three of them in one node of five, two in the
     * next */
    double near = 1 - 4.0 / 99, far = 1 - 9.0 / 99;
    double twenties = 0.4 * 0.4 * (5 + 8 * near + 12 * far), group = (1 + twenties) / 9;
    bool is_there = false;
    for (size_t i = 0; i < curve.n_steps; i++)
        is_there = is_there || fabs(curve.steps[i].diversity - group) < 1e-9;
    assert_true(is_there);
    for (size_t i = 0; i + 1 < curve.n_steps; i++)
        assert_true(curve.steps[i].diversity <= curve.steps[i + 1].diversity);
    assert_survives_allocation_failure(find_and_clear(table, released));
    shoal_measures_weigh(&m, 0.2);
    double value = 0;
    assert_near(m.mr_wtd, 0.2 * m.um + 0.8 * m.mpm);
    assert_true(shoal_measure_value(&m, "mr_wtd", &value) && value == m.mr_wtd);
    shoal_range_curve_clear(&curve);
    shoal_measures_clear(&m);
    shoal_table_free(released);
    shoal_table_free(table);
    shoal_buffer_clear(&levels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_3_1_1),
        cmocka_unit_test(test_example_3_1_2),
        cmocka_unit_test(test_example_3_1_3),
        cmocka_unit_test(test_classification_metric),
        cmocka_unit_test(test_classification_metric_of_a_release),
        cmocka_unit_test(test_example_3_1_4),
        cmocka_unit_test(test_tables_3_9_and_3_10),
        cmocka_unit_test(test_algorithm_2_as_printed),
        cmocka_unit_test(test_algorithm_4_at_its_exit),
        cmocka_unit_test(test_algorithm_6),
        cmocka_unit_test(test_generalised_sensitive_values),
        cmocka_unit_test(test_protection_of_a_release),
        cmocka_unit_test(test_pairwise_contribution),
        cmocka_unit_test(test_disclosure_confidence),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_level_of_numbers),
        cmocka_unit_test(test_genc),
    };
    return cmocka_run_group_tests_name("loukides", tests, NULL, NULL);
}
