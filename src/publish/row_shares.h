/* SPDX-License-Identifier: Apache-2.0 */
/* row_shares.h - the group of each row of a counted table, window by window of its text.
 *
 * The rows of a line are assigned to its shares in order, the first rows to the first share, as in
 * a grouping of the rows themselves.
 */
#ifndef SHOAL_ROW_SHARES_H
#define SHOAL_ROW_SHARES_H

#include "classes/grouping.h"

typedef struct shoal_row_shares {
    const shoal_table *table;       /* borrowed; it has a line index */
    const shoal_grouping *grouping; /* borrowed */
    uint32_t *entry;                /* of each line: the current share */
    uint32_t *left;                 /* of each line: rows that the current share still gets */
    uint32_t *group;                /* of each row of the window, or SHOAL_SUPPRESSED */
    uint32_t *line;                 /* of each row of the window */
    size_t group_room, line_room;
    uint32_t threads;
} shoal_row_shares;

SHOAL_NODISCARD shoal_status shoal_row_shares_make(shoal_row_shares *out, const shoal_table *table,
                                                   const shoal_grouping *grouping, uint32_t threads,
                                                   shoal_error *err);
void shoal_row_shares_clear(shoal_row_shares *shares);

/*
 * Assign the rows of the next window; windows must come in order. SHOAL_EDATA if the file has
 * changed. O(rows).
 */
SHOAL_NODISCARD shoal_status shoal_row_shares_assign(shoal_row_shares *shares,
                                                     const shoal_table *rows, shoal_error *err);

#endif
