/* SPDX-License-Identifier: Apache-2.0 */
/* verify_aggregates.h - is each cell of a microaggregated release what the originals of its tuple give? */
#ifndef SHOAL_VERIFY_AGGREGATES_H
#define SHOAL_VERIFY_AGGREGATES_H

#include "hierarchy/attribute.h"
#include "published/published_tuples.h"

typedef struct shoal_aggregate_check {
    const shoal_table *original, *released;
    const shoal_space *space;     /* of the original */
    const size_t *columns;        /* of the release, one an attribute */
    const uint32_t *original_row; /* of each released row; NULL: the same */
    const shoal_tuples *tuples;   /* of the release */
    shoal_recode_model model;
} shoal_aggregate_check;

/* Cells that are wrong, and the first attribute that has some. O(rows * attributes). */
SHOAL_NODISCARD shoal_status shoal_count_wrong_aggregates(uint64_t *n_wrong, uint32_t *first_attr,
                                                         const shoal_aggregate_check *check, shoal_error *err);

#endif
