/* SPDX-License-Identifier: Apache-2.0 */
/* memory_sink.c - a release that is kept in memory: its text, or the batches that were verified.
 *
 * Invariant: nothing can be had from the sink until it was committed.
 */
#include "pipeline/lend_batches.h"

#include <assert.h>
#include <errno.h>
#include <shoal/pipeline.h>

struct shoal_memory_sink {
    bool batches_only;
    bool is_committed;
    bool is_open[SHOAL_SINK_N_PARTS];
    shoal_buffer texts[SHOAL_SINK_N_PARTS];
    shoal_table *batches; /* opened, not loaded; NULL: the release is text */
};

static void empty(void *payload)
{
    shoal_memory_sink *sink = payload;
    for (size_t i = 0; i < SHOAL_SINK_N_PARTS; i++) {
        shoal_buffer_clear(&sink->texts[i]);
        sink->is_open[i] = false;
    }
    shoal_table_free(sink->batches);
    sink->batches = NULL;
    sink->is_committed = false;
}

static shoal_status open_part(void *payload, shoal_sink_part part, shoal_error *err)
{
    shoal_memory_sink *sink = payload;
    if (sink->is_committed || sink->is_open[part])
        return shoal_fail(err, SHOAL_EINVAL,
                          "pipeline: the sink holds a release already {fix} make another one");
    sink->is_open[part] = true;
    return SHOAL_OK;
}

static int write_text(void *payload, shoal_sink_part part, const void *data, size_t size)
{
    shoal_memory_sink *sink = payload;
    assert(sink->is_open[part] && !sink->is_committed); /* what was verified stays as it is */
    shoal_buffer_add(&sink->texts[part], data, size);
    return sink->texts[part].failed ? ENOMEM : 0;
}

static shoal_status view_text(void *payload, shoal_sink_part part, shoal_sink_text *out,
                              shoal_error *err)
{
    const shoal_buffer *text = &((shoal_memory_sink *)payload)->texts[part];
    (void)err;
    *out = (shoal_sink_text){ .data = text->size > 0 ? text->data : "", .size = text->size };
    return SHOAL_OK;
}

static int add_text(const void *data, size_t size, void *payload)
{
    shoal_buffer *text = payload;
    shoal_buffer_add(text, data, size);
    return text->failed ? ENOMEM : 0;
}

static shoal_status rewrite_text(void *payload, shoal_sink_part part,
                                 const shoal_rewriter *rewriter, shoal_error *err)
{
    shoal_memory_sink *sink = payload;
    shoal_buffer made = { 0 };
    shoal_sink_text old;
    SHOAL_RETURN_IF_ERROR(view_text(sink, part, &old, err));
    shoal_status status = rewriter->fill(&old, add_text, &made, rewriter->payload, err);
    if (status == SHOAL_OK) {
        shoal_sink_text fresh = { .data = made.size > 0 ? made.data : "", .size = made.size };
        status = rewriter->check(&old, &fresh, rewriter->payload, err);
    }
    if (status == SHOAL_OK) {
        shoal_buffer verified = sink->texts[part];
        sink->texts[part] = made;
        made = verified;
    }
    shoal_buffer_clear(&made);
    return status;
}

static shoal_status take_batches(void *payload, struct ArrowArrayStream *batches, shoal_error *err)
{
    shoal_memory_sink *sink = payload;
    return shoal_table_open_arrow(&sink->batches, batches, err);
}

static shoal_status lend_batches(void *payload, struct ArrowArrayStream *out, shoal_error *err)
{
    const shoal_memory_sink *sink = payload;
    return shoal_lend_batches(out, shoal_table_batches(sink->batches), err);
}

static shoal_status commit(void *payload, shoal_error *err)
{
    shoal_memory_sink *sink = payload;
    (void)err;
    sink->is_committed = true;
    return SHOAL_OK;
}

shoal_status shoal_memory_sink_make(shoal_memory_sink **out, bool batches_only, shoal_error *err)
{
    shoal_memory_sink *sink = shoal_alloc_zero(1, sizeof *sink);
    if (sink == NULL) return shoal_fail_memory(err);
    sink->batches_only = batches_only;
    *out = sink;
    return SHOAL_OK;
}

shoal_sink shoal_memory_sink_of(shoal_memory_sink *sink)
{
    return (shoal_sink){ .size = sizeof(shoal_sink),
                         .payload = sink,
                         .open = open_part,
                         .write = sink->batches_only ? NULL : write_text,
                         .view = sink->batches_only ? NULL : view_text,
                         .take = take_batches,
                         .lend = lend_batches,
                         .commit = commit,
                         .abort = empty,
                         .rewrite = sink->batches_only ? NULL : rewrite_text };
}

const char *shoal_memory_sink_text(const shoal_memory_sink *sink, shoal_sink_part part,
                                   size_t *size)
{
    *size = 0;
    if (!sink->is_committed || !sink->is_open[part] || sink->batches != NULL) return NULL;
    *size = sink->texts[part].size;
    return *size > 0 ? sink->texts[part].data : "";
}

shoal_status shoal_memory_sink_stream(const shoal_memory_sink *sink, struct ArrowArrayStream *out,
                                      shoal_error *err)
{
    if (!sink->is_committed || sink->batches == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "pipeline: the sink holds no batches that were published");
    return shoal_lend_batches(out, shoal_table_batches(sink->batches), err);
}

void shoal_memory_sink_free(shoal_memory_sink *sink)
{
    if (sink == NULL) return;
    empty(sink);
    shoal_free(sink);
}
