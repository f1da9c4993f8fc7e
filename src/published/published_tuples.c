/* SPDX-License-Identifier: Apache-2.0 */
/* published_tuples.c - count distinct published tuples; see published_tuples.h.
 *
 * Two rows are in one group if their published texts are equal in every column. A missing value is
 * a text like any other: readers of the release see it. Only with wildcards it equals everything.
 * Rows of only `*` are a group like any other: fewer than k of them violate k-anonymity; unless the
 * table exempts them.
 */
#include "published/published_tuples.h"

#include <string.h>

static bool is_star_tuple(const shoal_tuple_source *source, uint64_t unit)
{
    for (uint32_t c = 0; c < source->n_columns; c++)
        if (shoal_column_code(source->columns[c], unit) != source->star[c]) return false;
    return true;
}

bool shoal_has_wild_codes(const shoal_tuple_source *source)
{
    for (uint32_t c = 0; source->wild != NULL && c < source->n_columns; c++)
        if (source->wild[c] != SHOAL_NO_CODE) return true;
    return false;
}

/* Rows of each tuple. */
static void weigh_tuples(shoal_tuples *tuples, const shoal_tuple_source *source,
                         const uint64_t *begin)
{
    for (uint32_t t = 0; t < tuples->n_tuples; t++) tuples->sizes[t] = begin[t + 1] - begin[t];
    if (source->weights == NULL && source->counts == NULL) return;
    memset(tuples->sizes, 0, tuples->n_tuples * sizeof *tuples->sizes);
    for (uint64_t unit = 0; unit < source->n_units; unit++)
        tuples->sizes[tuples->id_of_unit[unit]] += source->weights != NULL ? source->weights[unit]
                                                                           : source->counts[unit];
}

/* Move the numbering into the tuples and count their rows. */
static bool size_tuples(shoal_tuples *tuples, const shoal_tuple_source *source,
                        shoal_numbering *numbering)
{
    tuples->n_tuples = numbering->n;
    tuples->id_of_unit = numbering->ids;
    tuples->first = numbering->first;
    numbering->ids = NULL;
    numbering->first = NULL;
    tuples->sizes = shoal_alloc(tuples->n_tuples, sizeof *tuples->sizes);
    tuples->matches = shoal_alloc(tuples->n_tuples, sizeof *tuples->matches);
    if (tuples->sizes == NULL || tuples->matches == NULL) return false;
    weigh_tuples(tuples, source, numbering->begin);
    memcpy(tuples->matches, tuples->sizes, tuples->n_tuples * sizeof *tuples->matches);
    tuples->star_tuple = SHOAL_NO_CODE;
    for (uint32_t t = 0; t < tuples->n_tuples; t++)
        if (is_star_tuple(source, tuples->first[t])) tuples->star_tuple = t;
    tuples->exempt_tuple = source->exempts_star && tuples->n_tuples > 1 ? tuples->star_tuple
                                                                        : SHOAL_NO_CODE;
    return true;
}

shoal_status shoal_tuples_count(shoal_tuples *out, const shoal_tuple_source *source,
                                uint32_t threads, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_tuples tuples = { 0 };
    shoal_numbering numbering = { 0 };
    SHOAL_GOTO_IF_ERROR(shoal_numbering_make(&numbering, source->columns, source->n_columns,
                                             source->n_units, SHOAL_NUMBER_FIRST, threads, err),
                        out);
    if (!size_tuples(&tuples, source, &numbering)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    if (shoal_has_wild_codes(source))
        SHOAL_GOTO_IF_ERROR(shoal_tuples_match(&tuples, source, threads, err), out);
    *out = tuples;
    tuples = (shoal_tuples){ 0 };
out:
    shoal_numbering_clear(&numbering);
    shoal_tuples_clear(&tuples);
    return status;
}

void shoal_tuples_clear(shoal_tuples *tuples)
{
    shoal_free(tuples->id_of_unit);
    shoal_free(tuples->first);
    shoal_free(tuples->sizes);
    shoal_free(tuples->matches);
    *tuples = (shoal_tuples){ 0 };
}

/* ---- a loaded release as a source ---- */

static uint32_t find_star(const shoal_column *column)
{
    for (uint32_t v = 0; v < column->n_values; v++)
        if (column->values[v].length == 1 && column->values[v].data[0] == '*') return v;
    return SHOAL_NO_CODE;
}

typedef struct release_source {
    const shoal_column **columns;
    uint32_t *star, *wild;
    uint32_t n;
} release_source;

static void release_source_clear(release_source *s)
{
    shoal_free(s->columns);
    shoal_free(s->star);
    shoal_free(s->wild);
}

static bool release_source_fill(release_source *s, const shoal_table *released,
                                const size_t *columns)
{
    s->columns = shoal_alloc(s->n, sizeof *s->columns);
    s->star = shoal_alloc(s->n, sizeof *s->star);
    s->wild = shoal_alloc(s->n, sizeof *s->wild);
    if (s->columns == NULL || s->star == NULL || s->wild == NULL) return false;
    for (uint32_t i = 0; i < s->n; i++) {
        const shoal_column *column = &released->columns[columns[i]];
        s->columns[i] = column;
        s->star[i] = find_star(column);
        s->wild[i] = released->missing == SHOAL_MISSING_WILDCARD ? column->null_code
                                                                 : SHOAL_NO_CODE;
    }
    return true;
}

shoal_status shoal_tuples_of_release_visit(shoal_tuples *out, const shoal_table *released,
                                           const size_t *columns, uint32_t n, uint32_t threads,
                                           const shoal_tuple_visitor *visitor, shoal_error *err)
{
    release_source s = { .n = n };
    shoal_status status = SHOAL_ENOMEM;
    if (release_source_fill(&s, released, columns)) {
        shoal_tuple_source source = {
            s.columns,         n,      released->n_rows, NULL,
            released->weights, s.star, s.wild,           released->exempts_suppressed
        };
        status = shoal_tuples_count(out, &source, threads, err);
        bool is_counted = status == SHOAL_OK;
        if (is_counted && visitor->begin != NULL)
            status = visitor->begin(out, visitor->payload, err);
        if (status == SHOAL_OK && visitor->visit != NULL)
            status = shoal_tuples_visit(out, &source, visitor->visit, visitor->payload, err);
        if (is_counted && status != SHOAL_OK) shoal_tuples_clear(out);
    } else {
        shoal_fail_memory(err);
    }
    release_source_clear(&s);
    return status;
}

shoal_status shoal_tuples_of_release(shoal_tuples *out, const shoal_table *released,
                                     const size_t *columns, uint32_t n, uint32_t threads,
                                     shoal_error *err)
{
    const shoal_tuple_visitor none = { 0 };
    return shoal_tuples_of_release_visit(out, released, columns, n, threads, &none, err);
}

void shoal_tuples_result(shoal_check_result *out, const shoal_tuples *tuples, uint32_t k)
{
    shoal_check_result r = { 0 };
    for (uint32_t t = 0; t < tuples->n_tuples; t++) {
        r.n_rows += tuples->sizes[t];
        if (t == tuples->exempt_tuple) continue;
        if (r.n_groups == 0 || tuples->sizes[t] < r.min_text_group)
            r.min_text_group = tuples->sizes[t];
        if (tuples->sizes[t] < k) r.text_failing_rows += tuples->sizes[t];
        if (r.n_groups++ == 0 || tuples->matches[t] < r.min_group) r.min_group = tuples->matches[t];
        if (tuples->matches[t] >= k) continue;
        r.failing_groups++;
        r.failing_rows += tuples->sizes[t];
    }
    if (tuples->star_tuple != SHOAL_NO_CODE) r.suppressed_rows = tuples->sizes[tuples->star_tuple];
    *out = r;
}
