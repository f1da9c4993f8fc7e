/* SPDX-License-Identifier: Apache-2.0 */
/* call_request.c - what Python says of the tables of one call. */
#include "core.h"

PyObject *take_text(char *text)
{
    if (text == NULL) return PyErr_NoMemory();
    PyObject *made = PyUnicode_FromString(text);
    shoal_string_free(text);
    return made;
}

static bool take_hierarchies(shoal_job *job, PyObject *list, shoal_error *err)
{
    Py_ssize_t n = PyList_Size(list);
    if (n < 0) return false;
    for (Py_ssize_t i = 0; i < n; i++) {
        const char *column, *text;
        Py_ssize_t size;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "ss#", &column, &text, &size)) return false;
        shoal_status status = shoal_job_add_hierarchy(job, column, text, (size_t)size, err);
        if (status == SHOAL_OK) continue;
        raise_error(status, err);
        return false;
    }
    return true;
}

bool job_init(shoal_job **job, guard *g, const char *plan, PyObject *hierarchies)
{
    shoal_error err = { 0 };
    shoal_job_options options = SHOAL_JOB_OPTIONS_INIT;
    options.callbacks = &g->callbacks;
    shoal_status status = shoal_job_make(job, plan, &err);
    if (status != SHOAL_OK) return raise_error(status, &err), false;
    shoal_job_set(*job, &options);
    if (hierarchies == Py_None || take_hierarchies(*job, hierarchies, &err)) return true;
    shoal_job_free(*job);
    *job = NULL;
    return false;
}
