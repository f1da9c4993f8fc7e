/* SPDX-License-Identifier: Apache-2.0 */
/* seats.h - which person's rows sit in which group: inside units.h.
 *
 * How many rows of each person a group has is kept in a table of pairs, so that a step is judged
 * and taken in O(1) for the persons. Steps are noted, so that they can be taken back.
 */
#ifndef SHOAL_SEATS_H
#define SHOAL_SEATS_H

#include "method/shoal/penalty.h"
#include "method/shoal/units.h"

/* Neighbours that are looked at: classes, and groups of each. */
enum { SHOAL_SEATS_NEAR = 24 };

/* Rows of a person in a group; group SHOAL_NO_GROUP: the slot is free. */
typedef struct shoal_seat_pair {
    uint32_t group, person, count;
} shoal_seat_pair;

/* A row has moved from this group. */
typedef struct shoal_seat_step {
    uint32_t unit, from;
} shoal_seat_step;

typedef struct shoal_seats {
    shoal_units *units;
    shoal_clustering *clustering;
    shoal_seat_pair *pairs; /* open addressing */
    size_t n_pairs, n_slots;
    uint32_t *n_persons; /* of each group */
    uint32_t *piece_of;  /* of each class: where it may stand in the group at hand */
    shoal_kernel *kernel;
    shoal_kernel_state state;
    shoal_neighbour *near;
    shoal_penalty penalty; /* where there are models besides */
    bool has_penalty;
    shoal_seat_step *steps; /* since they were forgotten (n_steps = 0) */
    size_t n_steps, step_room;
    uint32_t asking, found; /* the group that asks, and the row that it may have */
} shoal_seats;

static inline shoal_clustering_group *shoal_seats_group(const shoal_seats *seats, uint32_t group)
{
    return &seats->clustering->groups[group];
}

/* Rows * loss of a group. */
static inline double shoal_seats_cost(const shoal_seats *seats, uint32_t group)
{
    const shoal_cluster *cluster = &seats->clustering->groups[group].cluster;
    return (double)cluster->n_rows * cluster->loss;
}

/* Rows of a person in a group. */
uint32_t shoal_seats_count(const shoal_seats *seats, uint32_t group, uint32_t person);
/* Move a row, and note it. False when memory is short. */
SHOAL_NODISCARD bool shoal_seats_move(shoal_seats *seats, uint32_t unit, uint32_t to);
/* Take back all steps that are noted. */
SHOAL_NODISCARD bool shoal_seats_undo(shoal_seats *seats);

/* Groups of fewer than k persons get more, or are dissolved. Then rows change places while that
 * loses less (seats_mend.c). False when memory is short. */
SHOAL_NODISCARD bool shoal_seats_mend(shoal_seats *seats);

#endif
