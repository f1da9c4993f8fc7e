/* SPDX-License-Identifier: Apache-2.0 */
/* row_hints.c - warnings about the order and the identifiers of a table: is it sorted, do persons
 * repeat?
 *
 * Reads the first rows (all up to a quarter of a million, enough to see an order and fast compared
 * with reading the rest; for a streamed table those of its first window). A column counts as sorted
 * when neighbours fall (or rise) less than a tenth as often as they would in a random order, which
 * is (1 - sum of squared shares) / 2. An identifier repeats where two rows have the same value of
 * it and the same quasi-identifiers: names may be shared by chance, but such rows are one person,
 * as far as can be known, and end up in one group. They are compared by a hash of 64 bits: two
 * different ones that are taken for one are a matter of chance below 10^-6.
 *
 * Cost: O(bytes of these rows); 16 bytes per row for identifiers.
 */
#include "table/row_hints.h"

#include "table/window.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

enum {
    MOST_ROWS = 250000,
    FEWEST_ROWS = 20,
    WINDOW_BYTES = 1 << 24,
    MANY_REPEATED =
        100 /* one row in so many; fewer may be persons who share a name and a tuple by chance */
};

/* State of a column from row to row. */
typedef struct watched {
    size_t column;
    bool is_identifier;
    shoal_order_counts order;
    shoal_text last;
    double last_number;
    bool last_is_number;
    uint64_t *seen; /* hashes of identifiers; 0: free */
    uint64_t n_repeated;
} watched;

typedef struct watcher {
    const shoal_table *table;
    watched *columns;
    size_t n, last_column;
    uint64_t n_rows;
    uint64_t mask; /* of `seen` */
} watcher;

double shoal_share_of_falls(const shoal_table *table, const shoal_column *column)
{
    double sum = 0, total = (double)(table->total > 0 ? table->total : 1);
    if (!column->is_encoded) return 0.5;
    for (uint32_t v = 0; v < column->n_values; v++)
        sum += (double)column->counts[v] / total * ((double)column->counts[v] / total);
    return (1 - sum) / 2;
}

bool shoal_order_is_told(const shoal_order_counts *o)
{
    double limit = o->expected * (double)(o->n_rows - 1) / 10;
    return o->n_rows >= FEWEST_ROWS && o->expected >= 0.02 &&
           ((double)o->n_falls < limit || (double)o->n_rises < limit);
}

/* Dates and numbers are compared as such, however the column writes them. */
static void compare(watched *w, const shoal_column *column, shoal_text text)
{
    double number = 0;
    const shoal_format *format = column->has_format ? &column->asked_format : &column->format;
    bool is_styled = column->is_encoded &&
                     (format->kind == SHOAL_FORMAT_NUMBER || format->kind == SHOAL_FORMAT_DATE);
    bool is_number = is_styled ? shoal_format_read(format, text.data, text.length, &number)
                               : shoal_parse_number(text.data, text.length, &number);
    int order = 0;
    if (is_number && w->last_is_number) {
        order = (number > w->last_number) - (number < w->last_number);
    } else if (w->last.data != NULL) {
        size_t shorter = text.length < w->last.length ? text.length : w->last.length;
        order = memcmp(text.data, w->last.data, shorter);
        if (order == 0) order = (text.length > w->last.length) - (text.length < w->last.length);
    }
    w->order.n_rises += order > 0;
    w->order.n_falls += order < 0;
    w->last = text;
    w->last_number = number;
    w->last_is_number = is_number;
}

static bool is_missing(const shoal_table *table, shoal_text text)
{
    for (size_t i = 0; i < table->n_nulls; i++)
        if (strlen(table->nulls[i]) == text.length &&
            memcmp(table->nulls[i], text.data, text.length) == 0)
            return true;
    return text.length == 0;
}

/* `tuple`: a hash of the row's quasi-identifiers. */
static void remember(const watcher *r, watched *w, uint64_t tuple)
{
    if (is_missing(r->table, w->last)) return;
    uint64_t hash = XXH3_64bits_withSeed(w->last.data, w->last.length, tuple) | 1,
             at = hash >> 1 & r->mask;
    while (w->seen[at] != 0 && w->seen[at] != hash) at = (at + 1) & r->mask;
    w->n_repeated += w->seen[at] == hash;
    w->seen[at] = hash;
}

static void watch_row(const watcher *r, const shoal_table *rows, uint64_t row)
{
    const char *at = shoal_table_record(rows, row), *end = shoal_table_text_end(rows);
    uint64_t tuple = 0;
    size_t next = 0;
    for (size_t c = 0; c <= r->last_column && next < r->n; c++) {
        shoal_field field;
        shoal_field_end kind = shoal_scan_field(&field, &at, end,
                                                shoal_table_text(rows)->delimiter);
        if (r->columns[next].column == c) {
            watched *w = &r->columns[next++];
            shoal_text text = { field.begin, (size_t)(field.end - field.begin) };
            compare(w, &r->table->columns[c], text);
            if (!w->is_identifier) tuple = XXH3_64bits_withSeed(text.data, text.length, tuple);
        }
        if (kind != SHOAL_FIELD_MORE) break;
    }
    for (size_t i = 0; i < next; i++)
        if (r->columns[i].seen != NULL) remember(r, &r->columns[i], tuple);
}

static shoal_status watcher_make(watcher *r, const shoal_table *table, bool with_sensitive,
                                 uint64_t n_rows, shoal_error *err)
{
    *r = (watcher){ .table = table, .n_rows = n_rows, .mask = 63 };
    r->columns = shoal_alloc_zero(table->n_columns, sizeof *r->columns);
    if (r->columns == NULL) return shoal_fail_memory(err);
    while (r->mask < n_rows * 2) r->mask = r->mask * 2 + 1;
    for (size_t c = 0; c < table->n_columns; c++) {
        shoal_role role = table->columns[c].role;
        bool is_identifier = role == SHOAL_ROLE_IDENTIFIER;
        if (!is_identifier && role != SHOAL_ROLE_QUASI &&
            !(with_sensitive && role == SHOAL_ROLE_SENSITIVE))
            continue;
        watched *w = &r->columns[r->n++];
        *w = (watched){ .column = c, .is_identifier = is_identifier };
        w->order = (shoal_order_counts){
            .n_rows = n_rows, .expected = shoal_share_of_falls(table, &table->columns[c])
        };
        r->last_column = c;
        if (is_identifier) w->seen = shoal_alloc_zero((size_t)r->mask + 1, sizeof *w->seen);
        if (is_identifier && w->seen == NULL) return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

static void watcher_clear(watcher *r)
{
    for (size_t i = 0; i < r->n; i++) shoal_free(r->columns[i].seen);
    shoal_free(r->columns);
}

static bool has_entity(const shoal_table *table)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (shoal_role_is_person(table->columns[c].role)) return true;
    return false;
}

/* The identifier that repeats least is the one that names persons; where even it repeats, persons
 * may. */
static void conclude(shoal_row_hints *out, const watcher *r)
{
    const watched *rarest = NULL;
    uint64_t least = 0;
    out->n_rows = r->n_rows;
    for (size_t i = 0; i < r->n; i++) {
        const watched *w = &r->columns[i];
        uint64_t n_against = w->order.n_falls < w->order.n_rises ? w->order.n_falls
                                                                 : w->order.n_rises;
        if (shoal_order_is_told(&w->order) &&
            (out->sorted_column == SIZE_MAX || n_against < least)) {
            out->sorted_column = w->column;
            least = n_against;
        }
        if (w->is_identifier && (rarest == NULL || w->n_repeated < rarest->n_repeated)) rarest = w;
    }
    if (rarest == NULL || rarest->n_repeated * MANY_REPEATED < r->n_rows ||
        rarest->n_repeated == 0 || has_entity(r->table))
        return;
    out->repeated_column = rarest->column;
    out->repeated_rows = rarest->n_repeated;
}

static shoal_status look(shoal_row_hints *out, const shoal_table *table, const shoal_table *rows,
                         bool with_sensitive, shoal_error *err)
{
    watcher r;
    uint64_t n = rows->n_rows < MOST_ROWS ? rows->n_rows : MOST_ROWS;
    shoal_status status = watcher_make(&r, table, with_sensitive, n, err);
    for (uint64_t row = 0; status == SHOAL_OK && row < n; row++) watch_row(&r, rows, row);
    if (status == SHOAL_OK && n > 0) conclude(out, &r);
    watcher_clear(&r);
    return status;
}

shoal_status shoal_row_hints_find(shoal_row_hints *out, const shoal_table *table,
                                  bool with_sensitive, uint32_t threads, shoal_error *err)
{
    *out = (shoal_row_hints){ .sorted_column = SIZE_MAX, .repeated_column = SIZE_MAX };
    /* no text, or no rows */
    if (!shoal_table_has_text(table) || shoal_table_is_counted(table)) return SHOAL_OK;
    if (!shoal_table_is_streamed(table)) return look(out, table, table, with_sensitive, err);
    shoal_window window;
    bool is_there = false;
    SHOAL_RETURN_IF_ERROR(shoal_window_open(&window, table, WINDOW_BYTES, threads, err));
    shoal_status status = shoal_window_next(&window, &is_there, err);
    if (status == SHOAL_OK && is_there)
        status = look(out, table, &window.rows, with_sensitive, err);
    shoal_window_close(&window);
    return status;
}
