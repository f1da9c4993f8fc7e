/* SPDX-License-Identifier: Apache-2.0 */
/* test_byun_2007.c - k-Members (Byun, Kamra, Bertino, Li 2007) on examples worked out by hand.
 *
 * The loss of a group is |g| times the sum of its Q-diversities (definition 2.1); the distance of
 * two rows is that sum for the two of them.
 */
#include "groups.h"

/* A seed of the run for which the engine draws this row first. */
static uint64_t seed_that_draws(uint32_t row, uint32_t n_rows)
{
    for (uint64_t seed = 0;; seed++) {
        shoal_rng rng;
        shoal_rng_init(&rng, seed, 0);
        if (shoal_rng_below(&rng, n_rows) == row) return seed;
    }
}

static void assert_from(const table_spec *spec, uint32_t k, uint32_t first_row, const char *letters,
                        double gcp)
{
    shoal_table *table = make_table(spec);
    shoal_grouping *grouping = anonymize(table, "kmembers", k,
                                         seed_that_draws(first_row, (uint32_t)strlen(letters)), 1);
    assert_grouped(grouping, letters);
    assert_near(gcp_of(grouping), gcp, 1e-12);
    assert_valid_grouping(grouping, table, k);
    shoal_grouping_free(grouping);
    shoal_table_free(table);
}

/*
 * Six patients, k = 2, rows counted from 1. A year costs 1/3, another sex 1, another zip 1/2.
 *
 *     1 male 25 53711    2 female 25 53712    3 male 26 53711
 *     4 male 27 53710    5 female 27 53712    6 male 28 53711
 *
 * Row 1 is drawn. Cheapest to add: 3 (1/3). {1,3}. Furthest from 1: 2 is 1 + 1/2, 4 is 2/3 + 1/2, 5
 * is 1 + 2/3 + 1/2, 6 is 1: row 5. Cheapest to add: 2 (2/3); 4 is 1 + 1/2, 6 is 1 + 1/3 + 1/2.
 * {2,5}. Rows 4 and 6 remain: {4,6}. Losses: 1/3, 2/3, 1/3 + 1/2; each for two rows: (2/3 + 4/3 +
 * 5/3) / 18 = 11/54.
 */
static void test_patients(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "sex,age,zip\nmale,25,53711\nfemale,25,53712\nmale,26,53711\nmale,27,53710\nfemale,"
               "27,53712\nmale,28,53711\n",
        .columns = { { .name = "sex", .type = SHOAL_TYPE_CATEGORICAL },
                     { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "zip", .type = SHOAL_TYPE_CATEGORICAL } },
    };
    assert_from(&spec, 2, 0, "abacbc", 11 / 54.0);
    /* from row 5: {5,2}, furthest from 5 is 1 (2 1/6): {1,3}, {4,6} */
    assert_from(&spec, 2, 4, "abacbc", 11 / 54.0);
}

/*
 * Seven rows, k = 3, a number (domain 0..10, so a step costs 0.1) and a tree of five leaves: going
 * up to "warm" (2 leaves) costs 1/4, to "cold" (3) 2/4, to the root 1.
 *
 *     1 (0, red)  2 (1, red)  3 (9, blue)  4 (10, teal)  5 (2, pink)  6 (8, blue)  7 (5, pink)
 *
 * Row 1 is drawn. Adding 2: 0.1. 5: 0.2 + 1/4. 7: 0.5 + 1/4. Blue and teal cost the root. So 2;
 * then 5 makes 0.2 + 1/4, 7 makes 0.5 + 1/4: 5. {1,2,5} loses 0.45. Furthest from 1 among 3, 4, 6,
 * 7: 4 with 1 + 1. To 4: 3 makes 0.1 + 2/4, 6 makes 0.2 + 2/4, 7 makes 0.5 + 1. So 3, then 6 with
 * 0.2 + 2/4. {3,4,6} loses 0.7. Row 7 is left over: with {1,2,5} the range is 0..5: 0.5 + 1/4, 4 *
 * 0.75 - 3 * 0.45 = 1.65; with {3,4,6}: 5..10 and the root, 4 * 1.5 - 3 * 0.7 = 3.9. So it joins
 * the first: 4 rows at 0.75, 3 at 0.7: (3 + 2.1) / 14.
 */
static void test_number_and_tree_with_a_left_over(void **state)
{
    (void)state;
    const table_spec spec = {
        .csv = "n,colour\n0,red\n1,red\n9,blue\n10,teal\n2,pink\n8,blue\n5,pink\n",
        .columns = { { .name = "n", .type = SHOAL_TYPE_NUMERIC },
                     { .name = "colour",
                       .type = SHOAL_TYPE_CATEGORICAL,
                       .levels =
                           "red;warm;*\npink;warm;*\nblue;cold;*\nteal;cold;*\nnavy;cold;*\n" } },
    };
    assert_from(&spec, 3, 0, "aabbaba", 5.1 / 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patients),
        cmocka_unit_test(test_number_and_tree_with_a_left_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
