/* SPDX-License-Identifier: Apache-2.0 */
/* unique_columns.c - published columns whose values nearly single rows out (keys, free text, exact
 * times, exact amounts), or that identify persons by the rules with which a profile proposes
 * identifiers.
 *
 * k is about quasi-identifiers; a column that is published unchanged and has a unique value in one
 * row of ten identifies those rows for anyone who knows the value. Encoded columns are judged by
 * their counts. Of the others a sample of rows is read first: a value that is unique in the whole
 * column is unique in any sample, so a column with few unique values there is skipped. The
 * remaining columns are read again, up to a million rows, a few at a time.
 *
 * Values are compared by hashes of 64 bits. Cost: O(bytes) for each pass; 16 bytes a row and column
 * of a pass.
 */
#include "table/unique_columns.h"

#include "table/guess.h"
#include "table/window.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <string.h>

enum {
    FEWEST = 20,
    ONE_IN = 10,
    SAMPLE_ROWS = 20000,
    MOST = 1000000,
    AT_ONCE = 4,
    WINDOW = 1 << 24,
    LOOKED_AT = 1000
};

/* A column while it is read. */
typedef struct tally {
    size_t column;
    /* hashes without their lowest bit, which is set if the value was repeated; 0: free */
    uint64_t *seen;
    const char *name;
    uint64_t n_filled, n_alone, n_distinct;
    shoal_sights sights; /* of the first values */
    /* of the first values: what they look like */
    uint64_t n_looked, n_numbers, n_whole, n_times, n_blanks;
} tally;

/* ---- what values look like ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A date, or a colon between digits. */
static bool is_time(shoal_text text)
{
    if (shoal_looks_like_day(text.data, text.length)) return true;
    for (size_t i = 1; i + 1 < text.length; i++)
        if (text.data[i] == ':' && is_digit(text.data[i - 1]) && is_digit(text.data[i + 1]))
            return true;
    return false;
}

/* $1,200.50, 12,5 %, 7,20 €, 1'200.50, 1 200,50 kr: digits with a mark that only amounts have,
 * and few letters behind them. */
static bool is_amount(shoal_text text)
{
    enum { MOST_LETTERS = 3 };
    size_t n_letters = 0;
    bool has_digit = false, has_mark = false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        if (is_digit(c))
            has_digit = true;
        else if (c == ',' || c == '%' || c == '$' || c == '\'' || (unsigned char)c >= 0x80)
            has_mark = true;
        else if (has_digit && has_mark && (c | 32) >= 'a' && (c | 32) <= 'z' &&
                 n_letters < MOST_LETTERS)
            n_letters++;
        else if (c != '.' && c != ' ' && c != '-' && c != '+')
            return false;
    }
    return has_digit && has_mark;
}

static void look_at(tally *t, shoal_text text)
{
    double number;
    if (t->n_looked >= LOOKED_AT) return;
    t->n_looked++;
    shoal_sights_add(&t->sights, text.data, text.length);
    if (shoal_parse_number(text.data, text.length, &number)) {
        t->n_numbers++;
        t->n_whole += floor(number) == number;
    } else if (is_amount(text)) {
        t->n_numbers++;
    } else if (is_time(text)) {
        t->n_times++;
    } else if (memchr(text.data, ' ', text.length) != NULL) {
        t->n_blanks++;
    }
}

static const char *kind_of(const tally *t)
{
    bool is_own = t->n_alone * 20 >= t->n_filled * 19; /* almost every row has a unique value */
    if (t->n_times * 2 > t->n_looked) return "time";
    if (t->n_numbers * 2 > t->n_looked)
        return is_own && t->n_whole == t->n_numbers ? "key" : "amount";
    return t->n_blanks * 2 > t->n_looked ? "text" : "key";
}

static bool is_unique(const tally *t)
{
    return t->n_filled >= FEWEST && t->n_alone * ONE_IN >= t->n_filled;
}

/* See shoal_unique_column.identifies. */
static const char *identity_of(const tally *t)
{
    shoal_sight_counts counts = { t->name, t->n_distinct, t->n_filled };
    const char *look = t->n_filled >= FEWEST ? shoal_sights_look(&t->sights, &counts) : NULL;
    if (look != NULL) return look;
    shoal_hint hint = shoal_name_hint(t->name);
    if (t->n_filled > 0 && hint == SHOAL_HINT_IDENTIFIER) return "column name";
    if (t->n_filled >= FEWEST && hint == SHOAL_HINT_KEY && shoal_are_of_persons(&counts))
        return "key";
    return shoal_sights_are_free_text(&t->sights, &counts) ? "free text" : NULL;
}

static bool stands_out(const tally *t)
{
    return is_unique(t) || identity_of(t) != NULL;
}

/* ---- columns that are not encoded ---- */

static bool is_missing(const shoal_table *table, shoal_text text)
{
    for (size_t i = 0; i < table->n_nulls; i++)
        if (strlen(table->nulls[i]) == text.length &&
            memcmp(table->nulls[i], text.data, text.length) == 0)
            return true;
    return text.length == 0;
}

static void count(tally *t, uint64_t mask, shoal_text text)
{
    uint64_t hash = XXH3_64bits(text.data, text.length) & ~(uint64_t)1, at = hash >> 1 & mask;
    if (hash == 0) hash = 2;
    while (t->seen[at] != 0 && (t->seen[at] & ~(uint64_t)1) != hash) at = (at + 1) & mask;
    t->n_filled++;
    if (t->seen[at] == 0)
        t->n_alone++, t->n_distinct++;
    else if (t->seen[at] == hash)
        t->n_alone--;
    t->seen[at] = t->seen[at] == 0 ? hash : hash | 1;
    look_at(t, text);
}

/* `tallies` ascend by column. */
static void count_row(tally *tallies, size_t n, uint64_t mask, const shoal_table *rows,
                      const shoal_table *table, uint64_t row)
{
    const char *at = shoal_table_record(rows, row), *end = shoal_table_text_end(rows);
    size_t next = 0;
    for (size_t c = 0; next < n; c++) {
        shoal_field field;
        shoal_field_end kind = shoal_scan_field(&field, &at, end,
                                                shoal_table_text(rows)->delimiter);
        if (tallies[next].column == c) {
            shoal_text text = { field.begin + field.is_quoted,
                                (size_t)(field.end - field.begin) - 2 * (size_t)field.is_quoted };
            if (!is_missing(table, text)) count(&tallies[next], mask, text);
            next++;
        }
        if (kind != SHOAL_FIELD_MORE) break;
    }
}

/* One pass over the first rows, for `n` columns at once. */
static shoal_status count_rows(tally *tallies, size_t n, const shoal_table *rows,
                               const shoal_table *table, uint64_t n_rows, shoal_error *err)
{
    uint64_t mask = 63;
    while (mask < n_rows * 2) mask = mask * 2 + 1;
    uint64_t *slots = shoal_alloc_zero((size_t)(mask + 1) * n, sizeof *slots);
    if (slots == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        tallies[i] = (tally){ .column = tallies[i].column,
                              .name = tallies[i].name,
                              .seen = slots + i * (size_t)(mask + 1) };
    for (uint64_t row = 0; row < n_rows; row++) count_row(tallies, n, mask, rows, table, row);
    shoal_free(slots);
    return SHOAL_OK;
}

/* Moves columns with many unique values to the front; returns their number. */
static size_t keep_outstanding(tally *tallies, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (stands_out(&tallies[i])) tallies[kept++] = tallies[i];
    return kept;
}

static shoal_status count_passed_on(tally *tallies, size_t *n, const shoal_table *rows,
                                    const shoal_table *table, shoal_error *err)
{
    uint64_t most = rows->n_rows < MOST ? rows->n_rows : MOST,
             sample = most < SAMPLE_ROWS ? most : SAMPLE_ROWS;
    for (size_t i = 0; i < *n; i += 4 * AT_ONCE)
        SHOAL_RETURN_IF_ERROR(count_rows(tallies + i, *n - i < 4 * AT_ONCE ? *n - i : 4 * AT_ONCE,
                                         rows, table, sample, err));
    *n = keep_outstanding(tallies, *n);
    for (size_t i = 0; i < *n && most > sample; i += AT_ONCE)
        SHOAL_RETURN_IF_ERROR(
            count_rows(tallies + i, *n - i < AT_ONCE ? *n - i : AT_ONCE, rows, table, most, err));
    *n = keep_outstanding(tallies, *n);
    return SHOAL_OK;
}

static shoal_status look_at_rows(tally *tallies, size_t *n, const shoal_table *table,
                                 uint32_t threads, shoal_error *err)
{
    bool has_rows = shoal_table_has_text(table) && !shoal_table_is_counted(table);
    if (!has_rows) *n = 0; /* no text, or no rows */
    if (*n == 0) return SHOAL_OK;
    if (!shoal_table_is_streamed(table)) return count_passed_on(tallies, n, table, table, err);
    shoal_window window;
    bool is_there = false;
    SHOAL_RETURN_IF_ERROR(shoal_window_open(&window, table, WINDOW, threads, err));
    shoal_status status = shoal_window_next(&window, &is_there, err);
    if (status == SHOAL_OK && is_there)
        status = count_passed_on(tallies, n, &window.rows, table, err);
    if (!is_there) *n = 0;
    shoal_window_close(&window);
    return status;
}

/* ---- all of them ---- */

static tally count_encoded(const shoal_column *column, size_t number)
{
    tally t = { .column = number, .name = column->name };
    for (uint32_t v = 0; v < column->n_values; v++) {
        if (v == column->null_code) continue;
        t.n_filled += column->counts[v];
        t.n_alone += column->counts[v] == 1;
        t.n_distinct++;
        look_at(&t, column->values[v]);
    }
    return t;
}

static int by_column(const shoal_unique_column *a, const shoal_unique_column *b)
{
    return (a->column > b->column) - (a->column < b->column);
}

/* Insert in order of the number: there are few. */
static void insert(shoal_unique_column *list, size_t *n, const tally *t)
{
    shoal_unique_column made = { .column = t->column,
                                 .kind = kind_of(t),
                                 .n_rows = t->n_filled,
                                 .n_alone = t->n_alone,
                                 .is_unique = is_unique(t),
                                 .identifies = identity_of(t) };
    size_t at = (*n)++;
    for (; at > 0 && by_column(&list[at - 1], &made) > 0; at--) list[at] = list[at - 1];
    list[at] = made;
}

shoal_status shoal_unique_columns_find(shoal_unique_column **out, size_t *n_out,
                                       const shoal_table *table, uint32_t threads, shoal_error *err)
{
    size_t n = 0, n_found = 0;
    tally *tallies = shoal_alloc(table->n_columns, sizeof *tallies);
    shoal_unique_column *found = shoal_alloc(table->n_columns, sizeof *found);
    shoal_status status = tallies != NULL && found != NULL ? SHOAL_OK : shoal_fail_memory(err);
    for (size_t c = 0; status == SHOAL_OK && c < table->n_columns; c++) {
        const shoal_column *column = &table->columns[c];
        if (column->role == SHOAL_ROLE_QUASI || column->role == SHOAL_ROLE_PSEUDONYM ||
            !shoal_role_is_published(column->role))
            continue;
        tally t = column->is_encoded ? count_encoded(column, c)
                                     : (tally){ .column = c, .name = column->name };
        if (!column->is_encoded)
            tallies[n++] = t;
        else if (stands_out(&t))
            insert(found, &n_found, &t);
    }
    if (status == SHOAL_OK) status = look_at_rows(tallies, &n, table, threads, err);
    for (size_t i = 0; status == SHOAL_OK && i < n; i++) insert(found, &n_found, &tallies[i]);
    shoal_free(tallies);
    if (status == SHOAL_OK && n_found > 0) {
        *out = found;
        *n_out = n_found;
        return SHOAL_OK;
    }
    shoal_free(found);
    return status;
}
