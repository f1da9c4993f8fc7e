/* SPDX-License-Identifier: Apache-2.0 */
/* cell_sets.h - the sets that groups publish, as lists of codes.
 *
 * A box in the making holds a set as bits, one per value of the column (hierarchy/box.h). Of a
 * column whose values are all distinct, that is n/8 bytes for each of n/k groups; a group's list
 * takes 4 bytes per member. Invariant: a list is ascending and has at least two codes; a cell of
 * one code, or without a set (`*`, a node, a text), has none.
 */
#ifndef SHOAL_CELL_SETS_H
#define SHOAL_CELL_SETS_H

#include "hierarchy/box.h"

typedef struct shoal_cell_sets {
    uint64_t *at;    /* n_groups x space.n_sets: where the cell's list begins; 0: it has none */
    uint32_t *lists; /* one unused entry, then the lists: the number of codes, then the codes */
} shoal_cell_sets;

/* Lists in the making: items[0] is not used, so that no list begins at 0. */
typedef struct shoal_list_maker {
    uint32_t *items;
    size_t n, room;
    bool failed;
} shoal_list_maker;

/* Add the list of `n` codes; its place, or 0 where there is none, or memory is short. */
uint64_t shoal_list_add(shoal_list_maker *lists, const uint32_t *codes, uint32_t n);

/* Room for the cells of `n_groups` groups, without lists. */
SHOAL_NODISCARD bool shoal_cell_sets_init(shoal_cell_sets *sets, const shoal_space *space,
                                          size_t n_groups);
void shoal_cell_sets_clear(shoal_cell_sets *sets);
/* The lists of boxes, whose `words` are n_groups x space->n_words. */
SHOAL_NODISCARD bool shoal_cell_sets_of_words(shoal_cell_sets *out, const shoal_space *space,
                                              const uint64_t *words, uint32_t n_groups);

/* The codes of a cell's list; NULL and 0 where it has none. */
static inline const uint32_t *shoal_cell_set(const shoal_cell_sets *sets, const shoal_space *space,
                                             uint32_t group, uint32_t attr, uint32_t *n)
{
    uint64_t at = space->attrs[attr].n_words == 0
                      ? 0
                      : sets->at[(size_t)group * space->n_sets + space->attrs[attr].set_at];
    *n = at == 0 ? 0 : sets->lists[at];
    return at == 0 ? NULL : sets->lists + at + 1;
}

/* Set the bits of the cell's codes in `words` (space->n_words, of all attributes). */
void shoal_cell_set_bits(uint64_t *words, const shoal_cell_sets *sets, const shoal_space *space,
                         const shoal_range *cells, uint32_t group);
/* Mixed into `hash`: equal for groups with equal lists. */
uint64_t shoal_cell_sets_hash(const shoal_cell_sets *sets, const shoal_space *space, uint32_t group,
                              uint64_t hash);
bool shoal_cell_sets_equal(const shoal_cell_sets *sets, const shoal_space *space, uint32_t group,
                           uint32_t other);

#endif
