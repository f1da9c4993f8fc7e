/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - sets, merges and clears plans.
 *
 * Invariant: every string in a plan is its own copy, and each column and each parameter has one
 * entry. A call that runs out of memory may have applied some of its changes; the plan can always
 * be cleared. `names` numbers the entries of `columns`, unless entries were added without
 * shoal_plan_column_of(): then the search is linear. Look-ups of parameters are linear, too: there
 * are few.
 */
#include "plan/find_entry.h"

#include "table/dictionary.h"

#include <string.h>

const char *shoal_about_key(size_t index)
{
    static const char *const keys[SHOAL_N_ABOUT] = { "purpose", "recipients",  "environment",
                                                     "contact", "review-date", "earlier-releases" };
    return index < SHOAL_N_ABOUT ? keys[index] : NULL;
}

shoal_column_spec *shoal_plan_find_entry(const shoal_spec *plan, const char *name)
{
    if (plan->names != NULL && plan->names->n_values == plan->n_columns) {
        uint32_t at = shoal_dictionary_find(plan->names, name, strlen(name));
        return at != SHOAL_NO_CODE ? &plan->columns[at] : NULL;
    }
    for (size_t i = 0; i < plan->n_columns; i++)
        if (strcmp(plan->columns[i].name, name) == 0) return &plan->columns[i];
    return NULL;
}

static size_t find_param(const shoal_spec *plan, const char *name)
{
    size_t i = 0;
    while (i < plan->n_params && strcmp(plan->params[i].name, name) != 0) i++;
    return i;
}

/* ---- what a specification owns ---- */

/* Texts and arrays are const for readers; here they are made, grown and freed. */

static void free_text(const char *text)
{
    shoal_free((void *)(uintptr_t)text);
}

static shoal_param *own_params(shoal_spec *spec)
{
    return (shoal_param *)(uintptr_t)spec->params;
}

static shoal_model_spec *own_models(shoal_spec *spec)
{
    return (shoal_model_spec *)(uintptr_t)spec->models;
}

/* Make room for one more string after `n`. False when out of memory. */
static bool grow_strings(const char ***strings, size_t n)
{
    const char **grown = shoal_resize(*strings, n + 1, sizeof *grown);
    if (grown != NULL) *strings = grown;
    return grown != NULL;
}

static void free_strings(const char **strings, size_t n)
{
    for (size_t i = 0; i < n; i++) free_text(strings[i]);
    shoal_free(strings);
}

/* Enter the name of the entry after the last one. False when out of memory. */
static bool enter_name(shoal_spec *plan, const char *name)
{
    if (plan->names == NULL) {
        plan->names = shoal_alloc_zero(1, sizeof *plan->names);
        if (plan->names == NULL) return false;
    }
    if (plan->names->slots == NULL && !shoal_dictionary_init(plan->names, 0)) return false;
    size_t length = strlen(name);
    return plan->names->n_values != plan->n_columns ||
           shoal_dictionary_add(plan->names, name, length, name + length, NULL) != SHOAL_NO_CODE;
}

shoal_column_spec *shoal_plan_column_of(shoal_spec *plan, const char *name)
{
    shoal_column_spec *column = shoal_plan_find_entry(plan, name);
    if (column != NULL) return column;
    size_t n = plan->n_columns;
    /* room for a power of two, which is full now */
    if ((n & (n - 1)) == 0 || plan->names == NULL) {
        column = shoal_resize(plan->columns, n > 0 ? 2 * n : 1, sizeof *column);
        if (column == NULL) return NULL;
        plan->columns = column;
    }
    column = plan->columns + n;
    *column = (shoal_column_spec){ .name = shoal_copy_text(name, strlen(name)) };
    if (column->name == NULL) return NULL;
    if (!enter_name(plan, column->name)) {
        free_text(column->name);
        return NULL;
    }
    plan->n_columns++;
    return column;
}

shoal_status shoal_plan_set_string(const char **field, const char *value, shoal_error *err)
{
    char *copy = NULL;
    if (value != NULL) {
        copy = shoal_copy_text(value, strlen(value));
        if (copy == NULL) return shoal_fail_memory(err);
    }
    free_text(*field);
    *field = copy;
    return SHOAL_OK;
}

shoal_status shoal_plan_set_param(shoal_spec *plan, const char *name, const char *value,
                                  shoal_error *err)
{
    size_t at = find_param(plan, name);
    shoal_param *params = own_params(plan);
    if (at < plan->n_params) return shoal_plan_set_string(&params[at].value, value, err);

    char *name_copy = shoal_copy_text(name, strlen(name));
    char *value_copy = shoal_copy_text(value, strlen(value));
    params = shoal_resize(params, at + 1, sizeof *params);
    if (params != NULL) plan->params = params;
    if (name_copy == NULL || value_copy == NULL || params == NULL) {
        shoal_free(name_copy);
        shoal_free(value_copy);
        return shoal_fail_memory(err);
    }
    params[at] = (shoal_param){ name_copy, value_copy };
    plan->n_params++;
    return SHOAL_OK;
}

shoal_status shoal_plan_add_null(shoal_spec *plan, const char *string, shoal_error *err)
{
    for (size_t i = 0; i < plan->n_nulls; i++)
        if (strcmp(plan->nulls[i], string) == 0) return SHOAL_OK;
    char *copy = shoal_copy_text(string, strlen(string));
    if (copy == NULL || !grow_strings(&plan->nulls, plan->n_nulls)) {
        shoal_free(copy);
        return shoal_fail_memory(err);
    }
    plan->nulls[plan->n_nulls++] = copy;
    return SHOAL_OK;
}

/* ---- models ---- */

static size_t variant_size(const char *value)
{
    const char *colon = strchr(value, ':');
    return colon != NULL ? (size_t)(colon - value) : 0;
}

static bool same_column(const char *x, const char *y)
{
    return x == NULL || y == NULL ? x == y : strcmp(x, y) == 0;
}

static bool is_same_model(const shoal_model_spec *model, const char *name, const char *value,
                          const char *column)
{
    size_t size = variant_size(value);
    return strcmp(model->name, name) == 0 && same_column(model->column, column) &&
           variant_size(model->value) == size && memcmp(model->value, value, size) == 0;
}

static void clear_model(const shoal_model_spec *model)
{
    free_text(model->name);
    free_text(model->value);
    free_text(model->column);
}

shoal_status shoal_plan_add_model(shoal_spec *plan, const char *name, const char *value,
                                  const char *column, shoal_error *err)
{
    for (size_t i = 0; i < plan->n_models; i++)
        if (is_same_model(&plan->models[i], name, value, column))
            return shoal_plan_set_string(&own_models(plan)[i].value, value, err);
    shoal_model_spec made = { .name = shoal_copy_text(name, strlen(name)),
                              .value = shoal_copy_text(value, strlen(value)),
                              .column = column != NULL ? shoal_copy_text(column, strlen(column))
                                                       : NULL };
    shoal_model_spec *grown = shoal_resize(own_models(plan), plan->n_models + 1, sizeof *grown);
    if (grown != NULL) plan->models = grown;
    if (grown == NULL || made.name == NULL || made.value == NULL ||
        (column != NULL && made.column == NULL)) {
        clear_model(&made);
        return shoal_fail_memory(err);
    }
    grown[plan->n_models++] = made;
    return SHOAL_OK;
}

/* If the upper plan has a model of a name, in any form and for any column, then the lower plan's
 * models of that name are ignored. */
static shoal_status lay_models_under(shoal_spec *plan, const shoal_spec *under, shoal_error *err)
{
    size_t n_said = plan->n_models;
    for (size_t i = 0; i < under->n_models; i++) {
        const shoal_model_spec *model = &under->models[i];
        bool is_said = false;
        for (size_t j = 0; j < n_said; j++)
            is_said |= strcmp(plan->models[j].name, model->name) == 0;
        if (!is_said)
            SHOAL_RETURN_IF_ERROR(
                shoal_plan_add_model(plan, model->name, model->value, model->column, err));
    }
    return SHOAL_OK;
}

/* ---- one plan under another ---- */

static shoal_status lay_text_under(const char **field, const char *under, shoal_error *err)
{
    return *field != NULL ? SHOAL_OK : shoal_plan_set_string(field, under, err);
}

static shoal_status lay_columns_under(shoal_spec *plan, const shoal_spec *under, shoal_error *err)
{
    for (size_t i = 0; i < under->n_columns; i++) {
        const shoal_column_spec *from = &under->columns[i];
        shoal_column_spec *to = shoal_plan_column_of(plan, from->name);
        if (to == NULL) return shoal_fail_memory(err);
        if (to->role == SHOAL_ROLE_UNSET) to->role = from->role;
        if (to->type == SHOAL_TYPE_AUTO) to->type = from->type;
        SHOAL_RETURN_IF_ERROR(lay_text_under(&to->format, from->format, err));
        SHOAL_RETURN_IF_ERROR(lay_text_under(&to->hierarchy, from->hierarchy, err));
        SHOAL_RETURN_IF_ERROR(lay_text_under(&to->ordered, from->ordered, err));
        SHOAL_RETURN_IF_ERROR(lay_text_under(&to->join, from->join, err));
        SHOAL_RETURN_IF_ERROR(lay_text_under(&to->sensitive_range, from->sensitive_range, err));
        SHOAL_RETURN_IF_ERROR(lay_text_under(&to->priority, from->priority, err));
        SHOAL_RETURN_IF_ERROR(lay_text_under(&to->weights, from->weights, err));
        SHOAL_RETURN_IF_ERROR(lay_text_under(&to->max_level, from->max_level, err));
        SHOAL_RETURN_IF_ERROR(lay_text_under(&to->why, from->why, err));
    }
    return SHOAL_OK;
}

/* Parameters belong to an algorithm: if the upper plan names another one, the lower plan's
 * parameters do not apply. */
static shoal_status lay_params_under(shoal_spec *plan, const shoal_spec *under, shoal_error *err)
{
    if (plan->algorithm != NULL && under->algorithm != NULL &&
        strcmp(plan->algorithm, under->algorithm) != 0)
        return SHOAL_OK;
    for (size_t i = 0; i < under->n_params; i++)
        if (find_param(plan, under->params[i].name) == plan->n_params)
            SHOAL_RETURN_IF_ERROR(
                shoal_plan_set_param(plan, under->params[i].name, under->params[i].value, err));
    return SHOAL_OK;
}

static shoal_status lay_nulls_under(shoal_spec *plan, const shoal_spec *under, shoal_error *err)
{
    if (plan->n_nulls > 0) return SHOAL_OK; /* lists are not merged */
    for (size_t i = 0; i < under->n_nulls; i++)
        SHOAL_RETURN_IF_ERROR(shoal_plan_add_null(plan, under->nulls[i], err));
    return SHOAL_OK;
}

static void lay_numbers_under(shoal_spec *plan, const shoal_spec *under)
{
    if (plan->rest == 0) plan->rest = under->rest;
    if (plan->delimiter == 0) plan->delimiter = under->delimiter;
    if (plan->no_header == 0) plan->no_header = under->no_header;
    if (plan->encoding == SHOAL_ENCODING_UNSET) plan->encoding = under->encoding;
    if (plan->missing == 0) plan->missing = under->missing;
    if (plan->domain == 0) plan->domain = under->domain;
    if (plan->on_missing == 0) plan->on_missing = under->on_missing;
    if (plan->k == 0) plan->k = under->k;
    if (!plan->has_seed) {
        plan->seed = under->seed;
        plan->has_seed = under->has_seed;
    }
    if (plan->threads == 0) plan->threads = under->threads;
    if (!(plan->time_limit > 0)) plan->time_limit = under->time_limit;
    if (plan->drop_suppressed == 0) plan->drop_suppressed = under->drop_suppressed;
    if (!(plan->suppression_limit > 0)) plan->suppression_limit = under->suppression_limit;
    if (plan->recoding == 0) plan->recoding = under->recoding;
    if (plan->suppressed == 0) plan->suppressed = under->suppressed;
    if (plan->row_order == 0) plan->row_order = under->row_order;
    if (plan->skip_rows == 0) plan->skip_rows = under->skip_rows;
    if (plan->pending == 0) plan->pending = under->pending;
    if (plan->erasures == 0) plan->erasures = under->erasures;
    if (plan->m_invariance == 0) plan->m_invariance = under->m_invariance;
}

shoal_status shoal_plan_lay_under(shoal_spec *plan, const shoal_spec *under, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(lay_columns_under(plan, under, err));
    SHOAL_RETURN_IF_ERROR(lay_nulls_under(plan, under, err));
    /* must compare the algorithms before they are merged */
    SHOAL_RETURN_IF_ERROR(lay_params_under(plan, under, err));
    SHOAL_RETURN_IF_ERROR(lay_models_under(plan, under, err));
    SHOAL_RETURN_IF_ERROR(lay_text_under(&plan->population, under->population, err));
    SHOAL_RETURN_IF_ERROR(lay_text_under(&plan->hierarchies, under->hierarchies, err));
    SHOAL_RETURN_IF_ERROR(lay_text_under(&plan->algorithm, under->algorithm, err));
    SHOAL_RETURN_IF_ERROR(lay_text_under(&plan->priority, under->priority, err));
    SHOAL_RETURN_IF_ERROR(lay_text_under(&plan->weights, under->weights, err));
    SHOAL_RETURN_IF_ERROR(lay_text_under(&plan->series, under->series, err));
    SHOAL_RETURN_IF_ERROR(lay_text_under(&plan->record_key, under->record_key, err));
    for (size_t i = 0; i < SHOAL_N_ABOUT; i++)
        SHOAL_RETURN_IF_ERROR(lay_text_under(&plan->about[i], under->about[i], err));
    lay_numbers_under(plan, under);
    return SHOAL_OK;
}

void shoal_plan_clear(shoal_spec *plan)
{
    if (plan == NULL) return;
    for (size_t i = 0; i < plan->n_columns; i++) {
        free_text(plan->columns[i].name);
        free_text(plan->columns[i].format);
        free_text(plan->columns[i].hierarchy);
        free_text(plan->columns[i].ordered);
        free_text(plan->columns[i].join);
        free_text(plan->columns[i].sensitive_range);
        free_text(plan->columns[i].priority);
        free_text(plan->columns[i].weights);
        free_text(plan->columns[i].max_level);
        free_text(plan->columns[i].why);
    }
    shoal_free(plan->columns);
    if (plan->names != NULL) shoal_dictionary_clear(plan->names);
    shoal_free(plan->names);
    free_strings(plan->nulls, plan->n_nulls);
    for (size_t i = 0; i < plan->n_params; i++) {
        free_text(plan->params[i].name);
        free_text(plan->params[i].value);
    }
    shoal_free(own_params(plan));
    for (size_t i = 0; i < plan->n_models; i++) clear_model(&plan->models[i]);
    shoal_free(own_models(plan));
    free_text(plan->population);
    free_text(plan->hierarchies);
    free_text(plan->algorithm);
    free_text(plan->priority);
    free_text(plan->weights);
    free_text(plan->series);
    free_text(plan->record_key);
    for (size_t i = 0; i < SHOAL_N_ABOUT; i++) free_text(plan->about[i]);
    *plan = (shoal_spec)SHOAL_SPEC_INIT;
}
