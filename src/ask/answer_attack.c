/* SPDX-License-Identifier: Apache-2.0 */
/* answer_attack.c - attacks on releases. */
#include "ask/answer.h"

/* The original, the releases (one after the other in *releases), the persons held out. */
static shoal_status load_tables(shoal_asked *a, const shoal_table ***releases,
                                shoal_attack_request *request, shoal_error *err)
{
    const shoal_ask_input *original = shoal_asked_input(a, SHOAL_INPUT_ORIGINAL, 0),
                          *held_out = shoal_asked_input(a, SHOAL_INPUT_HELD_OUT, 0);
    size_t n = shoal_asked_n_inputs(a, SHOAL_INPUT_RELEASE);
    SHOAL_RETURN_IF_ERROR(shoal_asked_load(&a->answer.original, a, original, false, err));
    if (n == 0) return shoal_fail(err, SHOAL_EINVAL, "no release {fix} name at least one");
    *releases = shoal_asked_alloc(n, sizeof **releases);
    if (*releases == NULL) return shoal_fail_memory(err);
    for (; request->n_releases < n; request->n_releases++)
        SHOAL_RETURN_IF_ERROR(shoal_asked_load_released(
            &(*releases)[request->n_releases], a,
            shoal_asked_input(a, SHOAL_INPUT_RELEASE, request->n_releases),
            SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE, err));
    if (held_out == NULL) return SHOAL_OK;
    return shoal_asked_load(&request->held_out, a, held_out, false, err);
}

static shoal_status attack(shoal_asked *a, shoal_attack_request *request, shoal_error *err)
{
    shoal_rerun rerun = { .plan = &a->job->spec,
                          .threads = shoal_job_threads(a->job),
                          .callbacks = a->job->options.callbacks };
    const shoal_table **releases = NULL;
    shoal_job job = *a->job; /* borrowed */
    job.options.encode_all = true; /* an attacker may know any column */
    a->job = &job;
    shoal_status status = load_tables(a, &releases, request, err);
    a->job = a->question->job;
    request->original = a->answer.original;
    request->releases = releases;
    request->rerun = shoal_plan_rerun;
    request->rerun_payload = &rerun;
    if (status == SHOAL_OK) status = shoal_attack_run(&a->attack, request, err);
    a->answer.attack = &a->attack;
    shoal_free(releases);
    return status;
}

shoal_status shoal_answer_attack(shoal_asked *a, shoal_error *err)
{
    const shoal_question *q = a->question;
    shoal_attack_request request = SHOAL_ATTACK_REQUEST_INIT;
    request.k = a->answer.k;
    request.seed = a->answer.seed;
    request.threads = shoal_job_threads(a->job);
    request.record_key = q->record_key;
    request.known = q->known;
    request.error_share = q->errors;
    request.max_subsets = q->subsets;
    request.max_reruns = q->reruns;
    request.only = q->only;
    request.n_only = q->n_only;
    request.callbacks = a->job->options.callbacks;
    if (a->n_inputs > 0 || !q->controls) SHOAL_RETURN_IF_ERROR(attack(a, &request, err));
    if (!q->controls) return SHOAL_OK;
    a->answer.controls = &a->controls;
    return shoal_attack_controls_run(&a->controls, request.seed, request.threads, err);
}
