/* SPDX-License-Identifier: Apache-2.0 */
/* plan_json.c - a plan as JSON with the keys of a plan file, so that it can be read again (JSON is
 * YAML). Keys that are not set are left out. */
#include "report/json.h"

#include <inttypes.h>
#include <stdio.h>

static const char *rest_name(int rest)
{
    return rest == SHOAL_ROLE_DROP ? "drop" : "keep";
}

static void set_word(json_t *object, const char *key, const char *const *words, int choice,
                     bool *failed)
{
    if (choice > 0) shoal_json_set_text(object, key, words[choice - 1], failed);
}

static void set_if_said(json_t *object, const char *key, const char *text, bool *failed)
{
    if (text != NULL) shoal_json_set_text(object, key, text, failed);
}

/* Seeds have 64 bits, jansson's integers 63 and a sign: a greater seed is written as text, which
 * the reader of plans also accepts. */
static void set_seed(json_t *object, const shoal_plan *plan, bool *failed)
{
    char text[24];
    if (!plan->has_seed) return;
    if (plan->seed <= INT64_MAX) {
        shoal_json_set_count(object, "seed", plan->seed, failed);
        return;
    }
    snprintf(text, sizeof text, "%" PRIu64, plan->seed);
    shoal_json_set_text(object, "seed", text, failed);
}

static json_t *columns_json(const shoal_plan *plan, bool *failed)
{
    json_t *list = json_array();
    for (size_t i = 0; i < plan->n_columns; i++) {
        const shoal_plan_column *c = &plan->columns[i];
        json_t *one = json_object();
        shoal_json_set_text(one, "name", c->name, failed);
        if (c->role != SHOAL_ROLE_UNSET)
            shoal_json_set_text(one, "role", shoal_role_name(c->role), failed);
        if (c->type != SHOAL_TYPE_AUTO)
            shoal_json_set_text(one, "type", shoal_type_name(c->type), failed);
        set_if_said(one, "format", c->format, failed);
        set_if_said(one, "hierarchy", c->hierarchy, failed);
        set_if_said(one, "ordered", c->ordered, failed);
        set_if_said(one, "join", c->join, failed);
        set_if_said(one, "sensitive-range", c->sensitive_range, failed);
        set_if_said(one, "priority", c->priority, failed);
        set_if_said(one, "weights", c->weights, failed);
        set_if_said(one, "max-level", c->max_level, failed);
        set_if_said(one, "why", c->why, failed);
        if (json_array_append_new(list, one) != 0) *failed = true;
    }
    return list;
}

static json_t *models_json(const shoal_plan *plan, bool *failed)
{
    json_t *list = json_array();
    for (size_t i = 0; i < plan->n_models; i++) {
        json_t *one = json_object();
        shoal_json_set_text(one, "name", plan->models[i].name, failed);
        shoal_json_set_text(one, "value", plan->models[i].value, failed);
        set_if_said(one, "column", plan->models[i].column, failed);
        if (json_array_append_new(list, one) != 0) *failed = true;
    }
    return list;
}

static json_t *params_json(const shoal_plan *plan, bool *failed)
{
    json_t *list = json_array();
    for (size_t i = 0; i < plan->n_params; i++) {
        json_t *one = json_object();
        shoal_json_set_text(one, "name", plan->params[i].name, failed);
        shoal_json_set_text(one, "value", plan->params[i].value, failed);
        if (json_array_append_new(list, one) != 0) *failed = true;
    }
    return list;
}

/* How the table is read. */
static void set_input(json_t *object, const shoal_plan *plan, bool *failed)
{
    static const char *const missing[] = { "own-category", "wildcard", "conservative" };
    json_t *input = json_object(), *nulls = json_array();
    char delimiter[2] = { plan->delimiter, '\0' };
    if (plan->delimiter != '\0')
        shoal_json_set_text(input, "delimiter", plan->delimiter == '\t' ? "tab" : delimiter,
                            failed);
    if (plan->encoding != SHOAL_ENCODING_UNSET)
        shoal_json_set_text(input, "encoding", shoal_encoding_name(plan->encoding), failed);
    if (plan->no_header != 0) shoal_json_set_text(input, "header", "false", failed);
    for (size_t i = 0; i < plan->n_nulls; i++)
        if (json_array_append_new(nulls, json_string(plan->nulls[i])) != 0) *failed = true;
    if (plan->n_nulls > 0)
        shoal_json_set(input, "nulls", nulls, failed);
    else
        json_decref(nulls);
    set_word(input, "missing", missing, plan->missing, failed);
    if (json_object_size(input) > 0)
        shoal_json_set(object, "input", input, failed);
    else
        json_decref(input);
}

static void set_about(json_t *object, const shoal_plan *plan, bool *failed)
{
    json_t *about = json_object();
    for (size_t i = 0; i < SHOAL_N_ABOUT; i++)
        set_if_said(about, shoal_about_key(i), plan->about[i], failed);
    if (json_object_size(about) > 0)
        shoal_json_set(object, "about", about, failed);
    else
        json_decref(about);
}

char *shoal_plan_json(const shoal_plan *plan)
{
    static const char *const domains[] = { "hierarchy", "data" };
    static const char *const suppressed[] = { "group", "exempt" };
    static const char *const row_orders[] = { "keep", "shuffle" };
    static const char *const skipped[] = { "detected", "none" };
    static const char *const pending[] = { "withhold", "star" };
    static const char *const erasures[] = { "withdraw", "refuse" };
    static const char *const on_missing[] = { "error", "top", "own-leaf" };
    bool failed = false;
    json_t *object = json_object();
    set_input(object, plan, &failed);
    if (plan->n_columns > 0)
        shoal_json_set(object, "columns", columns_json(plan, &failed), &failed);
    if (plan->rest != 0) shoal_json_set_text(object, "rest", rest_name(plan->rest), &failed);
    set_if_said(object, "hierarchies", plan->hierarchies, &failed);
    set_word(object, "on-missing", on_missing, plan->on_missing, &failed);
    set_word(object, "domain", domains, plan->domain, &failed);
    if (plan->k > 0) shoal_json_set_count(object, "k", plan->k, &failed);
    set_if_said(object, "algorithm", plan->algorithm, &failed);
    if (plan->n_params > 0) shoal_json_set(object, "params", params_json(plan, &failed), &failed);
    set_seed(object, plan, &failed);
    if (plan->threads > 0) shoal_json_set_count(object, "threads", plan->threads, &failed);
    if (plan->time_limit > 0) shoal_json_set_real(object, "time-limit", plan->time_limit, &failed);
    if (plan->drop_suppressed != 0) shoal_json_set_text(object, "drop-suppressed", "true", &failed);
    set_word(object, "suppressed", suppressed, plan->suppressed, &failed);
    if (plan->n_models > 0) shoal_json_set(object, "models", models_json(plan, &failed), &failed);
    set_if_said(object, "population", plan->population, &failed);
    if (plan->suppression_limit > 0)
        shoal_json_set_real(object, "suppression-limit", plan->suppression_limit, &failed);
    if (plan->recoding > 0)
        shoal_json_set_text(object, "recoding",
                            shoal_recode_name((shoal_recode_model)(plan->recoding - 1)), &failed);
    set_if_said(object, "priority", plan->priority, &failed);
    set_if_said(object, "weights", plan->weights, &failed);
    set_word(object, "row-order", row_orders, plan->row_order, &failed);
    set_word(object, "skip-rows", skipped, plan->skip_rows, &failed);
    set_if_said(object, "series", plan->series, &failed);
    set_if_said(object, "record-key", plan->record_key, &failed);
    set_word(object, "pending", pending, plan->pending, &failed);
    set_word(object, "erasures", erasures, plan->erasures, &failed);
    if (plan->m_invariance > 0)
        shoal_json_set_count(object, "m-invariance", plan->m_invariance, &failed);
    set_about(object, plan, &failed);
    return shoal_json_finish(object, failed);
}
