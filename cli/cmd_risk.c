/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_risk.c - `shoal risk`: how likely it is that somebody in a table is recognised, before and
 * after. */
#include "cli.h"

#include <shoal/plot.h>
#include <stdlib.h>

static shoal_status read_thresholds(double *out, size_t *n, const cli_args *args, shoal_error *err)
{
    cli_list list;
    shoal_status status = SHOAL_OK;
    CLI_RETURN_IF_ERROR(cli_list_of(&list, args, OPT_THRESHOLD, err));
    if (list.n_items > SHOAL_RISK_THRESHOLDS)
        status = shoal_fail(err, SHOAL_EINVAL,
                            "--threshold: at most %d can be counted at once {fix} name fewer",
                            SHOAL_RISK_THRESHOLDS);
    for (size_t i = 0; status == SHOAL_OK && i < list.n_items; i++) {
        char *end;
        out[i] = strtod(list.items[i], &end);
        if (*list.items[i] == '\0' || *end != '\0' || !(out[i] > 0 && out[i] <= 1))
            status = shoal_fail(
                err, SHOAL_EINVAL,
                "--threshold: not a number above 0 and at most 1 {fix} write --threshold 0.2,0.05");
    }
    *n = list.n_items;
    cli_list_clear(&list);
    return status;
}

static shoal_status read_fraction(double *out, const cli_args *args, shoal_error *err)
{
    if (!cli_has(args, OPT_SAMPLING_FRACTION)) return SHOAL_OK;
    if (cli_real(out, args, OPT_SAMPLING_FRACTION, err) != SHOAL_OK || !(*out > 0 && *out <= 1))
        return shoal_fail(err, SHOAL_EINVAL,
                          "--sampling-fraction: not a number above 0 and at most 1 {fix} write "
                          "--sampling-fraction 0.1 for one in ten");
    return SHOAL_OK;
}

/* The release and, where it was given, its original. */
typedef struct risks {
    const shoal_risk *after, *before;
    const shoal_table *table;
} risks;

static shoal_status draw(const void *from, shoal_write_fn write, void *payload, shoal_error *err)
{
    const risks *r = from;
    return shoal_risk_svg(r->after, r->before, r->table, write, payload, err);
}

static shoal_status show(const cli_job *job, const cli_args *args, const shoal_risk *after,
                         const shoal_risk *before, shoal_error *err)
{
    bool counts = cli_has(args, OPT_COUNT_SUPPRESSED);
    CLI_RETURN_IF_ERROR(cli_picture_write(args, draw, &(risks){ after, before, job->table }, err));
    if (cli_has(args, OPT_JSON))
        return cli_print_report(shoal_risk_json(after, before, job->table, counts), err);
    cli_risk_text(after, before, job->table, counts);
    return SHOAL_OK;
}

shoal_status cli_risk(const cli_args *args, shoal_error *err)
{
    cli_job job;
    shoal_table *population = NULL, *original = NULL;
    shoal_risk after = { 0 }, before = { 0 };
    double thresholds[SHOAL_RISK_THRESHOLDS];
    shoal_risk_options options = SHOAL_RISK_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_job_init(&job, args, err), out);
    CLI_GOTO_IF_ERROR(cli_picture_targets(args, err), out);
    CLI_GOTO_IF_ERROR(read_fraction(&options.sampling_fraction, args, err), out);
    CLI_GOTO_IF_ERROR(read_thresholds(thresholds, &options.n_thresholds, args, err), out);
    if (cli_has(args, OPT_POPULATION) && cli_has(args, OPT_SAMPLING_FRACTION)) {
        status = shoal_fail(err, SHOAL_EINVAL,
                            "a population is counted or estimated, not both {fix} "
                            "give --population or --sampling-fraction");
        goto out;
    }
    options.thresholds = options.n_thresholds > 0 ? thresholds : NULL;
    options.count_suppressed = cli_has(args, OPT_COUNT_SUPPRESSED);
    options.k = job.plan.k;
    options.threads = job.threads;
    options.callbacks = &job.progress.callbacks;
    CLI_GOTO_IF_ERROR(cli_job_load_released(&job.table, &job, args->positional[0], err), out);
    if (cli_has(args, OPT_ORIGINAL))
        CLI_GOTO_IF_ERROR(
            cli_job_load_released(&original, &job, cli_value(args, OPT_ORIGINAL), err), out);
    if (cli_has(args, OPT_POPULATION))
        CLI_GOTO_IF_ERROR(
            cli_job_load_population(&population, &job, cli_value(args, OPT_POPULATION), err), out);
    options.population = population;
    cli_progress_step("risk", -1, &job.progress);
    CLI_GOTO_IF_ERROR(shoal_risk_measure(&after, job.table, &options, err), out);
    if (original != NULL)
        CLI_GOTO_IF_ERROR(shoal_risk_measure(&before, original, &options, err), out);
    CLI_GOTO_IF_ERROR(cli_check_interrupt(err), out);
    cli_progress_end(&job.progress);
    status = show(&job, args, &after, original != NULL ? &before : NULL, err);
out:
    shoal_risk_clear(&after);
    shoal_risk_clear(&before);
    shoal_table_free(population);
    shoal_table_free(original);
    cli_job_clear(&job);
    return status;
}
