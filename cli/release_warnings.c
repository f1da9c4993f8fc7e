/* SPDX-License-Identifier: Apache-2.0 */
/* release_warnings.c - what the rows and the columns of a release reveal beside its groups: their
 * order, keys of persons, values that are unique. Names of columns and counts, never values. */
#include "cli.h"

#include <string.h>

void cli_row_warnings(const shoal_report *r)
{
    const shoal_row_hints *hints = shoal_outcome_row_hints(r->outcome);
    const shoal_likely_key *key;
    bool is_likely_key = false; /* has a warning with counts */
    char rows[32];
    /* --keep is deliberate */
    if (hints->sorted_column != SIZE_MAX && !shoal_outcome_is_shuffled(r->outcome) &&
        r->plan->row_order == 0)
        cli_warn("the input is sorted by '%s': the row order may reveal generalised values\n"
                 "fix: write --row-order shuffle, or --row-order keep if the order is harmless",
                 shoal_table_column_name(r->table, hints->sorted_column));
    for (size_t i = 0; (key = shoal_outcome_likely_key(r->outcome, i)) != NULL; i++)
        is_likely_key |= key->column == hints->repeated_column && key->n_groups_below > 0;
    if (hints->repeated_column != SIZE_MAX && !is_likely_key)
        cli_warn("identifier '%s' repeats with the same quasi-identifiers in %s rows: k rows may "
                 "be fewer than k persons\n"
                 "fix: write --entity '%s' if it identifies persons",
                 shoal_table_column_name(r->table, hints->repeated_column),
                 cli_count(hints->repeated_rows, rows),
                 shoal_table_column_name(r->table, hints->repeated_column));
}

/* How a likely key was found. */
static const char *reason_of(const shoal_likely_key *key)
{
    if (strcmp(key->because, "column name") == 0) return "by its name";
    return strcmp(key->because, "form of its values") == 0
               ? "its values are identifiers"
               : "its value determines attributes of persons";
}

static void warn_of_key(const shoal_report *r, const shoal_likely_key *key)
{
    char below[32], groups[32];
    const char *name = shoal_table_column_name(r->table, key->column);
    char *word = shoal_shell_quote(name);
    if (key->n_groups_below > 0)
        cli_warn("k rows are fewer than k persons: %s of %s groups have fewer than %u values of "
                 "'%s' (fewest: %llu), which looks like the key of persons (%s)\n"
                 "fix: write --entity %s, so that every group has at least k persons",
                 cli_count(key->n_groups_below, below), cli_count(key->n_groups, groups),
                 r->plan->k, name, (unsigned long long)key->fewest, reason_of(key),
                 word != NULL ? word : "COLUMN");
    else if (!key->is_counted)
        cli_warn("column '%s' looks like the key of persons with several rows (%s), and groups "
                 "were counted by rows only: k rows may be fewer than k persons\n"
                 "fix: write --entity %s, so that every group has at least k persons",
                 name, reason_of(key), word != NULL ? word : "COLUMN");
    shoal_string_free(word);
}

/* At a low loss, since a set of few among many values loses little. */
static void warn_of_sets(const shoal_report *r)
{
    char alone[32];
    uint64_t n_unique;
    for (size_t c = 0; c < shoal_table_n_columns(r->table); c++)
        if (shoal_report_lists_values(r, c, &n_unique))
            cli_warn("column '%s' is published as sets of exact values, %s of which occur in one "
                     "row only: anyone who knows a value finds its group, and the loss does not "
                     "show it\n"
                     "fix: give it a hierarchy (--hierarchy COLUMN=build:learn or build:rare:10), "
                     "or remove it with --drop",
                     shoal_table_column_name(r->table, c), cli_count(n_unique, alone));
}

static bool is_told(const shoal_report *r, size_t column)
{
    const shoal_unique_column *u;
    for (size_t i = 0; (u = shoal_outcome_unique_column(r->outcome, i)) != NULL; i++)
        if (u->column == column) return true;
    return false;
}

void cli_key_warnings(const shoal_report *r)
{
    warn_of_sets(r);
    const shoal_likely_key *key;
    for (size_t i = 0; (key = shoal_outcome_likely_key(r->outcome, i)) != NULL; i++) {
        const char *name = shoal_table_column_name(r->table, key->column);
        warn_of_key(r, key);
        bool is_unchanged = shoal_outcome_fate(r->outcome, r->table, key->column) ==
                            SHOAL_COLUMN_UNCHANGED;
        if (is_unchanged && !is_told(r, key->column))
            cli_warn("column '%s' is published unchanged, but looks like the key of persons (%s): "
                     "anyone who knows a value finds the rows of a person\n"
                     "fix: remove it with --entity, so that k counts persons, or with --drop",
                     name, reason_of(key));
    }
}

/* Why a column that is published as it is should not be. */
static void warn_of_column(const char *name, const shoal_unique_column *u)
{
    char alone[32], rows[32], why[160] = "";
    bool is_key = u->identifies != NULL && strcmp(u->identifies, "key") == 0;
    if (is_key)
        snprintf(why, sizeof why, "its name suggests a key, with about as many values as persons");
    else if (u->identifies != NULL && strcmp(u->identifies, "column name") == 0)
        snprintf(why, sizeof why, "its name suggests an identifier");
    else if (u->identifies != NULL)
        snprintf(why, sizeof why, "its values %s%s",
                 strcmp(u->identifies, "free text") == 0 ? "are " : "look like ", u->identifies);
    if (u->is_unique)
        snprintf(why + strlen(why), sizeof why - strlen(why),
                 "%sin %s of %s rows its value is unique (%s)", *why != '\0' ? ", and " : "",
                 cli_count(u->n_alone, alone), cli_count(u->n_rows, rows), u->kind);
    bool repeats = is_key && u->n_alone * 20 < u->n_rows * 19; /* rows of the same person */
    cli_warn(
        "column '%s' is published unchanged, but %s: anyone who knows a value finds the row%s\n"
        "fix: remove it with %s",
        name, why, repeats ? "s of a person" : "",
        repeats ? "--entity, so that k counts persons, or with --drop"
                : "--drop, generalise it, or make it a quasi-identifier with --qid");
}

void cli_unique_warnings(const shoal_report *r)
{
    const shoal_unique_column *u;
    for (size_t i = 0; (u = shoal_outcome_unique_column(r->outcome, i)) != NULL; i++)
        warn_of_column(shoal_table_column_name(r->table, u->column), u);
}
