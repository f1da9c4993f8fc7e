/* SPDX-License-Identifier: Apache-2.0 */
/* text_sink.c - see text_sink.h. */
#include "pipeline/text_sink.h"

#include <assert.h>
#include <errno.h>

int shoal_text_sink_write(shoal_text_sink *sink, shoal_sink_part part, const void *data,
                          size_t size)
{
    assert(sink->is_open[part]);
    shoal_buffer_add(&sink->texts[part], data, size);
    return sink->texts[part].failed ? ENOMEM : 0;
}

static shoal_sink_text view(const shoal_buffer *text)
{
    return (shoal_sink_text){ .data = text->size > 0 ? text->data : "", .size = text->size };
}

shoal_sink_text shoal_text_sink_view(const shoal_text_sink *sink, shoal_sink_part part)
{
    return view(&sink->texts[part]);
}

static int add_text(const void *data, size_t size, void *payload)
{
    shoal_buffer *text = payload;
    shoal_buffer_add(text, data, size);
    return text->failed ? ENOMEM : 0;
}

shoal_status shoal_text_sink_rewrite(shoal_text_sink *sink, shoal_sink_part part,
                                     const shoal_rewriter *rewriter, shoal_error *err)
{
    shoal_buffer made = { 0 };
    shoal_sink_text old = view(&sink->texts[part]);
    shoal_status status = rewriter->fill(&old, add_text, &made, rewriter->payload, err);
    if (status == SHOAL_OK) {
        shoal_sink_text fresh = view(&made);
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

void shoal_text_sink_clear(shoal_text_sink *sink)
{
    for (size_t i = 0; i < SHOAL_SINK_N_PARTS; i++) {
        shoal_buffer_clear(&sink->texts[i]);
        sink->is_open[i] = false;
    }
}
