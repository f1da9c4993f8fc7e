/* SPDX-License-Identifier: Apache-2.0 */
/* test_incremental_nearest.c - the cheapest class while a cluster grows, against a new query each
 * time. */
#include "groups.h"
#include "search/incremental_nearest.h"

#include <stdlib.h>

enum { TABLES = 150, GROWTHS = 12 };

/* Grow one cluster from `seed`, to any size, and ask both ways for every row. */
static uint32_t grow_both_ways(shoal_incremental_nearest *incremental, shoal_kernel_state *state,
                               shoal_cluster *cluster, uint32_t seed, uint32_t n_wanted)
{
    const shoal_kernel *kernel = state->kernel;
    uint32_t n_asked = 0;
    shoal_cluster_clear(cluster, kernel->metric);
    shoal_incremental_nearest_begin(incremental, state);
    for (uint32_t next = seed; next != SHOAL_NO_CLASS && n_asked < n_wanted; n_asked++) {
        uint32_t rows = shoal_kernel_left(state, next);
        shoal_cluster_add(cluster, kernel->metric, shoal_kernel_codes(kernel, next), rows);
        shoal_kernel_take(state, next, rows);
        shoal_loss loss, expected_loss;
        uint32_t expected = shoal_kernel_cheapest(state, cluster, SHOAL_LOSS_MAX, &expected_loss);
        next = shoal_incremental_nearest_next(incremental, state, cluster, &loss);
        assert_int_equal(next, expected);
        assert_int_equal(loss, expected_loss);
    }
    return n_asked;
}

static void test_equals_asking_anew(void **state_)
{
    (void)state_;
    uint32_t n_tables = 0, n_slow = 0, n_ran_out = 0;
    for (uint64_t seed = 0; seed < share_of(TABLES); seed++) {
        shoal_error err;
        shoal_rng rng;
        shoal_rng_init(&rng, seed, 4);
        shoal_table *table = random_table(seed, 20 + (uint32_t)(seed * 41 % 260));
        shoal_space space = make_space(table);
        shoal_classes *classes = make_classes(table, &space);
        shoal_metric metric;
        shoal_kernel *kernel = NULL;
        shoal_kernel_state state;
        shoal_cluster cluster;
        shoal_incremental_nearest incremental;
        assert_ok(shoal_metric_make(&metric, &space, NULL, &err));
        assert_ok(shoal_kernel_make(&kernel, &metric, classes, NULL, 0, &err));
        assert_ok(shoal_kernel_state_make(&state, kernel, classes->counts, &err));
        assert_true(shoal_cluster_init_probe(&cluster, &metric) &&
                    shoal_incremental_nearest_make(&incremental, kernel));
        /* what one growth takes is gone for the next */
        for (int growth = 0; growth < GROWTHS && state.n_rows > 0; growth++) {
            uint32_t c;
            do c = (uint32_t)shoal_rng_below(&rng, classes->n_classes);
            while (shoal_kernel_left(&state, c) == 0);
            uint32_t n_wanted = growth == GROWTHS - 1 ? UINT32_MAX
                                                      : 1 + (uint32_t)shoal_rng_below(&rng, 20);
            n_ran_out += grow_both_ways(&incremental, &state, &cluster, c, n_wanted) < n_wanted;
        }
        n_tables += metric.has_tables;
        n_slow += !metric.has_tables;
        shoal_incremental_nearest_clear(&incremental);
        shoal_cluster_free(&cluster);
        shoal_kernel_state_clear(&state);
        shoal_kernel_free(kernel);
        shoal_metric_clear(&metric);
        shoal_classes_free(classes);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
    assert_in_all(n_tables > 10 && n_slow > 10 && n_ran_out > 10); /* the test sees all kinds */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_equals_asking_anew) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
