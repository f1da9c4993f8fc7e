/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_evaluate_queries.c - `shoal evaluate queries`: COUNT queries on an original and its release.
 *
 * What is printed are errors alone. Predicates and exact counts go only into the file that
 * --queries-out names.
 */
#include "cli.h"

#include <ctype.h>
#include <math.h>
#include <shoal/plot.h>
#include <stdlib.h>
#include <string.h>

/* as --workload lists them */
enum { MAX_COLUMNS = 64, BAR_WIDTH = 40, TYPE_1 = 3, TYPE_2 = 4, BY_COLUMNS = 5 };

/* The columns of the source's query types, by the names that tables give them. */
static const char *const type_columns[5][6] = {
    { "age", NULL },
    { "gender", "sex", NULL },
    { "income", "salary", "salaryclass", "wage", NULL },
    { "race", NULL },
    { "workclass", NULL },
};

typedef struct run {
    cli_job job;
    shoal_table *released, *sensitive; /* the second table of a release in two, or NULL */
    shoal_queries *queries;
    shoal_query_result result;
    shoal_unread unread;
    const char *workload; /* what the report calls it */
    const char *queries_path;
    size_t columns[MAX_COLUMNS];
    shoal_workload_options options;
} run;

/* ---- which queries ---- */

/* Letters and digits alone, in lower case: "Work-class" is "workclass". */
static bool is_named(const char *column, const char *name)
{
    for (; *column != '\0'; column++) {
        if (!isalnum((unsigned char)*column)) continue;
        if (tolower((unsigned char)*column) != *name) return false;
        name++;
    }
    return *name == '\0';
}

static size_t find_typed(const shoal_table *table, const char *const *names)
{
    for (; *names != NULL; names++)
        for (size_t c = 0; c < shoal_table_n_columns(table); c++)
            if (is_named(shoal_table_column_name(table, c), *names)) return c;
    return SIZE_MAX;
}

static shoal_status use_type(run *r, size_t n, shoal_error *err)
{
    for (size_t i = 0; i < n; i++) {
        r->columns[i] = find_typed(r->job.table, type_columns[i]);
        if (r->columns[i] == SIZE_MAX)
            return shoal_fail(err, SHOAL_EINVAL,
                              "this workload wants a column '%s' and the table has none of that "
                              "name {fix} name the columns "
                              "with --columns",
                              type_columns[i][0]);
    }
    r->options.n_columns = n;
    return SHOAL_OK;
}

static shoal_status use_columns(run *r, const cli_args *args, shoal_error *err)
{
    cli_list list;
    shoal_status status = SHOAL_OK;
    CLI_RETURN_IF_ERROR(cli_list_of(&list, args, OPT_QUERY_COLUMNS, err));
    if (list.n_items > MAX_COLUMNS)
        status = shoal_fail(err, SHOAL_EINVAL, "--columns: at most %d can be named", MAX_COLUMNS);
    for (size_t i = 0; i < list.n_items && status == SHOAL_OK; i++) {
        r->columns[i] = shoal_table_find_column(r->job.table, list.items[i]);
        if (r->columns[i] == SIZE_MAX)
            status = shoal_fail(
                err, SHOAL_EINVAL,
                "--columns: the table has no column '%.100s' {fix} check it against the header",
                list.items[i]);
    }
    r->options.n_columns = list.n_items;
    cli_list_clear(&list);
    return status;
}

static shoal_status draw(run *r, const cli_args *args, shoal_error *err)
{
    shoal_workload_options *o = &r->options;
    int type = cli_choice(args, OPT_WORKLOAD);
    bool has_columns = cli_has(args, OPT_QUERY_COLUMNS);
    uint64_t dimensions = 1;
    if (type == 0) type = has_columns ? BY_COLUMNS : 1;
    if (has_columns && type < TYPE_1)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--columns does not go with this workload {fix} leave --workload out");
    if (type == BY_COLUMNS && !has_columns)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--workload columns needs --columns {fix} write --columns a,b,c");
    if (type >= TYPE_1 && cli_has(args, OPT_DIMENSIONS))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--dimensions is for the census workloads {fix} name the columns instead");
    if (has_columns)
        CLI_RETURN_IF_ERROR(use_columns(r, args, err));
    else if (type >= TYPE_1)
        CLI_RETURN_IF_ERROR(use_type(r, type == TYPE_1 ? 3 : 5, err));
    CLI_RETURN_IF_ERROR(cli_number(&dimensions, args, OPT_DIMENSIONS, 1, MAX_COLUMNS, err));
    CLI_RETURN_IF_ERROR(cli_number(&o->n_queries, args, OPT_QUERIES, 1, 1000000000, err));
    o->workload = type >= TYPE_1 ? SHOAL_WORKLOAD_COLUMNS : (shoal_workload)(type - 1);
    o->dimensions = (uint32_t)dimensions;
    o->columns = r->columns;
    o->seed = r->job.plan.seed;
    o->threads = r->job.threads;
    o->callbacks = &r->job.progress.callbacks;
    static const char *const names[] = { "",       "census-range", "census-value",
                                         "type-1", "type-2",       "columns" };
    r->workload = names[type];
    return shoal_queries_draw(&r->queries, r->job.table, o, err);
}

/* A table whose every column is a category. */
static shoal_status load_categories(shoal_table **out, const run *r, const char *path,
                                    shoal_error *err)
{
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_table *table = NULL;
    shoal_status status = SHOAL_OK;
    load.threads = r->job.threads;
    CLI_RETURN_IF_ERROR(shoal_io_open_table(&table, path, &csv, err));
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        CLI_GOTO_IF_ERROR(shoal_table_set_role(table, c, SHOAL_ROLE_QUASI, err), out);
        CLI_GOTO_IF_ERROR(shoal_table_set_type(table, c, SHOAL_TYPE_CATEGORICAL, err), out);
    }
    CLI_GOTO_IF_ERROR(shoal_table_load(table, &load, err), out);
    *out = table;
    table = NULL;
out:
    shoal_table_free(table);
    return status;
}

static shoal_status read_workload(run *r, const char *path, shoal_error *err)
{
    shoal_table *table = NULL;
    CLI_RETURN_IF_ERROR(load_categories(&table, r, path, err));
    shoal_status status = shoal_queries_read(&r->queries, r->job.table, table, r->job.threads, err);
    r->workload = "file";
    shoal_table_free(table);
    return status;
}

/* The release; in two tables, the first has the groups that the second names, and no sensitive
 * column. */
static shoal_status load_release(run *r, const cli_args *args, shoal_error *err)
{
    const char *path = cli_value(args, OPT_SENSITIVE_TABLE);
    if (path == NULL) return cli_job_load_released(&r->released, &r->job, args->positional[1], err);
    CLI_RETURN_IF_ERROR(load_categories(&r->sensitive, r, path, err));
    return load_categories(&r->released, r, args->positional[1], err);
}

static shoal_status make_queries(run *r, const cli_args *args, shoal_error *err)
{
    static const cli_option_id drawn[] = { OPT_WORKLOAD, OPT_QUERY_COLUMNS, OPT_DIMENSIONS,
                                           OPT_QUERIES };
    const char *path = cli_value(args, OPT_WORKLOAD_FILE);
    if (path == NULL) return draw(r, args, err);
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        if (cli_has(args, drawn[i]))
            return shoal_fail(
                err, SHOAL_EINVAL,
                "--%s is for queries that are drawn {fix} leave it out with --workload-file",
                cli_options[drawn[i]].name);
    return read_workload(r, path, err);
}

/* In the columns that the queries ask for: before the time is spent. */
static shoal_status find_unread(run *r, const cli_args *args, shoal_error *err)
{
    size_t n = 0, n_columns = shoal_table_n_columns(r->job.table),
           *asked = calloc(n_columns, sizeof *asked);
    if (asked == NULL) return shoal_fail_memory(err);
    for (size_t c = 0; c < n_columns; c++)
        if (shoal_queries_ask(r->queries, c)) asked[n++] = c;
    shoal_status status = shoal_unread_find(&r->unread, r->job.table, r->released, asked, n, err);
    if (status == SHOAL_OK && !cli_has(args, OPT_ALLOW_UNREAD))
        status = shoal_unread_refuse(&r->unread, r->job.table, err);
    free(asked);
    return status;
}

/* ---- what came of it ---- */

static void print_result(const run *r, FILE *stream)
{
    static const int shown[] = { 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100 };
    const shoal_query_result *q = &r->result;
    char a[32], b[32];
    cli_unread_text(&r->unread, r->job.table, 13, stream);
    fprintf(stream, "queries      %s, workload %s", cli_count(q->n_queries, a), r->workload);
    if (strcmp(r->workload, "file") != 0)
        fprintf(stream, ", seed %llu; %s drawn again", (unsigned long long)r->job.plan.seed,
                cli_count(shoal_queries_n_redrawn(r->queries), b));
    fprintf(stream, "\n");
    if (q->n_unanswered > 0)
        fprintf(stream,
                "unanswered   %s queries that no row of the original answers; they have no error\n",
                cli_count(q->n_unanswered, a));
    fprintf(stream, "a.r.e.       %.6f  average relative error\nmedian       %.6f\n", q->average,
            q->median);
    fprintf(stream, "sorted errors: so many of the queries are off by at most so much\n");
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

static shoal_status write_queries(const run *r, bool force, shoal_error *err)
{
    shoal_output *output = NULL;
    CLI_RETURN_IF_ERROR(shoal_output_open(&output, r->queries_path, force, err));
    shoal_status status = shoal_queries_write_csv(r->queries, &r->result, shoal_output_write,
                                                  output, err);
    if (status == SHOAL_OK) status = shoal_output_commit(output, err);
    shoal_output_free(output);
    return status;
}

/* What the picture is made of. */
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
static shoal_status write_picture(const run *r, const cli_args *args, shoal_error *err)
{
    size_t n = 0, n_columns = shoal_table_n_columns(r->job.table);
    shoal_column_picture *columns = calloc(n_columns + 1, sizeof *columns);
    shoal_column_summary *summaries = calloc(n_columns + 1, sizeof *summaries);
    shoal_status status = columns != NULL && summaries != NULL ? SHOAL_OK : shoal_fail_memory(err);
    for (size_t c = 0; status == SHOAL_OK && r->sensitive == NULL && c < n_columns; c++) {
        shoal_role role = shoal_table_role(r->job.table, c);
        if (role != SHOAL_ROLE_QUASI && role != SHOAL_ROLE_SENSITIVE) continue;
        status = shoal_column_summary_find(&summaries[n], r->job.table, r->released, c, err);
        if (status != SHOAL_OK) break;
        if (!summaries[n].has_release) {
            shoal_column_summary_clear(&summaries[n]);
            continue;
        }
        columns[n] = (shoal_column_picture){ shoal_table_column_name(r->job.table, c),
                                             &summaries[n] };
        n++;
    }
    if (status == SHOAL_OK)
        status = cli_picture_write(args, draw_picture, &(drawing){ &r->result, columns, n }, err);
    for (size_t i = 0; summaries != NULL && i < n_columns; i++)
        shoal_column_summary_clear(&summaries[i]);
    free(columns);
    free(summaries);
    return status;
}

static shoal_status check_target(const run *r, const cli_args *args, shoal_error *err)
{
    if (r->queries_path == NULL) return SHOAL_OK;
    if (strcmp(r->queries_path, "-") == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--queries-out needs a file {fix} standard output has the result");
    CLI_RETURN_IF_ERROR(cli_refuse_inputs(args, r->queries_path, "--queries-out", err));
    return cli_probe_output(r->queries_path, cli_has(args, OPT_FORCE), err);
}

shoal_status cli_evaluate_queries(const cli_args *args, shoal_error *err)
{
    run r = { .queries_path = cli_value(args, OPT_QUERIES_OUT),
              .options = SHOAL_WORKLOAD_OPTIONS_INIT };
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_job_init(&r.job, args, err), out);
    r.job.with_sensitive = true;
    CLI_GOTO_IF_ERROR(check_target(&r, args, err), out);
    CLI_GOTO_IF_ERROR(cli_picture_targets(args, err), out);
    CLI_GOTO_IF_ERROR(cli_job_load(&r.job, args->positional[0], false, err), out);
    CLI_GOTO_IF_ERROR(make_queries(&r, args, err), out);
    CLI_GOTO_IF_ERROR(load_release(&r, args, err), out);
    CLI_GOTO_IF_ERROR(find_unread(&r, args, err), out);
    shoal_estimate_options estimate = { .size = sizeof estimate,
                                        .sensitive = r.sensitive,
                                        .threads = r.job.threads,
                                        .callbacks = &r.job.progress.callbacks };
    CLI_GOTO_IF_ERROR(shoal_queries_estimate(&r.result, r.queries, r.released, &estimate, err),
                      out);
    cli_progress_end(&r.job.progress);
    if (r.queries_path != NULL)
        CLI_GOTO_IF_ERROR(write_queries(&r, cli_has(args, OPT_FORCE), err), out);
    if (cli_has(args, OPT_SVG_OUT)) CLI_GOTO_IF_ERROR(write_picture(&r, args, err), out);
    if (cli_has(args, OPT_JSON))
        status = cli_print_report(
            shoal_queries_json(&r.result, r.queries, r.workload, r.job.plan.seed), err);
    else if (!cli_has(args, OPT_QUIET))
        print_result(&r, stdout);
out:
    shoal_query_result_clear(&r.result);
    shoal_unread_clear(&r.unread);
    shoal_queries_free(r.queries);
    shoal_table_free(r.released);
    shoal_table_free(r.sensitive);
    cli_job_clear(&r.job);
    return status;
}
