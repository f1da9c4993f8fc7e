/* SPDX-License-Identifier: Apache-2.0 */
/* series_json.c - a series, its releases and its audit as JSON. Numbers and names of columns, never
 * a value. */
#include "report/json.h"

#include <math.h>
#include <shoal/series.h>
#include <string.h>

static void set_entry(json_t *object, const shoal_series_entry *e, bool *failed)
{
    shoal_json_set_count(object, "rows", e->rows, failed);
    shoal_json_set_count(object, "published", e->published, failed);
    shoal_json_set_count(object, "groups", e->groups, failed);
    shoal_json_set_count(object, "min_group", e->min_group, failed);
    shoal_json_set_count(object, "inserted", e->inserted, failed);
    shoal_json_set_count(object, "erased", e->erased, failed);
    shoal_json_set_count(object, "corrected", e->corrected, failed);
    shoal_json_set_count(object, "withdrawn", e->withdrawn, failed);
    shoal_json_set_count(object, "withheld", e->withheld, failed);
    shoal_json_set_count(object, "pending", e->pending, failed);
    shoal_json_set_count(object, "inexact_cells", e->inexact, failed);
    shoal_json_set_real(object, "gcp", e->gcp, failed);
    shoal_json_set_real(object, "gcp_published", shoal_series_entry_loss(e), failed);
    shoal_series_parts parts;
    shoal_series_entry_parts(&parts, e);
    shoal_json_set_real(object, "loss_grouping", parts.published, failed);
    shoal_json_set_real(object, "loss_waiting", parts.waiting, failed);
    shoal_json_set_real(object, "loss_withdrawn", parts.withdrawn, failed);
    if (isfinite(e->gcp_anew)) shoal_json_set_real(object, "gcp_anew", e->gcp_anew, failed);
    if (e->min_records > 0) {
        shoal_json_set_count(object, "counterfeits", e->counterfeits, failed);
        shoal_json_set_count(object, "min_records", e->min_records, failed);
    }
    shoal_json_set_count(object, "bytes", e->size, failed);
    shoal_json_set_text(object, "sha256", e->sha256, failed);
}

char *shoal_series_result_json(const shoal_series_result *result, const shoal_table *table)
{
    bool failed = false;
    json_t *object = json_object();
    shoal_json_set_count(object, "release", result->number, &failed);
    set_entry(object, result->entry, &failed);
    if (result->m > 0) {
        shoal_json_set_count(object, "m_invariance", result->m, &failed);
        shoal_json_set_count(object, "counterfeit_groups", result->counterfeit_groups, &failed);
    }
    if (result->models->n_models > 0)
        shoal_json_set(object, "models", shoal_json_models(result->models, table), &failed);
    shoal_json_set_real(object, "seconds", result->seconds, &failed);
    return shoal_json_finish(object, failed);
}

/* Lines of words separated by tabs become lists of words. */
static json_t *settings_json(const char *settings, bool *failed)
{
    json_t *lines = json_array();
    for (const char *at = settings; at != NULL && *at != '\0';) {
        json_t *words = json_array();
        size_t length = strcspn(at, "\n");
        for (const char *word = at, *end = at + length; word <= end;) {
            size_t n = strcspn(word, "\t\n");
            if (json_array_append_new(words, json_stringn(word, n)) != 0) *failed = true;
            word += n + 1;
        }
        if (json_array_append_new(lines, words) != 0) *failed = true;
        at += length + (at[length] == '\n');
    }
    return lines;
}

char *shoal_series_json(const shoal_series *series)
{
    bool failed = false;
    json_t *object = json_object(), *releases = json_array();
    shoal_json_set(object, "settings", settings_json(shoal_series_settings(series), &failed),
                   &failed);
    for (uint32_t i = 1; i <= shoal_series_count(series); i++) {
        json_t *release = json_object();
        shoal_json_set_count(release, "release", i, &failed);
        set_entry(release, shoal_series_at(series, i), &failed);
        if (json_array_append_new(releases, release) != 0) failed = true;
    }
    shoal_json_set(object, "releases", releases, &failed);
    return shoal_json_finish(object, failed);
}

char *shoal_series_audit_json(const shoal_series_audit *audit)
{
    bool failed = false;
    json_t *object = json_object(), *files = json_array();
    shoal_json_set(object, "satisfied", json_boolean(shoal_series_audit_satisfied(audit)), &failed);
    shoal_json_set_count(object, "releases", audit->n_releases, &failed);
    shoal_json_set_count(object, "pairs", audit->n_pairs, &failed);
    if (audit->m > 0) shoal_json_set_count(object, "m_invariance", audit->m, &failed);
    shoal_json_set_count(object, "failing_releases", audit->failing_releases, &failed);
    for (uint32_t i = 0; i < audit->n_files; i++)
        if (json_array_append_new(files, audit->number_of_file[i] > 0
                                             ? json_integer(audit->number_of_file[i])
                                             : json_null()) != 0)
            failed = true;
    shoal_json_set(object, "files", files, &failed);
    shoal_json_set_count(object, "unknown_files", audit->n_unknown, &failed);
    shoal_json_set_count(object, "other_files", audit->n_other, &failed);
    return shoal_json_finish(object, failed);
}
