/* SPDX-License-Identifier: Apache-2.0 */
/* tuple_match.c - which tuples agree with a tuple, and how many rows they have, if a missing value
 * matches everything.
 *
 * The pattern of a tuple is the set of its columns with missing values. Two tuples of patterns p
 * and q agree if they are equal in the columns that are missing in neither. So for each pair of
 * patterns the tuples of q are counted by those columns only, and each tuple of p looks up its own
 * count. Agreement is not transitive, so these counts belong to single tuples, not to groups.
 *
 * Cost: O(patterns * tuples * columns), parallel over patterns. Not used for tables without missing
 * values.
 */
#include "published/published_tuples.h"

#include <string.h>

typedef struct matcher {
    const shoal_tuple_source *source;
    const shoal_tuples *tuples;
    uint32_t n_columns;
    uint32_t *codes; /* n_tuples x n_columns */
    /* n_columns x n_tuples, column by column, so that patterns can be numbered */
    uint8_t *is_wild;
    uint32_t n_patterns;
    uint32_t *pattern; /* of each tuple */
    uint32_t *members; /* tuples, pattern after pattern */
    uint32_t *begin;   /* n_patterns + 1 */
} matcher;

static const uint32_t *codes_of(const matcher *m, uint32_t tuple)
{
    return m->codes + (size_t)tuple * m->n_columns;
}

static bool wild_at(const matcher *m, uint32_t tuple, uint32_t column)
{
    return m->is_wild[(size_t)column * m->tuples->n_tuples + tuple] != 0;
}

/* ---- counting tuples by a subset of the columns ---- */

typedef struct counter {
    uint32_t *slots; /* tuple + 1, or 0 */
    uint64_t *counts;
    size_t n_slots;   /* a power of two, more than the tuples of any pattern */
    uint32_t *common; /* columns that are missing in neither pattern */
    uint32_t n_common;
} counter;

/* Slot of the tuple, or the free slot for it: open addressing, at most half full, so the search
 * ends. */
static size_t find_slot(const matcher *m, const counter *c, uint32_t tuple)
{
    const uint32_t *codes = codes_of(m, tuple);
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (uint32_t i = 0; i < c->n_common; i++) {
        hash = (hash ^ codes[c->common[i]]) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    size_t at = hash & (c->n_slots - 1);
    for (; c->slots[at] != 0; at = (at + 1) & (c->n_slots - 1)) {
        const uint32_t *other = codes_of(m, c->slots[at] - 1);
        uint32_t i = 0;
        while (i < c->n_common && other[c->common[i]] == codes[c->common[i]]) i++;
        if (i == c->n_common) break;
    }
    return at;
}

static void set_common(const matcher *m, counter *c, uint32_t p, uint32_t q)
{
    c->n_common = 0;
    for (uint32_t i = 0; i < m->n_columns; i++)
        if (!wild_at(m, m->members[m->begin[p]], i) && !wild_at(m, m->members[m->begin[q]], i))
            c->common[c->n_common++] = i;
}

static void count_pair(const matcher *m, counter *c, uint32_t p, uint32_t q, uint64_t *matches)
{
    set_common(m, c, p, q);
    memset(c->slots, 0, c->n_slots * sizeof *c->slots);
    for (uint32_t i = m->begin[q]; i < m->begin[q + 1]; i++) {
        size_t at = find_slot(m, c, m->members[i]);
        if (c->slots[at] == 0) c->counts[at] = 0;
        c->slots[at] = m->members[i] + 1;
        c->counts[at] += m->tuples->sizes[m->members[i]];
    }
    for (uint32_t i = m->begin[p]; i < m->begin[p + 1]; i++) {
        size_t at = find_slot(m, c, m->members[i]);
        if (c->slots[at] != 0) matches[m->members[i]] += c->counts[at];
    }
}

/* Count for the tuples of pattern p. False when memory is short. */
static bool count_pattern(const matcher *m, uint32_t p, uint64_t *matches)
{
    counter c = { .n_slots = 16 };
    for (uint32_t q = 0; q < m->n_patterns; q++)
        while (c.n_slots < (size_t)(m->begin[q + 1] - m->begin[q]) * 2) c.n_slots *= 2;
    c.slots = shoal_alloc(c.n_slots, sizeof *c.slots);
    c.counts = shoal_alloc(c.n_slots, sizeof *c.counts);
    c.common = shoal_alloc(m->n_columns, sizeof *c.common);
    bool ok = c.slots != NULL && c.counts != NULL && c.common != NULL;
    for (uint32_t i = m->begin[p]; ok && i < m->begin[p + 1]; i++) matches[m->members[i]] = 0;
    for (uint32_t q = 0; ok && q < m->n_patterns; q++) count_pair(m, &c, p, q, matches);
    shoal_free(c.slots);
    shoal_free(c.counts);
    shoal_free(c.common);
    return ok;
}

/* ---- visiting the tuples that agree ---- */

/* Tuples of every pattern, hashed by the columns common with pattern p; equal ones are chained. */
typedef struct visitor {
    /* slots hold the first of a chain; `common` is that of the current pair of patterns */
    counter c;
    uint32_t *next; /* tuple + 1, or 0 */
    uint32_t *agreeing;
} visitor;

/* Slot of the chain of pattern q that agrees with the tuple, or the free slot for it. */
static size_t find_chain(const matcher *m, const counter *c, uint32_t q, uint32_t tuple)
{
    const uint32_t *codes = codes_of(m, tuple);
    uint64_t hash = 0x9E3779B97F4A7C15u ^ q;
    for (uint32_t i = 0; i < c->n_common; i++) {
        hash = (hash ^ codes[c->common[i]]) * 0xD6E8FEB86659FD93u;
        hash ^= hash >> 32;
    }
    size_t at = hash & (c->n_slots - 1);
    for (; c->slots[at] != 0; at = (at + 1) & (c->n_slots - 1)) {
        uint32_t first = c->slots[at] - 1, i = 0;
        if (m->pattern[first] != q) continue;
        while (i < c->n_common && codes_of(m, first)[c->common[i]] == codes[c->common[i]]) i++;
        if (i == c->n_common) break;
    }
    return at;
}

static void chain_tuples(const matcher *m, visitor *v, uint32_t p)
{
    memset(v->c.slots, 0, v->c.n_slots * sizeof *v->c.slots);
    for (uint32_t q = 0; q < m->n_patterns; q++) {
        set_common(m, &v->c, p, q);
        for (uint32_t i = m->begin[q]; i < m->begin[q + 1]; i++) {
            size_t at = find_chain(m, &v->c, q, m->members[i]);
            v->next[m->members[i]] = v->c.slots[at];
            v->c.slots[at] = m->members[i] + 1;
        }
    }
}

static shoal_status visit_pattern(const matcher *m, visitor *v, uint32_t p,
                                  shoal_tuple_visit_fn visit, void *payload, shoal_error *err)
{
    chain_tuples(m, v, p);
    for (uint32_t i = m->begin[p]; i < m->begin[p + 1]; i++) {
        uint32_t n = 0;
        for (uint32_t q = 0; q < m->n_patterns; q++) {
            set_common(m, &v->c, p, q);
            uint32_t at = v->c.slots[find_chain(m, &v->c, q, m->members[i])];
            for (; at != 0; at = v->next[at - 1]) v->agreeing[n++] = at - 1;
        }
        SHOAL_RETURN_IF_ERROR(visit(m->members[i], v->agreeing, n, payload, err));
    }
    return SHOAL_OK;
}

static shoal_status visit_patterns(const matcher *m, shoal_tuple_visit_fn visit, void *payload,
                                   shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    visitor v = { .c = { .n_slots = 16 } };
    while (v.c.n_slots < (size_t)m->tuples->n_tuples * 2) v.c.n_slots *= 2;
    v.c.slots = shoal_alloc(v.c.n_slots, sizeof *v.c.slots);
    v.c.common = shoal_alloc(m->n_columns, sizeof *v.c.common);
    v.next = shoal_alloc(m->tuples->n_tuples, sizeof *v.next);
    v.agreeing = shoal_alloc(m->tuples->n_tuples, sizeof *v.agreeing);
    if (v.c.slots == NULL || v.c.common == NULL || v.next == NULL || v.agreeing == NULL)
        status = shoal_fail_memory(err);
    for (uint32_t p = 0; p < m->n_patterns && status == SHOAL_OK; p++)
        status = visit_pattern(m, &v, p, visit, payload, err);
    shoal_free(v.c.slots);
    shoal_free(v.c.common);
    shoal_free(v.next);
    shoal_free(v.agreeing);
    return status;
}

/* ---- patterns ---- */

static bool gather(matcher *m)
{
    uint32_t n = m->tuples->n_tuples;
    m->codes = shoal_alloc((size_t)n * m->n_columns, sizeof *m->codes);
    m->is_wild = shoal_alloc((size_t)n * m->n_columns, sizeof *m->is_wild);
    if (m->codes == NULL || m->is_wild == NULL) return false;
    for (uint32_t c = 0; c < m->n_columns; c++) {
        for (uint32_t t = 0; t < n; t++) {
            uint32_t code = shoal_column_code(m->source->columns[c], m->tuples->first[t]);
            m->codes[(size_t)t * m->n_columns + c] = code;
            m->is_wild[(size_t)c * n + t] = code == m->source->wild[c];
        }
    }
    return true;
}

static shoal_status number_patterns(matcher *m, uint32_t threads, shoal_error *err)
{
    shoal_status status = SHOAL_ENOMEM;
    shoal_column *columns = shoal_alloc_zero(m->n_columns, sizeof *columns);
    const shoal_column **list = shoal_alloc(m->n_columns, sizeof *list);
    if (columns == NULL || list == NULL) {
        shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t c = 0; c < m->n_columns; c++) {
        columns[c].code_width = 1;
        columns[c].codes = m->is_wild + (size_t)c * m->tuples->n_tuples;
        columns[c].n_values = 2;
        list[c] = &columns[c];
    }
    status = shoal_number_tuples(&m->pattern, &m->n_patterns, list, m->n_columns,
                                 m->tuples->n_tuples, threads, err);
out:
    shoal_free(columns);
    shoal_free(list);
    return status;
}

/* Counting sort of the tuples by pattern. Counts are stored two places up: filling then moves
 * begin[p + 1] to its end, so that afterwards begin[p] .. begin[p + 1] are the members of pattern
 * p. */
static bool sort_members(matcher *m)
{
    uint32_t n = m->tuples->n_tuples;
    m->members = shoal_alloc(n, sizeof *m->members);
    m->begin = shoal_alloc_zero((size_t)m->n_patterns + 2, sizeof *m->begin);
    if (m->members == NULL || m->begin == NULL) return false;
    for (uint32_t t = 0; t < n; t++) m->begin[m->pattern[t] + 2]++;
    for (uint32_t p = 2; p < m->n_patterns + 2; p++) m->begin[p] += m->begin[p - 1];
    for (uint32_t t = 0; t < n; t++) m->members[m->begin[m->pattern[t] + 1]++] = t;
    return true;
}

static shoal_status matcher_make(matcher *m, uint32_t threads, shoal_error *err)
{
    if (!gather(m)) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(number_patterns(m, threads, err));
    return sort_members(m) ? SHOAL_OK : shoal_fail_memory(err);
}

static void matcher_clear(matcher *m)
{
    shoal_free(m->codes);
    shoal_free(m->is_wild);
    shoal_free(m->pattern);
    shoal_free(m->members);
    shoal_free(m->begin);
}

shoal_status shoal_tuples_match(shoal_tuples *tuples, const shoal_tuple_source *source,
                                uint32_t threads, shoal_error *err)
{
    matcher m = { .source = source, .tuples = tuples, .n_columns = source->n_columns };
    if (threads == 0) threads = 1;
    shoal_status status = matcher_make(&m, threads, err);
    if (status == SHOAL_OK) {
        bool ok = true;
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(&& : ok)
        for (uint32_t p = 0; p < m.n_patterns; p++)
            ok = count_pattern(&m, p, tuples->matches) && ok;
        if (!ok) status = shoal_fail_memory(err);
    }
    matcher_clear(&m);
    return status;
}

shoal_status shoal_tuples_visit(const shoal_tuples *tuples, const shoal_tuple_source *source,
                                shoal_tuple_visit_fn visit, void *payload, shoal_error *err)
{
    if (!shoal_has_wild_codes(source)) {
        for (uint32_t t = 0; t < tuples->n_tuples; t++)
            SHOAL_RETURN_IF_ERROR(visit(t, &t, 1, payload, err));
        return SHOAL_OK;
    }
    matcher m = { .source = source, .tuples = tuples, .n_columns = source->n_columns };
    shoal_status status = matcher_make(&m, 1, err);
    if (status == SHOAL_OK) status = visit_patterns(&m, visit, payload, err);
    matcher_clear(&m);
    return status;
}
