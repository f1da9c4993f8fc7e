/* SPDX-License-Identifier: Apache-2.0 */
/* manifest_numbers.c - protection and utility of a release: risk of the original and the release,
 * protection of sensitive values, errors of COUNT queries, accuracy of classifiers, attacks.
 *
 * They are fast enough to be made with every manifest: the queries that shoal evaluate queries
 * draws, three folds, and neither classifiers nor attacks above 100,000 rows. What was skipped is
 * recorded.
 */
#include "evidence/manifest.h"
#include "report/json.h"
#include "table/table_internal.h"

enum { N_FOLDS = 3, MOST_ROWS_TO_LEARN = 100000 };

/* Put the object of a JSON text under a key, and free the text. */
static shoal_status embed(json_t *root, const char *key, char *text, shoal_error *err)
{
    json_t *value = text != NULL ? shoal_json_read_own(text) : NULL;
    shoal_string_free(text);
    return json_object_set_new(root, key, value) == 0 ? SHOAL_OK : shoal_fail_memory(err);
}

/* A table that cannot be asked or learnt from (too few rows, one label, persons under wildcard) has
 * no such numbers; that is no reason to publish nothing. */
static shoal_status forgive(shoal_status status)
{
    return status == SHOAL_EINVAL || status == SHOAL_EDATA || status == SHOAL_EUNSAT ? SHOAL_OK
                                                                                     : status;
}

static shoal_status add_risk(json_t *root, const shoal_manifest_request *e,
                             const shoal_table *released, shoal_error *err)
{
    shoal_risk after = { 0 }, before = { 0 };
    shoal_risk_options options = SHOAL_RISK_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    options.k = e->report->plan->k;
    options.threads = e->report->threads;
    options.callbacks = e->callbacks;
    SHOAL_GOTO_IF_ERROR(shoal_risk_measure(&after, released, &options, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_risk_measure(&before, e->report->table, &options, err), out);
    status = embed(root, "risk", shoal_risk_json(&after, &before, released, false), err);
out:
    shoal_risk_clear(&after);
    shoal_risk_clear(&before);
    return status;
}

static bool has_role(const shoal_table *table, shoal_role role)
{
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        if (shoal_table_role(table, c) == role) return true;
    return false;
}

static shoal_status add_protection(json_t *root, const shoal_manifest_request *e,
                                   const shoal_table *released, shoal_error *err)
{
    shoal_strength found = { 0 };
    if (!has_role(e->report->table, SHOAL_ROLE_SENSITIVE) ||
        shoal_outcome_personal(e->report->outcome, NULL) != NULL)
        return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(
        shoal_strength_find(&found, released, e->report->table, e->report->threads, err));
    shoal_status status = json_object_set_new(root, "protection", shoal_json_protection(&found)) ==
                                  0
                              ? SHOAL_OK
                              : shoal_fail_memory(err);
    shoal_strength_clear(&found);
    return status;
}

static shoal_status add_queries(json_t *object, const shoal_manifest_request *e,
                                const shoal_table *released, shoal_error *err)
{
    shoal_queries *queries = NULL;
    shoal_query_result result = { 0 };
    shoal_workload_options draw = SHOAL_WORKLOAD_OPTIONS_INIT;
    shoal_estimate_options estimate = SHOAL_ESTIMATE_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    draw.seed = e->report->plan->seed;
    draw.threads = estimate.threads = e->report->threads;
    draw.callbacks = estimate.callbacks = e->callbacks;
    SHOAL_GOTO_IF_ERROR(shoal_queries_draw(&queries, e->report->table, &draw, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_queries_estimate(&result, queries, released, &estimate, err), out);
    status = embed(object, "queries",
                   shoal_queries_json(&result, queries, "census-range", draw.seed), err);
out:
    shoal_query_result_clear(&result);
    shoal_queries_free(queries);
    return status;
}

static shoal_status add_classifiers(json_t *object, const shoal_manifest_request *e,
                                    const shoal_table *released, shoal_error *err)
{
    shoal_classify_result result;
    shoal_classify_options options = SHOAL_CLASSIFY_OPTIONS_INIT;
    if (!has_role(e->report->table, SHOAL_ROLE_CLASS) ||
        shoal_table_n_rows(e->report->table) > MOST_ROWS_TO_LEARN)
        return SHOAL_OK;
    options.folds = N_FOLDS;
    options.threads = e->report->threads;
    options.callbacks = e->callbacks;
    SHOAL_RETURN_IF_ERROR(shoal_classify(&result, e->report->table, released, &options, err));
    return embed(object, "classify", shoal_classify_json(&result, 0), err);
}

/* ---- attacks ---- */

/* A text as a table with every column encoded, read by a plan. */
static shoal_status open_encoded(shoal_table **out, const char *data, size_t size,
                                 const shoal_spec *plan, const shoal_report *r, shoal_error *err)
{
    shoal_table *table = NULL;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    csv.delimiter = shoal_table_delimiter(r->table);
    csv.no_header = r->plan->no_header != 0;
    load.threads = r->threads;
    load.encode_all = true;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(&table, data, size, NULL, NULL, &csv, err));
    shoal_status status = shoal_spec_prepare(plan, table, false, &load, err);
    if (status == SHOAL_OK)
        *out = table;
    else
        shoal_table_free(table);
    return status;
}

static shoal_status run_attacks(shoal_attack_result *out, const shoal_manifest_request *e,
                                const shoal_table *original, const shoal_table *const *releases,
                                shoal_error *err)
{
    shoal_attack_request request = SHOAL_ATTACK_REQUEST_INIT;
    request.original = original;
    request.releases = releases;
    request.n_releases = 1;
    request.k = e->report->plan->k;
    request.threads = e->report->threads;
    request.callbacks = e->callbacks;
    /* which row is which, only the run knows that shuffled them */
    request.origin_of = shoal_outcome_origin_of(e->report->outcome);
    return shoal_attack_run(out, &request, err);
}

static shoal_status add_attacks(json_t *root, const shoal_manifest_request *e, shoal_error *err)
{
    const shoal_report *r = e->report;
    shoal_table *original = NULL, *released = NULL;
    shoal_spec plan = SHOAL_SPEC_INIT;
    shoal_attack_result found = { 0 };
    shoal_status status = SHOAL_OK;
    if (!shoal_table_has_text(r->table) || shoal_table_n_rows(r->table) > MOST_ROWS_TO_LEARN)
        return SHOAL_OK;
    SHOAL_GOTO_IF_ERROR(open_encoded(&original, shoal_table_text(r->table)->data,
                                     shoal_table_text(r->table)->size, r->plan, r, err),
                        out);
    SHOAL_GOTO_IF_ERROR(shoal_spec_for_release(&plan, r->plan, r->table,
                                               SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE, err),
                        out);
    SHOAL_GOTO_IF_ERROR(open_encoded(&released, e->texts[SHOAL_SINK_RELEASE].data,
                                     e->texts[SHOAL_SINK_RELEASE].size, &plan, r, err),
                        out);
    const shoal_table *const releases[] = { released };
    SHOAL_GOTO_IF_ERROR(run_attacks(&found, e, original, releases, err), out);
    status = embed(root, "attacks", shoal_attack_json(&found, NULL), err);
out:
    shoal_attack_clear(&found);
    shoal_spec_clear(&plan);
    shoal_table_free(released);
    shoal_table_free(original);
    return status;
}

static shoal_status add_evaluation(json_t *root, const shoal_manifest_request *e,
                                   const shoal_table *released, shoal_error *err)
{
    const shoal_outcome *o = e->report->outcome;
    bool has_all_rows = shoal_table_n_rows(released) == shoal_table_n_rows(e->report->table),
         is_shuffled = shoal_outcome_is_shuffled(o);
    json_t *object = json_object();
    shoal_status status = forgive(add_queries(object, e, released, err));
    if (status == SHOAL_OK && has_all_rows && !is_shuffled)
        status = forgive(add_classifiers(object, e, released, err));
    if (status == SHOAL_OK && has_all_rows && (!is_shuffled || shoal_outcome_origin_of(o) != NULL))
        status = forgive(add_attacks(root, e, err));
    if (json_object_set_new(root, "evaluation", object) != 0 && status == SHOAL_OK)
        status = shoal_fail_memory(err);
    return status;
}

shoal_status shoal_manifest_add_numbers(json_t *root, const shoal_manifest_request *e,
                                        const shoal_table *released, shoal_error *err)
{
    /* two tables, or a mapping: there are no rows */
    if (released == NULL) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(forgive(add_risk(root, e, released, err)));
    SHOAL_RETURN_IF_ERROR(add_protection(root, e, released, err));
    if (e->skip_evaluation || shoal_table_is_streamed(e->report->table)) return SHOAL_OK;
    return add_evaluation(root, e, released, err);
}
