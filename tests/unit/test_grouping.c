/* SPDX-License-Identifier: Apache-2.0 */
/* test_grouping.c - from slices to groups: equal groups merge, rows are dealt in order, wrong
 * slices are found out; sets are listed.
 *
 * Covers: group_boxes.c, cell_sets.c
 */
#include "oracle.h"

/* Nine rows in six classes: 0 (20,red) x3, 1 (30,red), 2 (20,blue), 3 (30,blue) x2, 4 (40,teal), 5
 * (40,?). */
static const table_spec small = {
    .csv = "age,colour\n20,red\n30,red\n20,blue\n20,red\n30,blue\n40,teal\n30,blue\n20,red\n40,?\n",
    .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                 { .name = "colour",
                   .type = SHOAL_TYPE_CATEGORICAL,
                   .levels = "red;warm;*\npink;warm;*\nblue;cold;*\nteal;cold;*\n" } },
    .null = "?",
};

typedef struct fixture {
    shoal_table *table;
    shoal_space space;
    shoal_classes *classes;
} fixture;

static fixture setup(const table_spec *spec)
{
    fixture f = { .table = make_table(spec) };
    f.space = make_space(f.table);
    f.classes = make_classes(f.table, &f.space);
    return f;
}

static void teardown(fixture *f)
{
    shoal_classes_free(f->classes);
    shoal_space_clear(&f->space);
    shoal_table_free(f->table);
}

/* The grouping takes the fixture's space over. */
static shoal_grouping *group(fixture *f, const shoal_slice *slices, size_t n)
{
    shoal_error err;
    shoal_grouping *grouping = NULL;
    assert_ok(shoal_grouping_from_slices(&grouping, &f->space, f->classes, slices, n, &err));
    shoal_grouping_take_space(grouping, &f->space);
    assert_null(f->space.attrs);
    return grouping;
}

static void assert_groups(const shoal_grouping *grouping, const uint32_t *expected)
{
    for (uint64_t row = 0; row < grouping->n_rows; row++)
        assert_int_equal(shoal_grouping_group(grouping, row), expected[row]);
}

/* Group numbers given by the algorithm may be any; groups are numbered by first row, rows dealt
 * lowest first. */
static void test_rows_are_dealt_in_order(void **state)
{
    (void)state;
    fixture f = setup(&small);
    assert_int_equal(f.classes->n_classes, 6);
    const shoal_slice slices[] = { { 5, 9, 1 }, { 4, 9, 1 }, { 0, 3, 1 }, { 3, 7, 2 },
                                   { 1, 7, 1 }, { 0, 7, 2 }, { 2, 3, 1 } };
    shoal_grouping *grouping = group(&f, slices, 7);
    /* 3: first row of class 0 and class 2; 7: the other rows of class 0, classes 1 and 3; 9:
     * classes 4 and 5 */
    assert_groups(grouping, (uint32_t[]){ 0, 1, 0, 1, 1, 2, 1, 1, 2 });
    assert_int_equal(shoal_grouping_n_groups(grouping), 3);
    assert_int_equal(shoal_grouping_n_classes(grouping), 6);
    const uint64_t sizes[] = { 2, 5, 2 };
    for (uint32_t g = 0; g < 3; g++) assert_int_equal(shoal_grouping_size(grouping, g), sizes[g]);
    assert_valid_grouping(grouping, f.table, 2);
    shoal_grouping_free(grouping);
    teardown(&f);
}

/* Q-diversity: |D| of colours is 4 leaves and the missing value, ages are 20 wide. */
static void test_cell_losses(void **state)
{
    (void)state;
    fixture f = setup(&small);
    const shoal_slice slices[] = { { 0, 0, 3 }, { 1, 0, 1 }, { 2, 1, 1 },
                                   { 4, 1, 1 }, { 3, 2, 2 }, { 5, 2, 1 } };
    shoal_grouping *grouping = group(&f, slices, 6);
    assert_groups(grouping, (uint32_t[]){ 0, 0, 1, 0, 2, 1, 2, 0, 2 });
    assert_near(shoal_grouping_cell_loss(grouping, 0, 0), 10 / 20.0, 1e-12); /* [20..30] */
    assert_near(shoal_grouping_cell_loss(grouping, 0, 1), 0, 0);             /* red */
    assert_near(shoal_grouping_cell_loss(grouping, 1, 0), 1, 1e-12);         /* [20..40] */
    assert_near(shoal_grouping_cell_loss(grouping, 1, 1), 1 / 4.0, 1e-12);   /* cold */
    assert_near(shoal_grouping_cell_loss(grouping, 2, 0), 10 / 20.0, 1e-12); /* [30..40] */
    /* blue and missing: * */
    assert_near(shoal_grouping_cell_loss(grouping, 2, 1), 1, 1e-12);
    uint32_t n_attrs = grouping->space.n_attrs;
    shoal_range cold = grouping->cells[n_attrs + 1], star = grouping->cells[2 * n_attrs + 1];
    assert_int_equal(cold.lo, SHOAL_CELL_NODE);
    assert_string_equal(shoal_hierarchy_label(grouping->space.attrs[1].tree, cold.hi), "cold");
    assert_int_equal(star.lo, SHOAL_CELL_NODE);
    assert_int_equal(star.hi, grouping->space.attrs[1].tree->n_nodes - 1);
    shoal_grouping_free(grouping);
    teardown(&f);
}

static void test_groups_published_alike_are_one(void **state)
{
    (void)state;
    fixture f = setup(&small);
    /* 10 and 20 both publish (20, red); 30 and 40 publish [20..40] x * from different leaves. */
    const shoal_slice slices[] = { { 0, 10, 1 }, { 0, 20, 1 }, { 0, 30, 1 }, { 1, 40, 1 },
                                   { 2, 40, 1 }, { 3, 30, 2 }, { 4, 30, 1 }, { 5, 40, 1 } };
    shoal_grouping *grouping = group(&f, slices, 8);
    assert_groups(grouping, (uint32_t[]){ 0, 1, 1, 0, 1, 1, 1, 1, 1 });
    assert_int_equal(shoal_grouping_n_groups(grouping), 2);
    assert_int_equal(shoal_grouping_size(grouping, 0), 2);
    assert_int_equal(shoal_grouping_size(grouping, 1), 7);
    assert_valid_grouping(grouping, f.table, 2);
    shoal_grouping_free(grouping);
    teardown(&f);
}

static void test_suppressed_rows(void **state)
{
    (void)state;
    fixture f = setup(&small);
    const shoal_slice slices[] = { { 0, SHOAL_SUPPRESSED, 1 },
                                   { 0, 0, 2 },
                                   { 1, SHOAL_SUPPRESSED, 1 },
                                   { 2, 0, 1 },
                                   { 3, 0, 2 },
                                   { 4, SHOAL_SUPPRESSED, 1 },
                                   { 5, 0, 1 },
                                   { 5, 6, 0 } };
    shoal_grouping *grouping = group(&f, slices, 8);
    const uint32_t s = SHOAL_SUPPRESSED;
    assert_groups(grouping, (uint32_t[]){ s, s, 0, 0, 0, s, 0, 0, 0 });
    assert_int_equal(shoal_grouping_n_suppressed(grouping), 3);
    assert_int_equal(shoal_grouping_n_groups(grouping), 1); /* an empty slice makes no group */
    assert_valid_grouping(grouping, f.table, 3);
    shoal_grouping_free(grouping);
    teardown(&f);
    f = setup(&small);
    const shoal_slice all[] = { { 0, s, 3 }, { 1, s, 1 }, { 2, s, 1 },
                                { 3, s, 2 }, { 4, s, 1 }, { 5, s, 1 } };
    grouping = group(&f, all, 6);
    assert_int_equal(shoal_grouping_n_suppressed(grouping), 9);
    assert_int_equal(shoal_grouping_n_groups(grouping), 0);
    shoal_grouping_free(grouping);
    teardown(&f);
}

static void test_wrong_parts_are_found_out(void **state)
{
    (void)state;
    shoal_error err;
    fixture f = setup(&small);
    shoal_grouping *grouping = NULL;
    shoal_slice slices[] = { { 0, 0, 3 }, { 1, 0, 1 }, { 2, 0, 1 },
                             { 3, 0, 2 }, { 4, 0, 1 }, { 5, 0, 1 } };
    assert_fails(shoal_grouping_from_slices(&grouping, &f.space, f.classes, slices, 5, &err),
                 SHOAL_EINTERNAL, "class 5");
    slices[0].count = 2;
    assert_fails(shoal_grouping_from_slices(&grouping, &f.space, f.classes, slices, 6, &err),
                 SHOAL_EINTERNAL, "class 0");
    slices[0].count = 4;
    assert_fails(shoal_grouping_from_slices(&grouping, &f.space, f.classes, slices, 6, &err),
                 SHOAL_EINTERNAL, "class 0");
    slices[0].count = 3;
    slices[5].class_index = 6; /* there are six classes: 0 to 5 */
    assert_fails(shoal_grouping_from_slices(&grouping, &f.space, f.classes, slices, 6, &err),
                 SHOAL_EINTERNAL, "class");
    assert_fails(shoal_grouping_from_slices(&grouping, &f.space, f.classes, slices, 0, &err),
                 SHOAL_EINTERNAL, "class 0");
    assert_null(grouping);
    assert_non_null(f.space.attrs); /* still the caller's */
    teardown(&f);
}

/* Wild cells widen nothing; a group of nothing else has the empty range and loses nothing. */
static void test_wild_cells(void **state)
{
    (void)state;
    fixture f = setup(
        &(table_spec){ .csv = "age,set\n20,a\n?,b\n30,?\n?,?\n?,?\n",
                       .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                                    { .name = "set", .type = SHOAL_TYPE_CATEGORICAL } },
                       .null = "?",
                       .missing = SHOAL_MISSING_WILDCARD });
    const shoal_slice slices[] = { { 0, 0, 1 }, { 1, 0, 1 }, { 2, 0, 1 }, { 3, 1, 2 } };
    shoal_grouping *grouping = group(&f, slices, 4);
    assert_int_equal(shoal_grouping_n_groups(grouping), 2);
    /* 20 to 30 is the whole domain */
    assert_near(shoal_grouping_cell_loss(grouping, 0, 0), 1, 1e-12);
    assert_near(shoal_grouping_cell_loss(grouping, 0, 1), 1, 1e-12); /* both values */
    assert_near(shoal_grouping_cell_loss(grouping, 1, 0), 0, 0);
    assert_near(shoal_grouping_cell_loss(grouping, 1, 1), 0, 0);
    assert_valid_grouping(grouping, f.table, 2);
    shoal_grouping_free(grouping);
    teardown(&f);
}

/* Random rows to random groups: covers are least, whatever the kinds and modes, and equal cells
 * never twice. */
static void check_random(uint64_t seed)
{
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 2);
    fixture f = { .table = random_table(seed, 60) };
    f.space = make_space(f.table);
    f.classes = make_classes(f.table, &f.space);
    shoal_slice slices[60];
    size_t n = 0;
    uint32_t n_groups = 1 + draw(&rng, 12);
    for (uint32_t c = 0; c < f.classes->n_classes; c++)
        for (uint32_t i = 0; i < f.classes->counts[c]; i++) {
            uint32_t to = draw(&rng, n_groups + 1);
            slices[n++] = (shoal_slice){ c, to == n_groups ? SHOAL_SUPPRESSED : to * 3, 1 };
        }
    shoal_grouping *grouping = group(&f, slices, n);
    assert_cells_cover(grouping, f.table->domain_is_data);
    uint64_t words[2][64];
    assert_true(grouping->space.n_words <= 64);
    for (uint32_t g = 0; g < grouping->n_groups; g++)
        for (uint32_t h = 0; h < g; h++) {
            shoal_box x = shoal_grouping_box(grouping, &grouping->space, g, words[0]),
                      y = shoal_grouping_box(grouping, &grouping->space, h, words[1]);
            bool is_same = memcmp(x.ranges, y.ranges, grouping->space.n_attrs * sizeof *x.ranges) ==
                               0 &&
                           memcmp(x.words, y.words, grouping->space.n_words * 8) == 0;
            assert_false(is_same);
        }
    shoal_grouping_free(grouping);
    teardown(&f);
}

static void test_random_parts(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 90; seed++) check_random(seed);
}

static shoal_status group_and_free(const fixture *f, const shoal_slice *slices, size_t n)
{
    shoal_grouping *grouping = NULL;
    shoal_status status = shoal_grouping_from_slices(&grouping, &f->space, f->classes, slices, n,
                                                     NULL);
    shoal_grouping_free(grouping);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    fixture f = setup(&small);
    const shoal_slice slices[] = { { 0, 0, 3 }, { 1, 0, 1 }, { 2, 0, 1 },
                                   { 3, 1, 2 }, { 4, 1, 1 }, { 5, 1, 1 } };
    assert_survives_allocation_failure(group_and_free(&f, slices, 6));
    teardown(&f);
    f = setup(&(table_spec){ .csv = "s,t\na,b\nb,b\n",
                             .columns = { { .name = "s", .type = SHOAL_TYPE_CATEGORICAL },
                                          { .name = "t", .type = SHOAL_TYPE_CATEGORICAL } } });
    const shoal_slice both[] = { { 0, 0, 1 }, { 1, 0, 1 } };
    assert_survives_allocation_failure(group_and_free(&f, both, 2));
    teardown(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_dealt_in_order),
        cmocka_unit_test(test_cell_losses),
        cmocka_unit_test(test_groups_published_alike_are_one),
        cmocka_unit_test(test_suppressed_rows),
        cmocka_unit_test(test_wrong_parts_are_found_out),
        cmocka_unit_test(test_wild_cells),
        cmocka_unit_test(test_random_parts),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
