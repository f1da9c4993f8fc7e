/* SPDX-License-Identifier: Apache-2.0 */
/* dictionary.c - the slow path of dictionary.h: long texts, collisions, new texts, growth.
 *
 * Invariant: at most half of the slots are used (three quarters in big tables, to save memory), so
 * every probe ends. Cost: O(length) expected per text, about 48 bytes per distinct text.
 */
#include "table/dictionary.h"

#define XXH_INLINE_ALL
#include <assert.h>
#include <xxhash.h>

enum { FIRST_SLOTS = 16, FIRST_VALUES = 8, BIG = 1 << 20 };

static shoal_text_key key_of(const char *text, size_t length)
{
    if (length <= SHOAL_SHORT_TEXT) {
        char padded[SHOAL_SHORT_TEXT] = { 0 };
        if (length > 0) memcpy(padded, text, length);
        return shoal_short_key(padded, length);
    }
    return (shoal_text_key){ XXH3_64bits(text, length), length };
}

/* The hash takes 8 bits of length; long texts share one value, their keys contain the length
 * anyway. */
static uint64_t hash_of(shoal_text_key key, size_t length)
{
    return shoal_hash_key(key, length <= SHOAL_SHORT_TEXT ? length : SHOAL_SHORT_TEXT + 1);
}

static shoal_slot *make_slots(uint64_t n_slots)
{
    shoal_slot *slots = shoal_alloc(n_slots, sizeof *slots);
    /* all bits set: SHOAL_NO_CODE, an empty slot */
    if (slots != NULL) memset(slots, 0xff, n_slots * sizeof *slots);
    return slots;
}

bool shoal_dictionary_init(shoal_dictionary *dictionary, uint64_t expected)
{
    uint64_t n_slots = FIRST_SLOTS;
    while (n_slots / 2 < expected) n_slots *= 2;
    /* big tables may be three quarters full */
    if (n_slots > BIG && n_slots / 2 / 4 * 3 >= expected) n_slots /= 2;
    *dictionary = (shoal_dictionary){ .slots = make_slots(n_slots), .slot_mask = n_slots - 1 };
    return dictionary->slots != NULL;
}

void shoal_dictionary_clear(shoal_dictionary *dictionary)
{
    shoal_free(dictionary->slots);
    shoal_free(dictionary->values);
    shoal_free(dictionary->keys);
    *dictionary = (shoal_dictionary){ 0 };
}

/* The slot of the text, or the empty slot where it belongs. */
static shoal_slot *find_slot(const shoal_dictionary *dictionary, shoal_text_key key, uint64_t hash,
                             const char *text, size_t length)
{
    for (uint64_t at = hash & dictionary->slot_mask;; at = (at + 1) & dictionary->slot_mask) {
        shoal_slot *slot = &dictionary->slots[at];
        if (slot->code == SHOAL_NO_CODE) return slot;
        if (slot->tag != (uint32_t)(hash >> 32)) continue;
        shoal_text_key known = dictionary->keys[slot->code];
        shoal_text value = dictionary->values[slot->code];
        if (known.lo != key.lo || known.hi != key.hi || value.length != length) continue;
        if (length <= SHOAL_SHORT_TEXT || memcmp(value.data, text, length) == 0) return slot;
    }
}

static bool grow_slots(shoal_dictionary *dictionary)
{
    uint64_t n_slots = (dictionary->slot_mask + 1) * 2;
    shoal_slot *slots = make_slots(n_slots);
    if (slots == NULL) return false;
    for (uint32_t code = 0; code < dictionary->n_values; code++) {
        uint64_t hash = hash_of(dictionary->keys[code], dictionary->values[code].length);
        uint64_t at = hash & (n_slots - 1);
        while (slots[at].code != SHOAL_NO_CODE) at = (at + 1) & (n_slots - 1);
        slots[at] = (shoal_slot){ (uint32_t)(hash >> 32), code };
    }
    shoal_free(dictionary->slots);
    dictionary->slots = slots;
    dictionary->slot_mask = n_slots - 1;
    return true;
}

static bool grow_values(shoal_dictionary *dictionary)
{
    uint64_t grown = dictionary->capacity == 0 ? FIRST_VALUES : (uint64_t)dictionary->capacity * 2;
    if (grown > SHOAL_NO_CODE) grown = SHOAL_NO_CODE;
    if (grown == dictionary->capacity) return false; /* no code is left */
    shoal_text *values = shoal_resize(dictionary->values, grown, sizeof *values);
    if (values == NULL) return false;
    dictionary->values = values;
    shoal_text_key *keys = shoal_resize(dictionary->keys, grown, sizeof *keys);
    if (keys == NULL) return false;
    dictionary->keys = keys;
    dictionary->capacity = (uint32_t)grown;
    return true;
}

/* Half of the slots, or three quarters of many. */
static uint64_t most_values(const shoal_dictionary *dictionary)
{
    uint64_t n_slots = dictionary->slot_mask + 1;
    return n_slots < BIG ? n_slots / 2 : n_slots / 4 * 3;
}

static bool is_crowded(const shoal_dictionary *dictionary)
{
    return dictionary->n_values >= most_values(dictionary);
}

uint32_t shoal_dictionary_add_slow(shoal_dictionary *dictionary, const char *text, size_t length,
                                   shoal_arena *arena)
{
    shoal_text_key key = key_of(text, length);
    uint64_t hash = hash_of(key, length);
    shoal_slot *slot = find_slot(dictionary, key, hash, text, length);
    if (slot->code != SHOAL_NO_CODE) return slot->code;

    if (is_crowded(dictionary)) {
        if (!grow_slots(dictionary)) return SHOAL_NO_CODE;
        slot = find_slot(dictionary, key, hash, text, length);
    }
    if (dictionary->n_values == dictionary->capacity && !grow_values(dictionary))
        return SHOAL_NO_CODE;
    if (arena != NULL) {
        char *copy = shoal_arena_alloc(arena, length > 0 ? length : 1);
        if (copy == NULL) return SHOAL_NO_CODE;
        if (length > 0) memcpy(copy, text, length);
        text = copy;
    }
    uint32_t code = dictionary->n_values++;
    dictionary->values[code] = (shoal_text){ text, length };
    dictionary->keys[code] = key;
    *slot = (shoal_slot){ (uint32_t)(hash >> 32), code };
    assert(dictionary->n_values <= most_values(dictionary));
    return code;
}

uint32_t shoal_dictionary_find(const shoal_dictionary *dictionary, const char *text, size_t length)
{
    shoal_text_key key = key_of(text, length);
    return find_slot(dictionary, key, hash_of(key, length), text, length)->code;
}
