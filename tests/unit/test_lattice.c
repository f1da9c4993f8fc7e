/* SPDX-License-Identifier: Apache-2.0 */
/* test_lattice.c - levels of attributes, nodes, and groups rolled up from others.
 * Covers: level_axis.c
 */
#include "levels.h"

static const char places[] = "Aa;A;North;*\n"
                             "Ab;A;North;*\n"
                             "Ba;B;North;*\n"
                             "Ca;C;South;*\n"
                             "D;*;*;*\n";

static shoal_lattice make_lattice(const shoal_space *space, const shoal_classes *classes)
{
    shoal_error err;
    shoal_lattice lattice;
    assert_ok(shoal_lattice_make(&lattice, space, classes, "a test", &err));
    return lattice;
}

static uint32_t base_value(const shoal_lattice *lattice, uint32_t a, const char *text)
{
    return lattice->axes[a].base_of_code[code_of_text(&lattice->space->attrs[a], text)];
}

/* What the value is published as on a level, as text. */
static const char *text_on_level(const shoal_lattice *lattice, uint32_t a, const char *text,
                                 uint32_t level)
{
    static char place[64];
    const shoal_attribute *attr = &lattice->space->attrs[a];
    const shoal_level_axis *axis = &lattice->axes[a];
    uint32_t value = base_value(lattice, a, text);
    for (uint32_t l = 0; l < level; l++) value = axis->levels[l].above[value];
    shoal_range cell = axis->levels[level].cells[value];
    if (cell.lo == SHOAL_CELL_NODE) return attr->tree->labels[cell.hi];
    if (cell.hi >= attr->top_from) return "*";
    shoal_text low = attr->source->values[attr->value_of_code[cell.lo]],
               high = attr->source->values[attr->value_of_code[cell.hi]];
    if (cell.lo == cell.hi)
        snprintf(place, sizeof place, "%.*s", (int)low.length, low.data);
    else
        snprintf(place, sizeof place, "%.*s..%.*s", (int)low.length, low.data, (int)high.length,
                 high.data);
    return place;
}

static void test_levels_of_each_kind(void **state)
{
    (void)state;
    table_spec spec = { .csv = "place,n,s,age\nAa,1,x,20\nAb,3,y,21\nD,9,x,30\nCa,3,z,21\n",
                        .columns = { { "place", SHOAL_TYPE_CATEGORICAL, places, 0, 0 },
                                     { "n", SHOAL_TYPE_NUMERIC, NULL, 0, 0 },
                                     { "s", SHOAL_TYPE_CATEGORICAL, NULL, 0, 0 },
                                     { "age", SHOAL_TYPE_NUMERIC,
                                       "20;young;*\n21;young;*\n30;old;*\n50;old;*\n", 0, 0 } } };
    shoal_table *table = make_table(&spec);
    shoal_space space = make_space(table);
    shoal_classes *classes = make_classes(table, &space);
    shoal_lattice lattice = make_lattice(&space, classes);
    const uint32_t heights[] = { 3, 2, 1, 2 };
    for (uint32_t a = 0; a < 4; a++) assert_int_equal(lattice.top[a], heights[a]);
    assert_int_equal(lattice.height, 8);
    assert_int_equal(lattice.n_nodes, 4 * 3 * 2 * 3);

    assert_string_equal(text_on_level(&lattice, 0, "Aa", 0), "Aa");
    assert_string_equal(text_on_level(&lattice, 0, "Aa", 1), "A");
    assert_string_equal(text_on_level(&lattice, 0, "Ca", 2), "South");
    /* a short branch: the leaf again */
    assert_string_equal(text_on_level(&lattice, 0, "D", 2), "D");
    assert_string_equal(text_on_level(&lattice, 0, "D", 3), "*");
    assert_int_equal(lattice.axes[0].levels[0].n_values, 4); /* those that occur */
    assert_int_equal(lattice.axes[0].levels[1].n_values, 3);
    assert_near(lattice.axes[0].levels[2].losses[0], 2.0 / 4, 1e-12); /* North: 3 of 5 leaves */

    assert_string_equal(text_on_level(&lattice, 1, "3", 0), "3");
    assert_string_equal(text_on_level(&lattice, 1, "3", 1), "1..9");
    assert_string_equal(text_on_level(&lattice, 1, "3", 2), "*");
    assert_string_equal(text_on_level(&lattice, 2, "y", 0), "y");
    assert_string_equal(text_on_level(&lattice, 2, "y", 1), "*");

    /* a number's node, by width */
    assert_string_equal(text_on_level(&lattice, 3, "21", 1), "young");
    assert_near(lattice.axes[3].levels[1].losses[0], 0.1, 1e-12); /* 20..21 of 20..30 */
    assert_near(lattice.axes[3].levels[2].losses[0], 1, 0);
    assert_int_equal(lattice.axes[3].levels[1].rows[0], 3);
    shoal_lattice_clear(&lattice);
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void test_numbers_that_the_hierarchy_lacks(void **state)
{
    (void)state;
    for (shoal_on_missing mode = SHOAL_ON_MISSING_ERROR; mode <= SHOAL_ON_MISSING_OWN_LEAF;
         mode++) {
        table_spec spec = { .csv = "age\n20\n21\n77\n",
                            .columns = { { "age", SHOAL_TYPE_NUMERIC, "20;young;*\n21;young;*\n",
                                           mode, 0 } } };
        shoal_error err;
        shoal_lattice lattice;
        shoal_table *table = make_table(&spec);
        shoal_space space = make_space(table);
        shoal_classes *classes = make_classes(table, &space);
        shoal_status status = shoal_lattice_make(&lattice, &space, classes, "a test", &err);
        if (mode == SHOAL_ON_MISSING_ERROR) {
            assert_fails(status, SHOAL_EDATA, "1 of its 3 distinct values");
        } else {
            assert_ok(status);
            bool to_top = mode == SHOAL_ON_MISSING_TOP;
            assert_string_equal(text_on_level(&lattice, 0, "77", 0), to_top ? "*" : "77");
            assert_string_equal(text_on_level(&lattice, 0, "77", 1), to_top ? "*" : "77");
            assert_string_equal(text_on_level(&lattice, 0, "77", 2), "*");
            shoal_lattice_clear(&lattice);
        }
        shoal_classes_free(classes);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

static void test_nodes_are_numbers(void **state)
{
    (void)state;
    shoal_table *table = random_table(5, 40);
    shoal_space space = make_space(table);
    shoal_classes *classes = make_classes(table, &space);
    shoal_lattice lattice = make_lattice(&space, classes);
    uint32_t levels[DRAFT_COLUMNS] = { 0 }, again[DRAFT_COLUMNS];
    uint64_t index = 0;
    do {
        assert_int_equal(shoal_node_index(&lattice, levels), index);
        shoal_node_levels(again, &lattice, index++);
        assert_memory_equal(levels, again, lattice.n_attrs * sizeof *levels);
    } while (next_node(levels, lattice.top, lattice.n_attrs));
    assert_int_equal(index, lattice.n_nodes);
    assert_int_equal(shoal_node_height(&lattice, lattice.top), lattice.height);
    shoal_lattice_clear(&lattice);
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* The groups of a node, rolled up from those of a random node below it, are the rows that agree. */
static void check_node(const shoal_table *table, const shoal_lattice *lattice,
                       const uint32_t *levels, shoal_rng *rng)
{
    shoal_node_groups below = { 0 }, groups = { 0 };
    shoal_roller roller = { 0 };
    uint32_t from[DRAFT_COLUMNS];
    for (uint32_t a = 0; a < lattice->n_attrs; a++) from[a] = draw(rng, levels[a] + 1);
    uint32_t *first = malloc((lattice->base.n + 1) * sizeof *first),
             *second = malloc((lattice->base.n + 1) * sizeof *second);
    assert_true(first != NULL && second != NULL);
    assert_true(
        shoal_roll_up(&below, lattice, &lattice->base, lattice->bottom, from, first, &roller));
    assert_true(shoal_roll_up(&groups, lattice, &below, from, levels, second, &roller));

    row_groups expected = group_rows(table, lattice->space, levels);
    for (uint64_t row = 0; row < table->n_rows; row++) {
        uint32_t class_index = lattice->classes->class_of_row[row], g = second[first[class_index]];
        assert_int_equal(groups.sizes[g], expected.sizes[expected.group[row]]);
        assert_int_equal(groups.first[g], lattice->classes->class_of_row[expected.group[row]]);
        for (uint32_t a = 0; a < lattice->n_attrs; a++) {
            const shoal_level *level = &lattice->axes[a].levels[levels[a]];
            uint32_t value = shoal_group_value(lattice, &groups, g, a);
            int64_t id = id_on_level(&lattice->space->attrs[a], code_in_row(lattice->space, a, row),
                                     levels[a]);
            assert_true(value < level->n_values);
            assert_near(level->losses[value], loss_of_id(&lattice->space->attrs[a], id), 1e-12);
        }
    }
    for (uint32_t g = 1; g < groups.n; g++) assert_true(groups.first[g - 1] < groups.first[g]);
    free_row_groups(&expected);
    free(first);
    free(second);
    shoal_node_groups_clear(&below);
    shoal_node_groups_clear(&groups);
    shoal_roller_clear(&roller);
}

static void test_groups_roll_up(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        shoal_rng rng;
        shoal_rng_init(&rng, seed, 3);
        shoal_table *table = random_table(seed, 10 + (uint32_t)seed % 30);
        shoal_space space = make_space(table);
        shoal_classes *classes = make_classes(table, &space);
        shoal_lattice lattice = make_lattice(&space, classes);
        for (uint32_t a = 0; a < space.n_attrs; a++)
            assert_int_equal(lattice.top[a], height_of_attr(&space.attrs[a]));
        for (int i = 0; i < 20; i++) {
            uint32_t levels[DRAFT_COLUMNS];
            for (uint32_t a = 0; a < lattice.n_attrs; a++)
                levels[a] = draw(&rng, lattice.top[a] + 1);
            check_node(table, &lattice, levels, &rng);
        }
        shoal_lattice_clear(&lattice);
        shoal_classes_free(classes);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

/* Attributes whose values need more than 64 bits together. */
static void test_keys_of_many_words(void **state)
{
    (void)state;
    enum { N_WIDE = 7, ROWS = 1100 };
    shoal_buffer text = { 0 };
    shoal_buffer_print(&text, "a,b,c,d,e,f,g\n");
    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t c = 0; c < N_WIDE; c++)
            shoal_buffer_print(&text, "%s%u", c > 0 ? "," : "", i * (c + 1) % ROWS);
        shoal_buffer_add(&text, "\n", 1);
    }
    shoal_buffer_add(&text, "", 1);
    table_spec spec = { .csv = text.data };
    static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g" };
    for (uint32_t c = 0; c < N_WIDE; c++)
        spec.columns[c] = (column_spec){ .name = names[c], .type = SHOAL_TYPE_NUMERIC };
    shoal_table *table = make_table(&spec);
    shoal_space space = make_space(table);
    shoal_classes *classes = make_classes(table, &space);
    shoal_lattice lattice = make_lattice(&space, classes);
    assert_true(lattice.n_words > 1);
    shoal_node_groups groups = { 0 };
    shoal_roller roller = { 0 };
    uint32_t levels[N_WIDE] = { 1, 1, 1, 1, 1, 1, 0 };
    assert_true(
        shoal_roll_up(&groups, &lattice, &lattice.base, lattice.bottom, levels, NULL, &roller));
    uint32_t n = 0; /* distinct values of the last column */
    for (uint32_t v = 0; v < space.attrs[6].source->n_values; v++)
        n += space.attrs[6].source->counts[v] > 0;
    assert_int_equal(groups.n, n);
    assert_true(shoal_roll_up(&groups, &lattice, &lattice.base, lattice.bottom, lattice.bottom,
                              NULL, &roller));
    assert_int_equal(groups.n, ROWS); /* the first column is a key */
    shoal_node_groups_clear(&groups);
    shoal_roller_clear(&roller);
    shoal_lattice_clear(&lattice);
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    shoal_table_free(table);
    shoal_buffer_clear(&text);
}

static shoal_status make_and_clear(const shoal_space *space, const shoal_classes *classes)
{
    shoal_lattice lattice;
    shoal_status status = shoal_lattice_make(&lattice, space, classes, "a test", NULL);
    if (status == SHOAL_OK) shoal_lattice_clear(&lattice);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_table *table = random_table(11, 30);
    shoal_space space = make_space(table);
    shoal_classes *classes = make_classes(table, &space);
    assert_survives_allocation_failure(make_and_clear(&space, classes));
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_of_each_kind),
        cmocka_unit_test(test_numbers_that_the_hierarchy_lacks),
        cmocka_unit_test(test_nodes_are_numbers),
        cmocka_unit_test(test_groups_roll_up),
        cmocka_unit_test(test_keys_of_many_words),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
