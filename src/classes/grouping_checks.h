/* SPDX-License-Identifier: Apache-2.0 */
/* grouping_checks.h - the invariants of classes and groupings as predicates, for SHOAL_INVARIANT()
 * and tests.
 *
 * A predicate that cannot allocate its memory returns true. Cost: O(rows + classes * attributes)
 * each.
 */
#ifndef SHOAL_GROUPING_CHECKS_H
#define SHOAL_GROUPING_CHECKS_H

#include "classes/grouping.h"

/* Counts of classes add up to the rows; each is the weight of its lines. */
bool shoal_classes_counts_add_up(const shoal_classes *classes);
/*
 * Classes are numbered by their first line, lines of a class ascend, and each line knows its
 * class.
 */
bool shoal_classes_are_in_order(const shoal_classes *classes);
/* Codes are those of the attributes: 0..n_codes-1. */
bool shoal_classes_codes_are_in_range(const shoal_classes *classes, const shoal_space *space);

/*
 * Sizes are the rows of each group, none is empty, and with the suppressed rows they are all rows.
 */
bool shoal_grouping_sizes_add_up(const shoal_grouping *grouping);
/* Groups are numbered by their first line. */
bool shoal_grouping_is_in_order(const shoal_grouping *grouping);
/*
 * Cells name codes, nodes and texts that exist. `space` is the grouping's, also before it was
 * passed on.
 */
bool shoal_grouping_cells_are_in_range(const shoal_grouping *grouping, const shoal_space *space);

#endif
