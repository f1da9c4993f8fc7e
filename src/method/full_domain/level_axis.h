/* SPDX-License-Identifier: Apache-2.0 */
/* level_axis.h - the levels of one quasi-identifier: what every value is published as on each of them.
 *
 * Level 0 is the value as it is, level `height` is `*` for everybody. Between them are the levels of the hierarchy;
 * numbers without one have {value, interval of all numbers, *}, columns with neither have {value, *}. Branches of uneven
 * depth are padded at their lower end, as a level file repeats a short branch's leaf: level l shows the ancestor at
 * depth height - l, or the leaf itself where that is less deep. So the values of a level never overlap.
 *
 * Each level has dense numbers for the values that occur in the table, in the order of their least code; the top has
 * one, number 0. A missing value stays as it is until the top when it is its own category or a wildcard, and is `*` on every
 * level when it could be anything. So is a number that the hierarchy lacks under --on-missing top.
 *
 * Invariant: values that are equal on one level are equal on every higher one, and losses never fall on the way up.
 * Cost: O(nodes * height) for each attribute; rows are not read.
 */
#ifndef SHOAL_LEVEL_AXIS_H
#define SHOAL_LEVEL_AXIS_H

#include "classes/grouping.h"

typedef struct shoal_level {
    uint32_t n_values;
    uint32_t *above;    /* number on the next level of each value; on the top its own */
    shoal_range *cells; /* what each value publishes */
    double *losses;     /* of each value, in [0,1]; `*` loses 1 */
    uint64_t *rows;     /* of the table that have each value */
} shoal_level;

typedef struct shoal_level_axis {
    uint32_t height;
    shoal_level *levels;    /* height + 1 */
    uint32_t *base_of_code; /* number on level 0 of each attribute code; SHOAL_NO_CODE where no row has it */
    uint32_t word, shift;   /* where the attribute stands in a key of the lattice (lattice.h) */
    uint64_t mask;          /* of its width, not shifted */
} shoal_level_axis;

/*
 * SHOAL_EDATA when a number lacks a place in its hierarchy and --on-missing is error. `method` is named in the message.
 */
SHOAL_NODISCARD shoal_status shoal_axes_make(shoal_level_axis **out, const shoal_space *space, const char *method,
                                            shoal_error *err);
void shoal_axes_free(shoal_level_axis *axes, uint32_t n_attrs);

#endif
