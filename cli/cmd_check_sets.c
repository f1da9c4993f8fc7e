/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_check_sets.c - `shoal check` over declared sets of columns, over all combinations of M of
 * them, and by persons.
 *
 * What must hold is what was asked for: the sets of --qid-set, the combinations of --subsets, or
 * else (with --entity alone) all quasi-identifiers together. Column names and counts are printed,
 * never a value.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

bool cli_asks_sets(const cli_args *args)
{
    return cli_has(args, OPT_QID_SET) || cli_has(args, OPT_SUBSETS) || cli_has(args, OPT_ENTITY);
}

/* ---- the sets of the command line ---- */

/* Cut off the next name of "a,b\,c" in place; `\,` and `\\` stand for themselves. NULL at the end.
 */
static char *next_name(char **rest)
{
    char *name = *rest, *to = name, *at = name;
    if (name == NULL) return NULL;
    for (; *at != '\0' && *at != ','; at++) {
        if (*at == '\\' && (at[1] == ',' || at[1] == '\\')) at++;
        *to++ = *at;
    }
    *rest = *at == ',' ? at + 1 : NULL;
    *to = '\0';
    return name;
}

static shoal_status add_set(shoal_plan *plan, char *text, shoal_error *err)
{
    char *rest = text;
    for (char *name; (name = next_name(&rest)) != NULL;) {
        if (*name == '\0')
            return shoal_fail(err, SHOAL_EINVAL,
                              "--qid-set has an empty column name {fix} write --qid-set a,b "
                              "without a comma at the end");
        shoal_plan_column *column = shoal_plan_column_of(plan, name);
        if (column == NULL) return shoal_fail_memory(err);
        if (column->role == SHOAL_ROLE_ENTITY)
            return shoal_fail(
                err, SHOAL_EINVAL,
                "column '%s' has two roles, --entity and --qid-set {fix} name it in one of them",
                name);
        column->role = SHOAL_ROLE_QUASI;
    }
    return SHOAL_OK;
}

shoal_status cli_sets_to_plan(shoal_plan *plan, const cli_args *args, shoal_error *err)
{
    cli_list sets;
    shoal_status status = SHOAL_OK;
    CLI_RETURN_IF_ERROR(cli_list_of(&sets, args, OPT_QID_SET, err));
    for (size_t i = 0; i < sets.n_items && status == SHOAL_OK; i++)
        status = add_set(plan, sets.items[i], err);
    cli_list_clear(&sets);
    return status;
}

/* ---- answers ---- */

typedef shoal_sets_report answers;

static const shoal_set_result *any_result(const answers *a)
{
    return a->n_sets > 0 ? &a->sets[0].result : &a->subsets.worst_result;
}

static void print_set(const answers *a, const size_t *columns, size_t n, const shoal_set_result *r)
{
    char b[32], c[32], d[32];
    printf("  %-8s smallest %s, %s groups below k with %s rows: ",
           shoal_set_satisfied(r, a->k) ? "holds" : "fails", cli_count(r->min_group, b),
           cli_count(r->failing_groups, c), cli_count(r->failing_rows, d));
    for (size_t i = 0; i < n; i++) {
        if (i > 0) fputs(", ", stdout);
        cli_print_text(stdout, shoal_table_column_name(a->table, columns[i]));
    }
    putchar('\n');
}

static void print_subsets(const answers *a)
{
    enum { SHOWN = 10 };
    char b[32], c[32];
    const shoal_subsets_result *s = &a->subsets;
    printf("combinations    %s of at most %u columns, %s below k; the worst:\n",
           cli_count(s->n_sets, b), s->n_columns, cli_count(s->n_failing, c));
    print_set(a, s->worst, s->n_columns, &s->worst_result);
    if (s->n_failing > 1)
        printf("those below k%s:\n", s->n_failing > SHOWN ? " (the first 10)" : "");
    for (uint32_t i = 0; s->n_failing > 1 && i < s->n_listed && i < SHOWN; i++)
        print_set(a, s->listed + (size_t)i * s->n_columns, s->n_columns, &s->listed_results[i]);
}

static void answers_text(const answers *a)
{
    char b[32];
    const shoal_set_result *r = any_result(a);
    printf("rows            %s\n", cli_count(r->n_rows, b));
    if (a->by_person)
        printf("persons         %s; groups are counted in persons\n", cli_count(r->n_persons, b));
    cli_suppressed_text(r->suppressed_rows, a->table, false, 16, stdout);
    printf("missing         %s\n", shoal_missing_name(shoal_table_missing(a->table)));
    if (a->n_sets > 0) printf("sets            %s\n", cli_count(a->n_sets, b));
    for (size_t i = 0; i < a->n_sets; i++)
        print_set(a, a->sets[i].columns, a->sets[i].n_columns, &a->sets[i].result);
    if (a->has_subsets) print_subsets(a);
    printf("k = %-10u  %s\n", a->k,
           shoal_sets_satisfied(a) ? "holds in each of them" : "does not hold");
}

/* ---- checking ---- */

static shoal_status check_named(shoal_set_answer *out, char *text, const shoal_table *table,
                                const shoal_set_options *options, shoal_error *err)
{
    size_t room = 1;
    for (const char *at = text; *at != '\0'; at++) room += *at == ',';
    out->columns = malloc(room * sizeof *out->columns);
    if (out->columns == NULL) return shoal_fail_memory(err);
    char *rest = text;
    for (char *name; (name = next_name(&rest)) != NULL;)
        out->columns[out->n_columns++] = shoal_table_find_column(table, name);
    return shoal_check_set(&out->result, table, out->columns, out->n_columns, options, err);
}

static shoal_status check_together(shoal_set_answer *out, const shoal_table *table,
                                   const shoal_set_options *options, shoal_error *err)
{
    out->columns = malloc((shoal_table_n_columns(table) + 1) * sizeof *out->columns);
    if (out->columns == NULL) return shoal_fail_memory(err);
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        if (shoal_table_role(table, c) == SHOAL_ROLE_QUASI) out->columns[out->n_columns++] = c;
    return shoal_check_set(&out->result, table, NULL, 0, options, err);
}

static shoal_status check_asked(answers *a, const cli_list *sets, const cli_args *args,
                                const shoal_set_options *options, shoal_error *err)
{
    uint64_t m = 0;
    CLI_RETURN_IF_ERROR(cli_number(&m, args, OPT_SUBSETS, 1, 1000, err));
    bool together = sets->n_items == 0 && m == 0;
    a->sets = calloc(sets->n_items + 1, sizeof *a->sets);
    if (a->sets == NULL) return shoal_fail_memory(err);
    if (together) {
        a->n_sets = 1;
        CLI_RETURN_IF_ERROR(check_together(&a->sets[0], a->table, options, err));
    }
    for (size_t i = 0; i < sets->n_items; i++) {
        a->n_sets++;
        CLI_RETURN_IF_ERROR(check_named(&a->sets[i], sets->items[i], a->table, options, err));
    }
    if (m == 0) return SHOAL_OK;
    CLI_RETURN_IF_ERROR(shoal_check_subsets(&a->subsets, a->table, (uint32_t)m, options, err));
    a->has_subsets = true;
    return SHOAL_OK;
}

shoal_status cli_check_sets(cli_job *job, const cli_args *args, shoal_error *err)
{
    cli_list sets;
    shoal_status status = SHOAL_OK;
    answers a = { .table = job->table, .k = job->plan.k, .by_person = job->by_person };
    shoal_set_options options = SHOAL_SET_OPTIONS_INIT;
    options.k = a.k;
    options.threads = job->threads;
    options.callbacks = &job->progress.callbacks;
    CLI_RETURN_IF_ERROR(cli_list_of(&sets, args, OPT_QID_SET, err));
    CLI_GOTO_IF_ERROR(check_asked(&a, &sets, args, &options, err), out);
    CLI_GOTO_IF_ERROR(cli_check_interrupt(err), out);
    cli_progress_end(&job->progress);
    if (cli_has(args, OPT_JSON))
        CLI_GOTO_IF_ERROR(cli_print_report(shoal_sets_json(&a), err), out);
    else if (!cli_has(args, OPT_QUIET))
        answers_text(&a);
    /* the answer is the output; nothing to add */
    if (!shoal_sets_satisfied(&a)) status = SHOAL_EUNSAT;
out:
    for (size_t i = 0; i < a.n_sets; i++) free(a.sets[i].columns);
    free(a.sets);
    shoal_subsets_clear(&a.subsets);
    cli_list_clear(&sets);
    return status;
}
