/* SPDX-License-Identifier: Apache-2.0 */
/* level_groups.h - groups that left-over rows may join, and by how much their distortion would grow.
 *
 * A group is published as the closest common generalisation of its rows; its distortion is what they climb to it.
 * One more row climbs there too, and may raise it, so that all climb further. How much that is depends on the
 * depth of the rows' leaves only: each group counts its rows by depth, in each attribute.
 *
 * Invariant: counts and nodes are those of the rows added. Cost: O(attributes * height) an answer, 4 bytes a level of
 * each attribute and group.
 */
#ifndef SHOAL_LEVEL_GROUPS_H
#define SHOAL_LEVEL_GROUPS_H

#include "method/cluster/distance_index.h"

typedef struct shoal_level_groups {
    const shoal_distance_index *index;
    uint32_t n_groups, n_levels; /* levels of all attributes together */
    uint32_t *nodes;             /* n_groups x n_attrs */
    uint32_t *counts;            /* n_groups x n_levels */
} shoal_level_groups;

/* So many empty groups. False when memory is short. */
SHOAL_NODISCARD bool shoal_level_groups_init(shoal_level_groups *groups, const shoal_distance_index *index,
                                            uint32_t n_groups);
void shoal_level_groups_clear(shoal_level_groups *groups);
void shoal_level_groups_add(shoal_level_groups *groups, uint32_t group, uint32_t class_index, uint32_t n_rows);
/* By how much the group's distortion grows with one more row of the class, in the units of the index. */
uint64_t shoal_level_groups_rise(const shoal_level_groups *groups, uint32_t group, uint32_t class_index);

#endif
