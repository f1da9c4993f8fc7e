/* SPDX-License-Identifier: Apache-2.0 */
/* test_anonymize.c - the frame around the algorithms: every option error, the registry, progress,
 * what a grouping reports.
 * Covers: group_rest.c
 */
#include "groups.h"

#include "method/registry.h"
#include "pipeline/pipeline_run.h"

static const table_spec people = {
    .csv = "name,age,sex\nA,20,m\nB,21,m\nC,30,f\nD,31,f\nE,40,m\n",
    .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                 { .name = "sex", .type = SHOAL_TYPE_CATEGORICAL } },
};

/* The call fails so; and leaves *out alone. */
static void assert_refused(const shoal_table *table, const shoal_spec *options, shoal_status status,
                           const char *piece)
{
    shoal_error err;
    shoal_grouping *untouched = (shoal_grouping *)(void *)&err, *grouping = untouched;
    assert_fails(shoal_anonymize(&grouping, table, options, NULL, &err), status, piece);
    assert_ptr_equal(grouping, untouched);
    assert_int_equal(err.status, status);
    /* also without a place for words */
    assert_int_equal(shoal_anonymize(&grouping, table, options, NULL, NULL), status);
}

static void test_option_errors(void **state)
{
    (void)state;
    shoal_table *table = make_table(&people);
    shoal_spec options = SHOAL_SPEC_INIT;
    assert_refused(table, NULL, SHOAL_EINVAL, "specification");
    assert_refused(table, &options, SHOAL_EINVAL, "k is required"); /* k = 0 */
    options.k = 1;
    assert_refused(table, &options, SHOAL_EINVAL, "at least 2");
    options.k = 6;
    assert_refused(table, &options, SHOAL_EUNSAT, "5 rows");
    options.k = UINT32_MAX;
    assert_refused(table, &options, SHOAL_EUNSAT, "5 rows");
    options.k = 2;
    options.size = 0;
    assert_refused(table, &options, SHOAL_EINVAL, "not initialised");
    options.size = sizeof options + 1;
    assert_refused(table, &options, SHOAL_EINVAL, "newer");
    options.size = sizeof options;
    options.time_limit = -1;
    assert_refused(table, &options, SHOAL_EINVAL, "time limit");
    options.time_limit = NAN;
    assert_refused(table, &options, SHOAL_EINVAL, "time limit");
    shoal_table_free(table);
}

static void test_unknown_algorithm_and_parameter(void **state)
{
    (void)state;
    shoal_table *table = make_table(&people);
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    options.algorithm = "alchemy";
    assert_refused(table, &options, SHOAL_EINVAL, "'alchemy'");
    assert_refused(table, &options, SHOAL_EINVAL, "mondrian"); /* says which there are */
    options.algorithm = "";
    assert_refused(table, &options, SHOAL_EINVAL, "the algorithms are");
    const shoal_param param = { "no-such-thing", "1" };
    options.params = &param;
    options.n_params = 1;
    for (size_t i = 0; i < shoal_algorithm_count(); i++) {
        options.algorithm = shoal_algorithm_name(i);
        assert_refused(table, &options, SHOAL_EINVAL, "no parameter 'no-such-thing'");
    }
    shoal_table_free(table);
}

static void test_roles_must_be_complete(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = NULL;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    const char text[] = "age,sex\n1,m\n2,f\n";
    assert_ok(shoal_table_open_memory(&table, text, sizeof text - 1, NULL, NULL, NULL, &err));
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_QUASI, &err));
    assert_refused(table, &options, SHOAL_EINVAL, "not loaded");
    assert_ok(shoal_table_load(table, &load, &err));
    assert_refused(table, &options, SHOAL_EINVAL, "'sex'");
    shoal_table_free(table);
    table = make_table(&(table_spec){ .csv = text }); /* all columns kept: no QID */
    assert_refused(table, &options, SHOAL_EINVAL, "--qid");
    shoal_table_free(table);
}

static void test_a_lacking_value_stops_the_run(void **state)
{
    (void)state;
    shoal_table *table = make_table(&(table_spec){
        .csv = "c,x\nred,1\nblue,1\n",
        .columns = {
            { .name = "c", .type = SHOAL_TYPE_CATEGORICAL, .levels = "red;*\ngreen;*\n" } } });
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 2;
    assert_refused(table, &options, SHOAL_EDATA, "column 'c'");
    shoal_table_free(table);
}

/* A caller compiled against an older, shorter structure gets the defaults of the fields it does not
 * know. */
static void test_an_older_caller(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = make_table(&people);
    shoal_spec options = {
        .size = offsetof(shoal_spec, algorithm), .k = 2, .algorithm = "junk", .n_params = 99
    };
    shoal_grouping *grouping = NULL;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    assert_valid_grouping(grouping, table, 2);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

static void test_any_number_of_threads_is_taken(void **state)
{
    (void)state;
    shoal_table *table = make_table(&people);
    shoal_grouping *one = anonymize(table, NULL, 2, 3, 1);
    const uint32_t threads[] = { 0, 2, 7, UINT32_MAX };
    for (size_t i = 0; i < 4; i++) {
        shoal_grouping *other = anonymize(table, NULL, 2, 3, threads[i]);
        assert_same_grouping(one, other);
        shoal_grouping_free(other);
    }
    shoal_grouping_free(one);
    shoal_table_free(table);
}

static void test_what_a_grouping_reports(void **state)
{
    (void)state;
    shoal_table *table = make_table(&people);
    shoal_grouping *grouping = anonymize(table, "kmembers", 2, 0, 1);
    assert_int_equal(shoal_grouping_n_rows(grouping), 5);
    assert_int_equal(shoal_grouping_n_classes(grouping), 5);
    assert_false(shoal_grouping_stopped_early(grouping));
    assert_true(shoal_grouping_seconds(grouping, "encode") > 0);
    assert_true(shoal_grouping_seconds(grouping, "search") > 0);
    assert_true(shoal_grouping_seconds(grouping, "refine") >= 0);
    assert_near(shoal_grouping_seconds(grouping, "dance"), 0, 0);
    uint64_t evaluations = 0, queries = 0;
    shoal_grouping_search_counts(grouping, &evaluations, &queries);
    assert_true(queries > 0 && evaluations > 0);
    shoal_grouping_free(grouping);
    shoal_grouping_free(NULL);
    shoal_table_free(table);
}

static void test_the_registry(void **state)
{
    (void)state;
    size_t n = shoal_algorithm_count();
    assert_true(n >= 3);
    for (size_t i = 0; i < n; i++) {
        const char *name = shoal_algorithm_name(i);
        assert_non_null(name);
        assert_true(strlen(shoal_algorithm_summary(i)) > 10);
        assert_ptr_equal(shoal_algorithm_find(name)->name, name);
        for (size_t j = 0; j < i; j++) assert_string_not_equal(name, shoal_algorithm_name(j));
        for (size_t p = 0; p < shoal_algorithm_n_params(i); p++) {
            const shoal_param_info *info = shoal_algorithm_param(i, p);
            assert_true(info->name != NULL && info->values != NULL && info->fallback != NULL &&
                        info->help != NULL);
        }
        assert_null(shoal_algorithm_param(i, shoal_algorithm_n_params(i)));
    }
    /* the default is the first */
    assert_ptr_equal(shoal_algorithm_find(NULL)->name, shoal_algorithm_name(0));
    assert_null(shoal_algorithm_find("alchemy"));
    assert_null(shoal_algorithm_name(n));
    assert_null(shoal_algorithm_summary(n));
    assert_null(shoal_algorithm_param(n, 0));
    assert_int_equal(shoal_algorithm_n_params(n), 0);
}

/* The default of a parameter, given explicitly, changes nothing. */
static void test_defaults_said_aloud(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(3, 60);
    for (size_t i = 0; i < shoal_algorithm_count(); i++) {
        if (shoal_algorithm_needs_params(i)) continue;
        shoal_param params[16];
        size_t n = shoal_algorithm_n_params(i);
        assert_true(n <= 16);
        for (size_t p = 0; p < n; p++)
            params[p] = (shoal_param){ shoal_algorithm_param(i, p)->name,
                                       shoal_algorithm_param(i, p)->fallback };
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = 3;
        options.algorithm = shoal_algorithm_name(i);
        options.params = params;
        options.n_params = n;
        shoal_grouping *said = NULL, *unsaid = anonymize(table, options.algorithm, 3, 0, 1);
        assert_ok(shoal_anonymize(&said, table, &options, NULL, &err));
        assert_same_grouping(said, unsaid);
        shoal_grouping_free(said);
        shoal_grouping_free(unsaid);
    }
    shoal_table_free(table);
}

/* What follows the search is part of the limit. */
static void test_time_is_left_for_the_rest(void **state)
{
    (void)state;
    assert_true(shoal_search_seconds(0, 1000000) == 0);
    assert_true(shoal_search_seconds(1e-9, 0) > 0);
    double large = shoal_search_seconds(60, 50000000),
           larger = shoal_search_seconds(60, UINT64_MAX / 2);
    assert_true(large > 50 && large < 59);
    assert_true(larger == 30);
}

/* How far a phase has come, as it was reported. */
typedef struct listener {
    unsigned searched, refined; /* times that it moved */
    double first, last;         /* of the search */
    bool went_back;
} listener;

static int listen(const char *phase, double fraction, void *payload)
{
    listener *l = payload;
    if (strcmp(phase, "refine") == 0) l->refined++;
    if (strcmp(phase, "search") != 0 || fraction < 0) return 0;
    if (l->searched == 0) l->first = fraction;
    l->went_back |= fraction < l->last;
    l->searched += l->searched == 0 || fraction > l->last;
    l->last = fraction;
    return 0;
}

/* Progress moves while the first groups grow, not only when they are there. */
static void test_every_phase_moves(void **state)
{
    (void)state;
    enum { ROWS = 4000 };
    char *csv = malloc(ROWS * 24 + 32), *at = csv;
    shoal_error err;
    at += sprintf(at, "name,age,sex\n");
    for (int i = 0; i < ROWS; i++)
        at += sprintf(at, "n%d,%d,s%d\n", i, i * 7919 % 1009, i * 31 % 53);
    table_spec many = people;
    many.csv = csv;
    shoal_table *table = make_table(&many);
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_grouping *grouping = NULL;
    listener heard = { 0 };
    options.k = 5;
    shoal_callbacks listening = SHOAL_PROGRESS(listen, &heard);
    assert_ok(shoal_anonymize(&grouping, table, &options, &listening, &err));
    assert_true(heard.first < 0.05 && !heard.went_back);
    assert_true(heard.searched >= 5 && heard.refined >= 5);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
    free(csv);
}

/* 3,000 rows in which every text differs. */
static shoal_table *distinct_texts(void)
{
    shoal_buffer csv = { 0 };
    shoal_buffer_print(&csv, "a,b\n");
    for (uint32_t row = 0; row < 3000; row++)
        shoal_buffer_print(&csv, "x%04u,y%04u\n", row * 7 % 3000, row * 1301 % 3000);
    shoal_buffer_add(&csv, "", 1);
    shoal_table *table = make_table(
        &(table_spec){ .csv = csv.data,
                       .columns = { { .name = "a", .type = SHOAL_TYPE_CATEGORICAL },
                                    { .name = "b", .type = SHOAL_TYPE_CATEGORICAL } } });
    shoal_buffer_clear(&csv);
    return table;
}

/* What time leaves over is grouped quickly, not put into one group whose cells name every value. */
static void test_no_time_leaves_no_heap(void **state)
{
    (void)state;
    static const char *const methods[] = { "kmembers", "koc", "kaca", "dbca", "oka", "kmeans" };
    shoal_error err;
    shoal_table *table = distinct_texts();
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        shoal_spec options = SHOAL_SPEC_INIT;
        shoal_grouping *grouping = NULL;
        options.k = 10;
        options.algorithm = methods[i];
        options.time_limit = 1e-9;
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_valid_grouping(grouping, table, 10);
        assert_true(shoal_grouping_stopped_early(grouping));
        assert_true(shoal_grouping_n_groups(grouping) > 100);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

/* A set of more than 1,000 labels is published, and counted, as `*`. */
static void test_long_sets(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = distinct_texts();
    for (uint32_t k = 1000; k <= 1500; k += 500) { /* three groups of 1,000, two of 1,500 */
        shoal_spec options = SHOAL_SPEC_INIT;
        shoal_grouping *grouping = NULL;
        options.k = k;
        options.algorithm = "kmembers";
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_near(gcp_of(grouping), k == 1000 ? 999.0 / 2999 : 1, 1e-12);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_option_errors),
        cmocka_unit_test(test_unknown_algorithm_and_parameter),
        cmocka_unit_test(test_roles_must_be_complete),
        cmocka_unit_test(test_a_lacking_value_stops_the_run),
        cmocka_unit_test(test_an_older_caller),
        cmocka_unit_test(test_any_number_of_threads_is_taken),
        cmocka_unit_test(test_what_a_grouping_reports),
        cmocka_unit_test(test_the_registry),
        cmocka_unit_test(test_defaults_said_aloud),
        cmocka_unit_test(test_time_is_left_for_the_rest),
        cmocka_unit_test(test_every_phase_moves),
        cmocka_unit_test(test_no_time_leaves_no_heap),
        cmocka_unit_test(test_long_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
