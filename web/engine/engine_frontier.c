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
    return engine_job_load(&e->trials, e, plan_text, err);
}

/* No release with this k loses less; NaN: not known. */
static shoal_status find_bound(double *bound, engine_state *e, uint32_t k,
                               shoal_recode_model recoding, shoal_error *err)
{
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    options.threads = 1;
    options.work = 20000000; /* some tenths of a second for each k: people wait for the curve */
    options.callbacks = &e->callbacks;
    return shoal_trial_bound(bound, e->trials.table, k, recoding, &options, err);
}

/* The numbers of a release with "k" instead of that of the plan "text". */
shoal_status engine_trial(engine_state *e, const json_t *request, json_t **answer, shoal_error *err)
{
    shoal_trial trial = { 0 };
    double bound = NAN;
    ENGINE_RETURN_IF_ERROR(prepare(e, engine_string(request, "text", ""), err));
    shoal_spec spec = e->trials.plan;
    spec.threads = 1;
    spec.k = (uint32_t)engine_number(request, "k", spec.k);
    ENGINE_RETURN_IF_ERROR(find_bound(&bound, e, spec.k, shoal_spec_recoding(&spec), err));
    ENGINE_RETURN_IF_ERROR(
        shoal_trial_run(&trial, e->trials.table, &spec, &e->callbacks, NULL, err));
    json_t *numbers = json_object();
    for (size_t i = 0; i < shoal_trial_number_count(); i++) {
        double value = shoal_trial_number_of(&trial, i);
        if (isfinite(value))
            json_object_set_new(numbers, shoal_trial_number_name(i), json_real(value));
    }
    if (isfinite(bound)) json_object_set_new(numbers, "lower_bound", json_real(bound));
    shoal_trial_clear(&trial);
    *answer = json_pack("{s:I, s:o}", "k", (json_int_t)spec.k, "numbers", numbers);
    return *answer != NULL ? SHOAL_OK : shoal_fail_memory(err);
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
