/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_init.c - `shoal init`: what a table looks like, and a plan to start from. */
#include "cli.h"

#include <jansson.h>
#include <string.h>

static const char *role_name(shoal_role role)
{
    switch (role) {
    case SHOAL_ROLE_QUASI: return "quasi";
    case SHOAL_ROLE_SENSITIVE: return "sensitive";
    case SHOAL_ROLE_CLASS: return "class";
    case SHOAL_ROLE_ENTITY: return "entity";
    case SHOAL_ROLE_IDENTIFIER: return "identifier";
    case SHOAL_ROLE_OTHER: return "other";
    case SHOAL_ROLE_DROP: return "drop";
    case SHOAL_ROLE_UNSET: break;
    }
    return "?";
}

static const char *type_name(shoal_type type)
{
    switch (type) {
    case SHOAL_TYPE_NUMERIC: return "number";
    case SHOAL_TYPE_DATE: return "date";
    case SHOAL_TYPE_CATEGORICAL:
    case SHOAL_TYPE_AUTO: break;
    }
    return "text";
}

static void print_name(const char *name, int width)
{
    char cut[64];
    snprintf(cut, sizeof cut, "%.*s", width, name);
    cli_print_text(stderr, cut);
    for (int i = (int)strlen(cut); i < width; i++) fputc(' ', stderr);
}

static shoal_status print_profile(const shoal_table *table, shoal_error *err)
{
    char a[32], b[32], c[32];
    fprintf(stderr, "%s rows, %zu columns\n", cli_count(shoal_table_n_rows(table), a), shoal_table_n_columns(table));
    fprintf(stderr, "%-20s %-7s %11s %11s %11s  %-11s %s\n", "column", "type", "distinct", "once", "missing",
            "proposed", "because");
    for (size_t i = 0; i < shoal_table_n_columns(table); i++) {
        shoal_column_profile p;
        CLI_RETURN_IF_ERROR(shoal_profile_column(&p, table, i, err));
        print_name(shoal_table_column_name(table, i), 20);
        fprintf(stderr, " %-7s %11s %11s %11s  %-11s %s\n", type_name(p.type), cli_count(p.n_distinct, a),
                cli_count(p.n_unique, b), cli_count(p.n_missing, c), role_name(p.proposed),
                p.reason != NULL ? p.reason : "");
    }
    return SHOAL_OK;
}

/* Counts and guesses of one column; never a value. */
static json_t *column_json(const char *name, const shoal_column_profile *p)
{
    json_t *label = json_string(name); /* none for a name that is not UTF-8 */
    return json_pack("{s:o, s:s, s:I, s:I, s:I, s:s?, s:s, s:s?, s:s?}", "name", label != NULL ? label : json_null(), "type", type_name(p->type), "distinct",
                     (json_int_t)p->n_distinct, "once", (json_int_t)p->n_unique, "missing", (json_int_t)p->n_missing,
                     "looks_like", p->looks_like, "role", role_name(p->proposed), "reason", p->reason, "builder", p->builder);
}

static shoal_status print_profile_json(const shoal_table *table, const char *plan_path, shoal_error *err)
{
    json_t *columns = json_array();
    for (size_t i = 0; i < shoal_table_n_columns(table); i++) {
        shoal_column_profile p;
        shoal_status status = shoal_profile_column(&p, table, i, err);
        if (status == SHOAL_OK && json_array_append_new(columns, column_json(shoal_table_column_name(table, i), &p)) == 0)
            continue;
        json_decref(columns);
        return status != SHOAL_OK ? status : cli_fail_memory(err);
    }
    return cli_print_json(cli_json_text(json_pack("{s:I, s:o, s:s?}", "rows", (json_int_t)shoal_table_n_rows(table),
                                                  "columns", columns, "plan", plan_path)),
                          err);
}

/* With --json standard output is taken: a plan is written only where a file was named for it. */
static shoal_status choose_output(const char **out, const cli_args *args, shoal_error *err)
{
    const char *output = cli_value(args, OPT_OUTPUT);
    bool json = cli_has(args, OPT_JSON);
    if (json && output != NULL && strcmp(output, "-") == 0)
        return cli_fail(err, SHOAL_EINVAL, "the plan and the JSON would both go to standard output; write -o FILE");
    *out = output == NULL && !json ? "-" : output;
    return SHOAL_OK;
}

static shoal_status write_plan(const shoal_table *table, const char *input, const char *output, bool force, shoal_error *err)
{
    char *plan = NULL;
    CLI_RETURN_IF_ERROR(shoal_profile_plan(&plan, table, input, err));
    shoal_status status = cli_check_interrupt(err);
    cli_interrupt_mode_set(INTERRUPT_ASKS);
    if (status == SHOAL_OK) status = cli_write_text(output, plan, force, err);
    shoal_string_free(plan);
    return status;
}

shoal_status cli_init(const cli_args *args, shoal_error *err)
{
    const char *input = args->positional[0], *output = NULL;
    bool force = cli_has(args, OPT_FORCE), json = cli_has(args, OPT_JSON), quiet = cli_has(args, OPT_QUIET) || json;
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
    if (!quiet) CLI_GOTO_IF_ERROR(print_profile(table, err), out);
    if (output != NULL) CLI_GOTO_IF_ERROR(write_plan(table, input, output, force, err), out);
    if (json) CLI_GOTO_IF_ERROR(print_profile_json(table, output, err), out);
    if (!quiet && strcmp(output, "-") != 0)
        fprintf(stderr, "\nplan written to %s\nnext: confirm the roles, set k, then\n"
                        "    shoal anonymize %s -o RELEASE --plan %s\n", output, input, output);
out:
    cli_progress_end(&progress);
    shoal_table_free(table);
    return status;
}
