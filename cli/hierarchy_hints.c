/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy_hints.c - where a hierarchy is missing, or named and without effect: what is said of it. Names of columns, never values. */
#include "cli.h"

#include <string.h>

enum { MANY_VALUES = 50, LONGEST_LIST = 400 };

static bool is_set_column(const shoal_table *table, size_t c)
{
    return shoal_table_role(table, c) == SHOAL_ROLE_QUASI && shoal_table_type(table, c) == SHOAL_TYPE_CATEGORICAL &&
           shoal_table_hierarchy(table, c) == NULL;
}

/* Labels of a hierarchy that is not named are what is usually unread. */
static void list_bare_columns(char out[LONGEST_LIST], const shoal_table *table)
{
    size_t n = 0;
    out[0] = '\0';
    for (size_t c = 0; c < shoal_table_n_columns(table) && n + 80 < LONGEST_LIST; c++)
        if (is_set_column(table, c))
            n += (size_t)snprintf(out + n, LONGEST_LIST - n, "%s'%.60s'", n > 0 ? ", " : "", shoal_table_column_name(table, c));
}

shoal_status cli_refuse_unread(uint64_t n_unread, const shoal_table *table, const cli_args *args, shoal_error *err)
{
    char count[32], bare[LONGEST_LIST];
    if (n_unread == 0 || cli_has(args, OPT_ALLOW_UNREAD)) return SHOAL_OK;
    list_bare_columns(bare, table);
    return shoal_fail(err, SHOAL_EDATA, "%s published cells are neither values nor labels, ranges or sets, and would count as *%s%s {fix} name the plan or "
                                        "the hierarchies of the release with --plan, --hierarchies or --hierarchy, or say --allow-unread",
                      cli_count(n_unread, count), bare[0] != '\0' ? "; columns without a hierarchy: " : "", bare);
}

void cli_hierarchy_warnings(const shoal_report *r)
{
    char count[32];
    for (size_t c = 0; c < shoal_table_n_columns(r->table); c++) {
        const char *name = shoal_table_column_name(r->table, c);
        uint32_t n_values = shoal_table_n_values(r->table, c);
        if (is_set_column(r->table, c) && n_values > MANY_VALUES)
            cli_warn("column '%s' has %s values and no hierarchy: it is published as sets, which may be long\n"
                     "fix: try --hierarchy '%s=build:learn', known:NAME (shoal hierarchy known), build:prefix:3,2,1 or build:rare:100; shoal init proposes what fits",
                     name, cli_count(n_values, count), name);
    }
    bool by_labels = r->plan->recoding > 0 && r->plan->recoding - 1 != SHOAL_RECODE_LOCAL;
    bool by_levels = r->plan->algorithm != NULL && strcmp(r->plan->algorithm, "shoal") != 0; /* other methods may work on levels */
    for (size_t i = 0; i < r->plan->n_columns && !by_labels && !by_levels; i++) {
        const shoal_plan_column *column = &r->plan->columns[i];
        if (column->role == SHOAL_ROLE_QUASI && column->hierarchy != NULL && (column->type == SHOAL_TYPE_NUMERIC || column->type == SHOAL_TYPE_DATE))
            cli_warn("column '%s' is published as intervals: its hierarchy has no effect on the cells\nfix: leave the type out to publish labels, or say --recoding node",
                     column->name);
    }
}
