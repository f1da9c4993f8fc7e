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
    { "release_csv", core_release_csv, METH_VARARGS,
      "release_csv(release) -> (first, second): a release that is text" },
    { "release_texts", core_release_texts, METH_VARARGS,
      "release_texts(release) -> [(column, width, codes, texts)]" },
    { "release_manifest", core_release_manifest, METH_VARARGS,
      "release_manifest(release, plan, first, second, path, callback) -> JSON text: the manifest "
      "of these texts" },
    { "manifest_html", core_manifest_html, METH_VARARGS,
      "manifest_html(manifest, is_external) -> HTML text: the report" },
    { "check", core_check, METH_VARARGS,
      "check(plan, table, hierarchies, population, callback) -> JSON text" },
    { "check_after", core_check_after, METH_VARARGS,
      "check_after(plan, table, earlier, names, hierarchies, callback) -> JSON text" },
    { "check_sets", core_check_sets, METH_VARARGS,
      "check_sets(plan, table, sets, subsets, by_person, callback) -> JSON text" },
    { "text_losses", core_text_losses, METH_VARARGS,
      "text_losses(plan, table, hierarchies, column, texts) -> what each text loses" },
    { "measure", core_measure, METH_VARARGS,
      "measure(plan, original, release, hierarchies, allow_unread, callback) -> JSON text" },
    { "risk", core_risk, METH_VARARGS,
      "risk(plan, table, original, population, hierarchies, thresholds, fraction, counted, "
      "by_person, callback) -> JSON text" },
    { "attack", core_attack, METH_VARARGS,
      "attack(plan, original, releases, held_out, hierarchies, only, record_key, known, sets, "
      "errors, controls, callback) -> JSON text" },
    { "series_release", core_series_release, METH_VARARGS,
      "series_release(plan, csv, hierarchies, folder, after, with_anew, callback) -> (CSV, CSV of "
      "counterfeits or None, one byte a row, JSON text)" },
    { "series_show", core_series_show, METH_VARARGS, "series_show(folder) -> JSON text" },
    { "series_check", core_series_check, METH_VARARGS, "series_check(folder, files) -> JSON text" },
    { "series_forget", core_series_forget, METH_VARARGS, "series_forget(folder)" },
    { "bound", core_bound, METH_VARARGS, "bound(plan, table, hierarchies, callback) -> JSON text" },
    { "queries", core_queries, METH_VARARGS,
      "queries(plan, original, release, hierarchies, workload, columns, dimensions, n, "
      "allow_unread, callback) -> JSON text" },
    { "classify", core_classify, METH_VARARGS,
      "classify(plan, original, release, hierarchies, folds, top_classes, as_categories, "
      "allow_unread, callback) -> JSON text" },
    { "trial_open", core_trial_open, METH_VARARGS,
      "trial_open(plan, table, hierarchies, population, n_queries, dimensions, callback) -> "
      "trials" },
    { "trial_run", core_trial_run, METH_VARARGS,
      "trial_run(trials, plan, callback) -> dict, or None where there is no such release" },
    { "trial_bound", core_trial_bound, METH_VARARGS,
      "trial_bound(trials, plan, callback) -> float: no release with the plan's k loses less; None "
      "where nobody knows" },
    { "trial_numbers", core_trial_numbers, METH_NOARGS,
      "trial_numbers() -> [name]: what trial_run() tells" },
    { "knee", core_knee, METH_VARARGS, "knee(x, y) -> index, or -1" },
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
