/* SPDX-License-Identifier: Apache-2.0 */
/* merge_index.h - classes that merge, and the question which class is nearest to one of fewer than k rows.
 *
 * A class is a tuple of ladder nodes (distortion.h) and a number of rows. The distance of a class of n1 < k rows to one
 * of n2 is what their rows climb to the closest common generalisation:
 *
 *     n1 * Distortion(t1, t12) + n2' * Distortion(t2, t12),   n2' = n2, or k - n1 where n1 + n2 >= 2k (the stub)
 *
 * By scanning every class is looked at. The tree is that of kernel.h over the classes' first leaves; a node of it
 * knows, for each attribute, the least *last* leaf, the greatest *first* leaf and the least depth of its classes:
 *
 *     t1 = [f1..l1]      the lowest node above t1 that reaches down to `least last` and up to `greatest first`
 *     ----[====]-----|-----|--->     is at or below every common node with a class in there: its cost bounds theirs.
 *
 * When classes merge, first leaves fall and last leaves rise, so bounds only get tighter: the merged class stays in the
 * place of the one that asked, and the path above it is summed up anew. Costs are whole numbers, so the tree gives
 * the same answers as the scan; ties go to the lower class number.
 *
 * Invariant: a node's summary is exact for the classes in it that have rows.
 * Cost: O(q log c) a change; a query looks at every class in the worst case. Memory: 20q bytes a class.
 */
#ifndef SHOAL_MERGE_INDEX_H
#define SHOAL_MERGE_INDEX_H

#include "search/kernel.h"
#include "cost/distortion.h"

typedef uint64_t shoal_cost; /* SHOAL_COST_UNIT is a distance of 1 */
#define SHOAL_COST_UNIT 16777216.0
#define SHOAL_COST_MAX UINT64_MAX

typedef struct shoal_merge_index {
    uint32_t k, n_attrs, n_classes, n_live;
    uint32_t *nodes;              /* n_classes x n_attrs ladder nodes, SHOAL_NO_NODE for wildcards */
    uint32_t *sizes;              /* rows of each class; 0: gone */
    uint64_t n_evaluations, n_queries;

    const shoal_ladders *ladders; /* borrowed */
    struct merge_line *lines;     /* one an attribute */
    struct merge_rung *rungs;     /* of the class that asks */
    uint32_t *n_rungs;

    bool uses_tree;
    shoal_metric metric;          /* gives the tree its shape */
    shoal_classes shape;          /* codes: the first leaf of each node */
    shoal_kernel *kernel;
    struct merge_summary *summaries; /* tree nodes x n_attrs */
    struct merge_count *counts;      /* one a tree node */
    struct merge_step *stack;
    uint32_t n_live_at_build;
} shoal_merge_index;

/* All classes as they are. */
SHOAL_NODISCARD shoal_status shoal_merge_index_make(shoal_merge_index *out, const shoal_ladders *ladders,
                                                   const shoal_classes *classes, uint32_t k, bool uses_tree,
                                                   shoal_error *err);
void shoal_merge_index_clear(shoal_merge_index *index);

/* Build the tree over the classes that have rows; must follow when a class comes back. Nothing without a tree. */
SHOAL_NODISCARD shoal_status shoal_merge_index_rebuild(shoal_merge_index *index, shoal_error *err);

/* Has the tree lost half of its classes, so that building it anew pays? */
static inline bool shoal_merge_index_is_thin(const shoal_merge_index *index)
{
    return index->uses_tree && index->n_live * 2 < index->n_live_at_build;
}

/* The other class nearest to class `of`, which has 1 to k-1 rows, or SHOAL_NO_CLASS when there is no other. */
uint32_t shoal_merge_index_nearest(shoal_merge_index *index, uint32_t of, shoal_cost *distance);

/* `into` takes in `n_rows` rows of `from`: it becomes their closest common generalisation. */
void shoal_merge_index_merge(shoal_merge_index *index, uint32_t into, uint32_t from, uint32_t n_rows);
/* The class goes, with all its rows. */
void shoal_merge_index_remove(shoal_merge_index *index, uint32_t class_index);

#endif
