/* SPDX-License-Identifier: Apache-2.0 */
/* shares.h - which rows of which line an algorithm's parts give to which group, where lines stand
 * for several rows. */
#ifndef SHOAL_SHARES_H
#define SHOAL_SHARES_H

#include "classes/grouping.h"

/* Ascending by line; the shares of one line in the order of its class's parts. */
typedef struct shoal_shares {
    uint64_t n;
    bool is_divided; /* some line has several; set by whoever joins them */
    uint32_t *line;
    uint32_t *group;  /* as the parts number them, or SHOAL_SUPPRESSED */
    uint32_t *weight; /* rows, at least one */
} shoal_shares;

/*
 * Deal the rows of each class to its parts, lowest lines first. `order` has the parts class after
 * class, those of class c from begin[c] to begin[c + 1]. They must add up to the class's rows
 * (checked: SHOAL_EINTERNAL). O(lines + parts).
 */
SHOAL_NODISCARD shoal_status shoal_shares_deal(shoal_shares *out, const shoal_classes *classes,
                                               const shoal_part *parts, size_t n_parts,
                                               const uint64_t *begin, const size_t *order,
                                               shoal_error *err);
void shoal_shares_clear(shoal_shares *shares);

#endif
