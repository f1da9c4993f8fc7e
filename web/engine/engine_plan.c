/* SPDX-License-Identifier: Apache-2.0 */
/* engine_plan.c - plans as text, and the table loaded by one.
 *
 * A plan's text here is the text that the page lets people download; its hierarchies are files
 * beside it, in memory.
 */
#include "engine.h"

#include <stdlib.h>

static shoal_status parse(shoal_plan *plan, const char *text, shoal_error *err)
{
    return shoal_plan_parse(plan, text, strlen(text), ENGINE_PLAN_PATH, err);
}

/* A plan in YAML or JSON becomes JSON with the same keys: "text". */
shoal_status engine_read_plan(engine_state *e, const json_t *request, json_t **answer,
                              shoal_error *err)
{
    (void)e;
    shoal_plan plan = SHOAL_PLAN_INIT;
    shoal_status status = parse(&plan, engine_string(request, "text", ""), err);
    if (status == SHOAL_OK) status = engine_take_json(answer, shoal_plan_json(&plan), err);
    shoal_plan_clear(&plan);
    return status;
}

static shoal_status load_population(engine_job *job, engine_state *e, shoal_error *err)
{
    if (!shoal_plan_needs_population(job->plan)) return SHOAL_OK;
    if (job->plan->population == NULL)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "a model compares with a population, and none was given {fix} choose a {--population}");
    engine_job_watch(job, &e->callbacks);
    return shoal_job_load_population(&job->population, job->job, NULL, job->table, false, err);
}

static shoal_status load_table(engine_job *job, engine_state *e, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_table *table = NULL;
    csv.delimiter = job->plan->delimiter;
    csv.no_header = job->plan->no_header != 0;
    engine_job_watch(job, &e->watching); /* reading is short, and Stop is about the search */
    if (e->text == NULL)
        return shoal_fail(err, SHOAL_EINVAL, "no table is open {fix} open one first");
    ENGINE_RETURN_IF_ERROR(
        shoal_table_open_memory(&table, e->text, e->size, NULL, NULL, &csv, err));
    return shoal_job_load_opened(&job->table, job->job, table, err);
}

void engine_job_watch(const engine_job *job, const shoal_callbacks *callbacks)
{
    shoal_job_options options = SHOAL_JOB_OPTIONS_INIT;
    options.threads = 1;
    options.callbacks = callbacks;
    shoal_job_set(job->job, &options);
}

shoal_status engine_job_load(engine_job *out, engine_state *e, const char *plan_text,
                             shoal_error *err)
{
    double start = engine_seconds();
    *out = (engine_job){ 0 };
    shoal_status status = SHOAL_OK;
    out->plan_text = strdup(plan_text);
    if (out->plan_text == NULL) return shoal_fail_memory(err);
    ENGINE_GOTO_IF_ERROR(shoal_job_make(&out->job, NULL, err), out);
    out->plan = shoal_job_spec(out->job);
    ENGINE_GOTO_IF_ERROR(parse(out->plan, plan_text, err), out);
    ENGINE_GOTO_IF_ERROR(load_table(out, e, err), out);
    out->read_seconds = engine_seconds() - start;
    ENGINE_GOTO_IF_ERROR(load_population(out, e, err), out);
    out->plan->population_table = out->population;
out:
    if (status != SHOAL_OK) engine_job_clear(out);
    return status;
}

void engine_job_clear(engine_job *job)
{
    free(job->plan_text);
    shoal_table_free(job->population);
    shoal_table_free(job->table);
    shoal_job_free(job->job);
    *job = (engine_job){ 0 };
}

/* Can the table be loaded by the plan "text"? What its quasi-identifiers then are. */
shoal_status engine_check_plan(engine_state *e, const json_t *request, json_t **answer,
                               shoal_error *err)
{
    engine_job job;
    ENGINE_RETURN_IF_ERROR(engine_job_load(&job, e, engine_string(request, "text", ""), err));
    json_t *columns = json_array();
    for (size_t c = 0; c < shoal_table_n_columns(job.table); c++) {
        const char *name = shoal_table_column_name(job.table, c);
        const shoal_hierarchy *h = shoal_table_hierarchy(job.table, c);
        json_array_append_new(
            columns, json_pack("{s:o, s:s, s:s, s:I}", "name", engine_text(name, strlen(name)),
                               "role", shoal_role_name(shoal_table_role(job.table, c)), "type",
                               shoal_type_name(shoal_table_type(job.table, c)), "levels",
                               (json_int_t)(h != NULL ? shoal_hierarchy_height(h) : 0)));
    }
    *answer = json_pack("{s:I, s:o}", "rows", (json_int_t)shoal_table_n_rows(job.table), "columns",
                        columns);
    engine_job_clear(&job);
    return *answer != NULL ? SHOAL_OK : shoal_fail_memory(err);
}
