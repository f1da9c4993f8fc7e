/* SPDX-License-Identifier: Apache-2.0 */
/* r_question.c - the frame of all calls that ask about tables and get a text. */
#include "r_core.h"

#include <stdlib.h>

static void clear_question(void *object)
{
    r_question *q = object;
    for (size_t i = 0; i < q->n_tables; i++) {
        if (q->streams != NULL) r_stream_release(&q->streams[i]);
        if (q->tables != NULL) shoal_table_free(q->tables[i]);
    }
    free(q->streams);
    free(q->tables);
    free(q->names);
    shoal_job_clear(&q->job);
    shoal_string_free(q->answer);
    shoal_string_free(q->second_answer);
}

static shoal_status open_streams(r_question *q, SEXP request, shoal_error *err)
{
    SEXP tables = r_field(request, "tables");
    size_t n = (size_t)Rf_xlength(tables);
    q->streams = calloc(n + 1, sizeof *q->streams);
    q->tables = calloc(n + 1, sizeof(shoal_table *));
    if (q->streams == NULL || q->tables == NULL) return shoal_fail_memory(err);
    q->n_tables = n;
    for (size_t i = 0; i < n; i++) {
        SEXP table = VECTOR_ELT(tables, (R_xlen_t)i);
        if (table != R_NilValue) RETURN_IF_ERROR(r_stream_make(&q->streams[i], table, err));
    }
    return SHOAL_OK;
}

static SEXP answer_of(const r_question *q)
{
    SEXP first = PROTECT(r_string(q->answer)), made = first;
    if (q->second_answer != NULL) {
        made = PROTECT(Rf_allocVector(VECSXP, 2));
        SET_VECTOR_ELT(made, 0, first);
        SET_VECTOR_ELT(made, 1, r_string(q->second_answer));
        UNPROTECT(1);
    }
    UNPROTECT(1);
    return made;
}

SEXP r_ask(SEXP request, SEXP callback, r_work_fn work)
{
    SEXP unwind = PROTECT(R_MakeUnwindCont());
    SEXP handle = PROTECT(
        r_handle_make(sizeof(r_question), clear_question, "shoal_question", R_NilValue));
    r_question *q = R_ExternalPtrAddr(handle);
    r_guard_begin(&q->guard, callback, unwind);
    shoal_status status = r_job_begin(&q->job, &q->guard, request, &q->err);
    if (status == SHOAL_OK) status = open_streams(q, request, &q->err);
    if (status == SHOAL_OK) status = work(q, request, &q->err);
    bool is_answered = r_guard_succeeded(&q->guard, status);
    SEXP made = PROTECT(is_answered ? answer_of(q) : r_guard_failure(&q->guard, handle, &q->err));
    r_handle_free(handle);
    UNPROTECT(3);
    return made;
}

shoal_status r_take_names(r_question *q, SEXP request, const char *field, size_t *n,
                          shoal_error *err)
{
    SEXP texts = r_field(request, field);
    *n = (size_t)Rf_xlength(texts);
    q->names = calloc(*n + 1, sizeof *q->names);
    if (q->names == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < *n; i++) q->names[i] = R_CHAR(STRING_ELT(texts, (R_xlen_t)i));
    return SHOAL_OK;
}

shoal_status r_need_k(const shoal_job *j, shoal_error *err)
{
    return j->plan.k != 0 ? SHOAL_OK
                          : shoal_fail(err, SHOAL_EINVAL,
                                       "k was not said, and it has no default {fix} write k=10");
}
