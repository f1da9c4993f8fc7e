/* SPDX-License-Identifier: Apache-2.0 */
/* text_sink.h - the texts of a release in memory: its rows, and the second table of anatomy; also
 * that of a streamed table and a mapping. The counterpart of table/text_source.c. */
#ifndef SHOAL_TEXT_SINK_H
#define SHOAL_TEXT_SINK_H

#include "base/base.h"

#include <shoal/pipeline.h>

typedef struct shoal_text_sink {
    bool is_open[SHOAL_SINK_N_PARTS];
    shoal_buffer texts[SHOAL_SINK_N_PARTS];
} shoal_text_sink;

/* Append to a part that is open. 0, or ENOMEM. */
int shoal_text_sink_write(shoal_text_sink *sink, shoal_sink_part part, const void *data,
                          size_t size);
shoal_sink_text shoal_text_sink_view(const shoal_text_sink *sink, shoal_sink_part part);
/* See `rewrite` of shoal_sink. */
SHOAL_NODISCARD shoal_status shoal_text_sink_rewrite(shoal_text_sink *sink, shoal_sink_part part,
                                                     const shoal_rewriter *rewriter,
                                                     shoal_error *err);
void shoal_text_sink_clear(shoal_text_sink *sink);

#endif
