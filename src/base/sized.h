/* SPDX-License-Identifier: Apache-2.0 */
/* sized.h - structures of callers whose first member is their size. */
#ifndef SHOAL_BASE_SIZED_H
#define SHOAL_BASE_SIZED_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Copy the members that the caller's structure has into `out` of `size` bytes, which holds the
 * defaults: for an older caller newer members keep their defaults, and members that only a newer
 * caller has are not read. False if `given` is NULL or was not initialised.
 */
static inline bool shoal_read_sized(void *out, size_t size, const void *given)
{
    size_t given_size = given != NULL ? *(const size_t *)given : 0;
    if (given_size < 2 * sizeof given_size) return false;
    memcpy(out, given, given_size < size ? given_size : size);
    return true;
}

#endif
