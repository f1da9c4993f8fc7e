/* SPDX-License-Identifier: Apache-2.0 */
/* test_lower_bound.c - the lower bound on tables small enough to do by hand. */
#include "groups.h"

static shoal_bound_parts bound_of(const shoal_table *table, uint32_t k)
{
    shoal_error err;
    shoal_bound_parts parts;
    double bound = -1;
    assert_ok(shoal_bound_explain(&parts, table, k, 1, NULL, &err));
    assert_ok(shoal_bound(&bound, table, k, 1, NULL, &err));
    assert_true(bound == parts.bound);
    return parts;
}

/* `least` is what the best release loses, suppressed rows included: prices come near it on these
 * tables. */
static void assert_bound(const table_spec *spec, uint32_t k, double nearest, double box,
                         double least)
{
    shoal_table *table = make_table(spec);
    shoal_bound_parts parts = bound_of(table, k);
    assert_near(parts.nearest, nearest, 1e-6);
    assert_near(parts.box, box, 1e-6);
    assert_near(parts.bound, least, 1e-3);
    /* rounding only ever lowers it */
    assert_true(parts.nearest <= nearest && parts.box <= box && parts.bound <= least);
    assert_true(parts.has_boxes);
    shoal_table_free(table);
}

/*
 * Numbers 0 2 4 10 with k = 3. The second nearest row is 4, 2, 4, 8 away, so the nearest rows say
 * 18/40. The narrowest windows with three numbers are 0..4 for the first three and 2..10 for the
 * last: (4 + 4 + 4 + 8)/40. Nothing is better than these three as a group and the last row
 * suppressed: (4 + 4 + 4 + 10)/40.
 */
static void test_numbers(void **state)
{
    (void)state;
    assert_bound(
        &(table_spec){ .csv = "a\n0\n2\n4\n10\n", .columns = { { "a", SHOAL_TYPE_NUMERIC } } }, 3,
        0.45, 0.5, 0.55);
}

/*
 * Two numbers, k = 3, points (5,5) (0,5) (10,5) (5,0) (5,10) on 0..10. From the middle every other
 * point is 1/2 away, from each outer one the middle is 1/2 and its second nearest 1 away. Every box
 * with three points loses 1 or more: (0,5) (5,5) (10,5) or a corner of the cross (0,5) (5,5) (5,0).
 */
static void test_two_numbers(void **state)
{
    (void)state;
    table_spec spec = { .csv = "a,b\n5,5\n0,5\n10,5\n5,0\n5,10\n",
                        .columns = { { "a", SHOAL_TYPE_NUMERIC }, { "b", SHOAL_TYPE_NUMERIC } } };
    /* prices of the outer points: 5/4, of the middle one 1 */
    assert_bound(&spec, 3, (0.5 + 4 * 1.0) / 10, 5 * 1.0 / 10, 0.6);
}

/*
 * A tree *(G(a b) H(c d)), |D| = 4: G and H lose 1/3. With k = 3, no node below the root holds
 * three rows for any row, as the nearest rows say already; with k = 2 the pairs do.
 */
static void test_tree(void **state)
{
    (void)state;
    table_spec spec = { .csv = "a,b\na,1\nb,1\nc,1\nd,1\n",
                        .columns = {
                            { "a", SHOAL_TYPE_CATEGORICAL, "a;G;*\nb;G;*\nc;H;*\nd;H;*\n" } } };
    assert_bound(&spec, 2, 1.0 / 3, 1.0 / 3, 1.0 / 3);
    assert_bound(&spec, 3, 1, 1, 1);
}

/*
 * Values a b c d without a hierarchy. Each two rows are 1/3 apart, so the nearest rows say 1/3 for
 * any k; a set of three values loses 2/3.
 */
static void test_set(void **state)
{
    (void)state;
    table_spec spec = { .csv = "a,b\na,1\nb,1\nc,1\nd,1\n",
                        .columns = { { "a", SHOAL_TYPE_CATEGORICAL } } };
    assert_bound(&spec, 2, 1.0 / 3, 1.0 / 3, 1.0 / 3);
    assert_bound(&spec, 3, 1.0 / 3, 2.0 / 3, 2.0 / 3);
    assert_bound(&spec, 4, 1.0 / 3, 1, 1);
}

/* One frequent value is free; the others are charged. Two rows of 6 with a box of 0..1 or 4..5 on
 * 0..5. */
static void test_frequent_rows_are_free(void **state)
{
    (void)state;
    table_spec spec = { .csv = "a\n0\n0\n0\n4\n5\n1\n",
                        .columns = { { "a", SHOAL_TYPE_NUMERIC } } };
    /* 1 needs one of the rows of 0, which then lose, too */
    assert_bound(&spec, 2, 3 * 0.2 / 6, 3 * 0.2 / 6, (0.4 + 2 * 0.2) / 6);
}

/* The example of docs/publishing.md: 30, 31, 40 and nothing. */
static void test_missing_modes(void **state)
{
    (void)state;
    table_spec spec = { .csv = "a,b\n30,1\n31,1\n40,1\n,1\n",
                        .columns = { { "a", SHOAL_TYPE_NUMERIC } } };
    assert_bound(&spec, 2, (0.1 + 0.1 + 0.9 + 1) / 4, (0.1 + 0.1 + 0.9 + 1) / 4,
                 (0.1 + 0.1 + 1 + 1) / 4);
    spec.missing = SHOAL_MISSING_CONSERVATIVE;
    assert_bound(&spec, 2, (0.1 + 0.1 + 0.9 + 1) / 4, (0.1 + 0.1 + 0.9 + 1) / 4,
                 (0.1 + 0.1 + 1 + 1) / 4);
    spec.missing = SHOAL_MISSING_WILDCARD;
    assert_bound(&spec, 2, 0, 0, 0); /* each could hide beside the gap */
}

/* Rows known only as `*` lose 1 however many they are. */
static void test_unknown_rows_always_lose(void **state)
{
    (void)state;
    table_spec spec = { .csv = "a\n1\n1\n?\n?\n",
                        .columns = { { "a", SHOAL_TYPE_NUMERIC } },
                        .null = "?" };
    assert_bound(&spec, 2, 0, 0, 0);
    spec.missing = SHOAL_MISSING_CONSERVATIVE;
    assert_bound(&spec, 2, 0.5, 0.5, 0.5);
}

static void test_errors(void **state)
{
    (void)state;
    shoal_error err;
    double bound;
    shoal_table *table = make_table(
        &(table_spec){ .csv = "a\n1\n2\n", .columns = { { "a", SHOAL_TYPE_NUMERIC } } });
    assert_fails(shoal_bound(&bound, table, 0, 1, NULL, &err), SHOAL_EINVAL, "at least 2");
    assert_fails(shoal_bound(&bound, table, 3, 1, NULL, &err), SHOAL_EUNSAT, "2 rows");
    shoal_table_free(table);
    table = make_table(&(table_spec){ .csv = "a\n1\n2\n" });
    assert_fails(shoal_bound(&bound, table, 2, 1, NULL, &err), SHOAL_EINVAL, "--qid");
    shoal_table_free(table);
}

static int stop_at(const char *phase, double fraction, void *payload)
{
    int *left = payload;
    assert_string_equal(phase, "bound");
    assert_true(fraction >= 0 && fraction <= 1);
    return --*left == 0;
}

static void test_progress_cancels(void **state)
{
    (void)state;
    shoal_error err;
    double bound;
    shoal_table *table = random_table(22, 1200);
    int left = 1 << 30;
    assert_ok(
        shoal_bound(&bound, table, 5, 2, &(shoal_callbacks)SHOAL_PROGRESS(stop_at, &left), &err));
    assert_true(left < (1 << 30) - 1);
    left = 2;
    assert_fails(
        shoal_bound(&bound, table, 5, 2, &(shoal_callbacks)SHOAL_PROGRESS(stop_at, &left), &err),
        SHOAL_ECANCELLED, "stopped");
    assert_int_equal(left, 0);
    shoal_table_free(table);
}

/* ---- options ---- */

static void test_options(void **state)
{
    (void)state;
    shoal_error err;
    shoal_bound_parts few, many;
    shoal_table *table = random_table(3, 400);
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    options.work = 1; /* not even for a first pass */
    assert_ok(shoal_bound_find(&few, table, NULL, 4, &options, &err));
    assert_true(few.n_passes == 0 && few.bound == few.box &&
                (few.relaxations & SHOAL_BOUND_UNPRICED));
    options.work = 50000000;
    assert_ok(shoal_bound_find(&many, table, NULL, 4, &options, &err));
    assert_true(many.n_passes > 0 && many.bound > few.bound &&
                !(many.relaxations & SHOAL_BOUND_UNPRICED));
    options.size = 0;
    assert_fails(shoal_bound_find(&many, table, NULL, 4, &options, &err), SHOAL_EINVAL,
                 "SHOAL_BOUND_OPTIONS_INIT");
    shoal_table_free(table);
}

/* With much time left the ascent does not end while its steps are long: it goes on with shorter
 * ones, and comes higher. */
static void test_time_is_used(void **state)
{
    (void)state;
    /* steps become short after three times six passes without gain, or more */
    enum { TABLES = 4, PASSES_UNTIL_SHORT = 18 };
    for (uint64_t seed = 3; seed < 3 + TABLES; seed++) {
        shoal_error err;
        shoal_bound_parts by_work, by_time;
        shoal_table *table = random_table(seed, 120);
        shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
        assert_ok(shoal_bound_find(&by_work, table, NULL, 4, &options, &err));
        options.time_limit = 1000; /* never reached: short steps gain nothing long before */
        assert_ok(shoal_bound_find(&by_time, table, NULL, 4, &options, &err));
        assert_true(by_time.n_passes >= PASSES_UNTIL_SHORT);
        assert_true(by_time.bound >= 0.999 * by_work.bound); /* 0.991 with long steps alone */
        shoal_table_free(table);
    }
}

/* A deadline that has passed when the first part is done: what that found stands. */
static void test_deadline_keeps_the_first_part(void **state)
{
    (void)state;
    shoal_error err;
    shoal_bound_parts parts;
    shoal_table *table = random_table(5, 300);
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    options.time_limit = 1e-9;
    assert_ok(shoal_bound_find(&parts, table, NULL, 4, &options, &err));
    assert_true(parts.bound == parts.box && parts.n_passes == 0);
    /* no time for a cheapest box: nearest rows are used for each */
    assert_true(parts.has_boxes && (parts.relaxations & SHOAL_BOUND_NEAREST));
    assert_true(parts.box == parts.nearest);
    /* nor for nearest rows: what is not known is 0, and it says so */
    assert_true(parts.is_stopped && parts.bound == 0 && parts.n_stopped == parts.n_searched);
    options.time_limit = 0;
    options.most_seconds = 1e-9;
    assert_ok(shoal_bound_find(&parts, table, NULL, 4, &options, &err));
    assert_true(parts.is_stopped && parts.bound == 0);
    options.most_seconds = 1000; /* it does no more for them */
    shoal_bound_parts usual;
    assert_ok(shoal_bound_find(&parts, table, NULL, 4, &options, &err));
    options.most_seconds = 0;
    assert_ok(shoal_bound_find(&usual, table, NULL, 4, &options, &err));
    assert_true(!parts.is_stopped && parts.bound == usual.bound);
    shoal_table_free(table);
}

typedef struct brake {
    int calls, from;
} brake;

static int stop_after(const char *phase, double fraction, void *payload)
{
    (void)phase;
    brake *b = payload;
    b->calls++;
    return fraction > 0.1 && b->calls > b->from;
}

/* Stopped while prices rise: the best bound so far, and no error. */
static void test_stopping_keeps_the_best(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(22, 800);
    double last = 0;
    for (int from = 4; from < 200; from *= 3) {
        brake b = { 0, from };
        shoal_bound_parts parts;
        assert_ok(shoal_bound_explain(&parts, table, 5, 2,
                                      &(shoal_callbacks)SHOAL_PROGRESS(stop_after, &b), &err));
        assert_true(parts.bound >= parts.box && parts.bound >= last);
        last = parts.bound;
    }
    shoal_table_free(table);
}

/* ---- rounding ---- */

/* Billions of rows: the outlier is suppressed at best, 1 of all of them, and a sum of nearly 2^32
 * prices keeps that 1. */
static void test_billions_of_rows(void **state)
{
    (void)state;
    shoal_table *table = make_table(
        &(table_spec){ .csv = "a,n\n0,2147483647\n1,2147483645\n1000000,1\n",
                       .columns = { { "a", SHOAL_TYPE_NUMERIC },
                                    { "n", SHOAL_TYPE_NUMERIC, .role = SHOAL_ROLE_COUNT } } });
    double least = 1 / 4294967293.0;
    shoal_bound_parts parts = bound_of(table, 2);
    assert_true(parts.bound <= least && parts.bound > least * 0.999);
    shoal_table_free(table);
}

/* Distances far below a unit of the metric: the pairs lose next to nothing, and no bound says more.
 */
static void test_losses_below_a_unit(void **state)
{
    (void)state;
    for (uint32_t k = 2; k <= 4; k++) {
        shoal_table *table = make_table(&(table_spec){
            .csv = "a,b\n0,0\n0.00000001,0.00000002\n0.00000002,0\n0.00000003,0.00000001\n1,1\n1,"
                   "1\n1,1\n1,1\n",
            .columns = { { "a", SHOAL_TYPE_NUMERIC }, { "b", SHOAL_TYPE_NUMERIC } } });
        assert_true(bound_of(table, k).bound <= 4 * (1e-8 + 1e-8) / 16);
        shoal_table_free(table);
    }
}

/* ---- where the loss comes from ---- */

static shoal_status explain_status(const shoal_table *table)
{
    shoal_loss_explanation found;
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    shoal_status status = shoal_explain_loss(&found, table, 4, &options, NULL);
    if (status == SHOAL_OK) shoal_loss_explanation_clear(&found);
    return status;
}

/* Nine rows at 0 and one at 10, k = 4: the one row carries all of it, and a column that is constant
 * carries nothing. */
static void test_explanation(void **state)
{
    (void)state;
    shoal_error err;
    shoal_loss_explanation found;
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    shoal_table *table = make_table(&(table_spec){
        .csv = "a,b\n0,x\n0,x\n0,x\n0,x\n0,x\n0,x\n0,x\n0,x\n0,x\n10,x\n",
        .columns = { { "b", SHOAL_TYPE_CATEGORICAL }, { "a", SHOAL_TYPE_NUMERIC } } });
    assert_ok(shoal_explain_loss(&found, table, 4, &options, &err));
    assert_int_equal(found.n_rows, 10);
    assert_int_equal(found.costly_rows, 1);
    assert_int_equal(found.half_rows, 1);
    assert_near(found.costly_share, 1, 1e-6);
    assert_near(found.costly_rest, 0, 1e-6);
    assert_int_equal(found.n_columns, 2);
    assert_int_equal(found.columns[0].column, 0); /* without a nothing is lost */
    assert_near(found.columns[0].rest, 0, 1e-6);
    assert_true(found.columns[1].rest > 0.09);
    assert_int_equal(found.n_ks, 1);
    assert_int_equal(found.ks[0].k, 2);
    shoal_loss_explanation_clear(&found);
    options.time_limit = 1e-9; /* passed when the first question is answered: no other is asked */
    assert_ok(shoal_explain_loss(&found, table, 4, &options, &err));
    assert_true(found.parts.is_stopped && found.n_columns == 0 && found.n_ks == 0);
    shoal_loss_explanation_clear(&found);
    options.time_limit = 0; /* the same, without the work that a time limit brings */
    options.most_seconds = 1e-9;
    assert_ok(shoal_explain_loss(&found, table, 4, &options, &err));
    assert_true(found.parts.is_stopped && found.n_columns == 0 && found.n_ks == 0);
    shoal_loss_explanation_clear(&found);
    shoal_table_free(table);
    table = random_table(4, 30);
    assert_survives_allocation_failure(explain_status(table));
    shoal_table_free(table);
}

static void test_relaxation_names(void **state)
{
    (void)state;
    assert_string_equal(shoal_bound_relaxation_name(SHOAL_BOUND_SETS), "sets");
    assert_null(shoal_bound_relaxation_name(SHOAL_BOUND_UNPRICED << 1));
    assert_null(shoal_bound_relaxation_name(3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_two_numbers),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_frequent_rows_are_free),
        cmocka_unit_test(test_missing_modes),
        cmocka_unit_test(test_unknown_rows_always_lose),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_progress_cancels),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_time_is_used),
        cmocka_unit_test(test_deadline_keeps_the_first_part),
        cmocka_unit_test(test_stopping_keeps_the_best),
        cmocka_unit_test(test_relaxation_names),
        cmocka_unit_test(test_billions_of_rows),
        cmocka_unit_test(test_losses_below_a_unit),
        cmocka_unit_test(test_explanation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
