/* SPDX-License-Identifier: Apache-2.0 */
/* report_json.c - results of one run as JSON: `shoal anonymize --json`. */
#include "base/sized.h"
#include "report/json.h"

#include <math.h>
#include <sys/resource.h>

uint64_t shoal_peak_bytes(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
    return (uint64_t)usage.ru_maxrss * 1024;
}

/* All zero where they were skipped. */
static const shoal_measures *measures_of(const shoal_report *r)
{
    static const shoal_measures none;
    const shoal_measures *found = shoal_outcome_measures(r->outcome);
    return found != NULL ? found : &none;
}

static double microseconds(double seconds)
{
    return round(seconds * 1e6) / 1e6;
}

static json_t *seconds_json(const shoal_report *r, bool *failed)
{
    const shoal_outcome *o = r->outcome;
    json_t *object = json_object();
    shoal_json_set_real(object, "read", microseconds(r->read_seconds), failed);
    shoal_json_set_real(object, "encode", microseconds(shoal_outcome_seconds(o, "encode")), failed);
    shoal_json_set_real(object, "search", microseconds(shoal_outcome_seconds(o, "search")), failed);
    shoal_json_set_real(object, "refine", microseconds(shoal_outcome_seconds(o, "refine")), failed);
    shoal_json_set_real(object, "measure", microseconds(shoal_outcome_seconds(o, "measure")),
                        failed);
    shoal_json_set_real(object, "bound", microseconds(shoal_outcome_seconds(o, "bound")), failed);
    shoal_json_set_real(object, "verify", microseconds(shoal_outcome_seconds(o, "verify")), failed);
    shoal_json_set_real(object, "write", microseconds(shoal_outcome_seconds(o, "write")), failed);
    shoal_json_set_real(object, "total", microseconds(r->total_seconds), failed);
    shoal_json_set_real(object, "processor", microseconds(shoal_outcome_seconds(o, "processor")),
                        failed);
    return object;
}

static json_t *params_json(const shoal_plan *plan, bool *failed)
{
    json_t *object = json_object();
    for (size_t i = 0; i < plan->n_params; i++)
        shoal_json_set_text(object, plan->params[i].name, plan->params[i].value, failed);
    return object;
}

/* Levels of a full-domain method, and how many each quasi-identifier has above its values. */
static void set_levels(json_t *object, const shoal_report *r, bool *failed)
{
    if (shoal_grouping_level(shoal_outcome_grouping(r->outcome), 0) == SHOAL_NO_LEVEL) return;
    json_t *levels = json_object(), *heights = json_object();
    for (size_t i = 0; i < measures_of(r)->n_qids; i++) {
        const char *name = shoal_table_column_name(r->table, measures_of(r)->qid_column[i]);
        shoal_json_set_count(levels, name,
                             shoal_grouping_level(shoal_outcome_grouping(r->outcome), i), failed);
        shoal_json_set_count(heights, name,
                             shoal_grouping_height(shoal_outcome_grouping(r->outcome), i), failed);
    }
    shoal_json_set(object, "levels", levels, failed);
    shoal_json_set(object, "level_heights", heights, failed);
}

char *shoal_levels_json(const shoal_report *given)
{
    bool failed = false;
    shoal_report own = { 0 };
    if (!shoal_read_sized(&own, sizeof own, given)) return NULL;
    const shoal_report *r = &own;
    json_t *object = json_object();
    shoal_json_set_text(object, "algorithm", r->algorithm, &failed);
    shoal_json_set_count(object, "k", r->plan->k, &failed);
    set_levels(object, r, &failed);
    return shoal_json_finish(object, failed);
}

static void append_real(json_t *list, double value, bool *failed)
{
    if (json_array_append_new(list, isfinite(value) ? json_real(value) : json_null()) != 0)
        *failed = true;
}

/* For every quasi-identifier and level: I_N, and, after suppression, I_N and D_N (null: infinite,
 * because a value no longer occurs). */
static void set_level_numbers(json_t *object, const shoal_report *r, bool *failed)
{
    json_t *before = json_object(), *after = json_object(), *divergences = json_object();
    for (size_t i = 0; i < measures_of(r)->n_qids; i++) {
        const shoal_grouping *grouping = shoal_outcome_grouping(r->outcome);
        const char *name = shoal_table_column_name(r->table, measures_of(r)->qid_column[i]);
        json_t *levels = json_array(), *left = json_array(), *changed = json_array();
        double information = 0, divergence = 0;
        for (uint32_t l = 0; shoal_grouping_level_change(grouping, i, l, &information, &divergence);
             l++) {
            append_real(levels, shoal_grouping_level_information(grouping, i, l), failed);
            append_real(left, information, failed);
            append_real(changed, divergence, failed);
        }
        shoal_json_set(before, name, levels, failed);
        shoal_json_set(after, name, left, failed);
        shoal_json_set(divergences, name, changed, failed);
    }
    shoal_json_set(object, "level_information", before, failed);
    shoal_json_set(object, "level_information_after", after, failed);
    shoal_json_set(object, "level_divergence", divergences, failed);
}

/* Information of the levels about the class, from level 0, and what suppression changed; for
 * methods that use it. */
static void set_information(json_t *object, const shoal_report *r, bool *failed)
{
    shoal_information found;
    if (!shoal_grouping_information(shoal_outcome_grouping(r->outcome), &found)) return;
    shoal_json_set_real(object, "alpha", found.alpha, failed);
    /* null: a value no longer occurs, so beta is infinite */
    shoal_json_set_real(object, "beta", found.beta, failed);
    shoal_json_set_real(object, "beta_kept", found.beta_kept, failed);
    shoal_json_set_count(object, "gone_values", found.n_gone, failed);
    shoal_json_set_count(object, "k_reached", found.k_reached, failed);
    set_level_numbers(object, r, failed);
}

/* Parameters that the method chose itself. */
static void set_settings(json_t *object, const shoal_report *r, bool *failed)
{
    const char *name, *word;
    double value;
    json_t *chosen = json_object();
    for (size_t i = 0;
         shoal_grouping_setting(shoal_outcome_grouping(r->outcome), i, &name, &value, &word); i++) {
        if (word != NULL)
            shoal_json_set_text(chosen, name, word, failed);
        else
            shoal_json_set_real(chosen, name, value, failed);
    }
    if (json_object_size(chosen) > 0)
        shoal_json_set(object, "settings", chosen, failed);
    else
        json_decref(chosen);
}

/* Results of a bucketised release, which has buckets instead of groups with a loss. */
static void set_buckets(json_t *object, const shoal_report *r, bool *failed)
{
    uint32_t l = 0;
    const shoal_bucket_result *b = shoal_outcome_buckets(r->outcome, &l);
    shoal_json_set_count(object, "l", l, failed);
    shoal_json_set_count(object, "rows", b->n_rows, failed);
    shoal_json_set_count(object, "classes",
                         shoal_grouping_n_classes(shoal_outcome_grouping(r->outcome)), failed);
    shoal_json_set_count(object, "groups", b->n_groups, failed);
    shoal_json_set_count(object, "min_group", b->min_group, failed);
    shoal_json_set_real(object, "max_share", b->max_share, failed);
    shoal_json_set_real(object, "rce", b->rce, failed);
    shoal_json_set_real(object, "rce_bound", (double)b->n_rows * (1 - 1.0 / l), failed);
}

const char *shoal_bound_subject(const shoal_outcome *outcome, uint32_t k)
{
    if (shoal_outcome_models(outcome)->n_models == 0) return "k";
    return shoal_outcome_bound_k(outcome) > k ? "k and models" : "k alone";
}

/* The lower bound, or why it is missing. */
static void set_bound(json_t *object, const shoal_report *r, bool *failed)
{
    const shoal_bound_parts *found = shoal_outcome_bound(r->outcome);
    shoal_left_out left_out = shoal_outcome_bound_left_out(r->outcome);
    shoal_json_set_real(object, "lower_bound", found != NULL ? found->bound : NAN, failed);
    shoal_json_set_real(object, "gap",
                        found != NULL && found->bound > 0
                            ? shoal_bounded_loss(measures_of(r), r->table) / found->bound
                            : NAN,
                        failed);
    shoal_json_set_text(object, "bound", found != NULL ? shoal_bound_name(found) : NULL, failed);
    shoal_json_set_text(object, "bound_for",
                        found != NULL ? shoal_bound_subject(r->outcome, r->plan->k) : NULL, failed);
    if (left_out != SHOAL_NOT_LEFT_OUT)
        shoal_json_set_text(object, "bound_left_out",
                            left_out == SHOAL_LEFT_OUT_BY_TIME   ? "time-limit"
                            : left_out == SHOAL_LEFT_OUT_BY_STOP ? "stopped"
                                                                 : "memory-limit",
                            failed);
    if (found != NULL)
        shoal_json_set(object, "bound_relaxations", shoal_json_relaxations(found, failed), failed);
}

static void set_groups(json_t *object, const shoal_report *r, bool *failed)
{
    const shoal_grouping *grouping = shoal_outcome_grouping(r->outcome);
    const shoal_check_result *check = shoal_outcome_check(r->outcome);
    shoal_json_set_count(object, "rows", measures_of(r)->n_rows, failed);
    shoal_json_set_count(object, "classes", shoal_grouping_n_classes(grouping), failed);
    /* as published: suppressed rows may be left out */
    shoal_json_set_count(object, "groups", check->n_groups, failed);
    shoal_json_set_count(object, "min_group", check->min_group, failed);
    shoal_json_set_text_groups(object, check, r->table, failed);
    shoal_json_set_count(object, "suppressed_rows", shoal_grouping_n_suppressed(grouping), failed);
    shoal_json_set_exempt(object, r->table, failed);
    shoal_json_set_measures(object, measures_of(r), r->table, failed);
    set_levels(object, r, failed);
    set_information(object, r, failed);
    set_settings(object, r, failed);
    if (r->applies) {
        shoal_json_set_count(object, "k_reached", check->min_group, failed);
        shoal_json_set(object, "k_guaranteed", json_boolean(r->plan->k > 0), failed);
    }
    set_bound(object, r, failed);
}

/* The name of a column, or null where there is none. */
static json_t *column_json(const shoal_table *table, size_t column)
{
    return column == SIZE_MAX ? json_null() : json_string(shoal_table_column_name(table, column));
}

/* Columns published unchanged that nearly identify single rows; null: not looked for. */
static json_t *unique_json(const shoal_report *r, bool *failed)
{
    if (!shoal_outcome_examined_columns(r->outcome)) return json_null();
    json_t *list = json_array();
    const shoal_unique_column *u;
    for (size_t i = 0; (u = shoal_outcome_unique_column(r->outcome, i)) != NULL; i++) {
        if (!u->is_unique) continue;
        json_t *one = json_object();
        shoal_json_set(one, "name", shoal_json_column_name(r->table, u->column), failed);
        shoal_json_set_text(one, "kind", u->kind, failed);
        shoal_json_set_count(one, "rows", u->n_rows, failed);
        shoal_json_set_count(one, "alone", u->n_alone, failed);
        if (json_array_append_new(list, one) != 0) *failed = true;
    }
    return list;
}

/* Columns published unchanged that describe persons; null: not looked for. */
static json_t *identifying_json(const shoal_report *r, bool *failed)
{
    if (!shoal_outcome_examined_columns(r->outcome)) return json_null();
    json_t *list = json_array();
    const shoal_unique_column *u;
    for (size_t i = 0; (u = shoal_outcome_unique_column(r->outcome, i)) != NULL; i++) {
        if (u->identifies == NULL) continue;
        json_t *one = json_object();
        shoal_json_set(one, "name", shoal_json_column_name(r->table, u->column), failed);
        shoal_json_set_text(one, "because", u->identifies, failed);
        if (json_array_append_new(list, one) != 0) *failed = true;
    }
    return list;
}

/* Quasi-identifiers whose published sets list values that are mostly unique. */
static json_t *exact_sets_json(const shoal_report *r, bool *failed)
{
    json_t *list = json_array();
    for (size_t c = 0; c < shoal_table_n_columns(r->table); c++) {
        uint64_t n_unique;
        if (!shoal_report_lists_values(r, c, &n_unique)) continue;
        json_t *one = json_object();
        shoal_json_set(one, "name", shoal_json_column_name(r->table, c), failed);
        shoal_json_set_count(one, "alone", n_unique, failed);
        if (json_array_append_new(list, one) != 0) *failed = true;
    }
    return list;
}

/* Columns that look like keys of persons with several rows, and groups with fewer than k of their
 * values. */
static json_t *likely_keys_json(const shoal_report *r, bool *failed)
{
    json_t *list = json_array();
    const shoal_likely_key *key;
    for (size_t i = 0; (key = shoal_outcome_likely_key(r->outcome, i)) != NULL; i++) {
        json_t *one = json_object();
        shoal_json_set(one, "name", shoal_json_column_name(r->table, key->column), failed);
        shoal_json_set_text(one, "because", key->because, failed);
        shoal_json_set(
            one, "groups_below_k",
            key->is_counted ? json_integer((json_int_t)key->n_groups_below) : json_null(), failed);
        shoal_json_set(one, "fewest_in_group",
                       key->is_counted ? json_integer((json_int_t)key->fewest) : json_null(),
                       failed);
        shoal_json_set(one, "published",
                       json_boolean(shoal_outcome_fate(r->outcome, r->table, key->column) ==
                                    SHOAL_COLUMN_UNCHANGED),
                       failed);
        if (json_array_append_new(list, one) != 0) *failed = true;
    }
    return list;
}

/* Names of the columns of the release. For a data frame only the changed columns are known here. */
static json_t *columns_json(const shoal_report *r, shoal_column_fate fate, bool *failed)
{
    if (!shoal_outcome_examined_columns(r->outcome) && fate != SHOAL_COLUMN_CHANGED)
        return json_null();
    json_t *list = json_array();
    for (size_t c = 0; c < shoal_table_n_columns(r->table); c++)
        if (shoal_outcome_fate(r->outcome, r->table, c) == fate &&
            json_array_append_new(list, shoal_json_column_name(r->table, c)) != 0)
            *failed = true;
    return list;
}

/* Did a time limit or the caller end the search, or the bound? */
static bool is_stopped_early(const shoal_outcome *o)
{
    const shoal_bound_parts *bound = shoal_outcome_bound(o);
    shoal_left_out left_out = shoal_outcome_bound_left_out(o);
    return shoal_grouping_stopped_early(shoal_outcome_grouping(o)) ||
           (bound != NULL && bound->is_stopped) || left_out == SHOAL_LEFT_OUT_BY_TIME ||
           left_out == SHOAL_LEFT_OUT_BY_STOP;
}

/* Generalised sensitive values. */
static void set_personal(json_t *object, const shoal_outcome *o, bool *failed)
{
    double breach = 0;
    const shoal_personal_result *found = shoal_outcome_personal(o, &breach);
    if (found == NULL) return;
    shoal_json_set_real(object, "breach", breach, failed);
    shoal_json_set_real(object, "max_breach", found->max_breach, failed);
    shoal_json_set_count(object, "guarded_rows", found->guarded_rows, failed);
    shoal_json_set_real(object, "sensitive_loss", found->sensitive_loss, failed);
}

char *shoal_report_json(const shoal_report *given)
{
    bool failed = false;
    shoal_report own = { 0 };
    if (!shoal_read_sized(&own, sizeof own, given)) return NULL;
    const shoal_report *r = &own;
    const shoal_plan *plan = r->plan;
    const shoal_outcome *o = r->outcome;
    const shoal_grouping *grouping = shoal_outcome_grouping(o);
    const shoal_row_hints *hints = shoal_outcome_row_hints(o);
    bool is_bucketed = shoal_outcome_buckets(o, NULL) != NULL;
    uint64_t evaluations = 0, queries = 0;
    shoal_grouping_search_counts(grouping, &evaluations, &queries);
    json_t *object = json_object();
    shoal_json_set_text(object, "version", shoal_version(), &failed);
    shoal_json_set_text(object, "algorithm", r->algorithm, &failed);
    shoal_json_set(object, "params", params_json(plan, &failed), &failed);
    shoal_json_set_text(object, "recoding",
                        is_bucketed ? "buckets" : shoal_recode_name(shoal_grouping_model(grouping)),
                        &failed);
    /* apply may ask for none */
    shoal_json_set(object, "k", plan->k > 0 ? json_integer(plan->k) : json_null(), &failed);
    /* buckets use none */
    shoal_json_set(object, "seed", is_bucketed ? json_null() : json_integer((json_int_t)plan->seed),
                   &failed);
    if (is_bucketed)
        set_buckets(object, r, &failed);
    else
        set_groups(object, r, &failed);
    set_personal(object, o, &failed);
    shoal_json_set_text(object, "missing", shoal_missing_name(shoal_table_missing(r->table)),
                        &failed);
    shoal_json_set(object, "models", shoal_json_models(shoal_outcome_models(o), r->table), &failed);
    shoal_json_set(object, "verified", json_true(), &failed);
    shoal_json_set(object, "stopped_early", json_boolean(is_stopped_early(o)), &failed);
    shoal_json_set_text(object, "row_order", shoal_outcome_is_shuffled(o) ? "shuffled" : "kept",
                        &failed);
    shoal_json_set(object, "sorted_by", column_json(r->table, hints->sorted_column), &failed);
    shoal_json_set(object, "repeated_identifier", column_json(r->table, hints->repeated_column),
                   &failed);
    shoal_json_set(object, "changed", columns_json(r, SHOAL_COLUMN_CHANGED, &failed), &failed);
    shoal_json_set(object, "unchanged", columns_json(r, SHOAL_COLUMN_UNCHANGED, &failed), &failed);
    shoal_json_set(object, "left_out", columns_json(r, SHOAL_COLUMN_LEFT_OUT, &failed), &failed);
    shoal_json_set(object, "nearly_unique", unique_json(r, &failed), &failed);
    shoal_json_set(object, "identifying", identifying_json(r, &failed), &failed);
    shoal_json_set(object, "likely_keys", likely_keys_json(r, &failed), &failed);
    shoal_json_set(object, "exact_sets", exact_sets_json(r, &failed), &failed);
    shoal_json_set(object, "streamed", json_boolean(shoal_table_is_streamed(r->table)), &failed);
    shoal_json_set_count(object, "evaluations", evaluations, &failed);
    shoal_json_set_count(object, "queries", queries, &failed);
    shoal_json_set(object, "seconds", seconds_json(r, &failed), &failed);
    shoal_json_set_count(object, "peak_rss_bytes", shoal_peak_bytes(), &failed);
    shoal_json_set_count(object, "threads", r->threads, &failed);
    return shoal_json_finish(object, failed);
}
