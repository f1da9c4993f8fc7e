/* SPDX-License-Identifier: Apache-2.0 */
/* test_scan.c - the cheapest and the furthest class while rows are taken out, against looking at
 * all of them. */
#include "oracle.h"
#include "search/scan.h"

static uint32_t naive_cheapest(const shoal_scan *scan, const shoal_cluster *cluster,
                               const uint32_t *left)
{
    uint32_t best = SHOAL_NO_CLASS;
    shoal_loss least = SHOAL_LOSS_MAX;
    /* from the back: the last equal one has the lowest number */
    for (uint32_t c = scan->classes->n_classes; c-- > 0;) {
        shoal_loss with = shoal_cluster_with(cluster, scan->metric,
                                             shoal_class_codes(scan->classes, c), SHOAL_LOSS_MAX);
        if (left[c] == 0 || with > least) continue;
        least = with;
        best = c;
    }
    return best;
}

static uint32_t naive_furthest(const shoal_scan *scan, const uint32_t *codes, const uint32_t *left)
{
    uint32_t best = SHOAL_NO_CLASS;
    shoal_loss most = 0;
    for (uint32_t c = scan->classes->n_classes; c-- > 0;) {
        shoal_loss distance = shoal_metric_pair(scan->metric, codes,
                                                shoal_class_codes(scan->classes, c));
        if (left[c] == 0 || distance < most) continue;
        most = distance;
        best = c;
    }
    return best;
}

/* Take rows out, some at a time, until none is left, asking both questions before each step. */
static void empty_by_steps(shoal_scan *scan, const shoal_space *space, shoal_cluster *cluster,
                           shoal_rng *rng)
{
    uint32_t left[80], probe[DRAFT_COLUMNS];
    uint64_t n_rows = scan->n_rows, n_queries = 0;
    memcpy(left, scan->classes->counts, scan->classes->n_classes * sizeof *left);
    while (n_rows > 0) {
        codes_of_row(probe, space, draw(rng, 80));
        shoal_loss loss;
        uint32_t cheapest = shoal_scan_cheapest(scan, cluster, &loss),
                 furthest = shoal_scan_furthest(scan, probe);
        assert_int_equal(cheapest, naive_cheapest(scan, cluster, left));
        assert_int_equal(furthest, naive_furthest(scan, probe, left));
        assert_int_equal(loss, shoal_cluster_with(cluster, scan->metric,
                                                  shoal_class_codes(scan->classes, cheapest),
                                                  SHOAL_LOSS_MAX));
        uint32_t c = draw(rng, 2) == 0 ? cheapest : furthest, n = 1 + draw(rng, left[c]);
        shoal_scan_take(scan, c, n);
        left[c] -= n;
        n_rows -= n;
        assert_int_equal(scan->n_rows, n_rows);
        n_queries += 2;
        if (draw(rng, 4) == 0) shoal_cluster_clear(cluster, scan->metric);
        shoal_cluster_add(cluster, scan->metric, shoal_class_codes(scan->classes, c), n);
    }
    shoal_loss loss;
    assert_int_equal(shoal_scan_cheapest(scan, cluster, &loss), SHOAL_NO_CLASS);
    assert_int_equal(shoal_scan_furthest(scan, probe), SHOAL_NO_CLASS);
    assert_int_equal(scan->n_queries, n_queries + 2);
}

static void test_until_nothing_is_left(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        shoal_error err;
        shoal_rng rng;
        shoal_rng_init(&rng, seed, 4);
        shoal_table *table = random_table(seed, 80);
        shoal_space space = make_space(table);
        shoal_classes *classes = make_classes(table, &space);
        shoal_metric metric;
        shoal_scan scan;
        shoal_cluster cluster;
        assert_ok(shoal_metric_make(&metric, &space, NULL, &err));
        assert_ok(shoal_scan_make(&scan, &metric, classes, &err));
        assert_true(shoal_cluster_init(&cluster, &metric));
        empty_by_steps(&scan, &space, &cluster, &rng);
        shoal_cluster_free(&cluster);
        shoal_scan_clear(&scan);
        shoal_metric_clear(&metric);
        shoal_classes_free(classes);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

static shoal_status make_and_clear(const shoal_metric *metric, const shoal_classes *classes)
{
    shoal_scan scan = { 0 };
    shoal_status status = shoal_scan_make(&scan, metric, classes, NULL);
    shoal_scan_clear(&scan);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(1, 30);
    shoal_space space = make_space(table);
    shoal_classes *classes = make_classes(table, &space);
    shoal_metric metric;
    assert_ok(shoal_metric_make(&metric, &space, NULL, &err));
    assert_survives_allocation_failure(make_and_clear(&metric, classes));
    shoal_metric_clear(&metric);
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_until_nothing_is_left),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
