/* SPDX-License-Identifier: Apache-2.0 */
/* key_pack.c - see key_pack.h. A strip of rows is packed column by column, which the compiler
 * vectorises. */
#include "table/key_pack.h"

#include <string.h>

static uint32_t bits_of(const shoal_column *column)
{
    uint32_t bits = 0;
    if (column->n_values == 0) return column->code_width * 8u; /* not known: all bits of a code */
    while (bits < 32 && (column->n_values - 1) >> bits != 0) bits++;
    return bits;
}

/* Assign columns to halves in order, each half as full as possible. */
static void lay_out(shoal_packing *p)
{
    uint32_t half = 0;
    p->begin[0] = 0;
    p->bits[0] = 0;
    for (size_t c = 0; c < p->n_columns; c++) {
        uint32_t bits = bits_of(p->columns[c]);
        if (p->bits[half] + bits > 32) {
            p->begin[++half] = c;
            p->bits[half] = 0;
        }
        p->shift[c] = p->bits[half];
        p->bits[half] += bits;
    }
    p->n_halves = half + 1;
    p->begin[p->n_halves] = p->n_columns;
    p->n_words = (p->n_halves + 1) / 2;
    p->n_bits = p->n_words > 1 ? 64 : p->bits[0] + (p->n_halves > 1 ? p->bits[1] : 0);
}

bool shoal_packing_make(shoal_packing *out, const shoal_column *const *columns, size_t n_columns)
{
    shoal_packing p = { .columns = columns, .n_columns = n_columns };
    p.shift = shoal_alloc(n_columns, sizeof *p.shift);
    p.begin = shoal_alloc(n_columns + 2, sizeof *p.begin);
    p.bits = shoal_alloc(n_columns + 1, sizeof *p.bits);
    if (p.shift == NULL || p.begin == NULL || p.bits == NULL) {
        shoal_packing_clear(&p);
        return false;
    }
    lay_out(&p);
    *out = p;
    return true;
}

void shoal_packing_clear(shoal_packing *packing)
{
    shoal_free(packing->shift);
    shoal_free(packing->begin);
    shoal_free(packing->bits);
    *packing = (shoal_packing){ 0 };
}

#define ADD_CODES(type)                                                                            \
    do {                                                                                           \
        const type *codes = (const type *)column->codes + begin;                                   \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            half[i] |= (uint32_t)codes[i] << shift;                                                \
            all |= codes[i];                                                                       \
        }                                                                                          \
    } while (0)

/*
 * Or the codes of a column into `half`; returns the or of all codes, to check their range. A shift
 * of 32 is undefined in C; it occurs only for columns of a single value, whose codes are 0, so
 * masking it to 0 is harmless.
 */
static uint32_t add_column(uint32_t *restrict half, const shoal_column *column, uint32_t shift,
                           uint64_t begin, uint32_t n)
{
    uint32_t all = 0;
    shift &= 31;
    if (column->code_width == 1)
        ADD_CODES(uint8_t);
    else if (column->code_width == 2)
        ADD_CODES(uint16_t);
    else
        ADD_CODES(uint32_t);
    return all;
}

/* Pack the columns of half `h` for rows begin..begin+n-1. False: a code is out of range. */
static bool pack_half(uint32_t *half, const shoal_packing *p, uint32_t h, uint64_t begin,
                      uint32_t n)
{
    memset(half, 0, n * sizeof *half);
    for (size_t c = p->begin[h]; c < p->begin[h + 1]; c++) {
        uint32_t all = add_column(half, p->columns[c], p->shift[c], begin, n),
                 bits = bits_of(p->columns[c]);
        if (bits < 32 && all >> bits != 0) return false;
    }
    return true;
}

bool shoal_pack_strip(uint64_t *keys, const shoal_packing *how, uint64_t begin, uint32_t n)
{
    uint32_t low[SHOAL_KEY_STRIP], high[SHOAL_KEY_STRIP];
    const uint32_t n_words = how->n_words;
    for (uint32_t w = 0; w < n_words; w++) {
        if (!pack_half(low, how, 2 * w, begin, n)) return false;
        bool has_high = 2 * w + 1 < how->n_halves;
        if (has_high && !pack_half(high, how, 2 * w + 1, begin, n)) return false;
        uint32_t shift = how->bits[2 * w];
        uint64_t *to = keys + w;
        if (!has_high)
            for (uint32_t i = 0; i < n; i++) to[(size_t)i * n_words] = low[i];
        else if (n_words == 1)
            for (uint32_t i = 0; i < n; i++) keys[i] = low[i] | (uint64_t)high[i] << shift;
        else
            for (uint32_t i = 0; i < n; i++)
                to[(size_t)i * n_words] = low[i] | (uint64_t)high[i] << shift;
    }
    return true;
}
