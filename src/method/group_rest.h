/* SPDX-License-Identifier: Apache-2.0 */
/* group_rest.h - groups of the rows that a method leaves over when its time is up. */
#ifndef SHOAL_GROUP_REST_H
#define SHOAL_GROUP_REST_H

#include "method/algorithm.h"

/*
 * Group the rows left, left[c] of each class and at least k together, quickly: as Mondrian does.
 * The groups are numbered from `first` on. Notes that the search was ended early.
 */
SHOAL_NODISCARD shoal_status shoal_group_rest(shoal_slices *out, uint32_t first,
                                              const shoal_problem *problem, const uint32_t *left,
                                              shoal_error *err);

#endif
