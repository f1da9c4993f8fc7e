/* SPDX-License-Identifier: Apache-2.0 */
/* tree.h - the structure of a hierarchy.
 *
 * Leaves are nodes 0..n_leaves-1 in depth-first order, so a node covers the run
 * first[node]..last[node] of leaves; inner nodes follow in post-order (every child before its
 * parent), the root is node n_nodes-1. Hence the lowest common ancestor of a set of leaves is that
 * of its least and greatest leaf.
 */
#ifndef SHOAL_TREE_H
#define SHOAL_TREE_H

#include "base/base.h"

#include <shoal/hierarchy.h>

struct shoal_hierarchy {
    uint32_t n_leaves, n_nodes;
    uint32_t height;  /* steps from the deepest leaf to the root */
    uint32_t *parent; /* the root's is itself */
    uint32_t *first, *last;
    uint32_t *depth; /* 0 for the root */
    char **labels;   /* each ends in NUL */
    size_t *label_sizes;
    const char *root_name; /* what the file calls the root if that is not `*`, or NULL */
    size_t root_name_size;
    uint32_t *by_label;           /* nodes sorted by label, then wider first, for look-up */
    shoal_arena arena;            /* holds the labels */
    unsigned n_owners;            /* changed atomically */
    struct shoal_hierarchy *self; /* the tree, writable: owners hold it read-only, yet count
                                     themselves and free it */
};

#define SHOAL_NO_NODE UINT32_MAX

/*
 * Invariant, for SHOAL_INVARIANT() and tests: a leaf covers itself, a node the leaves of its
 * children and no others, children come before their parents and are one step deeper, and the root
 * is last.
 */
bool shoal_tree_is_sound(const shoal_hierarchy *tree);

/* Walks to the root take this many steps at most; files that are deeper are mistakes or attacks. */
#define SHOAL_MAX_HEIGHT 1000

/* The leaf with that label, or SHOAL_NO_NODE. */
uint32_t shoal_tree_find_leaf(const shoal_hierarchy *tree, const char *label, size_t length);
/* The widest node with that label (a leaf and its parent may share one), or SHOAL_NO_NODE; the root
 * by its own label, too. */
uint32_t shoal_tree_find_node(const shoal_hierarchy *tree, const char *label, size_t length);

/*
 * Number of nodes that share their label with a node that is neither above nor below them, so that
 * the label would be published with two meanings; *one and *other receive the first such pair.
 * O(n_nodes).
 */
uint32_t shoal_tree_count_ambiguous(const shoal_hierarchy *tree, uint32_t *one, uint32_t *other);

/* The lowest node that covers leaves lo..hi. O(height). */
static inline uint32_t shoal_tree_cover(const shoal_hierarchy *tree, uint32_t lo, uint32_t hi)
{
    uint32_t node = lo;
    while (tree->last[node] < hi) node = tree->parent[node];
    return node;
}

/* ---- making trees (tree.c) ---- */

/*
 * Make a tree from labelled nodes in any order: `parents[i]` is the index of the parent of node i,
 * or SHOAL_NO_NODE for a node directly below the root, which is not in the list and gets the label
 * `*`. Children keep the order of the list. Labels are copied. There must be no cycle
 * (SHOAL_EINTERNAL).
 */
SHOAL_NODISCARD shoal_status shoal_tree_make(shoal_hierarchy **out, const char *const *labels,
                                             const size_t *sizes, const uint32_t *parents,
                                             uint32_t n, shoal_error *err);
/* Remember what the file of a tree calls its root, which is published as `*`. */
SHOAL_NODISCARD shoal_status shoal_tree_name_root(shoal_hierarchy *tree, const char *label,
                                                  size_t size, shoal_error *err);

#endif
