/* SPDX-License-Identifier: Apache-2.0 */
/* test_alias.c - the table of cells gives each value its share exactly, and values of weight 0
 * nothing. */
#include "generate/alias.h"
#include "test.h"

/* The share of each value over all cells, in units of 2^-32 of a cell. */
static void add_shares(double *shares, const alias_table *table)
{
    for (uint32_t i = 0; i < table->n; i++) {
        double keep = table->cells[i].keep == UINT32_MAX ? 4294967296.0 : table->cells[i].keep;
        shares[i] += keep;
        shares[table->cells[i].other] += 4294967296.0 - keep;
    }
}

static void test_shares_are_those_of_the_weights(void **state)
{
    (void)state;
    enum { MOST = 40 };
    shoal_rng rng;
    shoal_rng_init(&rng, 5, 1);
    for (uint32_t n = 1; n <= MOST; n++) {
        uint64_t weights[MOST], sum = 0;
        double shares[MOST] = { 0 };
        shoal_arena arena = { 0 };
        alias_table table;
        for (uint32_t i = 0; i < n; i++)
            sum += weights[i] = shoal_rng_below(&rng, 4) == 0 ? 0 : shoal_rng_below(&rng, 1000);
        if (sum == 0) sum = weights[0] = 1;
        assert_true(shoal_alias_build(&table, &arena, weights, n));
        add_shares(shares, &table);
        for (uint32_t i = 0; i < n; i++) { /* each cell may round by one */
            double wanted = (double)weights[i] / (double)sum * n * 4294967296.0;
            assert_true(shares[i] - wanted < n + 1 && wanted - shares[i] < n + 1);
            if (weights[i] == 0) assert_true(shares[i] < 1);
        }
        shoal_arena_clear(&arena);
    }
}

static void test_draws(void **state)
{
    (void)state;
    enum { DRAWS = 100000 };
    const uint64_t weights[] = { 1, 0, 6, 3 };
    uint32_t counts[4] = { 0 };
    shoal_arena arena = { 0 };
    alias_table table;
    shoal_rng rng;
    shoal_rng_init(&rng, 7, 1);
    assert_true(shoal_alias_build(&table, &arena, weights, 4));
    for (int i = 0; i < DRAWS; i++) counts[alias_draw(&table, &rng)]++;
    assert_int_equal(counts[1], 0);
    for (int i = 0; i < 4; i++)
        assert_in_range(counts[i] + 1000, weights[i] * DRAWS / 10, weights[i] * DRAWS / 10 + 2000);
    shoal_arena_clear(&arena);
}

static void test_nothing_to_draw(void **state)
{
    (void)state;
    const uint64_t none[] = { 0, 0 };
    shoal_arena arena = { 0 };
    alias_table table;
    assert_true(shoal_alias_build(&table, &arena, none, 2));
    assert_null(table.cells);
    shoal_arena_clear(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares_are_those_of_the_weights),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_nothing_to_draw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
