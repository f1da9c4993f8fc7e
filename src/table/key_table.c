/* SPDX-License-Identifier: Apache-2.0 */
/* key_table.c - see key_table.h. A strip of keys is hashed first and its slots are prefetched AHEAD
 * keys in advance. */
#include "table/key_table.h"

#include <string.h>

enum { AHEAD = 12, LEAST_SLOTS = 1024 };

void shoal_key_table_reset(shoal_key_table *table, const shoal_packing *how, uint64_t most_keys)
{
    table->n_words = how->n_words;
    table->number_bits = 1;
    while (table->number_bits < 32 && most_keys >> table->number_bits != 0) table->number_bits++;
    table->is_exact = how->n_words == 1 && how->n_bits + table->number_bits <= 64;
    table->n_keys = 0;
    if (table->n_slots > 0) memset(table->slots, 0, table->n_slots * sizeof *table->slots);
}

void shoal_key_table_clear(shoal_key_table *table)
{
    shoal_free(table->keys);
    shoal_free(table->slots);
    *table = (shoal_key_table){ 0 };
}

/* The bits of a slot above the number: the key if it fits, else a part of its hash. */
static inline uint64_t mark_of(const shoal_key_table *table, const uint64_t *key, uint64_t hash,
                               bool is_exact)
{
    return is_exact ? *key << table->number_bits : hash >> table->number_bits << table->number_bits;
}

static bool grow_slots(shoal_key_table *table, size_t n_slots)
{
    uint64_t *slots = shoal_alloc_zero(n_slots, sizeof *slots);
    if (slots == NULL) return false;
    for (uint32_t i = 0; i < table->n_keys; i++) {
        const uint64_t *key = table->keys + (size_t)i * table->n_words;
        uint64_t hash = shoal_key_hash(key, table->n_words);
        size_t at = hash & (n_slots - 1);
        while (slots[at] != 0) at = (at + 1) & (n_slots - 1);
        slots[at] = mark_of(table, key, hash, table->is_exact) | (i + 1);
    }
    shoal_free(table->slots);
    table->slots = slots;
    table->n_slots = n_slots;
    return true;
}

/* Make room for n more keys. False when out of memory. */
static bool make_room(shoal_key_table *table, uint32_t n)
{
    size_t need = (size_t)table->n_keys + n,
           n_slots = table->n_slots > 0 ? table->n_slots : LEAST_SLOTS;
    void *keys = table->keys;
    bool has_room = shoal_reserve(&keys, &table->key_room, need,
                                  table->n_words * sizeof *table->keys);
    table->keys = keys;
    while (need * 3 > n_slots * 2) n_slots *= 2;
    return has_room && (n_slots == table->n_slots || grow_slots(table, n_slots));
}

static inline bool is_key(const shoal_key_table *table, uint64_t slot, uint64_t low,
                          const uint64_t *key)
{
    const uint64_t *known = table->keys + (size_t)((slot & low) - 1) * table->n_words;
    for (uint32_t w = 0; w < table->n_words; w++)
        if (known[w] != key[w]) return false;
    return true;
}

/*
 * Number n keys; the table has room for all of them. `n_words` and `is_exact` are those of the
 * table, passed so that they are constants in the inlined copy. (slot ^ mark) > low: the bits above
 * the number differ.
 */
static inline void number_keys(uint32_t *ids, shoal_key_table *table, const uint64_t *keys,
                               uint32_t n, uint32_t n_words, bool is_exact)
{
    uint64_t hashes[SHOAL_KEY_STRIP + AHEAD];
    const uint64_t low = (UINT64_C(1) << table->number_bits) - 1;
    const size_t last = table->n_slots - 1;
    uint64_t *slots = table->slots;
    for (uint32_t i = 0; i < n; i++)
        hashes[i] = shoal_key_hash(keys + (size_t)i * n_words, n_words);
    for (uint32_t i = n; i < n + AHEAD; i++) hashes[i] = 0;
    for (uint32_t i = 0; i < AHEAD; i++) __builtin_prefetch(&slots[hashes[i] & last]);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *key = keys + (size_t)i * n_words,
                       mark = mark_of(table, key, hashes[i], is_exact);
        size_t at = hashes[i] & last;
        __builtin_prefetch(&slots[hashes[i + AHEAD] & last]);
        while (slots[at] != 0 &&
               ((slots[at] ^ mark) > low || !(is_exact || is_key(table, slots[at], low, key))))
            at = (at + 1) & last;
        if (slots[at] == 0) {
            memcpy(table->keys + (size_t)table->n_keys * n_words, key, n_words * sizeof *key);
            slots[at] = mark | ++table->n_keys;
        }
        ids[i] = (uint32_t)(slots[at] & low) - 1;
    }
}

bool shoal_key_table_number(uint32_t *ids, shoal_key_table *table, const uint64_t *keys, uint32_t n)
{
    if (!make_room(table, n)) return false;
    if (table->is_exact)
        number_keys(ids, table, keys, n, 1, true);
    else
        number_keys(ids, table, keys, n, table->n_words, false);
    return true;
}
