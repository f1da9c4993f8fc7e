/* SPDX-License-Identifier: Apache-2.0 */
/* check_json.c - results of a check and of a lower bound as JSON: `shoal check --json`, `shoal
 * bound --json`. */
#include "report/json.h"

#include <math.h>

/* A table of fewer than k rows has no group of k, although no group is below k either: it is empty,
 * or all rows are `*`. */
bool shoal_check_satisfied(const shoal_check_result *check, const shoal_models_result *models,
                           uint32_t k)
{
    return check->failing_groups == 0 && check->n_rows >= k &&
           (models == NULL || models->failing_groups == 0);
}

const char *shoal_exempt_warning(void)
{
    return "exempt rows need not satisfy k: an attacker who knows that a person is among them "
           "finds that person's other columns in these rows";
}

/* How rows of only `*` are read, where it is not the default. */
void shoal_json_set_exempt(json_t *object, const shoal_table *table, bool *failed)
{
    if (!shoal_table_exempts_suppressed(table)) return;
    shoal_json_set_text(object, "suppressed", "exempt", failed);
    shoal_json_set_text(object, "suppressed_warning", shoal_exempt_warning(), failed);
}

bool shoal_after_satisfied(const shoal_after_result *result)
{
    return shoal_difference_satisfied(&result->arrived) &&
           shoal_difference_satisfied(&result->left);
}

static json_t *difference_json(const shoal_difference_result *d, const shoal_table *table,
                               bool *failed)
{
    json_t *object = json_object();
    shoal_json_set_count(object, "rows", d->n_rows, failed);
    shoal_json_set_count(object, "groups", d->n_groups, failed);
    shoal_json_set(object, "min_group",
                   d->n_groups > 0 ? json_integer((json_int_t)d->min_group) : json_null(), failed);
    shoal_json_set_count(object, "failing_groups", d->failing_groups, failed);
    shoal_json_set_count(object, "failing_rows", d->failing_rows, failed);
    if (d->models.n_models > 0 && d->n_groups > 0)
        shoal_json_set(object, "models", shoal_json_models(&d->models, table), failed);
    return object;
}

static json_t *after_json(const shoal_after_result *after, const shoal_table *table, bool *failed)
{
    json_t *object = json_object();
    shoal_json_set_text(object, "release", after->name, failed);
    shoal_json_set(object, "satisfied", json_boolean(shoal_after_satisfied(after)), failed);
    shoal_json_set(object, "arrived", difference_json(&after->arrived, table, failed), failed);
    shoal_json_set(object, "left", difference_json(&after->left, after->earlier, failed), failed);
    return object;
}

static bool all_satisfied(const shoal_after_result *after, size_t n_after)
{
    for (size_t i = 0; i < n_after; i++)
        if (!shoal_after_satisfied(&after[i])) return false;
    return true;
}

void shoal_json_set_text_groups(json_t *object, const shoal_check_result *check,
                                const shoal_table *table, bool *failed)
{
    if (shoal_table_missing(table) != SHOAL_MISSING_WILDCARD) return;
    shoal_json_set_count(object, "min_text_group", check->min_text_group, failed);
    shoal_json_set_count(object, "text_failing_rows", check->text_failing_rows, failed);
}

static json_t *sensitive_list(const shoal_sensitive_result *sensitive, const shoal_table *table,
                              bool *failed)
{
    json_t *list = json_array();
    for (size_t i = 0; i < sensitive->n_columns; i++) {
        json_t *column = json_object();
        shoal_json_set(column, "name", shoal_json_column_name(table, sensitive->columns[i]),
                       failed);
        shoal_json_set_sensitive(column, &sensitive->groups[i],
                                 shoal_table_column_name(table, sensitive->columns[i]), failed);
        if (json_array_append_new(list, column) != 0) *failed = true;
    }
    return list;
}

static json_t *after_list(const shoal_check_report *r, bool *failed)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->n_after; i++)
        if (json_array_append_new(list, after_json(&r->after[i], r->table, failed)) != 0)
            *failed = true;
    return list;
}

static bool is_satisfied(const shoal_check_report *r)
{
    return shoal_check_satisfied(r->check, r->models, r->k) &&
           (r->persons == NULL || r->persons->failing_groups == 0) &&
           all_satisfied(r->after, r->n_after);
}

static void set_models(json_t *object, const char *key, const shoal_models_result *models,
                       const shoal_table *table, bool *failed)
{
    if (models != NULL && models->n_models > 0)
        shoal_json_set(object, key, shoal_json_models(models, table), failed);
}

char *shoal_check_report_json(const shoal_check_report *r)
{
    bool failed = false;
    const shoal_check_result *c = r->check;
    json_t *object = json_object();
    shoal_json_set(object, "satisfied", json_boolean(is_satisfied(r)), &failed);
    shoal_json_set_count(object, "k", r->k, &failed);
    shoal_json_set_count(object, "rows", c->n_rows, &failed);
    shoal_json_set_count(object, "groups", c->n_groups, &failed);
    shoal_json_set_count(object, "min_group", c->min_group, &failed);
    shoal_json_set_count(object, "suppressed_rows", c->suppressed_rows, &failed);
    shoal_json_set_exempt(object, r->table, &failed);
    shoal_json_set_count(object, "failing_groups", c->failing_groups, &failed);
    shoal_json_set_count(object, "failing_rows", c->failing_rows, &failed);
    shoal_json_set_text_groups(object, c, r->table, &failed);
    shoal_json_set_text(object, "missing", shoal_missing_name(shoal_table_missing(r->table)),
                        &failed);
    set_models(object, "models", r->models, r->table, &failed);
    set_models(object, "persons", r->persons, r->original, &failed);
    if (r->sensitive != NULL && r->sensitive->n_columns > 0)
        shoal_json_set(object, "sensitive", sensitive_list(r->sensitive, r->table, &failed),
                       &failed);
    if (r->n_after > 0) shoal_json_set(object, "after", after_list(r, &failed), &failed);
    return shoal_json_finish(object, failed);
}

/* Which of the bounds was the greatest. */
const char *shoal_bound_name(const shoal_bound_parts *parts)
{
    return parts->dual > parts->box ? "dual" : parts->has_boxes ? "box" : "knn";
}

/* Names of the relaxations. */
json_t *shoal_json_relaxations(const shoal_bound_parts *parts, bool *failed)
{
    json_t *list = json_array();
    for (unsigned bit = 1; shoal_bound_relaxation_name(bit) != NULL; bit <<= 1)
        if ((parts->relaxations & bit) &&
            json_array_append_new(list, json_string(shoal_bound_relaxation_name(bit))) != 0)
            *failed = true;
    return list;
}

char *shoal_bound_json(const shoal_bound_parts *parts, const shoal_table *table, uint32_t k,
                       double seconds)
{
    bool failed = false;
    json_t *object = json_object();
    shoal_json_set_count(object, "k", k, &failed);
    shoal_json_set_count(object, "rows", shoal_table_n_rows(table), &failed);
    shoal_json_set_real(object, "lower_bound", parts->bound, &failed);
    shoal_json_set_text(object, "bound", shoal_bound_name(parts), &failed);
    shoal_json_set_real(object, "knn_bound", parts->nearest, &failed);
    shoal_json_set_real(object, "box_bound", parts->box, &failed);
    shoal_json_set_real(object, "dual_bound", parts->n_passes > 0 ? parts->dual : NAN, &failed);
    shoal_json_set_count(object, "passes", parts->n_passes, &failed);
    shoal_json_set_count(object, "cut_branches", parts->n_cut, &failed);
    shoal_json_set(object, "relaxations", shoal_json_relaxations(parts, &failed), &failed);
    shoal_json_set(object, "stopped_early", json_boolean(parts->is_stopped), &failed);
    shoal_json_set_text(object, "missing", shoal_missing_name(shoal_table_missing(table)), &failed);
    shoal_json_set_real(object, "seconds", seconds, &failed);
    return shoal_json_finish(object, failed);
}
