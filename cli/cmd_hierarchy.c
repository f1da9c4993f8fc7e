/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_hierarchy.c - `shoal hierarchy build|check|show|known`: build, check and print hierarchy
 * files. */
#include "cli.h"
#include "json_build.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CHILDREN_SHOWN = 20 };

/* ---- build ---- */

static shoal_status need(const cli_args *args, cli_option_id option, shoal_error *err)
{
    if (cli_has(args, option)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL, "%s needs --%s {fix} write shoal %s %s",
                      args->command->name, cli_options[option].name, args->command->name,
                      args->command->arguments);
}

static void print_size(const shoal_hierarchy *h, FILE *stream)
{
    char a[32], b[32];
    fprintf(stream, "%s leaves, %s nodes, %u levels above the leaves\n",
            cli_count(shoal_hierarchy_n_leaves(h), a), cli_count(shoal_hierarchy_n_nodes(h), b),
            shoal_hierarchy_height(h));
}

/* Rows of the smallest label between values and root, or 0 when there is none: leaves of a label
 * are consecutive. */
static uint64_t smallest_label(const shoal_hierarchy *h, const shoal_table *table, size_t column)
{
    uint32_t n_leaves = shoal_hierarchy_n_leaves(h), first, last;
    uint64_t least = 0, *before = calloc(n_leaves + 1u, sizeof *before);
    for (uint32_t code = 0; before != NULL && code < shoal_table_n_values(table, column); code++) {
        size_t length;
        const char *text = shoal_table_value(table, column, code, &length);
        uint32_t leaf = shoal_hierarchy_find_leaf(h, text, length);
        if (leaf != UINT32_MAX) before[leaf + 1] += shoal_table_value_count(table, column, code);
    }
    for (uint32_t leaf = 0; before != NULL && leaf < n_leaves; leaf++)
        before[leaf + 1] += before[leaf];
    for (uint32_t v = n_leaves; before != NULL && v + 1 < shoal_hierarchy_n_nodes(h); v++) {
        shoal_hierarchy_leaves(h, v, &first, &last);
        uint64_t rows = before[last + 1] - before[first];
        if (rows > 0 && (least == 0 || rows < least)) least = rows;
    }
    free(before);
    return least;
}

/* A hierarchy made from a classification leaves out values that the classification lacks. */
static void print_built(const shoal_hierarchy *h, const shoal_table *table, size_t column)
{
    char a[32];
    uint64_t least = smallest_label(h, table, column);
    uint32_t n_values = shoal_table_n_values(table, column), n_leaves = shoal_hierarchy_n_leaves(h);
    n_values -= shoal_table_null_code(table, column) < n_values;
    print_size(h, stderr);
    if (least > 0) fprintf(stderr, "smallest label: %s rows of the table\n", cli_count(least, a));
    if (n_values > n_leaves)
        fprintf(stderr, "%s values of the column are missing\n", cli_count(n_values - n_leaves, a));
}

shoal_status cli_hierarchy_build(const cli_args *args, shoal_error *err)
{
    const char *output = cli_value(args, OPT_OUTPUT);
    bool force = cli_has(args, OPT_FORCE);
    shoal_table *table = NULL;
    shoal_hierarchy *hierarchy = NULL;
    char *levels = NULL;
    size_t column = 0;
    cli_progress progress;
    shoal_status status = SHOAL_OK;
    if (output == NULL) output = "-";
    cli_progress_init(&progress, args);
    CLI_GOTO_IF_ERROR(need(args, OPT_COLUMN, err), out);
    CLI_GOTO_IF_ERROR(need(args, OPT_SPEC, err), out);
    CLI_GOTO_IF_ERROR(cli_refuse_inputs(args, output, "--output", err), out);
    CLI_GOTO_IF_ERROR(cli_probe_output(output, force, err), out);
    CLI_GOTO_IF_ERROR(cli_load_column(&table, &column, args, args->positional[0], &progress, err),
                      out);
    CLI_GOTO_IF_ERROR(
        shoal_hierarchy_build_column(&hierarchy, table, column, cli_value(args, OPT_SPEC), err),
        out);
    CLI_GOTO_IF_ERROR(shoal_hierarchy_to_levels(&levels, hierarchy, err), out);
    CLI_GOTO_IF_ERROR(cli_check_interrupt(err), out);
    cli_interrupt_mode_set(INTERRUPT_ASKS);
    CLI_GOTO_IF_ERROR(cli_write_text(output, levels, force, err), out);
    cli_progress_end(&progress);
    if (!cli_has(args, OPT_QUIET)) print_built(hierarchy, table, column);
out:
    cli_progress_end(&progress);
    shoal_string_free(levels);
    shoal_hierarchy_free(hierarchy);
    shoal_table_free(table);
    return status;
}

/* ---- check ---- */

typedef struct coverage {
    uint64_t values, uncovered_values, uncovered_rows;
} coverage;

static coverage count_coverage(const shoal_hierarchy *h, const shoal_table *table, size_t column)
{
    uint32_t null_code = shoal_table_null_code(table, column);
    coverage found = { 0 };
    for (uint32_t code = 0; code < shoal_table_n_values(table, column); code++) {
        size_t length;
        const char *text = shoal_table_value(table, column, code, &length);
        if (code == null_code) continue;
        found.values++;
        if (shoal_hierarchy_find_leaf(h, text, length) != UINT32_MAX) continue;
        found.uncovered_values++;
        found.uncovered_rows += shoal_table_value_count(table, column, code);
    }
    return found;
}

static shoal_status print_check(const cli_args *args, const shoal_hierarchy *h, const coverage *c,
                                shoal_error *err)
{
    char a[32], b[32], d[32];
    if (cli_has(args, OPT_JSON)) {
        json_t *json = json_pack("{s:I, s:I, s:I}", "leaves",
                                 (json_int_t)shoal_hierarchy_n_leaves(h), "nodes",
                                 (json_int_t)shoal_hierarchy_n_nodes(h), "height",
                                 (json_int_t)shoal_hierarchy_height(h));
        if (json != NULL && c != NULL) {
            cli_json_put(&json, "values", json_integer((json_int_t)c->values));
            cli_json_put(&json, "uncovered_values", json_integer((json_int_t)c->uncovered_values));
            cli_json_put(&json, "uncovered_rows", json_integer((json_int_t)c->uncovered_rows));
        }
        return cli_print_json(cli_json_text(json), err);
    }
    if (cli_has(args, OPT_QUIET)) return SHOAL_OK;
    print_size(h, stdout);
    if (c != NULL)
        printf("%s distinct values in the column, %s of them not in the hierarchy (%s rows)\n",
               cli_count(c->values, a), cli_count(c->uncovered_values, b),
               cli_count(c->uncovered_rows, d));
    return SHOAL_OK;
}

static const char known_prefix[] = "known:";

/* A file, or the tree of a classification by its name. */
static shoal_status read_hierarchy(shoal_hierarchy **out, const char *what, shoal_error *err)
{
    size_t n = sizeof known_prefix - 1;
    return strncmp(what, known_prefix, n) == 0 ? shoal_hierarchy_known(out, what + n, err)
                                               : shoal_hierarchy_load(out, what, err);
}

/* A classification has the column's own values as leaves: put it over them. */
static shoal_status lay_over_column(shoal_hierarchy **h, const char *what, const shoal_table *table,
                                    size_t column, shoal_error *err)
{
    shoal_hierarchy *over = NULL;
    if (strncmp(what, known_prefix, sizeof known_prefix - 1) != 0) return SHOAL_OK;
    CLI_RETURN_IF_ERROR(shoal_hierarchy_build_column(&over, table, column, what, err));
    shoal_hierarchy_free(*h);
    *h = over;
    return SHOAL_OK;
}

shoal_status cli_hierarchy_check(const cli_args *args, shoal_error *err)
{
    shoal_hierarchy *hierarchy = NULL;
    shoal_table *table = NULL;
    size_t column = 0;
    coverage c;
    cli_progress progress;
    shoal_status status = SHOAL_OK;
    const char *table_path = cli_value(args, OPT_TABLE);
    cli_progress_init(&progress, args);
    if ((table_path == NULL) != !cli_has(args, OPT_COLUMN))
        return shoal_fail(err, SHOAL_EINVAL,
                          "--table and --column must be given together {fix} write --table INPUT "
                          "--column COLUMN");
    CLI_GOTO_IF_ERROR(read_hierarchy(&hierarchy, args->positional[0], err), out);
    if (table_path != NULL) {
        CLI_GOTO_IF_ERROR(cli_load_column(&table, &column, args, table_path, &progress, err), out);
        CLI_GOTO_IF_ERROR(lay_over_column(&hierarchy, args->positional[0], table, column, err),
                          out);
        c = count_coverage(hierarchy, table, column);
    }
    cli_progress_end(&progress);
    CLI_GOTO_IF_ERROR(print_check(args, hierarchy, table != NULL ? &c : NULL, err), out);
    if (table != NULL && c.uncovered_values > 0)
        status = shoal_fail(err, SHOAL_EDATA,
                            "%llu values of the column (%llu rows) are not in the hierarchy {fix} "
                            "add them to the file, or use it with --on-missing top or own-leaf",
                            (unsigned long long)c.uncovered_values,
                            (unsigned long long)c.uncovered_rows);
out:
    cli_progress_end(&progress);
    shoal_table_free(table);
    shoal_hierarchy_free(hierarchy);
    return status;
}

/* ---- show ---- */

/* Children of every node as one array: those of node v are child[first[v] .. first[v+1]-1], by leaf
 * order. */
typedef struct family {
    uint32_t *first, *child;
} family;

/* All nodes but the root in the order of their first leaves, by counting. */
static shoal_status order_nodes(uint32_t *order, const shoal_hierarchy *h, shoal_error *err)
{
    uint32_t root = shoal_hierarchy_n_nodes(h) - 1, first, last;
    uint32_t *place = calloc(shoal_hierarchy_n_leaves(h) + 2u, sizeof *place);
    if (place == NULL) return shoal_fail_memory(err);
    for (uint32_t v = 0; v < root; v++) {
        shoal_hierarchy_leaves(h, v, &first, &last);
        place[first + 1]++;
    }
    for (uint32_t i = 1; i <= shoal_hierarchy_n_leaves(h); i++) place[i] += place[i - 1];
    for (uint32_t v = 0; v < root; v++) {
        shoal_hierarchy_leaves(h, v, &first, &last);
        order[place[first]++] = v;
    }
    free(place);
    return SHOAL_OK;
}

static shoal_status find_children(family *out, const shoal_hierarchy *h, shoal_error *err)
{
    uint32_t n_nodes = shoal_hierarchy_n_nodes(h), root = n_nodes - 1;
    uint32_t *order = calloc(n_nodes + 1u, sizeof *order);
    out->first = calloc(n_nodes + 2u, sizeof *out->first);
    out->child = calloc(n_nodes + 1u, sizeof *out->child);
    shoal_status status = SHOAL_OK;
    if (order == NULL || out->first == NULL || out->child == NULL) status = shoal_fail_memory(err);
    if (status == SHOAL_OK) status = order_nodes(order, h, err);
    if (status == SHOAL_OK) {
        /* Counting by parent: first[v+2] counts, then first[v+1] runs ahead as the children are
         * placed. */
        for (uint32_t v = 0; v < root; v++) out->first[shoal_hierarchy_parent(h, v) + 2]++;
        for (uint32_t v = 2; v < n_nodes + 2; v++) out->first[v] += out->first[v - 1];
        for (uint32_t i = 0; i < root; i++)
            out->child[out->first[shoal_hierarchy_parent(h, order[i]) + 1]++] = order[i];
    }
    free(order);
    return status;
}

static void print_node(const shoal_hierarchy *h, uint32_t node, uint32_t depth)
{
    uint32_t first, last;
    char a[32];
    shoal_hierarchy_leaves(h, node, &first, &last);
    printf("%*s", (int)(2 * depth), "");
    cli_print_text(stdout, shoal_hierarchy_label(h, node));
    if (node >= shoal_hierarchy_n_leaves(h))
        printf("  (%s)", cli_count((uint64_t)last - first + 1, a));
    putchar('\n');
}

/* Depth-first with a pile of (node, depth), children pushed last to first; depth of the pile is the
 * data's. */
static shoal_status print_tree(const shoal_hierarchy *h, const family *f, uint32_t max_depth,
                               shoal_error *err)
{
    uint32_t n_nodes = shoal_hierarchy_n_nodes(h), n_todo = 0;
    uint32_t(*todo)[2] = calloc(n_nodes + 1u, sizeof *todo);
    if (todo == NULL) return shoal_fail_memory(err);
    todo[n_todo][0] = n_nodes - 1;
    todo[n_todo++][1] = 0;
    while (n_todo > 0) {
        uint32_t node = todo[--n_todo][0], depth = todo[n_todo][1];
        uint32_t begin = f->first[node], end = f->first[node + 1];
        print_node(h, node, depth);
        if (depth >= max_depth) continue;
        if (end - begin > MAX_CHILDREN_SHOWN) {
            printf("%*s(%u children; first %d shown)\n", (int)(2 * depth + 2), "", end - begin,
                   MAX_CHILDREN_SHOWN);
            end = begin + MAX_CHILDREN_SHOWN;
        }
        for (uint32_t i = end; i-- > begin;) {
            todo[n_todo][0] = f->child[i];
            todo[n_todo++][1] = depth + 1;
        }
    }
    free(todo);
    return SHOAL_OK;
}

shoal_status cli_hierarchy_show(const cli_args *args, shoal_error *err)
{
    shoal_hierarchy *hierarchy = NULL;
    family children = { 0 };
    uint64_t depth = 2;
    shoal_status status = SHOAL_OK;
    CLI_RETURN_IF_ERROR(cli_number(&depth, args, OPT_DEPTH, 0, 1000, err));
    CLI_GOTO_IF_ERROR(read_hierarchy(&hierarchy, args->positional[0], err), out);
    CLI_GOTO_IF_ERROR(find_children(&children, hierarchy, err), out);
    print_size(hierarchy, stdout);
    status = print_tree(hierarchy, &children, (uint32_t)depth, err);
out:
    free(children.first);
    free(children.child);
    shoal_hierarchy_free(hierarchy);
    return status;
}

/* ---- known ---- */

static char *known_json(void)
{
    json_t *all = json_array();
    for (size_t i = 0; i < shoal_known_count(); i++)
        cli_json_append(&all, json_pack("{s:s, s:s, s:s}", "name", shoal_known_name(i), "title",
                                        shoal_known_title(i), "source", shoal_known_source(i)));
    return cli_json_text(all);
}

shoal_status cli_hierarchy_known(const cli_args *args, shoal_error *err)
{
    if (cli_has(args, OPT_JSON)) return cli_print_json(known_json(), err);
    for (size_t i = 0; i < shoal_known_count(); i++)
        printf("known:%-12s  %s\n%20s(%s)\n", shoal_known_name(i), shoal_known_title(i), "",
               shoal_known_source(i));
    return SHOAL_OK;
}
