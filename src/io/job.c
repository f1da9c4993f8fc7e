/* SPDX-License-Identifier: Apache-2.0 */
/* job.c - from a plan and hierarchies as texts, and Arrow streams, to loaded tables: the way of
 * packages for other languages. */
#define _POSIX_C_SOURCE 200809L
#include "io/job_tables.h"

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

shoal_status shoal_job_begin(shoal_job *job, const char *plan, shoal_error *err)
{
    shoal_status status = shoal_plan_parse(&job->plan, plan, strlen(plan), "the arguments", err);
    if (job->plan.threads == 0) job->plan.threads = shoal_processors();
    job->plan.threads = shoal_usable_threads(job->plan.threads);
    job->threads = job->plan.threads;
    return status;
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

void shoal_job_clear(shoal_job *job)
{
    for (size_t i = 0; i < job->n_hierarchies; i++) {
        shoal_hierarchy_free(job->hierarchies[i].hierarchy);
        shoal_string_free((char *)(uintptr_t)job->hierarchies[i].column);
    }
    shoal_free(job->hierarchies);
    shoal_plan_clear(&job->plan);
    *job = (shoal_job)SHOAL_JOB_INIT;
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
    options.threads = job->threads;
    options.encode_all = job->encode_all;
    options.callbacks = job->callbacks;
    shoal_status status = attach(table, job, plan, which, err);
    if (status == SHOAL_OK) status = shoal_plan_prepare(plan, table, need_roles, &options, err);
    if (status == SHOAL_OK)
        *out = table;
    else
        shoal_table_free(table);
    return status;
}

shoal_status shoal_job_prepare(shoal_table **out, const shoal_job *job, shoal_table *table,
                               bool need_roles, shoal_error *err)
{
    return load(out, job, table, &job->plan, need_roles, ATTACH_ALL, err);
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
    shoal_plan plan = SHOAL_PLAN_INIT;
    if (!has_counts(&job->plan, table)) parts &= ~SHOAL_PART_COUNTS;
    shoal_status status = shoal_plan_for_opened_release(&plan, &job->plan, original, table, parts,
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
    shoal_plan plan = SHOAL_PLAN_INIT;
    shoal_status status = shoal_plan_for_population(&plan, &job->plan, original, table, by_person,
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
    if (stream->release != NULL) SHOAL_RETURN_IF_ERROR(shoal_table_open_arrow(&table, stream, err));
    /* a plan file may name one */
    else if (job->plan.population != NULL && shoal_plan_needs_population(&job->plan))
        SHOAL_RETURN_IF_ERROR(shoal_io_open_table(&table, job->plan.population, NULL, err));
    else
        return SHOAL_OK;
    return shoal_job_prepare_population(out, job, table, original, by_person, err);
}
