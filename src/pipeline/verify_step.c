/* SPDX-License-Identifier: Apache-2.0 */
/* verify_step.c - the check that no release skips: from what the sink holds, against the original.
 *
 * Which checks are made follows from the table and the grouping alone, never from who calls: k,
 * coverage and what is passed on always; models where some were asked for or promised; persons
 * wherever the table has an entity column.
 */
#include "pipeline/pipeline_run.h"
#include "pipeline/promises.h"
#include "verify/verify_unchanged.h"
#include "published/released.h"
#include "verify/verify.h"

#include <string.h>

static shoal_status view(shoal_sink_text *out, const shoal_pipeline *run, shoal_sink_part part,
                         shoal_error *err)
{
    *out = (shoal_sink_text){ .data = "" };
    return run->sink.view(run->sink.payload, part, out, err);
}

static bool needs_models(const shoal_pipeline *run)
{
    bool needs = run->n_models > 0;
    for (size_t c = 0; c < run->table->n_columns; c++)
        needs = needs || shoal_role_is_person(run->table->columns[c].role);
    return needs;
}

static unsigned traits_of(const shoal_model_result *model)
{
    size_t row = shoal_model_find(model->name);
    while (shoal_model_name(row) != NULL && strcmp(shoal_model_name(row), model->name) == 0 &&
           strcmp(shoal_model_variant(row), model->variant) != 0)
        row++; /* the variants of a model are next to each other */
    return shoal_model_traits(row);
}

/* Under wildcard a row counts with all rows that agree with it, which may be more than its group.
 */
static shoal_status explain_wildcard(const shoal_models_result *found, shoal_error *err)
{
    size_t m = 0;
    while (m + 1 < found->n_models && found->models[m].failing_groups == 0) m++;
    return shoal_fail(err, SHOAL_EUNSAT,
                      "with {--missing} wildcard a row counts with all rows that agree with it: "
                      "%llu (%llu rows) do not satisfy %s; worst value: %.4g {fix} use {--missing} "
                      "own-category or conservative, or relax the model",
                      (unsigned long long)found->models[m].failing_groups,
                      (unsigned long long)found->models[m].failing_rows, found->models[m].name,
                      found->models[m].achieved);
}

/*
 * Groups may violate a model that they satisfied in the search: if a recoding makes their published
 * values wider or narrower and the model depends on these; or if groups with identical published
 * values, or a group that reads like suppressed rows, are counted as one, and the model need not
 * hold for a union. This is no internal error: the message has a fix.
 */
static shoal_status explain_miss(const shoal_pipeline *run, const shoal_models_result *found,
                                 shoal_status status, shoal_error *err)
{
    const shoal_model_result *missed = NULL;
    bool is_recoded = shoal_spec_recoding(&run->spec) != SHOAL_RECODE_LOCAL;
    if (status == SHOAL_EUNSAT && found->n_models > 0 &&
        run->table->missing == SHOAL_MISSING_WILDCARD && run->spec.levels == NULL)
        return explain_wildcard(found, err);
    for (size_t m = 0; status == SHOAL_EUNSAT && m < found->n_models; m++) {
        unsigned traits = traits_of(&found->models[m]);
        bool looks_at_cells = (traits &
                               (SHOAL_MODEL_NEEDS_POPULATION | SHOAL_MODEL_NEEDS_ORIGINAL)) != 0;
        if (found->models[m].failing_groups == 0) continue;
        if ((traits & SHOAL_MODEL_HOLDS_FOR_UNIONS) != 0 && !(is_recoded && looks_at_cells))
            return status;
        if (missed == NULL) missed = &found->models[m];
    }
    /* levels that were given keep it or not */
    if (missed == NULL || run->spec.levels != NULL) return status;
    unsigned long long n_groups = missed->failing_groups, n_rows = missed->failing_rows;
    if (is_recoded)
        return shoal_fail(err, SHOAL_EUNSAT,
                          "with recoding %s, %llu groups (%llu rows) do not satisfy %s; worst "
                          "value: %.4g {fix} choose another {--recoding}, or relax the model",
                          shoal_recode_name(shoal_spec_recoding(&run->spec)), n_groups, n_rows,
                          missed->name, missed->achieved);
    return shoal_fail(err, SHOAL_EUNSAT,
                      "groups with identical published values are counted as one: %llu (%llu rows) "
                      "do not satisfy %s; worst value: %.4g {fix} relax the model, allow no "
                      "suppression, or choose another {--algorithm}",
                      n_groups, n_rows, missed->name, missed->achieved);
}

static shoal_status verify_models(shoal_pipeline *run, const shoal_table *released,
                                  const uint8_t *kept, shoal_error *err)
{
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    if (!needs_models(run)) return SHOAL_OK;
    options.models = run->models;
    options.n_models = run->n_models;
    options.population = run->spec.population_table;
    options.k = run->k;
    options.threads = run->threads;
    shoal_models_result found = { 0 };
    shoal_status status = explain_miss(
        run, &found, shoal_verify_models(&found, run->table, released, &options, kept, err), err);
    if (status == SHOAL_OK)
        run->outcome->models = found;
    else
        shoal_models_clear(&found);
    return status;
}

/* ---- rows ---- */

static shoal_status open_released(shoal_table **out, const shoal_pipeline *run,
                                  const shoal_sink_text *text, shoal_error *err)
{
    bool with_sensitive = needs_models(run) || run->released != NULL;
    if (run->form == SHOAL_FORM_BATCHES) {
        struct ArrowArrayStream stream;
        SHOAL_RETURN_IF_ERROR(run->sink.lend(run->sink.payload, &stream, err));
        return shoal_released_open_arrow(out, &stream, run->table, with_sensitive, run->threads,
                                         err);
    }
    if (text->is_map)
        return shoal_released_open_map(out, text->data, text->size, run->table, with_sensitive,
                                       run->threads, err);
    return (with_sensitive ? shoal_released_open_sensitive : shoal_released_open)(
        out, text->data, text->size, run->table, run->threads, err);
}

/* One byte for each row, 1 where it is published; *out stays NULL when all are, or the run has
 * them.
 */
static shoal_status find_kept(uint8_t **out, const shoal_pipeline *run, shoal_error *err)
{
    if (!run->spec.drop_suppressed || run->outcome->grouping == NULL) return SHOAL_OK;
    uint64_t n_rows = shoal_grouping_n_rows(run->outcome->grouping);
    *out = shoal_alloc((size_t)n_rows, 1);
    if (*out == NULL) return shoal_fail_memory(err);
    for (uint64_t row = 0; row < n_rows; row++)
        (*out)[row] = shoal_grouping_group(run->outcome->grouping, row) != SHOAL_SUPPRESSED;
    return SHOAL_OK;
}

/* Guarding nodes and generalised sensitive values. */
static shoal_status verify_personal(shoal_pipeline *run, const shoal_sink_text *text,
                                    shoal_error *err)
{
    shoal_outcome *o = run->outcome;
    if (!run->generalises_sensitive) return SHOAL_OK;
    shoal_personal_options options = shoal_promised_guarding(&run->spec, run->table);
    options.threads = run->threads;
    o->is_personal = true;
    o->breach = options.breach;
    return shoal_verify_personal(&o->personal, run->table, text->data, text->size, &options, err);
}

static shoal_status verify_rows(shoal_pipeline *run, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_table *released = NULL;
    uint8_t *found = NULL;
    shoal_sink_text text = { 0 };
    shoal_verify_options options = SHOAL_VERIFY_OPTIONS_INIT;
    if (run->form == SHOAL_FORM_ROWS) {
        SHOAL_RETURN_IF_ERROR(view(&text, run, SHOAL_SINK_RELEASE, err));
        SHOAL_RETURN_IF_ERROR(verify_personal(run, &text, err));
    }
    SHOAL_GOTO_IF_ERROR(open_released(&released, run, &text, err), out);
    SHOAL_GOTO_IF_ERROR(find_kept(&found, run, err), out);
    const uint8_t *kept = found != NULL ? found : run->kept;
    options.k = run->k;
    options.kept = kept;
    options.threads = run->threads;
    options.recoding = run->recoding;
    SHOAL_GOTO_IF_ERROR(
        shoal_verify_release(&run->outcome->check, run->table, released, &options, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_verify_unchanged(run->table, released, kept,
                                               !run->generalises_sensitive, run->threads, err),
                        out);
    SHOAL_GOTO_IF_ERROR(verify_models(run, released, kept, err), out);
    if (run->released != NULL) {
        *run->released = released;
        released = NULL;
    }
out:
    shoal_free(found);
    shoal_table_free(released);
    return status;
}

/* ---- other forms ---- */

static shoal_status verify_mapping(shoal_pipeline *run, shoal_error *err)
{
    shoal_sink_text text;
    shoal_table *mapping = NULL;
    SHOAL_RETURN_IF_ERROR(view(&text, run, SHOAL_SINK_RELEASE, err));
    SHOAL_RETURN_IF_ERROR(
        shoal_mapping_open(&mapping, text.data, text.size, run->table, run->threads, err));
    shoal_status status = shoal_verify_mapping(&run->outcome->check, run->table, mapping, run->k,
                                               run->threads, err);
    if (status == SHOAL_OK) status = verify_models(run, mapping, NULL, err);
    shoal_table_free(mapping);
    return status;
}

/* Both tables. */
static shoal_status verify_buckets(shoal_pipeline *run, shoal_error *err)
{
    shoal_outcome *o = run->outcome;
    shoal_sink_text first, second;
    shoal_bucket_options options = shoal_promised_buckets(&run->spec);
    if (needs_models(run))
        return shoal_fail(err, SHOAL_EUNSAT,
                          "verify: anatomy releases can be checked only for l, not for models or "
                          "persons {fix} do not publish the release");
    options.threads = run->threads;
    o->is_bucketed = true;
    o->bucket_l = options.l;
    SHOAL_RETURN_IF_ERROR(view(&first, run, SHOAL_SINK_RELEASE, err));
    SHOAL_RETURN_IF_ERROR(view(&second, run, SHOAL_SINK_BUCKETS, err));
    const shoal_bucket_texts texts = { first.data, first.size, second.data, second.size };
    return shoal_verify_buckets(&o->buckets, run->table, &texts, &options, err);
}

shoal_status shoal_pipeline_verify(shoal_pipeline *run, shoal_error *err)
{
    switch (run->form) {
    case SHOAL_FORM_MAPPING: return verify_mapping(run, err);
    case SHOAL_FORM_BUCKETS: return verify_buckets(run, err);
    case SHOAL_FORM_ROWS:
    case SHOAL_FORM_BATCHES: return verify_rows(run, err);
    }
    return shoal_fail(err, SHOAL_EINTERNAL, "internal error: unknown form of release");
}
