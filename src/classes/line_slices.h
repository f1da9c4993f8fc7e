/* SPDX-License-Identifier: Apache-2.0 */
/* line_slices.h - which rows of which line an algorithm's slices give to which group, where lines
 * represent several rows. */
#ifndef SHOAL_LINE_SLICES_H
#define SHOAL_LINE_SLICES_H

#include "classes/grouping.h"

/* Ascending by line; the line slices of one line in the order of its class's slices. */
typedef struct shoal_line_slices {
    uint64_t n;
    bool is_divided; /* some line has several; set by the caller */
    uint32_t *line;
    uint32_t *group;  /* as the slices number them, or SHOAL_SUPPRESSED */
    uint32_t *weight; /* rows, at least one */
} shoal_line_slices;

/*
 * Deal the rows of each class to its slices, lowest lines first. `order` has the slices class after
 * class, those of class c from begin[c] to begin[c + 1]. They must add up to the class's rows
 * (checked: SHOAL_EINTERNAL). O(lines + slices).
 */
SHOAL_NODISCARD shoal_status shoal_line_slices_deal(shoal_line_slices *out,
                                                    const shoal_classes *classes,
                                                    const shoal_slice *slices, size_t n_slices,
                                                    const uint64_t *begin, const size_t *order,
                                                    shoal_error *err);
void shoal_line_slices_clear(shoal_line_slices *line_slices);

#endif
