/* SPDX-License-Identifier: Apache-2.0 */
/* unshuffle.c - find the rows of the original behind shuffled rows; see shoal_unshuffle().
 *
 * Rows of both tables are sorted by a hash of what they pass on; a class is the rows of one hash.
 * Within a class it is an assignment problem: rows of the original to rows of the release that
 * cover them. Each row of the original looks for a free row by breadth-first search along
 * alternating paths (the Hungarian tree of bipartite matching), so an assignment is found if there
 * is one. The verifier then reads the reordered text as any release, bytes of columns that are
 * passed on included, so a hash that two texts share leads to a refusal, never to acceptance.
 *
 * Cost: O(rows^2) covering tests per class at worst, at most MOST_TESTS in all.
 */
#include "published/published.h"
#include "published/released.h"
#include "table/csv.h"
#include "table/table_internal.h"

#include <shoal/pipeline.h>

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const uint64_t MOST_TESTS = UINT64_C(1) << 28;

typedef struct keyed_row {
    uint64_t hash;
    uint32_t row;
} keyed_row;

typedef struct matching {
    const shoal_table *original, *released;
    shoal_space space;
    size_t *columns; /* of the release, one per attribute */
    shoal_published *published;
    keyed_row *from, *to; /* rows of the original and of the release, sorted */
    uint32_t n;
    uint32_t *taken_by; /* of each place in `to`: the row in `from`, or SHOAL_NO_CODE */
    uint32_t *place_of; /* of each row in `from`: the place in `to`, or SHOAL_NO_CODE */
    uint32_t *reached;  /* of each place: the row that it was reached from */
    uint32_t *queue;
    uint64_t n_tests;
} matching;

static int by_hash(const void *a, const void *b)
{
    const keyed_row *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static bool is_passed_on(const shoal_column *column)
{
    return shoal_role_is_published(column->role) && column->role != SHOAL_ROLE_QUASI;
}

/* Hash of what a record passes on. `roles`: the original, whose columns the record has, or those of
 * them that are published. */
static uint64_t hash_record(const shoal_table *roles, const shoal_table *table, uint64_t row,
                            bool is_release)
{
    const char *at = shoal_table_record(table, row), *end = shoal_table_text_end(table);
    char delimiter = shoal_table_text(table)->delimiter;
    uint64_t hash = 0;
    for (size_t c = 0; c < roles->n_columns; c++) {
        shoal_field field;
        if (is_release && !shoal_role_is_published(roles->columns[c].role)) continue;
        shoal_field_end kind = shoal_scan_field(&field, &at, end, delimiter);
        if (is_passed_on(&roles->columns[c]))
            hash = XXH3_64bits_withSeed(field.begin, (size_t)(field.end - field.begin), hash + c);
        if (kind != SHOAL_FIELD_MORE) break;
    }
    return hash;
}

static bool list_rows(matching *m, const uint8_t *kept)
{
    uint64_t n_rows = m->original->n_rows;
    uint32_t n = 0;
    m->n = (uint32_t)m->released->n_rows;
    m->from = shoal_alloc(m->n, sizeof *m->from);
    m->to = shoal_alloc(m->n, sizeof *m->to);
    m->taken_by = shoal_alloc(m->n, sizeof *m->taken_by);
    m->place_of = shoal_alloc(m->n, sizeof *m->place_of);
    m->reached = shoal_alloc(m->n, sizeof *m->reached);
    m->queue = shoal_alloc(m->n, sizeof *m->queue);
    if (m->from == NULL || m->to == NULL || m->taken_by == NULL || m->place_of == NULL ||
        m->reached == NULL || m->queue == NULL)
        return false;
    for (uint64_t row = 0; row < n_rows && n < m->n; row++)
        if (kept == NULL || kept[row] != 0)
            m->from[n++] = (keyed_row){ hash_record(m->original, m->original, row, false),
                                        (uint32_t)row };
    for (uint32_t i = 0; i < m->n; i++)
        m->to[i] = (keyed_row){ hash_record(m->original, m->released, i, true), i };
    qsort(m->from, m->n, sizeof *m->from, by_hash);
    qsort(m->to, m->n, sizeof *m->to, by_hash);
    memset(m->taken_by, 0xff, m->n * sizeof *m->taken_by);
    memset(m->place_of, 0xff, m->n * sizeof *m->place_of);
    return true;
}

static shoal_status read_published(matching *m, shoal_error *err)
{
    m->columns = shoal_alloc(m->space.n_attrs, sizeof *m->columns);
    m->published = shoal_alloc_zero(m->space.n_attrs, sizeof *m->published);
    if (m->columns == NULL || m->published == NULL) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(
        shoal_released_match(m->columns, &m->space, m->original, m->released, err));
    for (uint32_t a = 0; a < m->space.n_attrs; a++) {
        const shoal_column *column = &m->released->columns[m->columns[a]];
        SHOAL_RETURN_IF_ERROR(shoal_published_read_strictly(&m->published[a], m->original,
                                                            &m->space.attrs[a], column->values,
                                                            column->n_values, err));
    }
    return SHOAL_OK;
}

static bool covers(const matching *m, uint32_t to, uint32_t from)
{
    for (uint32_t a = 0; a < m->space.n_attrs; a++)
        if (!shoal_published_covers(
                &m->published[a],
                shoal_column_code(&m->released->columns[m->columns[a]], m->to[to].row),
                shoal_column_code(m->space.attrs[a].source, m->from[from].row)))
            return false;
    return true;
}

/* Along the path that reached a free place each row moves on by one. */
static void move_rows(matching *m, uint32_t place, uint32_t start)
{
    for (;;) {
        uint32_t row = m->reached[place], before = m->place_of[row];
        m->taken_by[place] = row;
        m->place_of[row] = place;
        if (row == start) return;
        place = before;
    }
}

/* A place for row `start` within the class; false: there is none. */
static bool find_place(matching *m, uint32_t start, uint32_t begin, uint32_t end)
{
    uint32_t n_queued = 1;
    m->queue[0] = start;
    for (uint32_t place = begin; place < end; place++) m->reached[place] = SHOAL_NO_CODE;
    /* once every place is reached, all of them are taken and none will be free */
    for (uint32_t at = 0; at < n_queued && n_queued - 1 < end - begin; at++) {
        for (uint32_t place = begin; place < end; place++) {
            if (m->n_tests++ > MOST_TESTS) return false;
            if (m->reached[place] != SHOAL_NO_CODE || !covers(m, place, m->queue[at])) continue;
            m->reached[place] = m->queue[at];
            if (m->taken_by[place] == SHOAL_NO_CODE) {
                move_rows(m, place, start);
                return true;
            }
            m->queue[n_queued++] = m->taken_by[place];
        }
    }
    return false;
}

/* Rows of the original without a place. */
static uint64_t match(matching *m)
{
    uint64_t n_unmatched = 0;
    for (uint32_t i = 0, begin = 0, end = 0; i < m->n && m->n_tests <= MOST_TESTS; i++) {
        while (begin < m->n && m->to[begin].hash < m->from[i].hash) begin++;
        for (end = end > begin ? end : begin; end < m->n && m->to[end].hash <= m->from[i].hash;)
            end++;
        n_unmatched += !find_place(m, i, begin, end);
    }
    return n_unmatched;
}

/* The header, then the records by the rows of the original. */
static bool write_text(shoal_unshuffled *out, const matching *m)
{
    const shoal_text_source *text = shoal_table_text(m->released);
    uint32_t *record_of = shoal_alloc((size_t)m->original->n_rows, sizeof *record_of);
    shoal_buffer buffer = { 0 };
    if (record_of == NULL) return false;
    memset(record_of, 0xff, (size_t)m->original->n_rows * sizeof *record_of);
    for (uint32_t place = 0; place < m->n; place++)
        record_of[m->from[m->taken_by[place]].row] = m->to[place].row;
    shoal_buffer_add(&buffer, text->data, text->body);
    for (uint64_t row = 0; row < m->original->n_rows; row++) {
        if (record_of[row] == SHOAL_NO_CODE) continue;
        const char *begin = shoal_table_record(m->released, record_of[row]),
                   *end = shoal_table_record_end(m->released, record_of[row]);
        shoal_buffer_add(&buffer, begin, (size_t)(end - begin));
        if (end == begin || end[-1] != '\n') shoal_buffer_add(&buffer, "\n", 1);
    }
    shoal_free(record_of);
    if (buffer.failed) {
        shoal_buffer_clear(&buffer);
        return false;
    }
    out->text = buffer.data;
    out->text_size = buffer.size;
    return true;
}

static void matching_clear(matching *m)
{
    for (uint32_t a = 0; m->published != NULL && a < m->space.n_attrs; a++)
        shoal_published_clear(&m->published[a]);
    shoal_free(m->published);
    shoal_free(m->columns);
    shoal_free(m->from);
    shoal_free(m->to);
    shoal_free(m->taken_by);
    shoal_free(m->place_of);
    shoal_free(m->reached);
    shoal_free(m->queue);
    shoal_space_clear(&m->space);
}

/* Assign the rows of the release, as many as are kept. */
static shoal_status assign(shoal_unshuffled *out, matching *m, const uint8_t *kept,
                           shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&m->space, m->original, err));
    SHOAL_RETURN_IF_ERROR(read_published(m, err));
    if (!list_rows(m, kept)) return shoal_fail_memory(err);
    out->n_unmatched = match(m);
    out->is_tried = m->n_tests <= MOST_TESTS;
    if (!out->is_tried || out->n_unmatched > 0) return SHOAL_OK;
    return write_text(out, m) ? SHOAL_OK : shoal_fail_memory(err);
}

shoal_status shoal_unshuffle(shoal_unshuffled *out, const shoal_table *original,
                             const char *release, size_t size, const uint8_t *kept,
                             uint32_t threads, shoal_error *err)
{
    shoal_unshuffled found = SHOAL_UNSHUFFLED_INIT;
    shoal_table *released = NULL;
    uint64_t n_kept = 0;
    if (out->size < sizeof out->size || out->size > sizeof found)
        return shoal_fail(err, SHOAL_EINVAL,
                          "unshuffle: the result is not initialised, or made for a newer version "
                          "of the library");
    SHOAL_RETURN_IF_ERROR(shoal_released_open(&released, release, size, original, threads, err));
    matching m = { .original = original, .released = released };
    for (uint64_t row = 0; row < original->n_rows; row++) n_kept += kept == NULL || kept[row] != 0;
    found.size = out->size;
    found.n_rows = released->n_rows;
    shoal_status status = n_kept == found.n_rows ? assign(&found, &m, kept, err) : SHOAL_OK;
    if (status == SHOAL_OK) memcpy(out, &found, out->size);
    matching_clear(&m);
    shoal_table_free(released);
    return status;
}
