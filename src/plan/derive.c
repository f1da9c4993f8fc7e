/* SPDX-License-Identifier: Apache-2.0 */
/* derive.c - derives from a plan the options of later calls, and plans for reading releases and populations.
 *
 * A release is read as text: quasi-identifiers as categories without hierarchies. A sensitive column is published
 * unchanged, so it is read with the type and the hierarchy of the plan. A population is read as the table was.
 */
#include "base/base.h"

#include <shoal/plan.h>
#include <string.h>

/* ---- the search ---- */

/* Does the plan request the promised model already, with the same value and for all columns? */
static bool is_asked(const shoal_model_spec *models, size_t n, const shoal_model_spec *promised)
{
    for (size_t i = 0; i < n; i++)
        if (models[i].column == NULL && strcmp(models[i].name, promised->name) == 0 && strcmp(models[i].value, promised->value) == 0)
            return true;
    return false;
}

shoal_status shoal_plan_request_make(shoal_plan_request *out, const shoal_plan *plan, shoal_error *err)
{
    shoal_model_spec promised[SHOAL_MAX_PROMISES];
    *out = (shoal_plan_request){ .options = SHOAL_ANONYMIZE_OPTIONS_INIT };
    out->params = shoal_alloc(plan->n_params + 1, sizeof *out->params);
    out->models = shoal_alloc(plan->n_models + SHOAL_MAX_PROMISES, sizeof *out->models);
    if (out->params == NULL || out->models == NULL) {
        shoal_plan_request_clear(out);
        return shoal_fail_memory(err);
    }
    for (size_t i = 0; i < plan->n_params; i++) out->params[i] = (shoal_param){ plan->param_names[i], plan->param_values[i] };
    for (size_t i = 0; i < plan->n_models; i++)
        out->models[i] = (shoal_model_spec){ plan->models[i].name, plan->models[i].value, plan->models[i].column };
    shoal_anonymize_options *o = &out->options;
    o->k = plan->k;
    o->algorithm = plan->algorithm;
    o->params = out->params;
    o->n_params = plan->n_params;
    o->seed = plan->seed;
    o->threads = plan->threads;
    o->time_limit = plan->time_limit;
    o->suppression_limit = plan->suppression_limit;
    o->drop_suppressed = plan->drop_suppressed != 0;
    out->n_models = plan->n_models;
    size_t n_promised = shoal_promised_models(promised, o);
    for (size_t i = 0; i < n_promised; i++)
        if (!is_asked(out->models, plan->n_models, &promised[i])) out->models[out->n_models++] = promised[i];
    o->models = out->models;
    o->n_models = plan->n_models > 0 ? out->n_models : 0; /* repairing groups for requested models must keep the promised ones, too */
    return SHOAL_OK;
}

void shoal_plan_request_clear(shoal_plan_request *request)
{
    shoal_free(request->params);
    shoal_free(request->models);
    *request = (shoal_plan_request){ 0 };
}

static const char *param_of(const shoal_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_params; i++)
        if (strcmp(plan->param_names[i], name) == 0) return plan->param_values[i];
    return NULL;
}

static double number_of(const shoal_plan *plan, const char *name)
{
    double number;
    const char *text = param_of(plan, name);
    return text != NULL && shoal_parse_number(text, strlen(text), &number) ? number : 0;
}

shoal_bucket_options shoal_plan_bucket_options(const shoal_plan *plan)
{
    shoal_bucket_options options = SHOAL_BUCKET_OPTIONS_INIT;
    double l = number_of(plan, "l");
    options.l = l > 0 && l < UINT32_MAX ? (uint32_t)l : 0;
    options.k = plan->k;
    return options;
}

shoal_personal_options shoal_plan_personal_options(const shoal_plan *plan, const shoal_table *table)
{
    shoal_personal_options options = SHOAL_PERSONAL_OPTIONS_INIT;
    const char *guard_column = param_of(plan, "guard-column");
    if (guard_column != NULL && strcmp(guard_column, "none") != 0) options.guard_column = guard_column;
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        const char *name = shoal_table_column_name(table, c);
        bool is_guard = options.guard_column != NULL && strcmp(name, options.guard_column) == 0;
        if (shoal_table_role(table, c) == SHOAL_ROLE_SENSITIVE && !is_guard) options.column = name;
    }
    options.k = plan->k;
    options.breach = number_of(plan, "breach");
    options.guard = param_of(plan, "guard");
    return options;
}

bool shoal_plan_needs_population(const shoal_plan *plan)
{
    for (size_t i = 0; i < plan->n_models; i++)
        if (shoal_model_traits(shoal_model_find(plan->models[i].name)) & SHOAL_MODEL_NEEDS_POPULATION) return true;
    return false;
}

/* ---- other tables ---- */

/* The settings of missing values apply to all tables. */
static shoal_status copy_missing(shoal_plan *out, const shoal_plan *plan, shoal_error *err)
{
    out->missing = plan->missing;
    out->on_missing = plan->on_missing;
    for (size_t i = 0; i < plan->n_nulls; i++) SHOAL_RETURN_IF_ERROR(shoal_plan_add_null(out, plan->nulls[i], err));
    return SHOAL_OK;
}

static shoal_type type_found(const shoal_plan_column *column, const shoal_table *original)
{
    size_t c = original != NULL ? shoal_table_find_column(original, column->name) : SIZE_MAX;
    return c != SIZE_MAX ? shoal_table_type(original, c) : column->type;
}

static shoal_status read_as_it_was(shoal_plan_column *to, const shoal_plan_column *from, const shoal_plan *plan,
                                   const shoal_table *original, shoal_error *err)
{
    char *found = NULL;
    to->type = type_found(from, original);
    SHOAL_RETURN_IF_ERROR(shoal_plan_set_string(&to->sensitive_range, from->sensitive_range, err));
    if (from->hierarchy == NULL && plan->hierarchies != NULL)
        SHOAL_RETURN_IF_ERROR(shoal_hierarchy_find(&found, plan->hierarchies, from->name, err));
    const char *path = from->hierarchy != NULL ? from->hierarchy : found;
    shoal_status status = path != NULL ? shoal_plan_set_string(&to->hierarchy, path, err) : SHOAL_OK;
    shoal_string_free(found);
    return status;
}

shoal_status shoal_plan_for_release(shoal_plan *out, const shoal_plan *plan, const shoal_table *original, unsigned parts,
                                    shoal_error *err)
{
    out->no_header = plan->no_header;
    SHOAL_RETURN_IF_ERROR(copy_missing(out, plan, err));
    for (size_t i = 0; i < plan->n_columns; i++) {
        const shoal_plan_column *from = &plan->columns[i];
        bool is_wanted = from->role == SHOAL_ROLE_QUASI ||
                         (from->role == SHOAL_ROLE_CLASS && (parts & SHOAL_PART_CLASS) != 0) ||
                         (from->role == SHOAL_ROLE_ENTITY && (parts & SHOAL_PART_PERSONS) != 0) ||
                         (from->role == SHOAL_ROLE_SENSITIVE && (parts & (SHOAL_PART_SENSITIVE | SHOAL_PART_SENSITIVE_AS_IT_WAS)) != 0);
        if (!is_wanted) continue;
        shoal_plan_column *to = shoal_plan_column_of(out, from->name);
        if (to == NULL) return shoal_fail_memory(err);
        to->role = from->role;
        to->type = SHOAL_TYPE_CATEGORICAL;
        if (from->role == SHOAL_ROLE_SENSITIVE && (parts & SHOAL_PART_SENSITIVE_AS_IT_WAS) != 0)
            SHOAL_RETURN_IF_ERROR(read_as_it_was(to, from, plan, original, err));
    }
    return SHOAL_OK;
}

shoal_status shoal_plan_for_population(shoal_plan *out, const shoal_plan *plan, const shoal_table *original,
                                       const shoal_table *population, bool by_person, shoal_error *err)
{
    out->no_header = plan->no_header;
    for (size_t i = 0; i < plan->n_columns; i++) {
        const shoal_plan_column *from = &plan->columns[i];
        bool is_person = from->role == SHOAL_ROLE_ENTITY && by_person && shoal_table_find_column(population, from->name) != SIZE_MAX;
        if (from->role != SHOAL_ROLE_QUASI && !is_person) continue;
        shoal_plan_column *to = shoal_plan_column_of(out, from->name);
        if (to == NULL) return shoal_fail_memory(err);
        to->role = from->role;
        to->type = is_person ? SHOAL_TYPE_CATEGORICAL : type_found(from, original);
        SHOAL_RETURN_IF_ERROR(shoal_plan_set_string(&to->hierarchy, from->hierarchy, err));
    }
    SHOAL_RETURN_IF_ERROR(copy_missing(out, plan, err));
    return shoal_plan_set_string(&out->hierarchies, plan->hierarchies, err);
}
