/* SPDX-License-Identifier: Apache-2.0 */
/* measure_labels.c - see measure_labels.h. */
#include "measure/measure_labels.h"
#include "measure/measure_view.h"

/* The labels of entries that are shares of lines; codes NULL when memory is short. */
static shoal_column spread_labels(const shoal_column *labels, const shoal_lines *lines)
{
    uint32_t *codes = shoal_alloc((size_t)lines->n, sizeof *codes);
    for (uint64_t i = 0; codes != NULL && i < lines->n; i++)
        codes[i] = shoal_column_code(labels, shoal_line_of(lines, i));
    return (shoal_column){ .code_width = 4, .codes = codes, .n_values = labels->n_values };
}

static shoal_status number_pairs(uint32_t **out, uint32_t *n_pairs, uint32_t *group_of_entry,
                                 uint32_t n_groups, const shoal_column *labels,
                                 const shoal_lines *lines, shoal_error *err)
{
    shoal_column groups = { .code_width = 4, .codes = group_of_entry, .n_values = n_groups },
                 spread = { 0 };
    if (lines->line != NULL) {
        spread = spread_labels(labels, lines);
        if (spread.codes == NULL) return shoal_fail_memory(err);
    }
    const shoal_column *both[] = { &groups, lines->line != NULL ? &spread : labels };
    shoal_status status = shoal_number_tuples(out, n_pairs, both, 2, lines->n, 1, err);
    shoal_free(spread.codes);
    return status;
}

shoal_status shoal_count_majorities(uint64_t **out, uint32_t *group_of_entry, uint32_t n_groups,
                                    const shoal_column *labels, const shoal_lines *lines,
                                    shoal_error *err)
{
    uint32_t *pair_of_entry = NULL, n_pairs = 0;
    SHOAL_RETURN_IF_ERROR(
        number_pairs(&pair_of_entry, &n_pairs, group_of_entry, n_groups, labels, lines, err));
    uint64_t *counts = shoal_alloc_zero(n_pairs, sizeof *counts);
    uint64_t *most = shoal_alloc_zero(n_groups, sizeof *most);
    if (counts != NULL && most != NULL)
        /* a count is at its full size with the last row of its pair */
        for (uint64_t i = 0; i < lines->n; i++) {
            uint64_t count = counts[pair_of_entry[i]] += shoal_weight_of(lines, i),
                     *of_group = &most[group_of_entry[i]];
            if (count > *of_group) *of_group = count;
        }
    bool ok = counts != NULL && most != NULL;
    shoal_free(counts);
    shoal_free(pair_of_entry);
    if (!ok) {
        shoal_free(most);
        return shoal_fail_memory(err);
    }
    *out = most;
    return SHOAL_OK;
}

shoal_status shoal_cm_of_table(double *out, const shoal_table *table, const shoal_space *space,
                               const shoal_column *labels, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    uint32_t *tuple_of_row = NULL, n_tuples = 0;
    uint64_t *majorities = NULL;
    const shoal_column **columns = shoal_alloc(space->n_attrs, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < space->n_attrs; a++) columns[a] = space->attrs[a].source;
    SHOAL_GOTO_IF_ERROR(shoal_number_tuples(&tuple_of_row, &n_tuples, columns, space->n_attrs,
                                            table->n_rows, 1, err),
                        out);
    shoal_lines lines = shoal_lines_of(table);
    SHOAL_GOTO_IF_ERROR(
        shoal_count_majorities(&majorities, tuple_of_row, n_tuples, labels, &lines, err), out);
    shoal_measure_view view = { .n_rows = table->total,
                                .n_groups = n_tuples,
                                .majorities = majorities,
                                .star_group = SHOAL_NO_GROUP };
    *out = shoal_measure_cm(&view);
out:
    shoal_free(tuple_of_row);
    shoal_free(majorities);
    shoal_free(columns);
    return status;
}
