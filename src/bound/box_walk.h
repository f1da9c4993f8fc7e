/* SPDX-License-Identifier: Apache-2.0 */
/* box_walk.h - for prices of all classes: the value of each, the most by which a set of k rows with
 * it in one box exceeds its cost.
 *
 * Every box is a choice for each attribute. The walk goes depth-first over attributes and, in each,
 * from the widest choice down, with the list of classes inside, highest-priced first. A branch ends
 * when no set of k rows out of its list, at the cost of what was chosen so far, could give a class
 * a higher value than it has (`worth`). The number with most values comes last and is swept: for
 * each low end, the high end goes up and the highest-priced rows are kept.
 *
 * The values of a box depend on the prices alone, and what is left out could not have raised them:
 * the result is the same in any order. Work is cut into tasks by the data; tasks of one wave run at
 * once, each with the values known before the wave, and are merged in order, so what is recorded
 * about boxes does not depend on threads either.
 *
 * A task that does more work than it was given stops: each branch that is left counts as one box at
 * the cost known so far. That is never below the truth, so the values remain valid; such branches
 * are counted in n_cut.
 *
 * Relaxations: a set without hierarchy counts only the number of values it needs to hold k rows;
 * free classes (see best_sets.h) are inside every box.
 */
#ifndef SHOAL_BOX_WALK_H
#define SHOAL_BOX_WALK_H

#include "bound/best_sets.h"
#include "bound/box_choices.h"

typedef enum price_kind { PRICE_OWN, PRICE_FIXED, PRICE_FREE } price_kind;

/* The classes of a table and what is paid for them. */
typedef struct price_list {
    uint32_t n, k;
    const shoal_metric *metric;
    const shoal_classes *classes;
    uint8_t *kind;      /* price_kind of each class */
    shoal_price *floor; /* no box with k rows and this class costs less */
    shoal_price *price;
    shoal_price *value; /* PRICE_OWN: found so far, SHOAL_NO_VALUE for none */
} price_list;

/* A box in which a class found its value: its cost and the classes in it that matter. */
typedef struct found_box {
    shoal_price cost;
    uint64_t free_rows;
    size_t begin; /* of its classes in `members` */
    uint32_t n_members;
} found_box;

typedef struct found_boxes {
    found_box *boxes;
    size_t n_boxes, boxes_room;
    uint32_t *members;
    size_t n_members, members_room;
} found_boxes;

void found_boxes_clear(found_boxes *found);
SHOAL_NODISCARD bool found_boxes_add(found_boxes *to, const found_boxes *from);

typedef struct box_walk box_walk;

typedef struct box_walk_result {
    uint64_t work;   /* classes visited */
    uint64_t n_cut;  /* branches that were bounded instead of walked */
    bool is_stopped; /* `may_go_on` returned false: values are incomplete */
} box_walk_result;

/* For many passes over the classes of one list. Free with box_walk_free(). */
SHOAL_NODISCARD shoal_status box_walk_make(box_walk **out, const price_list *list, uint32_t threads,
                                           shoal_error *err);
void box_walk_free(box_walk *walk);

/* How long a pass may take. */
typedef struct box_walk_limits {
    uint64_t max_work; /* about */
    /* asked between waves, with the share of the pass that is done; false stops */
    bool (*may_go_on)(double done, void *payload);
    void *payload;
} box_walk_limits;

/*
 * Raise list->value to the value of each class at list->price, and append the boxes that raised one
 * to `found`.
 */
SHOAL_NODISCARD shoal_status box_walk_pass(box_walk *walk, price_list *list,
                                           const box_walk_limits *limits, found_boxes *found,
                                           box_walk_result *out, shoal_error *err);

#endif
