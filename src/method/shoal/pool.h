/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h - the rows of a few neighbouring groups, taken out of the table to be grouped again.
 *
 * The rows of a pool are *members*: classes with the number of their rows in the pool. A *slice* is
 * some rows of one member in one group, and a *solution* divides all members into groups of at
 * least k rows. What is done with a solution:
 *
 *     shoal_pool_fill()            the groups as they are in the table      pool.c
 *     shoal_pool_local_search()    moves, swaps and dissolving while they   local_search.c
 *                                  reduce the cost
 *     shoal_pool_perturb()         divide a few groups at random, search    perturbation.c
 *                                  again
 *     shoal_pool_grow()            group all members from scratch           pool_grow.c
 *     shoal_pool_grow_box()        the same by boxes, for large k           pool_box.c
 *
 * An example with one column, k = 2, and two groups of the table:
 *
 *     group 0: 20 24 24    group 1: 24 31      members: 0 = 20 (1 row)  1 = 24 (3)  2 = 31 (1)
 *     now.slices:  group 0 { member 0, 1 row } { member 1, 2 rows }
 *                  group 1 { member 1, 1 row } { member 2, 1 row }
 *     cost = rows * width: 3 * 4 + 2 * 7 = 26
 *
 * Local search swaps 20 for the 24 of group 1: {24, 24, 24} costs 0 and {20, 31} 2 * 11, together
 * 22. Then no move and no swap costs less: a 24 moved to group 1 gives 0 + 3 * 11 = 33, and swapped
 * for 31 it gives 3 * 7 + 2 * 4 = 29.
 */
#ifndef SHOAL_POOL_H
#define SHOAL_POOL_H

#include "base/workspace.h"
#include "method/shoal/clustering.h"
#include "method/shoal/penalty.h"

#include <stdatomic.h>

/* No slice, no member. */
#define SHOAL_NONE UINT32_MAX

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

/* State of growing groups row by row (pool_grow.c). */
typedef struct shoal_pool_growth {
    shoal_loss *cost;      /* of each column and member: the column's loss with the member added */
    shoal_loss *total;     /* of each member: their sum */
    shoal_loss *key;       /* of each member: at most the loss of the group grown from it */
    uint32_t *changed;     /* columns that the last row has widened */
    shoal_cluster cluster; /* the group that was grown last, also by boxes */
} shoal_pool_growth;

/* State of growing a group as a box (pool_box.c). */
typedef struct shoal_pool_boxes {
    shoal_range *box;      /* of each column */
    shoal_cluster members; /* the values of SET columns that the box covers */
    uint8_t *outside;      /* of each column and member: is it outside the box there? */
    uint32_t *n_outside;   /* of each member: columns in which it is outside, and their sum */
    uint32_t *outside_sum;
    uint32_t *gain_code, *gain_rows; /* rows that one step would let in, by code */
} shoal_pool_boxes;

/* State of local search for the groups of `now`; kept by shoal_pool_refresh() (local_search.c). */
typedef struct shoal_pool_search_state {
    /* what group g covers without its slice i, at (g * room + i) * m + a */
    shoal_range *without;
    shoal_loss *loss_without; /* what it loses then, at g * room + i */
    /* of group g with member p added, at g * room + p; SHOAL_LOSS_MAX: not known yet */
    shoal_loss *with;
    bool is_lazy;          /* `with` is computed on demand */
    int64_t *most_saving;  /* of each group: the most that it would save without one slice */
    int64_t unbounded;     /* a saving that no group exceeds */
    int64_t slack;         /* losses of sets are rounded: so much may be missing from a saving */
    uint32_t *tally;       /* rows of each value of SET columns in group g, at g * n_values + at */
    uint32_t *n_distinct;  /* of each group and SET column: values with rows, */
    uint32_t *n_tops;      /* and rows that only `*` covers */
    shoal_loss *loss_with; /* of the current group, with one more of each value of a SET */
    uint32_t *value_at;    /* where the values of a SET column begin in a tally */
    uint32_t n_values, value_room;
    shoal_pool_slice *undo; /* two groups before a step that may have to be undone */
    uint32_t *changed_at;   /* of each group: when its slices changed last */
    uint32_t *searched_at;  /* when all its steps had been tried without gain */
    uint32_t clock;
} shoal_pool_search_state;

/* State of dividing a few groups again (perturbation.c). */
typedef struct shoal_pool_perturbation {
    shoal_pool_slice *slices; /* of the groups that are divided */
    shoal_cluster cluster;    /* the group that is filled */
    uint8_t *has_person;      /* of each person of the pool: is in that group */
} shoal_pool_perturbation;

/*
 * If k persons per group are the only further requirement: who is in which group (pool_persons.c),
 * so that a step is judged in O(1).
 */
typedef struct shoal_pool_persons {
    bool is_on;
    uint32_t least;     /* persons that a group must have */
    uint32_t n;         /* in the pool */
    uint32_t *person;   /* of each member: its number in the pool */
    uint32_t *rows;     /* of person p in group g, at g * room + p */
    uint32_t *n_in;     /* persons of each group */
    uint32_t *known_as; /* of each code of the entity column: its number, or SHOAL_NO_GROUP */
    uint32_t n_codes;
} shoal_pool_persons;

/* A stop request shared by the threads of a round: the first thread polls, all of them obey. */
typedef struct shoal_stop {
    const shoal_problem *problem;
    double fraction; /* of the search, for progress */
    atomic_bool is_asked;
} shoal_stop;

/*
 * Invariant of `now` and `best`, once made: their groups have k rows at least, each member's rows
 * are in their slices and nowhere else, and `cost` is the sum over groups.
 *
 * All arrays are in two workspaces: one whose sizes depend on the table, laid out once, and one
 * whose sizes depend on the current members and groups, laid out again when a pool needs more.
 */
typedef struct shoal_pool {
    shoal_workspace by_table, by_members;
    const shoal_metric *metric; /* of the current columns: `columns` */
    shoal_metric columns;
    const shoal_metric *whole; /* of the table */
    uint64_t *set_words;       /* of one SET: the values that members have, */
    uint32_t *set_ranks;       /* and how many of them lie below each word */
    const shoal_classes *classes;
    uint32_t k, m;    /* current columns */
    double deadline;  /* local search ends there */
    shoal_stop *stop; /* or when this is set; NULL: never */
    uint64_t work;    /* tuples tried since the last poll */
    uint32_t n, room; /* members, and room for them */
    uint32_t group_room;
    bool keeps_groups;        /* none is opened: there is room for the current ones */
    uint32_t *class_index;    /* of each member */
    uint32_t *slots, n_slots; /* members by a hash of their classes, while the pool is filled */
    uint32_t *count, *left;   /* rows of each member; those in no group yet, while groups grow */
    uint32_t *codes;          /* m columns of `room` */
    uint32_t *tuples;         /* the same, member after member */
    shoal_solution now, best;
    shoal_solution before; /* local search: where it began */
    bool has_penalty;
    shoal_penalty penalty;
    shoal_pool_persons persons;
    shoal_pool_growth growth;
    shoal_pool_boxes boxes;
    shoal_pool_search_state search;
    shoal_pool_perturbation perturbation;
} shoal_pool;

/* ---- pool.c: memory, members, solutions ---- */

shoal_pool *shoal_pool_make(const shoal_clustering *clustering); /* NULL when memory is short */
void shoal_pool_free(shoal_pool *pool);

/* Fill the pool with the rows of these groups, which become the current solution and the best;
 * false when memory is short. */
SHOAL_NODISCARD bool shoal_pool_fill(shoal_pool *pool, const shoal_clustering *clustering,
                                     const uint32_t *groups, uint32_t n);
/* Keep `now` as `best` if it costs less. */
void shoal_pool_keep(shoal_pool *pool);
void shoal_pool_copy(const shoal_pool *pool, shoal_solution *to, const shoal_solution *from);
/* Remove groups of `now` without rows. */
void shoal_pool_drop_empty(shoal_pool *pool);
/* Load the sensitive values of group g of `now`; returns the penalty of its deficit. */
void shoal_pool_show(const shoal_pool *pool, shoal_evidence *to, uint32_t g);
uint64_t shoal_pool_penalty(shoal_pool *pool, uint32_t g);
/* `now` is another solution: what pool->penalty shows is no longer true. */
void shoal_pool_forget(shoal_pool *pool);
/*
 * The invariant of a solution, for SHOAL_INVARIANT() and tests; empty groups may be between the
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

/* ---- solutions from scratch ---- */

/*
 * Replace `now` by groups grown from scratch, cheapest first, row by row or by boxes; `noise` in
 * [0,1) changes the order: keys are up to that much higher (pool_grow.c).
 */
void shoal_pool_grow(shoal_pool *pool, bool by_boxes, double noise, shoal_rng *rng);
/* Grow the next group of `now` as a box around a seed; false when the pool has fewer than k rows
 * left (pool_box.c). */
bool shoal_pool_grow_box(shoal_pool *pool, uint32_t seed, shoal_loss *loss);

/* ---- local_search.c ---- */

/* Improve `now` until no move or swap of rows and no dissolving of a group lowers its cost,
 * or until the deadline. It never costs more than before. */
void shoal_pool_local_search(shoal_pool *pool);
/* As shoal_pool_local_search() for the slices of the first group alone, and without dissolving;
 * true when something was improved. */
bool shoal_pool_improve_first(shoal_pool *pool);

/* Of a group of `now`: its slices have changed, so bring what is known of it up to date. */
void shoal_pool_refresh(shoal_pool *pool, uint32_t g);
/* All groups are refreshed, and no step between them gains. */
void shoal_pool_mark_searched(shoal_pool *pool);
/* Passes over the groups of `now`, which are refreshed, until one changes nothing; dissolving may
 * raise the cost unless the search is strict. */
void shoal_pool_search(shoal_pool *pool, bool is_strict);
/* The group gets rows of a member, and is to be refreshed. */
void shoal_pool_give(shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count);
/* Loss of group g with a row of the member added; without its slice i (SHOAL_NONE: with all). */
shoal_loss shoal_pool_with(shoal_pool *pool, uint32_t g, uint32_t member);
shoal_loss shoal_pool_exchange(shoal_pool *pool, uint32_t g, uint32_t i, uint32_t member);
/* An upper bound of what group g would save without its slice i, whatever row is added. */
int64_t shoal_pool_saving(const shoal_pool *pool, uint32_t g, uint32_t i);
/* What more a group would cost with `count` rows of a member. */
int64_t shoal_pool_rise(shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count);

/* ---- perturbation.c ---- */

/* Improve the best solution by so many perturbations: each divides two or three neighbouring groups
 * again and continues the search. `now` is the best solution then. */
void shoal_pool_perturb(shoal_pool *pool, uint32_t n_perturbations, shoal_rng *rng);

/* ---- pool_persons.c ---- */

/*
 * Are k persons the only constraint? Then they are counted. Called before the memory is laid out.
 */
void shoal_pool_persons_choose(shoal_pool *pool, const shoal_clustering *clustering);
/* Steps of filling: reset the persons (of the current members), and add a new member's person. */
void shoal_pool_persons_forget(shoal_pool *pool);
void shoal_pool_persons_meet(shoal_pool *pool, uint32_t member);
/* Count the persons of group g of `now`. */
void shoal_pool_persons_count(shoal_pool *pool, uint32_t g);
/* Persons of group g if the rows of `leaving` leave it and those of `joining` join it; a count of
 * 0: none do. */
uint32_t shoal_pool_persons_after(const shoal_pool *pool, uint32_t g, shoal_pool_slice leaving,
                                  shoal_pool_slice joining);

#endif
