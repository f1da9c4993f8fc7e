/* SPDX-License-Identifier: Apache-2.0 */
/* measure_labels.c - see measure_labels.h. */
#include "release/measure_labels.h"
#include "utility/measure_view.h"

shoal_status shoal_count_majorities(uint64_t **out, uint32_t *group_of_row, uint32_t n_groups, const shoal_column *labels,
                                    uint64_t n_rows, shoal_error *err)
{
    shoal_column groups = { .code_width = 4, .codes = group_of_row, .n_values = n_groups };
    const shoal_column *both[] = { &groups, labels };
    uint32_t *pair_of_row = NULL, n_pairs = 0;
    SHOAL_RETURN_IF_ERROR(shoal_number_tuples(&pair_of_row, &n_pairs, both, 2, n_rows, 1, err));
    uint64_t *counts = shoal_alloc_zero(n_pairs, sizeof *counts);
    uint64_t *most = shoal_alloc_zero(n_groups, sizeof *most);
    if (counts != NULL && most != NULL)
        for (uint64_t row = 0; row < n_rows; row++) { /* a count is at its full size with the last row of its pair */
            uint64_t count = ++counts[pair_of_row[row]], *of_group = &most[group_of_row[row]];
            if (count > *of_group) *of_group = count;
        }
    bool ok = counts != NULL && most != NULL;
    shoal_free(counts);
    shoal_free(pair_of_row);
    if (!ok) {
        shoal_free(most);
        return shoal_fail_memory(err);
    }
    *out = most;
    return SHOAL_OK;
}

shoal_status shoal_cm_of_table(double *out, const shoal_table *table, const shoal_space *space, const shoal_column *labels,
                               shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    uint32_t *tuple_of_row = NULL, n_tuples = 0;
    uint64_t *majorities = NULL;
    const shoal_column **columns = shoal_alloc(space->n_attrs, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < space->n_attrs; a++) columns[a] = space->attrs[a].source;
    SHOAL_GOTO_IF_ERROR(shoal_number_tuples(&tuple_of_row, &n_tuples, columns, space->n_attrs, table->n_rows, 1, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_count_majorities(&majorities, tuple_of_row, n_tuples, labels, table->n_rows, err), out);
    shoal_measure_view view = { .n_rows = table->n_rows, .n_groups = n_tuples, .majorities = majorities,
                                .star_group = SHOAL_NO_GROUP };
    *out = shoal_measure_cm(&view);
out:
    shoal_free(tuple_of_row);
    shoal_free(majorities);
    shoal_free(columns);
    return status;
}
