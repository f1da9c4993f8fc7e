/* SPDX-License-Identifier: Apache-2.0 */
/* test_start_grids.c - the start that closes cells of ever coarser grids. */
#include "clusterings.h"

static void sweep(shoal_clustering *c, const bed *b)
{
    shoal_error err;
    assert_true(shoal_clustering_init(c, &b->problem, &b->metric));
    assert_ok(shoal_start_grids(c, &err));
}

/* One letter a row, '.' for loose. */
static void assert_swept(const shoal_clustering *c, const char *letters)
{
    char got[64] = { 0 };
    memset(got, '.', strlen(letters));
    for (size_t g = 0; g < c->n_groups; g++)
        for (uint32_t i = 0; i < c->groups[g].n_slices; i++) {
            const shoal_classes *classes = c->problem->classes;
            uint32_t class_index = c->groups[g].slices[i].class_index;
            /* cells take classes whole */
            assert_int_equal(c->groups[g].slices[i].count, classes->counts[class_index]);
            for (uint64_t r = classes->row_begin[class_index];
                 r < classes->row_begin[class_index + 1]; r++)
                got[classes->rows[r]] = (char)('a' + g);
        }
    assert_string_equal(got, letters);
}

/* Three equal rows are a cell of the finest grid; then pairs below one label; what is left has no
 * three of anything. */
static void test_cells_of_a_tree(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "c\nL0\nL2\nL0\nL3\nL0\nL4\nL3\nL5\n",
        .columns = { { .name = "c",
                       .levels = "L0;G0;*\nL1;G0;*\nL2;G1;*\nL3;G1;*\nL4;G2;*\nL5;G2;*\n" } },
    };
    bed b;
    shoal_clustering c;
    bed_make(&b, make_table(&spec), 3);
    sweep(&c, &b);
    assert_swept(&c, "ababa.b.");
    assert_valid_clustering(&b, &c, 3);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

/* A start that will not beat another one gives up; one that may does as if it were alone. */
static void test_gives_up(void **state)
{
    (void)state;
    const table_spec spec = { .csv = "n\n0\n640\n100\n1\n639\n170\n",
                              .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC } } };
    shoal_error err;
    bed b;
    bed_make(&b, make_table(&spec), 2);
    shoal_clustering alone, hopeless, hopeful;
    sweep(&alone, &b);
    assert_false(alone.has_given_up);
    assert_true(shoal_clustering_init(&hopeless, &b.problem, &b.metric));
    hopeless.to_beat = 1;
    assert_ok(shoal_start_grids(&hopeless, &err));
    assert_true(hopeless.has_given_up);
    assert_true(hopeless.n_groups < alone.n_groups);
    assert_true(shoal_clustering_init(&hopeful, &b.problem, &b.metric));
    hopeful.to_beat = UINT64_MAX;
    assert_ok(shoal_start_grids(&hopeful, &err));
    assert_false(hopeful.has_given_up);
    assert_swept(&hopeful, "abcabc");
    shoal_clustering_clear(&alone);
    shoal_clustering_clear(&hopeless);
    shoal_clustering_clear(&hopeful);
    bed_clear(&b);
}

/* 0 and 1 of 640 share a band of 1/64, 639 and 640 the last one; 100 and 170 meet in the lower
 * half. */
static void test_bands_of_numbers(void **state)
{
    (void)state;
    const table_spec spec = { .csv = "n\n0\n640\n100\n1\n639\n170\n",
                              .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC } } };
    bed b;
    shoal_clustering c;
    bed_make(&b, make_table(&spec), 2);
    sweep(&c, &b);
    assert_swept(&c, "abcabc");
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

/*
 * A missing number is a value of its own (here the fifth, with code 4), no band: 17 and 18 of 0..64
 * lie in band 4 of 16, and a missing one must not join them there.
 */
static void test_missing_numbers_are_no_band(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "n,x\n0,\n?,\n17,\n64,\n18,\n?,\n",
        .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC } },
        .null = "?",
    };
    bed b;
    shoal_clustering c;
    bed_make(&b, make_table(&spec), 3);
    assert_int_equal(shoal_class_codes(b.classes, 1)[0], 4);
    sweep(&c, &b);
    assert_swept(&c, "ababab"); /* the lower half, and the rest when everything is one cell */
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

static shoal_loss alone_loss(const bed *b, uint32_t class_index)
{
    tally t = tally_make(b, 1);
    t.counts[class_index] = 1;
    shoal_loss loss = exact_loss(&t, 0);
    free(t.counts);
    return loss;
}

/* Groups are valid, take classes whole, and fewer than k rows are left once all grids were seen. */
static void test_random_tables(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        bed b;
        shoal_clustering c, again;
        bed_make(&b, random_table(seed, 90), 3 + (uint32_t)seed % 9);
        sweep(&c, &b);
        assert_valid_clustering(&b, &c, b.problem.k);
        /* 8^4 grids at most: all are visited */
        if (b.space.n_attrs <= 4) assert_true(c.n_loose < b.problem.k);
        /* who has company enough stays with it */
        for (uint32_t i = 0; !b.metric.has_wild && i < b.classes->n_classes; i++) {
            if (b.classes->counts[i] < b.problem.k) continue;
            /* a class with the same codes (values known only as `*`) may be with it */
            bool is_found = false;
            for (size_t g = 0; g < c.n_groups; g++)
                for (uint32_t j = 0; j < c.groups[g].n_slices; j++)
                    is_found |= c.groups[g].slices[j].class_index == i &&
                                c.groups[g].cluster.loss == alone_loss(&b, i);
            assert_true(is_found);
        }
        sweep(&again, &b);
        assert_same_clustering(&c, &again);
        shoal_clustering_clear(&c);
        shoal_clustering_clear(&again);
        bed_clear(&b);
    }
}

static void test_no_time(void **state)
{
    (void)state;
    bed b;
    shoal_clustering c;
    bed_make(&b, random_table(22, 300), 3);
    b.problem.deadline = shoal_seconds();
    sweep(&c, &b);
    assert_int_equal(c.n_loose, b.classes->n_rows);
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

static int stop(const char *phase, double fraction, void *payload)
{
    (void)phase, (void)payload;
    assert_true(fraction >= 0 && fraction <= 0.5);
    return 1;
}

static void test_progress_cancels(void **state)
{
    (void)state;
    shoal_error err;
    bed b;
    shoal_clustering c;
    bed_make(&b, random_table(22, 300), 3);
    b.problem.callbacks = &(shoal_callbacks)SHOAL_PROGRESS(stop, NULL);
    assert_true(shoal_clustering_init(&c, &b.problem, &b.metric));
    assert_fails(shoal_start_grids(&c, &err), SHOAL_ECANCELLED, "stopped");
    shoal_clustering_clear(&c);
    bed_clear(&b);
}

static shoal_status sweep_and_free(const bed *b)
{
    shoal_clustering c = { 0 };
    shoal_status status = SHOAL_ENOMEM;
    if (shoal_clustering_init(&c, &b->problem, &b->metric)) status = shoal_start_grids(&c, NULL);
    shoal_clustering_clear(&c);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    bed it;
    bed_make(&it, random_table(3, 30), 3);
    assert_survives_allocation_failure(sweep_and_free(&it));
    bed_clear(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_of_a_tree),  cmocka_unit_test(test_bands_of_numbers),
        cmocka_unit_test(test_gives_up),         cmocka_unit_test(test_missing_numbers_are_no_band),
        cmocka_unit_test(test_random_tables),    cmocka_unit_test(test_no_time),
        cmocka_unit_test(test_progress_cancels), cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
