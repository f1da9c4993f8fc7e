/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_measure.c - `shoal measure`: what a release loses against its original, read from published
 * text. */
#include "cli.h"

/* Measures such as C_AVG need a k: the one asked for, or else the one that holds. */
static shoal_status find_k(uint32_t *out, const cli_job *job, const shoal_table *released,
                           shoal_error *err)
{
    shoal_check_result check;
    *out = job->plan.k;
    if (*out != 0) return SHOAL_OK;
    CLI_RETURN_IF_ERROR(shoal_check(&check, released, 2, job->threads, err));
    *out = check.min_group == 0           ? 1
           : check.min_group > UINT32_MAX ? UINT32_MAX
                                          : (uint32_t)check.min_group;
    return SHOAL_OK;
}

static bool names_sensitive(const shoal_plan *plan)
{
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == SHOAL_ROLE_SENSITIVE) return true;
    return false;
}

shoal_status cli_measure(const cli_args *args, shoal_error *err)
{
    cli_job job;
    shoal_measures measures = { 0 };
    shoal_table *released = NULL;
    shoal_strength protection = { 0 };
    shoal_models_result persons = { 0 };
    shoal_unread unread = { 0 };
    uint32_t k = 0;
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_job_init(&job, args, err), out);
    bool by_flag = job.by_person, by_person = cli_person_column(&job.plan) != NULL;
    job.by_person = false; /* the original has the column; the release need not */
    job.reads_sensitive = names_sensitive(&job.plan);
    CLI_GOTO_IF_ERROR(cli_picture_targets(args, err), out);
    CLI_GOTO_IF_ERROR(cli_job_load(&job, args->positional[0], false, err), out);
    CLI_GOTO_IF_ERROR(cli_job_load_released(&released, &job, args->positional[1], err), out);
    cli_progress_step("measure", -1, &job.progress);
    CLI_GOTO_IF_ERROR(find_k(&k, &job, released, err), out);
    CLI_GOTO_IF_ERROR(shoal_measure_release(&measures, job.table, released, k, NULL, err), out);
    CLI_GOTO_IF_ERROR(cli_find_unread(&unread, job.table, released, args, err), out);
    CLI_GOTO_IF_ERROR(shoal_plan_weigh(&job.plan, &measures, err), out);
    const cli_measure_files files = { &measures, job.table, released, job.threads };
    CLI_GOTO_IF_ERROR(cli_measure_files_write(args, &files, err), out);
    if (job.reads_sensitive)
        CLI_GOTO_IF_ERROR(shoal_strength_find(&protection, released, job.table, job.threads, err),
                          out);
    /* who is behind a row nobody knows: an error only where it was asked for */
    if (measures.is_moved && !by_flag) by_person = false;
    if (by_person)
        CLI_GOTO_IF_ERROR(
            shoal_pipeline_persons(&persons, job.table, released, k, job.threads, err), out);
    CLI_GOTO_IF_ERROR(cli_check_interrupt(err), out);
    cli_progress_end(&job.progress);
    if (cli_has(args, OPT_JSON)) {
        status = cli_print_report(shoal_measures_json(&measures, job.table, k, &unread,
                                                      job.reads_sensitive ? &protection : NULL,
                                                      by_person ? &persons : NULL),
                                  err);
    } else {
        cli_unread_text(&unread, job.table, 19, stdout);
        cli_measures_text(&measures, job.table, stdout);
        cli_models_text(&persons, job.table, 19, stdout);
        if (job.reads_sensitive) cli_protection_text(&protection, stdout);
    }
out:
    shoal_strength_clear(&protection);
    shoal_models_clear(&persons);
    shoal_measures_clear(&measures);
    shoal_unread_clear(&unread);
    shoal_table_free(released);
    cli_job_clear(&job);
    return status;
}
