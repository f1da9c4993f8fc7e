/* SPDX-License-Identifier: Apache-2.0 */
/* alias.h - draws from a fixed discrete distribution in constant time (alias method). */
#ifndef SHOAL_GENERATE_ALIAS_H
#define SHOAL_GENERATE_ALIAS_H

#include "base/base.h"

typedef struct alias_cell {
    uint32_t keep; /* in units of 2^-32: probability of the cell's own value, else `other` */
    uint32_t other;
} alias_cell;

typedef struct alias_table {
    const alias_cell *cells; /* NULL: all weights are 0, nothing may be drawn */
    uint32_t n;
} alias_table;

/*
 * Build a table in `arena`. A value of weight 0 is never drawn. Each weight times n must fit 64
 * bits. False when out of memory.
 */
bool shoal_alias_build(alias_table *out, shoal_arena *arena, const uint64_t *weights, uint32_t n);

static inline uint32_t alias_draw(const alias_table *table, shoal_rng *rng)
{
    uint64_t x = shoal_rng_next(rng);
    uint32_t i = (uint32_t)(((x >> 32) * table->n) >> 32); /* upper half: which cell */
    const alias_cell *cell = &table->cells[i];
    return (uint32_t)x < cell->keep ? i : cell->other; /* lower half: which of its values */
}

#endif
