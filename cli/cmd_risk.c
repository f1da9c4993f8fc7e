/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_risk.c - `shoal risk`: re-identification risk of a table, and of its original for comparison.
 */
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
                            "--threshold: at most %d thresholds {fix} list fewer",
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
                          "--sampling-fraction 0.1 for 10 %%");
    return SHOAL_OK;
}

static shoal_status draw(const void *from, shoal_write_fn write, void *payload, shoal_error *err)
{
    const shoal_answer *a = from;
    return shoal_risk_svg(a->risk, a->risk_before, a->released, write, payload, err);
}

shoal_status cli_risk(const cli_args *args, shoal_error *err)
{
    cli_question q;
    double thresholds[SHOAL_RISK_THRESHOLDS];
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_question_init(&q, SHOAL_ASK_RISK, args, err), out);
    CLI_GOTO_IF_ERROR(cli_picture_targets(args, err), out);
    CLI_GOTO_IF_ERROR(read_fraction(&q.ask.sampling_fraction, args, err), out);
    CLI_GOTO_IF_ERROR(read_thresholds(thresholds, &q.ask.n_thresholds, args, err), out);
    q.ask.thresholds = thresholds;
    q.ask.count_suppressed = cli_has(args, OPT_COUNT_SUPPRESSED);
    cli_question_add(&q, SHOAL_INPUT_RELEASE, args->positional[0]);
    cli_question_add(&q, SHOAL_INPUT_ORIGINAL, cli_value(args, OPT_ORIGINAL));
    cli_question_add(&q, SHOAL_INPUT_POPULATION, cli_value(args, OPT_POPULATION));
    CLI_GOTO_IF_ERROR(cli_ask(&q, err), out);
    CLI_GOTO_IF_ERROR(cli_picture_write(args, draw, q.answer, err), out);
    if (cli_has(args, OPT_JSON))
        status = cli_print_report(shoal_answer_json(q.answer), err);
    else
        cli_risk_text(q.answer->risk, q.answer->risk_before, q.answer->released,
                      q.answer->counts_suppressed);
out:
    cli_question_clear(&q);
    return status;
}
