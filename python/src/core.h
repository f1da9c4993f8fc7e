/* SPDX-License-Identifier: Apache-2.0 */
/* core.h - what the files of the extension share.
 *
 * The extension is thin: a plan as text, tables as Arrow streams, hierarchies as texts go in; Arrow
 * streams, bytes and the JSON of shoal/report.h are returned. Only the limited interface of Python
 * 3.11 is used, so one build serves all later versions. While the library works, Python's lock is
 * open (gil.c).
 */
#ifndef SHOAL_PYTHON_CORE_H
#define SHOAL_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdio.h>

#include <shoal/ask.h>
#include <shoal/evidence.h>
#include <shoal/io.h>
#include <shoal/series.h>
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

/* ---- working without Python's lock (gil.c) ---- */

typedef struct guard {
    shoal_callbacks callbacks;      /* guard_step() with this as payload */
    PyThreadState *thread;          /* while the lock is open */
    PyObject *callback;             /* borrowed; NULL: none */
    PyObject *type, *value, *trace; /* what the callback or a signal raised; NULL: nothing */
    shoal_pace pace;                /* of asking Python */
    double loss;                    /* of the best grouping so far; below 0: not known */
    bool stopped;
    bool interrupted; /* by Ctrl-C */
    bool has_result;  /* Ctrl-C came when there was a valid result already: it is kept */
} guard;

/* `callback` may be None. Opens the lock. */
void guard_begin(guard *g, PyObject *callback);
/* Takes the lock again. False, with an exception set, where the work failed or the callback raised.
 */
bool guard_end(guard *g, shoal_status status, const shoal_error *err);
/* A shoal_progress_fn; `payload` is the guard. Signals are looked for here. */
int guard_step(const char *phase, double fraction, void *payload);
/* Set the exception of a status, with options spelled as keyword arguments. Needs the lock. */
void raise_error(shoal_status status, const shoal_error *err);

/* ---- streams (stream.c, frame.c) ---- */

/*
 * Take a stream out of what Python hands over: a capsule "arrow_array_stream", or a pair of
 * capsules "arrow_schema", "arrow_array". False with an exception. *out is the caller's to consume
 * or release.
 */
bool stream_take(struct ArrowArrayStream *out, PyObject *source);
void stream_release(struct ArrowArrayStream *stream);
/* A capsule that owns the stream; `owner` is kept alive as long as the stream is. Takes *stream
 * over. */
PyObject *stream_capsule(struct ArrowArrayStream *stream, PyObject *owner);
/* encode(objects, missing) (encode_frame.c), frame(n_rows, columns) */
PyObject *core_encode(PyObject *self, PyObject *args);
PyObject *core_frame(PyObject *self, PyObject *args);

/* ---- jobs (call_request.c) ---- */

/* `plan` is text in the form of a plan file, `hierarchies` a list of (column, text of a level
 * file) or None; `g` watches while tables are loaded. False with an exception; else
 * end with shoal_job_free(). */
bool job_init(shoal_job **job, guard *g, const char *plan, PyObject *hierarchies);
/* A text of the library as a Python string; frees it. NULL with an exception when memory is short.
 */
PyObject *take_text(char *text);

/* ---- calls ---- */

PyObject *core_anonymize(PyObject *self, PyObject *args);
PyObject *core_apply(PyObject *self, PyObject *args);
PyObject *core_release_report(PyObject *self, PyObject *args);
PyObject *core_release_stream(PyObject *self, PyObject *args);
PyObject *core_release_interrupted(PyObject *self, PyObject *args);
PyObject *core_release_keys(PyObject *self, PyObject *args);
PyObject *core_release_groups(PyObject *self, PyObject *args);
PyObject *core_release_csv(PyObject *self, PyObject *args);
PyObject *core_release_texts(PyObject *self, PyObject *args);
PyObject *core_release_manifest(PyObject *self, PyObject *args);
PyObject *core_manifest_html(PyObject *self, PyObject *args);

PyObject *core_ask(PyObject *self, PyObject *args);
PyObject *core_text_losses(PyObject *self, PyObject *args);
PyObject *core_series_release(PyObject *self, PyObject *args);
PyObject *core_series_show(PyObject *self, PyObject *args);
PyObject *core_series_check(PyObject *self, PyObject *args);
PyObject *core_series_forget(PyObject *self, PyObject *args);

PyObject *core_profile(PyObject *self, PyObject *args);
PyObject *core_plan_read(PyObject *self, PyObject *args);
PyObject *core_hierarchy_build(PyObject *self, PyObject *args);
PyObject *core_hierarchy_look(PyObject *self, PyObject *args);
PyObject *core_algorithms(PyObject *self, PyObject *args);
PyObject *core_models(PyObject *self, PyObject *args);
PyObject *core_registry(PyObject *self, PyObject *args);

#endif
