/* SPDX-License-Identifier: Apache-2.0 */
/* text_release.c - releases that are text: in two tables (anatomy), or with generalised sensitive values (personalised).
 *
 * The library writes these as CSV only, so the table comes in as CSV and the release is kept as the bytes that were verified.
 */
#include "release.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int add(const void *data, size_t size, void *payload)
{
    text_buffer *t = payload;
    if (t->capacity - t->size < size) {
        size_t capacity = 2 * t->capacity + size + 1024;
        char *grown = realloc(t->data, capacity);
        if (grown == NULL) return ENOMEM;
        t->data = grown;
        t->capacity = capacity;
    }
    memcpy(t->data + t->size, data, size);
    t->size += size;
    return 0;
}

shoal_status text_load(release *r, shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_table *table = NULL;
    csv.delimiter = ',';
    RETURN_IF_ERROR(shoal_table_open_memory(&table, r->csv, r->csv_size, NULL, NULL, &csv, err));
    return job_load_opened(&r->table, &r->job, table, err);
}

static shoal_status verify_buckets(release *r, shoal_error *err)
{
    shoal_bucket_options options = shoal_plan_bucket_options(&r->job.plan);
    options.threads = r->job.threads;
    RETURN_IF_ERROR(shoal_release_write_buckets(r->table, r->grouping, add, &r->second, err));
    r->report.is_bucketed = true;
    r->report.bucket_l = options.l;
    const shoal_bucket_texts texts = { r->first.data, r->first.size, r->second.data, r->second.size };
    return shoal_verify_buckets(&r->report.buckets, r->table, &texts, &options, err);
}

static shoal_status verify_personal(release *r, shoal_error *err)
{
    shoal_personal_options options = shoal_plan_personal_options(&r->job.plan, r->table);
    options.threads = r->job.threads;
    r->report.is_personal = true;
    r->report.breach = options.breach;
    return shoal_verify_personal(&r->report.personal, r->table, r->first.data, r->first.size, &options, err);
}

shoal_status text_verify(release *r, shoal_error *err)
{
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    shoal_table *released = NULL, *with_sensitive = NULL;
    shoal_status status = SHOAL_OK;
    options.threads = r->job.threads;
    options.drop_suppressed = r->job.plan.drop_suppressed != 0;
    RETURN_IF_ERROR(shoal_release_write_csv(r->table, r->grouping, &options, add, &r->first, err));
    if (shoal_grouping_is_bucketed(r->grouping)) return verify_buckets(r, err);
    if (shoal_grouping_generalises_sensitive(r->grouping)) RETURN_IF_ERROR(verify_personal(r, err));
    GOTO_IF_ERROR(shoal_released_open(&released, r->first.data, r->first.size, r->table, r->job.threads, err), out);
    if (release_has_models(r))
        GOTO_IF_ERROR(shoal_released_open_sensitive(&with_sensitive, r->first.data, r->first.size, r->table, r->job.threads, err), out);
    status = release_verify(r, released, with_sensitive, err);
out:
    shoal_table_free(released);
    shoal_table_free(with_sensitive);
    return status;
}

/* (first, second): bytes of CSV; the second is None where there is one table. */
PyObject *core_release_csv(PyObject *self, PyObject *args)
{
    PyObject *capsule;
    (void)self;
    if (!PyArg_ParseTuple(args, "O", &capsule)) return NULL;
    const release *r = PyCapsule_GetPointer(capsule, CAPSULE);
    if (r == NULL) return NULL;
    return Py_BuildValue("y#y#", r->first.data != NULL ? r->first.data : "", (Py_ssize_t)r->first.size, r->second.data, (Py_ssize_t)r->second.size);
}
