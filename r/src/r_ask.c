/* SPDX-License-Identifier: Apache-2.0 */
/* r_ask.c - questions about tables: kind, plan, tables and options go to shoal_ask(), the JSON of
 * its answer comes back; and the profile of a table. */
#include "r_core.h"

#include <stdlib.h>

static void clear_question(void *object)
{
    r_question *q = object;
    shoal_answer_free(q->answer);
    shoal_table_free(q->table);
    for (size_t i = 0; q->streams != NULL && i < q->question.n_inputs; i++)
        r_stream_release(&q->streams[i]);
    free(q->streams);
    free(q->inputs);
    free(q->names);
    shoal_question_clear(&q->question);
    shoal_job_free(q->job);
    shoal_string_free(q->text);
    shoal_string_free(q->second_text);
}

/* `tables` of the request, named by their roles; those that are NULL are left out. */
static shoal_status take_inputs(r_question *q, SEXP request, shoal_error *err)
{
    SEXP tables = r_field(request, "tables"), roles = Rf_getAttrib(tables, R_NamesSymbol);
    R_xlen_t n = Rf_xlength(tables);
    q->streams = calloc((size_t)n + 1, sizeof *q->streams);
    q->inputs = calloc((size_t)n + 1, sizeof *q->inputs);
    if (q->streams == NULL || q->inputs == NULL) return shoal_fail_memory(err);
    q->question.inputs = q->inputs;
    for (R_xlen_t i = 0; i < n; i++) {
        size_t at = q->question.n_inputs;
        if (VECTOR_ELT(tables, i) == R_NilValue) continue;
        RETURN_IF_ERROR(
            shoal_input_role_of(&q->inputs[at].role, R_CHAR(STRING_ELT(roles, i)), err));
        q->inputs[at].stream = &q->streams[at];
        q->question.n_inputs++;
        RETURN_IF_ERROR(r_stream_make(&q->streams[at], VECTOR_ELT(tables, i), err));
    }
    return SHOAL_OK;
}

typedef shoal_status (*work_fn)(r_question *q, SEXP request, shoal_error *err);

/* A text, or a list of two. */
static SEXP texts_of(const r_question *q)
{
    SEXP first = PROTECT(r_string(q->text)), made = first;
    if (q->second_text != NULL) {
        made = PROTECT(Rf_allocVector(VECSXP, 2));
        SET_VECTOR_ELT(made, 0, first);
        SET_VECTOR_ELT(made, 1, r_string(q->second_text));
        UNPROTECT(1);
    }
    UNPROTECT(1);
    return made;
}

static SEXP work_for(SEXP request, SEXP callback, work_fn work)
{
    SEXP unwind = PROTECT(R_MakeUnwindCont());
    SEXP handle = PROTECT(
        r_handle_make(sizeof(r_question), clear_question, "shoal_question", R_NilValue));
    r_question *q = R_ExternalPtrAddr(handle);
    q->question = (shoal_question)SHOAL_QUESTION_INIT;
    r_guard_begin(&q->guard, callback, unwind);
    shoal_status status = r_job_begin(&q->job, &q->guard, request, &q->err);
    if (status == SHOAL_OK) status = take_inputs(q, request, &q->err);
    if (status == SHOAL_OK) status = work(q, request, &q->err);
    bool is_answered = r_guard_succeeded(&q->guard, status);
    SEXP made = PROTECT(is_answered ? texts_of(q) : r_guard_failure(&q->guard, handle, &q->err));
    r_handle_free(handle);
    UNPROTECT(3);
    return made;
}

static shoal_status answer(r_question *q, SEXP request, shoal_error *err)
{
    RETURN_IF_ERROR(shoal_question_parse(&q->question, r_text(request, "kind"),
                                         r_text(request, "options"), err));
    q->question.job = q->job;
    RETURN_IF_ERROR(shoal_ask(&q->answer, &q->question, err));
    q->text = shoal_answer_json(q->answer);
    return SHOAL_OK;
}

SEXP r_ask(SEXP request, SEXP callback)
{
    return work_for(request, callback, answer);
}

static shoal_status profile(r_question *q, SEXP request, shoal_error *err)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    SEXP nulls = r_field(request, "nulls");
    size_t n = (size_t)Rf_xlength(nulls);
    options.encode_all = true;
    options.callbacks = &q->guard.callbacks;
    q->names = calloc(n + 1, sizeof *q->names);
    if (q->names == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < n; i++) q->names[i] = R_CHAR(STRING_ELT(nulls, (R_xlen_t)i));
    RETURN_IF_ERROR(shoal_table_open_arrow(&q->table, &q->streams[0], err));
    if (n > 0)
        RETURN_IF_ERROR(
            shoal_table_set_nulls(q->table, q->names, n, SHOAL_MISSING_OWN_CATEGORY, err));
    RETURN_IF_ERROR(shoal_table_load(q->table, &options, err));
    RETURN_IF_ERROR(shoal_profile_plan(&q->text, q->table, "table", err));
    return shoal_profile_json(&q->second_text, q->table, NULL, err);
}

SEXP r_profile(SEXP request, SEXP callback)
{
    return work_for(request, callback, profile);
}
