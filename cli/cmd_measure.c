/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_measure.c - `shoal measure`: what a release loses against its original, read from published
 * text. */
#include "cli.h"

static void print_answer(const shoal_answer *a)
{
    cli_unread_text(a->unread, a->original, 19, stdout);
    cli_measures_text(a->measures, a->original, stdout);
    if (a->persons != NULL) cli_models_text(a->persons, a->original, 19, stdout);
    if (a->strength != NULL) cli_protection_text(a->strength, stdout);
}

shoal_status cli_measure(const cli_args *args, shoal_error *err)
{
    cli_question q;
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_question_init(&q, SHOAL_ASK_MEASURE, args, err), out);
    CLI_GOTO_IF_ERROR(cli_picture_targets(args, err), out);
    cli_question_add(&q, SHOAL_INPUT_ORIGINAL, args->positional[0]);
    cli_question_add(&q, SHOAL_INPUT_RELEASE, args->positional[1]);
    CLI_GOTO_IF_ERROR(cli_ask(&q, err), out);
    CLI_GOTO_IF_ERROR(cli_measure_files_write(args, q.answer, shoal_job_threads(q.call.job), err),
                      out);
    if (cli_has(args, OPT_JSON))
        status = cli_print_report(shoal_answer_json(q.answer), err);
    else
        print_answer(q.answer);
out:
    cli_question_clear(&q);
    return status;
}
