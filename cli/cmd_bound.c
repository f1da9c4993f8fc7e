/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_bound.c - `shoal bound`: what no release with groups of at least k rows can do better than.
 */
#include "cli.h"

static shoal_status print_bound(const cli_args *args, const cli_job *job,
                                const shoal_bound_parts *parts, double seconds, shoal_error *err)
{
    uint64_t rows = shoal_table_n_rows(job->table);
    if (cli_has(args, OPT_JSON))
        return cli_print_report(shoal_bound_json(parts, job->table, job->plan.k, seconds), err);
    printf("lower bound  %.6f  gcp of any release of these %llu rows with k = %u\n", parts->bound,
           (unsigned long long)rows, job->plan.k);
    cli_relaxations_text(parts, stdout);
    return SHOAL_OK;
}

shoal_status cli_bound(const cli_args *args, shoal_error *err)
{
    cli_job job;
    shoal_bound_parts parts = { 0 };
    double start = cli_seconds();
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_job_init(&job, args, err), out);
    CLI_GOTO_IF_ERROR(cli_job_need_k(&job, err), out);
    CLI_GOTO_IF_ERROR(cli_job_load(&job, args->positional[0], false, err), out);
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    options.threads = job.threads;
    options.time_limit = job.plan.time_limit;
    options.callbacks = &job.progress.callbacks;
    cli_interrupt_mode_set(INTERRUPT_ASKS); /* the best bound so far holds */
    CLI_GOTO_IF_ERROR(shoal_bound_find(&parts, job.table, NULL, job.plan.k, &options, err), out);
    cli_progress_end(&job.progress);
    bool is_interrupted = cli_interrupt_take();
    status = print_bound(args, &job, &parts, cli_seconds() - start, err);
    if (status == SHOAL_OK && is_interrupted) status = SHOAL_EBUDGET; /* exit 5 */
out:
    cli_job_clear(&job);
    return status;
}
