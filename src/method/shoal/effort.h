/* SPDX-License-Identifier: Apache-2.0 */
/* effort.h - how much the default method does for a table, from the parameter `effort` and the
 * table's size. */
#ifndef SHOAL_EFFORT_H
#define SHOAL_EFFORT_H

#include "method/shoal/clustering.h"

/* The start that is made first. */
typedef enum shoal_first_start {
    SHOAL_START_CHEAPEST_GROUP,      /* of the whole table */
    SHOAL_START_CHEAPEST_BY_REGIONS, /* in each region of neighbours: large tables */
    SHOAL_START_IN_TREE_ORDER        /* one growth per group: effort 0, and wide tables */
} shoal_first_start;

typedef struct shoal_effort {
    uint32_t level; /* 0 to 9 */
    bool is_full;   /* from SHOAL_FULL_EFFORT on: nothing is saved on large tables */
    shoal_first_start first;
    /* starts that are made too, and taken where they lose less */
    bool tries_mondrian, tries_kmembers, tries_grids;
    double share;         /* of the rounds that the level has */
    double perturbations; /* per group and round */
} shoal_effort;

/* Read the parameter, and scale it to the size of the problem. SHOAL_EINVAL. */
SHOAL_NODISCARD shoal_status shoal_effort_make(shoal_effort *out, const shoal_problem *problem,
                                               const shoal_metric *metric, shoal_error *err);
/* Rounds of refinement for a start: more where many of its groups violate the constraint. */
uint32_t shoal_effort_rounds(const shoal_effort *effort, const shoal_clustering *clustering);
/* Are groups polished after so many rounds? */
bool shoal_effort_polishes(const shoal_effort *effort, uint32_t rounds);

/* Refinement of groups of persons: number of starts from the same assignment, rounds of each, and
 * perturbations per group in a round. */
typedef struct shoal_refinement {
    uint32_t starts, rounds;
    double perturbations;
} shoal_refinement;

/* `problem` with its persons. */
shoal_refinement shoal_effort_for_persons(const shoal_effort *effort, const shoal_problem *problem);

#endif
