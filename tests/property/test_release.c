/* SPDX-License-Identifier: Apache-2.0 */
/* test_release.c - random tables with random groupings: written, reopened, verified, measured, and
 * spoilt.
 *
 * Numbers, dates, a hierarchy with holes, and sets of nasty texts, with missing values in each
 * mode. For each table: the file equals the cells asked for one by one; the verifier accepts it;
 * the measures of the file are those of the grouping; and after one cell is changed the verifier
 * says what counting every pair of rows says. All of it for every model of recoding.
 * Covers: microaggregate.c, recode_names.c, uncovered_spread.c, verify_aggregates.c
 */
#include "release_fixture.h"

#include <math.h>
#include <stdio.h>

enum { MAX_ROWS = 60, N_COLUMNS = 5, N_ROUNDS = 400 };

static const char zip_levels[] =
    "4350;435*;4***;*\n4351;435*;4***;*\n4352;435*;4***;*\n4400;44**;4***;*\n4401;44**;4***;*\n"
    "5000;50**;5***;*\n5001;50**;5***;*\n?;?;?;*\n";
/* ages below 9 in threes, with holes; some numbers are not there at all */
static const char age_levels[] = "-3;low;*\n-2.5;low;*\n-2;low;*\n0;mid;*\n0.5;mid;*\n1;mid;*\n1.5;"
                                 "mid;*\n2;[2..4];*\n3;[2..4];*\n4;[2..4];*\n"
                                 "5;high;*\n6;high;*\n7;high;*\n";
static const char *const zips[] = { "4350", "4351", "4400", "4401", "5000", "9998", "9999", "?" };
static const char *const words[] = { "a",    "b",         "{a|b}",       "x|y", "a,b", " pad",
                                     "q\"q", "line\nend", "back\\slash", "*",   "}" };

/* One random case: a table as text, its grouping as a list, and what it publishes. */
typedef struct trial {
    shoal_rng rng;
    uint32_t n_rows, k, n_groups;
    shoal_missing missing;
    shoal_recode_model model;
    char *text;
    size_t text_size;
    uint32_t groups[MAX_ROWS];
    shoal_table *table;
    shoal_grouping *grouping;
    char *cells[MAX_ROWS][N_COLUMNS]; /* as published; the last column is no QID */
} trial;

static uint32_t below(trial *t, uint32_t bound)
{
    return (uint32_t)shoal_rng_below(&t->rng, bound);
}

static void add_csv(shoal_buffer *out, const char *text, bool is_last)
{
    bool quote = strpbrk(text, ",\"\r\n") != NULL || text[0] == ' ';
    if (quote) shoal_buffer_add(out, "\"", 1);
    for (const char *p = text; *p != '\0'; p++)
        shoal_buffer_print(out, *p == '"' ? "\"\"" : "%c", *p);
    shoal_buffer_print(out, "%s%s", quote ? "\"" : "", is_last ? "\n" : ",");
}

static void make_text(trial *t)
{
    shoal_buffer out = { 0 };
    uint32_t n_words = 1 + below(t, 11), n_ages = 1 + below(t, 30), null_share = below(t, 2) * 20;
    shoal_buffer_print(&out, "age,zip,word,day,other\n");
    for (uint32_t i = 0; i < t->n_rows; i++) {
        char cell[64];
        snprintf(cell, sizeof cell, "%g", 0.5 * below(t, n_ages) - 3);
        add_csv(&out, below(t, 100) < null_share ? "" : cell, false);
        add_csv(&out, below(t, 100) < null_share ? "" : zips[below(t, 8)], false);
        add_csv(&out, below(t, 100) < null_share ? "" : words[below(t, n_words)], false);
        snprintf(cell, sizeof cell, "2020-02-%02u", 1 + below(t, 28));
        add_csv(&out, below(t, 100) < null_share ? "" : cell, false);
        snprintf(cell, sizeof cell, "o%u", i);
        add_csv(&out, cell, true);
    }
    t->text = out.data;
    t->text_size = out.size;
}

/* Groups of k rows or more of a random order; sometimes the first k or more rows of it are
 * suppressed. */
static void make_groups(trial *t)
{
    uint32_t order[MAX_ROWS], at = 0;
    for (uint32_t i = 0; i < t->n_rows; i++) {
        uint32_t j = below(t, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    bool suppress = below(t, 3) == 0;
    t->n_groups = 0;
    while (at < t->n_rows) {
        uint32_t size = t->k + below(t, t->k);
        if (t->n_rows - at < size + t->k) size = t->n_rows - at;
        uint32_t group = suppress ? SHOAL_SUPPRESSED : t->n_groups++;
        for (uint32_t i = 0; i < size; i++) t->groups[order[at++]] = group;
        suppress = false;
    }
}

static void trial_make_as(trial *t, uint64_t round, shoal_recode_model model)
{
    shoal_error err;
    *t = (trial){ 0 };
    shoal_rng_init(&t->rng, 11, round);
    t->k = 2 + below(t, 4);
    t->n_rows = t->k + below(t, MAX_ROWS - t->k);
    t->missing = (shoal_missing)(round % 3);
    if (shoal_recode_is_microaggregation(model) && t->missing == SHOAL_MISSING_WILDCARD)
        t->missing = SHOAL_MISSING_OWN_CATEGORY;
    t->model = model;
    make_text(t);
    make_groups(t);
    column_spec columns[] = {
        { "word", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, NULL, 0 },
        { "age", SHOAL_ROLE_QUASI, SHOAL_TYPE_NUMERIC, NULL, 0 },
        { "zip", SHOAL_ROLE_QUASI, SHOAL_TYPE_CATEGORICAL, zip_levels, SHOAL_ON_MISSING_TOP },
        { "day", SHOAL_ROLE_QUASI, SHOAL_TYPE_DATE, NULL, 0 },
    };
    if (below(t, 2) == 0) columns[1].levels = age_levels;
    if (below(t, 2) == 0) columns[2].on_missing = SHOAL_ON_MISSING_OWN_LEAF;
    table_spec spec = { .text = t->text,
                        .size = t->text_size,
                        .columns = columns,
                        .n_columns = 4,
                        .missing = t->missing,
                        .data_only = below(t, 2) == 0 };
    assert_ok(open_table(&t->table, &spec, &err));
    assert_ok(group_rows(&t->grouping, t->table, t->groups, &err));
    assert_ok(shoal_grouping_recode(t->grouping, t->table, model, 1 + (uint32_t)round % 3, &err));
    for (uint32_t i = 0; i < t->n_rows; i++)
        for (size_t c = 0; c < N_COLUMNS; c++)
            assert_ok(shoal_release_cell(&t->cells[i][c], t->table, t->grouping, i, c, &err));
}

static void trial_make(trial *t, uint64_t round)
{
    trial_make_as(t, round, SHOAL_RECODE_LOCAL);
}

static void trial_clear(trial *t)
{
    for (uint32_t i = 0; i < t->n_rows; i++)
        for (size_t c = 0; c < N_COLUMNS; c++) shoal_string_free(t->cells[i][c]);
    shoal_grouping_free(t->grouping);
    shoal_table_free(t->table);
    shoal_free(t->text);
}

/* The release as CSV, put together from its cells. */
static shoal_buffer spell_release(const trial *t)
{
    shoal_buffer out = { 0 };
    shoal_buffer_print(&out, "age,zip,word,day,other\n");
    for (uint32_t i = 0; i < t->n_rows; i++)
        for (size_t c = 0; c < N_COLUMNS; c++) add_csv(&out, t->cells[i][c], c + 1 == N_COLUMNS);
    return out;
}

static shoal_status verify_text(const trial *t, const shoal_buffer *text,
                                shoal_check_result *result)
{
    shoal_error err;
    shoal_table *released = NULL;
    assert_ok(shoal_released_open(&released, text->data, text->size, t->table, 1, &err));
    shoal_verify_options options = SHOAL_VERIFY_OPTIONS_INIT;
    options.k = t->k;
    options.recoding = t->model;
    shoal_status status = shoal_verify_release(result, t->table, released, &options, &err);
    shoal_table_free(released);
    return status;
}

/* The smallest number of rows that a row cannot be distinguished from, by comparing all pairs. */
static uint32_t least_matches(const trial *t)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < t->n_rows; i++) {
        uint32_t n = 0;
        for (uint32_t j = 0; j < t->n_rows; j++) {
            bool same = true;
            for (size_t c = 0; c + 1 < N_COLUMNS; c++) {
                const char *x = t->cells[i][c], *y = t->cells[j][c];
                bool is_wild = t->missing == SHOAL_MISSING_WILDCARD &&
                               (x[0] == '\0' || y[0] == '\0');
                same = same && (is_wild || strcmp(x, y) == 0);
            }
            n += same;
        }
        if (n < least) least = n;
    }
    return least;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fmax(1, fabs(expected))))
        fail_msg("%.17g instead of %.17g", value, expected);
}

/* Rows of only `*`. */
static uint64_t starred_rows(const shoal_table *released)
{
    shoal_error err;
    shoal_check_result found;
    assert_ok(shoal_check(&found, released, 1, 1, &err));
    return found.suppressed_rows;
}

static void assert_measures_agree(const trial *t, const shoal_buffer *text)
{
    shoal_error err;
    shoal_table *released = NULL;
    shoal_measures a, b;
    uint64_t unread = 1;
    assert_ok(shoal_released_open(&released, text->data, text->size, t->table, 1, &err));
    assert_ok(shoal_measure_grouping(&a, t->table, t->grouping, t->k, &err));
    assert_ok(shoal_measure_release(&b, t->table, released, t->k, &unread, &err));
    assert_int_equal(unread, 0);
    assert_int_equal(a.n_groups, b.n_groups);
    assert_int_equal(a.min_group, b.min_group);
    uint64_t n = shoal_grouping_n_suppressed(t->grouping), n_stars = starred_rows(released);
    assert_int_equal(a.suppressed_rows, n); /* the text does not say which rows of `*` were */
    assert_int_equal(b.suppressed_rows, 0);
    assert_near(b.gcp, a.gcp);
    assert_near(b.ncp, a.ncp);
    assert_near(b.um, a.um);
    assert_near(b.wgu, a.wgu);
    assert_near(b.dm, a.dm - (double)n * (double)(t->n_rows - n_stars));
    assert_near(b.cavg, a.cavg);
    assert_near(b.modification_rate, a.modification_rate);
    assert_true(b.distortion == a.distortion); /* counted, then multiplied: not a bit differs */
    if (b.has_sse) assert_true(a.has_sse);
    if (b.has_sse) assert_near(b.sse_ratio, a.sse_ratio);
    assert_near(b.distortion_ratio, a.distortion_ratio);
    assert_near(b.s1_loss, a.s1_loss);
    assert_near(b.s1_loss_wid, a.s1_loss_wid);
    assert_true(a.distortion_ratio >= 0 && a.distortion_ratio <= 1);
    for (size_t q = 0; q < a.n_qids; q++) assert_near(b.qid_loss[q], a.qid_loss[q]);
    assert_true(a.gcp >= 0 && a.gcp <= 1);
    shoal_measures_clear(&a);
    shoal_measures_clear(&b);
    shoal_table_free(released);
}

static void write_verify_measure(shoal_recode_model model, uint64_t n_rounds)
{
    static trial t;
    for (uint64_t round = 0; round < share_of(n_rounds); round++) {
        shoal_error err;
        shoal_check_result result;
        shoal_buffer written = { 0 };
        trial_make_as(&t, round, model);
        shoal_buffer spelled = spell_release(&t);
        assert_ok(write_release(&written, t.table, t.grouping, NULL, &err));
        assert_int_equal(written.size, spelled.size);
        assert_memory_equal(written.data, spelled.data, spelled.size);
        assert_int_equal(verify_text(&t, &written, &result), SHOAL_OK);
        assert_int_equal(result.n_rows, t.n_rows);
        assert_int_equal(result.min_group, least_matches(&t));
        assert_true(result.min_group >= t.k);
        assert_measures_agree(&t, &written);
        shoal_buffer_clear(&written);
        shoal_buffer_clear(&spelled);
        trial_clear(&t);
    }
}

static void test_write_verify_measure(void **state)
{
    (void)state;
    write_verify_measure(SHOAL_RECODE_LOCAL, N_ROUNDS);
}

static void test_every_recoding(void **state)
{
    (void)state;
    for (int model = SHOAL_RECODE_NODE; model < SHOAL_RECODE_COUNT; model++)
        write_verify_measure((shoal_recode_model)model, N_ROUNDS);
}

static void replace_cell(trial *t, uint32_t row, size_t column, const char *text, size_t length)
{
    shoal_string_free(t->cells[row][column]);
    t->cells[row][column] = shoal_copy_text(text, length);
}

/* Publish in every row of a group (so that k holds) a value that one of them does not have. */
static void test_wrong_value_is_refused(void **state)
{
    (void)state;
    static trial t;
    uint32_t n_tried = 0;
    for (uint64_t round = 0; round < share_of(N_ROUNDS); round++) {
        trial_make(&t, round);
        uint32_t row = below(&t, t.n_rows);
        size_t column = below(&t, N_COLUMNS - 1), length;
        uint32_t code = below(&t, shoal_table_n_values(t.table, column));
        const char *value = shoal_table_value(t.table, column, code, &length);
        bool is_wide = length == 1 && value[0] == '*'; /* these two cover more than themselves */
        is_wide = is_wide || (length > 0 && value[0] == '{');
        if (code != shoal_table_code(t.table, column, row) && !is_wide) {
            shoal_check_result result;
            for (uint32_t i = 0; i < t.n_rows; i++)
                if (t.groups[i] == t.groups[row]) replace_cell(&t, i, column, value, length);
            shoal_buffer spoilt = spell_release(&t);
            assert_int_equal(verify_text(&t, &spoilt, &result), SHOAL_EUNSAT);
            assert_true(result.uncovered_cells > 0 || result.failing_groups > 0);
            shoal_buffer_clear(&spoilt);
            n_tried++;
        }
        trial_clear(&t);
    }
    assert_in_all(n_tried > N_ROUNDS / 2);
}

/* A cell widened to `*` still covers: whether the release may stand is a matter of k alone. */
static void test_widened_cell_is_a_matter_of_k(void **state)
{
    (void)state;
    static trial t;
    uint32_t n_refused = 0;
    for (uint64_t round = 0; round < share_of(N_ROUNDS); round++) {
        shoal_check_result result;
        trial_make(&t, round);
        replace_cell(&t, below(&t, t.n_rows), below(&t, N_COLUMNS - 1), "*", 1);
        shoal_buffer changed = spell_release(&t);
        bool holds = least_matches(&t) >= t.k;
        assert_int_equal(verify_text(&t, &changed, &result), holds ? SHOAL_OK : SHOAL_EUNSAT);
        assert_int_equal(result.min_group, least_matches(&t));
        n_refused += !holds;
        shoal_buffer_clear(&changed);
        trial_clear(&t);
    }
    assert_in_all(n_refused > N_ROUNDS / 10 && n_refused < N_ROUNDS);
}

/* ---- microaggregation, by comparing all pairs of rows ---- */

static bool same_tuple(const trial *t, uint32_t i, uint32_t j)
{
    for (size_t c = 0; c + 1 < N_COLUMNS; c++)
        if (strcmp(t->cells[i][c], t->cells[j][c]) != 0) return false;
    return true;
}

static double number_in(const trial *t, uint32_t row, size_t column, bool *is_missing)
{
    size_t length;
    const char *text = shoal_table_value(t->table, column, shoal_table_code(t->table, column, row),
                                         &length);
    double number = 0;
    *is_missing = length == 0;
    if (length > 0)
        assert_true(column == 0 ? shoal_parse_number(text, length, &number)
                                : shoal_parse_date(text, length, &number));
    return number;
}

/* Is the cell of `row` in a numeric column the mean of the rows with its tuple, as near as it is
 * rounded? */
static bool is_mean_of_tuple(const trial *t, uint32_t row, size_t column)
{
    const char *cell = t->cells[row][column];
    double sum = 0, published = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n_rows; i++) {
        bool is_missing;
        double number = number_in(t, i, column, &is_missing);
        if (!same_tuple(t, row, i) || is_missing) continue;
        sum += number;
        n++;
    }
    if (n == 0) return cell[0] == '\0';
    if (!(column == 0 ? shoal_parse_number(cell, strlen(cell), &published)
                      : shoal_parse_date(cell, strlen(cell), &published)))
        return false;
    double half_unit = column == 0 ? 0.005 : 0.5;
    for (uint32_t v = 0; column == 0 && v < shoal_table_n_values(t->table, 0); v++) {
        size_t length;
        const char *text = shoal_table_value(t->table, 0, v, &length);
        /* halves: one decimal, so three are published */
        if (memchr(text, '.', length) != NULL) half_unit = 0.0005;
    }
    return fabs(published - sum / n) <= half_unit + 1e-9;
}

static bool is_mode_of_tuple(const trial *t, uint32_t row, size_t column)
{
    uint32_t counts[64] = { 0 }, best = 0, n_values = shoal_table_n_values(t->table, column);
    for (uint32_t i = 0; i < t->n_rows; i++)
        if (same_tuple(t, row, i)) counts[shoal_table_code(t->table, column, i)]++;
    for (uint32_t v = 1; v < n_values; v++)
        if (counts[v] > counts[best]) best = v;
    size_t length;
    const char *text = shoal_table_value(t->table, column, best, &length);
    return strlen(t->cells[row][column]) == length &&
           memcmp(t->cells[row][column], text, length) == 0;
}

static bool means_and_modes_are_right(const trial *t)
{
    for (uint32_t row = 0; row < t->n_rows; row++)
        for (size_t c = 0; c + 1 < N_COLUMNS; c++) {
            if (strcmp(t->cells[row][c], "*") == 0) continue;
            bool is_number = c == 0 || c == 3;
            if (!(is_number ? is_mean_of_tuple(t, row, c) : is_mode_of_tuple(t, row, c)))
                return false;
        }
    return true;
}

/* Another value of the column in all rows of a published group: the verifier says what counting
 * pairs says. */
static void test_wrong_mean_is_refused(void **state)
{
    (void)state;
    static trial t;
    uint32_t n_refused = 0;
    for (uint64_t round = 0; round < share_of(N_ROUNDS); round++) {
        trial_make_as(&t, round, SHOAL_RECODE_MEAN);
        assert_true(t.missing == SHOAL_MISSING_CONSERVATIVE || means_and_modes_are_right(&t));
        size_t column = below(&t, N_COLUMNS - 1), length;
        uint32_t row = below(&t, t.n_rows), group = shoal_grouping_group(t.grouping, row);
        const char *value = shoal_table_value(
            t.table, column, below(&t, shoal_table_n_values(t.table, column)), &length);
        bool is_known = t.missing == SHOAL_MISSING_OWN_CATEGORY && group != SHOAL_SUPPRESSED &&
                        strcmp(t.cells[row][column], "*") != 0;
        if (is_known && !(column == 2 && length == 1 && value[0] == '*')) {
            shoal_check_result result;
            for (uint32_t i = 0; i < t.n_rows; i++)
                if (shoal_grouping_group(t.grouping, i) == group)
                    replace_cell(&t, i, column, value, length);
            shoal_buffer spoilt = spell_release(&t);
            bool holds = means_and_modes_are_right(&t);
            assert_int_equal(verify_text(&t, &spoilt, &result), holds ? SHOAL_OK : SHOAL_EUNSAT);
            assert_true(holds || result.uncovered_cells >= t.k);
            n_refused += !holds;
            shoal_buffer_clear(&spoilt);
        }
        trial_clear(&t);
    }
    assert_in_all(n_refused > N_ROUNDS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_verify_measure),
        cmocka_unit_test(test_every_recoding),
        cmocka_unit_test(test_wrong_value_is_refused),
        cmocka_unit_test(test_wrong_mean_is_refused),
        cmocka_unit_test(test_widened_cell_is_a_matter_of_k),
    };
    return cmocka_run_group_tests_name("release", tests, NULL, NULL);
}
