/* SPDX-License-Identifier: Apache-2.0 */
/* distance_index.h - the rows left, and searches for the nearest of them by hierarchy levels.
 *
 * The distance of two rows is the sum over attributes of the steps of both to their closest common
 * generalisation (distortion.h). Each attribute is a line of *places*: the leaves of its ladder,
 * then `*`, then the wild code.
 *
 *     places   0 ... n_leaves-1 | n_leaves | n_leaves+1
 *              leaves           | root     | wild
 *
 * For x below the leaves lo..hi of a tree node, join(x, lo) is at or below the join of x with each.
 *
 * A lower bound for leaves beyond lo is the ascent of x to join(x, lo) plus the least ascent of any
 * leaf to that node or to one above. If all leaves are equally deep, that is the distance to lo
 * itself. Distances are whole numbers, so the tree of kernel.h gives the same results as the scan;
 * ties go to the lower class number.
 *
 * A class label may be one more attribute: in searches that count it, rows with another label are
 * `label_cost` further away.
 *
 * Invariant: `left` and the tree's state agree. Cost: as kernel.h; tables of up to 512 KiB per
 * attribute.
 */
#ifndef SHOAL_DISTANCE_INDEX_H
#define SHOAL_DISTANCE_INDEX_H

#include "search/kernel.h"
#include "cost/distortion.h"

typedef struct shoal_distance_line {
    const shoal_ladder *ladder;
    uint32_t n_leaves;
    /*
     * [depth of the leaf * (height + 1) + depth]: distance of that depth from the root on the path
     */
    shoal_loss *steps;
    /* Of each node: the least ascent of a leaf below it to this node or a node above it. */
    shoal_loss *least_up;
    shoal_loss *pair;  /* n_leaves^2 distances; NULL for many leaves */
    shoal_loss *bound; /* likewise: bounds for all leaves beyond the second one */
} shoal_distance_line;

typedef struct shoal_distance_index {
    uint32_t n_attrs, n_classes;
    double unit; /* the integer that represents a distance of 1 */
    shoal_distance_line *lines;
    shoal_classes places; /* codes: the places of each class, its label last if there are labels */
    bool has_label, uses_tree;
    shoal_loss label_cost;
    uint32_t *left; /* rows of each class */
    uint64_t n_left;
    shoal_metric shape; /* gives the tree its shape */
    shoal_kernel *kernel;
    shoal_kernel_state state;
    uint32_t n_live_at_build;
    uint64_t n_evaluations, n_queries; /* of earlier trees */
} shoal_distance_index;

/*
 * At first all rows of the classes are left. With `has_label` the first extra column of the classes
 * is the label, and another label adds `lambda` (infinity: more than any distance). End with
 * shoal_distance_index_clear().
 */
SHOAL_NODISCARD shoal_status shoal_distance_index_make(shoal_distance_index *out,
                                                       const shoal_ladders *ladders,
                                                       const shoal_classes *classes, bool uses_tree,
                                                       bool has_label, double lambda,
                                                       shoal_error *err);
void shoal_distance_index_clear(shoal_distance_index *index);

/* Rebuild the tree if half of its classes have no rows left. */
SHOAL_NODISCARD shoal_status shoal_distance_index_tidy(shoal_distance_index *index,
                                                       shoal_error *err);
/* Remove rows of a class. */
void shoal_distance_index_take(shoal_distance_index *index, uint32_t class_index, uint32_t n_rows);

/* Distance of the rows of two classes, without labels. */
shoal_loss shoal_distance_of(const shoal_distance_index *index, uint32_t x, uint32_t y);

static inline uint32_t shoal_distance_label(const shoal_distance_index *index, uint32_t class_index)
{
    return index->places.codes[(size_t)class_index * index->places.n_attrs + index->n_attrs];
}

/* Ladder node of a class in an attribute, SHOAL_NO_NODE for the wild code. */
uint32_t shoal_distance_node(const shoal_distance_index *index, uint32_t class_index, uint32_t a);

/*
 * Search state of one thread: a copy of the rows left. Without a tree, threads share the index and
 * use this only for counters. Free with shoal_kernel_state_clear().
 */
SHOAL_NODISCARD shoal_status shoal_distance_asker_make(shoal_kernel_state *out,
                                                       const shoal_distance_index *index,
                                                       shoal_error *err);

/*
 * The classes nearest to a class (itself included), by distance and then number, until they have
 * `n_rows` rows left (or all are listed). `asker` may be NULL: the index's own. `out` has room for
 * n_rows entries or all classes.
 */
uint32_t shoal_distance_nearest(shoal_distance_index *index, shoal_kernel_state *asker,
                                uint32_t class_index, bool counts_label, uint32_t n_rows,
                                shoal_neighbour *out);

#endif
