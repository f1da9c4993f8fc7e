/* SPDX-License-Identifier: Apache-2.0 */
/* answer_frontier.c - the same table released with increasing privacy parameters, by one method or
 * several.
 *
 * Every release is made, verified and measured in memory and then freed. The knee of a method is
 * found on the curve of loss against maximum risk if k varies, else against the parameter.
 */
#include "ask/answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what varies ---- */

static bool is_model(const char *name)
{
    for (size_t i = 0; i < shoal_model_count(); i++)
        if (strcmp(shoal_model_name(i), name) == 0) return true;
    return false;
}

static bool has_param(const char *algorithm, const char *param)
{
    size_t index = 0;
    while (index < shoal_algorithm_count() && strcmp(shoal_algorithm_name(index), algorithm) != 0)
        index++;
    for (size_t p = 0; p < shoal_algorithm_n_params(index); p++)
        if (strcmp(shoal_algorithm_param(index, p)->name, param) == 0) return true;
    return false;
}

/* The first method that lacks the parameter; NULL: all have it. */
static const char *method_without(const shoal_frontier *f, const char *param)
{
    for (size_t s = 0; s < f->n_series; s++)
        if (!has_param(f->series[s].algorithm, param)) return f->series[s].algorithm;
    return NULL;
}

/* The letters of the literature (l, t, ...) name the parameters of these models, unless every
 * method has a parameter of that name. */
static shoal_status find_varied(shoal_frontier *f, const shoal_question *q, shoal_error *err)
{
    f->by_k = q->vary == NULL;
    f->vary = f->by_k ? "k" : q->vary;
    if (f->by_k) return SHOAL_OK;
    if (strcmp(q->vary, "k") == 0)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "{--vary}: k is varied with {--k} {fix} write {--k} 2,5,10 without {--vary}");
    const char *lacking = method_without(f, q->vary), *model = shoal_model_of_letter(q->vary);
    if (model != NULL && lacking != NULL) f->vary = model;
    if (lacking == NULL || is_model(f->vary)) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EINVAL,
        "{--vary}: '%.60s' is neither a privacy model nor a parameter of %s {fix} see "
        "'shoal algorithms'",
        f->vary, lacking);
}

/* Each parameter of the plan is one of some method. */
static shoal_status check_params(const shoal_frontier *f, const shoal_plan *plan, shoal_error *err)
{
    for (size_t p = 0; p < plan->n_params; p++) {
        bool is_known = false;
        for (size_t s = 0; s < f->n_series; s++)
            is_known |= has_param(f->series[s].algorithm, plan->params[p].name);
        if (!is_known)
            return shoal_fail(err, SHOAL_EINVAL,
                              "{--param}: no method compared here has a parameter '%.60s' {fix} "
                              "see 'shoal algorithms'",
                              plan->params[p].name);
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

/* The releases of one method; where something else than k varies, for one k. */
static shoal_status fill_series(shoal_frontier_series *s, const shoal_question *q, size_t k_index,
                                bool by_k, shoal_error *err)
{
    size_t n_points = by_k ? q->n_ks : q->n_values;
    s->points = shoal_asked_alloc(n_points + 1, sizeof *s->points);
    if (s->points == NULL) return shoal_fail_memory(err);
    s->n_points = n_points;
    s->knee = SIZE_MAX;
    if (by_k || q->n_ks == 1)
        snprintf(s->name, sizeof s->name, "%.100s", s->algorithm);
    else
        snprintf(s->name, sizeof s->name, "%.80s, k = %u", s->algorithm, q->ks[k_index]);
    for (size_t i = 0; i < n_points; i++) {
        shoal_frontier_point *p = &s->points[i];
        p->k = q->ks[by_k ? i : k_index];
        snprintf(p->k_text, sizeof p->k_text, "%u", p->k);
        p->value = by_k ? p->k_text : q->values[i];
        p->x = by_k ? p->k : number_of(p->value, i);
        p->bound = NAN;
    }
    return SHOAL_OK;
}

static shoal_status make_series(shoal_asked *a, shoal_error *err)
{
    const shoal_question *q = a->question;
    shoal_frontier *f = &a->frontier;
    const char *planned = a->job->spec.algorithm != NULL ? a->job->spec.algorithm
                                                         : shoal_algorithm_name(0);
    size_t n_methods = q->n_algorithms > 0 ? q->n_algorithms : 1;
    if (q->n_ks == 0)
        return shoal_fail(err, SHOAL_EINVAL, "k is required {fix} write {--k} 2,5,10,25,50,100");
    for (size_t i = 0; i < q->n_ks; i++)
        if (q->ks[i] < 2)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "{--k}: each must be a whole number of at least 2 {fix} write {--k} 2,5,10");
    f->n_ks = q->vary == NULL ? 1 : q->n_ks;
    f->series = shoal_asked_alloc(n_methods * f->n_ks, sizeof *f->series);
    if (f->series == NULL) return shoal_fail_memory(err);
    f->n_series = n_methods * f->n_ks;
    for (size_t s = 0; s < f->n_series; s++)
        f->series[s].algorithm = q->n_algorithms > 0 ? q->algorithms[s / f->n_ks] : planned;
    SHOAL_RETURN_IF_ERROR(find_varied(f, q, err));
    SHOAL_RETURN_IF_ERROR(check_params(f, &a->job->spec, err));
    for (size_t s = 0; s < f->n_series; s++)
        SHOAL_RETURN_IF_ERROR(fill_series(&f->series[s], q, s % f->n_ks, f->by_k, err));
    return SHOAL_OK;
}

static shoal_status draw_queries(shoal_asked *a, shoal_error *err)
{
    shoal_workload_options o = SHOAL_WORKLOAD_OPTIONS_INIT;
    const shoal_table *table = a->answer.original;
    a->frontier.n_queries = a->question->queries;
    if (a->frontier.n_queries == 0) return SHOAL_OK;
    o.n_queries = a->frontier.n_queries;
    o.dimensions = a->question->dimensions;
    o.seed = a->answer.seed;
    o.threads = shoal_job_threads(a->job);
    o.callbacks = a->job->options.callbacks;
    return shoal_queries_draw(&a->queries, table, &o, err);
}

/* ---- trying ---- */

static shoal_recode_model recoding_of(const shoal_plan *plan)
{
    return plan->recoding > 0 ? (shoal_recode_model)(plan->recoding - 1) : SHOAL_RECODE_LOCAL;
}

/* The parameters of the plan that this method has, and what varies. */
static size_t fill_params(shoal_param *params, const shoal_plan *plan, const shoal_frontier *f,
                          const char *algorithm, const char *value)
{
    size_t n = 0;
    bool varies = !f->by_k && !is_model(f->vary);
    for (size_t i = 0; i < plan->n_params; i++)
        if (has_param(algorithm, plan->params[i].name) &&
            !(varies && strcmp(plan->params[i].name, f->vary) == 0))
            params[n++] = plan->params[i];
    if (varies) params[n++] = (shoal_param){ f->vary, value };
    return n;
}

/* The models of the plan, and what varies in place of those of the same name. */
static size_t fill_models(shoal_model_spec *models, const shoal_plan *plan, const shoal_frontier *f,
                          const char *value)
{
    size_t n = 0;
    bool varies = !f->by_k && is_model(f->vary);
    for (size_t i = 0; i < plan->n_models; i++)
        if (!varies || strcmp(plan->models[i].name, f->vary) != 0) models[n++] = plan->models[i];
    if (varies) models[n++] = (shoal_model_spec){ f->vary, value, NULL };
    return n;
}

static shoal_status try_point(shoal_frontier_point *p, shoal_asked *a, const char *algorithm,
                              shoal_error *err)
{
    const shoal_spec *plan = &a->job->spec;
    shoal_spec spec = *plan; /* borrowed */
    shoal_param *params = shoal_alloc(plan->n_params + 1, sizeof *params);
    shoal_model_spec *models = shoal_alloc(plan->n_models + 1, sizeof *models);
    shoal_status status = SHOAL_OK;
    if (params != NULL && models != NULL) {
        spec.k = p->k;
        spec.algorithm = algorithm;
        spec.params = params;
        spec.n_params = fill_params(params, plan, &a->frontier, algorithm, p->value);
        spec.models = models;
        spec.n_models = fill_models(models, plan, &a->frontier, p->value);
        spec.threads = shoal_job_threads(a->job);
        spec.population_table = a->answer.population;
        status = shoal_trial_run(&p->trial, a->answer.original, &spec, a->job->options.callbacks,
                                 a->queries, err);
    } else {
        status = shoal_fail_memory(err);
    }
    shoal_free(params);
    shoal_free(models);
    p->is_unsat = status == SHOAL_EUNSAT;
    if (p->is_unsat) return SHOAL_OK;
    /* the callee does not know which method it was */
    if (status == SHOAL_EINVAL) return shoal_fail_in(err, status, "%s, k = %u", algorithm, p->k);
    return status;
}

static shoal_status find_knee(shoal_frontier_series *s, bool by_k, shoal_error *err)
{
    double *x = shoal_alloc(2 * s->n_points + 1, sizeof *x), *y = x + s->n_points;
    if (x == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < s->n_points; i++) {
        const shoal_frontier_point *p = &s->points[i];
        x[i] = by_k ? p->trial.risk_max : p->x;
        y[i] = p->is_unsat ? NAN : p->trial.measures.gcp;
    }
    s->knee = shoal_knee(x, y, s->n_points);
    shoal_free(x);
    return SHOAL_OK;
}

/* If there is no release at all, report why the first requested one failed. */
static shoal_status try_all(shoal_asked *a, shoal_error *err)
{
    shoal_frontier *f = &a->frontier;
    shoal_error own = { 0 };
    bool is_any = false;
    if (err == NULL) err = &own;
    for (size_t s = 0; s < f->n_series; s++) {
        for (size_t i = 0; i < f->series[s].n_points; i++) {
            shoal_frontier_point *p = &f->series[s].points[i];
            SHOAL_RETURN_IF_ERROR(
                shoal_asked_step(a, "frontier", (double)s / (double)f->n_series, err));
            SHOAL_RETURN_IF_ERROR(try_point(p, a, f->series[s].algorithm, err));
            if (s + i == 0 && p->is_unsat) a->why = *err;
            is_any |= !p->is_unsat;
        }
        SHOAL_RETURN_IF_ERROR(find_knee(&f->series[s], f->by_k, err));
    }
    a->answer.satisfied = is_any;
    a->answer.why = is_any ? NULL : &a->why;
    return SHOAL_OK;
}

/* ---- the lower bound ---- */

static void set_bound(shoal_frontier *f, uint32_t k, double bound)
{
    for (size_t s = 0; s < f->n_series; s++)
        for (size_t i = 0; i < f->series[s].n_points; i++)
            if (f->series[s].points[i].k == k) f->series[s].points[i].bound = bound;
}

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* Once for each k, ascending: it depends on the table and k alone. Groups of k rows are groups of
 * every smaller k, too, so that the bound of a smaller k holds, and may be the higher one: searches
 * for larger groups are cut short earlier. */
static shoal_status raise_bounds(shoal_asked *a, const uint32_t *ks, shoal_error *err)
{
    const shoal_question *q = a->question;
    double best = 0;
    shoal_bound_options o = SHOAL_BOUND_OPTIONS_INIT;
    o.threads = shoal_job_threads(a->job);
    o.time_limit = a->job->spec.time_limit;
    o.work = q->bound_work;
    o.callbacks = a->job->options.callbacks;
    for (size_t i = 0; i < q->n_ks; i++) {
        double bound = NAN;
        SHOAL_RETURN_IF_ERROR(shoal_trial_bound(&bound, a->answer.original, ks[i],
                                                recoding_of(&a->job->spec), &o, err));
        SHOAL_RETURN_IF_ERROR(shoal_asked_step(a, "bound", (double)(i + 1) / (double)q->n_ks, err));
        if (isnan(bound)) continue;
        best = fmax(best, bound);
        set_bound(&a->frontier, ks[i], best);
        a->frontier.has_bounds = true;
    }
    return SHOAL_OK;
}

static shoal_status find_bounds(shoal_asked *a, shoal_error *err)
{
    const shoal_question *q = a->question;
    uint32_t *ks = shoal_alloc(q->n_ks, sizeof *ks);
    if (ks == NULL) return shoal_fail_memory(err);
    memcpy(ks, q->ks, q->n_ks * sizeof *ks);
    qsort(ks, q->n_ks, sizeof *ks, by_number);
    shoal_status status = raise_bounds(a, ks, err);
    shoal_free(ks);
    return status;
}

shoal_status shoal_answer_frontier(shoal_asked *a, shoal_error *err)
{
    shoal_frontier *f = &a->frontier;
    SHOAL_RETURN_IF_ERROR(make_series(a, err));
    SHOAL_RETURN_IF_ERROR(shoal_asked_load(
        &a->answer.original, a, shoal_asked_input(a, SHOAL_INPUT_ORIGINAL, 0), true, err));
    for (size_t c = 0; c < shoal_table_n_columns(a->answer.original); c++)
        f->has_sensitive |= shoal_table_role(a->answer.original, c) == SHOAL_ROLE_SENSITIVE;
    SHOAL_RETURN_IF_ERROR(shoal_asked_load_population(a, false, err));
    SHOAL_RETURN_IF_ERROR(draw_queries(a, err));
    SHOAL_RETURN_IF_ERROR(try_all(a, err));
    if (!a->question->without_bound && a->answer.satisfied)
        SHOAL_RETURN_IF_ERROR(find_bounds(a, err));
    a->answer.frontier = f;
    return SHOAL_OK;
}

void shoal_answer_clear_frontier(shoal_frontier *f)
{
    for (size_t s = 0; s < f->n_series; s++) {
        for (size_t i = 0; i < f->series[s].n_points; i++)
            shoal_trial_clear(&f->series[s].points[i].trial);
        shoal_free(f->series[s].points);
    }
    shoal_free(f->series);
}
