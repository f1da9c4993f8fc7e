/* SPDX-License-Identifier: Apache-2.0 */
/* verify_stream.c - see verify_stream.h.
 *
 * A window moves through each of the two texts; when all rows of a window are compared, the next
 * window is loaded. Distinct texts are read once for the whole table; a window only translates its
 * own codes.
 */
#include "verify/verify_stream.h"

#include "published/published.h"
#include "table/line_index.h"
#include "table/window.h"

enum { WORTH_THREADS = 1 << 14 }; /* rows of a stretch */

/* One of the two texts. */
typedef struct side {
    const shoal_table *table;
    shoal_window window;
    bool is_there; /* the window has rows from `at` on */
    uint64_t at;
    size_t *columns;  /* one per attribute */
    uint32_t *places; /* of these columns in the line index */
    uint32_t **codes; /* of each attribute: the table's code of each value of the window */
    uint32_t n_attrs;
} side;

static void side_clear(side *s)
{
    for (uint32_t a = 0; s->codes != NULL && a < s->n_attrs; a++) shoal_free(s->codes[a]);
    shoal_free(s->codes);
    shoal_free(s->columns);
    shoal_free(s->places);
    if (s->table != NULL) shoal_window_close(&s->window);
}

static shoal_status side_make(side *s, const shoal_table *table, uint32_t n_attrs, uint32_t threads,
                              shoal_error *err)
{
    s->n_attrs = n_attrs;
    s->columns = shoal_alloc(n_attrs, sizeof *s->columns);
    s->places = shoal_alloc_zero(n_attrs, sizeof *s->places);
    s->codes = shoal_alloc_zero(n_attrs, sizeof *s->codes);
    if (s->columns == NULL || s->places == NULL || s->codes == NULL) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(shoal_window_open(
        &s->window, table, shoal_table_line_index(table)->window_bytes, threads, err));
    s->table = table;
    return SHOAL_OK;
}

static void find_places(side *s)
{
    const shoal_line_index *index = shoal_table_line_index(s->table);
    for (uint32_t a = 0; a < s->n_attrs; a++)
        while (s->places[a] < index->n_columns && index->columns[s->places[a]] != s->columns[a])
            s->places[a]++;
}

/* Make sure that the window has rows from `at` on, or that the text has ended. */
static shoal_status side_fill(side *s, shoal_error *err)
{
    while (s->at == s->window.rows.n_rows) {
        s->at = 0;
        SHOAL_RETURN_IF_ERROR(shoal_window_next(&s->window, &s->is_there, err));
        if (!s->is_there) return SHOAL_OK;
        for (uint32_t a = 0; a < s->n_attrs; a++) {
            uint32_t *codes = shoal_resize(
                s->codes[a], s->window.rows.columns[s->columns[a]].n_values, sizeof *codes);
            if (codes == NULL) return shoal_fail_memory(err);
            s->codes[a] = codes;
            SHOAL_RETURN_IF_ERROR(shoal_line_index_codes(codes, shoal_table_line_index(s->table),
                                                         s->places[a], &s->window.rows, err));
        }
    }
    return SHOAL_OK;
}

static uint64_t count_in_stretch(const side *x, const side *y, uint32_t a,
                                 const shoal_published *published, uint64_t n, uint32_t threads)
{
    const shoal_column *original = &x->window.rows.columns[x->columns[a]],
                       *released = &y->window.rows.columns[y->columns[a]];
    uint64_t n_uncovered = 0;
#pragma omp parallel for num_threads(threads) schedule(static) \
    reduction(+ : n_uncovered) if (n >= WORTH_THREADS)
    for (uint64_t i = 0; i < n; i++)
        n_uncovered += !shoal_published_covers(published,
                                               y->codes[a][shoal_column_code(released, y->at + i)],
                                               x->codes[a][shoal_column_code(original, x->at + i)]);
    return n_uncovered;
}

static shoal_status compare(uint64_t *uncovered, side *x, side *y, const shoal_published *published,
                            uint32_t threads, shoal_error *err)
{
    for (uint32_t a = 0; a < x->n_attrs; a++) uncovered[a] = 0;
    for (;;) {
        SHOAL_RETURN_IF_ERROR(side_fill(x, err));
        SHOAL_RETURN_IF_ERROR(side_fill(y, err));
        if (x->is_there != y->is_there)
            return shoal_fail(err, SHOAL_EUNSAT,
                              "verify: the release has %s rows than the original",
                              y->is_there ? "more" : "fewer");
        if (!x->is_there) return SHOAL_OK;
        uint64_t n = x->window.rows.n_rows - x->at, m = y->window.rows.n_rows - y->at;
        if (m < n) n = m;
        for (uint32_t a = 0; a < x->n_attrs; a++)
            uncovered[a] += count_in_stretch(x, y, a, &published[a], n, threads);
        x->at += n;
        y->at += n;
    }
}

shoal_status shoal_stream_count_uncovered(uint64_t *uncovered, const shoal_stream_pair *pair,
                                          shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    uint32_t n = pair->space->n_attrs, n_read = 0;
    side x = { 0 }, y = { 0 };
    shoal_published *published = shoal_alloc_zero(n, sizeof *published);
    if (published == NULL) return shoal_fail_memory(err);
    SHOAL_GOTO_IF_ERROR(side_make(&x, pair->original, n, pair->threads, err), out);
    SHOAL_GOTO_IF_ERROR(side_make(&y, pair->released, n, pair->threads, err), out);
    for (uint32_t a = 0; a < n; a++) {
        const shoal_column *released = &pair->released->columns[pair->columns[a]];
        x.columns[a] = pair->space->attrs[a].column;
        y.columns[a] = pair->columns[a];
        SHOAL_GOTO_IF_ERROR(shoal_published_read_strictly(&published[a], pair->original,
                                                          &pair->space->attrs[a], released->values,
                                                          released->n_values, err),
                            out);
        n_read++;
    }
    find_places(&x);
    find_places(&y);
    SHOAL_GOTO_IF_ERROR(compare(uncovered, &x, &y, published, pair->threads, err), out);
out:
    for (uint32_t a = 0; a < n_read; a++) shoal_published_clear(&published[a]);
    shoal_free(published);
    side_clear(&x);
    side_clear(&y);
    return status;
}
