/* SPDX-License-Identifier: Apache-2.0 */
/* gil.c - work with Python's lock open, and callbacks during it: progress, signals, errors.
 *
 * The library calls guard_step() on the caller's thread now and then. It takes the lock at most
 * twenty times a second, lets Python look for signals (Ctrl-C on the main thread), and tells the
 * callback. Whatever that raises stops the work and is raised again at the end; but where the
 * library already had a valid result when Ctrl-C came, that result is kept.
 */
#include "core.h"

#include <string.h>

void raise_error(shoal_status status, const shoal_error *err)
{
    PyObject *errors = PyImport_ImportModule("shoal._errors");
    if (errors == NULL) return;
    shoal_error spelled = *err;
    shoal_error_spell_keywords(&spelled, "class_", "a keyword argument");
    const char *texts[] = { spelled.message, spelled.fix, spelled.file, spelled.column };
    PyObject *words[4] = { NULL };
    bool ok = true;
    for (int i = 0; i < 4; i++) { /* names may be no UTF-8 */
        words[i] = PyUnicode_DecodeUTF8(texts[i], (Py_ssize_t)strlen(texts[i]), "replace");
        ok &= words[i] != NULL;
    }
    PyObject *raised = ok ? PyObject_CallMethod(errors, "make", "iOOOOKK", (int)status, words[0],
                                                words[1], words[2], words[3],
                                                (unsigned long long)spelled.row,
                                                (unsigned long long)spelled.line)
                          : NULL;
    if (raised != NULL) PyErr_SetObject((PyObject *)Py_TYPE(raised), raised);
    Py_XDECREF(raised);
    for (int i = 0; i < 4; i++) Py_XDECREF(words[i]);
    Py_DECREF(errors);
}

void guard_begin(guard *g, PyObject *callback)
{
    *g = (guard){ .callbacks = SHOAL_PROGRESS(guard_step, g),
                  .callback = callback == Py_None ? NULL : callback,
                  .loss = -1 };
    g->thread = PyEval_SaveThread();
}

/* With the lock. False: something was raised, and the work is to stop. */
static bool ask(guard *g, const char *phase, double fraction)
{
    if (PyErr_CheckSignals() != 0) {
        g->interrupted = PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) != 0;
        return false;
    }
    if (g->callback == NULL) return true;
    PyObject *answer = g->loss < 0
                           ? PyObject_CallFunction(g->callback, "sdO", phase, fraction, Py_None)
                           : PyObject_CallFunction(g->callback, "sdd", phase, fraction, g->loss);
    int stop = answer != NULL && answer != Py_None ? PyObject_IsTrue(answer) : 0;
    Py_XDECREF(answer);
    if (answer == NULL || stop < 0) {
        g->interrupted = PyErr_ExceptionMatches(PyExc_KeyboardInterrupt) != 0;
        return false;
    }
    return stop == 0;
}

int guard_step(const char *phase, double fraction, void *payload)
{
    guard *g = payload;
    if (g->stopped) return 1;
    if (!shoal_pace_is_due(&g->pace, phase, g->callback != NULL)) return 0;
    PyEval_RestoreThread(g->thread);
    g->stopped = !ask(g, phase, fraction);
    if (PyErr_Occurred() != NULL) PyErr_Fetch(&g->type, &g->value, &g->trace);
    g->thread = PyEval_SaveThread();
    return g->stopped;
}

bool guard_end(guard *g, shoal_status status, const shoal_error *err)
{
    PyEval_RestoreThread(g->thread);
    bool is_result = status == SHOAL_OK && (g->type == NULL || (g->interrupted && g->has_result));
    if (!is_result && g->type != NULL) {
        PyErr_Restore(g->type, g->value, g->trace);
    } else {
        Py_XDECREF(g->type);
        Py_XDECREF(g->value);
        Py_XDECREF(g->trace);
        if (!is_result) raise_error(status, err);
    }
    g->type = g->value = g->trace = NULL;
    return is_result;
}
