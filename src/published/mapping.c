/* SPDX-License-Identifier: Apache-2.0 */
/* mapping.c - names of the columns of a mapping, and the check that one can be made from a table;
 * see mapping.h. */
#include "published/mapping.h"

#include <shoal/release.h>
#include <string.h>

static char *join(const char *first, const char *second)
{
    size_t n = strlen(first), m = strlen(second);
    char *name = shoal_alloc(n + m + 1, 1);
    if (name == NULL) return NULL;
    memcpy(name, first, n);
    memcpy(name + n, second, m + 1);
    return name;
}

char *shoal_mapping_before_name(const shoal_table *table)
{
    return join(table->columns[shoal_count_column(table)].name, "_before");
}

char *shoal_mapping_released_name(const shoal_table *table, size_t column)
{
    return join("released_", table->columns[column].name);
}

/* Fail if the table already has a column of this name. Frees the name. */
static shoal_status check_free(const shoal_table *table, char *name, shoal_error *err)
{
    if (name == NULL) return shoal_fail_memory(err);
    size_t c = shoal_table_find_column(table, name);
    shoal_status status = SHOAL_OK;
    if (c != SIZE_MAX &&
        (shoal_role_is_key(table->columns[c].role) || table->columns[c].role == SHOAL_ROLE_COUNT))
        status = shoal_fail(err, SHOAL_EINVAL,
                            "mapping: the table already has a column '{column %s}' {fix} rename it",
                            name);
    shoal_free(name);
    return status;
}

shoal_status shoal_mapping_check(const shoal_table *table, shoal_error *err)
{
    if (!shoal_table_is_counted(table) || !shoal_table_has_text(table) ||
        shoal_count_column(table) == SIZE_MAX)
        return shoal_fail(err, SHOAL_EINVAL,
                          "mapping: the table has no count column {fix} name one with {--counts}");
    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->columns[c].role == SHOAL_ROLE_OTHER)
            return shoal_fail(err, SHOAL_EINVAL,
                              "mapping: column '{column %s}' is not part of the counted tuples "
                              "{fix} remove it with {--rest} drop",
                              table->columns[c].name);
        if (table->columns[c].role == SHOAL_ROLE_QUASI)
            SHOAL_RETURN_IF_ERROR(check_free(table, shoal_mapping_released_name(table, c), err));
    }
    return check_free(table, shoal_mapping_before_name(table), err);
}
