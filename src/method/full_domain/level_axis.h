/* SPDX-License-Identifier: Apache-2.0 */
/* level_axis.h - the levels of one quasi-identifier, and the published cell of every value on each
 * level.
 *
 * Level 0 is the value itself, level `height` is `*` for all values. Between them are the levels of
 * the hierarchy; numbers without one have {value, interval of all numbers, *}, columns with neither
 * have {value, *}. Branches of uneven depth are padded at their lower end, as a level file repeats
 * a short branch's leaf: level l has the ancestor at depth height - l, or the leaf itself if that
 * is less deep. So the values of a level never overlap.
 *
 * Each level numbers the values that occur in the table densely, in the order of their least code;
 * the top has one, number 0. A missing value is unchanged below the top if it is its own category
 * or a wildcard, and `*` on every level if it could be any value. With --on-missing top, a number
 * that the hierarchy lacks is `*` on every level too.
 *
 * Invariant: values that are equal on one level are equal on every higher one, and losses never
 * decrease on the way up.
 * Cost: O(nodes * height) for each attribute; rows are not read.
 */
#ifndef SHOAL_LEVEL_AXIS_H
#define SHOAL_LEVEL_AXIS_H

#include "classes/grouping.h"

typedef struct shoal_level {
    uint32_t n_values;
    uint32_t *above;    /* number of each value on the next level; on the top its own */
    shoal_range *cells; /* published cell of each value */
    double *losses;     /* of each value, in [0,1]; `*` loses 1 */
    uint64_t *rows;     /* rows of the table with each value */
} shoal_level;

typedef struct shoal_level_axis {
    uint32_t height;
    shoal_level *levels;    /* height + 1 */
    uint32_t *base_of_code; /* number of each code on level 0; SHOAL_NO_CODE if no row has it */
    uint32_t word, shift;   /* position of the attribute in a key (lattice.h) */
    uint64_t mask;          /* of the attribute's bits, not shifted */
} shoal_level_axis;

/*
 * One axis per attribute; free with shoal_axes_free(). SHOAL_EDATA if a number is not in its
 * hierarchy and --on-missing is error. `method` is used in the message.
 */
SHOAL_NODISCARD shoal_status shoal_axes_make(shoal_level_axis **out, const shoal_space *space,
                                             const char *method, shoal_error *err);
void shoal_axes_free(shoal_level_axis *axes, uint32_t n_attrs);

#endif
