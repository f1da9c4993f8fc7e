/* SPDX-License-Identifier: Apache-2.0 */
/* asked_tables.c - the tables of a question, opened from wherever the caller has them and loaded as
 * the question needs them. */
#include "ask/answer.h"

#include "io/job_tables.h"

#include <shoal/io.h>
#include <string.h>

static const char *const role_names[] = {
    [SHOAL_INPUT_ORIGINAL] = "original", [SHOAL_INPUT_RELEASE] = "release",
    [SHOAL_INPUT_EARLIER] = "earlier",   [SHOAL_INPUT_POPULATION] = "population",
    [SHOAL_INPUT_HELD_OUT] = "held-out", [SHOAL_INPUT_BUCKETS] = "buckets",
    [SHOAL_INPUT_WORKLOAD] = "workload",
};

shoal_status shoal_input_role_of(shoal_input_role *out, const char *name, shoal_error *err)
{
    for (size_t i = 0; i < sizeof role_names / sizeof *role_names; i++)
        if (strcmp(role_names[i], name) == 0) {
            *out = (shoal_input_role)i;
            return SHOAL_OK;
        }
    return shoal_fail(err, SHOAL_EINVAL, "no question has a table '%.60s'", name);
}

static bool is_there(const shoal_ask_input *input)
{
    return input->path != NULL || input->text != NULL || input->loaded != NULL ||
           (input->stream != NULL && input->stream->release != NULL);
}

shoal_status shoal_asked_list_inputs(shoal_asked *a, shoal_error *err)
{
    const shoal_question *q = a->question;
    a->inputs = shoal_alloc(q->n_inputs, sizeof *a->inputs);
    if (a->inputs == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < q->n_inputs; i++)
        if (is_there(&q->inputs[i])) a->inputs[a->n_inputs++] = q->inputs[i];
    return SHOAL_OK;
}

const shoal_ask_input *shoal_asked_input(const shoal_asked *a, shoal_input_role role, size_t number)
{
    for (size_t i = 0; i < a->n_inputs; i++)
        if (a->inputs[i].role == role && number-- == 0) return &a->inputs[i];
    return NULL;
}

size_t shoal_asked_n_inputs(const shoal_asked *a, shoal_input_role role)
{
    size_t n = 0;
    while (shoal_asked_input(a, role, n) != NULL) n++;
    return n;
}

/* ---- opening ---- */

static shoal_status open_input(shoal_table **out, const shoal_asked *a,
                               const shoal_ask_input *input, const shoal_csv_options *csv,
                               shoal_error *err)
{
    if (input->stream != NULL) return shoal_table_open_arrow(out, input->stream, err);
    if (input->text != NULL)
        return shoal_table_open_memory(out, input->text, input->text_size, NULL, NULL, csv, err);
    return shoal_job_open(out, a->job, input->path, csv, err);
}

static shoal_status refuse_missing(const shoal_asked *a, const shoal_ask_input *input,
                                   shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_job_need_quasi(a->job, err));
    if (input == NULL) return shoal_fail(err, SHOAL_EINVAL, "a table of the question is missing");
    return SHOAL_OK;
}

/* The answer keeps the table, or frees it where there is no memory for that. */
static shoal_status keep(const shoal_table **out, shoal_asked *a, shoal_table *table,
                         shoal_error *err)
{
    shoal_table **more = shoal_resize(a->tables, a->n_tables + 1, sizeof *more);
    if (more == NULL) {
        shoal_table_free(table);
        return shoal_fail_memory(err);
    }
    a->tables = more;
    a->tables[a->n_tables++] = table;
    *out = table;
    return SHOAL_OK;
}

/* ---- loading ---- */

shoal_status shoal_asked_load(const shoal_table **out, shoal_asked *a, const shoal_ask_input *input,
                              bool need_roles, shoal_error *err)
{
    shoal_csv_options csv = shoal_job_csv(a->job);
    shoal_table *opened = NULL, *table = NULL;
    SHOAL_RETURN_IF_ERROR(refuse_missing(a, input, err));
    if (input->loaded != NULL) {
        *out = input->loaded;
        return SHOAL_OK;
    }
    SHOAL_RETURN_IF_ERROR(open_input(&opened, a, input, &csv, err));
    SHOAL_RETURN_IF_ERROR(shoal_job_name_file(
        shoal_job_prepare(&table, a->job, opened, need_roles, err), input->path, err));
    return keep(out, a, table, err);
}

shoal_status shoal_asked_load_released(const shoal_table **out, shoal_asked *a,
                                       const shoal_ask_input *input, unsigned parts,
                                       shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_table *opened = NULL, *table = NULL;
    SHOAL_RETURN_IF_ERROR(refuse_missing(a, input, err));
    if (input->loaded != NULL) {
        *out = input->loaded;
        return SHOAL_OK;
    }
    /* the delimiter of the plan is that of the first table; others may have their own */
    csv.delimiter = a->n_tables == 0 ? a->job->spec.delimiter : 0;
    csv.no_header = a->job->spec.no_header != 0;
    SHOAL_RETURN_IF_ERROR(open_input(&opened, a, input, &csv, err));
    shoal_status status = shoal_job_prepare_released(&table, a->job, opened, a->answer.original,
                                                     parts, err);
    SHOAL_RETURN_IF_ERROR(shoal_job_name_file(status, input->path, err));
    return keep(out, a, table, err);
}

shoal_status shoal_asked_load_population(shoal_asked *a, bool by_person, shoal_error *err)
{
    const shoal_plan *plan = &a->job->spec;
    const shoal_ask_input *input = shoal_asked_input(a, SHOAL_INPUT_POPULATION, 0);
    const shoal_ask_input planned = { .role = SHOAL_INPUT_POPULATION, .path = plan->population };
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_table *opened = NULL, *table = NULL;
    if (input == NULL && plan->population != NULL && shoal_plan_needs_population(plan))
        input = &planned;
    if (input == NULL) return SHOAL_OK;
    if (input->loaded != NULL) {
        a->answer.population = input->loaded;
        return SHOAL_OK;
    }
    csv.no_header = plan->no_header != 0;
    SHOAL_RETURN_IF_ERROR(open_input(&opened, a, input, &csv, err));
    shoal_status status = shoal_job_prepare_population(&table, a->job, opened, a->answer.original,
                                                       by_person, err);
    SHOAL_RETURN_IF_ERROR(shoal_job_name_file(status, input->path, err));
    return keep(&a->answer.population, a, table, err);
}

shoal_status shoal_asked_load_categories(const shoal_table **out, shoal_asked *a,
                                         const shoal_ask_input *input, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *table = NULL;
    shoal_status status = SHOAL_OK;
    load.threads = shoal_job_threads(a->job);
    SHOAL_RETURN_IF_ERROR(open_input(&table, a, input, &csv, err));
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        SHOAL_GOTO_IF_ERROR(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, err), out);
        SHOAL_GOTO_IF_ERROR(shoal_table_set_type(table, c, SHOAL_TYPE_CATEGORICAL, err), out);
    }
    SHOAL_GOTO_IF_ERROR(shoal_table_load(table, &load, err), out);
    if (a->job->options.loaded != NULL) a->job->options.loaded(table, a->job->options.open_payload);
    return keep(out, a, table, err);
out:
    shoal_table_free(table);
    return status;
}
