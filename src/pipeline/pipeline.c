/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c - from a loaded table to a release that was checked: group, recode, publish, verify,
 * shuffle, measure, bound, commit.
 *
 * Invariant: commit() of the sink is called at one place, after shoal_pipeline_verify() succeeded
 * on what the sink holds and the input is still what was read; whatever fails, abort() is called
 * instead. Publishing is in publish_step.c, checking in verify_step.c.
 *
 * Cost: that of the method, of writing, and of reading back and verifying what was written.
 */
#include "measure/measures.h"
#include "method/registry.h"
#include "pipeline/pipeline_run.h"
#include "pipeline/promises.h"
#include "privacy/model.h"
#include "table/line_index.h"
#include "table/row_hints.h"
#include "table/unique_columns.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* ---- options ---- */

static shoal_status read_sink(shoal_sink *sink, const shoal_sink *given, shoal_error *err)
{
    *sink = (shoal_sink)SHOAL_SINK_INIT;
    if (given == NULL || given->size == 0 || given->size > sizeof *sink)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "pipeline: the sink is not initialised, or made for a newer version of the library");
    memcpy(sink, given, given->size); /* an older caller leaves newer fields at zero */
    bool takes_text = sink->write != NULL && sink->view != NULL,
         takes_batches = sink->take != NULL && sink->lend != NULL;
    if (sink->open == NULL || sink->commit == NULL || sink->abort == NULL ||
        !(takes_text || takes_batches))
        return shoal_fail(err, SHOAL_EINVAL,
                          "pipeline: the sink has no such function {fix} see shoal_sink");
    return SHOAL_OK;
}

/* Without a k (levels that are applied, methods that do without) a group may be a single row. */
static uint32_t promised_k(const shoal_spec *spec)
{
    return spec->k > 0 ? spec->k : 1;
}

static shoal_status run_init(shoal_pipeline *run, const shoal_table *table, const shoal_spec *spec,
                             const shoal_callbacks *callbacks, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_spec_read(&run->spec, spec, err));
    run->callbacks = callbacks;
    run->table = table;
    run->k = promised_k(&run->spec);
    run->threads = run->spec.threads > 0 ? run->spec.threads : 1;
    run->models = shoal_alloc(run->spec.n_models + SHOAL_MAX_PROMISES, sizeof *run->models);
    run->outcome = shoal_alloc_zero(1, sizeof *run->outcome);
    if (run->models == NULL || run->outcome == NULL) return shoal_fail_memory(err);
    run->n_models = shoal_verified_models(run->models, &run->spec);
    return SHOAL_OK;
}

shoal_status shoal_pipeline_step(const shoal_pipeline *run, const char *phase, shoal_error *err)
{
    if (!shoal_progress_stops(run->callbacks, phase, -1)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_ECANCELLED, "interrupted, nothing was written");
}

/* ---- groups ---- */

static bool is_mapped(const shoal_table *table)
{
    return shoal_table_is_counted(table); /* counted, and the rows are nowhere */
}

static shoal_form form_of(const shoal_pipeline *run)
{
    if (is_mapped(run->table)) return SHOAL_FORM_MAPPING;
    bool takes_text = run->sink.write != NULL, takes_batches = run->sink.take != NULL;
    if (takes_batches && (shoal_table_has_batches(run->table) || !takes_text))
        return SHOAL_FORM_BATCHES;
    return shoal_grouping_is_bucketed(run->outcome->grouping) ? SHOAL_FORM_BUCKETS
                                                              : SHOAL_FORM_ROWS;
}

static shoal_status apply_levels(shoal_pipeline *run, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_pipeline_step(run, "apply", err));
    SHOAL_RETURN_IF_ERROR(shoal_apply_levels(&run->outcome->grouping, run->table, &run->spec, err));
    return shoal_pipeline_step(run, "apply", err);
}

/* What the recoding cannot keep is refused before a search in vain. */
static shoal_status check_recoding(const shoal_pipeline *run, shoal_error *err)
{
    shoal_recode_model recoding = shoal_spec_recoding(&run->spec);
    if (!shoal_recode_is_microaggregation(recoding)) return SHOAL_OK;
    for (size_t i = 0; i < run->n_models; i++)
        if (shoal_model_traits(shoal_model_find(run->models[i].name)) &
            SHOAL_MODEL_NEEDS_POPULATION)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "%s counts persons of the population that a published tuple covers, but recoding "
                "%s covers none {fix} choose another {--recoding}, or remove the model",
                run->models[i].name, shoal_recode_name(recoding));
    return SHOAL_OK;
}

/* An identifier leaves as its pseudonym, or not at all. */
static shoal_status check_pseudonyms(const shoal_pipeline *run, shoal_error *err)
{
    const shoal_table *table = run->table;
    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->columns[c].role != SHOAL_ROLE_PSEUDONYM) continue;
        const char *name = table->columns[c].name;
        if (!shoal_table_has_text(table) || run->sink.write == NULL)
            return shoal_fail(err, SHOAL_EINVAL,
                              "column '{column %.200s}': pseudonyms need a release as text {fix} "
                              "use the command, or replace the column first",
                              name);
        if (table->columns[c].pseudonyms == NULL)
            return shoal_fail(err, SHOAL_EINVAL,
                              "column '{column %.200s}' is a pseudonym, but no key is given {fix} "
                              "create one with shoal key, and name it with {--key} FILE",
                              name);
    }
    return SHOAL_OK;
}

double shoal_search_seconds(double time_limit, uint64_t n_cells)
{
    /* measured: 0.54 s for the 5 million cells of the hospital table, with one thread */
    static const double cell_seconds = 1e-7;
    double rest = cell_seconds * (double)n_cells;
    return time_limit - (rest < time_limit / 2 ? rest : time_limit / 2);
}

static shoal_status group_rows(shoal_pipeline *run, shoal_error *err)
{
    shoal_outcome *o = run->outcome;
    /* before a search in vain */
    if (is_mapped(run->table)) SHOAL_RETURN_IF_ERROR(shoal_mapping_check(run->table, err));
    shoal_spec searched = run->spec;
    searched.time_limit = shoal_search_seconds(searched.time_limit,
                                               run->table->n_rows * run->table->n_columns);
    double start = shoal_seconds();
    /* processor time of all threads: on a busy machine the only measure of what a method takes */
    clock_t busy = clock();
    SHOAL_RETURN_IF_ERROR(
        run->spec.levels != NULL
            ? apply_levels(run, err)
            : shoal_anonymize(&o->grouping, run->table, &searched, run->callbacks, err));
    shoal_information found;
    /* the value that iacc reports */
    if (run->spec.k == 0 && shoal_grouping_information(o->grouping, &found))
        run->k = (uint32_t)found.k_reached;
    o->seconds[SHOAL_PHASE_PROCESSOR] = (double)(clock() - busy) / CLOCKS_PER_SEC;
    o->seconds[SHOAL_PHASE_GROUP] = shoal_seconds() - start;
    o->seconds[SHOAL_PHASE_ENCODE] = shoal_grouping_seconds(o->grouping, "encode");
    o->seconds[SHOAL_PHASE_SEARCH] = shoal_grouping_seconds(o->grouping, "search");
    o->seconds[SHOAL_PHASE_REFINE] = shoal_grouping_seconds(o->grouping, "refine");
    const shoal_callbacks *callbacks = run->callbacks;
    if (callbacks != NULL && callbacks->grouped != NULL)
        SHOAL_RETURN_IF_ERROR(
            callbacks->grouped(o->grouping, &run->spec.with_bound, callbacks->payload, err));
    shoal_recode_model recoding = shoal_spec_recoding(&run->spec);
    if (recoding != SHOAL_RECODE_LOCAL)
        SHOAL_RETURN_IF_ERROR(
            shoal_grouping_recode(o->grouping, run->table, recoding, run->threads, err));
    run->form = form_of(run);
    run->recoding = shoal_grouping_model(o->grouping);
    run->generalises_sensitive = shoal_grouping_generalises_sensitive(o->grouping);
    return SHOAL_OK;
}

/* ---- measures ---- */

/*
 * Would a run with the bound need more memory than allowed? Measured in total, with 7 columns and
 * two threads: 4,044 tuples 6.7 MB, 12,415 14.0, 27,501 28.4, 43,949 34.9, 78,186 51.1: memory
 * grows slowly beyond the first tens of thousands, since the bound's work is limited. Rows in
 * memory add little.
 */
static bool is_bound_too_large(const shoal_outcome *o, const shoal_table *table)
{
    /* bytes */
    const uint64_t FEW = 1050, MANY = 450, MANY_FROM = 16 << 20, A_ROW = 10, AT_ALL = 3 << 20;
    uint64_t n = o->grouping->n_classes, small = n * FEW, large = MANY_FROM + n * MANY;
    uint64_t need = AT_ALL + (small < large ? small : large) +
                    (!shoal_table_is_streamed(table) ? table->n_rows * A_ROW : 0);
    return table->memory_limit > 0 && need > table->memory_limit;
}

static shoal_status find_bound(shoal_outcome *o, const shoal_table *table, const shoal_spec *spec,
                               const shoal_callbacks *callbacks, shoal_error *err)
{
    shoal_error own = { .status = SHOAL_OK };
    double start = shoal_seconds();
    shoal_bound_options bound = SHOAL_BOUND_OPTIONS_INIT;
    bound.threads = spec->threads;
    double spent = o->seconds[SHOAL_PHASE_GROUP] + o->seconds[SHOAL_PHASE_WRITE] +
                   o->seconds[SHOAL_PHASE_VERIFY] + o->seconds[SHOAL_PHASE_MEASURE];
    if (spec->time_limit > 0) bound.most_seconds = spec->time_limit - spent;
    o->bound_left_out = bound.most_seconds < 0         ? SHOAL_LEFT_OUT_BY_TIME
                        : is_bound_too_large(o, table) ? SHOAL_LEFT_OUT_BY_MEMORY
                                                       : SHOAL_NOT_LEFT_OUT;
    if (o->bound_left_out != SHOAL_NOT_LEFT_OUT) return SHOAL_OK;
    bound.callbacks = callbacks;
    uint32_t least = shoal_models_least_rows(&o->models);
    o->bound_k = least > spec->k && least <= shoal_table_total(table) ? least : spec->k;
    shoal_status status = shoal_bound_find(&o->bound, table, o->grouping, o->bound_k, &bound, &own);
    o->seconds[SHOAL_PHASE_BOUND] = shoal_seconds() - start;
    o->has_bound = status == SHOAL_OK && !(o->bound.is_stopped && o->bound.bound == 0);
    if (status == SHOAL_OK && !o->has_bound) o->bound_left_out = SHOAL_LEFT_OUT_BY_TIME;
    if (status == SHOAL_ECANCELLED) o->bound_left_out = SHOAL_LEFT_OUT_BY_STOP;
    /* the release is ready: no bound for such a table, or none that was waited for, is no failure
     */
    if (status == SHOAL_OK || status == SHOAL_EINVAL || status == SHOAL_ECANCELLED) return SHOAL_OK;
    if (err != NULL) *err = own;
    return status;
}

/* mr_wtd by the weights of the run, if its method has them and they were given. */
static shoal_status find_measures(shoal_outcome *o, const shoal_table *table,
                                  const shoal_spec *spec, shoal_error *err)
{
    double start = shoal_seconds();
    SHOAL_RETURN_IF_ERROR(
        shoal_measure_grouping(&o->measures, table, o->grouping, promised_k(spec), err));
    shoal_status status = shoal_measures_weigh_as_said(&o->measures, shoal_said_param(spec, "w_u"),
                                                       shoal_said_param(spec, "w_p"), err);
    if (status != SHOAL_OK) {
        shoal_measures_clear(&o->measures);
        return status;
    }
    o->seconds[SHOAL_PHASE_MEASURE] = shoal_seconds() - start;
    o->has_measures = true;
    return SHOAL_OK;
}

shoal_status shoal_pipeline_measure(shoal_outcome *o, const shoal_table *table,
                                    const shoal_spec *given, const shoal_callbacks *callbacks,
                                    bool with_bound, shoal_error *err)
{
    shoal_spec spec;
    SHOAL_RETURN_IF_ERROR(shoal_spec_read(&spec, given, err));
    if (o->is_bucketed) return SHOAL_OK; /* nothing is generalised */
    if (!o->has_measures) SHOAL_RETURN_IF_ERROR(find_measures(o, table, &spec, err));
    if (!with_bound || o->has_bound || spec.k == 0 || !shoal_bound_applies(table, o->grouping))
        return SHOAL_OK;
    return find_bound(o, table, &spec, callbacks, err);
}

/* ---- all of it ---- */

static shoal_status publish(shoal_pipeline *run, shoal_error *err)
{
    double start = shoal_seconds();
    SHOAL_RETURN_IF_ERROR(shoal_pipeline_publish(run, err));
    run->outcome->seconds[SHOAL_PHASE_WRITE] = shoal_seconds() - start;
    return SHOAL_OK;
}

static shoal_status verify(shoal_pipeline *run, shoal_error *err)
{
    double start = shoal_seconds();
    SHOAL_RETURN_IF_ERROR(shoal_pipeline_step(run, "verify", err));
    SHOAL_RETURN_IF_ERROR(shoal_pipeline_verify(run, err));
    run->is_verified = true;
    run->outcome->seconds[SHOAL_PHASE_VERIFY] = shoal_seconds() - start;
    return shoal_pipeline_step(run, "verify", err);
}

static shoal_status commit(shoal_pipeline *run, shoal_error *err)
{
    double start = shoal_seconds();
    SHOAL_RETURN_IF_ERROR(shoal_pipeline_step(run, "write", err));
    /* or it is a release of two states of the file */
    SHOAL_RETURN_IF_ERROR(shoal_table_unchanged(run->table, run->threads, err));
    if (run->spec.population_table != NULL)
        SHOAL_RETURN_IF_ERROR(shoal_table_unchanged(run->spec.population_table, run->threads, err));
    assert(run->is_verified);
    SHOAL_RETURN_IF_ERROR(run->sink.commit(run->sink.payload, err));
    run->outcome->seconds[SHOAL_PHASE_WRITE] += shoal_seconds() - start;
    return SHOAL_OK;
}

static shoal_status carry_out(shoal_pipeline *run, const shoal_table *table, const shoal_spec *spec,
                              const shoal_callbacks *callbacks, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(run_init(run, table, spec, callbacks, err));
    SHOAL_RETURN_IF_ERROR(shoal_pipeline_check_shuffle(run, err));
    SHOAL_RETURN_IF_ERROR(check_recoding(run, err));
    SHOAL_RETURN_IF_ERROR(check_pseudonyms(run, err));
    SHOAL_RETURN_IF_ERROR(shoal_pipeline_check_texts(run, err));
    SHOAL_RETURN_IF_ERROR(group_rows(run, err));
    SHOAL_RETURN_IF_ERROR(shoal_row_hints_find(&run->outcome->hints, table,
                                               shoal_grouping_is_bucketed(run->outcome->grouping),
                                               run->threads, err));
    run->outcome->has_unique_columns = shoal_table_has_text(table) &&
                                       !shoal_table_is_counted(table);
    SHOAL_RETURN_IF_ERROR(shoal_unique_columns_find(
        &run->outcome->unique_columns, &run->outcome->n_unique_columns, table, run->threads, err));
    SHOAL_RETURN_IF_ERROR(shoal_pipeline_likely_keys(run, err));
    SHOAL_RETURN_IF_ERROR(publish(run, err));
    SHOAL_RETURN_IF_ERROR(verify(run, err));
    SHOAL_RETURN_IF_ERROR(shoal_pipeline_shuffle(run, err));
    if (!run->spec.skip_measures)
        SHOAL_RETURN_IF_ERROR(shoal_pipeline_measure(run->outcome, table, &run->spec, callbacks,
                                                     run->spec.with_bound, err));
    if (callbacks != NULL && callbacks->verified != NULL)
        SHOAL_RETURN_IF_ERROR(callbacks->verified(run->outcome, callbacks->payload, err));
    return commit(run, err);
}

/* Where the input changed, that is the reason of whatever was found wrong with the release. */
static shoal_status explain(const shoal_pipeline *run, shoal_status status, shoal_error *err)
{
    shoal_error changed = { 0 };
    if ((status != SHOAL_EDATA && status != SHOAL_EUNSAT) || run->threads == 0) return status;
    if (shoal_table_unchanged(run->table, run->threads, &changed) == SHOAL_OK) return status;
    if (err != NULL) *err = changed;
    return SHOAL_EIO;
}

shoal_status shoal_pipeline_run(shoal_outcome **out, const shoal_table *table,
                                const shoal_spec *spec, const shoal_callbacks *callbacks,
                                const shoal_sink *sink, shoal_error *err)
{
    shoal_pipeline run = { 0 };
    SHOAL_RETURN_IF_ERROR(read_sink(&run.sink, sink, err));
    shoal_status status = carry_out(&run, table, spec, callbacks, err);
    shoal_free(run.models);
    if (status == SHOAL_OK) {
        *out = run.outcome;
        return SHOAL_OK;
    }
    run.sink.abort(run.sink.payload);
    status = explain(&run, status, err);
    shoal_outcome_free(run.outcome);
    return status;
}

/* ---- a release that was published before ---- */

/* The view() of a sink; `payload` is the claim. */
static shoal_status show_text(void *payload, shoal_sink_part part, shoal_sink_text *out,
                              shoal_error *err)
{
    const shoal_claim *claim = payload;
    (void)err;
    *out = claim->texts[part];
    return SHOAL_OK;
}

/* For a published release, take from its text what a run takes from its groups. */
static void take_claim(shoal_pipeline *run, shoal_claim *claim)
{
    unsigned traits = run->spec.levels != NULL
                          ? 0
                          : shoal_algorithm_traits(shoal_algorithm_index(run->spec.algorithm));
    bool is_bucketed = (traits & SHOAL_METHOD_WRITES_TWO_TABLES) != 0;
    run->form = is_mapped(run->table) ? SHOAL_FORM_MAPPING
                : is_bucketed         ? SHOAL_FORM_BUCKETS
                                      : SHOAL_FORM_ROWS;
    run->generalises_sensitive = (traits & SHOAL_METHOD_GENERALISES_SENSITIVE) != 0;
    run->recoding = shoal_spec_recoding(&run->spec);
    run->kept = claim->kept;
    run->released = claim->released;
    if (claim->k > 0) run->k = claim->k;
    run->sink.view = show_text;
    run->sink.payload = claim;
}

shoal_status shoal_pipeline_recheck(shoal_outcome **out, const shoal_table *table,
                                    const shoal_spec *spec, const shoal_claim *given,
                                    shoal_error *err)
{
    shoal_pipeline run = { 0 };
    shoal_claim claim = SHOAL_CLAIM_INIT;
    if (given->size == 0 || given->size > sizeof claim)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "pipeline: the claim is not initialised, or made for a newer version of the library");
    memcpy(&claim, given, given->size);
    shoal_status status = run_init(&run, table, spec, NULL, err);
    if (status == SHOAL_OK) {
        take_claim(&run, &claim);
        status = shoal_pipeline_verify(&run, err);
    }
    shoal_free(run.models);
    if (status == SHOAL_OK)
        *out = run.outcome;
    else
        shoal_outcome_free(run.outcome);
    return status;
}
