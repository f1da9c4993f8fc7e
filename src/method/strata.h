/* SPDX-License-Identifier: Apache-2.0 */
/* strata.h - groups that stay within the largest levels of the quasi-identifiers.
 *
 * The ceiling of a value is what it is published as on the largest level of its attribute: its
 * ancestor there (level_axis.h counts levels in the same way), or anything where there is no limit.
 * Classes with the same ceilings are a *stratum*. A group keeps the limits if and only if its rows
 * lie in one stratum, so a method without support for limits keeps them when it is run on each
 * stratum alone; groups that are merged afterwards must come from one.
 */
#ifndef SHOAL_STRATA_H
#define SHOAL_STRATA_H

#include "method/algorithm.h"

typedef struct shoal_strata {
    uint32_t n;
    uint32_t *of_class; /* NULL: there are no limits, and one stratum */
    bool *is_above;     /* of each: its values are above their limits whatever is done */
} shoal_strata;

/* O(classes log classes) for each attribute with a limit. End with shoal_strata_clear(). */
SHOAL_NODISCARD shoal_status shoal_strata_find(shoal_strata *out, const shoal_space *space,
                                               const shoal_classes *classes, shoal_error *err);
void shoal_strata_clear(shoal_strata *strata);

/*
 * Run an algorithm on each stratum. Strata of fewer than k rows are suppressed if they have at most
 * `may_suppress` rows in all; else SHOAL_EUNSAT.
 */
SHOAL_NODISCARD shoal_status shoal_strata_run(shoal_slices *out, const shoal_algorithm *algorithm,
                                              const shoal_problem *problem,
                                              const shoal_strata *strata, uint64_t may_suppress,
                                              shoal_error *err);
/*
 * For a method that keeps the levels itself: suppress the rows that are above them whatever it
 * does, if these are at most `may_suppress`; else SHOAL_EUNSAT.
 */
SHOAL_NODISCARD shoal_status shoal_strata_withhold(shoal_slices *slices,
                                                   const shoal_problem *problem,
                                                   const shoal_strata *strata,
                                                   uint64_t may_suppress, shoal_error *err);

#endif
