/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_frontier.c - `shoal frontier`: the same table released with increasing privacy parameters, by
 * one method or several.
 */
#include "frontier.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 1000 };

typedef struct run {
    cli_question q;
    cli_list algorithms, ks;
    char *vary_text; /* the name that --vary gives, and its values */
    const char **values;
    uint32_t *k_numbers;
    const char *csv_path, *svg_path;
    bool force;
} run;

/* ---- options ---- */

static shoal_status read_ks(run *r, const cli_args *args, shoal_error *err)
{
    CLI_RETURN_IF_ERROR(cli_list_of(&r->ks, args, OPT_K_LIST, err));
    r->k_numbers = calloc(r->ks.n_items + 1, sizeof *r->k_numbers);
    if (r->k_numbers == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < r->ks.n_items; i++) {
        char *end;
        unsigned long long k = strtoull(r->ks.items[i], &end, 10);
        if (r->ks.items[i][0] < '0' || r->ks.items[i][0] > '9' || *end != '\0' || k < 2 ||
            k > UINT32_MAX - 2)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "--k: each must be a whole number of at least 2 {fix} write --k 2,5,10");
        r->k_numbers[i] = (uint32_t)k;
    }
    r->q.ask.ks = r->k_numbers;
    r->q.ask.n_ks = r->ks.n_items;
    return SHOAL_OK;
}

static shoal_status read_algorithms(run *r, const cli_args *args, shoal_error *err)
{
    CLI_RETURN_IF_ERROR(cli_list_of(&r->algorithms, args, OPT_ALGORITHM_LIST, err));
    for (size_t i = 0; i < r->algorithms.n_items; i++)
        CLI_RETURN_IF_ERROR(cli_check_algorithm(r->algorithms.items[i], err));
    r->q.ask.algorithms = (const char *const *)r->algorithms.items;
    r->q.ask.n_algorithms = r->algorithms.n_items;
    return SHOAL_OK;
}

/* "NAME=v1,v2", cut in place. */
static shoal_status read_vary(run *r, const cli_args *args, shoal_error *err)
{
    const char *given = cli_value(args, OPT_VARY);
    if (given == NULL) return SHOAL_OK;
    r->vary_text = strdup(given);
    r->values = calloc(MAX_VALUES, sizeof *r->values);
    if (r->vary_text == NULL || r->values == NULL) return shoal_fail_memory(err);
    char *at = strchr(r->vary_text, '=');
    if (at == NULL || at == r->vary_text || at[1] == '\0')
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--vary: name or values missing {fix} write --vary l-diversity=distinct:2,distinct:3");
    *at++ = '\0';
    for (char *next; at != NULL; at = next) {
        next = strchr(at, ',');
        if (next != NULL) *next++ = '\0';
        if (r->q.ask.n_values == MAX_VALUES)
            return shoal_fail(err, SHOAL_EINVAL, "--vary: more than %d values {fix} list fewer",
                              MAX_VALUES);
        r->values[r->q.ask.n_values++] = at;
    }
    r->q.ask.vary = r->vary_text;
    r->q.ask.values = r->values;
    return SHOAL_OK;
}

static shoal_status read_options(run *r, const cli_args *args, shoal_error *err)
{
    uint64_t dimensions = 0;
    r->q.ask.queries = 10000;
    CLI_RETURN_IF_ERROR(read_algorithms(r, args, err));
    CLI_RETURN_IF_ERROR(read_ks(r, args, err));
    CLI_RETURN_IF_ERROR(read_vary(r, args, err));
    CLI_RETURN_IF_ERROR(cli_number(&r->q.ask.queries, args, OPT_QUERIES, 0, 1000000000, err));
    CLI_RETURN_IF_ERROR(cli_number(&dimensions, args, OPT_DIMENSIONS, 1, 64, err));
    r->q.ask.dimensions = (uint32_t)dimensions;
    r->q.ask.without_bound = cli_has(args, OPT_NO_BOUND);
    /* nothing is published, so nothing needs to be asked */
    if (r->q.call.plan->rest == 0) r->q.call.plan->rest = SHOAL_ROLE_DROP;
    return SHOAL_OK;
}

/* ---- writing ---- */

static shoal_status check_targets(const run *r, const cli_args *args, shoal_error *err)
{
    const char *targets[2] = { r->csv_path, r->svg_path };
    for (size_t t = 0; t < 2; t++) {
        const char *what = t == 0 ? "--csv-out" : "--svg-out";
        if (targets[t] == NULL) continue;
        if (strcmp(targets[t], "-") == 0)
            return shoal_fail(err, SHOAL_EINVAL, "%s cannot be standard output {fix} name a file",
                              what);
        CLI_RETURN_IF_ERROR(cli_refuse_inputs(args, targets[t], what, err));
        CLI_RETURN_IF_ERROR(
            cli_refuse_same_file(r->q.call.plan->population, targets[t], what, err));
        for (size_t i = 0; i < r->q.call.plan->n_columns; i++)
            CLI_RETURN_IF_ERROR(
                cli_refuse_same_file(r->q.call.plan->columns[i].hierarchy, targets[t], what, err));
        CLI_RETURN_IF_ERROR(cli_probe_output(targets[t], r->force, err));
    }
    if (r->csv_path != NULL && r->svg_path != NULL && cli_same_target(r->csv_path, r->svg_path))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--csv-out and --svg-out name the same file {fix} choose different names");
    return SHOAL_OK;
}

static shoal_status write_file(const run *r, const char *path,
                               shoal_status (*write)(const shoal_frontier *, shoal_output *,
                                                     shoal_error *),
                               shoal_error *err)
{
    shoal_output *output = NULL;
    if (path == NULL) return SHOAL_OK;
    CLI_RETURN_IF_ERROR(shoal_output_open(&output, path, r->force, err));
    shoal_status status = write(r->q.answer->frontier, output, err);
    if (status == SHOAL_OK) status = shoal_output_commit(output, err);
    shoal_output_free(output);
    return status;
}

static void run_clear(run *r)
{
    cli_list_clear(&r->algorithms);
    cli_list_clear(&r->ks);
    free(r->vary_text);
    free(r->values);
    free(r->k_numbers);
    cli_question_clear(&r->q);
}

shoal_status cli_frontier(const cli_args *args, shoal_error *err)
{
    run r = { .csv_path = cli_value(args, OPT_CSV_OUT),
              .svg_path = cli_value(args, OPT_SVG_OUT),
              .force = cli_has(args, OPT_FORCE) };
    shoal_status status = SHOAL_OK;
    if (cli_has(args, OPT_SERIES)) return cli_series_frontier(args, err);
    if (args->n_positional == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "no input table {fix} write shoal frontier INPUT --qid COLUMN,... --k "
                          "K,..., or --series FOLDER for an existing series");
    CLI_GOTO_IF_ERROR(cli_question_init(&r.q, SHOAL_ASK_FRONTIER, args, err), out);
    CLI_GOTO_IF_ERROR(read_options(&r, args, err), out);
    CLI_GOTO_IF_ERROR(check_targets(&r, args, err), out);
    cli_question_add(&r.q, SHOAL_INPUT_ORIGINAL, args->positional[0]);
    CLI_GOTO_IF_ERROR(cli_ask(&r.q, err), out);
    if (!r.q.answer->satisfied) {
        /* no release: report why the first requested one failed */
        *err = *r.q.answer->why;
        status = SHOAL_EUNSAT;
        goto out;
    }
    CLI_GOTO_IF_ERROR(write_file(&r, r.csv_path, frontier_write_csv, err), out);
    CLI_GOTO_IF_ERROR(write_file(&r, r.svg_path, frontier_write_svg, err), out);
    if (cli_has(args, OPT_JSON))
        status = cli_print_report(shoal_answer_json(r.q.answer), err);
    else if (!cli_has(args, OPT_QUIET))
        status = frontier_print(r.q.answer->frontier, r.q.answer->seed, stdout, err);
out:
    run_clear(&r);
    return status;
}
