/* SPDX-License-Identifier: Apache-2.0 */
/* draft.h - a hierarchy while it is read or built: nodes are found by level and label.
 *
 * Readers and builders add nodes and set their parents; shoal_draft_finish() makes the tree. Leaves
 * are on level 0 (child,parent tables have no levels: all their nodes are on level 0).
 */
#ifndef SHOAL_DRAFT_H
#define SHOAL_DRAFT_H

#include "hierarchy/tree.h"

typedef struct shoal_draft_node {
    const char *label; /* borrowed, or in the draft's arena */
    size_t size;
    uint64_t line; /* of the file, where it first occurs; 0: none */
    uint32_t level;
    uint32_t parent; /* SHOAL_NO_NODE: directly below the root */
    uint32_t hash;
    bool is_left_out; /* it is no node of the tree; nothing may be below it */
} shoal_draft_node;

typedef struct shoal_draft {
    shoal_draft_node *nodes;
    uint32_t n_nodes;
    size_t capacity;
    uint32_t *slots; /* node + 1, or 0 */
    size_t n_slots;  /* a power of two */
    uint32_t root;   /* the node that is the root of the tree, or SHOAL_NO_NODE */
    shoal_arena arena;
} shoal_draft;

#define SHOAL_DRAFT_INIT                                                                           \
    {                                                                                              \
        .root = SHOAL_NO_NODE                                                                      \
    }

/* The node of that level and label, or SHOAL_NO_NODE. */
uint32_t shoal_draft_find(const shoal_draft *draft, uint32_t level, const char *label, size_t size);
/*
 * The same; a new node is added without a parent. The label is borrowed: it must outlive the draft.
 */
SHOAL_NODISCARD shoal_status shoal_draft_add(uint32_t *node, bool *is_new, shoal_draft *draft,
                                             uint32_t level, const char *label, size_t size,
                                             shoal_error *err);
/* The same; a new label is copied. */
SHOAL_NODISCARD shoal_status shoal_draft_add_copy(uint32_t *node, bool *is_new, shoal_draft *draft,
                                                  uint32_t level, const char *label, size_t size,
                                                  shoal_error *err);
/* Make the tree, which copies all labels. Parents must not form a cycle. */
SHOAL_NODISCARD shoal_status shoal_draft_finish(shoal_hierarchy **out, const shoal_draft *draft,
                                                shoal_error *err);
void shoal_draft_clear(shoal_draft *draft);

#endif
