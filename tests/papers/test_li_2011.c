/* SPDX-License-Identifier: Apache-2.0 */
/* test_li_2011.c - the worked numbers of Li, Liu, Baig, Wong: Information based data anonymization for classification
 * utility, 2011: Example 1 (Table 3, Fig. 1) and Example 2 (Table 4).
 *
 * The paper prints H(C) = 0.97 for five of eight, and carries it on; by its own formula it is 0.9544. The printed numbers
 * are in brackets.
 */
#include "oracle.h"
#include "cost/information.h"

enum { N = 8, Y = 0, Z = 1 };

/* Classes of the values 1..8. */
static uint32_t labels[N] = { Y, Y, Y, Y, Z, Z, Y, Z };

/* Values 1..8 in runs of `width`; `rows` may leave some out. */
static shoal_joint joint_of(uint32_t width, const uint32_t *rows)
{
    shoal_error err;
    shoal_joint joint;
    uint32_t values[N];
    for (uint32_t i = 0; i < N; i++) values[i] = i / width;
    assert_ok(shoal_joint_make(&joint, NULL, &(shoal_labelled_items){ values, labels, rows, N, N / width, 2 }, &err));
    return joint;
}

static const uint32_t all[N] = { 1, 1, 1, 1, 1, 1, 1, 1 };

/* Levels 4, 3, 2, 1 of Fig. 1: single values, pairs, halves, everything. */
static void test_example_1(void **state)
{
    (void)state;
    static const struct {
        uint32_t width;
        double conditional, information, normalised;
    } levels[] = {
        { 1, 0, 0.9544, 0.3181 },          /* (0, 0.97, 0.32) */
        { 2, 0.25, 0.7044, 0.3522 },       /* (0.25, 0.72, 0.36) */
        { 4, 0.4056, 0.5488, 0.5488 },     /* (0.41, 0.56, 0.56) */
        { 8, 0.9544, 0, 0 },               /* (0.97, 0, 0) */
    };
    for (size_t i = 0; i < 4; i++) {
        shoal_joint joint = joint_of(levels[i].width, all);
        assert_near(shoal_entropy(joint.label_rows, 2), 0.9544, 5e-5); /* (0.97) */
        assert_near(shoal_conditional_entropy(&joint), levels[i].conditional, 5e-5);
        assert_near(shoal_mutual_information(&joint), levels[i].information, 5e-5);
        assert_near(shoal_normalised_information(&joint), levels[i].normalised, 5e-5);
        shoal_joint_clear(&joint);
    }
}

/* One row of [1, 4] is suppressed. */
static void test_example_2(void **state)
{
    (void)state;
    static const uint32_t kept[N] = { 1, 1, 1, 0, 1, 1, 1, 1 };
    shoal_joint before = joint_of(4, all), after = joint_of(4, kept);
    assert_int_equal(before.value_rows[0], 4);
    assert_int_equal(after.value_rows[0], 3);
    assert_near(shoal_divergence(before.value_rows, after.value_rows, 2), 0.2075, 5e-5);            /* (0.21) */
    assert_near(shoal_normalised_divergence(before.value_rows, after.value_rows, 2), 0.2075, 5e-5); /* (0.21) */
    assert_near(shoal_entropy(after.label_rows, 2), 0.9852, 5e-5);                                  /* (0.98) */
    assert_near(shoal_conditional_entropy(&after), 0.4636, 5e-5);                                   /* (0.46) */
    assert_near(shoal_normalised_information(&after), 0.5295, 5e-5);                                /* (0.53) */
    shoal_joint_clear(&before);
    shoal_joint_clear(&after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example_1),
        cmocka_unit_test(test_example_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
