/* SPDX-License-Identifier: Apache-2.0 */
/* key_pack.h - the codes of a row in as few bits as they need: one or a few 64-bit words.
 *
 * A column gets the bits that its number of values needs (all bits of its code where that is not
 * known: n_values 0). Columns are assigned to halves of 32 bits, so that packing works on vectors
 * of 32-bit lanes; within a word the upper half begins where the lower one ends.
 */
#ifndef SHOAL_KEY_PACK_H
#define SHOAL_KEY_PACK_H

#include "table/table_internal.h"

enum { SHOAL_KEY_STRIP = 512 }; /* largest number of rows packed at once */

typedef struct shoal_packing {
    const shoal_column *const *columns;
    size_t n_columns;
    uint32_t *shift; /* of each column in its half */
    size_t *begin;   /* n_halves + 1: the columns of each half */
    uint32_t *bits;  /* bits used of each half */
    uint32_t n_halves;
    uint32_t n_words; /* of a key, at least one */
    uint32_t n_bits;  /* of a key of one word; 64 where it has more */
} shoal_packing;

/* `columns` is borrowed. False when out of memory. */
SHOAL_NODISCARD bool shoal_packing_make(shoal_packing *out, const shoal_column *const *columns,
                                        size_t n_columns);
void shoal_packing_clear(shoal_packing *packing);

/*
 * Pack the codes of rows begin..begin+n-1 (n <= SHOAL_KEY_STRIP) into n * n_words words. False when
 * a code needs more bits than n_values - 1 of its column.
 */
SHOAL_NODISCARD bool shoal_pack_strip(uint64_t *keys, const shoal_packing *how, uint64_t begin,
                                      uint32_t n);

#endif
