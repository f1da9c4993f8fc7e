/* SPDX-License-Identifier: Apache-2.0 */
/* recent.h - a direct-mapped cache of recent texts, in front of the dictionary of a column.
 *
 * One place per hash value, 32 bytes, with the whole text of up to 24 bytes: a hit costs one cache
 * line, where the dictionary needs three dependent accesses. A new text replaces the one in its
 * place.
 */
#ifndef SHOAL_RECENT_H
#define SHOAL_RECENT_H

#include "table/dictionary.h"

enum { SHOAL_RECENT_BITS = 10, SHOAL_RECENT_BYTES = 24 }; /* at most 1 << BITS places */

typedef struct shoal_recent_text {
    uint64_t words[3]; /* the text, padded with zeros */
    uint32_t length;   /* UINT32_MAX: the place is empty */
    uint32_t code;
} shoal_recent_text;

static inline uint64_t shoal_load_word(const void *from)
{
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

/* A text of at most 24 bytes as words; 24 bytes at `text` must be readable. */
static inline shoal_recent_text shoal_recent_key(const char *text, size_t length)
{
    static const unsigned char ones[2 * SHOAL_RECENT_BYTES] = { 255, 255, 255, 255, 255, 255,
                                                                255, 255, 255, 255, 255, 255,
                                                                255, 255, 255, 255, 255, 255,
                                                                255, 255, 255, 255, 255, 255 };
    /* `length` bytes 0xff, then zeros */
    const unsigned char *mask = ones + SHOAL_RECENT_BYTES - length;
    return (
        shoal_recent_text){ .words = { shoal_load_word(text) & shoal_load_word(mask),
                                       shoal_load_word(text + 8) & shoal_load_word(mask + 8),
                                       shoal_load_word(text + 16) & shoal_load_word(mask + 16) },
                            .length = (uint32_t)length };
}

/* The place of a text among 1 << bits. Results never depend on it. */
static inline size_t shoal_recent_place(shoal_recent_text key, unsigned bits)
{
    uint64_t mixed = key.words[0] ^ (key.words[1] << 21 | key.words[1] >> 43) ^
                     (key.words[2] << 42 | key.words[2] >> 22) ^ key.length;
    return (size_t)((mixed * 0x9e3779b97f4a7c15u) >> (64 - bits));
}

/* Are text and length equal? One comparison of all words instead of four branches. */
static inline bool shoal_recent_is(const shoal_recent_text *place, shoal_recent_text key)
{
    return ((place->words[0] ^ key.words[0]) | (place->words[1] ^ key.words[1]) |
            (place->words[2] ^ key.words[2]) | (place->length ^ key.length)) == 0;
}

#endif
