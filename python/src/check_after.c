/* SPDX-License-Identifier: Apache-2.0 */
/* check_after.c - a release, and what it differs by from earlier ones; answers with the JSON of
 * shoal/report.h. */
#include "core.h"

#include <stdlib.h>

/* The tables of one call: the release, then the earlier ones. */
typedef struct call {
    shoal_job job;
    guard guard;
    size_t n_tables;
    struct ArrowArrayStream *streams;
    shoal_table **tables;
    const char **names; /* of the earlier ones; borrowed from the list that the caller holds */
    shoal_after_result *after;
    char *answer;
} call;

static void call_clear(call *c)
{
    for (size_t i = 0; i < c->n_tables; i++) {
        if (c->after != NULL) shoal_difference_clear(&c->after[i].arrived);
        if (c->after != NULL) shoal_difference_clear(&c->after[i].left);
        if (c->streams != NULL) stream_release(&c->streams[i]);
        if (c->tables != NULL) shoal_table_free(c->tables[i]);
    }
    free(c->streams);
    free(c->tables);
    free(c->names);
    free(c->after);
    shoal_job_clear(&c->job);
}

static bool take_tables(call *c, PyObject *table, PyObject *earlier, PyObject *names)
{
    Py_ssize_t n = PyList_Size(earlier);
    if (n < 0 || PyList_Size(names) != n)
        return PyErr_Occurred() == NULL &&
               PyErr_Format(PyExc_ValueError, "each earlier release needs a name") != NULL;
    c->streams = calloc((size_t)n + 1, sizeof *c->streams);
    c->tables = calloc((size_t)n + 1, sizeof(shoal_table *));
    c->names = calloc((size_t)n + 1, sizeof *c->names);
    c->after = calloc((size_t)n + 1, sizeof *c->after);
    if (c->streams == NULL || c->tables == NULL || c->names == NULL || c->after == NULL)
        return PyErr_NoMemory() != NULL;
    c->n_tables = (size_t)n + 1;
    if (!stream_take(&c->streams[0], table)) return false;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!stream_take(&c->streams[i + 1], PyList_GetItem(earlier, i))) return false;
        if ((c->names[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(names, i), NULL)) == NULL)
            return false;
    }
    return true;
}

static shoal_status compare(call *c, size_t i, const shoal_models_options *options,
                            shoal_error *err)
{
    shoal_after_result *after = &c->after[i];
    after->name = c->names[i];
    after->earlier = c->tables[i + 1];
    RETURN_IF_ERROR(
        shoal_check_difference(&after->arrived, c->tables[0], after->earlier, options, err));
    return shoal_check_difference(&after->left, after->earlier, c->tables[0], options, err);
}

static shoal_status check(call *c, shoal_models_result *models, shoal_error *err)
{
    shoal_check_result found;
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    if (c->job.plan.k == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "k was not said, and it has no default {fix} write k=10");
    for (size_t i = 0; i < c->n_tables; i++)
        RETURN_IF_ERROR(shoal_job_load_released(&c->tables[i], &c->job, &c->streams[i], NULL,
                                                SHOAL_PART_SENSITIVE_AS_IT_WAS, err));
    RETURN_IF_ERROR(shoal_check(&found, c->tables[0], c->job.plan.k, c->job.threads, err));
    shoal_status status = SHOAL_OK;
    options.models = c->job.plan.models;
    options.n_models = c->job.plan.n_models;
    options.k = c->job.plan.k;
    options.threads = c->job.threads;
    if (status == SHOAL_OK && options.n_models > 0)
        status = shoal_check_models(models, c->tables[0], &options, err);
    for (size_t i = 0; i + 1 < c->n_tables && status == SHOAL_OK; i++)
        status = compare(c, i, &options, err);
    if (status == SHOAL_OK)
        c->answer = shoal_check_after_json(&found, models, c->tables[0], c->job.plan.k, c->after,
                                           c->n_tables - 1);
    return status;
}

PyObject *core_check_after(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *table, *earlier, *names, *hierarchies, *callback, *answer = NULL;
    call c = { 0 };
    shoal_models_result models = { 0 };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOOOO", &plan, &table, &earlier, &names, &hierarchies, &callback))
        return NULL;
    if (!job_init(&c.job, &c.guard, plan, hierarchies)) return NULL;
    if (take_tables(&c, table, earlier, names)) {
        guard_begin(&c.guard, callback);
        shoal_status status = check(&c, &models, &err);
        if (guard_end(&c.guard, status, &err))
            answer = take_text(c.answer);
        else
            shoal_string_free(c.answer);
    }
    shoal_models_clear(&models);
    call_clear(&c);
    return answer;
}
