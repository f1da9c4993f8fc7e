/* SPDX-License-Identifier: Apache-2.0 */
/* group_boxes.h - the least box of each of an algorithm's groups. */
#ifndef SHOAL_GROUP_BOXES_H
#define SHOAL_GROUP_BOXES_H

#include "classes/grouping.h"

/*
 * Cells and sets of the groups 0..n_groups-1 that the slices of `source` name; groups without rows
 * have empty ranges. `is_ordered`: slices come group after group, suppressed ones last. `cells` and
 * `sets` have room for all groups. False if memory is short.
 */
SHOAL_NODISCARD bool shoal_group_boxes(shoal_range *cells, shoal_cell_sets *sets,
                                       const shoal_grouping_source *source, uint32_t n_groups,
                                       bool is_ordered);

#endif
