/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_check.c - `shoal check`: does every quasi-identifier tuple of a table occur at least k times? */
#include "cli.h"

#include <jansson.h>

/* A table of fewer than k rows holds no group of k, even where no group is below it: it is empty, or all `*`. */
static bool is_satisfied(const shoal_check_result *c, uint32_t k)
{
    return c->failing_groups == 0 && c->n_rows >= k;
}

static char *check_json(const shoal_check_result *c, const shoal_table *table, uint32_t k)
{
    return cli_json_text(json_pack(
        "{s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s}", "satisfied", is_satisfied(c, k), "k", (json_int_t)k,
        "rows", (json_int_t)c->n_rows, "groups", (json_int_t)c->n_groups, "min_group", (json_int_t)c->min_group,
        "suppressed_rows", (json_int_t)c->suppressed_rows, "failing_groups", (json_int_t)c->failing_groups,
        "failing_rows", (json_int_t)c->failing_rows, "missing", cli_missing_name(shoal_table_missing(table))));
}

static void check_text(const shoal_check_result *c, const shoal_table *table, uint32_t k)
{
    char a[32], b[32];
    printf("rows            %s\n", cli_count(c->n_rows, a));
    printf("groups          %s, the smallest of %s rows\n", cli_count(c->n_groups, a), cli_count(c->min_group, b));
    printf("suppressed      %s rows\n", cli_count(c->suppressed_rows, a));
    printf("missing         %s\n", cli_missing_name(shoal_table_missing(table)));
    printf("below k         %s groups, %s rows\n", cli_count(c->failing_groups, a), cli_count(c->failing_rows, b));
    if (is_satisfied(c, k)) printf("k = %-10u  holds: every tuple occurs at least %u times\n", k, k);
    else if (c->n_rows < k) printf("k = %-10u  does not hold: the table has fewer than %u rows\n", k, k);
    else printf("k = %-10u  does not hold\n", k);
}

shoal_status cli_check(const cli_args *args, shoal_error *err)
{
    cli_job job;
    shoal_check_result result;
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_job_init(&job, args, err), out);
    CLI_GOTO_IF_ERROR(cli_job_need_k(&job, err), out);
    CLI_GOTO_IF_ERROR(cli_sets_to_plan(&job.plan, args, err), out);
    CLI_GOTO_IF_ERROR(cli_job_load_released(&job.table, &job, args->positional[0], err), out);
    cli_progress_step("check", -1, &job.progress);
    if (cli_asks_sets(args)) {
        status = cli_check_sets(&job, args, err);
        goto out;
    }
    CLI_GOTO_IF_ERROR(shoal_check(&result, job.table, job.plan.k, job.threads, err), out);
    CLI_GOTO_IF_ERROR(cli_check_interrupt(err), out);
    cli_progress_end(&job.progress);
    if (cli_has(args, OPT_JSON))
        CLI_GOTO_IF_ERROR(cli_print_json(check_json(&result, job.table, job.plan.k), err), out);
    else if (!cli_has(args, OPT_QUIET)) check_text(&result, job.table, job.plan.k);
    if (!is_satisfied(&result, job.plan.k)) status = SHOAL_EUNSAT; /* the answer is the output; nothing to add */
out:
    cli_job_clear(&job);
    return status;
}
