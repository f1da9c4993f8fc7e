/* SPDX-License-Identifier: Apache-2.0 */
/* keys_step.c - do the groups of a release have k values of a column that looks like the key of
 * persons?
 *
 * k rows of one patient are not k patients. Where no column is an entity, the values of each likely
 * key (person_keys.h) are counted in each group; a missing one counts as a person of its own. Rows
 * that are suppressed are not counted. Cost: that of finding the keys, and for each O(rows log
 * rows) and 8 bytes per row; nothing is counted where the rows are streamed.
 */
#include "classes/grouping.h"
#include "pipeline/pipeline_run.h"
#include "table/person_keys.h"

#include <stdlib.h>

static int by_number(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static void note_group(shoal_likely_key *key, uint64_t n_values, uint32_t k)
{
    key->fewest = key->n_groups == 0 || n_values < key->fewest ? n_values : key->fewest;
    key->n_groups++;
    key->n_groups_below += n_values < k;
}

/* `order`: group and value of each row, sorted. */
static void count_groups(shoal_likely_key *key, const uint64_t *order, uint64_t n, uint32_t k)
{
    uint64_t n_values = 0;
    for (uint64_t i = 0; i < n; i++) {
        bool is_first = i == 0 || order[i] >> 32 != order[i - 1] >> 32;
        if (is_first && i > 0) note_group(key, n_values, k);
        if (is_first) n_values = 0;
        n_values += is_first || order[i] != order[i - 1] || (uint32_t)order[i] == 0;
    }
    if (n > 0) note_group(key, n_values, k);
    key->is_counted = true;
}

static shoal_status count(shoal_pipeline *run, shoal_likely_key *key, shoal_error *err)
{
    const shoal_table *table = run->table;
    const shoal_grouping *grouping = run->outcome->grouping;
    if (shoal_table_is_streamed(table) || grouping->lines.n != table->n_rows ||
        shoal_table_is_weighted(table))
        return SHOAL_OK;
    uint32_t *values = shoal_alloc((size_t)table->n_rows, sizeof *values);
    uint64_t *order = shoal_alloc((size_t)table->n_rows, sizeof *order), n = 0;
    shoal_status status = values != NULL && order != NULL ? SHOAL_OK : shoal_fail_memory(err);
    if (status == SHOAL_OK) status = shoal_person_keys_read(values, table, key->column, err);
    for (uint64_t row = 0; row < table->n_rows && status == SHOAL_OK; row++)
        if (grouping->group_of_row[row] != SHOAL_SUPPRESSED)
            order[n++] = (uint64_t)grouping->group_of_row[row] << 32 | values[row];
    if (status == SHOAL_OK) {
        qsort(order, n, sizeof *order, by_number);
        count_groups(key, order, n, run->k);
    }
    shoal_free(values);
    shoal_free(order);
    return status;
}

shoal_status shoal_pipeline_likely_keys(shoal_pipeline *run, shoal_error *err)
{
    shoal_outcome *o = run->outcome;
    for (size_t c = 0; c < run->table->n_columns; c++)
        if (shoal_role_is_person(run->table->columns[c].role)) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(
        shoal_person_keys_find(&o->likely_keys, &o->n_likely_keys, run->table, run->threads, err));
    for (size_t i = 0; i < o->n_likely_keys; i++)
        SHOAL_RETURN_IF_ERROR(count(run, &o->likely_keys[i], err));
    return SHOAL_OK;
}
