/* SPDX-License-Identifier: Apache-2.0 */
/* derive.c - derives from a plan the options of later calls, and plans for reading releases and
 * populations.
 *
 * A release is read as text: quasi-identifiers as categories without hierarchies. A sensitive
 * column is published unchanged, so it is read with the type and the hierarchy of the plan. A
 * population is read as the table was.
 */
#include "base/base.h"
#include "measure/measures.h"
#include "pipeline/promises.h"

#include <shoal/plan.h>
#include <string.h>

/* ---- the search ---- */

shoal_status shoal_plan_request_make(shoal_plan_request *out, const shoal_plan *plan,
                                     shoal_error *err)
{
    *out = (shoal_plan_request){ .options = SHOAL_ANONYMIZE_OPTIONS_INIT };
    out->params = shoal_alloc(plan->n_params + 1, sizeof *out->params);
    out->models = shoal_alloc(plan->n_models + SHOAL_MAX_PROMISES, sizeof *out->models);
    if (out->params == NULL || out->models == NULL) {
        shoal_plan_request_clear(out);
        return shoal_fail_memory(err);
    }
    for (size_t i = 0; i < plan->n_params; i++)
        out->params[i] = (shoal_param){ plan->param_names[i], plan->param_values[i] };
    for (size_t i = 0; i < plan->n_models; i++)
        out->models[i] = (shoal_model_spec){ plan->models[i].name, plan->models[i].value,
                                             plan->models[i].column };
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
    out->n_models = shoal_add_promises(out->models, plan->n_models, o);
    o->models = out->models;
    /* repairing groups for requested models must keep the promised ones, too */
    o->n_models = plan->n_models > 0 ? out->n_models : 0;
    return SHOAL_OK;
}

void shoal_plan_request_clear(shoal_plan_request *request)
{
    shoal_free(request->params);
    shoal_free(request->models);
    *request = (shoal_plan_request){ 0 };
}

shoal_pipeline_options shoal_plan_pipeline(const shoal_plan *plan,
                                           const shoal_plan_request *request)
{
    shoal_pipeline_options options = SHOAL_PIPELINE_OPTIONS_INIT;
    options.anonymize = &request->options;
    options.recoding = plan->recoding > 0 ? (shoal_recode_model)(plan->recoding - 1)
                                          : SHOAL_RECODE_LOCAL;
    options.drop_suppressed = plan->drop_suppressed != 0;
    options.shuffle_rows = plan->row_order == 2;
    return options;
}

bool shoal_plan_needs_population(const shoal_plan *plan)
{
    for (size_t i = 0; i < plan->n_models; i++)
        if (shoal_model_traits(shoal_model_find(plan->models[i].name)) &
            SHOAL_MODEL_NEEDS_POPULATION)
            return true;
    return false;
}

static const char *plan_param(const shoal_plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_params; i++)
        if (strcmp(plan->param_names[i], name) == 0) return plan->param_values[i];
    return NULL;
}

shoal_status shoal_plan_weigh(const shoal_plan *plan, shoal_measures *measures, shoal_error *err)
{
    return shoal_measures_weigh_as_said(measures, plan_param(plan, "w_u"), plan_param(plan, "w_p"),
                                        err);
}

/* ---- other tables ---- */

/* The settings of missing values, and how rows of only `*` are read, apply to all tables. */
static shoal_status copy_missing(shoal_plan *out, const shoal_plan *plan, shoal_error *err)
{
    out->missing = plan->missing;
    out->on_missing = plan->on_missing;
    out->suppressed = plan->suppressed;
    for (size_t i = 0; i < plan->n_nulls; i++)
        SHOAL_RETURN_IF_ERROR(shoal_plan_add_null(out, plan->nulls[i], err));
    return SHOAL_OK;
}

static shoal_type type_found(const shoal_plan_column *column, const shoal_table *original)
{
    size_t c = original != NULL ? shoal_table_find_column(original, column->name) : SIZE_MAX;
    return c != SIZE_MAX ? shoal_table_type(original, c) : column->type;
}

static const char *format_found(const shoal_plan_column *column, const shoal_table *original)
{
    size_t c = original != NULL ? shoal_table_find_column(original, column->name) : SIZE_MAX;
    return c != SIZE_MAX ? shoal_table_format(original, c) : column->format;
}

static shoal_status read_as_it_was(shoal_plan_column *to, const shoal_plan_column *from,
                                   const shoal_plan *plan, const shoal_table *original,
                                   shoal_error *err)
{
    char *found = NULL;
    to->type = type_found(from, original);
    SHOAL_RETURN_IF_ERROR(shoal_plan_set_string(&to->ordered, from->ordered, err));
    SHOAL_RETURN_IF_ERROR(shoal_plan_set_string(&to->format, format_found(from, original), err));
    SHOAL_RETURN_IF_ERROR(shoal_plan_set_string(&to->sensitive_range, from->sensitive_range, err));
    if (from->hierarchy == NULL && plan->hierarchies != NULL)
        SHOAL_RETURN_IF_ERROR(shoal_hierarchy_find(&found, plan->hierarchies, from->name, err));
    const char *path = from->hierarchy != NULL ? from->hierarchy : found;
    shoal_status status = path != NULL ? shoal_plan_set_string(&to->hierarchy, path, err)
                                       : SHOAL_OK;
    shoal_string_free(found);
    return status;
}

shoal_status shoal_plan_for_release(shoal_plan *out, const shoal_plan *plan,
                                    const shoal_table *original, unsigned parts, shoal_error *err)
{
    return shoal_plan_for_opened_release(out, plan, original, NULL, parts, err);
}

/* `released` may be NULL: nobody knows its columns. */
static bool is_sensitive_wanted(const shoal_plan_column *column, const shoal_table *released,
                                unsigned parts)
{
    if ((parts & (SHOAL_PART_SENSITIVE | SHOAL_PART_SENSITIVE_AS_IT_WAS)) != 0) return true;
    return (parts & SHOAL_PART_SENSITIVE_IF_THERE) != 0 && released != NULL &&
           shoal_table_find_column(released, column->name) != SIZE_MAX;
}

shoal_status shoal_plan_for_opened_release(shoal_plan *out, const shoal_plan *plan,
                                           const shoal_table *original, const shoal_table *released,
                                           unsigned parts, shoal_error *err)
{
    out->no_header = plan->no_header;
    SHOAL_RETURN_IF_ERROR(copy_missing(out, plan, err));
    for (size_t i = 0; i < plan->n_columns; i++) {
        const shoal_plan_column *from = &plan->columns[i];
        bool is_wanted = from->role == SHOAL_ROLE_QUASI ||
                         (from->role == SHOAL_ROLE_CLASS && (parts & SHOAL_PART_CLASS) != 0) ||
                         (from->role == SHOAL_ROLE_ENTITY && (parts & SHOAL_PART_PERSONS) != 0) ||
                         (from->role == SHOAL_ROLE_COUNT && (parts & SHOAL_PART_COUNTS) != 0) ||
                         (from->role == SHOAL_ROLE_SENSITIVE &&
                          is_sensitive_wanted(from, released, parts));
        if (!is_wanted) continue;
        shoal_plan_column *to = shoal_plan_column_of(out, from->name);
        if (to == NULL) return shoal_fail_memory(err);
        to->role = from->role;
        SHOAL_RETURN_IF_ERROR(shoal_plan_set_string(&to->join, from->join, err));
        to->type = from->role == SHOAL_ROLE_COUNT ? SHOAL_TYPE_NUMERIC : SHOAL_TYPE_CATEGORICAL;
        if (from->role == SHOAL_ROLE_SENSITIVE && (parts & SHOAL_PART_SENSITIVE_AS_IT_WAS) != 0)
            SHOAL_RETURN_IF_ERROR(read_as_it_was(to, from, plan, original, err));
    }
    return SHOAL_OK;
}

shoal_status shoal_plan_for_population(shoal_plan *out, const shoal_plan *plan,
                                       const shoal_table *original, const shoal_table *population,
                                       bool by_person, shoal_error *err)
{
    out->no_header = plan->no_header;
    for (size_t i = 0; i < plan->n_columns; i++) {
        const shoal_plan_column *from = &plan->columns[i];
        bool is_person = from->role == SHOAL_ROLE_ENTITY && by_person &&
                         shoal_table_find_column(population, from->name) != SIZE_MAX;
        if (from->role != SHOAL_ROLE_QUASI && !is_person) continue;
        shoal_plan_column *to = shoal_plan_column_of(out, from->name);
        if (to == NULL) return shoal_fail_memory(err);
        to->role = from->role;
        to->type = is_person ? SHOAL_TYPE_CATEGORICAL : type_found(from, original);
        SHOAL_RETURN_IF_ERROR(shoal_plan_set_string(&to->join, from->join, err));
        SHOAL_RETURN_IF_ERROR(shoal_plan_set_string(&to->ordered, from->ordered, err));
        if (!is_person)
            SHOAL_RETURN_IF_ERROR(
                shoal_plan_set_string(&to->format, format_found(from, original), err));
        SHOAL_RETURN_IF_ERROR(shoal_plan_set_string(&to->hierarchy, from->hierarchy, err));
    }
    SHOAL_RETURN_IF_ERROR(copy_missing(out, plan, err));
    return shoal_plan_set_string(&out->hierarchies, plan->hierarchies, err);
}
