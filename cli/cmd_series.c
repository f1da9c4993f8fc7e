/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_series.c - releases of a series: the part of `shoal anonymize` that makes one, and `shoal
 * series show`, `check` and `forget`. */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- anonymize --series ---- */

shoal_status cli_series_read(shoal_plan *plan, const cli_args *args, shoal_error *err)
{
    if (cli_has(args, OPT_SERIES))
        CLI_RETURN_IF_ERROR(shoal_plan_set_string(&plan->series, cli_value(args, OPT_SERIES), err));
    if (cli_has(args, OPT_RECORD_KEY) && args->command->bit == CMD_ANONYMIZE)
        CLI_RETURN_IF_ERROR(
            shoal_plan_set_string(&plan->record_key, cli_value(args, OPT_RECORD_KEY), err));
    plan->pending = cli_choice(args, OPT_PENDING); /* choices are in the order of the enums */
    plan->erasures = cli_choice(args, OPT_ERASURES);
    uint64_t m = 0;
    CLI_RETURN_IF_ERROR(cli_number(&m, args, OPT_M_INVARIANCE, 2, UINT32_MAX - 2, err));
    plan->m_invariance = (uint32_t)m;
    return SHOAL_OK;
}

shoal_status cli_series_refuse(const cli_args *args, const shoal_plan *plan, shoal_error *err)
{
    static const cli_option_id alien[] = { OPT_MAPPING,         OPT_SENSITIVE_OUT,
                                           OPT_LEVELS_OUT,      OPT_MANIFEST,
                                           OPT_REPORT_HTML,     OPT_MEMORY_LIMIT,
                                           OPT_DROP_SUPPRESSED, OPT_OUTPUT_ENCODING };
    static const cli_option_id own[] = { OPT_AFTER,           OPT_PENDING,
                                         OPT_ERASURES,        OPT_ANEW,
                                         OPT_RECORD_KEY,      OPT_M_INVARIANCE,
                                         OPT_COUNTERFEITS_OUT };
    bool is_series = plan->series != NULL;
    if (is_series && args->command->bit == CMD_APPLY)
        return shoal_fail(err, SHOAL_EINVAL,
                          "the plan names a series, and releases of a series cannot use fixed "
                          "levels {fix} use 'shoal anonymize'");
    for (size_t i = 0; is_series && i < sizeof alien / sizeof *alien; i++)
        if (cli_has(args, alien[i]))
            return shoal_fail(err, SHOAL_EINVAL,
                              "--%s cannot be combined with --series {fix} remove it",
                              cli_options[alien[i]].name);
    for (size_t i = 0;
         !is_series && args->command->bit == CMD_ANONYMIZE && i < sizeof own / sizeof *own; i++)
        if (cli_has(args, own[i]))
            return shoal_fail(err, SHOAL_EINVAL,
                              "--%s requires a series {fix} name its folder with --series",
                              cli_options[own[i]].name);
    if (is_series && plan->record_key == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "a series needs a record key, the column that identifies a record across "
                          "releases {fix} name it with --record-key");
    if (is_series && plan->m_invariance > 0 && !cli_has(args, OPT_COUNTERFEITS_OUT))
        return shoal_fail(err, SHOAL_EINVAL,
                          "m-invariance also publishes the number of counterfeits per group {fix} "
                          "name a file for it with --counterfeits-out");
    if (cli_has(args, OPT_COUNTERFEITS_OUT) &&
        strcmp(cli_value(args, OPT_COUNTERFEITS_OUT), "-") == 0)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "--counterfeits-out cannot be standard output {fix} write --counterfeits-out FILE");
    if (is_series && plan->m_invariance == 0 && cli_has(args, OPT_COUNTERFEITS_OUT))
        return shoal_fail(err, SHOAL_EINVAL,
                          "--counterfeits-out requires --m-invariance {fix} remove it");
    return SHOAL_OK;
}

static void invariance_text(const shoal_series_result *r, FILE *stream)
{
    char a[32], b[32], c[32];
    fprintf(stream, "m-invariance  %u, holds\n", r->m);
    fprintf(stream, "counterfeits  %s rows in %s groups", cli_count(r->entry->counterfeits, a),
            cli_count(r->counterfeit_groups, b));
    fprintf(stream, "; at least %s %s per group\n", cli_count(r->entry->min_records, c),
            r->entry->min_records == 1 ? "record" : "records");
}

static void release_text(const shoal_series_result *r, const shoal_table *table, const char *folder,
                         const char *output, FILE *stream)
{
    const shoal_series_entry *e = r->entry;
    char a[32], b[32], c[32];
    fprintf(stream, "release       %u of series ", r->number);
    cli_print_text(stream, folder);
    fprintf(stream, "\nrows          %s: %s published", cli_count(e->rows, a),
            cli_count(e->published, b));
    if (e->pending > 0) fprintf(stream, ", %s held back", cli_count(e->pending, c));
    if (e->withheld > 0) fprintf(stream, ", %s withdrawn", cli_count(e->withheld, c));
    fprintf(stream, "\nchanges       %s new, %s erased, %s corrected", cli_count(e->inserted, a),
            cli_count(e->erased, b), cli_count(e->corrected, c));
    if (e->withdrawn > 0) fprintf(stream, "; %s more withdrawn", cli_count(e->withdrawn, a));
    fprintf(stream, "\ngroups        %s (smallest: %s rows)\n", cli_count(e->groups, a),
            cli_count(e->min_group, b));
    cli_models_text(r->models, table, 14, stream);
    if (r->m > 0) invariance_text(r, stream);
    fprintf(stream, "loss          %.4f over published rows, %.4f over the table",
            shoal_series_entry_loss(e), e->gcp);
    if (isfinite(e->gcp_anew)) fprintf(stream, "; %.4f for an independent release", e->gcp_anew);
    fprintf(stream, "\ntime          %.2f s\nwritten to    ", r->seconds);
    cli_print_text(stream, output);
    fputc('\n', stream);
}

static shoal_status write_report(const char *path, char *json, shoal_error *err)
{
    shoal_status status = json == NULL ? shoal_fail_memory(err)
                                       : cli_write_text(path, json, true, err);
    shoal_string_free(json);
    return status;
}

shoal_status cli_series_release(const cli_series_run *run, const cli_args *args, shoal_error *err)
{
    cli_call *call = run->call;
    shoal_series_options options = SHOAL_SERIES_OPTIONS_INIT;
    shoal_series_result *result = NULL;
    shoal_file_sink *files = NULL;
    cli_list after = { 0 };
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_list_of(&after, args, OPT_AFTER, err), out);
    options.plan = call->plan;
    options.threads = shoal_job_threads(call->job);
    options.path = run->output;
    options.after = (const char *const *)after.items;
    options.n_after = after.n_items;
    options.with_anew = cli_has(args, OPT_ANEW);
    options.callbacks = &call->progress.callbacks;
    CLI_GOTO_IF_ERROR(shoal_file_sink_make(&files, run->output, run->counterfeits, run->force, err),
                      out);
    shoal_file_sink_ask(files, &call->progress.callbacks);
    const shoal_sink *sink = shoal_file_sink_of(files);
    cli_interrupt_mode_set(INTERRUPT_ASKS);
    CLI_GOTO_IF_ERROR(shoal_series_release(&result, run->series, call->table, &options, sink, err),
                      out);
    cli_progress_end(&call->progress);
    if (run->report != NULL)
        CLI_GOTO_IF_ERROR(
            write_report(run->report, shoal_series_result_json(result, call->table), err), out);
    if (cli_has(args, OPT_JSON))
        CLI_GOTO_IF_ERROR(cli_print_report(shoal_series_result_json(result, call->table), err),
                          out);
    else if (!cli_has(args, OPT_QUIET))
        release_text(result, call->table, call->plan->series, run->output, stderr);
out:
    shoal_file_sink_free(files);
    shoal_series_result_free(result);
    cli_list_clear(&after);
    return status;
}

/* ---- series show ---- */

static void show_text(const shoal_series *series)
{
    for (const char *at = shoal_series_settings(series); at != NULL && *at != '\0';) {
        size_t word = strcspn(at, "\t\n"), line = strcspn(at, "\n");
        printf("%-14.*s", (int)word, at);
        for (size_t i = word + 1; i < line; i++) putchar((unsigned char)at[i] < ' ' ? ' ' : at[i]);
        putchar('\n');
        at += line + (at[line] == '\n');
    }
    bool is_invariant = shoal_series_count(series) > 0 &&
                        shoal_series_at(series, 1)->min_records > 0;
    printf("%-8s %10s %10s %9s %9s %9s %10s %10s %9s %8s%s\n", "release", "rows", "published",
           "came", "erased", "corrected", "withdrawn", "withheld", "pending", "loss",
           is_invariant ? " counterfeits" : "");
    for (uint32_t i = 1; i <= shoal_series_count(series); i++) {
        const shoal_series_entry *e = shoal_series_at(series, i);
        printf("%-8u %10llu %10llu %9llu %9llu %9llu %10llu %10llu %9llu %8.4f", i,
               (unsigned long long)e->rows, (unsigned long long)e->published,
               (unsigned long long)e->inserted, (unsigned long long)e->erased,
               (unsigned long long)e->corrected, (unsigned long long)e->withdrawn,
               (unsigned long long)e->withheld, (unsigned long long)e->pending, e->gcp);
        if (is_invariant) printf(" %12llu", (unsigned long long)e->counterfeits);
        putchar('\n');
    }
}

shoal_status cli_series_show(const cli_args *args, shoal_error *err)
{
    shoal_series *series = NULL;
    shoal_status status = SHOAL_OK;
    CLI_RETURN_IF_ERROR(shoal_series_open(&series, args->positional[0], false, err));
    if (cli_has(args, OPT_JSON))
        status = cli_print_report(shoal_series_json(series), err);
    else
        show_text(series);
    shoal_series_close(series);
    return status;
}

/* ---- series check ---- */

static void audit_text(const shoal_series_audit *audit, const cli_args *args)
{
    printf("releases      %u, %llu pairs\n", audit->n_releases, (unsigned long long)audit->n_pairs);
    for (uint32_t i = 0; i < audit->n_files; i++) {
        fputs("file          ", stdout);
        cli_print_text(stdout, args->positional[i + 1]);
        if (audit->number_of_file[i] > 0)
            printf(": release %u\n", audit->number_of_file[i]);
        else
            puts(": not a release of this series, or modified");
    }
    if (audit->n_other > 0) printf("%u files do not match the recorded state\n", audit->n_other);
    if (audit->failing_releases > 0)
        printf("%u releases, or their differences from earlier ones, do not satisfy k or a model\n",
               audit->failing_releases);
    const char *good = audit->m > 0
                           ? "every record keeps its signature, and the sensitive values of every "
                             "group are distinct"
                           : "every release and every difference satisfies k and the models";
    puts(shoal_series_audit_satisfied(audit)
             ? good
             : "the series does not satisfy its guarantees, or a file does not belong to it");
}

shoal_status cli_series_check(const cli_args *args, shoal_error *err)
{
    shoal_series *series = NULL;
    shoal_series_audit audit = { 0 };
    CLI_RETURN_IF_ERROR(shoal_series_open(&series, args->positional[0], false, err));
    shoal_status status = shoal_series_check(&audit, series, args->positional + 1,
                                             args->n_positional - 1, err);
    if (status == SHOAL_OK && cli_has(args, OPT_JSON))
        status = cli_print_report(shoal_series_audit_json(&audit), err);
    else if (status == SHOAL_OK && !cli_has(args, OPT_QUIET))
        audit_text(&audit, args);
    /* the answer is the output; nothing to add */
    if (status == SHOAL_OK && !shoal_series_audit_satisfied(&audit)) status = SHOAL_EUNSAT;
    shoal_series_audit_clear(&audit);
    shoal_series_close(series);
    return status;
}

/* ---- series forget ---- */

shoal_status cli_series_forget(const cli_args *args, shoal_error *err)
{
    shoal_series *series = NULL;
    CLI_RETURN_IF_ERROR(shoal_series_open(&series, args->positional[0], false, err));
    if (cli_has(args, OPT_FORCE)) return shoal_series_forget(series, err);
    uint32_t n = shoal_series_count(series);
    shoal_series_close(series);
    return shoal_fail(err, SHOAL_EINVAL,
                      "this destroys the state of %u releases; the series cannot be continued "
                      "afterwards {fix} add --force to confirm",
                      n);
}
