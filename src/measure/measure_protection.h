/* SPDX-License-Identifier: Apache-2.0 */
/* measure_protection.h - disclosure of sensitive values by each group: the numbers behind mpm, wgp
 * and related measures. */
#ifndef SHOAL_MEASURE_PROTECTION_H
#define SHOAL_MEASURE_PROTECTION_H

#include "classes/grouping.h"
#include "published/published_tuples.h"
#include "privacy/protection.h"

typedef struct shoal_protection {
    shoal_space space; /* the sensitive columns of the original */
    uint32_t n_groups;
    double *s_diversity;            /* n_groups x space.n_attrs */
    double *range_diversity;        /* likewise */
    shoal_sensitive_groups *groups; /* of each column */
    /*
     * the greatest disclosure confidence of a row: dc(u) / f(u) over all groups, columns and values
     */
    double confidence;
    double least_variance; /* over groups and columns of numbers; NaN where there are none */
} shoal_protection;

/* Where published sensitive values are found: one of them, or neither (those of the original). */
typedef struct shoal_sensitive_origin {
    const shoal_table *released;
    const shoal_generalised_values *run; /* a grouping's; it may generalise nothing */
} shoal_sensitive_origin;

/*
 * Measure groups: `group_of_entry` has lines->n entries, numbers of `tuples`; an exempt tuple is no
 * group and left out, those behind it move up. The values are those of `origin` where it holds the
 * columns, else those of the original, row by row (a released table must then have all its rows). A
 * generalised value (a node, an interval, a set) represents each value of the original that it
 * covers, all equally likely. Without sensitive columns, or where a released value covers none of
 * the original's, space.n_attrs is 0. O(rows) and what range diversity costs.
 */
SHOAL_NODISCARD shoal_status shoal_protection_measure(shoal_protection *out,
                                                      const shoal_table *original,
                                                      shoal_sensitive_origin origin,
                                                      const uint32_t *group_of_entry,
                                                      const shoal_tuples *tuples,
                                                      const shoal_lines *lines, shoal_error *err);
void shoal_protection_clear(shoal_protection *protection);

#endif
