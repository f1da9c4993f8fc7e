/* SPDX-License-Identifier: Apache-2.0 */
/* mixed_units.h - columns of numbers in several units or currencies. */
#ifndef SHOAL_MIXED_UNITS_H
#define SHOAL_MIXED_UNITS_H

#include "table/table_internal.h"

/*
 * Of a loaded categorical column nearly all of whose values are numbers: are they in several units?
 * Then `out` tells the two most frequent ones by examples that are in no table, "'$1' in 20 rows
 * and '1 EUR' in 30 rows". O(distinct values).
 */
bool shoal_mixed_units_find(char *out, size_t size, const shoal_column *column);

#endif
