/* SPDX-License-Identifier: Apache-2.0 */
/* series_call.c - releases of a series, and looking at one. The state is opened for each call and
 * closed after it. */
#include "core.h"

#include <stdlib.h>

/* A list of Python strings as texts that live as long as the list. */
typedef struct paths {
    const char **items;
    size_t n;
} paths;

static bool take_paths(paths *out, PyObject *list)
{
    Py_ssize_t n = PyList_Size(list);
    if (n < 0) return false;
    out->items = calloc((size_t)n + 1, sizeof *out->items);
    if (out->items == NULL) return PyErr_NoMemory() != NULL;
    for (out->n = 0; out->n < (size_t)n; out->n++) {
        out->items[out->n] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, (Py_ssize_t)out->n),
                                                     NULL);
        if (out->items[out->n] == NULL) return false;
    }
    return true;
}

/* ---- a release ---- */

typedef struct call {
    shoal_job *job;
    guard guard;
    const char *folder;
    const char *csv; /* borrowed from a bytes object */
    Py_ssize_t size;
    paths after;
    int with_anew;
    shoal_table *table;
    shoal_memory_sink *sink;
    shoal_series_result *result;
    uint64_t n_rows;
    char *json;
} call;

static shoal_status load(call *c, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_table *table = NULL;
    csv.delimiter = ',';
    RETURN_IF_ERROR(
        shoal_table_open_memory(&table, c->csv, (size_t)c->size, NULL, NULL, &csv, err));
    return shoal_job_load_opened(&c->table, c->job, table, err);
}

static shoal_status run(call *c, shoal_error *err)
{
    shoal_series *series = NULL;
    shoal_series_options options = SHOAL_SERIES_OPTIONS_INIT;
    options.plan = shoal_job_spec(c->job);
    options.threads = shoal_job_threads(c->job);
    options.after = c->after.items;
    options.n_after = c->after.n;
    options.with_anew = c->with_anew != 0;
    options.callbacks = &c->guard.callbacks;
    RETURN_IF_ERROR(shoal_plan_need_k(shoal_job_spec(c->job), err));
    RETURN_IF_ERROR(load(c, err));
    RETURN_IF_ERROR(shoal_memory_sink_make(&c->sink, 0, err));
    RETURN_IF_ERROR(shoal_series_open(&series, c->folder, true, err));
    const shoal_sink *sink = shoal_memory_sink_of(c->sink);
    shoal_status status = shoal_series_release(&c->result, series, c->table, &options, sink, err);
    shoal_series_close(series);
    RETURN_IF_ERROR(status);
    c->n_rows = shoal_table_n_rows(c->table);
    c->json = shoal_series_result_json(c->result, c->table);
    return c->json != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

static PyObject *answer(const call *c)
{
    size_t size, second_size = 0;
    const char *text = shoal_memory_sink_text(c->sink, SHOAL_SINK_RELEASE, &size);
    /* NULL becomes None */
    const char *second = c->result->m > 0
                             ? shoal_memory_sink_text(c->sink, SHOAL_SINK_BUCKETS, &second_size)
                             : NULL;
    return Py_BuildValue("(y#y#y#s)", text, (Py_ssize_t)size, second, (Py_ssize_t)second_size,
                         (const char *)c->result->kept, (Py_ssize_t)c->n_rows, c->json);
}

PyObject *core_series_release(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *hierarchies, *after, *callback, *made = NULL;
    call c = { 0 };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sy#OsOpO", &plan, &c.csv, &c.size, &hierarchies, &c.folder, &after,
                          &c.with_anew, &callback))
        return NULL;
    if (!take_paths(&c.after, after) || !job_init(&c.job, &c.guard, plan, hierarchies)) {
        free(c.after.items);
        return NULL;
    }
    guard_begin(&c.guard, callback);
    shoal_status status = run(&c, &err);
    if (guard_end(&c.guard, status, &err)) made = answer(&c);
    shoal_string_free(c.json);
    shoal_series_result_free(c.result);
    shoal_memory_sink_free(c.sink);
    shoal_table_free(c.table);
    shoal_job_free(c.job);
    free(c.after.items);
    return made;
}

/* ---- looking at it ---- */

PyObject *core_series_show(PyObject *self, PyObject *args)
{
    const char *folder;
    shoal_series *series = NULL;
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "s", &folder)) return NULL;
    shoal_status status = shoal_series_open(&series, folder, false, &err);
    if (status != SHOAL_OK) {
        raise_error(status, &err);
        return NULL;
    }
    char *json = shoal_series_json(series);
    shoal_series_close(series);
    return take_text(json);
}

static shoal_status check(char **json, const char *folder, const paths *files, shoal_error *err)
{
    shoal_series *series = NULL;
    shoal_series_audit audit;
    RETURN_IF_ERROR(shoal_series_open(&series, folder, false, err));
    shoal_status status = shoal_series_check(&audit, series, files->items, files->n, err);
    shoal_series_close(series);
    RETURN_IF_ERROR(status);
    *json = shoal_series_audit_json(&audit);
    shoal_series_audit_clear(&audit);
    return *json != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

PyObject *core_series_check(PyObject *self, PyObject *args)
{
    const char *folder;
    PyObject *list;
    paths files = { 0 };
    char *json = NULL;
    guard g;
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sO", &folder, &list)) return NULL;
    if (!take_paths(&files, list)) {
        free(files.items);
        return NULL;
    }
    guard_begin(&g, Py_None);
    shoal_status status = check(&json, folder, &files, &err);
    bool is_done = guard_end(&g, status, &err);
    free(files.items);
    return is_done ? take_text(json) : NULL;
}

PyObject *core_series_forget(PyObject *self, PyObject *args)
{
    const char *folder;
    shoal_series *series = NULL;
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "s", &folder)) return NULL;
    shoal_status status = shoal_series_open(&series, folder, false, &err);
    if (status == SHOAL_OK) status = shoal_series_forget(series, &err);
    if (status == SHOAL_OK) Py_RETURN_NONE;
    raise_error(status, &err);
    return NULL;
}
