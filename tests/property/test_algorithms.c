/* SPDX-License-Identifier: Apache-2.0 */
/* test_algorithms.c - what must hold of every algorithm in the registry, on random tables. */
#include "groups.h"

enum { TABLES = 210, WIDE = 22 }; /* WIDE: a seed whose table has many distinct tuples */

static uint32_t rows_for(uint64_t seed)
{
    return 20 + (uint32_t)(seed * 37 % 160);
}

/* From the smallest k to all rows in one group. */
static uint32_t k_for(uint64_t seed, uint32_t n_rows)
{
    const uint32_t ks[] = { 2, 3, 5, 10, n_rows / 2, n_rows / 2 + 1, n_rows };
    return ks[seed % 7];
}

static void test_groupings_are_valid(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        uint32_t n_rows = rows_for(seed), k = k_for(seed, n_rows);
        shoal_table *table = random_table(seed, n_rows);
        for (size_t i = 0; i < shoal_algorithm_count(); i++) {
            if (shoal_algorithm_needs_params(i)) continue;
            shoal_grouping *grouping = anonymize(table, shoal_algorithm_name(i), k, seed, 1);
            assert_valid_grouping(grouping, table, k);
            assert_false(shoal_grouping_stopped_early(grouping));
            shoal_grouping_free(grouping);
        }
        shoal_table_free(table);
    }
}

static void test_threads_and_repetition_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(60); seed++) {
        shoal_table *table = random_table(seed, 100 + 20 * (uint32_t)seed);
        for (size_t i = 0; i < shoal_algorithm_count(); i++) {
            if (shoal_algorithm_needs_params(i)) continue;
            const char *name = shoal_algorithm_name(i);
            shoal_grouping *one = anonymize(table, name, 4, seed, 1),
                           *four = anonymize(table, name, 4, seed, 4);
            shoal_grouping *again = anonymize(table, name, 4, seed, 1);
            assert_same_grouping(one, four);
            assert_same_grouping(one, again);
            shoal_grouping_free(one);
            shoal_grouping_free(four);
            shoal_grouping_free(again);
        }
        shoal_table_free(table);
    }
}

/* Any seed is fine; the groups may differ. */
static void test_other_seeds(void **state)
{
    (void)state;
    shoal_table *table = random_table(WIDE, 90);
    for (size_t i = 0; i < shoal_algorithm_count(); i++)
        for (uint64_t seed = UINT64_MAX - 3; seed != 3 && !shoal_algorithm_needs_params(i);
             seed++) {
            shoal_grouping *grouping = anonymize(table, shoal_algorithm_name(i), 4, seed, 1);
            assert_valid_grouping(grouping, table, 4);
            shoal_grouping_free(grouping);
        }
    shoal_table_free(table);
}

/* Where every tuple occurs k times (or a multiple of it), k-Members publishes the table as it is:
 * equal rows cost nothing. */
static void test_frequent_tuples_stay_as_they_are(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(30); seed++) {
        table_draft draft = draw_draft(seed, 60);
        draft.spec.missing = SHOAL_MISSING_OWN_CATEGORY;
        for (uint32_t c = 0; c < draft.n_columns; c++)
            draft.spec.columns[c].on_missing = SHOAL_ON_MISSING_OWN_LEAF;
        for (uint32_t row = 0; row < 60; row++)
            memcpy(draft.cells[row], draft.cells[row % 15], sizeof *draft.cells);
        shoal_table *table = table_of_draft(&draft, NULL);
        shoal_grouping *grouping = anonymize(table, "kmembers", 4, seed, 1);
        assert_near(gcp_of(grouping), 0, 0);
        shoal_grouping_free(grouping);
        shoal_table_free(table);
        free_draft(&draft);
    }
}

/* Strict cuts see values, not rows: the same rows in another order make the same groups. */
static void test_permuting_rows_permutes_strict_groups(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        shoal_rng rng;
        shoal_rng_init(&rng, seed, 9);
        table_draft draft = draw_draft(seed, rows_for(seed));
        uint32_t n = draft.n_rows, *order = malloc(n * sizeof *order);
        assert_non_null(order);
        for (uint32_t i = 0; i < n; i++) { /* a random order, growing */
            uint32_t j = draw(&rng, i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        shoal_table *table = table_of_draft(&draft, NULL), *other = table_of_draft(&draft, order);
        shoal_grouping *x = anonymize(table, "mondrian", 3, 0, 1),
                       *y = anonymize(other, "mondrian", 3, 0, 1);
        assert_int_equal(x->n_groups, y->n_groups);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t g = x->group_of_row[order[i]], h = y->group_of_row[i];
            assert_int_equal(x->sizes[g], y->sizes[h]);
            assert_memory_equal(x->cells + (size_t)g * x->space.n_attrs,
                                y->cells + (size_t)h * y->space.n_attrs,
                                x->space.n_attrs * sizeof *x->cells);
        }
        shoal_grouping_free(x);
        shoal_grouping_free(y);
        shoal_table_free(table);
        shoal_table_free(other);
        free(order);
        free_draft(&draft);
    }
}

/* No time at all: still a valid grouping. Ample time: not stopped. */
static void test_time_limits(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(WIDE, 1500);
    for (size_t i = 0; i < shoal_algorithm_count(); i++) {
        if (shoal_algorithm_needs_params(i)) continue;
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = 5;
        options.algorithm = shoal_algorithm_name(i);
        options.time_limit = 1e-9;
        give_params(&options);
        shoal_grouping *grouping = NULL;
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_valid_grouping(grouping, table, 5);
        shoal_grouping_free(grouping);
        options.time_limit = 1e6;
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_false(shoal_grouping_stopped_early(grouping));
        shoal_grouping_free(grouping);
    }
    shoal_table_free(table);
}

/* Parameters with which a method has other things to do when its time ends. */
typedef struct way {
    const char *algorithm;
    shoal_param params[3];
} way;

static const way ways[] = {
    { "kaca", { { "suppress-above", "0.5" } } },
    { "kaca", { { "suppress-above", "0" }, { "search", "scan" } } },
    { "kaca", { { "suppress-above", "3" } } },
    { "kmembers", { { "search", "scan" } } },
    { "toc", { { "leftovers", "suppress" }, { "delta", "0.35" } } },
    { "upc", { { "U", "0.6" }, { "P", "0.8" } } },
    { "optimal", { { "suppression", "0.3" } } },
    { "incognito", { { "suppression", "0.3" } } },
    { "samarati", { { "suppression", "0.3" } } },
    { "datafly", { { "suppression", "0.3" } } },
    { "iack", { { "small", "generalise" } } },
    { "iacc", { { "delta_D", "0.5" } } },
    { "personalised", { { "breach", "0.5" }, { "guard", "level:1" } } },
    { "anatomy", { { "l", "2" } } },
};
enum { N_WAYS = sizeof ways / sizeof *ways };

static shoal_status run_briefly(shoal_grouping **out, const shoal_table *table, shoal_spec *spec,
                                double time_limit, shoal_error *err)
{
    spec->time_limit = time_limit;
    return shoal_anonymize(out, table, spec, NULL, err);
}

/* Groups of k rows, cells that cover theirs; suppressed rows are k, unless they are left out. */
static void assert_may_be_published(const shoal_grouping *grouping, const shoal_spec *spec)
{
    uint64_t n_rows = grouping->n_suppressed;
    assert_true(n_rows == 0 || n_rows >= spec->k || spec->drop_suppressed);
    for (uint32_t g = 0; g < grouping->n_groups; g++) {
        assert_true(grouping->sizes[g] >= spec->k);
        n_rows += grouping->sizes[g];
    }
    assert_int_equal(n_rows, grouping->n_rows);
    for (uint64_t row = 0; row < grouping->n_rows; row++)
        for (uint32_t a = 0; a < grouping->space.n_attrs; a++)
            if (grouping->group_of_row[row] != SHOAL_SUPPRESSED)
                assert_true(cell_covers(grouping, grouping->group_of_row[row], a,
                                        code_in_row(&grouping->space, a, row)));
}

/* However little time there is: what can be released without a limit is released with it, and what
 * is refused is refused for the same reason. */
static void assert_time_refuses_nothing(const shoal_table *table, shoal_spec *spec)
{
    static const double limits[] = { 1e-9, 2e-5, 1e-4, 1e-3 };
    shoal_error err, own;
    shoal_grouping *whole = NULL;
    shoal_status expected = run_briefly(&whole, table, spec, 0, &own);
    bool publishes_groups = spec->algorithm == NULL || strcmp(spec->algorithm, "anatomy") != 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        shoal_grouping *grouping = NULL;
        shoal_status status = run_briefly(&grouping, table, spec, limits[i], &err);
        if (status != SHOAL_OK && status != expected)
            fail_msg("%s, k = %u, %g s: %s, without a limit: %s", spec->algorithm, spec->k,
                     limits[i], status != SHOAL_OK ? err.message : "ok",
                     expected != SHOAL_OK ? own.message : "ok");
        if (status == SHOAL_OK && publishes_groups) assert_may_be_published(grouping, spec);
        shoal_grouping_free(grouping);
    }
    shoal_grouping_free(whole);
}

static void test_time_refuses_nothing(void **state)
{
    (void)state;
    static const shoal_model_spec model = { "l-diversity", "distinct:2", "illness" };
    for (uint64_t seed = 0; seed < share_of(200); seed++) {
        uint32_t n_rows = 20 + (uint32_t)(seed * 37 % 100);
        shoal_table *table = random_table(seed, n_rows);
        for (size_t i = 0; i < shoal_algorithm_count() + N_WAYS; i++) {
            shoal_spec spec = SHOAL_SPEC_INIT;
            const way *given = i < N_WAYS ? &ways[i] : NULL;
            spec.algorithm = given != NULL ? given->algorithm : shoal_algorithm_name(i - N_WAYS);
            spec.k = k_for(seed, n_rows);
            spec.seed = seed;
            spec.models = &model;
            spec.n_models = seed % 4 == 3;
            spec.suppression_limit = seed % 8 == 3 ? 0.2 : 0;
            spec.drop_suppressed = seed % 3 == 1;
            if (given != NULL) spec.params = given->params;
            while (given != NULL && spec.n_params < 3 && given->params[spec.n_params].name != NULL)
                spec.n_params++;
            give_params(&spec);
            if (given == NULL && shoal_algorithm_needs_params(i - N_WAYS) && spec.n_params == 0)
                continue;
            assert_time_refuses_nothing(table, &spec);
        }
        shoal_table_free(table);
    }
}

typedef struct watcher {
    int n_calls, stop_at;
    double last;
} watcher;

static int watch(const char *phase, double fraction, void *payload)
{
    watcher *w = payload;
    assert_non_null(phase);
    assert_true(fraction <= 1);
    w->last = fraction;
    return ++w->n_calls == w->stop_at;
}

static void test_progress_cancels(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(WIDE, 300);
    for (size_t i = 0; i < shoal_algorithm_count(); i++) {
        if (shoal_algorithm_needs_params(i)) continue;
        watcher w = { 0 };
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = 3;
        options.algorithm = shoal_algorithm_name(i);
        shoal_callbacks watching = SHOAL_PROGRESS(watch, &w);
        give_params(&options);
        shoal_grouping *watched = NULL, *plain = anonymize(table, options.algorithm, 3, 0, 1);
        assert_ok(shoal_anonymize(&watched, table, &options, &watching, &err));
        assert_same_grouping(watched, plain); /* watching changes nothing */
        assert_true(w.n_calls > 0);
        int n_calls = w.n_calls;
        shoal_grouping_free(watched);
        shoal_grouping_free(plain);
        for (int stop_at = 1; stop_at <= n_calls; stop_at += 1 + n_calls / 7) {
            w = (watcher){ .stop_at = stop_at };
            watched = NULL;
            shoal_status status = shoal_anonymize(&watched, table, &options, &watching, &err);
            if (status == SHOAL_OK) { /* it was improving a valid grouping, and gives that */
                assert_true(shoal_grouping_stopped_early(watched));
                shoal_grouping_free(watched);
            } else {
                assert_fails(status, SHOAL_ECANCELLED, "stopped");
                assert_null(watched);
            }
            assert_int_equal(w.n_calls, stop_at); /* not asked again */
        }
    }
    shoal_table_free(table);
}

static shoal_status anonymize_and_free(const shoal_table *table, const char *algorithm)
{
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 3;
    options.algorithm = algorithm;
    give_params(&options);
    shoal_grouping *grouping = NULL;
    shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, NULL);
    shoal_grouping_free(grouping);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    /* two tables for each mode of missing values */
    for (uint64_t seed = 0; seed < share_of(6); seed++) {
        shoal_table *table = random_table(seed, 25);
        for (size_t i = 0; i < shoal_algorithm_count(); i++)
            if (!shoal_algorithm_needs_params(i))
                assert_survives_allocation_failure(
                    anonymize_and_free(table, shoal_algorithm_name(i)));
        shoal_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groupings_are_valid),
        cmocka_unit_test(test_threads_and_repetition_change_nothing),
        cmocka_unit_test(test_other_seeds),
        cmocka_unit_test(test_frequent_tuples_stay_as_they_are),
        cmocka_unit_test(test_permuting_rows_permutes_strict_groups),
        cmocka_unit_test(test_time_limits),
        cmocka_unit_test(test_time_refuses_nothing),
        cmocka_unit_test(test_progress_cancels),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
