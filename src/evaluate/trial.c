/* SPDX-License-Identifier: Apache-2.0 */
/* trial.c - make a release in memory, check it as if it were to be published, and see what it is worth; see frontier.h. */
#include "evaluate/memory_release.h"
#include "evaluate/queries.h"


#include <shoal/arrow.h>
#include <shoal/frontier.h>

/* What the queries ask for is loaded from the release as well. NULL when memory is short. */
static bool *list_wanted(const shoal_table *table, const shoal_queries *queries)
{
    bool *wanted = shoal_alloc_zero(table->n_columns, sizeof *wanted);
    for (size_t c = 0; wanted != NULL && queries != NULL && c < table->n_columns; c++) wanted[c] = shoal_queries_ask(queries, c);
    return wanted;
}

/*
 * Models are judged on the sensitive columns as they are published, with the types and hierarchies of the original: those asked for, and those that
 * the algorithm promises.
 */
static shoal_status open_sensitive(shoal_table **out, const shoal_buffer *text, const shoal_table *table,
                                   const shoal_grouping *grouping, uint32_t threads, shoal_error *err)
{
    struct ArrowArrayStream stream;
    if (table->batches == NULL) return shoal_released_open_sensitive(out, text->data, text->size, table, threads, err);
    SHOAL_RETURN_IF_ERROR(shoal_release_export_arrow(&stream, table, grouping, NULL, err));
    return shoal_released_open_arrow(out, &stream, table, true, threads, err);
}

static shoal_status verify_models(const shoal_buffer *text, const shoal_table *table, const shoal_grouping *grouping,
                                  const shoal_anonymize_options *options, shoal_error *err)
{
    shoal_models_options models = SHOAL_MODELS_OPTIONS_INIT;
    shoal_models_result result = { 0 };
    shoal_table *released = NULL;
    shoal_model_spec *specs = shoal_alloc(options->n_models + SHOAL_MAX_PROMISES, sizeof *specs);
    if (specs == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < options->n_models; i++) specs[i] = options->models[i];
    models.models = specs;
    models.n_models = options->n_models + shoal_promised_models(specs + options->n_models, options);
    models.population = options->population;
    models.k = options->k;
    models.threads = options->threads;
    shoal_status status = SHOAL_OK;
    if (models.n_models == 0) goto out;
    SHOAL_GOTO_IF_ERROR(open_sensitive(&released, text, table, grouping, options->threads, err), out);
    status = shoal_verify_models(&result, table, released, &models, NULL, err);
    shoal_models_clear(&result);
out:
    shoal_free(specs);
    shoal_table_free(released);
    return status;
}

/* Everything that is known only from the published text. */
static shoal_status try_release(shoal_trial *trial, const shoal_table *table, const shoal_table *released,
                                const shoal_anonymize_options *options, shoal_recode_model recoding,
                                const shoal_queries *queries, shoal_error *err)
{
    shoal_check_result check;
    shoal_query_result result;
    shoal_verify_options verify = SHOAL_VERIFY_OPTIONS_INIT;
    verify.k = options->k;
    verify.threads = options->threads;
    verify.recoding = recoding;
    SHOAL_RETURN_IF_ERROR(shoal_verify_release(&check, table, released, &verify, err));
    trial->risk_max = check.min_group > 0 ? 1 / (double)check.min_group : 0;
    trial->risk_mean = check.n_rows > 0 ? (double)check.n_groups / (double)check.n_rows : 0;
    if (queries == NULL) return SHOAL_OK;
    shoal_estimate_options estimate = { .size = sizeof estimate, .threads = options->threads, .progress = options->progress,
                                        .progress_payload = options->progress_payload };
    SHOAL_RETURN_IF_ERROR(shoal_queries_estimate(&result, queries, released, &estimate, err));
    trial->has_queries = true;
    trial->query_average = result.average;
    trial->query_median = result.median;
    shoal_query_result_clear(&result);
    return SHOAL_OK;
}

shoal_status shoal_trial_run(shoal_trial *out, const shoal_table *table, const shoal_anonymize_options *options,
                             const shoal_queries *queries, shoal_error *err)
{
    return shoal_trial_run_recoded(out, table, options, SHOAL_RECODE_LOCAL, queries, err);
}

shoal_status shoal_trial_run_recoded(shoal_trial *out, const shoal_table *table, const shoal_anonymize_options *options,
                                     shoal_recode_model recoding, const shoal_queries *queries, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_trial trial = { 0 };
    shoal_grouping *grouping = NULL;
    shoal_table *released = NULL;
    shoal_buffer text = { 0 };
    bool *wanted = list_wanted(table, queries);
    if (wanted == NULL) return shoal_fail_memory(err);
    double start = shoal_seconds();
    SHOAL_GOTO_IF_ERROR(shoal_anonymize(&grouping, table, options, err), out);
    trial.seconds = shoal_seconds() - start;
    trial.stopped_early = shoal_grouping_stopped_early(grouping);
    if (recoding != SHOAL_RECODE_LOCAL)
        SHOAL_GOTO_IF_ERROR(shoal_grouping_recode(grouping, table, recoding, options->threads, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_memory_release(&released, &text, table, grouping, wanted, options->threads, err), out);
    SHOAL_GOTO_IF_ERROR(verify_models(&text, table, grouping, options, err), out);
    SHOAL_GOTO_IF_ERROR(try_release(&trial, table, released, options, shoal_grouping_model(grouping), queries, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_measure_grouping(&trial.measures, table, grouping, options->k, err), out);
    *out = trial;
    trial = (shoal_trial){ 0 };
out:
    shoal_trial_clear(&trial);
    shoal_table_free(released);
    shoal_buffer_clear(&text);
    shoal_grouping_free(grouping);
    shoal_free(wanted);
    return status;
}

void shoal_trial_clear(shoal_trial *trial)
{
    shoal_measures_clear(&trial->measures);
    *trial = (shoal_trial){ 0 };
}
