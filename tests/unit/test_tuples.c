/* SPDX-License-Identifier: Apache-2.0 */
/* test_tuples.c - numbering of tuples against brute force, and across the runs that are hashed side
 * by side. Covers: key_pack.c, key_table.c
 */
#include "tables.h"

enum { MANY = 3 * (1 << 18) + 777 }; /* more than three runs, the last one short */

typedef struct code_columns {
    shoal_column columns[24];
    const shoal_column *list[24];
    size_t n;
    uint64_t n_rows;
} code_columns;

/* Columns of width 1, 2, 4, 1, 2, ... with codes below `n_values` (and one large code in wide
 * columns). */
static void draw_columns(code_columns *c, shoal_rng *rng, size_t n, uint64_t n_rows,
                         uint32_t n_values)
{
    *c = (code_columns){ .n = n, .n_rows = n_rows };
    for (size_t i = 0; i < n; i++) {
        uint8_t width = i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 4;
        /* its low bytes are those of 0: a code cut off would show */
        uint32_t large = (uint32_t)1 << (8 * width - 1);
        char *codes = malloc((n_rows + 1) * width);
        assert_non_null(codes);
        for (uint64_t row = 0; row < n_rows; row++) {
            uint32_t code = draw(rng, n_values + 1);
            if (code == n_values) code = large;
            if (width == 1) ((uint8_t *)codes)[row] = (uint8_t)code;
            if (width == 2) ((uint16_t *)(void *)codes)[row] = (uint16_t)code;
            if (width == 4) ((uint32_t *)(void *)codes)[row] = code;
        }
        c->columns[i] = (shoal_column){ .code_width = width, .codes = codes };
        c->list[i] = &c->columns[i];
    }
}

static void free_columns(code_columns *c)
{
    for (size_t i = 0; i < c->n; i++) free(c->columns[i].codes);
}

static bool same_tuple(const code_columns *c, uint64_t x, uint64_t y)
{
    for (size_t i = 0; i < c->n; i++)
        if (shoal_column_code(c->list[i], x) != shoal_column_code(c->list[i], y)) return false;
    return true;
}

static uint32_t *number(const code_columns *c, uint32_t threads, uint32_t *n_distinct)
{
    shoal_error err;
    uint32_t *ids = NULL;
    assert_ok(shoal_number_tuples(&ids, n_distinct, c->list, c->n, c->n_rows, threads, &err));
    return ids;
}

static void test_small_tables_against_brute_force(void **state)
{
    (void)state;
    shoal_rng rng;
    shoal_rng_init(&rng, 3, 0);
    for (int round = 0; round < 60; round++) {
        code_columns c;
        draw_columns(&c, &rng, draw(&rng, 24), draw(&rng, 300), 1 + draw(&rng, 3));
        uint32_t n_distinct = 99, expected = 0, *ids = number(&c, 1, &n_distinct);
        for (uint64_t row = 0; row < c.n_rows; row++) {
            uint64_t first = 0;
            while (!same_tuple(&c, first, row)) first++;
            if (first == row)
                assert_int_equal(ids[row], expected++); /* new tuples get the next number */
            else
                assert_int_equal(ids[row], ids[first]);
        }
        assert_int_equal(n_distinct, expected);
        shoal_free(ids);
        free_columns(&c);
    }
}

/* Columns whose number of values is told: codes of `bits` bits, so that keys are short, as long as
 * a slot, or longer than a word. */
static void draw_narrow(code_columns *c, shoal_rng *rng, size_t n, uint64_t n_rows, uint32_t bits,
                        uint32_t n_drawn)
{
    *c = (code_columns){ .n = n, .n_rows = n_rows };
    for (size_t i = 0; i < n; i++) {
        uint8_t width = bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
        char *codes = malloc((n_rows + 1) * width);
        assert_non_null(codes);
        for (uint64_t row = 0; row < n_rows; row++) {
            uint32_t code = draw(rng, n_drawn);
            /* both ends of the range */
            if (code % 2 == 1) code = (uint32_t)((UINT64_C(1) << bits) - 1 - code);
            if (width == 1) ((uint8_t *)codes)[row] = (uint8_t)code;
            if (width == 2) ((uint16_t *)(void *)codes)[row] = (uint16_t)code;
            if (width == 4) ((uint32_t *)(void *)codes)[row] = code;
        }
        c->columns[i] = (shoal_column){ .code_width = width,
                                        .codes = codes,
                                        .n_values = (uint32_t)(UINT64_C(1) << bits) };
        c->list[i] = &c->columns[i];
    }
}

/* Numbers as of a pass over the rows that looks at every earlier tuple; then sizes, first rows and
 * lists of rows by those numbers. */
static void check_lists(const code_columns *c, uint32_t threads, bool by_force)
{
    shoal_error err;
    shoal_numbering rows = { 0 }, first = { 0 };
    assert_ok(
        shoal_numbering_make(&rows, c->list, c->n, c->n_rows, SHOAL_NUMBER_ROWS, threads, &err));
    assert_ok(
        shoal_numbering_make(&first, c->list, c->n, c->n_rows, SHOAL_NUMBER_FIRST, threads, &err));
    assert_int_equal(rows.n, first.n);
    assert_memory_equal(rows.ids, first.ids, c->n_rows * sizeof *rows.ids);
    assert_memory_equal(rows.begin, first.begin, ((size_t)rows.n + 1) * sizeof *rows.begin);
    assert_true(rows.begin[0] == 0 && rows.begin[rows.n] == c->n_rows);
    uint64_t *next = malloc(((size_t)rows.n + 1) * sizeof *next);
    assert_non_null(next);
    uint32_t n_seen = 0;
    memcpy(next, rows.begin, rows.n * sizeof *next);
    for (uint64_t row = 0; row < c->n_rows; row++) {
        uint32_t id = rows.ids[row], at = 0;
        while (by_force && at < n_seen && !same_tuple(c, first.first[at], row)) at++;
        if (by_force) assert_int_equal(id, at);
        if (id == n_seen) assert_int_equal(first.first[n_seen++], row);
        assert_int_equal(rows.rows[next[id]++], row);
        assert_true(same_tuple(c, first.first[id], row));
    }
    assert_int_equal(n_seen, rows.n);
    for (uint32_t i = 0; i < rows.n; i++) assert_int_equal(next[i], rows.begin[i + 1]);
    free(next);
    shoal_numbering_clear(&rows);
    shoal_numbering_clear(&first);
}

static void test_lists_and_keys_of_any_length(void **state)
{
    (void)state;
    shoal_rng rng;
    shoal_rng_init(&rng, 6, 0);
    for (int round = 0; round < 120; round++) {
        code_columns c;
        uint32_t bits = 1 + draw(&rng, 31), most = bits < 4 ? 1u << bits : 6;
        draw_narrow(&c, &rng, draw(&rng, 12), draw(&rng, 2000), bits, 1 + draw(&rng, most));
        c.n_rows = c.n_rows < 300 ? c.n_rows : 300;
        check_lists(&c, 1 + draw(&rng, 3), true);
        free_columns(&c);
    }
}

/* A code that the column does not have would be taken for another column's bits. */
static void test_codes_beyond_the_values(void **state)
{
    (void)state;
    uint8_t codes[] = { 0, 1, 2, 3, 4 }, zeros[5] = { 0 };
    shoal_column column = { .code_width = 1, .codes = codes, .n_values = 4 },
                 other = { .code_width = 1, .codes = zeros, .n_values = 1 };
    const shoal_column *list[] = { &column, &other };
    shoal_error err;
    uint32_t *ids = NULL, n_distinct = 0;
    assert_int_equal(shoal_number_tuples(&ids, &n_distinct, list, 2, 5, 1, &err), SHOAL_EINTERNAL);
    assert_ok(shoal_number_tuples(&ids, &n_distinct, list, 2, 4, 1, &err));
    assert_int_equal(n_distinct, 4);
    shoal_free(ids);
    zeros[3] = 1;
    assert_int_equal(shoal_number_tuples(&ids, &n_distinct, list, 2, 4, 1, &err), SHOAL_EINTERNAL);
}

static const code_columns *sorting; /* qsort has no payload */

static int by_tuple(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    for (size_t i = 0; i < sorting->n; i++) {
        uint32_t p = shoal_column_code(sorting->list[i], a),
                 q = shoal_column_code(sorting->list[i], b);
        if (p != q) return p < q ? -1 : 1;
    }
    return 0;
}

/* Rows of one number are alike, first rows of different numbers differ, numbers appear in ascending
 * order. */
static void check_many(const code_columns *c, const uint32_t *ids, uint32_t n_distinct)
{
    uint32_t *first = malloc(((size_t)n_distinct + 1) * sizeof *first), seen = 0;
    assert_non_null(first);
    for (uint64_t row = 0; row < c->n_rows; row++) {
        assert_true(ids[row] <= seen && ids[row] < n_distinct);
        if (ids[row] == seen) first[seen++] = (uint32_t)row;
        if (!same_tuple(c, first[ids[row]], row))
            fail_msg("row %llu has the number of another tuple", (unsigned long long)row);
    }
    assert_int_equal(seen, n_distinct);
    sorting = c;
    qsort(first, n_distinct, sizeof *first, by_tuple);
    for (uint32_t i = 1; i < n_distinct; i++) assert_true(by_tuple(&first[i - 1], &first[i]) < 0);
    free(first);
}

static void test_lists_across_runs(void **state)
{
    (void)state;
    shoal_rng rng;
    shoal_rng_init(&rng, 7, 0);
    const struct {
        size_t n;
        uint32_t bits, n_drawn;
    } shapes[] = {
        { 4, 8, 9 },   /* slots hold whole keys */
        { 6, 8, 200 }, /* nearly all rows differ */
        { 2, 30, 80 }, /* one word, but too long for a slot */
        { 7, 12, 3 },  /* two words */
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        code_columns c;
        draw_narrow(&c, &rng, shapes[i].n, (1 << 19) + 99, shapes[i].bits, shapes[i].n_drawn);
        check_lists(&c, 1 + (uint32_t)i, false);
        uint32_t n_distinct, *ids = number(&c, 2, &n_distinct);
        check_many(&c, ids, n_distinct);
        shoal_free(ids);
        free_columns(&c);
    }
}

static void test_many_rows_and_any_number_of_threads(void **state)
{
    (void)state;
    shoal_rng rng;
    shoal_rng_init(&rng, 4, 0);
    /* few tuples, then mostly different ones */
    for (uint32_t n_values = 3; n_values <= 60; n_values *= 20) {
        code_columns c;
        draw_columns(&c, &rng, 5, MANY, n_values);
        uint32_t n_one, n_four, *one = number(&c, 1, &n_one), *four = number(&c, 4, &n_four);
        check_many(&c, one, n_one);
        assert_int_equal(n_one, n_four);
        assert_memory_equal(one, four, MANY * sizeof *one);
        shoal_free(one);
        shoal_free(four);
        free_columns(&c);
    }
}

static void test_no_columns_and_no_rows(void **state)
{
    (void)state;
    code_columns c = { .n_rows = 3 };
    uint32_t n_distinct = 99, *ids = number(&c, 1, &n_distinct);
    assert_int_equal(n_distinct, 1); /* the empty tuple */
    for (int row = 0; row < 3; row++) assert_int_equal(ids[row], 0);
    shoal_free(ids);
    c.n_rows = 0;
    ids = number(&c, 1, &n_distinct);
    assert_int_equal(n_distinct, 0);
    shoal_free(ids);
    /* an allocator that gives nothing more than was asked for */
    budget plenty = { .left = 1000000 };
    shoal_set_allocator(budget_alloc, &plenty);
    ids = number(&c, 1, &n_distinct);
    assert_int_equal(n_distinct, 0);
    shoal_free(ids);
    shoal_set_allocator(NULL, NULL);
}

static shoal_status number_and_free(const code_columns *c)
{
    uint32_t *ids = NULL, n_distinct;
    shoal_status status = shoal_number_tuples(&ids, &n_distinct, c->list, c->n, c->n_rows, 1, NULL);
    shoal_free(ids);
    return status;
}

static void test_short_memory(void **state)
{
    (void)state;
    shoal_rng rng;
    shoal_rng_init(&rng, 5, 0);
    code_columns c;
    draw_columns(&c, &rng, 4, 3000, 20); /* enough tuples for the tables to grow */
    assert_survives_allocation_failure(number_and_free(&c));
    free_columns(&c);
    draw_columns(&c, &rng, 1, (1 << 18) + 10, 20); /* two runs: the tables are merged */
    assert_survives_allocation_failure(number_and_free(&c));
    free_columns(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_tables_against_brute_force),
        cmocka_unit_test(test_many_rows_and_any_number_of_threads),
        cmocka_unit_test(test_lists_and_keys_of_any_length),
        cmocka_unit_test(test_lists_across_runs),
        cmocka_unit_test(test_codes_beyond_the_values),
        cmocka_unit_test(test_no_columns_and_no_rows),
        cmocka_unit_test(test_short_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
