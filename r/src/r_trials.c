/* SPDX-License-Identifier: Apache-2.0 */
/* r_trials.c - many releases of one table, made, checked and measured but not kept: what a frontier
 * is drawn from.
 *
 * The table is loaded and its queries are drawn once; each trial has a plan of its own for
 * everything but the table.
 */
#include "r_core.h"

#include <math.h>
#include <stdlib.h>

#define TRIALS "shoal_trials"

typedef struct trials {
    r_owned owned;
    shoal_job job;
    r_guard guard;
    struct ArrowArrayStream streams[2]; /* the table, the population */
    shoal_table *table, *population;
    shoal_queries *queries;
    shoal_error err;
} trials;

/* One of them, while it runs. */
typedef struct one_trial {
    r_owned owned;
    shoal_job job;
    r_guard guard;
    shoal_trial trial;
    shoal_error err;
} one_trial;

static void clear_trials(void *object)
{
    trials *t = object;
    r_stream_release(&t->streams[0]);
    r_stream_release(&t->streams[1]);
    shoal_queries_free(t->queries);
    shoal_table_free(t->population);
    shoal_table_free(t->table);
    shoal_job_clear(&t->job);
}

static void clear_trial(void *object)
{
    one_trial *t = object;
    shoal_trial_clear(&t->trial);
    shoal_job_clear(&t->job);
}

static shoal_status open_trials(trials *t, SEXP request, shoal_error *err)
{
    shoal_workload_options options = SHOAL_WORKLOAD_OPTIONS_INIT;
    SEXP tables = r_field(request, "tables");
    RETURN_IF_ERROR(r_job_begin(&t->job, &t->guard, request, err));
    for (R_xlen_t i = 0; i < 2; i++)
        if (VECTOR_ELT(tables, i) != R_NilValue)
            RETURN_IF_ERROR(r_stream_make(&t->streams[i], VECTOR_ELT(tables, i), err));
    RETURN_IF_ERROR(shoal_job_load(&t->table, &t->job, &t->streams[0], true, err));
    RETURN_IF_ERROR(
        shoal_job_load_population(&t->population, &t->job, &t->streams[1], t->table, false, err));
    options.n_queries = (uint64_t)r_number(request, "queries");
    options.dimensions = (uint32_t)r_number(request, "dimensions");
    if (options.n_queries == 0) return SHOAL_OK;
    options.seed = t->job.plan.seed;
    options.threads = t->job.threads;
    options.callbacks = &t->guard.callbacks;
    return shoal_queries_draw(&t->queries, t->table, &options, err);
}

/* The handle; the request, which has the columns, lives as long. */
SEXP r_trial_open(SEXP request, SEXP callback)
{
    SEXP unwind = PROTECT(R_MakeUnwindCont());
    SEXP handle = PROTECT(r_handle_make(sizeof(trials), clear_trials, TRIALS, request));
    trials *t = R_ExternalPtrAddr(handle);
    r_guard_begin(&t->guard, callback, unwind);
    shoal_status status = open_trials(t, request, &t->err);
    bool is_open = r_guard_succeeded(&t->guard, status);
    SEXP made = PROTECT(is_open ? handle : r_guard_failure(&t->guard, handle, &t->err));
    UNPROTECT(3);
    return made;
}

static shoal_status find_bound(double *out, one_trial *one, const trials *t, SEXP request,
                               shoal_error *err)
{
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    RETURN_IF_ERROR(r_job_begin(&one->job, &one->guard, request, err));
    options.threads = one->job.threads;
    options.time_limit = one->job.plan.time_limit;
    options.callbacks = &one->guard.callbacks;
    return shoal_trial_bound(out, t->table, one->job.plan.k, shoal_spec_recoding(&one->job.plan),
                             &options, err);
}

/* No release with the plan's k loses less; NA where nobody knows. */
SEXP r_trial_bound(SEXP handle, SEXP request, SEXP callback)
{
    const trials *t = r_handle_object(handle, TRIALS);
    double bound = NAN;
    if (t == NULL) Rf_error("the trials are not open");
    SEXP unwind = PROTECT(R_MakeUnwindCont());
    SEXP own = PROTECT(r_handle_make(sizeof(one_trial), clear_trial, "shoal_trial", R_NilValue));
    one_trial *one = R_ExternalPtrAddr(own);
    r_guard_begin(&one->guard, callback, unwind);
    shoal_status status = find_bound(&bound, one, t, request, &one->err);
    bool is_found = r_guard_succeeded(&one->guard, status);
    SEXP made = PROTECT(is_found ? Rf_ScalarReal(isfinite(bound) ? bound : NA_REAL)
                                 : r_guard_failure(&one->guard, own, &one->err));
    r_handle_free(own);
    UNPROTECT(3);
    return made;
}

static shoal_status run_trial(one_trial *one, const trials *t, SEXP request, shoal_error *err)
{
    RETURN_IF_ERROR(r_job_begin(&one->job, &one->guard, request, err));
    one->job.plan.population_table = t->population;
    return shoal_trial_run(&one->trial, t->table, &one->job.plan, &one->guard.callbacks, t->queries,
                           err);
}

/* A named vector of numbers, NA where one is not known; all are where there is no such release
 * (`trial` is NULL). */
static SEXP numbers_of(const shoal_trial *trial)
{
    size_t n = shoal_trial_number_count();
    SEXP made = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)n + 2)),
         names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)n + 2));
    for (size_t i = 0; i < n; i++) {
        double value = trial != NULL ? shoal_trial_number_of(trial, i) : NA_REAL;
        REAL(made)[i] = isfinite(value) ? value : NA_REAL;
        SET_STRING_ELT(names, (R_xlen_t)i, Rf_mkChar(shoal_trial_number_name(i)));
    }
    REAL(made)[n] = trial != NULL ? trial->stopped_early : NA_REAL;
    SET_STRING_ELT(names, (R_xlen_t)n, Rf_mkChar("stopped_early"));
    REAL(made)[n + 1] = trial == NULL;
    SET_STRING_ELT(names, (R_xlen_t)n + 1, Rf_mkChar("unsatisfiable"));
    Rf_setAttrib(made, R_NamesSymbol, names);
    UNPROTECT(2);
    return made;
}

SEXP r_trial_run(SEXP handle, SEXP request, SEXP callback)
{
    const trials *t = r_handle_object(handle, TRIALS);
    if (t == NULL) Rf_error("the trials are not open");
    SEXP unwind = PROTECT(R_MakeUnwindCont());
    SEXP own = PROTECT(r_handle_make(sizeof(one_trial), clear_trial, "shoal_trial", R_NilValue));
    one_trial *one = R_ExternalPtrAddr(own);
    r_guard_begin(&one->guard, callback, unwind);
    shoal_status status = run_trial(one, t, request, &one->err);
    bool is_unsat = status == SHOAL_EUNSAT;
    bool is_tried = r_guard_succeeded(&one->guard, is_unsat ? SHOAL_OK : status);
    SEXP made = PROTECT(is_tried ? numbers_of(is_unsat ? NULL : &one->trial)
                                 : r_guard_failure(&one->guard, own, &one->err));
    r_handle_free(own);
    UNPROTECT(3);
    return made;
}

/* The index of the knee, counted from 1; NA: there is none. */
SEXP r_knee(SEXP x, SEXP y)
{
    size_t knee = shoal_knee(REAL(x), REAL(y), (size_t)Rf_xlength(x));
    return Rf_ScalarInteger(knee == SIZE_MAX ? NA_INTEGER : (int)knee + 1);
}
