/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h - a few hundred rows taken out of neighbouring groups, to be grouped anew.
 *
 * The rows of a pool are *members*: classes with the number of their rows in the pool. A solution
 * divides them into groups of at least k rows. Three ways to a solution: grow groups from scratch,
 * cheapest first (pool_grow.c), improve the one at hand by moves, swaps and dissolving of groups
 * (local_search.c), and divide a few of them anew (perturbation.c). Only the columns in which
 * members differ are looked at (pool_columns.c).
 */
#ifndef SHOAL_POOL_H
#define SHOAL_POOL_H

#include "method/shoal/clustering.h"
#include "method/shoal/penalty.h"

#include <stdatomic.h>

/* Some rows of a member in a group. */
typedef struct shoal_pool_slice {
    uint32_t member, count;
} shoal_pool_slice;

/* A solution: group g has n_slices[g] slices from slices[g * room] on, and n_rows[g] rows. */
typedef struct shoal_solution {
    shoal_pool_slice *slices;
    uint32_t *n_slices, *n_rows;
    shoal_loss *losses;
    uint64_t *penalties; /* where there is a constraint; else 0 */
    uint32_t n_groups;
    uint64_t cost; /* sum of rows * loss + penalty */
} shoal_solution;

/* Room for growing groups row by row (pool_grow.c): of each member. */
typedef struct shoal_pool_growth {
    shoal_loss *cost, *total, *key;
    uint32_t *changed; /* columns that the last row has widened */
    shoal_cluster cluster;
} shoal_pool_growth;

/* Room for growing them by boxes (pool_box.c). */
typedef struct shoal_pool_boxes {
    shoal_range *box; /* of each attribute */
    uint8_t *outside; /* m columns: is the member outside in this attribute? */
    uint32_t *n_outside, *outside_sum;
    uint32_t *gain_code, *gain_rows;
} shoal_pool_boxes;

/* What local search knows of the groups of `now` (local_search.c). */
typedef struct shoal_pool_search_state {
    shoal_range *without; /* what a group covers without one of its slices, at (g * room + i) * m
                             + a */
    shoal_loss *loss_without;
    shoal_loss *with;     /* of group g with member p added at g * room + p; or SHOAL_LOSS_MAX */
    bool is_lazy;         /* `with` is worked out when it is asked for */
    int64_t *most_saving; /* of each group: the most that it would save without one slice */
    int64_t unbounded;    /* a saving that no group exceeds */
    int64_t slack;        /* losses of sets are rounded: so much may be missing from a saving */
    /* rows of each value of sets in each group: g * n_values + at */
    uint32_t *tally;
    shoal_loss *loss_with; /* of the group at hand, with one more of each value of a set */
    uint32_t *n_distinct;  /* g * m + a */
    uint32_t *n_tops;
    uint32_t *value_at; /* where the values of a set begin */
    uint32_t n_values, value_room;
    shoal_pool_slice *pair; /* two groups before a step that may have to be taken back */
    uint32_t *changed_at;   /* of each group: when its slices changed last */
    uint32_t *seen_at;      /* when all its steps had been tried without gain */
    uint32_t clock;
} shoal_pool_search_state;

/*
 * Where k persons a group are all that is asked besides: who is in which group (pool_persons.c), so
 * that a step is judged in O(1).
 */
typedef struct shoal_pool_persons {
    bool is_on;
    uint32_t least;     /* persons that a group must have */
    uint32_t n;         /* in the pool */
    uint32_t *person;   /* of each member: its number in the pool */
    uint32_t *rows;     /* of person p in group g, at g * room + p */
    uint32_t *n_in;     /* persons of each group */
    uint8_t *is_seen;   /* of each person: scratch */
    uint32_t *known_as; /* of each code of the entity column: its number, or SHOAL_NO_GROUP */
    uint32_t n_codes;
} shoal_pool_persons;

/* A wish to stop that the threads of a round slice: the first of them asks, all of them heed it. */
typedef struct shoal_stop {
    const shoal_problem *problem;
    double fraction; /* of the search, for progress */
    atomic_bool is_asked;
} shoal_stop;

/*
 * Invariant of `now` and `best`, once made: their groups have k rows at least, each member's rows
 * are in their slices and nowhere else, and `cost` is the sum over groups.
 */
typedef struct shoal_pool {
    const shoal_metric *metric; /* of the columns at hand: `columns` */
    shoal_metric columns;
    const shoal_metric *whole; /* of the table */
    uint32_t *ranks;           /* room for numbering the values of a set anew */
    const shoal_classes *classes;
    uint32_t k, m;    /* columns at hand */
    double deadline;  /* local search ends there */
    shoal_stop *stop; /* and when this is asked; NULL: nobody asks */
    uint64_t work;    /* tuples tried since the last question */
    uint32_t n, room; /* members, and room for them */
    uint32_t group_room;
    bool keeps_groups;        /* none is opened: there is room for those at hand */
    uint32_t *class_index;    /* of each member */
    uint32_t *slots, n_slots; /* members by a hash of their classes, while the pool is filled */
    uint32_t *count, *left;
    uint32_t *codes;  /* m columns of `room` */
    uint32_t *tuples; /* the same, member after member */
    shoal_solution now, best;
    shoal_solution before; /* a step that may have to be undone */
    bool has_penalty;
    shoal_penalty penalty;
    shoal_pool_persons persons;
    shoal_pool_growth growth;
    shoal_pool_boxes boxes;
    shoal_pool_search_state search;
} shoal_pool;

shoal_pool *shoal_pool_make(const shoal_clustering *clustering); /* NULL when memory is short */
void shoal_pool_free(shoal_pool *pool);

/* Put the rows of these groups into the pool, with the groups as the solution at hand and the best;
 * false when memory is short. */
SHOAL_NODISCARD bool shoal_pool_fill(shoal_pool *pool, const shoal_clustering *clustering,
                                     const uint32_t *groups, uint32_t n);

/*
 * A part of filling, once the members are known: which columns to look at, and the members' codes.
 */
void shoal_pool_choose_columns(shoal_pool *pool);

/*
 * Replace `now` by groups grown from scratch, cheapest first, row by row or by boxes; `noise` in
 * [0,1) shuffles the order by up to that slice.
 */
void shoal_pool_grow(shoal_pool *pool, bool by_boxes, double noise, shoal_rng *rng);
/* Grow the next group of `now` as a box around a seed; false when the pool has fewer than k rows
 * left. */
bool shoal_pool_grow_box(shoal_pool *pool, uint32_t seed, shoal_loss *loss);
/* Improve `now` until no move or swap of rows and no dissolving of a group lowers its cost,
 * or until the deadline. */
void shoal_pool_local_search(shoal_pool *pool);
/*
 * Improve the best solution by so many perturbations: each divides two or three neighbouring groups
 * anew and searches on (perturbation.c).
 */
void shoal_pool_perturb(shoal_pool *pool, uint32_t n_perturbations, shoal_rng *rng);
/* Parts of local search, for perturbation.c. A group's slices have changed; search from there; */
void shoal_pool_refresh(shoal_pool *pool, uint32_t g);
void shoal_pool_continue_search(shoal_pool *pool);
/* all steps are known not to gain; forget groups without rows; */
void shoal_pool_mark_searched(shoal_pool *pool);
void shoal_pool_drop_empty(shoal_pool *pool);
/* what more a group would cost with `count` rows of a member; */
int64_t shoal_pool_rise(const shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count);
/* the group gets them, and is to be refreshed. */
void shoal_pool_give(shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count);
/* As shoal_pool_local_search() for the slices of the first group alone, and without dissolving;
 * true when something was improved. */
bool shoal_pool_improve_first(shoal_pool *pool);
/* Keep `now` as `best` if it costs less. */
void shoal_pool_keep(shoal_pool *pool);
void shoal_pool_copy(const shoal_pool *pool, shoal_solution *to, const shoal_solution *from);

/* The sensitive values of group g of `now`, and the penalty of what they lack. */
void shoal_pool_show(const shoal_pool *pool, shoal_evidence *to, uint32_t g);
uint64_t shoal_pool_penalty(shoal_pool *pool, uint32_t g);
/*
 * Is k persons all that the constraint asks for? Then count them (pool_persons.c); false when
 * memory is short.
 */
SHOAL_NODISCARD bool shoal_pool_persons_make(shoal_pool *pool, const shoal_clustering *clustering);
void shoal_pool_persons_free(shoal_pool_persons *persons);
/* Parts of filling: nobody is known, and a new member's person. */
void shoal_pool_persons_forget(shoal_pool *pool);
void shoal_pool_persons_meet(shoal_pool *pool, uint32_t member);
/* Count the persons of group g of `now`. */
void shoal_pool_persons_count(shoal_pool *pool, uint32_t g);
/* Persons of group g when the rows of `gone` leave it and those of `come` join it; a count of 0:
 * none do. */
uint32_t shoal_pool_persons_after(const shoal_pool *pool, uint32_t g, shoal_pool_slice gone,
                                  shoal_pool_slice come);
/* `now` is another solution: what pool->penalty shows is no longer true. */
void shoal_pool_forget(shoal_pool *pool);

/*
 * The invariant of a solution, for SHOAL_INVARIANT() and tests; empty groups may stand between the
 * others.
 */
bool shoal_pool_is_sound(const shoal_pool *pool, const shoal_solution *solution);

static inline const uint32_t *shoal_pool_tuple(const shoal_pool *pool, uint32_t member)
{
    return pool->tuples + (size_t)member * pool->m;
}

static inline shoal_pool_slice *shoal_pool_slices(const shoal_pool *pool, const shoal_solution *s,
                                                  uint32_t group)
{
    return s->slices + (size_t)group * pool->room;
}

#endif
