/* SPDX-License-Identifier: Apache-2.0 */
/* series_check.c - a series as a whole: do all pairs of its releases differ by what satisfies k and
 * the models, and are files what was published?
 *
 * The state records what each slot held in each release; a slot changes in few releases, so there
 * are few pairs to compare. A file is identified by its digest, and its rows, read from its text,
 * must be those of the state: then what holds for the state holds for the files.
 *
 * An example: of five releases a slot changed in the second and the fourth. It held one thing in
 * releases 2 and 3 and another in 4 and 5, so one comparison covers four pairs of releases.
 *
 * Cost: O(rows), and for each slot the square of the releases in which it changed.
 */
#include "series/invariance.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct audit {
    shoal_change change; /* the state alone: no table */
    /* of each release: does it, or what it differs by from one before, miss something? */
    uint8_t *failing;
    uint32_t n; /* releases */
    shoal_series_audit result;
} audit;

/* ---- pairs ---- */

/* A row is in a release from the one with which it arrived to the one before it left. */
/* What a slot held in a release, into scratch.now; its history is in scratch.history. */
static bool hold(shoal_change *c, uint32_t release)
{
    c->scratch.n_now = 0;
    for (size_t i = 0; i < c->scratch.n_history; i++) {
        const shoal_series_past *past = &c->scratch.history[i];
        if (past->arrived <= release && release < past->left &&
            !shoal_change_add_now(&c->scratch, past->value, past->count))
            return false;
    }
    return true;
}

/* Other releases have the same content as the one before: their pairs are covered already. */
static bool has_changed(const shoal_change *c, uint32_t release)
{
    for (size_t i = 0; i < c->scratch.n_history; i++)
        if (c->scratch.history[i].arrived == release || c->scratch.history[i].left == release)
            return true;
    return false;
}

/* The past of a slot up to a release, as the next release had to face it. */
static void cut_history(shoal_series_past *to, size_t *n, const shoal_change *c, uint32_t before)
{
    *n = 0;
    for (size_t i = 0; i < c->scratch.n_history; i++) {
        shoal_series_past past = c->scratch.history[i];
        if (past.arrived >= before) continue;
        if (past.left >= before) past.left = UINT32_MAX;
        to[(*n)++] = past;
    }
}

/* Each release in which the slot changed, against all before it. */
static shoal_status check_slot(audit *a, uint32_t slot, shoal_error *err)
{
    shoal_change *c = &a->change;
    if (!shoal_change_history(c, slot)) return shoal_fail_memory(err);
    shoal_series_past *before = shoal_alloc(c->scratch.n_history, sizeof *before);
    shoal_status status = before != NULL ? SHOAL_OK : shoal_fail_memory(err);
    for (uint32_t release = 1; release <= a->n && status == SHOAL_OK; release++) {
        bool holds = true;
        size_t n;
        if (!has_changed(c, release)) continue;
        cut_history(before, &n, c, release);
        if (!hold(c, release))
            status = shoal_fail_memory(err);
        else
            status = shoal_series_judge_slot(&holds, &c->judge, before, n, c->scratch.now,
                                             c->scratch.n_now, err);
        if (!holds) a->failing[release] = 1;
    }
    shoal_free(before);
    return status;
}

/* ---- files ---- */

/* Columns get the types that they had in the first release: sensitive numbers are compared as
 * numbers, whatever their spelling. */
static shoal_status open_file(shoal_table **out, const shoal_change *c, const char *text,
                              size_t size, shoal_error *err)
{
    const shoal_series_terms *t = &c->terms;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *table = NULL;
    load.threads = c->threads;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(&table, text, size, NULL, NULL, NULL, err));
    shoal_status status = shoal_table_set_nulls(table, t->nulls, t->n_nulls,
                                                SHOAL_MISSING_OWN_CATEGORY, err);
    for (uint32_t i = 0; i < t->n_quasi + t->n_sensitive && status == SHOAL_OK; i++) {
        bool is_quasi = i < t->n_quasi;
        const char *type = is_quasi ? "categorical" : t->types[i - t->n_quasi];
        size_t column = shoal_table_find_column(table, is_quasi ? t->quasi[i]
                                                                : t->sensitive[i - t->n_quasi]);
        if (column == SIZE_MAX) continue; /* found missing when it is read */
        status = shoal_table_set_role(table, column,
                                      is_quasi ? SHOAL_ROLE_QUASI : SHOAL_ROLE_SENSITIVE, err);
        if (status == SHOAL_OK)
            status = shoal_table_set_type(table, column,
                                          strcmp(type, "numeric") == 0 ? SHOAL_TYPE_NUMERIC
                                          : strcmp(type, "date") == 0  ? SHOAL_TYPE_DATE
                                                                       : SHOAL_TYPE_CATEGORICAL,
                                          err);
        if (status == SHOAL_OK && !is_quasi && *t->formats[i - t->n_quasi] != '\0')
            status = shoal_table_set_format(table, column, t->formats[i - t->n_quasi], err);
    }
    if (status == SHOAL_OK) status = shoal_table_load(table, &load, err);
    if (status == SHOAL_OK)
        *out = table;
    else
        shoal_table_free(table);
    return status;
}

static int by_value(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Are the rows of a slot in a file those of the state? `rows` may be sorted. */
static bool is_same_slot(bool *failed, shoal_change *c, const shoal_slot_rows *rows, uint32_t slot,
                         uint32_t release)
{
    size_t n = (size_t)(rows->begin[slot + 1] - rows->begin[slot]), n_held = 0, at = 0;
    uint32_t *values = rows->values + rows->begin[slot];
    *failed = !shoal_change_history(c, slot) || !hold(c, release);
    if (*failed) return false;
    for (size_t i = 0; i < c->scratch.n_now; i++) n_held += c->scratch.now[i].count;
    if (n != n_held) return false;
    uint32_t *held = shoal_alloc(n, sizeof *held);
    *failed = held == NULL;
    if (*failed) return false;
    for (size_t i = 0; i < c->scratch.n_now; i++)
        for (uint32_t j = 0; j < c->scratch.now[i].count; j++) held[at++] = c->scratch.now[i].value;
    qsort(held, n, sizeof *held, by_value);
    qsort(values, n, sizeof *values, by_value);
    bool is_same = n == 0 || memcmp(held, values, n * sizeof *held) == 0;
    shoal_free(held);
    return is_same;
}

/* Every slot of the state is compared, also those without rows in the file. */
static shoal_status compare_rows(bool *is_same, audit *a, const shoal_table *table,
                                 uint32_t release, shoal_error *err)
{
    shoal_slot_rows rows = { 0 };
    bool failed = false;
    shoal_status status = shoal_slot_rows_read(&rows, &a->change, table, err);
    *is_same = true;
    for (uint32_t slot = 0; status == SHOAL_OK && *is_same && slot < rows.n_slots; slot++) {
        *is_same = is_same_slot(&failed, &a->change, &rows, slot, release);
        if (failed) status = shoal_fail_memory(err);
    }
    shoal_slot_rows_clear(&rows);
    return status;
}

static uint32_t find_release(const shoal_series_state *state, const char *sha256)
{
    for (uint32_t i = 0; i < state->n_releases; i++)
        if (strcmp(state->releases[i].sha256, sha256) == 0) return i + 1;
    return 0;
}

/* A file with an unknown digest is counted, not an error: it may be a release of another series. */
static shoal_status check_file(audit *a, const char *path, shoal_error *err)
{
    const shoal_series_storage *storage = &a->change.series->storage;
    shoal_table *table = NULL;
    char *text = NULL, sha256[65];
    size_t size;
    bool is_same = true;
    SHOAL_RETURN_IF_ERROR(storage->read(storage->payload, &text, &size, path, err));
    storage->digest(storage->payload, sha256, text, size);
    uint32_t number = find_release(a->change.state, sha256);
    shoal_status status = SHOAL_OK;
    bool is_invariant = a->change.terms.m > 0;
    if (number > 0 && is_invariant)
        status = shoal_invariance_check_text(&is_same, &a->change, number, text, size, err);
    if (number > 0 && !is_invariant) status = open_file(&table, &a->change, text, size, err);
    if (number > 0 && !is_invariant && status == SHOAL_OK)
        status = compare_rows(&is_same, a, table, number, err);
    a->result.number_of_file[a->result.n_files++] = number;
    a->result.n_unknown += number == 0;
    a->result.n_other += !is_same;
    shoal_table_free(table);
    shoal_string_free(text);
    return status;
}

/* ---- all of it ---- */

/* Where the signatures of an m-invariant series do not hold, no release can be trusted. */
static shoal_status check_state(audit *a, shoal_error *err)
{
    shoal_change *c = &a->change;
    bool holds = true;
    for (uint32_t slot = 0; c->terms.m == 0 && slot < c->n_old_slots; slot++)
        SHOAL_RETURN_IF_ERROR(check_slot(a, slot, err));
    if (c->terms.m > 0) SHOAL_RETURN_IF_ERROR(shoal_invariance_check_state(&holds, c, err));
    for (uint32_t release = 1; release <= a->n && !holds; release++) a->failing[release] = 1;
    return SHOAL_OK;
}

static shoal_status audit_all(audit *a, const char *const *files, size_t n_files, shoal_error *err)
{
    shoal_change *c = &a->change;
    assert(a->n > 0); /* a state without releases was refused */
    SHOAL_RETURN_IF_ERROR(shoal_series_terms_read(&c->terms, c->state->settings, err));
    if (c->terms.m == 0)
        SHOAL_RETURN_IF_ERROR(
            shoal_series_judge_make(&c->judge, &c->terms, &c->state->values, err));
    a->result.m = c->terms.m;
    a->failing = shoal_alloc_zero((size_t)a->n + 1, 1);
    a->result.number_of_file = shoal_alloc_zero(n_files, sizeof *a->result.number_of_file);
    if (a->failing == NULL || a->result.number_of_file == NULL || !shoal_change_index(c))
        return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(check_state(a, err));
    for (uint32_t release = 1; release <= a->n; release++)
        a->result.failing_releases += a->failing[release];
    a->result.n_pairs = (uint64_t)a->n * (a->n - 1) / 2;
    for (size_t i = 0; i < n_files; i++) SHOAL_RETURN_IF_ERROR(check_file(a, files[i], err));
    return SHOAL_OK;
}

/* Runs on one thread: a series is checked rarely, and most slots have few changes. */
shoal_status shoal_series_check(shoal_series_audit *out, shoal_series *series,
                                const char *const *files, size_t n_files, shoal_error *err)
{
    audit a = { .change = { .series = series, .state = &series->state, .threads = 1 },
                .n = series->state.n_releases };
    if (a.n == 0) return shoal_fail(err, SHOAL_EINVAL, "series: no releases yet");
    a.result.n_releases = a.n;
    shoal_status status = audit_all(&a, files, n_files, err);
    shoal_change_clear(&a.change);
    shoal_free(a.failing);
    if (status == SHOAL_OK)
        *out = a.result;
    else
        shoal_series_audit_clear(&a.result);
    return status;
}

/* Unknown files make it fail: they were given as releases of this series. */
bool shoal_series_audit_satisfied(const shoal_series_audit *result)
{
    return result->failing_releases == 0 && result->n_unknown == 0 && result->n_other == 0;
}

void shoal_series_audit_clear(shoal_series_audit *result)
{
    shoal_free(result->number_of_file);
    *result = (shoal_series_audit){ 0 };
}
