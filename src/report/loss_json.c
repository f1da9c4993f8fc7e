/* SPDX-License-Identifier: Apache-2.0 */
/* loss_json.c - sources of the unavoidable loss as JSON: `shoal explain-loss --json`. */
#include "report/json.h"

static json_t *columns_json(const shoal_loss_explanation *e, const shoal_table *table, bool *failed)
{
    json_t *list = json_array();
    for (size_t i = 0; i < e->n_columns; i++) {
        json_t *object = json_object();
        shoal_json_set(object, "name", shoal_json_column_name(table, e->columns[i].column), failed);
        shoal_json_set_real(object, "rest_at_least", e->columns[i].rest, failed);
        shoal_json_set_real(object, "bound_taken", e->columns[i].taken, failed);
        if (json_array_append_new(list, object) != 0) *failed = true;
    }
    return list;
}

static json_t *ks_json(const shoal_loss_explanation *e, bool *failed)
{
    json_t *list = json_array();
    for (size_t i = 0; i < e->n_ks; i++) {
        json_t *object = json_object();
        shoal_json_set_count(object, "k", e->ks[i].k, failed);
        shoal_json_set_real(object, "lower_bound", e->ks[i].bound, failed);
        if (json_array_append_new(list, object) != 0) *failed = true;
    }
    return list;
}

char *shoal_explain_loss_json(const shoal_loss_explanation *e, const shoal_table *table, uint32_t k,
                              double seconds)
{
    bool failed = false;
    json_t *object = json_object(), *most_costly = json_object();
    shoal_json_set_count(object, "k", k, &failed);
    shoal_json_set_count(object, "rows", e->n_rows, &failed);
    shoal_json_set_real(object, "lower_bound", e->parts.bound, &failed);
    shoal_json_set_text(object, "bound", shoal_bound_name(&e->parts), &failed);
    shoal_json_set(object, "relaxations", shoal_json_relaxations(&e->parts, &failed), &failed);
    shoal_json_set_count(object, "half_of_it_rows", e->half_rows, &failed);
    shoal_json_set_count(most_costly, "rows", e->costly_rows, &failed);
    shoal_json_set_real(most_costly, "share", e->costly_share, &failed);
    shoal_json_set_real(most_costly, "rest_at_least", e->costly_rest, &failed);
    shoal_json_set(object, "most_costly_rows", most_costly, &failed);
    shoal_json_set(object, "without_column", columns_json(e, table, &failed), &failed);
    shoal_json_set(object, "smaller_k", ks_json(e, &failed), &failed);
    /* then columns and smaller k may be left out */
    shoal_json_set(object, "stopped_early", json_boolean(e->parts.is_stopped), &failed);
    shoal_json_set_real(object, "seconds", seconds, &failed);
    return shoal_json_finish(object, failed);
}
