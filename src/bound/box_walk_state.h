/* SPDX-License-Identifier: Apache-2.0 */
/* box_walk_state.h - the inside of a walk: classes by rank, and what one thread has in hand. Used
 * by box_walk.c, walk_lists.c and window_sweep.c.
 *
 * Classes are numbered by *rank*: highest-priced first, ties by class. A list of ranks that ascends
 * is a list of classes by price.
 */
#ifndef SHOAL_BOX_WALK_STATE_H
#define SHOAL_BOX_WALK_STATE_H

#include "bound/box_walk.h"

/* Classes by rank, the same for all threads during a pass. */
typedef struct ranked_classes {
    uint32_t n, k, n_attrs;
    uint32_t *class_at;
    uint32_t *rows; /* at most 2k: more make no difference */
    uint8_t *kind;
    shoal_price *price, *floor;
    uint32_t *codes; /* attribute after attribute */
} ranked_classes;

static inline const uint32_t *ranked_codes(const ranked_classes *r, uint32_t attr)
{
    return r->codes + (size_t)attr * r->n;
}

/* A branch: the classes inside, what was chosen, what it costs. */
typedef struct walk_item {
    size_t begin, end; /* of its list */
    shoal_price cost;  /* of the attributes before `level` */
    uint32_t level, choice;
    /* CHOICE_WINDOW: the low end is one of low_from..low_to, the high end likewise */
    uint32_t low_from, low_to, high_from, high_to;
    bool is_tried; /* narrower choices were pushed: now this one itself */
} walk_item;

/* The highest-priced classes of a window, as ranks ascending, until they have `most` rows. */
typedef struct top_rows {
    uint32_t *ranks;
    uint32_t n, most;
    uint64_t rows;
} top_rows;

typedef struct walk_raise {
    uint32_t rank;
    shoal_price before, value;
} walk_raise;

/* What one thread has in hand. */
typedef struct walk_hand {
    shoal_price *value; /* of each rank: those before the wave, and what this task found */
    shoal_price *key;   /* price - k value */
    uint32_t *pile;     /* lists of ranks */
    size_t pile_end, pile_room;
    walk_item *items;
    size_t n_items, items_room;
    uint32_t *path; /* choice of each level before the item's, and the ends of windows */
    shoal_range *windows;
    best_sets sets;
    walk_raise *raises; /* of this task */
    size_t n_raises, raises_room;
    found_boxes found;
    uint32_t *tally;      /* room by code of one attribute, or by child; all 0 between uses */
    uint64_t *tally_rows; /* likewise */
    uint32_t *order;      /* room for ranks, by code */
    size_t order_room;
    top_rows top, top_fixed, suffix, suffix_fixed;
    struct sweep_bin *bins;
    size_t bins_room;
    uint64_t work, n_cut;
    bool failed; /* memory is short */
} walk_hand;

/* Branches to be walked, each by one thread. */
typedef struct task_list {
    struct walk_task *all;
    size_t n, room;
} task_list;

struct box_walk {
    uint32_t n_levels, threads, k;
    box_choices *levels; /* in the order in which they are chosen */
    bool has_sweep;      /* the last is a number */
    shoal_price highest; /* no price is above: what a row loses that is suppressed */
    ranked_classes ranked;
    walk_hand *hands; /* one for each thread */
    task_list tasks;
    bool splits_alone; /* one thread makes the tasks: see split_tasks() */
};

/* ---- walk_lists.c ---- */

/* What a list of ranks offers at most. */
typedef struct list_sum {
    uint64_t rows, other_rows; /* all, and those not priced */
    shoal_price least_value;
    /*
     * max of price - k value - k max(cost, floor) over priced classes; SHOAL_NO_VALUE: there is
     * none
     */
    shoal_price best_term;
    shoal_price top;    /* prices of the k - 1 highest-priced rows */
    shoal_price beyond; /* what further rows could add */
    bool is_certain;    /* worth visiting, and the rest was not computed */
} list_sum;

/* Could a set of k rows of the list, in a box that costs `cost` or more, raise the value of one of
 * its classes? */
bool walk_is_worth(const box_walk *walk, walk_hand *hand, const uint32_t *list, size_t n,
                   shoal_price cost);

/* Raise the values of the list's classes as if they were in one box of that cost; `record` it where
 * it raises one. */
void walk_close_box(const box_walk *walk, walk_hand *hand, const uint32_t *list, size_t n,
                    shoal_price cost, bool record);

/* What `key` and `value` of a rank become. */
void walk_raise_value(const box_walk *walk, walk_hand *hand, uint32_t rank, shoal_price value);

/* Store the box in hand->sets, with the classes raised since raise number `first_raise`. False when
 * memory is short. */
SHOAL_NODISCARD bool walk_record_box(const box_walk *walk, walk_hand *hand, size_t first_raise);

/* ---- walk_branches.c ---- */

/* Walk the item on top of the pile one step: it is taken off, narrower choices or the next
 * attribute are put on. */
void walk_step(const box_walk *walk, walk_hand *hand);
/* Instead of walking it: raise values to what the item on top can be worth at most, and take it
 * off. */
void walk_cut(const box_walk *walk, walk_hand *hand);
bool walk_push(walk_hand *hand, walk_item item);

/* ---- window_sweep.c ---- */

size_t walk_bin_size(void);
/* All windows of the last attribute, a number, over a list of plain codes. */
void walk_sweep(const box_walk *walk, walk_hand *hand, const uint32_t *list, size_t n,
                shoal_price cost);

#endif
