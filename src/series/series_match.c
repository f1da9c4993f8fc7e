/* SPDX-License-Identifier: Apache-2.0 */
/* series_match.c - which rows of the table were published before.
 *
 * The state holds a record key as a keyed hash of 128 bits; collisions are negligible. Rows of the
 * state are found by an open-addressing table of positions and 32 bits of their digests, so that a
 * wrong position is rejected without reading its row. A row of the table that the state does not
 * have is new, or was held back; one of the state that the table does not have was erased. Two rows
 * with one key would find the same row of the state, or the same position among the unmatched rows.
 *
 * An example: the state has rows A and B, the table has B and C, by their keys. B is matched and
 * stays in its slot, unless its sensitive value is another (corrected: it leaves) or the slot does
 * not cover it any more (series_cover.c); A was erased and leaves; C is new.
 *
 * Cost: O(rows of table and state), 16 bytes for each row of the state besides what the change
 * holds; digests are made on all threads.
 */
#include "series/series_change.h"

#include <assert.h>
#include <string.h>

enum { RUN_ROWS = 1 << 13, AHEAD = 16 };

typedef struct key_place {
    uint32_t tag; /* of the digest */
    uint32_t row; /* SHOAL_NO_CODE: free */
} key_place;

typedef struct key_map {
    key_place *places;
    uint64_t mask;
} key_map;

/* The digest is uniform, so its first bytes are the hash; tag_of() takes others. */
static uint64_t first_place(const shoal_record_digest *key, uint64_t mask)
{
    uint64_t hash;
    memcpy(&hash, key->bytes, sizeof hash);
    return hash & mask;
}

static uint32_t tag_of(const shoal_record_digest *key)
{
    uint32_t tag;
    memcpy(&tag, key->bytes + sizeof(uint64_t), sizeof tag);
    return tag;
}

/* The tag was compared before; this compares all 128 bits. */
static bool is_same(const shoal_record_digest *a, const shoal_record_digest *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* At most half of the places are used, so that probes are short. */
static bool key_map_init(key_map *map, uint64_t n)
{
    uint64_t size = 16;
    while (size < 2 * n) size *= 2;
    map->mask = size - 1;
    map->places = shoal_alloc((size_t)size, sizeof *map->places);
    if (map->places == NULL) return false;
    memset(map->places, 0xff, (size_t)size * sizeof *map->places);
    return true;
}

static void key_map_prefetch(const key_map *map, const shoal_record_digest *key)
{
    __builtin_prefetch(&map->places[first_place(key, map->mask)]);
}

/* ---- keys of the table ---- */

static void hash(const shoal_change *c, uint8_t out[sizeof(shoal_record_digest)], shoal_text text)
{
    const shoal_series_storage *storage = &c->series->storage;
    storage->hash(storage->payload, out, sizeof(shoal_record_digest),
                  text.length > 0 ? text.data : "", text.length);
}

/* The value of a field of a row. data NULL: memory is short. */
static shoal_text field_of(const shoal_table *table, uint64_t row, size_t column,
                           shoal_arena *arena)
{
    shoal_text text = { NULL, 0 };
    return shoal_table_cell(&text, table, row, column, arena, NULL) == SHOAL_OK
               ? text
               : (shoal_text){ NULL, 0 };
}

/* An empty key, or one of the strings that mean missing, identifies nothing. */
static bool is_null(const shoal_table *table, shoal_text text)
{
    return text.length == 0 || shoal_table_is_null_text(table, text);
}

typedef enum key_problem { KEY_FINE, KEY_MISSING, KEY_NO_MEMORY } key_problem;

/* The key itself is read, hashed and forgotten: only digests are kept. */
static key_problem digest_key(shoal_change *c, size_t column, uint64_t row)
{
    shoal_arena arena = { 0 };
    shoal_text text = field_of(c->table, row, column, &arena);
    key_problem problem = text.data == NULL         ? KEY_NO_MEMORY
                          : is_null(c->table, text) ? KEY_MISSING
                                                    : KEY_FINE;
    if (problem == KEY_FINE) hash(c, c->keys[row].bytes, text);
    shoal_arena_clear(&arena);
    return problem;
}

/* The first row of a run whose key cannot be used, or `end`. */
static uint64_t digest_run(shoal_change *c, size_t column, uint64_t row, uint64_t end)
{
    while (row < end && digest_key(c, column, row) == KEY_FINE) row++;
    return row;
}

/* The first bad row is reported, whichever thread finds it. Lack of memory is told from a missing
 * key by digesting that row again. */
static shoal_status digest_keys(shoal_change *c, shoal_error *err)
{
    uint64_t n = c->table->n_rows, n_runs = (n + RUN_ROWS - 1) / RUN_ROWS, first_bad = n;
    size_t column = shoal_table_find_column(c->table, c->plan->record_key);
#pragma omp parallel for num_threads(c->threads) schedule(dynamic)                                 \
    reduction(min                                                                                  \
              : first_bad) if (n_runs > 1)
    for (uint64_t run = 0; run < n_runs; run++) {
        uint64_t end = n - run * RUN_ROWS < RUN_ROWS ? n : (run + 1) * RUN_ROWS,
                 bad = digest_run(c, column, run * RUN_ROWS, end);
        if (bad < end && bad < first_bad) first_bad = bad;
    }
    if (first_bad == n) return SHOAL_OK;
    if (digest_key(c, column, first_bad) != KEY_MISSING) return shoal_fail_memory(err);
    return shoal_fail(
        err, SHOAL_EDATA,
        "row {row %llu} has no record key (column '{column %.200s}') {fix} add a key to every row",
        (unsigned long long)first_bad + 1, c->plan->record_key);
}

/* Rows are numbered from 1 in messages; the key itself is never shown. */
static shoal_status refuse_twice(const shoal_change *c, uint32_t first, uint64_t second,
                                 shoal_error *err)
{
    return shoal_fail(err, SHOAL_EDATA,
                      "rows {row %u} and {row %llu} have the same record key (column '{column "
                      "%.200s}') {fix} use a key that is different in every row",
                      first + 1, (unsigned long long)second + 1, c->plan->record_key);
}

/* Persons by the first 8 bytes of their digest: among some thousand persons two coincide with
 * probability 10^-12, and then count as one. */
static void digest_persons(shoal_change *c)
{
    const shoal_table *table = c->table;
    for (size_t column = 0; column < table->n_columns; column++) {
        const shoal_column *person = &table->columns[column];
        if (!shoal_role_is_person(person->role)) continue;
#pragma omp parallel for num_threads(c->threads) schedule(static) if (table->n_rows > RUN_ROWS)
        for (uint64_t row = 0; row < table->n_rows; row++) {
            shoal_record_digest digest;
            hash(c, digest.bytes, person->values[shoal_column_code(person, row)]);
            memcpy(&c->persons[row], digest.bytes, sizeof c->persons[row]);
        }
    }
}

/* ---- rows of the state ---- */

/* Until a row of the table claims it, a row of the state leaves. */
static void map_state(key_map *map, shoal_change *c)
{
    const shoal_series_state *state = c->state;
    for (uint64_t i = 0; i < state->n_rows; i++) {
        if (i + AHEAD < state->n_rows) key_map_prefetch(map, &state->rows[i + AHEAD].key);
        uint64_t at = first_place(&state->rows[i].key, map->mask);
        while (map->places[at].row != SHOAL_NO_CODE) at = (at + 1) & map->mask;
        map->places[at] = (key_place){ tag_of(&state->rows[i].key), (uint32_t)i };
        c->new_rows[i] = SHOAL_NO_CODE;
        c->fates[i] = SHOAL_ROW_LEAVES;
    }
}

/* The row of the state with the key of a row of the table, or SHOAL_NO_CODE. */
static uint32_t find_row(const key_map *map, const shoal_change *c, uint64_t row)
{
    const shoal_record_digest *key = &c->keys[row];
    uint64_t at = first_place(key, map->mask);
    for (; map->places[at].row != SHOAL_NO_CODE; at = (at + 1) & map->mask)
        if (map->places[at].tag == tag_of(key) &&
            is_same(&c->state->rows[map->places[at].row].key, key))
            break;
    return map->places[at].row;
}

/* Reads the map only, so runs may be processed in parallel. */
static void find_rows_of_run(const key_map *map, shoal_change *c, uint64_t row, uint64_t end)
{
    for (; row < end; row++) {
        if (row + AHEAD < end) key_map_prefetch(map, &c->keys[row + AHEAD]);
        c->old_rows[row] = find_row(map, c, row);
        c->slots[row] = SHOAL_NO_CODE;
        c->next_added[row] = SHOAL_NO_CODE;
    }
}

/* Give the rows of the state those of the table that they are. `unknown` takes those that the state
 * does not have, each once. */
static shoal_status take_rows(shoal_change *c, key_map *unknown, shoal_error *err)
{
    for (uint64_t row = 0; row < c->table->n_rows; row++) {
        uint32_t old = c->old_rows[row];
        if (old != SHOAL_NO_CODE) {
            if (c->new_rows[old] != SHOAL_NO_CODE)
                return refuse_twice(c, c->new_rows[old], row, err);
            c->new_rows[old] = (uint32_t)row;
            continue;
        }
        uint64_t at = first_place(&c->keys[row], unknown->mask);
        for (; unknown->places[at].row != SHOAL_NO_CODE; at = (at + 1) & unknown->mask)
            if (is_same(&c->keys[unknown->places[at].row], &c->keys[row]))
                return refuse_twice(c, unknown->places[at].row, row, err);
        unknown->places[at] = (key_place){ tag_of(&c->keys[row]), (uint32_t)row };
    }
    return SHOAL_OK;
}

/* Two maps, one after the other: of the state, then of the rows that it does not have. */
static shoal_status find_rows(shoal_change *c, shoal_error *err)
{
    key_map map;
    uint64_t n = c->table->n_rows, n_runs = (n + RUN_ROWS - 1) / RUN_ROWS, n_unknown = 0;
    if (!key_map_init(&map, c->state->n_rows)) return shoal_fail_memory(err);
    map_state(&map, c);
#pragma omp parallel for num_threads(c->threads) schedule(dynamic) if (n_runs > 1)
    for (uint64_t run = 0; run < n_runs; run++)
        find_rows_of_run(&map, c, run * RUN_ROWS,
                         n - run * RUN_ROWS < RUN_ROWS ? n : (run + 1) * RUN_ROWS);
    shoal_free(map.places);
    for (uint64_t row = 0; row < n; row++) n_unknown += c->old_rows[row] == SHOAL_NO_CODE;
    if (!key_map_init(&map, n_unknown)) return shoal_fail_memory(err);
    shoal_status status = take_rows(c, &map, err);
    shoal_free(map.places);
    return status;
}

/* Rows of the state that the table still has stay, unless something about them was corrected. */
static void find_fates(shoal_change *c)
{
    const shoal_series_state *state = c->state;
    for (uint64_t i = 0; i < state->n_rows; i++) {
        uint32_t row = c->new_rows[i];
        bool is_live = state->rows[i].slot != SHOAL_NO_CODE;
        if (row == SHOAL_NO_CODE) {
            c->entry.erased += is_live;
        } else if (!is_live) {
            c->fates[i] = SHOAL_ROW_STAYS; /* withdrawn it was, withdrawn it stays */
        } else if (c->values[row] == state->rows[i].value) {
            c->fates[i] = SHOAL_ROW_STAYS;
            c->slots[row] = state->rows[i].slot;
        } else {
            c->entry.corrected++;
        }
    }
}

/* Rows and pasts of a slot are contiguous in the state; this counts where each slot begins.
 * Withdrawn rows have no slot and come last. */
bool shoal_change_index(shoal_change *c)
{
    const shoal_series_state *state = c->state;
    assert(c->row_begin == NULL && c->past_begin == NULL);
    c->n_old_slots = state->slots.tuples.n_values;
    c->row_begin = shoal_alloc_zero((size_t)c->n_old_slots + 1, sizeof *c->row_begin);
    c->past_begin = shoal_alloc_zero((size_t)c->n_old_slots + 1, sizeof *c->past_begin);
    if (c->row_begin == NULL || c->past_begin == NULL) return false;
    for (uint64_t i = 0; i < state->n_rows && state->rows[i].slot != SHOAL_NO_CODE; i++)
        c->row_begin[state->rows[i].slot + 1]++;
    for (uint64_t i = 0; i < state->n_pasts; i++) c->past_begin[state->pasts[i].slot + 1]++;
    for (uint32_t s = 0; s < c->n_old_slots; s++) {
        c->row_begin[s + 1] += c->row_begin[s];
        c->past_begin[s + 1] += c->past_begin[s];
    }
    return true;
}

/* A failure leaves some arrays NULL; shoal_change_clear() frees the others. */
static bool make_room(shoal_change *c)
{
    size_t n = (size_t)c->table->n_rows, n_old = (size_t)c->state->n_rows;
    c->keys = shoal_alloc(n, sizeof *c->keys);
    c->persons = shoal_alloc_zero(n, sizeof *c->persons);
    c->values = shoal_alloc(n, sizeof *c->values);
    c->old_rows = shoal_alloc(n, sizeof *c->old_rows);
    c->slots = shoal_alloc(n, sizeof *c->slots);
    c->next_added = shoal_alloc(n, sizeof *c->next_added);
    c->new_rows = shoal_alloc(n_old, sizeof *c->new_rows);
    c->fates = shoal_alloc(n_old, sizeof *c->fates);
    return c->keys != NULL && c->persons != NULL && c->values != NULL && c->old_rows != NULL &&
           c->slots != NULL && c->next_added != NULL && c->new_rows != NULL && c->fates != NULL;
}

/* The first step of a release: afterwards every row of both sides has a counterpart or none. */
shoal_status shoal_change_match(shoal_change *c, shoal_error *err)
{
    assert(c->series != NULL && c->state != NULL && c->table != NULL && c->keys == NULL);
    if (c->table->n_rows >= SHOAL_NO_CODE || c->state->n_rows >= SHOAL_NO_CODE)
        return shoal_fail(err, SHOAL_EINVAL, "a series supports at most 4 billion rows");
    if (!make_room(c) || !shoal_change_index(c)) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(
        shoal_series_values_of(c->values, &c->state->values, c->table, &c->terms, c->threads, err));
    SHOAL_RETURN_IF_ERROR(digest_keys(c, err));
    digest_persons(c);
    SHOAL_RETURN_IF_ERROR(find_rows(c, err));
    find_fates(c);
    return SHOAL_OK;
}

void shoal_change_clear(shoal_change *c)
{
    shoal_series_judge_clear(&c->judge);
    shoal_series_terms_clear(&c->terms);
    shoal_free(c->keys);
    shoal_free(c->persons);
    shoal_free(c->values);
    shoal_free(c->old_rows);
    shoal_free(c->slots);
    shoal_free(c->next_added);
    shoal_free(c->new_rows);
    shoal_free(c->fates);
    shoal_free(c->row_begin);
    shoal_free(c->past_begin);
    shoal_free(c->added);
    shoal_free(c->scratch.history);
    shoal_free(c->scratch.now);
}
