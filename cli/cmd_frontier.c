/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_frontier.c - `shoal frontier`: the same table released under ever stronger promises, by one
 * method or several.
 *
 * Every release is made, verified and measured in memory and then forgotten; nothing of it is
 * written. The knee of a method is sought on the plane of greatest risk and loss where k varies,
 * else on that of the parameter and loss.
 */
#include "frontier.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_DIMENSIONS = 2, MAX_VALUES = 1000 };

typedef struct run {
    cli_job job;
    frontier f;
    cli_list algorithms, ks, values; /* `values` are those of --vary */
    char *vary_text;                 /* the name that --vary gives, cut from its values */
    uint32_t *k_numbers;
    shoal_queries *queries;
    shoal_table *population; /* for models that need one; else NULL */
    const char *csv_path, *svg_path;
    bool force;
} run;

/* ---- what was asked for ---- */

static shoal_status read_ks(run *r, const cli_args *args, shoal_error *err)
{
    CLI_RETURN_IF_ERROR(cli_list_of(&r->ks, args, OPT_K_LIST, err));
    if (r->ks.n_items == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "no k was said, and it has no default {fix} write --k 2,5,10,25,50,100");
    r->k_numbers = calloc(r->ks.n_items, sizeof *r->k_numbers);
    if (r->k_numbers == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < r->ks.n_items; i++) {
        char *end;
        unsigned long long k = strtoull(r->ks.items[i], &end, 10);
        if (r->ks.items[i][0] < '0' || r->ks.items[i][0] > '9' || *end != '\0' || k < 2 ||
            k > UINT32_MAX - 2)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "--k: each must be a whole number of at least 2 {fix} write --k 2,5,10");
        r->k_numbers[i] = (uint32_t)k;
    }
    return SHOAL_OK;
}

static shoal_status read_algorithms(run *r, const cli_args *args, shoal_error *err)
{
    CLI_RETURN_IF_ERROR(cli_list_of(&r->algorithms, args, OPT_ALGORITHM_LIST, err));
    for (size_t i = 0; i < r->algorithms.n_items; i++)
        CLI_RETURN_IF_ERROR(cli_check_algorithm(r->algorithms.items[i], err));
    if (r->algorithms.n_items > 0) return SHOAL_OK;
    free(r->algorithms.items);
    r->algorithms = (cli_list){ 0 };
    const char *name = r->job.plan.algorithm != NULL ? r->job.plan.algorithm
                                                     : shoal_algorithm_name(0);
    r->algorithms.items = calloc(1, sizeof *r->algorithms.items);
    char *copy = strdup(name);
    if (r->algorithms.items == NULL || copy == NULL) {
        free(copy);
        return shoal_fail_memory(err);
    }
    r->algorithms.items[r->algorithms.n_items++] = copy;
    return SHOAL_OK;
}

/* "NAME=v1,v2": the name stays in vary_text, the values go to a list. */
static shoal_status read_vary(run *r, const cli_args *args, shoal_error *err)
{
    const char *given = cli_value(args, OPT_VARY);
    r->f.vary = "k";
    r->f.by_k = true;
    if (given == NULL) return SHOAL_OK;
    r->vary_text = strdup(given);
    r->values.items = calloc(MAX_VALUES, sizeof *r->values.items);
    if (r->vary_text == NULL || r->values.items == NULL) return shoal_fail_memory(err);
    char *at = strchr(r->vary_text, '=');
    if (at == NULL || at == r->vary_text || at[1] == '\0')
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--vary: no name or no values {fix} write --vary l-diversity=distinct:2,distinct:3");
    *at++ = '\0';
    for (char *next; at != NULL; at = next) {
        next = strchr(at, ',');
        if (next != NULL) *next++ = '\0';
        if (r->values.n_items == MAX_VALUES)
            return shoal_fail(err, SHOAL_EINVAL, "--vary: more than %d values {fix} give fewer",
                              MAX_VALUES);
        char *copy = strdup(at);
        if (copy == NULL) return shoal_fail_memory(err);
        r->values.items[r->values.n_items++] = copy;
    }
    r->f.vary = r->vary_text;
    r->f.by_k = false;
    if (strcmp(r->f.vary, "k") == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "k varies by itself {fix} write --k 2,5,10 without --vary");
    return SHOAL_OK;
}

/* ---- models and parameters ---- */

static bool is_model(const char *name)
{
    for (size_t i = 0; i < shoal_model_count(); i++)
        if (strcmp(shoal_model_name(i), name) == 0) return true;
    return false;
}

static size_t algorithm_index(const char *name)
{
    size_t i = 0;
    while (i < shoal_algorithm_count() && strcmp(shoal_algorithm_name(i), name) != 0) i++;
    return i;
}

static bool has_param(const char *algorithm, const char *param)
{
    size_t index = algorithm_index(algorithm);
    for (size_t p = 0; p < shoal_algorithm_n_params(index); p++)
        if (strcmp(shoal_algorithm_param(index, p)->name, param) == 0) return true;
    return false;
}

static bool all_have_param(const run *r, const char *param)
{
    for (size_t i = 0; i < r->algorithms.n_items; i++)
        if (!has_param(r->algorithms.items[i], param)) return false;
    return true;
}

/* The letters by which the literature knows some models stand for them, unless every method has a
 * parameter of that name. */
static void read_letter(run *r)
{
    const char *model = shoal_model_of_letter(r->f.vary);
    if (model != NULL && !all_have_param(r, r->f.vary)) r->f.vary = model;
}

/* What varies is a model, or a parameter of every method; each --param is one of some method. */
static shoal_status check_names(const run *r, shoal_error *err)
{
    for (size_t i = 0; !r->f.by_k && !is_model(r->f.vary) && i < r->algorithms.n_items; i++)
        if (!has_param(r->algorithms.items[i], r->f.vary))
            return shoal_fail(err, SHOAL_EINVAL,
                              "--vary: '%.60s' is neither a privacy model nor a parameter of %s "
                              "{fix} see 'shoal algorithms'",
                              r->f.vary, r->algorithms.items[i]);
    for (size_t p = 0; p < r->job.plan.n_params; p++) {
        bool is_known = false;
        for (size_t i = 0; i < r->algorithms.n_items; i++)
            is_known |= has_param(r->algorithms.items[i], r->job.plan.params[p].name);
        if (!is_known)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "--param: no method here has a parameter '%.60s' {fix} see 'shoal algorithms'",
                r->job.plan.params[p].name);
    }
    return SHOAL_OK;
}

/* The last number in a value ("distinct:3" is 3), or its place in the list. */
static double number_of(const char *value, size_t place)
{
    const char *at = value + strlen(value);
    while (at > value && strchr("0123456789.", at[-1]) != NULL) at--;
    return *at != '\0' ? strtod(at, NULL) : (double)place + 1;
}

/* ---- the series ---- */

static shoal_status make_series(run *r, shoal_error *err)
{
    size_t n_k = r->f.by_k ? 1 : r->ks.n_items,
           n_points = r->f.by_k ? r->ks.n_items : r->values.n_items;
    r->f.series = calloc(r->algorithms.n_items * n_k, sizeof *r->f.series);
    if (r->f.series == NULL) return shoal_fail_memory(err);
    r->f.n_ks = n_k;
    for (size_t a = 0; a < r->algorithms.n_items; a++)
        for (size_t j = 0; j < n_k; j++) {
            frontier_series *s = &r->f.series[r->f.n_series++];
            s->algorithm = r->algorithms.items[a];
            s->knee = SIZE_MAX;
            if (n_k > 1)
                snprintf(s->name, sizeof s->name, "%.80s, k = %u", s->algorithm, r->k_numbers[j]);
            else
                snprintf(s->name, sizeof s->name, "%.100s", s->algorithm);
            s->points = calloc(n_points, sizeof *s->points);
            if (s->points == NULL) return shoal_fail_memory(err);
            s->n_points = n_points;
            for (size_t i = 0; i < n_points; i++) {
                frontier_point *p = &s->points[i];
                p->value = r->f.by_k ? r->ks.items[i] : r->values.items[i];
                p->k = r->k_numbers[r->f.by_k ? i : j];
                p->x = r->f.by_k ? p->k : number_of(p->value, i);
                p->bound = NAN;
            }
        }
    return SHOAL_OK;
}

static shoal_status draw_queries(run *r, const cli_args *args, shoal_error *err)
{
    shoal_workload_options o = SHOAL_WORKLOAD_OPTIONS_INIT;
    uint64_t dimensions = DEFAULT_DIMENSIONS, n_quasi = 0;
    r->f.n_queries = 10000;
    for (size_t c = 0; c < shoal_table_n_columns(r->job.table); c++)
        n_quasi += shoal_table_role(r->job.table, c) == SHOAL_ROLE_QUASI;
    if (dimensions > n_quasi) dimensions = n_quasi;
    CLI_RETURN_IF_ERROR(cli_number(&r->f.n_queries, args, OPT_QUERIES, 0, 1000000000, err));
    CLI_RETURN_IF_ERROR(cli_number(&dimensions, args, OPT_DIMENSIONS, 1, 64, err));
    if (r->f.n_queries == 0) return SHOAL_OK;
    o.n_queries = r->f.n_queries;
    o.dimensions = (uint32_t)dimensions;
    o.seed = r->job.plan.seed;
    o.threads = r->job.threads;
    o.callbacks = &r->job.progress.callbacks;
    return shoal_queries_draw(&r->queries, r->job.table, &o, err);
}

/* ---- trying ---- */

/* The parameters of the plan that this method has, and what varies. */
static size_t fill_params(shoal_param *params, const run *r, const frontier_series *s,
                          const frontier_point *p)
{
    const shoal_plan *plan = &r->job.plan;
    size_t n = 0;
    for (size_t i = 0; i < plan->n_params; i++)
        if (has_param(s->algorithm, plan->params[i].name)) params[n++] = plan->params[i];
    if (!r->f.by_k && !is_model(r->f.vary)) params[n++] = (shoal_param){ r->f.vary, p->value };
    return n;
}

/* The models of the plan, and what varies in place of one of the same name. */
static size_t fill_models(shoal_model_spec *models, const run *r, const frontier_point *p)
{
    const shoal_plan *plan = &r->job.plan;
    bool varies = !r->f.by_k && is_model(r->f.vary);
    size_t n = 0;
    for (size_t i = 0; i < plan->n_models; i++)
        if (!varies || strcmp(plan->models[i].name, r->f.vary) != 0) models[n++] = plan->models[i];
    if (varies) models[n++] = (shoal_model_spec){ r->f.vary, p->value, NULL };
    return n;
}

static shoal_status try_point(run *r, const frontier_series *s, frontier_point *p, shoal_error *err)
{
    shoal_spec o = r->job.plan;
    shoal_param *params = calloc(r->job.plan.n_params + 1, sizeof *params);
    shoal_model_spec *models = calloc(r->job.plan.n_models + 1, sizeof *models);
    if (params == NULL || models == NULL) {
        free(params);
        free(models);
        return shoal_fail_memory(err);
    }
    o.k = p->k;
    o.algorithm = s->algorithm;
    o.params = params;
    o.n_params = fill_params(params, r, s, p);
    o.threads = r->job.threads;
    o.models = models;
    o.n_models = fill_models(models, r, p);
    o.population_table = r->population;
    shoal_status status = shoal_trial_run(&p->trial, r->job.table, &o, &r->job.progress.callbacks,
                                          r->queries, err);
    free(params);
    free(models);
    p->is_unsat = status == SHOAL_EUNSAT;
    if (p->is_unsat) return SHOAL_OK;
    /* only we know which it is about */
    if (status == SHOAL_EINVAL) return shoal_fail_in(err, status, "%s, k = %u", s->algorithm, p->k);
    return status;
}

static shoal_status find_knee(frontier_series *s, bool by_k, shoal_error *err)
{
    double *x = calloc(2 * s->n_points, sizeof *x), *y = x + s->n_points;
    if (x == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < s->n_points; i++) {
        const frontier_point *p = &s->points[i];
        x[i] = by_k ? p->trial.risk_max : p->x;
        y[i] = p->is_unsat ? NAN : p->trial.measures.gcp;
    }
    s->knee = shoal_knee(x, y, s->n_points);
    free(x);
    return SHOAL_OK;
}

/* Where there is no release at all, there is nothing to draw: why the first that was asked for is
 * none says more. */
static shoal_status try_all(run *r, shoal_error *err)
{
    shoal_error why = { 0 };
    bool is_any = false;
    for (size_t s = 0; s < r->f.n_series; s++) {
        for (size_t i = 0; i < r->f.series[s].n_points; i++) {
            CLI_RETURN_IF_ERROR(try_point(r, &r->f.series[s], &r->f.series[s].points[i], err));
            CLI_RETURN_IF_ERROR(cli_check_interrupt(err));
            if (s + i == 0) why = *err;
            is_any |= !r->f.series[s].points[i].is_unsat;
        }
        CLI_RETURN_IF_ERROR(find_knee(&r->f.series[s], r->f.by_k, err));
    }
    if (is_any) return SHOAL_OK;
    *err = why;
    return SHOAL_EUNSAT;
}

/* ---- the lower bound ---- */

static void set_bound(frontier *f, uint32_t k, double bound)
{
    for (size_t s = 0; s < f->n_series; s++)
        for (size_t i = 0; i < f->series[s].n_points; i++)
            if (f->series[s].points[i].k == k) f->series[s].points[i].bound = bound;
}

/* Once for each k: it depends on the table and k alone. */
static shoal_status find_bounds(run *r, shoal_error *err)
{
    shoal_bound_options o = SHOAL_BOUND_OPTIONS_INIT;
    o.threads = r->job.threads;
    o.time_limit = r->job.plan.time_limit;
    o.callbacks = &r->job.progress.callbacks;
    for (size_t i = 0; i < r->ks.n_items; i++) {
        double bound = NAN;
        CLI_RETURN_IF_ERROR(shoal_trial_bound(&bound, r->job.table, r->k_numbers[i],
                                              shoal_spec_recoding(&r->job.plan), &o, err));
        CLI_RETURN_IF_ERROR(cli_check_interrupt(err));
        set_bound(&r->f, r->k_numbers[i], bound);
        r->f.has_bounds |= !isnan(bound);
    }
    return SHOAL_OK;
}

/* ---- writing ---- */

static shoal_status check_targets(const run *r, const cli_args *args, shoal_error *err)
{
    const char *targets[2] = { r->csv_path, r->svg_path };
    for (size_t t = 0; t < 2; t++) {
        const char *what = t == 0 ? "--csv-out" : "--svg-out";
        if (targets[t] == NULL) continue;
        if (strcmp(targets[t], "-") == 0)
            return shoal_fail(err, SHOAL_EINVAL,
                              "%s needs a file {fix} standard output has the table", what);
        CLI_RETURN_IF_ERROR(cli_refuse_inputs(args, targets[t], what, err));
        CLI_RETURN_IF_ERROR(cli_refuse_same_file(r->job.plan.population, targets[t], what, err));
        for (size_t i = 0; i < r->job.plan.n_columns; i++)
            CLI_RETURN_IF_ERROR(
                cli_refuse_same_file(r->job.plan.columns[i].hierarchy, targets[t], what, err));
        CLI_RETURN_IF_ERROR(cli_probe_output(targets[t], r->force, err));
    }
    if (r->csv_path != NULL && r->svg_path != NULL && strcmp(r->csv_path, r->svg_path) == 0)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--csv-out and --svg-out name the same file {fix} choose another name for one");
    return SHOAL_OK;
}

static shoal_status
write_file(const run *r, const char *path,
           shoal_status (*write)(const frontier *, shoal_output *, shoal_error *), shoal_error *err)
{
    shoal_output *output = NULL;
    if (path == NULL) return SHOAL_OK;
    CLI_RETURN_IF_ERROR(shoal_output_open(&output, path, r->force, err));
    shoal_status status = write(&r->f, output, err);
    if (status == SHOAL_OK) status = shoal_output_commit(output, err);
    shoal_output_free(output);
    return status;
}

static void run_clear(run *r)
{
    for (size_t s = 0; s < r->f.n_series; s++) {
        for (size_t i = 0; i < r->f.series[s].n_points; i++)
            shoal_trial_clear(&r->f.series[s].points[i].trial);
        free(r->f.series[s].points);
    }
    free(r->f.series);
    cli_list_clear(&r->algorithms);
    cli_list_clear(&r->ks);
    cli_list_clear(&r->values);
    free(r->vary_text);
    free(r->k_numbers);
    shoal_queries_free(r->queries);
    shoal_table_free(r->population);
    cli_job_clear(&r->job);
}

shoal_status cli_frontier(const cli_args *args, shoal_error *err)
{
    run r = { .csv_path = cli_value(args, OPT_CSV_OUT),
              .svg_path = cli_value(args, OPT_SVG_OUT),
              .force = cli_has(args, OPT_FORCE) };
    shoal_status status = SHOAL_OK;
    if (cli_has(args, OPT_SERIES)) return cli_series_frontier(args, err);
    if (args->n_positional == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "no table was named {fix} shoal frontier INPUT --qid COLUMN,... --k "
                          "K,..., or --series FOLDER for releases that were made");
    CLI_GOTO_IF_ERROR(cli_job_init(&r.job, args, err), out);
    r.f.job = &r.job;
    CLI_GOTO_IF_ERROR(read_algorithms(&r, args, err), out);
    CLI_GOTO_IF_ERROR(read_ks(&r, args, err), out);
    CLI_GOTO_IF_ERROR(read_vary(&r, args, err), out);
    read_letter(&r);
    CLI_GOTO_IF_ERROR(check_names(&r, err), out);
    CLI_GOTO_IF_ERROR(make_series(&r, err), out);
    CLI_GOTO_IF_ERROR(check_targets(&r, args, err), out);
    /* nothing is published, so nothing needs to be asked */
    if (r.job.plan.rest == 0) r.job.plan.rest = SHOAL_ROLE_DROP;
    CLI_GOTO_IF_ERROR(cli_job_load(&r.job, args->positional[0], true, err), out);
    for (size_t c = 0; c < shoal_table_n_columns(r.job.table); c++)
        r.f.has_sensitive |= shoal_table_role(r.job.table, c) == SHOAL_ROLE_SENSITIVE;
    CLI_GOTO_IF_ERROR(cli_models_population(&r.population, &r.job, err), out);
    CLI_GOTO_IF_ERROR(draw_queries(&r, args, err), out);
    CLI_GOTO_IF_ERROR(try_all(&r, err), out);
    if (!cli_has(args, OPT_NO_BOUND)) CLI_GOTO_IF_ERROR(find_bounds(&r, err), out);
    cli_progress_end(&r.job.progress);
    CLI_GOTO_IF_ERROR(write_file(&r, r.csv_path, frontier_write_csv, err), out);
    CLI_GOTO_IF_ERROR(write_file(&r, r.svg_path, frontier_write_svg, err), out);
    if (cli_has(args, OPT_JSON))
        status = cli_print_json(frontier_json(&r.f), err);
    else if (!cli_has(args, OPT_QUIET))
        status = frontier_print(&r.f, stdout, err);
out:
    run_clear(&r);
    return status;
}
