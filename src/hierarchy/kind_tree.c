/* SPDX-License-Identifier: Apache-2.0 */
/* kind_tree.c - categories with a hierarchy: covered by the lowest node above them.
 *
 * Plain codes are the leaves, depth-first, so the node depends only on the least and greatest code.
 * The loss of a node over s leaves is (s-1)/(|D|-1).
 *
 * Cost of making one: O(values log leaves).
 */
#include "hierarchy/kind.h"

static bool takes(const shoal_column *column)
{
    return column->type == SHOAL_TYPE_CATEGORICAL && column->hierarchy != NULL;
}

/* Values that are not in the hierarchy. */
typedef struct lacking {
    uint32_t n_values;
    uint64_t n_rows;
    uint32_t first_value;
} lacking;

static shoal_status fail_lacking(const shoal_column *column, uint64_t n_rows,
                                 const lacking *missing, shoal_error *err)
{
    uint64_t row = 0;
    while (row < n_rows && shoal_column_code(column, row) != missing->first_value) row++;
    return shoal_fail(
        err, SHOAL_EDATA,
        "column '{column %s}': %u of its %u distinct values are not in the hierarchy (%llu rows, "
        "for example row {row %llu}) {fix} add them to the hierarchy, or use {--on-missing} top or "
        "{--on-missing} own-leaf, or name them with {--null} if they mean missing",
        column->name, missing->n_values, column->n_values, (unsigned long long)missing->n_rows,
        (unsigned long long)row + 1);
}

/*
 * Codes are the leaves, then values directly below the root, then one code for all values
 * known only as `*`, then the wild code. TOP and WILD are placeholders until the number of codes is
 * known.
 */
static shoal_status map_tree_values(shoal_attribute *attr, const shoal_table *table,
                                    shoal_missing mode, shoal_error *err)
{
    const shoal_column *column = attr->source;
    const uint32_t TOP = SHOAL_NO_CODE - 1, WILD = SHOAL_NO_CODE - 2;
    lacking missing = { 0 };
    uint32_t next = attr->tree->n_leaves;
    bool has_top = false, has_wild = false;
    attr->n_plain = next;
    for (uint32_t v = 0; v < column->n_values; v++) {
        bool is_null = v == column->null_code;
        uint32_t leaf = is_null && mode != SHOAL_MISSING_OWN_CATEGORY
                            ? SHOAL_NO_NODE
                            : shoal_tree_find_leaf(attr->tree, column->values[v].data,
                                                   column->values[v].length);
        uint32_t code = leaf;
        if (leaf == SHOAL_NO_NODE && is_null)
            code = mode == SHOAL_MISSING_WILDCARD       ? WILD
                   : mode == SHOAL_MISSING_CONSERVATIVE ? TOP
                                                        : next++;
        else if (leaf == SHOAL_NO_NODE && column->on_missing == SHOAL_ON_MISSING_OWN_LEAF)
            code = next++;
        else if (leaf == SHOAL_NO_NODE) {
            code = TOP;
            if (missing.n_values++ == 0) missing.first_value = v;
            missing.n_rows += column->counts[v];
        }
        has_top |= code == TOP;
        has_wild |= code == WILD;
        attr->code_of_value[v] = code;
    }
    if (missing.n_values > 0 && column->on_missing == SHOAL_ON_MISSING_ERROR)
        return fail_lacking(column, table->n_rows, &missing, err);
    attr->top_from = next;
    attr->n_codes = next + has_top + has_wild;
    if (has_wild) attr->wild_code = attr->n_codes - 1;
    for (uint32_t c = 0; c < attr->n_codes; c++) attr->value_of_code[c] = SHOAL_NO_CODE;
    for (uint32_t v = 0; v < column->n_values; v++) {
        uint32_t *code = &attr->code_of_value[v];
        if (*code == TOP) *code = attr->top_from;
        if (*code == WILD) *code = attr->wild_code;
        if (attr->value_of_code[*code] == SHOAL_NO_CODE) attr->value_of_code[*code] = v;
    }
    return SHOAL_OK;
}

/* Set the loss (s - 1) / (|D| - 1) of each node; s and |D| count the leaves of the tree or only
 * those in the data. */
static void weigh_nodes(shoal_attribute *attr, bool data_only)
{
    const shoal_hierarchy *tree = attr->tree;
    uint32_t own = attr->top_from - attr->n_plain, root = tree->n_nodes - 1;
    for (uint32_t node = 0; node < tree->n_nodes; node++) attr->node_loss[node] = 0;
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++)
        attr->node_loss[leaf] = !data_only || attr->value_of_code[leaf] != SHOAL_NO_CODE;
    for (uint32_t node = 0; node < root; node++) /* children come before their parents */
        attr->node_loss[tree->parent[node]] += attr->node_loss[node];
    double total = attr->node_loss[root] + own;
    attr->node_loss[root] = attr->domain_size = total;
    for (uint32_t node = 0; node < tree->n_nodes; node++) {
        double leaves = attr->node_loss[node];
        attr->node_loss[node] = total > 1 && leaves > 1 ? (leaves - 1) / (total - 1) : 0;
    }
    bool has_top = attr->n_codes - attr->top_from > (attr->wild_code != SHOAL_NO_CODE);
    /* some rows are known only as `*`: the root then loses everything, even if |D| is 1 */
    if (has_top) attr->node_loss[root] = 1;
}

static shoal_status make(shoal_attribute *attr, const shoal_table *table, shoal_missing mode,
                         shoal_error *err)
{
    attr->tree = attr->source->hierarchy;
    size_t room = (size_t)attr->tree->n_leaves + attr->source->n_values + 2;
    attr->value_of_code = shoal_alloc(room, sizeof *attr->value_of_code);
    attr->node_loss = shoal_alloc(attr->tree->n_nodes, sizeof *attr->node_loss);
    if (attr->value_of_code == NULL || attr->node_loss == NULL) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(map_tree_values(attr, table, mode, err));
    weigh_nodes(attr, table->domain_is_data);
    return SHOAL_OK;
}

static double loss(const shoal_attribute *attr, shoal_range range, uint32_t n_values)
{
    (void)n_values;
    if (range.lo >= range.hi) /* one code, or none */
        return range.lo == range.hi && range.lo >= attr->top_from ? 1 : 0;
    if (range.hi >= attr->n_plain) return 1;
    return attr->node_loss[shoal_tree_cover(attr->tree, range.lo, range.hi)];
}

static double node_loss(const shoal_attribute *attr, uint32_t node)
{
    return attr->node_loss[node];
}

/* Leaves under one lowest ancestor become that node; whatever is published as `*` the root. */
static shoal_range cell(const shoal_attribute *attr, shoal_range range, uint32_t n_values)
{
    (void)n_values;
    bool is_lone_top = range.lo == range.hi && range.lo >= attr->top_from;
    bool is_mixed = range.lo < range.hi && range.hi >= attr->n_plain;
    if (is_lone_top || is_mixed) return (shoal_range){ SHOAL_CELL_NODE, attr->tree->n_nodes - 1 };
    if (range.lo == range.hi) return range;
    return (shoal_range){ SHOAL_CELL_NODE, shoal_tree_cover(attr->tree, range.lo, range.hi) };
}

const shoal_kind shoal_kind_tree = {
    .name = "tree",
    .types = "categorical",
    .is_tree = true,
    .flat_height = 1,
    .takes = takes,
    .make = make,
    .loss = loss,
    .node_loss = node_loss,
    .cell = cell,
};
