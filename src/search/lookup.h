/* SPDX-License-Identifier: Apache-2.0 */
/* lookup.h - losses by table look-up, for kernels whose metric has tables: 256 entries per
 * attribute.
 *
 * Codes are bytes; attributes are padded to a multiple of eight with entries of 0. Over the codes
 * of an attribute the entries decrease towards a code `own` and increase after it, so the least
 * entry of a range is at its code nearest to `own`.
 */
#ifndef SHOAL_LOOKUP_H
#define SHOAL_LOOKUP_H

#include "search/kernel.h"

#include <string.h>

/* The sum of the entries of eight attributes. */
static inline shoal_loss look_up_eight(const shoal_loss *table, const uint8_t *codes)
{
    return table[codes[0]] + table[256 + codes[1]] + table[512 + codes[2]] + table[768 + codes[3]] +
           table[1024 + codes[4]] + table[1280 + codes[5]] + table[1536 + codes[6]] +
           table[1792 + codes[7]];
}

/* The sum of a table's entries for the class at a place. */
static inline shoal_loss look_up(const shoal_kernel *kernel, uint32_t place,
                                 const shoal_loss *table)
{
    const uint8_t *codes = kernel->bytes + (size_t)place * kernel->stride;
    shoal_loss sum = 0;
    for (uint32_t a = 0; a < kernel->stride; a += 8)
        sum += look_up_eight(table + (size_t)a * 256, codes + a);
    return sum;
}

/* Clamp eight codes of `own` to lo..hi; compilers make one vector instruction of each loop. */
static inline void nearest_eight(uint8_t *out, const uint8_t *own, const uint8_t *lo,
                                 const uint8_t *hi)
{
    uint8_t codes[8], low[8], high[8];
    memcpy(codes, own, 8);
    memcpy(low, lo, 8);
    memcpy(high, hi, 8);
    for (int i = 0; i < 8; i++) codes[i] = codes[i] > low[i] ? codes[i] : low[i];
    for (int i = 0; i < 8; i++) codes[i] = codes[i] < high[i] ? codes[i] : high[i];
    memcpy(out, codes, 8);
}

/*
 * A lower bound for all classes under a node: the sum of entries at the codes of its ranges nearest
 * to `own`; a partial sum is returned once it is above `limit`.
 */
static inline shoal_loss look_up_nearest(const shoal_kernel *kernel, const uint8_t *narrow,
                                         uint32_t node, const shoal_loss *table, const uint8_t *own,
                                         shoal_loss limit)
{
    const uint8_t *lo = narrow + (size_t)node * 2 * kernel->stride, *hi = lo + kernel->stride;
    shoal_loss sum = 0;
    for (uint32_t a = 0; a < kernel->stride && sum <= limit; a += 8) {
        uint8_t codes[8];
        nearest_eight(codes, own + a, lo + a, hi + a);
        sum += look_up_eight(table + (size_t)a * 256, codes);
    }
    return sum;
}

#endif
