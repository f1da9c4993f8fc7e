/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_sink.h - the batches of a release in memory: taken from the writer, lent to the verifier,
 * then returned. The counterpart of table/arrow_source.c. */
#ifndef SHOAL_ARROW_SINK_H
#define SHOAL_ARROW_SINK_H

#include "table/arrow_batches.h"

typedef struct shoal_arrow_sink {
    shoal_table *batches; /* opened, not loaded; NULL: none were taken */
} shoal_arrow_sink;

SHOAL_NODISCARD shoal_status shoal_arrow_sink_take(shoal_arrow_sink *sink,
                                                   struct ArrowArrayStream *batches,
                                                   shoal_error *err);
/* Were batches taken? */
bool shoal_arrow_sink_is_filled(const shoal_arrow_sink *sink);
/* A stream over them, which are shared, not copied; it may outlive the sink. SHOAL_ENOMEM. */
SHOAL_NODISCARD shoal_status shoal_arrow_sink_lend(const shoal_arrow_sink *sink,
                                                   struct ArrowArrayStream *out, shoal_error *err);
void shoal_arrow_sink_clear(shoal_arrow_sink *sink);

#endif
