/* SPDX-License-Identifier: Apache-2.0 */
/* stable_sort.h - sort with a payload for the comparison. */
#ifndef SHOAL_STABLE_SORT_H
#define SHOAL_STABLE_SORT_H

#include <stddef.h>

typedef int (*shoal_compare_fn)(const void *, const void *, void *payload);

/* As qsort() with a payload for `compare`; equal elements keep their order, on every system. */
void shoal_stable_sort(void *base, size_t n, size_t size, shoal_compare_fn compare, void *payload);

#endif
