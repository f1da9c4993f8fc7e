/* SPDX-License-Identifier: Apache-2.0 */
/* verify_unchanged.c - columns that are passed on are those of the original, byte for byte, in the rows that they belong to.
 *
 * Both texts are scanned side by side: by the offsets of their rows, in parallel over runs of rows, or one record after the other
 * where the rows are not in memory. Cost: O(bytes of both).
 */
#include "verify/verify_unchanged.h"

#include "published/released.h"

#include <string.h>

enum { RUN_ROWS = 1 << 14 };

typedef struct comparison {
    const shoal_table *original, *released;
    uint8_t *is_published, *is_passed_on; /* of each column of the original */
} comparison;

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

static uint64_t count_by_offsets(const comparison *c, const uint32_t *original_row, uint32_t threads)
{
    const shoal_table *from = c->original, *to = c->released;
    uint64_t n_runs = (to->n_rows + RUN_ROWS - 1) / RUN_ROWS, n_changed = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(+ : n_changed) if (n_runs > 1)
    for (uint64_t run = 0; run < n_runs; run++) {
        uint64_t first = run * RUN_ROWS, end = to->n_rows - first < RUN_ROWS ? to->n_rows : first + RUN_ROWS;
        for (uint64_t row = first; row < end; row++) {
            uint64_t before = original_row != NULL ? original_row[row] : row;
            const char *x = from->data + from->row_offset[before];
            const char *y = to->data + to->row_offset[row];
            n_changed += !is_same_record(c, before, &x, &y);
        }
        forget_rows(to, first, end - 1);
        if (original_row == NULL) forget_rows(from, first, end - 1);
        else forget_rows(from, original_row[first], original_row[end - 1]); /* ascending */
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
    if (kept != NULL) original_row = list_kept(original, released->n_rows, kept);
    bool enough = c.is_published != NULL && c.is_passed_on != NULL && (kept == NULL || original_row != NULL);
    for (size_t i = 0; enough && i < original->n_columns; i++) {
        shoal_role role = original->columns[i].role;
        /* a column that says what to guard is withheld where sensitive values are generalised */
        c.is_published[i] = shoal_role_is_published(role) && (with_sensitive || shoal_released_column(original, released, i) != SIZE_MAX);
        c.is_passed_on[i] = c.is_published[i] && role != SHOAL_ROLE_QUASI && role != SHOAL_ROLE_PSEUDONYM && (with_sensitive || role != SHOAL_ROLE_SENSITIVE);
    }
    if (enough && original->index != NULL) n_changed = count_in_order(&c);
    else if (enough) n_changed = count_by_offsets(&c, original_row, threads > 0 ? threads : 1);
    shoal_free(c.is_published);
    shoal_free(c.is_passed_on);
    shoal_free(original_row);
    if (!enough) return shoal_fail_memory(err);
    if (n_changed == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EUNSAT, "verify: %llu rows pass other values on than their originals have {fix} the release must not be published",
                      (unsigned long long)n_changed);
}
