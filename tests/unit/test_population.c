/* SPDX-License-Identifier: Apache-2.0 */
/* test_population.c - rows of a population that fit what a group publishes: by hand, against a
 * scan, k-map and delta-presence. Covers: delta_presence.c, k_map.c, population_box.c
 */
#include "fitting.h"
#include "privacy/constraint.h"

#include <math.h>

static const char
    *const cities = "bern;west;*\nlyon;west;*\nriga;east;*\nkiev;east;*\nminsk;east;*\n";

static shoal_table *people(const char *csv, shoal_missing missing)
{
    table_spec spec = { .csv = csv,
                        .null = "?",
                        .missing = missing,
                        .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                                     { .name = "city",
                                       .type = SHOAL_TYPE_CATEGORICAL,
                                       .levels = cities,
                                       .on_missing = SHOAL_ON_MISSING_TOP },
                                     { .name = "job", .type = SHOAL_TYPE_CATEGORICAL } } };
    return make_table(&spec);
}

static const char
    *const sample_csv = "age,city,job\n20,bern,cook\n30,lyon,cook\n40,riga,smith\n?,kiev,clerk\n";
static const char *const population_csv =
    "age,city,job\n20,bern,cook\n25,bern,cook\n30,lyon,cook\n31,lyon,cook\n25,oslo,cook\n"
    "40,minsk,smith\n40,riga,smith\n?,kiev,clerk\n?,kiev,nurse\n";

/* Rows of the population that fit the box of two rows of the sample. */
static uint64_t fitting(uint64_t one, uint64_t other, shoal_missing missing)
{
    shoal_error err;
    shoal_table *sample = people(sample_csv, missing),
                *population = people(population_csv, missing);
    shoal_space space = make_space(sample);
    shoal_population *tree = NULL;
    assert_ok(shoal_population_make_for(&tree, population, &space, 1, &err));
    shoal_range ranges[3];
    uint64_t words[3] = { 0 };
    uint32_t codes[3];
    shoal_stretch room[3];
    shoal_box box = { ranges, words };
    shoal_box_clear(&space, box);
    codes_of_row(codes, &space, one);
    shoal_box_add(&space, box, codes);
    codes_of_row(codes, &space, other);
    shoal_box_add(&space, box, codes);
    uint64_t n = shoal_population_in_box(tree, &space, box, room);
    shoal_population_free(tree);
    shoal_space_clear(&space);
    shoal_table_free(sample);
    shoal_table_free(population);
    return n;
}

static void test_by_hand(void **state)
{
    (void)state;
    assert_int_equal(fitting(0, 0, SHOAL_MISSING_OWN_CATEGORY), 1);
    /* 20..30, west, cook: 25 lies between, 31 does not */
    assert_int_equal(fitting(0, 1, SHOAL_MISSING_OWN_CATEGORY), 3);
    /* 20..40, *, cook or smith: oslo fits * */
    assert_int_equal(fitting(0, 2, SHOAL_MISSING_OWN_CATEGORY), 7);
    assert_int_equal(fitting(3, 3, SHOAL_MISSING_OWN_CATEGORY), 1); /* missing, kiev, clerk */
    /* *, east, smith or clerk: minsk is below east; nurse is none */
    assert_int_equal(fitting(2, 3, SHOAL_MISSING_OWN_CATEGORY), 3);
    assert_int_equal(fitting(3, 3, SHOAL_MISSING_CONSERVATIVE), 1); /* *, kiev, clerk */
    assert_int_equal(fitting(3, 3, SHOAL_MISSING_WILDCARD), 1);
    assert_int_equal(fitting(2, 2, SHOAL_MISSING_WILDCARD), 1); /* 40, riga, smith */
}

/* The sample is the first part of the population's rows, so every group fits at least its own rows.
 */
static void test_against_a_scan(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < 60; seed++) {
        table_draft draft = draw_draft(seed, 160);
        shoal_table *population = table_of_draft(&draft, NULL);
        draft.n_rows = 50;
        shoal_table *sample = table_of_draft(&draft, NULL);
        shoal_grouping *grouping = anonymize(sample, "mondrian", 3, 0, 1);
        shoal_population *tree = NULL;
        assert_ok(shoal_population_make_for(&tree, population, &grouping->space, 1, &err));
        shoal_stretch room[DRAFT_COLUMNS];
        for (uint32_t g = 0; g < grouping->n_groups; g++) {
            uint64_t words[64];
            assert_true(grouping->space.n_words <= 64);
            shoal_box box = shoal_grouping_box(grouping, &grouping->space, g, words);
            uint64_t n = shoal_population_in_box(tree, &grouping->space, box, room);
            assert_int_equal(n, count_fitting(grouping, g, population));
            if (draft.spec.missing != SHOAL_MISSING_WILDCARD) assert_true(n >= grouping->sizes[g]);
        }
        shoal_population_free(tree);
        shoal_grouping_free(grouping);
        shoal_table_free(sample);
        shoal_table_free(population);
        free_draft(&draft);
    }
}

static double lack_of(const char *name, const char *value, uint64_t rows, double fitting_rows,
                      double *achieved)
{
    shoal_error err;
    shoal_table *table = people(sample_csv, SHOAL_MISSING_OWN_CATEGORY);
    shoal_model_spec spec = { name, value, NULL };
    shoal_constraint *constraint = NULL;
    shoal_evidence evidence;
    shoal_model_result result;
    assert_ok(shoal_constraint_make(&constraint, table, &spec, 1, 0, &err));
    assert_true(shoal_evidence_init(&evidence, constraint));
    evidence.n_rows = rows;
    evidence.population = fitting_rows;
    shoal_constraint_begin(constraint, &result);
    shoal_constraint_count(constraint, &evidence, &result);
    assert_true(result.column == SIZE_MAX);
    *achieved = result.achieved;
    double lack = shoal_constraint_lack(constraint, &evidence);
    shoal_evidence_free(&evidence);
    shoal_constraint_free(constraint);
    shoal_table_free(table);
    return lack;
}

static void test_models(void **state)
{
    (void)state;
    double achieved;
    assert_true(lack_of("k-map", "5", 2, 5, &achieved) == 0 && achieved == 5);
    assert_true(lack_of("k-map", "5", 2, 3, &achieved) == 2 && achieved == 3);
    assert_true(lack_of("k-map", "5", 2, NAN, &achieved) == 0);
    assert_true(lack_of("delta-presence", "0.1,0.5", 2, 4, &achieved) == 0 && achieved == 0.5);
    assert_true(lack_of("delta-presence", "0.1,0.5", 3, 4, &achieved) == 2 && achieved == 0.75);
    assert_true(lack_of("delta-presence", "0.1,0.5", 2, 20, &achieved) == 0 && achieved == 0.1);
    assert_true(lack_of("delta-presence", "0.1,0.5", 2, 40, &achieved) == 2 && achieved == 0.05);
    assert_true(lack_of("delta-presence", "0,0.5", 2, 0, &achieved) > 0 && achieved == 1);
}

static void test_populations_that_do_not_fit(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *sample = people(sample_csv, SHOAL_MISSING_OWN_CATEGORY);
    shoal_space space = make_space(sample);
    shoal_population *tree = NULL;
    table_spec lacks = { .csv = "age,city\n1,bern\n",
                         .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                                      { .name = "city", .type = SHOAL_TYPE_CATEGORICAL } } };
    table_spec text = { .csv = "age,city,job\n1,bern,cook\n",
                        .columns = { { .name = "age", .type = SHOAL_TYPE_CATEGORICAL },
                                     { .name = "city", .type = SHOAL_TYPE_CATEGORICAL },
                                     { .name = "job", .type = SHOAL_TYPE_CATEGORICAL } } };
    shoal_table *table = make_table(&lacks);
    assert_fails(shoal_population_make_for(&tree, table, &space, 1, &err), SHOAL_EINVAL, "'job'");
    shoal_table_free(table);
    table = make_table(&text);
    assert_fails(shoal_population_make_for(&tree, table, &space, 1, &err), SHOAL_EINVAL,
                 "same type");
    shoal_table_free(table);
    shoal_grouping *grouping = NULL;
    shoal_spec options = SHOAL_SPEC_INIT;
    shoal_model_spec spec = { "k-map", "3", NULL };
    options.k = 2;
    options.models = &spec;
    options.n_models = 1;
    assert_fails(shoal_anonymize(&grouping, sample, &options, NULL, &err), SHOAL_EINVAL,
                 "--population");
    spec.column = "job";
    assert_fails(shoal_anonymize(&grouping, sample, &options, NULL, &err), SHOAL_EINVAL,
                 "no column");
    shoal_space_clear(&space);
    shoal_table_free(sample);
}

static shoal_status make_and_free(const shoal_table *population, const shoal_space *space)
{
    shoal_error err;
    shoal_population *tree = NULL;
    shoal_status status = shoal_population_make_for(&tree, population, space, 1, &err);
    shoal_population_free(tree);
    return status;
}

static void test_survives_lack_of_memory(void **state)
{
    (void)state;
    shoal_table *sample = people(sample_csv, SHOAL_MISSING_OWN_CATEGORY),
                *population = people(population_csv, SHOAL_MISSING_OWN_CATEGORY);
    shoal_space space = make_space(sample);
    assert_survives_allocation_failure(make_and_free(population, &space));
    shoal_space_clear(&space);
    shoal_table_free(sample);
    shoal_table_free(population);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_against_a_scan),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_populations_that_do_not_fit),
        cmocka_unit_test(test_survives_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
