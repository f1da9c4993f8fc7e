/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_bound.c - `shoal bound`: what no release with groups of at least k rows can do better than.
 */
#include "cli.h"

shoal_status cli_bound(const cli_args *args, shoal_error *err)
{
    cli_question q;
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_question_init(&q, SHOAL_ASK_BOUND, args, err), out);
    cli_question_add(&q, SHOAL_INPUT_ORIGINAL, args->positional[0]);
    CLI_GOTO_IF_ERROR(cli_ask(&q, err), out);
    bool is_interrupted = cli_interrupt_take(); /* the best bound so far holds */
    if (cli_has(args, OPT_JSON)) {
        status = cli_print_report(shoal_answer_json(q.answer), err);
    } else {
        printf("lower bound  %.6f  gcp of any release of these %llu rows with k = %u\n",
               q.answer->bound->bound, (unsigned long long)shoal_table_n_rows(q.answer->original),
               q.answer->k);
        cli_relaxations_text(q.answer->bound, stdout);
    }
    if (status == SHOAL_OK && is_interrupted) status = SHOAL_EBUDGET; /* exit 5 */
out:
    cli_question_clear(&q);
    return status;
}
