/* SPDX-License-Identifier: Apache-2.0 */
/* series_change.h - a release of a series while it is made: what becomes of each row of the table
 * and of each row published before.
 */
#ifndef SHOAL_SERIES_CHANGE_H
#define SHOAL_SERIES_CHANGE_H

#include "series/series_judge.h"

typedef enum shoal_row_fate {
    SHOAL_ROW_STAYS = 0,
    SHOAL_ROW_LEAVES,   /* erased or corrected */
    SHOAL_ROW_WITHDRAWN /* with this release, because of others */
} shoal_row_fate;

/* Lists of history and counts that grow; scratch for one slot at a time. */
typedef struct shoal_slot_scratch {
    shoal_series_past *history;
    size_t n_history, history_room;
    shoal_counted_value *now;
    size_t n_now, now_room;
} shoal_slot_scratch;

typedef struct shoal_change {
    shoal_series *series;
    shoal_series_state *state; /* before this release; its pools get the texts of this one, too */
    const shoal_table *table;
    const shoal_plan *plan;
    uint32_t threads;
    uint32_t number; /* of this release */
    const shoal_callbacks *callbacks;
    shoal_series_terms terms;
    shoal_series_judge judge;

    /* rows of the table */
    shoal_record_digest *keys;
    uint64_t *persons;
    uint32_t *values;
    uint32_t *old_rows;   /* the row of the state, or SHOAL_NO_CODE */
    uint32_t *slots;      /* as what it is published, or SHOAL_NO_CODE: not */
    uint32_t *next_added; /* the next row that this release adds to the same slot */

    /* rows of the state */
    uint32_t *new_rows; /* the row of the table, or SHOAL_NO_CODE */
    uint8_t *fates;

    /* slots of the state: rows and pasts of slot s are begin[s] .. begin[s + 1] - 1 */
    uint32_t n_old_slots;
    uint64_t *row_begin, *past_begin;
    uint32_t *added; /* of each slot, also new ones: the first row that is added, or none */
    size_t added_room;
    shoal_slot_scratch scratch;
    shoal_series_entry entry;
} shoal_change;

/* Make room and find out which rows of the table are which of the state (series_match.c). End with
 * shoal_change_clear(), also after a failure. */
SHOAL_NODISCARD shoal_status shoal_change_match(shoal_change *c, shoal_error *err);
void shoal_change_clear(shoal_change *c);

/* Where the rows and pasts of each slot of the state begin. False when memory is short. */
SHOAL_NODISCARD bool shoal_change_index(shoal_change *c);

/* What a release has, read from its text: a value for each row, sorted by slot (series_read.c). */
typedef struct shoal_slot_rows {
    uint64_t *begin; /* of each slot of the pool, and the end */
    uint32_t *values;
    uint32_t n_slots;
} shoal_slot_rows;

/* New texts are added to the pools. End with shoal_slot_rows_clear(), also after a failure. */
SHOAL_NODISCARD shoal_status shoal_slot_rows_read(shoal_slot_rows *out, shoal_change *c,
                                                  const shoal_table *released, shoal_error *err);
void shoal_slot_rows_clear(shoal_slot_rows *rows);

/* The value of each row, in the pool of the state (series_values.c). Also for a release. */
SHOAL_NODISCARD shoal_status shoal_series_values_of(uint32_t *out, shoal_tuple_pool *pool,
                                                    const shoal_table *table,
                                                    const shoal_series_terms *terms,
                                                    uint32_t threads, shoal_error *err);

/* Remove rows of the state whose slot does not cover their record any more (series_cover.c). */
SHOAL_NODISCARD shoal_status shoal_change_cover(shoal_change *c, shoal_error *err);

/* Where rows leave, decide what else must be withdrawn (series_withdraw.c). */
SHOAL_NODISCARD shoal_status shoal_change_withdraw(shoal_change *c, shoal_error *err);

/* Publish what is new, or let it wait (series_insert.c). */
SHOAL_NODISCARD shoal_status shoal_change_insert(shoal_change *c, shoal_error *err);

/* May the slot hold what stays in it, what was added so far, and `more`, rows of the table?
 * (series_slot.c) */
SHOAL_NODISCARD shoal_status shoal_change_allows(bool *out, shoal_change *c, uint32_t slot,
                                                 const uint32_t *more, size_t n_more,
                                                 shoal_error *err);
/* The past of a slot into c->scratch.history: everything that releases before this one had. */
SHOAL_NODISCARD bool shoal_change_history(shoal_change *c, uint32_t slot);
SHOAL_NODISCARD bool shoal_change_add_now(shoal_slot_scratch *scratch, uint32_t value,
                                          uint32_t count);
/* Add rows of the table to a slot. False when memory is short. */
SHOAL_NODISCARD bool shoal_change_add(shoal_change *c, uint32_t slot, const uint32_t *rows,
                                      size_t n);

/* The release as CSV: rows that have a slot (series_compose.c). */
SHOAL_NODISCARD shoal_status shoal_change_write(const shoal_change *c, const shoal_sink *sink,
                                                shoal_error *err);
/* A CSV text of some rows of the table with all its columns; header included. */
SHOAL_NODISCARD bool shoal_rows_text(shoal_buffer *out, const shoal_table *table,
                                     const uint32_t *rows, size_t n);
/* Add a text as a field of CSV. */
void shoal_add_field(shoal_buffer *out, shoal_text text, char delimiter);

#endif
