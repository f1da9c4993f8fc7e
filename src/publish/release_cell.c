/* SPDX-License-Identifier: Apache-2.0 */
/* release_cell.c - the published text of one cell, made on demand: for previews of a few rows.
 *
 * Cost: O(bytes of the row) for a column published unchanged, O(bytes of the text) for a
 * quasi-identifier.
 */
#include "publish/publish.h"
#include "publish/recode.h"

static shoal_status copy_out(char **out, const char *data, size_t length, shoal_error *err)
{
    char *copy = shoal_copy_text(data, length);
    if (copy == NULL) return shoal_fail_memory(err);
    *out = copy;
    return SHOAL_OK;
}

static shoal_status quasi_cell(char **out, const shoal_grouping *grouping, uint64_t row, uint32_t a,
                               shoal_error *err)
{
    const shoal_attribute *attr = &grouping->space.attrs[a];
    uint32_t group = grouping->group_of_row[row], value = shoal_column_code(attr->source, row);
    if (group == SHOAL_SUPPRESSED) return copy_out(out, "*", 1, err);
    if (attr->wild_code != SHOAL_NO_CODE && attr->code_of_value[value] == attr->wild_code)
        return copy_out(out, attr->source->values[value].data, attr->source->values[value].length,
                        err);
    shoal_buffer spelled = { 0 };
    shoal_recode_cell(&spelled, grouping, group, a);
    shoal_status status = spelled.failed ? shoal_fail_memory(err)
                                         : copy_out(out, spelled.size > 0 ? spelled.data : "",
                                                    spelled.size, err);
    shoal_buffer_clear(&spelled);
    return status;
}

static shoal_status other_cell(char **out, const shoal_table *table, uint64_t row, size_t column,
                               shoal_error *err)
{
    const shoal_column *source = &table->columns[column];
    if (source->is_encoded) {
        shoal_text text = source->values[shoal_column_code(source, row)];
        return copy_out(out, text.data, text.length, err);
    }
    shoal_arena arena = { 0 };
    shoal_text text;
    shoal_status status = shoal_table_cell(&text, table, row, column, &arena, err);
    if (status == SHOAL_OK) status = copy_out(out, text.data, text.length, err);
    shoal_arena_clear(&arena);
    return status;
}

shoal_status shoal_release_cell(char **out, const shoal_table *table,
                                const shoal_grouping *grouping, uint64_t row, size_t column,
                                shoal_error *err)
{
    if (row >= table->n_rows || grouping->n_rows != table->n_rows || column >= table->n_columns)
        return shoal_fail(err, SHOAL_EINVAL,
                          "release: cell outside the table {fix} it has %llu rows and %zu columns",
                          (unsigned long long)table->n_rows, table->n_columns);
    if (!shoal_role_is_published(table->columns[column].role) ||
        (grouping->is_bucketed && table->columns[column].role == SHOAL_ROLE_SENSITIVE))
        return shoal_fail(err, SHOAL_EINVAL, "release: column '{column %s}' is not published",
                          table->columns[column].name);
    for (uint32_t a = 0; a < grouping->space.n_attrs && !grouping->is_bucketed; a++)
        if (grouping->space.attrs[a].column == column)
            return quasi_cell(out, grouping, row, a, err);
    if (grouping->sensitive.text_of_row != NULL && column == grouping->sensitive.withheld_column)
        return shoal_fail(err, SHOAL_EINVAL, "release: column '{column %s}' is not published",
                          table->columns[column].name);
    if (grouping->sensitive.text_of_row != NULL && column == grouping->sensitive.column &&
        grouping->sensitive.text_of_row[row] != SHOAL_NO_CODE) {
        shoal_text text = grouping->sensitive.texts[grouping->sensitive.text_of_row[row]];
        return copy_out(out, text.data, text.length, err);
    }
    return other_cell(out, table, row, column, err);
}
