/* SPDX-License-Identifier: Apache-2.0 */
/* test_merge_index.c - the nearest class by tree, by scan and by definition 10, while random
 * classes merge. */
#include "method/cluster/merge_index.h"
#include "oracle.h"

enum { TABLES = 90, ROWS = 120 };

typedef struct fixture {
    shoal_table *table;
    shoal_space space;
    shoal_classes *classes;
    shoal_ladders ladders;
    shoal_merge_index tree, scan;
    uint32_t k;
    shoal_rng rng;
} fixture;

static void setup(fixture *f, uint64_t seed)
{
    shoal_error err;
    shoal_rng_init(&f->rng, seed, 6);
    f->table = random_table(seed, ROWS);
    f->space = make_space(f->table);
    f->classes = make_classes(f->table, &f->space);
    f->k = 2 + draw(&f->rng, 12);
    double priorities[DRAFT_COLUMNS];
    for (uint32_t a = 0; a < DRAFT_COLUMNS; a++) priorities[a] = draw(&f->rng, 4) / 3.0;
    assert_ok(shoal_ladders_make(
        &f->ladders, &f->space, seed % 2 == 0 ? SHOAL_WEIGHTS_UNIFORM : SHOAL_WEIGHTS_HEIGHT,
        1 + draw(&f->rng, 5) / 3.0, seed % 5 == 0 ? priorities : NULL, &err));
    assert_ok(shoal_merge_index_make(&f->tree, &f->ladders, f->classes, f->k, true, &err));
    assert_ok(shoal_merge_index_make(&f->scan, &f->ladders, f->classes, f->k, false, &err));
}

static void teardown(fixture *f)
{
    shoal_merge_index_clear(&f->tree);
    shoal_merge_index_clear(&f->scan);
    shoal_ladders_clear(&f->ladders);
    shoal_classes_free(f->classes);
    shoal_space_clear(&f->space);
    shoal_table_free(f->table);
}

/* Definition 10, or its rule for stubs. */
static double defined_distance(const fixture *f, uint32_t c, uint32_t other)
{
    const shoal_merge_index *index = &f->scan;
    uint32_t n1 = index->sizes[c], n2 = index->sizes[other];
    if (n1 + n2 >= 2 * f->k) n2 = f->k - n1;
    return shoal_tuple_distance(&f->ladders, index->nodes + (size_t)c * index->n_attrs, n1,
                                index->nodes + (size_t)other * index->n_attrs, n2);
}

static uint32_t check_nearest(fixture *f, uint32_t c)
{
    shoal_cost by_tree, by_scan;
    uint32_t nearest = shoal_merge_index_nearest(&f->scan, c, &by_scan);
    assert_int_equal(shoal_merge_index_nearest(&f->tree, c, &by_tree), nearest);
    if (nearest == SHOAL_NO_CLASS) {
        assert_int_equal(f->scan.n_live, 1);
        return nearest;
    }
    assert_true(by_tree == by_scan);
    double tolerance = 2.0 * f->k * f->space.n_attrs * 2 / SHOAL_COST_UNIT,
           distance = (double)by_scan / SHOAL_COST_UNIT;
    assert_near(distance, defined_distance(f, c, nearest), tolerance);
    for (uint32_t other = 0; other < f->scan.n_classes; other++)
        if (other != c && f->scan.sizes[other] > 0)
            assert_true(defined_distance(f, c, other) >= distance - tolerance);
    return nearest;
}

/* Both indexes hold the same classes, and nodes are what their members join to. */
static void check_same(const fixture *f)
{
    assert_int_equal(f->tree.n_live, f->scan.n_live);
    assert_memory_equal(f->tree.sizes, f->scan.sizes, f->scan.n_classes * sizeof(uint32_t));
    assert_memory_equal(f->tree.nodes, f->scan.nodes,
                        (size_t)f->scan.n_classes * f->scan.n_attrs * sizeof(uint32_t));
}

static uint32_t draw_small(fixture *f)
{
    uint32_t n = f->scan.n_classes, start = draw(&f->rng, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = (start + i) % n;
        if (f->scan.sizes[c] > 0 && f->scan.sizes[c] < f->k) return c;
    }
    return SHOAL_NO_CLASS;
}

/* Mostly merge with the nearest, sometimes with any class, sometimes remove. */
static void change(fixture *f, uint32_t c, uint32_t nearest)
{
    uint32_t other = nearest, lot = draw(&f->rng, 10);
    if (lot == 0 || nearest == SHOAL_NO_CLASS) {
        shoal_merge_index_remove(&f->tree, c);
        shoal_merge_index_remove(&f->scan, c);
        return;
    }
    if (lot < 3) do
            other = draw(&f->rng, f->scan.n_classes);
        while (other == c || f->scan.sizes[other] == 0);
    uint32_t n1 = f->scan.sizes[c], n2 = f->scan.sizes[other],
             n = n1 + n2 >= 2 * f->k ? f->k - n1 : n2;
    shoal_merge_index_merge(&f->tree, c, other, n);
    shoal_merge_index_merge(&f->scan, c, other, n);
}

static void test_tree_scan_and_definition_agree(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < TABLES; seed++) {
        shoal_error err;
        fixture f;
        setup(&f, seed);
        for (uint32_t c; (c = draw_small(&f)) != SHOAL_NO_CLASS;) {
            change(&f, c, check_nearest(&f, c));
            check_same(&f);
            if (shoal_merge_index_is_thin(&f.tree))
                assert_ok(shoal_merge_index_rebuild(&f.tree, &err));
        }
        teardown(&f);
    }
}

static shoal_status make_and_clear(const fixture *f, bool uses_tree)
{
    shoal_merge_index index = { 0 };
    shoal_status status = shoal_merge_index_make(&index, &f->ladders, f->classes, 3, uses_tree,
                                                 NULL);
    if (status == SHOAL_OK) status = shoal_merge_index_rebuild(&index, NULL);
    shoal_merge_index_clear(&index);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 6; seed++) {
        fixture f;
        setup(&f, seed);
        assert_survives_allocation_failure(make_and_clear(&f, true));
        assert_survives_allocation_failure(make_and_clear(&f, false));
        teardown(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_scan_and_definition_agree),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
