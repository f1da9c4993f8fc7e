/* SPDX-License-Identifier: Apache-2.0 */
/* publish_step.c - the release as text or batches, into the sink; nothing of it is published yet.
 */
#include "pipeline/pipeline_run.h"
#include "publish/publish.h"

#include <errno.h>

/* A shoal_write_fn into one table of the sink. */
typedef struct part_writer {
    const shoal_sink *sink;
    shoal_sink_part part;
    int failure; /* errno value of the write that failed, or 0 */
} part_writer;

static int write_part(const void *data, size_t size, void *payload)
{
    part_writer *w = payload;
    w->failure = w->sink->write(w->sink->payload, w->part, data, size);
    return w->failure;
}

/* The writer has only a function pointer; the sink may have a name. */
static shoal_status name_part(shoal_status status, const part_writer *w, shoal_error *err)
{
    const char *name = w->sink->names[w->part];
    if (w->failure == ENOMEM) return shoal_fail_memory(err);
    if (w->failure == 0 || name == NULL || err == NULL) return status;
    return shoal_fail_in(err, status,
                         "'{file %.400s}' {fix} free disk space, or choose another folder", name);
}

static shoal_status publish_text(const shoal_pipeline *run, const shoal_release_options *options,
                                 shoal_error *err)
{
    part_writer w = { .sink = &run->sink, .part = SHOAL_SINK_RELEASE };
    if (run->sink.write == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "this release is text, but the output accepts only Arrow batches");
    SHOAL_RETURN_IF_ERROR(run->sink.open(run->sink.payload, w.part, err));
    shoal_status status = (run->form == SHOAL_FORM_MAPPING ? shoal_release_write_mapping
                                                           : shoal_release_write_csv)(
        run->table, run->outcome->grouping, options, write_part, &w, err);
    return name_part(status, &w, err);
}

static shoal_status publish_buckets(const shoal_pipeline *run, shoal_error *err)
{
    part_writer w = { .sink = &run->sink, .part = SHOAL_SINK_BUCKETS };
    SHOAL_RETURN_IF_ERROR(run->sink.open(run->sink.payload, w.part, err));
    return name_part(
        shoal_release_write_buckets(run->table, run->outcome->grouping, write_part, &w, err), &w,
        err);
}

static shoal_status publish_batches(const shoal_pipeline *run, const shoal_release_options *options,
                                    shoal_error *err)
{
    struct ArrowArrayStream stream;
    SHOAL_RETURN_IF_ERROR(run->sink.open(run->sink.payload, SHOAL_SINK_RELEASE, err));
    SHOAL_RETURN_IF_ERROR(
        shoal_release_export_arrow(&stream, run->table, run->outcome->grouping, options, err));
    return run->sink.take(run->sink.payload, &stream, err);
}

shoal_status shoal_pipeline_publish(const shoal_pipeline *run, shoal_error *err)
{
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    options.threads = run->threads;
    options.drop_suppressed = run->spec.drop_suppressed != 0;
    options.callbacks = run->callbacks;
    if (run->form == SHOAL_FORM_BATCHES) return publish_batches(run, &options, err);
    SHOAL_RETURN_IF_ERROR(publish_text(run, &options, err));
    return run->form == SHOAL_FORM_BUCKETS ? publish_buckets(run, err) : SHOAL_OK;
}
