/* SPDX-License-Identifier: Apache-2.0 */
/* verify_unchanged.c - checks that columns published unchanged equal those of the original, byte
 * for byte, in the rows that they belong to.
 *
 * Both texts are scanned side by side: by the offsets of their rows, in parallel over runs of rows,
 * or record by record if the rows are not in memory. With offsets, the separators of a run of rows
 * are listed at once (csv_rows.h) and adjacent columns compared as one byte range; rows that differ
 * or are irregular there are scanned field by field, which decides. Cost: O(bytes of both).
 */
#include "verify/verify_unchanged.h"

#include "published/released.h"
#include "table/csv_rows.h"

#include <string.h>

enum { RUN_ROWS = 1 << 14 };

/* Adjacent columns that are published unchanged, as they are numbered in both tables. */
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

/* Is the field the pseudonym of the row's identifier? Without the key this cannot be decided. */
static bool is_pseudonym(const shoal_column *column, uint64_t row, const shoal_field *field)
{
    if (column->pseudonyms == NULL) return true;
    shoal_text text = column->pseudonyms[shoal_column_code(column, row)];
    return (size_t)(field->end - field->begin) == text.length &&
           memcmp(field->begin, text.data, text.length) == 0;
}

/* Compare the record at `y` with the one at `x`, the original of the row. Both are moved to the
 * next record. */
static bool is_same_record(const comparison *c, uint64_t row, const char **x, const char **y)
{
    const shoal_table *from = c->original, *to = c->released;
    const char *x_end = shoal_table_text_end(from), *y_end = shoal_table_text_end(to);
    char x_delimiter = shoal_table_text(from)->delimiter,
         y_delimiter = shoal_table_text(to)->delimiter;
    bool is_same = true, has_more = true;
    shoal_field a, b;
    for (size_t column = 0; column < from->n_columns && *x < x_end; column++) {
        shoal_field_end kind = shoal_scan_field(&a, x, x_end, x_delimiter);
        if (c->is_published[column]) {
            if (!has_more || *y >= y_end) return false;
            has_more = shoal_scan_field(&b, y, y_end, y_delimiter) == SHOAL_FIELD_MORE;
            size_t size = (size_t)(a.end - a.begin);
            if (from->columns[column].role == SHOAL_ROLE_PSEUDONYM)
                is_same = is_same && is_pseudonym(&from->columns[column], row, &b);
            if (c->is_passed_on[column])
                is_same = is_same && (size_t)(b.end - b.begin) == size &&
                          memcmp(a.begin, b.begin, size) == 0;
        }
        if (kind != SHOAL_FIELD_MORE) break;
        /* a separator at the end of the line */
        if (column + 1 == from->n_columns) (void)shoal_scan_field(&a, x, x_end, x_delimiter);
    }
    return is_same;
}

/* The rows were read: the pages of mapped files may be released. */
static void forget_rows(const shoal_table *table, uint64_t first, uint64_t last)
{
    const shoal_text_source *text = shoal_table_text(table);
    if (text->is_map)
        shoal_pages_forget(shoal_table_record(table, first),
                           (size_t)(text->row_offset[last] - text->row_offset[first]));
}

/* ---- stretches ---- */

/* Is every byte range of a row equal in both texts? `x`, `y`: the marks before the row's first
 * fields. */
static bool has_same_pieces(const comparison *c, const char *from, const uint16_t *x,
                            const char *to, const uint16_t *y)
{
    for (size_t i = 0; i < c->n_pieces; i++) {
        const piece *p = &c->pieces[i];
        /* the mark before a text is UINT16_MAX, which the cast wraps to begin 0 */
        size_t x_begin = (uint16_t)(x[p->from] + 1), y_begin = (uint16_t)(y[p->to] + 1),
               size = x[p->from + p->n_columns] - x_begin;
        if (y[p->to + p->n_columns] - y_begin != size ||
            memcmp(from + x_begin, to + y_begin, size) != 0)
            return false;
    }
    return true;
}

/* Without lists, because memory was short, the row is scanned. */
static bool is_changed(const comparison *c, shoal_csv_rows *from, shoal_csv_rows *to,
                       uint64_t original, uint64_t row)
{
    const uint16_t *x = from != NULL && to != NULL ? shoal_csv_rows_marks(from, original) : NULL,
                   *y = x != NULL ? shoal_csv_rows_marks(to, row) : NULL;
    if (y != NULL && has_same_pieces(c, shoal_csv_rows_text(from), x, shoal_csv_rows_text(to), y))
        return false;
    const char *at = shoal_table_record(c->original, original),
               *released_at = shoal_table_record(c->released, row);
    return !is_same_record(c, original, &at, &released_at);
}

/* `original_row`: of each row of the release, ascending; NULL: the same. */
static uint64_t count_by_offsets(const comparison *c, const uint32_t *original_row,
                                 uint32_t threads)
{
    const shoal_table *from = c->original, *to = c->released;
    uint64_t n_runs = (to->n_rows + RUN_ROWS - 1) / RUN_ROWS, n_changed = 0;
#pragma omp parallel num_threads(threads) reduction(+ : n_changed) if (n_runs > 1)
    {
        shoal_csv_rows *lines = c->is_scanned ? NULL : shoal_csv_rows_new(from, from->n_columns);
        shoal_csv_rows *released_lines = lines == NULL ? NULL
                                                       : shoal_csv_rows_new(to, c->n_published);
#pragma omp for schedule(dynamic)
        for (uint64_t run = 0; run < n_runs; run++) {
            uint64_t first = run * RUN_ROWS,
                     end = to->n_rows - first < RUN_ROWS ? to->n_rows : first + RUN_ROWS;
            for (uint64_t row = first; row < end; row++)
                n_changed += is_changed(c, lines, released_lines,
                                        original_row != NULL ? original_row[row] : row, row);
            forget_rows(to, first, end - 1);
            forget_rows(from, original_row != NULL ? original_row[first] : first,
                        original_row != NULL ? original_row[end - 1] : end - 1);
        }
        shoal_free(lines);
        shoal_free(released_lines);
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
    const shoal_text_source *x_text = shoal_table_text(from), *y_text = shoal_table_text(to);
    const char *x = x_text->data + x_text->body, *y = y_text->data + y_text->body,
               *x_end = x_text->data + x_text->size, *y_end = y_text->data + y_text->size;
    uint64_t n_changed = 0;
    for (;;) {
        x = skip_blank_lines(x, x_end);
        y = skip_blank_lines(y, y_end);
        if (x >= x_end || y >= y_end) return n_changed + (x < x_end) + (y < y_end);
        /* pseudonyms are refused where rows are only counted */
        n_changed += !is_same_record(c, 0, &x, &y);
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
    /* the separators between columns are the same, too */
    bool is_one_text = shoal_table_delimiter(c->original) == shoal_table_delimiter(c->released);
    for (size_t i = 0; i < c->original->n_columns; i++) {
        if (!c->is_published[i]) continue;
        piece *last = c->n_pieces > 0 ? &c->pieces[c->n_pieces - 1] : NULL;
        bool is_next = last != NULL && last->from + last->n_columns == i && is_one_text;
        if (c->is_passed_on[i] && is_next)
            last->n_columns++;
        else if (c->is_passed_on[i])
            c->pieces[c->n_pieces++] = (piece){ i, c->n_published, 1 };
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

shoal_status shoal_verify_unchanged(const shoal_table *original, const shoal_table *released,
                                    const uint8_t *kept, bool with_sensitive, uint32_t threads,
                                    shoal_error *err)
{
    comparison c = { .original = original, .released = released };
    uint32_t *original_row = NULL;
    uint64_t n_changed = 0;
    /* Arrow passes the same buffers on */
    if (!shoal_table_has_text(original) || !shoal_table_has_text(released)) return SHOAL_OK;
    /* which column is left out cannot be determined */
    if (!with_sensitive && !shoal_table_has_header(original)) return SHOAL_OK;
    c.is_published = shoal_alloc_zero(original->n_columns, 1);
    c.is_passed_on = shoal_alloc_zero(original->n_columns, 1);
    c.pieces = shoal_alloc(original->n_columns, sizeof *c.pieces);
    if (kept != NULL) original_row = list_kept(original, released->n_rows, kept);
    bool enough = c.is_published != NULL && c.is_passed_on != NULL && c.pieces != NULL &&
                  (kept == NULL || original_row != NULL);
    for (size_t i = 0; enough && i < original->n_columns; i++) {
        shoal_role role = original->columns[i].role;
        /* a guard column is left out where sensitive values are generalised */
        c.is_published[i] = shoal_role_is_published(role) &&
                            (with_sensitive ||
                             shoal_released_column(original, released, i) != SIZE_MAX);
        c.is_passed_on[i] = c.is_published[i] && role != SHOAL_ROLE_QUASI &&
                            role != SHOAL_ROLE_PSEUDONYM &&
                            (with_sensitive || role != SHOAL_ROLE_SENSITIVE);
    }
    if (enough) plan_pieces(&c);
    if (threads == 0) threads = 1;
    bool is_checked = enough && (c.n_pieces > 0 || c.is_scanned);
    if (is_checked && shoal_table_is_streamed(original))
        n_changed = count_in_order(&c);
    else if (is_checked)
        n_changed = count_by_offsets(&c, original_row, threads);
    comparison_clear(&c);
    shoal_free(original_row);
    if (!enough) return shoal_fail_memory(err);
    if (n_changed == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT,
                      "verify: %llu rows differ from the original in unchanged columns {fix} do "
                      "not publish the release",
                      (unsigned long long)n_changed);
}
