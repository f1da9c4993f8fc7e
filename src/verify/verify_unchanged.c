/* SPDX-License-Identifier: Apache-2.0 */
/* verify_unchanged.c - columns that are passed on are those of the original, byte for byte, in the rows that they belong to.
 *
 * Both texts are scanned side by side: by the offsets of their rows, in parallel over runs of rows, or one record after the other
 * where the rows are not in memory. Where rows correspond one to one, the separators of a stretch of both are listed at once (csv_index.h) and
 * adjacent columns compared as one piece; what differs or is not regular there is scanned field by field, which decides.
 * Cost: O(bytes of both).
 */
#include "verify/verify_unchanged.h"

#include "published/released.h"
#include "table/csv_index.h"

#include <string.h>

enum { RUN_ROWS = 1 << 14 };

/* Adjacent columns that are passed on, as they are numbered in both tables. */
typedef struct piece {
    size_t from, to, n_columns;
} piece;

typedef struct comparison {
    const shoal_table *original, *released;
    uint8_t *is_published, *is_passed_on; /* of each column of the original */
    piece *pieces;
    size_t n_pieces, n_published;
    bool is_scanned; /* every row: pseudonyms are looked at one by one */
} comparison;

/* Of a stretch of either text. */
typedef struct stretch_pair {
    shoal_csv_index from, to;
} stretch_pair;

/* Is the field what stands for the identifier of a row? Where no key is at hand, nobody can tell. */
static bool is_pseudonym(const shoal_column *column, uint64_t row, const shoal_field *field)
{
    if (column->pseudonyms == NULL) return true;
    shoal_text text = column->pseudonyms[shoal_column_code(column, row)];
    return (size_t)(field->end - field->begin) == text.length && memcmp(field->begin, text.data, text.length) == 0;
}

/* Does the record at `y` hold what the one at `x`, that of a row, passes on? Both move to the next record. */
static bool is_same_record(const comparison *c, uint64_t row, const char **x, const char **y)
{
    const shoal_table *from = c->original, *to = c->released;
    const char *x_end = from->data + from->data_size, *y_end = to->data + to->data_size;
    bool is_same = true, has_more = true;
    shoal_field a, b;
    for (size_t column = 0; column < from->n_columns && *x < x_end; column++) {
        shoal_field_end kind = shoal_scan_field(&a, x, x_end, from->delimiter);
        if (c->is_published[column]) {
            if (!has_more || *y >= y_end) return false;
            has_more = shoal_scan_field(&b, y, y_end, to->delimiter) == SHOAL_FIELD_MORE;
            size_t size = (size_t)(a.end - a.begin);
            if (from->columns[column].role == SHOAL_ROLE_PSEUDONYM) is_same = is_same && is_pseudonym(&from->columns[column], row, &b);
            if (c->is_passed_on[column]) is_same = is_same && (size_t)(b.end - b.begin) == size && memcmp(a.begin, b.begin, size) == 0;
        }
        if (kind != SHOAL_FIELD_MORE) break;
        if (column + 1 == from->n_columns) (void)shoal_scan_field(&a, x, x_end, from->delimiter); /* a separator at the end of the line */
    }
    return is_same;
}

/* The rows were read: of mapped files their pages need not stay. */
static void forget_rows(const shoal_table *table, uint64_t first, uint64_t last)
{
    if (table->is_map) shoal_pages_forget(table->data + table->row_offset[first], (size_t)(table->row_offset[last] - table->row_offset[first]));
}

/* ---- stretches ---- */

static size_t bytes_between(const shoal_table *table, uint64_t first, uint64_t end)
{
    return (size_t)(table->row_offset[end] - table->row_offset[first]);
}

/* How many of the rows from `first` on fit a stretch in both tables; `end` is a row, too. */
static uint64_t count_fitting(const comparison *c, uint64_t first, uint64_t end)
{
    uint64_t row = first;
    while (row < end && bytes_between(c->original, first, row + 1) <= SHOAL_CSV_STRETCH && bytes_between(c->released, first, row + 1) <= SHOAL_CSV_STRETCH) row++;
    return row - first;
}

/* List the fields of some rows; false where the list cannot be relied on or the lines are not all of `n_columns` fields. */
static bool list_fields(shoal_csv_index *index, const shoal_table *table, uint64_t first, uint64_t n, size_t n_columns)
{
    shoal_csv_index_make(index, table->data + table->row_offset[first], bytes_between(table, first, first + n), table->delimiter);
    bool is_regular = index->is_regular && index->n_feeds == n;
    for (uint64_t i = 1; is_regular && i <= n; i++) is_regular = (size_t)(index->feeds[i] - index->feeds[i - 1]) == n_columns;
    return is_regular;
}

/* Is every piece of a row the same text in both? `x`, `y`: the marks before the row's first fields. */
static bool has_same_pieces(const comparison *c, const char *from, const uint16_t *x, const char *to, const uint16_t *y)
{
    for (size_t i = 0; i < c->n_pieces; i++) {
        const piece *p = &c->pieces[i];
        /* the mark before a text is UINT16_MAX, which the cast wraps to begin 0 */
        size_t x_begin = (uint16_t)(x[p->from] + 1), y_begin = (uint16_t)(y[p->to] + 1), size = x[p->from + p->n_columns] - x_begin;
        if (y[p->to + p->n_columns] - y_begin != size || memcmp(from + x_begin, to + y_begin, size) != 0) return false;
    }
    return true;
}

static uint64_t count_scanned(const comparison *c, uint64_t original, uint64_t row)
{
    const char *x = c->original->data + c->original->row_offset[original], *y = c->released->data + c->released->row_offset[row];
    return !is_same_record(c, original, &x, &y);
}

/* Rows first..end - 1 of both; `pair` may be NULL. */
static uint64_t count_in_run(const comparison *c, stretch_pair *pair, uint64_t first, uint64_t end)
{
    uint64_t n_changed = 0, listable = end < c->released->n_rows ? end : end - 1; /* no offset tells where the last row ends */
    while (first < end) {
        uint64_t n = pair == NULL || c->is_scanned ? 0 : count_fitting(c, first, listable);
        bool is_listed = n > 0 && list_fields(&pair->from, c->original, first, n, c->original->n_columns) &&
                         list_fields(&pair->to, c->released, first, n, c->n_published);
        if (n == 0) n = 1; /* a long row, or the last one */
        const char *from = c->original->data + c->original->row_offset[first], *to = c->released->data + c->released->row_offset[first];
        for (uint64_t i = 0; i < n; i++) {
            bool is_same = is_listed && has_same_pieces(c, from, pair->from.marks + pair->from.feeds[i], to, pair->to.marks + pair->to.feeds[i]);
            if (!is_same) n_changed += count_scanned(c, first + i, first + i);
        }
        first += n;
    }
    return n_changed;
}

static uint64_t count_by_offsets(const comparison *c, uint32_t threads)
{
    const shoal_table *from = c->original, *to = c->released;
    uint64_t n_runs = (to->n_rows + RUN_ROWS - 1) / RUN_ROWS, n_changed = 0;
#pragma omp parallel num_threads(threads) reduction(+ : n_changed) if (n_runs > 1)
    {
        stretch_pair *pair = shoal_alloc(1, sizeof *pair); /* without it rows are scanned */
#pragma omp for schedule(dynamic)
        for (uint64_t run = 0; run < n_runs; run++) {
            uint64_t first = run * RUN_ROWS, end = to->n_rows - first < RUN_ROWS ? to->n_rows : first + RUN_ROWS;
            n_changed += count_in_run(c, pair, first, end);
            forget_rows(to, first, end - 1);
            forget_rows(from, first, end - 1);
        }
        shoal_free(pair);
    }
    return n_changed;
}

/* ---- rows of their own originals ---- */

static uint64_t count_by_originals(const comparison *c, const uint32_t *original_row, uint32_t threads)
{
    const shoal_table *from = c->original, *to = c->released;
    uint64_t n_runs = (to->n_rows + RUN_ROWS - 1) / RUN_ROWS, n_changed = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(+ : n_changed) if (n_runs > 1)
    for (uint64_t run = 0; run < n_runs; run++) {
        uint64_t first = run * RUN_ROWS, end = to->n_rows - first < RUN_ROWS ? to->n_rows : first + RUN_ROWS;
        for (uint64_t row = first; row < end; row++) n_changed += count_scanned(c, original_row[row], row);
        forget_rows(to, first, end - 1);
        forget_rows(from, original_row[first], original_row[end - 1]); /* ascending */
    }
    return n_changed;
}

static const char *skip_blank_lines(const char *at, const char *end)
{
    while (at < end && (*at == '\n' || (*at == '\r' && at + 1 < end && at[1] == '\n'))) at++;
    return at;
}

static uint64_t count_in_order(const comparison *c)
{
    const shoal_table *from = c->original, *to = c->released;
    const char *x = from->data + from->body, *y = to->data + to->body, *x_end = from->data + from->data_size, *y_end = to->data + to->data_size;
    uint64_t n_changed = 0;
    for (;;) {
        x = skip_blank_lines(x, x_end);
        y = skip_blank_lines(y, y_end);
        if (x >= x_end || y >= y_end) return n_changed + (x < x_end) + (y < y_end);
        n_changed += !is_same_record(c, 0, &x, &y); /* pseudonyms are refused where rows are only counted */
    }
}

static uint32_t *list_kept(const shoal_table *original, uint64_t n_released, const uint8_t *kept)
{
    uint32_t *rows = shoal_alloc((size_t)n_released, sizeof *rows);
    uint64_t at = 0;
    for (uint64_t row = 0; rows != NULL && row < original->n_rows && at < n_released; row++)
        if (kept[row] != 0) rows[at++] = (uint32_t)row;
    return rows;
}

/* Needs is_published and is_passed_on. */
static void plan_pieces(comparison *c)
{
    bool is_one_text = c->original->delimiter == c->released->delimiter; /* the separators between columns are the same, too */
    for (size_t i = 0; i < c->original->n_columns; i++) {
        if (!c->is_published[i]) continue;
        piece *last = c->n_pieces > 0 ? &c->pieces[c->n_pieces - 1] : NULL;
        bool is_next = last != NULL && last->from + last->n_columns == i && is_one_text;
        if (c->is_passed_on[i] && is_next) last->n_columns++;
        else if (c->is_passed_on[i]) c->pieces[c->n_pieces++] = (piece){ i, c->n_published, 1 };
        c->is_scanned = c->is_scanned || c->original->columns[i].role == SHOAL_ROLE_PSEUDONYM;
        c->n_published++;
    }
}

static void comparison_clear(comparison *c)
{
    shoal_free(c->is_published);
    shoal_free(c->is_passed_on);
    shoal_free(c->pieces);
}

shoal_status shoal_verify_unchanged(const shoal_table *original, const shoal_table *released, const uint8_t *kept,
                                    bool with_sensitive, uint32_t threads, shoal_error *err)
{
    comparison c = { .original = original, .released = released };
    uint32_t *original_row = NULL;
    uint64_t n_changed = 0;
    if (original->data == NULL || released->data == NULL) return SHOAL_OK; /* Arrow hands the very buffers on */
    if (!with_sensitive && !original->has_header) return SHOAL_OK;           /* which column is withheld cannot be told */
    c.is_published = shoal_alloc_zero(original->n_columns, 1);
    c.is_passed_on = shoal_alloc_zero(original->n_columns, 1);
    c.pieces = shoal_alloc(original->n_columns, sizeof *c.pieces);
    if (kept != NULL) original_row = list_kept(original, released->n_rows, kept);
    bool enough = c.is_published != NULL && c.is_passed_on != NULL && c.pieces != NULL && (kept == NULL || original_row != NULL);
    for (size_t i = 0; enough && i < original->n_columns; i++) {
        shoal_role role = original->columns[i].role;
        /* a column that says what to guard is withheld where sensitive values are generalised */
        c.is_published[i] = shoal_role_is_published(role) && (with_sensitive || shoal_released_column(original, released, i) != SIZE_MAX);
        c.is_passed_on[i] = c.is_published[i] && role != SHOAL_ROLE_QUASI && role != SHOAL_ROLE_PSEUDONYM && (with_sensitive || role != SHOAL_ROLE_SENSITIVE);
    }
    if (enough) plan_pieces(&c);
    if (threads == 0) threads = 1;
    bool is_checked = enough && (c.n_pieces > 0 || c.is_scanned);
    if (is_checked && original->index != NULL) n_changed = count_in_order(&c);
    else if (is_checked) n_changed = original_row != NULL ? count_by_originals(&c, original_row, threads) : count_by_offsets(&c, threads);
    comparison_clear(&c);
    shoal_free(original_row);
    if (!enough) return shoal_fail_memory(err);
    if (n_changed == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT, "verify: %llu rows pass other values on than their originals have {fix} the release must not be published",
                      (unsigned long long)n_changed);
}
