/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_anonymize.c - `shoal anonymize`: from a table to a checked release.
 *
 * The pipeline of the library does the work; this file fills its specification and prints the
 * summary. Outputs are committed together: after a failure no new file is left behind and existing
 * files are unchanged. Output paths are checked before the work begins, so that an hour's search
 * does not end at a folder without write permission.
 *
 * `shoal apply` differs only in that levels are read from a file instead of searched for. With
 * --counts the table has tuples with a count each, and the release is a mapping: what each tuple is
 * published as.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct run {
    cli_call call;
    shoal_callbacks callbacks;
    shoal_table *population;
    shoal_outcome *outcome;
    shoal_report report;
    shoal_file_sink *files;
    double started;
    const char *input_path, *output_path, *report_path, *sensitive_path;
    const char *levels_out_path; /* anonymize */
    const char *manifest_path, *html_path;
    shoal_edition edition; /* of the HTML report */
    shoal_key *key;        /* of pseudonyms */
    const char *plan_path;
    const char *levels_path; /* apply: where the levels come from; else NULL */
    cli_levels levels;
    bool force, json, no_bound;
    shoal_encoding encoding;       /* of the release; unset: that of the table */
    bool maps;                     /* the output is a mapping of counted tuples */
    shoal_series *series;          /* the series of the release, or NULL */
    char *next_path;               /* the new state, in the folder of the series */
    char *series_parent;           /* its parent folder, if the run makes the folder; else NULL */
    const char *counterfeits_path; /* with m-invariance */
    char *json_text;               /* of --json, made before the release is in place */
    bool bound_stopped;            /* by an interrupt */
} run;

/* The files that a run writes, and the options that name them. */
enum { N_TARGETS = 7 };

static void list_targets(const run *r, const char *paths[N_TARGETS], const char *names[N_TARGETS])
{
    const char *const all[N_TARGETS] = { r->output_path,      r->report_path,   r->levels_out_path,
                                         r->sensitive_path,   r->manifest_path, r->html_path,
                                         r->counterfeits_path };
    const char *const options[N_TARGETS] = { r->maps ? "--mapping" : "--output",
                                             "--report",
                                             "--levels-out",
                                             "--sensitive-out",
                                             "--manifest",
                                             "--report-html",
                                             "--counterfeits-out" };
    for (size_t t = 0; t < N_TARGETS; t++) {
        paths[t] = all[t];
        if (names != NULL) names[t] = options[t];
    }
}

/* Columns with a level are quasi-identifiers, unless they have another role. */
static shoal_status read_levels(run *r, shoal_error *err)
{
    if (r->levels_path == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--levels is required {fix} write --levels FILE, with a file written by "
                          "anonymize --levels-out");
    CLI_RETURN_IF_ERROR(cli_levels_read(&r->levels, r->levels_path, err));
    for (size_t i = 0; i < r->levels.n; i++) {
        shoal_plan_column *column = shoal_plan_column_of(r->call.plan, r->levels.items[i].column);
        if (column == NULL) return shoal_fail_memory(err);
        if (column->role == SHOAL_ROLE_UNSET) column->role = SHOAL_ROLE_QUASI;
    }
    r->no_bound = true;
    r->report.applies = true;
    r->report.algorithm = "apply";
    return SHOAL_OK;
}

static bool has_counts(const shoal_plan *plan)
{
    for (size_t i = 0; i < plan->n_columns; i++)
        if (plan->columns[i].role == SHOAL_ROLE_COUNT) return true;
    return false;
}

/* Counted tuples are mapped, rows are released: never the one with the output of the other. */
static shoal_status check_mapping(run *r, const cli_args *args, shoal_error *err)
{
    const char *mapping = cli_value(args, OPT_MAPPING);
    r->maps = has_counts(r->call.plan);
    if (r->maps && mapping == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "a table of counts has no rows to release {fix} write --mapping FILE for "
                          "the published form of each tuple");
    if (r->maps && r->output_path != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "a table of counts has no rows to release {fix} remove --output; "
                          "--mapping names the output file");
    if (!r->maps && mapping != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--mapping requires a table of counts {fix} name the count column with "
                          "--counts COLUMN, or write -o FILE");
    if (r->maps && r->call.plan->drop_suppressed != 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "a mapping contains every tuple {fix} remove --drop-suppressed, and drop "
                          "the rows that are mapped to *");
    if (r->maps) r->output_path = mapping;
    return SHOAL_OK;
}

/* Anatomy, and nothing else, has a second table. */
static shoal_status check_second_output(const run *r, shoal_error *err)
{
    const char *algorithm = r->call.plan->algorithm;
    bool is_anatomy = (shoal_algorithm_traits(shoal_algorithm_index(algorithm)) &
                       SHOAL_METHOD_WRITES_TWO_TABLES) != 0;
    if (is_anatomy && r->sensitive_path == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "anatomy writes two tables {fix} name the file of the second one with "
                          "--sensitive-out FILE");
    if (!is_anatomy && r->sensitive_path != NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--sensitive-out requires --algorithm anatomy {fix} write --algorithm "
                          "anatomy, or remove --sensitive-out");
    if (r->sensitive_path != NULL && strcmp(r->sensitive_path, "-") == 0)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--sensitive-out cannot be standard output {fix} write --sensitive-out FILE");
    return SHOAL_OK;
}

static shoal_status read_arguments(run *r, const cli_args *args, shoal_error *err)
{
    r->input_path = args->positional[0];
    r->output_path = cli_value(args, OPT_OUTPUT);
    r->report_path = cli_value(args, OPT_REPORT);
    r->manifest_path = cli_value(args, OPT_MANIFEST);
    r->html_path = cli_value(args, OPT_REPORT_HTML);
    r->edition = cli_choice(args, OPT_EDITION) == 2 ? SHOAL_EDITION_EXTERNAL
                                                    : SHOAL_EDITION_INTERNAL;
    r->plan_path = cli_value(args, OPT_PLAN);
    r->levels_out_path = cli_value(args, OPT_LEVELS_OUT);
    r->levels_path = cli_value(args, OPT_LEVELS);
    r->sensitive_path = cli_value(args, OPT_SENSITIVE_OUT);
    r->counterfeits_path = cli_value(args, OPT_COUNTERFEITS_OUT);
    r->force = cli_has(args, OPT_FORCE);
    r->json = cli_has(args, OPT_JSON);
    r->no_bound = cli_has(args, OPT_NO_BOUND);
    CLI_RETURN_IF_ERROR(cli_encoding(&r->encoding, args, OPT_OUTPUT_ENCODING, err));
    CLI_RETURN_IF_ERROR(cli_call_init(&r->call, args, err));
    CLI_RETURN_IF_ERROR(cli_series_refuse(args, r->call.plan, err));
    CLI_RETURN_IF_ERROR(check_mapping(r, args, err));
    if (r->output_path == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "no output file {fix} write -o FILE, or -o - for standard output");
    bool to_stdout = strcmp(r->output_path, "-") == 0 || strcmp(r->output_path, "/dev/stdout") == 0;
    if (to_stdout && r->json)
        return shoal_fail(err, SHOAL_EINVAL,
                          "the release and the JSON would both go to standard output {fix} "
                          "write --report FILE instead of --json");
    if (r->report_path != NULL && strcmp(r->report_path, "-") == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--report cannot be standard output {fix} write --json instead");
    if ((r->manifest_path != NULL && strcmp(r->manifest_path, "-") == 0) ||
        (r->html_path != NULL && strcmp(r->html_path, "-") == 0))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--manifest and --report-html cannot be standard output {fix} name files");
    if (cli_has(args, OPT_EDITION) && r->html_path == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--edition requires --report-html {fix} write --report-html FILE too, or "
                          "remove --edition");
    if (cli_has(args, OPT_KEY))
        CLI_RETURN_IF_ERROR(shoal_key_load(&r->key, cli_value(args, OPT_KEY), err));
    if (r->levels_out_path != NULL && strcmp(r->levels_out_path, "-") == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--levels-out cannot be standard output {fix} name a file, or use "
                          "--json, which contains the levels");
    if (args->command->bit == CMD_APPLY) return read_levels(r, err);
    CLI_RETURN_IF_ERROR(check_second_output(r, err));
    return cli_call_need_k_of_method(&r->call, err);
}

/* What is in the folder of a series is private, and lost when it is replaced. */
static shoal_status refuse_series_files(const char *folder, const char *target, const char *what,
                                        shoal_error *err)
{
    static const char *const files[] = { "key", "state", "next" };
    const char *slash = strrchr(target, '/');
    size_t size = (folder != NULL ? strlen(folder) : 0) + strlen(target) + sizeof "/state";
    char *path = folder != NULL ? malloc(size) : NULL;
    if (folder == NULL) return SHOAL_OK;
    if (path == NULL) return shoal_fail_memory(err);
    snprintf(path, size, "%.*s", slash != NULL ? (int)(slash - target) + 1 : 1,
             slash != NULL ? target : ".");
    bool is_inside = shoal_io_same_file(folder, path);
    /* by a link from elsewhere, too */
    for (size_t i = 0; i < sizeof files / sizeof *files && !is_inside; i++) {
        snprintf(path, size, "%s/%s", folder, files[i]);
        is_inside = shoal_io_same_file(path, target);
    }
    free(path);
    if (!is_inside) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "%s is inside the private folder of the series {fix} choose another folder",
                      what);
}

/* No file that is read may be written, and targets must differ. */
static shoal_status check_targets(const run *r, const cli_args *args, shoal_error *err)
{
    const char *targets[N_TARGETS], *names[N_TARGETS];
    list_targets(r, targets, names);
    for (size_t t = 0; t < N_TARGETS; t++) {
        if (targets[t] == NULL) continue;
        CLI_RETURN_IF_ERROR(cli_refuse_inputs(args, targets[t], names[t], err));
        CLI_RETURN_IF_ERROR(refuse_series_files(r->call.plan->series, targets[t], names[t], err));
        CLI_RETURN_IF_ERROR(
            cli_refuse_same_file(r->call.plan->population, targets[t], names[t], err));
        for (size_t i = 0; i < r->call.plan->n_columns; i++)
            CLI_RETURN_IF_ERROR(cli_refuse_same_file(r->call.plan->columns[i].hierarchy, targets[t],
                                                     names[t], err));
        for (size_t u = 0; u < t; u++)
            if (targets[u] != NULL && cli_same_target(targets[t], targets[u]))
                return shoal_fail(err, SHOAL_EINVAL,
                                  "%s and %s name the same file {fix} choose different names",
                                  names[t], names[u]);
    }
    for (size_t t = 0; t < N_TARGETS; t++)
        if (targets[t] != NULL) CLI_RETURN_IF_ERROR(cli_probe_output(targets[t], r->force, err));
    return SHOAL_OK;
}

/* A file for each output and each time that one is rewritten, and for what of a table may not stay
 * in memory; a file that cannot be made is missed where it is needed. */
static bool reserve_files(const run *r, const char *const written[], size_t n_written,
                          size_t n_spills)
{
    enum { PER_TARGET = 4 /* written, shuffled, encoded, packed */ };
    bool any_names = false, has_names = false;
    for (size_t i = 0; i < n_written; i++) {
        if (written[i] == NULL) continue;
        bool is_state = written[i] == r->next_path;
        if (shoal_output_reserve(written[i], r->force || is_state, PER_TARGET, &has_names, NULL) ==
            SHOAL_OK)
            any_names = any_names || has_names;
    }
    shoal_status ignored = shoal_output_reserve("-", false, n_spills, &has_names, NULL);
    (void)ignored;
    return any_names;
}

/* The files of the plan are known, and nothing of the table was read: other files are out of reach
 * from here on. */
static shoal_status close_other_files(const run *r, const cli_args *args, shoal_error *err)
{
    enum { PER_TABLE = 3 /* unpacked, decoded, made from records */ };
    const shoal_plan *plan = r->call.plan;
    const char *written[N_TARGETS + 1];
    const char **read = malloc((plan->n_columns + args->n_given + 3) * sizeof *read);
    list_targets(r, written, NULL);
    written[N_TARGETS] = r->next_path;
    size_t n = 0, n_written = 0;
    if (read == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < args->n_given; i++)
        if (args->given[i].option == OPT_AFTER) read[n++] = args->given[i].value;
    read[n++] = r->input_path;
    read[n++] = plan->population;
    size_t n_spills = n * PER_TABLE;
    for (size_t i = 0; i < plan->n_columns; i++) n_spills += plan->columns[i].join != NULL ? n : 0;
    bool has_names = reserve_files(r, written, N_TARGETS + 1, n_spills);
    read[n++] = r->plan_path; /* again, for its digest */
    for (size_t i = 0; i < plan->n_columns; i++) read[n++] = plan->columns[i].hierarchy;
    for (size_t t = 0; t < N_TARGETS; t++) n_written += written[t] != NULL;
    cli_sandbox_files(&(cli_sandbox_paths){ .read = read,
                                            .n_read = n,
                                            .hierarchies = plan->hierarchies,
                                            .written = written,
                                            .n_written = N_TARGETS,
                                            .replaces = r->force || has_names || n_written > 1,
                                            .series = plan->series,
                                            .may_lose_folders = r->series_parent });
    free(read);
    return SHOAL_OK;
}

/* Nor may a file that --hierarchies finds by a column's name; the columns are known once the table
 * is open. */
static shoal_status check_found_hierarchies(const run *r, shoal_error *err)
{
    const char *targets[N_TARGETS], *names[N_TARGETS];
    list_targets(r, targets, names);
    const char *folder = r->call.plan->hierarchies;
    shoal_status status = SHOAL_OK;
    for (size_t c = 0;
         folder != NULL && status == SHOAL_OK && c < shoal_table_n_columns(r->call.table); c++) {
        char *found = NULL;
        status = shoal_hierarchy_find(&found, folder, shoal_table_column_name(r->call.table, c),
                                      err);
        for (size_t t = 0; t < N_TARGETS && status == SHOAL_OK; t++)
            status = cli_refuse_same_file(found, targets[t], names[t], err);
        shoal_string_free(found);
    }
    return status;
}

/* A shoal_progress_fn. When the bound is sought the release is ready: an interrupt ends the bound
 * alone. */
static int step(const char *phase, double fraction, void *payload)
{
    run *r = payload;
    int stops = cli_progress_step(phase, fraction, &r->call.progress);
    if (stops != 0 && strcmp(phase, "bound") == 0) r->bound_stopped = cli_interrupt_take();
    return stops;
}

/* A shoal_grouped_fn: nothing is written yet. */
static shoal_status look_at_groups(const shoal_grouping *grouping, bool *with_bound, void *payload,
                                   shoal_error *err)
{
    const run *r = payload;
    if (r->levels_out_path != NULL && shoal_grouping_level(grouping, 0) == SHOAL_NO_LEVEL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--levels-out: algorithm '%s' does not publish one level per column "
                          "{fix} use a full-domain algorithm such as iack",
                          r->report.algorithm);
    if (shoal_grouping_stopped_early(grouping) && cli_interrupt_take())
        *with_bound = false;                /* after an interrupt the user waits for the result */
    cli_interrupt_mode_set(INTERRUPT_ASKS); /* an output file exists from now on */
    return SHOAL_OK;
}

/* Add JSON text and a line end to the files that are committed together, and free the text. */
static shoal_status add_json(run *r, const char *path, char *json, bool is_private,
                             shoal_error *err)
{
    size_t length = json != NULL ? strlen(json) : 0;
    char *text = malloc(length + 2);
    shoal_status status = json == NULL || text == NULL ? shoal_fail_memory(err) : SHOAL_OK;
    if (status == SHOAL_OK) {
        memcpy(text, json, length);
        memcpy(text + length, "\n", 2);
        status = (is_private ? shoal_file_sink_add_private
                             : shoal_file_sink_add)(r->files, path, text, length + 1, err);
    }
    free(text);
    shoal_string_free(json);
    return status;
}

/* The release as it will be published. */
static shoal_status view_release(const run *r, shoal_sink_text texts[SHOAL_SINK_N_PARTS],
                                 shoal_error *err)
{
    const shoal_sink *sink = shoal_file_sink_of(r->files);
    CLI_RETURN_IF_ERROR(
        sink->view(sink->payload, SHOAL_SINK_RELEASE, &texts[SHOAL_SINK_RELEASE], err));
    return r->sensitive_path != NULL
               ? sink->view(sink->payload, SHOAL_SINK_BUCKETS, &texts[SHOAL_SINK_BUCKETS], err)
               : SHOAL_OK;
}

static const char *name_of(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0 ? NULL : path;
}

static shoal_status add_html(run *r, const shoal_manifest *manifest, shoal_error *err)
{
    char *page = NULL;
    CLI_RETURN_IF_ERROR(shoal_manifest_html(&page, manifest, r->edition, NULL, err));
    shoal_status status = shoal_file_sink_add(r->files, r->html_path, page, strlen(page), err);
    shoal_string_free(page);
    return status;
}

static shoal_status add_evidence(run *r, shoal_error *err)
{
    shoal_manifest *manifest = NULL;
    shoal_manifest_request evidence = SHOAL_MANIFEST_REQUEST_INIT;
    if (r->manifest_path == NULL && r->html_path == NULL) return SHOAL_OK;
    evidence.report = &r->report;
    evidence.names[SHOAL_SINK_RELEASE] = name_of(r->output_path);
    evidence.names[SHOAL_SINK_BUCKETS] = name_of(r->sensitive_path);
    evidence.input_name = name_of(r->input_path);
    evidence.plan_path = r->plan_path;
    evidence.manifest_path = r->manifest_path;
    evidence.levels = r->levels.items;
    evidence.n_levels = r->levels.n;
    evidence.callbacks = &r->call.progress.callbacks;
    CLI_RETURN_IF_ERROR(view_release(r, evidence.texts, err));
    CLI_RETURN_IF_ERROR(shoal_manifest_make(&manifest, &evidence, err));
    shoal_status status = SHOAL_OK;
    if (r->manifest_path != NULL)
        status = add_json(r, r->manifest_path, shoal_manifest_text(manifest), true, err);
    if (r->html_path != NULL && status == SHOAL_OK) status = add_html(r, manifest, err);
    shoal_manifest_free(manifest);
    return status;
}

/* A shoal_verified_fn: reports are committed with the release, or not at all. */
static shoal_status add_reports(const shoal_outcome *outcome, void *payload, shoal_error *err)
{
    run *r = payload;
    r->report.table = r->call.table;
    r->report.outcome = outcome;
    r->report.read_seconds = r->call.read_seconds;
    r->report.total_seconds = cli_seconds() - r->started;
    if (r->levels_out_path != NULL)
        CLI_RETURN_IF_ERROR(
            add_json(r, r->levels_out_path, shoal_levels_json(&r->report), false, err));
    if (r->report_path != NULL)
        CLI_RETURN_IF_ERROR(add_json(r, r->report_path, shoal_report_json(&r->report), false, err));
    if (r->json) { /* printed when the files are in place, made before */
        r->json_text = shoal_report_json(&r->report);
        if (r->json_text == NULL) return shoal_fail_memory(err);
    }
    return add_evidence(r, err);
}

static shoal_status make_release(run *r, shoal_error *err)
{
    r->callbacks = (shoal_callbacks){ .size = sizeof r->callbacks,
                                      .progress = step,
                                      .payload = r,
                                      .grouped = look_at_groups,
                                      .verified = add_reports,
                                      .loss_so_far = &r->call.progress.loss };
    shoal_spec spec = *r->call.plan;
    spec.threads = shoal_job_threads(r->call.job);
    spec.population_table = r->population;
    spec.levels = r->levels.items;
    spec.n_levels = r->levels.n;
    spec.with_bound = !r->no_bound;
    if (!r->report.applies)
        r->report.algorithm = spec.algorithm != NULL ? spec.algorithm : shoal_algorithm_name(0);
    CLI_RETURN_IF_ERROR(
        shoal_file_sink_make(&r->files, r->output_path, r->sensitive_path, r->force, err));
    shoal_encoding encoding = r->encoding != SHOAL_ENCODING_UNSET
                                  ? r->encoding
                                  : shoal_table_encoding(r->call.table);
    shoal_file_sink_encode(r->files, encoding,
                           shoal_table_has_mark(r->call.table) ||
                               shoal_table_encoding(r->call.table) == SHOAL_ENCODING_UTF_8);
    shoal_file_sink_ask(r->files, &r->callbacks);
    const shoal_sink *sink = shoal_file_sink_of(r->files);
    if (!r->report.applies) cli_interrupt_finishes(r->call.read_seconds);
    CLI_RETURN_IF_ERROR(
        shoal_pipeline_run(&r->outcome, r->call.table, &spec, &r->callbacks, sink, err));
    r->report.outcome = r->outcome;
    r->report.total_seconds = cli_seconds() - r->started;
    return SHOAL_OK;
}

/* Before other files are out of reach: the folder may have to be made. */
static shoal_status open_series(run *r, shoal_error *err)
{
    const char *folder = r->call.plan->series;
    struct stat info;
    if (folder == NULL) return SHOAL_OK;
    bool is_new = stat(folder, &info) != 0;
    CLI_RETURN_IF_ERROR(shoal_series_open(&r->series, folder, true, err));
    size_t size = strlen(folder) + sizeof "/next";
    r->next_path = malloc(size);
    if (r->next_path == NULL) return shoal_fail_memory(err);
    snprintf(r->next_path, size, "%s/..", folder);
    if (is_new) r->series_parent = realpath(r->next_path, NULL); /* before the folder is gone */
    snprintf(r->next_path, size, "%s/next", folder);
    return SHOAL_OK;
}

/* Print the summary on the terminal, after the files were committed. */
static shoal_status print_report(run *r, bool quiet, shoal_error *err)
{
    cli_row_warnings(&r->report);
    cli_unique_warnings(&r->report);
    cli_key_warnings(&r->report);
    cli_form_warnings(shoal_outcome_models(r->report.outcome), r->report.plan, r->report.table);
    if (r->json) {
        char *text = r->json_text;
        r->json_text = NULL;
        return cli_print_report(text, err);
    }
    if (quiet) return SHOAL_OK;
    cli_hierarchy_warnings(&r->report);
    cli_report_text(&r->report, r->output_path, r->sensitive_path, stderr);
    return SHOAL_OK;
}

shoal_status cli_anonymize(const cli_args *args, shoal_error *err)
{
    run r = { .report = SHOAL_REPORT_INIT, .started = cli_seconds() };
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(read_arguments(&r, args, err), out);
    r.report.plan = r.call.plan;
    r.report.threads = shoal_job_threads(r.call.job);
    CLI_GOTO_IF_ERROR(check_targets(&r, args, err), out);
    CLI_GOTO_IF_ERROR(open_series(&r, err), out);
    CLI_GOTO_IF_ERROR(close_other_files(&r, args, err), out);
    r.call.options.needs_rows = shoal_plan_needs_rows(r.call.plan, r.report.applies);
    CLI_GOTO_IF_ERROR(cli_call_load(&r.call, r.input_path, true, err), out);
    if (r.key != NULL)
        CLI_GOTO_IF_ERROR(shoal_table_set_pseudonyms(r.call.table, shoal_key_pseudonym, r.key, err),
                          out);
    CLI_GOTO_IF_ERROR(check_found_hierarchies(&r, err), out);
    if (r.series != NULL) {
        status = cli_series_release(&(cli_series_run){ &r.call, r.series, r.output_path,
                                                       r.report_path, r.counterfeits_path,
                                                       r.force },
                                    args, err);
        goto out;
    }
    CLI_GOTO_IF_ERROR(shoal_job_load_population(&r.population, r.call.job, NULL, r.call.table,
                                                r.call.by_person, err),
                      out);
    CLI_GOTO_IF_ERROR(make_release(&r, err), out);
    cli_progress_end(&r.call.progress);
    CLI_GOTO_IF_ERROR(print_report(&r, cli_has(args, OPT_QUIET), err), out);
    /* reported; exit code 5 */
    if (shoal_grouping_stopped_early(shoal_outcome_grouping(r.outcome)) || r.bound_stopped)
        status = SHOAL_EBUDGET;
out:
    shoal_file_sink_free(r.files);
    shoal_output_unreserve();
    shoal_string_free(r.json_text);
    shoal_outcome_free(r.outcome);
    shoal_table_free(r.population);
    cli_levels_clear(&r.levels);
    shoal_key_free(r.key);
    shoal_series_close(r.series);
    free(r.next_path);
    free(r.series_parent);
    cli_call_clear(&r.call);
    return status;
}

shoal_status cli_apply(const cli_args *args, shoal_error *err)
{
    return cli_anonymize(args, err);
}
