/* SPDX-License-Identifier: Apache-2.0 */
/* level_groups.h - groups that left-over rows may join, and the increase of distortion if they do.
 *
 * A group is published as the closest common generalisation of its rows; its distortion is the
 * ascent of all rows to it. One more row ascents there too, and may move it up, so that all rows
 * ascent further. The increase depends only on the depth of the rows' leaves: each group counts its
 * rows by depth, in each attribute.
 *
 * Invariant: counts and nodes are those of the rows added. Cost: O(attributes * height) per query;
 * 4 bytes per level of each attribute and group.
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

/* Make n_groups empty groups. False if memory is short. */
SHOAL_NODISCARD bool shoal_level_groups_init(shoal_level_groups *groups,
                                             const shoal_distance_index *index, uint32_t n_groups);
void shoal_level_groups_clear(shoal_level_groups *groups);
void shoal_level_groups_add(shoal_level_groups *groups, uint32_t group, uint32_t class_index,
                            uint32_t n_rows);
/* Increase of the group's distortion by one more row of the class, in the units of the index. */
uint64_t shoal_level_groups_rise(const shoal_level_groups *groups, uint32_t group,
                                 uint32_t class_index);

#endif
