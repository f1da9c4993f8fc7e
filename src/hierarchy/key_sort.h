/* SPDX-License-Identifier: Apache-2.0 */
/* key_sort.h - a stable merge sort of indices by a 64-bit key; the caller breaks ties. */
#ifndef SHOAL_KEY_SORT_H
#define SHOAL_KEY_SORT_H

#include "base/base.h"

typedef struct shoal_keyed {
    uint64_t key;
    uint32_t index;
} shoal_keyed;

/* Must `b` come before `a`, given equal keys? */
typedef bool (*shoal_tie_fn)(uint32_t a, uint32_t b, const void *payload);

/*
 * Sort in place with `scratch` of the same length. `is_after` may be NULL: equal keys stay in
 * order. O(n log n).
 */
void shoal_key_sort(shoal_keyed *items, shoal_keyed *scratch, size_t n, shoal_tie_fn is_after,
                    const void *payload);

/* The key that sorts numbers ascending. */
uint64_t shoal_number_key(double number);
/* The key that sorts texts by their first eight bytes; texts with equal keys may differ. */
uint64_t shoal_label_key(const char *text, size_t length);

#endif
