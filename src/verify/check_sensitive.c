/* SPDX-License-Identifier: Apache-2.0 */
/* check_sensitive.c - how much the groups of a release disclose about its sensitive values, from
 * its text alone.
 *
 * A group is the rows with the same published quasi-identifiers, as measures count them
 * (measure_protection.c), also where missing values match any value. Exempt rows of only `*` are
 * not a group. Cost: O(rows * columns).
 */
#include "privacy/protection.h"
#include "verify/check_models.h"

typedef struct counter {
    const shoal_table *released;
    shoal_grouped_rows rows;
    shoal_tally *tallies; /* of each column */
    shoal_sensitive_result result;
} counter;

static void count_group(counter *c, size_t i, uint32_t tuple)
{
    const shoal_column *column = &c->released->columns[c->result.columns[i]];
    shoal_tally *tally = &c->tallies[i];
    uint32_t most = 0;
    shoal_tally_clear(tally);
    for (uint64_t at = c->rows.begin[tuple]; at < c->rows.begin[tuple + 1]; at++)
        shoal_tally_add(tally, shoal_column_code(column, c->rows.rows[at]),
                        shoal_table_weight(c->released, c->rows.rows[at]));
    for (uint32_t v = 0; v < tally->n_present; v++)
        if (tally->counts[tally->present[v]] > most) most = tally->counts[tally->present[v]];
    shoal_sensitive_groups_add(&c->result.groups[i], tally->n_present, (double)tally->n_rows, most);
}

static shoal_status count_groups(counter *c, const shoal_tuples *tuples, shoal_error *err)
{
    if (!shoal_grouped_rows_make(&c->rows, tuples, c->released->n_rows))
        return shoal_fail_memory(err);
    for (size_t i = 0; i < c->result.n_columns; i++)
        for (uint32_t t = 0; t < tuples->n_tuples; t++)
            if (t != tuples->exempt_tuple) count_group(c, i, t);
    return SHOAL_OK;
}

static shoal_status set_up(counter *c, shoal_error *err)
{
    const shoal_table *released = c->released;
    c->result.columns = shoal_alloc(released->n_columns, sizeof *c->result.columns);
    if (c->result.columns == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < released->n_columns; i++)
        if (released->columns[i].role == SHOAL_ROLE_SENSITIVE && released->columns[i].is_encoded)
            c->result.columns[c->result.n_columns++] = i;
    c->result.groups = shoal_alloc_zero(c->result.n_columns, sizeof *c->result.groups);
    c->tallies = shoal_alloc_zero(c->result.n_columns, sizeof *c->tallies);
    if (c->result.groups == NULL || c->tallies == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < c->result.n_columns; i++)
        if (!shoal_tally_init(&c->tallies[i], released->columns[c->result.columns[i]].n_values))
            return shoal_fail_memory(err);
    return SHOAL_OK;
}

shoal_status shoal_check_sensitive(shoal_sensitive_result *out, const shoal_table *released,
                                   uint32_t threads, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    counter c = { .released = released };
    shoal_tuples tuples = { 0 };
    size_t *columns = NULL;
    uint32_t n = 0;
    if (!released->is_loaded)
        return shoal_fail(err, SHOAL_EINVAL, "check: the table is not loaded");
    SHOAL_GOTO_IF_ERROR(shoal_list_quasi(&columns, &n, released, err), out);
    SHOAL_GOTO_IF_ERROR(set_up(&c, err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_tuples_of_release(&tuples, released, columns, n, threads == 0 ? 1 : threads, err),
        out);
    SHOAL_GOTO_IF_ERROR(count_groups(&c, &tuples, err), out);
    *out = c.result;
    c.result = (shoal_sensitive_result){ .n_columns = c.result.n_columns };
out:
    for (size_t i = 0; c.tallies != NULL && i < c.result.n_columns; i++)
        shoal_tally_free(&c.tallies[i]);
    shoal_free(c.tallies);
    shoal_sensitive_clear(&c.result);
    shoal_grouped_rows_free(&c.rows);
    shoal_tuples_clear(&tuples);
    shoal_free(columns);
    return status;
}

void shoal_sensitive_clear(shoal_sensitive_result *result)
{
    shoal_free(result->columns);
    shoal_free(result->groups);
    *result = (shoal_sensitive_result){ 0 };
}
