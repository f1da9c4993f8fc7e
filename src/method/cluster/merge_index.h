/* SPDX-License-Identifier: Apache-2.0 */
/* merge_index.h - classes that are merged, and searches for the class nearest to one of fewer than
 * k rows.
 *
 * A class is a tuple of ladder nodes (distortion.h) and a number of rows. The distance of a class
 * of n1 < k rows to one of n2 is the ascent of their rows to the closest common generalisation:
 *
 *     n1 * Distortion(t1, t12) + n2' * Distortion(t2, t12)
 *
 * with n2' = n2, or k - n1 (the stub) if n1 + n2 >= 2k.
 *
 * A scan compares every class. The tree is that of kernel.h over the classes' first leaves; a tree
 * node stores, for each attribute, the least *last* leaf, the greatest *first* leaf and the least
 * depth of its classes:
 *
 *     t1 = [f1..l1]   `least last`   `greatest first`
 *     ----[======]---------|----------------|-------->  leaves
 *
 * The lowest node above t1 that reaches down to `least last` and up to `greatest first` is at or
 * below every common node of t1 with these classes, so its cost is a lower bound of theirs.
 *
 * Merging only lowers first leaves and raises last leaves, so bounds only get tighter: the merged
 * class keeps the place of the small one, and the summaries on the path above it are recomputed.
 * Costs are whole numbers, so the tree gives the same results as the scan; ties go to the lower
 * class number.
 *
 * Invariant: a node's summary is exact for the classes in it that have rows.
 * Cost: O(q log c) per change; a query compares every class in the worst case. Memory: 20q bytes
 * per class.
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
    uint32_t *nodes; /* n_classes x n_attrs ladder nodes; SHOAL_NO_NODE: a wildcard */
    uint32_t *sizes; /* rows of each class; 0: merged or removed */
    uint64_t n_evaluations, n_queries;

    const shoal_ladders *ladders; /* borrowed */
    struct merge_line *lines;     /* one per attribute */
    struct merge_rung *rungs;     /* of the query's class */
    uint32_t *n_rungs;

    bool uses_tree;
    shoal_metric metric; /* gives the tree its shape */
    shoal_classes shape; /* codes: the first leaf of each node */
    shoal_kernel *kernel;
    struct merge_summary *summaries; /* tree nodes x n_attrs */
    struct merge_count *counts;      /* one per tree node */
    struct merge_step *stack;
    uint32_t n_live_at_build;
} shoal_merge_index;

/* An index over all classes, unmerged; end with shoal_merge_index_clear(). */
SHOAL_NODISCARD shoal_status shoal_merge_index_make(shoal_merge_index *out,
                                                    const shoal_ladders *ladders,
                                                    const shoal_classes *classes, uint32_t k,
                                                    bool uses_tree, shoal_error *err);
void shoal_merge_index_clear(shoal_merge_index *index);

/*
 * Build the tree over the classes with rows; needed after a class gets rows again. No effect
 * without a tree.
 */
SHOAL_NODISCARD shoal_status shoal_merge_index_rebuild(shoal_merge_index *index, shoal_error *err);

/* Have half of the tree's classes no rows left, so that a rebuild is worthwhile? */
static inline bool shoal_merge_index_is_thin(const shoal_merge_index *index)
{
    return index->uses_tree && index->n_live * 2 < index->n_live_at_build;
}

/*
 * The other class nearest to class `of`, which has 1 to k-1 rows, or SHOAL_NO_CLASS when there is
 * no other.
 */
uint32_t shoal_merge_index_nearest(shoal_merge_index *index, uint32_t of, shoal_cost *distance);

/* Move `n_rows` rows of `from` to `into`, which becomes their closest common generalisation. */
void shoal_merge_index_merge(shoal_merge_index *index, uint32_t into, uint32_t from,
                             uint32_t n_rows);
/* Remove a class with all its rows. */
void shoal_merge_index_remove(shoal_merge_index *index, uint32_t class_index);

#endif
