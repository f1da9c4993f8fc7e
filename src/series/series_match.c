/* SPDX-License-Identifier: Apache-2.0 */
/* series_match.c - which rows of the table were published before.
 *
 * A record key is known to the state as a keyed hash of 128 bits. Rows of the state are found by an open table of their digests, which are as good as
 * random. A row of the table that the state does not have is new, or has waited; one of the state that the table does not have was erased.
 *
 * Cost: O(rows of table and state), 8 bytes for each row of the state besides what the change holds.
 */
#include "series/series_change.h"

#include <string.h>

typedef struct key_map {
    uint32_t *places; /* SHOAL_NO_CODE: free */
    uint64_t mask;
} key_map;

static uint64_t first_place(const shoal_record_digest *key, uint64_t mask)
{
    uint64_t hash;
    memcpy(&hash, key->bytes, sizeof hash);
    return hash & mask;
}

static bool is_same(const shoal_record_digest *a, const shoal_record_digest *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

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

/* ---- keys of the table ---- */

static void hash(const shoal_change *c, uint8_t out[sizeof(shoal_record_digest)], shoal_text text)
{
    const shoal_series_storage *storage = &c->series->storage;
    storage->hash(storage->payload, out, sizeof(shoal_record_digest), text.length > 0 ? text.data : "", text.length);
}

/* The value of a field of a row. data NULL: memory is short. */
static shoal_text field_of(const shoal_table *table, uint64_t row, size_t column, shoal_arena *arena)
{
    const char *at = table->data + table->row_offset[row], *end = table->data + table->data_size;
    shoal_field field;
    for (size_t c = 0; c <= column; c++) shoal_scan_field(&field, &at, end, table->delimiter);
    return shoal_field_value(&field, arena);
}

static bool is_null(const shoal_table *table, shoal_text text)
{
    if (text.length == 0) return true;
    for (size_t i = 0; i < table->n_nulls; i++)
        if (strlen(table->nulls[i]) == text.length && memcmp(table->nulls[i], text.data, text.length) == 0) return true;
    return false;
}

static shoal_status digest_keys(shoal_change *c, shoal_error *err)
{
    const shoal_table *table = c->table;
    size_t column = shoal_table_find_column(table, c->plan->record_key);
    for (uint64_t row = 0; row < table->n_rows; row++) {
        shoal_arena arena = { 0 };
        shoal_text text = field_of(table, row, column, &arena);
        shoal_status status = text.data == NULL ? shoal_fail_memory(err) : SHOAL_OK;
        if (status == SHOAL_OK && is_null(table, text))
            status = shoal_fail(err, SHOAL_EDATA, "row {row %llu} has no record key (column '{column %.200s}') {fix} a series needs one for each row",
                                (unsigned long long)row + 1, c->plan->record_key);
        if (status == SHOAL_OK) hash(c, c->keys[row].bytes, text);
        shoal_arena_clear(&arena);
        SHOAL_RETURN_IF_ERROR(status);
    }
    return SHOAL_OK;
}

static shoal_status refuse_twice(const shoal_change *c, shoal_error *err)
{
    key_map map;
    shoal_status status = SHOAL_OK;
    if (!key_map_init(&map, c->table->n_rows)) return shoal_fail_memory(err);
    for (uint64_t row = 0; row < c->table->n_rows && status == SHOAL_OK; row++) {
        uint64_t at = first_place(&c->keys[row], map.mask);
        for (; map.places[at] != SHOAL_NO_CODE && status == SHOAL_OK; at = (at + 1) & map.mask)
            if (is_same(&c->keys[map.places[at]], &c->keys[row]))
                status = shoal_fail(err, SHOAL_EDATA, "rows {row %u} and {row %llu} have the same record key (column '{column %.200s}') {fix} a series needs a column that "
                                                      "is different in each row", map.places[at] + 1, (unsigned long long)row + 1, c->plan->record_key);
        map.places[at] = (uint32_t)row;
    }
    shoal_free(map.places);
    return status;
}

/* Persons by the first 8 bytes of their digest: two in a part of some thousand persons coincide once in 10^12 parts, and then count as one. */
static void digest_persons(shoal_change *c)
{
    const shoal_table *table = c->table;
    for (size_t column = 0; column < table->n_columns; column++) {
        const shoal_column *person = &table->columns[column];
        if (!shoal_role_is_person(person->role)) continue;
        for (uint64_t row = 0; row < table->n_rows; row++) {
            shoal_record_digest digest;
            shoal_text text = person->values[shoal_column_code(person, row)];
            hash(c, digest.bytes, text);
            memcpy(&c->persons[row], digest.bytes, sizeof c->persons[row]);
        }
    }
}

/* ---- rows of the state ---- */

static shoal_status find_rows(shoal_change *c, shoal_error *err)
{
    const shoal_series_state *state = c->state;
    key_map map;
    if (!key_map_init(&map, state->n_rows)) return shoal_fail_memory(err);
    for (uint64_t i = 0; i < state->n_rows; i++) {
        uint64_t at = first_place(&state->rows[i].key, map.mask);
        while (map.places[at] != SHOAL_NO_CODE) at = (at + 1) & map.mask;
        map.places[at] = (uint32_t)i;
        c->new_rows[i] = SHOAL_NO_CODE;
        c->fates[i] = SHOAL_ROW_LEAVES;
    }
    for (uint64_t row = 0; row < c->table->n_rows; row++) {
        uint64_t at = first_place(&c->keys[row], map.mask);
        while (map.places[at] != SHOAL_NO_CODE && !is_same(&state->rows[map.places[at]].key, &c->keys[row])) at = (at + 1) & map.mask;
        c->old_rows[row] = map.places[at];
        c->slots[row] = SHOAL_NO_CODE;
        c->next_added[row] = SHOAL_NO_CODE;
        if (map.places[at] != SHOAL_NO_CODE) c->new_rows[map.places[at]] = (uint32_t)row;
    }
    shoal_free(map.places);
    return SHOAL_OK;
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

bool shoal_change_index(shoal_change *c)
{
    const shoal_series_state *state = c->state;
    c->n_old_slots = state->slots.tuples.n_values;
    c->row_begin = shoal_alloc_zero((size_t)c->n_old_slots + 1, sizeof *c->row_begin);
    c->past_begin = shoal_alloc_zero((size_t)c->n_old_slots + 1, sizeof *c->past_begin);
    if (c->row_begin == NULL || c->past_begin == NULL) return false;
    for (uint64_t i = 0; i < state->n_rows && state->rows[i].slot != SHOAL_NO_CODE; i++) c->row_begin[state->rows[i].slot + 1]++;
    for (uint64_t i = 0; i < state->n_pasts; i++) c->past_begin[state->pasts[i].slot + 1]++;
    for (uint32_t s = 0; s < c->n_old_slots; s++) {
        c->row_begin[s + 1] += c->row_begin[s];
        c->past_begin[s + 1] += c->past_begin[s];
    }
    return true;
}

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
    return c->keys != NULL && c->persons != NULL && c->values != NULL && c->old_rows != NULL && c->slots != NULL && c->next_added != NULL &&
           c->new_rows != NULL && c->fates != NULL;
}

shoal_status shoal_change_match(shoal_change *c, shoal_error *err)
{
    if (c->table->n_rows >= SHOAL_NO_CODE || c->state->n_rows >= SHOAL_NO_CODE)
        return shoal_fail(err, SHOAL_EINVAL, "a series has room for 4 thousand million rows, and this table has more");
    if (!make_room(c) || !shoal_change_index(c)) return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(shoal_series_values_of(c->values, &c->state->values, c->table, &c->terms, c->threads, err));
    SHOAL_RETURN_IF_ERROR(digest_keys(c, err));
    SHOAL_RETURN_IF_ERROR(refuse_twice(c, err));
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
