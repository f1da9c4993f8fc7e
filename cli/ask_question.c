/* SPDX-License-Identifier: Apache-2.0 */
/* ask_question.c - from arguments to a question of the library, and what every command does with
 * its answer. */
#include "cli.h"

#include <stdlib.h>

shoal_status cli_question_init(cli_question *q, shoal_question_kind kind, const cli_args *args,
                               shoal_error *err)
{
    *q = (cli_question){ .ask = SHOAL_QUESTION_INIT };
    CLI_RETURN_IF_ERROR(cli_call_init(&q->call, args, err));
    q->inputs = calloc(args->n_positional + args->n_given + 1, sizeof *q->inputs);
    if (q->inputs == NULL) return shoal_fail_memory(err);
    q->ask.kind = kind;
    q->ask.inputs = q->inputs;
    q->ask.job = q->call.job;
    q->ask.by_person = q->call.by_person;
    q->ask.allow_unread = cli_has(args, OPT_ALLOW_UNREAD);
    return SHOAL_OK;
}

void cli_question_add(cli_question *q, shoal_input_role role, const char *path)
{
    if (path != NULL)
        q->inputs[q->ask.n_inputs++] = (shoal_ask_input){ .role = role, .path = path };
}

shoal_status cli_ask(cli_question *q, shoal_error *err)
{
    shoal_status status = shoal_ask(&q->answer, &q->ask, err);
    /* a bound that was interrupted holds */
    if (status == SHOAL_OK && q->ask.kind != SHOAL_ASK_BOUND) status = cli_check_interrupt(err);
    cli_progress_end(&q->call.progress);
    return status;
}

void cli_question_clear(cli_question *q)
{
    shoal_answer_free(q->answer);
    free(q->inputs);
    cli_call_clear(&q->call);
}
