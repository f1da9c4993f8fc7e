/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - what a run found, as JSON for programs and as a tidy block for people.
 *
 * Neither says more than was checked: which model holds, with which k, and what it cost.
 */
#include "cli.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BAR_WIDTH = 20 };

char *cli_json_text(void *json)
{
    if (json == NULL) return NULL;
    char *text = json_dumps(json, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
    json_decref(json);
    return text;
}

shoal_status cli_print_json(char *text, shoal_error *err)
{
    if (text == NULL) return cli_fail_memory(err);
    puts(text);
    free(text);
    return SHOAL_OK;
}

/* json_object_set_new takes the value in any case; one flag remembers that something failed. */
static void set(json_t *object, const char *key, json_t *value, bool *failed)
{
    if (json_object_set_new(object, key, value) != 0) *failed = true;
}

static void set_count(json_t *object, const char *key, uint64_t count, bool *failed)
{
    set(object, key, json_integer((json_int_t)count), failed);
}

/* JSON has no infinity and no NaN: null stands for them. */
static void set_real(json_t *object, const char *key, double number, bool *failed)
{
    set(object, key, isfinite(number) ? json_real(number) : json_null(), failed);
}

static void set_text(json_t *object, const char *key, const char *text, bool *failed)
{
    json_t *value = text != NULL ? json_string(text) : NULL;
    /* A name that is not UTF-8 cannot be JSON; it is left out rather than the whole report. */
    set(object, key, value != NULL ? value : json_null(), failed);
}

static void set_protection(json_t *object, const shoal_measures *m, const shoal_table *table, bool *failed)
{
    set_real(object, "mpm", m->mpm, failed);
    set_real(object, "mr_wtd", m->mr_wtd, failed);
    set_real(object, "wgp", m->wgp, failed);
    set_real(object, "gd", m->gd, failed);
    set_real(object, "dc", m->dc, failed);
    json_t *columns = json_array();
    for (size_t i = 0; i < m->n_sensitive; i++) {
        json_t *column = json_object();
        const char *range = shoal_table_sensitive_range(table, m->sensitive_column[i]);
        set_text(column, "name", shoal_table_column_name(table, m->sensitive_column[i]), failed);
        set_text(column, "sensitive_range", range != NULL ? range : "value", failed);
        set_real(column, "mpm", m->sensitive_mpm[i], failed);
        set_real(column, "wgp", m->sensitive_wgp[i], failed);
        if (json_array_append_new(columns, column) != 0) *failed = true;
    }
    set(object, "sensitive", columns, failed);
}

static void set_measures(json_t *object, const shoal_measures *m, const shoal_table *table, bool *failed)
{
    set_real(object, "gcp", m->gcp, failed);
    set_real(object, "ncp", m->ncp, failed);
    set_real(object, "um", m->um, failed);
    set_real(object, "wgu", m->wgu, failed);
    set_real(object, "dm", m->dm, failed);
    set_real(object, "cavg", m->cavg, failed);
    set_real(object, "modification_rate", m->modification_rate, failed);
    set_real(object, "distortion", m->distortion, failed);
    set_real(object, "distortion_ratio", m->distortion_ratio, failed);
    set_real(object, "genc", m->genc, failed);
    set_real(object, "s1_loss", m->s1_loss, failed);
    set_real(object, "s1_loss_wid", m->s1_loss_wid, failed);
    if (m->has_sse) set_real(object, "sse_ratio", m->sse_ratio, failed);
    if (m->has_class) {
        set_real(object, "cm", m->cm, failed);
        set_real(object, "cm_before", m->cm_before, failed);
    }
    if (m->n_sensitive > 0) set_protection(object, m, table, failed);
    json_t *qids = json_array();
    for (size_t i = 0; i < m->n_qids; i++) {
        json_t *qid = json_object();
        set_text(qid, "name", shoal_table_column_name(table, m->qid_column[i]), failed);
        set_real(qid, "loss", m->qid_loss[i], failed);
        if (json_array_append_new(qids, qid) != 0) *failed = true;
    }
    set(object, "qids", qids, failed);
}

static double microseconds(double seconds)
{
    return round(seconds * 1e6) / 1e6;
}

static json_t *seconds_json(const cli_report *r, bool *failed)
{
    json_t *object = json_object();
    set_real(object, "read", microseconds(r->seconds.read), failed);
    set_real(object, "encode", microseconds(r->seconds.encode), failed);
    set_real(object, "search", microseconds(r->seconds.search), failed);
    set_real(object, "refine", microseconds(r->seconds.refine), failed);
    set_real(object, "measure", microseconds(r->seconds.measure), failed);
    set_real(object, "bound", microseconds(r->seconds.bound), failed);
    set_real(object, "verify", microseconds(r->seconds.verify), failed);
    set_real(object, "write", microseconds(r->seconds.write), failed);
    set_real(object, "total", microseconds(r->seconds.total), failed);
    return object;
}

static json_t *params_json(const shoal_plan *plan, bool *failed)
{
    json_t *object = json_object();
    for (size_t i = 0; i < plan->n_params; i++)
        set_text(object, plan->param_names[i], plan->param_values[i], failed);
    return object;
}

/* Levels of a full-domain method, and how many each quasi-identifier has above its values. */
static void set_levels(json_t *object, const cli_report *r, bool *failed)
{
    if (shoal_grouping_level(r->grouping, 0) == SHOAL_NO_LEVEL) return;
    json_t *levels = json_object(), *heights = json_object();
    for (size_t i = 0; i < r->measures.n_qids; i++) {
        const char *name = shoal_table_column_name(r->job->table, r->measures.qid_column[i]);
        set_count(levels, name, shoal_grouping_level(r->grouping, i), failed);
        set_count(heights, name, shoal_grouping_height(r->grouping, i), failed);
    }
    set(object, "levels", levels, failed);
    set(object, "level_heights", heights, failed);
}

char *cli_levels_json(const cli_report *r)
{
    bool failed = false;
    json_t *object = json_object();
    set_text(object, "algorithm", r->algorithm, &failed);
    set_count(object, "k", r->job->plan.k, &failed);
    set_levels(object, r, &failed);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return cli_json_text(object);
}

/* What the levels tell of the class, level 0 first, and what suppression changed; for methods that look at it. */
static void set_information(json_t *object, const cli_report *r, bool *failed)
{
    shoal_information found;
    if (!shoal_grouping_information(r->grouping, &found)) return;
    set_real(object, "alpha", found.alpha, failed);
    set_real(object, "beta", found.beta, failed); /* null: a value is gone altogether, beta is infinite */
    set_real(object, "beta_kept", found.beta_kept, failed);
    set_count(object, "gone_values", found.n_gone, failed);
    set_count(object, "k_reached", found.k_reached, failed);
    json_t *all = json_object();
    for (size_t i = 0; i < r->measures.n_qids; i++) {
        json_t *levels = json_array();
        for (uint32_t l = 0; l <= shoal_grouping_height(r->grouping, i); l++)
            if (json_array_append_new(levels, json_real(shoal_grouping_level_information(r->grouping, i, l))) != 0) *failed = true;
        set(all, shoal_table_column_name(r->job->table, r->measures.qid_column[i]), levels, failed);
    }
    set(object, "level_information", all, failed);
}

/* What a release by buckets has instead of groups with a loss. */
static void set_buckets(json_t *object, const cli_report *r, bool *failed)
{
    const shoal_bucket_result *b = &r->buckets;
    set_count(object, "l", r->bucket_l, failed);
    set_count(object, "rows", b->n_rows, failed);
    set_count(object, "classes", shoal_grouping_n_classes(r->grouping), failed);
    set_count(object, "groups", b->n_groups, failed);
    set_count(object, "min_group", b->min_group, failed);
    set_real(object, "max_share", b->max_share, failed);
    set_real(object, "rce", b->rce, failed);
    set_real(object, "rce_bound", (double)b->n_rows * (1 - 1.0 / r->bucket_l), failed);
}

static void set_groups(json_t *object, const cli_report *r, bool *failed)
{
    set_count(object, "rows", r->measures.n_rows, failed);
    set_count(object, "classes", shoal_grouping_n_classes(r->grouping), failed);
    set_count(object, "groups", r->check.n_groups, failed); /* as published: suppressed rows may be left out */
    set_count(object, "min_group", r->check.min_group, failed);
    set_count(object, "suppressed_rows", r->measures.suppressed_rows, failed);
    set_measures(object, &r->measures, r->job->table, failed);
    set_levels(object, r, failed);
    set_information(object, r, failed);
    if (r->applies) {
        set_count(object, "k_reached", r->check.min_group, failed);
        set(object, "k_guaranteed", json_boolean(r->job->plan.k > 0), failed);
    }
    set_real(object, "lower_bound", r->has_bound ? r->bound.bound : NAN, failed);
    set_real(object, "gap", r->has_bound && r->bound.bound > 0 ? r->measures.gcp / r->bound.bound : NAN, failed);
    set_text(object, "bound", !r->has_bound ? NULL : r->bound.has_boxes ? "box" : "knn", failed);
}

char *cli_report_json(const cli_report *r)
{
    bool failed = false;
    const shoal_plan *plan = &r->job->plan;
    uint64_t evaluations = 0, queries = 0;
    shoal_grouping_search_counts(r->grouping, &evaluations, &queries);
    json_t *object = json_object();
    set_text(object, "version", shoal_version(), &failed);
    set_text(object, "algorithm", r->algorithm, &failed);
    set(object, "params", params_json(plan, &failed), &failed);
    set_text(object, "recoding", r->second_output != NULL ? "buckets" : shoal_recode_name(shoal_grouping_model(r->grouping)), &failed);
    set(object, "k", plan->k > 0 ? json_integer(plan->k) : json_null(), &failed); /* apply may ask for none */
    set_count(object, "seed", plan->seed, &failed);
    if (r->second_output != NULL) set_buckets(object, r, &failed);
    else set_groups(object, r, &failed);
    if (r->is_personal) {
        set_real(object, "breach", r->breach, &failed);
        set_real(object, "max_breach", r->personal.max_breach, &failed);
        set_count(object, "guarded_rows", r->personal.guarded_rows, &failed);
        set_real(object, "sensitive_loss", r->personal.sensitive_loss, &failed);
    }
    set_text(object, "missing", cli_missing_name(shoal_table_missing(r->job->table)), &failed);
    set(object, "models", cli_models_json(&r->models, r->job->table), &failed);
    set(object, "verified", json_true(), &failed);
    set(object, "stopped_early", json_boolean(shoal_grouping_stopped_early(r->grouping)), &failed);
    set_count(object, "evaluations", evaluations, &failed);
    set_count(object, "queries", queries, &failed);
    set(object, "seconds", seconds_json(r, &failed), &failed);
    set_count(object, "peak_rss_bytes", cli_peak_bytes(), &failed);
    set_count(object, "threads", r->job->threads, &failed);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return cli_json_text(object);
}

char *cli_measures_json(const shoal_measures *m, const shoal_table *table, uint32_t k, uint64_t unread, void *protection)
{
    bool failed = false;
    json_t *object = json_object();
    set_count(object, "k", k, &failed);
    set_count(object, "rows", m->n_rows, &failed);
    set_count(object, "groups", m->n_groups, &failed);
    set_count(object, "min_group", m->min_group, &failed);
    set_count(object, "suppressed_rows", m->suppressed_rows, &failed);
    set_measures(object, m, table, &failed);
    set_text(object, "missing", cli_missing_name(shoal_table_missing(table)), &failed);
    set_count(object, "unread_cells", unread, &failed);
    if (protection != NULL) set(object, "protection", protection, &failed);
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return cli_json_text(object);
}

static void print_qids(const shoal_measures *m, const shoal_table *table, FILE *stream)
{
    size_t width = 11;
    for (size_t i = 0; i < m->n_qids; i++) {
        size_t length = strlen(shoal_table_column_name(table, m->qid_column[i]));
        if (length > width) width = length < 30 ? length : 30;
    }
    for (size_t i = 0; i < m->n_qids; i++) {
        char bar[BAR_WIDTH + 1], name[32];
        int full = (int)(m->qid_loss[i] * BAR_WIDTH + 0.5);
        for (int j = 0; j < BAR_WIDTH; j++) bar[j] = j < full ? '#' : '.';
        bar[BAR_WIDTH] = '\0';
        snprintf(name, sizeof name, "%s", shoal_table_column_name(table, m->qid_column[i]));
        fputs("  ", stream);
        cli_print_text(stream, name);
        for (size_t j = strlen(name); j < width; j++) fputc(' ', stream);
        fprintf(stream, "  %6.4f  %s\n", m->qid_loss[i], bar);
    }
}

static void print_levels(const cli_report *r, FILE *stream)
{
    if (shoal_grouping_level(r->grouping, 0) == SHOAL_NO_LEVEL) return;
    for (size_t i = 0; i < r->measures.n_qids; i++) {
        fputs(i == 0 ? "levels       " : ", ", stream);
        cli_print_text(stream, shoal_table_column_name(r->job->table, r->measures.qid_column[i]));
        fprintf(stream, " %u of %u", shoal_grouping_level(r->grouping, i), shoal_grouping_height(r->grouping, i));
    }
    fputs("\n", stream);
}

static void print_information(const cli_report *r, FILE *stream)
{
    char a[32];
    shoal_information found;
    if (!shoal_grouping_information(r->grouping, &found)) return;
    fprintf(stream, "k reached    %s\n", cli_count(found.k_reached, a));
    fprintf(stream, "alpha        %.4f  largest change of what a quasi-identifier tells of the class\n", found.alpha);
    fprintf(stream, "beta         %.4f  largest divergence of its values", found.beta_kept);
    if (found.n_gone > 0) fprintf(stream, "; infinite with those %u that are suppressed everywhere", found.n_gone);
    fputs("\n", stream);
}

static void print_seconds(const cli_report *r, FILE *stream)
{
    fprintf(stream, "seconds      read %.2f, encode %.2f, search %.2f, refine %.2f, measure %.2f", r->seconds.read,
            r->seconds.encode, r->seconds.search, r->seconds.refine, r->seconds.measure);
    if (r->has_bound) fprintf(stream, ", bound %.2f", r->seconds.bound);
    fprintf(stream, ", write %.2f, verify %.2f, total %.2f\n", r->seconds.write, r->seconds.verify, r->seconds.total);
}

static void print_buckets(const cli_report *r, FILE *stream)
{
    char a[32], b[32];
    const shoal_bucket_result *found = &r->buckets;
    const char *bold = cli_has_colour(stream) ? "\033[1m" : "", *plain = *bold ? "\033[0m" : "";
    fprintf(stream, "%srelease%s      ", bold, plain);
    cli_print_text(stream, strcmp(r->output, "-") == 0 ? "standard output" : r->output);
    fputs(" and ", stream);
    cli_print_text(stream, r->second_output);
    fprintf(stream, "\nmethod       %s, l = %u, seed %llu\n", r->algorithm, r->bucket_l, (unsigned long long)r->job->plan.seed);
    fprintf(stream, "rows         %s in %s classes (distinct quasi-identifier tuples)\n", cli_count(found->n_rows, a),
            cli_count(shoal_grouping_n_classes(r->grouping), b));
    fprintf(stream, "groups       %s, the smallest of %s rows\n", cli_count(found->n_groups, a), cli_count(found->min_group, b));
    fprintf(stream, "%srce          %.4f%s  reconstruction error; no grouping with this l has less than %.4f\n", bold, found->rce, plain,
            (double)found->n_rows * (1 - 1.0 / r->bucket_l));
    print_seconds(r, stream);
    fprintf(stream, "memory       %.0f MB at most, %u thread%s\n", (double)cli_peak_bytes() / 1e6, r->job->threads,
            r->job->threads == 1 ? "" : "s");
    fprintf(stream, "%sverified%s     no sensitive value makes up more than %.4g of a group; quasi-identifiers are unchanged\n", bold, plain,
            found->max_share);
}

void cli_report_text(const cli_report *r, FILE *stream)
{
    if (r->second_output != NULL) {
        print_buckets(r, stream);
        return;
    }
    char a[32], b[32];
    const shoal_measures *m = &r->measures;
    const char *bold = cli_has_colour(stream) ? "\033[1m" : "", *plain = *bold ? "\033[0m" : "";
    fprintf(stream, "%srelease%s      ", bold, plain);
    cli_print_text(stream, strcmp(r->output, "-") == 0 ? "standard output" : r->output);
    if (r->job->plan.k == 0) fprintf(stream, "\nmethod       %s, no k asked for\n", r->algorithm);
    else
        fprintf(stream, "\nmethod       %s, k = %u, seed %llu\n", r->algorithm, r->job->plan.k,
                (unsigned long long)r->job->plan.seed);
    shoal_recode_model model = shoal_grouping_model(r->grouping);
    bool is_aggregated = shoal_recode_is_microaggregation(model);
    if (model != SHOAL_RECODE_LOCAL)
        fprintf(stream, "recoding     %s%s\n", shoal_recode_name(model), is_aggregated ? " (microaggregation)" : "");
    fprintf(stream, "rows         %s in %s classes (distinct quasi-identifier tuples)\n", cli_count(m->n_rows, a),
            cli_count(shoal_grouping_n_classes(r->grouping), b));
    fprintf(stream, "groups       %s, the smallest of %s rows\n", cli_count(r->check.n_groups, a),
            cli_count(r->check.min_group, b));
    fprintf(stream, "suppressed   %s rows%s\n", cli_count(m->suppressed_rows, a),
            m->suppressed_rows > 0 && r->job->plan.drop_suppressed ? ", left out" : "");
    fprintf(stream, "missing      %s\n", cli_missing_name(shoal_table_missing(r->job->table)));
    cli_models_text(&r->models, r->job->table, 13, stream);
    fprintf(stream, "%sgcp          %.4f%s  information loss: 0 unchanged, 1 nothing left\n", bold, m->gcp, plain);
    if (r->has_bound && r->bound.bound > 0)
        fprintf(stream, "lower bound  %.4f  no release with this k loses less; gap %.2f times\n", r->bound.bound,
                m->gcp / r->bound.bound);
    else if (r->has_bound)
        fprintf(stream, "lower bound  %.4f\n", r->bound.bound);
    if (m->has_sse)
        fprintf(stream, "sse ratio    %.4f  squared distance of numbers to what is published: 0 unchanged, 1 all at the mean\n",
                m->sse_ratio);
    if (m->has_class)
        fprintf(stream, "cm           %.4f  rows whose class label is not their group's most frequent; %.4f before\n", m->cm,
                m->cm_before);
    if (m->n_sensitive > 0)
        fprintf(stream, "protection   mpm %.4f, wgp %.4f  of sensitive values: 0 spread widely, 1 all alike; wgu %.4f\n", m->mpm, m->wgp, m->wgu);
    print_qids(m, r->job->table, stream);
    if (r->is_personal)
        fprintf(stream, "sensitive    %.4f  information loss of the sensitive column; the worst breach of %s guarded rows is %.4f\n",
                r->personal.sensitive_loss, cli_count(r->personal.guarded_rows, a), r->personal.max_breach);
    print_levels(r, stream);
    print_information(r, stream);
    print_seconds(r, stream);
    fprintf(stream, "memory       %.0f MB at most, %u thread%s\n", (double)cli_peak_bytes() / 1e6, r->job->threads,
            r->job->threads == 1 ? "" : "s");
    if (r->job->plan.k == 0)
        fprintf(stream, "%sk = %-9s%s the smallest group has so many rows: reported, not guaranteed; every cell covers its original\n", bold,
                cli_count(r->check.min_group, a), plain);
    else fprintf(stream, "%sverified%s     every published tuple occurs at least %u times; every cell %s%s\n",
            bold, plain, r->job->plan.k, is_aggregated ? "is what its group's values give" : "covers its original",
            r->models.n_models > 0 ? "; every model holds" : "");
    if (r->is_personal) fprintf(stream, "             no guarding node is breached by more than %g; every sensitive cell covers its original\n", r->breach);
    if (shoal_grouping_stopped_early(r->grouping))
        cli_warn("the search was ended early; this is the best valid result so far (exit 5)");
}

void cli_measures_text(const shoal_measures *m, const shoal_table *table, uint64_t unread, FILE *stream)
{
    char a[32], b[32];
    fprintf(stream, "rows               %s\n", cli_count(m->n_rows, a));
    fprintf(stream, "groups             %s, the smallest of %s rows\n", cli_count(m->n_groups, a),
            cli_count(m->min_group, b));
    fprintf(stream, "suppressed         %s rows\n", cli_count(m->suppressed_rows, a));
    fprintf(stream, "gcp                %.6f  mean loss of a cell\n", m->gcp);
    fprintf(stream, "ncp                %.4f  the same, summed\n", m->ncp);
    fprintf(stream, "um                 %.6f  mean loss of a group\n", m->um);
    fprintf(stream, "wgu                %.6f  loss of the worst group\n", m->wgu);
    fprintf(stream, "dm                 %.0f  discernibility\n", m->dm);
    fprintf(stream, "cavg               %.4f  average group size, in k\n", m->cavg);
    fprintf(stream, "modification rate  %.6f  share of cells changed\n", m->modification_rate);
    fprintf(stream, "distortion ratio   %.6f  share of hierarchy levels climbed\n", m->distortion_ratio);
    if (m->has_sse)
        fprintf(stream, "sse ratio          %.6f  squared distance of numbers to what is published, over that to their mean\n",
                m->sse_ratio);
    fprintf(stream, "genc               %.4f  generalisation cost: levels climbed, in heights of the hierarchy\n", m->genc);
    if (m->has_class)
        fprintf(stream, "cm                 %.6f  rows whose class label is not their group's most frequent; %.6f before\n",
                m->cm, m->cm_before);
    if (m->n_sensitive > 0) {
        fprintf(stream, "mpm                %.6f  mean S-diversity of a group: 0 values span the domain, 1 all alike\n", m->mpm);
        fprintf(stream, "mr_wtd             %.6f  (um + mpm) / 2\n", m->mr_wtd);
        fprintf(stream, "wgp                %.6f  range diversity of the worst group\n", m->wgp);
        fprintf(stream, "gd                 %.6f  group diversity of the worst group\n", m->gd);
        fprintf(stream, "dc                 %.6f  disclosure confidence of the worst row\n", m->dc);
    }
    print_qids(m, table, stream);
    if (unread > 0)
        fprintf(stream, "unread             %s published cells could not be read and count as *\n",
                cli_count(unread, a));
}
