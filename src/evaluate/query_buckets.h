/* SPDX-License-Identifier: Apache-2.0 */
/* query_buckets.h - releases in two tables, where a sensitive column is known only by group. */
#ifndef SHOAL_QUERY_BUCKETS_H
#define SHOAL_QUERY_BUCKETS_H

#include "evaluate/queries.h"

typedef struct shoal_bucket_source {
    uint32_t attr;              /* the sensitive column; SHOAL_NO_CODE: a release in one table */
    const shoal_column *groups; /* of the release: the group of each row */
    const shoal_table *buckets; /* group, value, count */
} shoal_bucket_source;

/*
 * Match the second table (may be NULL) with the release. SHOAL_EINVAL if its columns do not match.
 */
SHOAL_NODISCARD shoal_status shoal_buckets_find(shoal_bucket_source *out,
                                                const shoal_queries *queries,
                                                const shoal_table *released,
                                                const shoal_table *buckets, shoal_error *err);

/* Fill the region of each group in a column of a view made over `source->groups`. */
SHOAL_NODISCARD shoal_status shoal_buckets_fill(shoal_view_column *c,
                                                const shoal_bucket_source *source,
                                                const shoal_queries *queries, shoal_error *err);

#endif
