/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_evaluate_classify.c - `shoal evaluate classify`: accuracy of classifiers trained on a
 * release, compared with the original. */
#include "cli.h"

#include <shoal/plot.h>
#include <string.h>

/* ---- options ---- */

/* Further feature columns: they are loaded like sensitive ones, and published unchanged. */
static shoal_status read_features(shoal_plan *plan, const cli_args *args, shoal_error *err)
{
    cli_list list;
    shoal_status status = SHOAL_OK;
    CLI_RETURN_IF_ERROR(cli_list_of(&list, args, OPT_FEATURES, err));
    for (size_t i = 0; i < list.n_items && status == SHOAL_OK; i++) {
        shoal_plan_column *column = shoal_plan_column_of(plan, list.items[i]);
        if (column == NULL)
            status = shoal_fail_memory(err);
        else if (column->role == SHOAL_ROLE_QUASI || column->role == SHOAL_ROLE_CLASS)
            status = shoal_fail(
                err, SHOAL_EINVAL,
                "--features: column '%.100s' is a quasi-identifier or the class {fix} remove it",
                list.items[i]);
        else
            column->role = SHOAL_ROLE_SENSITIVE;
    }
    cli_list_clear(&list);
    return status;
}

/* Sensitive columns of a plan are features only where --features names them. */
static void forget_sensitive(shoal_plan *plan)
{
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == SHOAL_ROLE_SENSITIVE) plan->columns[i].role = SHOAL_ROLE_DROP;
}

static shoal_status read_arguments(cli_question *q, const cli_args *args, shoal_error *err)
{
    uint64_t folds = 10, top_classes = 0;
    shoal_plan *plan = q->call.plan;
    bool has_release = args->n_positional == 2;
    if (has_release && (cli_has(args, OPT_ALGORITHM) || cli_has(args, OPT_K)))
        return shoal_fail(err, SHOAL_EINVAL,
                          "--algorithm and -k anonymise each training set, so RELEASE is not used "
                          "{fix} remove RELEASE, or --algorithm and -k");
    if (!has_release && !cli_has(args, OPT_ALGORITHM) && plan->k == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "neither a release nor a method is given {fix} name the RELEASE, or "
                          "write --algorithm NAME -k K");
    if (!has_release) CLI_RETURN_IF_ERROR(cli_call_need_k_of_method(&q->call, err));
    forget_sensitive(plan);
    CLI_RETURN_IF_ERROR(read_features(plan, args, err));
    CLI_RETURN_IF_ERROR(cli_number(&folds, args, OPT_FOLDS, 2, 1000000, err));
    CLI_RETURN_IF_ERROR(cli_number(&top_classes, args, OPT_TOP_CLASSES, 1, 1000000, err));
    if (plan->rest == 0) plan->rest = SHOAL_ROLE_DROP; /* nothing is published */
    q->ask.folds = (uint32_t)folds;
    q->ask.top_classes = (uint32_t)top_classes;
    q->ask.numbers_as_categories = cli_choice(args, OPT_NUMBERS) == 2;
    cli_question_add(q, SHOAL_INPUT_ORIGINAL, args->positional[0]);
    if (has_release) cli_question_add(q, SHOAL_INPUT_RELEASE, args->positional[1]);
    return SHOAL_OK;
}

/* ---- what came of it ---- */

static void print_result(const shoal_answer *answer, FILE *stream)
{
    const shoal_classify_result *c = answer->classify;
    char a[32], b[32];
    if (answer->unread != NULL) cli_unread_text(answer->unread, answer->original, 15, stream);
    fprintf(stream, "rows           %s, %u labels; %u folds, seed %llu\n", cli_count(c->n_rows, a),
            c->n_labels, c->folds, (unsigned long long)answer->seed);
    if (c->n_other_labels > 0)
        fprintf(stream, "other          %s less frequent labels combined into one: %s rows\n",
                cli_count(c->n_other_labels, a), cli_count(c->n_other_rows, b));
    if (c->n_unlabelled > 0)
        fprintf(stream, "unlabelled     %s rows left out\n", cli_count(c->n_unlabelled, a));
    fprintf(stream,
            "test rows      %s recoded by a published tuple that covers them, %s one column at a "
            "time\n",
            cli_count(c->n_by_tuple, a), cli_count(c->n_rows - c->n_by_tuple, b));
    fprintf(
        stream,
        "\n                        accuracy            balanced accuracy           auc\n"
        "                     original   release     original   release     original   release\n");
    fprintf(stream, "baseline               %.4f                  %.4f                  %.4f\n",
            c->baseline.accuracy, c->baseline.balanced_accuracy, c->baseline.auc);
    for (size_t i = 0; i < SHOAL_N_CLASSIFIERS; i++)
        fprintf(stream, "%-19s    %.4f    %.4f       %.4f    %.4f       %.4f    %.4f\n",
                c->names[i], c->original[i].accuracy, c->released[i].accuracy,
                c->original[i].balanced_accuracy, c->released[i].balanced_accuracy,
                c->original[i].auc, c->released[i].auc);
}

static shoal_status draw(const void *result, shoal_write_fn write, void *payload, shoal_error *err)
{
    return shoal_classify_svg(result, write, payload, err);
}

/* ---- folds in a file ---- */

static shoal_status open_folds(shoal_output **out, shoal_question *q, const cli_args *args,
                               shoal_error *err)
{
    const char *path = cli_value(args, OPT_FOLDS_OUT);
    if (path == NULL) return SHOAL_OK;
    if (strcmp(path, "-") == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--folds-out cannot be standard output {fix} write --folds-out FILE");
    CLI_RETURN_IF_ERROR(cli_refuse_inputs(args, path, "--folds-out", err));
    CLI_RETURN_IF_ERROR(shoal_output_open(out, path, cli_has(args, OPT_FORCE), err));
    q->write_folds = shoal_output_write;
    q->write_payload = *out;
    return SHOAL_OK;
}

shoal_status cli_evaluate_classify(const cli_args *args, shoal_error *err)
{
    cli_question q;
    shoal_output *folds = NULL;
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_question_init(&q, SHOAL_ASK_CLASSIFY, args, err), out);
    CLI_GOTO_IF_ERROR(read_arguments(&q, args, err), out);
    CLI_GOTO_IF_ERROR(cli_picture_targets(args, err), out);
    CLI_GOTO_IF_ERROR(open_folds(&folds, &q.ask, args, err), out);
    CLI_GOTO_IF_ERROR(cli_ask(&q, err), out);
    if (folds != NULL) CLI_GOTO_IF_ERROR(shoal_output_commit(folds, err), out);
    CLI_GOTO_IF_ERROR(cli_picture_write(args, draw, q.answer->classify, err), out);
    if (q.answer->released != NULL && q.call.class_was_quasi)
        cli_warn("the class is a quasi-identifier of the plan: groups depend on the labels of test "
                 "rows, so results for the release are too optimistic\n"
                 "fix: remove RELEASE and write -k K; each training set is then anonymised "
                 "separately, without the class");
    if (cli_has(args, OPT_JSON))
        status = cli_print_report(shoal_answer_json(q.answer), err);
    else if (!cli_has(args, OPT_QUIET))
        print_result(q.answer, stdout);
out:
    shoal_output_free(folds);
    cli_question_clear(&q);
    return status;
}
