/* SPDX-License-Identifier: Apache-2.0 */
/* verify_models.c - the check of privacy models for every release, and of persons if the original
 * has entity columns.
 *
 * Models are checked on the published table only (check_models.c), except the loss of groups, which
 * also needs the original. Persons are not published, so they are counted from the original's
 * entity columns: those of the rows with the same published tuple or, with wildcard matching, of
 * the rows that agree.
 *
 * Cost: that of shoal_check_models(), and O(rows) for persons.
 */
#include "verify/check_models.h"
#include "published/released.h"

#include <math.h>

/* ---- persons ---- */

typedef struct person_counter {
    uint32_t k;
    uint64_t n_released;
    uint32_t *person_of_row; /* of the original */
    uint32_t *original_row;  /* of each released row; NULL: the same */
    uint32_t *seen_at;       /* of each person: the last tuple that counted the person, + 1 */
    shoal_grouped_rows rows;
    const shoal_tuples *tuples;
    shoal_model_result result;
} person_counter;

static shoal_status begin_persons(const shoal_tuples *tuples, void *payload, shoal_error *err)
{
    person_counter *p = payload;
    p->tuples = tuples;
    return shoal_grouped_rows_make(&p->rows, tuples, p->n_released) ? SHOAL_OK
                                                                    : shoal_fail_memory(err);
}

static shoal_status count_persons(uint32_t tuple, const uint32_t *agreeing, uint32_t n,
                                  void *payload, shoal_error *err)
{
    (void)err;
    person_counter *p = payload;
    uint64_t n_persons = 0;
    if (tuple == p->tuples->exempt_tuple) return SHOAL_OK;
    for (uint32_t i = 0; i < n; i++) {
        for (uint64_t at = p->rows.begin[agreeing[i]]; at < p->rows.begin[agreeing[i] + 1]; at++) {
            uint32_t row = p->rows.rows[at],
                     person =
                         p->person_of_row[p->original_row == NULL ? row : p->original_row[row]];
            n_persons += p->seen_at[person] != tuple + 1;
            p->seen_at[person] = tuple + 1;
        }
    }
    shoal_model_result *r = &p->result;
    if (isnan(r->achieved) || (double)n_persons < r->achieved) r->achieved = (double)n_persons;
    if (n_persons >= p->k) return SHOAL_OK;
    r->failing_groups++;
    r->failing_rows += p->tuples->sizes[tuple];
    return SHOAL_OK;
}

/* Number the persons of an entity column. */
static shoal_status number_persons(person_counter *p, const shoal_table *original, size_t column,
                                   uint32_t threads, shoal_error *err)
{
    uint32_t n_persons = 0;
    const shoal_column *persons = &original->columns[column];
    SHOAL_RETURN_IF_ERROR(shoal_number_tuples(&p->person_of_row, &n_persons, &persons, 1,
                                              original->n_rows, threads, err));
    p->seen_at = shoal_alloc_zero(n_persons, sizeof *p->seen_at);
    return p->seen_at != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

static bool list_kept(person_counter *p, const shoal_table *original, const uint8_t *kept)
{
    uint64_t at = 0;
    if (kept == NULL) return true;
    p->original_row = shoal_alloc((size_t)p->n_released + 1, sizeof *p->original_row);
    for (uint64_t row = 0; p->original_row != NULL && row < original->n_rows && at < p->n_released;
         row++)
        if (kept[row] != 0) p->original_row[at++] = (uint32_t)row;
    return p->original_row != NULL;
}

/* Columns of the release for the original's quasi-identifiers. */
static shoal_status match_columns(size_t **out, uint32_t *n, const shoal_table *original,
                                  const shoal_table *released, shoal_error *err)
{
    shoal_space space;
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&space, original, err));
    *n = space.n_attrs;
    *out = shoal_alloc(space.n_attrs, sizeof **out);
    shoal_status status = *out != NULL ? shoal_released_match(*out, &space, original, released, err)
                                       : shoal_fail_memory(err);
    shoal_space_clear(&space);
    return status;
}

/* What is the same for every entity column. */
typedef struct person_check {
    const shoal_table *original, *released;
    const shoal_models_options *options;
    const uint8_t *kept;
} person_check;

static shoal_status verify_persons(shoal_model_result *result, const person_check *check,
                                   size_t column, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    size_t *columns = NULL;
    uint32_t n = 0, threads = check->options->threads > 0 ? check->options->threads : 1,
             k = check->options->k;
    shoal_tuples tuples = { 0 };
    person_counter p = { .k = k,
                         .n_released = check->released->n_rows,
                         .result = { .name = "persons",
                                     .variant = "",
                                     .asked = { k, 0 },
                                     .n_asked = 1,
                                     .achieved = NAN,
                                     .column = column } };
    SHOAL_GOTO_IF_ERROR(number_persons(&p, check->original, column, threads, err), out);
    SHOAL_GOTO_IF_ERROR(match_columns(&columns, &n, check->original, check->released, err), out);
    if (!list_kept(&p, check->original, check->kept)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    const shoal_tuple_visitor visitor = { begin_persons, count_persons, &p };
    SHOAL_GOTO_IF_ERROR(
        shoal_tuples_of_release_visit(&tuples, check->released, columns, n, threads, &visitor, err),
        out);
    *result = p.result;
out:
    shoal_tuples_clear(&tuples);
    shoal_grouped_rows_free(&p.rows);
    shoal_free(p.person_of_row);
    shoal_free(p.original_row);
    shoal_free(p.seen_at);
    shoal_free(columns);
    return status;
}

/* One more result for each entity column: persons, and households if there are two. */
static shoal_status add_persons(shoal_models_result *result, const person_check *check,
                                shoal_error *err)
{
    for (size_t c = 0; c < check->original->n_columns; c++) {
        if (!shoal_role_is_person(check->original->columns[c].role)) continue;
        shoal_model_result *grown = shoal_resize(result->models, result->n_models + 1,
                                                 sizeof *grown);
        if (grown == NULL) return shoal_fail_memory(err);
        result->models = grown;
        SHOAL_RETURN_IF_ERROR(verify_persons(&result->models[result->n_models], check, c, err));
        const shoal_model_result *persons = &result->models[result->n_models++];
        /* a lower bound: rows that miss both are not counted twice */
        if (persons->failing_groups <= result->failing_groups) continue;
        result->failing_groups = persons->failing_groups;
        result->failing_rows = persons->failing_rows;
    }
    return SHOAL_OK;
}

/* ---- all of them ---- */

/* Columns of results are those of the original. */
static void name_original_columns(shoal_models_result *result, const shoal_table *original,
                                  const shoal_table *released)
{
    for (size_t m = 0; m < result->n_models; m++) {
        size_t found = SIZE_MAX;
        if (result->models[m].column == SIZE_MAX) continue; /* not about a column */
        for (size_t c = 0; c < original->n_columns && found == SIZE_MAX; c++)
            if (original->columns[c].role == SHOAL_ROLE_SENSITIVE &&
                shoal_released_column(original, released, c) == result->models[m].column)
                found = c;
        result->models[m].column = found;
    }
}

static shoal_status fail_if_missed(const shoal_models_result *result, const shoal_table *original,
                                   shoal_error *err)
{
    for (size_t m = 0; m < result->n_models; m++) {
        const shoal_model_result *r = &result->models[m];
        if (r->failing_groups == 0) continue;
        return shoal_fail(
            err, SHOAL_EUNSAT,
            "verify: %llu groups (%llu rows) do not satisfy %s%s%s%s%s%s; worst value: %.4g {fix} "
            "do not publish the release",
            (unsigned long long)r->failing_groups, (unsigned long long)r->failing_rows, r->name,
            *r->variant != '\0' ? " " : "", r->variant, r->column != SIZE_MAX ? " of column '" : "",
            r->column != SIZE_MAX ? original->columns[r->column].name : "",
            r->column != SIZE_MAX ? "'" : "", r->achieved);
    }
    return SHOAL_OK;
}

shoal_status shoal_verify_models(shoal_models_result *out, const shoal_table *original,
                                 const shoal_table *released, const shoal_models_options *options,
                                 const uint8_t *kept, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_models_options o;
    shoal_models_result result = { 0 };
    SHOAL_RETURN_IF_ERROR(shoal_models_options_read(&o, options, err));
    SHOAL_RETURN_IF_ERROR(shoal_check_models_beside(&result, released, &o, original, kept, err));
    name_original_columns(&result, original, released);
    SHOAL_GOTO_IF_ERROR(add_persons(&result, &(person_check){ original, released, &o, kept }, err),
                        out);
    status = fail_if_missed(&result, original, err);
    if (out != NULL && (status == SHOAL_OK || status == SHOAL_EUNSAT)) {
        *out = result;
        return status;
    }
out:
    shoal_models_clear(&result);
    return status;
}
