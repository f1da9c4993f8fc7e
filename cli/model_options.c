/* SPDX-License-Identifier: Apache-2.0 */
/* model_options.c - privacy models on the command line: from options to the plan, from the plan to
 * the library, and their numbers for people. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- from options to the plan ---- */

/* [COLUMN=]VALUE; a backslash protects `=` and itself in the name. */
static shoal_status add_model(shoal_plan *plan, char *text, cli_option_id option, shoal_error *err)
{
    char *column = NULL, *value = text, *to = text;
    for (char *at = text; *at != '\0' && column == NULL; at++) {
        if (*at == '\\' && (at[1] == '=' || at[1] == '\\')) {
            *to++ = *++at;
        } else if (*at == '=') {
            column = text;
            value = at + 1;
            *to = '\0';
        } else {
            *to++ = *at;
        }
    }
    if (*value == '\0' || (column != NULL && *column == '\0'))
        return shoal_fail(
            err, SHOAL_EINVAL, "--%s: value missing, or no column before the = {fix} write --%s %s",
            cli_options[option].name, cli_options[option].name, cli_options[option].argument);
    return shoal_plan_add_model(plan, cli_options[option].name, value, column, err);
}

shoal_status cli_models_read(shoal_plan *plan, const cli_args *args, shoal_error *err)
{
    /* each is named as its model is */
    for (cli_option_id option = OPT_FIRST_MODEL; option <= OPT_LAST_MODEL; option++) {
        cli_list list;
        CLI_RETURN_IF_ERROR(cli_list_of(&list, args, option, err));
        shoal_status status = SHOAL_OK;
        for (size_t j = 0; j < list.n_items && status == SHOAL_OK; j++)
            status = add_model(plan, list.items[j], option, err);
        cli_list_clear(&list);
        CLI_RETURN_IF_ERROR(status);
    }
    if (cli_has(args, OPT_POPULATION))
        CLI_RETURN_IF_ERROR(
            shoal_plan_set_string(&plan->population, cli_value(args, OPT_POPULATION), err));
    CLI_RETURN_IF_ERROR(cli_real(&plan->suppression_limit, args, OPT_SUPPRESSION_LIMIT, err));
    if (plan->suppression_limit <= 1) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "--suppression-limit: not a number from 0 to 1 {fix} write "
                      "--suppression-limit 0.01 for 1 %% of the rows");
}

/* ---- reports ---- */

/* "l-diversity distinct 3 of disease" */
static void print_model(FILE *stream, const shoal_model_result *r, const shoal_table *table)
{
    fprintf(stream, "%s%s%s %g", r->name, *r->variant != '\0' ? " " : "", r->variant, r->asked[0]);
    if (r->n_asked > 1) fprintf(stream, ",%g", r->asked[1]);
    if (r->column == SIZE_MAX) return;
    fputs(" of ", stream);
    cli_print_text(stream, shoal_table_column_name(table, r->column));
}

void cli_models_text(const shoal_models_result *result, const shoal_table *table, int width,
                     FILE *stream)
{
    char a[32], b[32];
    for (size_t m = 0; m < result->n_models; m++) {
        const shoal_model_result *r = &result->models[m];
        fprintf(stream, "%-*s", width, m == 0 ? "models" : "");
        print_model(stream, r, table);
        if (isfinite(r->achieved))
            fprintf(stream, ": %.4g", r->achieved);
        else
            fputs(": no value satisfies it", stream);
        if (r->failing_groups == 0)
            fputs(", holds\n", stream);
        else
            fprintf(stream, ", does not hold: %s groups, %s rows\n",
                    cli_count(r->failing_groups, a), cli_count(r->failing_rows, b));
    }
}

void cli_form_warnings(const shoal_models_result *result, const shoal_plan *plan,
                       const shoal_table *table)
{
    for (size_t m = 0; m < result->n_models; m++)
        for (size_t i = 0; i < plan->n_models; i++) {
            const shoal_model_result *r = &result->models[m];
            const char *column = r->column != SIZE_MAX ? shoal_table_column_name(table, r->column)
                                                       : NULL;
            if (column == NULL || !shoal_model_form_is_default(r, column, &plan->models[i]))
                continue;
            /* the order of numbers is no matter of files */
            if (shoal_table_type(table, r->column) != SHOAL_TYPE_CATEGORICAL) continue;
            bool has_tree = shoal_table_hierarchy(table, r->column) != NULL;
            char *word = shoal_shell_quote(column);
            cli_warn("%s of column '%s' is measured with the %s distance, because the column has "
                     "%s hierarchy here; %s\n"
                     "fix: name the distance that is promised: --%s %s=%s:%s",
                     r->name, column, r->variant, has_tree ? "a" : "no",
                     has_tree ? "a check without it takes another distance"
                              : "a check with one may take another distance",
                     r->name, word != NULL ? word : "COLUMN", r->variant, plan->models[i].value);
            shoal_string_free(word);
        }
}

void cli_protection_text(const shoal_strength *protection, FILE *stream)
{
    for (size_t c = 0; c < protection->n_columns; c++) {
        const shoal_model_result *t = shoal_strength_distance(protection, c);
        fputs("protection of ", stream);
        cli_print_text(stream, shoal_table_column_name(protection->table, t->column));
        fprintf(stream, " (release, original; t with %s distance)\n", t->variant);
        for (size_t i = 0; i < shoal_strength_count(); i++)
            fprintf(stream, "  %-16s %-10.4g %-10.4g %s\n", shoal_strength_key(i),
                    shoal_strength_number(protection, true, i, c)->achieved,
                    shoal_strength_number(protection, false, i, c)->achieved,
                    shoal_strength_help(i));
    }
}
