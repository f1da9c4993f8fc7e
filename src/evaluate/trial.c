/* SPDX-License-Identifier: Apache-2.0 */
/* trial.c - make a release in memory, by the pipeline that every release uses, and evaluate it; see
 * frontier.h. */
#include "evaluate/memory_release.h"
#include "evaluate/queries.h"
#include "pipeline/outcome.h"

#include <math.h>
#include <shoal/frontier.h>

/* Columns used by the queries are loaded from the release as well. NULL when memory is short. */
static bool *list_wanted(const shoal_table *table, const shoal_queries *queries)
{
    bool *wanted = shoal_alloc_zero(table->n_columns, sizeof *wanted);
    for (size_t c = 0; wanted != NULL && queries != NULL && c < table->n_columns; c++)
        wanted[c] = shoal_queries_ask(queries, c);
    return wanted;
}

/* Answer the queries from the release. */
static shoal_status ask(shoal_trial *trial, const shoal_memory_release *release,
                        const shoal_table *table, const shoal_spec *spec,
                        const shoal_callbacks *callbacks, const shoal_queries *queries,
                        shoal_error *err)
{
    shoal_query_result result;
    shoal_table *released = NULL;
    if (queries == NULL) return SHOAL_OK;
    bool *wanted = list_wanted(table, queries);
    if (wanted == NULL) return shoal_fail_memory(err);
    shoal_status status = shoal_memory_release_open(&released, release, table, wanted,
                                                    spec->threads, err);
    shoal_estimate_options estimate = { .size = sizeof estimate,
                                        .threads = spec->threads,
                                        .callbacks = callbacks };
    if (status == SHOAL_OK)
        status = shoal_queries_estimate(&result, queries, released, &estimate, err);
    shoal_table_free(released);
    shoal_free(wanted);
    SHOAL_RETURN_IF_ERROR(status);
    trial->has_queries = true;
    trial->query_average = result.average;
    trial->query_median = result.median;
    shoal_query_result_clear(&result);
    return SHOAL_OK;
}

shoal_status shoal_trial_run(shoal_trial *out, const shoal_table *table, const shoal_spec *spec,
                             const shoal_callbacks *callbacks, const shoal_queries *queries,
                             shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_memory_release release;
    SHOAL_GOTO_IF_ERROR(shoal_memory_release_make(&release, table, spec, callbacks, true, err),
                        out);
    shoal_outcome *made = release.outcome;
    const shoal_check_result *check = &made->check;
    shoal_trial trial = { .seconds = made->seconds[SHOAL_PHASE_GROUP],
                          .stopped_early = shoal_grouping_stopped_early(made->grouping) };
    trial.risk_max = check->min_group > 0 ? 1 / (double)check->min_group : 0;
    trial.risk_mean = check->n_rows > 0 ? (double)check->n_groups / (double)check->n_rows : 0;
    SHOAL_GOTO_IF_ERROR(ask(&trial, &release, table, spec, callbacks, queries, err), out);
    trial.measures = made->measures;
    made->measures = (shoal_measures){ 0 }; /* now owned by the trial */
    *out = trial;
out:
    shoal_memory_release_clear(&release);
    return status;
}

void shoal_trial_clear(shoal_trial *trial)
{
    shoal_measures_clear(&trial->measures);
    *trial = (shoal_trial){ 0 };
}

/* Is the bound valid for gcp of releases published in this way? */
static bool is_bounded(const shoal_table *table, shoal_recode_model recoding)
{
    bool has_sets = recoding == SHOAL_RECODE_SET || recoding == SHOAL_RECODE_SET_PARTITION;
    for (size_t c = 0; c < table->n_columns; c++) {
        if (shoal_table_role(table, c) != SHOAL_ROLE_QUASI) continue;
        if (shoal_table_priority(table, c) < 1) return false;
        bool is_category = shoal_table_type(table, c) == SHOAL_TYPE_CATEGORICAL;
        if (is_category && (recoding == SHOAL_RECODE_INTERVAL ||
                            (has_sets && shoal_table_hierarchy(table, c) != NULL)))
            return false;
    }
    return true;
}

shoal_status shoal_trial_bound(double *out, const shoal_table *table, uint32_t k,
                               shoal_recode_model recoding, const shoal_bound_options *options,
                               shoal_error *err)
{
    shoal_bound_parts parts;
    *out = NAN;
    /* or no such release exists */
    if (!is_bounded(table, recoding) || table->total < k) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_bound_find(&parts, table, NULL, k, options, err));
    *out = parts.bound;
    return SHOAL_OK;
}
