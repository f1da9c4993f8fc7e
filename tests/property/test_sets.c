/* SPDX-License-Identifier: Apache-2.0 */
/* test_sets.c - sets of columns, persons and risks of random tables against counting every pair of
 * rows. */
#include "tables.h"

#include <math.h>

/* A random table read as published text, with a person behind each row; columns q0, q1, ... are
 * quasi-identifiers. */
static shoal_table *draw_table(uint64_t seed, uint32_t n_rows, bool has_persons,
                               uint32_t *n_columns)
{
    table_draft draft = draw_draft(seed, n_rows);
    shoal_buffer text = { 0 };
    table_spec spec = { .null = "?", .missing = draft.spec.missing };
    if (has_persons && spec.missing == SHOAL_MISSING_WILDCARD)
        spec.missing = SHOAL_MISSING_CONSERVATIVE;
    for (uint32_t c = 0; c < draft.n_columns; c++) {
        shoal_buffer_print(&text, "%s,", draft.names[c]);
        spec.columns[c] = (column_spec){ .name = draft.names[c], .type = SHOAL_TYPE_CATEGORICAL };
    }
    shoal_buffer_print(&text, "id\n");
    spec.columns[draft.n_columns] = (column_spec){ .name = "id",
                                                   .type = SHOAL_TYPE_CATEGORICAL,
                                                   .role = has_persons ? SHOAL_ROLE_ENTITY
                                                                       : SHOAL_ROLE_OTHER };
    shoal_rng rng;
    shoal_rng_init(&rng, seed, 5);
    for (uint32_t row = 0; row < n_rows; row++) {
        bool is_suppressed = draw(&rng, 10) == 0;
        for (uint32_t c = 0; c < draft.n_columns; c++)
            shoal_buffer_print(&text, "%s,",
                               is_suppressed || draw(&rng, 12) == 0 ? "*" : draft.cells[row][c]);
        shoal_buffer_print(&text, "p%u\n", draw(&rng, n_rows / 3 + 1));
    }
    shoal_buffer_add(&text, "", 1);
    spec.csv = text.data;
    shoal_table *table = make_table(&spec);
    *n_columns = draft.n_columns;
    shoal_buffer_clear(&text);
    free_draft(&draft);
    return table;
}

/* ---- by looking at every pair ---- */

static bool is_star(const shoal_table *table, size_t column, uint64_t row)
{
    size_t length;
    const char *text = shoal_table_value(table, column, shoal_table_code(table, column, row),
                                         &length);
    bool is_gap = shoal_table_code(table, column, row) == shoal_table_null_code(table, column);
    return (length == 1 && *text == '*') ||
           (is_gap && shoal_table_missing(table) == SHOAL_MISSING_CONSERVATIVE);
}

static bool agree(const shoal_table *table, const size_t *columns, size_t n, uint64_t x, uint64_t y)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t a = shoal_table_code(table, columns[i], x),
                 b = shoal_table_code(table, columns[i], y);
        uint32_t null = shoal_table_null_code(table, columns[i]);
        bool is_wild = shoal_table_missing(table) == SHOAL_MISSING_WILDCARD &&
                       (a == null || b == null) && null != UINT32_MAX;
        if (a != b && !is_wild && !(is_star(table, columns[i], x) && is_star(table, columns[i], y)))
            return false;
    }
    return true;
}

/* Rows, or distinct persons, among which row x hides, itself included; rows that `is_out` are not
 * there. */
static uint64_t hides_among(const shoal_table *table, const size_t *columns, size_t n, uint64_t x,
                            size_t person, const bool *is_out)
{
    uint64_t count = 0, n_rows = shoal_table_n_rows(table);
    for (uint64_t y = 0; y < n_rows; y++) {
        if (is_out[y] || !agree(table, columns, n, x, y)) continue;
        bool is_first = true; /* row of its person in the class */
        for (uint64_t z = 0; person != SIZE_MAX && is_first && z < y; z++)
            is_first = is_out[z] || !agree(table, columns, n, x, z) ||
                       shoal_table_code(table, person, z) != shoal_table_code(table, person, y);
        count += is_first;
    }
    return count;
}

static void check_one_table(uint64_t seed)
{
    enum { ROWS = 70 };
    bool has_persons = seed % 2 == 0, is_out[ROWS] = { false };
    uint32_t m = 0, k = 2 + (uint32_t)(seed % 3);
    shoal_error err;
    shoal_table *table = draw_table(seed, ROWS, has_persons, &m);
    size_t person = has_persons ? shoal_table_find_column(table, "id") : SIZE_MAX,
           all[DRAFT_COLUMNS];
    shoal_set_options options = SHOAL_SET_OPTIONS_INIT;
    options.k = k;
    options.threads = 1 + (uint32_t)(seed % 2);
    for (uint32_t c = 0; c < m; c++) all[c] = c;
    for (uint32_t mask = 1; mask < 1u << m; mask += 1 + mask / 3) { /* some of the sets */
        size_t set[DRAFT_COLUMNS], n = 0;
        for (uint32_t c = 0; c < m; c++)
            if (mask >> c & 1) set[n++] = c;
        shoal_set_result r;
        assert_ok(shoal_check_set(&r, table, set, n, &options, &err));
        uint64_t least = UINT64_MAX, below = 0;
        for (uint64_t x = 0; x < ROWS; x++) {
            uint64_t size = hides_among(table, set, n, x, person, is_out);
            if (size < least) least = size;
            below += size < k;
        }
        assert_int_equal(r.min_group, least);
        assert_int_equal(r.failing_rows, below);
    }
    /* risk: without the rows of `*` alone */
    uint64_t n_out = 0, below = 0, n_rows = 0;
    double mean = 0;
    for (uint64_t x = 0; x < ROWS; x++) {
        is_out[x] = true;
        for (uint32_t c = 0; c < m; c++) is_out[x] = is_out[x] && is_star(table, c, x);
        n_out += is_out[x];
    }
    for (uint64_t x = 0; x < ROWS; x++) {
        if (is_out[x]) continue;
        uint64_t size = hides_among(table, all, m, x, person, is_out);
        n_rows++;
        mean += 1 / (double)size;
        below += size < k;
    }
    shoal_risk risk;
    shoal_risk_options risk_options = SHOAL_RISK_OPTIONS_INIT;
    risk_options.k = k;
    assert_ok(shoal_risk_measure(&risk, table, &risk_options, &err));
    assert_int_equal(risk.suppressed_rows, n_out);
    assert_int_equal(risk.n_rows, n_rows);
    assert_int_equal(risk.rows_below_k, below);
    if (!has_persons && n_rows > 0)
        assert_true(fabs(risk.prosecutor.mean - mean / (double)n_rows) < 1e-12);
    for (size_t i = 0; i < risk.n_columns; i++) {
        size_t others[DRAFT_COLUMNS], n = 0;
        for (uint32_t c = 0; c < m; c++)
            if (c != risk.columns[i].column) others[n++] = c;
        uint64_t without = 0;
        for (uint64_t x = 0; x < ROWS; x++)
            without += !is_out[x] && hides_among(table, others, n, x, person, is_out) < k;
        assert_int_equal(risk.columns[i].rows_without, without);
    }
    shoal_risk_clear(&risk);
    shoal_table_free(table);
}

static void test_random_tables(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= share_of(60); seed++) check_one_table(seed);
}

/* The worst of all combinations is the worst of the single sets. */
static void test_subsets_are_the_sets(void **state)
{
    (void)state;
    shoal_error err;
    for (uint64_t seed = 1; seed <= share_of(40); seed++) {
        uint32_t m = 0, at_most;
        shoal_table *table = draw_table(seed, 90, seed % 2 == 0, &m);
        shoal_set_options options = SHOAL_SET_OPTIONS_INIT;
        options.k = 3;
        options.threads = 2;
        at_most = 1 + (uint32_t)(seed % m);
        shoal_subsets_result all;
        assert_ok(shoal_check_subsets(&all, table, at_most, &options, &err));
        uint64_t least = UINT64_MAX, n_failing = 0, n_sets = 0;
        for (uint32_t mask = 1; mask < 1u << m; mask++) {
            size_t set[DRAFT_COLUMNS], n = 0;
            for (uint32_t c = 0; c < m; c++)
                if (mask >> c & 1) set[n++] = c;
            if (n > at_most) continue;
            shoal_set_result r;
            assert_ok(shoal_check_set(&r, table, set, n, &options, &err));
            /* smaller sets too: they must not be worse */
            if (r.min_group < least) least = r.min_group;
            n_sets += n == at_most;
            n_failing += n == at_most && r.failing_groups > 0;
        }
        assert_int_equal(all.n_sets, n_sets);
        assert_int_equal(all.n_failing, n_failing);
        assert_int_equal(all.worst_result.min_group, least);
        shoal_subsets_clear(&all);
        shoal_table_free(table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_tables),
        cmocka_unit_test(test_subsets_are_the_sets),
    };
    return cmocka_run_group_tests_name("sets", tests, NULL, NULL);
}
