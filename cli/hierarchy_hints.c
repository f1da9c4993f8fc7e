/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy_hints.c - where a hierarchy is missing, or named and without effect: what is said of it. Names of columns, never values. */
#include "cli.h"

#include <string.h>

enum { MANY_VALUES = 50 };

static bool is_set_column(const shoal_table *table, size_t c)
{
    return shoal_table_role(table, c) == SHOAL_ROLE_QUASI && shoal_table_type(table, c) == SHOAL_TYPE_CATEGORICAL &&
           shoal_table_hierarchy(table, c) == NULL;
}

shoal_status cli_find_unread(shoal_unread *out, const shoal_table *table, const shoal_table *released, const cli_args *args, shoal_error *err)
{
    CLI_RETURN_IF_ERROR(shoal_unread_find(out, table, released, NULL, 0, err));
    return cli_has(args, OPT_ALLOW_UNREAD) ? SHOAL_OK : shoal_unread_refuse(out, table, err);
}

void cli_unread_text(const shoal_unread *unread, const shoal_table *table, int width, FILE *stream)
{
    char count[32];
    if (unread->n_cells == 0) return;
    fprintf(stream, "%-*s%s published cells could not be read and count as *\n", width, "unread", cli_count(unread->n_cells, count));
    for (size_t i = 0; i < unread->n_columns; i++) {
        fprintf(stream, "%*s%s of ", width, "", cli_count(unread->cells[i], count));
        cli_print_text(stream, shoal_table_column_name(table, unread->columns[i]));
        fputs(shoal_table_hierarchy(table, unread->columns[i]) == NULL ? ", which has no hierarchy here\n" : "\n", stream);
    }
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
}
