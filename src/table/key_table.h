/* SPDX-License-Identifier: Apache-2.0 */
/* key_table.h - distinct packed keys (key_pack.h), numbered by first appearance.
 *
 * Open addressing. A slot is one word: the number of a key + 1 in its low bits, and above them the
 * key itself if it fits, else a part of its hash. So short keys are found without reading the list
 * of keys. At most two thirds of the slots are used.
 */
#ifndef SHOAL_KEY_TABLE_H
#define SHOAL_KEY_TABLE_H

#include "table/key_pack.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct shoal_key_table {
    uint32_t n_words;     /* of a key */
    uint32_t number_bits; /* low bits of a slot that hold the number */
    bool is_exact;        /* a slot holds the whole key */
    uint32_t n_keys;
    uint64_t *keys;  /* in order of appearance */
    size_t key_room; /* capacity of `keys`, in keys */
    uint64_t *slots; /* 0: free */
    size_t n_slots;  /* a power of two */
} shoal_key_table;

/*
 * Empty the table, keeping its memory, for at most `most_keys` keys packed by `how`. Must be called
 * before the first use of a zero-initialised table.
 */
void shoal_key_table_reset(shoal_key_table *table, const shoal_packing *how, uint64_t most_keys);
void shoal_key_table_clear(shoal_key_table *table);

/*
 * Write the numbers of n <= SHOAL_KEY_STRIP keys to `ids`; new keys are added. False when out of
 * memory.
 */
SHOAL_NODISCARD bool shoal_key_table_number(uint32_t *ids, shoal_key_table *table,
                                            const uint64_t *keys, uint32_t n);

static inline uint64_t shoal_key_hash(const uint64_t *key, uint32_t n_words)
{
    if (n_words > 1) return XXH3_64bits(key, n_words * sizeof *key);
    /* two rounds, so that all bits of the key affect both the low and the high bits of the hash */
    uint64_t hash = *key * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ hash >> 32;
}

#endif
