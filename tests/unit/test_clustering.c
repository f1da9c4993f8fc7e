/* SPDX-License-Identifier: Apache-2.0 */
/* test_clustering.c - groups in the making: rows given, set, assigned, closed and emitted. */
#include "clusterings.h"

/* Six numbers from 0 to 10, two of them the same. */
static const table_spec numbers = { .csv = "n\n0\n1\n5\n6\n10\n10\n",
                                    .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC } } };

/* A tenth of the whole range. */
static void assert_tenths(const bed *b, shoal_loss loss, double tenths)
{
    assert_near(loss / b->metric.unit, tenths / 10, 1e-6);
}

static void test_give_and_set(void **state)
{
    (void)state;
    bed b;
    shoal_clustering c;
    bed_make(&b, make_table(&numbers), 2);
    assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
    assert_int_equal(c.n_loose, 6);
    assert_int_equal(shoal_clustering_open(&c), 0);
    assert_int_equal(shoal_clustering_open(&c), 1);
    assert_true(shoal_clustering_give(&c, 0, 0, 1));
    assert_true(shoal_clustering_give(&c, 0, 1, 1));
    assert_true(shoal_clustering_give(&c, 1, 4, 2)); /* both tens */
    assert_valid_clustering(&b, &c, 2);
    assert_int_equal(c.n_loose, 2);
    assert_tenths(&b, c.groups[0].cluster.loss, 1);
    assert_int_equal(c.groups[1].cluster.loss, 0);
    assert_int_equal(shoal_clustering_loss(&c), 2 * (uint64_t)c.groups[0].cluster.loss);
    const shoal_class_rows slices[] = { { 0, 1 }, { 4, 1 } }, others[] = { { 4, 1 }, { 1, 1 } };
    assert_true(shoal_clustering_set(&c, 0, slices, 2));
    assert_true(shoal_clustering_set(&c, 1, others, 2));
    assert_valid_clustering(&b, &c, 2);
    assert_tenths(&b, c.groups[0].cluster.loss, 10);
    assert_tenths(&b, c.groups[1].cluster.loss, 9);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

/* 5 and 6 are left: 5 is 5 from {0} and {10,10}, but fewer rows widen with {0}; then 6 goes where 5
 * went. */
static void test_assign_on_numbers(void **state)
{
    (void)state;
    bed b;
    shoal_clustering c;
    bed_make(&b, make_table(&numbers), 2);
    assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
    shoal_clustering_open(&c);
    shoal_clustering_open(&c);
    shoal_clustering_open(&c); /* no row belongs to an empty group */
    assert_true(shoal_clustering_give(&c, 1, 0, 1));
    assert_true(shoal_clustering_give(&c, 2, 4, 2));
    assert_true(shoal_clustering_give(&c, 1, 1, 1));
    assert_true(shoal_clustering_assign_loose(&c));
    assert_int_equal(c.n_loose, 0);
    assert_int_equal(c.groups[0].n_slices, 0);
    assert_int_equal(c.groups[1].cluster.n_rows + c.groups[2].cluster.n_rows, 6);
    /* 5 with {0,1}: 3 x 0.5 - 2 x 0.1 = 1.3; with {10,10}: 3 x 0.5 = 1.5. Then 6: 4 x 0.6 - 1.5 =
     * 0.9; 3 x 0.4 = 1.2. */
    assert_int_equal(c.groups[1].n_slices, 4);
    assert_tenths(&b, c.groups[1].cluster.loss, 6);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

/* What grows least, by brute force, class after class. */
static void test_assign_on_random_tables(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        bed b;
        shoal_clustering c;
        shoal_rng rng;
        shoal_rng_init(&rng, seed, 3);
        bed_make(&b, random_table(seed, 30), 3);
        assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
        for (int g = 0; g < 4; g++) shoal_clustering_open(&c);
        for (uint32_t i = 0; i < b.classes->n_classes; i++)
            if (draw(&rng, 2) == 0) assert_true(shoal_clustering_give(&c, draw(&rng, 4), i, 1));
        if (c.n_loose == b.classes->n_rows) assert_true(shoal_clustering_give(&c, 0, 0, 1));
        tally t = tally_clustering(&b, &c);
        for (uint32_t i = 0; i < b.classes->n_classes; i++) {
            uint32_t best = 0, count = c.loose[i];
            uint64_t least = UINT64_MAX;
            for (uint32_t g = 0; count > 0 && g < t.n_groups; g++) {
                uint64_t before = (uint64_t)tally_rows(&t, g) * exact_loss(&t, g);
                tally_group(&t, g)[i] += count;
                uint64_t rise = (uint64_t)tally_rows(&t, g) * exact_loss(&t, g) - before;
                tally_group(&t, g)[i] -= count;
                if (rise < least) least = rise, best = g;
            }
            if (count > 0) tally_group(&t, best)[i] += count;
        }
        assert_true(shoal_clustering_assign_loose(&c));
        assert_valid_clustering(&b, &c, 1);
        tally emitted = tally_clustering(&b, &c);
        assert_int_equal(emitted.n_groups, t.n_groups);
        assert_memory_equal(emitted.counts, t.counts,
                            (size_t)t.n_groups * b.classes->n_classes * sizeof *t.counts);
        free(emitted.counts);
        free(t.counts);
        shoal_clustering_clear(&c);
        bed_clear(&b);
    }
}

static void test_close(void **state)
{
    (void)state;
    bed b;
    shoal_clustering c;
    bed_make(&b, make_table(&numbers), 3);
    assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
    shoal_clustering_open(&c);
    assert_true(shoal_clustering_give(&c, 0, 0, 1));
    assert_true(shoal_clustering_give(&c, 0, 1, 1));
    assert_true(shoal_clustering_give(&c, 0, 2, 1));
    assert_true(shoal_clustering_close(&c)); /* three are loose */
    assert_int_equal(c.n_groups, 2);
    assert_int_equal(c.n_loose, 0);
    assert_valid_clustering(&b, &c, 3);
    assert_true(shoal_clustering_close(&c));
    assert_int_equal(c.n_groups, 2);
    shoal_clustering_clear(&c);

    assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
    shoal_clustering_open(&c);
    assert_true(shoal_clustering_give(&c, 0, 0, 1));
    assert_true(shoal_clustering_give(&c, 0, 2, 1));
    assert_true(shoal_clustering_give(&c, 0, 4, 2));
    assert_true(shoal_clustering_close(&c)); /* two are too few: they stay loose */
    assert_int_equal(c.n_groups, 1);
    assert_int_equal(c.n_loose, 2);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

static void test_emit(void **state)
{
    (void)state;
    shoal_error err;
    bed b;
    shoal_clustering c;
    shoal_rng rng;
    shoal_rng_init(&rng, 5, 5);
    bed_make(&b, random_table(22, 40), 4);
    scatter(&c, &b, &rng);
    assert_valid_clustering(&b, &c, 4);
    assert_int_equal(c.n_loose, 0);
    shoal_slices parts = { 0 };
    shoal_grouping *grouping = NULL;
    assert_true(shoal_clustering_emit(&c, &parts));
    assert_ok(
        shoal_grouping_from_slices(&grouping, &b.space, b.classes, parts.items, parts.n, &err));
    double cells = (double)b.classes->n_rows * b.space.n_attrs;
    shoal_grouping_take_space(grouping, &b.space);
    assert_near((double)shoal_clustering_loss(&c) / b.metric.unit / cells, gcp_of(grouping), 1e-6);
    shoal_grouping_free(grouping);
    shoal_free(parts.items);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

static int stop(const char *phase, double fraction, void *payload)
{
    (void)phase, (void)fraction;
    ++*(int *)payload;
    return *(int *)payload == 2;
}

static void test_should_stop(void **state)
{
    (void)state;
    int n_calls = 0;
    shoal_search_stats stats = { 0 };
    shoal_problem problem = { .deadline = INFINITY, .stats = &stats };
    assert_false(shoal_should_stop(&problem, 0.5));
    problem.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(stop, &n_calls);
    assert_false(shoal_should_stop(&problem, 0.5));
    assert_false(stats.stopped_early);
    assert_true(shoal_should_stop(&problem, 0.5));
    assert_true(stats.stopped_early);
    stats.stopped_early = false;
    problem.deadline = shoal_seconds();
    assert_true(shoal_should_stop(&problem, 0.5));
    assert_true(stats.stopped_early);
}

static shoal_status give_assign_emit(const bed *b)
{
    shoal_clustering c = { 0 };
    shoal_slices parts = { 0 };
    const shoal_class_rows slices[] = { { 1, 1 }, { 0, 1 } };
    bool ok = shoal_clustering_init(&c, &b->problem, &b->metric) &&
              shoal_clustering_open(&c) != SIZE_MAX && shoal_clustering_give(&c, 0, 0, 1) &&
              shoal_clustering_give(&c, 0, 1, 1) && shoal_clustering_set(&c, 0, slices, 2) &&
              shoal_clustering_close(&c) && shoal_clustering_assign_loose(&c) &&
              shoal_clustering_emit(&c, &parts);
    shoal_free(parts.items);
    shoal_clustering_clear(&c);
    return ok ? SHOAL_OK : SHOAL_ENOMEM;
}

static void test_short_memory(void **state)
{
    (void)state;
    bed it;
    bed_make(&it, random_table(22, 30), 3);
    assert_survives_allocation_failure(give_assign_emit(&it));
    bed_clear(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_give_and_set),
        cmocka_unit_test(test_assign_on_numbers),
        cmocka_unit_test(test_assign_on_random_tables),
        cmocka_unit_test(test_close),
        cmocka_unit_test(test_emit),
        cmocka_unit_test(test_should_stop),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
