/* SPDX-License-Identifier: Apache-2.0 */
/* test_incognito.c - minimal generalisations of a table that can be done by hand, and what the
 * lattice methods refuse.
 *
 * The table is the one by which Sweeney explains generalised tables (Achieving k-Anonymity Privacy
 * Protection Using Generalization and Suppression, 2002): two races and four zip codes, each pair
 * once. Race has the levels {race, person}, zip {5 digits, 4 digits, 3 digits}; a node is written
 * [race, zip].
 */
#include "method/full_domain/incognito.h"
#include "levels.h"

static const table_spec sweeney = {
    .csv = "race,zip\n"
           "black,02138\nblack,02139\nblack,02141\nblack,02142\n"
           "white,02138\nwhite,02139\nwhite,02141\nwhite,02142\n",
    .columns = { { "race", SHOAL_TYPE_CATEGORICAL, "black;person\nwhite;person\n", 0, 0 },
                 { "zip", SHOAL_TYPE_CATEGORICAL,
                   "02138;0213*;021**\n02139;0213*;021**\n02141;0214*;021**\n02142;0214*;021**\n",
                   0, 0 } },
};

static void assert_minimal(uint32_t k, const uint64_t *expected, size_t n_expected)
{
    shoal_error err;
    shoal_table *table = make_table(&sweeney);
    shoal_space space = make_space(table);
    shoal_classes *classes = make_classes(table, &space);
    shoal_search_stats stats = { 0 };
    shoal_problem problem = { .space = &space,
                              .classes = classes,
                              .k = k,
                              .threads = 1,
                              .deadline = INFINITY,
                              .stats = &stats };
    shoal_lattice lattice;
    shoal_judge judge;
    uint64_t *nodes = NULL;
    size_t n = 0;
    assert_ok(shoal_lattice_make(&lattice, &space, classes, "a test", &err));
    assert_ok(shoal_judge_init(&judge, &lattice, &problem, 0, SHOAL_NODE_GCP, &err));
    assert_ok(shoal_incognito_minimal(&nodes, &n, &judge, &err));
    assert_int_equal(n, n_expected);
    assert_memory_equal(nodes, expected, n * sizeof *nodes);
    shoal_free(nodes);
    shoal_judge_clear(&judge);
    shoal_lattice_clear(&lattice);
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* The number of node [r, z] is 3r + z. */
static void test_minimal_nodes(void **state)
{
    (void)state;
    assert_minimal(2, (uint64_t[]){ 1, 3 }, 2); /* [0,1] and [1,0]: pairs */
    assert_minimal(3, (uint64_t[]){ 2, 4 }, 2); /* [0,2] and [1,1]: fours */
    assert_minimal(4, (uint64_t[]){ 2, 4 }, 2);
    assert_minimal(5, (uint64_t[]){ 5 }, 1); /* [1,2]: all persons */
}

static shoal_status run_with(shoal_grouping **out, const shoal_table *table, const char *algorithm,
                             uint32_t k, const char *param, const char *value, shoal_error *err)
{
    shoal_param params = { param, value };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.algorithm = algorithm;
    options.params = &params;
    options.n_params = 1;
    return shoal_anonymize(out, table, &options, NULL, err);
}

static void assert_published(const char *algorithm, uint32_t k, const char *metric, uint32_t race,
                             uint32_t zip)
{
    shoal_error err;
    shoal_table *table = make_table(&sweeney);
    shoal_grouping *grouping = NULL;
    assert_ok(run_with(&grouping, table, algorithm, k, "metric", metric, &err));
    assert_valid_grouping(grouping, table, k);
    assert_int_equal(shoal_grouping_level(grouping, 0), race);
    assert_int_equal(shoal_grouping_level(grouping, 1), zip);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/*
 * gcp: [0,1] loses 1/3 of zip, [1,0] all of race; [0,2] all of zip, [1,1] all of race and 1/3 of
 * zip. Bits: one a row for race, one for each step of zip; so each pair of minimal nodes ties, and
 * goes to the lower first level.
 */
static void test_the_best_of_them(void **state)
{
    (void)state;
    static const char *const methods[] = { "incognito", "optimal", "samarati" };
    for (size_t i = 0; i < 3; i++) {
        assert_published(methods[i], 2, "gcp", 0, 1);
        assert_published(methods[i], 4, "gcp", 0, 2);
        assert_published(methods[i], 2, "entropy", 0, 1);
        assert_published(methods[i], 2, "dm", 0, 1);
        assert_published(methods[i], 4, "entropy", 0, 2);
        assert_published(methods[i], 8, "gcp", 1, 2);
    }
}

static void test_wrong_parameters(void **state)
{
    (void)state;
    shoal_error err;
    static const char *const methods[] = { "incognito", "optimal", "samarati" };
    shoal_table *table = make_table(&sweeney);
    shoal_grouping *grouping = NULL;
    for (size_t i = 0; i < 3; i++) {
        assert_fails(run_with(&grouping, table, methods[i], 2, "metric", "loss", &err),
                     SHOAL_EINVAL, "metric must be");
        assert_fails(run_with(&grouping, table, methods[i], 2, "suppression", "2", &err),
                     SHOAL_EINVAL, "suppression must be");
        assert_fails(run_with(&grouping, table, methods[i], 2, "levels", "1", &err), SHOAL_EINVAL,
                     "no parameter");
    }
    shoal_table_free(table);
}

/* Nine columns of eight levels: more than incognito keeps marks for. The others need none. */
static void test_a_lattice_too_large(void **state)
{
    (void)state;
    shoal_error err;
    shoal_grouping *grouping = NULL;
    static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h", "i" };
    table_spec spec = { .csv = "a,b,c,d,e,f,g,h,i\nx,x,x,x,x,x,x,x,x\ny,x,x,x,x,x,x,x,x\n" };
    for (uint32_t c = 0; c < 9; c++)
        spec.columns[c] = (column_spec){ .name = names[c],
                                         .type = SHOAL_TYPE_CATEGORICAL,
                                         .levels = "x;1;2;3;4;5;6;*\ny;1;2;3;4;5;6;*\n" };
    shoal_table *table = make_table(&spec);
    assert_fails(run_with(&grouping, table, "incognito", 2, "suppression", "0", &err), SHOAL_EINVAL,
                 "--algorithm optimal");
    assert_null(grouping);
    static const char *const methods[] = { "optimal", "samarati", "datafly" };
    for (size_t i = 0; i < 3; i++) {
        assert_ok(run_with(&grouping, table, methods[i], 2, "suppression", "0", &err));
        for (uint32_t a = 0; a < 9; a++)
            assert_int_equal(shoal_grouping_level(grouping, a), a == 0);
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

/* What the whole table misses, and what every node misses although this is not known before. */
static void test_models_that_no_node_satisfies(void **state)
{
    (void)state;
    shoal_error err;
    static const char *const methods[] = { "incognito", "optimal", "samarati", "datafly" };
    shoal_table *table = random_table(4, 60);
    shoal_model_spec specs[] = { { "l-diversity", "distinct:6", "illness" },
                                 { "delta-presence", "0,0.5", NULL } };
    for (size_t i = 0; i < 4; i++)
        for (size_t s = 0; s < 2; s++) {
            shoal_spec options = SHOAL_SPEC_INIT;
            shoal_grouping *grouping = NULL;
            options.k = 3;
            options.algorithm = methods[i];
            options.models = &specs[s];
            options.n_models = 1;
            options.population_table = table; /* all persons are in it: the chance is 1 */
            assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EUNSAT,
                         s == 0 ? "illness" : "satisfy a privacy model");
            assert_null(grouping);
        }
    shoal_table_free(table);
}

/* Rows that are left out change the whole table, with which t-closeness compares. */
static void test_dropped_rows_and_the_whole_table(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(4, 60);
    shoal_param params = { "suppression", "0.2" };
    shoal_model_spec spec = { "t-closeness", "equal:0.3", "illness" };
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_grouping *grouping = NULL;
    options.k = 3;
    options.algorithm = "optimal";
    options.params = &params;
    options.n_params = 1;
    options.models = &spec;
    options.n_models = 1;
    options.drop_suppressed = true;
    assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL,
                 "--drop-suppressed");
    options.drop_suppressed = false;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* Levels of a number with a hierarchy are published as labels, and lose by their width. */
static void test_numbers_with_levels(void **state)
{
    (void)state;
    shoal_error err;
    table_spec spec = {
        .csv = "age\n20\n21\n30\n34\n",
        .columns = { { "age", SHOAL_TYPE_NUMERIC,
                       "20;twenties;*\n21;twenties;*\n30;thirties;*\n34;thirties;*\n", 0, 0 } }
    };
    shoal_table *table = make_table(&spec);
    shoal_grouping *grouping = NULL;
    assert_ok(run_with(&grouping, table, "optimal", 2, "suppression", "0", &err));
    assert_valid_grouping(grouping, table, 2);
    assert_int_equal(shoal_grouping_level(grouping, 0), 1);
    assert_grouped(grouping, "aabb");
    assert_near(gcp_of(grouping), (2 * 1.0 / 14 + 2 * 4.0 / 14) / 4, 1e-12);
    shoal_measures measures;
    assert_ok(shoal_measure_grouping(&measures, table, grouping, 2, &err));
    assert_near(measures.gcp, gcp_of(grouping), 1e-12);
    shoal_measures_clear(&measures);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimal_nodes),
        cmocka_unit_test(test_the_best_of_them),
        cmocka_unit_test(test_wrong_parameters),
        cmocka_unit_test(test_a_lattice_too_large),
        cmocka_unit_test(test_models_that_no_node_satisfies),
        cmocka_unit_test(test_dropped_rows_and_the_whole_table),
        cmocka_unit_test(test_numbers_with_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
