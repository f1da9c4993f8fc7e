/* SPDX-License-Identifier: Apache-2.0 */
/* test_loukides.c - utility measures on the tables of Loukides' thesis (Tables 2.4 to 2.7 and 3.1 to 3.3, Examples 3.1.1 to 3.1.3).
 *
 * The postcode hierarchy of Figure 3.2 has the 21 leaves NW10..NW30 under NW[10-15], NW[16-19] and NW[20-30].
 */
#include "release_fixture.h"

#include <math.h>

static char *postcode_levels(void)
{
    shoal_buffer text = { 0 };
    for (int i = 10; i <= 30; i++)
        shoal_buffer_print(&text, "NW%d;%s;*\n", i, i <= 15 ? "NW[10-15]" : i <= 19 ? "NW[16-19]" : "NW[20-30]");
    shoal_buffer_add(&text, "", 1);
    return text.data;
}

static const char table_3_1[] = "Age,Postcode,Salary\n30,NW10,10\n32,NW15,10\n37,NW12,10\n40,NW13,10\n"
                                "45,NW20,20\n46,NW30,40\n57,NW30,40\n60,NW25,30\n";
static const char table_3_2[] = "Age,Postcode,Salary\n[30-40],NW[10-15],10\n[30-40],NW[10-15],10\n[30-40],NW[10-15],10\n"
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

/* ---- Tables 2.4, 2.6 and 2.7: does the release still tell who has a mortgage? ---- */

static const char table_2_4[] = "Age,Postcode,Salary,Mortgage\n15,NW10,10,Y\n30,NW15,10,N\n30,NW12,10,Y\n15,NW13,10,N\n"
                                "40,NW20,20,Y\n80,NW30,40,N\n80,NW30,40,N\n40,NW25,30,Y\n";
static const char table_2_7[] = "Age,Postcode,Salary,Mortgage\n[15..30],{NW10|NW12},10,Y\n[15..30],{NW13|NW15},10,N\n"
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
    assert_cm((const uint32_t[]){ 0, 1, 0, 1, none, none, none, none }, 4.0 / 8); /* suppressed rows count */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_3_1_1),
        cmocka_unit_test(test_example_3_1_2),
        cmocka_unit_test(test_example_3_1_3),
        cmocka_unit_test(test_classification_metric),
        cmocka_unit_test(test_classification_metric_of_a_release),
    };
    return cmocka_run_group_tests_name("loukides", tests, NULL, NULL);
}
