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

shoal_status shoal_plan_need_k(const shoal_spec *plan, shoal_error *err)
{
    if (plan->k != 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "k is required {fix} write, for example, {-k 10}, or k: 10 in the plan");
}

bool shoal_plan_needs_population(const shoal_spec *plan)
{
    for (size_t i = 0; i < plan->n_models; i++)
        if (shoal_model_traits(shoal_model_find(plan->models[i].name)) &
            SHOAL_MODEL_NEEDS_POPULATION)
            return true;
    return false;
}

shoal_status shoal_plan_weigh(const shoal_spec *plan, shoal_measures *measures, shoal_error *err)
{
    return shoal_measures_weigh_as_said(measures, shoal_said_param(plan, "w_u"),
                                        shoal_said_param(plan, "w_p"), err);
}

/* ---- other tables ---- */

/* The settings of missing values, and how rows of only `*` are read, apply to all tables. */
static shoal_status copy_missing(shoal_spec *out, const shoal_spec *plan, shoal_error *err)
{
    out->missing = plan->missing;
    out->on_missing = plan->on_missing;
    out->suppressed = plan->suppressed;
    for (size_t i = 0; i < plan->n_nulls; i++)
        SHOAL_RETURN_IF_ERROR(shoal_plan_add_null(out, plan->nulls[i], err));
    return SHOAL_OK;
}

static shoal_type type_found(const shoal_column_spec *column, const shoal_table *original)
{
    size_t c = original != NULL ? shoal_table_find_column(original, column->name) : SIZE_MAX;
    return c != SIZE_MAX ? shoal_table_type(original, c) : column->type;
}

static const char *format_found(const shoal_column_spec *column, const shoal_table *original)
{
    size_t c = original != NULL ? shoal_table_find_column(original, column->name) : SIZE_MAX;
    return c != SIZE_MAX ? shoal_table_format(original, c) : column->format;
}

static shoal_status read_as_it_was(shoal_column_spec *to, const shoal_column_spec *from,
                                   const shoal_spec *plan, const shoal_table *original,
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

shoal_status shoal_plan_for_release(shoal_spec *out, const shoal_spec *plan,
                                    const shoal_table *original, unsigned parts, shoal_error *err)
{
    return shoal_plan_for_opened_release(out, plan, original, NULL, parts, err);
}

/* `released` may be NULL: its columns are not known. */
static bool is_sensitive_wanted(const shoal_column_spec *column, const shoal_table *released,
                                unsigned parts)
{
    if ((parts & (SHOAL_PART_SENSITIVE | SHOAL_PART_SENSITIVE_AS_IT_WAS)) != 0) return true;
    return (parts & SHOAL_PART_SENSITIVE_IF_THERE) != 0 && released != NULL &&
           shoal_table_find_column(released, column->name) != SIZE_MAX;
}

shoal_status shoal_plan_for_opened_release(shoal_spec *out, const shoal_spec *plan,
                                           const shoal_table *original, const shoal_table *released,
                                           unsigned parts, shoal_error *err)
{
    out->no_header = plan->no_header;
    SHOAL_RETURN_IF_ERROR(copy_missing(out, plan, err));
    for (size_t i = 0; i < plan->n_columns; i++) {
        const shoal_column_spec *from = &plan->columns[i];
        bool is_wanted = from->role == SHOAL_ROLE_QUASI ||
                         (from->role == SHOAL_ROLE_CLASS && (parts & SHOAL_PART_CLASS) != 0) ||
                         (from->role == SHOAL_ROLE_ENTITY && (parts & SHOAL_PART_PERSONS) != 0) ||
                         (from->role == SHOAL_ROLE_COUNT && (parts & SHOAL_PART_COUNTS) != 0) ||
                         (from->role == SHOAL_ROLE_SENSITIVE &&
                          is_sensitive_wanted(from, released, parts));
        if (!is_wanted) continue;
        shoal_column_spec *to = shoal_plan_column_of(out, from->name);
        if (to == NULL) return shoal_fail_memory(err);
        to->role = from->role;
        SHOAL_RETURN_IF_ERROR(shoal_plan_set_string(&to->join, from->join, err));
        to->type = from->role == SHOAL_ROLE_COUNT ? SHOAL_TYPE_NUMERIC : SHOAL_TYPE_CATEGORICAL;
        if (from->role == SHOAL_ROLE_SENSITIVE && (parts & SHOAL_PART_SENSITIVE_AS_IT_WAS) != 0)
            SHOAL_RETURN_IF_ERROR(read_as_it_was(to, from, plan, original, err));
    }
    return SHOAL_OK;
}

shoal_status shoal_plan_for_population(shoal_spec *out, const shoal_spec *plan,
                                       const shoal_table *original, const shoal_table *population,
                                       bool by_person, shoal_error *err)
{
    out->no_header = plan->no_header;
    for (size_t i = 0; i < plan->n_columns; i++) {
        const shoal_column_spec *from = &plan->columns[i];
        bool is_person = from->role == SHOAL_ROLE_ENTITY && by_person &&
                         shoal_table_find_column(population, from->name) != SIZE_MAX;
        if (from->role != SHOAL_ROLE_QUASI && !is_person) continue;
        shoal_column_spec *to = shoal_plan_column_of(out, from->name);
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
