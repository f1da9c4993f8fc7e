/* SPDX-License-Identifier: Apache-2.0 */
/* buckets.h - names and contents of the two tables of a bucketised release.
 *
 *     first table   every published column but the sensitive one, unchanged, and the row's group
 *     second table  group, sensitive value, count; by group, then in the order of the values
 *
 * Groups are numbered from 1 by their first row, so that the numbers do not reveal the order in
 * which the groups were formed.
 */
#ifndef SHOAL_BUCKETS_H
#define SHOAL_BUCKETS_H

#include "classes/grouping.h"

enum { SHOAL_GROUP_NAME_SIZE = 32 };

/*
 * The name of the column of groups: "group", or "group_2", ... where the table has a column of that
 * name.
 */
void shoal_bucket_group_name(char name[SHOAL_GROUP_NAME_SIZE], const shoal_table *table);
/* The sensitive column that was named first, or SIZE_MAX. */
size_t shoal_bucket_column(const shoal_table *table);

/* Is the column part of the first table? */
static inline bool shoal_role_is_bucketed(shoal_role role)
{
    return shoal_role_is_published(role) && role != SHOAL_ROLE_SENSITIVE;
}

#endif
