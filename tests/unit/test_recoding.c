/* SPDX-License-Identifier: Apache-2.0 */
/* test_recoding.c - one grouping published by each model of recoding, with its losses worked out by
 * hand. Covers: recode_generalise.c, recode_models.c
 */
#include "release_fixture.h"
#include "published/released.h"
#include "verify/verify.h"

#include <math.h>

static const char zip_levels[] =
    "4350;435*;4***;*\n4351;435*;4***;*\n4400;44**;4***;*\n4401;44**;4***;*\n5000;50**;5***;*\n";
static const char age_levels[] =
    "20;20-29;*\n25;20-29;*\n31;30-39;*\n38;30-39;*\n40;40-49;*\n60;60-69;*\n";
static const char text[] = "age,zip,job,day,other\n"
                           "20,4350,cook,2020-01-01,a\n" /* group 0 */
                           "25,4351,cook,2020-01-02,b\n"
                           "31,4400,maid,2020-03-01,c\n" /* group 1 */
                           "38,4400,cook,2020-03-01,d\n"
                           "38,4400,maid,2020-03-05,e\n"
                           "40,4401,vet,2020-05-01,f\n" /* group 2 */
                           "60,4401,vet,2020-05-01,g\n";
static const uint32_t groups[] = { 0, 0, 1, 1, 1, 2, 2 };
static const column_spec columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, age_levels, 0 },
    { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, zip_levels, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "day", SHOAL_ROLE_QUASI, SHOAL_TYPE_DATE, NULL, 0 },
};

typedef struct recoded {
    shoal_table *table;
    shoal_grouping *grouping;
    shoal_measures measures;
    shoal_buffer text;
} recoded;

static shoal_status verify_text(const shoal_table *table, const char *data, size_t size,
                                shoal_recode_model model, uint32_t k, shoal_check_result *result,
                                shoal_error *err)
{
    shoal_table *released = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_released_open(&released, data, size, table, 1, err));
    shoal_verify_options options = SHOAL_VERIFY_OPTIONS_INIT;
    options.k = k;
    options.recoding = model;
    shoal_status status = shoal_verify_release(result, table, released, &options, err);
    shoal_table_free(released);
    return status;
}

/* Make, recode, write, verify and measure. */
static recoded recode_table(const table_spec *spec, const uint32_t *row_groups,
                            shoal_recode_model model)
{
    shoal_error err;
    shoal_check_result result;
    recoded r = { 0 };
    assert_ok(open_table(&r.table, spec, &err));
    assert_ok(group_rows(&r.grouping, r.table, row_groups, &err));
    assert_ok(shoal_grouping_recode(r.grouping, r.table, model, 2, &err));
    assert_int_equal(shoal_grouping_model(r.grouping), model);
    assert_ok(write_release(&r.text, r.table, r.grouping, NULL, &err));
    assert_ok(shoal_measure_grouping(&r.measures, r.table, r.grouping, 2, &err));
    assert_ok(verify_text(r.table, r.text.data, r.text.size, model, 2, &result, &err));
    assert_int_equal(result.n_groups, r.measures.n_groups);
    buffer_text(&r.text);
    return r;
}

static void recoded_clear(recoded *r)
{
    shoal_buffer_clear(&r->text);
    shoal_measures_clear(&r->measures);
    shoal_grouping_free(r->grouping);
    shoal_table_free(r->table);
}

static const table_spec people = { .text = text, .columns = columns, .n_columns = 4 };

static void assert_loss(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-12)) fail_msg("%.17g instead of %.17g", value, expected);
}

static void test_local(void **state)
{
    (void)state;
    recoded r = recode_table(&people, groups, SHOAL_RECODE_LOCAL);
    assert_string_equal(r.text.data,
                        "age,zip,job,day,other\n"
                        "[20..25],435*,cook,[2020-01-01..2020-01-02],a\n[20..25],435*,cook,[2020-"
                        "01-01..2020-01-02],b\n"
                        "[31..38],4400,{cook|maid},[2020-03-01..2020-03-05],c\n"
                        "[31..38],4400,{cook|maid},[2020-03-01..2020-03-05],d\n"
                        "[31..38],4400,{cook|maid},[2020-03-01..2020-03-05],e\n"
                        "[40..60],4401,vet,2020-05-01,f\n[40..60],4401,vet,2020-05-01,g\n");
    assert_false(r.measures.has_sse);
    recoded_clear(&r);
}

/* 20-29 spans 20..25 of 20..60; 30-39 spans 31..38; 40 and 60 meet at the root. */
static void test_node(void **state)
{
    (void)state;
    recoded r = recode_table(&people, groups, SHOAL_RECODE_NODE);
    assert_string_equal(
        r.text.data,
        "age,zip,job,day,other\n"
        "20-29,435*,cook,[2020-01-01..2020-01-02],a\n20-29,435*,cook,[2020-01-01..2020-01-02],b\n"
        "30-39,4400,{cook|maid},[2020-03-01..2020-03-05],c\n"
        "30-39,4400,{cook|maid},[2020-03-01..2020-03-05],d\n"
        "30-39,4400,{cook|maid},[2020-03-01..2020-03-05],e\n"
        "*,4401,vet,2020-05-01,f\n*,4401,vet,2020-05-01,g\n");
    assert_loss(r.measures.qid_loss[0], (2 * 5 / 40.0 + 3 * 7 / 40.0 + 2) / 7);
    recoded_clear(&r);
}

/* Sets count values: {4350|4351} of 5 leaves loses 1/4, as its node does; sets of numbers lose
 * their range. */
static void test_set(void **state)
{
    (void)state;
    recoded r = recode_table(&people, groups, SHOAL_RECODE_SET);
    assert_non_null(strstr(r.text.data, "{20|25},{4350|4351},cook,{2020-01-01|2020-01-02},a\n"));
    assert_non_null(strstr(r.text.data, "{31|38},4400,{cook|maid},{2020-03-01|2020-03-05},e\n"));
    assert_non_null(strstr(r.text.data, "{40|60},4401,vet,2020-05-01,g\n"));
    assert_loss(r.measures.qid_loss[0], (2 * 5 + 3 * 7 + 2 * 20) / 40.0 / 7);
    assert_loss(r.measures.qid_loss[1], 2 * 0.25 / 7);
    recoded_clear(&r);
}

/* A set may be much less than the node above it. */
static void test_set_below_a_wide_node(void **state)
{
    (void)state;
    static const char two[] =
        "zip,job\n4350,cook\n4401,cook\n4351,maid\n4400,maid\n5000,vet\n5000,vet\n";
    static const uint32_t pairs[] = { 0, 0, 1, 1, 2, 2 };
    table_spec spec = { .text = two, .columns = columns + 1, .n_columns = 2 };
    recoded local = recode_table(&spec, pairs, SHOAL_RECODE_LOCAL),
            sets = recode_table(&spec, pairs, SHOAL_RECODE_SET);
    assert_string_equal(
        local.text.data,
        "zip,job\n4***,cook\n4***,cook\n4***,maid\n4***,maid\n5000,vet\n5000,vet\n");
    assert_string_equal(sets.text.data, "zip,job\n{4350|4401},cook\n{4350|4401},cook\n{4351|4400},"
                                        "maid\n{4351|4400},maid\n5000,vet\n5000,vet\n");
    assert_loss(local.measures.qid_loss[0], 4 * 3 / 4.0 / 6);
    assert_loss(sets.measures.qid_loss[0], 4 * 1 / 4.0 / 6);
    recoded_clear(&local);
    recoded_clear(&sets);
}

/* Ages read as categories with a hierarchy: the interval holds 3 of 6 leaves, its node 4. */
static void test_interval_of_categories(void **state)
{
    (void)state;
    static const char levels[] = "20;low;*\n25;low;*\n31;low;*\n38;low;*\n40;high;*\n60;high;*\n";
    static const char ages[] = "age\n25\n38\n20\n20\n60\n40\n";
    static const column_spec age[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, levels,
                                         0 } };
    static const uint32_t pairs[] = { 0, 0, 1, 1, 2, 2 };
    table_spec spec = { .text = ages, .columns = age, .n_columns = 1 };
    recoded r = recode_table(&spec, pairs, SHOAL_RECODE_INTERVAL);
    assert_string_equal(r.text.data, "age\n[25..38]\n[25..38]\n20\n20\n[40..60]\n[40..60]\n");
    assert_loss(r.measures.gcp, (2 * 2 / 5.0 + 2 * 1 / 5.0) / 6);
    recoded_clear(&r);
}

/*
 * Age: 40 and 60 meet at the root, so all is `*`. Zip: 4350 and 4351 meet at 435*, depth 2, so all
 * climb to depth 2. Job has no hierarchy and a group with two values: `*`. So has the day.
 */
static void test_full_domain(void **state)
{
    (void)state;
    recoded r = recode_table(&people, groups, SHOAL_RECODE_FULL_DOMAIN);
    assert_string_equal(r.text.data, "age,zip,job,day,other\n*,435*,*,*,a\n*,435*,*,*,b\n*,44**,*,*"
                                     ",c\n*,44**,*,*,d\n*,44**,*,*,e\n"
                                     "*,44**,*,*,f\n*,44**,*,*,g\n");
    assert_int_equal(r.measures.n_groups, 2);
    assert_int_equal(r.measures.min_group, 2);
    assert_int_equal(shoal_grouping_n_groups(r.grouping), 2);
    assert_int_equal(shoal_grouping_size(r.grouping, 1), 5);
    assert_loss(r.measures.gcp, (3 + 1 / 4.0) / 4);
    recoded_clear(&r);
}

/* No group mixes values of the column: it stays at its leaves. */
static void test_full_domain_leaves_columns_alone(void **state)
{
    (void)state;
    static const char rows[] = "age,zip\n20,4350\n25,4350\n31,5000\n38,5000\n";
    static const uint32_t pairs[] = { 0, 0, 1, 1 };
    table_spec spec = { .text = rows, .columns = columns, .n_columns = 2 };
    recoded r = recode_table(&spec, pairs, SHOAL_RECODE_FULL_DOMAIN);
    assert_string_equal(r.text.data, "age,zip\n20-29,4350\n20-29,4350\n30-39,5000\n30-39,5000\n");
    recoded_clear(&r);
}

/*
 * Means 22.5, 35.67, 50; days rounded. Losses are those of the values behind them. SSE of age 12.5
 * + 32.667 + 200; the mean of all is 36, SST = 256+121+25+4+4+16+576 = 1002.
 */
static void test_mean(void **state)
{
    (void)state;
    recoded r = recode_table(&people, groups, SHOAL_RECODE_MEAN);
    assert_string_equal(
        r.text.data,
        "age,zip,job,day,other\n22.5,4350,cook,2020-01-02,a\n22.5,4350,cook,2020-01-02,b\n"
        "35.67,4400,maid,2020-03-02,c\n35.67,4400,maid,2020-03-02,d\n35.67,4400,maid,2020-03-02,e\n"
        "50,4401,vet,2020-05-01,f\n50,4401,vet,2020-05-01,g\n");
    assert_loss(r.measures.qid_loss[0], (2 * 5 + 3 * 7 + 2 * 20) / 40.0 / 7);
    assert_loss(r.measures.qid_loss[1], 2 * 0.25 / 7);
    assert_loss(r.measures.qid_loss[2], 3 * 0.5 / 7);
    assert_true(r.measures.has_sse);
    double sse = 12.5 + (35.67 - 31) * (35.67 - 31) + 2 * (38 - 35.67) * (38 - 35.67) + 200;
    double days[] = { 0, 1, 60, 60, 64, 121, 121 }, to[] = { 1, 1, 61, 61, 61, 121, 121 },
           mean = 427 / 7.0, day_sse = 0, day_sst = 0;
    for (int i = 0; i < 7; i++) {
        day_sse += (days[i] - to[i]) * (days[i] - to[i]);
        day_sst += (days[i] - mean) * (days[i] - mean);
    }
    assert_loss(r.measures.sse_ratio, (sse / 1002 + day_sse / day_sst) / 2);
    recoded_clear(&r);
}

static void test_median_and_mode(void **state)
{
    (void)state;
    recoded r = recode_table(&people, groups, SHOAL_RECODE_MEDIAN);
    assert_non_null(strstr(r.text.data, "20,4350,cook,2020-01-01,b\n")); /* the lower of two */
    assert_non_null(strstr(r.text.data, "38,4400,maid,2020-03-01,c\n"));
    assert_non_null(strstr(r.text.data, "40,4401,vet,2020-05-01,g\n"));
    recoded_clear(&r);
    r = recode_table(&people, groups, SHOAL_RECODE_MODE);
    assert_non_null(strstr(r.text.data, "20,4350,cook,2020-01-01,b\n")); /* ties: the least */
    assert_non_null(strstr(r.text.data, "38,4400,maid,2020-03-01,c\n"));
    recoded_clear(&r);
}

/* Groups with the same mean are one group; the mean stays what it is. */
static void test_equal_means_merge(void **state)
{
    (void)state;
    static const char ages[] = "age\n1\n3\n0\n4\n7\n8\n";
    static const column_spec age[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 } };
    static const uint32_t pairs[] = { 0, 0, 1, 1, 2, 2 };
    table_spec spec = { .text = ages, .columns = age, .n_columns = 1 };
    recoded r = recode_table(&spec, pairs, SHOAL_RECODE_MEAN);
    assert_string_equal(r.text.data, "age\n2\n2\n2\n2\n7.5\n7.5\n");
    assert_int_equal(shoal_grouping_n_groups(r.grouping), 2);
    assert_loss(r.measures.gcp, (4 * 4 / 8.0 + 2 * 1 / 8.0) / 6); /* 0..4 behind the 2 */
    recoded_clear(&r);
}

static void test_numbers_are_spelled_plainly(void **state)
{
    (void)state;
    static const column_spec x[] = { { "x", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 } };
    static const uint32_t pair[] = { 0, 0, 0 };
    static const struct {
        const char *text, *mean;
    } cases[] = {
        { "x\n1\n1\n2\n", "1.33" },
        { "x\n-1\n-1\n-2\n", "-1.33" },
        { "x\n-1\n1\n0\n", "0" },
        { "x\n0.001\n0.002\n0.002\n", "0.00167" },
        { "x\n-0.01\n0\n0\n", "-0.0033" },
        { "x\n1e300\n2e300\n3e300\n", "2e+300" },
        { "x\n1e-300\n2e-300\n3e-300\n", "2e-300" },
        { "x\n100\n200\n300\n", "200" },
        { "x\n1e3\n2000\n6000\n", "3000" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table_spec spec = { .text = cases[i].text, .columns = x, .n_columns = 1 };
        recoded r = recode_table(&spec, pair, SHOAL_RECODE_MEAN);
        const char *end = strchr(r.text.data + 2, '\n');
        assert_int_equal(end - (r.text.data + 2), strlen(cases[i].mean));
        assert_memory_equal(r.text.data + 2, cases[i].mean, strlen(cases[i].mean));
        recoded_clear(&r);
    }
}

/* Numbers beside a missing value: the mean of the numbers. Conservatively the missing one could be
 * anything. */
static void test_missing_values(void **state)
{
    (void)state;
    static const char rows[] = "age,job\n1,cook\n,cook\n4,\n,x\n,x\n";
    static const column_spec two[] = { { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
                                       { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL,
                                         0 } };
    static const uint32_t pairs[] = { 0, 0, 0, 1, 1 };
    table_spec spec = { .text = rows, .columns = two, .n_columns = 2 };
    recoded r = recode_table(&spec, pairs, SHOAL_RECODE_MEAN);
    assert_string_equal(r.text.data, "age,job\n2.5,cook\n2.5,cook\n2.5,cook\n,x\n,x\n");
    recoded_clear(&r);
    spec.missing = SHOAL_MISSING_CONSERVATIVE;
    r = recode_table(&spec, pairs, SHOAL_RECODE_MEAN);
    assert_string_equal(r.text.data, "age,job\n*,*\n*,*\n*,*\n*,x\n*,x\n");
    recoded_clear(&r);
}

/* A column without hierarchy in which no group has two values is published as it is, however wide
 * the method made it. */
static void test_full_domain_with_wildcards(void **state)
{
    (void)state;
    static const char *const methods[] = { "optimal", "samarati" };
    static const column_spec two[] = { { "a", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
                                       { "b", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 } };
    table_spec spec = { .text = "a,b\n1,2\n,2\n1,2\n1,3\n1,4\n",
                        .columns = two,
                        .n_columns = 2,
                        .missing = SHOAL_MISSING_WILDCARD };
    for (uint32_t i = 0; i < 8; i++) {
        shoal_error err;
        shoal_check_result result;
        recoded r = { 0 };
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = 2 + i / 2;
        options.algorithm = methods[i % 2];
        assert_ok(open_table(&r.table, &spec, &err));
        assert_ok(shoal_anonymize(&r.grouping, r.table, &options, NULL, &err));
        assert_ok(shoal_grouping_recode(r.grouping, r.table, SHOAL_RECODE_FULL_DOMAIN, 1, &err));
        assert_ok(write_release(&r.text, r.table, r.grouping, NULL, &err));
        assert_ok(verify_text(r.table, r.text.data, r.text.size, SHOAL_RECODE_FULL_DOMAIN,
                              options.k, &result, &err));
        recoded_clear(&r);
    }
}

static void test_tampered_means(void **state)
{
    (void)state;
    shoal_error err;
    shoal_check_result result;
    recoded r = recode_table(&people, groups, SHOAL_RECODE_MEAN);
    static const char *const changes[][2] = {
        { "22.5,", "22.4," },     { "22.5,", "22.51," },
        { "22.5,", "20," },       { "22.5,", "?," },
        { "22.5,", "[20..25]," }, { "22.5,", "," },
        { "35.67,", "35.68," },   { "4350,cook", "4351,cook" },
        { "maid", "cook" },       { "2020-03-02", "2020-03-01" },
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        shoal_buffer spoilt = { 0 };
        for (const char *at = r.text.data, *next;; at = next + strlen(changes[i][0])) {
            next = strstr(at, changes[i][0]);
            shoal_buffer_add(&spoilt, at, next != NULL ? (size_t)(next - at) : strlen(at));
            if (next == NULL) break;
            shoal_buffer_print(&spoilt, "%s", changes[i][1]);
        }
        assert_fails(
            verify_text(r.table, spoilt.data, spoilt.size, SHOAL_RECODE_MEAN, 2, &result, &err),
            SHOAL_EUNSAT, "not the aggregate of their group's original values");
        assert_true(result.uncovered_cells >= 2);
        shoal_buffer_clear(&spoilt);
    }
    assert_fails(
        verify_text(r.table, r.text.data, r.text.size, SHOAL_RECODE_LOCAL, 2, &result, &err),
        SHOAL_EUNSAT, "do not cover");
    assert_fails(
        verify_text(r.table, r.text.data, r.text.size, SHOAL_RECODE_MEDIAN, 2, &result, &err),
        SHOAL_EUNSAT, "not the aggregate");
    recoded_clear(&r);
}

static void test_what_is_refused(void **state)
{
    (void)state;
    shoal_error err;
    recoded r = recode_table(&people, groups, SHOAL_RECODE_SET);
    assert_fails(shoal_grouping_recode(r.grouping, r.table, SHOAL_RECODE_NODE, 1, &err),
                 SHOAL_EINVAL, "already recoded");
    recoded_clear(&r);
    table_spec spec = people;
    spec.missing = SHOAL_MISSING_WILDCARD;
    assert_ok(open_table(&r.table, &spec, &err));
    assert_ok(group_rows(&r.grouping, r.table, groups, &err));
    assert_fails(shoal_grouping_recode(r.grouping, r.table, SHOAL_RECODE_MEAN, 1, &err),
                 SHOAL_EINVAL, "--missing wildcard");
    assert_fails(shoal_grouping_recode(r.grouping, r.table, (shoal_recode_model)99, 1, &err),
                 SHOAL_EINVAL, "unknown model");
    recoded_clear(&r);
}

static shoal_status all_with_less_memory(const shoal_table *table, shoal_recode_model model)
{
    shoal_grouping *grouping = NULL;
    shoal_measures measures = { 0 };
    shoal_buffer out = { 0 };
    shoal_check_result result;
    shoal_status status = SHOAL_OK;
    SHOAL_GOTO_IF_ERROR(group_rows(&grouping, table, groups, NULL), out);
    SHOAL_GOTO_IF_ERROR(shoal_grouping_recode(grouping, table, model, 1, NULL), out);
    SHOAL_GOTO_IF_ERROR(shoal_measure_grouping(&measures, table, grouping, 2, NULL), out);
    SHOAL_GOTO_IF_ERROR(write_release(&out, table, grouping, NULL, NULL), out);
    SHOAL_GOTO_IF_ERROR(verify_text(table, out.data, out.size, model, 2, &result, NULL), out);
out:
    shoal_buffer_clear(&out);
    shoal_measures_clear(&measures);
    shoal_grouping_free(grouping);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    assert_ok(open_table(&table, &people, &err));
    for (int model = SHOAL_RECODE_NODE; model < SHOAL_RECODE_COUNT; model++)
        assert_survives_allocation_failure(all_with_less_memory(table, (shoal_recode_model)model));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_local),
        cmocka_unit_test(test_node),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_set_below_a_wide_node),
        cmocka_unit_test(test_interval_of_categories),
        cmocka_unit_test(test_full_domain),
        cmocka_unit_test(test_full_domain_leaves_columns_alone),
        cmocka_unit_test(test_mean),
        cmocka_unit_test(test_median_and_mode),
        cmocka_unit_test(test_equal_means_merge),
        cmocka_unit_test(test_numbers_are_spelled_plainly),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_full_domain_with_wildcards),
        cmocka_unit_test(test_tampered_means),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests_name("recoding", tests, NULL, NULL);
}
