/* SPDX-License-Identifier: Apache-2.0 */
/* test_unchanged.c - columns that are passed on: any other byte of any of them is seen, in random
 * tables with quotes, empty lines, dropped columns and dropped rows.
 *
 * Covers: verify_unchanged.c
 */
#include "test.h"
#include "verify/verify_unchanged.h"

#include <shoal/shoal.h>

enum { COLUMNS = 6, MOST_ROWS = 1500, TEXT_SIZE = 1 << 20 };

typedef struct cell {
    char text[32];     /* as it stands in the file */
    size_t mutable_at; /* a byte that can be another letter */
} cell;

typedef struct sample {
    uint64_t n_rows;
    cell cells[MOST_ROWS][COLUMNS];
    shoal_role roles[COLUMNS];
    bool ends_open, has_blank_lines; /* no line feed at the end; empty lines in the original */
    bool drops_rows;
    uint8_t kept[MOST_ROWS]; /* those that the release has */
} sample;

static shoal_error err;

static void draw_cell(cell *out, shoal_rng *rng)
{
    static const char *const forms[] = { "w%c%llu",         "\"q%c%llu\"",   "\"q%c,%llu\"",
                                         "\"q%c\"\"%llu\"", "\"q%c\n%llu\"", "%c" };
    uint64_t form = shoal_rng_below(rng, 6), letter = shoal_rng_below(rng, 4);
    snprintf(out->text, sizeof out->text, forms[form], (int)('a' + letter),
             (unsigned long long)shoal_rng_below(rng, 100000));
    out->mutable_at = form == 5 ? 0 : form == 0 ? 1 : 2;
}

static void draw_sample(sample *s, shoal_rng *rng)
{
    static const shoal_role roles[] = { SHOAL_ROLE_OTHER, SHOAL_ROLE_OTHER, SHOAL_ROLE_SENSITIVE,
                                        SHOAL_ROLE_IDENTIFIER, SHOAL_ROLE_QUASI };
    s->n_rows = 1 + shoal_rng_below(rng, shoal_rng_below(rng, 2) == 0 ? 20 : MOST_ROWS);
    s->ends_open = shoal_rng_below(rng, 2) == 0;
    s->has_blank_lines = shoal_rng_below(rng, 4) == 0;
    for (size_t c = 0; c < COLUMNS; c++) s->roles[c] = roles[shoal_rng_below(rng, 5)];
    s->roles[shoal_rng_below(rng, COLUMNS)] = SHOAL_ROLE_OTHER;
    for (uint64_t row = 0; row < s->n_rows; row++)
        for (size_t c = 0; c < COLUMNS; c++) draw_cell(&s->cells[row][c], rng);
    s->drops_rows = shoal_rng_below(rng, 2) == 0;
    for (uint64_t row = 0; row < s->n_rows; row++)
        s->kept[row] = !s->drops_rows || row + 1 == s->n_rows || shoal_rng_below(rng, 4) > 0;
}

/* The release drops identifiers and publishes quasi-identifiers otherwise. */
static size_t write_text(char *out, const sample *s, bool is_release, const char *line_end)
{
    size_t at = 0;
    for (uint64_t line = 0; line <= s->n_rows; line++) {
        bool is_first = true;
        if (is_release && line > 0 && !s->kept[line - 1]) continue;
        for (size_t c = 0; c < COLUMNS; c++) {
            if (is_release && s->roles[c] == SHOAL_ROLE_IDENTIFIER) continue;
            if (!is_first) out[at++] = ',';
            is_first = false;
            if (line == 0)
                at += (size_t)sprintf(out + at, "c%zu", c);
            else if (is_release && s->roles[c] == SHOAL_ROLE_QUASI)
                at += (size_t)sprintf(out + at, "*");
            else
                at += (size_t)sprintf(out + at, "%s", s->cells[line - 1][c].text);
        }
        if (line < s->n_rows || !s->ends_open) at += (size_t)sprintf(out + at, "%s", line_end);
        if (!is_release && s->has_blank_lines && line > 0 && line % 50 == 0 && line < s->n_rows)
            out[at++] = '\n';
    }
    return at;
}

static shoal_table *open_text(const char *text, size_t size, const shoal_role *roles,
                              bool is_release)
{
    shoal_table *table = NULL;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    csv.delimiter = ',';
    assert_ok(shoal_table_open_memory(&table, text, size, NULL, NULL, &csv, &err));
    size_t at = 0;
    for (size_t c = 0; c < COLUMNS; c++) {
        if (is_release && roles[c] == SHOAL_ROLE_IDENTIFIER) continue;
        assert_ok(shoal_table_set_role(table, at++, roles[c], &err));
    }
    assert_ok(shoal_table_load(table, &load, &err));
    return table;
}

static void assert_verdict(const sample *s, const char *before, size_t before_size,
                           shoal_status wanted, const char *line_end)
{
    static char after[TEXT_SIZE];
    shoal_table *original = open_text(before, before_size, s->roles, false),
                *released = open_text(after, write_text(after, s, true, line_end), s->roles, true);
    for (uint32_t threads = 1; threads <= 3; threads += 2)
        assert_int_equal(shoal_verify_unchanged(original, released, s->drops_rows ? s->kept : NULL,
                                                true, threads, &err),
                         wanted);
    shoal_table_free(original);
    shoal_table_free(released);
}

static void test_any_other_byte_is_seen(void **state)
{
    (void)state;
    static sample s;
    static char before[TEXT_SIZE];
    shoal_rng rng;
    shoal_rng_init(&rng, 7, 0);
    for (int turn = 0; turn < 60; turn++) {
        const char *line_end = turn % 3 == 0 ? "\r\n" : "\n";
        draw_sample(&s, &rng);
        size_t size = write_text(before, &s, false, line_end);
        assert_verdict(&s, before, size, SHOAL_OK, line_end);
        /* another line end is none of the columns' */
        assert_verdict(&s, before, size, SHOAL_OK, "\n");
        for (int change = 0; change < 3; change++) {
            size_t column = shoal_rng_below(&rng, COLUMNS);
            uint64_t row = change == 0 ? s.n_rows - 1 : shoal_rng_below(&rng, s.n_rows);
            cell *changed = &s.cells[row][column];
            changed->text[changed->mutable_at] ^= 0x20; /* another case: no other form */
            bool is_passed_on = s.kept[row] && (s.roles[column] == SHOAL_ROLE_OTHER ||
                                                s.roles[column] == SHOAL_ROLE_SENSITIVE);
            assert_verdict(&s, before, size, is_passed_on ? SHOAL_EUNSAT : SHOAL_OK, line_end);
            changed->text[changed->mutable_at] ^= 0x20;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_any_other_byte_is_seen) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
