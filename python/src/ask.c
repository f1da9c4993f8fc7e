/* SPDX-License-Identifier: Apache-2.0 */
/* ask.c - questions about tables: check, measure, risk, bound, queries, classify. Each answers with
 * the JSON of shoal/report.h. */
#include "core.h"

#include <stdlib.h>

/* Up to three tables of one call. */
typedef struct question {
    shoal_job job;
    guard guard;
    struct ArrowArrayStream streams[3];
    shoal_table *tables[3];
    char *answer;
    int allows_unread;
} question;

/* False with an exception; a source that is None is left out. */
static bool begin(question *q, const char *plan, PyObject *hierarchies, PyObject *const *sources,
                  size_t n, PyObject *callback)
{
    if (!job_init(&q->job, &q->guard, plan, hierarchies)) return false;
    for (size_t i = 0; i < n; i++) {
        if (sources[i] == Py_None || stream_take(&q->streams[i], sources[i])) continue;
        for (size_t k = 0; k < i; k++) stream_release(&q->streams[k]);
        shoal_job_clear(&q->job);
        return false;
    }
    guard_begin(&q->guard, callback);
    return true;
}

/* False with an exception. */
static bool finish(question *q, shoal_status status, const shoal_error *err)
{
    for (size_t i = 0; i < 3; i++) {
        stream_release(&q->streams[i]);
        shoal_table_free(q->tables[i]);
    }
    bool is_answered = guard_end(&q->guard, status, err);
    shoal_job_clear(&q->job);
    return is_answered;
}

static PyObject *end(question *q, shoal_status status, const shoal_error *err)
{
    if (finish(q, status, err)) return take_text(q->answer);
    shoal_string_free(q->answer);
    return NULL;
}

static shoal_status need_k(const question *q, shoal_error *err)
{
    return q->job.plan.k != 0
               ? SHOAL_OK
               : shoal_fail(err, SHOAL_EINVAL,
                            "k was not said, and it has no default {fix} write k=10");
}

/* ---- check ---- */

static shoal_status check(question *q, shoal_error *err)
{
    shoal_check_result found;
    shoal_models_result models = { 0 };
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    unsigned parts = SHOAL_PART_COUNTS | (q->job.plan.n_models > 0 ? SHOAL_PART_SENSITIVE_AS_IT_WAS
                                                                   : SHOAL_PART_SENSITIVE_IF_THERE);
    shoal_sensitive_result sensitive = { 0 };
    RETURN_IF_ERROR(need_k(q, err));
    RETURN_IF_ERROR(
        shoal_job_load_released(&q->tables[0], &q->job, &q->streams[0], NULL, parts, err));
    RETURN_IF_ERROR(
        shoal_job_load_population(&q->tables[1], &q->job, &q->streams[1], NULL, false, err));
    RETURN_IF_ERROR(shoal_check(&found, q->tables[0], q->job.plan.k, q->job.threads, err));
    shoal_status status = SHOAL_OK;
    options.models = q->job.plan.models;
    options.n_models = q->job.plan.n_models;
    options.population = q->tables[1];
    options.threads = q->job.threads;
    if (status == SHOAL_OK && options.n_models > 0)
        status = shoal_check_models(&models, q->tables[0], &options, err);
    if (status == SHOAL_OK)
        status = shoal_check_sensitive(&sensitive, q->tables[0], q->job.threads, err);
    const shoal_check_report report = { .table = q->tables[0],
                                        .k = q->job.plan.k,
                                        .check = &found,
                                        .models = &models,
                                        .sensitive = &sensitive };
    if (status == SHOAL_OK) q->answer = shoal_check_report_json(&report);
    shoal_models_clear(&models);
    shoal_sensitive_clear(&sensitive);
    return status;
}

PyObject *core_check(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *sources[2], *hierarchies, *callback;
    question q = { 0 };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOOO", &plan, &sources[0], &hierarchies, &sources[1], &callback))
        return NULL;
    if (!begin(&q, plan, hierarchies, sources, 2, callback)) return NULL;
    return end(&q, check(&q, &err), &err);
}

/* ---- check sets ---- */

/* A set of columns, as a list of names; all quasi-identifiers where it is NULL. */
static shoal_status check_set(shoal_set_answer *out, const shoal_table *table,
                              const char *const *names, size_t n, const shoal_set_options *options,
                              shoal_error *err)
{
    out->columns = calloc(shoal_table_n_columns(table) + n + 1, sizeof *out->columns);
    if (out->columns == NULL) return shoal_fail(err, SHOAL_ENOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        out->columns[out->n_columns++] = shoal_table_find_column(table, names[i]);
    if (n > 0) return shoal_check_set(&out->result, table, out->columns, n, options, err);
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        if (shoal_table_role(table, c) == SHOAL_ROLE_QUASI) out->columns[out->n_columns++] = c;
    return shoal_check_set(&out->result, table, NULL, 0, options, err);
}

/* What to check: `names` holds the sets one after the other. */
typedef struct asked_sets {
    const char **names;
    size_t *n_names;
    size_t n_sets;
    uint32_t subsets;
    bool by_person;
} asked_sets;

static bool take_sets(asked_sets *a, PyObject *list)
{
    Py_ssize_t n = PyList_Size(list), total = 0;
    for (Py_ssize_t i = 0; i < n; i++) total += PyList_Size(PyList_GetItem(list, i));
    if (PyErr_Occurred() != NULL) return false;
    a->names = calloc((size_t)total + 1, sizeof *a->names);
    a->n_names = calloc((size_t)n + 1, sizeof *a->n_names);
    if (a->names == NULL || a->n_names == NULL) return PyErr_NoMemory() != NULL;
    size_t at = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *set = PyList_GetItem(list, i);
        a->n_names[i] = (size_t)PyList_Size(set);
        for (Py_ssize_t j = 0; j < PyList_Size(set); j++)
            if ((a->names[at++] = PyUnicode_AsUTF8AndSize(PyList_GetItem(set, j), NULL)) == NULL)
                return false;
    }
    a->n_sets = (size_t)n;
    return true;
}

static shoal_status check_sets(question *q, const asked_sets *a, shoal_error *err)
{
    shoal_sets_report report = { .k = q->job.plan.k, .by_person = a->by_person };
    shoal_set_options options = SHOAL_SET_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    const char *const *names = a->names;
    options.k = q->job.plan.k;
    options.threads = q->job.threads;
    options.callbacks = &q->guard.callbacks;
    RETURN_IF_ERROR(need_k(q, err));
    RETURN_IF_ERROR(shoal_job_load_released(&q->tables[0], &q->job, &q->streams[0], NULL,
                                            a->by_person ? SHOAL_PART_PERSONS : 0, err));
    report.table = q->tables[0];
    report.sets = calloc(a->n_sets + 1, sizeof *report.sets);
    if (report.sets == NULL) return shoal_fail(err, SHOAL_ENOMEM, "out of memory");
    bool together = a->n_sets == 0 && a->subsets == 0;
    for (size_t i = 0; i < a->n_sets + together; i++) {
        size_t n = together ? 0 : a->n_names[i];
        report.n_sets++;
        GOTO_IF_ERROR(check_set(&report.sets[i], report.table, names, n, &options, err), out);
        names += n;
    }
    report.has_subsets = a->subsets > 0;
    if (report.has_subsets)
        GOTO_IF_ERROR(shoal_check_subsets(&report.subsets, report.table, a->subsets, &options, err),
                      out);
    q->answer = shoal_sets_json(&report);
out:
    for (size_t i = 0; i < report.n_sets; i++) free(report.sets[i].columns);
    free(report.sets);
    shoal_subsets_clear(&report.subsets);
    return status;
}

PyObject *core_check_sets(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *source, *sets, *callback, *answer = NULL;
    unsigned long subsets;
    int by_person;
    asked_sets a = { 0 };
    question q = { 0 };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOkpO", &plan, &source, &sets, &subsets, &by_person, &callback))
        return NULL;
    a.subsets = (uint32_t)subsets;
    a.by_person = by_person != 0;
    if (take_sets(&a, sets) && begin(&q, plan, Py_None, &source, 1, callback))
        answer = end(&q, check_sets(&q, &a, &err), &err);
    free(a.names);
    free(a.n_names);
    return answer;
}

/* ---- measure ---- */

static bool names_sensitive(const shoal_plan *plan)
{
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == SHOAL_ROLE_SENSITIVE) return true;
    return false;
}

/* Measures such as C_AVG need a k: the one asked for, or else the one that holds. */
static shoal_status find_k(uint32_t *out, const question *q, shoal_error *err)
{
    shoal_check_result found;
    *out = q->job.plan.k;
    if (*out != 0) return SHOAL_OK;
    RETURN_IF_ERROR(shoal_check(&found, q->tables[1], 2, q->job.threads, err));
    *out = found.min_group == 0           ? 1
           : found.min_group > UINT32_MAX ? UINT32_MAX
                                          : (uint32_t)found.min_group;
    return SHOAL_OK;
}

/* Cells of these columns of the original, or of its quasi-identifiers, that nobody can read: an
 * error unless that is allowed. */
static shoal_status find_unread(shoal_unread *out, const question *q, const size_t *columns,
                                size_t n, shoal_error *err)
{
    RETURN_IF_ERROR(shoal_unread_find(out, q->tables[0], q->tables[1], columns, n, err));
    return q->allows_unread ? SHOAL_OK : shoal_unread_refuse(out, q->tables[0], err);
}

static shoal_status measure(question *q, shoal_error *err)
{
    uint32_t k = 0;
    shoal_unread unread = { 0 };
    shoal_measures measures = { 0 };
    shoal_strength strength = { 0 };
    bool has_sensitive = names_sensitive(&q->job.plan);
    unsigned parts = SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE |
                     (has_sensitive ? SHOAL_PART_SENSITIVE_AS_IT_WAS : 0);
    RETURN_IF_ERROR(shoal_job_load(&q->tables[0], &q->job, &q->streams[0], false, err));
    RETURN_IF_ERROR(
        shoal_job_load_released(&q->tables[1], &q->job, &q->streams[1], q->tables[0], parts, err));
    guard_step("measure", -1, &q->guard);
    RETURN_IF_ERROR(find_k(&k, q, err));
    RETURN_IF_ERROR(shoal_measure_release(&measures, q->tables[0], q->tables[1], k, NULL, err));
    shoal_status status = find_unread(&unread, q, NULL, 0, err);
    if (status == SHOAL_OK) status = shoal_plan_weigh(&q->job.plan, &measures, err);
    if (status == SHOAL_OK && has_sensitive)
        status = shoal_strength_find(&strength, q->tables[1], q->tables[0], q->job.threads, err);
    if (status == SHOAL_OK)
        q->answer = shoal_measures_json(&measures, q->tables[0], k, &unread,
                                        has_sensitive ? &strength : NULL, NULL);
    shoal_unread_clear(&unread);
    shoal_strength_clear(&strength);
    shoal_measures_clear(&measures);
    return status;
}

PyObject *core_measure(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *sources[2], *hierarchies, *callback;
    question q = { 0 };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOOpO", &plan, &sources[0], &sources[1], &hierarchies,
                          &q.allows_unread, &callback))
        return NULL;
    if (!begin(&q, plan, hierarchies, sources, 2, callback)) return NULL;
    return end(&q, measure(&q, &err), &err);
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

static shoal_status weigh_texts(question *q, double *losses, const char *column,
                                const char *const *texts, Py_ssize_t n, shoal_error *err)
{
    RETURN_IF_ERROR(shoal_job_load(&q->tables[0], &q->job, &q->streams[0], false, err));
    return shoal_text_losses(losses, q->tables[0], column, texts, (uint32_t)n, err);
}

PyObject *core_text_losses(PyObject *self, PyObject *args)
{
    const char *plan, *column;
    PyObject *source, *hierarchies, *list, *made = NULL;
    question q = { 0 };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOsO", &plan, &source, &hierarchies, &column, &list)) return NULL;
    Py_ssize_t n = PyList_Size(list);
    const char **texts = n < 0 ? NULL : borrow_texts(list, n);
    double *losses = texts == NULL ? NULL : malloc((size_t)(n > 0 ? n : 1) * sizeof *losses);
    if (texts != NULL && losses == NULL) PyErr_NoMemory();
    if (losses != NULL && begin(&q, plan, hierarchies, &source, 1, Py_None) &&
        finish(&q, weigh_texts(&q, losses, column, texts, n, &err), &err))
        made = list_numbers(losses, n);
    free(losses);
    free((void *)texts);
    return made;
}

/* ---- risk ---- */

static bool take_numbers(double *out, size_t *n, size_t most, PyObject *list)
{
    Py_ssize_t size = PyList_Size(list);
    if (size < 0) return false;
    if ((size_t)size > most) {
        shoal_error err;
        raise_error(shoal_fail(&err, SHOAL_EINVAL,
                               "too many thresholds {fix} at most 8 can be counted at once"),
                    &err);
        return false;
    }
    for (Py_ssize_t i = 0; i < size; i++) {
        out[i] = PyFloat_AsDouble(PyList_GetItem(list, i));
        if (PyErr_Occurred() != NULL) return false;
    }
    *n = (size_t)size;
    return true;
}

static shoal_status risk(question *q, shoal_risk_options *options, bool by_person, shoal_error *err)
{
    shoal_risk after = { 0 }, before = { 0 };
    unsigned parts = SHOAL_PART_COUNTS | (by_person ? SHOAL_PART_PERSONS : 0);
    bool has_original = q->streams[1].release != NULL;
    options->k = q->job.plan.k;
    options->threads = q->job.threads;
    options->callbacks = &q->guard.callbacks;
    RETURN_IF_ERROR(
        shoal_job_load_released(&q->tables[0], &q->job, &q->streams[0], NULL, parts, err));
    if (has_original)
        RETURN_IF_ERROR(
            shoal_job_load_released(&q->tables[1], &q->job, &q->streams[1], NULL, parts, err));
    RETURN_IF_ERROR(
        shoal_job_load_population(&q->tables[2], &q->job, &q->streams[2], NULL, by_person, err));
    options->population = q->tables[2];
    shoal_status status = shoal_risk_measure(&after, q->tables[0], options, err);
    if (status == SHOAL_OK && has_original)
        status = shoal_risk_measure(&before, q->tables[1], options, err);
    if (status == SHOAL_OK)
        q->answer = shoal_risk_json(&after, has_original ? &before : NULL, q->tables[0],
                                    options->count_suppressed);
    shoal_risk_clear(&after);
    shoal_risk_clear(&before);
    return status;
}

PyObject *core_risk(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *sources[3], *hierarchies, *thresholds, *callback;
    double numbers[SHOAL_RISK_THRESHOLDS];
    int counted, by_person;
    shoal_risk_options options = SHOAL_RISK_OPTIONS_INIT;
    question q = { 0 };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOOOOdppO", &plan, &sources[0], &sources[1], &sources[2],
                          &hierarchies, &thresholds, &options.sampling_fraction, &counted,
                          &by_person, &callback))
        return NULL;
    if (!take_numbers(numbers, &options.n_thresholds, SHOAL_RISK_THRESHOLDS, thresholds))
        return NULL;
    options.thresholds = options.n_thresholds > 0 ? numbers : NULL;
    options.count_suppressed = counted != 0;
    if (!begin(&q, plan, hierarchies, sources, 3, callback)) return NULL;
    return end(&q, risk(&q, &options, by_person != 0, &err), &err);
}

/* ---- bound ---- */

static shoal_status bound(question *q, shoal_error *err)
{
    double start = seconds_now();
    shoal_bound_parts parts = { 0 };
    RETURN_IF_ERROR(need_k(q, err));
    RETURN_IF_ERROR(shoal_job_load(&q->tables[0], &q->job, &q->streams[0], false, err));
    RETURN_IF_ERROR(shoal_bound_explain(&parts, q->tables[0], q->job.plan.k, q->job.threads,
                                        &q->guard.callbacks, err));
    q->answer = shoal_bound_json(&parts, q->tables[0], q->job.plan.k, seconds_now() - start);
    return SHOAL_OK;
}

PyObject *core_bound(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *source, *hierarchies, *callback;
    question q = { 0 };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOO", &plan, &source, &hierarchies, &callback)) return NULL;
    if (!begin(&q, plan, hierarchies, &source, 1, callback)) return NULL;
    return end(&q, bound(&q, &err), &err);
}

/* ---- queries ---- */

typedef struct workload {
    shoal_workload_options options;
    const char *name;
    const char **names; /* of columns */
    size_t *columns;
} workload;

/* Names are borrowed from the list. */
static bool take_names(workload *w, PyObject *list)
{
    Py_ssize_t n = PyList_Size(list);
    if (n < 0) return false;
    w->names = calloc((size_t)n + 1, sizeof *w->names);
    w->columns = calloc((size_t)n + 1, sizeof *w->columns);
    if (w->names == NULL || w->columns == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        w->names[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        if (w->names[i] == NULL) return false;
    }
    w->options.n_columns = (size_t)n;
    return true;
}

/* In what the queries ask for. */
static shoal_status refuse_unread(const question *q, const shoal_queries *queries, shoal_error *err)
{
    shoal_unread unread = { 0 };
    size_t n = 0, n_columns = shoal_table_n_columns(q->tables[0]),
           *asked = calloc(n_columns, sizeof *asked);
    if (asked == NULL) return shoal_fail_memory(err);
    for (size_t c = 0; c < n_columns; c++)
        if (shoal_queries_ask(queries, c)) asked[n++] = c;
    shoal_status status = find_unread(&unread, q, asked, n, err);
    shoal_unread_clear(&unread);
    free(asked);
    return status;
}

static shoal_status ask_queries(question *q, workload *w, shoal_error *err)
{
    shoal_queries *queries = NULL;
    shoal_query_result result = { 0 };
    shoal_status status = SHOAL_OK;
    RETURN_IF_ERROR(shoal_job_load(&q->tables[0], &q->job, &q->streams[0], false, err));
    RETURN_IF_ERROR(shoal_job_load_released(&q->tables[1], &q->job, &q->streams[1], q->tables[0],
                                            SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE, err));
    for (size_t i = 0; i < w->options.n_columns; i++) {
        w->columns[i] = shoal_table_find_column(q->tables[0], w->names[i]);
        if (w->columns[i] == SIZE_MAX)
            return shoal_fail(err, SHOAL_EINVAL,
                              "columns: the table lacks one of them {fix} check their names");
    }
    w->options.columns = w->columns;
    w->options.seed = q->job.plan.seed;
    w->options.threads = q->job.threads;
    w->options.callbacks = &q->guard.callbacks;
    GOTO_IF_ERROR(shoal_queries_draw(&queries, q->tables[0], &w->options, err), out);
    GOTO_IF_ERROR(refuse_unread(q, queries, err), out);
    shoal_estimate_options estimate = { .size = sizeof estimate,
                                        .threads = q->job.threads,
                                        .callbacks = &q->guard.callbacks };
    GOTO_IF_ERROR(shoal_queries_estimate(&result, queries, q->tables[1], &estimate, err), out);
    q->answer = shoal_queries_json(&result, queries, w->name, q->job.plan.seed);
out:
    shoal_query_result_clear(&result);
    shoal_queries_free(queries);
    return status;
}

PyObject *core_queries(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *sources[2], *hierarchies, *columns, *callback, *answer = NULL;
    int kind;
    unsigned long dimensions;
    unsigned long long n;
    static const char *const names[] = { "census-range", "census-value", "columns" };
    workload w = { .options = SHOAL_WORKLOAD_OPTIONS_INIT };
    question q = { 0 };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOOiOkKpO", &plan, &sources[0], &sources[1], &hierarchies, &kind,
                          &columns, &dimensions, &n, &q.allows_unread, &callback))
        return NULL;
    w.options.workload = kind == 2   ? SHOAL_WORKLOAD_COLUMNS
                         : kind == 1 ? SHOAL_WORKLOAD_CENSUS_VALUE
                                     : SHOAL_WORKLOAD_CENSUS_RANGE;
    w.name = names[w.options.workload];
    w.options.dimensions = (uint32_t)dimensions;
    w.options.n_queries = n;
    if (take_names(&w, columns) && begin(&q, plan, hierarchies, sources, 2, callback))
        answer = end(&q, ask_queries(&q, &w, &err), &err);
    free(w.names);
    free(w.columns);
    return answer;
}

/* ---- classify ---- */

static shoal_status classify(question *q, shoal_classify_options *options, shoal_error *err)
{
    shoal_classify_result result;
    bool has_release = q->streams[1].release != NULL;
    if (!has_release) RETURN_IF_ERROR(need_k(q, err));
    RETURN_IF_ERROR(shoal_job_load(&q->tables[0], &q->job, &q->streams[0], false, err));
    if (has_release) {
        shoal_unread unread = { 0 };
        RETURN_IF_ERROR(shoal_job_load_released(&q->tables[1], &q->job, &q->streams[1],
                                                q->tables[0],
                                                SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE, err));
        shoal_status found = find_unread(&unread, q, NULL, 0, err);
        shoal_unread_clear(&unread);
        RETURN_IF_ERROR(found);
    }
    options->seed = q->job.plan.seed;
    options->threads = q->job.threads;
    options->callbacks = &q->guard.callbacks;
    /* the training part of each fold on its own */
    if (!has_release) options->anonymize = &q->job.plan;
    RETURN_IF_ERROR(shoal_classify(&result, q->tables[0], q->tables[1], options, err));
    q->answer = shoal_classify_json(&result, q->job.plan.seed);
    return SHOAL_OK;
}

PyObject *core_classify(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *sources[2], *hierarchies, *callback;
    unsigned long folds, top_classes;
    int as_categories;
    shoal_classify_options options = SHOAL_CLASSIFY_OPTIONS_INIT;
    question q = { 0 };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOOkkppO", &plan, &sources[0], &sources[1], &hierarchies, &folds,
                          &top_classes, &as_categories, &q.allows_unread, &callback))
        return NULL;
    options.folds = (uint32_t)folds;
    options.top_classes = (uint32_t)top_classes;
    options.numbers_as_categories = as_categories != 0;
    if (!begin(&q, plan, hierarchies, sources, 2, callback)) return NULL;
    return end(&q, classify(&q, &options, &err), &err);
}
