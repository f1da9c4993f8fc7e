/* SPDX-License-Identifier: Apache-2.0 */
/* query_buckets.h - releases in two tables: a sensitive column that is known only by group. */
#ifndef SHOAL_QUERY_BUCKETS_H
#define SHOAL_QUERY_BUCKETS_H

#include "evaluate/queries.h"

typedef struct shoal_bucket_source {
    uint32_t attr;              /* the sensitive column, or SHOAL_NO_CODE where the release is one table */
    const shoal_column *groups; /* of the release: the group of each row */
    const shoal_table *buckets; /* group, value, count */
} shoal_bucket_source;

/* Match the second table (may be NULL) with the release. SHOAL_EINVAL when its columns do not fit. */
SHOAL_NODISCARD shoal_status shoal_buckets_find(shoal_bucket_source *out, const shoal_queries *queries,
                                               const shoal_table *released, const shoal_table *buckets, shoal_error *err);

/* The region of each group's number, in a column of a view that was made over `source->groups`. */
SHOAL_NODISCARD shoal_status shoal_buckets_fill(shoal_view_column *c, const shoal_bucket_source *source,
                                               const shoal_queries *queries, shoal_error *err);

#endif
