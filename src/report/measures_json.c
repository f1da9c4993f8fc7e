/* SPDX-License-Identifier: Apache-2.0 */
/* measures_json.c - loss and protection of a release as JSON: `shoal measure --json`. */
#include "report/json.h"

/* One of our own texts; null if it is empty. */
static void set_words(json_t *object, const char *key, char *words, bool *failed)
{
    if (words == NULL)
        *failed = true;
    else
        shoal_json_set_text(object, key, *words != '\0' ? words : NULL, failed);
    shoal_string_free(words);
}

void shoal_json_set_sensitive(json_t *object, const shoal_sensitive_groups *g, const char *column,
                              bool *failed)
{
    shoal_json_set_count(object, "groups", g->n_groups, failed);
    shoal_json_set_count(object, "rows", g->n_rows, failed);
    shoal_json_set_count(object, "one_value_groups", g->one_value_groups, failed);
    shoal_json_set_count(object, "one_value_rows", g->one_value_rows, failed);
    shoal_json_set_count(object, "dominated_groups", g->dominated_groups, failed);
    shoal_json_set_count(object, "dominated_rows", g->dominated_rows, failed);
    shoal_json_set_count(object, "fewest_values", g->fewest_values, failed);
    shoal_json_set_count(object, "fewest_groups", g->fewest_groups, failed);
    set_words(object, "words", shoal_sensitive_words(g, column, 0), failed);
}

static json_t *sensitive_json(const shoal_measures *m, const shoal_table *table, bool *failed)
{
    json_t *columns = json_array();
    for (size_t i = 0; i < m->n_sensitive; i++) {
        json_t *column = json_object();
        const char *range = shoal_table_sensitive_range(table, m->sensitive_column[i]);
        shoal_json_set_text(column, "name", shoal_table_column_name(table, m->sensitive_column[i]),
                            failed);
        shoal_json_set_text(column, "sensitive_range", range != NULL ? range : "value", failed);
        shoal_json_set_real(column, "mpm", m->sensitive_mpm[i], failed);
        shoal_json_set_real(column, "wgp", m->sensitive_wgp[i], failed);
        shoal_json_set_sensitive(column, shoal_measures_sensitive(m, i),
                                 shoal_table_column_name(table, m->sensitive_column[i]), failed);
        if (json_array_append_new(columns, column) != 0) *failed = true;
    }
    return columns;
}

void shoal_json_set_measures(json_t *object, const shoal_measures *m, const shoal_table *table,
                             bool *failed)
{
    double value;
    for (size_t i = 0; i < shoal_measure_count(); i++)
        if (shoal_measure_value_at(m, i, &value))
            shoal_json_set_real(object, shoal_measure_at(i)->name, value, failed);
    if (m->n_sensitive > 0)
        shoal_json_set(object, "sensitive", sensitive_json(m, table, failed), failed);
    json_t *qids = json_array();
    for (size_t i = 0; i < m->n_qids; i++) {
        json_t *qid = json_object();
        shoal_json_set_text(qid, "name", shoal_table_column_name(table, m->qid_column[i]), failed);
        shoal_json_set_real(qid, "loss", m->qid_loss[i], failed);
        if (json_array_append_new(qids, qid) != 0) *failed = true;
    }
    shoal_json_set(object, "qids", qids, failed);
    set_words(object, "comment", shoal_loss_words(m, table), failed);
}

void shoal_json_set_unread(json_t *object, const shoal_unread *unread, const shoal_table *table,
                           bool *failed)
{
    json_t *columns = json_array();
    for (size_t i = 0; unread != NULL && i < unread->n_columns; i++) {
        json_t *column = json_object();
        shoal_json_set_text(column, "name", shoal_table_column_name(table, unread->columns[i]),
                            failed);
        shoal_json_set_count(column, "cells", unread->cells[i], failed);
        if (json_array_append_new(columns, column) != 0) *failed = true;
    }
    shoal_json_set_count(object, "unread_cells", unread != NULL ? unread->n_cells : 0, failed);
    shoal_json_set(object, "unread_columns", columns, failed);
}

char *shoal_measures_json(const shoal_measures *m, const shoal_table *table, uint32_t k,
                          const shoal_unread *unread, const shoal_strength *protection,
                          const shoal_models_result *persons)
{
    bool failed = false;
    json_t *object = json_object();
    shoal_json_set_count(object, "k", k, &failed);
    shoal_json_set_count(object, "rows", m->n_rows, &failed);
    shoal_json_set_count(object, "groups", m->n_groups, &failed);
    shoal_json_set_count(object, "min_group", m->min_group, &failed);
    shoal_json_set_count(object, "suppressed_rows", m->suppressed_rows, &failed);
    shoal_json_set_exempt(object, table, &failed);
    if (m->is_moved) shoal_json_set(object, "moved", json_true(), &failed);
    shoal_json_set_measures(object, m, table, &failed);
    shoal_json_set_text(object, "missing", shoal_missing_name(shoal_table_missing(table)), &failed);
    shoal_json_set_unread(object, unread, table, &failed);
    if (protection != NULL)
        shoal_json_set(object, "protection", shoal_json_protection(protection), &failed);
    if (persons != NULL)
        shoal_json_set(object, "persons", shoal_json_models(persons, table), &failed);
    return shoal_json_finish(object, failed);
}
