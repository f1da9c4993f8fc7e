/* SPDX-License-Identifier: Apache-2.0 */
/* manifest_columns.c - what became of each column: role, type, hierarchy, and small distributions
 * before and after. */
#include "evidence/manifest.h"
#include "table/table_internal.h"

#include <math.h>

static bool is_published(shoal_role role)
{
    return role == SHOAL_ROLE_QUASI || role == SHOAL_ROLE_SENSITIVE || role == SHOAL_ROLE_CLASS ||
           role == SHOAL_ROLE_OTHER || role == SHOAL_ROLE_PSEUDONYM;
}

static bool has_summary(shoal_role role)
{
    return role == SHOAL_ROLE_QUASI || role == SHOAL_ROLE_SENSITIVE || role == SHOAL_ROLE_CLASS;
}

static json_t *bars_json(const shoal_column_summary *s, bool *failed)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->n_bars; i++) {
        json_t *one = json_object();
        shoal_json_set_text(one, "label", s->bars[i].label, failed);
        shoal_json_set_real(one, "before", s->bars[i].before, failed);
        if (s->has_release)
            shoal_json_set_real(one, "after", round(s->bars[i].after * 100) / 100, failed);
        if (json_array_append_new(list, one) != 0) *failed = true;
    }
    return list;
}

static json_t *texts_json(const shoal_column_summary *s, bool *failed)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->n_listed; i++) {
        json_t *one = json_object();
        shoal_json_set_text(one, "text", s->texts[i].text, failed);
        shoal_json_set_count(one, "rows", s->texts[i].n_rows, failed);
        if (json_array_append_new(list, one) != 0) *failed = true;
    }
    return list;
}

static void set_summary(json_t *object, const shoal_column_summary *s, bool *failed)
{
    json_t *before = json_object();
    shoal_json_set_count(before, "values", s->n_values, failed);
    shoal_json_set_count(before, "missing", s->n_missing, failed);
    shoal_json_set(object, "before", before, failed);
    shoal_json_set(object, "bars", bars_json(s, failed), failed);
    if (!s->has_release) return;
    json_t *after = json_object();
    shoal_json_set_count(after, "rows", s->n_released, failed);
    shoal_json_set_count(after, "texts", s->n_texts, failed);
    shoal_json_set_count(after, "exact", s->exact_rows, failed);
    shoal_json_set_count(after, "stars", s->star_rows, failed);
    shoal_json_set_real(after, "median_width", s->median_width, failed);
    shoal_json_set(after, "most_frequent", texts_json(s, failed), failed);
    shoal_json_set(object, "after", after, failed);
}

/* Loss and level of a quasi-identifier. */
static void set_loss(json_t *object, const shoal_outcome *o, size_t column, bool *failed)
{
    const shoal_measures *m = shoal_outcome_measures(o);
    const shoal_grouping *grouping = shoal_outcome_grouping(o);
    for (size_t i = 0; m != NULL && i < m->n_qids; i++) {
        if (m->qid_column[i] != column) continue;
        shoal_json_set_real(object, "loss", m->qid_loss[i], failed);
        uint32_t level = shoal_grouping_level(grouping, i);
        if (level == SHOAL_NO_LEVEL) return;
        shoal_json_set_count(object, "level", level, failed);
        shoal_json_set_count(object, "height", shoal_grouping_height(grouping, i), failed);
    }
}

/* Is it in the first table of the release? Sensitive columns may not be: those of anatomy, and the
 * one that says what to guard. */
static bool is_in_release(const shoal_manifest_request *e, const shoal_table *released, size_t c)
{
    const shoal_table *table = e->report->table;
    shoal_role role = shoal_table_role(table, c);
    if (!is_published(role) || role != SHOAL_ROLE_SENSITIVE) return is_published(role);
    if (shoal_outcome_buckets(e->report->outcome, NULL) != NULL) return false;
    bool has_names = released != NULL && shoal_table_has_header(released);
    return !has_names ||
           shoal_table_find_column(released, shoal_table_column_name(table, c)) != SIZE_MAX;
}

static shoal_status add_column(json_t *list, const shoal_manifest_request *e,
                               const shoal_table *released, size_t c, shoal_error *err)
{
    const shoal_table *table = e->report->table;
    shoal_role role = shoal_table_role(table, c);
    bool failed = false;
    shoal_column_summary summary = { 0 };
    json_t *object = json_object();
    shoal_json_set(object, "name", shoal_json_column_name(table, c), &failed);
    shoal_json_set_text(object, "role", shoal_role_name(role), &failed);
    shoal_json_set(object, "published", json_boolean(is_in_release(e, released, c)), &failed);
    shoal_status status = SHOAL_OK;
    if (has_summary(role)) {
        shoal_json_set_text(object, "type", shoal_type_name(shoal_table_type(table, c)), &failed);
        shoal_json_set(object, "hierarchy", json_boolean(shoal_table_hierarchy(table, c) != NULL),
                       &failed);
        set_loss(object, e->report->outcome, c, &failed);
        status = shoal_column_summary_find(&summary, table,
                                           role == SHOAL_ROLE_QUASI ? released : NULL, c, err);
        if (status == SHOAL_OK) set_summary(object, &summary, &failed);
        shoal_column_summary_clear(&summary);
    }
    if (json_array_append_new(list, object) != 0) failed = true;
    return status != SHOAL_OK ? status : failed ? shoal_fail_memory(err) : SHOAL_OK;
}

/* Columns that the plan has and the table was not opened with: they passed by the library. */
static shoal_status add_others(json_t *list, const shoal_manifest_request *e, shoal_error *err)
{
    bool failed = false;
    for (size_t i = 0; i < e->plan->n_columns; i++) {
        const shoal_column_spec *column = &e->plan->columns[i];
        if (shoal_table_find_column(e->report->table, column->name) != SIZE_MAX) continue;
        json_t *object = json_object();
        shoal_json_set_text(object, "name", column->name, &failed);
        shoal_json_set_text(object, "role", shoal_role_name(column->role), &failed);
        shoal_json_set(object, "published", json_boolean(is_published(column->role)), &failed);
        if (json_array_append_new(list, object) != 0) failed = true;
    }
    return failed ? shoal_fail_memory(err) : SHOAL_OK;
}

shoal_status shoal_json_columns(json_t **out, const shoal_manifest_request *e,
                                const shoal_table *released, shoal_error *err)
{
    json_t *list = json_array();
    shoal_status status = list != NULL ? SHOAL_OK : shoal_fail_memory(err);
    for (size_t c = 0; status == SHOAL_OK && c < shoal_table_n_columns(e->report->table); c++)
        status = add_column(list, e, released, c, err);
    if (status == SHOAL_OK) status = add_others(list, e, err);
    if (status == SHOAL_OK)
        *out = list;
    else
        json_decref(list);
    return status;
}
