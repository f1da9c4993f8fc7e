/* SPDX-License-Identifier: Apache-2.0 */
/* test_box.c - boxes of random rows of random tables against the definitions. */
#include "oracle.h"

enum { TABLES = 90, ROWS = 60, BOX_ROWS = 7 };

typedef struct fixture {
    shoal_table *table;
    shoal_space space;
    shoal_box box, other;
    uint32_t rows[BOX_ROWS];
    uint32_t codes[BOX_ROWS][DRAFT_COLUMNS];
    size_t n;
} fixture;

static shoal_box box_alloc(const shoal_space *space)
{
    shoal_box box = { calloc(space->n_attrs, sizeof *box.ranges),
                      space->n_words == 0 ? NULL : calloc(space->n_words, sizeof *box.words) };
    /* so that clearing has something to do */
    memset(box.ranges, 0xab, space->n_attrs * sizeof *box.ranges);
    if (box.words != NULL) memset(box.words, 0xab, space->n_words * sizeof *box.words);
    shoal_box_clear(space, box);
    return box;
}

static void setup(fixture *f, uint64_t seed)
{
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 1);
    f->table = random_table(seed, ROWS);
    f->space = make_space(f->table);
    f->box = box_alloc(&f->space);
    f->other = box_alloc(&f->space);
    f->n = 1 + draw(&rng, BOX_ROWS);
    for (size_t i = 0; i < f->n; i++) {
        f->rows[i] = draw(&rng, ROWS);
        codes_of_row(f->codes[i], &f->space, f->rows[i]);
    }
}

static void teardown(fixture *f)
{
    free(f->box.ranges);
    free(f->box.words);
    free(f->other.ranges);
    free(f->other.words);
    shoal_space_clear(&f->space);
    shoal_table_free(f->table);
}

/* The loss of the first n tuples in one attribute. */
static double expected_loss(const fixture *f, uint32_t a, size_t n)
{
    uint32_t column[BOX_ROWS];
    for (size_t i = 0; i < n; i++) column[i] = f->codes[i][a];
    return loss_by_definition(&f->space.attrs[a], column, n, f->table->domain_is_data);
}

static void assert_same_box(const fixture *f, shoal_box x, shoal_box y)
{
    assert_memory_equal(x.ranges, y.ranges, f->space.n_attrs * sizeof *x.ranges);
    if (f->space.n_words > 0)
        assert_memory_equal(x.words, y.words, f->space.n_words * sizeof *x.words);
}

static void check_growth(fixture *f)
{
    assert_near(shoal_box_loss(&f->space, f->box), 0, 0);
    for (size_t i = 0; i < f->n; i++) {
        double ahead = shoal_box_loss_with(&f->space, f->box, f->codes[i], INFINITY), sum = 0;
        shoal_box_add(&f->space, f->box, f->codes[i]);
        for (uint32_t a = 0; a < f->space.n_attrs; a++) {
            double expected = expected_loss(f, a, i + 1);
            assert_near(shoal_box_attr_loss(&f->space, f->box, a), expected, 1e-12);
            sum += expected;
        }
        assert_near(shoal_box_loss(&f->space, f->box), sum, 1e-11);
        assert_near(ahead, sum, 1e-11);
    }
}

static void test_losses_follow_the_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        fixture f;
        setup(&f, seed);
        check_growth(&f);
        teardown(&f);
    }
}

static void test_order_of_adding_does_not_matter(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        fixture f;
        setup(&f, seed);
        for (size_t i = 0; i < f.n; i++) shoal_box_add(&f.space, f.box, f.codes[i]);
        for (size_t i = f.n; i-- > 0;) shoal_box_add(&f.space, f.other, f.codes[i]);
        assert_same_box(&f, f.box, f.other);
        /* nor adding twice */
        for (size_t i = 0; i < f.n; i++) shoal_box_add(&f.space, f.other, f.codes[i]);
        assert_same_box(&f, f.box, f.other);
        teardown(&f);
    }
}

static void test_join_is_adding_all(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        fixture f;
        setup(&f, seed);
        shoal_box joined = box_alloc(&f.space);
        for (size_t i = 0; i < f.n; i++)
            shoal_box_add(&f.space, i < f.n / 2 ? f.box : f.other, f.codes[i]);
        shoal_box_copy(&f.space, joined, f.box);
        assert_same_box(&f, joined, f.box);
        shoal_box_join(&f.space, joined, f.other);
        for (size_t i = f.n / 2; i < f.n; i++) shoal_box_add(&f.space, f.box, f.codes[i]);
        assert_same_box(&f, joined, f.box);
        free(joined.ranges);
        free(joined.words);
        teardown(&f);
    }
}

/* A box covers what was added; and whatever it covers leaves it as it is, whatever it does not
 * cover widens it. */
static void test_covers_is_not_widened_by(void **state)
{
    (void)state;
    size_t n_covered = 0, n_not = 0;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        fixture f;
        setup(&f, seed);
        for (size_t i = 0; i < f.n; i++) shoal_box_add(&f.space, f.box, f.codes[i]);
        for (size_t i = 0; i < f.n; i++) assert_true(shoal_box_covers(&f.space, f.box, f.codes[i]));
        for (uint64_t row = 0; row < ROWS; row++) {
            uint32_t codes[DRAFT_COLUMNS];
            codes_of_row(codes, &f.space, row);
            shoal_box_copy(&f.space, f.other, f.box);
            shoal_box_add(&f.space, f.other, codes);
            bool is_same = memcmp(f.other.ranges, f.box.ranges,
                                  f.space.n_attrs * sizeof *f.box.ranges) == 0 &&
                           (f.space.n_words == 0 ||
                            memcmp(f.other.words, f.box.words, f.space.n_words * 8) == 0);
            bool covers = shoal_box_covers(&f.space, f.box, codes);
            assert_int_equal(covers, is_same);
            if (covers)
                assert_near(shoal_box_loss_with(&f.space, f.box, codes, INFINITY),
                            shoal_box_loss(&f.space, f.box), 1e-11);
            n_covered += covers;
            n_not += !covers;
        }
        teardown(&f);
    }
    assert_true(n_covered > 500 && n_not > 500); /* both happened often */
}

static void test_a_limit_stops_the_sum(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        fixture f;
        setup(&f, seed);
        for (size_t i = 0; i + 1 < f.n; i++) shoal_box_add(&f.space, f.box, f.codes[i]);
        const uint32_t *last = f.codes[f.n - 1];
        double whole = shoal_box_loss_with(&f.space, f.box, last, INFINITY);
        /* not above the limit: exact */
        assert_near(shoal_box_loss_with(&f.space, f.box, last, whole), whole, 0);
        for (double limit = 0; limit < whole; limit += 0.3) {
            double sum = shoal_box_loss_with(&f.space, f.box, last, limit);
            assert_true(sum > limit && sum <= whole);
        }
        teardown(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_losses_follow_the_definition),
        cmocka_unit_test(test_order_of_adding_does_not_matter),
        cmocka_unit_test(test_join_is_adding_all),
        cmocka_unit_test(test_covers_is_not_widened_by),
        cmocka_unit_test(test_a_limit_stops_the_sum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
