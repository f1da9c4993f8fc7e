/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_evaluate_queries.c - `shoal evaluate queries`: COUNT queries on an original and its release.
 *
 * What is printed are errors alone. Predicates and exact counts go only into the file that
 * --queries-out names.
 */
#include "cli.h"

#include <shoal/plot.h>
#include <stdlib.h>
#include <string.h>

enum { BAR_WIDTH = 40 };

/* Queries are drawn, or read from a file. */
static shoal_status read_workload(cli_question *q, cli_list *columns, const cli_args *args,
                                  shoal_error *err)
{
    static const cli_option_id drawn[] = { OPT_WORKLOAD, OPT_QUERY_COLUMNS, OPT_DIMENSIONS,
                                           OPT_QUERIES };
    uint64_t dimensions = 0;
    const char *name = cli_value(args, OPT_WORKLOAD), *file = cli_value(args, OPT_WORKLOAD_FILE);
    for (size_t i = 0; file != NULL && i < sizeof drawn / sizeof *drawn; i++)
        if (cli_has(args, drawn[i]))
            return shoal_fail(
                err, SHOAL_EINVAL,
                "--%s cannot be combined with --workload-file {fix} remove one of them",
                cli_options[drawn[i]].name);
    if (cli_has(args, OPT_DIMENSIONS) &&
        (cli_has(args, OPT_QUERY_COLUMNS) || (name != NULL && strncmp(name, "census-", 7) != 0)))
        return shoal_fail(err, SHOAL_EINVAL,
                          "--dimensions requires a census workload {fix} remove it; --columns sets "
                          "the number of columns");
    CLI_RETURN_IF_ERROR(cli_list_of(columns, args, OPT_QUERY_COLUMNS, err));
    CLI_RETURN_IF_ERROR(cli_number(&dimensions, args, OPT_DIMENSIONS, 1, 64, err));
    CLI_RETURN_IF_ERROR(cli_number(&q->ask.queries, args, OPT_QUERIES, 1, 1000000000, err));
    q->ask.workload = name;
    q->ask.columns = (const char *const *)columns->items;
    q->ask.n_columns = columns->n_items;
    q->ask.dimensions = (uint32_t)dimensions;
    cli_question_add(q, SHOAL_INPUT_WORKLOAD, file);
    return SHOAL_OK;
}

/* ---- what came of it ---- */

static void print_result(const shoal_answer *r, FILE *stream)
{
    static const int shown[] = { 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100 };
    const shoal_query_result *q = r->query_result;
    char a[32], b[32];
    cli_unread_text(r->unread, r->original, 13, stream);
    uint32_t dimensions = shoal_queries_dimensions(r->queries);
    fprintf(stream, "queries      %s, workload %s", cli_count(q->n_queries, a), r->workload);
    if (dimensions > 0)
        fprintf(stream, ", %u quasi-identifier%s per query", dimensions, dimensions > 1 ? "s" : "");
    if (strcmp(r->workload, "file") != 0)
        fprintf(stream, ", seed %llu; %s drawn again", (unsigned long long)r->seed,
                cli_count(shoal_queries_n_redrawn(r->queries), b));
    fprintf(stream, "\n");
    if (q->n_unanswered > 0)
        fprintf(stream,
                "unanswered   %s queries match no row of the original and have no relative error\n",
                cli_count(q->n_unanswered, a));
    fprintf(stream, "a.r.e.       %.6f  average relative error\nmedian       %.6f\n", q->average,
            q->median);
    fprintf(stream, "share of queries by relative error (cumulative)\n");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        double error = q->curve[shown[i]], most = q->curve[90] > 0 ? q->curve[90] : 1;
        int full = error >= most ? BAR_WIDTH
                   : error > 0   ? (int)(error / most * BAR_WIDTH + 0.5)
                                 : 0;
        fprintf(stream, "  %3d %%  %10.6f%s", shown[i], error, full > 0 ? "  " : "");
        for (int j = 0; j < full; j++) fputc('#', stream);
        fputs(error > most ? "+\n" : "\n", stream);
    }
}

static shoal_status write_queries(const shoal_answer *r, const char *path, bool force,
                                  shoal_error *err)
{
    shoal_output *output = NULL;
    CLI_RETURN_IF_ERROR(shoal_output_open(&output, path, force, err));
    shoal_status status = shoal_queries_write_csv(r->queries, r->query_result, shoal_output_write,
                                                  output, err);
    if (status == SHOAL_OK) status = shoal_output_commit(output, err);
    shoal_output_free(output);
    return status;
}

/* Data of the plot. */
typedef struct drawing {
    const shoal_query_result *result;
    const shoal_column_picture *columns;
    size_t n_columns;
} drawing;

static shoal_status draw_picture(const void *from, shoal_write_fn write, void *payload,
                                 shoal_error *err)
{
    const drawing *d = from;
    return shoal_queries_svg(d->result, d->columns, d->n_columns, write, payload, err);
}

/* The sorted errors, and the columns that the release has before and after. */
static shoal_status write_picture(const shoal_answer *r, const cli_args *args, shoal_error *err)
{
    size_t n = 0, n_columns = shoal_table_n_columns(r->original);
    shoal_column_picture *columns = calloc(n_columns + 1, sizeof *columns);
    shoal_column_summary *summaries = calloc(n_columns + 1, sizeof *summaries);
    shoal_status status = columns != NULL && summaries != NULL ? SHOAL_OK : shoal_fail_memory(err);
    for (size_t c = 0; status == SHOAL_OK && r->buckets == NULL && c < n_columns; c++) {
        shoal_role role = shoal_table_role(r->original, c);
        if (role != SHOAL_ROLE_QUASI && role != SHOAL_ROLE_SENSITIVE) continue;
        status = shoal_column_summary_find(&summaries[n], r->original, r->released, c, err);
        if (status != SHOAL_OK) break;
        if (!summaries[n].has_release) {
            shoal_column_summary_clear(&summaries[n]);
            continue;
        }
        columns[n] = (shoal_column_picture){ shoal_table_column_name(r->original, c),
                                             &summaries[n] };
        n++;
    }
    if (status == SHOAL_OK)
        status = cli_picture_write(args, draw_picture, &(drawing){ r->query_result, columns, n },
                                   err);
    for (size_t i = 0; summaries != NULL && i < n_columns; i++)
        shoal_column_summary_clear(&summaries[i]);
    free(columns);
    free(summaries);
    return status;
}

static shoal_status check_target(const char *path, const cli_args *args, shoal_error *err)
{
    if (path == NULL) return SHOAL_OK;
    if (strcmp(path, "-") == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--queries-out cannot be standard output {fix} write --queries-out FILE");
    CLI_RETURN_IF_ERROR(cli_refuse_inputs(args, path, "--queries-out", err));
    return cli_probe_output(path, cli_has(args, OPT_FORCE), err);
}

shoal_status cli_evaluate_queries(const cli_args *args, shoal_error *err)
{
    cli_question q;
    cli_list columns = { 0 };
    const char *path = cli_value(args, OPT_QUERIES_OUT);
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_question_init(&q, SHOAL_ASK_QUERIES, args, err), out);
    CLI_GOTO_IF_ERROR(check_target(path, args, err), out);
    CLI_GOTO_IF_ERROR(cli_picture_targets(args, err), out);
    cli_question_add(&q, SHOAL_INPUT_ORIGINAL, args->positional[0]);
    cli_question_add(&q, SHOAL_INPUT_RELEASE, args->positional[1]);
    cli_question_add(&q, SHOAL_INPUT_BUCKETS, cli_value(args, OPT_SENSITIVE_TABLE));
    CLI_GOTO_IF_ERROR(read_workload(&q, &columns, args, err), out);
    CLI_GOTO_IF_ERROR(cli_ask(&q, err), out);
    if (path != NULL)
        CLI_GOTO_IF_ERROR(write_queries(q.answer, path, cli_has(args, OPT_FORCE), err), out);
    if (cli_has(args, OPT_SVG_OUT)) CLI_GOTO_IF_ERROR(write_picture(q.answer, args, err), out);
    if (cli_has(args, OPT_JSON))
        status = cli_print_report(shoal_answer_json(q.answer), err);
    else if (!cli_has(args, OPT_QUIET))
        print_result(q.answer, stdout);
out:
    cli_list_clear(&columns);
    cli_question_clear(&q);
    return status;
}
