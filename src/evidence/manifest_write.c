/* SPDX-License-Identifier: Apache-2.0 */
/* manifest_write.c - the manifest of a release: digests, plan, what was verified and measured;
 * docs/report.md lists its keys.
 *
 * The last entry is the digest of all others, so that accidental changes are detected. It is no
 * signature: anyone can compute it again. Cost: O(bytes of input and release), and what risk and
 * evaluation take.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/sized.h"
#include "evidence/manifest.h"
#include "io/io_internal.h"
#include "table/line_index.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- digests ---- */

bool shoal_json_digest(shoal_digest *out, const json_t *value)
{
    char *text = shoal_json_write(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(15));
    if (text == NULL) return false;
    shoal_digest_text(out, text, strlen(text));
    shoal_free(text);
    return true;
}

bool shoal_manifest_digest(shoal_digest *out, json_t *root)
{
    /* shallow: the values stay shared; entries that there is no memory for are left out without a
     * word */
    json_t *rest = json_copy(root);
    bool is_made = rest != NULL && json_object_size(rest) == json_object_size(root);
    if (is_made) json_object_del(rest, "sha256");
    is_made = is_made && shoal_json_digest(out, rest);
    json_decref(rest);
    return is_made;
}

static json_t *digest_json(const char *name, const shoal_digest *digest, bool *failed)
{
    json_t *object = json_object();
    shoal_json_set_text(object, "name", name, failed);
    shoal_json_set_count(object, "bytes", digest->size, failed);
    shoal_json_set_text(object, "sha256", digest->sha256, failed);
    return object;
}

static shoal_status set_file(json_t *object, const char *key, const char *path, shoal_error *err)
{
    shoal_digest digest;
    bool failed = false;
    if (path == NULL) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_digest_file(&digest, path, err));
    shoal_json_set(object, key, digest_json(shoal_base_name(path), &digest, &failed), &failed);
    return failed ? shoal_fail_memory(err) : SHOAL_OK;
}

/* ---- hierarchies ---- */

/* The file that the hierarchy of a column came from; *out is NULL where it was built or made in
 * memory. Freed with shoal_string_free(). */
static shoal_status find_file(char **out, const shoal_spec *plan, const char *column,
                              shoal_error *err)
{
    const char *given = NULL;
    for (size_t i = 0; i < plan->n_columns; i++)
        if (strcmp(plan->columns[i].name, column) == 0) given = plan->columns[i].hierarchy;
    if (given == NULL)
        return plan->hierarchies != NULL ? shoal_hierarchy_find(out, plan->hierarchies, column, err)
                                         : SHOAL_OK;
    if (shoal_hierarchy_recipe(given) != NULL) return SHOAL_OK;
    *out = shoal_copy_text(given, strlen(given));
    return *out != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status digest_levels(shoal_digest *out, const shoal_hierarchy *hierarchy,
                                  shoal_error *err)
{
    char *text = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_hierarchy_to_levels(&text, hierarchy, err));
    shoal_digest_text(out, text, strlen(text));
    shoal_string_free(text);
    return SHOAL_OK;
}

/* A file by its bytes, any other hierarchy by the level file that it makes. */
static shoal_status add_hierarchy(json_t *list, const shoal_manifest_request *e, size_t c,
                                  shoal_error *err)
{
    const shoal_table *table = e->report->table;
    const shoal_hierarchy *hierarchy = shoal_table_hierarchy(table, c);
    char *file = NULL, *name = NULL;
    shoal_digest digest;
    bool failed = false;
    shoal_status status = SHOAL_OK;
    if (hierarchy == NULL) return SHOAL_OK;
    SHOAL_GOTO_IF_ERROR(find_file(&file, e->plan, shoal_table_column_name(table, c), err), out);
    SHOAL_GOTO_IF_ERROR(file != NULL ? shoal_digest_file(&digest, file, err)
                                     : digest_levels(&digest, hierarchy, err),
                        out);
    if (file != NULL) name = shoal_path_from(file, e->manifest_path);
    json_t *object = digest_json(name, &digest, &failed);
    shoal_json_set(object, "column", shoal_json_column_name(table, c), &failed);
    shoal_json_set_count(object, "height", shoal_hierarchy_height(hierarchy), &failed);
    if (json_array_append_new(list, object) != 0 || failed || (file != NULL && name == NULL))
        status = shoal_fail_memory(err);
out:
    shoal_string_free(file);
    shoal_free(name);
    return status;
}

/* ---- the plan ---- */

static shoal_status relate(json_t *object, const char *key, const shoal_manifest_request *e,
                           shoal_error *err)
{
    const char *path = json_string_value(json_object_get(object, key));
    if (path == NULL || shoal_hierarchy_recipe(path) != NULL) return SHOAL_OK;
    char *made = shoal_path_from(path, e->manifest_path);
    bool failed = made == NULL;
    if (!failed) shoal_json_set_text(object, key, made, &failed);
    shoal_free(made);
    return failed ? shoal_fail_memory(err) : SHOAL_OK;
}

/* "0.2" of a model as the forms that it took, "hierarchical:0.2" for each column: what is promised
 * does not depend on the files that lie in a folder. */
static bool name_forms(json_t *list, json_t *one, const shoal_model_spec *spec,
                       const shoal_report *r)
{
    bool failed = false, is_named = false;
    const shoal_models_result *found = shoal_outcome_models(r->outcome);
    for (size_t m = 0; m < found->n_models; m++) {
        const shoal_model_result *result = &found->models[m];
        const char *column = result->column != SIZE_MAX
                                 ? shoal_table_column_name(r->table, result->column)
                                 : NULL;
        if (!shoal_model_form_is_default(result, column, spec)) continue;
        json_t *named = json_deep_copy(one);
        shoal_buffer value = { 0 };
        shoal_buffer_print(&value, "%s:%s", result->variant, spec->value);
        failed = failed || value.failed || named == NULL;
        if (!failed) shoal_json_set(named, "value", json_stringn(value.data, value.size), &failed);
        if (!failed && column != NULL) shoal_json_set_text(named, "column", column, &failed);
        if (json_array_append_new(list, named) != 0) failed = true;
        shoal_buffer_clear(&value);
        is_named = true;
    }
    if (!is_named && json_array_append(list, one) != 0) failed = true;
    return !failed;
}

static shoal_status name_models(json_t *plan, const shoal_manifest_request *e, shoal_error *err)
{
    json_t *models = json_object_get(plan, "models");
    if (models == NULL || json_array_size(models) != e->plan->n_models) return SHOAL_OK;
    json_t *list = json_array();
    bool ok = list != NULL;
    for (size_t i = 0; ok && i < e->plan->n_models; i++)
        ok = name_forms(list, json_array_get(models, i), &e->plan->models[i], e->report);
    if (ok)
        return json_object_set_new(plan, "models", list) == 0 ? SHOAL_OK : shoal_fail_memory(err);
    json_decref(list);
    return shoal_fail_memory(err);
}

/* The plan as it was carried out, with paths that the manifest can be moved with. */
static shoal_status make_plan(json_t **out, const shoal_manifest_request *e, shoal_error *err)
{
    char *text = shoal_plan_json(e->plan);
    json_t *plan = text != NULL ? shoal_json_read_own(text) : NULL, *column;
    size_t i;
    shoal_status status = SHOAL_OK;
    shoal_string_free(text);
    if (plan == NULL) return shoal_fail_memory(err);
    SHOAL_GOTO_IF_ERROR(relate(plan, "hierarchies", e, err), out);
    SHOAL_GOTO_IF_ERROR(relate(plan, "population", e, err), out);
    json_array_foreach(json_object_get(plan, "columns"), i, column)
        SHOAL_GOTO_IF_ERROR(relate(column, "hierarchy", e, err), out);
    SHOAL_GOTO_IF_ERROR(name_models(plan, e, err), out);
    *out = plan;
    plan = NULL;
out:
    json_decref(plan);
    return status;
}

/* ---- parts ---- */

/* Digests of inputs and outputs. */
static shoal_status add_digests(json_t *root, const shoal_manifest_request *e, const json_t *plan,
                                shoal_error *err)
{
    const shoal_table *table = e->report->table;
    bool failed = false;
    shoal_digest digest;
    json_t *object = json_object(), *hierarchies = json_array(), *release = json_array();
    shoal_json_set(root, "digests", object, &failed);
    if (shoal_table_has_text(table)) {
        shoal_digest_text(&digest, shoal_table_text(table)->original,
                          shoal_table_text(table)->original_size);
        shoal_json_set(object, "input", digest_json(e->input_name, &digest, &failed), &failed);
    }
    failed = !shoal_json_digest(&digest, plan) || failed;
    shoal_json_set(object, "plan", digest_json("plan", &digest, &failed), &failed);
    shoal_json_set(object, "hierarchies", hierarchies, &failed);
    shoal_json_set(object, "release", release, &failed);
    if (failed) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(set_file(object, "plan_file", e->plan_path, err));
    SHOAL_RETURN_IF_ERROR(
        set_file(object, "population",
                 shoal_spec_needs_population(e->plan) ? e->plan->population : NULL, err));
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        SHOAL_RETURN_IF_ERROR(add_hierarchy(hierarchies, e, c, err));
    for (size_t p = 0; p < SHOAL_SINK_N_PARTS; p++) {
        if (e->texts[p].data == NULL) continue;
        shoal_digest_text(&digest, e->texts[p].data, e->texts[p].size);
        if (json_array_append_new(
                release, digest_json(e->names[p] != NULL ? shoal_base_name(e->names[p]) : NULL,
                                     &digest, &failed)) != 0)
            failed = true;
    }
    return failed ? shoal_fail_memory(err) : SHOAL_OK;
}

/* Rows of the original that are not in the release, as pairs of first and last, counted from 1. */
static json_t *left_out_json(const shoal_grouping *grouping, bool *failed)
{
    json_t *list = json_array();
    uint64_t n_rows = shoal_grouping_n_rows(grouping);
    for (uint64_t row = 0; row < n_rows; row++) {
        uint64_t first = row;
        while (row < n_rows && shoal_grouping_group(grouping, row) == SHOAL_SUPPRESSED) row++;
        if (row > first && json_array_append_new(list, json_pack("[I, I]", (json_int_t)first + 1,
                                                                 (json_int_t)row)) != 0)
            *failed = true;
    }
    return list;
}

static const char *form_of(const shoal_report *r)
{
    if (shoal_outcome_buckets(r->outcome, NULL) != NULL) return "buckets";
    return shoal_table_is_counted(r->table) ? "mapping" : "rows";
}

/* Options of the verifier that are not in the plan. */
static json_t *claims_json(const shoal_manifest_request *e, bool *failed)
{
    const shoal_report *r = e->report;
    shoal_information found;
    json_t *object = json_object(), *levels = json_array();
    bool has_reached = r->plan->k == 0 &&
                       shoal_grouping_information(shoal_outcome_grouping(r->outcome), &found);
    shoal_json_set_text(object, "form", form_of(r), failed);
    shoal_json_set_count(object, "k", has_reached ? found.k_reached : r->plan->k, failed);
    shoal_json_set(object, "shuffled", json_boolean(shoal_outcome_is_shuffled(r->outcome)), failed);
    if (r->plan->drop_suppressed != 0)
        shoal_json_set(object, "left_out_rows",
                       left_out_json(shoal_outcome_grouping(r->outcome), failed), failed);
    for (size_t i = 0; i < e->n_levels; i++) {
        const shoal_level_choice *l = &e->levels[i];
        json_t *one = json_pack(
            "{s:s, s:I, s:I}", "column", l->column, "level", (json_int_t)l->level, "height",
            l->height == SHOAL_NO_LEVEL ? (json_int_t)-1 : (json_int_t)l->height);
        if (json_array_append_new(levels, one) != 0) *failed = true;
    }
    if (r->applies)
        shoal_json_set(object, "levels", levels, failed);
    else
        json_decref(levels);
    return object;
}

static json_t *now_json(void)
{
    char text[32];
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        return json_null();
    return json_string(text);
}

/* What the run found, as `--json` prints it. */
static json_t *result_json(const shoal_report *report)
{
    char *text = shoal_report_json(report);
    json_t *result = text != NULL ? shoal_json_read_own(text) : NULL;
    shoal_string_free(text);
    return result;
}

static shoal_status fill(json_t *root, const shoal_manifest_request *e, const shoal_table *released,
                         shoal_error *err)
{
    bool failed = false;
    json_t *plan = NULL, *columns = NULL;
    SHOAL_RETURN_IF_ERROR(make_plan(&plan, e, err));
    shoal_json_set(root, "manifest", json_integer(SHOAL_MANIFEST_FORMAT), &failed);
    shoal_json_set_text(root, "shoal", shoal_version(), &failed);
    shoal_json_set(root, "created", now_json(), &failed);
    shoal_json_set(root, "plan", plan, &failed);
    shoal_json_set(root, "claims", claims_json(e, &failed), &failed);
    if (failed) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(add_digests(root, e, plan, err));
    shoal_json_set(root, "result", result_json(e->report), &failed);
    SHOAL_RETURN_IF_ERROR(shoal_json_columns(&columns, e, released, err));
    shoal_json_set(root, "columns", columns, &failed);
    if (failed) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(shoal_manifest_add_numbers(root, e, released, err));
    shoal_digest digest;
    if (!shoal_manifest_digest(&digest, root)) return shoal_fail_memory(err);
    shoal_json_set_text(root, "sha256", digest.sha256, &failed);
    return failed ? shoal_fail_memory(err) : SHOAL_OK;
}

/* ---- all of it ---- */

/* Read the release from its text, with the columns that its measures need. *out stays NULL if it
 * has no rows. */
static shoal_status open_release(shoal_table **out, const shoal_manifest_request *e,
                                 shoal_error *err)
{
    const shoal_report *r = e->report;
    shoal_spec plan = SHOAL_SPEC_INIT;
    shoal_table *table = NULL;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    /* a column that says what to guard is not published */
    unsigned parts = SHOAL_PART_CLASS |
                     (shoal_outcome_personal(r->outcome, NULL) != NULL
                          ? SHOAL_PART_SENSITIVE_IF_THERE
                          : SHOAL_PART_SENSITIVE | SHOAL_PART_SENSITIVE_AS_IT_WAS);
    shoal_status status = SHOAL_OK;
    if (e->texts[SHOAL_SINK_RELEASE].data == NULL || strcmp(form_of(r), "rows") != 0)
        return SHOAL_OK;
    csv.delimiter = shoal_table_delimiter(r->table) != 0 ? shoal_table_delimiter(r->table) : ',';
    csv.no_header = r->plan->no_header != 0;
    csv.is_map = e->texts[SHOAL_SINK_RELEASE].is_map;
    load.threads = r->threads;
    if (shoal_table_is_streamed(r->table))
        load.memory_limit = shoal_table_line_index(r->table)->memory_limit;
    SHOAL_GOTO_IF_ERROR(shoal_table_open_memory(&table, e->texts[SHOAL_SINK_RELEASE].data,
                                                e->texts[SHOAL_SINK_RELEASE].size, NULL, NULL, &csv,
                                                err),
                        out);
    SHOAL_GOTO_IF_ERROR(shoal_spec_for_opened_release(&plan, r->plan, r->table, table, parts, err),
                        out);
    SHOAL_GOTO_IF_ERROR(shoal_spec_prepare(&plan, table, false, &load, err), out);
    *out = table;
    table = NULL;
out:
    shoal_table_free(table);
    shoal_spec_clear(&plan);
    return status;
}

shoal_status shoal_manifest_make(shoal_manifest **out, const shoal_manifest_request *given,
                                 shoal_error *err)
{
    shoal_manifest_request e = SHOAL_MANIFEST_REQUEST_INIT;
    shoal_table *released = NULL;
    shoal_report report = { 0 };
    if (given == NULL || given->size == 0 || given->size > sizeof e ||
        !shoal_read_sized(&report, sizeof report, given->report))
        return shoal_fail(err, SHOAL_EINVAL,
                          "manifest: not initialised, or made for a newer version of the library");
    memcpy(&e, given, given->size);
    e.report = &report;
    if (e.plan == NULL) e.plan = e.report->plan;
    const char *path = e.manifest_path != NULL ? e.manifest_path : "manifest.json";
    shoal_manifest *made = shoal_alloc(1, sizeof *made);
    if (made == NULL) return shoal_fail_memory(err);
    *made = (shoal_manifest){ .root = json_object(),
                              .path = shoal_copy_text(path, strlen(path)),
                              .is_intact = true };
    shoal_status status = made->root != NULL && made->path != NULL
                              ? open_release(&released, &e, err)
                              : shoal_fail_memory(err);
    if (status == SHOAL_OK) status = fill(made->root, &e, released, err);
    shoal_table_free(released);
    if (status == SHOAL_OK)
        *out = made;
    else
        shoal_manifest_free(made);
    return status;
}

char *shoal_manifest_text(const shoal_manifest *manifest)
{
    return shoal_json_take_text(json_incref(manifest->root));
}

void shoal_manifest_free(shoal_manifest *manifest)
{
    if (manifest == NULL) return;
    json_decref(manifest->root);
    shoal_free(manifest->path);
    shoal_free(manifest);
}
