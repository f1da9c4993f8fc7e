/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy_hints.c - hints for columns without a hierarchy, and for hierarchies without effect.
 * Names of columns, never values. */
#include "cli.h"

#include <string.h>

enum { MANY_VALUES = 50 };

static bool is_set_column(const shoal_table *table, size_t c)
{
    return shoal_table_role(table, c) == SHOAL_ROLE_QUASI &&
           shoal_table_type(table, c) == SHOAL_TYPE_CATEGORICAL &&
           shoal_table_hierarchy(table, c) == NULL;
}

void cli_unread_text(const shoal_unread *unread, const shoal_table *table, int width, FILE *stream)
{
    char count[32];
    if (unread->n_cells == 0) return;
    fprintf(stream, "%-*s%s published cells could not be interpreted and count as *\n", width,
            "unread", cli_count(unread->n_cells, count));
    for (size_t i = 0; i < unread->n_columns; i++) {
        fprintf(stream, "%*s%s of ", width, "", cli_count(unread->cells[i], count));
        cli_print_text(stream, shoal_table_column_name(table, unread->columns[i]));
        fputs(shoal_table_hierarchy(table, unread->columns[i]) == NULL
                  ? ", which has no hierarchy\n"
                  : "\n",
              stream);
    }
}

/* The length of codes that all have the same one, such as postcodes: their beginnings may be
 * groups. 0: they have not. */
static size_t code_length(const shoal_table *table, size_t c)
{
    enum { LONGEST_CODE = 12 };
    size_t length = 0, common = 0;
    uint32_t null_code = shoal_table_null_code(table, c);
    for (uint32_t v = 0; v < shoal_table_n_values(table, c); v++) {
        const char *text = shoal_table_value(table, c, v, &length);
        bool has_digit = false;
        if (v == null_code) continue;
        for (size_t i = 0; i < length; i++) has_digit |= text[i] >= '0' && text[i] <= '9';
        if (!has_digit || length < 3 || length > LONGEST_CODE || (common != 0 && length != common))
            return 0;
        common = length;
    }
    return common;
}

/* "known:icd10, build:prefix:4,3,2,min=100, build:learn or build:rare:100": builders that fit the
 * values, the best first. */
static void list_builders(char out[160], const shoal_table *table, size_t c)
{
    shoal_column_profile profile = { 0 };
    shoal_error ignored;
    size_t n = 0, length = code_length(table, c);
    bool is_known = shoal_profile_column(&profile, table, c, &ignored) == SHOAL_OK &&
                    profile.builder != NULL && strncmp(profile.builder, "known:", 6) == 0;
    if (is_known)
        n += (size_t)snprintf(out, 160, "%.60s%s, ", profile.builder,
                              profile.builder_holds_all ? "" : " with --on-missing own-leaf");
    if (length == 3) n += (size_t)snprintf(out + n, 160 - n, "build:prefix:2,1,min=100, ");
    if (length > 3)
        n += (size_t)snprintf(out + n, 160 - n, "build:prefix:%zu,%zu,%zu,min=100, ", length - 1,
                              length - 2, length - 3);
    snprintf(out + n, 160 - n, "build:learn or build:rare:100");
}

void cli_hierarchy_warnings(const shoal_report *r)
{
    char count[32], builders[160];
    for (size_t c = 0; c < shoal_table_n_columns(r->table); c++) {
        const char *name = shoal_table_column_name(r->table, c);
        uint32_t n_values = shoal_table_n_values(r->table, c);
        if (!is_set_column(r->table, c) || n_values <= MANY_VALUES) continue;
        list_builders(builders, r->table, c);
        char *word = shoal_shell_quote(name);
        cli_warn("column '%s' has %s values and no hierarchy: it is published as sets, which may "
                 "be long\n"
                 "fix: write --hierarchy %s=BUILDER, where its values suggest %s; or name a file",
                 name, cli_count(n_values, count), word != NULL ? word : "COLUMN", builders);
        shoal_string_free(word);
    }
}
