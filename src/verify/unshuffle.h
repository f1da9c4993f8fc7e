/* SPDX-License-Identifier: Apache-2.0 */
/* unshuffle.h - a release whose rows were shuffled, in the order of its original. */
#ifndef SHOAL_UNSHUFFLE_H
#define SHOAL_UNSHUFFLE_H

#include "table/table_internal.h"

typedef struct shoal_unshuffled {
    char *text; /* to be freed; NULL: not every row was matched */
    size_t size;
    uint64_t n_unmatched; /* rows of the original that no row of the release is left for */
    bool is_tried;        /* false: too many rows are alike in the columns that are passed on */
} shoal_unshuffled;

/*
 * Give each row of the original (where `kept` is not NULL: each that is kept) another row of the
 * release that has the same text in the columns that are passed on, and covers it. If there is no
 * such assignment for all rows, no order of the release is right. Both tables have text, and as
 * many rows as are kept; `released` is open as shoal_verify_release() needs it.
 */
SHOAL_NODISCARD shoal_status shoal_unshuffle(shoal_unshuffled *out, const shoal_table *original,
                                             const shoal_table *released, const uint8_t *kept,
                                             shoal_error *err);

#endif
