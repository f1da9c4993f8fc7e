/* SPDX-License-Identifier: Apache-2.0 */
/* memory_sink.c - a release that is kept in memory: its text (text_sink.c), or the batches that
 * were verified (arrow_sink.c).
 *
 * Invariant: nothing can be had from the sink until it was committed.
 */
#include "pipeline/arrow_sink.h"
#include "pipeline/text_sink.h"

#include <assert.h>

struct shoal_memory_sink {
    shoal_sink calls; /* what the pipeline sees */
    bool is_committed;
    shoal_text_sink text;
    shoal_arrow_sink arrow; /* filled: the release is batches, not text */
};

static void empty(void *payload)
{
    shoal_memory_sink *sink = payload;
    shoal_text_sink_clear(&sink->text);
    shoal_arrow_sink_clear(&sink->arrow);
    sink->is_committed = false;
}

static shoal_status open_part(void *payload, shoal_sink_part part, shoal_error *err)
{
    shoal_memory_sink *sink = payload;
    if (sink->is_committed || sink->text.is_open[part])
        return shoal_fail(err, SHOAL_EINVAL,
                          "pipeline: the sink already has a release {fix} create another sink");
    sink->text.is_open[part] = true;
    return SHOAL_OK;
}

static int write_text(void *payload, shoal_sink_part part, const void *data, size_t size)
{
    shoal_memory_sink *sink = payload;
    assert(!sink->is_committed); /* what was verified stays as it is */
    return shoal_text_sink_write(&sink->text, part, data, size);
}

static shoal_status view_text(void *payload, shoal_sink_part part, shoal_sink_text *out,
                              shoal_error *err)
{
    (void)err;
    *out = shoal_text_sink_view(&((shoal_memory_sink *)payload)->text, part);
    return SHOAL_OK;
}

static shoal_status rewrite_text(void *payload, shoal_sink_part part,
                                 const shoal_rewriter *rewriter, shoal_error *err)
{
    shoal_memory_sink *sink = payload;
    return shoal_text_sink_rewrite(&sink->text, part, rewriter, err);
}

static shoal_status take_batches(void *payload, struct ArrowArrayStream *batches, shoal_error *err)
{
    shoal_memory_sink *sink = payload;
    return shoal_arrow_sink_take(&sink->arrow, batches, err);
}

static shoal_status lend_batches(void *payload, struct ArrowArrayStream *out, shoal_error *err)
{
    const shoal_memory_sink *sink = payload;
    return shoal_arrow_sink_lend(&sink->arrow, out, err);
}

static shoal_status commit(void *payload, shoal_error *err)
{
    shoal_memory_sink *sink = payload;
    (void)err;
    sink->is_committed = true;
    return SHOAL_OK;
}

shoal_status shoal_memory_sink_make(shoal_memory_sink **out, unsigned traits, shoal_error *err)
{
    shoal_memory_sink *sink = shoal_alloc_zero(1, sizeof *sink);
    if (sink == NULL) return shoal_fail_memory(err);
    bool takes_text = (traits & SHOAL_MEMORY_BATCHES_ONLY) == 0,
         keeps_order = (traits & SHOAL_MEMORY_KEEPS_ORDER) != 0;
    sink->calls = (shoal_sink){ .size = sizeof(shoal_sink),
                                .payload = sink,
                                .open = open_part,
                                .write = takes_text ? write_text : NULL,
                                .view = takes_text ? view_text : NULL,
                                .take = take_batches,
                                .lend = lend_batches,
                                .commit = commit,
                                .abort = empty,
                                .rewrite = takes_text && !keeps_order ? rewrite_text : NULL };
    *out = sink;
    return SHOAL_OK;
}

const shoal_sink *shoal_memory_sink_of(shoal_memory_sink *sink)
{
    return &sink->calls;
}

const char *shoal_memory_sink_text(const shoal_memory_sink *sink, shoal_sink_part part,
                                   size_t *size)
{
    *size = 0;
    if (!sink->is_committed || !sink->text.is_open[part] ||
        shoal_arrow_sink_is_filled(&sink->arrow))
        return NULL;
    shoal_sink_text text = shoal_text_sink_view(&sink->text, part);
    *size = text.size;
    return text.data;
}

shoal_status shoal_memory_sink_stream(const shoal_memory_sink *sink, struct ArrowArrayStream *out,
                                      shoal_error *err)
{
    if (!sink->is_committed || !shoal_arrow_sink_is_filled(&sink->arrow))
        return shoal_fail(err, SHOAL_EINVAL, "pipeline: the sink has no published batches");
    return shoal_arrow_sink_lend(&sink->arrow, out, err);
}

void shoal_memory_sink_free(shoal_memory_sink *sink)
{
    if (sink == NULL) return;
    empty(sink);
    shoal_free(sink);
}
