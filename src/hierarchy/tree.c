/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c - makes trees from parent links, queries, shares and frees them.
 *
 * Making: child lists by counting sort; a depth-first walk with an explicit stack numbers the nodes
 * (leaves when they are reached, inner nodes when they are left); leaf runs and depths then follow
 * from the numbers alone, because every child has a smaller number than its parent. Labels are in
 * one block in list order. Invariants: see tree.h; tested on random trees. O(n log n) time for
 * sorting labels, else O(n).
 */
#include "base/invariant.h"
#include "hierarchy/key_sort.h"
#include "hierarchy/tree.h"

#include <stdlib.h>
#include <string.h>

/* ---- making ---- */

/* The children of each node, and of the root (as node n), in one array. */
typedef struct child_lists {
    uint32_t *start; /* n + 2 */
    uint32_t *child; /* n */
} child_lists;

static bool list_children(child_lists *lists, const uint32_t *parents, uint32_t n)
{
    lists->start = shoal_alloc_zero((size_t)n + 2, sizeof *lists->start);
    lists->child = shoal_alloc(n, sizeof *lists->child);
    if (lists->start == NULL || lists->child == NULL) return false;
    /* counts are shifted by one place: filling advances next[p], which is start[p + 1], to the end
     * of list p */
    uint32_t *next = lists->start + 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t p = parents[i] == SHOAL_NO_NODE ? n : parents[i];
        if (p < n) next[p + 1]++; /* the root's list is the last: it needs no count */
    }
    for (uint32_t i = 1; i <= n; i++) next[i] += next[i - 1];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t p = parents[i] == SHOAL_NO_NODE ? n : parents[i];
        lists->child[next[p]++] = i;
    }
    return true;
}

static bool allocate_nodes(shoal_hierarchy *tree, uint32_t n_nodes)
{
    tree->n_nodes = n_nodes;
    tree->parent = shoal_alloc(n_nodes, sizeof *tree->parent);
    tree->first = shoal_alloc(n_nodes, sizeof *tree->first);
    tree->last = shoal_alloc(n_nodes, sizeof *tree->last);
    tree->depth = shoal_alloc(n_nodes, sizeof *tree->depth);
    tree->labels = shoal_alloc(n_nodes, sizeof *tree->labels);
    tree->label_sizes = shoal_alloc(n_nodes, sizeof *tree->label_sizes);
    tree->by_label = shoal_alloc(n_nodes, sizeof *tree->by_label);
    return tree->parent != NULL && tree->first != NULL && tree->last != NULL &&
           tree->depth != NULL && tree->labels != NULL && tree->label_sizes != NULL &&
           tree->by_label != NULL;
}

/*
 * Number the nodes: number[i] for node i of the list, the root being node n. Returns how many were
 * reached: fewer than n + 1 if there is a cycle. The stack `path` leads to the current node; at[i]
 * is the next child of node i.
 */
static uint32_t number_nodes(uint32_t *number, uint32_t *n_leaves, const child_lists *lists,
                             uint32_t *path, uint32_t *at, uint32_t n)
{
    uint32_t n_inner_before = 0, n_path = 0, reached = 0;
    *n_leaves = 0;
    for (uint32_t i = 0; i < n; i++) *n_leaves += lists->start[i] == lists->start[i + 1];
    memcpy(at, lists->start, ((size_t)n + 1) * sizeof *at);
    uint32_t next_leaf = 0;
    path[n_path++] = n;
    while (n_path > 0) {
        uint32_t i = path[n_path - 1];
        if (at[i] < lists->start[i + 1]) {
            path[n_path++] = lists->child[at[i]++];
            continue;
        }
        bool is_leaf = i < n && lists->start[i] == lists->start[i + 1];
        number[i] = is_leaf ? next_leaf++ : *n_leaves + n_inner_before++;
        reached++;
        n_path--;
    }
    return reached;
}

static bool copy_labels(shoal_hierarchy *tree, const uint32_t *number, const char *const *labels,
                        const size_t *sizes, uint32_t n)
{
    size_t total = 2; /* the root's `*` */
    for (uint32_t i = 0; i < n; i++)
        if (__builtin_add_overflow(total, sizes[i] + 1, &total)) return false;
    char *to = shoal_arena_alloc(&tree->arena, total);
    if (to == NULL) return false;
    for (uint32_t i = 0; i <= n; i++) {
        const char *label = i < n ? labels[i] : "*";
        size_t size = i < n ? sizes[i] : 1;
        if (size > 0) memcpy(to, label, size);
        to[size] = '\0';
        tree->labels[number[i]] = to;
        tree->label_sizes[number[i]] = size;
        to += size + 1;
    }
    return true;
}

/* Set parents; then runs of leaves upwards, depths downwards. */
static void link_nodes(shoal_hierarchy *tree, const uint32_t *number, const uint32_t *parents,
                       uint32_t n)
{
    uint32_t root = tree->n_nodes - 1;
    for (uint32_t i = 0; i < n; i++)
        tree->parent[number[i]] = parents[i] == SHOAL_NO_NODE ? root : number[parents[i]];
    tree->parent[root] = root;
    for (uint32_t v = 0; v < tree->n_nodes; v++) {
        tree->first[v] = v < tree->n_leaves ? v : UINT32_MAX;
        tree->last[v] = v < tree->n_leaves ? v : 0;
    }
    for (uint32_t v = 0; v < root; v++) {
        uint32_t p = tree->parent[v];
        if (tree->first[v] < tree->first[p]) tree->first[p] = tree->first[v];
        if (tree->last[v] > tree->last[p]) tree->last[p] = tree->last[v];
    }
    tree->depth[root] = 0;
    tree->height = 0;
    for (uint32_t v = root; v-- > 0;) {
        tree->depth[v] = tree->depth[tree->parent[v]] + 1;
        if (tree->depth[v] > tree->height) tree->height = tree->depth[v];
    }
}

static int compare_texts(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t common = a_size < b_size ? a_size : b_size;
    int order = common > 0 ? memcmp(a, b, common) : 0;
    if (order != 0) return order;
    return (a_size > b_size) - (a_size < b_size);
}

/* Labels ascending; among equal ones the wider first, and of equally wide ones the higher node. */
static bool is_label_after(uint32_t a, uint32_t b, const void *payload)
{
    const shoal_hierarchy *tree = payload;
    int order = compare_texts(tree->labels[a], tree->label_sizes[a], tree->labels[b],
                              tree->label_sizes[b]);
    if (order != 0) return order > 0;
    uint32_t a_width = tree->last[a] - tree->first[a], b_width = tree->last[b] - tree->first[b];
    return a_width != b_width ? a_width < b_width : a < b;
}

static bool sort_labels(shoal_hierarchy *tree)
{
    shoal_keyed *items = shoal_alloc(tree->n_nodes, 2 * sizeof *items);
    if (items == NULL) return false;
    for (uint32_t v = 0; v < tree->n_nodes; v++)
        items[v] = (shoal_keyed){ shoal_label_key(tree->labels[v], tree->label_sizes[v]), v };
    shoal_key_sort(items, items + tree->n_nodes, tree->n_nodes, is_label_after, tree);
    for (uint32_t v = 0; v < tree->n_nodes; v++) tree->by_label[v] = items[v].index;
    shoal_free(items);
    return true;
}

bool shoal_tree_is_sound(const shoal_hierarchy *tree)
{
    uint32_t root = tree->n_nodes - 1, *n_below = calloc(tree->n_nodes, sizeof *n_below);
    bool ok = tree->parent[root] == root && tree->depth[root] == 0 && tree->first[root] == 0 &&
              tree->last[root] == tree->n_leaves - 1;
    for (uint32_t node = 0; n_below != NULL && ok && node < tree->n_nodes; node++) {
        uint32_t parent = tree->parent[node];
        if (node < tree->n_leaves) n_below[node] = 1;
        ok = tree->first[node] <= tree->last[node] &&
             n_below[node] == tree->last[node] - tree->first[node] + 1 &&
             (node >= tree->n_leaves || tree->first[node] == node);
        if (node == root || !ok) break;
        ok = parent > node && tree->depth[node] == tree->depth[parent] + 1 &&
             tree->first[parent] <= tree->first[node] && tree->last[node] <= tree->last[parent];
        n_below[parent] += n_below[node];
    }
    free(n_below);
    return ok;
}

static shoal_status fill_tree(shoal_hierarchy *tree, const char *const *labels, const size_t *sizes,
                              const uint32_t *parents, uint32_t n, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    child_lists lists = { 0 };
    uint32_t *number = shoal_alloc((size_t)n + 1, 3 * sizeof *number);
    if (number == NULL || !list_children(&lists, parents, n) || !allocate_nodes(tree, n + 1)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    uint32_t *path = number + n + 1, *at = path + n + 1;
    if (number_nodes(number, &tree->n_leaves, &lists, path, at, n) != n + 1) {
        status = shoal_fail(err, SHOAL_EINTERNAL, "internal error: hierarchy with a cycle");
        goto out;
    }
    link_nodes(tree, number, parents, n);
    if (tree->height > SHOAL_MAX_HEIGHT) {
        status = shoal_fail(err, SHOAL_EDATA,
                            "hierarchy: %u levels above the deepest leaf {fix} use at most %d",
                            tree->height, SHOAL_MAX_HEIGHT);
        goto out;
    }
    if (!copy_labels(tree, number, labels, sizes, n) || !sort_labels(tree))
        status = shoal_fail_memory(err);
    SHOAL_INVARIANT(status != SHOAL_OK || shoal_tree_is_sound(tree));
out:
    shoal_free(number);
    shoal_free(lists.start);
    shoal_free(lists.child);
    return status;
}

shoal_status shoal_tree_make(shoal_hierarchy **out, const char *const *labels, const size_t *sizes,
                             const uint32_t *parents, uint32_t n, shoal_error *err)
{
    if (n == 0)
        return shoal_fail(err, SHOAL_EDATA, "hierarchy: no leaves {fix} add at least one value");
    if (n > UINT32_MAX - 2)
        return shoal_fail(err, SHOAL_EDATA, "hierarchy: more than 4 billion labels");
    shoal_hierarchy *tree = shoal_alloc_zero(1, sizeof *tree);
    if (tree == NULL) return shoal_fail_memory(err);
    tree->n_owners = 1;
    tree->self = tree;
    shoal_status status = fill_tree(tree, labels, sizes, parents, n, err);
    if (status == SHOAL_OK)
        *out = tree;
    else
        shoal_hierarchy_free(tree);
    return status;
}

shoal_status shoal_tree_name_root(shoal_hierarchy *tree, const char *label, size_t size,
                                  shoal_error *err)
{
    char *copy = shoal_arena_alloc(&tree->arena, size > 0 ? size : 1);
    if (copy == NULL) return shoal_fail_memory(err);
    if (size > 0) memcpy(copy, label, size);
    tree->root_name = copy;
    tree->root_name_size = size;
    return SHOAL_OK;
}

/* ---- sharing ---- */

const shoal_hierarchy *shoal_hierarchy_retain(const shoal_hierarchy *hierarchy)
{
    if (hierarchy != NULL) __atomic_add_fetch(&hierarchy->self->n_owners, 1, __ATOMIC_RELAXED);
    return hierarchy;
}

void shoal_hierarchy_free(const shoal_hierarchy *hierarchy)
{
    if (hierarchy == NULL) return;
    shoal_hierarchy *tree = hierarchy->self;
    if (__atomic_sub_fetch(&tree->n_owners, 1, __ATOMIC_ACQ_REL) > 0) return;
    shoal_free(tree->parent);
    shoal_free(tree->first);
    shoal_free(tree->last);
    shoal_free(tree->depth);
    shoal_free(tree->labels);
    shoal_free(tree->label_sizes);
    shoal_free(tree->by_label);
    shoal_arena_clear(&tree->arena);
    shoal_free(tree);
}

void shoal_string_free(char *string)
{
    shoal_free(string);
}

/* ---- queries ---- */

uint32_t shoal_hierarchy_n_leaves(const shoal_hierarchy *hierarchy)
{
    return hierarchy->n_leaves;
}

uint32_t shoal_hierarchy_n_nodes(const shoal_hierarchy *hierarchy)
{
    return hierarchy->n_nodes;
}

uint32_t shoal_hierarchy_height(const shoal_hierarchy *hierarchy)
{
    return hierarchy->height;
}

const char *shoal_hierarchy_label(const shoal_hierarchy *hierarchy, uint32_t node)
{
    return hierarchy->labels[node];
}

uint32_t shoal_hierarchy_parent(const shoal_hierarchy *hierarchy, uint32_t node)
{
    return hierarchy->parent[node];
}

uint32_t shoal_hierarchy_find_leaf(const shoal_hierarchy *hierarchy, const char *label,
                                   size_t length)
{
    return shoal_tree_find_leaf(hierarchy, label, length);
}

void shoal_hierarchy_leaves(const shoal_hierarchy *hierarchy, uint32_t node, uint32_t *first,
                            uint32_t *last)
{
    *first = hierarchy->first[node];
    *last = hierarchy->last[node];
}

/* Binary search: how many nodes of by_label have labels below the text (with `or_equal`: below or
 * equal). */
static uint32_t count_below(const shoal_hierarchy *tree, const char *label, size_t length,
                            bool or_equal)
{
    uint32_t low = 0, high = tree->n_nodes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, v = tree->by_label[middle];
        int order = compare_texts(tree->labels[v], tree->label_sizes[v], label, length);
        if (order < 0 || (or_equal && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_label(const shoal_hierarchy *tree, uint32_t node, const char *label, size_t length)
{
    return compare_texts(tree->labels[node], tree->label_sizes[node], label, length) == 0;
}

uint32_t shoal_tree_find_leaf(const shoal_hierarchy *tree, const char *label, size_t length)
{
    uint32_t after = count_below(tree, label, length, true);
    if (after == 0) return SHOAL_NO_NODE;
    /* among equal labels a leaf is the narrowest node, so the last */
    uint32_t node = tree->by_label[after - 1];
    return node < tree->n_leaves && has_label(tree, node, label, length) ? node : SHOAL_NO_NODE;
}

uint32_t shoal_tree_find_node(const shoal_hierarchy *tree, const char *label, size_t length)
{
    uint32_t at = count_below(tree, label, length, false);
    if (at < tree->n_nodes && has_label(tree, tree->by_label[at], label, length))
        return tree->by_label[at];
    bool is_root = tree->root_name != NULL &&
                   compare_texts(tree->root_name, tree->root_name_size, label, length) == 0;
    return is_root ? tree->n_nodes - 1 : SHOAL_NO_NODE;
}

uint32_t shoal_tree_count_ambiguous(const shoal_hierarchy *tree, uint32_t *one, uint32_t *other)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < tree->n_nodes; i++) {
        uint32_t above = tree->by_label[i - 1], node = tree->by_label[i];
        if (!has_label(tree, above, tree->labels[node], tree->label_sizes[node])) continue;
        if (tree->first[node] >= tree->first[above] && tree->last[node] <= tree->last[above])
            continue;
        if (n++ == 0) *one = above, *other = node;
    }
    return n;
}
