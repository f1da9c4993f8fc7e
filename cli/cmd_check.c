/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_check.c - `shoal check`: does every quasi-identifier tuple of a table occur at least k times,
 * and do its groups satisfy models? */
#include "cli.h"

#include <stdlib.h>

/* `uncounted`: an entity column of the plan for which persons were not counted, or NULL. */
static void check_text(const shoal_check_report *found, const char *uncounted)
{
    char a[32], b[32];
    const shoal_check_result *c = found->check;
    uint32_t k = found->k;
    printf("rows            %s\n", cli_count(c->n_rows, a));
    printf("groups          %s (smallest: %s rows)\n", cli_count(c->n_groups, a),
           cli_count(c->min_group, b));
    cli_starred_text(c->suppressed_rows, found->table, 16, stdout);
    printf("missing         %s\n", shoal_missing_name(shoal_table_missing(found->table)));
    cli_models_text(found->models, found->table, 16, stdout);
    cli_models_text(found->persons, found->original, 16, stdout);
    if (uncounted != NULL) {
        fputs("persons         not counted; pass --original FILE to count them by ", stdout);
        cli_print_text(stdout, uncounted);
        putchar('\n');
    }
    cli_sensitive_text(found->sensitive, found->table, 16, stdout);
    printf("below k         %s groups, %s rows\n", cli_count(c->failing_groups, a),
           cli_count(c->failing_rows, b));
    bool is_wild = shoal_table_missing(found->table) == SHOAL_MISSING_WILDCARD;
    if (shoal_check_satisfied(c, NULL, k))
        printf("k = %-10u  holds: every group%s has at least %u rows%s\n", k,
               shoal_table_exempts_suppressed(found->table) && c->suppressed_rows > 0
                   ? " except suppressed rows"
                   : "",
               k, is_wild ? " (a missing value matches any value)" : "");
    else if (c->n_rows < k)
        printf("k = %-10u  does not hold: the table has fewer than %u rows\n", k, k);
    else
        printf("k = %-10u  does not hold\n", k);
    if (c->n_rows >= k) cli_text_groups(c, found->table, k, 16, stdout);
}

/* ---- earlier releases ---- */

static void difference_text(const char *what, const shoal_difference_result *d,
                            const shoal_table *table)
{
    char a[32], b[32], c[32];
    if (d->n_groups == 0) {
        printf("  %-13s nothing\n", what);
        return;
    }
    printf("  %-13s %s rows in %s groups (smallest: %s)\n", what, cli_count(d->n_rows, a),
           cli_count(d->n_groups, b), cli_count(d->min_group, c));
    cli_models_text(&d->models, table, 16, stdout);
    if (d->failing_groups > 0)
        printf("  %-13s %s groups, %s rows\n", "below k", cli_count(d->failing_groups, a),
               cli_count(d->failing_rows, b));
}

static void after_text(const shoal_check_report *found)
{
    for (size_t i = 0; i < found->n_after; i++) {
        const shoal_after_result *after = &found->after[i];
        fputs("compared with   ", stdout);
        cli_print_text(stdout, after->name);
        printf(": difference %s\n", shoal_after_satisfied(after) ? "holds" : "does not hold");
        difference_text("arrived", &after->arrived, found->table);
        difference_text("left", &after->left, after->earlier);
    }
}

/* Sets of columns and persons have groups of their own; models and differences are about those of
 * all quasi-identifiers. */
static shoal_status refuse_both(const cli_call *call, const cli_args *args, shoal_error *err)
{
    if (!cli_asks_sets(args)) return SHOAL_OK;
    /* persons are counted for themselves */
    if (cli_has(args, OPT_ORIGINAL) && !cli_has(args, OPT_QID_SET) && !cli_has(args, OPT_SUBSETS))
        return SHOAL_OK;
    if (cli_has(args, OPT_AFTER))
        return shoal_fail(err, SHOAL_EINVAL,
                          "--after cannot be combined with --qid-set, --subsets or --entity {fix} "
                          "run check once for each");
    if (call->plan->n_models == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "privacy models cannot be combined with --qid-set, --subsets or --entity "
                      "{fix} run check once for each");
}

static shoal_status add_tables(cli_question *q, cli_list *earlier, const cli_args *args,
                               shoal_error *err)
{
    CLI_RETURN_IF_ERROR(cli_list_of(earlier, args, OPT_AFTER, err));
    shoal_ask_input *more = realloc(q->inputs, (earlier->n_items + 3) * sizeof *more);
    if (more == NULL) return shoal_fail_memory(err);
    q->ask.inputs = q->inputs = more;
    cli_question_add(q, SHOAL_INPUT_RELEASE, args->positional[0]);
    cli_question_add(q, SHOAL_INPUT_ORIGINAL, cli_value(args, OPT_ORIGINAL));
    for (size_t i = 0; i < earlier->n_items; i++)
        cli_question_add(q, SHOAL_INPUT_EARLIER, earlier->items[i]);
    return SHOAL_OK;
}

shoal_status cli_check(const cli_args *args, shoal_error *err)
{
    cli_question q;
    cli_list earlier = { 0 };
    cli_sets sets = { 0 };
    shoal_status status = SHOAL_OK;
    bool has_original = cli_has(args, OPT_ORIGINAL), by_sets = cli_asks_sets(args) && !has_original;
    CLI_GOTO_IF_ERROR(cli_question_init(&q, by_sets ? SHOAL_ASK_SETS : SHOAL_ASK_CHECK, args, err),
                      out);
    CLI_GOTO_IF_ERROR(cli_call_need_k(&q.call, err), out);
    CLI_GOTO_IF_ERROR(cli_sets_to_plan(q.call.plan, args, err), out);
    CLI_GOTO_IF_ERROR(refuse_both(&q.call, args, err), out);
    CLI_GOTO_IF_ERROR(add_tables(&q, &earlier, args, err), out);
    if (by_sets) CLI_GOTO_IF_ERROR(cli_sets_read(&sets, &q.ask, args, err), out);
    CLI_GOTO_IF_ERROR(cli_ask(&q, err), out);
    if (!by_sets && q.answer->check->models != NULL)
        cli_form_warnings(q.answer->check->models, q.call.plan, q.answer->check->table);
    if (cli_has(args, OPT_JSON)) {
        CLI_GOTO_IF_ERROR(cli_print_report(shoal_answer_json(q.answer), err), out);
    } else if (!cli_has(args, OPT_QUIET) && by_sets) {
        cli_sets_text(q.answer->sets);
    } else if (!cli_has(args, OPT_QUIET)) {
        check_text(q.answer->check, has_original ? NULL : cli_person_column(q.call.plan));
        after_text(q.answer->check);
    }
    if (!q.answer->satisfied) status = SHOAL_EUNSAT; /* the answer is the output; nothing to add */
out:
    cli_sets_clear(&sets);
    cli_list_clear(&earlier);
    cli_question_clear(&q);
    return status;
}
