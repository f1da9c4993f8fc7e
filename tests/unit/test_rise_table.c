/* SPDX-License-Identifier: Apache-2.0 */
/* test_rise_table.c - the least sum of a board against adding up every group. */
#include "method/protection/rise_table.h"
#include "test.h"

enum { COLUMNS = 3 };

static uint32_t find_by_hand(const shoal_rise_table *board, const uint32_t *codes)
{
    uint32_t best = 0;
    int64_t least = INT64_MAX;
    for (uint32_t g = 0; g < board->n_groups; g++) {
        int64_t sum = 0;
        for (uint32_t c = 0; c < board->n_columns; c++)
            sum += board->rises[((size_t)board->first[c] + codes[c]) * board->n_groups + g];
        if (sum >= least) continue;
        least = sum;
        best = g;
    }
    return best;
}

/* Numbers of groups around the length of a run, few different rises: many ties. */
static void test_finds_the_least(void **state)
{
    (void)state;
    static const uint32_t sizes[COLUMNS] = { 5, 1, 9 },
                          n_groups[] = { 1, 2, 31, 511, 512, 513, 1024, 1500 };
    for (size_t i = 0; i < sizeof n_groups / sizeof *n_groups; i++) {
        shoal_rng rng;
        shoal_rise_table board;
        shoal_rng_init(&rng, 7, i);
        assert_true(shoal_rise_table_init(&board, n_groups[i], COLUMNS, sizes));
        for (uint32_t c = 0; c < COLUMNS; c++)
            for (uint32_t code = 0; code < sizes[c]; code++)
                for (uint32_t g = 0; g < n_groups[i]; g++)
                    shoal_rise_table_put(
                        &board, g, c, code,
                        (int32_t)shoal_rng_below(&rng, 1 + 40 * (uint64_t)(i % 3)) - 20);
        for (int query = 0; query < 50; query++) {
            uint32_t codes[COLUMNS];
            for (uint32_t c = 0; c < COLUMNS; c++)
                codes[c] = (uint32_t)shoal_rng_below(&rng, sizes[c]);
            uint32_t found = shoal_rise_table_find(&board, codes);
            assert_int_equal(found, find_by_hand(&board, codes));
            shoal_rise_table_put(&board, found, 2, codes[2], 100); /* it is not the best any more */
        }
        shoal_rise_table_clear(&board);
    }
}

static void test_only_one_group(void **state)
{
    (void)state;
    static const uint32_t sizes[1] = { 1 }, codes[1] = { 0 };
    shoal_rise_table board;
    assert_true(shoal_rise_table_init(&board, 1, 1, sizes));
    shoal_rise_table_put(&board, 0, 0, 0, INT32_MAX);
    assert_int_equal(shoal_rise_table_find(&board, codes), 0);
    shoal_rise_table_clear(&board);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_finds_the_least),
                                        cmocka_unit_test(test_only_one_group) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
