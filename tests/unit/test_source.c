/* SPDX-License-Identifier: Apache-2.0 */
/* test_source.c - every kind of source answers the questions about a table, is what it is only
 * while the table is loaded, and gives cells where it has them.
 *
 * Covers: text_source.c, streamed_source.c, counted_source.c, arrow_source.c */
#include "arrow_streams.h"

#include "table/line_index.h"

static shoal_error err;
static const char text[] = "name,age,n\n\"a\"\"b\",20,3\nc,30,4\n";
static const char *const names[] = { "a\"b", "c" };
static const int64_t ages[] = { 20, 30 }, counts[] = { 3, 4 };
static const column columns[] = { { .name = "name", .format = "u", .texts = names },
                                  { .name = "age", .format = "l", .values = ages },
                                  { .name = "n", .format = "l", .values = counts } };
static const batch rows = { columns, 2, 0 };

typedef enum made_of { TEXT, BATCHES } made_of;

/* Opened, with roles: name passes through, age is a quasi-identifier, n as given. */
static shoal_table *open_table(made_of from, shoal_role role_of_n)
{
    shoal_table *table = NULL;
    producer p = { .batches = &rows, .n_batches = 1, .n_columns = 3 };
    if (from == TEXT) {
        assert_ok(shoal_table_open_memory(&table, text, sizeof text - 1, NULL, NULL, NULL, &err));
    } else {
        struct ArrowArrayStream stream = make_stream(&p);
        assert_ok(shoal_table_open_arrow(&table, &stream, &err));
    }
    assert_ok(shoal_table_set_role(table, 0, SHOAL_ROLE_OTHER, &err));
    assert_ok(shoal_table_set_role(table, 1, SHOAL_ROLE_QUASI, &err));
    assert_ok(shoal_table_set_role(table, 2, role_of_n, &err));
    return table;
}

static const struct {
    const char *label;
    made_of from;
    shoal_role role_of_n;
    bool is_large; /* the text is streamed whatever its size */
    const shoal_source_kind *kind;
} kinds[] = {
    { "text", TEXT, SHOAL_ROLE_OTHER, false, &shoal_source_text },
    { "streamed text", TEXT, SHOAL_ROLE_OTHER, true, &shoal_source_streamed_text },
    { "counted tuples in text", TEXT, SHOAL_ROLE_COUNT, false, &shoal_source_counted_text },
    { "batches", BATCHES, SHOAL_ROLE_OTHER, false, &shoal_source_batches },
    { "counted tuples in batches", BATCHES, SHOAL_ROLE_COUNT, false,
      &shoal_source_counted_batches },
};

static void test_kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        shoal_table *table = open_table(kinds[i].from, kinds[i].role_of_n);
        const shoal_source_kind *opened = table->source->kind;
        if (kinds[i].is_large) shoal_table_own_text(table)->counts_rows = true;
        assert_ok(shoal_table_load(table, NULL, &err));
        if (table->source->kind != kinds[i].kind) fail_msg("%s: another kind", kinds[i].label);
        assert_int_equal(shoal_table_has_text(table), kinds[i].from == TEXT);
        assert_int_equal(shoal_table_has_batches(table), kinds[i].from == BATCHES);
        assert_int_equal(shoal_table_is_streamed(table), kinds[i].is_large);
        assert_int_equal(shoal_table_is_counted(table), kinds[i].role_of_n == SHOAL_ROLE_COUNT);
        assert_int_equal(shoal_table_is_weighted(table),
                         kinds[i].is_large || kinds[i].role_of_n == SHOAL_ROLE_COUNT);
        assert_int_equal(shoal_table_total(table), kinds[i].role_of_n == SHOAL_ROLE_COUNT ? 7 : 2);
        assert_int_equal(shoal_table_has_header(table), kinds[i].from == TEXT);
        assert_true(shoal_table_has_names(table));
        assert_int_equal(shoal_table_separator(table), ',');
        assert_ok(shoal_table_unchanged(table, 1, &err));
        assert_int_equal(shoal_table_load(table, NULL, &err), SHOAL_EINVAL); /* it is loaded */
        shoal_table_clear_rows(table);
        assert_ptr_equal(table->source->kind, opened);
        shoal_table_free(table);
    }
}

static void test_cells(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        shoal_table *table = open_table(kinds[i].from, kinds[i].role_of_n);
        shoal_arena arena = { 0 };
        shoal_text cell;
        if (kinds[i].is_large) shoal_table_own_text(table)->counts_rows = true;
        assert_ok(shoal_table_load(table, NULL, &err));
        bool has_cells = kinds[i].from == TEXT && !kinds[i].is_large;
        shoal_status status = shoal_table_cell(&cell, table, 0, 0, &arena, &err);
        assert_int_equal(status, has_cells ? SHOAL_OK : SHOAL_EINVAL);
        if (has_cells) {
            assert_int_equal(cell.length, 3);
            assert_memory_equal(cell.data, "a\"b", 3);
            assert_ok(shoal_table_cell(&cell, table, 1, 2, &arena, &err));
            assert_int_equal(cell.length, 1);
            assert_memory_equal(cell.data, "4", 1);
            assert_ptr_equal(shoal_table_record_end(table, 0), shoal_table_record(table, 1));
            assert_ptr_equal(shoal_table_record_end(table, 1), shoal_table_text_end(table));
        }
        shoal_arena_clear(&arena);
        shoal_table_free(table);
    }
}

/* A load that fails leaves the source as it was opened: the table can be loaded another way. */
static void test_failed_load(void **state)
{
    (void)state;
    shoal_table *table = open_table(TEXT, SHOAL_ROLE_ENTITY);
    shoal_table_own_text(table)->counts_rows = true;
    assert_int_equal(shoal_table_load(table, NULL, &err), SHOAL_EINVAL); /* persons need rows */
    assert_ptr_equal(table->source->kind, &shoal_source_text);
    shoal_table_own_text(table)->counts_rows = false;
    assert_ok(shoal_table_load(table, NULL, &err));
    assert_false(shoal_table_is_streamed(table));
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_kinds), cmocka_unit_test(test_cells),
                                        cmocka_unit_test(test_failed_load) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
