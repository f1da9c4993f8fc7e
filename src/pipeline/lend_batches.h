/* SPDX-License-Identifier: Apache-2.0 */
/* lend_batches.h - record batches that are held, as a stream. */
#ifndef SHOAL_LEND_BATCHES_H
#define SHOAL_LEND_BATCHES_H

#include "table/arrow_batches.h"

/* A stream over batches, which are shared, not copied; it holds a reference to them. SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_lend_batches(struct ArrowArrayStream *out,
                                                struct shoal_arrow_batches *batches,
                                                shoal_error *err);

#endif
