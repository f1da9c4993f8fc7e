/* SPDX-License-Identifier: Apache-2.0 */
/* registry.h - finding an algorithm by its name. */
#ifndef SHOAL_REGISTRY_H
#define SHOAL_REGISTRY_H

#include "method/algorithm.h"

/* NULL names the default; NULL is returned for an unknown name. */
const shoal_algorithm *shoal_algorithm_find(const char *name);
size_t shoal_params_count(const shoal_algorithm *algorithm);

/* A copy of the specification; fields that an older caller does not have are zero. SHOAL_EINVAL.
 * Texts and arrays are borrowed. */
SHOAL_NODISCARD shoal_status shoal_spec_read(shoal_spec *out, const shoal_spec *given,
                                             shoal_error *err);

/*
 * Group the rows of a loaded table by the given levels, learnt on another table, without a search.
 * With k = 0 all rows are published and no k is guaranteed; otherwise groups with fewer than k rows
 * are suppressed.
 * @param spec  levels (one per quasi-identifier, in any order), k, threads and drop_suppressed are
 *     read
 * @return SHOAL_EINVAL (a quasi-identifier without a level, a level without a quasi-identifier,
 *     another hierarchy), SHOAL_EUNSAT (fewer than k rows), SHOAL_EDATA (a value that is not in its
 *     hierarchy), SHOAL_ENOMEM
 */
SHOAL_NODISCARD shoal_status shoal_apply_levels(shoal_grouping **out, const shoal_table *table,
                                                const shoal_spec *spec, shoal_error *err);

#endif
