/* SPDX-License-Identifier: Apache-2.0 */
/* test_effort.c - how much the default method does: rounds by rows, starts by size, rounds with
 * persons. The numbers are those of the examples in effort.c. */
#include "method/shoal/effort.h"
#include "test.h"

/* A problem of n rows, each alone in its class. */
typedef struct sample {
    shoal_problem problem;
    shoal_classes classes;
    shoal_metric metric;
    shoal_constraint constraint;
    const char *values[3];
} sample;

static void sample_make(sample *s, uint32_t n, uint32_t n_attrs, uint32_t k, const char *effort)
{
    *s = (sample){ .values = { effort, "1", "s-diversity" } };
    s->classes = (shoal_classes){ .n_rows = n, .n_classes = n, .n_attrs = n_attrs };
    s->classes.counts = malloc(n * sizeof *s->classes.counts);
    assert_non_null(s->classes.counts);
    for (uint32_t c = 0; c < n; c++) s->classes.counts[c] = 1;
    s->metric.n_attrs = n_attrs;
    s->problem.classes = &s->classes;
    s->problem.k = k;
    s->problem.param_values = s->values;
}

static shoal_effort effort_of(sample *s)
{
    shoal_effort effort;
    shoal_error err;
    assert_ok(shoal_effort_make(&effort, &s->problem, &s->metric, &err));
    free(s->classes.counts);
    return effort;
}

static uint32_t rounds_of(uint32_t n, uint32_t n_attrs, const char *level)
{
    sample s;
    sample_make(&s, n, n_attrs, 10, level);
    shoal_clustering clustering = { .problem = &s.problem };
    shoal_effort effort = effort_of(&s);
    return shoal_effort_rounds(&effort, &clustering);
}

static void test_rounds(void **state)
{
    (void)state;
    assert_int_equal(rounds_of(1000, 8, "0"), 0);
    assert_int_equal(rounds_of(1000, 8, "1"), 0);
    assert_int_equal(rounds_of(1000, 8, "9"), 150);
    assert_int_equal(rounds_of(40000, 8, "5"), 15);
    assert_int_equal(rounds_of(80000, 8, "5"), 8);
    assert_int_equal(rounds_of(1000000, 8, "5"), 2);
    /* rows of 16 columns count four times */
    assert_int_equal(rounds_of(20000, 16, "5"), 8);
}

static void test_starts(void **state)
{
    (void)state;
    sample s;
    sample_make(&s, 1000, 8, 10, "5");
    shoal_effort effort = effort_of(&s);
    assert_int_equal(effort.first, SHOAL_START_CHEAPEST_GROUP);
    assert_true(effort.tries_mondrian && effort.tries_kmembers && !effort.tries_grids);
    assert_true(shoal_effort_polishes(&effort, 15) && !shoal_effort_polishes(&effort, 0));
    sample_make(&s, 100000, 8, 31, "5"); /* 100,000 * 31 > 3,000,000 */
    effort = effort_of(&s);
    assert_int_equal(effort.first, SHOAL_START_CHEAPEST_BY_REGIONS);
    assert_true(!effort.tries_mondrian && !effort.tries_kmembers && effort.tries_grids);
    sample_make(&s, 100000, 8, 31, "7");
    effort = effort_of(&s);
    assert_int_equal(effort.first, SHOAL_START_CHEAPEST_GROUP);
    sample_make(&s, 5000, 17, 10, "5"); /* 5,000 * 5,000 * 10 * 17 > 1e9 */
    effort = effort_of(&s);
    assert_int_equal(effort.first, SHOAL_START_IN_TREE_ORDER);
    assert_true(effort.tries_mondrian && !effort.tries_kmembers);
}

static void test_persons(void **state)
{
    (void)state;
    sample s;
    sample_make(&s, 400, 3, 10, "5");
    s.constraint.n_models = 1;
    shoal_effort effort = effort_of(&s);
    s.problem.constraint = &s.constraint;
    shoal_refinement how = shoal_effort_for_persons(&effort, &s.problem);
    assert_int_equal(how.starts, 1);
    assert_int_equal(how.rounds, 108);
}

static void test_wrong_effort(void **state)
{
    (void)state;
    sample s;
    shoal_effort effort;
    shoal_error err;
    sample_make(&s, 10, 2, 2, "10");
    assert_fails(shoal_effort_make(&effort, &s.problem, &s.metric, &err), SHOAL_EINVAL, "effort");
    free(s.classes.counts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_persons),
        cmocka_unit_test(test_wrong_effort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
