/* SPDX-License-Identifier: Apache-2.0 */
/* series_state.c - the state of a series as bytes.
 *
 *     "SHOALSER" version(4) by_person(4) settings
 *     releases: number, then each
 *     slots, values: texts of a tuple, number of texts, texts; number of tuples, numbers of their
 *         texts
 *     rows: number, then each (28 bytes, 36 with persons)
 *     pasts: number, then each (20 bytes)
 *
 * Whole numbers are little-endian, a text is its length and its bytes: 258 in four bytes is
 * 02 01 00 00, the text "flu" is 03 00 00 00 66 6c 75. A row is its key (16 bytes), the person (8,
 * if any), slot, value and arrival (4 each): 28 or 36 bytes. A past is slot, value, count, arrival
 * and departure: 20 bytes. The seal, a keyed hash over all of it, is added and checked by the
 * storage (io/series_folder.c); reading checks every length and number all the same, so that an
 * error of the writer cannot become a crash.
 *
 * Cost: O(bytes).
 */
#include "series/series_state.h"
#include "base/sized.h"

#include <math.h>
#include <string.h>

static const char magic[8] = { 'S', 'H', 'O', 'A', 'L', 'S', 'E', 'R' };
/* Version 1 has no gcp_anew, counterfeits and min_records; it is read, and written as 2. */
enum { VERSION = 2, MOST_TEXTS = 10000, ENTRY_BYTES = 168, ADDED_ENTRY_BYTES = 24 };

void shoal_series_state_clear(shoal_series_state *state)
{
    shoal_free(state->settings);
    shoal_tuple_pool_clear(&state->slots);
    shoal_tuple_pool_clear(&state->values);
    shoal_free(state->rows);
    shoal_free(state->pasts);
    shoal_free(state->releases);
    *state = (shoal_series_state){ 0 };
}

/* ---- writing ---- */

static inline unsigned char *encode(unsigned char *to, uint64_t number, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) *to++ = (unsigned char)(number >> (8 * i));
    return to;
}

/* Byte by byte, so that the state does not depend on the byte order of the machine. */
static void put(shoal_buffer *out, uint64_t number, size_t n_bytes)
{
    unsigned char bytes[8];
    encode(bytes, number, n_bytes);
    shoal_buffer_add(out, bytes, n_bytes);
}

static void put_text(shoal_buffer *out, const char *text, size_t length)
{
    put(out, length, 4);
    shoal_buffer_add(out, text, length);
}

/* The bits of the double: NaN (no comparison was made) must survive, too. */
static void put_real(shoal_buffer *out, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    put(out, bits, 8);
}

/* Texts once each, then tuples as numbers of texts: most tuples share their texts. */
static void put_pool(shoal_buffer *out, const shoal_tuple_pool *pool)
{
    put(out, pool->n, 4);
    put(out, pool->texts.n_values, 4);
    for (uint32_t i = 0; i < pool->texts.n_values; i++)
        put_text(out, pool->texts.values[i].data, pool->texts.values[i].length);
    put(out, pool->tuples.n_values, 4);
    for (uint32_t i = 0; i < pool->tuples.n_values; i++)
        for (uint32_t place = 0; place < pool->n; place++) {
            uint32_t number;
            memcpy(&number, pool->tuples.values[i].data + place * sizeof number, sizeof number);
            put(out, number, 4);
        }
}

/* The order of fields is part of the format: new ones are added at the end, with a new version. */
static void put_entry(shoal_buffer *out, const shoal_series_entry *e)
{
    const uint64_t counts[] = { e->rows,     e->published, e->groups,    e->inserted,
                                e->erased,   e->corrected, e->inexact,   e->withdrawn,
                                e->withheld, e->pending,   e->min_group, e->size };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) put(out, counts[i], 8);
    put_real(out, e->gcp);
    shoal_buffer_add(out, e->sha256, 64);
    put_real(out, e->gcp_anew);
    put(out, e->counterfeits, 8);
    put(out, e->min_records, 8);
}

/* There are millions of them: one piece for each. */
static void put_row(shoal_buffer *out, const shoal_series_row *row, bool by_person)
{
    unsigned char bytes[36], *at = bytes + sizeof row->key.bytes;
    memcpy(bytes, row->key.bytes, sizeof row->key.bytes);
    if (by_person) at = encode(at, row->person, 8);
    at = encode(at, row->slot, 4);
    at = encode(at, row->value, 4);
    at = encode(at, row->arrived, 4);
    shoal_buffer_add(out, bytes, (size_t)(at - bytes));
}

/* Rows must be sorted by slot, pasts too: get_rows() and get_pasts() refuse any other order. */
bool shoal_series_state_write(shoal_buffer *out, const shoal_series_state *state)
{
    shoal_buffer_add(out, magic, sizeof magic);
    put(out, VERSION, 4);
    put(out, state->by_person, 4);
    put_text(out, state->settings, strlen(state->settings));
    put(out, state->n_releases, 4);
    for (uint32_t i = 0; i < state->n_releases; i++) put_entry(out, &state->releases[i]);
    put_pool(out, &state->slots);
    put_pool(out, &state->values);
    put(out, state->n_rows, 8);
    for (uint64_t i = 0; i < state->n_rows; i++) put_row(out, &state->rows[i], state->by_person);
    put(out, state->n_pasts, 8);
    for (uint64_t i = 0; i < state->n_pasts; i++) {
        const shoal_series_past *past = &state->pasts[i];
        put(out, past->slot, 4);
        put(out, past->value, 4);
        put(out, past->count, 4);
        put(out, past->arrived, 4);
        put(out, past->left, 4);
    }
    return !out->failed;
}

/* ---- reading ---- */

typedef struct reader {
    const unsigned char *at, *end;
    uint32_t version;
    bool is_bad, is_short; /* not what it should be; memory is short */
} reader;

/* The next bytes, or NULL after any earlier error: callers may read on and check once at the end.
 */
static const unsigned char *take(reader *r, uint64_t n_bytes)
{
    const unsigned char *at = r->at;
    r->is_bad = r->is_bad || n_bytes > (uint64_t)(r->end - r->at);
    if (r->is_bad) return NULL;
    r->at += n_bytes;
    return at;
}

static uint64_t get(reader *r, size_t n_bytes)
{
    const unsigned char *bytes = take(r, n_bytes);
    uint64_t number = 0;
    for (size_t i = 0; bytes != NULL && i < n_bytes; i++) number |= (uint64_t)bytes[i] << (8 * i);
    return number;
}

static uint32_t get_small(reader *r)
{
    return (uint32_t)get(r, 4);
}

static double get_real(reader *r)
{
    uint64_t bits = get(r, 8);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static char *get_text(reader *r)
{
    uint32_t length = get_small(r);
    const unsigned char *bytes = take(r, length);
    char *text = bytes != NULL ? shoal_copy_text((const char *)bytes, length) : NULL;
    r->is_short = r->is_short || (bytes != NULL && text == NULL);
    return text;
}

/* How many follow, each of at least `n_bytes`; and room for them, which is never NULL unless
 * something is wrong. */
static uint64_t get_list(reader *r, void **out, size_t count_bytes, size_t n_bytes, size_t size)
{
    uint64_t n = get(r, count_bytes);
    r->is_bad = r->is_bad || n > (uint64_t)(r->end - r->at) / n_bytes;
    if (r->is_bad) return 0;
    *out = shoal_alloc_zero((size_t)n, size);
    r->is_short = r->is_short || *out == NULL;
    return *out != NULL ? n : 0;
}

/* A tuple that occurs twice would give two numbers to one slot: refused. */
static void get_tuples(shoal_tuple_pool *pool, reader *r, uint32_t *tuple)
{
    uint32_t n_tuples = get_small(r);
    for (uint32_t i = 0; i < n_tuples && !r->is_bad && !r->is_short; i++) {
        for (uint32_t place = 0; place < pool->n && !r->is_bad; place++) {
            tuple[place] = get_small(r);
            r->is_bad = r->is_bad || tuple[place] >= pool->texts.n_values;
        }
        if (r->is_bad) return;
        uint32_t number = shoal_tuple_pool_add_numbers(pool, tuple);
        r->is_short = number == SHOAL_NO_CODE;
        r->is_bad = !r->is_short && number != i; /* each once */
    }
}

/* Numbers must come out as 0, 1, 2, ...: a repeated text would shift all later ones. */
static void get_pool(shoal_tuple_pool *pool, reader *r)
{
    uint32_t n = get_small(r);
    r->is_bad = r->is_bad || n > MOST_TEXTS;
    if (r->is_bad || r->is_short) return;
    uint32_t *tuple = shoal_alloc(n, sizeof *tuple), n_texts = 0;
    r->is_short = !shoal_tuple_pool_init(pool, n) || tuple == NULL;
    if (!r->is_short) n_texts = get_small(r);
    for (uint32_t i = 0; i < n_texts && !r->is_bad && !r->is_short; i++) {
        size_t length = get_small(r);
        const char *text = (const char *)take(r, length);
        uint32_t number = text != NULL
                              ? shoal_tuple_pool_add_text(pool, (shoal_text){ text, length })
                              : 0;
        r->is_short = number == SHOAL_NO_CODE;
        r->is_bad = r->is_bad || (!r->is_short && number != i);
    }
    if (!r->is_bad && !r->is_short) get_tuples(pool, r, tuple);
    shoal_free(tuple);
}

/* The fields in the order of put_entry(); version 1 ends before the last three. */
static void get_entry(shoal_series_entry *e, reader *r)
{
    uint64_t *const counts[] = { &e->rows,     &e->published, &e->groups,    &e->inserted,
                                 &e->erased,   &e->corrected, &e->inexact,   &e->withdrawn,
                                 &e->withheld, &e->pending,   &e->min_group, &e->size };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) *counts[i] = get(r, 8);
    e->gcp = get_real(r);
    const unsigned char *digits = take(r, 64);
    if (digits != NULL) memcpy(e->sha256, digits, 64);
    e->gcp_anew = r->version > 1 ? get_real(r) : NAN;
    if (r->version == 1) return;
    e->counterfeits = get(r, 8);
    e->min_records = get(r, 8);
}

/* Is this a cell that the state can have? */
static bool is_cell(const shoal_series_state *state, uint32_t slot, uint32_t value,
                    uint32_t arrived)
{
    return slot < state->slots.tuples.n_values && value < state->values.tuples.n_values &&
           arrived >= 1 && arrived <= state->n_releases;
}

/* Rows without a slot (SHOAL_NO_CODE) were withdrawn; as the greatest number they come last. */
static void get_rows(shoal_series_state *state, reader *r)
{
    void *room = NULL;
    state->n_rows = get_list(r, &room, 8, state->by_person ? 36 : 28, sizeof *state->rows);
    state->rows = room;
    for (uint64_t i = 0; i < state->n_rows && !r->is_bad; i++) {
        shoal_series_row *row = &state->rows[i];
        const unsigned char *key = take(r, sizeof row->key.bytes);
        if (key != NULL) memcpy(row->key.bytes, key, sizeof row->key.bytes);
        if (state->by_person) row->person = get(r, 8);
        row->slot = get_small(r);
        row->value = get_small(r);
        row->arrived = get_small(r);
        r->is_bad = r->is_bad ||
                    (row->slot != SHOAL_NO_CODE &&
                     !is_cell(state, row->slot, row->value, row->arrived)) ||
                    (i > 0 && row->slot < row[-1].slot);
    }
}

/* A past has left: after it arrived, and at the latest with the last release. */
static void get_pasts(shoal_series_state *state, reader *r)
{
    void *room = NULL;
    state->n_pasts = get_list(r, &room, 8, 20, sizeof *state->pasts);
    state->pasts = room;
    for (uint64_t i = 0; i < state->n_pasts && !r->is_bad; i++) {
        shoal_series_past *past = &state->pasts[i];
        past->slot = get_small(r);
        past->value = get_small(r);
        past->count = get_small(r);
        past->arrived = get_small(r);
        past->left = get_small(r);
        r->is_bad = r->is_bad || !is_cell(state, past->slot, past->value, past->arrived) ||
                    past->left <= past->arrived || past->left > state->n_releases ||
                    (i > 0 && past->slot < past[-1].slot);
    }
}

/* Bytes after the last list are an error, so a state has exactly one encoding per version. */
static void get_state(shoal_series_state *state, reader *r)
{
    void *room = NULL;
    state->by_person = get_small(r) != 0;
    state->settings = get_text(r);
    state->n_releases = (uint32_t)get_list(
        r, &room, 4, r->version > 1 ? ENTRY_BYTES + ADDED_ENTRY_BYTES : ENTRY_BYTES,
        sizeof *state->releases);
    state->releases = room;
    for (uint32_t i = 0; i < state->n_releases && !r->is_bad; i++)
        get_entry(&state->releases[i], r);
    if (!r->is_bad && !r->is_short) get_pool(&state->slots, r);
    if (!r->is_bad && !r->is_short) get_pool(&state->values, r);
    if (!r->is_bad && !r->is_short) get_rows(state, r);
    if (!r->is_bad && !r->is_short) get_pasts(state, r);
    r->is_bad = r->is_bad || (!r->is_short && r->at != r->end);
}

shoal_status shoal_series_state_read(shoal_series_state *out, const char *data, size_t size,
                                     shoal_error *err)
{
    reader r = { .at = (const unsigned char *)data, .end = (const unsigned char *)data + size };
    shoal_series_state state = { 0 };
    const unsigned char *begin = take(&r, sizeof magic);
    if (begin == NULL || memcmp(begin, magic, sizeof magic) != 0)
        return shoal_fail(err, SHOAL_EDATA, "series: not the state of a series");
    r.version = get_small(&r);
    if (r.version == 0 || r.version > VERSION)
        return shoal_fail(err, SHOAL_EDATA,
                          "series: state version %u, but this program supports %d {fix} use the "
                          "program that wrote it, or a newer one",
                          r.version, VERSION);
    get_state(&state, &r);
    if (!r.is_bad && !r.is_short) {
        *out = state;
        return SHOAL_OK;
    }
    shoal_series_state_clear(&state);
    return r.is_short ? shoal_fail_memory(err)
                      : shoal_fail(err, SHOAL_EDATA, "series: damaged state");
}

/* ---- a series ---- */

shoal_status shoal_series_make(shoal_series **out, const shoal_series_storage *storage,
                               const shoal_series_bytes *state, shoal_error *err)
{
    shoal_series_storage own = { 0 };
    if (!shoal_read_sized(&own, sizeof own, storage))
        return shoal_fail(err, SHOAL_EINVAL, "series: the storage is not initialised");
    shoal_series *series = shoal_alloc(1, sizeof *series);
    if (series == NULL) return shoal_fail_memory(err);
    *series = (shoal_series){ .storage = own };
    shoal_status status = state != NULL ? shoal_series_state_read(&series->state, state->data,
                                                                  state->size, err)
                                        : SHOAL_OK;
    if (status == SHOAL_OK)
        *out = series;
    else
        shoal_free(series);
    return status;
}

/* The storage may remove its files if nothing was ever published. */
void shoal_series_close(shoal_series *series)
{
    if (series == NULL) return;
    series->storage.close(series->storage.payload, series->state.settings == NULL);
    shoal_series_state_clear(&series->state);
    shoal_free(series);
}

void *shoal_series_payload(const shoal_series *series)
{
    return series->storage.payload;
}

uint32_t shoal_series_count(const shoal_series *series)
{
    return series->state.n_releases;
}

const shoal_series_entry *shoal_series_at(const shoal_series *series, uint32_t number)
{
    return number >= 1 && number <= series->state.n_releases ? &series->state.releases[number - 1]
                                                             : NULL;
}

const char *shoal_series_settings(const shoal_series *series)
{
    return series->state.settings;
}

/* The loss of the table without the rows that are not published: each of them loses 1. */
double shoal_series_entry_loss(const shoal_series_entry *e)
{
    return e->published > 0 ? fmax(0, e->gcp * (double)e->rows - (double)(e->rows - e->published)) /
                                  (double)e->published
                            : NAN;
}
