/* SPDX-License-Identifier: Apache-2.0 */
/* measure_distortion.h - the distortion of a grouping and of a release (definition 7 of Li et al.
 * 2006), with uniform weights and with those asked for.
 *
 * Both read published texts, so a grouping and the file written from it distort equally. A text is
 * a node of the attribute's ladder: its label, the lowest node above both ends of an interval or
 * above all members of a set, the root for `*` and for unreadable texts. A cell is distorted by
 * generalising its original value to the lowest node above that and the published one. Rows that
 * the release lacks are generalised to the root everywhere; the other rows of such a release cannot
 * be matched, and each text is measured from the deepest leaf below it.
 *
 * Cost: O(groups) an attribute where all leaves are equally deep and no missing value is a
 * wildcard, else O(rows).
 */
#ifndef SHOAL_MEASURE_DISTORTION_H
#define SHOAL_MEASURE_DISTORTION_H

#include "published/published.h"
#include "publish/recode.h"
#include "cost/distortion.h"

/* Sums over cells, and the ladders they are counted on: two of the same shape. */
typedef struct shoal_distortions {
    const shoal_ladders *uniform, *weighted; /* the latter's priorities are not used here */
    double *plain;                           /* of each attribute, uniform steps */
    double *by_weight;                       /* of each attribute, weighted steps */
    double genc;                             /* generalisation cost of all */
} shoal_distortions;

/* Add the distortion of every attribute of a grouping, and the generalisation cost of all. */
SHOAL_NODISCARD shoal_status shoal_distortion_of_grouping(shoal_distortions *sums,
                                                          const shoal_table *table,
                                                          const shoal_recoding *recoding,
                                                          shoal_error *err);

/* A column of a release. */
typedef struct shoal_released_cells {
    const shoal_column *column;
    uint64_t n_rows, n_left_out; /* rows of the release, and of the original that it lacks */
    bool in_place;               /* each row has the same position as in the original */
} shoal_released_cells;

/* Add that of one attribute of a release, whose texts were read. Rows that the release lacks count
 * too. */
SHOAL_NODISCARD shoal_status shoal_distortion_of_column(shoal_distortions *sums, uint32_t attr,
                                                        const shoal_published *published,
                                                        shoal_released_cells cells,
                                                        shoal_error *err);

#endif
