/* SPDX-License-Identifier: Apache-2.0 */
/* core.c - the module shoal._core: the list of its functions. Python code in shoal/ is what people
 * call. */
#include "core.h"

static PyMethodDef methods[] = {
    { "encode", core_encode, METH_VARARGS,
      "encode(objects, missing) -> (codes, texts): an array of objects by their texts" },
    { "frame", core_frame, METH_VARARGS,
      "frame(n_rows, columns) -> capsule: an Arrow stream over buffers" },
    { "anonymize", core_anonymize, METH_VARARGS,
      "anonymize(plan, table, hierarchies, population, callback) -> release" },
    { "apply", core_apply, METH_VARARGS,
      "apply(plan, table, hierarchies, [(column, level, height)], population, callback) -> "
      "release" },
    { "release_report", core_release_report, METH_VARARGS,
      "release_report(release, with_bound, callback) -> JSON text" },
    { "release_stream", core_release_stream, METH_VARARGS,
      "release_stream(release) -> capsule: the release as an Arrow stream" },
    { "release_groups", core_release_groups, METH_VARARGS,
      "release_groups(release) -> bytes: int32 a row, -1 where suppressed" },
    { "release_interrupted", core_release_interrupted, METH_VARARGS,
      "release_interrupted(release) -> did Ctrl-C end the search?" },
    { "release_keys", core_release_keys, METH_VARARGS,
      "release_keys(release) -> [(column, because, groups below k, groups, fewest values)]: likely "
      "keys of persons" },
    { "release_csv", core_release_csv, METH_VARARGS,
      "release_csv(release) -> (first, second): a release that is text" },
    { "release_texts", core_release_texts, METH_VARARGS,
      "release_texts(release) -> [(column, width, codes, texts)]" },
    { "release_manifest", core_release_manifest, METH_VARARGS,
      "release_manifest(release, plan, first, second, path, callback) -> JSON text: the manifest "
      "of these texts" },
    { "manifest_html", core_manifest_html, METH_VARARGS,
      "manifest_html(manifest, is_external) -> HTML text: the report" },
    { "ask", core_ask, METH_VARARGS,
      "ask(kind, plan, hierarchies, [(role, table, name)], options as JSON, callback) -> JSON "
      "text; "
      "see shoal/ask.h" },
    { "text_losses", core_text_losses, METH_VARARGS,
      "text_losses(plan, table, hierarchies, column, texts) -> what each text loses" },
    { "series_release", core_series_release, METH_VARARGS,
      "series_release(plan, csv, hierarchies, folder, after, with_anew, callback) -> (CSV, CSV of "
      "counterfeits or None, one byte a row, JSON text)" },
    { "series_show", core_series_show, METH_VARARGS, "series_show(folder) -> JSON text" },
    { "series_check", core_series_check, METH_VARARGS, "series_check(folder, files) -> JSON text" },
    { "series_forget", core_series_forget, METH_VARARGS, "series_forget(folder)" },
    { "profile", core_profile, METH_VARARGS,
      "profile(table, nulls, name, callback) -> (plan text, JSON text)" },
    { "plan_read", core_plan_read, METH_VARARGS,
      "plan_read(text, name) -> JSON text: the plan as it was understood" },
    { "hierarchy_build", core_hierarchy_build, METH_VARARGS,
      "hierarchy_build(spec, values) -> text of a level file" },
    { "hierarchy_look", core_hierarchy_look, METH_VARARGS,
      "hierarchy_look(text, name) -> (leaves, nodes, height, level text)" },
    { "algorithms", core_algorithms, METH_NOARGS,
      "algorithms() -> [(name, summary, needs_k, [(param, values, default, help)])]" },
    { "models", core_models, METH_NOARGS, "models() -> [(name, variant, values, summary)]" },
    { "registry", core_registry, METH_NOARGS,
      "registry() -> JSON text: the rows of models, measures and methods" },
    { NULL, NULL, 0, NULL },
};

/* Runs once per interpreter. The handlers of signals and the pool of threads belong to the process,
 * so only the first one may use them. */
static int fill_module(PyObject *made)
{
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
        PyErr_SetString(PyExc_ImportError, "shoal works in the main interpreter only, not in a "
                                           "sub-interpreter; start a process for it");
        return -1;
    }
    return PyModule_AddStringConstant(made, "version", shoal_version());
}

static PyModuleDef_Slot slots[] = { { Py_mod_exec, fill_module }, { 0, NULL } };

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    "shoal._core",
    "The engine; see shoal/__init__.py for what to call.",
    0,
    methods,
    slots,
    NULL,
    NULL,
    NULL,
};

PyMODINIT_FUNC PyInit__core(void); /* Python looks it up by name */

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&module);
}
