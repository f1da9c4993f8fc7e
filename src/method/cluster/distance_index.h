/* SPDX-License-Identifier: Apache-2.0 */
/* distance_index.h - rows that are left, and the question which of them are nearest to one, by hierarchy levels.
 *
 * The distance of two rows is what both climb to their closest common generalisation (distortion.h), a sum over
 * attributes. Each attribute is a line of *places*: the leaves of its ladder, then `*`, then the wild code.
 *
 *     places   0 ... n_leaves-1 | n_leaves | n_leaves+1        x at 3, leaves lo..hi of a tree node beyond it:
 *              leaves           | root     | nobody            join(x, lo) is at or below every join with one of them
 *
 * A bound for leaves beyond lo is what x climbs to join(x, lo) and the least that any leaf climbs to that node or to
 * one above. Where all leaves are equally deep that is the distance to lo itself. Distances are whole numbers, so the
 * tree of kernel.h gives the same answers as the scan; ties go to the lower class number.
 *
 * A class label may be one more attribute: rows with another label are `label_cost` further away, in questions that
 * ask for it.
 *
 * Invariant: `left` and the tree's state agree. Cost: as kernel.h; tables of up to 512 KiB an attribute.
 */
#ifndef SHOAL_DISTANCE_INDEX_H
#define SHOAL_DISTANCE_INDEX_H

#include "search/kernel.h"
#include "cost/distortion.h"

typedef struct shoal_distance_line {
    const shoal_ladder *ladder;
    uint32_t n_leaves;
    shoal_loss *steps;    /* [depth of the leaf * (height + 1) + depth]: how far the depth is from the root on that path */
    shoal_loss *least_up; /* of each node: the least that a leaf below it climbs to it, or to a node above it */
    shoal_loss *pair;     /* n_leaves^2 distances, NULL where the leaves are many */
    shoal_loss *bound;    /* and bounds for all leaves beyond the second one */
} shoal_distance_line;

typedef struct shoal_distance_index {
    uint32_t n_attrs, n_classes;
    double unit;          /* whole-number distance of 1 */
    shoal_distance_line *lines;
    shoal_classes places; /* codes: the places of each class, its label last if there are labels */
    bool has_label, uses_tree;
    shoal_loss label_cost;
    uint32_t *left;       /* rows of each class */
    uint64_t n_left;
    shoal_metric shape;   /* gives the tree its shape */
    shoal_kernel *kernel;
    shoal_kernel_state state;
    uint32_t n_live_at_build;
    uint64_t n_evaluations, n_queries; /* of earlier trees */
} shoal_distance_index;

/*
 * All rows of the classes are left. With `has_label` the first extra column of the classes is the label and
 * another label counts `lambda` (infinity: more than any distance).
 */
SHOAL_NODISCARD shoal_status shoal_distance_index_make(shoal_distance_index *out, const shoal_ladders *ladders,
                                                      const shoal_classes *classes, bool uses_tree, bool has_label,
                                                      double lambda, shoal_error *err);
void shoal_distance_index_clear(shoal_distance_index *index);

/* Build the tree anew if it has lost half of its classes. */
SHOAL_NODISCARD shoal_status shoal_distance_index_tidy(shoal_distance_index *index, shoal_error *err);
void shoal_distance_index_take(shoal_distance_index *index, uint32_t class_index, uint32_t n_rows);

/* Distance of two classes' rows, labels apart. */
shoal_loss shoal_distance_of(const shoal_distance_index *index, uint32_t x, uint32_t y);

static inline uint32_t shoal_distance_label(const shoal_distance_index *index, uint32_t class_index)
{
    return index->places.codes[(size_t)class_index * index->places.n_attrs + index->n_attrs];
}

/* Ladder node of a class in an attribute, SHOAL_NO_NODE for the wild code. */
uint32_t shoal_distance_node(const shoal_distance_index *index, uint32_t class_index, uint32_t a);

/*
 * What one thread needs to ask: a copy of the rows left. Scanning threads share them, and only count here.
 * Free with shoal_kernel_state_clear().
 */
SHOAL_NODISCARD shoal_status shoal_distance_asker_make(shoal_kernel_state *out, const shoal_distance_index *index,
                                                      shoal_error *err);

/*
 * The classes nearest to a class (itself included), by distance and then number, until they hold `n_rows` rows left (or
 * all do). `asker` may be NULL: the index's own. `out` has room for n_rows entries or all classes.
 */
uint32_t shoal_distance_nearest(shoal_distance_index *index, shoal_kernel_state *asker, uint32_t class_index,
                                bool counts_label, uint32_t n_rows, shoal_neighbour *out);

#endif
