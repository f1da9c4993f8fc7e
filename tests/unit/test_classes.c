/* SPDX-License-Identifier: Apache-2.0 */
/* test_classes.c - equivalence classes of random tables against brute force; threads; further
 * columns. */
#include "tables.h"

/* Are two rows alike in all QIDs (as the input spells them) and in one more column? */
static bool alike(const shoal_table *table, const size_t *columns, size_t n, uint64_t x, uint64_t y)
{
    for (size_t i = 0; i < n; i++)
        if (shoal_table_code(table, columns[i], x) != shoal_table_code(table, columns[i], y))
            return false;
    return true;
}

/* What must hold of the arrays among themselves. */
static void check_lists(const shoal_classes *classes)
{
    assert_int_equal(classes->row_begin[0], 0);
    assert_int_equal(classes->row_begin[classes->n_classes], classes->n_rows);
    uint64_t first_of_last = 0;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint64_t begin = classes->row_begin[c], end = classes->row_begin[c + 1];
        assert_true(begin < end);
        assert_int_equal(classes->counts[c], end - begin);
        for (uint64_t i = begin; i < end; i++) {
            assert_int_equal(classes->class_of_row[classes->rows[i]], c);
            assert_true(i == begin || classes->rows[i] > classes->rows[i - 1]);
        }
        assert_true(c == 0 || classes->rows[begin] > first_of_last); /* numbered by first row */
        first_of_last = classes->rows[begin];
    }
}

static void check_codes(const shoal_classes *classes, const shoal_space *space)
{
    for (uint64_t row = 0; row < classes->n_rows; row++)
        for (uint32_t a = 0; a < space->n_attrs; a++)
            assert_int_equal(shoal_class_codes(classes, classes->class_of_row[row])[a],
                             code_in_row(space, a, row));
}

static void test_random_tables_against_brute_force(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        shoal_table *table = random_table(seed, 5 + (uint32_t)seed * 3);
        shoal_space space = make_space(table);
        shoal_classes *classes = make_classes(table, &space);
        size_t columns[DRAFT_COLUMNS];
        for (uint32_t a = 0; a < space.n_attrs; a++) columns[a] = space.attrs[a].column;
        assert_int_equal(classes->n_rows, table->n_rows);
        assert_int_equal(classes->n_attrs, space.n_attrs);
        assert_int_equal(classes->n_extra, 0);
        check_lists(classes);
        check_codes(classes, &space);
        for (uint64_t x = 0; x < table->n_rows; x++)
            for (uint64_t y = 0; y < x; y++)
                assert_int_equal(classes->class_of_row[x] == classes->class_of_row[y],
                                 alike(table, columns, space.n_attrs, x, y));
        shoal_classes_free(classes);
        shoal_space_clear(&space);
        shoal_table_free(table);
    }
}

static void test_further_columns_tell_classes_apart(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = make_table(
        &(table_spec){ .csv = "age,illness\n20,flu\n30,flu\n20,cold\n20,flu\n",
                       .columns = { { .name = "age", .type = SHOAL_TYPE_NUMERIC },
                                    { .name = "illness",
                                      .type = SHOAL_TYPE_CATEGORICAL,
                                      .role = SHOAL_ROLE_SENSITIVE } } });
    shoal_space space = make_space(table);
    shoal_classes *classes = make_classes(table, &space);
    assert_int_equal(space.n_attrs, 1);
    assert_int_equal(classes->n_classes, 2);
    shoal_classes_free(classes);
    size_t illness = 1;
    assert_ok(shoal_classes_form(&classes, table, &space, &illness, 1, 1, &err));
    assert_int_equal(classes->n_classes, 3);
    const uint32_t of_row[] = { 0, 1, 2, 0 }, extra[] = { 1, 1, 0 }; /* cold, flu */
    for (int row = 0; row < 4; row++) assert_int_equal(classes->class_of_row[row], of_row[row]);
    for (int c = 0; c < 3; c++) assert_int_equal(classes->extra[c], extra[c]);
    check_lists(classes);
    shoal_classes_free(classes);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static void assert_same_classes(const shoal_classes *x, const shoal_classes *y)
{
    assert_int_equal(x->n_classes, y->n_classes);
    assert_memory_equal(x->class_of_row, y->class_of_row, x->n_rows * sizeof *x->class_of_row);
    assert_memory_equal(x->rows, y->rows, x->n_rows * sizeof *x->rows);
    assert_memory_equal(x->counts, y->counts, x->n_classes * sizeof *x->counts);
    assert_memory_equal(x->codes, y->codes, (size_t)x->n_classes * x->n_attrs * sizeof *x->codes);
}

/* More rows than are hashed in one run. */
static void test_many_rows_and_any_number_of_threads(void **state)
{
    (void)state;
    shoal_error err;
    shoal_table *table = random_table(20, (1 << 19) + 5);
    shoal_space space = make_space(table);
    shoal_classes *one = make_classes(table, &space), *four = NULL;
    assert_ok(shoal_classes_form(&four, table, &space, NULL, 0, 4, &err));
    check_lists(one);
    check_codes(one, &space);
    assert_same_classes(one, four);
    shoal_classes_free(one);
    shoal_classes_free(four);
    shoal_space_clear(&space);
    shoal_table_free(table);
}

/* Row numbers are 32 bits wide from here on: more rows are refused, not cut off. */
static void test_too_many_rows_are_refused(void **state)
{
    (void)state;
    shoal_error err;
    shoal_classes *classes = NULL;
    shoal_table *table = random_table(1, 10);
    shoal_space space = make_space(table);
    table->n_rows = UINT32_MAX;
    assert_fails(shoal_classes_form(&classes, table, &space, NULL, 0, 1, &err), SHOAL_EINVAL,
                 "4294967294 rows");
    assert_null(classes);
    table->n_rows = 10;
    shoal_space_clear(&space);
    shoal_table_free(table);
}

static shoal_status form_and_free(const shoal_table *table, const shoal_space *space)
{
    shoal_classes *classes = NULL;
    shoal_status status = shoal_classes_form(&classes, table, space, NULL, 0, 1, NULL);
    shoal_classes_free(classes);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_table *table = random_table(2, 50);
    shoal_space space = make_space(table);
    assert_survives_allocation_failure(form_and_free(table, &space));
    shoal_space_clear(&space);
    shoal_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_tables_against_brute_force),
        cmocka_unit_test(test_further_columns_tell_classes_apart),
        cmocka_unit_test(test_many_rows_and_any_number_of_threads),
        cmocka_unit_test(test_too_many_rows_are_refused),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
