/* SPDX-License-Identifier: Apache-2.0 */
/* rerun.c - make a release from text by a plan, in memory: an attack that uses the program and the
 * plan. */
#include "table/table_internal.h"

#include <shoal/plan.h>

static shoal_status open_text(shoal_table **out, const shoal_rerun *how, const char *original,
                              size_t size, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    csv.delimiter = how->plan->delimiter;
    csv.no_header = how->plan->no_header != 0;
    load.threads = how->threads;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(out, original, size, NULL, NULL, &csv, err));
    shoal_table_own_text(*out)
        ->is_rewritten = true; /* it is the text of a table that was prepared */
    return shoal_plan_prepare(how->plan, *out, true, &load, err);
}

shoal_status shoal_plan_rerun(char **text, size_t *size, const char *original, size_t original_size,
                              void *payload, shoal_error *err)
{
    const shoal_rerun *how = payload;
    shoal_table *table = NULL;
    shoal_memory_sink *sink = NULL;
    shoal_outcome *outcome = NULL;
    shoal_status status = SHOAL_OK;
    SHOAL_GOTO_IF_ERROR(open_text(&table, how, original, original_size, err), out);
    shoal_spec spec = *how->plan;
    spec.threads = how->threads;
    spec.skip_measures = true;
    SHOAL_GOTO_IF_ERROR(shoal_memory_sink_make(&sink, 0, err), out);
    const shoal_sink *target = shoal_memory_sink_of(sink);
    SHOAL_GOTO_IF_ERROR(shoal_pipeline_run(&outcome, table, &spec, how->callbacks, target, err),
                        out);
    shoal_outcome_free(outcome);
    const char *made = shoal_memory_sink_text(sink, SHOAL_SINK_RELEASE, size);
    *text = made != NULL ? shoal_copy_text(made, *size) : NULL;
    if (made == NULL)
        status = shoal_fail(err, SHOAL_EINVAL, "the release is not text");
    else if (*text == NULL)
        status = shoal_fail_memory(err);
out:
    shoal_memory_sink_free(sink);
    shoal_table_free(table);
    return status;
}
