/* SPDX-License-Identifier: Apache-2.0 */
/* t_closeness_hierarchical.c - t-closeness with the distances of a hierarchy: values with a low
 * common ancestor are near.
 *
 *     distance of two values = height(lowest common ancestor) / height(root)
 *     EMD(q, p) <= t
 *
 * The height of a node is the number of steps down to its deepest leaf; leaves have height 0.
 * Values that are not in the hierarchy, and missing ones, are directly below the root. The surplus
 * or deficit of rows below a node must cross the edge to its parent, so
 *
 *     EMD(q, p) = 1/2 sum over nodes v of (height(parent) - height(v)) / height(root) * |Q_v - P_v|
 *
 * with Q_v, P_v the shares of rows below v. This equals the formula of the paper: the sum over
 * inner nodes of height(v) / height(root) times the lesser of the surplus and the deficit of its
 * children. Nodes without a row of the group contribute P_v, which is summed in advance, so only
 * the ancestors of the group's values are visited. O(p height) per group of p values; 16 bytes per
 * node. Li, Li, Venkatasubramanian: t-Closeness, ICDE 2007, section 5.3.
 */
#include "privacy/model.h"

typedef struct tree_weights {
    /* of the edge from each node to its parent: half the difference of heights / height of the root
     */
    double *weight;
    uint64_t *below; /* rows of the table below each node */
    double own;      /* weight of a value directly below the root that is not a leaf */
    /* sum of weight * below over nodes, plus own * rows over the values that are not leaves */
    double all;
} tree_weights;

static void clear(shoal_model *model)
{
    tree_weights *w = model->data;
    if (w == NULL) return;
    shoal_free(w->weight);
    shoal_free(w->below);
    shoal_free(w);
    model->data = NULL;
}

/* Children come before their parents in the order of nodes. */
static void fill(tree_weights *w, const shoal_model *model)
{
    const shoal_hierarchy *tree = model->attr->tree;
    uint32_t root = tree->n_nodes - 1;
    for (uint32_t node = 0; node < tree->n_leaves; node++) w->below[node] = model->totals[node];
    for (uint32_t node = 0; node < root; node++) { /* `weight` holds heights first */
        uint32_t parent = tree->parent[node];
        w->weight[parent] = fmax(w->weight[parent], w->weight[node] + 1);
        w->below[parent] += w->below[node];
    }
    double height = w->weight[root];
    w->own = 0.5;
    for (uint32_t node = 0; node < root; node++) {
        w->weight[node] = (w->weight[tree->parent[node]] - w->weight[node]) / (2 * height);
        w->all += w->weight[node] * (double)w->below[node];
    }
    w->weight[root] = 0;
    for (uint32_t code = model->attr->n_plain; code < model->attr->n_codes; code++)
        w->all += w->own * (double)model->totals[code];
}

static shoal_status prepare(shoal_model *model, shoal_error *err)
{
    tree_weights *w = shoal_alloc_zero(1, sizeof *w);
    if (w == NULL) return shoal_fail_memory(err);
    model->data = w;
    w->weight = shoal_alloc_zero(model->attr->tree->n_nodes, sizeof *w->weight);
    w->below = shoal_alloc_zero(model->attr->tree->n_nodes, sizeof *w->below);
    if (w->weight == NULL || w->below == NULL) {
        clear(model);
        return shoal_fail_memory(err);
    }
    fill(w, model);
    return SHOAL_OK;
}

/* The term of a node with rows of the group, minus its term without any (which is in `all`); in
 * rows of the table. */
static double change(double group_rows, uint64_t table_rows)
{
    return fabs(group_rows - (double)table_rows) - (double)table_rows;
}

/* Sum of changes on the path from present leaf i to the root, for the nodes whose first present
 * leaf it is. */
static double sum_way(const shoal_model *model, const shoal_tally *tally, const uint32_t *codes,
                      uint32_t n, uint32_t i, double scale)
{
    const tree_weights *w = model->data;
    const shoal_hierarchy *tree = model->attr->tree;
    uint32_t root = tree->n_nodes - 1, end = i;
    uint64_t n_rows = 0;
    double sum = 0;
    for (uint32_t node = codes[i]; node != root; node = tree->parent[node]) {
        /* this node and all above it were visited from an earlier leaf */
        if (i > 0 && codes[i - 1] >= tree->first[node]) break;
        for (; end < n && codes[end] <= tree->last[node]; end++)
            n_rows += tally->counts[codes[end]];
        sum += w->weight[node] * change((double)n_rows * scale, w->below[node]);
    }
    return sum;
}

static double achieved(const shoal_model *model, const shoal_group_view *group)
{
    const tree_weights *w = model->data;
    const shoal_tally *tally = shoal_model_tally(model, group);
    if (tally->n_rows == 0) return 0;
    const uint32_t *codes = shoal_tally_sorted(tally);
    double scale = (double)model->n_rows / (double)tally->n_rows, sum = w->all;
    uint32_t n_leaves = 0;
    while (n_leaves < tally->n_present && codes[n_leaves] < model->attr->n_plain) n_leaves++;
    for (uint32_t i = 0; i < n_leaves; i++) sum += sum_way(model, tally, codes, n_leaves, i, scale);
    for (uint32_t i = n_leaves; i < tally->n_present; i++)
        sum += w->own * change(tally->counts[codes[i]] * scale, model->totals[codes[i]]);
    return fmax(sum / (double)model->n_rows, 0);
}

static double lack(const shoal_model *model, const shoal_group_view *group)
{
    double distance = achieved(model, group), t = model->values[0];
    return shoal_lack_of(shoal_at_most(distance, t), (distance - t) * (double)group->n_rows);
}

const shoal_model_kind shoal_model_t_closeness_hierarchical = {
    .name = "t-closeness",
    .variant = "hierarchical",
    .values = "T",
    .summary = "the earth mover's distance between the sensitive values of every group and the "
               "whole table is at most T, with values below the same node closer",
    .help = "distance between the sensitive values of every group and the whole table: "
            "hierarchical:T, ordered:T or equal:T (default: by column type); repeatable",
    .letter = "t",
    .strength =
        &(const shoal_model_strength){
            "t", "1", "greatest earth mover's distance of a group from the whole table" },
    .n_values = 1,
    .least = 0,
    .most = 1,
    .is_monotone = true,
    .needs_tree = true,
    .uses_totals = true,
    .is_about_shares = true,
    .prepare = prepare,
    .clear = clear,
    .achieved = achieved,
    .lack = lack,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_MODEL,
              .place = 100,
              .names = "t-closeness-hierarchical|hierarchical-t-closeness|hierarchical",
              .title = "t-closeness for values with a hierarchy",
              .text = "The distance of two values is the height of their lowest common ancestor "
                      "divided by that of the hierarchy. For diagnoses and occupations.",
              .formula = "EMD with d(v,w) = height(lca(v,w)) / height",
              .source = "Li, Li, Venkatasubramanian 2007" },
            { 0 },
        },
};
