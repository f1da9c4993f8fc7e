/* SPDX-License-Identifier: Apache-2.0 */
/* test_information.c - entropies, mutual information and divergence at their edges; joints against
 * plain counting. Covers: divergence.c, entropy.c, joint.c, mutual_information.c
 */
#include "tables.h"
#include "oracle.h"
#include "cost/information.h"

#include <math.h>

static void test_entropy(void **state)
{
    (void)state;
    const uint32_t even[] = { 5, 5, 5, 5 }, one[] = { 0, 9, 0 }, none[] = { 0, 0 },
                   large[] = { UINT32_MAX, UINT32_MAX };
    assert_near(shoal_entropy(even, 4), 2, 1e-12);
    assert_near(shoal_entropy(one, 3), 0, 0);
    assert_near(shoal_entropy(none, 2), 0, 0);
    assert_near(shoal_entropy(large, 2), 1, 1e-12);
    assert_near(shoal_entropy(NULL, 0), 0, 0);
}

static void test_divergence(void **state)
{
    (void)state;
    const uint32_t before[] = { 4, 4 }, same[] = { 4, 4 }, half[] = { 2, 4 }, gone[] = { 0, 4 },
                   constant[] = { 8 }, less[] = { 5 };
    assert_near(shoal_divergence(before, same, 2), 0, 0);
    assert_near(shoal_divergence(before, half, 2), 0.5, 1e-12);
    assert_true(isinf(shoal_divergence(before, gone, 2)));
    assert_true(isinf(shoal_normalised_divergence(before, gone, 2)));
    /* one value: nothing to lose */
    assert_near(shoal_normalised_divergence(constant, less, 1), 0, 0);
    const uint32_t skewed[] = { 6, 2 }, after[] = { 6, 1 };
    assert_near(shoal_normalised_divergence(skewed, after, 2), 0.25 / 0.811278124459, 1e-9);
}

/* A value that tells nothing, and one that tells all. */
static void test_information_at_its_ends(void **state)
{
    (void)state;
    shoal_error err;
    shoal_joint joint;
    uint32_t values[] = { 0, 0, 1, 1 }, crossed[] = { 0, 1, 0, 1 }, equal[] = { 1, 1, 0, 0 };
    const uint32_t rows[] = { 3, 3, 3, 3 };
    assert_ok(shoal_joint_make(&joint, NULL,
                               &(shoal_labelled_items){ values, crossed, rows, 4, 2, 2 }, &err));
    assert_near(shoal_mutual_information(&joint), 0, 0);
    assert_near(shoal_normalised_information(&joint), 0, 0);
    shoal_joint_clear(&joint);
    assert_ok(shoal_joint_make(&joint, NULL,
                               &(shoal_labelled_items){ values, equal, rows, 4, 2, 2 }, &err));
    assert_near(shoal_conditional_entropy(&joint), 0, 0);
    assert_near(shoal_normalised_information(&joint), 1, 1e-12);
    shoal_joint_clear(&joint);
    uint32_t constant[] = { 0, 0, 0, 0 };
    assert_ok(shoal_joint_make(&joint, NULL,
                               &(shoal_labelled_items){ constant, equal, rows, 4, 1, 2 }, &err));
    assert_near(shoal_normalised_information(&joint), 0, 0);
    shoal_joint_clear(&joint);
}

static void test_joints_count_rows(void **state)
{
    (void)state;
    enum { ITEMS = 500, VALUES = 13, LABELS = 7 };
    shoal_error err;
    for (uint64_t seed = 0; seed < 20; seed++) {
        shoal_rng rng;
        shoal_rng_init(&rng, seed, 3);
        uint32_t values[ITEMS], labels[ITEMS], rows[ITEMS], table[VALUES][LABELS] = { { 0 } };
        for (uint32_t i = 0; i < ITEMS; i++) {
            values[i] = draw(&rng, VALUES);
            labels[i] = draw(&rng, values[i] % LABELS + 1);
            rows[i] = draw(&rng, 9);
            table[values[i]][labels[i]] += rows[i];
        }
        shoal_joint joint;
        uint32_t *cells = NULL;
        assert_ok(shoal_joint_make(
            &joint, &cells, &(shoal_labelled_items){ values, labels, rows, ITEMS, VALUES, LABELS },
            &err));
        double sum = 0, total = 0;
        for (uint32_t c = 0; c < joint.n_cells; c++) {
            assert_int_equal(joint.cell_rows[c], table[joint.value[c]][joint.label[c]]);
            total += joint.cell_rows[c];
        }
        for (uint32_t i = 0; i < ITEMS; i++)
            assert_true(joint.value[cells[i]] == values[i] && joint.label[cells[i]] == labels[i]);
        for (uint32_t v = 0; v < VALUES; v++)
            for (uint32_t l = 0; l < LABELS; l++)
                if (table[v][l] > 0)
                    sum += table[v][l] / total *
                           log2(table[v][l] * total /
                                ((double)joint.value_rows[v] * joint.label_rows[l]));
        assert_near(shoal_mutual_information(&joint), sum, 1e-9);
        shoal_free(cells);
        shoal_joint_clear(&joint);
    }
}

static shoal_status make_and_clear(void)
{
    uint32_t values[] = { 0, 1, 1 }, labels[] = { 0, 0, 1 }, *cells = NULL;
    const uint32_t rows[] = { 1, 2, 3 };
    shoal_joint joint = { 0 };
    shoal_status status = shoal_joint_make(
        &joint, &cells, &(shoal_labelled_items){ values, labels, rows, 3, 2, 2 }, NULL);
    shoal_free(cells);
    shoal_joint_clear(&joint);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    assert_survives_allocation_failure(make_and_clear());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entropy),
        cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_information_at_its_ends),
        cmocka_unit_test(test_joints_count_rows),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
