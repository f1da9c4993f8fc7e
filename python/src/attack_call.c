/* SPDX-License-Identifier: Apache-2.0 */
/* attack_call.c - attacks on releases; answers with the JSON of shoal/report.h. */
#include "core.h"

#include <stdlib.h>

/* The tables of one call, and what the attacker is. */
typedef struct assault {
    shoal_job job;
    guard guard;
    struct ArrowArrayStream *streams; /* the original, the persons held out, then the releases */
    shoal_table **tables;
    size_t n_tables;
    const char **only; /* borrowed from the list that the caller holds */
    bool with_controls;
    shoal_attack_request request;
    char *answer;
} assault;

enum { ORIGINAL, HELD_OUT, FIRST_RELEASE };

static void assault_clear(assault *a)
{
    for (size_t i = 0; i < a->n_tables; i++) {
        if (a->streams != NULL) stream_release(&a->streams[i]);
        if (a->tables != NULL) shoal_table_free(a->tables[i]);
    }
    free(a->streams);
    free(a->tables);
    free(a->only);
    shoal_job_clear(&a->job);
}

static bool take_names(assault *a, PyObject *list)
{
    Py_ssize_t n = PyList_Size(list);
    if (n < 0) return false;
    a->only = calloc((size_t)n + 1, sizeof *a->only);
    if (a->only == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++)
        if ((a->only[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL)) == NULL)
            return false;
    a->request.only = a->only;
    a->request.n_only = (size_t)n;
    return true;
}

/* A source that is None is left out. */
static bool take_streams(assault *a, PyObject *original, PyObject *held_out, PyObject *releases)
{
    Py_ssize_t n = PyList_Size(releases);
    if (n < 0) return false;
    a->n_tables = (size_t)n + FIRST_RELEASE;
    a->streams = calloc(a->n_tables, sizeof *a->streams);
    a->tables = calloc(a->n_tables, sizeof(shoal_table *));
    if (a->streams == NULL || a->tables == NULL) return PyErr_NoMemory() != NULL;
    for (size_t i = 0; i < a->n_tables; i++) {
        PyObject *source = i == ORIGINAL ? original
                           : i == HELD_OUT
                               ? held_out
                               : PyList_GetItem(releases, (Py_ssize_t)(i - FIRST_RELEASE));
        if (source != Py_None && !stream_take(&a->streams[i], source)) return false;
    }
    return true;
}

static shoal_status load_tables(assault *a, shoal_error *err)
{
    shoal_attack_request *q = &a->request;
    RETURN_IF_ERROR(
        shoal_job_load(&a->tables[ORIGINAL], &a->job, &a->streams[ORIGINAL], false, err));
    if (a->streams[HELD_OUT].release != NULL)
        RETURN_IF_ERROR(
            shoal_job_load(&a->tables[HELD_OUT], &a->job, &a->streams[HELD_OUT], false, err));
    for (size_t i = FIRST_RELEASE; i < a->n_tables; i++)
        RETURN_IF_ERROR(shoal_job_load_released(&a->tables[i], &a->job, &a->streams[i],
                                                a->tables[ORIGINAL],
                                                SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE, err));
    q->original = a->tables[ORIGINAL];
    q->held_out = a->tables[HELD_OUT];
    q->releases = (const shoal_table *const *)&a->tables[FIRST_RELEASE];
    q->n_releases = a->n_tables - FIRST_RELEASE;
    q->k = a->job.plan.k;
    q->seed = a->job.plan.seed;
    q->threads = a->job.threads;
    q->callbacks = &a->guard.callbacks;
    return SHOAL_OK;
}

static shoal_status attack(assault *a, shoal_error *err)
{
    shoal_attack_result result = { 0 };
    shoal_attack_controls controls = { 0 };
    RETURN_IF_ERROR(load_tables(a, err));
    shoal_status status = shoal_attack_run(&result, &a->request, err);
    if (status == SHOAL_OK && a->with_controls)
        status = shoal_attack_controls_run(&controls, a->request.seed, a->request.threads, err);
    if (status == SHOAL_OK)
        a->answer = shoal_attack_json(&result, a->with_controls ? &controls : NULL);
    shoal_attack_clear(&result);
    shoal_attack_controls_clear(&controls);
    return status;
}

PyObject *core_attack(PyObject *self, PyObject *args)
{
    const char *plan, *key;
    PyObject *original, *releases, *held_out, *hierarchies, *only, *callback;
    unsigned long known, sets;
    int with_controls;
    assault a = { .request = SHOAL_ATTACK_REQUEST_INIT };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOOOOzkkdpO", &plan, &original, &releases, &held_out,
                          &hierarchies, &only, &key, &known, &sets, &a.request.error_share,
                          &with_controls, &callback))
        return NULL;
    a.request.record_key = key;
    a.request.known = (uint32_t)known;
    a.request.max_subsets = (uint32_t)sets;
    a.with_controls = with_controls != 0;
    if (!job_init(&a.job, &a.guard, plan, hierarchies)) return NULL;
    a.job.encode_all = true;
    if (!take_names(&a, only) || !take_streams(&a, original, held_out, releases)) {
        assault_clear(&a);
        return NULL;
    }
    guard_begin(&a.guard, callback);
    shoal_status status = attack(&a, &err);
    bool is_answered = guard_end(&a.guard, status, &err);
    assault_clear(&a);
    if (is_answered) return take_text(a.answer);
    shoal_string_free(a.answer);
    return NULL;
}
