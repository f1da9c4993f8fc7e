/* SPDX-License-Identifier: Apache-2.0 */
/* r_core.h - what the files of the R extension share.
 *
 * The extension is thin: a plan as text, columns of a data frame as they lie in memory, hierarchies
 * as texts go in; factors, texts and the JSON of shoal/report.h are returned. Each entry takes a
 * list (the request) and a callback, and gives its result or a list of class "shoal_failure", which
 * R code turns into a condition.
 *
 * R leaves C functions by longjmp() whenever it likes: memory is short, a callback fails, the user
 * presses Ctrl-C. So everything that a call holds hangs on an external pointer whose finalizer
 * frees it, and R is never entered from inside the library but through R_UnwindProtect()
 * (r_guard.c).
 */
#ifndef SHOAL_R_CORE_H
#define SHOAL_R_CORE_H

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <R.h>
#include <Rinternals.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>

#include <shoal/ask.h>
#include <shoal/evidence.h>
#include <shoal/io.h>
#include <shoal/shoal.h>

#define RETURN_IF_ERROR(expr)                                                                      \
    do {                                                                                           \
        shoal_status status_ = (expr);                                                             \
        if (status_ != SHOAL_OK) return status_;                                                   \
    } while (0)

/* Needs `shoal_status status` and the label in scope. */
#define GOTO_IF_ERROR(expr, label)                                                                 \
    do {                                                                                           \
        status = (expr);                                                                           \
        if (status != SHOAL_OK) goto label;                                                        \
    } while (0)

/* ---- what R must not forget to free (r_handle.c) ---- */

/* The first member of everything that hangs on a handle. */
typedef struct r_owned {
    void (*clear)(void *object); /* frees what the object holds, not the object */
    SEXP kept;
} r_owned;

/*
 * An external pointer to a zeroed object of `size` bytes. `kept` stays alive as long as it does,
 * but is no part of it: what hangs on a pointer itself would be written by saveRDS(), originals and
 * all.
 */
SEXP r_handle_make(size_t size, void (*clear)(void *object), const char *kind, SEXP kept);
/* The object, or NULL: another kind, or a handle that was read from a file. */
void *r_handle_object(SEXP handle, const char *kind);
/* Free now instead of when R collects its garbage. */
void r_handle_free(SEXP handle);

/* ---- fields of a request ---- */

/* R_NilValue where there is none. */
SEXP r_field(SEXP list, const char *name);
/* NULL where there is none. The text belongs to R. */
const char *r_text(SEXP list, const char *name);
/* 0 where there is none. */
double r_number(SEXP list, const char *name);
bool r_flag(SEXP list, const char *name);
/* A text of the library, which may be NULL: memory was short. Does not free it. */
SEXP r_string(const char *text);

/* ---- working for R (r_guard.c) ---- */

typedef struct r_guard {
    shoal_callbacks callbacks; /* r_guard_step() with this as payload */
    SEXP callback;             /* of progress; R_NilValue: none */
    SEXP unwind;               /* where R was going when it jumped */
    jmp_buf back;
    const char *phase; /* what is being told */
    double fraction;
    shoal_pace pace;  /* of asking R */
    bool is_checking; /* for an interrupt, at this moment */
    bool stopped;
    bool jumped;
    bool interrupted; /* by Ctrl-C */
    bool has_result;  /* there was a valid result already: an interrupt keeps it */
} r_guard;

void r_guard_begin(r_guard *g, SEXP callback, SEXP unwind);
/* A shoal_progress_fn; `payload` is the guard. Interrupts are looked for here. */
int r_guard_step(const char *phase, double fraction, void *payload);
bool r_guard_succeeded(const r_guard *g, shoal_status status);
/*
 * What to return from a call that did not succeed. Frees the handle. Where R had jumped, it goes on
 * jumping and this does not return.
 */
SEXP r_guard_failure(const r_guard *g, SEXP handle, const shoal_error *err);
/* A list of class "shoal_failure". */
SEXP r_failure(const shoal_error *err);

/* ---- tables (r_frame.c) ---- */

/*
 * A stream over the columns of a data frame: list(n_rows, columns), each column list(name, values,
 * levels, is_date). R must keep the table alive until the stream and its batches are released.
 */
shoal_status r_stream_make(struct ArrowArrayStream *out, SEXP table, shoal_error *err);
void r_stream_release(struct ArrowArrayStream *stream);

/* ---- jobs (r_job.c) ---- */

/* `plan` and `hierarchies` (level files, named by their columns) of the request; the guard watches
 * while tables are loaded. End with shoal_job_free(), also after an error. */
shoal_status r_job_begin(shoal_job **job, r_guard *g, SEXP request, shoal_error *err);

/* ---- questions (r_ask.c) ---- */

/* Tables of one call and what came of it. */
typedef struct r_question {
    r_owned owned;
    shoal_job *job;
    r_guard guard;
    shoal_question question;
    shoal_ask_input *inputs; /* with a stream each */
    struct ArrowArrayStream *streams;
    shoal_answer *answer;
    shoal_table *table; /* of a profile */
    const char **names; /* borrowed texts of a list of the request */
    char *text, *second_text;
    shoal_error err;
} r_question;

/* ---- entries ---- */

SEXP r_ask(SEXP request, SEXP callback);
SEXP r_profile(SEXP request, SEXP callback);

SEXP r_anonymize(SEXP request, SEXP callback);
SEXP r_release_report(SEXP handle, SEXP with_bound, SEXP callback);
SEXP r_release_columns(SEXP handle);
SEXP r_release_groups(SEXP handle);
SEXP r_release_texts(SEXP handle);
SEXP r_release_request(SEXP handle);
SEXP r_release_manifest(SEXP handle, SEXP request, SEXP callback);
SEXP r_manifest_html(SEXP text, SEXP is_external);

SEXP r_plan_read(SEXP text, SEXP name);
SEXP r_hierarchy_build(SEXP spec, SEXP values);
SEXP r_hierarchy_look(SEXP text, SEXP name);
SEXP r_registry(void);
SEXP r_algorithm_params(SEXP name);
SEXP r_version(void);

/* ---- releases (r_release.c, r_evidence.c) ---- */

#define R_RELEASE "shoal_release"

typedef struct r_release {
    r_owned owned;
    shoal_job *job;
    r_guard guard;
    shoal_callbacks callbacks;          /* of the pipeline */
    struct ArrowArrayStream streams[2]; /* the table, the population */
    shoal_table *table, *population;
    shoal_memory_sink *sink;
    shoal_outcome *outcome;
    shoal_report report;
    shoal_level_choice *levels; /* learnt on another table; else NULL. Names are the request's */
    size_t n_levels;
    struct { /* what is being handed to R */
        struct ArrowArrayStream stream;
        struct ArrowSchema schema;
        struct ArrowArray batch;
        int32_t *new_code;
        char *text;
    } lent;
    shoal_error err;
} r_release;

const shoal_spec *r_release_spec(r_release *r);
/* NULL where the handle is none; then *failure is what to return. */
r_release *r_release_of(SEXP handle, SEXP *failure);
/* A text that the library made, through lent.text; or what to return where it was not made. */
SEXP r_release_answer(r_release *r, shoal_status status);

#endif
