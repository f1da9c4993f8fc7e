/* SPDX-License-Identifier: Apache-2.0 */
/* trials.c - many releases of one table, made, checked and measured but not kept: what a frontier
 * is drawn from.
 *
 * The table is loaded and its queries are drawn once; each trial has a plan of its own for
 * everything but the table.
 */
#include "core.h"

#include <math.h>
#include <stdlib.h>

#define CAPSULE "shoal.trials"

typedef struct trials {
    shoal_job job;
    guard guard;
    shoal_table *table, *population;
    shoal_queries *queries;
} trials;

static void trials_free(trials *t)
{
    shoal_queries_free(t->queries);
    shoal_table_free(t->population);
    shoal_table_free(t->table);
    shoal_job_clear(&t->job);
    free(t);
}

static void free_capsule(PyObject *capsule)
{
    trials *t = PyCapsule_GetPointer(capsule, CAPSULE);
    if (t != NULL) trials_free(t);
}

static shoal_status open_trials(trials *t, struct ArrowArrayStream *streams,
                                shoal_workload_options *options, shoal_error *err)
{
    RETURN_IF_ERROR(shoal_job_load(&t->table, &t->job, &streams[0], true, err));
    RETURN_IF_ERROR(
        shoal_job_load_population(&t->population, &t->job, &streams[1], t->table, false, err));
    if (options->n_queries == 0) return SHOAL_OK;
    options->seed = t->job.plan.seed;
    options->threads = t->job.threads;
    options->callbacks = &t->guard.callbacks;
    return shoal_queries_draw(&t->queries, t->table, options, err);
}

PyObject *core_trial_open(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *source, *hierarchies, *population, *callback;
    unsigned long long n_queries;
    unsigned long dimensions;
    struct ArrowArrayStream streams[2] = { { 0 }, { 0 } };
    shoal_workload_options options = SHOAL_WORKLOAD_OPTIONS_INIT;
    shoal_error err = { 0 };
    bool is_open = false;
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOOKkO", &plan, &source, &hierarchies, &population, &n_queries,
                          &dimensions, &callback))
        return NULL;
    options.n_queries = n_queries;
    options.dimensions = (uint32_t)dimensions;
    trials *t = calloc(1, sizeof *t);
    if (t == NULL) return PyErr_NoMemory();
    if (!job_init(&t->job, &t->guard, plan, hierarchies)) {
        free(t);
        return NULL;
    }
    if (stream_take(&streams[0], source) &&
        (population == Py_None || stream_take(&streams[1], population))) {
        guard_begin(&t->guard, callback);
        shoal_status status = open_trials(t, streams, &options, &err);
        is_open = guard_end(&t->guard, status, &err);
    }
    stream_release(&streams[0]);
    stream_release(&streams[1]);
    PyObject *capsule = is_open ? PyCapsule_New(t, CAPSULE, free_capsule) : NULL;
    if (capsule == NULL) trials_free(t);
    return capsule;
}

/* Takes the value over. False with an exception. */
static bool put(PyObject *dict, const char *key, PyObject *value)
{
    bool is_put = value != NULL && PyDict_SetItemString(dict, key, value) == 0;
    Py_XDECREF(value);
    return is_put;
}

/* None for a number that is not known. */
static PyObject *number_object(const shoal_trial *t, size_t number)
{
    double value = shoal_trial_number_of(t, number);
    if (!isfinite(value)) return Py_BuildValue("");
    return shoal_trial_number_is_count(number) ? PyLong_FromDouble(value)
                                               : PyFloat_FromDouble(value);
}

static PyObject *trial_dict(const shoal_trial *t)
{
    PyObject *dict = PyDict_New();
    bool is_made = dict != NULL;
    for (size_t n = 0; is_made && n < shoal_trial_number_count(); n++)
        is_made = put(dict, shoal_trial_number_name(n), number_object(t, n));
    if (is_made && put(dict, "stopped_early", PyBool_FromLong(t->stopped_early))) return dict;
    Py_XDECREF(dict);
    return NULL;
}

PyObject *core_trial_bound(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *capsule, *callback;
    double bound = NAN;
    shoal_job j;
    guard watch;
    shoal_error err = { 0 };
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    (void)self;
    if (!PyArg_ParseTuple(args, "OsO", &capsule, &plan, &callback)) return NULL;
    const trials *t = PyCapsule_GetPointer(capsule, CAPSULE);
    if (t == NULL || !job_init(&j, &watch, plan, Py_None)) return NULL;
    guard_begin(&watch, callback);
    options.threads = j.threads;
    options.time_limit = j.plan.time_limit;
    options.callbacks = &watch.callbacks;
    shoal_status status = shoal_trial_bound(&bound, t->table, j.plan.k,
                                            shoal_spec_recoding(&j.plan), &options, &err);
    bool is_found = guard_end(&watch, status, &err);
    shoal_job_clear(&j);
    if (!is_found) return NULL;
    return isfinite(bound) ? PyFloat_FromDouble(bound) : Py_BuildValue("");
}

PyObject *core_trial_run(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *capsule, *callback;
    shoal_trial trial = { 0 };
    shoal_job j;
    guard watch;
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "OsO", &capsule, &plan, &callback)) return NULL;
    const trials *t = PyCapsule_GetPointer(capsule, CAPSULE);
    if (t == NULL || !job_init(&j, &watch, plan, Py_None)) return NULL;
    guard_begin(&watch, callback);
    j.plan.population_table = t->population;
    shoal_status status = shoal_trial_run(&trial, t->table, &j.plan, &watch.callbacks, t->queries,
                                          &err);
    bool is_unsat = status == SHOAL_EUNSAT;
    bool is_tried = guard_end(&watch, is_unsat ? SHOAL_OK : status, &err);
    PyObject *made = NULL;
    if (is_tried && is_unsat) {
        made = Py_None;
        Py_INCREF(made);
    } else if (is_tried) {
        made = trial_dict(&trial);
    }
    shoal_trial_clear(&trial);
    shoal_job_clear(&j);
    return made;
}

PyObject *core_trial_numbers(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    PyObject *list = PyList_New(0);
    for (size_t n = 0; list != NULL && n < shoal_trial_number_count(); n++) {
        PyObject *name = PyUnicode_FromString(shoal_trial_number_name(n));
        if (name == NULL || PyList_Append(list, name) != 0) Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

PyObject *core_knee(PyObject *self, PyObject *args)
{
    PyObject *lists[2];
    (void)self;
    if (!PyArg_ParseTuple(args, "OO", &lists[0], &lists[1])) return NULL;
    Py_ssize_t n = PyList_Size(lists[0]);
    if (n < 0 || PyList_Size(lists[1]) != n)
        return PyErr_Format(PyExc_ValueError, "two lists of one length are needed");
    double *numbers = calloc(2 * (size_t)n + 1, sizeof *numbers);
    if (numbers == NULL) return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < 2 * n; i++) {
        PyObject *item = PyList_GetItem(lists[i / n], i % n);
        numbers[i] = item == Py_None ? NAN : PyFloat_AsDouble(item);
    }
    size_t knee = PyErr_Occurred() == NULL ? shoal_knee(numbers, numbers + n, (size_t)n) : SIZE_MAX;
    free(numbers);
    if (PyErr_Occurred() != NULL) return NULL;
    return PyLong_FromSsize_t(knee == SIZE_MAX ? -1 : (Py_ssize_t)knee);
}
