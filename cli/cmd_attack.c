/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_attack.c - `shoal attack`: what somebody could really do with a release. */
#include "cli.h"

#include <shoal/plot.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
    cli_job job;
    shoal_table **releases;
    size_t n_releases;
    shoal_table *held_out;
    cli_list only;
    shoal_rerun rerun;
    shoal_attack_request request;
    shoal_attack_result result;
    shoal_attack_controls controls;
} run;

static void run_clear(run *r)
{
    for (size_t i = 0; r->releases != NULL && i < r->n_releases; i++)
        shoal_table_free(r->releases[i]);
    free(r->releases);
    shoal_table_free(r->held_out);
    cli_list_clear(&r->only);
    shoal_attack_clear(&r->result);
    shoal_attack_controls_clear(&r->controls);
    cli_job_clear(&r->job);
}

static shoal_status check_name(const char *name, shoal_error *err)
{
    const char *names[64];
    size_t n = 0;
    if (shoal_attack_find(name) != SIZE_MAX) return SHOAL_OK;
    for (; n < shoal_attack_count() && n < 64; n++) names[n] = shoal_attack_name(n);
    const char *nearest = cli_nearest(name, names, n);
    if (nearest != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--only: there is no attack '%.60s' {fix} did you mean %s?", name,
                          nearest);
    return shoal_fail(err, SHOAL_EINVAL,
                      "--only: there is no attack '%.60s' {fix} 'shoal explain' lists the attacks",
                      name);
}

static shoal_status read_options(run *r, const cli_args *args, shoal_error *err)
{
    uint64_t known = 0, sets = 0, reruns = 0;
    shoal_attack_request *q = &r->request;
    CLI_RETURN_IF_ERROR(cli_job_init(&r->job, args, err));
    CLI_RETURN_IF_ERROR(cli_list_of(&r->only, args, OPT_ONLY, err));
    CLI_RETURN_IF_ERROR(cli_number(&known, args, OPT_KNOWN, 1, 1000, err));
    CLI_RETURN_IF_ERROR(cli_number(&sets, args, OPT_SETS, 1, 1000000, err));
    CLI_RETURN_IF_ERROR(cli_number(&reruns, args, OPT_RERUNS, 0, 1000000, err));
    if (cli_has(args, OPT_ERRORS) &&
        (cli_real(&q->error_share, args, OPT_ERRORS, err) != SHOAL_OK || !(q->error_share <= 0.5)))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--errors: not a number in 0..0.5 {fix} write --errors 0.1 for one in ten");
    for (size_t i = 0; i < r->only.n_items; i++)
        CLI_RETURN_IF_ERROR(check_name(r->only.items[i], err));
    r->job.encode_all = true;
    r->job.by_person = false; /* releases have no persons */
    q->known = (uint32_t)known;
    q->max_subsets = (uint32_t)sets;
    q->max_reruns = (uint32_t)reruns;
    q->k = r->job.plan.k;
    q->seed = r->job.plan.seed;
    q->threads = r->job.threads;
    q->record_key = cli_value(args, OPT_RECORD_KEY);
    q->only = (const char *const *)r->only.items;
    q->n_only = r->only.n_items;
    q->callbacks = &r->job.progress.callbacks;
    return SHOAL_OK;
}

/* Refuse a picture that cannot be written before anything is attacked. */
static shoal_status check_target(const cli_args *args, shoal_error *err)
{
    const char *path = cli_value(args, OPT_SVG_OUT);
    if (path == NULL) return SHOAL_OK;
    if (strcmp(path, "-") == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--svg-out needs a file {fix} standard output has the result");
    CLI_RETURN_IF_ERROR(cli_refuse_inputs(args, path, "--svg-out", err));
    return cli_probe_output(path, cli_has(args, OPT_FORCE), err);
}

static shoal_status load_tables(run *r, const cli_args *args, shoal_error *err)
{
    const char *held_out = cli_value(args, OPT_HELD_OUT);
    CLI_RETURN_IF_ERROR(cli_job_load(&r->job, args->positional[0], false, err));
    r->releases = calloc(args->n_positional, sizeof(shoal_table *));
    if (r->releases == NULL) return shoal_fail_memory(err);
    for (; r->n_releases + 1 < args->n_positional; r->n_releases++)
        CLI_RETURN_IF_ERROR(cli_job_load_released(&r->releases[r->n_releases], &r->job,
                                                  args->positional[r->n_releases + 1], err));
    if (held_out != NULL)
        CLI_RETURN_IF_ERROR(cli_job_load_alike(&r->held_out, &r->job, held_out, err));
    r->request.original = r->job.table;
    r->request.releases = (const shoal_table *const *)r->releases;
    r->request.n_releases = r->n_releases;
    r->request.held_out = r->held_out;
    r->rerun = (shoal_rerun){ .plan = &r->job.plan,
                              .threads = r->job.threads,
                              .callbacks = &r->job.progress.callbacks };
    r->request.rerun = shoal_plan_rerun;
    r->request.rerun_payload = &r->rerun;
    return SHOAL_OK;
}

static shoal_status write_svg(const shoal_attack_result *result, const char *path, bool force,
                              shoal_error *err)
{
    shoal_output *output = NULL;
    CLI_RETURN_IF_ERROR(shoal_output_open(&output, path, force, err));
    shoal_status status = shoal_attack_svg(result, shoal_output_write, output, err);
    if (status == SHOAL_OK) status = shoal_output_commit(output, err);
    shoal_output_free(output);
    return status;
}

static shoal_status attack(run *r, const cli_args *args, shoal_error *err)
{
    CLI_RETURN_IF_ERROR(check_target(args, err));
    CLI_RETURN_IF_ERROR(load_tables(r, args, err));
    CLI_RETURN_IF_ERROR(shoal_attack_run(&r->result, &r->request, err));
    CLI_RETURN_IF_ERROR(cli_check_interrupt(err));
    if (cli_has(args, OPT_SVG_OUT))
        CLI_RETURN_IF_ERROR(
            write_svg(&r->result, cli_value(args, OPT_SVG_OUT), cli_has(args, OPT_FORCE), err));
    return SHOAL_OK;
}

shoal_status cli_attack(const cli_args *args, shoal_error *err)
{
    run r = { .request = SHOAL_ATTACK_REQUEST_INIT };
    const bool with_controls = cli_has(args, OPT_CONTROLS), has_files = args->n_positional > 0;
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(read_options(&r, args, err), out);
    if (args->n_positional == 1 || (!has_files && !with_controls)) {
        status = shoal_fail(
            err, SHOAL_EINVAL,
            "there is no %s {fix} write shoal attack ORIGINAL RELEASE --qid COLUMN,...",
            has_files ? "release" : "original");
        goto out;
    }
    if (has_files) CLI_GOTO_IF_ERROR(attack(&r, args, err), out);
    if (with_controls)
        CLI_GOTO_IF_ERROR(
            shoal_attack_controls_run(&r.controls, r.request.seed, r.job.threads, err), out);
    cli_progress_end(&r.job.progress);
    if (cli_has(args, OPT_JSON)) {
        status = cli_print_report(
            shoal_attack_json(has_files ? &r.result : NULL, with_controls ? &r.controls : NULL),
            err);
    } else if (!cli_has(args, OPT_QUIET)) {
        if (has_files) cli_attack_text(&r.result, stdout);
        if (with_controls) cli_controls_text(&r.controls, stdout);
    }
out:
    run_clear(&r);
    return status;
}
