/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_check.c - `shoal check`: does every quasi-identifier tuple of a table occur at least k times,
 * and do its groups satisfy models? */
#include "cli.h"

#include <stdlib.h>

/* What a check found: k, and the models asked for besides it. */
typedef struct answer {
    const shoal_table *table, *original; /* the release; what persons are counted in, or NULL */
    shoal_table *released;               /* the release, where the job has the original */
    uint32_t k;
    shoal_check_result check;
    shoal_models_result models;
    shoal_models_result persons; /* counted beside the original */
    /* the column of a plan that tells persons, which nobody counted here */
    const char *uncounted;
    shoal_sensitive_result sensitive; /* what groups tell of sensitive columns */
    cli_list earlier;                 /* paths of --after */
    shoal_table **tables;
    shoal_after_result *after;
    size_t n_after; /* that were compared */
} answer;

static bool has_k(const answer *a)
{
    return shoal_check_satisfied(&a->check, NULL, a->k);
}

static void check_text(const answer *found)
{
    char a[32], b[32];
    const shoal_check_result *c = &found->check;
    uint32_t k = found->k;
    printf("rows            %s\n", cli_count(c->n_rows, a));
    printf("groups          %s, the smallest of %s rows\n", cli_count(c->n_groups, a),
           cli_count(c->min_group, b));
    cli_suppressed_text(c->suppressed_rows, found->table, false, 16, stdout);
    printf("missing         %s\n", shoal_missing_name(shoal_table_missing(found->table)));
    cli_models_text(&found->models, found->table, 16, stdout);
    cli_models_text(&found->persons, found->original, 16, stdout);
    if (found->uncounted != NULL) {
        fputs("persons         not counted by ", stdout);
        cli_print_text(stdout, found->uncounted);
        fputs(", which tells them: --original FILE does\n", stdout);
    }
    cli_sensitive_text(&found->sensitive, found->table, 16, stdout);
    printf("below k         %s groups, %s rows\n", cli_count(c->failing_groups, a),
           cli_count(c->failing_rows, b));
    bool is_wild = shoal_table_missing(found->table) == SHOAL_MISSING_WILDCARD;
    if (has_k(found))
        printf("k = %-10u  holds: every tuple%s %s at least %u %s\n", k,
               shoal_table_exempts_suppressed(found->table) && c->suppressed_rows > 0
                   ? " but that of * alone"
                   : "",
               is_wild ? "matches" : "occurs", k,
               is_wild ? "rows where a missing value matches any" : "times");
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
    printf("  %-13s %s rows in %s groups, the smallest of %s\n", what, cli_count(d->n_rows, a),
           cli_count(d->n_groups, b), cli_count(d->min_group, c));
    cli_models_text(&d->models, table, 16, stdout);
    if (d->failing_groups > 0)
        printf("  %-13s %s groups, %s rows\n", "below k", cli_count(d->failing_groups, a),
               cli_count(d->failing_rows, b));
}

static void after_text(const answer *found)
{
    for (size_t i = 0; i < found->n_after; i++) {
        const shoal_after_result *after = &found->after[i];
        fputs("after           ", stdout);
        cli_print_text(stdout, after->name);
        printf(": the difference %s\n", shoal_after_satisfied(after) ? "holds" : "does not hold");
        difference_text("arrived", &after->arrived, found->table);
        difference_text("left", &after->left, after->earlier);
    }
}

static shoal_status compare(answer *a, cli_job *job, const shoal_models_options *options,
                            shoal_error *err)
{
    size_t n = a->earlier.n_items;
    a->tables = calloc(n + 1, sizeof *a->tables);
    a->after = calloc(n + 1, sizeof *a->after);
    if (a->tables == NULL || a->after == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        shoal_after_result *after = &a->after[i];
        CLI_RETURN_IF_ERROR(cli_job_load_released(&a->tables[i], job, a->earlier.items[i], err));
        after->name = a->earlier.items[i];
        after->earlier = a->tables[i];
        a->n_after = i + 1;
        CLI_RETURN_IF_ERROR(
            shoal_check_difference(&after->arrived, a->table, after->earlier, options, err));
        CLI_RETURN_IF_ERROR(
            shoal_check_difference(&after->left, after->earlier, a->table, options, err));
    }
    return SHOAL_OK;
}

static shoal_status check_after(answer *a, cli_job *job, shoal_error *err)
{
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    if (a->earlier.n_items == 0) return SHOAL_OK;
    options.models = job->plan.models;
    options.n_models = job->plan.n_models;
    options.k = a->k;
    options.threads = job->threads;
    return compare(a, job, &options, err);
}

static bool is_satisfied(const answer *a)
{
    bool holds = shoal_check_satisfied(&a->check, &a->models, a->k) &&
                 a->persons.failing_groups == 0;
    for (size_t i = 0; i < a->n_after; i++) holds = holds && shoal_after_satisfied(&a->after[i]);
    return holds;
}

static void answer_clear(answer *a)
{
    for (size_t i = 0; i < a->n_after; i++) {
        shoal_difference_clear(&a->after[i].arrived);
        shoal_difference_clear(&a->after[i].left);
    }
    for (size_t i = 0; a->tables != NULL && i < a->earlier.n_items; i++)
        shoal_table_free(a->tables[i]);
    shoal_table_free(a->released);
    free(a->tables);
    free(a->after);
    cli_list_clear(&a->earlier);
    shoal_models_clear(&a->models);
    shoal_models_clear(&a->persons);
    shoal_sensitive_clear(&a->sensitive);
}

static shoal_status check_models(answer *a, cli_job *job, const shoal_table *released,
                                 shoal_error *err)
{
    shoal_models_options options = SHOAL_MODELS_OPTIONS_INIT;
    shoal_table *population = NULL;
    shoal_status status = SHOAL_OK;
    if (job->plan.n_models == 0) return SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_models_population(&population, job, err), out);
    options.models = job->plan.models;
    options.n_models = job->plan.n_models;
    options.population = population;
    options.threads = job->threads;
    status = shoal_check_models(&a->models, released, &options, err);
out:
    shoal_table_free(population);
    return status;
}

static shoal_status check_release(answer *a, cli_job *job, const shoal_table *released,
                                  shoal_error *err)
{
    CLI_RETURN_IF_ERROR(shoal_check(&a->check, released, job->plan.k, job->threads, err));
    CLI_RETURN_IF_ERROR(check_models(a, job, released, err));
    return shoal_check_sensitive(&a->sensitive, released, job->threads, err);
}

/* Does the release have k persons, and k households, in each group? Their columns stand in the
 * original alone. */
static shoal_status check_beside_original(answer *a, cli_job *job, const cli_args *args,
                                          shoal_error *err)
{
    if (cli_person_column(&job->plan) == NULL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "--original is there to count persons {fix} name the column that tells "
                          "them with --entity");
    job->by_person = false; /* the release need not have them */
    CLI_RETURN_IF_ERROR(cli_job_load(job, cli_value(args, OPT_ORIGINAL), false, err));
    CLI_RETURN_IF_ERROR(cli_job_load_released(&a->released, job, args->positional[0], err));
    a->table = a->released;
    a->original = job->table;
    CLI_RETURN_IF_ERROR(check_release(a, job, a->released, err));
    return shoal_pipeline_persons(&a->persons, job->table, a->released, job->plan.k, job->threads,
                                  err);
}

/* Sets of columns and persons have groups of their own; models and differences are about those of
 * all quasi-identifiers. */
static shoal_status refuse_both(const cli_job *job, const cli_args *args, shoal_error *err)
{
    if (!cli_asks_sets(args)) return SHOAL_OK;
    /* persons are counted for themselves */
    if (cli_has(args, OPT_ORIGINAL) && !cli_has(args, OPT_QID_SET) && !cli_has(args, OPT_SUBSETS))
        return SHOAL_OK;
    if (cli_has(args, OPT_AFTER))
        return shoal_fail(err, SHOAL_EINVAL,
                          "releases are compared over all quasi-identifiers together, so not "
                          "beside --qid-set, --subsets or --entity {fix} "
                          "run check once for each");
    if (job->plan.n_models == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "models are checked over all quasi-identifiers together, so not beside "
                      "--qid-set, --subsets or --entity {fix} "
                      "run check once for each");
}

shoal_status cli_check(const cli_args *args, shoal_error *err)
{
    cli_job job;
    answer a = { 0 };
    shoal_status status = SHOAL_OK;
    bool has_original = cli_has(args, OPT_ORIGINAL);
    CLI_GOTO_IF_ERROR(cli_job_init(&job, args, err), out);
    CLI_GOTO_IF_ERROR(cli_job_need_k(&job, err), out);
    CLI_GOTO_IF_ERROR(cli_sets_to_plan(&job.plan, args, err), out);
    CLI_GOTO_IF_ERROR(refuse_both(&job, args, err), out);
    CLI_GOTO_IF_ERROR(cli_list_of(&a.earlier, args, OPT_AFTER, err), out);
    job.reads_sensitive = job.plan.n_models > 0 || a.earlier.n_items > 0;
    job.sensitive_if_there = true;
    a.k = job.plan.k;
    if (has_original) {
        CLI_GOTO_IF_ERROR(check_beside_original(&a, &job, args, err), out);
    } else {
        CLI_GOTO_IF_ERROR(cli_job_load_released(&job.table, &job, args->positional[0], err), out);
        cli_progress_step("check", -1, &job.progress);
        if (cli_asks_sets(args)) {
            status = cli_check_sets(&job, args, err);
            goto out;
        }
        a.table = job.table;
        a.uncounted = cli_person_column(&job.plan);
        CLI_GOTO_IF_ERROR(check_release(&a, &job, job.table, err), out);
    }
    CLI_GOTO_IF_ERROR(check_after(&a, &job, err), out);
    CLI_GOTO_IF_ERROR(cli_check_interrupt(err), out);
    cli_progress_end(&job.progress);
    const shoal_check_report report = { a.table, a.k,       &a.check,   &a.models, &a.sensitive,
                                        a.after, a.n_after, &a.persons, a.original };
    if (cli_has(args, OPT_JSON))
        CLI_GOTO_IF_ERROR(cli_print_report(shoal_check_report_json(&report), err), out);
    else if (!cli_has(args, OPT_QUIET)) {
        check_text(&a);
        after_text(&a);
    }
    if (!is_satisfied(&a)) status = SHOAL_EUNSAT; /* the answer is the output; nothing to add */
out:
    answer_clear(&a);
    cli_job_clear(&job);
    return status;
}
