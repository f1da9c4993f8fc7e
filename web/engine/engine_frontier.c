/* SPDX-License-Identifier: Apache-2.0 */
/* engine_frontier.c - releases that are tried for their numbers alone, one k at a time. */
#include "engine.h"

#include <math.h>
#include <stdlib.h>

/* The table of the trials is loaded once for a plan. */
static shoal_status prepare(engine_state *e, const char *plan_text, shoal_error *err)
{
    if (e->trials.plan_text != NULL && strcmp(e->trials.plan_text, plan_text) == 0) return SHOAL_OK;
    engine_job_clear(&e->trials);
    e->n_trial_bounds = 0;
    return engine_job_load(&e->trials, e, plan_text, err);
}

/* A bound for k is one for every larger k: the best that is known of this table. */
static double keep_best(double bound, engine_state *e, uint32_t k)
{
    if (isnan(bound)) return bound;
    size_t at = 0;
    while (at < e->n_trial_bounds && e->trial_bounds[at].k != k) at++;
    if (at == e->n_trial_bounds && at < ENGINE_MAX_BOUNDS) e->n_trial_bounds++;
    if (at < e->n_trial_bounds) e->trial_bounds[at] = (shoal_loss_k){ k, bound };
    for (size_t i = 0; i < e->n_trial_bounds; i++)
        if (e->trial_bounds[i].k <= k) bound = fmax(bound, e->trial_bounds[i].bound);
    return bound;
}

/* The numbers of the only point of a frontier. */
static json_t *numbers_json(engine_state *e, const shoal_frontier *frontier)
{
    const shoal_frontier_point *point = &frontier->series[0].points[0];
    double bound = keep_best(point->bound, e, point->k);
    json_t *numbers = json_object();
    for (size_t i = 0; i < shoal_trial_number_count(); i++) {
        double value = shoal_trial_number_of(&point->trial, i);
        if (isfinite(value))
            json_object_set_new(numbers, shoal_trial_number_name(i), json_real(value));
    }
    if (isfinite(bound)) json_object_set_new(numbers, "lower_bound", json_real(bound));
    return numbers;
}

/* The numbers of a release with "k" instead of that of the plan "text". */
shoal_status engine_trial(engine_state *e, const json_t *request, json_t **answer, shoal_error *err)
{
    shoal_question question = SHOAL_QUESTION_INIT;
    shoal_answer *found = NULL;
    ENGINE_RETURN_IF_ERROR(prepare(e, engine_string(request, "text", ""), err));
    engine_job_watch(&e->trials, &e->callbacks);
    const shoal_ask_input inputs[] = {
        { .role = SHOAL_INPUT_ORIGINAL, .loaded = e->trials.table },
        { .role = SHOAL_INPUT_POPULATION, .loaded = e->trials.population },
    };
    uint32_t k = (uint32_t)engine_number(request, "k", e->trials.plan->k);
    question.kind = SHOAL_ASK_FRONTIER;
    question.job = e->trials.job;
    question.inputs = inputs;
    question.n_inputs = 2; /* a population that is NULL counts as none */
    question.ks = &k;
    question.n_ks = 1;
    question.bound_work = 20000000; /* some tenths of a second: people wait for the curve */
    ENGINE_RETURN_IF_ERROR(shoal_ask(&found, &question, err));
    shoal_status status = SHOAL_OK;
    if (found->satisfied) {
        *answer = json_pack("{s:I, s:o}", "k", (json_int_t)k, "numbers",
                            numbers_json(e, found->frontier));
        if (*answer == NULL) status = shoal_fail_memory(err);
    } else { /* why there is no such release */
        *err = *found->why;
        status = err->status;
    }
    shoal_answer_free(found);
    return status;
}

/* The knee of the curve "x", "y": an index, or null. */
shoal_status engine_knee(engine_state *e, const json_t *request, json_t **answer, shoal_error *err)
{
    (void)e;
    const json_t *x_list = json_object_get(request, "x"), *y_list = json_object_get(request, "y");
    size_t n = json_array_size(x_list) < json_array_size(y_list) ? json_array_size(x_list)
                                                                 : json_array_size(y_list);
    double *x = calloc(2 * n + 1, sizeof *x);
    if (x == NULL) return shoal_fail_memory(err);
    double *y = x + n;
    for (size_t i = 0; i < n; i++) {
        x[i] = json_number_value(json_array_get(x_list, i));
        y[i] = json_number_value(json_array_get(y_list, i));
    }
    size_t knee = shoal_knee(x, y, n);
    free(x);
    *answer = knee < n ? json_integer((json_int_t)knee) : json_null();
    return SHOAL_OK;
}
