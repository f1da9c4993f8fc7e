/* SPDX-License-Identifier: Apache-2.0 */
/* series_state.h - the state of a series: which rows it published with which values, and when.
 *
 * A *slot* is a tuple of published texts of quasi-identifiers, a *value* a tuple of sensitive
 * texts. A *cell* is the rows that came into one slot with one release. Releases are counted
 * from 1.
 */
#ifndef SHOAL_SERIES_STATE_H
#define SHOAL_SERIES_STATE_H

#include "table/dictionary.h"

#include <shoal/series.h>

/* Numbers tuples of n texts 0, 1, 2, ... by first appearance. */
typedef struct shoal_tuple_pool {
    uint32_t n;
    shoal_dictionary texts;  /* distinct texts of all places */
    shoal_dictionary tuples; /* the numbers of their texts, as bytes */
    shoal_arena arena;
} shoal_tuple_pool;

SHOAL_NODISCARD bool shoal_tuple_pool_init(shoal_tuple_pool *pool, uint32_t n);
void shoal_tuple_pool_clear(shoal_tuple_pool *pool);
/* The number of a tuple; SHOAL_NO_CODE when memory is short. */
uint32_t shoal_tuple_pool_add(shoal_tuple_pool *pool, const shoal_text *texts);
/* The same in two steps: numbers of texts, then of a tuple of them. */
uint32_t shoal_tuple_pool_add_text(shoal_tuple_pool *pool, shoal_text text);
uint32_t shoal_tuple_pool_add_numbers(shoal_tuple_pool *pool, const uint32_t *numbers);
shoal_text shoal_tuple_pool_text(const shoal_tuple_pool *pool, uint32_t tuple, uint32_t place);

/* Keyed digest of a record key. */
typedef struct shoal_record_digest {
    uint8_t bytes[16];
} shoal_record_digest;

/* A record of the table that was published. Sorted by slot, then release, then digest. */
typedef struct shoal_series_row {
    shoal_record_digest key;
    uint64_t person; /* keyed digest of the person; 0 where persons are not counted */
    uint32_t slot;   /* SHOAL_NO_CODE: withdrawn, never to be published again */
    uint32_t value;
    uint32_t arrived; /* the release */
} shoal_series_row;

/* Rows that were published and no longer are; they are not linked to persons. Sorted by slot. */
typedef struct shoal_series_past {
    uint32_t slot, value, count;
    uint32_t arrived, left; /* the first release with them, the first without */
} shoal_series_past;

typedef struct shoal_series_state {
    char *settings; /* lines: what must stay the same in a series; NULL: nothing was published */
    bool by_person;
    shoal_tuple_pool slots, values;
    shoal_series_row *rows;
    uint64_t n_rows;
    shoal_series_past *pasts;
    uint64_t n_pasts;
    shoal_series_entry *releases;
    uint32_t n_releases;
} shoal_series_state;

void shoal_series_state_clear(shoal_series_state *state);
/* As bytes, without the seal. False when memory is short. */
SHOAL_NODISCARD bool shoal_series_state_write(shoal_buffer *out, const shoal_series_state *state);
/* SHOAL_EDATA: the bytes are no state, or that of a newer version. */
SHOAL_NODISCARD shoal_status shoal_series_state_read(shoal_series_state *out, const char *data,
                                                     size_t size, shoal_error *err);

struct shoal_series {
    shoal_series_storage storage;
    shoal_series_state state;
};

#endif
