/* SPDX-License-Identifier: Apache-2.0 */
/* build_column.c - a hierarchy built over the distinct values of a table's column. Cost: that of
 * the builder. */
#include "hierarchy/build.h"

#include <string.h>

shoal_status shoal_hierarchy_build_column(shoal_hierarchy **out, const shoal_table *table,
                                          size_t column, const char *spec, shoal_error *err)
{
    if (strncmp(spec, "learn", 5) == 0 && (spec[5] == '\0' || spec[5] == ':'))
        return shoal_hierarchy_learn(out, table, column, spec + 5 + (spec[5] == ':'), err);
    shoal_arena arena = { 0 };
    uint32_t n_codes = shoal_table_n_values(table, column),
             null_code = shoal_table_null_code(table, column);
    const char **texts = shoal_arena_alloc(&arena, n_codes * sizeof *texts);
    size_t *lengths = shoal_arena_alloc(&arena, n_codes * sizeof *lengths);
    uint64_t *counts = shoal_arena_alloc(&arena, n_codes * sizeof *counts);
    shoal_status status = SHOAL_OK;
    if (texts == NULL || lengths == NULL || counts == NULL) {
        status = shoal_fail_memory(err);
    } else {
        shoal_values values = { .texts = texts,
                                .lengths = lengths,
                                .counts = counts,
                                .format = shoal_column_format_name(&table->columns[column]) };
        for (uint32_t code = 0; code < n_codes; code++) {
            if (code == null_code) continue;
            texts[values.n_values] = shoal_table_value(table, column, code,
                                                       &lengths[values.n_values]);
            counts[values.n_values++] = shoal_table_value_count(table, column, code);
        }
        status = shoal_hierarchy_build(out, &values, spec, err);
    }
    shoal_arena_clear(&arena);
    return status;
}
