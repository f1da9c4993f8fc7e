/* SPDX-License-Identifier: Apache-2.0 */
/* lattice_search.h - find the allowed node of least cost, in the whole lattice or at one height. */
#ifndef SHOAL_LATTICE_SEARCH_H
#define SHOAL_LATTICE_SEARCH_H

#include "method/full_domain/lattice_judge.h"

/*
 * An allowed node. Of nodes of equal cost the lower one is better, then the one whose first levels
 * are lower.
 */
typedef struct shoal_choice {
    bool is_found;
    double cost;
    uint32_t height;
    uint32_t *levels;
} shoal_choice;

/* Make an empty choice. False if memory is short. */
SHOAL_NODISCARD bool shoal_choice_init(shoal_choice *choice, const shoal_lattice *lattice);
void shoal_choice_clear(shoal_choice *choice);
/* Replace the choice if the node is better. */
void shoal_choice_offer(shoal_choice *choice, const shoal_lattice *lattice, double cost,
                        const uint32_t *levels);

#define SHOAL_ANY_HEIGHT UINT32_MAX

/*
 * The best allowed node at `height`; `best` may already have a node, which is replaced only by a
 * better one. If the deadline passes, `best` is the best node so far and stats->stopped_early is
 * set.
 */
SHOAL_NODISCARD shoal_status shoal_lattice_search(shoal_choice *best, const shoal_judge *judge,
                                                  uint32_t height, shoal_error *err);

/*
 * Greedy start: from the top down, one level at a time, as long as the best node one step below
 * costs less.
 */
SHOAL_NODISCARD shoal_status shoal_lattice_descend(shoal_choice *best, const shoal_judge *judge,
                                                   shoal_error *err);

#endif
