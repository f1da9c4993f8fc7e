/* SPDX-License-Identifier: Apache-2.0 */
/* line_index.c - see line_index.h.
 *
 * The rows of a window are first numbered among themselves, in parallel (tuples.h); only its
 * distinct tuples are looked up here, serially, in strips, so that slots and keys can be
 * prefetched. A key consists of the packed numbers of the texts; when a column gets more texts than
 * its bytes can number, all keys are packed again, at most twice per column.
 */
#include "table/line_index.h"

#include "table/tuples.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { STRIP = 256 };

/* ---- making and freeing ---- */

/* Assign a word and a shift to each column, by its width. */
static void lay_out(shoal_line_index *index)
{
    uint32_t byte = 0;
    for (uint32_t i = 0; i < index->n_columns; i++) {
        /* a number must not cross a word boundary */
        if (byte % 8 + index->width[i] > 8) byte += 8 - byte % 8;
        index->word[i] = byte / 8;
        index->shift[i] = byte % 8 * 8;
        byte += index->width[i];
    }
    index->n_words = byte > 0 ? (byte + 7) / 8 : 1;
}

shoal_status shoal_line_index_make(shoal_line_index **out, const shoal_table *table,
                                   size_t window_bytes, shoal_error *err)
{
    shoal_line_index *index = shoal_alloc_zero(1, sizeof *index);
    if (index == NULL) return shoal_fail_memory(err);
    size_t n = table->n_columns;
    index->window_bytes = window_bytes;
    index->columns = shoal_alloc(n, sizeof *index->columns);
    index->texts = shoal_alloc_zero(n, sizeof *index->texts);
    index->code_of_text = shoal_alloc_zero(n, sizeof *index->code_of_text);
    index->width = shoal_alloc(n, sizeof *index->width);
    index->word = shoal_alloc(n, sizeof *index->word);
    index->shift = shoal_alloc(n, sizeof *index->shift);
    bool ok = index->columns != NULL && index->texts != NULL && index->code_of_text != NULL &&
              index->width != NULL && index->word != NULL && index->shift != NULL;
    for (size_t c = 0; ok && c < n; c++) {
        if (!shoal_role_is_encoded(table->columns[c].role)) continue;
        index->columns[index->n_columns] = c;
        index->width[index->n_columns] = 1;
        ok = shoal_dictionary_init(&index->texts[index->n_columns++], 0);
    }
    if (!ok) {
        shoal_line_index_free(index);
        return shoal_fail_memory(err);
    }
    lay_out(index);
    *out = index;
    return SHOAL_OK;
}

void shoal_line_index_free(shoal_line_index *index)
{
    if (index == NULL) return;
    for (uint32_t i = 0; i < index->n_columns; i++) {
        shoal_dictionary_clear(&index->texts[i]);
        shoal_free(index->code_of_text[i]);
    }
    shoal_free(index->columns);
    shoal_free(index->texts);
    shoal_free(index->code_of_text);
    shoal_free(index->width);
    shoal_free(index->word);
    shoal_free(index->shift);
    shoal_free(index->merged);
    shoal_free(index->keys);
    shoal_free(index->counts);
    shoal_free(index->slots);
    shoal_arena_clear(&index->arena);
    shoal_free(index);
}

uint64_t shoal_line_index_bytes(const shoal_line_index *index)
{
    return index->key_room * index->n_words * sizeof *index->keys +
           index->count_room * sizeof *index->counts + index->n_slots * sizeof *index->slots;
}

/* ---- keys ---- */

static uint64_t hash_key(const shoal_line_index *index, const uint64_t *key)
{
    return XXH3_64bits(key, index->n_words * sizeof *key);
}

static const uint64_t *key_of(const shoal_line_index *index, uint32_t line)
{
    return index->keys + (size_t)line * index->n_words;
}

/* Enter all lines into a new table of `n_slots` slots. */
static bool fill_slots(shoal_line_index *index, size_t n_slots)
{
    uint32_t *slots = shoal_alloc_zero(n_slots, sizeof *slots);
    if (slots == NULL) return false;
    for (uint32_t line = 0; line < index->n_lines; line++) {
        size_t at = hash_key(index, key_of(index, line)) & (n_slots - 1);
        while (slots[at] != 0) at = (at + 1) & (n_slots - 1);
        slots[at] = line + 1;
    }
    shoal_free(index->slots);
    index->slots = slots;
    index->n_slots = n_slots;
    return true;
}

/* Some columns have outgrown their bytes: pack all keys again with the new widths. */
static bool widen(shoal_line_index *index, const uint8_t *width)
{
    shoal_line_index wide = *index;
    bool ok = (wide.word = shoal_alloc(index->n_columns, sizeof *wide.word)) != NULL;
    ok = (wide.shift = shoal_alloc(index->n_columns, sizeof *wide.shift)) != NULL && ok;
    ok = (wide.width = shoal_alloc(index->n_columns, sizeof *wide.width)) != NULL && ok;
    wide.keys = NULL;
    if (ok) {
        memcpy(wide.width, width, index->n_columns * sizeof *width);
        lay_out(&wide);
        wide.keys = shoal_alloc_zero(index->key_room * wide.n_words, sizeof *wide.keys);
    }
    if (wide.keys == NULL) {
        shoal_free(wide.word);
        shoal_free(wide.shift);
        shoal_free(wide.width);
        return false;
    }
    for (uint32_t line = 0; line < index->n_lines; line++)
        for (uint32_t i = 0; i < index->n_columns; i++)
            wide.keys[(size_t)line * wide.n_words + wide.word[i]] |= (uint64_t)shoal_line_text(
                                                                         index, line, i)
                                                                     << wide.shift[i];
    shoal_free(index->word);
    shoal_free(index->shift);
    shoal_free(index->width);
    shoal_free(index->keys);
    *index = wide;
    return index->n_slots == 0 || fill_slots(index, index->n_slots);
}

/* ---- the tuples of a window ---- */

/* Distinct tuples of a window: their first rows, their numbers of rows, and their lines in the
 * index. */
typedef struct window_tuples {
    uint32_t *of_row, n;
    uint64_t *first, *begin; /* first row of each tuple; begin: how many rows have lower tuples */
    uint32_t *lines;         /* of each tuple, in the index */
    uint32_t **numbers;      /* per column: the number in the index of each value of the window */
} window_tuples;

static void tuples_clear(window_tuples *t, uint32_t n_columns)
{
    for (uint32_t i = 0; t->numbers != NULL && i < n_columns; i++) shoal_free(t->numbers[i]);
    shoal_free(t->of_row);
    shoal_free(t->first);
    shoal_free(t->begin);
    shoal_free(t->lines);
    shoal_free(t->numbers);
}

static shoal_status tuples_make(window_tuples *t, const shoal_line_index *index,
                                const shoal_table *rows, uint32_t threads, shoal_error *err)
{
    const shoal_column **columns = shoal_alloc(index->n_columns, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (uint32_t i = 0; i < index->n_columns; i++) columns[i] = &rows->columns[index->columns[i]];
    shoal_numbering numbering = { 0 };
    shoal_status status = shoal_numbering_make(&numbering, columns, index->n_columns, rows->n_rows,
                                               SHOAL_NUMBER_FIRST, threads, err);
    shoal_free(columns);
    SHOAL_RETURN_IF_ERROR(status);
    t->n = numbering.n;
    t->of_row = numbering.ids;
    t->first = numbering.first;
    t->begin = numbering.begin;
    t->lines = shoal_alloc(t->n, sizeof *t->lines);
    t->numbers = shoal_alloc_zero(index->n_columns, sizeof *t->numbers);
    return t->lines != NULL && t->numbers != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

static void pack_strip(const shoal_line_index *index, const window_tuples *t,
                       const shoal_table *rows, uint32_t begin, uint32_t n, uint64_t *keys)
{
    memset(keys, 0, (size_t)n * index->n_words * sizeof *keys);
    for (uint32_t i = 0; i < index->n_columns; i++) {
        const shoal_column *column = &rows->columns[index->columns[i]];
        for (uint32_t j = 0; j < n; j++) {
            uint64_t number = t->numbers[i][shoal_column_code(column, t->first[begin + j])];
            keys[(size_t)j * index->n_words + index->word[i]] |= number << index->shift[i];
        }
    }
}

/* The slot of the key, or the empty slot where it belongs. */
static size_t find_slot(const shoal_line_index *index, const uint64_t *key, uint64_t hash)
{
    size_t at = hash & (index->n_slots - 1);
    for (; index->slots[at] != 0; at = (at + 1) & (index->n_slots - 1))
        if (memcmp(key_of(index, index->slots[at] - 1), key, index->n_words * sizeof *key) == 0)
            break;
    return at;
}

static bool add_line(shoal_line_index *index, const uint64_t *key, size_t at)
{
    void *keys = index->keys, *counts = index->counts;
    bool has_room = shoal_reserve(&keys, &index->key_room, (size_t)index->n_lines + 1,
                                  index->n_words * sizeof *index->keys);
    index->keys = keys;
    has_room = has_room && shoal_reserve(&counts, &index->count_room, (size_t)index->n_lines + 1,
                                         sizeof *index->counts);
    index->counts = counts;
    if (!has_room) return false;
    memcpy(index->keys + (size_t)index->n_lines * index->n_words, key,
           index->n_words * sizeof *key);
    index->counts[index->n_lines] = 0;
    index->slots[at] = ++index->n_lines;
    return true;
}

/*
 * Find the line of each tuple. New tuples are added to `to`, which is NULL or the same index; NULL:
 * they get SHOAL_NO_CODE. False when out of memory.
 */
static bool look_up(const shoal_line_index *index, shoal_line_index *to, window_tuples *t,
                    const shoal_table *rows)
{
    uint64_t hashes[STRIP], *keys = shoal_alloc((size_t)STRIP * index->n_words, sizeof *keys);
    bool ok = keys != NULL;
    for (uint32_t begin = 0; ok && begin < t->n; begin += STRIP) {
        uint32_t n = t->n - begin < STRIP ? t->n - begin : STRIP;
        pack_strip(index, t, rows, begin, n, keys);
        for (uint32_t j = 0; j < n; j++) {
            hashes[j] = hash_key(index, keys + (size_t)j * index->n_words);
            __builtin_prefetch(&index->slots[hashes[j] & (index->n_slots - 1)]);
        }
        for (uint32_t j = 0; j < n; j++) {
            uint32_t line = index->slots[hashes[j] & (index->n_slots - 1)];
            if (line != 0) __builtin_prefetch(key_of(index, line - 1));
        }
        for (uint32_t j = 0; ok && j < n; j++) {
            const uint64_t *key = keys + (size_t)j * index->n_words;
            size_t at = find_slot(index, key, hashes[j]);
            if (index->slots[at] == 0 && to != NULL) ok = add_line(to, key, at);
            t->lines[begin + j] = index->slots[at] - 1; /* an empty slot, 0, gives SHOAL_NO_CODE */
        }
    }
    shoal_free(keys);
    return ok;
}

/* ---- entering ---- */

/* Number the values of the window's columns and widen the keys where that needs more bytes. False
 * when out of memory. */
static bool enter_texts(shoal_line_index *index, window_tuples *t, const shoal_table *rows)
{
    bool ok = true, grows = false;
    uint8_t *width = shoal_alloc(index->n_columns, sizeof *width);
    if (width == NULL) return false;
    for (uint32_t i = 0; ok && i < index->n_columns; i++) {
        const shoal_column *column = &rows->columns[index->columns[i]];
        t->numbers[i] = shoal_alloc(column->n_values, sizeof **t->numbers);
        ok = t->numbers[i] != NULL;
        for (uint32_t v = 0; ok && v < column->n_values; v++) {
            shoal_text text = column->values[v];
            t->numbers[i][v] = shoal_dictionary_add(&index->texts[i], text.data, text.length,
                                                    text.data + text.length, &index->arena);
            ok = t->numbers[i][v] != SHOAL_NO_CODE;
        }
        uint32_t n = index->texts[i].n_values;
        width[i] = n <= 256 ? 1 : n <= 65536 ? 2 : 4;
        grows |= width[i] != index->width[i];
    }
    if (ok && grows) ok = widen(index, width);
    shoal_free(width);
    return ok;
}

/* Make room for n_more lines: at most seven tenths of the slots are used. */
static bool reserve_slots(shoal_line_index *index, uint32_t n_more)
{
    size_t n_slots = index->n_slots > 0 ? index->n_slots : 1024,
           need = (size_t)index->n_lines + n_more;
    while (need * 10 > n_slots * 7) n_slots *= 2;
    return n_slots == index->n_slots || fill_slots(index, n_slots);
}

shoal_status shoal_line_index_enter(shoal_line_index *index, const shoal_table *rows,
                                    uint32_t threads, shoal_error *err)
{
    window_tuples t = { 0 };
    shoal_status status = tuples_make(&t, index, rows, threads, err);
    if (status == SHOAL_OK && (uint64_t)index->n_lines + t.n >= UINT32_MAX - 2)
        status = shoal_fail(err, SHOAL_EDATA,
                            "{source csv}: too many distinct rows {fix} split the table");
    if (status == SHOAL_OK && (!enter_texts(index, &t, rows) || !reserve_slots(index, t.n) ||
                               !look_up(index, index, &t, rows)))
        status = shoal_fail_memory(err);
    for (uint32_t i = 0; status == SHOAL_OK && i < t.n; i++)
        index->counts[t.lines[i]] += (uint32_t)(t.begin[i + 1] - t.begin[i]);
    tuples_clear(&t, index->n_columns);
    return status;
}

/* ---- finding ---- */

static shoal_status fail_changed(shoal_error *err)
{
    return shoal_fail(err, SHOAL_EDATA,
                      "{source csv}: the file changed after it was first read {fix} run again when "
                      "no other program writes to it");
}

static shoal_status find_texts(uint32_t *numbers, const shoal_line_index *index, uint32_t i,
                               const shoal_table *rows, shoal_error *err)
{
    const shoal_column *column = &rows->columns[index->columns[i]];
    for (uint32_t v = 0; v < column->n_values; v++) {
        numbers[v] = shoal_dictionary_find(&index->texts[i], column->values[v].data,
                                           column->values[v].length);
        if (numbers[v] == SHOAL_NO_CODE) return fail_changed(err);
    }
    return SHOAL_OK;
}

shoal_status shoal_line_index_find(uint32_t *lines, const shoal_line_index *index,
                                   const shoal_table *rows, uint32_t threads, shoal_error *err)
{
    window_tuples t = { 0 };
    shoal_status status = tuples_make(&t, index, rows, threads, err);
    for (uint32_t i = 0; status == SHOAL_OK && i < index->n_columns; i++) {
        t.numbers[i] = shoal_alloc(rows->columns[index->columns[i]].n_values, sizeof **t.numbers);
        status = t.numbers[i] == NULL ? shoal_fail_memory(err)
                                      : find_texts(t.numbers[i], index, i, rows, err);
    }
    if (status == SHOAL_OK && rows->n_rows > 0 && index->n_slots == 0) status = fail_changed(err);
    if (status == SHOAL_OK && t.n > 0 && !look_up(index, NULL, &t, rows))
        status = shoal_fail_memory(err);
    for (uint32_t i = 0; status == SHOAL_OK && i < t.n; i++)
        if (t.lines[i] == SHOAL_NO_CODE) status = fail_changed(err);
    for (uint32_t i = 0; status == SHOAL_OK && index->merged != NULL && i < t.n; i++)
        t.lines[i] = index->merged[t.lines[i]];
    for (uint64_t row = 0; status == SHOAL_OK && row < rows->n_rows; row++)
        lines[row] = t.lines[t.of_row[row]];
    tuples_clear(&t, index->n_columns);
    return status;
}

shoal_status shoal_line_index_codes(uint32_t *codes, const shoal_line_index *index, uint32_t i,
                                    const shoal_table *rows, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(find_texts(codes, index, i, rows, err));
    for (uint32_t v = 0; v < rows->columns[index->columns[i]].n_values; v++)
        codes[v] = index->code_of_text[i][codes[v]];
    return SHOAL_OK;
}
