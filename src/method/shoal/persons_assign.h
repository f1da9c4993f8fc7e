/* SPDX-License-Identifier: Apache-2.0 */
/* persons_assign.h - which person's rows sit in which group: inside persons_problem.h.
 *
 * How many rows of each person a group has is kept in a table of pairs, so that a step is judged
 * and taken in O(1) for the persons. Steps are noted, so that they can be taken back.
 */
#ifndef SHOAL_PERSONS_ASSIGN_H
#define SHOAL_PERSONS_ASSIGN_H

#include "method/shoal/penalty.h"
#include "method/shoal/persons_problem.h"

/* Rows of a person in a group; group SHOAL_NO_GROUP: the slot is free. */
typedef struct shoal_person_rows {
    uint32_t group, person, count;
} shoal_person_rows;

/* A row has moved from this group. */
typedef struct shoal_row_move {
    uint32_t row, from;
} shoal_row_move;

typedef struct shoal_assignment {
    shoal_persons *persons;
    shoal_clustering *clustering;
    shoal_person_rows *pairs; /* open addressing */
    size_t n_pairs, n_slots;
    uint32_t *n_persons; /* of each group */
    uint32_t *slice_of;  /* of each class: its possible slice in the current group */
    shoal_kernel *kernel;
    shoal_kernel_state state;
    shoal_neighbour *near;
    shoal_penalty penalty; /* if there are other models */
    bool has_penalty;
    shoal_row_move *steps; /* since n_steps was set to 0 */
    size_t n_steps, step_room;
    uint32_t asking, found; /* the group that searches, and the row found for it */
} shoal_assignment;

static inline shoal_clustering_group *shoal_assignment_group(const shoal_assignment *assignment,
                                                             uint32_t group)
{
    return &assignment->clustering->groups[group];
}

/* Rows * loss of a group. */
static inline double shoal_assignment_cost(const shoal_assignment *assignment, uint32_t group)
{
    const shoal_cluster *cluster = &assignment->clustering->groups[group].cluster;
    return (double)cluster->n_rows * cluster->loss;
}

/* Rows of a person in a group. */
uint32_t shoal_assignment_count(const shoal_assignment *assignment, uint32_t group,
                                uint32_t person);
/* Move a row, and note it. False when memory is short. */
SHOAL_NODISCARD bool shoal_assignment_move(shoal_assignment *assignment, uint32_t row, uint32_t to);
/* Take back all steps that are noted. */
SHOAL_NODISCARD bool shoal_assignment_undo(shoal_assignment *assignment);

/* Groups of fewer than k persons get more, or are dissolved. Then rows change places while that
 * loses less (persons_repair.c). False when memory is short. */
SHOAL_NODISCARD bool shoal_assignment_repair(shoal_assignment *assignment);

#endif
