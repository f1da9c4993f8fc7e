/* SPDX-License-Identifier: Apache-2.0 */
/* engine_release.c - releases: made, checked and measured by the library's pipeline, kept in
 * memory.
 *
 * Stop ends the search with the best grouping so far; what was found is then written and verified
 * whatever is pressed. Where there was none yet, the search begins again and ends with its first (a
 * time limit does that); Stop once more ends it for good. The lower bound is a call of its own, so
 * that a release can be looked at while it is sought, and given up without losing the release.
 */
#include "engine.h"

shoal_status engine_release_of(engine_release **out, engine_state *e, const json_t *request,
                               shoal_error *err)
{
    uint64_t id = engine_number(request, "id", ENGINE_MAX_RELEASES);
    if (id >= ENGINE_MAX_RELEASES || !e->releases[id].in_use)
        return shoal_fail(err, SHOAL_EINVAL,
                          "this release is not kept any more {fix} make it again");
    *out = &e->releases[id];
    return SHOAL_OK;
}

void engine_release_clear(engine_release *release)
{
    if (!release->in_use) return;
    shoal_table_free(release->view);
    shoal_outcome_free(release->outcome);
    shoal_memory_sink_free(release->sink);
    engine_job_clear(&release->job);
    *release = (engine_release){ 0 };
}

shoal_status engine_drop_release(engine_state *e, const json_t *request, json_t **answer,
                                 shoal_error *err)
{
    engine_release *release;
    (void)answer;
    ENGINE_RETURN_IF_ERROR(engine_release_of(&release, e, request, err));
    engine_release_clear(release);
    return SHOAL_OK;
}

/* A shoal_progress_fn: Stop ends the search, what follows it is finished. */
static int stop_search(const char *phase, double fraction, void *payload)
{
    bool is_search = strcmp(phase, "search") == 0 || strcmp(phase, "refine") == 0;
    return engine_progress(phase, fraction, payload) != 0 && is_search;
}

/* `time_limit`: seconds, of the plan or less. */
static shoal_status run_pipeline(engine_release *release, engine_state *e, double time_limit,
                                 shoal_error *err)
{
    if (release->job.plan->series != NULL)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "the plan names a series, whose state is not here, and a release outside it would "
            "break what it promises {fix} "
            "use the command or the Python package, or take the series out of the plan");
    shoal_memory_sink_free(release->sink);
    release->sink = NULL;
    ENGINE_RETURN_IF_ERROR(shoal_memory_sink_make(&release->sink, 0, err));
    const shoal_sink *sink = shoal_memory_sink_of(release->sink);
    shoal_callbacks callbacks = e->callbacks;
    shoal_spec spec = *release->job.plan;
    callbacks.progress = stop_search;
    spec.time_limit = time_limit;
    spec.threads = 1;
    return shoal_pipeline_run(&release->outcome, release->job.table, &spec, &callbacks, sink, err);
}

static shoal_status run(engine_release *release, engine_state *e, shoal_error *err)
{
    shoal_status status = run_pipeline(release, e, release->job.plan->time_limit, err);
    if (status == SHOAL_ECANCELLED) {
        engine_forget_stop(e);
        status = run_pipeline(release, e, 0.001, err);
    }
    ENGINE_RETURN_IF_ERROR(status);
    const char *algorithm = release->job.plan->algorithm;
    release->report = (shoal_report){ .size = sizeof(shoal_report),
                                      .plan = release->job.plan,
                                      .table = release->job.table,
                                      .threads = 1,
                                      .algorithm = algorithm != NULL ? algorithm
                                                                     : shoal_algorithm_name(0),
                                      .outcome = release->outcome,
                                      .read_seconds = release->job.read_seconds };
    return SHOAL_OK;
}

static shoal_status answer_report(json_t **answer, engine_release *release, const engine_state *e,
                                  shoal_error *err)
{
    json_t *report = NULL;
    release->report.total_seconds = engine_seconds() - release->started;
    ENGINE_RETURN_IF_ERROR(engine_take_json(&report, shoal_report_json(&release->report), err));
    *answer = json_pack("{s:I, s:o, s:b, s:b}", "id", (json_int_t)(release - e->releases), "report",
                        report, "stopped",
                        shoal_grouping_stopped_early(shoal_outcome_grouping(release->outcome)),
                        "two_tables", shoal_outcome_buckets(release->outcome, NULL) != NULL);
    return *answer != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

/* A release by the plan "text"; its report, without the bound. */
shoal_status engine_make_release(engine_state *e, const json_t *request, json_t **answer,
                                 shoal_error *err)
{
    size_t at = 0;
    while (at < ENGINE_MAX_RELEASES && e->releases[at].in_use) at++;
    if (at == ENGINE_MAX_RELEASES)
        return shoal_fail(err, SHOAL_EINVAL, "no more than %d releases are kept {fix} remove one",
                          ENGINE_MAX_RELEASES);
    engine_release *release = &e->releases[at];
    *release = (engine_release){ .started = engine_seconds() };
    ENGINE_RETURN_IF_ERROR(
        engine_job_load(&release->job, e, engine_string(request, "text", ""), err));
    release->in_use = true;
    shoal_status status = run(release, e, err);
    if (status == SHOAL_OK) status = answer_report(answer, release, e, err);
    if (status != SHOAL_OK) engine_release_clear(release);
    return status;
}

/* The lower bound of the release "id"; the report with it, or without where Stop was pressed. */
shoal_status engine_find_bound(engine_state *e, const json_t *request, json_t **answer,
                               shoal_error *err)
{
    engine_release *release;
    ENGINE_RETURN_IF_ERROR(engine_release_of(&release, e, request, err));
    shoal_status status = shoal_pipeline_measure(release->outcome, release->job.table,
                                                 release->job.plan, &e->callbacks, true, err);
    if (status != SHOAL_OK && status != SHOAL_ECANCELLED) return status;
    return answer_report(answer, release, e, err);
}

/* Where the bytes of the release "id" are: of "part" 0, or 1 for the second table. */
shoal_status engine_release_text(engine_state *e, const json_t *request, json_t **answer,
                                 shoal_error *err)
{
    engine_release *release;
    size_t size = 0;
    ENGINE_RETURN_IF_ERROR(engine_release_of(&release, e, request, err));
    shoal_sink_part part = engine_number(request, "part", 0) == 1 ? SHOAL_SINK_BUCKETS
                                                                  : SHOAL_SINK_RELEASE;
    const char *text = shoal_memory_sink_text(release->sink, part, &size);
    if (text == NULL) return shoal_fail(err, SHOAL_EINVAL, "the release has no such table");
    *answer = json_pack("{s:I, s:I}", "at", (json_int_t)(uintptr_t)text, "size", (json_int_t)size);
    return SHOAL_OK;
}
