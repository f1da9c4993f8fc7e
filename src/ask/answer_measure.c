/* SPDX-License-Identifier: Apache-2.0 */
/* answer_measure.c - what a release loses and protects, how likely recognition is, and what no
 * release loses less than. */
#include "ask/answer.h"
#include "report/json.h"

/* Measures such as C_AVG need a k: that of the plan, or else the one that holds. */
static shoal_status find_k(shoal_asked *a, shoal_error *err)
{
    shoal_check_result found;
    if (a->answer.k != 0) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(
        shoal_check(&found, a->answer.released, 2, shoal_job_threads(a->job), err));
    a->answer.k = found.min_group == 0           ? 1
                  : found.min_group > UINT32_MAX ? UINT32_MAX
                                                 : (uint32_t)found.min_group;
    return SHOAL_OK;
}

shoal_status shoal_answer_measure(shoal_asked *a, shoal_error *err)
{
    bool has_sensitive = shoal_asked_column(a, SHOAL_ROLE_SENSITIVE) != NULL,
         has_persons = shoal_asked_column(a, SHOAL_ROLE_ENTITY) != NULL;
    unsigned parts = SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE |
                     (has_sensitive ? SHOAL_PART_SENSITIVE_AS_IT_WAS : 0);
    shoal_answer *found = &a->answer;
    SHOAL_RETURN_IF_ERROR(shoal_asked_load(
        &found->original, a, shoal_asked_input(a, SHOAL_INPUT_ORIGINAL, 0), false, err));
    SHOAL_RETURN_IF_ERROR(shoal_asked_load_released(
        &found->released, a, shoal_asked_input(a, SHOAL_INPUT_RELEASE, 0), parts, err));
    SHOAL_RETURN_IF_ERROR(shoal_asked_step(a, "measure", -1, err));
    SHOAL_RETURN_IF_ERROR(find_k(a, err));
    SHOAL_RETURN_IF_ERROR(
        shoal_measure_release(&a->measures, found->original, found->released, found->k, NULL, err));
    found->measures = &a->measures;
    SHOAL_RETURN_IF_ERROR(shoal_asked_find_unread(a, NULL, 0, err));
    SHOAL_RETURN_IF_ERROR(shoal_plan_weigh(&a->job->spec, &a->measures, err));
    if (has_sensitive) {
        SHOAL_RETURN_IF_ERROR(shoal_strength_find(&a->strength, found->released, found->original,
                                                  shoal_job_threads(a->job), err));
        found->strength = &a->strength;
    }
    /* persons cannot be counted if rows were moved: an error only if they were requested */
    if (!has_persons || (a->measures.is_moved && !a->question->by_person)) return SHOAL_OK;
    found->persons = &a->persons;
    return shoal_pipeline_persons(&a->persons, found->original, found->released, found->k,
                                  shoal_job_threads(a->job), err);
}

shoal_status shoal_answer_risk(shoal_asked *a, shoal_error *err)
{
    const shoal_question *q = a->question;
    const shoal_ask_input *original = shoal_asked_input(a, SHOAL_INPUT_ORIGINAL, 0);
    const shoal_table *before = NULL;
    unsigned parts = SHOAL_PART_COUNTS | (q->by_person ? SHOAL_PART_PERSONS : 0);
    shoal_risk_options options = SHOAL_RISK_OPTIONS_INIT;
    if (q->n_thresholds > SHOAL_RISK_THRESHOLDS)
        return shoal_fail(err, SHOAL_EINVAL,
                          "{--threshold}: at most %d thresholds {fix} list fewer",
                          SHOAL_RISK_THRESHOLDS);
    if (q->sampling_fraction > 0 && shoal_asked_input(a, SHOAL_INPUT_POPULATION, 0) != NULL)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "{--population} and {--sampling-fraction} cannot be combined {fix} remove one of them");
    options.k = a->answer.k;
    options.count_suppressed = a->answer.counts_suppressed = q->count_suppressed;
    options.thresholds = q->n_thresholds > 0 ? q->thresholds : NULL;
    options.n_thresholds = q->n_thresholds;
    options.sampling_fraction = q->sampling_fraction;
    options.threads = shoal_job_threads(a->job);
    options.callbacks = a->job->options.callbacks;
    SHOAL_RETURN_IF_ERROR(shoal_asked_load_released(
        &a->answer.released, a, shoal_asked_input(a, SHOAL_INPUT_RELEASE, 0), parts, err));
    if (original != NULL)
        SHOAL_RETURN_IF_ERROR(shoal_asked_load_released(&before, a, original, parts, err));
    if (q->sampling_fraction == 0)
        SHOAL_RETURN_IF_ERROR(shoal_asked_load_population(a, q->by_person, err));
    options.population = a->answer.population;
    SHOAL_RETURN_IF_ERROR(shoal_asked_step(a, "risk", -1, err));
    SHOAL_RETURN_IF_ERROR(shoal_risk_measure(&a->risk, a->answer.released, &options, err));
    a->answer.risk = &a->risk;
    if (before == NULL) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_risk_measure(&a->risk_before, before, &options, err));
    a->answer.original = before;
    a->answer.risk_before = &a->risk_before;
    return SHOAL_OK;
}

shoal_status shoal_answer_bound(shoal_asked *a, shoal_error *err)
{
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    options.threads = shoal_job_threads(a->job);
    options.time_limit = a->job->spec.time_limit;
    options.work = a->question->bound_work;
    options.callbacks = a->job->options.callbacks;
    SHOAL_RETURN_IF_ERROR(shoal_plan_need_k(&a->job->spec, err));
    SHOAL_RETURN_IF_ERROR(shoal_asked_load(
        &a->answer.original, a, shoal_asked_input(a, SHOAL_INPUT_ORIGINAL, 0), false, err));
    a->answer.bound = &a->bound;
    return shoal_bound_find(&a->bound, a->answer.original, NULL, a->answer.k, &options, err);
}
