/* SPDX-License-Identifier: Apache-2.0 */
/* column_costs.c - see column_costs.h.
 *
 * Settings of a plan for all quasi-identifiers (priority, weights) come first; settings of one
 * column override them. Cost: one look-up by name per column.
 */
#include "plan/column_costs.h"

#include "cost/distortion.h"

#include <string.h>

static shoal_status check_quasi(const shoal_table *table, size_t c, const char *what,
                                shoal_error *err)
{
    if (shoal_table_role(table, c) == SHOAL_ROLE_QUASI) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EINVAL,
        "column '{column %.200s}' has %s but is not a quasi-identifier {fix} name it with {--qid}",
        shoal_table_column_name(table, c), what);
}

static shoal_status set_priority(shoal_table *table, size_t c, const char *text, shoal_error *err)
{
    double priority;
    if (!shoal_parse_number(text, strlen(text), &priority)) priority = -1; /* the same message */
    return shoal_table_set_priority(table, c, priority, err);
}

static shoal_status set_max_level(shoal_table *table, size_t c, const char *text, shoal_error *err)
{
    double level;
    if (!shoal_parse_number(text, strlen(text), &level) || !(level >= 0 && level < UINT32_MAX) ||
        level != (uint32_t)level)
        return shoal_fail(err, SHOAL_EINVAL,
                          "column '{column %.200s}': its maximum level must be a whole number of "
                          "at least 0 (unchanged) {fix} write, for example, {--max-level} COLUMN=1",
                          shoal_table_column_name(table, c));
    return shoal_table_set_max_level(table, c, (uint32_t)level, err);
}

/* Check the text now, not after the search. */
static shoal_status set_weights(shoal_table *table, size_t c, const char *text, shoal_error *err)
{
    shoal_step_weights read;
    shoal_status status = shoal_step_weights_read(&read, text, err);
    if (status != SHOAL_OK)
        return shoal_fail_in(err, status, "column '{column %.200s}'",
                             shoal_table_column_name(table, c));
    shoal_step_weights_clear(&read);
    return shoal_table_set_level_weights(table, c, text, err);
}

/* `priority` of the whole plan. */
static shoal_status order_columns(const char *text, shoal_table *table, shoal_error *err)
{
    size_t n_columns = shoal_table_n_columns(table);
    uint32_t n = 0;
    const char **names = shoal_alloc(n_columns, sizeof *names);
    size_t *columns = shoal_alloc(n_columns, sizeof *columns);
    double *priorities = shoal_alloc(n_columns, sizeof *priorities);
    shoal_status status = names != NULL && columns != NULL && priorities != NULL
                              ? SHOAL_OK
                              : shoal_fail_memory(err);
    for (size_t c = 0; status == SHOAL_OK && c < n_columns; c++) {
        if (shoal_table_role(table, c) != SHOAL_ROLE_QUASI) continue;
        names[n] = shoal_table_column_name(table, c);
        columns[n++] = c;
    }
    if (status == SHOAL_OK) status = shoal_priorities_read(priorities, names, n, text, err);
    for (uint32_t i = 0; status == SHOAL_OK && i < n; i++)
        status = shoal_table_set_priority(table, columns[i], priorities[i], err);
    shoal_free(names);
    shoal_free(columns);
    shoal_free(priorities);
    return status;
}

static shoal_status set_column(const shoal_plan_column *entry, shoal_table *table, shoal_error *err)
{
    size_t c = shoal_table_find_column(table, entry->name);
    if (entry->priority != NULL) {
        SHOAL_RETURN_IF_ERROR(check_quasi(table, c, "a priority", err));
        SHOAL_RETURN_IF_ERROR(set_priority(table, c, entry->priority, err));
    }
    if (entry->weights != NULL) {
        SHOAL_RETURN_IF_ERROR(check_quasi(table, c, "weights", err));
        SHOAL_RETURN_IF_ERROR(set_weights(table, c, entry->weights, err));
    }
    if (entry->max_level != NULL) {
        SHOAL_RETURN_IF_ERROR(check_quasi(table, c, "a maximum level", err));
        SHOAL_RETURN_IF_ERROR(set_max_level(table, c, entry->max_level, err));
    }
    return SHOAL_OK;
}

shoal_status shoal_plan_set_costs(const shoal_plan *plan, shoal_table *table, shoal_error *err)
{
    if (plan->priority != NULL) SHOAL_RETURN_IF_ERROR(order_columns(plan->priority, table, err));
    for (size_t c = 0; plan->weights != NULL && c < shoal_table_n_columns(table); c++)
        if (shoal_table_role(table, c) == SHOAL_ROLE_QUASI)
            SHOAL_RETURN_IF_ERROR(set_weights(table, c, plan->weights, err));
    for (size_t i = 0; i < plan->n_columns; i++)
        SHOAL_RETURN_IF_ERROR(set_column(&plan->columns[i], table, err));
    return SHOAL_OK;
}

shoal_status shoal_plan_check_weights(const shoal_table *table, shoal_error *err)
{
    shoal_space space;
    shoal_ladders ladders = { 0 };
    bool any = false;
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        any |= shoal_table_level_weights(table, c) != NULL;
    if (!any) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&space, table, err));
    shoal_status status = shoal_ladders_make_weighted(&ladders, &space,
                                                      &(shoal_ascent_weights){ 0 }, err);
    shoal_ladders_clear(&ladders);
    shoal_space_clear(&space);
    return status;
}
