/* SPDX-License-Identifier: Apache-2.0 */
/* test_queries.c - COUNT queries on tables small enough to count by hand: workloads drawn and read,
 * estimates, errors. Covers: queries_draw.c, queries_read.c, query_buckets.c, query_error.c
 */
#include "evaluate/queries.h"
#include "release_fixture.h"

#include <math.h>

static const char jobs[] =
    "nurse;health;*\ndoctor;health;*\nclerk;office;*\nlawyer;office;*\nidle;idle;*\n";
static const char text[] = "age,job,town,pay\n20,nurse,A,10\n24,doctor,A,20\n30,clerk,B,10\n34,"
                           "lawyer,C,30\n40,idle,B,20\n";
static const column_spec columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, jobs, 0 },
    { "town", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "pay", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_NUMERIC, NULL, 0 },
};
static const table_spec spec = { .text = text, .columns = columns, .n_columns = 4 };

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12)) fail_msg("%.15g instead of %.15g", value, expected);
}

/* Text as a table of categories, as a release or a workload is loaded. */
static shoal_status open_categories(shoal_table **out, const char *csv, shoal_error *err)
{
    shoal_csv_options options = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    shoal_table *table = NULL;
    options.delimiter = ',';
    load.encode_all = true;
    SHOAL_RETURN_IF_ERROR(
        shoal_table_open_memory(&table, csv, strlen(csv), NULL, NULL, &options, err));
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        SHOAL_GOTO_IF_ERROR(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, err), out);
        SHOAL_GOTO_IF_ERROR(shoal_table_set_type(table, c, SHOAL_TYPE_CATEGORICAL, err), out);
    }
    SHOAL_GOTO_IF_ERROR(shoal_table_load(table, &load, err), out);
    *out = table;
    table = NULL;
out:
    shoal_table_free(table);
    return status;
}

/* Read a workload, estimate it on a release; everything but the result is freed. */
static shoal_status run(shoal_query_result *out, const char *workload_text,
                        const char *release_text, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_table *original = NULL, *released = NULL, *workload = NULL;
    shoal_queries *queries = NULL;
    SHOAL_GOTO_IF_ERROR(open_table(&original, &spec, err), out);
    SHOAL_GOTO_IF_ERROR(open_categories(&workload, workload_text, err), out);
    SHOAL_GOTO_IF_ERROR(open_categories(&released, release_text, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_queries_read(&queries, original, workload, 1, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_queries_estimate(out, queries, released, NULL, err), out);
out:
    shoal_queries_free(queries);
    shoal_table_free(released);
    shoal_table_free(workload);
    shoal_table_free(original);
    return status;
}

static const char release[] =
    "age,job,town,pay\n[20..30],health,{A|B},10\n[20..30],health,{A|B},20\n"
    "[20..30],*,{A|B},10\n*,office,C,30\n*,*,*,20\n";

/* Ages 20, 24, 30, 34, 40; [20..30] holds three of them, `*` five; `*` of jobs five leaves, of
 * towns three. */
static void test_estimates_by_hand(void **state)
{
    (void)state;
    shoal_error err;
    shoal_query_result r;
    assert_ok(run(&r,
                  "age,job,town,pay\n"
                  "[20..24],,,\n"       /* act 2; 3 * 2/3 + 2 * 2/5 = 2.8 */
                  "[20..24],health,,\n" /* act 2; 2 * 2/3 + 2/3 * 2/5 + 0 + 2/5 * 2/5 = 1.76 */
                  ",doctor,A,20\n"      /* act 1; row 2: 1/2 * 1/2; row 5: 1/5 * 1/3 */
                  ",,{A|C},\n"          /* act 3; 3 * 1/2 + 1 + 2/3 */
                  "34,,,[10..20]\n"     /* act 0; row 5: 1/5 */
                  ",*,,30\n",           /* act 1; 1 */
                  release, &err));
    assert_int_equal(r.n_queries, 6);
    assert_near(r.estimates[0], 2.8);
    assert_near(r.estimates[1], 2 * 2.0 / 3 + 2.0 / 3 * 2 / 5 + 4.0 / 25);
    assert_near(r.estimates[2], 0.25 + 1.0 / 15);
    assert_near(r.estimates[3], 1.5 + 1 + 2.0 / 3);
    assert_near(r.estimates[4], 0.2);
    assert_near(r.estimates[5], 1);
    assert_near(r.errors[0], 0.4);
    assert_near(r.errors[5], 0);
    assert_true(isnan(r.errors[4]));
    assert_int_equal(r.n_unanswered, 1);
    assert_int_equal(r.n_unread, 0);
    double sum = r.errors[0] + r.errors[1] + r.errors[2] + r.errors[3] + r.errors[5];
    assert_near(r.average, sum / 5);
    assert_near(r.curve[0], 0);
    assert_near(r.curve[100], r.errors[2]);
    assert_near(r.curve[25], r.errors[3]); /* 0, 1/18, 0.12, 0.4, 0.683: the second */
    assert_near(r.median, r.errors[1]);
    shoal_query_result_clear(&r);
}

/* The mean of a group is no value of the column: the query holds it or not. What cannot be read is
 * `*`. */
static void test_means_and_unread(void **state)
{
    (void)state;
    shoal_error err;
    shoal_query_result r;
    const char means[] = "age,job,town,pay\n22,nurse,A,10\n22,nurse,A,20\n34.667,clerk,?!,10\n34."
                         "667,clerk,B,30\n34.667,clerk,B,20\n";
    assert_ok(run(&r, "age,town\n[20..24],\n[24..34],\n[30..40],\n,B\n34,\n", means, &err));
    assert_near(r.estimates[0], 2);
    assert_near(r.estimates[1], 0);
    assert_near(r.estimates[2], 3);
    assert_near(r.estimates[3], 2 + 1.0 / 3);
    assert_near(r.estimates[4], 0);
    assert_int_equal(r.n_unread, 1);
    shoal_query_result_clear(&r);
}

/* Intervals between two values, and rows that were left out. */
static void test_gaps_and_missing_rows(void **state)
{
    (void)state;
    shoal_error err;
    shoal_query_result r;
    assert_ok(run(&r, "age\n[20..24]\n[24..30]\n",
                  "age,job,town,pay\n[21..23],*,*,1\n\"[25, 29]\",*,*,1\n", &err));
    assert_near(r.estimates[0], 1);
    assert_near(r.estimates[1], 1);
    shoal_query_result_clear(&r);
}

/* Two tables: rows 1, 2 in group 1 (pay 10, 20), rows 3 to 5 in group 2 (pay 10, 30, 20). */
static const char first[] =
    "age,job,town,group\n20,nurse,A,1\n24,doctor,A,1\n30,clerk,B,2\n34,lawyer,C,2\n40,idle,B,2\n";
static const char second[] = "group,pay,count\n1,10,1\n1,20,1\n2,10,1\n2,20,1\n2,30,1\n";

static shoal_status run_buckets(shoal_query_result *out, const char *second_text, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_table *original = NULL, *released = NULL, *workload = NULL, *sensitive = NULL;
    shoal_queries *queries = NULL;
    SHOAL_GOTO_IF_ERROR(open_table(&original, &spec, err), out);
    SHOAL_GOTO_IF_ERROR(
        open_categories(&workload, "age,town,pay\n,,10\n,A,20\n,B,[20..30]\n[20..30],,10\n", err),
        out);
    SHOAL_GOTO_IF_ERROR(open_categories(&released, first, err), out);
    SHOAL_GOTO_IF_ERROR(open_categories(&sensitive, second_text, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_queries_read(&queries, original, workload, 1, err), out);
    shoal_estimate_options options = SHOAL_ESTIMATE_OPTIONS_INIT;
    options.sensitive = sensitive;
    SHOAL_GOTO_IF_ERROR(shoal_queries_estimate(out, queries, released, &options, err), out);
out:
    shoal_queries_free(queries);
    shoal_table_free(sensitive);
    shoal_table_free(released);
    shoal_table_free(workload);
    shoal_table_free(original);
    return status;
}

static void test_two_tables(void **state)
{
    (void)state;
    shoal_error err;
    shoal_query_result r;
    assert_ok(run_buckets(&r, second, &err));
    assert_near(r.estimates[0], 2 * 0.5 + 3 * 1.0 / 3);
    assert_near(r.estimates[1], 2 * 0.5);
    assert_near(r.estimates[2], 2 * 2.0 / 3);
    assert_near(r.estimates[3], 2 * 0.5 + 1.0 / 3);
    shoal_query_result_clear(&r);
    /* counts are weights */
    assert_ok(run_buckets(&r, "group,pay,count\n1,10,3\n1,20,1\n2,30,3\n", &err));
    assert_near(r.estimates[0], 2 * 0.75);
    shoal_query_result_clear(&r);
    assert_fails(run_buckets(&r, "group,pay\n1,10\n", &err), SHOAL_EINVAL, "2 columns");
    assert_fails(run_buckets(&r, "group,age,count\n1,20,1\n", &err), SHOAL_EINVAL,
                 "'age' is not a sensitive column");
    assert_fails(run_buckets(&r, "part,pay,count\n1,10,1\n", &err), SHOAL_EINVAL,
                 "no column 'part'");
    assert_fails(run_buckets(&r, "group,pay,count\n1,10,1\n2,99,1\n", &err), SHOAL_EDATA,
                 "row 2: its value");
    assert_fails(run_buckets(&r, "group,pay,count\n1,10,x\n", &err), SHOAL_EDATA,
                 "row 1: its count");
    assert_fails(run_buckets(&r, "group,pay,count\n1,10,2\n", &err), SHOAL_EDATA,
                 "group of the release is missing");
}

static void test_bad_workloads(void **state)
{
    (void)state;
    shoal_error err;
    shoal_query_result r;
    assert_fails(run(&r, "age,job\n,\"x\"\n", release, &err), SHOAL_EDATA, "row 1, column 'job'");
    assert_fails(run(&r, "age,job\n20,\n,\n", release, &err), SHOAL_EDATA,
                 "row 2 has no condition");
    assert_fails(run(&r, "age,height\n20,3\n", release, &err), SHOAL_EINVAL, "column 'height'");
    assert_fails(run(&r, "age\n*\n", release, &err), SHOAL_EDATA, "workload: no queries");
    assert_fails(run(&r, "age,pay\n20,10\n", "age,job,town\n20,*,*\n", &err), SHOAL_EINVAL,
                 "the release has no column 'pay'");
}

static shoal_status draw_queries(shoal_queries **out, shoal_table **table,
                                 const shoal_workload_options *options, shoal_error *err)
{
    shoal_status status = open_table(table, &spec, err);
    if (status == SHOAL_OK) status = shoal_queries_draw(out, *table, options, err);
    return status;
}

/* Every query has the form that its workload promises, and an answer. */
static void test_drawn_forms(void **state)
{
    (void)state;
    shoal_error err;
    const size_t named[] = { 2, 3 };
    for (int kind = SHOAL_WORKLOAD_CENSUS_RANGE; kind <= SHOAL_WORKLOAD_COLUMNS; kind++) {
        shoal_workload_options options = SHOAL_WORKLOAD_OPTIONS_INIT;
        shoal_queries *q = NULL;
        shoal_table *table = NULL;
        options.workload = (shoal_workload)kind;
        options.n_queries = 200;
        options.columns = named;
        options.n_columns = 2;
        options.dimensions = 2;
        options.seed = 5;
        assert_ok(draw_queries(&q, &table, &options, &err));
        assert_int_equal(shoal_queries_count(q), 200);
        uint32_t n_expected = kind == SHOAL_WORKLOAD_COLUMNS ? 2 : 3;
        for (uint64_t i = 0; i < 200; i++) {
            const shoal_predicate *p = shoal_query_predicates(q, i);
            assert_int_equal(q->n_predicates[i], n_expected);
            assert_true(shoal_queries_actual(q, i) >= 1);
            const shoal_region *last = &p[n_expected - 1].region;
            assert_int_equal(p[n_expected - 1].attr, 3); /* pay */
            /* fewer than ten */
            if (kind == SHOAL_WORKLOAD_CENSUS_RANGE)
                assert_true(last->first == 0 && last->last == 2);
            else
                assert_int_equal(last->first, last->last);
            if (kind != SHOAL_WORKLOAD_COLUMNS) assert_int_not_equal(p[0].attr, p[1].attr);
            for (uint32_t j = 0; j < n_expected && kind != SHOAL_WORKLOAD_COLUMNS; j++) {
                const shoal_region *region = &p[j].region;
                /* 20 % of 20..40 */
                if (p[j].attr == 0) assert_true(region->high - region->low <= 4);
                if (p[j].attr == 1)
                    assert_true(region->last - region->first == (region->first < 4 ? 1u : 0u));
                if (p[j].attr == 2) assert_int_equal(region->first, region->last);
            }
        }
        shoal_queries_free(q);
        shoal_table_free(table);
    }
}

static void test_refused_options(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    shoal_queries *q = NULL;
    size_t twice[] = { 0, 0 }, beyond[] = { 9 };
    assert_ok(open_table(&table, &spec, &err));
    shoal_workload_options options = SHOAL_WORKLOAD_OPTIONS_INIT;
    options.dimensions = 4;
    assert_fails(shoal_queries_draw(&q, table, &options, &err), SHOAL_EINVAL, "use at most 3");
    options.workload = SHOAL_WORKLOAD_COLUMNS;
    assert_fails(shoal_queries_draw(&q, table, &options, &err), SHOAL_EINVAL, "0 columns");
    options.columns = twice;
    options.n_columns = 2;
    assert_fails(shoal_queries_draw(&q, table, &options, &err), SHOAL_EINVAL, "twice");
    options.columns = beyond;
    options.n_columns = 1;
    assert_fails(shoal_queries_draw(&q, table, &options, &err), SHOAL_EINVAL, "sensitive or");
    options.size = 3;
    assert_fails(shoal_queries_draw(&q, table, &options, &err), SHOAL_EINVAL, "not initialised");
    shoal_table_free(table);
}

/* What is written can be read again, and asks the same. */
static void test_written_workload(void **state)
{
    (void)state;
    shoal_error err;
    shoal_workload_options options = SHOAL_WORKLOAD_OPTIONS_INIT;
    shoal_queries *q = NULL, *again = NULL;
    shoal_table *table = NULL, *workload = NULL, *released = NULL;
    shoal_query_result a, b;
    shoal_buffer csv = { 0 };
    options.n_queries = 60;
    options.dimensions = 3;
    assert_ok(draw_queries(&q, &table, &options, &err));
    assert_ok(open_categories(&released, release, &err));
    shoal_estimate_options two_threads = SHOAL_ESTIMATE_OPTIONS_INIT;
    two_threads.threads = 2;
    assert_ok(shoal_queries_estimate(&a, q, released, &two_threads, &err));
    assert_ok(shoal_queries_write_csv(q, &a, write_to_buffer, &csv, &err));
    assert_ok(open_categories(&workload, buffer_text(&csv), &err));
    assert_ok(shoal_queries_read(&again, table, workload, 1, &err));
    assert_ok(shoal_queries_estimate(&b, again, released, NULL, &err));
    assert_int_equal(shoal_queries_count(again), 60);
    for (uint64_t i = 0; i < 60; i++) {
        assert_int_equal(shoal_queries_actual(q, i), shoal_queries_actual(again, i));
        assert_near(a.estimates[i], b.estimates[i]);
    }
    shoal_query_result_clear(&a);
    shoal_query_result_clear(&b);
    shoal_queries_free(q);
    shoal_queries_free(again);
    shoal_table_free(workload);
    shoal_table_free(released);
    shoal_table_free(table);
    shoal_buffer_clear(&csv);
}

/* Predicates that were read are written as they were: 22 lies between two ages, and [21..29] is
 * wider than the one age in it. */
static void test_written_as_read(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL, *workload = NULL;
    shoal_queries *q = NULL;
    shoal_buffer csv = { 0 };
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(open_categories(&workload, "age,town\n22,\n[21..29],\"{A|B}\"\n", &err));
    assert_ok(shoal_queries_read(&q, table, workload, 1, &err));
    shoal_table_free(workload);
    assert_ok(shoal_queries_write_csv(q, NULL, write_to_buffer, &csv, &err));
    assert_string_equal(
        buffer_text(&csv),
        "query,age,town,actual,estimate,error\n1,22,,0,,\n2,[21..29],\"{A|B}\",1,,\n");
    shoal_queries_free(q);
    shoal_table_free(table);
    shoal_buffer_clear(&csv);
}

static shoal_status draw_and_write(void)
{
    shoal_error err;
    shoal_workload_options options = SHOAL_WORKLOAD_OPTIONS_INIT;
    shoal_queries *q = NULL;
    shoal_table *table = NULL;
    shoal_buffer csv = { 0 };
    options.n_queries = 5;
    shoal_status status = draw_queries(&q, &table, &options, &err);
    if (status == SHOAL_OK) status = shoal_queries_write_csv(q, NULL, write_to_buffer, &csv, &err);
    if (csv.failed) status = SHOAL_ENOMEM;
    shoal_queries_free(q);
    shoal_table_free(table);
    shoal_buffer_clear(&csv);
    return status;
}

static shoal_status read_and_estimate(void)
{
    shoal_error err;
    shoal_query_result r = { 0 };
    shoal_status status = run(&r, "age,job,town\n[20..24],health,{A|B}\n,,C\n", release, &err);
    shoal_query_result_clear(&r);
    return status;
}

static shoal_status estimate_buckets(void)
{
    shoal_error err;
    shoal_query_result r = { 0 };
    shoal_status status = run_buckets(&r, second, &err);
    shoal_query_result_clear(&r);
    return status;
}

static void test_allocation_failure(void **state)
{
    (void)state;
    assert_survives_allocation_failure(draw_and_write());
    assert_survives_allocation_failure(read_and_estimate());
    assert_survives_allocation_failure(estimate_buckets());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_estimates_by_hand), cmocka_unit_test(test_means_and_unread),
        cmocka_unit_test(test_two_tables),        cmocka_unit_test(test_gaps_and_missing_rows),
        cmocka_unit_test(test_bad_workloads),     cmocka_unit_test(test_written_as_read),
        cmocka_unit_test(test_drawn_forms),       cmocka_unit_test(test_refused_options),
        cmocka_unit_test(test_written_workload),  cmocka_unit_test(test_allocation_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
