/* SPDX-License-Identifier: Apache-2.0 */
/* ask.c - questions about tables: kind, plan, tables and options go to shoal_ask(), the JSON of its
 * answer comes back. */
#include "core.h"

#include <stdlib.h>

/* One call. */
typedef struct call {
    shoal_job *job;
    guard guard;
    shoal_question question;
    shoal_ask_input *inputs; /* names are borrowed from the list that the caller holds */
    struct ArrowArrayStream *streams;
    size_t n;
} call;

/* False with an exception. `inputs` is a list of (role, source, name); a source that is None is
 * left out. */
static bool take_inputs(call *c, PyObject *list, shoal_error *err)
{
    Py_ssize_t n = PyList_Size(list);
    if (n < 0) return false;
    c->inputs = calloc((size_t)n + 1, sizeof *c->inputs);
    c->streams = calloc((size_t)n + 1, sizeof *c->streams);
    if (c->inputs == NULL || c->streams == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        const char *role, *name;
        PyObject *source;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "sOz", &role, &source, &name)) return false;
        if (source == Py_None) continue;
        shoal_ask_input *input = &c->inputs[c->n];
        shoal_status status = shoal_input_role_of(&input->role, role, err);
        if (status != SHOAL_OK) return raise_error(status, err), false;
        if (!stream_take(&c->streams[c->n], source)) return false;
        input->stream = &c->streams[c->n++];
        input->name = name;
    }
    return true;
}

/* False with an exception. */
static bool begin(call *c, const char *plan, PyObject *hierarchies, PyObject *inputs,
                  PyObject *callback, shoal_error *err)
{
    if (!job_init(&c->job, &c->guard, plan, hierarchies) || !take_inputs(c, inputs, err))
        return false;
    c->question.job = c->job;
    c->question.inputs = c->inputs;
    c->question.n_inputs = c->n;
    guard_begin(&c->guard, callback);
    return true;
}

static void call_clear(call *c)
{
    for (size_t i = 0; i < c->n; i++) stream_release(&c->streams[i]);
    free(c->inputs);
    free(c->streams);
    shoal_question_clear(&c->question);
    shoal_job_free(c->job);
}

PyObject *core_ask(PyObject *self, PyObject *args)
{
    const char *kind, *plan, *options;
    PyObject *hierarchies, *inputs, *callback, *made = NULL;
    call c = { .question = SHOAL_QUESTION_INIT };
    shoal_answer *answer = NULL;
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "ssOOsO", &kind, &plan, &hierarchies, &inputs, &options, &callback))
        return NULL;
    shoal_status status = shoal_question_parse(&c.question, kind, options, &err);
    if (status != SHOAL_OK) {
        raise_error(status, &err);
    } else if (begin(&c, plan, hierarchies, inputs, callback, &err)) {
        status = shoal_ask(&answer, &c.question, &err);
        char *text = status == SHOAL_OK ? shoal_answer_json(answer) : NULL;
        shoal_answer_free(answer);
        if (guard_end(&c.guard, status, &err))
            made = take_text(text);
        else
            shoal_string_free(text);
    }
    call_clear(&c);
    return made;
}

/* ---- losses of texts ---- */

/* The texts of a list, borrowed from it; NULL with an exception. Free with free(). */
static const char **borrow_texts(PyObject *list, Py_ssize_t n)
{
    const char **texts = malloc((size_t)(n > 0 ? n : 1) * sizeof *texts);
    if (texts == NULL) PyErr_NoMemory();
    for (Py_ssize_t i = 0; texts != NULL && i < n; i++) {
        texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        if (texts[i] != NULL) continue;
        free(texts);
        texts = NULL;
    }
    return texts;
}

static PyObject *list_numbers(const double *numbers, Py_ssize_t n)
{
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list != NULL && i < n; i++) {
        PyObject *number = PyFloat_FromDouble(numbers[i]);
        if (number != NULL && PyList_SetItem(list, i, number) == 0) continue;
        Py_DECREF(list);
        return NULL;
    }
    return list;
}

static shoal_status weigh_texts(double *losses, call *c, const char *column,
                                const char *const *texts, Py_ssize_t n, shoal_error *err)
{
    shoal_table *table = NULL;
    RETURN_IF_ERROR(shoal_job_load(&table, c->job, &c->streams[0], false, err));
    shoal_status status = shoal_text_losses(losses, table, column, texts, (uint32_t)n, err);
    shoal_table_free(table);
    return status;
}

PyObject *core_text_losses(PyObject *self, PyObject *args)
{
    const char *plan, *column;
    PyObject *source, *hierarchies, *list, *made = NULL;
    call c = { .question = SHOAL_QUESTION_INIT };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOsO", &plan, &source, &hierarchies, &column, &list)) return NULL;
    Py_ssize_t n = PyList_Size(list);
    PyObject *inputs = Py_BuildValue("[(sOz)]", "original", source, NULL);
    const char **texts = n < 0 || inputs == NULL ? NULL : borrow_texts(list, n);
    double *losses = texts == NULL ? NULL : malloc((size_t)(n > 0 ? n : 1) * sizeof *losses);
    if (texts != NULL && losses == NULL) PyErr_NoMemory();
    if (losses != NULL && begin(&c, plan, hierarchies, inputs, Py_None, &err) &&
        guard_end(&c.guard, weigh_texts(losses, &c, column, texts, n, &err), &err))
        made = list_numbers(losses, n);
    call_clear(&c);
    Py_XDECREF(inputs);
    free(losses);
    free((void *)texts);
    return made;
}
