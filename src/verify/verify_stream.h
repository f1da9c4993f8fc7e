/* SPDX-License-Identifier: Apache-2.0 */
/* verify_stream.h - does each published cell cover its original, where neither table's rows are in memory? */
#ifndef SHOAL_VERIFY_STREAM_H
#define SHOAL_VERIFY_STREAM_H

#include "hierarchy/attribute.h"

typedef struct shoal_stream_pair {
    const shoal_table *original, *released; /* both with a line index */
    const shoal_space *space;               /* of the original */
    const size_t *columns;                  /* of the release, one an attribute */
    uint32_t threads;
} shoal_stream_pair;

/*
 * Read both texts side by side, row by row. `uncovered` gets the number of cells that do not cover, one an attribute.
 * SHOAL_EUNSAT when one has more rows than the other. O(bytes of both).
 */
SHOAL_NODISCARD shoal_status shoal_stream_count_uncovered(uint64_t *uncovered, const shoal_stream_pair *pair, shoal_error *err);

#endif
