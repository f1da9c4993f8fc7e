/* SPDX-License-Identifier: Apache-2.0 */
/* verify_aggregates.h - check that each cell of a microaggregated release is the aggregate of its
 * tuple's originals.
 */
#ifndef SHOAL_VERIFY_AGGREGATES_H
#define SHOAL_VERIFY_AGGREGATES_H

#include "hierarchy/attribute.h"
#include "published/published_tuples.h"

typedef struct shoal_aggregate_check {
    const shoal_table *original, *released;
    const shoal_space *space;     /* of the original */
    const size_t *columns;        /* of the release, one per attribute */
    const uint32_t *original_row; /* of each released row; NULL: the same */
    const shoal_tuples *tuples;   /* of the release */
    shoal_recode_model model;
} shoal_aggregate_check;

/* Number of wrong cells, and the first attribute with one. O(rows log rows * attributes). */
SHOAL_NODISCARD shoal_status shoal_count_wrong_aggregates(uint64_t *n_wrong, uint32_t *first_attr,
                                                          const shoal_aggregate_check *check,
                                                          shoal_error *err);

#endif
