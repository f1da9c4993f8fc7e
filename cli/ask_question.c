/* SPDX-License-Identifier: Apache-2.0 */
/* ask_question.c - from arguments to a question of the library, and what every command does with
 * its answer. */
#include "cli.h"

#include <stdlib.h>
#include <sys/stat.h>

/* A shoal_open_fn: standard input may keep us waiting, and then an interrupt ends the command. */
static shoal_status open_path(shoal_table **out, const char *path, const shoal_csv_options *csv,
                              void *payload, shoal_error *err)
{
    cli_question *q = payload;
    struct stat info;
    bool is_file = stat(path, &info) == 0 && S_ISREG(info.st_mode);
    cli_interrupt_mode_set(INTERRUPT_ENDS);
    CLI_RETURN_IF_ERROR(shoal_io_open_table(out, path, csv, err));
    cli_interrupt_mode_set(INTERRUPT_ASKS);
    q->job.progress.bytes = is_file ? (uint64_t)info.st_size : 0;
    return SHOAL_OK;
}

static void note_rows(const shoal_table *table, void *payload)
{
    cli_question *q = payload;
    q->job.progress.rows = shoal_table_n_rows(table);
}

shoal_status cli_question_init(cli_question *q, shoal_question_kind kind, const cli_args *args,
                               shoal_error *err)
{
    *q = (cli_question){ .ask = SHOAL_QUESTION_INIT };
    CLI_RETURN_IF_ERROR(cli_job_init(&q->job, args, err));
    q->inputs = calloc(args->n_positional + args->n_given + 1, sizeof *q->inputs);
    if (q->inputs == NULL) return shoal_fail_memory(err);
    q->ask.kind = kind;
    q->ask.inputs = q->inputs;
    q->ask.open = open_path;
    q->ask.loaded = note_rows;
    q->ask.open_payload = q;
    q->ask.by_person = q->job.by_person;
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
    /* borrowed for the call */
    const shoal_job job = { .plan = q->job.plan,
                            .threads = q->job.threads,
                            .callbacks = &q->job.progress.callbacks };
    q->ask.job = &job;
    shoal_status status = shoal_ask(&q->answer, &q->ask, err);
    q->ask.job = NULL;
    /* a bound that was interrupted holds */
    if (status == SHOAL_OK && q->ask.kind != SHOAL_ASK_BOUND) status = cli_check_interrupt(err);
    cli_progress_end(&q->job.progress);
    return status;
}

void cli_question_clear(cli_question *q)
{
    shoal_answer_free(q->answer);
    free(q->inputs);
    cli_job_clear(&q->job);
}
