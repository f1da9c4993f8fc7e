/* SPDX-License-Identifier: Apache-2.0 */
/* test_weighted_costs.c - costs that the documents define by weights, priorities, ranges and
 * variances, on their own tables.
 *
 * Sun et al. 2008 (priorities: 0.25), Li et al. 2006 (height weights: 0.087), Pramanik et al. 2016
 * (0.196), Loukides' thesis (NCP of definition 2.1.5, the ambiguity metric it names, the variance
 * of its section 2.1.2). Numbers of thesis tables that it does not print itself are worked out
 * beside the assertion. Covers: ambiguity.c, column_costs.c, sensitive_variance.c, step_weights.c,
 * thesis_ncp.c, weighted_distortion.c
 */
#include "release_fixture.h"

#include <math.h>
#include <shoal/plan.h>

static shoal_error err;

static void assert_near(double value, double expected, double within)
{
    if (!(fabs(value - expected) <= within)) fail_msg("%.15g instead of %.15g", value, expected);
}

static double measure(const shoal_table *table, const char *release, const char *name)
{
    double value = NAN;
    shoal_table *released = NULL;
    shoal_measures m;
    assert_ok(shoal_released_open_sensitive(&released, release, strlen(release), table, 1, &err));
    assert_ok(shoal_measure_release(&m, table, released, 2, NULL, &err));
    shoal_measure_value(&m, name, &value);
    shoal_measures_clear(&m);
    shoal_table_free(released);
    return value;
}

/* ---- Sun et al. 2008, definitions 4 to 6, on Table 1 ---- */

static const char postcodes[] =
    "4350;435*;43**;4***;*\n4351;435*;43**;4***;*\n4352;435*;43**;4***;*\n4353;435*;43**;4***;*\n";
static const column_spec patients[] = {
    { "gender", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, "male;*\nfemale;*\n", 0 },
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, "young;*\nmiddle;*\nold;*\n", 0 },
    { "postcode", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, postcodes, 0 },
};
static const char table_1a[] =
    "gender,age,postcode\nmale,middle,4350\nmale,middle,4350\nmale,young,4351\nfemale,young,4352\n"
    "female,old,4353\nfemale,old,4353\n";
static const char table_1b[] = "gender,age,postcode\nmale,middle,4350\nmale,middle,4350\n*,young,"
                               "435*\n*,young,435*\nfemale,old,4353\n"
                               "female,old,4353\n";

static shoal_table *open_patients(void)
{
    shoal_table *table = NULL;
    table_spec spec = { .text = table_1a, .columns = patients, .n_columns = 3 };
    assert_ok(open_table(&table, &spec, &err));
    return table;
}

static void test_priority_weighted_distortion(void **state)
{
    (void)state;
    /* of gender, age, postcode: age first, then postcode */
    static const double priorities[] = { 0, 1, 0.5 };
    shoal_table *table = open_patients();
    assert_true(isnan(measure(table, table_1b, "weighted_distortion"))); /* no weights */
    for (size_t c = 0; c < 3; c++)
        assert_ok(shoal_table_set_priority(table, c, priorities[c], &err));
    assert_near(measure(table, table_1b, "weighted_distortion"), 0.25, 1e-15); /* as printed */
    assert_near(measure(table, table_1b, "weighted_distortion_ratio"), 0.25 / (6 * 1.5), 1e-15);
    assert_near(measure(table, table_1b, "distortion"), 2.5, 1e-15);
    shoal_table_free(table);
}

/* Weights in the parameters of a method are used by its report. */
static void test_methods_report_their_weighting(void **state)
{
    (void)state;
    static const char *const names[] = { "kaca", "dbca" };
    static const shoal_param told[][2] = { { { "priorities", "age,postcode,gender" },
                                             { "weights", "uniform" } },
                                           { { "priorities", "equal" }, { "weights", "height" } } };
    static const double expected[] = { 0.25,
                                       2 * (1 + (1.0 / 4) / (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4)) };
    shoal_table *table = open_patients();
    for (int i = 0; i < 4; i++) {
        shoal_spec options = SHOAL_SPEC_INIT;
        shoal_grouping *grouping = NULL;
        shoal_measures m;
        double value = NAN;
        options.k = 2;
        options.algorithm = names[i / 2];
        options.params = told[i % 2];
        options.n_params = 2;
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_ok(shoal_measure_grouping(&m, table, grouping, 2, &err));
        assert_true(shoal_measure_value(&m, "weighted_distortion", &value));
        assert_near(value, expected[i % 2], 1e-12);
        shoal_measures_clear(&m);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

/* The plan's order of importance, as `--priority age,postcode,gender`; and what it refuses. */
static shoal_status prepare(shoal_table **out, const char *priority, const char *weights,
                            const char *max_level)
{
    static const char *const files[] = { "build:order:any=male|female",
                                         "build:order:any=young|middle|old", "build:mask" };
    shoal_plan plan = SHOAL_PLAN_INIT;
    shoal_table *table = NULL;
    assert_ok(
        shoal_table_open_memory(&table, table_1a, sizeof table_1a - 1, NULL, NULL, NULL, &err));
    for (int i = 0; i < 3; i++) {
        shoal_plan_column *column = shoal_plan_column_of(&plan, patients[i].name);
        assert_non_null(column);
        column->role = SHOAL_ROLE_QUASI;
        assert_ok(shoal_plan_set_string(&column->hierarchy, files[i], &err));
    }
    assert_ok(shoal_plan_set_string(&plan.priority, priority, &err));
    assert_ok(shoal_plan_set_string(&plan.columns[2].weights, weights, &err));
    assert_ok(shoal_plan_set_string(&plan.columns[2].max_level, max_level, &err));
    shoal_status status = shoal_plan_prepare(&plan, table, true, NULL, &err);
    shoal_plan_clear(&plan);
    if (status == SHOAL_OK)
        *out = table;
    else
        shoal_table_free(table);
    return status;
}

static void test_plans_know_priorities_and_weights(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    assert_ok(prepare(&table, "age,postcode,gender", "4,3,2,1", "2"));
    assert_true(shoal_table_priority(table, 0) == 0 && shoal_table_priority(table, 1) == 1 &&
                shoal_table_priority(table, 2) == 0.5);
    assert_int_equal(shoal_table_max_level(table, 2), 2);
    assert_int_equal(shoal_table_max_level(table, 0), UINT32_MAX);
    /* gender counts nothing, a postcode's first step 4 of 10, half of that by its priority, in two
     * rows */
    assert_near(measure(table, table_1b, "weighted_distortion"), 2 * 0.5 * 0.4, 1e-15);
    shoal_table_free(table);
    assert_ok(prepare(&table, "gender=0.25", NULL, NULL));
    assert_true(shoal_table_priority(table, 0) == 0.25 && shoal_table_priority(table, 1) == 1);
    shoal_table_free(table);
    assert_fails(prepare(&table, "age,postcode", NULL, NULL), SHOAL_EINVAL,
                 "2 of 3 quasi-identifiers");
    assert_fails(prepare(&table, "age,age,gender", NULL, NULL), SHOAL_EINVAL, "twice");
    assert_fails(prepare(&table, "age,job,gender", NULL, NULL), SHOAL_EINVAL,
                 "'job' is not a quasi-identifier");
    assert_fails(prepare(&table, "age=2", NULL, NULL), SHOAL_EINVAL, "from 0 to 1");
    assert_fails(prepare(&table, "age=1,gender", NULL, NULL), SHOAL_EINVAL,
                 "with and without numbers");
    assert_fails(prepare(&table, NULL, "1,2", NULL), SHOAL_EINVAL,
                 "2 weights given, but its hierarchy has 4 steps");
    assert_fails(prepare(&table, NULL, "1,0,2,3", NULL), SHOAL_EINVAL, "numbers above 0");
    assert_fails(prepare(&table, NULL, "height:0.5", NULL), SHOAL_EINVAL, "at least 1");
    assert_fails(prepare(&table, NULL, NULL, "1.5"), SHOAL_EINVAL, "whole number");
}

/* ---- Li et al. 2006, definition 5; Pramanik et al. 2016, definition 6 ---- */

static double climb(const char *levels, const char *value, const char *published,
                    const char *weights, const char *name)
{
    char original[64], release[64];
    shoal_table *table = NULL;
    column_spec column = { "x", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, levels, 0 };
    snprintf(original, sizeof original, "x,y\n%s,1\n", value);
    snprintf(release, sizeof release, "x,y\n%s,1\n", published);
    table_spec spec = { .text = original, .columns = &column, .n_columns = 1 };
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(shoal_table_set_level_weights(table, 0, weights, &err));
    double found = measure(table, release, name);
    shoal_table_free(table);
    return found;
}

static void test_height_weights(void **state)
{
    (void)state;
    static const char birth[] = "1/2/80;2/80;80;80-89;young;*\n";
    static const char zip[] = "3421;342*;34**;3***;*\n";
    const double all = 1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4 + 1.0 / 5;
    /* WHD(6,4) */
    assert_near(climb(birth, "1/2/80", "80", "uniform", "weighted_distortion"), 0.4, 1e-15);
    assert_near(climb(birth, "1/2/80", "2/80", "height", "weighted_distortion"), 0.2 / all, 1e-15);
    /* printed, cut off: it is 0.0876 */
    assert_near(climb(birth, "1/2/80", "2/80", "height", "weighted_distortion"), 0.087, 6e-4);
    /* WHD(2,1) */
    assert_near(climb("m;*\n", "m", "*", "height:3", "weighted_distortion"), 1, 1e-15);
    assert_near(climb(birth, "1/2/80", "2/80", "height:2", "weighted_distortion"),
                (1.0 / 25) / (1 + 1.0 / 4 + 1.0 / 9 + 1.0 / 16 + 1.0 / 25), 1e-15);
    /* "predefined" */
    assert_near(climb(birth, "1/2/80", "80", "1,2,3,4,10", "weighted_distortion"), 3.0 / 20, 1e-15);
    assert_near(climb(zip, "3421", "3***", "koc-height", "weighted_distortion"),
                (1.0 / 5 + 1.0 / 4 + 1.0 / 3) / 4, 1e-15);
    /* as printed */
    assert_near(climb(zip, "3421", "3***", "koc-height:1", "s1_loss_weighted"), 0.196, 5e-4);
    assert_near(climb(zip, "3421", "3***", "uniform", "s1_loss_weighted"), 0.75, 1e-15);
    assert_near(climb(zip, "3421", "*", "koc-height:2", "weighted_distortion"),
                (1.0 / 25 + 1.0 / 16 + 1.0 / 9 + 1.0 / 4) / 4, 1e-15);
}

/* ---- Loukides' thesis ---- */

static char *thesis_postcodes(void)
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

/* Table 2.3 of Table 2.1: 4 rows may be one of 6 postcodes, 4 one of 11, of 21. Our ncp counts
 * steps: 5 and 10 of 20. */
static void test_ncp_as_printed(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    char *levels = thesis_postcodes();
    column_spec column = { "p", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, levels, 0 };
    table_spec spec = {
        .text = "p,x\nNW10,1\nNW15,1\nNW12,1\nNW13,1\nNW20,1\nNW30,1\nNW30,1\nNW25,1\n",
        .columns = &column,
        .n_columns = 1
    };
    static const char table_2_3[] = "p,x\nNW[10-15],1\nNW[10-15],1\nNW[10-15],1\nNW[10-15],1\nNW["
                                    "20-30],1\nNW[20-30],1\nNW[20-30],1\nNW[20-30],1\n";
    assert_ok(open_table(&table, &spec, &err));
    assert_near(measure(table, table_2_3, "s2_ncp"), (4 * 6 + 4 * 11) / 21.0, 1e-12);
    assert_near(measure(table, table_2_3, "ncp"), 3, 1e-12);
    /* one column: the mean share of the domain */
    assert_near(measure(table, table_2_3, "ambiguity"), 8.5 / 21, 1e-12);
    shoal_free(levels);
    shoal_table_free(table);
}

/*
 * Tables 2.6 and 2.7 of Table 2.4. Ages 15..80 are 66 numbers, postcodes 21; those of Table 2.6
 * overlap, so they are numbers here. In Table 2.6 four rows stand for 41 ages and 11 postcodes, the
 * others for one age and 4 postcodes: 0.164. In Table 2.7 the areas are 16 x 3 (twice), 41 x 6 and
 * 41 x 1: 0.069, less than half as much. The thesis prints 0.164 and 0.252 and defines the metric
 * by reference alone; the second number contradicts the reading that gives the first, and the
 * ambiguity of Table 2.7 is the lower one.
 */
static void test_ambiguity(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    column_spec columns[] = { { "a", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                              { "p", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 } };
    table_spec spec = { .text = "a,p\n15,10\n30,15\n30,12\n15,13\n40,20\n80,30\n80,30\n40,25\n",
                        .columns = columns,
                        .n_columns = 2 };
    static const char table_2_6[] = "a,p\n15,[10-13]\n30,[12-15]\n30,[12-15]\n15,[10-13]\n[40-80],["
                                    "20-30]\n[40-80],[20-30]\n[40-80],[20-30]\n"
                                    "[40-80],[20-30]\n";
    static const char table_2_7[] = "a,p\n[15-30],[10-12]\n[15-30],[13-15]\n[15-30],[10-12]\n[15-"
                                    "30],[13-15]\n[40-80],[20-25]\n[40-80],30\n"
                                    "[40-80],30\n[40-80],[20-25]\n";
    assert_ok(open_table(&table, &spec, &err));
    assert_near(measure(table, table_2_6, "ambiguity"), (4 * 4 + 4 * 41 * 11) / (8.0 * 66 * 21),
                1e-12);
    assert_near(measure(table, table_2_6, "ambiguity"), 0.164, 5e-4);
    assert_near(measure(table, table_2_7, "ambiguity"),
                (4 * 16 * 3 + 2 * 41 * 6 + 2 * 41 * 1) / (8.0 * 66 * 21), 1e-12);
    assert_near(measure(table, table_2_7, "ambiguity"), 0.069, 5e-4); /* printed: 0.252 */
    shoal_table_free(table);
}

/* Section 2.1.2: {0, 40, 40} has a variance of 355.55; the other group, {10, 10, 10}, of 0. */
static void test_variance(void **state)
{
    (void)state;
    shoal_table *table = NULL;
    column_spec columns[] = { { "a", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
                              { "salary", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_NUMERIC, NULL, 0 } };
    static const char one[] = "a,salary\nx,0\nx,40\nx,40\n",
                      two[] = "a,salary\nx,0\nx,40\nx,40\ny,10\ny,10\ny,10\n";
    table_spec spec = { .text = one, .columns = columns, .n_columns = 2 };
    assert_ok(open_table(&table, &spec, &err));
    assert_near(measure(table, one, "variance"), 355.55, 6e-3);
    shoal_table_free(table);
    spec.text = two;
    assert_ok(open_table(&table, &spec, &err));
    assert_near(measure(table, two, "variance"), 0, 0);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_priority_weighted_distortion),
        cmocka_unit_test(test_methods_report_their_weighting),
        cmocka_unit_test(test_plans_know_priorities_and_weights),
        cmocka_unit_test(test_height_weights),
        cmocka_unit_test(test_ncp_as_printed),
        cmocka_unit_test(test_ambiguity),
        cmocka_unit_test(test_variance),
    };
    return cmocka_run_group_tests_name("weighted_costs", tests, NULL, NULL);
}
