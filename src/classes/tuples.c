/* SPDX-License-Identifier: Apache-2.0 */
/* tuples.c - number the distinct tuples of some code columns by first appearance.
 *
 * The codes of a row are packed into a few 64-bit words. Runs of rows of fixed length are hashed in
 * parallel, each into a table of its own; then the runs' distinct keys are entered, run after run, into
 * one table. A run's keys are in order of appearance, so the final numbers are those of a single pass over all
 * rows: they do not depend on threads, nor on the hash function.
 *
 * Cost: O(n_rows * n_columns) in parallel plus one insertion for each distinct key of each run.
 */
#include "classes/classes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

enum { RUN = 1 << 18, STRIP = 512 };

/* Where each column's code goes in the packed key. */
typedef struct packing {
    const shoal_column *const *columns;
    size_t n_columns;
    uint32_t *word, *shift; /* of each column */
    uint32_t n_words;       /* of a key */
} packing;

/* Open addressing; grows so that at most half of the slots are taken. Keys are in order of appearance. */
typedef struct key_table {
    uint32_t n_words;
    uint64_t *keys;
    uint64_t *hashes;
    uint32_t n_keys;
    size_t key_room, hash_room;
    uint32_t *slots; /* key number + 1, or 0 */
    size_t n_slots;
} key_table;

static void key_table_clear(key_table *table)
{
    shoal_free(table->keys);
    shoal_free(table->hashes);
    shoal_free(table->slots);
    *table = (key_table){ 0 };
}

static bool grow_slots(key_table *table)
{
    size_t n_slots = table->n_slots == 0 ? 1024 : table->n_slots * 2;
    uint32_t *slots = shoal_alloc_zero(n_slots, sizeof *slots);
    if (slots == NULL) return false;
    for (uint32_t i = 0; i < table->n_keys; i++) {
        size_t at = table->hashes[i] & (n_slots - 1);
        while (slots[at] != 0) at = (at + 1) & (n_slots - 1);
        slots[at] = i + 1;
    }
    shoal_free(table->slots);
    table->slots = slots;
    table->n_slots = n_slots;
    return true;
}

static bool append_key(key_table *table, const uint64_t *key, uint64_t hash)
{
    void *keys = table->keys, *hashes = table->hashes;
    bool has_room = shoal_reserve(&keys, &table->key_room, table->n_keys + 1, table->n_words * sizeof *table->keys);
    table->keys = keys;
    has_room = has_room && shoal_reserve(&hashes, &table->hash_room, table->n_keys + 1, sizeof *table->hashes);
    table->hashes = hashes;
    if (!has_room) return false;
    memcpy(table->keys + (size_t)table->n_keys * table->n_words, key, table->n_words * sizeof *key);
    table->hashes[table->n_keys++] = hash;
    return true;
}

/* The number of the key, entered if it is new; SHOAL_NO_CODE when memory is short. */
static uint32_t number_of(key_table *table, const uint64_t *key, uint64_t hash)
{
    if (2 * ((size_t)table->n_keys + 1) > table->n_slots && !grow_slots(table)) return SHOAL_NO_CODE;
    size_t at = hash & (table->n_slots - 1);
    for (; table->slots[at] != 0; at = (at + 1) & (table->n_slots - 1)) {
        uint32_t i = table->slots[at] - 1;
        if (table->hashes[i] != hash) continue;
        if (memcmp(table->keys + (size_t)i * table->n_words, key, table->n_words * sizeof *key) == 0) return i;
    }
    if (!append_key(table, key, hash)) return SHOAL_NO_CODE;
    table->slots[at] = table->n_keys;
    return table->n_keys - 1;
}

/* Put the codes of rows begin..begin+n-1 into keys (n <= STRIP), column by column. */
static void pack_strip(const packing *how, uint64_t begin, uint32_t n, uint64_t *keys)
{
    uint32_t n_words = how->n_words;
    memset(keys, 0, (size_t)n * n_words * sizeof *keys);
    for (size_t c = 0; c < how->n_columns; c++) {
        const shoal_column *column = how->columns[c];
        uint64_t *out = keys + how->word[c];
        uint32_t shift = how->shift[c];
        if (column->code_width == 1) {
            const uint8_t *codes = (const uint8_t *)column->codes + begin;
            for (uint32_t i = 0; i < n; i++) out[(size_t)i * n_words] |= (uint64_t)codes[i] << shift;
        } else if (column->code_width == 2) {
            const uint16_t *codes = (const uint16_t *)column->codes + begin;
            for (uint32_t i = 0; i < n; i++) out[(size_t)i * n_words] |= (uint64_t)codes[i] << shift;
        } else {
            const uint32_t *codes = (const uint32_t *)column->codes + begin;
            for (uint32_t i = 0; i < n; i++) out[(size_t)i * n_words] |= (uint64_t)codes[i] << shift;
        }
    }
}

static bool number_run(key_table *table, const packing *how, uint64_t begin, uint64_t end, uint32_t *ids)
{
    table->n_words = how->n_words;
    uint64_t *keys = shoal_alloc((size_t)STRIP * how->n_words, sizeof *keys);
    bool ok = keys != NULL;
    for (uint64_t row = begin; ok && row < end; row += STRIP) {
        uint32_t n = end - row < STRIP ? (uint32_t)(end - row) : STRIP;
        pack_strip(how, row, n, keys);
        for (uint32_t i = 0; ok && i < n; i++) {
            const uint64_t *key = keys + (size_t)i * how->n_words;
            ids[row + i] = number_of(table, key, XXH3_64bits(key, how->n_words * sizeof *key));
            ok = ids[row + i] != SHOAL_NO_CODE;
        }
    }
    shoal_free(keys);
    return ok;
}

/* Enter the keys of every run into one table; afterwards a run's `hashes` hold the final numbers of its keys. */
static bool merge_runs(key_table *all, key_table *runs, size_t n_runs)
{
    for (size_t r = 0; r < n_runs; r++) {
        all->n_words = runs[r].n_words;
        for (uint32_t i = 0; i < runs[r].n_keys; i++) {
            uint32_t id = number_of(all, runs[r].keys + (size_t)i * all->n_words, runs[r].hashes[i]);
            if (id == SHOAL_NO_CODE) return false;
            runs[r].hashes[i] = id;
        }
    }
    return true;
}

static bool make_packing(packing *how, const shoal_column *const *columns, size_t n_columns)
{
    *how = (packing){ .columns = columns, .n_columns = n_columns };
    how->word = shoal_alloc(n_columns, sizeof *how->word);
    how->shift = shoal_alloc(n_columns, sizeof *how->shift);
    if (how->word == NULL || how->shift == NULL) return false;
    uint32_t byte = 0;
    for (size_t c = 0; c < n_columns; c++) {
        uint32_t width = columns[c]->code_width;
        if (byte % 8 + width > 8) byte += 8 - byte % 8; /* a code does not straddle words */
        how->word[c] = byte / 8;
        how->shift[c] = byte % 8 * 8;
        byte += width;
    }
    how->n_words = (byte + 7) / 8;
    if (how->n_words == 0) how->n_words = 1;
    return true;
}

shoal_status shoal_number_tuples(uint32_t **ids_out, uint32_t *n_distinct, const shoal_column *const *columns,
                                 size_t n_columns, uint64_t n_rows, uint32_t threads, shoal_error *err)
{
    size_t n_runs = (size_t)((n_rows + RUN - 1) / RUN);
    int n_threads = threads > 0 ? (int)threads : 1;
    packing how = { 0 };
    key_table all = { 0 };
    uint32_t *ids = shoal_alloc((size_t)n_rows, sizeof *ids);
    key_table *runs = shoal_alloc_zero(n_runs, sizeof *runs);
    bool ok = ids != NULL && runs != NULL && make_packing(&how, columns, n_columns);
    if (!ok) goto out;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic) reduction(&& : ok)
    for (size_t r = 0; r < n_runs; r++) {
        uint64_t end = (r + 1) * (uint64_t)RUN;
        ok = ok && number_run(&runs[r], &how, r * (uint64_t)RUN, end < n_rows ? end : n_rows, ids);
    }
    if (!ok) goto out;
    if (n_runs == 1) { /* a single run is numbered already */
        *n_distinct = runs[0].n_keys;
        goto out;
    }
    ok = merge_runs(&all, runs, n_runs);
    if (!ok) goto out;
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t row = 0; row < n_rows; row++) ids[row] = (uint32_t)runs[row / RUN].hashes[ids[row]];
    *n_distinct = all.n_keys;
out:
    for (size_t r = 0; runs != NULL && r < n_runs; r++) key_table_clear(&runs[r]);
    shoal_free(runs);
    shoal_free(how.word);
    shoal_free(how.shift);
    key_table_clear(&all);
    if (!ok) {
        shoal_free(ids);
        return shoal_fail_memory(err);
    }
    *ids_out = ids;
    return SHOAL_OK;
}
