/* SPDX-License-Identifier: Apache-2.0 */
/* draft.h - a hierarchy while it is being read or built: nodes found by level and label.
 *
 * Readers and builders add nodes and set their parents; shoal_draft_finish() makes the tree. Level 0 are
 * the leaves (a child,parent table keeps all its nodes there: it knows labels only).
 */
#ifndef SHOAL_DRAFT_H
#define SHOAL_DRAFT_H

#include "hierarchy/tree.h"

typedef struct shoal_draft_node {
    const char *label; /* borrowed, or in the draft's arena */
    size_t size;
    uint64_t line;     /* of the file, where it was first seen; 0 where there is none */
    uint32_t level;
    uint32_t parent;   /* SHOAL_NO_NODE: directly below the root */
    uint32_t hash;
} shoal_draft_node;

typedef struct shoal_draft {
    shoal_draft_node *nodes;
    uint32_t n_nodes;
    size_t capacity;
    uint32_t *slots;   /* node + 1, or 0; a power of two of them */
    size_t n_slots;
    uint32_t root;     /* the node that stands for the root and is left out of the tree, or SHOAL_NO_NODE */
    shoal_arena arena;
} shoal_draft;

#define SHOAL_DRAFT_INIT { .root = SHOAL_NO_NODE }

/* The node of that level and label, or SHOAL_NO_NODE. */
uint32_t shoal_draft_find(const shoal_draft *draft, uint32_t level, const char *label, size_t size);
/* The same, added without a parent where it is new. The label is borrowed. */
SHOAL_NODISCARD shoal_status shoal_draft_add(uint32_t *node, bool *is_new, shoal_draft *draft, uint32_t level,
                                            const char *label, size_t size, shoal_error *err);
/* The same; a new label is copied. */
SHOAL_NODISCARD shoal_status shoal_draft_add_copy(uint32_t *node, bool *is_new, shoal_draft *draft, uint32_t level,
                                                 const char *label, size_t size, shoal_error *err);
/* The tree. Parents must not form a cycle. */
SHOAL_NODISCARD shoal_status shoal_draft_finish(shoal_hierarchy **out, const shoal_draft *draft, shoal_error *err);
void shoal_draft_clear(shoal_draft *draft);

#endif
