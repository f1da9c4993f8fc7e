/* SPDX-License-Identifier: Apache-2.0 */
/* lattice_search.h - the allowed node that costs least, of the whole lattice or of one height. */
#ifndef SHOAL_LATTICE_SEARCH_H
#define SHOAL_LATTICE_SEARCH_H

#include "method/full_domain/lattice_judge.h"

/* An allowed node. Of nodes that cost the same the lower one is better, then the one whose first levels are lower. */
typedef struct shoal_choice {
    bool is_found;
    double cost;
    uint32_t height;
    uint32_t *levels;
} shoal_choice;

/* No node yet. False when memory is short. */
SHOAL_NODISCARD bool shoal_choice_init(shoal_choice *choice, const shoal_lattice *lattice);
void shoal_choice_clear(shoal_choice *choice);
/* Take the node if it is better. */
void shoal_choice_offer(shoal_choice *choice, const shoal_lattice *lattice, double cost, const uint32_t *levels);

#define SHOAL_ANY_HEIGHT UINT32_MAX

/*
 * The best allowed node at `height`; `best` may hold one already that is to be surpassed. When the deadline passes it
 * ends with what it has, and sets stats->stopped_early.
 */
SHOAL_NODISCARD shoal_status shoal_lattice_search(shoal_choice *best, const shoal_judge *judge, uint32_t height,
                                                 shoal_error *err);

/* From the top down, one level at a time, as long as the best of the nodes one step below costs less. A start. */
SHOAL_NODISCARD shoal_status shoal_lattice_descend(shoal_choice *best, const shoal_judge *judge, shoal_error *err);

#endif
