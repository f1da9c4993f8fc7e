/* SPDX-License-Identifier: Apache-2.0 */
/* r_ask.c - questions about tables: check, measure, risk, bound, attack, profile. Each answers with
 * the JSON of shoal/report.h. */
#include "r_core.h"

#include <stdlib.h>

/* ---- check ---- */

static shoal_status check(r_question *q, SEXP request, shoal_error *err)
{
    shoal_check_result found;
    shoal_models_result models = { 0 };
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    unsigned parts = SHOAL_PART_COUNTS | (q->job.plan.n_models > 0 ? SHOAL_PART_SENSITIVE_AS_IT_WAS
                                                                   : SHOAL_PART_SENSITIVE_IF_THERE);
    shoal_sensitive_result sensitive = { 0 };
    (void)request;
    RETURN_IF_ERROR(r_need_k(&q->job, err));
    RETURN_IF_ERROR(
        shoal_job_load_released(&q->tables[0], &q->job, &q->streams[0], NULL, parts, err));
    RETURN_IF_ERROR(
        shoal_job_load_population(&q->tables[1], &q->job, &q->streams[1], NULL, false, err));
    RETURN_IF_ERROR(shoal_check(&found, q->tables[0], q->job.plan.k, q->job.threads, err));
    shoal_status status = SHOAL_OK;
    options.models = q->job.plan.models;
    options.n_models = q->job.plan.n_models;
    options.population = q->tables[1];
    options.threads = q->job.threads;
    if (status == SHOAL_OK && options.n_models > 0)
        status = shoal_check_models(&models, q->tables[0], &options, err);
    if (status == SHOAL_OK)
        status = shoal_check_sensitive(&sensitive, q->tables[0], q->job.threads, err);
    const shoal_check_report report = { .table = q->tables[0],
                                        .k = q->job.plan.k,
                                        .check = &found,
                                        .models = &models,
                                        .sensitive = &sensitive };
    if (status == SHOAL_OK) q->answer = shoal_check_report_json(&report);
    shoal_models_clear(&models);
    shoal_sensitive_clear(&sensitive);
    return status;
}

SEXP r_check(SEXP request, SEXP callback)
{
    return r_ask(request, callback, check);
}

/* ---- check sets ---- */

/* A set of columns; all quasi-identifiers where it is NULL. */
static shoal_status check_set(shoal_set_answer *out, const shoal_table *table, SEXP set,
                              const shoal_set_options *options, shoal_error *err)
{
    size_t n = set == NULL ? 0 : (size_t)Rf_xlength(set);
    out->columns = calloc(shoal_table_n_columns(table) + n + 1, sizeof *out->columns);
    if (out->columns == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        out->columns[out->n_columns++] = shoal_table_find_column(
            table, R_CHAR(STRING_ELT(set, (R_xlen_t)i)));
    if (n > 0) return shoal_check_set(&out->result, table, out->columns, n, options, err);
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        if (shoal_table_role(table, c) == SHOAL_ROLE_QUASI) out->columns[out->n_columns++] = c;
    return shoal_check_set(&out->result, table, NULL, 0, options, err);
}

static shoal_status check_sets(r_question *q, SEXP request, shoal_error *err)
{
    SEXP sets = r_field(request, "sets");
    uint32_t subsets = (uint32_t)r_number(request, "subsets");
    size_t n_sets = (size_t)Rf_xlength(sets);
    shoal_sets_report report = { .k = q->job.plan.k,
                                 .by_person = r_flag(request, "by_person"),
                                 .has_subsets = subsets > 0 };
    shoal_set_options options = SHOAL_SET_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    options.k = q->job.plan.k;
    options.threads = q->job.threads;
    options.callbacks = &q->guard.callbacks;
    RETURN_IF_ERROR(r_need_k(&q->job, err));
    RETURN_IF_ERROR(shoal_job_load_released(&q->tables[0], &q->job, &q->streams[0], NULL,
                                            report.by_person ? SHOAL_PART_PERSONS : 0, err));
    report.table = q->tables[0];
    report.sets = calloc(n_sets + 1, sizeof *report.sets);
    if (report.sets == NULL) return shoal_fail_memory(err);
    bool together = n_sets == 0 && subsets == 0;
    for (size_t i = 0; i < n_sets + together; i++) {
        report.n_sets++;
        GOTO_IF_ERROR(check_set(&report.sets[i], report.table,
                                together ? NULL : VECTOR_ELT(sets, (R_xlen_t)i), &options, err),
                      out);
    }
    if (report.has_subsets)
        GOTO_IF_ERROR(shoal_check_subsets(&report.subsets, report.table, subsets, &options, err),
                      out);
    q->answer = shoal_sets_json(&report);
out:
    for (size_t i = 0; i < report.n_sets; i++) free(report.sets[i].columns);
    free(report.sets);
    shoal_subsets_clear(&report.subsets);
    return status;
}

SEXP r_check_sets(SEXP request, SEXP callback)
{
    return r_ask(request, callback, check_sets);
}

/* ---- measure ---- */

static bool names_sensitive(const shoal_plan *plan)
{
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == SHOAL_ROLE_SENSITIVE) return true;
    return false;
}

/* Measures such as C_AVG need a k: the one asked for, or else the one that holds. */
static shoal_status find_k(uint32_t *out, const r_question *q, shoal_error *err)
{
    shoal_check_result found;
    *out = q->job.plan.k;
    if (*out != 0) return SHOAL_OK;
    RETURN_IF_ERROR(shoal_check(&found, q->tables[1], 2, q->job.threads, err));
    *out = found.min_group == 0           ? 1
           : found.min_group > UINT32_MAX ? UINT32_MAX
                                          : (uint32_t)found.min_group;
    return SHOAL_OK;
}

static shoal_status measure(r_question *q, SEXP request, shoal_error *err)
{
    uint32_t k = 0;
    shoal_unread unread = { 0 };
    shoal_measures measures = { 0 };
    shoal_strength strength = { 0 };
    bool has_sensitive = names_sensitive(&q->job.plan),
         allows_unread = r_flag(request, "allow_unread");
    unsigned parts = SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE |
                     (has_sensitive ? SHOAL_PART_SENSITIVE_AS_IT_WAS : 0);
    RETURN_IF_ERROR(shoal_job_load(&q->tables[0], &q->job, &q->streams[0], false, err));
    RETURN_IF_ERROR(
        shoal_job_load_released(&q->tables[1], &q->job, &q->streams[1], q->tables[0], parts, err));
    r_guard_step("measure", -1, &q->guard);
    RETURN_IF_ERROR(find_k(&k, q, err));
    RETURN_IF_ERROR(shoal_measure_release(&measures, q->tables[0], q->tables[1], k, NULL, err));
    shoal_status status = shoal_unread_find(&unread, q->tables[0], q->tables[1], NULL, 0, err);
    if (status == SHOAL_OK && !allows_unread)
        status = shoal_unread_refuse(&unread, q->tables[0], err);
    if (status == SHOAL_OK) status = shoal_plan_weigh(&q->job.plan, &measures, err);
    if (status == SHOAL_OK && has_sensitive)
        status = shoal_strength_find(&strength, q->tables[1], q->tables[0], q->job.threads, err);
    if (status == SHOAL_OK)
        q->answer = shoal_measures_json(&measures, q->tables[0], k, &unread,
                                        has_sensitive ? &strength : NULL, NULL);
    shoal_unread_clear(&unread);
    shoal_strength_clear(&strength);
    shoal_measures_clear(&measures);
    return status;
}

SEXP r_measure(SEXP request, SEXP callback)
{
    return r_ask(request, callback, measure);
}

/* ---- risk ---- */

static shoal_status risk(r_question *q, SEXP request, shoal_error *err)
{
    shoal_risk after = { 0 }, before = { 0 };
    shoal_risk_options options = SHOAL_RISK_OPTIONS_INIT;
    SEXP thresholds = r_field(request, "thresholds");
    bool by_person = r_flag(request, "by_person"), has_original = q->streams[1].release != NULL;
    unsigned parts = SHOAL_PART_COUNTS | (by_person ? SHOAL_PART_PERSONS : 0);
    options.k = q->job.plan.k;
    options.threads = q->job.threads;
    options.callbacks = &q->guard.callbacks;
    options.sampling_fraction = r_number(request, "sampling_fraction");
    options.count_suppressed = r_flag(request, "count_suppressed");
    options.n_thresholds = (size_t)Rf_xlength(thresholds);
    options.thresholds = options.n_thresholds > 0 ? REAL(thresholds) : NULL;
    if (options.n_thresholds > SHOAL_RISK_THRESHOLDS)
        return shoal_fail(err, SHOAL_EINVAL,
                          "too many thresholds {fix} at most %d can be counted at once",
                          SHOAL_RISK_THRESHOLDS);
    RETURN_IF_ERROR(
        shoal_job_load_released(&q->tables[0], &q->job, &q->streams[0], NULL, parts, err));
    if (has_original)
        RETURN_IF_ERROR(
            shoal_job_load_released(&q->tables[1], &q->job, &q->streams[1], NULL, parts, err));
    RETURN_IF_ERROR(
        shoal_job_load_population(&q->tables[2], &q->job, &q->streams[2], NULL, by_person, err));
    options.population = q->tables[2];
    shoal_status status = shoal_risk_measure(&after, q->tables[0], &options, err);
    if (status == SHOAL_OK && has_original)
        status = shoal_risk_measure(&before, q->tables[1], &options, err);
    if (status == SHOAL_OK)
        q->answer = shoal_risk_json(&after, has_original ? &before : NULL, q->tables[0],
                                    options.count_suppressed);
    shoal_risk_clear(&after);
    shoal_risk_clear(&before);
    return status;
}

SEXP r_risk(SEXP request, SEXP callback)
{
    return r_ask(request, callback, risk);
}

/* ---- bound ---- */

static shoal_status bound(r_question *q, SEXP request, shoal_error *err)
{
    double start = r_seconds_now();
    shoal_bound_parts parts = { 0 };
    (void)request;
    RETURN_IF_ERROR(r_need_k(&q->job, err));
    RETURN_IF_ERROR(shoal_job_load(&q->tables[0], &q->job, &q->streams[0], false, err));
    RETURN_IF_ERROR(shoal_bound_explain(&parts, q->tables[0], q->job.plan.k, q->job.threads,
                                        &q->guard.callbacks, err));
    q->answer = shoal_bound_json(&parts, q->tables[0], q->job.plan.k, r_seconds_now() - start);
    return SHOAL_OK;
}

SEXP r_bound(SEXP request, SEXP callback)
{
    return r_ask(request, callback, bound);
}

/* ---- attack ---- */

enum { ORIGINAL, HELD_OUT, FIRST_RELEASE };

static shoal_status load_attacked(shoal_attack_request *out, r_question *q, shoal_error *err)
{
    q->job.encode_all = true;
    RETURN_IF_ERROR(
        shoal_job_load(&q->tables[ORIGINAL], &q->job, &q->streams[ORIGINAL], false, err));
    if (q->streams[HELD_OUT].release != NULL)
        RETURN_IF_ERROR(
            shoal_job_load(&q->tables[HELD_OUT], &q->job, &q->streams[HELD_OUT], false, err));
    for (size_t i = FIRST_RELEASE; i < q->n_tables; i++)
        RETURN_IF_ERROR(shoal_job_load_released(&q->tables[i], &q->job, &q->streams[i],
                                                q->tables[ORIGINAL],
                                                SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE, err));
    out->original = q->tables[ORIGINAL];
    out->held_out = q->tables[HELD_OUT];
    out->releases = (const shoal_table *const *)&q->tables[FIRST_RELEASE];
    out->n_releases = q->n_tables - FIRST_RELEASE;
    out->k = q->job.plan.k;
    out->seed = q->job.plan.seed;
    out->threads = q->job.threads;
    out->callbacks = &q->guard.callbacks;
    return SHOAL_OK;
}

static shoal_status attack(r_question *q, SEXP request, shoal_error *err)
{
    shoal_attack_result result = { 0 };
    shoal_attack_controls controls = { 0 };
    shoal_attack_request asked = SHOAL_ATTACK_REQUEST_INIT;
    bool with_controls = r_flag(request, "controls");
    asked.record_key = r_text(request, "record_key");
    asked.known = (uint32_t)r_number(request, "known");
    asked.max_subsets = (uint32_t)r_number(request, "sets");
    asked.error_share = r_number(request, "errors");
    RETURN_IF_ERROR(r_take_names(q, request, "only", &asked.n_only, err));
    asked.only = q->names;
    RETURN_IF_ERROR(load_attacked(&asked, q, err));
    shoal_status status = shoal_attack_run(&result, &asked, err);
    if (status == SHOAL_OK && with_controls)
        status = shoal_attack_controls_run(&controls, asked.seed, asked.threads, err);
    if (status == SHOAL_OK)
        q->answer = shoal_attack_json(&result, with_controls ? &controls : NULL);
    shoal_attack_clear(&result);
    shoal_attack_controls_clear(&controls);
    return status;
}

SEXP r_attack(SEXP request, SEXP callback)
{
    return r_ask(request, callback, attack);
}

/* ---- profile ---- */

static shoal_status profile(r_question *q, SEXP request, shoal_error *err)
{
    size_t n_nulls;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    options.callbacks = &q->guard.callbacks;
    RETURN_IF_ERROR(r_take_names(q, request, "nulls", &n_nulls, err));
    RETURN_IF_ERROR(shoal_table_open_arrow(&q->tables[0], &q->streams[0], err));
    if (n_nulls > 0)
        RETURN_IF_ERROR(shoal_table_set_nulls(q->tables[0], q->names, n_nulls,
                                              SHOAL_MISSING_OWN_CATEGORY, err));
    RETURN_IF_ERROR(shoal_table_load(q->tables[0], &options, err));
    RETURN_IF_ERROR(shoal_profile_plan(&q->answer, q->tables[0], "table", err));
    return shoal_profile_json(&q->second_answer, q->tables[0], NULL, err);
}

SEXP r_profile(SEXP request, SEXP callback)
{
    return r_ask(request, callback, profile);
}
