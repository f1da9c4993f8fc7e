/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_attack.c - `shoal attack`: carry out attacks on a release. */
#include "cli.h"

#include <shoal/plot.h>

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

static shoal_status read_options(cli_question *q, cli_list *only, const cli_args *args,
                                 shoal_error *err)
{
    uint64_t known = 0, sets = 0, reruns = 0;
    CLI_RETURN_IF_ERROR(cli_list_of(only, args, OPT_ONLY, err));
    CLI_RETURN_IF_ERROR(cli_number(&known, args, OPT_KNOWN, 1, 1000, err));
    CLI_RETURN_IF_ERROR(cli_number(&sets, args, OPT_SETS, 1, 1000000, err));
    CLI_RETURN_IF_ERROR(cli_number(&reruns, args, OPT_RERUNS, 0, 1000000, err));
    if (cli_has(args, OPT_ERRORS) &&
        (cli_real(&q->ask.errors, args, OPT_ERRORS, err) != SHOAL_OK || !(q->ask.errors <= 0.5)))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--errors: not a number from 0 to 0.5 {fix} write --errors 0.1 for 10 %%");
    for (size_t i = 0; i < only->n_items; i++) CLI_RETURN_IF_ERROR(check_name(only->items[i], err));
    q->ask.known = (uint32_t)known;
    q->ask.subsets = (uint32_t)sets;
    q->ask.reruns = (uint32_t)reruns;
    q->ask.record_key = cli_value(args, OPT_RECORD_KEY);
    q->ask.only = (const char *const *)only->items;
    q->ask.n_only = only->n_items;
    q->ask.controls = cli_has(args, OPT_CONTROLS);
    if (args->n_positional == 1 || (args->n_positional == 0 && !q->ask.controls))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "missing operand: %s {fix} write shoal attack ORIGINAL RELEASE --qid COLUMN,...",
            args->n_positional > 0 ? "release" : "original");
    return SHOAL_OK;
}

static shoal_status draw(const void *result, shoal_write_fn write, void *payload, shoal_error *err)
{
    return shoal_attack_svg(result, write, payload, err);
}

shoal_status cli_attack(const cli_args *args, shoal_error *err)
{
    cli_question q;
    cli_list only = { 0 };
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_question_init(&q, SHOAL_ASK_ATTACK, args, err), out);
    CLI_GOTO_IF_ERROR(read_options(&q, &only, args, err), out);
    CLI_GOTO_IF_ERROR(cli_picture_targets(args, err), out);
    for (size_t i = 0; i < args->n_positional; i++)
        cli_question_add(&q, i == 0 ? SHOAL_INPUT_ORIGINAL : SHOAL_INPUT_RELEASE,
                         args->positional[i]);
    if (args->n_positional > 0)
        cli_question_add(&q, SHOAL_INPUT_HELD_OUT, cli_value(args, OPT_HELD_OUT));
    CLI_GOTO_IF_ERROR(cli_ask(&q, err), out);
    if (q.answer->attack != NULL)
        CLI_GOTO_IF_ERROR(cli_picture_write(args, draw, q.answer->attack, err), out);
    if (cli_has(args, OPT_JSON)) {
        status = cli_print_report(shoal_answer_json(q.answer), err);
    } else if (!cli_has(args, OPT_QUIET)) {
        if (q.answer->attack != NULL) cli_attack_text(q.answer->attack, stdout);
        if (q.answer->controls != NULL) cli_controls_text(q.answer->controls, stdout);
    }
out:
    cli_list_clear(&only);
    cli_question_clear(&q);
    return status;
}
