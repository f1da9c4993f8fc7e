/* SPDX-License-Identifier: Apache-2.0 */
/* test_kinds.c - the registry of kinds of attribute: every row has every function, every column has
 * a kind, and kinds call the types of columns as plans do.
 *
 * A new row is checked here without a change of this file.
 *
 * Covers: kinds.c, kind_number.c, kind_order.c, kind_tree.c, kind_set.c, kind_reading.c,
 * kind_spelling.c
 */
#include "hierarchy/kind.h"
#include "publish/kind_spelling.h"
#include "published/kind_reading.h"
#include "tables.h"

#include <math.h>

static shoal_error err;

static void test_rows(void **state)
{
    (void)state;
    size_t n = 0;
    for (const shoal_kind *kind; (kind = shoal_kind_at(n)) != NULL; n++) {
        if (kind->name == NULL || kind->types == NULL || *kind->types == '\0')
            fail_msg("kind %zu has no name or no types", n);
        if (kind->is_interval + kind->is_tree + kind->is_set != 1)
            fail_msg("%s: not exactly one form of cover", kind->name);
        if (kind->takes == NULL || kind->make == NULL || kind->loss == NULL ||
            kind->node_loss == NULL || kind->cell == NULL)
            fail_msg("%s: a function is missing", kind->name);
        if ((kind->position != NULL) != kind->is_interval)
            fail_msg("%s: positions are for intervals", kind->name);
        if (kind->flat_height == 0) fail_msg("%s: no step from a value to `*`", kind->name);
        if (kind->has_means && !kind->is_interval) fail_msg("%s: means of what?", kind->name);
        for (size_t i = 0; i < n; i++) assert_string_not_equal(kind->name, shoal_kind_at(i)->name);
    }
    assert_true(n >= 4);
}

/* ---- the words of types ---- */

/* Is the type among the kind's? Plans, options and JSON use the same word (test_registries.c). */
static bool names_type(const shoal_kind *kind, shoal_type type)
{
    const char *name = shoal_type_name(type);
    for (const char *at = kind->types; *at != '\0';) {
        size_t size = strcspn(at, "|");
        if (size == strlen(name) && memcmp(at, name, size) == 0) return true;
        at += size + (at[size] == '|');
    }
    return false;
}

/* With and without a hierarchy, a column of each type has a kind, the first that takes it, which
 * names that type. */
static void test_types(void **state)
{
    (void)state;
    const shoal_hierarchy tree = { .n_nodes = 1 };
    shoal_type type;
    for (size_t t = 0; (type = shoal_type_at(t)) != SHOAL_TYPE_AUTO; t++)
        for (int has_tree = 0; has_tree < 2; has_tree++) {
            shoal_column column = { .type = type, .hierarchy = has_tree ? &tree : NULL };
            const shoal_kind *kind = shoal_kind_of(&column);
            assert_true(kind->takes(&column));
            for (size_t i = 0; shoal_kind_at(i) != kind; i++)
                assert_false(shoal_kind_at(i)->takes(&column));
            if (!names_type(kind, type)) fail_msg("%s: does not name its type", kind->name);
        }
}

/* ---- what the rows compute ---- */

static const table_spec people = {
    .csv = "age,band,town,job\n20,0-9,a,x\n30,10-19,b,y\n60,20-29,c,z\n20,0-9,a,w\n",
    .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                 { .name = "band", .type = SHOAL_TYPE_ORDERED },
                 { .name = "town",
                   .type = SHOAL_TYPE_CATEGORICAL,
                   .levels = "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n" },
                 { .name = "job", .type = SHOAL_TYPE_CATEGORICAL } },
};

static double loss(const shoal_space *space, uint32_t a, uint32_t lo, uint32_t hi, uint32_t n)
{
    return shoal_cover_loss(&space->attrs[a], (shoal_range){ lo, hi }, n);
}

static void test_losses(void **state)
{
    (void)state;
    shoal_table *table = make_table(&people);
    shoal_space space = make_space(table);
    const shoal_kind *expected[] = { &shoal_kind_number, &shoal_kind_order, &shoal_kind_tree,
                                     &shoal_kind_set };
    for (uint32_t a = 0; a < 4; a++) {
        const shoal_attribute *attr = &space.attrs[a];
        assert_ptr_equal(attr->kind, expected[a]);
        assert_int_equal(attr->is_interval, attr->kind->is_interval);
        assert_int_equal(attr->is_tree, attr->kind->is_tree);
        assert_int_equal(attr->is_set, attr->kind->is_set);
        assert_true(loss(&space, a, UINT32_MAX, 0, 0) == 0); /* nothing */
        assert_true(loss(&space, a, 0, 0, 1) == 0);          /* one value */
    }
    assert_true(fabs(loss(&space, 0, 0, 1, 2) - 0.25) < 1e-12);    /* 20..30 of 20..60 */
    assert_true(fabs(loss(&space, 1, 0, 1, 2) - 0.5) < 1e-12);     /* two bands of three */
    assert_true(fabs(loss(&space, 2, 0, 1, 2) - 1 / 3.0) < 1e-12); /* ab: 2 leaves of 4 */
    assert_true(fabs(loss(&space, 3, 0, 2, 2) - 1 / 3.0) < 1e-12); /* 2 jobs of 4 */
    for (uint32_t a = 0; a < 2; a++) /* positions of the column's numbers, and between them */
        for (uint32_t code = 0; code < 3; code++)
            assert_true(space.attrs[a].position[code] ==
                        space.attrs[a].kind->position(&space.attrs[a],
                                                      space.attrs[a].source->numbers[code]));
    assert_true(shoal_kind_number.position(&space.attrs[0], 25) == 25);
    assert_true(fabs(space.attrs[0].domain_size - 41) < 1e-12);
    assert_true(fabs(space.attrs[1].domain_size - 3) < 1e-12);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_cells(void **state)
{
    (void)state;
    shoal_table *table = make_table(&people);
    shoal_space space = make_space(table);
    for (uint32_t a = 0; a < 4; a++) { /* a lone value, and two of them */
        const shoal_attribute *attr = &space.attrs[a];
        shoal_range one = attr->kind->cell(attr, (shoal_range){ 1, 1 }, 1),
                    two = attr->kind->cell(attr, (shoal_range){ 0, 1 }, 2);
        assert_int_equal(one.lo, 1);
        assert_int_equal(one.hi, 1);
        assert_int_equal(two.lo, attr->is_tree ? SHOAL_CELL_NODE : 0);
        assert_int_equal(two.hi, attr->is_tree ? shoal_tree_cover(attr->tree, 0, 1) : 1);
    }
    const shoal_attribute *town = &space.attrs[2];
    uint32_t root = town->tree->n_nodes - 1;
    assert_true(shoal_node_loss(town, root) == 1);
    assert_true(shoal_node_loss(town, 0) == 0);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* ---- spelling and reading ---- */

static void test_texts_have_rows(void **state)
{
    (void)state;
    size_t n_own = 0;
    const shoal_kind *kind;
    for (size_t i = 0; (kind = shoal_kind_at(i)) != NULL; i++) {
        const shoal_kind_spelling *spelling = shoal_kind_spelling_of(kind);
        const shoal_kind_reading *reading = shoal_kind_reading_of(kind);
        if (kind->texts_of != NULL) kind = kind->texts_of;
        n_own += kind == shoal_kind_at(i);
        if (spelling->kind != kind || spelling->cover == NULL || spelling->values == NULL)
            fail_msg("%s: no row, or not all of it, in kind_spelling.c", kind->name);
        if (reading->kind != kind || reading->parse_interval == NULL ||
            reading->take_interval == NULL || reading->set_loss == NULL)
            fail_msg("%s: no row, or not all of it, in kind_reading.c", kind->name);
    }
    assert_null(shoal_kind_spelling_at(n_own));
    assert_null(shoal_kind_reading_at(n_own));
}

/* A cover of the first two values is spelled and read back: it covers them, not the third, and
 * loses the same. */
static void test_texts_are_read_back(void **state)
{
    (void)state;
    static const char *const texts[] = { "[20..30]", "0-9..10-19", "ab", "{w|x}" };
    shoal_table *table = make_table(&people);
    shoal_space space = make_space(table);
    const uint32_t codes[] = { 0, 1 };
    for (uint32_t a = 0; a < 4; a++) {
        const shoal_attribute *attr = &space.attrs[a];
        shoal_buffer out = { 0 };
        shoal_kind_spelling_of(attr->kind)->cover(&out, attr, (shoal_range){ 0, 1 }, codes, 2);
        assert_int_equal(out.size, strlen(texts[a]));
        assert_memory_equal(out.data, texts[a], out.size);
        shoal_published read;
        const shoal_text text = { out.data, out.size };
        assert_ok(shoal_published_read(&read, table, attr, &text, 1, &err));
        for (uint32_t code = 0; code < 3; code++)
            assert_int_equal(shoal_published_covers(&read, 0, attr->value_of_code[code]), code < 2);
        assert_true(fabs(read.readings[0].loss - loss(&space, a, 0, 1, 2)) < 1e-12);
        shoal_published_clear(&read);
        shoal_buffer_clear(&out);
    }
    shoal_space_clear(&space);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_losses),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_texts_have_rows),
        cmocka_unit_test(test_texts_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
