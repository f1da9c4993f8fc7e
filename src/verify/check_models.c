/* SPDX-License-Identifier: Apache-2.0 */
/* check_models.c - privacy models over the groups of a published table from any source.
 *
 * A group is the rows with the same published quasi-identifiers; with wildcard matching, the rows
 * that agree with a row. Rows of only `*` are a group like any other, unless the table exempts
 * them. Models that compare with the whole table use the table as published. Sensitive values are
 * compared as text, or as numbers if the column was loaded as such; the population, if one is
 * needed, by the values that each text covers (fitting.c). The loss of a group needs the original
 * (tuple_losses.c); there rows of only `*` are suppressed rows and counted separately.
 *
 * Cost: O(rows * columns), and what the models cost for each group.
 */
#include "privacy/constraint.h"
#include "verify/fitting.h"
#include "verify/check_models.h"
#include "published/tuple_losses.h"

#include <string.h>

typedef struct checker {
    const shoal_table *released, *original; /* original may be NULL: not known */
    const uint8_t *kept;
    double *losses; /* of each tuple; NULL: no model needs them */
    shoal_constraint *constraint;
    shoal_evidence evidence;
    shoal_fitting fitting; /* population NULL: not needed */
    shoal_models_result result;
    shoal_grouped_rows rows;
    const shoal_tuples *tuples;
} checker;

/*
 * Counting sort by tuple. Counts are stored two places up: filling moves begin[t + 1] to its end,
 * where tuple t + 1 begins.
 */
bool shoal_grouped_rows_make(shoal_grouped_rows *out, const shoal_tuples *tuples, uint64_t n_rows)
{
    uint64_t *begin = shoal_alloc_zero((size_t)tuples->n_tuples + 2, sizeof *begin);
    uint32_t *rows = shoal_alloc((size_t)n_rows, sizeof *rows);
    if (begin == NULL || rows == NULL) {
        shoal_free(begin);
        shoal_free(rows);
        return false;
    }
    for (uint64_t row = 0; row < n_rows; row++) begin[tuples->id_of_unit[row] + 2]++;
    for (uint32_t t = 0; t < tuples->n_tuples; t++) begin[t + 2] += begin[t + 1];
    for (uint64_t row = 0; row < n_rows; row++)
        rows[begin[tuples->id_of_unit[row] + 1]++] = (uint32_t)row;
    *out = (shoal_grouped_rows){ begin, rows };
    return true;
}

void shoal_grouped_rows_free(shoal_grouped_rows *rows)
{
    shoal_free(rows->begin);
    shoal_free(rows->rows);
    *rows = (shoal_grouped_rows){ 0 };
}

static shoal_status begin(const shoal_tuples *tuples, void *payload, shoal_error *err)
{
    checker *c = payload;
    c->tuples = tuples;
    c->result.n_rows = c->released->total;
    c->result.n_groups = tuples->n_tuples - (tuples->exempt_tuple != SHOAL_NO_CODE);
    if (!shoal_grouped_rows_make(&c->rows, tuples, c->released->n_rows))
        return shoal_fail_memory(err);
    if (c->constraint == NULL || !c->constraint->needs_original) return SHOAL_OK;
    return shoal_tuple_losses(&c->losses, tuples, c->original, c->released, c->kept, err);
}

/* Failing rows are those of the tuple itself; with wildcard matching the group may have had more.
 */
static void count_failures(checker *c, uint32_t tuple, const shoal_model_result *before)
{
    bool has_failed = false;
    for (size_t m = 0; m < c->result.n_models; m++) {
        shoal_model_result *now = &c->result.models[m];
        if (now->failing_groups == before[m].failing_groups) continue;
        now->failing_rows = before[m].failing_rows + c->tuples->sizes[tuple];
        has_failed = true;
    }
    c->result.failing_groups += has_failed;
    c->result.failing_rows += has_failed ? c->tuples->sizes[tuple] : 0;
}

static shoal_status visit(uint32_t tuple, const uint32_t *agreeing, uint32_t n, void *payload,
                          shoal_error *err)
{
    (void)err;
    checker *c = payload;
    if (tuple == c->tuples->exempt_tuple) return SHOAL_OK;
    shoal_evidence_clear(&c->evidence);
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t at = c->rows.begin[agreeing[i]]; at < c->rows.begin[agreeing[i] + 1]; at++)
            shoal_evidence_add_line(&c->evidence, c->constraint, c->rows.rows[at],
                                    shoal_table_weight(c->released, c->rows.rows[at]));
    if (c->fitting.population != NULL)
        c->evidence.population = (double)shoal_fitting_count(&c->fitting, c->tuples->first[tuple]);
    if (c->losses != NULL)
        c->evidence.loss = tuple != c->tuples->star_tuple ? c->losses[tuple] : NAN;
    /* second half of the allocation */
    shoal_model_result *before = c->result.models + c->result.n_models;
    memcpy(before, c->result.models, c->result.n_models * sizeof *before);
    shoal_constraint_count(c->constraint, &c->evidence, c->result.models);
    count_failures(c, tuple, before);
    return SHOAL_OK;
}

shoal_status shoal_list_quasi(size_t **out, uint32_t *n, const shoal_table *released,
                              shoal_error *err)
{
    size_t *columns = shoal_alloc(released->n_columns, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    *n = 0;
    for (size_t c = 0; c < released->n_columns; c++)
        if (released->columns[c].role == SHOAL_ROLE_QUASI) columns[(*n)++] = c;
    *out = columns;
    if (*n > 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "check: no quasi-identifiers {fix} name them with {--qid}");
}

shoal_status shoal_models_options_read(shoal_models_options *out, const shoal_models_options *given,
                                       shoal_error *err)
{
    *out = (shoal_models_options)SHOAL_MODELS_OPTIONS_INIT;
    if (given == NULL || given->size == 0 || given->size > sizeof *out)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "check: options not initialised, or made for a newer version of the library");
    memcpy(out, given, given->size);
    return SHOAL_OK;
}

static shoal_status set_up(checker *c, const shoal_models_options *o, const size_t *columns,
                           uint32_t n, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(
        shoal_constraint_read(&c->constraint, c->released, o->models, o->n_models, 0, err));
    if (c->constraint == NULL) return SHOAL_OK;
    if (c->constraint->needs_original && c->original == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "check: group-loss can be checked only with the original {fix} use "
                          "'shoal measure', which reports it as wgu");
    if (c->constraint->needs_population && o->population == NULL)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "k-map and delta-presence need a population table {fix} name it with {--population}");
    if (c->constraint->needs_population)
        SHOAL_RETURN_IF_ERROR(shoal_fitting_make(
            &c->fitting,
            &(shoal_fitting_source){ c->released, columns, n, o->population, c->original },
            o->threads, err));
    c->result.n_models = c->constraint->n_models;
    c->result.models = shoal_alloc((size_t)c->constraint->n_models * 2, sizeof *c->result.models);
    if (c->result.models == NULL || !shoal_evidence_init(&c->evidence, c->constraint))
        return shoal_fail_memory(err);
    shoal_constraint_begin(c->constraint, c->result.models);
    return SHOAL_OK;
}

shoal_status shoal_check_models(shoal_models_result *out, const shoal_table *released,
                                const shoal_models_options *options, shoal_error *err)
{
    return shoal_check_models_beside(out, released, options, NULL, NULL, err);
}

shoal_status shoal_check_models_beside(shoal_models_result *out, const shoal_table *released,
                                       const shoal_models_options *options,
                                       const shoal_table *original, const uint8_t *kept,
                                       shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_models_options o;
    checker c = { .released = released, .original = original, .kept = kept };
    shoal_tuples tuples = { 0 };
    size_t *columns = NULL;
    uint32_t n = 0;
    SHOAL_RETURN_IF_ERROR(shoal_models_options_read(&o, options, err));
    if (!released->is_loaded)
        return shoal_fail(err, SHOAL_EINVAL, "check: the table is not loaded");
    SHOAL_GOTO_IF_ERROR(shoal_list_quasi(&columns, &n, released, err), out);
    SHOAL_GOTO_IF_ERROR(set_up(&c, &o, columns, n, err), out);
    const shoal_tuple_visitor visitor = { begin, c.constraint != NULL ? visit : NULL, &c };
    SHOAL_GOTO_IF_ERROR(
        shoal_tuples_of_release_visit(&tuples, released, columns, n, o.threads, &visitor, err),
        out);
    *out = c.result;
    c.result = (shoal_models_result){ 0 };
out:
    shoal_models_clear(&c.result);
    shoal_evidence_free(&c.evidence);
    shoal_free(c.losses);
    shoal_fitting_clear(&c.fitting);
    shoal_grouped_rows_free(&c.rows);
    shoal_tuples_clear(&tuples);
    shoal_constraint_free(c.constraint);
    shoal_free(columns);
    return status;
}

void shoal_models_clear(shoal_models_result *result)
{
    shoal_free(result->models);
    *result = (shoal_models_result){ 0 };
}
