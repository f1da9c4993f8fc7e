/* SPDX-License-Identifier: Apache-2.0 */
/* test_shoal.c - what the default method promises, on random tables: a local optimum by the
 * definitions, no more loss than k-Members, the same for any number of threads, valid at any effort
 * and at any moment. Covers: penalty.c
 */
#include "clusterings.h"

#include <shoal/measure.h>

static shoal_grouping *run_shoal(const shoal_table *table, uint32_t k, const char *effort,
                                 uint32_t threads)
{
    shoal_error err;
    const shoal_param param = { "effort", effort };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.algorithm = "shoal";
    options.threads = threads;
    options.params = &param;
    options.n_params = 1;
    shoal_grouping *grouping = NULL;
    assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
    return grouping;
}

/*
 * The example of docs/algorithms/shoal.md: the start takes the nearest pairs, which leaves 20 and
 * 31 to each other and 58 to the nearest group; then 27 and 20 change places.
 */
static void test_worked_example(void **state)
{
    (void)state;
    shoal_error err;
    const table_spec spec = { .csv = "age\n20\n24\n27\n31\n50\n51\n58\n",
                              .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC } } };
    shoal_table *table = make_table(&spec);
    shoal_grouping *start = run_shoal(table, 2, "1", 1), *end = run_shoal(table, 2, "5", 1);
    double bound = 0;
    assert_grouped(start, "abbaccc");
    assert_near(gcp_of(start), 52.0 / 266, 1e-9);
    assert_grouped(end, "aabbccc");
    assert_near(gcp_of(end), 40.0 / 266, 1e-9);
    assert_ok(shoal_bound(&bound, table, 2, 1, NULL, &err));
    /* by prices; by the cheapest box around each row it is 23 / 266 */
    assert_near(bound, 32.0 / 266, 1e-4);
    shoal_grouping_free(start);
    shoal_grouping_free(end);
    shoal_table_free(table);
}

/*
 * No single move or swap of a row between the method's groups gains. Its parts are looked at, not
 * the published groups: those with the same published values are one there, and one that is larger
 * could give rows away that each alone could not.
 */
static void test_no_single_move_or_swap_gains(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < share_of(120); seed++) {
        bed b;
        uint32_t k = 2 + (uint32_t)(seed / 3) % 4;
        bed_make(&b,
                 seed % 20 == 19 ? wide_table(seed, 24, 66, (shoal_missing)(seed / 20 % 3))
                                 : random_table(seed, 12 + (uint32_t)seed * 7 % 49),
                 k);
        shoal_slices parts = { 0 };
        assert_ok(shoal_algorithm_shoal.run(&parts, &b.problem, &err));
        uint32_t n_groups = 0;
        for (size_t i = 0; i < parts.n; i++)
            if (parts.items[i].group >= n_groups) n_groups = parts.items[i].group + 1;
        tally all = tally_make(&b, n_groups), t = tally_make(&b, n_groups);
        for (size_t i = 0; i < parts.n; i++)
            tally_group(&all,
                        parts.items[i].group)[parts.items[i].class_index] += parts.items[i].count;
        t.n_groups = 0;
        for (uint32_t g = 0; g < n_groups; g++) { /* emptied groups keep their number */
            if (tally_rows(&all, g) == 0) continue;
            assert_true(tally_rows(&all, g) >= k);
            memcpy(tally_group(&t, t.n_groups++), tally_group(&all, g),
                   b.classes->n_classes * sizeof *t.counts);
        }
        assert_polished(&t);
        free(all.counts);
        free(t.counts);
        shoal_free(parts.items);
        bed_clear(&b);
    }
}

/* Less loss than k-Members in the sum, and on nearly every table. */
static void test_against_kmembers(void **state)
{
    (void)state;
    double ours = 0, theirs = 0;
    int n_worse = 0;
    for (uint64_t seed = 0; seed < share_of(50); seed++) {
        shoal_table *table = random_table(seed, 200 + (uint32_t)seed);
        uint32_t k = 2 + (uint32_t)seed % 9;
        shoal_grouping *x = run_shoal(table, k, "5", 1),
                       *y = anonymize(table, "kmembers", k, seed, 1);
        ours += gcp_of(x);
        theirs += gcp_of(y);
        n_worse += gcp_of(x) > gcp_of(y) + 1e-9;
        shoal_grouping_free(x);
        shoal_grouping_free(y);
        shoal_table_free(table);
    }
    print_message("loss of shoal / k-Members: %.4f, worse on %d of 50\n", ours / theirs, n_worse);
    assert_true(ours < 0.85 * theirs);
    assert_true(n_worse <= 2);
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < share_of(24); seed++) {
        shoal_table *table = random_table(seed, 300 + 10 * (uint32_t)seed);
        uint32_t k = seed % 4 == 3 ? 35 : 3; /* also with the start by boxes */
        const char *effort = seed % 3 == 0 ? "7" : "4";
        shoal_grouping *one = run_shoal(table, k, effort, 1),
                       *four = run_shoal(table, k, effort, 4);
        assert_same_grouping(one, four);
        shoal_grouping_free(one);
        shoal_grouping_free(four);
        shoal_table_free(table);
    }
}

/* Every effort is valid and never below the bound; in the sum more effort does not lose more. */
static void test_efforts(void **state)
{
    (void)state;
    shoal_error err;
    double sums[10] = { 0 };
    static const char *const efforts[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };
    for (uint64_t seed = 0; seed < share_of(24); seed++) {
        shoal_table *table = random_table(seed, 60 + 3 * (uint32_t)seed);
        uint32_t k = seed % 8 == 7 ? 33 : 2 + (uint32_t)seed % 5;
        double bound = 0;
        assert_ok(shoal_bound(&bound, table, k, 1, NULL, &err));
        for (int e = 0; e < 10; e++) {
            shoal_grouping *grouping = run_shoal(table, k, efforts[e], 1);
            assert_valid_grouping(grouping, table, k);
            assert_false(shoal_grouping_stopped_early(grouping));
            double gcp = gcp_of(grouping);
            assert_true(gcp >= bound - 1e-9);
            sums[e] += gcp;
            shoal_grouping_free(grouping);
        }
        shoal_table_free(table);
    }
    for (int e = 1; e < 10; e++) {
        print_message("effort %d: %.5f\n", e, sums[e] / (double)share_of(24));
        /* luck plays a part from round to round, the more the fewer tables are tried */
        assert_true(sums[e] <= sums[e - 1] * (1 + 0.002 * 24 / (double)share_of(24)) + 1e-9);
    }
    assert_true(sums[9] < sums[1]);
}

static void test_no_time(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < share_of(30); seed++) {
        shoal_table *table = random_table(seed, 400);
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = seed % 2 == 0 ? 3 : 40;
        options.time_limit = 0.000001;
        shoal_grouping *grouping = NULL;
        assert_ok(shoal_anonymize(&grouping, table, &options, NULL, &err));
        assert_valid_grouping(grouping, table, options.k);
        assert_true(shoal_grouping_stopped_early(grouping));
        shoal_grouping_free(grouping);
        shoal_table_free(table);
    }
}

static void test_wrong_efforts(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(1, 20);
    static const char *const wrong[] = { "", "10", "-1", "x", "5 ", "05" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const shoal_param param = { "effort", wrong[i] };
        shoal_spec options = SHOAL_SPEC_INIT;
        options.k = 2;
        options.params = &param;
        options.n_params = 1;
        shoal_grouping *grouping = NULL;
        assert_fails(shoal_anonymize(&grouping, table, &options, NULL, &err), SHOAL_EINVAL,
                     "0 to 9");
        assert_null(grouping);
    }
    shoal_table_free(table);
}

static shoal_status run_and_free(const shoal_table *table, uint32_t k, const char *effort)
{
    const shoal_param param = { "effort", effort };
    shoal_spec options = SHOAL_SPEC_INIT;
    options.k = k;
    options.params = &param;
    options.n_params = 1;
    shoal_grouping *grouping = NULL;
    shoal_status status = shoal_anonymize(&grouping, table, &options, NULL, NULL);
    shoal_grouping_free(grouping);
    return status;
}

/* Both starts, and the large-k way. */
static void test_short_memory(void **state)
{
    (void)state;
    shoal_table *table = random_table(22, 40);
    assert_survives_allocation_failure(run_and_free(table, 4, "7"));
    assert_survives_allocation_failure(run_and_free(table, 4, "0"));
    shoal_table_free(table);
    table = random_table(10, 70);
    assert_survives_allocation_failure(run_and_free(table, 32, "2"));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_worked_example),
        cmocka_unit_test(test_no_single_move_or_swap_gains),
        cmocka_unit_test(test_against_kmembers),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_efforts),
        cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_wrong_efforts),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
