/* SPDX-License-Identifier: Apache-2.0 */
/* box_index.h - which published tuples cover a record, without looking at all of them.
 *
 * A published tuple is a box: a cover for each attribute. The boxes are in a binary tree whose
 * nodes have, for each attribute, the range that holds all covers below. A record descends only
 * into nodes whose ranges hold it, so it costs the depth of the tree and the boxes near it.
 */
#ifndef SHOAL_BOX_INDEX_H
#define SHOAL_BOX_INDEX_H

#include "published/text_cover.h"

typedef struct shoal_box_node {
    uint32_t begin, end; /* boxes order[begin..end-1] */
    uint32_t child;      /* the first of two consecutive children, or 0 for a leaf */
} shoal_box_node;

typedef struct shoal_box_index {
    uint32_t n_boxes, n_attrs, n_nodes, depth;
    const shoal_text_cover **covers; /* n_boxes x n_attrs, borrowed covers */
    uint64_t *weights;               /* rows of each box */
    uint32_t *order;
    shoal_box_node *nodes;
    shoal_range *bounds; /* n_nodes x n_attrs */
} shoal_box_index;

/*
 * Room for boxes; the caller fills `covers` and `weights`, then calls shoal_box_index_build().
 * False when memory is short. End with shoal_box_index_clear() in any case.
 */
bool shoal_box_index_reserve(shoal_box_index *out, uint32_t n_boxes, uint32_t n_attrs);
bool shoal_box_index_build(shoal_box_index *index);
void shoal_box_index_clear(shoal_box_index *index);

/* Entries that the scratch of a search needs. */
static inline size_t shoal_box_stack_size(const shoal_box_index *index)
{
    return (size_t)index->depth + 3;
}

/*
 * Call `visit` for every box that covers the record with these attribute codes, in an order that
 * depends on the boxes alone. May be used from several threads at once, each with its own stack.
 */
void shoal_box_index_search(const shoal_box_index *index, const uint32_t *codes, uint32_t *stack,
                            void (*visit)(uint32_t box, void *payload), void *payload);

/* Rows of all boxes that cover the record. */
uint64_t shoal_box_index_rows(const shoal_box_index *index, const uint32_t *codes, uint32_t *stack);

#endif
