/* SPDX-License-Identifier: Apache-2.0 */
/* test_growth_paths.c - a seed that grows again begins where its last growth is no longer true: the
 * same groups as growing from scratch.
 *
 * Covers: grower.c
 */
#include "groups.h"
#include "method/shoal/grower.h"

#include <stdlib.h>

enum { TABLES = 150, GROWTHS = 200 };

/* Both have grown the same group, or the same part of one. */
static void assert_same_group(const shoal_grower *with, const shoal_grower *without)
{
    assert_int_equal(with->cluster.loss, without->cluster.loss);
    assert_int_equal(with->cluster.n_rows, without->cluster.n_rows);
    assert_int_equal(with->n_slices, without->n_slices);
    for (uint32_t i = 0; i < with->n_slices; i++) {
        assert_int_equal(with->slices[i].class_index, without->slices[i].class_index);
        assert_int_equal(with->slices[i].count, without->slices[i].count);
    }
}

/* Grow from random seeds to random limits; some groups are kept, the others are put back. How many
 * queries the paths have saved. */
static uint64_t grow_both_ways(shoal_grower *with, shoal_grower *without, shoal_loss *least,
                               shoal_rng *rng)
{
    uint32_t n_classes = with->kernel->n_places;
    for (uint32_t growth = 0; growth < GROWTHS && with->state.n_rows >= with->k; growth++) {
        uint32_t seed = (uint32_t)shoal_rng_below(rng, n_classes);
        if (shoal_kernel_left(&with->state, seed) == 0) continue;
        shoal_loss limit = least[seed] +
                           (shoal_loss)shoal_rng_below(rng, (uint64_t)with->metric->whole / 4),
                   loss = 0, expected = 0;
        if (shoal_rng_below(rng, 4) == 0) limit = SHOAL_LOSS_MAX;
        bool is_grown = shoal_grow(without, seed, limit, &expected);
        assert_int_equal(shoal_grow(with, seed, limit, &loss), is_grown);
        assert_int_equal(loss, expected);
        assert_same_group(with, without);
        least[seed] = loss < SHOAL_LOSS_MAX ? loss : 0;
        /* kept: its rows are not left for later growths */
        if (is_grown && shoal_rng_below(rng, 3) == 0) continue;
        shoal_grow_back(with);
        shoal_grow_back(without);
        assert_int_equal(with->state.n_rows, without->state.n_rows);
    }
    return without->state.n_queries - with->state.n_queries;
}

static uint64_t compare_on(uint64_t seed, uint32_t k)
{
    shoal_error err;
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 9);
    shoal_table *table = random_table(seed, 40 + (uint32_t)(seed * 41 % 260));
    shoal_space space = make_space(table);
    shoal_classes *classes = make_classes(table, &space);
    shoal_metric metric;
    shoal_kernel *kernel = NULL;
    shoal_grower with, without;
    shoal_growth_paths paths;
    assert_ok(shoal_metric_make(&metric, &space, NULL, &err));
    assert_ok(shoal_kernel_make(&kernel, &metric, classes, NULL, 0, &err));
    shoal_problem problem = { .classes = classes, .space = &space, .k = k };
    assert_ok(shoal_grower_make(&with, kernel, &problem, false, classes->counts, &err));
    assert_ok(shoal_grower_make(&without, kernel, &problem, false, classes->counts, &err));
    assert_true(shoal_growth_paths_make(&paths, classes->n_classes, k));
    with.paths = &paths;
    shoal_loss *least = calloc(classes->n_classes, sizeof *least);
    uint64_t saved = grow_both_ways(&with, &without, least, &rng);
    free(least);
    shoal_growth_paths_clear(&paths);
    shoal_grower_clear(&with, NULL);
    shoal_grower_clear(&without, NULL);
    shoal_kernel_free(kernel);
    shoal_metric_clear(&metric);
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    shoal_table_free(table);
    return saved;
}

static void test_equals_growing_from_scratch(void **state)
{
    (void)state;
    /* from 16 on queries are incremental, and paths shorter than groups */
    static const uint32_t ks[] = { 2, 3, 5, 10, 17, 40 };
    uint64_t saved = 0;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++)
        saved += compare_on(seed, ks[seed % 6]);
    assert_in_all(saved > 1000); /* the paths were used */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_equals_growing_from_scratch) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
