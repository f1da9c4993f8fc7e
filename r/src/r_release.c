/* SPDX-License-Identifier: Apache-2.0 */
/* r_release.c - anonymise a table, and look at the release.
 *
 * A release is a handle that holds the table, its groups and a sink in memory. The pipeline of the
 * library fills the sink, reads back what it holds and checks that against the original, as it does
 * with the files of the command; only what was checked can be had from the sink. Measures and the
 * lower bound are computed on demand.
 */
#include "r_core.h"

#include <stdlib.h>
#include <string.h>

static void clear_lent(r_release *r)
{
    if (r->lent.batch.release != NULL) r->lent.batch.release(&r->lent.batch);
    if (r->lent.schema.release != NULL) r->lent.schema.release(&r->lent.schema);
    r_stream_release(&r->lent.stream);
    free(r->lent.new_code);
    shoal_string_free(r->lent.text);
    memset(&r->lent, 0, sizeof r->lent);
}

static void clear_release(void *object)
{
    r_release *r = object;
    clear_lent(r);
    shoal_outcome_free(r->outcome);
    shoal_memory_sink_free(r->sink);
    shoal_table_free(r->population);
    shoal_table_free(r->table);
    r_stream_release(&r->streams[0]);
    r_stream_release(&r->streams[1]);
    shoal_job_free(r->job);
    free(r->levels);
}

/* ---- making it ---- */

/* A shoal_progress_fn. A release in memory is not written, so that phase is not reported. */
static int step(const char *phase, double fraction, void *payload)
{
    r_release *r = payload;
    if (strcmp(phase, "write") == 0 || strcmp(phase, "apply") == 0) return 0;
    /* a result that was kept is carried to the end */
    return r_guard_step(phase, fraction, &r->guard) != 0 && !r->guard.has_result;
}

const shoal_spec *r_release_spec(r_release *r)
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
    r_release *r = payload;
    (void)with_bound;
    (void)err;
    r->guard.has_result = shoal_grouping_stopped_early(grouping);
    return SHOAL_OK;
}

/* The table of methods whose release is text; it stays with R. */
static shoal_status load_text(r_release *r, SEXP text, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_table *table = NULL;
    csv.delimiter = ',';
    RETURN_IF_ERROR(
        shoal_table_open_memory(&table, R_CHAR(text), (size_t)LENGTH(text), NULL, NULL, &csv, err));
    return shoal_job_load_opened(&r->table, r->job, table, err);
}

static bool needs_k(const shoal_plan *plan)
{
    for (size_t i = 0; plan->algorithm != NULL && i < shoal_algorithm_count(); i++)
        if (strcmp(shoal_algorithm_name(i), plan->algorithm) == 0)
            return shoal_algorithm_needs_k(i);
    return true;
}

static shoal_status publish(r_release *r, shoal_error *err)
{
    r->callbacks = (shoal_callbacks){
        .size = sizeof r->callbacks, .progress = step, .payload = r, .grouped = keep_result
    };
    r->report.size = sizeof r->report;
    r->report.applies = r->levels != NULL;
    const shoal_spec *spec = r_release_spec(r);
    r->report.algorithm = r->levels != NULL         ? "apply"
                          : spec->algorithm != NULL ? spec->algorithm
                                                    : shoal_algorithm_name(0);
    /* groups and columns passed on are in the order of the frame, so its rows are not shuffled */
    RETURN_IF_ERROR(shoal_memory_sink_make(&r->sink, SHOAL_MEMORY_KEEPS_ORDER, err));
    const shoal_sink *sink = shoal_memory_sink_of(r->sink);
    return shoal_pipeline_run(&r->outcome, r->table, spec, &r->callbacks, sink, err);
}

/* list(column, level, height); the height is -1 where it is not known. */
static shoal_status take_levels(r_release *r, SEXP levels, shoal_error *err)
{
    SEXP columns = r_field(levels, "column"), numbers = r_field(levels, "level"),
         heights = r_field(levels, "height");
    if (levels == R_NilValue) return SHOAL_OK;
    r->n_levels = (size_t)Rf_xlength(columns);
    r->levels = calloc(r->n_levels + 1, sizeof *r->levels);
    if (r->levels == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < r->n_levels; i++) {
        int height = INTEGER(heights)[i];
        r->levels[i].column = R_CHAR(STRING_ELT(columns, (R_xlen_t)i));
        r->levels[i].level = (uint32_t)INTEGER(numbers)[i];
        r->levels[i].height = height < 0 ? SHOAL_NO_LEVEL : (uint32_t)height;
    }
    return SHOAL_OK;
}

/* Everything of R is read here, before the library works: a jump finds all that is held on the
 * handle. */
static shoal_status take_request(r_release *r, SEXP request, shoal_error *err)
{
    SEXP tables = r_field(request, "tables");
    RETURN_IF_ERROR(r_job_begin(&r->job, &r->guard, request, err));
    RETURN_IF_ERROR(take_levels(r, r_field(request, "levels"), err));
    for (R_xlen_t i = 0; i < 2; i++)
        if (VECTOR_ELT(tables, i) != R_NilValue)
            RETURN_IF_ERROR(r_stream_make(&r->streams[i], VECTOR_ELT(tables, i), err));
    return SHOAL_OK;
}

static shoal_status run(r_release *r, SEXP request, shoal_error *err)
{
    double start = shoal_seconds();
    SEXP csv = r_field(request, "csv");
    RETURN_IF_ERROR(take_request(r, request, err));
    if (r->levels == NULL && needs_k(shoal_job_spec(r->job)))
        RETURN_IF_ERROR(shoal_plan_need_k(shoal_job_spec(r->job), err));
    RETURN_IF_ERROR(csv != R_NilValue
                        ? load_text(r, STRING_ELT(csv, 0), err)
                        : shoal_job_load(&r->table, r->job, &r->streams[0], true, err));
    RETURN_IF_ERROR(
        shoal_job_load_population(&r->population, r->job, &r->streams[1], r->table, false, err));
    r->report.read_seconds = shoal_seconds() - start;
    RETURN_IF_ERROR(publish(r, err));
    r->report.plan = shoal_job_spec(r->job);
    r->report.table = r->table;
    r->report.threads = shoal_job_threads(r->job);
    r->report.outcome = r->outcome;
    r->report.total_seconds = shoal_seconds() - start;
    return SHOAL_OK;
}

/* The handle, with the attribute "interrupted". The request, which has the columns, lives as long
 * as the release. */
SEXP r_anonymize(SEXP request, SEXP callback)
{
    SEXP unwind = PROTECT(R_MakeUnwindCont());
    SEXP handle = PROTECT(r_handle_make(sizeof(r_release), clear_release, R_RELEASE, request));
    r_release *r = R_ExternalPtrAddr(handle);
    r_guard_begin(&r->guard, callback, unwind);
    shoal_status status = run(r, request, &r->err);
    SEXP made = handle;
    if (r_guard_succeeded(&r->guard, status))
        Rf_setAttrib(handle, Rf_install("interrupted"),
                     PROTECT(Rf_ScalarLogical(r->guard.interrupted)));
    else
        made = PROTECT(r_guard_failure(&r->guard, handle, &r->err));
    UNPROTECT(3);
    return made;
}

/* ---- looking at it ---- */

r_release *r_release_of(SEXP handle, SEXP *failure)
{
    r_release *r = r_handle_object(handle, R_RELEASE);
    if (r != NULL) {
        clear_lent(r); /* what a jump left behind */
        return r;
    }
    shoal_error err = { 0 };
    shoal_fail(&err, SHOAL_EINVAL,
               "the release was made by another process, and only its table came along {fix} make "
               "it again from its plan");
    *failure = r_failure(&err);
    return NULL;
}

SEXP r_release_answer(r_release *r, shoal_status status)
{
    SEXP made;
    if (!r_guard_succeeded(&r->guard, status)) {
        if (r->guard.jumped) R_ContinueUnwind(r->guard.unwind);
        made = r_failure(&r->err);
    } else {
        made = r_string(r->lent.text);
    }
    PROTECT(made);
    clear_lent(r);
    UNPROTECT(1);
    return made;
}

SEXP r_release_report(SEXP handle, SEXP with_bound, SEXP callback)
{
    SEXP failure = R_NilValue, unwind = PROTECT(R_MakeUnwindCont()), made;
    r_release *r = r_release_of(handle, &failure);
    if (r != NULL) {
        r_guard_begin(&r->guard, callback, unwind);
        shoal_status status = shoal_pipeline_measure(r->outcome, r->table, r_release_spec(r),
                                                     &r->callbacks,
                                                     Rf_asLogical(with_bound) == TRUE, &r->err);
        if (status == SHOAL_OK) r->lent.text = shoal_report_json(&r->report);
        made = r_release_answer(r, status);
    } else {
        made = failure;
    }
    UNPROTECT(1);
    return made;
}

/* The group of each row, counted from 1 as R counts; NA where the row is suppressed. */
SEXP r_release_groups(SEXP handle)
{
    SEXP failure = R_NilValue;
    const r_release *r = r_release_of(handle, &failure);
    if (r == NULL) return failure;
    uint64_t n_rows = shoal_grouping_n_rows(shoal_outcome_grouping(r->outcome));
    SEXP made = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)n_rows));
    int *groups = INTEGER(made);
    for (uint64_t row = 0; row < n_rows; row++) {
        uint32_t group = shoal_grouping_group(shoal_outcome_grouping(r->outcome), row);
        groups[row] = group == SHOAL_SUPPRESSED ? NA_INTEGER : (int)(group + 1);
    }
    UNPROTECT(1);
    return made;
}

/* list(first, second): CSV; NULL where the release is no text, or where there is one table. */
SEXP r_release_texts(SEXP handle)
{
    SEXP failure = R_NilValue;
    const r_release *r = r_release_of(handle, &failure);
    if (r == NULL) return failure;
    SEXP made = PROTECT(Rf_allocVector(VECSXP, 2));
    for (int part = 0; part < 2; part++) {
        size_t size = 0;
        const char *text = shoal_memory_sink_text(
            r->sink, part == 0 ? SHOAL_SINK_RELEASE : SHOAL_SINK_BUCKETS, &size);
        if (text == NULL) continue;
        if (size > INT_MAX) Rf_error("the release is too long for a string of R: 2 GB");
        SET_VECTOR_ELT(made, part, Rf_ScalarString(Rf_mkCharLenCE(text, (int)size, CE_UTF8)));
    }
    UNPROTECT(1);
    return made;
}

/* What the release was made from, which R code keeps nowhere else. */
SEXP r_release_request(SEXP handle)
{
    SEXP failure = R_NilValue;
    const r_release *r = r_release_of(handle, &failure);
    return r != NULL ? r->owned.kept : failure;
}

/* ---- the published quasi-identifiers as factors ---- */

/* Texts that occur, renumbered from 1 in their order; 0 for the others. Returns how many there are.
 */
static int32_t number_used(int32_t *new_code, const struct ArrowArray *array)
{
    const int32_t *indices = array->buffers[1];
    const uint8_t *validity = array->null_count == 0 ? NULL : array->buffers[0];
    int64_t n_texts = array->dictionary->length;
    int32_t n = 0;
    memset(new_code, 0, (size_t)n_texts * sizeof *new_code);
    for (int64_t i = 0; i < array->length; i++)
        if (validity == NULL || (validity[i >> 3] >> (i & 7) & 1) != 0) new_code[indices[i]] = 1;
    for (int64_t t = 0; t < n_texts; t++)
        if (new_code[t] != 0) new_code[t] = ++n;
    return n;
}

static SEXP levels_of(const struct ArrowArray *dictionary, const int32_t *new_code, int32_t n)
{
    const int32_t *offsets = dictionary->buffers[1];
    const char *bytes = dictionary->buffers[2];
    SEXP levels = PROTECT(Rf_allocVector(STRSXP, n));
    for (int64_t t = 0; t < dictionary->length; t++)
        if (new_code[t] > 0)
            SET_STRING_ELT(
                levels, new_code[t] - 1,
                Rf_mkCharLenCE(bytes + offsets[t], offsets[t + 1] - offsets[t], CE_UTF8));
    UNPROTECT(1);
    return levels;
}

static SEXP factor_of(r_release *r, const struct ArrowArray *array)
{
    const int32_t *indices = array->buffers[1];
    const uint8_t *validity = array->null_count == 0 ? NULL : array->buffers[0];
    free(r->lent.new_code);
    r->lent.new_code = malloc(((size_t)array->dictionary->length + 1) * sizeof *r->lent.new_code);
    if (r->lent.new_code == NULL) Rf_error("out of memory");
    SEXP levels = PROTECT(
        levels_of(array->dictionary, r->lent.new_code, number_used(r->lent.new_code, array)));
    SEXP made = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)array->length));
    int *codes = INTEGER(made);
    for (int64_t i = 0; i < array->length; i++) {
        bool is_there = validity == NULL || (validity[i >> 3] >> (i & 7) & 1) != 0;
        codes[i] = is_there ? r->lent.new_code[indices[i]] : NA_INTEGER;
    }
    Rf_setAttrib(made, R_LevelsSymbol, levels);
    Rf_setAttrib(made, R_ClassSymbol, PROTECT(Rf_mkString("factor")));
    UNPROTECT(3);
    return made;
}

/* The quasi-identifiers of the batch; other columns are left to the frame that they came from. */
static SEXP factors_of(r_release *r)
{
    const struct ArrowSchema *schema = &r->lent.schema;
    SEXP made = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)schema->n_children));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)schema->n_children));
    for (int64_t i = 0; i < schema->n_children; i++) {
        const char *name = schema->children[i]->name;
        size_t c = shoal_table_find_column(r->table, name);
        SET_STRING_ELT(names, i, Rf_mkCharCE(name, CE_UTF8));
        if (c == SIZE_MAX || shoal_table_role(r->table, c) != SHOAL_ROLE_QUASI) continue;
        SET_VECTOR_ELT(made, i, factor_of(r, r->lent.batch.children[i]));
    }
    Rf_setAttrib(made, R_NamesSymbol, names);
    UNPROTECT(2);
    return made;
}

/* A named list: factors, NULL for columns that were published as they are. */
SEXP r_release_columns(SEXP handle)
{
    SEXP failure = R_NilValue;
    r_release *r = r_release_of(handle, &failure);
    if (r == NULL) return failure;
    if (shoal_memory_sink_stream(r->sink, &r->lent.stream, &r->err) != SHOAL_OK)
        return r_failure(&r->err);
    struct ArrowArrayStream *stream = &r->lent.stream;
    bool is_read = stream->get_schema(stream, &r->lent.schema) == 0 &&
                   stream->get_next(stream, &r->lent.batch) == 0;
    if (!is_read || r->lent.batch.release == NULL) Rf_error("out of memory");
    SEXP made = PROTECT(factors_of(r));
    clear_lent(r);
    UNPROTECT(1);
    return made;
}
