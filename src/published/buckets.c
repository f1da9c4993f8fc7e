/* SPDX-License-Identifier: Apache-2.0 */
/* buckets.c - names of the columns of a bucketised release; see buckets.h. */
#include "published/buckets.h"

#include <stdio.h>

void shoal_bucket_group_name(char name[SHOAL_GROUP_NAME_SIZE], const shoal_table *table)
{
    snprintf(name, SHOAL_GROUP_NAME_SIZE, "group");
    for (unsigned i = 2; shoal_table_find_column(table, name) != SIZE_MAX; i++)
        snprintf(name, SHOAL_GROUP_NAME_SIZE, "group_%u", i);
}

size_t shoal_bucket_column(const shoal_table *table)
{
    size_t found = SIZE_MAX;
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_SENSITIVE &&
            (found == SIZE_MAX || table->columns[c].role_rank < table->columns[found].role_rank))
            found = c;
    return found;
}
