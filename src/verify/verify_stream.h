/* SPDX-License-Identifier: Apache-2.0 */
/* verify_stream.h - check that each published cell covers its original if the rows of neither table
 * are in memory.
 */
#ifndef SHOAL_VERIFY_STREAM_H
#define SHOAL_VERIFY_STREAM_H

#include "hierarchy/attribute.h"

typedef struct shoal_stream_pair {
    const shoal_table *original, *released; /* both with a line index */
    const shoal_space *space;               /* of the original */
    const size_t *columns;                  /* of the release, one per attribute */
    uint32_t threads;
} shoal_stream_pair;

/*
 * Read both texts in parallel, row by row. `uncovered` receives the number of cells that do not
 * cover their original, one per attribute. SHOAL_EUNSAT if the numbers of rows differ. O(bytes of
 * both).
 */
SHOAL_NODISCARD shoal_status shoal_stream_count_uncovered(uint64_t *uncovered,
                                                          const shoal_stream_pair *pair,
                                                          shoal_error *err);

#endif
