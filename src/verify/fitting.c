/* SPDX-License-Identifier: Apache-2.0 */
/* fitting.c - published texts as sets of the population's values; see fitting.h.
 *
 * Independent of the boxes of groups: each text is read (published.h) against the population's own
 * column and represents the values that it covers, as the verifier reads them. With wildcards a
 * missing value in the release covers everything.
 */
#include "verify/fitting.h"

#include "published/published.h"

#include <string.h>

/* The values that a text covers: all, a run of codes, or a bit set. */
static bool read_stretch(shoal_stretch *out, shoal_fitting *f, const shoal_published *published,
                         uint32_t text)
{
    uint32_t n_values = published->attr->source->n_values, n = 0;
    if (published->readings[text].is_all) {
        *out = SHOAL_WHOLE_LINE;
        return true;
    }
    size_t n_words = (size_t)n_values / 64 + 1;
    uint64_t *members = shoal_arena_alloc(&f->arena, n_words * sizeof *members);
    if (members == NULL) return false;
    memset(members, 0, n_words * sizeof *members);
    shoal_stretch s = { UINT32_MAX, 0, members };
    for (uint32_t v = 0; v < n_values; v++) {
        if (!shoal_published_covers(published, text, v)) continue;
        members[v / 64] |= (uint64_t)1 << (v % 64);
        if (s.lo > v) s.lo = v;
        s.hi = v;
        n++;
    }
    if (n > 0 && s.hi - s.lo + 1 == n) s.members = NULL; /* a run without gaps */
    *out = s;
    return true;
}

static shoal_status read_column(shoal_fitting *f, uint32_t c, const shoal_table *population,
                                const shoal_attribute *attr, shoal_error *err)
{
    const shoal_column *column = &f->released->columns[f->columns[c]];
    shoal_published published;
    f->stretches[c] = shoal_alloc(column->n_values, sizeof **f->stretches);
    if (f->stretches[c] == NULL) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(shoal_published_read_strictly(&published, population, attr,
                                                        column->values, column->n_values, err));
    bool ok = true;
    for (uint32_t t = 0; t < column->n_values && ok; t++) {
        bool says_nothing = t == column->null_code &&
                            f->released->missing == SHOAL_MISSING_WILDCARD;
        if (says_nothing)
            f->stretches[c][t] = SHOAL_WHOLE_LINE;
        else
            ok = read_stretch(&f->stretches[c][t], f, &published, t);
    }
    shoal_published_clear(&published);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/*
 * The place of each value of the population is its code. A missing value that stands for any value
 * has none: only `*` covers it.
 */
static uint32_t *list_places(const shoal_table *population, size_t column)
{
    const shoal_column *from = &population->columns[column];
    uint32_t *places = shoal_alloc(from->n_values, sizeof *places);
    for (uint32_t v = 0; places != NULL && v < from->n_values; v++)
        places[v] = v == from->null_code && population->missing != SHOAL_MISSING_OWN_CATEGORY
                        ? SHOAL_NO_PLACE
                        : v;
    return places;
}

static shoal_status make_population(shoal_fitting *f, const shoal_table *population,
                                    const size_t *columns, uint32_t threads, shoal_error *err)
{
    uint32_t **places = shoal_alloc_zero(f->n_columns, sizeof *places);
    bool ok = places != NULL;
    for (uint32_t c = 0; ok && c < f->n_columns; c++)
        ok = (places[c] = list_places(population, columns[c])) != NULL;
    shoal_status status = ok ? shoal_population_make(&f->population, population, columns,
                                                     (const uint32_t *const *)places, f->n_columns,
                                                     threads, err)
                             : shoal_fail_memory(err);
    for (uint32_t c = 0; places != NULL && c < f->n_columns; c++) shoal_free(places[c]);
    shoal_free(places);
    return status;
}

/* The population's columns with the hierarchies of the original; NULL when memory is short. */
static shoal_column *borrow_hierarchies(const shoal_table *population, const shoal_table *original)
{
    shoal_column *columns = shoal_alloc(population->n_columns, sizeof *columns);
    if (columns == NULL) return NULL;
    memcpy(columns, population->columns, population->n_columns * sizeof *columns);
    for (size_t c = 0; original != NULL && c < population->n_columns; c++) {
        size_t at = shoal_table_find_column(original, columns[c].name);
        if (at == SIZE_MAX || original->columns[at].hierarchy == NULL) continue;
        columns[c].hierarchy = original->columns[at].hierarchy;
        columns[c].on_missing = SHOAL_ON_MISSING_TOP; /* a value that it lacks fits `*` alone */
    }
    return columns;
}

shoal_status shoal_fitting_make(shoal_fitting *out, const shoal_fitting_source *source,
                                uint32_t threads, shoal_error *err)
{
    const shoal_table *released = source->released, *population = source->population;
    const size_t *columns = source->columns;
    uint32_t n_columns = source->n_columns;
    shoal_status status = SHOAL_OK;
    shoal_space space = { 0 };
    shoal_fitting f = { .released = released, .columns = columns, .n_columns = n_columns };
    size_t *theirs = shoal_alloc(n_columns, sizeof *theirs);
    uint32_t *numbers = shoal_alloc(n_columns, sizeof *numbers);
    shoal_table view = *population; /* it differs in its hierarchies alone */
    view.columns = borrow_hierarchies(population, source->original);
    f.stretches = shoal_alloc_zero(n_columns, sizeof *f.stretches);
    f.room = shoal_alloc(n_columns, sizeof *f.room);
    if (theirs == NULL || numbers == NULL || f.stretches == NULL || f.room == NULL ||
        view.columns == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t c = 0; c < n_columns; c++) {
        SHOAL_GOTO_IF_ERROR(shoal_population_column(&theirs[c], population,
                                                    released->columns[columns[c]].name, err),
                            out);
        numbers[c] = (uint32_t)theirs[c];
    }
    SHOAL_GOTO_IF_ERROR(
        shoal_space_make_columns(&space, &view, numbers, n_columns, population->missing, err), out);
    SHOAL_GOTO_IF_ERROR(make_population(&f, population, theirs, threads, err), out);
    for (uint32_t c = 0; c < n_columns; c++)
        SHOAL_GOTO_IF_ERROR(read_column(&f, c, &view, &space.attrs[c], err), out);
    *out = f;
    f = (shoal_fitting){ 0 };
out:
    shoal_fitting_clear(&f);
    shoal_space_clear(&space);
    shoal_free(view.columns);
    shoal_free(theirs);
    shoal_free(numbers);
    return status;
}

void shoal_fitting_clear(shoal_fitting *fitting)
{
    for (uint32_t c = 0; fitting->stretches != NULL && c < fitting->n_columns; c++)
        shoal_free(fitting->stretches[c]);
    shoal_free(fitting->stretches);
    shoal_free(fitting->room);
    shoal_population_free(fitting->population);
    shoal_arena_clear(&fitting->arena);
    *fitting = (shoal_fitting){ 0 };
}

uint64_t shoal_fitting_count(shoal_fitting *fitting, uint64_t row)
{
    for (uint32_t c = 0; c < fitting->n_columns; c++)
        fitting->room[c] = fitting->stretches[c][shoal_column_code(
            &fitting->released->columns[fitting->columns[c]], row)];
    return shoal_population_rows(fitting->population, fitting->room);
}
