/* SPDX-License-Identifier: Apache-2.0 */
/* trial.c - make a release in memory, check it as if it were to be published, and see what it is worth; see frontier.h. */
#include "evaluate/queries.h"
#include "release/released.h"

#include <shoal/frontier.h>

#include <errno.h>

static int add_to_buffer(const void *data, size_t size, void *payload)
{
    shoal_buffer *buffer = payload;
    shoal_buffer_add(buffer, data, size);
    return buffer->failed ? ENOMEM : 0;
}

static shoal_status write_text(shoal_buffer *text, const shoal_table *table, const shoal_grouping *grouping,
                               uint32_t threads, shoal_error *err)
{
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    options.threads = threads;
    shoal_status status = shoal_release_write_csv(table, grouping, &options, add_to_buffer, text, err);
    return text->failed ? shoal_fail_memory(err) : status;
}

/* What the queries ask for besides quasi-identifiers is loaded from the release as well. */
static shoal_status set_columns(shoal_table *released, const shoal_table *original, const shoal_queries *queries,
                                shoal_error *err)
{
    for (size_t c = 0; c < released->n_columns; c++)
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(released, c, SHOAL_ROLE_OTHER, err));
    for (size_t c = 0; c < original->n_columns; c++) {
        shoal_role role = original->columns[c].role;
        if (role != SHOAL_ROLE_QUASI && !(queries != NULL && shoal_queries_ask(queries, c))) continue;
        size_t at = shoal_released_column(original, released, c);
        if (at == SIZE_MAX) return shoal_fail(err, SHOAL_EINTERNAL, "trial: the release lacks '%s'", original->columns[c].name);
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(released, at, role, err));
        SHOAL_RETURN_IF_ERROR(shoal_table_set_type(released, at, SHOAL_TYPE_CATEGORICAL, err));
    }
    return shoal_table_set_nulls(released, (const char *const *)original->nulls, original->n_nulls, original->missing, err);
}

static shoal_status open_text(shoal_table **out, const shoal_buffer *text, const shoal_table *original,
                              const shoal_queries *queries, uint32_t threads, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *released = NULL;
    csv.delimiter = original->delimiter != 0 ? original->delimiter : ',';
    csv.no_header = !original->has_header && original->batches == NULL;
    load.threads = threads;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(&released, text->data, text->size, NULL, NULL, &csv, err));
    shoal_status status = set_columns(released, original, queries, err);
    if (status == SHOAL_OK) status = shoal_table_load(released, &load, err);
    if (status == SHOAL_OK) *out = released;
    else shoal_table_free(released);
    return status;
}

/* Everything that is known only from the published text. */
static shoal_status try_release(shoal_trial *trial, const shoal_table *table, const shoal_table *released,
                                const shoal_anonymize_options *options, const shoal_queries *queries, shoal_error *err)
{
    shoal_check_result check;
    shoal_query_result result;
    SHOAL_RETURN_IF_ERROR(shoal_verify(&check, table, released, options->k, NULL, options->threads, err));
    trial->risk_max = check.min_group > 0 ? 1 / (double)check.min_group : 0;
    trial->risk_mean = check.n_rows > 0 ? (double)check.n_groups / (double)check.n_rows : 0;
    if (queries == NULL) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_queries_estimate(&result, queries, released, options->threads, options->progress,
                                                 options->progress_payload, err));
    trial->has_queries = true;
    trial->query_average = result.average;
    trial->query_median = result.median;
    shoal_query_result_clear(&result);
    return SHOAL_OK;
}

shoal_status shoal_trial_run(shoal_trial *out, const shoal_table *table, const shoal_anonymize_options *options,
                             const shoal_queries *queries, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_trial trial = { 0 };
    shoal_grouping *grouping = NULL;
    shoal_table *released = NULL;
    shoal_buffer text = { 0 };
    double start = shoal_seconds();
    SHOAL_GOTO_IF_ERROR(shoal_anonymize(&grouping, table, options, err), out);
    trial.seconds = shoal_seconds() - start;
    trial.stopped_early = shoal_grouping_stopped_early(grouping);
    SHOAL_GOTO_IF_ERROR(write_text(&text, table, grouping, options->threads, err), out);
    SHOAL_GOTO_IF_ERROR(open_text(&released, &text, table, queries, options->threads, err), out);
    SHOAL_GOTO_IF_ERROR(try_release(&trial, table, released, options, queries, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_measure_grouping(&trial.measures, table, grouping, options->k, err), out);
    *out = trial;
    trial = (shoal_trial){ 0 };
out:
    shoal_trial_clear(&trial);
    shoal_table_free(released);
    shoal_buffer_clear(&text);
    shoal_grouping_free(grouping);
    return status;
}

void shoal_trial_clear(shoal_trial *trial)
{
    shoal_measures_clear(&trial->measures);
    *trial = (shoal_trial){ 0 };
}
