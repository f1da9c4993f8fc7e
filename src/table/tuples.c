/* SPDX-License-Identifier: Apache-2.0 */
/* tuples.c - number the distinct tuples of some code columns by first appearance.
 *
 * The codes of a row are packed into a few 64-bit words. Runs of rows of fixed length are hashed in
 * parallel, each into a table of its own; then the runs' distinct keys are merged, in parallel over parts of the range of hashes, run
 * after run, which finds where each key appears first. A run's keys are in order of appearance, so counting those first
 * appearances through the runs gives the numbers of a single pass over all rows: they do not depend on threads, nor on the hash function.
 * A slot holds half of the hash beside the key's number, and slots are fetched ahead, for most of the time goes into waiting for memory.
 *
 * Cost: O(n_rows * n_columns) plus one insertion for each distinct key of each run, all but the counting in parallel.
 */
#include "table/tuples.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

enum { RUN = 1 << 18, STRIP = 512, AHEAD = 8, PART_BITS = 6, N_PARTS = 1 << PART_BITS };

/* Where each column's code goes in the packed key. */
typedef struct packing {
    const shoal_column *const *columns;
    size_t n_columns;
    uint32_t *word, *shift; /* of each column */
    uint32_t n_words;       /* of a key */
} packing;

/* Half of a hash and a key's number + 1, or 0 and 0. */
typedef struct key_slot {
    uint32_t tag, number;
} key_slot;

/* Open addressing; grows so that at most half of the slots are taken. Keys are in order of appearance. */
typedef struct key_table {
    uint32_t n_words;
    uint64_t *keys;
    uint64_t *hashes;
    uint32_t n_keys;
    size_t key_room, hash_room;
    key_slot *slots;
    size_t n_slots;
} key_table;

/* The distinct keys of a run of rows. */
typedef struct key_run {
    key_table table;
    uint32_t begin[N_PARTS + 1]; /* where the keys of each part of the hashes begin in `order` */
    uint32_t *order;             /* key numbers, by part, then ascending */
    uint32_t *number;            /* of each key: in its part, with IS_FIRST where it appears first; then the final one */
} key_run;

/* All keys whose hashes begin alike. */
typedef struct key_part {
    key_table table;
    uint32_t *number; /* the final one of each key */
} key_part;

#define IS_FIRST (UINT32_C(1) << 31)

static void key_table_clear(key_table *table)
{
    shoal_free(table->keys);
    shoal_free(table->hashes);
    shoal_free(table->slots);
    *table = (key_table){ 0 };
}

/* The low bits choose the slot, the high ones the part; the tag is between them as far as may be. */
static inline uint32_t tag_of(uint64_t hash)
{
    return (uint32_t)(hash >> 24);
}

static inline uint32_t part_of(uint64_t hash)
{
    return (uint32_t)(hash >> (64 - PART_BITS));
}

static bool grow_slots(key_table *table)
{
    size_t n_slots = table->n_slots == 0 ? 1024 : table->n_slots * 2;
    key_slot *slots = shoal_alloc_zero(n_slots, sizeof *slots);
    if (slots == NULL) return false;
    for (uint32_t i = 0; i < table->n_keys; i++) {
        size_t at = table->hashes[i] & (n_slots - 1);
        while (slots[at].number != 0) at = (at + 1) & (n_slots - 1);
        slots[at] = (key_slot){ tag_of(table->hashes[i]), i + 1 };
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

static inline void fetch_slot(const key_table *table, uint64_t hash)
{
    if (table->n_slots > 0) __builtin_prefetch(&table->slots[hash & (table->n_slots - 1)]);
}

static inline bool is_key(const key_table *table, uint32_t i, const uint64_t *key)
{
    const uint64_t *known = table->keys + (size_t)i * table->n_words;
    for (uint32_t w = 0; w < table->n_words; w++)
        if (known[w] != key[w]) return false;
    return true;
}

/* The number of the key, entered if it is new; SHOAL_NO_CODE when memory is short. */
static inline uint32_t number_of(key_table *table, const uint64_t *key, uint64_t hash)
{
    if (2 * ((size_t)table->n_keys + 1) > table->n_slots && !grow_slots(table)) return SHOAL_NO_CODE;
    size_t at = hash & (table->n_slots - 1);
    for (; table->slots[at].number != 0; at = (at + 1) & (table->n_slots - 1)) {
        key_slot slot = table->slots[at];
        if (slot.tag == tag_of(hash) && is_key(table, slot.number - 1, key)) return slot.number - 1;
    }
    if (!append_key(table, key, hash)) return SHOAL_NO_CODE;
    table->slots[at] = (key_slot){ tag_of(hash), table->n_keys };
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

/* Hash a strip, then enter it: when a key's turn comes its slot is on the way. */
static bool number_strip(key_table *table, const uint64_t *keys, uint32_t n, uint32_t *ids)
{
    uint64_t hashes[STRIP + AHEAD] = { 0 };
    const uint32_t n_words = table->n_words;
    for (uint32_t i = 0; i < n; i++) hashes[i] = XXH3_64bits(keys + (size_t)i * n_words, n_words * sizeof *keys);
    for (uint32_t i = 0; i < AHEAD; i++) fetch_slot(table, hashes[i]);
    for (uint32_t i = 0; i < n; i++) {
        fetch_slot(table, hashes[i + AHEAD]);
        ids[i] = number_of(table, keys + (size_t)i * n_words, hashes[i]);
        if (ids[i] == SHOAL_NO_CODE) return false;
    }
    return true;
}

/* List a run's keys by the part that their hashes are in. Nothing is entered into its table any more. */
static bool sort_parts(key_run *run)
{
    key_table *table = &run->table;
    uint32_t next[N_PARTS];
    shoal_free(table->slots);
    table->slots = NULL;
    table->n_slots = 0;
    run->order = shoal_alloc(table->n_keys, sizeof *run->order);
    run->number = shoal_alloc(table->n_keys, sizeof *run->number);
    if (run->order == NULL || run->number == NULL) return false;
    memset(run->begin, 0, sizeof run->begin);
    for (uint32_t i = 0; i < table->n_keys; i++) run->begin[part_of(table->hashes[i]) + 1]++;
    for (uint32_t p = 0; p < N_PARTS; p++) run->begin[p + 1] += run->begin[p];
    memcpy(next, run->begin, sizeof next);
    for (uint32_t i = 0; i < table->n_keys; i++) run->order[next[part_of(table->hashes[i])]++] = i;
    return true;
}

static bool number_run(key_run *run, const packing *how, uint64_t begin, uint64_t end, uint32_t *ids)
{
    run->table.n_words = how->n_words;
    uint64_t *keys = shoal_alloc((size_t)STRIP * how->n_words, sizeof *keys);
    bool ok = keys != NULL;
    for (uint64_t row = begin; ok && row < end; row += STRIP) {
        uint32_t n = end - row < STRIP ? (uint32_t)(end - row) : STRIP;
        pack_strip(how, row, n, keys);
        ok = number_strip(&run->table, keys, n, ids + row);
    }
    shoal_free(keys);
    return ok && sort_parts(run);
}

/* Enter the keys of one part, run after run; each run learns which number its keys have there and which it was first to have. */
static bool merge_part(key_part *part, uint32_t p, key_run *runs, size_t n_runs)
{
    key_table *all = &part->table;
    for (size_t r = 0; r < n_runs; r++) {
        const key_table *from = &runs[r].table;
        const uint32_t *order = runs[r].order;
        all->n_words = from->n_words;
        for (uint32_t j = runs[r].begin[p], end = runs[r].begin[p + 1]; j < end; j++) {
            if (j + AHEAD < end) fetch_slot(all, from->hashes[order[j + AHEAD]]);
            uint32_t i = order[j], n_before = all->n_keys;
            uint32_t id = number_of(all, from->keys + (size_t)i * from->n_words, from->hashes[i]);
            if (id == SHOAL_NO_CODE) return false;
            runs[r].number[i] = id == n_before ? id | IS_FIRST : id;
        }
    }
    part->number = shoal_alloc(all->n_keys, sizeof *part->number);
    return part->number != NULL;
}

/* Count the first appearances through all runs, then tell every run the numbers of its keys. Returns how many there are. */
static uint32_t number_keys(key_part *parts, key_run *runs, size_t n_runs, int n_threads)
{
    uint32_t n = 0;
    for (size_t r = 0; r < n_runs; r++)
        for (uint32_t i = 0; i < runs[r].table.n_keys; i++)
            if (runs[r].number[i] & IS_FIRST) parts[part_of(runs[r].table.hashes[i])].number[runs[r].number[i] & ~IS_FIRST] = n++;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic)
    for (size_t r = 0; r < n_runs; r++)
        for (uint32_t i = 0; i < runs[r].table.n_keys; i++)
            runs[r].number[i] = parts[part_of(runs[r].table.hashes[i])].number[runs[r].number[i] & ~IS_FIRST];
    return n;
}

/* The numbers of the keys of a run become those of all runs. */
static bool merge_runs(uint32_t *n_distinct, key_run *runs, size_t n_runs, int n_threads)
{
    key_part *parts = shoal_alloc_zero(N_PARTS, sizeof *parts);
    bool ok = parts != NULL;
    if (!ok) return false;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic) reduction(&& : ok)
    for (uint32_t p = 0; p < N_PARTS; p++) ok = ok && merge_part(&parts[p], p, runs, n_runs);
    if (ok) *n_distinct = number_keys(parts, runs, n_runs, n_threads);
    for (uint32_t p = 0; p < N_PARTS; p++) {
        key_table_clear(&parts[p].table);
        shoal_free(parts[p].number);
    }
    shoal_free(parts);
    return ok;
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
    uint32_t *ids = shoal_alloc((size_t)n_rows, sizeof *ids);
    key_run *runs = shoal_alloc_zero(n_runs, sizeof *runs);
    bool ok = ids != NULL && runs != NULL && make_packing(&how, columns, n_columns);
    if (!ok) goto out;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic) reduction(&& : ok)
    for (size_t r = 0; r < n_runs; r++) {
        uint64_t end = (r + 1) * (uint64_t)RUN;
        ok = ok && number_run(&runs[r], &how, r * (uint64_t)RUN, end < n_rows ? end : n_rows, ids);
    }
    if (!ok) goto out;
    if (n_runs <= 1) { /* a single run is numbered already */
        *n_distinct = n_runs == 1 ? runs[0].table.n_keys : 0;
        goto out;
    }
    ok = merge_runs(n_distinct, runs, n_runs, n_threads);
    if (!ok) goto out;
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t row = 0; row < n_rows; row++) ids[row] = runs[row / RUN].number[ids[row]];
out:
    for (size_t r = 0; runs != NULL && r < n_runs; r++) {
        key_table_clear(&runs[r].table);
        shoal_free(runs[r].order);
        shoal_free(runs[r].number);
    }
    shoal_free(runs);
    shoal_free(how.word);
    shoal_free(how.shift);
    if (!ok) {
        shoal_free(ids);
        return shoal_fail_memory(err);
    }
    *ids_out = ids;
    return SHOAL_OK;
}
