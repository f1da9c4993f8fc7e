/* SPDX-License-Identifier: Apache-2.0 */
/* models.c - privacy models on the command line: from options to the plan, from the plan to the library, and their numbers in reports. */
#include "cli.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each option is named as its model is. */
static const cli_option_id model_options[] = {
    OPT_L_DIVERSITY, OPT_T_CLOSENESS, OPT_ALPHA, OPT_P_SENSITIVE, OPT_BETA_LIKENESS, OPT_DELTA_DISCLOSURE, OPT_DELTA_PRESENCE, OPT_K_MAP,
    OPT_RANGE_DIVERSITY, OPT_GROUP_LOSS,
};

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
        return cli_fail(err, SHOAL_EINVAL, "--%s: no value, or no column before the =; write --%s %s", cli_options[option].name,
                        cli_options[option].name, cli_options[option].argument);
    return shoal_plan_add_model(plan, cli_options[option].name, value, column, err);
}

shoal_status cli_models_read(shoal_plan *plan, const cli_args *args, shoal_error *err)
{
    for (size_t i = 0; i < sizeof model_options / sizeof *model_options; i++) {
        cli_list list;
        CLI_RETURN_IF_ERROR(cli_list_of(&list, args, model_options[i], err));
        shoal_status status = SHOAL_OK;
        for (size_t j = 0; j < list.n_items && status == SHOAL_OK; j++)
            status = add_model(plan, list.items[j], model_options[i], err);
        cli_list_clear(&list);
        CLI_RETURN_IF_ERROR(status);
    }
    if (cli_has(args, OPT_POPULATION))
        CLI_RETURN_IF_ERROR(shoal_plan_set_string(&plan->population, cli_value(args, OPT_POPULATION), err));
    CLI_RETURN_IF_ERROR(cli_real(&plan->suppression_limit, args, OPT_SUPPRESSION_LIMIT, err));
    if (plan->suppression_limit <= 1) return SHOAL_OK;
    return cli_fail(err, SHOAL_EINVAL, "--suppression-limit: not a share of the rows; write --suppression-limit 0.01 for one row in a hundred");
}

/* ---- from the plan to the library ---- */

shoal_status cli_models_specs(shoal_model_spec **out, const shoal_plan *plan, shoal_error *err)
{
    shoal_model_spec *specs = calloc(plan->n_models + SHOAL_MAX_PROMISES, sizeof *specs);
    if (specs == NULL) return cli_fail_memory(err);
    for (size_t i = 0; i < plan->n_models; i++)
        specs[i] = (shoal_model_spec){ plan->models[i].name, plan->models[i].value, plan->models[i].column };
    *out = specs;
    return SHOAL_OK;
}

/* One that was asked for in the same words is there already. */
size_t cli_models_promised(shoal_model_spec *specs, size_t n, const shoal_anonymize_options *options)
{
    shoal_model_spec promised[SHOAL_MAX_PROMISES];
    size_t n_promised = shoal_promised_models(promised, options), n_asked = n;
    for (size_t i = 0; i < n_promised; i++) {
        bool is_asked = false;
        for (size_t j = 0; j < n_asked; j++)
            is_asked |= specs[j].column == NULL && strcmp(specs[j].name, promised[i].name) == 0 && strcmp(specs[j].value, promised[i].value) == 0;
        if (!is_asked) specs[n++] = promised[i];
    }
    return n;
}

static bool needs_population(const shoal_plan *plan)
{
    for (size_t i = 0; i < plan->n_models; i++)
        if (strcmp(plan->models[i].name, "k-map") == 0 || strcmp(plan->models[i].name, "delta-presence") == 0) return true;
    return false;
}

/*
 * The population is read as the table was: a type that was found there holds here too. A value that a hierarchy lacks fits `*` alone, unless
 * --on-missing says otherwise.
 */
shoal_status cli_models_population(shoal_table **out, cli_job *job, shoal_error *err)
{
    if (!needs_population(&job->plan) || job->plan.population == NULL) return SHOAL_OK;
    int on_missing = job->plan.on_missing;
    shoal_type *types = calloc(job->plan.n_columns + 1, sizeof *types);
    if (types == NULL) return cli_fail_memory(err);
    for (size_t i = 0; i < job->plan.n_columns; i++) {
        shoal_plan_column *column = &job->plan.columns[i];
        size_t c = job->table != NULL ? shoal_table_find_column(job->table, column->name) : SIZE_MAX;
        types[i] = column->type;
        if (job->is_original && column->role == SHOAL_ROLE_QUASI && c != SIZE_MAX) column->type = shoal_table_type(job->table, c);
    }
    if (on_missing == 0) job->plan.on_missing = 1 + SHOAL_ON_MISSING_TOP;
    shoal_status status = cli_job_load_population(out, job, job->plan.population, err);
    job->plan.on_missing = on_missing;
    for (size_t i = 0; i < job->plan.n_columns; i++) job->plan.columns[i].type = types[i];
    free(types);
    return status;
}

/* ---- reports ---- */

static json_t *real_or_null(double number)
{
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *asked_json(const shoal_model_result *r)
{
    if (r->n_asked == 1) return json_real(r->asked[0]);
    return json_pack("[f, f]", r->asked[0], r->asked[1]);
}

void *cli_models_json(const shoal_models_result *result, const shoal_table *table)
{
    json_t *list = json_array();
    for (size_t m = 0; m < result->n_models; m++) {
        const shoal_model_result *r = &result->models[m];
        const char *column = r->column != SIZE_MAX ? shoal_table_column_name(table, r->column) : NULL;
        json_t *name = column != NULL ? json_string(column) : NULL; /* NULL too where it is not UTF-8 */
        json_array_append_new(list, json_pack("{s:s, s:s, s:o, s:o, s:o, s:I, s:I}", "name", r->name, "variant", r->variant, "column",
                                              name != NULL ? name : json_null(), "asked", asked_json(r), "achieved",
                                              real_or_null(r->achieved), "failing_groups", (json_int_t)r->failing_groups,
                                              "failing_rows", (json_int_t)r->failing_rows));
    }
    return list;
}

/* "l-diversity distinct 3 of disease" */
static void print_model(FILE *stream, const shoal_model_result *r, const shoal_table *table)
{
    fprintf(stream, "%s%s%s %g", r->name, *r->variant != '\0' ? " " : "", r->variant, r->asked[0]);
    if (r->n_asked > 1) fprintf(stream, ",%g", r->asked[1]);
    if (r->column == SIZE_MAX) return;
    fputs(" of ", stream);
    cli_print_text(stream, shoal_table_column_name(table, r->column));
}

void cli_models_text(const shoal_models_result *result, const shoal_table *table, int width, FILE *stream)
{
    char a[32], b[32];
    for (size_t m = 0; m < result->n_models; m++) {
        const shoal_model_result *r = &result->models[m];
        fprintf(stream, "%-*s", width, m == 0 ? "models" : "");
        print_model(stream, r, table);
        if (isfinite(r->achieved)) fprintf(stream, ": %.4g", r->achieved);
        else fputs(": no number would do", stream);
        if (r->failing_groups == 0) fputs(", holds\n", stream);
        else fprintf(stream, ", does not hold: %s groups, %s rows\n", cli_count(r->failing_groups, a), cli_count(r->failing_rows, b));
    }
}

/* ---- what a table protects, whatever was asked ---- */

/* Asked so low that everything holds: only the numbers achieved are of interest. */
static const struct {
    const char *name, *value, *key, *help;
} protections[] = {
    { "l-diversity", "distinct:1", "distinct_l", "distinct values of the poorest group" },
    { "l-diversity", "entropy:1", "entropy_l", "effective number of values of the poorest group" },
    { "t-closeness", "1", "t", "earth mover's distance of the farthest group from the whole table" },
    { "t-closeness", "equal:1", "t_equal", "the same with all values equally far apart" },
    { "alpha", "1", "alpha", "share of the most frequent value of a group" },
    { "beta-likeness", "basic:1e9", "beta", "greatest relative gain of a value in a group" },
    { "delta-disclosure", "present:1000", "delta", "greatest |ln| of a value's share against the whole table" },
};

enum { N_PROTECTIONS = sizeof protections / sizeof *protections };

shoal_status cli_protection_find(shoal_models_result *out, const shoal_table *table, uint32_t threads, shoal_error *err)
{
    shoal_model_spec specs[N_PROTECTIONS];
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    for (size_t i = 0; i < N_PROTECTIONS; i++) specs[i] = (shoal_model_spec){ protections[i].name, protections[i].value, NULL };
    options.models = specs;
    options.n_models = N_PROTECTIONS;
    options.threads = threads;
    return shoal_check_models(out, table, &options, err);
}

/* Results stand by specification, then by column. */
static const shoal_model_result *find_result(const shoal_models_result *result, size_t specification, size_t column, size_t n_columns)
{
    return &result->models[specification * n_columns + column];
}

static json_t *numbers_json(const shoal_models_result *result, size_t column, size_t n_columns)
{
    json_t *object = json_object();
    for (size_t i = 0; i < N_PROTECTIONS; i++)
        json_object_set_new(object, protections[i].key, real_or_null(find_result(result, i, column, n_columns)->achieved));
    return object;
}

void *cli_protection_json(const shoal_models_result *released, const shoal_models_result *original, const shoal_table *table)
{
    json_t *list = json_array();
    size_t n_columns = released->n_models / N_PROTECTIONS;
    for (size_t c = 0; c < n_columns; c++) {
        const shoal_model_result *t = find_result(released, 2, c, n_columns);
        json_t *name = json_string(shoal_table_column_name(table, t->column));
        json_array_append_new(list, json_pack("{s:o, s:s, s:o, s:o}", "column", name != NULL ? name : json_null(), "t_distance",
                                              t->variant, "release", numbers_json(released, c, n_columns), "original",
                                              numbers_json(original, c, n_columns)));
    }
    return list;
}

void cli_protection_text(const shoal_models_result *released, const shoal_models_result *original, const shoal_table *table,
                         FILE *stream)
{
    size_t n_columns = released->n_models / N_PROTECTIONS;
    for (size_t c = 0; c < n_columns; c++) {
        const shoal_model_result *t = find_result(released, 2, c, n_columns);
        fputs("protection of ", stream);
        cli_print_text(stream, shoal_table_column_name(table, t->column));
        fprintf(stream, " (release, original; t by %s distance)\n", t->variant);
        for (size_t i = 0; i < N_PROTECTIONS; i++)
            fprintf(stream, "  %-16s %-10.4g %-10.4g %s\n", protections[i].key, find_result(released, i, c, n_columns)->achieved,
                    find_result(original, i, c, n_columns)->achieved, protections[i].help);
    }
}
