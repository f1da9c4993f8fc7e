/* SPDX-License-Identifier: Apache-2.0 */
/* test_trial.c - a trial says what making, verifying, measuring and asking the release by hand
 * says. Covers: trial_numbers.c
 */
#include "arrow_streams.h"
#include "release_fixture.h"

#include <math.h>
#include <shoal/frontier.h>

static const column_spec columns[] = {
    { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
    { "job", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
    { "pay", SHOAL_ROLE_SENSITIVE, SHOAL_TYPE_NUMERIC, NULL, 0 },
};
/* Mondrian at k = 2 cuts ages 20..26 from 40..46, then each half again. */
static const char text[] =
    "age,job,pay\n20,a,1\n22,a,2\n24,b,3\n26,b,4\n40,a,5\n42,a,6\n44,b,7\n46,b,8\n";
static const table_spec spec = { .text = text, .columns = columns, .n_columns = 3 };

static shoal_status try_once(shoal_trial *out, uint32_t k, bool ask, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_table *table = NULL;
    shoal_queries *queries = NULL;
    shoal_workload_options workload = SHOAL_WORKLOAD_OPTIONS_INIT;
    shoal_spec options = SHOAL_SPEC_INIT;
    size_t pay = 2;
    workload.workload = SHOAL_WORKLOAD_COLUMNS;
    workload.columns = &pay;
    workload.n_columns = 1;
    workload.n_queries = 10;
    options.k = k;
    options.algorithm = "mondrian";
    shoal_model_spec diverse = { "l-diversity", "distinct:3", NULL };
    options.models = &diverse;
    options.n_models = k == 3;
    SHOAL_GOTO_IF_ERROR(open_table(&table, &spec, err), out);
    if (ask) SHOAL_GOTO_IF_ERROR(shoal_queries_draw(&queries, table, &workload, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_trial_run(out, table, &options, NULL, queries, err), out);
out:
    shoal_queries_free(queries);
    shoal_table_free(table);
    return status;
}

static void test_trial(void **state)
{
    (void)state;
    shoal_error err;
    shoal_trial t;
    assert_ok(try_once(&t, 2, true, &err));
    assert_int_equal(t.measures.n_groups, 4);
    assert_true(t.risk_max == 0.5);
    assert_true(t.risk_mean == 0.5);
    assert_true(t.has_queries);
    assert_true(t.query_average == 0); /* the sensitive column is published as it is */
    /* each group: two years of 26, one job */
    assert_true(fabs(t.measures.gcp - (2.0 / 26) / 2) < 1e-12);
    shoal_trial_clear(&t);
    /* with the model: no group of two kinds of pay alone */
    assert_ok(try_once(&t, 3, false, &err));
    assert_true(t.measures.min_group >= 3);
    shoal_trial_clear(&t);
    assert_ok(try_once(&t, 8, false, &err));
    assert_true(t.risk_max == 0.125 && t.measures.n_groups == 1 && !t.has_queries);
    shoal_trial_clear(&t);
    assert_fails(try_once(&t, 9, false, &err), SHOAL_EUNSAT, "");
}

/* Mondrian at k = 4: ages 20..26 and 40..46, both jobs in each. */
/* Below what trials lose; nothing where it is not about them. */
static void test_bound(void **state)
{
    (void)state;
    shoal_error err;
    shoal_trial t;
    shoal_table *table = NULL;
    double bound = 0;
    const shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    assert_ok(try_once(&t, 2, false, &err));
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(shoal_trial_bound(&bound, table, 2, SHOAL_RECODE_LOCAL, &options, &err));
    assert_true(bound > 0 && bound <= t.measures.gcp + 1e-12);
    /* of 8 rows */
    assert_ok(shoal_trial_bound(&bound, table, 9, SHOAL_RECODE_LOCAL, &options, &err));
    assert_true(isnan(bound));
    /* job has no order by itself */
    assert_ok(shoal_trial_bound(&bound, table, 2, SHOAL_RECODE_INTERVAL, &options, &err));
    assert_true(isnan(bound));
    /* sets are what it has anyway */
    assert_ok(shoal_trial_bound(&bound, table, 2, SHOAL_RECODE_SET, &options, &err));
    assert_true(isfinite(bound));
    shoal_trial_clear(&t);
    shoal_table_free(table);
}

static void test_recoded(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    shoal_trial local, mean;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 4;
    options.algorithm = "mondrian";
    assert_ok(open_table(&table, &spec, &err));
    assert_ok(shoal_trial_run(&local, table, &options, NULL, NULL, &err));
    options.recoding = SHOAL_RECODE_MEAN + 1;
    assert_ok(shoal_trial_run(&mean, table, &options, NULL, NULL, &err));
    assert_int_equal(local.measures.n_groups, 2);
    assert_false(local.measures.has_sse);
    assert_true(mean.measures.has_sse);
    /* within the halves 20, 22, 24, 26 around 23 twice: 40; in all around 33: 13^2 + 11^2 + 9^2 +
     * 7^2, twice: 840 */
    assert_true(fabs(mean.measures.sse_ratio - 40.0 / 840) < 1e-12);
    /* four of eight wages, 3 apart of 7 */
    assert_true(local.measures.n_sensitive == 1 && local.measures.mpm == 1 - 3.0 / 7);
    shoal_trial_clear(&local);
    shoal_trial_clear(&mean);
    shoal_table_free(table);
}

static void test_two_tables_are_refused(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    shoal_trial t;
    shoal_param param = { "l", "2" };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    options.algorithm = "anatomy";
    options.params = &param;
    options.n_params = 1;
    assert_ok(open_table(&table, &spec, &err));
    assert_fails(shoal_trial_run(&t, table, &options, NULL, NULL, &err), SHOAL_EINVAL,
                 "second table");
    shoal_table_free(table);
}

/*
 * A has three rows far from all others; the search may suppress them, for they are to be left out.
 * A trial publishes them as `*`: rows enough, but of one person. No model was asked for, and it is
 * refused all the same.
 */
static void test_persons_are_counted(void **state)
{
    (void)state;
    static const char visits[] =
        "age,job,who\n20,a,A\n21,a,A\n22,a,A\n90,b,B\n91,b,C\n92,b,B\n93,b,C\n";
    const column_spec visit_columns[] = {
        columns[0], columns[1], { "who", SHOAL_ROLE_ENTITY, SHOAL_TYPE_CATEGORICAL, NULL, 0 }
    };
    table_spec visit_spec = { .text = visits, .columns = visit_columns, .n_columns = 3 };
    shoal_error err;
    shoal_table *table = NULL;
    shoal_trial t;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    options.algorithm = "oka";
    assert_ok(open_table(&table, &visit_spec, &err));
    /* no row may be suppressed: A is merged with others */
    assert_ok(shoal_trial_run(&t, table, &options, NULL, NULL, &err));
    assert_int_equal(t.measures.suppressed_rows, 0);
    shoal_trial_clear(&t);
    options.suppression_limit = 0.5;
    options.drop_suppressed = true; /* a trial publishes them as `*`: k persons, or none */
    assert_ok(shoal_trial_run(&t, table, &options, NULL, NULL, &err));
    assert_true(t.measures.suppressed_rows != 3);
    shoal_trial_clear(&t);
    shoal_table_free(table);
}

/* The same eight persons as Arrow: a release that has no text is read back from its batches, and
 * says the same. */
static void test_arrow(void **state)
{
    (void)state;
    static const int64_t ages[] = { 20, 22, 24, 26, 40, 42, 44, 46 },
                         pays[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    static const char *const jobs[] = { "a", "a", "b", "b", "a", "a", "b", "b" };
    static const column arrow_columns[] = { { .name = "age", .format = "l", .values = ages },
                                            { .name = "job", .format = "u", .texts = jobs },
                                            { .name = "pay", .format = "l", .values = pays } };
    static const batch rows = { arrow_columns, 8, 0 };
    shoal_error err;
    shoal_table *table = NULL;
    shoal_trial t, same;
    producer p = { .batches = &rows, .n_batches = 1, .n_columns = 3 };
    struct ArrowArrayStream stream = make_stream(&p);
    shoal_model_spec diverse = { "l-diversity", "distinct:3", NULL };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 3;
    options.algorithm = "mondrian";
    options.models = &diverse;
    options.n_models = 1;
    assert_ok(shoal_table_open_arrow(&table, &stream, &err));
    for (size_t c = 0; c < 3; c++) assert_ok(shoal_table_set_role(table, c, columns[c].role, &err));
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_ok(shoal_trial_run(&t, table, &options, NULL, NULL, &err));
    assert_ok(try_once(&same, 3, false, &err));
    assert_true(t.measures.gcp == same.measures.gcp && t.risk_max == same.risk_max &&
                t.measures.n_groups == same.measures.n_groups);
    shoal_trial_clear(&same);
    shoal_trial_clear(&t);
    shoal_table_free(table);
    assert_int_equal(n_live_structures, 0);
}

static shoal_status try_and_clear(void)
{
    shoal_error err;
    shoal_trial t = { 0 };
    shoal_status status = try_once(&t, 2, true, &err);
    shoal_trial_clear(&t);
    return status;
}

static double number(const shoal_trial *trial, const char *name)
{
    return shoal_trial_number_of(trial, shoal_trial_number_find(name));
}

/* Numbers by name: every one has a name of its own, and what was not asked for is not a number. */
static void test_numbers(void **state)
{
    (void)state;
    shoal_trial trial = { .risk_max = 0.5,
                          .risk_mean = 0.25,
                          .seconds = 1.23456789,
                          .query_average = 3,
                          .query_median = 2 };
    trial.measures.n_groups = 4;
    for (size_t i = 0; i < shoal_trial_number_count(); i++)
        assert_int_equal(shoal_trial_number_find(shoal_trial_number_name(i)), i);
    assert_null(shoal_trial_number_name(shoal_trial_number_count()));
    assert_true(number(&trial, "groups") == 4 && number(&trial, "risk_max") == 0.5 &&
                number(&trial, "risk_mean") == 0.25);
    assert_true(number(&trial, "seconds") == 1.234568);
    assert_true(isnan(number(&trial, "gcp")) && isnan(number(&trial, "are")));
    trial.has_queries = true;
    assert_true(number(&trial, "are") == 3 && number(&trial, "median_error") == 2);
    assert_true(shoal_trial_number_is_count(shoal_trial_number_find("groups")));
    assert_false(shoal_trial_number_is_count(shoal_trial_number_find("gcp")));
}

static void test_allocation_failure(void **state)
{
    (void)state;
    assert_survives_allocation_failure(try_and_clear());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trial),   cmocka_unit_test(test_bound),
        cmocka_unit_test(test_recoded), cmocka_unit_test(test_two_tables_are_refused),
        cmocka_unit_test(test_arrow),   cmocka_unit_test(test_persons_are_counted),
        cmocka_unit_test(test_numbers), cmocka_unit_test(test_allocation_failure)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
