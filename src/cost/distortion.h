/* SPDX-License-Identifier: Apache-2.0 */
/* distortion.h - the distance of generalised values from their originals in levels of a hierarchy.
 *
 * Every attribute is a *ladder*: a tree of levels with the root `*` at depth 0. A cell that is
 * generalised from a node at depth p to its ancestor at depth q is distorted by the weights of
 * these steps over the weights of all steps of its path:
 *
 *     WHD = (ascent[p] - ascent[q]) / whole[deepest]
 *     ascent[d] = sum over steps j = 1..d from the root of w_j
 *
 *     uniform     w_j = 1                                                 whole[d] = ascent[d]
 *     height      w_j = 1 / j^beta: steps near the root distort more      whole[d] = ascent[d]
 *     koc-height  w_j = 1 / (j+1)^gamma, divided by the number of steps   whole[d] = d
 *     listed      any positive number for each step                       whole[d] = ascent[d]
 *
 * koc-height is the weight that Pramanik et al. use in their example; their formula, read as the
 * one above, would give another number. `deepest` is the depth of the leaf, so leaves of different
 * depth each lose 1 at the root (not with koc-height); an inner node uses the path of its deepest
 * leaf.
 *
 * Ladders: the levels of the hierarchy (also for numbers with one); {value, interval, *} for other
 * numbers, where one node represents every interval; {value, *} for sets. Values directly below the
 * root are leaves at depth 1, codes known only as `*` are the root, and the wild code is
 * SHOAL_NO_NODE: it costs nothing and does not change a join.
 *
 * Li, Wong, Fu, Pei: Achieving k-Anonymity by Clustering in Attribute Hierarchical Structures,
 * DaWaK 2006, definitions 5 to 10. Sun et al. 2008, definitions 3 to 8 (priorities). Pramanik et
 * al. 2016 (koc-height).
 */
#ifndef SHOAL_DISTORTION_H
#define SHOAL_DISTORTION_H

#include "cost/step_weights.h"
#include "hierarchy/attribute.h"

typedef struct shoal_ladder {
    shoal_hierarchy shape;  /* nodes without labels: leaves first, the root last */
    uint32_t *deepest;      /* depth of the deepest leaf under each node */
    uint32_t *node_of_code; /* of each attribute code */
    /* leaves added that the hierarchy lacks: its inner node i is node i + n_lifted */
    uint32_t n_lifted;
    bool is_even;           /* all rows that publish the same inner node are equally far below it */
    double *ascent, *whole; /* of each depth 0..shape.height; `ascent` owns both */
} shoal_ladder;

typedef struct shoal_ladders {
    shoal_ladder *items;
    uint32_t n_attrs, height; /* of the highest ladder */
    double *priorities;       /* factor of each attribute, 1 by default */
} shoal_ladders;

/*
 * `exponent` is beta or gamma; `priorities` (one per attribute, copied) may be NULL: all 1. O(nodes
 * of all ladders).
 */
SHOAL_NODISCARD shoal_status shoal_ladders_make(shoal_ladders *out, const shoal_space *space,
                                                shoal_weighting weighting, double exponent,
                                                const double *priorities, shoal_error *err);
/*
 * The same by the weights and priorities of the columns (shoal_table_set_level_weights(),
 * shoal_table_set_priority()), or by those given here instead.
 */
typedef struct shoal_ascent_weights {
    const char *steps;        /* of every attribute; NULL: each column's own */
    const double *priorities; /* of each attribute; NULL: each column's own */
} shoal_ascent_weights;
SHOAL_NODISCARD shoal_status shoal_ladders_make_weighted(shoal_ladders *out,
                                                         const shoal_space *space,
                                                         const shoal_ascent_weights *weights,
                                                         shoal_error *err);
void shoal_ladders_clear(shoal_ladders *ladders);

/* WHD of generalising from depth `from` to depth `to` on the path of a leaf at depth `deepest`. */
static inline double shoal_whd(const shoal_ladder *ladder, uint32_t deepest, uint32_t from,
                               uint32_t to)
{
    return from > to ? (ladder->ascent[from] - ladder->ascent[to]) / ladder->whole[deepest] : 0;
}

/*
 * Distortion of a cell at the root: 1, but for koc-height. By the deepest leaf where leaves differ
 * in depth.
 */
static inline double shoal_ladder_root_cost(const shoal_ladder *ladder)
{
    uint32_t height = ladder->shape.height;
    return height > 0 ? ladder->ascent[height] / ladder->whole[height] : 1;
}

/* The lowest node above (or equal to) both. O(height). */
uint32_t shoal_ladder_join(const shoal_ladder *ladder, uint32_t x, uint32_t y);

/* ---- tuples: one node per attribute ---- */

/* The nodes of attribute codes. */
void shoal_tuple_of_codes(uint32_t *nodes, const shoal_ladders *ladders, const uint32_t *codes);
/* Closest common generalisation (definition 8). `out` may be `x` or `y`. */
void shoal_tuple_join(uint32_t *out, const shoal_ladders *ladders, const uint32_t *x,
                      const uint32_t *y);
/*
 * Distortion of generalising `from` to `to` (definition 6), each WHD times the priority.
 */
double shoal_tuple_distortion(const shoal_ladders *ladders, const uint32_t *from,
                              const uint32_t *to);
/*
 * Distance of two classes of n_x and n_y rows (definition 10); of two tuples with n_x = n_y = 1
 * (definition 9).
 */
double shoal_tuple_distance(const shoal_ladders *ladders, const uint32_t *x, double n_x,
                            const uint32_t *y, double n_y);

/* ---- tables: cells by the depths between which they were generalised ---- */

/*
 * Counts are integers and are multiplied last, so the sum does not depend on the order of the rows.
 */
typedef struct shoal_ascents {
    uint64_t n_root; /* cells published as the root */
    /* (height + 1)^2: [depth of the leaf][depth of the published node], without the root */
    uint64_t *counts;
    uint32_t height;
} shoal_ascents;

SHOAL_NODISCARD bool shoal_ascents_init(shoal_ascents *ascents, const shoal_ladders *ladders);
void shoal_ascents_free(shoal_ascents *ascents);
static inline void shoal_ascents_add(shoal_ascents *ascents, uint32_t from, uint32_t to,
                                     uint64_t n_cells)
{
    if (to == 0)
        ascents->n_root += n_cells;
    else if (from > to)
        ascents->counts[(size_t)from * (ascents->height + 1) + to] += n_cells;
}
/* Sum of the WHD of all cells; without priorities. */
double shoal_ascents_distortion(const shoal_ascents *ascents, const shoal_ladder *ladder);
/*
 * Generalisation cost: sum over cells of levels generalised / height of the attribute's ladder
 * (genc.c).
 */
double shoal_ascents_genc(const shoal_ascents *ascents, uint32_t ladder_height);

#endif
