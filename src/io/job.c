/* SPDX-License-Identifier: Apache-2.0 */
/* job.c - from a specification, and hierarchies as texts, to loaded tables: the way of the command
 * and of packages for other languages. */
#define _POSIX_C_SOURCE 200809L
#include "io/job_tables.h"

#include "base/sized.h"
#include "io/io_internal.h"

#include <shoal/job.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

uint32_t shoal_usable_threads(uint32_t wanted)
{
#ifdef __wasi__
    return wanted; /* a page has no fork() */
#else
    static atomic_long first;
    long none = 0, own = (long)getpid();
    bool is_first = atomic_compare_exchange_strong(&first, &none, own);
    return is_first || none == own ? wanted : 1;
#endif
}

shoal_status shoal_job_make(shoal_job **out, const char *plan, shoal_error *err)
{
    shoal_job *job = shoal_alloc(1, sizeof *job);
    if (job == NULL) return shoal_fail_memory(err);
    *job = (shoal_job){ .spec = SHOAL_SPEC_INIT, .options = SHOAL_JOB_OPTIONS_INIT };
    shoal_status status = SHOAL_OK;
    if (plan != NULL) {
        status = shoal_plan_parse(&job->spec, plan, strlen(plan), "the arguments", err);
        job->spec.threads = shoal_job_threads(job);
    }
    if (status == SHOAL_OK)
        *out = job;
    else
        shoal_job_free(job);
    return status;
}

shoal_spec *shoal_job_spec(shoal_job *job)
{
    return &job->spec;
}

void shoal_job_set(shoal_job *job, const shoal_job_options *options)
{
    job->options = (shoal_job_options)SHOAL_JOB_OPTIONS_INIT;
    (void)shoal_read_sized(&job->options, sizeof job->options, options);
}

uint32_t shoal_job_threads(const shoal_job *job)
{
    if (job->options.threads > 0) return job->options.threads;
    return shoal_usable_threads(job->spec.threads > 0 ? job->spec.threads : shoal_processors());
}

shoal_status shoal_job_add_hierarchy(shoal_job *job, const char *column, const char *text,
                                     size_t size, shoal_error *err)
{
    char name[160];
    shoal_job_hierarchy *more = shoal_resize(job->hierarchies, job->n_hierarchies + 1,
                                             sizeof *more);
    if (more == NULL) return shoal_fail_memory(err);
    job->hierarchies = more;
    more[job->n_hierarchies] = (shoal_job_hierarchy){ 0 };
    snprintf(name, sizeof name, "of column %.120s", column);
    SHOAL_RETURN_IF_ERROR(
        shoal_hierarchy_parse(&more[job->n_hierarchies].hierarchy, text, size, name, err));
    shoal_status status = shoal_plan_set_string(&more[job->n_hierarchies].column, column, err);
    if (status == SHOAL_OK)
        job->n_hierarchies++;
    else
        shoal_hierarchy_free(more[job->n_hierarchies].hierarchy);
    return status;
}

void shoal_job_free(shoal_job *job)
{
    if (job == NULL) return;
    for (size_t i = 0; i < job->n_hierarchies; i++) {
        shoal_hierarchy_free(job->hierarchies[i].hierarchy);
        shoal_string_free((char *)(uintptr_t)job->hierarchies[i].column);
    }
    shoal_free(job->hierarchies);
    shoal_plan_clear(&job->spec);
    shoal_free(job);
}

/* ---- opening ---- */

/* A shoal_spell_fn; `payload` is the name of the file. */
static void spell_source(char *word, size_t size, shoal_word_kind kind, void *payload)
{
    if (kind == SHOAL_WORD_SOURCE) snprintf(word, size, "'%.300s'", (const char *)payload);
}

shoal_status shoal_job_name_file(shoal_status status, const char *path, shoal_error *err)
{
    char name[512];
    if (status != SHOAL_EDATA || path == NULL || err == NULL) return status;
    snprintf(name, sizeof name, "%s", strcmp(path, "-") == 0 ? "standard input" : path);
    shoal_error_spell(err, spell_source, name);
    return status;
}

shoal_status shoal_job_need_quasi(const shoal_job *job, shoal_error *err)
{
    for (size_t i = 0; i < job->spec.n_columns; i++)
        if (job->spec.columns[i].role == SHOAL_ROLE_QUASI) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "no quasi-identifiers {fix} write {--qid} COLUMN,... or use {--plan}");
}

shoal_csv_options shoal_job_csv(const shoal_job *job)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.delimiter = job->spec.delimiter;
    csv.no_header = job->spec.no_header != 0;
    csv.encoding = job->spec.encoding;
    csv.memory_limit = job->options.memory_limit;
    return csv;
}

shoal_status shoal_job_open(shoal_table **out, const shoal_job *job, const char *path,
                            const shoal_csv_options *csv, shoal_error *err)
{
    const shoal_job_options *o = &job->options;
    shoal_status status = o->open != NULL ? o->open(out, path, csv, o->open_payload, err)
                                          : shoal_io_open_table(out, path, csv, err);
    return shoal_job_name_file(status, path, err);
}

/* ---- tables ---- */

/* Which columns get the hierarchies that came as texts. */
typedef enum attached { ATTACH_ALL, ATTACH_SENSITIVE, ATTACH_NONE } attached;

static bool is_sensitive(const shoal_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == SHOAL_ROLE_SENSITIVE &&
            strcmp(plan->columns[i].name, name) == 0)
            return true;
    return false;
}

static shoal_status attach(shoal_table *table, const shoal_job *job, const shoal_plan *plan,
                           attached which, shoal_error *err)
{
    shoal_on_missing on_missing = plan->on_missing > 0 ? (shoal_on_missing)(plan->on_missing - 1)
                                                       : SHOAL_ON_MISSING_ERROR;
    for (size_t i = 0; i < job->n_hierarchies && which != ATTACH_NONE; i++) {
        const shoal_job_hierarchy *h = &job->hierarchies[i];
        size_t c = shoal_table_find_column(table, h->column);
        if (c == SIZE_MAX || (which == ATTACH_SENSITIVE && !is_sensitive(plan, h->column)))
            continue;
        SHOAL_RETURN_IF_ERROR(shoal_table_set_hierarchy(table, c, h->hierarchy, on_missing, err));
    }
    return SHOAL_OK;
}

static shoal_status load(shoal_table **out, const shoal_job *job, shoal_table *table,
                         const shoal_plan *plan, bool need_roles, attached which, shoal_error *err)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.threads = shoal_job_threads(job);
    options.encode_all = job->options.encode_all;
    options.memory_limit = job->options.memory_limit;
    options.needs_rows = job->options.needs_rows;
    options.callbacks = job->options.callbacks;
    shoal_status status = attach(table, job, plan, which, err);
    if (status == SHOAL_OK) status = shoal_plan_prepare(plan, table, need_roles, &options, err);
    if (status != SHOAL_OK) {
        shoal_table_free(table);
        return status;
    }
    if (job->options.loaded != NULL) job->options.loaded(table, job->options.open_payload);
    *out = table;
    return SHOAL_OK;
}

shoal_status shoal_job_prepare(shoal_table **out, const shoal_job *job, shoal_table *table,
                               bool need_roles, shoal_error *err)
{
    return load(out, job, table, &job->spec, need_roles, ATTACH_ALL, err);
}

shoal_status shoal_job_load(shoal_table **out, const shoal_job *job,
                            struct ArrowArrayStream *stream, bool need_roles, shoal_error *err)
{
    shoal_table *table = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_arrow(&table, stream, err));
    return shoal_job_prepare(out, job, table, need_roles, err);
}

shoal_status shoal_job_load_opened(shoal_table **out, const shoal_job *job, shoal_table *table,
                                   shoal_error *err)
{
    return shoal_job_prepare(out, job, table, true, err);
}

shoal_status shoal_job_load_file(shoal_table **out, const shoal_job *job, const char *path,
                                 bool need_roles, shoal_error *err)
{
    shoal_csv_options csv = shoal_job_csv(job);
    shoal_table *table = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_job_need_quasi(job, err));
    SHOAL_RETURN_IF_ERROR(shoal_job_open(&table, job, path, &csv, err));
    return shoal_job_name_file(shoal_job_prepare(out, job, table, need_roles, err), path, err);
}

static bool has_counts(const shoal_plan *plan, const shoal_table *table)
{
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == SHOAL_ROLE_COUNT &&
            shoal_table_find_column(table, plan->columns[i].name) != SIZE_MAX)
            return true;
    return false;
}

shoal_status shoal_job_prepare_released(shoal_table **out, const shoal_job *job, shoal_table *table,
                                        const shoal_table *original, unsigned parts,
                                        shoal_error *err)
{
    shoal_spec plan = SHOAL_SPEC_INIT;
    if (!has_counts(&job->spec, table)) parts &= ~SHOAL_PART_COUNTS;
    shoal_status status = shoal_plan_for_opened_release(&plan, &job->spec, original, table, parts,
                                                        err);
    attached which = (parts & SHOAL_PART_SENSITIVE_AS_IT_WAS) != 0 ? ATTACH_SENSITIVE : ATTACH_NONE;
    if (status == SHOAL_OK)
        status = load(out, job, table, &plan, false, which, err);
    else
        shoal_table_free(table);
    shoal_plan_clear(&plan);
    return status;
}

/* A value that a hierarchy lacks matches `*` alone, unless the plan sets something else. */
shoal_status shoal_job_prepare_population(shoal_table **out, const shoal_job *job,
                                          shoal_table *table, const shoal_table *original,
                                          bool by_person, shoal_error *err)
{
    shoal_spec plan = SHOAL_SPEC_INIT;
    shoal_status status = shoal_plan_for_population(&plan, &job->spec, original, table, by_person,
                                                    err);
    if (plan.on_missing == 0) plan.on_missing = 1 + SHOAL_ON_MISSING_TOP;
    if (status == SHOAL_OK)
        status = load(out, job, table, &plan, false, ATTACH_ALL, err);
    else
        shoal_table_free(table);
    shoal_plan_clear(&plan);
    return status;
}

shoal_status shoal_job_load_population(shoal_table **out, const shoal_job *job,
                                       struct ArrowArrayStream *stream, const shoal_table *original,
                                       bool by_person, shoal_error *err)
{
    shoal_table *table = NULL;
    const char *path = NULL;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    csv.no_header = job->spec.no_header != 0;
    csv.memory_limit = job->options.memory_limit;
    if (stream != NULL && stream->release != NULL) {
        SHOAL_RETURN_IF_ERROR(shoal_table_open_arrow(&table, stream, err));
    } else if (job->spec.population != NULL && shoal_plan_needs_population(&job->spec)) {
        path = job->spec.population; /* a plan file may name one */
        SHOAL_RETURN_IF_ERROR(shoal_job_open(&table, job, path, &csv, err));
    } else {
        return SHOAL_OK;
    }
    return shoal_job_name_file(
        shoal_job_prepare_population(out, job, table, original, by_person, err), path, err);
}
