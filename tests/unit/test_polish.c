/* SPDX-License-Identifier: Apache-2.0 */
/* test_polish.c - moves and swaps over all groups, until none is left that gains; and the
 * regrouping before it. Covers: refine.c, regions.c
 */
#include "clusterings.h"

#include <shoal/measure.h>

static void test_no_move_or_swap_is_left(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < 90; seed++) {
        bed b;
        shoal_clustering c;
        shoal_rng rng;
        shoal_rng_init(&rng, seed, 4);
        bed_make(&b,
                 seed % 10 == 9 ? wide_table(seed, 20, 68, (shoal_missing)(seed / 10 % 3))
                                : random_table(seed, 30 + (uint32_t)seed % 30),
                 2 + (uint32_t)seed % 5);
        scatter(&c, &b, &rng);
        uint64_t before = shoal_clustering_loss(&c);
        assert_ok(shoal_polish(&c, &err));
        assert_true(shoal_clustering_loss(&c) <= before);
        assert_valid_clustering(&b, &c, b.problem.k);
        assert_int_equal(c.n_loose, 0);
        tally t = tally_clustering(&b, &c);
        assert_polished(&t);
        free(t.counts);
        shoal_clustering_clear(&c);
        bed_clear(&b);
    }
}

typedef struct told_losses {
    double now, last; /* -1 where nothing was told */
    bool is_rising;
} told_losses;

static int hear_loss(const char *phase, double fraction, void *payload)
{
    told_losses *told = payload;
    (void)fraction;
    if (strcmp(phase, "refine") != 0) return 0;
    told->is_rising = told->is_rising || told->now < 0 ||
                      (told->last >= 0 && told->now > told->last);
    told->last = told->now;
    return 0;
}

/* The loss so far is reported: never more than before, and in the end nearly what the release
 * loses. */
static void test_the_loss_so_far_is_told(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(5, 200);
    told_losses told = { 7, -1, false };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = 4;
    shoal_callbacks callbacks = SHOAL_PROGRESS(hear_loss, &told);
    callbacks.loss_so_far = &told.now;
    shoal_grouping *grouping = NULL;
    shoal_measures measures = { 0 };
    assert_ok(shoal_anonymize(&grouping, table, &options, &callbacks, &err));
    assert_ok(shoal_measure_grouping(&measures, table, grouping, 4, &err));
    assert_true(told.last > 0 && !told.is_rising);
    assert_true(told.last >= measures.gcp - 1e-6 && told.last < measures.gcp * 1.2);
    shoal_measures_clear(&measures);
    shoal_grouping_free(grouping);
    told.now = 7;
    options.algorithm = "mondrian";
    assert_ok(shoal_anonymize(&grouping, table, &options, &callbacks, &err));
    assert_true(told.now < 0); /* it has nothing to tell */
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/* More groups than one pool takes: partners come in batches. */
static void test_many_groups(void **state)
{
    (void)state;
    shoal_error err;
    bed b;
    shoal_clustering c;
    shoal_rng rng;
    shoal_rng_init(&rng, 1, 4);
    bed_make(&b, random_table(22, 220), 2);
    scatter(&c, &b, &rng);
    assert_true(c.n_groups > 100);
    assert_ok(shoal_polish(&c, &err));
    assert_valid_clustering(&b, &c, 2);
    tally t = tally_clustering(&b, &c);
    assert_polished(&t);
    free(t.counts);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

/* Looking ahead in threads changes nothing, where groups change all the time and in blocks where
 * none does. */
static void test_threads_change_nothing(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < 24; seed++) {
        bed b;
        shoal_clustering c, many;
        shoal_rng rng, same;
        shoal_rng_init(&rng, seed, 4);
        shoal_rng_init(&same, seed, 4);
        bed_make(&b, random_table(seed, 150 + 10 * (uint32_t)seed), 2 + (uint32_t)seed % 3);
        scatter(&c, &b, &rng);
        scatter(&many, &b, &same);
        assert_ok(shoal_polish(&c, &err));
        b.problem.threads = 2 + (uint32_t)seed % 3;
        assert_ok(shoal_polish(&many, &err));
        assert_same_clustering(&c, &many);
        assert_ok(shoal_polish(&many, &err));
        assert_same_clustering(&c, &many);
        shoal_clustering_clear(&c);
        shoal_clustering_clear(&many);
        bed_clear(&b);
    }
}

/* Two pairs that belong together the other way: one swap, and nothing is lost. */
static void test_swap(void **state)
{
    (void)state;
    shoal_error err;
    const table_spec spec = { .csv = "c,d\na,x\nb,y\na,z\nb,w\n", .columns = { { .name = "c" } } };
    bed b;
    shoal_clustering c;
    bed_make(&b, make_table(&spec), 2);
    assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
    for (size_t g = 0; g < 2; g++) {
        assert_int_equal(shoal_clustering_open(&c), g);
        assert_true(shoal_clustering_give(&c, g, 0, 1) && shoal_clustering_give(&c, g, 1, 1));
    }
    assert_true(shoal_clustering_loss(&c) > 0);
    assert_ok(shoal_polish(&c, &err));
    assert_int_equal(shoal_clustering_loss(&c), 0);
    assert_valid_clustering(&b, &c, 2);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

/* Two large groups, one number in each in turn: rows move, no group is opened, and so there is room
 * for two groups, not for all that the rows could make. */
static void test_large_groups_take_little_memory(void **state)
{
    (void)state;
    enum { ROWS = 150 };
    shoal_error err;
    char csv[ROWS * 5];
    int at = snprintf(csv, sizeof csv, "a\n");
    for (int row = 0; row < ROWS; row++)
        at += snprintf(csv + at, sizeof csv - (size_t)at, "%d\n", row);
    bed b;
    shoal_clustering c;
    bed_make(
        &b, make_table(&(table_spec){ .csv = csv, .columns = { { "a", SHOAL_TYPE_NUMERIC } } }), 2);
    assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
    for (size_t g = 0; g < 2; g++) assert_int_equal(shoal_clustering_open(&c), g);
    for (uint32_t i = 0; i < ROWS; i++) assert_true(shoal_clustering_give(&c, i % 2, i, 1));
    uint64_t before = shoal_clustering_loss(&c);
    size_t largest = 0;
    shoal_set_allocator(largest_alloc, &largest);
    shoal_status status = shoal_polish(&c, &err);
    shoal_set_allocator(NULL, NULL);
    assert_ok(status);
    assert_true(shoal_clustering_loss(&c) < before); /* there was something to do */
    assert_true(largest < 100000);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

/* Regrouping never adds loss, keeps every row, and does not depend on threads. */
static void test_refine(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < 20; seed++) {
        bed b;
        shoal_clustering c, four;
        shoal_rng rng, same;
        shoal_rng_init(&rng, seed, 4);
        shoal_rng_init(&same, seed, 4);
        bed_make(&b, random_table(seed, 260), 2 + (uint32_t)seed % 5);
        scatter(&c, &b, &rng);
        scatter(&four, &b, &same);
        uint64_t before = shoal_clustering_loss(&c);
        for (int i = 0; i < 2; i++) {
            assert_ok(shoal_refine(&c, 1 + 2 * (uint32_t)i, 2, &err));
            assert_true(shoal_clustering_loss(&c) <= before);
            assert_valid_clustering(&b, &c, b.problem.k);
            before = shoal_clustering_loss(&c);
        }
        b.problem.threads = 4;
        assert_ok(shoal_refine(&four, 1, 2, &err));
        assert_ok(shoal_refine(&four, 3, 2, &err));
        assert_same_clustering(&c, &four);
        shoal_clustering_clear(&c);
        shoal_clustering_clear(&four);
        bed_clear(&b);
    }
}

static void test_no_time(void **state)
{
    (void)state;
    shoal_error err;
    bed b;
    shoal_clustering c;
    shoal_rng rng;
    shoal_rng_init(&rng, 1, 4);
    bed_make(&b, random_table(22, 100), 3);
    scatter(&c, &b, &rng);
    uint64_t before = shoal_clustering_loss(&c);
    b.problem.deadline = shoal_seconds();
    assert_ok(shoal_refine(&c, 5, 2, &err));
    assert_true(b.stats.stopped_early);
    b.stats.stopped_early = false;
    assert_ok(shoal_polish(&c, &err));
    assert_true(b.stats.stopped_early);
    assert_int_equal(shoal_clustering_loss(&c), before);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

static int stop_once(const char *phase, double fraction, void *payload)
{
    (void)phase, (void)fraction;
    return ++*(int *)payload == 2;
}

/* A round of many regions can be stopped in its middle; no progress calls after that. */
static void test_stop_within_a_round(void **state)
{
    (void)state;
    shoal_error err;
    bed b;
    shoal_clustering c;
    shoal_rng rng;
    shoal_rng_init(&rng, 1, 4);
    bed_make(&b, random_table(22, 30000), 2);
    scatter(&c, &b, &rng);
    int n_calls = 0;
    b.problem.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(stop_once, &n_calls);
    uint64_t before = shoal_clustering_loss(&c);
    assert_ok(shoal_refine(&c, 3, 2, &err));
    assert_int_equal(n_calls, 2);
    assert_true(b.stats.stopped_early);
    assert_true(shoal_clustering_loss(&c) < before); /* what was solved by then counts */
    uint64_t n_rows = 0;
    for (size_t g = 0; g < c.n_groups; g++) n_rows += c.groups[g].cluster.n_rows;
    assert_int_equal(n_rows, 30000);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

static shoal_status improve_and_free(const bed *b)
{
    shoal_clustering c = { 0 };
    bool ok = shoal_clustering_init(&c, &b->problem, &b->metric);
    for (uint32_t i = 0; ok && i < b->classes->n_classes; i++)
        for (uint32_t n = 0; ok && n < b->classes->counts[i]; n++) { /* threes as they come */
            if (c.n_groups == 0 || c.groups[c.n_groups - 1].cluster.n_rows >= 3)
                ok = shoal_clustering_open(&c) != SIZE_MAX;
            ok = ok && shoal_clustering_give(&c, c.n_groups - 1, i, 1);
        }
    shoal_status status = ok ? shoal_refine(&c, 2, 2, NULL) : SHOAL_ENOMEM;
    if (status == SHOAL_OK) status = shoal_polish(&c, NULL);
    shoal_clustering_clear(&c);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    bed it;
    bed_make(&it, random_table(22, 30), 3);
    assert_survives_allocation_failure(improve_and_free(&it));
    it.problem.threads = 2;
    assert_survives_allocation_failure(improve_and_free(&it));
    bed_clear(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_move_or_swap_is_left),
        cmocka_unit_test(test_many_groups),
        cmocka_unit_test(test_large_groups_take_little_memory),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_refine),
        cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_stop_within_a_round),
        cmocka_unit_test(test_short_memory),
        cmocka_unit_test(test_the_loss_so_far_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
