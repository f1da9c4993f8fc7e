/* SPDX-License-Identifier: Apache-2.0 */
/* dictionary.h - numbers texts 0, 1, 2, ... in the order in which they are first seen.
 *
 * Open addressing with linear probing. A slot holds 32 bits of the hash and the code; the code's key is
 * the text itself when it has at most 16 bytes (so that comparing is two words), else a hash and the
 * length (and the texts are compared as well). The hot path, a short text that is already known in its first
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
    uint32_t tag;
    uint32_t code; /* SHOAL_NO_CODE: empty */
} shoal_slot;

/* Zero-initialised is not yet usable: see shoal_dictionary_init. Zero-initialised may be cleared. */
typedef struct shoal_dictionary {
    shoal_slot *slots;
    uint64_t slot_mask;   /* number of slots - 1, a power of two less one */
    shoal_text *values;   /* of each code; the texts are borrowed */
    shoal_text_key *keys;
    uint32_t n_values;
    uint32_t capacity;    /* of values and keys */
} shoal_dictionary;

/* `expected` distinct values, or 0. False when memory is short. */
bool shoal_dictionary_init(shoal_dictionary *dictionary, uint64_t expected);
void shoal_dictionary_clear(shoal_dictionary *dictionary);

/* Internal to shoal_dictionary_add. */
uint32_t shoal_dictionary_add_slow(shoal_dictionary *dictionary, const char *text, size_t length, shoal_arena *arena);

/* Hash of a key; any good mixing will do, results never depend on it. */
static inline uint64_t shoal_hash_key(shoal_text_key key, size_t length)
{
    unsigned __int128 product = (unsigned __int128)(key.lo ^ 0x9e3779b97f4a7c15u ^ ((uint64_t)length << 56)) *
                                (key.hi ^ 0xe7037ed1a0b428dbu);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* The key of a text of at most 16 bytes, with 16 readable bytes at `text`. */
static inline shoal_text_key shoal_short_key(const char *text, size_t length)
{
    static const unsigned char ones[32] = { 255, 255, 255, 255, 255, 255, 255, 255,
                                            255, 255, 255, 255, 255, 255, 255, 255 };
    shoal_text_key key, mask;
    memcpy(&key, text, sizeof key);
    memcpy(&mask, ones + SHOAL_SHORT_TEXT - length, sizeof mask); /* `length` bytes of ones, then zeros */
    return (shoal_text_key){ key.lo & mask.lo, key.hi & mask.hi };
}

/*
 * The code of a text, new or not; SHOAL_NO_CODE when memory is short. Bytes up to `readable_end` may be
 * read, which makes short texts quick. A new text is kept as it is, or copied into `arena` if that is given.
 */
static inline uint32_t shoal_dictionary_add(shoal_dictionary *dictionary, const char *text, size_t length,
                                            const char *readable_end, shoal_arena *arena)
{
    if (length <= SHOAL_SHORT_TEXT && readable_end - text >= SHOAL_SHORT_TEXT) {
        shoal_text_key key = shoal_short_key(text, length);
        uint64_t hash = shoal_hash_key(key, length);
        shoal_slot slot = dictionary->slots[hash & dictionary->slot_mask];
        if (slot.tag == (uint32_t)(hash >> 32) && slot.code != SHOAL_NO_CODE) {
            shoal_text_key known = dictionary->keys[slot.code];
            if (known.lo == key.lo && known.hi == key.hi && dictionary->values[slot.code].length == length)
                return slot.code;
        }
    }
    return shoal_dictionary_add_slow(dictionary, text, length, arena);
}

/* The code of a text, or SHOAL_NO_CODE when it is not there. */
uint32_t shoal_dictionary_find(const shoal_dictionary *dictionary, const char *text, size_t length);

#endif
