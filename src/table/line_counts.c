/* SPDX-License-Identifier: Apache-2.0 */
/* line_counts.c - weights of lines that represent several rows, taken from a count column.
 *
 * Input for tables that were grouped and counted in a database: distinct tuples with one count
 * each. Cost: O(lines * encoded columns).
 */
#include "table/table_internal.h"

#include <math.h>

#define MAX_TOTAL ((uint64_t)UINT32_MAX - 2) /* group sizes are 32 bits */

static size_t find_count_column(const shoal_table *table, size_t *n_found)
{
    size_t found = SIZE_MAX;
    *n_found = 0;
    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->columns[c].role != SHOAL_ROLE_COUNT) continue;
        found = c;
        ++*n_found;
    }
    return found;
}

static bool is_count(const shoal_column *column, uint32_t code)
{
    if (code == column->null_code) return false;
    double number = column->numbers[code];
    return number >= 1 && number <= (double)MAX_TOTAL && number == floor(number);
}

static shoal_status fail_count(const shoal_table *table, const shoal_column *column,
                               shoal_error *err)
{
    uint64_t first = 0, n_bad = 0;
    for (uint64_t line = table->n_rows; line-- > 0;) {
        if (is_count(column, shoal_column_code(column, line))) continue;
        first = line + 1;
        n_bad++;
    }
    return shoal_fail(
        err, SHOAL_EDATA,
        "counts: row {row %llu}, column '{column %.100s}': not a whole number of at least 1; %llu "
        "such rows {fix} remove tuples without rows, and count with COUNT(*)",
        (unsigned long long)first, column->name, (unsigned long long)n_bad);
}

void shoal_count_values(shoal_table *table)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        shoal_column *column = &table->columns[c];
        if (!column->is_encoded) continue;
        for (uint32_t v = 0; v < column->n_values; v++) column->counts[v] = 0;
        for (uint64_t line = 0; line < table->n_rows; line++)
            column->counts[shoal_column_code(column, line)] += shoal_table_weight(table, line);
    }
}

shoal_status shoal_take_line_counts(shoal_table *table, shoal_error *err)
{
    size_t n_found, at = find_count_column(table, &n_found);
    if (n_found == 0) {
        if (table->weights == NULL) table->total = table->n_rows;
        return SHOAL_OK;
    }
    if (n_found > 1)
        return shoal_fail(err, SHOAL_EINVAL, "counts: %zu count columns {fix} name one", n_found);
    const shoal_column *column = &table->columns[at];
    for (uint32_t v = 0; v < column->n_values; v++)
        if (!is_count(column, v)) return fail_count(table, column, err);
    table->weights = shoal_alloc((size_t)table->n_rows, sizeof *table->weights);
    if (table->weights == NULL) return shoal_fail_memory(err);
    table->total = 0;
    for (uint64_t line = 0; line < table->n_rows; line++) {
        table->weights[line] = (uint32_t)column->numbers[shoal_column_code(column, line)];
        table->total += table->weights[line];
        if (table->total > MAX_TOTAL)
            return shoal_fail(
                err, SHOAL_EDATA,
                "counts: column '{column %.100s}' counts more than %llu rows {fix} split the table",
                column->name, (unsigned long long)MAX_TOTAL);
    }
    table->source->kind = table->source->kind->counted;
    shoal_count_values(table);
    return SHOAL_OK;
}
