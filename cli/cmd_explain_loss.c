/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_explain_loss.c - `shoal explain-loss`: which rows and columns carry the loss that no release
 * avoids. Names of columns and counts, no values. */
#include "cli.h"

#include <string.h>

/* for all questions, where no time limit is given */
enum { DEFAULT_SECONDS = 30 };

/* Columns whose bounds are printed alike are one line: how many, and their names. */
static size_t print_column(const shoal_loss_explanation *e, size_t at, const shoal_table *table)
{
    char first[32], here[32];
    size_t n = 0;
    snprintf(first, sizeof first, "%.4f", e->columns[at].rest);
    printf("%s  %s  without column ", at == 0 ? "at least   " : "           ", first);
    for (size_t i = at; i < e->n_columns; i++, n++) {
        snprintf(here, sizeof here, "%.4f", e->columns[i].rest);
        if (strcmp(first, here) != 0) break;
        if (n > 0) fputs(" or ", stdout);
        cli_print_text(stdout, shoal_table_column_name(table, e->columns[i].column));
    }
    putchar('\n');
    return n;
}

static void print_explanation(const shoal_loss_explanation *e, const shoal_table *table, uint32_t k)
{
    char rows[32], some[32];
    printf("lower bound  %.4f  gcp of any release of these %s rows with k = %u\n", e->parts.bound,
           cli_count(e->n_rows, rows), k);
    cli_relaxations_text(&e->parts, stdout);
    printf("rows         %s (%.1f %%) account for half of it\n", cli_count(e->half_rows, some),
           100.0 * (double)e->half_rows / (double)e->n_rows);
    printf("top 1 %%      %s most costly rows account for %.1f %%; without them at least %.4f "
           "remains\n",
           cli_count(e->costly_rows, some), 100 * e->costly_share, e->costly_rest);
    for (size_t i = 0; i < e->n_columns;) i += print_column(e, i, table);
    size_t n_quasi = 0;
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        n_quasi += shoal_table_role(table, c) == SHOAL_ROLE_QUASI;
    if (e->parts.is_stopped && n_quasi > 1 && e->n_columns < n_quasi)
        printf("not computed %zu of %zu columns: time limit reached; --time-limit SECONDS gives "
               "more\n",
               n_quasi - e->n_columns, n_quasi);
    for (size_t i = 0; i < e->n_ks; i++)
        printf("%s  %.4f  with k = %u\n", i == 0 ? "at least   " : "           ", e->ks[i].bound,
               e->ks[i].k);
    puts("             all values are lower bounds on the loss of any release");
}

shoal_status cli_explain_loss(const cli_args *args, shoal_error *err)
{
    cli_call call;
    shoal_loss_explanation found = { 0 };
    double start = cli_seconds();
    shoal_status status = SHOAL_OK;
    CLI_GOTO_IF_ERROR(cli_call_init(&call, args, err), out);
    CLI_GOTO_IF_ERROR(cli_call_need_k(&call, err), out);
    CLI_GOTO_IF_ERROR(cli_call_load(&call, args->positional[0], false, err), out);
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    options.threads = shoal_job_threads(call.job);
    options.time_limit = call.plan->time_limit;
    if (options.time_limit <= 0) options.most_seconds = DEFAULT_SECONDS;
    options.callbacks = &call.progress.callbacks;
    CLI_GOTO_IF_ERROR(shoal_explain_loss(&found, call.table, call.plan->k, &options, err), out);
    cli_progress_end(&call.progress);
    CLI_GOTO_IF_ERROR(cli_check_interrupt(err), out);
    if (cli_has(args, OPT_JSON))
        status = cli_print_report(
            shoal_explain_loss_json(&found, call.table, call.plan->k, cli_seconds() - start), err);
    else
        print_explanation(&found, call.table, call.plan->k);
out:
    shoal_loss_explanation_clear(&found);
    cli_call_clear(&call);
    return status;
}
