/* SPDX-License-Identifier: Apache-2.0 */
/* measures_json.c - how much a release loses and protects, for programs: what `shoal measure --json` prints. */
#include "report/json.h"

static void set_protection(json_t *object, const shoal_measures *m, const shoal_table *table, bool *failed)
{
    shoal_json_set_real(object, "mpm", m->mpm, failed);
    shoal_json_set_real(object, "mr_wtd", m->mr_wtd, failed);
    shoal_json_set_real(object, "wgp", m->wgp, failed);
    shoal_json_set_real(object, "gd", m->gd, failed);
    shoal_json_set_real(object, "dc", m->dc, failed);
    json_t *columns = json_array();
    for (size_t i = 0; i < m->n_sensitive; i++) {
        json_t *column = json_object();
        const char *range = shoal_table_sensitive_range(table, m->sensitive_column[i]);
        shoal_json_set_text(column, "name", shoal_table_column_name(table, m->sensitive_column[i]), failed);
        shoal_json_set_text(column, "sensitive_range", range != NULL ? range : "value", failed);
        shoal_json_set_real(column, "mpm", m->sensitive_mpm[i], failed);
        shoal_json_set_real(column, "wgp", m->sensitive_wgp[i], failed);
        if (json_array_append_new(columns, column) != 0) *failed = true;
    }
    shoal_json_set(object, "sensitive", columns, failed);
}

void shoal_json_set_measures(json_t *object, const shoal_measures *m, const shoal_table *table, bool *failed)
{
    shoal_json_set_real(object, "gcp", m->gcp, failed);
    shoal_json_set_real(object, "ncp", m->ncp, failed);
    shoal_json_set_real(object, "um", m->um, failed);
    shoal_json_set_real(object, "wgu", m->wgu, failed);
    shoal_json_set_real(object, "dm", m->dm, failed);
    shoal_json_set_real(object, "cavg", m->cavg, failed);
    shoal_json_set_real(object, "modification_rate", m->modification_rate, failed);
    shoal_json_set_real(object, "distortion", m->distortion, failed);
    shoal_json_set_real(object, "distortion_ratio", m->distortion_ratio, failed);
    shoal_json_set_real(object, "genc", m->genc, failed);
    shoal_json_set_real(object, "s1_loss", m->s1_loss, failed);
    shoal_json_set_real(object, "s1_loss_wid", m->s1_loss_wid, failed);
    if (m->has_sse) shoal_json_set_real(object, "sse_ratio", m->sse_ratio, failed);
    if (m->has_class) {
        shoal_json_set_real(object, "cm", m->cm, failed);
        shoal_json_set_real(object, "cm_before", m->cm_before, failed);
    }
    if (m->n_sensitive > 0) set_protection(object, m, table, failed);
    json_t *qids = json_array();
    for (size_t i = 0; i < m->n_qids; i++) {
        json_t *qid = json_object();
        shoal_json_set_text(qid, "name", shoal_table_column_name(table, m->qid_column[i]), failed);
        shoal_json_set_real(qid, "loss", m->qid_loss[i], failed);
        if (json_array_append_new(qids, qid) != 0) *failed = true;
    }
    shoal_json_set(object, "qids", qids, failed);
}

char *shoal_measures_json(const shoal_measures *m, const shoal_table *table, uint32_t k, uint64_t unread,
                          const shoal_strength *protection)
{
    bool failed = false;
    json_t *object = json_object();
    shoal_json_set_count(object, "k", k, &failed);
    shoal_json_set_count(object, "rows", m->n_rows, &failed);
    shoal_json_set_count(object, "groups", m->n_groups, &failed);
    shoal_json_set_count(object, "min_group", m->min_group, &failed);
    shoal_json_set_count(object, "suppressed_rows", m->suppressed_rows, &failed);
    shoal_json_set_measures(object, m, table, &failed);
    shoal_json_set_text(object, "missing", shoal_missing_name(shoal_table_missing(table)), &failed);
    shoal_json_set_count(object, "unread_cells", unread, &failed);
    if (protection != NULL) shoal_json_set(object, "protection", shoal_json_protection(protection), &failed);
    return shoal_json_finish(object, failed);
}
