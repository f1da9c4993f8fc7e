/* SPDX-License-Identifier: Apache-2.0 */
/* dictionary.h - numbers texts 0, 1, 2, ... in the order of their first appearance.
 *
 * Open addressing with linear probing. A slot holds 32 bits of the hash and the code. The key of a
 * code is the text itself if it has at most 16 bytes (two words to compare), else a hash and the
 * length (the texts are then compared, too). The fast path, a known short text that is in its first
 * slot, is inline; the rest is in dictionary.c.
 */
#ifndef SHOAL_DICTIONARY_H
#define SHOAL_DICTIONARY_H

#include "table/table_internal.h"

#include <string.h>

#define SHOAL_SHORT_TEXT 16

typedef struct shoal_text_key {
    uint64_t lo, hi;
} shoal_text_key;

typedef struct shoal_slot {
    uint32_t tag;  /* upper 32 bits of the hash */
    uint32_t code; /* SHOAL_NO_CODE: empty */
} shoal_slot;

/* Must be initialised by shoal_dictionary_init(); a zero-initialised one may only be cleared. */
typedef struct shoal_dictionary {
    shoal_slot *slots;
    uint64_t slot_mask; /* number of slots - 1; the number is a power of two */
    shoal_text *values; /* of each code; the texts are borrowed */
    shoal_text_key *keys;
    uint32_t n_values;
    uint32_t capacity; /* of values and keys */
} shoal_dictionary;

/* `expected`: number of distinct values, or 0. False when out of memory. */
bool shoal_dictionary_init(shoal_dictionary *dictionary, uint64_t expected);
void shoal_dictionary_clear(shoal_dictionary *dictionary);

/* For shoal_dictionary_add() only. */
uint32_t shoal_dictionary_add_slow(shoal_dictionary *dictionary, const char *text, size_t length,
                                   shoal_arena *arena);

/* Hash of a key: both halves of a 128-bit product. Results never depend on the hash function. */
static inline uint64_t shoal_hash_key(shoal_text_key key, size_t length)
{
    uint64_t x = key.lo ^ 0x9e3779b97f4a7c15u ^ ((uint64_t)length << 56);
    uint64_t y = key.hi ^ 0xe7037ed1a0b428dbu;
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)x * y;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else /* 32 bits: another hash will do */
    x = (x ^ x >> 32) * 0xff51afd7ed558ccdu;
    y = (y ^ y >> 29) * 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 32 ^ y ^ y >> 31;
#endif
}

/* The key of a text of at most 16 bytes, with 16 readable bytes at `text`. */
static inline shoal_text_key shoal_short_key(const char *text, size_t length)
{
    static const unsigned char ones[32] = { 255, 255, 255, 255, 255, 255, 255, 255,
                                            255, 255, 255, 255, 255, 255, 255, 255 };
    shoal_text_key key, mask;
    memcpy(&key, text, sizeof key);
    /* the mask is `length` bytes 0xff, then zeros */
    memcpy(&mask, ones + SHOAL_SHORT_TEXT - length, sizeof mask);
    return (shoal_text_key){ key.lo & mask.lo, key.hi & mask.hi };
}

/*
 * The code of a text, which is added if it is new; SHOAL_NO_CODE when out of memory. Bytes up to
 * `readable_end` may be read, which the fast path needs. A new text is referenced (the caller keeps
 * it alive), or copied into `arena` unless that is NULL.
 */
static inline uint32_t shoal_dictionary_add(shoal_dictionary *dictionary, const char *text,
                                            size_t length, const char *readable_end,
                                            shoal_arena *arena)
{
    if (length <= SHOAL_SHORT_TEXT && readable_end - text >= SHOAL_SHORT_TEXT) {
        shoal_text_key key = shoal_short_key(text, length);
        uint64_t hash = shoal_hash_key(key, length);
        shoal_slot slot = dictionary->slots[hash & dictionary->slot_mask];
        if (slot.tag == (uint32_t)(hash >> 32) && slot.code != SHOAL_NO_CODE) {
            shoal_text_key known = dictionary->keys[slot.code];
            if (known.lo == key.lo && known.hi == key.hi &&
                dictionary->values[slot.code].length == length)
                return slot.code;
        }
    }
    return shoal_dictionary_add_slow(dictionary, text, length, arena);
}

/* The code of a text, or SHOAL_NO_CODE when it was not added. */
uint32_t shoal_dictionary_find(const shoal_dictionary *dictionary, const char *text, size_t length);

#endif
