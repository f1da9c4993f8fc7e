/* SPDX-License-Identifier: Apache-2.0 */
/* guarding_node.c - see guarding_node.h. */
#include "method/guarding_node.h"
#include "method/level_params.h"

#include <math.h>
#include <string.h>

/* Tolerance for rounding when sums of shares are compared. */
#define SLACK 1e-9

/* ---- parameters ---- */

static shoal_status read_breach(shoal_guarding_nodes *g, const shoal_algorithm *algorithm,
                                shoal_error *err)
{
    const char *text = shoal_problem_param(g->problem, algorithm, "breach");
    if (strcmp(text, "required") == 0)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "personalised: breach is required {fix} write, for example, {--param} breach=0.3");
    if (shoal_parse_number(text, strlen(text), &g->breach) && g->breach > 0 && g->breach <= 1)
        return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "personalised: breach must be a number above 0 and at most 1");
}

/* The columns of problem->sensitive: the one to protect, and the guard column if there is one. */
static shoal_status find_columns(shoal_guarding_nodes *g, const shoal_algorithm *algorithm,
                                 shoal_error *err)
{
    const shoal_space *space = &g->problem->sensitive->space;
    const char *name = shoal_problem_param(g->problem, algorithm, "guard-column");
    bool has_column = strcmp(name, "none") != 0;
    uint32_t n = 0;
    g->guard_column = SHOAL_NO_CODE;
    for (uint32_t c = 0; c < space->n_attrs; c++) {
        if (space->attrs[c].source->role != SHOAL_ROLE_SENSITIVE) continue;
        if (has_column && strcmp(space->attrs[c].source->name, name) == 0) {
            g->guard_column = c;
            continue;
        }
        g->column = c;
        n++;
    }
    if (has_column && g->guard_column == SHOAL_NO_CODE)
        return shoal_fail(err, SHOAL_EINVAL,
                          "personalised: guard-column is not a sensitive column {fix} name it with "
                          "{--sensitive}, too; it is not published");
    if (n != 1)
        return shoal_fail(err, SHOAL_EINVAL,
                          "personalised: it protects one sensitive column, but %u are named "
                          "besides the guards {fix} keep one, and remove the others with {--drop}",
                          n);
    g->attr = &space->attrs[g->column];
    if (g->attr->is_tree) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EINVAL,
        "personalised: column '{column %s}' has no hierarchy {fix} set one with {--hierarchy}",
        g->attr->source->name);
}

static shoal_status read_policy(shoal_guarding_nodes *g, const shoal_algorithm *algorithm,
                                shoal_error *err)
{
    const char *text = shoal_problem_param(g->problem, algorithm, "guard");
    double steps = 0;
    if (strcmp(text, "required") == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "personalised: guard or guard-column is required {fix} write {--param} "
                          "guard=value, {--param} guard=level:1 or {--param} guard-column=COLUMN");
    bool is_level = strncmp(text, "level:", 6) == 0 &&
                    shoal_parse_number(text + 6, strlen(text + 6), &steps) && steps >= 0 &&
                    steps <= SHOAL_MAX_HEIGHT && steps == floor(steps);
    if (!is_level && strcmp(text, "value") != 0)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "personalised: guard must be 'value' or 'level:N', with N steps above the value");
    g->steps = (uint32_t)steps;
    return SHOAL_OK;
}

/* ---- guards ---- */

static uint32_t steps_to_root(const shoal_guarding_nodes *g, uint32_t node)
{
    const shoal_hierarchy *shape = &g->ladder->shape;
    for (uint32_t i = 0; i < g->steps && shape->depth[node] > 1; i++) node = shape->parent[node];
    return node;
}

/* Values known only as `*` have no guard. */
static void guard_by_policy(shoal_guarding_nodes *g)
{
    for (uint32_t v = 0; v < g->attr->source->n_values; v++) {
        uint32_t code = g->attr->code_of_value[v];
        g->guard_of_value[v] = code < g->attr->top_from
                                   ? steps_to_root(g, g->ladder->node_of_code[code])
                                   : SHOAL_NO_NODE;
    }
}

static shoal_status fail_lacking(const shoal_guarding_nodes *g, const shoal_column *column,
                                 const bool *is_lacking, uint32_t n_values, shoal_error *err)
{
    uint64_t n_rows = 0, first = 0;
    for (uint64_t row = g->problem->classes->n_rows; row-- > 0;) {
        if (!is_lacking[shoal_column_code(column, row)]) continue;
        n_rows++;
        first = row + 1;
    }
    return shoal_fail(err, SHOAL_EDATA,
                      "column '{column %s}': %u of its values are not nodes of the hierarchy of "
                      "'%s' (%llu rows, the first is row {row %llu}) {fix} write labels of the "
                      "hierarchy, or leave cells empty for no guard",
                      column->name, n_values, g->attr->source->name, (unsigned long long)n_rows,
                      (unsigned long long)first);
}

static shoal_status guard_by_column(shoal_guarding_nodes *g, shoal_error *err)
{
    const shoal_column *column = g->problem->sensitive->space.attrs[g->guard_column].source;
    const shoal_hierarchy *tree = g->attr->tree;
    uint32_t n_lacking = 0;
    bool *is_lacking = shoal_alloc_zero(column->n_values, sizeof *is_lacking);
    if (is_lacking == NULL) return shoal_fail_memory(err);
    for (uint32_t v = 0; v < column->n_values; v++) {
        g->guard_of_value[v] = SHOAL_NO_NODE;
        if (v == column->null_code || column->values[v].length == 0) continue;
        uint32_t node = shoal_tree_find_node(tree, column->values[v].data,
                                             column->values[v].length);
        if (node == SHOAL_NO_NODE) {
            is_lacking[v] = true;
            n_lacking++;
        } else {
            g->guard_of_value[v] = node < tree->n_leaves ? node : node + g->ladder->n_lifted;
        }
    }
    shoal_status status = n_lacking > 0 ? fail_lacking(g, column, is_lacking, n_lacking, err)
                                        : SHOAL_OK;
    shoal_free(is_lacking);
    return status;
}

/* Does a value of the column have this text? */
static bool is_value(const shoal_column *column, const char *label, size_t size)
{
    for (uint32_t v = 0; v < column->n_values; v++)
        if (column->values[v].length == size && memcmp(column->values[v].data, label, size) == 0)
            return true;
    return false;
}

static void find_ambiguous(shoal_guarding_nodes *g)
{
    const shoal_hierarchy *tree = g->attr->tree;
    for (uint32_t node = tree->n_leaves; node + 1 < tree->n_nodes; node++)
        g->is_ambiguous[node + g->ladder->n_lifted] = shoal_tree_find_leaf(
                                                          tree, tree->labels[node],
                                                          tree->label_sizes[node]) !=
                                                          SHOAL_NO_NODE ||
                                                      is_value(g->attr->source, tree->labels[node],
                                                               tree->label_sizes[node]);
}

shoal_status shoal_guarding_nodes_make(shoal_guarding_nodes *out, const shoal_problem *problem,
                                       const shoal_algorithm *algorithm, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_guarding_nodes g = { .problem = problem };
    SHOAL_RETURN_IF_ERROR(read_breach(&g, algorithm, err));
    SHOAL_RETURN_IF_ERROR(find_columns(&g, algorithm, err));
    if (g.guard_column == SHOAL_NO_CODE) SHOAL_RETURN_IF_ERROR(read_policy(&g, algorithm, err));
    SHOAL_GOTO_IF_ERROR(shoal_ladders_make(&g.ladders, &problem->sensitive->space,
                                           SHOAL_WEIGHTS_UNIFORM, 1, NULL, err),
                        out);
    g.ladder = &g.ladders.items[g.column];
    uint32_t source = g.guard_column == SHOAL_NO_CODE ? g.column : g.guard_column;
    g.guard_of_value = shoal_alloc(problem->sensitive->space.attrs[source].source->n_values,
                                   sizeof *g.guard_of_value);
    g.is_ambiguous = shoal_alloc_zero(g.ladder->shape.n_nodes, sizeof *g.is_ambiguous);
    if (g.guard_of_value == NULL || g.is_ambiguous == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    find_ambiguous(&g);
    if (g.guard_column == SHOAL_NO_CODE)
        guard_by_policy(&g);
    else
        SHOAL_GOTO_IF_ERROR(guard_by_column(&g, err), out);
    *out = g;
    g = (shoal_guarding_nodes){ 0 };
out:
    shoal_guarding_nodes_clear(&g);
    return status;
}

void shoal_guarding_nodes_clear(shoal_guarding_nodes *guards)
{
    shoal_ladders_clear(&guards->ladders);
    shoal_free(guards->guard_of_value);
    shoal_free(guards->is_ambiguous);
}

/* ---- a group ---- */

bool shoal_guarded_group_init(shoal_guarded_group *group, const shoal_guarding_nodes *guards)
{
    *group = (shoal_guarded_group){ 0 };
    group->published = shoal_alloc(guards->attr->n_codes, sizeof *group->published);
    bool ok = group->published != NULL && shoal_tally_init(&group->values, guards->attr->n_codes) &&
              shoal_tally_init(&group->guarded, guards->ladder->shape.n_nodes);
    if (!ok) shoal_guarded_group_free(group);
    return ok;
}

void shoal_guarded_group_free(shoal_guarded_group *group)
{
    shoal_tally_free(&group->values);
    shoal_tally_free(&group->guarded);
    shoal_free(group->published);
    *group = (shoal_guarded_group){ 0 };
}

void shoal_guarded_group_clear(shoal_guarded_group *group)
{
    shoal_tally_clear(&group->values);
    shoal_tally_clear(&group->guarded);
}

void shoal_guarded_group_add(shoal_guarded_group *group, const shoal_guarding_nodes *guards,
                             const uint32_t *values, uint32_t n_rows)
{
    uint32_t source = guards->guard_column == SHOAL_NO_CODE ? guards->column : guards->guard_column;
    uint32_t guard = guards->guard_of_value[values[source]];
    shoal_tally_add(&group->values, guards->attr->code_of_value[values[guards->column]], n_rows);
    if (guard != SHOAL_NO_NODE) shoal_tally_add(&group->guarded, guard, n_rows);
}

static double n_leaves(const shoal_hierarchy *shape, uint32_t node)
{
    return (double)(shape->last[node] - shape->first[node]) + 1;
}

static bool is_below(const shoal_hierarchy *shape, uint32_t node, uint32_t above)
{
    return shape->first[node] >= shape->first[above] && shape->last[node] <= shape->last[above];
}

/* The share of the leaves below `node` that lie below `guard`: one of the two is above the other,
 * or nothing is shared. */
static double share(const shoal_hierarchy *shape, uint32_t node, uint32_t guard)
{
    if (is_below(shape, node, guard)) return 1;
    return is_below(shape, guard, node) ? n_leaves(shape, guard) / n_leaves(shape, node) : 0;
}

static double node_loss(const shoal_hierarchy *shape, uint32_t node)
{
    double all = n_leaves(shape, shape->n_nodes - 1);
    return all > 1 ? (n_leaves(shape, node) - 1) / (all - 1) : 0;
}

static double breach_of(const shoal_guarded_group *group, const shoal_hierarchy *shape,
                        uint32_t guard)
{
    double sum = 0;
    for (uint32_t i = 0; i < group->values.n_present; i++) {
        uint32_t code = group->values.present[i];
        sum += group->values.counts[code] * share(shape, group->published[code], guard);
    }
    return sum / (double)group->values.n_rows;
}

/* The next node of a value that reduces the breach of the guard, or SHOAL_NO_NODE. */
static uint32_t next_node(const shoal_guarding_nodes *g, uint32_t node, uint32_t guard)
{
    const shoal_hierarchy *shape = &g->ladder->shape;
    uint32_t root = shape->n_nodes - 1;
    if (guard == root || node == root) return SHOAL_NO_NODE;
    uint32_t next = is_below(shape, node, guard) ? shape->parent[guard] : shape->parent[node];
    /* A parent with one child has the leaves of that child: to go there changes no breach, and
     * counts as below the guard once more. */
    while (next != root &&
           (g->is_ambiguous[next] || n_leaves(shape, next) == n_leaves(shape, node) ||
            is_below(shape, next, guard)))
        next = shape->parent[next];
    return n_leaves(shape, next) > n_leaves(shape, node) ? next : SHOAL_NO_NODE;
}

/* Move the best value up; false if none can move. */
static bool generalise_once(shoal_guarded_group *group, const shoal_guarding_nodes *g,
                            uint32_t guard)
{
    const shoal_hierarchy *shape = &g->ladder->shape;
    uint32_t best = SHOAL_NO_CODE;
    double best_gain = -1;
    for (uint32_t i = 0; i < group->values.n_present; i++) {
        uint32_t code = group->values.present[i], node = group->published[code];
        double before = share(shape, node, guard);
        uint32_t next = before > 0 ? next_node(g, node, guard) : SHOAL_NO_NODE;
        if (next == SHOAL_NO_NODE) continue;
        double cost = node_loss(shape, next) - node_loss(shape, node);
        /* no division by 0 for a step without loss */
        double gain = (before - share(shape, next, guard)) / (cost + 1e-9);
        if (gain > best_gain || (gain == best_gain && code < best)) {
            best_gain = gain;
            best = code;
        }
    }
    if (best == SHOAL_NO_CODE) return false;
    group->published[best] = next_node(g, group->published[best], guard);
    return true;
}

/* The guard with the greatest breach, ties to the lowest node; SHOAL_NO_NODE: no guard is breached.
 */
static uint32_t worst_guard(const shoal_guarded_group *group, const shoal_guarding_nodes *g)
{
    uint32_t worst = SHOAL_NO_NODE;
    double most = 0;
    for (uint32_t i = 0; i < group->guarded.n_present; i++) {
        uint32_t guard = group->guarded.present[i];
        double breach = breach_of(group, &g->ladder->shape, guard);
        bool is_worse = worst == SHOAL_NO_NODE || breach > most ||
                        (breach == most && guard < worst);
        if (breach <= g->breach + SLACK || !is_worse) continue;
        most = breach;
        worst = guard;
    }
    return worst;
}

bool shoal_guarded_group_generalise(shoal_guarded_group *group, const shoal_guarding_nodes *g)
{
    for (uint32_t i = 0; i < group->values.n_present; i++) {
        uint32_t code = group->values.present[i];
        group->published[code] = g->ladder->node_of_code[code];
    }
    for (uint32_t guard; (guard = worst_guard(group, g)) != SHOAL_NO_NODE;)
        if (!generalise_once(group, g, guard)) return false;
    group->loss = 0;
    for (uint32_t i = 0; i < group->values.n_present; i++) {
        uint32_t code = group->values.present[i];
        group->loss += group->values.counts[code] *
                       node_loss(&g->ladder->shape, group->published[code]);
    }
    return true;
}
