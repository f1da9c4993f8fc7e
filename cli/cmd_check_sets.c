/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_check_sets.c - `shoal check` over declared sets of columns, over all combinations of M of
 * them, and by persons.
 *
 * The requested sets are checked: those of --qid-set, the combinations of --subsets, or else (with
 * --entity alone) all quasi-identifiers together. Column names and counts are printed, never a
 * value.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

bool cli_asks_sets(const cli_args *args)
{
    return cli_has(args, OPT_QID_SET) || cli_has(args, OPT_SUBSETS) || cli_has(args, OPT_ENTITY);
}

/* ---- the sets of the command line ---- */

/* Cut off the next name of "a,b\,c" in place; `\,` and `\\` are a literal comma and backslash. NULL
 * at the end. */
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
                "column '%s' has two roles, --entity and --qid-set {fix} use only one of them",
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

shoal_status cli_sets_read(cli_sets *out, shoal_question *q, const cli_args *args, shoal_error *err)
{
    uint64_t subsets = 0;
    size_t room = 0;
    const char **next;
    CLI_RETURN_IF_ERROR(cli_list_of(&out->texts, args, OPT_QID_SET, err));
    CLI_RETURN_IF_ERROR(cli_number(&subsets, args, OPT_SUBSETS, 1, 1000, err));
    for (size_t i = 0; i < out->texts.n_items; i++) room += strlen(out->texts.items[i]) + 1;
    out->sets = calloc(out->texts.n_items + 1, sizeof *out->sets);
    out->names = next = calloc(room + 1, sizeof *out->names);
    if (out->sets == NULL || out->names == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < out->texts.n_items; i++) {
        char *rest = out->texts.items[i];
        out->sets[i].names = next;
        while ((*next = next_name(&rest)) != NULL) next++;
        out->sets[i].n_names = (size_t)(next - out->sets[i].names);
    }
    q->sets = out->sets;
    q->n_sets = out->texts.n_items;
    q->subsets = (uint32_t)subsets;
    return SHOAL_OK;
}

void cli_sets_clear(cli_sets *sets)
{
    cli_list_clear(&sets->texts);
    free(sets->sets);
    free(sets->names);
}

/* ---- answers ---- */

static const shoal_set_result *any_result(const shoal_sets_report *a)
{
    return a->n_sets > 0 ? &a->sets[0].result : &a->subsets.worst_result;
}

static void print_set(const shoal_sets_report *a, const size_t *columns, size_t n,
                      const shoal_set_result *r)
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

static void print_subsets(const shoal_sets_report *a)
{
    enum { SHOWN = 10 };
    char b[32], c[32];
    const shoal_subsets_result *s = &a->subsets;
    printf("combinations    %s of at most %u columns, %s of them below k; worst:\n",
           cli_count(s->n_sets, b), s->n_columns, cli_count(s->n_failing, c));
    print_set(a, s->worst, s->n_columns, &s->worst_result);
    if (s->n_failing > 1) printf("sets below k%s:\n", s->n_failing > SHOWN ? " (first 10)" : "");
    for (uint32_t i = 0; s->n_failing > 1 && i < s->n_listed && i < SHOWN; i++)
        print_set(a, s->listed + (size_t)i * s->n_columns, s->n_columns, &s->listed_results[i]);
}

void cli_sets_text(const shoal_sets_report *a)
{
    char b[32];
    const shoal_set_result *r = any_result(a);
    printf("rows            %s\n", cli_count(r->n_rows, b));
    if (a->by_person)
        printf("persons         %s; group sizes are numbers of persons\n",
               cli_count(r->n_persons, b));
    cli_starred_text(r->suppressed_rows, a->table, 16, stdout);
    printf("missing         %s\n", shoal_missing_name(shoal_table_missing(a->table)));
    if (a->n_sets > 0) printf("sets            %s\n", cli_count(a->n_sets, b));
    for (size_t i = 0; i < a->n_sets; i++)
        print_set(a, a->sets[i].columns, a->sets[i].n_columns, &a->sets[i].result);
    if (a->has_subsets) print_subsets(a);
    printf("k = %-10u  %s\n", a->k,
           shoal_sets_satisfied(a) ? "holds in every set" : "does not hold");
}
