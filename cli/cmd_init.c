/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_init.c - `shoal init`: print the profile of a table and write a plan to start from. */
#include "cli.h"

#include <string.h>

enum { LEAST_WIDTH = 20, MOST_WIDTH = 40 };

/* The widest name, within limits: a longer one pushes its line to the right, and is never cut, so
 * that no two look the same. */
static int name_width(const shoal_table *table)
{
    size_t width = LEAST_WIDTH;
    for (size_t i = 0; i < shoal_table_n_columns(table); i++) {
        size_t length = cli_shown_length(shoal_table_column_name(table, i));
        if (length > width) width = length;
    }
    return width < MOST_WIDTH ? (int)width : MOST_WIDTH;
}

static void print_name(const char *name, int width)
{
    cli_print_text(stderr, name);
    for (int i = (int)cli_shown_length(name); i < width; i++) fputc(' ', stderr);
}

static shoal_status print_profile(const shoal_table *table, shoal_error *err)
{
    char a[32], b[32], c[32];
    int width = name_width(table);
    size_t n_quasi = 0, n_undecided = 0;
    fprintf(stderr, "%s row%s, %zu column%s\n", cli_count(shoal_table_n_rows(table), a),
            shoal_table_n_rows(table) == 1 ? "" : "s", shoal_table_n_columns(table),
            shoal_table_n_columns(table) == 1 ? "" : "s");
    if (shoal_profile_skipped(table) != NULL)
        fprintf(stderr, "left out, because they are not records: %s\n",
                shoal_profile_skipped(table));
    fprintf(stderr, "%-*s %-11s %11s %11s %11s  %-11s %s\n", width, "column", "type", "distinct",
            "once", "missing", "proposed", "because");
    for (size_t i = 0; i < shoal_table_n_columns(table); i++) {
        shoal_column_profile p;
        CLI_RETURN_IF_ERROR(shoal_profile_column(&p, table, i, err));
        print_name(shoal_table_column_name(table, i), width);
        fprintf(stderr, " %-11s %11s %11s %11s  %-11s %s\n", shoal_type_name(p.type),
                cli_count(p.n_distinct, a), cli_count(p.n_unique, b), cli_count(p.n_missing, c),
                shoal_role_name(p.proposed), p.reason != NULL ? p.reason : "");
        n_quasi += p.proposed == SHOAL_ROLE_QUASI;
        n_undecided += p.proposed == SHOAL_ROLE_UNDECIDED;
    }
    if (n_undecided > 0)
        fprintf(stderr, "\n%zu column%s undecided: set %s role in the plan before running it\n",
                n_undecided, n_undecided == 1 ? " is" : "s are",
                n_undecided == 1 ? "its" : "their");
    if (n_quasi > SHOAL_MANY_QUASI)
        cli_warn("%zu quasi-identifiers are many: few rows agree in all of them, so the "
                 "information loss will be high\n"
                 "fix: keep the role quasi for columns that others can know; the end of the plan "
                 "ranks them by cost",
                 n_quasi);
    return SHOAL_OK;
}

static shoal_status print_profile_json(const shoal_table *table, const char *plan_path,
                                       shoal_error *err)
{
    char *text = NULL;
    CLI_RETURN_IF_ERROR(shoal_profile_json(&text, table, plan_path, err));
    return cli_print_report(text, err);
}

/* With --json standard output is taken: a plan is written only where a file was named for it. */
static shoal_status choose_output(const char **out, const cli_args *args, shoal_error *err)
{
    const char *output = cli_value(args, OPT_OUTPUT);
    bool json = cli_has(args, OPT_JSON);
    if (json && output != NULL && strcmp(output, "-") == 0)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "the plan and the JSON would both go to standard output {fix} write -o FILE");
    *out = output == NULL && !json ? "-" : output;
    return SHOAL_OK;
}

static shoal_status write_plan(const shoal_table *table, const char *input, const char *output,
                               bool force, shoal_error *err)
{
    char *plan = NULL;
    CLI_RETURN_IF_ERROR(shoal_profile_plan(&plan, table, input, err));
    shoal_status status = cli_check_interrupt(err);
    cli_interrupt_mode_set(INTERRUPT_ASKS);
    if (status == SHOAL_OK) status = cli_write_text(output, plan, force, err);
    shoal_string_free(plan);
    return status;
}

/* If names are data (no header), the plan would contain data. */
static shoal_status check_header(const shoal_table *table, shoal_error *err)
{
    size_t n_odd = shoal_table_count_odd_names(table), n = shoal_table_n_columns(table);
    if (n_odd * 2 <= n) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EDATA,
                      "the first line looks like data: %zu of %zu fields do not look like column "
                      "names {fix} write --no-header, or set the separator with --delimiter",
                      n_odd, n);
}

shoal_status cli_init(const cli_args *args, shoal_error *err)
{
    const char *input = args->positional[0], *output = NULL;
    bool force = cli_has(args, OPT_FORCE), json = cli_has(args, OPT_JSON),
         quiet = cli_has(args, OPT_QUIET) || json;
    shoal_table *table = NULL;
    cli_progress progress;
    shoal_status status = SHOAL_OK;
    cli_progress_init(&progress, args);
    CLI_GOTO_IF_ERROR(choose_output(&output, args, err), out);
    if (output != NULL) {
        CLI_GOTO_IF_ERROR(cli_refuse_same_file(input, output, "--output", err), out);
        CLI_GOTO_IF_ERROR(cli_probe_output(output, force, err), out);
    }
    CLI_GOTO_IF_ERROR(cli_load_column(&table, NULL, args, input, &progress, err), out);
    cli_progress_end(&progress);
    CLI_GOTO_IF_ERROR(check_header(table, err), out);
    if (shoal_table_n_columns(table) == 1)
        cli_warn("the table has one column\n"
                 "fix: if it should have more, remove the lines above the header, or set the "
                 "separator with --delimiter");
    if (!quiet) CLI_GOTO_IF_ERROR(print_profile(table, err), out);
    if (output != NULL) CLI_GOTO_IF_ERROR(write_plan(table, input, output, force, err), out);
    if (json) CLI_GOTO_IF_ERROR(print_profile_json(table, output, err), out);
    if (!quiet && strcmp(output, "-") != 0)
        fprintf(stderr,
                "\nplan written to %s\nnext: confirm the roles, set k, then\n"
                "    shoal anonymize %s -o RELEASE --plan %s\n",
                output, input, output);
out:
    cli_progress_end(&progress);
    shoal_table_free(table);
    return status;
}
