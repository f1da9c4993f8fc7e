/* SPDX-License-Identifier: Apache-2.0 */
/* mapping.h - the columns of a mapping table, for the code that writes it and the code that checks
 * it.
 *
 * One line for each share of a line of the counted table, in its order:
 *
 *     its own quasi-identifier, sensitive and class columns, byte for byte
 *     the count column: rows of the share
 *     `<count>_before`: rows of the same line in earlier shares; 0 unless the line is divided
 *     `released_<column>` for each quasi-identifier: the published text of these rows
 */
#ifndef SHOAL_MAPPING_H
#define SHOAL_MAPPING_H

#include "hierarchy/attribute.h"

/* Does a mapping contain the column unchanged? */
static inline bool shoal_role_is_key(shoal_role role)
{
    return role == SHOAL_ROLE_QUASI || role == SHOAL_ROLE_SENSITIVE || role == SHOAL_ROLE_CLASS;
}

/* The column that counts rows, or SIZE_MAX. */
static inline size_t shoal_count_column(const shoal_table *table)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_COUNT) return c;
    return SIZE_MAX;
}

/* Names of the columns that a mapping adds; free with shoal_free(). NULL if memory is short. */
char *shoal_mapping_before_name(const shoal_table *table);
char *shoal_mapping_released_name(const shoal_table *table, size_t column);

/*
 * Check, before the search, that a mapping can be made of the loaded table.
 * @return SHOAL_EINVAL (no count column, columns that are not part of the tuples, reserved names)
 */
SHOAL_NODISCARD shoal_status shoal_mapping_check(const shoal_table *table, shoal_error *err);

#endif
