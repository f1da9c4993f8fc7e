/* SPDX-License-Identifier: Apache-2.0 */
/* look.c - what a table looks like, hierarchies as texts, and which methods and models there are.
 */
#include "core.h"

#include <stdlib.h>

/* ---- profile ---- */

static shoal_status load_all(shoal_table **out, struct ArrowArrayStream *stream,
                             const char *const *nulls, size_t n_nulls, guard *g, shoal_error *err)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.callbacks = &g->callbacks;
    RETURN_IF_ERROR(shoal_table_open_arrow(out, stream, err));
    if (n_nulls > 0)
        RETURN_IF_ERROR(
            shoal_table_set_nulls(*out, nulls, n_nulls, SHOAL_MISSING_OWN_CATEGORY, err));
    return shoal_profile_load(*out, &options, n_nulls == 0, err);
}

/* Strings of a list, borrowed; NULL with an exception. */
static const char **borrow_texts(PyObject *list, size_t **lengths)
{
    Py_ssize_t n = PyList_Size(list);
    if (n < 0) return NULL;
    const char **texts = calloc((size_t)n + 1, sizeof *texts);
    if (lengths != NULL) *lengths = calloc((size_t)n + 1, sizeof **lengths);
    bool is_made = texts != NULL && (lengths == NULL || *lengths != NULL);
    if (!is_made) PyErr_NoMemory();
    for (Py_ssize_t i = 0; is_made && i < n; i++) {
        Py_ssize_t size = 0;
        texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), &size);
        if (lengths != NULL) (*lengths)[i] = (size_t)size;
        is_made = texts[i] != NULL;
    }
    if (is_made) return texts;
    free(texts);
    if (lengths != NULL) {
        free(*lengths);
        *lengths = NULL;
    }
    return NULL;
}

PyObject *core_profile(PyObject *self, PyObject *args)
{
    PyObject *source, *null_list, *callback;
    const char *name;
    struct ArrowArrayStream stream = { 0 };
    shoal_table *table = NULL;
    char *plan = NULL, *json = NULL;
    shoal_error err = { 0 };
    guard g;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOsO", &source, &null_list, &name, &callback)) return NULL;
    const char **nulls = borrow_texts(null_list, NULL);
    if (nulls == NULL) return NULL;
    if (!stream_take(&stream, source)) {
        free(nulls);
        return NULL;
    }
    guard_begin(&g, callback);
    shoal_status status = load_all(&table, &stream, nulls, (size_t)PyList_Size(null_list), &g,
                                   &err);
    if (status == SHOAL_OK) status = shoal_profile_plan(&plan, table, name, &err);
    if (status == SHOAL_OK) status = shoal_profile_json(&json, table, NULL, &err);
    shoal_table_free(table);
    stream_release(&stream);
    bool is_done = guard_end(&g, status, &err);
    PyObject *made = is_done ? Py_BuildValue("ss", plan, json) : NULL;
    shoal_string_free(plan);
    shoal_string_free(json);
    free(nulls);
    return made;
}

/* ---- plans ---- */

PyObject *core_plan_read(PyObject *self, PyObject *args)
{
    const char *text, *name;
    Py_ssize_t size;
    shoal_spec plan = SHOAL_SPEC_INIT;
    shoal_error err = { 0 };
    PyObject *made = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "s#s", &text, &size, &name)) return NULL;
    shoal_status status = shoal_plan_parse(&plan, text, (size_t)size, name, &err);
    if (status == SHOAL_OK)
        made = take_text(shoal_plan_json(&plan));
    else
        raise_error(status, &err);
    shoal_spec_clear(&plan);
    return made;
}

/* ---- hierarchies ---- */

static PyObject *levels_of(const shoal_hierarchy *hierarchy)
{
    char *text = NULL;
    shoal_error err = { 0 };
    shoal_status status = shoal_hierarchy_to_levels(&text, hierarchy, &err);
    if (status == SHOAL_OK) return take_text(text);
    raise_error(status, &err);
    return NULL;
}

PyObject *core_hierarchy_build(PyObject *self, PyObject *args)
{
    const char *spec;
    PyObject *list;
    size_t *lengths = NULL;
    shoal_hierarchy *hierarchy = NULL;
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sO", &spec, &list)) return NULL;
    const char **texts = borrow_texts(list, &lengths);
    if (texts == NULL) return NULL;
    shoal_values values = { .n_values = (size_t)PyList_Size(list),
                            .texts = texts,
                            .lengths = lengths };
    shoal_status status = shoal_hierarchy_build(&hierarchy, &values, spec, &err);
    free(texts);
    free(lengths);
    if (status != SHOAL_OK) {
        raise_error(status, &err);
        return NULL;
    }
    PyObject *made = levels_of(hierarchy);
    shoal_hierarchy_free(hierarchy);
    return made;
}

PyObject *core_hierarchy_look(PyObject *self, PyObject *args)
{
    const char *text, *name;
    Py_ssize_t size;
    shoal_hierarchy *hierarchy = NULL;
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "s#s", &text, &size, &name)) return NULL;
    shoal_status status = shoal_hierarchy_parse(&hierarchy, text, (size_t)size, name, &err);
    if (status != SHOAL_OK) {
        raise_error(status, &err);
        return NULL;
    }
    PyObject *levels = levels_of(hierarchy), *made = NULL;
    if (levels != NULL)
        made = Py_BuildValue("IIIO", shoal_hierarchy_n_leaves(hierarchy),
                             shoal_hierarchy_n_nodes(hierarchy), shoal_hierarchy_height(hierarchy),
                             levels);
    Py_XDECREF(levels);
    shoal_hierarchy_free(hierarchy);
    return made;
}

/* ---- methods and models ---- */

static PyObject *params_of(size_t algorithm)
{
    PyObject *list = PyList_New(0);
    for (size_t p = 0; list != NULL && p < shoal_algorithm_n_params(algorithm); p++) {
        const shoal_param_info *info = shoal_algorithm_param(algorithm, p);
        PyObject *one = Py_BuildValue("ssss", info->name, info->values, info->fallback, info->help);
        if (one == NULL || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

PyObject *core_algorithms(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < shoal_algorithm_count(); i++) {
        PyObject *params = params_of(i);
        PyObject *one = params == NULL
                            ? NULL
                            : Py_BuildValue(
                                  "ssON", shoal_algorithm_name(i), shoal_algorithm_summary(i),
                                  shoal_algorithm_needs_k(i) ? Py_True : Py_False, params);
        if (one == NULL || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

PyObject *core_models(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < shoal_model_count(); i++) {
        PyObject *one = Py_BuildValue("ssss", shoal_model_name(i), shoal_model_variant(i),
                                      shoal_model_values(i), shoal_model_summary(i));
        if (one == NULL || PyList_Append(list, one) != 0) Py_CLEAR(list);
        Py_XDECREF(one);
    }
    return list;
}

PyObject *core_registry(PyObject *self, PyObject *args)
{
    (void)self;
    (void)args;
    return take_text(shoal_registry_json());
}
