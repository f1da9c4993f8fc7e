/* SPDX-License-Identifier: Apache-2.0 */
/* test_best_sets.c - the most costly sets of a box against trying every set of rows. */
#include "groups.h"
#include "bound/best_sets.h"

enum { MOST = 9, BOXES = 4000 };

/* A box of at most MOST rows, each with its kind and class. */
typedef struct tried_box {
    uint32_t n, k, class_of[MOST];
    enum { OWN, FIXED, FREE } kind[MOST];
    shoal_price price[MOST], cost;
} tried_box;

/* The greatest excess of a set of k to 2k - 1 rows with row i, over its priced rows. */
static double try_sets(const tried_box *box, uint32_t i)
{
    double best = -INFINITY;
    for (uint32_t set = 1; set < 1u << box->n; set++) {
        uint32_t size = (uint32_t)__builtin_popcount(set);
        if (!(set >> i & 1) || size < box->k || size > 2 * box->k - 1) continue;
        double excess = 0;
        uint32_t priced = 0;
        for (uint32_t row = 0; row < box->n; row++) {
            if (!(set >> row & 1)) continue;
            if (box->kind[row] != FREE) excess += (double)(box->price[row] - box->cost);
            priced += box->kind[row] == OWN;
        }
        best = fmax(best, excess / priced);
    }
    return best;
}

static int by_price(const void *left, const void *right)
{
    const best_set_member *a = left, *b = right;
    return a->price != b->price ? (a->price < b->price ? 1 : -1)
           : a->id < b->id      ? -1
                                : a->id > b->id;
}

static void draw_box(tried_box *box, best_sets *sets, shoal_rng *rng)
{
    shoal_price scale = (shoal_price[]){ 10, 1000, 1 << 24,
                                         (shoal_price)1 << 31 }[shoal_rng_below(rng, 4)];
    *box = (tried_box){ .k = sets->k, .cost = (shoal_price)shoal_rng_below(rng, (uint64_t)scale) };
    sets->n_priced = sets->n_fixed = 0;
    sets->free_rows = 0;
    sets->cost = box->cost;
    for (uint32_t id = 0; box->n < MOST; id++) {
        uint32_t rows = 1 + (uint32_t)shoal_rng_below(rng, 3),
                 kind = (uint32_t)shoal_rng_below(rng, 6);
        if (rows > MOST - box->n) rows = MOST - box->n;
        kind = kind < 4 ? OWN : kind == 4 ? FIXED : FREE;
        shoal_price price = kind == OWN
                                ? (shoal_price)shoal_rng_below(rng, (uint64_t)(2 * scale)) -
                                      scale / 4
                                : (shoal_price)shoal_rng_below(rng, (uint64_t)box->cost + 1);
        for (uint32_t row = 0; row < rows; row++) {
            box->class_of[box->n] = id;
            box->kind[box->n] = kind;
            box->price[box->n++] = price;
        }
        if (kind == OWN)
            sets->priced[sets->n_priced++] = (best_set_member){ price, id, rows };
        else if (kind == FIXED)
            sets->fixed[sets->n_fixed++] = (best_set_member){ price, id, rows };
        else
            sets->free_rows += rows;
    }
    qsort(sets->priced, sets->n_priced, sizeof *sets->priced, by_price);
    qsort(sets->fixed, sets->n_fixed, sizeof *sets->fixed, by_price);
}

/* Never below the truth, and above it by rounding alone. */
static void test_values_against_all_sets(void **state)
{
    (void)state;
    shoal_rng rng;
    shoal_rng_init(&rng, 1, 0);
    for (uint32_t trial = 0; trial < BOXES; trial++) {
        best_sets sets;
        tried_box box;
        assert_true(best_sets_init(&sets, 2 + trial % 4) && best_sets_reserve(&sets, MOST, MOST));
        draw_box(&box, &sets, &rng);
        if (best_sets_prepare(&sets)) {
            uint64_t rows_before = 0;
            uint32_t t = sets.least;
            for (uint32_t i = 0; i < sets.n_priced; i++) {
                uint32_t row = 0;
                while (box.class_of[row] != sets.priced[i].id) row++;
                double truth = try_sets(&box, row);
                double value = (double)best_sets_value(&sets, sets.priced[i].price, rows_before,
                                                       &t);
                assert_true(value >= truth && value <= truth + 2.5);
                rows_before += sets.priced[i].rows;
            }
        }
        best_sets_clear(&sets);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_values_against_all_sets) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
