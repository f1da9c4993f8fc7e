/* SPDX-License-Identifier: Apache-2.0 */
/* release.c - anonymise a table, and look at the release.
 *
 * A release is a capsule that holds the table, its grouping and what was verified. It is made only after the batches that would be
 * published were read back and checked against the original, as the command does with its file; measures and the lower bound are
 * worked out when they are asked for.
 */
#include "release.h"

#include <stdlib.h>
#include <string.h>

static void release_free(release *r)
{
    shoal_measures_clear(&r->report.measures);
    shoal_models_clear(&r->report.models);
    shoal_grouping_free(r->grouping);
    shoal_plan_request_clear(&r->request);
    shoal_table_free(r->population);
    shoal_table_free(r->table);
    job_clear(&r->job);
    free(r->levels);
    free(r->csv);
    free(r->first.data);
    free(r->second.data);
    free(r);
}

static void free_capsule(PyObject *capsule)
{
    release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    if (r != NULL) release_free(r);
}

/* ---- making it ---- */

static shoal_status search(release *r, shoal_error *err)
{
    shoal_anonymize_options *options = &r->request.options;
    options->population = r->population;
    options->progress = guard_step;
    options->progress_payload = &r->job.guard;
    r->report.algorithm = options->algorithm != NULL ? options->algorithm : shoal_algorithm_name(0);
    if (r->levels != NULL) {
        r->report.applies = true;
        r->report.algorithm = "apply";
        RETURN_IF_ERROR(shoal_apply_levels(&r->grouping, r->table, r->levels, r->n_levels, r->job.plan.k, r->job.threads, err));
    } else {
        RETURN_IF_ERROR(shoal_anonymize(&r->grouping, r->table, options, err));
    }
    r->job.guard.has_result = shoal_grouping_stopped_early(r->grouping);
    if (r->job.plan.recoding > 0)
        RETURN_IF_ERROR(shoal_grouping_recode(r->grouping, r->table, (shoal_recode_model)(r->job.plan.recoding - 1), r->job.threads, err));
    r->report.grouping = r->grouping;
    r->report.seconds.encode = shoal_grouping_seconds(r->grouping, "encode");
    r->report.seconds.search = shoal_grouping_seconds(r->grouping, "search");
    r->report.seconds.refine = shoal_grouping_seconds(r->grouping, "refine");
    return SHOAL_OK;
}

static shoal_status export_release(struct ArrowArrayStream *out, const release *r, shoal_error *err)
{
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    options.threads = r->job.threads;
    options.drop_suppressed = r->job.plan.drop_suppressed != 0;
    return shoal_release_export_arrow(out, r->table, r->grouping, &options, err);
}

shoal_status release_kept(uint8_t **out, const release *r, shoal_error *err)
{
    if (r->job.plan.drop_suppressed == 0) return SHOAL_OK;
    uint64_t n_rows = shoal_grouping_n_rows(r->grouping);
    *out = malloc(n_rows + 1);
    if (*out == NULL) return fail(err, SHOAL_ENOMEM, "out of memory");
    for (uint64_t row = 0; row < n_rows; row++) (*out)[row] = shoal_grouping_group(r->grouping, row) != SHOAL_SUPPRESSED;
    return SHOAL_OK;
}

static bool has_persons(const shoal_table *table)
{
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        if (shoal_table_role(table, c) == SHOAL_ROLE_ENTITY) return true;
    return false;
}

bool release_has_models(const release *r)
{
    return r->request.n_models > 0 || has_persons(r->table);
}

shoal_status release_verify(release *r, const shoal_table *released, const shoal_table *with_sensitive, shoal_error *err)
{
    uint8_t *kept = NULL;
    shoal_verify_options options = SHOAL_VERIFY_OPTIONS_INIT;
    shoal_models_options models = SHOAL_MODELS_OPTIONS_INIT;
    shoal_status status = release_kept(&kept, r, err);
    options.k = models.k = r->job.plan.k > 0 ? r->job.plan.k : 1;
    options.kept = kept;
    options.threads = models.threads = r->job.threads;
    options.recoding = shoal_grouping_model(r->grouping);
    models.models = r->request.models;
    models.n_models = r->request.n_models;
    models.population = r->population;
    if (status == SHOAL_OK) status = shoal_verify_release(&r->report.check, r->table, released, &options, err);
    if (status == SHOAL_OK && release_has_models(r))
        status = shoal_verify_models(&r->report.models, r->table, with_sensitive, &models, kept, err);
    free(kept);
    return status;
}

/* Read back the batches that will be published, and check them against the original. */
static shoal_status verify_batches(release *r, shoal_error *err)
{
    struct ArrowArrayStream stream;
    shoal_table *released = NULL;
    RETURN_IF_ERROR(export_release(&stream, r, err));
    RETURN_IF_ERROR(shoal_released_open_arrow(&released, &stream, r->table, release_has_models(r), r->job.threads, err));
    shoal_status status = release_verify(r, released, released, err);
    shoal_table_free(released);
    return status;
}

/* Never skipped. */
static shoal_status verify(release *r, shoal_error *err)
{
    double start = seconds_now();
    guard_step("verify", -1, &r->job.guard);
    shoal_status status = r->csv != NULL ? text_verify(r, err) : verify_batches(r, err);
    r->report.seconds.verify = seconds_now() - start;
    return status;
}

static bool needs_k(const shoal_plan *plan)
{
    for (size_t i = 0; plan->algorithm != NULL && i < shoal_algorithm_count(); i++)
        if (strcmp(shoal_algorithm_name(i), plan->algorithm) == 0) return shoal_algorithm_needs_k(i);
    return true;
}

static shoal_status run(release *r, struct ArrowArrayStream *source, struct ArrowArrayStream *population, shoal_error *err)
{
    double start = seconds_now();
    if (r->job.plan.k == 0 && r->levels == NULL && needs_k(&r->job.plan))
        return fail(err, SHOAL_EINVAL, "k was not said, and it has no default; write k=10");
    RETURN_IF_ERROR(r->csv != NULL ? text_load(r, err) : job_load(&r->table, &r->job, source, true, err));
    RETURN_IF_ERROR(job_load_population(&r->population, &r->job, population, r->table, false, err));
    r->report.seconds.read = seconds_now() - start;
    RETURN_IF_ERROR(shoal_plan_request_make(&r->request, &r->job.plan, err));
    r->report.plan = &r->job.plan;
    r->report.table = r->table;
    r->report.threads = r->job.threads;
    RETURN_IF_ERROR(search(r, err));
    RETURN_IF_ERROR(verify(r, err));
    r->report.seconds.total = seconds_now() - start;
    return SHOAL_OK;
}

/* The table: CSV in a bytes object, or an Arrow stream. False with an exception. */
static bool take_source(release *r, struct ArrowArrayStream *stream, PyObject *source)
{
    if (!PyBytes_Check(source)) return stream_take(stream, source);
    r->csv_size = (size_t)PyBytes_Size(source);
    r->csv = malloc(r->csv_size + 1);
    if (r->csv == NULL) return PyErr_NoMemory() != NULL;
    memcpy(r->csv, PyBytes_AsString(source), r->csv_size);
    return true;
}

/* Takes the release over: the capsule has it, or it is freed. */
static PyObject *make(release *r, PyObject *source, PyObject *population, PyObject *callback)
{
    struct ArrowArrayStream stream = { 0 }, population_stream = { 0 };
    shoal_error err = { 0 };
    bool is_made = false;
    if (take_source(r, &stream, source) && (population == Py_None || stream_take(&population_stream, population))) {
        guard_begin(&r->job.guard, callback);
        shoal_status status = run(r, &stream, &population_stream, &err);
        stream_release(&stream);
        stream_release(&population_stream);
        r->was_interrupted = r->job.guard.interrupted;
        is_made = guard_end(&r->job.guard, status, &err);
    } else {
        stream_release(&stream);
    }
    PyObject *capsule = is_made ? PyCapsule_New(r, CAPSULE, free_capsule) : NULL;
    if (capsule == NULL) release_free(r);
    return capsule;
}

/* NULL with an exception. */
static release *begin(const char *plan, PyObject *hierarchies)
{
    release *r = calloc(1, sizeof *r);
    if (r == NULL) {
        PyErr_NoMemory();
    } else if (!job_init(&r->job, plan, hierarchies)) {
        free(r);
        r = NULL;
    }
    return r;
}

PyObject *core_anonymize(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *source, *hierarchies, *population, *callback;
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOOO", &plan, &source, &hierarchies, &population, &callback)) return NULL;
    release *r = begin(plan, hierarchies);
    return r != NULL ? make(r, source, population, callback) : NULL;
}

/* A list of (column, level, height); the height is -1 where it is not known. */
static bool take_levels(release *r, PyObject *list)
{
    Py_ssize_t n = PyList_Size(list);
    if (n < 0) return false;
    r->levels = calloc((size_t)n + 1, sizeof *r->levels);
    if (r->levels == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        unsigned level;
        int height;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "sIi", &r->levels[i].column, &level, &height)) return false;
        r->levels[i].level = level;
        r->levels[i].height = height < 0 ? SHOAL_NO_LEVEL : (uint32_t)height;
    }
    r->n_levels = (size_t)n;
    return true;
}

PyObject *core_apply(PyObject *self, PyObject *args)
{
    const char *plan;
    PyObject *source, *hierarchies, *levels, *population, *callback;
    (void)self;
    if (!PyArg_ParseTuple(args, "sOOOOO", &plan, &source, &hierarchies, &levels, &population, &callback)) return NULL;
    release *r = begin(plan, hierarchies);
    if (r == NULL) return NULL;
    if (take_levels(r, levels)) return make(r, source, population, callback);
    release_free(r);
    return NULL;
}

/* ---- looking at it ---- */

PyObject *core_release_interrupted(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    return r == NULL ? NULL : PyBool_FromLong(r->was_interrupted);
}

static shoal_status measure(release *r, bool with_bound, shoal_error *err)
{
    uint32_t k = r->job.plan.k > 0 ? r->job.plan.k : 1;
    double start = seconds_now();
    if (r->report.is_bucketed) return SHOAL_OK; /* nothing is generalised */
    if (!r->is_measured) {
        RETURN_IF_ERROR(shoal_measure_grouping(&r->report.measures, r->table, r->grouping, k, err));
        r->report.seconds.measure = seconds_now() - start;
        r->is_measured = true;
    }
    if (!with_bound || r->is_bounded || r->job.plan.k == 0 || !shoal_bound_applies(r->table, r->grouping)) return SHOAL_OK;
    start = seconds_now();
    shoal_bound_options bound = { .size = sizeof bound, .k = k, .threads = r->job.threads, .progress = guard_step,
                                  .progress_payload = &r->job.guard };
    shoal_status status = shoal_bound_of_grouping(&r->report.bound, r->table, r->grouping, &bound, err);
    r->report.seconds.bound = seconds_now() - start;
    r->report.has_bound = status == SHOAL_OK;
    r->is_bounded = status == SHOAL_OK || status == SHOAL_EINVAL; /* no bound for such a table: the report says null */
    return status == SHOAL_EINVAL ? SHOAL_OK : status;
}

PyObject *core_release_report(PyObject *self, PyObject *args)
{
    PyObject *capsule, *callback;
    int with_bound;
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "OpO", &capsule, &with_bound, &callback)) return NULL;
    release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    if (r == NULL) return NULL;
    guard_begin(&r->job.guard, callback);
    shoal_status status = measure(r, with_bound != 0, &err);
    if (!guard_end(&r->job.guard, status, &err)) return NULL;
    return take_text(shoal_report_json(&r->report));
}

PyObject *core_release_stream(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    struct ArrowArrayStream stream;
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    if (r == NULL) return NULL;
    shoal_status status = export_release(&stream, r, &err);
    if (status == SHOAL_OK) return stream_capsule(&stream, capsule);
    raise_error(status, err.message);
    return NULL;
}

PyObject *core_release_groups(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    if (r == NULL) return NULL;
    uint64_t n_rows = shoal_grouping_n_rows(r->grouping);
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(n_rows * sizeof(uint32_t)));
    if (bytes == NULL) return NULL;
    uint32_t *groups = (uint32_t *)(void *)PyBytes_AsString(bytes);
    for (uint64_t row = 0; row < n_rows; row++) groups[row] = shoal_grouping_group(r->grouping, row); /* suppressed: all bits, -1 */
    return bytes;
}

/* ---- the published texts of each quasi-identifier, for frames that know no Arrow ---- */

/* Texts that occur, numbered anew from 0 in their order; -1 for the others. Returns how many there are. */
static int32_t number_used(int32_t *new_code, const struct ArrowArray *array)
{
    const int32_t *indices = array->buffers[1];
    const uint8_t *validity = array->null_count == 0 ? NULL : array->buffers[0];
    int64_t n_texts = array->dictionary->length;
    int32_t n = 0;
    for (int64_t t = 0; t < n_texts; t++) new_code[t] = -1;
    for (int64_t i = 0; i < array->length; i++)
        if (validity == NULL || (validity[i >> 3] >> (i & 7) & 1) != 0) new_code[indices[i]] = 0;
    for (int64_t t = 0; t < n_texts; t++)
        if (new_code[t] == 0) new_code[t] = n++;
    return n;
}

static void write_codes(void *out, int width, const struct ArrowArray *array, const int32_t *new_code)
{
    const int32_t *indices = array->buffers[1];
    const uint8_t *validity = array->null_count == 0 ? NULL : array->buffers[0];
    for (int64_t i = 0; i < array->length; i++) {
        bool is_there = validity == NULL || (validity[i >> 3] >> (i & 7) & 1) != 0;
        int32_t code = is_there ? new_code[indices[i]] : -1;
        if (width == 1) ((int8_t *)out)[i] = (int8_t)code;
        else if (width == 2) ((int16_t *)out)[i] = (int16_t)code;
        else ((int32_t *)out)[i] = code;
    }
}

static PyObject *list_texts(const struct ArrowArray *dictionary, const int32_t *new_code, int32_t n)
{
    const int32_t *offsets = dictionary->buffers[1];
    const char *bytes = dictionary->buffers[2];
    PyObject *list = PyList_New(n);
    for (int64_t t = 0; list != NULL && t < dictionary->length; t++) {
        if (new_code[t] < 0) continue;
        PyObject *text = PyUnicode_DecodeUTF8(bytes + offsets[t], offsets[t + 1] - offsets[t], "surrogateescape");
        if (text == NULL || PyList_SetItem(list, new_code[t], text) != 0) Py_CLEAR(list);
    }
    return list;
}

/* (column, width, codes, texts) */
static PyObject *column_texts(const char *name, const struct ArrowArray *array)
{
    int32_t *new_code = malloc(((size_t)array->dictionary->length + 1) * sizeof *new_code);
    if (new_code == NULL) return PyErr_NoMemory();
    int32_t n = number_used(new_code, array);
    int width = n < 128 ? 1 : n < 32768 ? 2 : 4;
    PyObject *texts = list_texts(array->dictionary, new_code, n);
    PyObject *codes = texts != NULL ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)array->length * width) : NULL;
    PyObject *made = NULL;
    if (codes != NULL) {
        write_codes(PyBytes_AsString(codes), width, array, new_code);
        made = Py_BuildValue("siOO", name, width, codes, texts);
    }
    Py_XDECREF(codes);
    Py_XDECREF(texts);
    free(new_code);
    return made;
}

/* The quasi-identifiers of one batch; other columns are left to the frame that they came from. */
static PyObject *batch_texts(const release *r, const struct ArrowSchema *schema, const struct ArrowArray *batch)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list != NULL && i < schema->n_children; i++) {
        const char *name = schema->children[i]->name;
        size_t c = shoal_table_find_column(r->table, name);
        if (c == SIZE_MAX || shoal_table_role(r->table, c) != SHOAL_ROLE_QUASI) continue;
        PyObject *column = column_texts(name, batch->children[i]);
        if (column == NULL || PyList_Append(list, column) != 0) Py_CLEAR(list);
        Py_XDECREF(column);
    }
    return list;
}

PyObject *core_release_texts(PyObject *self, PyObject *args)
{
    PyObject *capsule, *list = NULL;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema = { 0 };
    struct ArrowArray batch = { 0 };
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    if (r == NULL) return NULL;
    shoal_status status = export_release(&stream, r, &err);
    if (status != SHOAL_OK) {
        raise_error(status, err.message);
        return NULL;
    }
    if (stream.get_schema(&stream, &schema) == 0 && stream.get_next(&stream, &batch) == 0 && batch.release != NULL)
        list = batch_texts(r, &schema, &batch);
    else PyErr_NoMemory();
    if (batch.release != NULL) batch.release(&batch);
    if (schema.release != NULL) schema.release(&schema);
    stream_release(&stream);
    return list;
}
