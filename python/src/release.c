/* SPDX-License-Identifier: Apache-2.0 */
/* release.c - anonymise a table, and look at the release.
 *
 * A release is a capsule that holds the table, its groups and a sink in memory. The pipeline of the
 * library fills the sink, reads back what it holds and checks that against the original, as it does
 * with the files of the command; only what was checked can be had from the sink. Measures and the
 * lower bound are computed on demand.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define CAPSULE "shoal.release"

typedef struct release {
    shoal_job *job;
    guard guard;
    shoal_callbacks callbacks; /* of the pipeline */
    shoal_table *table, *population;
    shoal_memory_sink *sink;
    shoal_outcome *outcome;
    shoal_report report;
    bool was_interrupted;
    /* apply: learnt on another table; else NULL. Names are those of level_names */
    shoal_level_choice *levels;
    char **level_names;
    size_t n_levels;
    char *csv; /* the table as CSV, for methods whose release is text; else NULL */
    size_t csv_size;
} release;

static void release_free(release *r)
{
    shoal_outcome_free(r->outcome);
    shoal_memory_sink_free(r->sink);
    shoal_table_free(r->population);
    shoal_table_free(r->table);
    shoal_job_free(r->job);
    for (size_t i = 0; r->level_names != NULL && r->level_names[i] != NULL; i++)
        free(r->level_names[i]);
    free(r->level_names);
    free(r->levels);
    free(r->csv);
    free(r);
}

static void free_capsule(PyObject *capsule)
{
    release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    if (r != NULL) release_free(r);
}

/* ---- making it ---- */

/* A shoal_progress_fn. A release in memory is not written, so that phase is not reported. */
static int step(const char *phase, double fraction, void *payload)
{
    release *r = payload;
    if (strcmp(phase, "write") == 0 || strcmp(phase, "apply") == 0) return 0;
    /* a result that was kept is carried to the end */
    return guard_step(phase, fraction, &r->guard) != 0 && !r->guard.has_result;
}

static const shoal_spec *spec_of(release *r)
{
    shoal_spec *spec = shoal_job_spec(r->job);
    /* the release may come from before a fork */
    spec->threads = shoal_usable_threads(spec->threads);
    spec->population_table = r->population;
    spec->levels = r->levels;
    spec->n_levels = r->n_levels;
    spec->skip_measures = true;
    return spec;
}

/* A shoal_grouped_fn: a search that was interrupted may have a result. */
static shoal_status keep_result(const shoal_grouping *grouping, bool *with_bound, void *payload,
                                shoal_error *err)
{
    release *r = payload;
    (void)with_bound;
    (void)err;
    r->guard.has_result = shoal_grouping_stopped_early(grouping);
    return SHOAL_OK;
}

static shoal_status load_text(release *r, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_table *table = NULL;
    csv.delimiter = ',';
    RETURN_IF_ERROR(shoal_table_open_memory(&table, r->csv, r->csv_size, NULL, NULL, &csv, err));
    return shoal_job_load_opened(&r->table, r->job, table, err);
}

static bool needs_k(const shoal_plan *plan)
{
    for (size_t i = 0; plan->algorithm != NULL && i < shoal_algorithm_count(); i++)
        if (strcmp(shoal_algorithm_name(i), plan->algorithm) == 0)
            return shoal_algorithm_needs_k(i);
    return true;
}

static shoal_status publish(release *r, shoal_error *err)
{
    r->callbacks = (shoal_callbacks){ .size = sizeof r->callbacks,
                                      .progress = step,
                                      .payload = r,
                                      .grouped = keep_result,
                                      .loss_so_far = &r->guard.loss };
    r->report.size = sizeof r->report;
    r->report.applies = r->levels != NULL;
    const shoal_spec *spec = spec_of(r);
    r->report.algorithm = r->levels != NULL         ? "apply"
                          : spec->algorithm != NULL ? spec->algorithm
                                                    : shoal_algorithm_name(0);
    /* groups and columns passed on are in the order of the frame, so its rows are not shuffled */
    RETURN_IF_ERROR(shoal_memory_sink_make(&r->sink, SHOAL_MEMORY_KEEPS_ORDER, err));
    const shoal_sink *sink = shoal_memory_sink_of(r->sink);
    return shoal_pipeline_run(&r->outcome, r->table, spec, &r->callbacks, sink, err);
}

static shoal_status run(release *r, struct ArrowArrayStream *source,
                        struct ArrowArrayStream *population, shoal_error *err)
{
    double start = shoal_seconds();
    if (shoal_job_spec(r->job)->series != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "the plan names a series, and a release outside it would break what it "
                          "promises {fix} use shoal.Series(path).release()");
    if (r->levels == NULL && needs_k(shoal_job_spec(r->job)))
        RETURN_IF_ERROR(shoal_plan_need_k(shoal_job_spec(r->job), err));
    RETURN_IF_ERROR(r->csv != NULL ? load_text(r, err)
                                   : shoal_job_load(&r->table, r->job, source, true, err));
    RETURN_IF_ERROR(
        shoal_job_load_population(&r->population, r->job, population, r->table, false, err));
    r->report.read_seconds = shoal_seconds() - start;
    RETURN_IF_ERROR(publish(r, err));
    r->report.plan = shoal_job_spec(r->job);
    r->report.table = r->table;
    r->report.threads = shoal_job_threads(r->job);
    r->report.outcome = r->outcome;
    r->report.total_seconds = shoal_seconds() - start;
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
    if (take_source(r, &stream, source) &&
        (population == Py_None || stream_take(&population_stream, population))) {
        guard_begin(&r->guard, callback);
        shoal_status status = run(r, &stream, &population_stream, &err);
        stream_release(&stream);
        stream_release(&population_stream);
        r->was_interrupted = r->guard.interrupted;
        is_made = guard_end(&r->guard, status, &err);
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
    } else if (!job_init(&r->job, &r->guard, plan, hierarchies)) {
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
    if (!PyArg_ParseTuple(args, "sOOOO", &plan, &source, &hierarchies, &population, &callback))
        return NULL;
    release *r = begin(plan, hierarchies);
    return r != NULL ? make(r, source, population, callback) : NULL;
}

/* A list of (column, level, height); the height is -1 where it is not known. */
static bool take_levels(release *r, PyObject *list)
{
    Py_ssize_t n = PyList_Size(list);
    if (n < 0) return false;
    r->levels = calloc((size_t)n + 1, sizeof *r->levels);
    r->level_names = calloc((size_t)n + 1, sizeof *r->level_names);
    if (r->levels == NULL || r->level_names == NULL) return PyErr_NoMemory() != NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        unsigned level;
        int height;
        const char *name;
        if (!PyArg_ParseTuple(PyList_GetItem(list, i), "sIi", &name, &level, &height)) return false;
        r->level_names[i] = strdup(name); /* a manifest names them later */
        if (r->level_names[i] == NULL) return PyErr_NoMemory() != NULL;
        r->levels[i].column = r->level_names[i];
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
    if (!PyArg_ParseTuple(args, "sOOOOO", &plan, &source, &hierarchies, &levels, &population,
                          &callback))
        return NULL;
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

PyObject *core_release_keys(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    PyObject *list = r != NULL ? PyList_New(0) : NULL;
    const shoal_likely_key *key;
    for (size_t i = 0; list != NULL && (key = shoal_outcome_likely_key(r->outcome, i)) != NULL;
         i++) {
        PyObject *one = Py_BuildValue("(ssKKK)", shoal_table_column_name(r->table, key->column),
                                      key->because, (unsigned long long)key->n_groups_below,
                                      (unsigned long long)key->n_groups,
                                      (unsigned long long)key->fewest);
        bool is_added = one != NULL && PyList_Append(list, one) == 0;
        Py_XDECREF(one);
        if (!is_added) Py_CLEAR(list);
    }
    return list;
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
    guard_begin(&r->guard, callback);
    shoal_status status = shoal_pipeline_measure(r->outcome, r->table, spec_of(r), &r->callbacks,
                                                 with_bound != 0, &err);
    if (!guard_end(&r->guard, status, &err)) return NULL;
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
    shoal_status status = shoal_memory_sink_stream(r->sink, &stream, &err);
    if (status == SHOAL_OK) return stream_capsule(&stream, capsule);
    raise_error(status, &err);
    return NULL;
}

PyObject *core_release_groups(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    if (r == NULL) return NULL;
    uint64_t n_rows = shoal_grouping_n_rows(shoal_outcome_grouping(r->outcome));
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(n_rows * sizeof(uint32_t)));
    if (bytes == NULL) return NULL;
    uint32_t *groups = (uint32_t *)(void *)PyBytes_AsString(bytes);
    /* suppressed: all bits, -1 */
    for (uint64_t row = 0; row < n_rows; row++)
        groups[row] = shoal_grouping_group(shoal_outcome_grouping(r->outcome), row);
    return bytes;
}

/* (first, second): bytes of CSV; the first is empty where the release is no text, the second None
 * where there is one table. */
PyObject *core_release_csv(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    size_t size, second_size;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    if (r == NULL) return NULL;
    const char *first = shoal_memory_sink_text(r->sink, SHOAL_SINK_RELEASE, &size);
    const char *second = shoal_memory_sink_text(r->sink, SHOAL_SINK_BUCKETS, &second_size);
    return Py_BuildValue("y#y#", first != NULL ? first : "", (Py_ssize_t)size, second,
                         (Py_ssize_t)second_size);
}

/* ---- evidence ---- */

/* Rows that are published, where some are left out; NULL where all are, or without memory (then
 * *failed). */
static uint8_t *find_kept(const release *r, bool *failed)
{
    if (shoal_job_spec(r->job)->drop_suppressed == 0) return NULL;
    uint64_t n_rows = shoal_grouping_n_rows(shoal_outcome_grouping(r->outcome));
    uint8_t *kept = malloc((size_t)n_rows + 1);
    *failed = kept == NULL;
    for (uint64_t row = 0; kept != NULL && row < n_rows; row++)
        kept[row] = shoal_grouping_group(shoal_outcome_grouping(r->outcome), row) !=
                    SHOAL_SUPPRESSED;
    return kept;
}

/* The text that is saved was written by the frame, from what was verified; it is verified once
 * more, as text. */
static shoal_status recheck(release *r, const shoal_manifest_request *request, shoal_error *err)
{
    bool failed = false;
    shoal_outcome *again = NULL;
    shoal_claim claim = SHOAL_CLAIM_INIT;
    uint8_t *kept = find_kept(r, &failed);
    if (failed) return shoal_fail_memory(err);
    for (size_t i = 0; i < SHOAL_SINK_N_PARTS; i++) claim.texts[i] = request->texts[i];
    claim.kept = kept;
    shoal_status status = shoal_pipeline_recheck(&again, r->table, spec_of(r), &claim, err);
    shoal_outcome_free(again);
    free(kept);
    return status;
}

static shoal_status make_manifest(char **out, release *r, shoal_manifest_request *request,
                                  const char *plan, shoal_error *err)
{
    shoal_manifest *manifest = NULL;
    shoal_plan whole = SHOAL_PLAN_INIT;
    shoal_status status = SHOAL_OK;
    GOTO_IF_ERROR(shoal_plan_parse(&whole, plan, strlen(plan), "the arguments", err), out);
    GOTO_IF_ERROR(
        shoal_pipeline_measure(r->outcome, r->table, spec_of(r), &r->callbacks, true, err), out);
    GOTO_IF_ERROR(recheck(r, request, err), out);
    request->plan = &whole;
    GOTO_IF_ERROR(shoal_manifest_make(&manifest, request, err), out);
    *out = shoal_manifest_text(manifest);
    if (*out == NULL) status = shoal_fail_memory(err);
out:
    shoal_manifest_free(manifest);
    shoal_plan_clear(&whole);
    return status;
}

PyObject *core_release_manifest(PyObject *self, PyObject *args)
{
    PyObject *capsule, *callback;
    const char *plan, *first, *second, *path;
    Py_ssize_t first_size, second_size;
    char *text = NULL;
    shoal_error err = { 0 };
    shoal_manifest_request request = SHOAL_MANIFEST_REQUEST_INIT;
    (void)self;
    if (!PyArg_ParseTuple(args, "Osy#z#zO", &capsule, &plan, &first, &first_size, &second,
                          &second_size, &path, &callback))
        return NULL;
    release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    if (r == NULL) return NULL;
    request.report = &r->report;
    request.texts[SHOAL_SINK_RELEASE] = (shoal_sink_text){ first, (size_t)first_size, false };
    if (second != NULL)
        request.texts[SHOAL_SINK_BUCKETS] = (shoal_sink_text){ second, (size_t)second_size, false };
    request.names[SHOAL_SINK_RELEASE] = "release.csv";
    request.names[SHOAL_SINK_BUCKETS] = "sensitive.csv";
    request.manifest_path = path;
    request.levels = r->levels;
    request.n_levels = r->n_levels;
    request.callbacks = &r->guard.callbacks;
    guard_begin(&r->guard, callback);
    shoal_status status = make_manifest(&text, r, &request, plan, &err);
    if (!guard_end(&r->guard, status, &err)) return NULL;
    return take_text(text);
}

PyObject *core_manifest_html(PyObject *self, PyObject *args)
{
    const char *text;
    Py_ssize_t size;
    int is_external;
    shoal_manifest *manifest = NULL;
    char *page = NULL;
    shoal_error err = { 0 };
    (void)self;
    if (!PyArg_ParseTuple(args, "s#p", &text, &size, &is_external)) return NULL;
    shoal_status status = shoal_manifest_parse(&manifest, text, (size_t)size, "manifest.json",
                                               &err);
    if (status == SHOAL_OK)
        status = shoal_manifest_html(&page, manifest,
                                     is_external ? SHOAL_EDITION_EXTERNAL : SHOAL_EDITION_INTERNAL,
                                     NULL, &err);
    shoal_manifest_free(manifest);
    if (status == SHOAL_OK) return take_text(page);
    raise_error(status, &err);
    return NULL;
}

/* ---- the published texts of each quasi-identifier, for frames without Arrow ---- */

/* Texts that occur, renumbered from 0 in their order; -1 for the others. Returns how many there
 * are. */
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

static void write_codes(void *out, int width, const struct ArrowArray *array,
                        const int32_t *new_code)
{
    const int32_t *indices = array->buffers[1];
    const uint8_t *validity = array->null_count == 0 ? NULL : array->buffers[0];
    for (int64_t i = 0; i < array->length; i++) {
        bool is_there = validity == NULL || (validity[i >> 3] >> (i & 7) & 1) != 0;
        int32_t code = is_there ? new_code[indices[i]] : -1;
        if (width == 1)
            ((int8_t *)out)[i] = (int8_t)code;
        else if (width == 2)
            ((int16_t *)out)[i] = (int16_t)code;
        else
            ((int32_t *)out)[i] = code;
    }
}

static PyObject *list_texts(const struct ArrowArray *dictionary, const int32_t *new_code, int32_t n)
{
    const int32_t *offsets = dictionary->buffers[1];
    const char *bytes = dictionary->buffers[2];
    PyObject *list = PyList_New(n);
    for (int64_t t = 0; list != NULL && t < dictionary->length; t++) {
        if (new_code[t] < 0) continue;
        PyObject *text = PyUnicode_DecodeUTF8(bytes + offsets[t], offsets[t + 1] - offsets[t],
                                              "surrogateescape");
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
    PyObject *codes = texts != NULL
                          ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)array->length * width)
                          : NULL;
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
static PyObject *batch_texts(const release *r, const struct ArrowSchema *schema,
                             const struct ArrowArray *batch)
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
    shoal_status status = shoal_memory_sink_stream(r->sink, &stream, &err);
    if (status != SHOAL_OK) {
        raise_error(status, &err);
        return NULL;
    }
    if (stream.get_schema(&stream, &schema) == 0 && stream.get_next(&stream, &batch) == 0 &&
        batch.release != NULL)
        list = batch_texts(r, &schema, &batch);
    else
        PyErr_NoMemory();
    if (batch.release != NULL) batch.release(&batch);
    if (schema.release != NULL) schema.release(&schema);
    stream_release(&stream);
    return list;
}
