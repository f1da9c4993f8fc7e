/* SPDX-License-Identifier: Apache-2.0 */
/* test_start_cheapest_group.c - the starts that grow groups row by row: cheapest first, and in the
 * order of the tree. Covers: grower.c, start_regions.c
 */
#include "clusterings.h"

/* The greedy group of k rows from a class, by scanning (ties: the lower class), as rows of each
 * class. Returns its loss. */
static shoal_loss grow_by_scanning(const bed *b, uint32_t seed, uint32_t *counts)
{
    uint32_t k = b->problem.k, n = b->classes->n_classes;
    tally t = { b, 1, counts };
    memset(counts, 0, n * sizeof *counts);
    counts[seed] = b->classes->counts[seed] < k ? b->classes->counts[seed] : k;
    while (tally_rows(&t, 0) < k) {
        uint32_t best = 0;
        shoal_loss least = SHOAL_LOSS_MAX;
        for (uint32_t c = 0; c < n; c++) {
            if (counts[c] == b->classes->counts[c]) continue;
            counts[c]++;
            shoal_loss with = exact_loss(&t, 0);
            counts[c]--;
            if (with < least) least = with, best = c;
        }
        counts[best]++;
    }
    return exact_loss(&t, 0);
}

/* Of all classes the one whose greedy group loses least (ties: the lower class) is first, with that
 * group. */
static void test_the_first_group_is_the_cheapest(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < 60; seed++) {
        bed b;
        shoal_clustering c;
        bed_make(&b, random_table(seed, 40), 2 + (uint32_t)seed % 4);
        uint32_t n = b.classes->n_classes, *counts = malloc(n * sizeof *counts),
                 *best = malloc(n * sizeof *best), first = 0;
        assert_true(counts != NULL && best != NULL);
        shoal_loss least = SHOAL_LOSS_MAX;
        for (uint32_t s = 0; s < n; s++) {
            shoal_loss loss = grow_by_scanning(&b, s, counts);
            if (loss >= least) continue;
            least = loss;
            first = s;
            memcpy(best, counts, n * sizeof *best);
        }
        assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
        assert_ok(shoal_start_cheapest_group(&c, &err));
        assert_valid_clustering(&b, &c, b.problem.k);
        assert_true(c.n_loose < b.problem.k);
        assert_int_equal(c.groups[0].cluster.loss, least);
        assert_int_equal(c.groups[0].slices[0].class_index, first);
        for (uint32_t i = 0; i < c.groups[0].n_slices; i++) {
            shoal_class_rows slice = c.groups[0].slices[i];
            /* a class of many rows may give more than k of them */
            bool is_alone = c.groups[0].n_slices == 1;
            assert_true(slice.count == best[slice.class_index] ||
                        (is_alone && slice.count > b.problem.k));
        }
        shoal_clustering_clear(&c);
        free(counts);
        free(best);
        bed_clear(&b);
    }
}

/* 0, 1 and 10, 12 are near pairs; 30 and 60 are left for each other. The nearest pair comes first.
 */
static void test_order_of_groups(void **state)
{
    (void)state;
    shoal_error err;
    const table_spec spec = { .csv = "n\n60\n12\n0\n30\n1\n10\n",
                              .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC } } };
    /* rows, that is classes; 30 had company nearer than 60 had, so it comes first */
    const uint32_t expected[] = { 2, 4, 1, 5, 3, 0 };
    bed b;
    shoal_clustering c;
    bed_make(&b, make_table(&spec), 2);
    assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
    assert_ok(shoal_start_cheapest_group(&c, &err));
    assert_int_equal(c.n_groups, 3);
    for (size_t g = 0; g < 3; g++)
        for (uint32_t i = 0; i < 2; i++)
            assert_int_equal(c.groups[g].slices[i].class_index, expected[2 * g + i]);
    assert_true(b.stats.queries > 0 && b.stats.evaluations > 0);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

/* Of 11 equal rows at k = 3 six go at once, and five stay, three of them for the next group and two
 * to help others. */
static void test_many_rows_alike(void **state)
{
    (void)state;
    shoal_error err;
    const table_spec spec = { .csv = "n\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n9\n",
                              .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC } } };
    bed b;
    shoal_clustering c;
    bed_make(&b, make_table(&spec), 3);
    assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
    assert_ok(shoal_start_cheapest_group(&c, &err));
    assert_int_equal(c.n_groups, 3);
    assert_int_equal(c.groups[0].cluster.n_rows, 6);
    assert_int_equal(c.groups[1].cluster.n_rows, 3);
    assert_int_equal(c.groups[2].n_slices, 2); /* two ones and the nine */
    assert_int_equal(c.n_loose, 0);
    shoal_clustering_clear(&c);
    assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
    assert_ok(shoal_start_in_tree_order(
        &c, &err)); /* all eleven, and the nine has to find another group */
    assert_int_equal(c.n_groups, 1);
    assert_int_equal(c.groups[0].cluster.n_rows, 11);
    assert_int_equal(c.n_loose, 1);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

/* Classes of k rows or more are groups as they are; the others make groups of k, their seeds in the
 * order of the tree over them. */
static void assert_in_order(const bed *b, const shoal_clustering *c)
{
    shoal_error err;
    shoal_kernel *kernel = NULL;
    uint32_t k = b->problem.k, n_large = 0, n_small = 0,
             *small = malloc((b->classes->n_classes + 1) * sizeof *small);
    assert_non_null(small);
    for (uint32_t i = 0; i < b->classes->n_classes; i++)
        if (b->classes->counts[i] < k)
            small[n_small++] = i;
        else {
            assert_int_equal(c->groups[n_large].n_slices, 1);
            assert_int_equal(c->groups[n_large].slices[0].class_index, i);
            assert_int_equal(c->groups[n_large++].cluster.n_rows, b->classes->counts[i]);
        }
    assert_ok(shoal_kernel_make(&kernel, &b->metric, b->classes, small, n_small, &err));
    for (size_t g = n_large; g < c->n_groups; g++) {
        assert_int_equal(c->groups[g].cluster.n_rows, k);
        uint32_t place = kernel->place_of[c->groups[g].slices[0].class_index];
        assert_true(g == n_large ||
                    place > kernel->place_of[c->groups[g - 1].slices[0].class_index]);
    }
    shoal_kernel_free(kernel);
    free(small);
}

static void test_in_order(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < 60; seed++) {
        bed b;
        shoal_clustering c;
        bed_make(&b, random_table(seed, 80), 2 + (uint32_t)seed % 6);
        assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
        assert_ok(shoal_start_in_tree_order(&c, &err));
        assert_valid_clustering(&b, &c, b.problem.k);
        assert_true(c.n_loose < b.problem.k);
        assert_in_order(&b, &c);
        shoal_clustering_clear(&c);
        bed_clear(&b);
    }
}

/* In one region, and without classes that stand alone, the regional start is the cheapest group
 * first of the whole table. */
static void test_by_regions(void **state)
{
    (void)state;
    shoal_error err;
    int n_without_large = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        bed b;
        shoal_clustering c, whole;
        bed_make(&b, random_table(seed, 80), 2 + (uint32_t)seed % 6);
        b.problem.threads = 1 + (uint32_t)seed % 3;
        assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
        assert_ok(shoal_start_cheapest_by_regions(&c, &err));
        assert_valid_clustering(&b, &c, b.problem.k);
        assert_true(c.n_loose < b.problem.k);
        bool has_large = false;
        for (uint32_t i = 0; i < b.classes->n_classes; i++)
            has_large |= b.classes->counts[i] >= b.problem.k;
        n_without_large += !has_large;
        assert_true(shoal_clustering_init(&whole, &b.problem, &b.metric));
        assert_ok(shoal_start_cheapest_group(&whole, &err));
        if (!has_large) assert_same_clustering(&c, &whole);
        shoal_clustering_clear(&c);
        shoal_clustering_clear(&whole);
        bed_clear(&b);
    }
    assert_true(n_without_large > 0);
}

static void test_threads_change_nothing(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 0; seed < 12; seed++) {
        bed b;
        shoal_clustering one, four;
        bed_make(&b, random_table(seed, 700), 5);
        assert_true(shoal_clustering_init(&one, &b.problem, &b.metric));
        assert_ok(shoal_start_cheapest_group(&one, &err));
        b.problem.threads = 4;
        assert_true(shoal_clustering_init(&four, &b.problem, &b.metric));
        assert_ok(shoal_start_cheapest_group(&four, &err));
        assert_same_clustering(&one, &four);
        shoal_clustering_clear(&one);
        shoal_clustering_clear(&four);
        bed_clear(&b);
    }
}

typedef shoal_status (*start_fn)(shoal_clustering *c, shoal_error *err);

enum { N_STARTS = 3 };

static const start_fn starts[N_STARTS] = { shoal_start_cheapest_group, shoal_start_in_tree_order,
                                           shoal_start_cheapest_by_regions };

/* Out of time: what was grown so far, and the rest loose. */
static void test_no_time(void **state)
{
    (void)state;
    shoal_error err;
    bed b;
    shoal_clustering c;
    bed_make(&b, random_table(22, 300), 3);
    b.problem.deadline = shoal_seconds();
    for (int i = 0; i < N_STARTS; i++) {
        assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
        assert_ok(starts[i](&c, &err));
        assert_valid_clustering(&b, &c, 3);
        assert_true(c.n_loose >= 3);
        shoal_clustering_clear(&c);
    }
    bed_clear(&b);
}

static shoal_status start_and_free(const bed *b, start_fn start)
{
    shoal_clustering c = { 0 };
    shoal_status status = SHOAL_ENOMEM;
    if (shoal_clustering_init(&c, &b->problem, &b->metric)) status = start(&c, NULL);
    shoal_clustering_clear(&c);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    bed it;
    bed_make(&it, random_table(22, 30), 3);
    for (int i = 0; i < N_STARTS; i++)
        assert_survives_allocation_failure(start_and_free(&it, starts[i]));
    bed_clear(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_group_is_the_cheapest),
        cmocka_unit_test(test_order_of_groups),
        cmocka_unit_test(test_many_rows_alike),
        cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_by_regions),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
