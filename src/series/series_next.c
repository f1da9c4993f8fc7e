/* SPDX-License-Identifier: Apache-2.0 */
/* series_next.c - the state after a release: rows that stay, new rows, removed rows.
 *
 * Of removed rows only slot, value and releases are kept, as counts: the persons are not recorded.
 * Rows that were withdrawn are kept by their digests as long as the table has them, so that they
 * are not taken for new ones.
 *
 * An example: a row of slot 0 with the value flu came with release 1 and leaves with release 3. The
 * next state has no row for it, and a past (slot 0, flu, 1 row, arrived 1, left 3); a second such
 * row makes it 2 rows.
 *
 * Cost: O(rows), and sorting what came.
 */
#include "series/series_next.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The first 8 bytes as a number that is in the order of memcmp(). */
static inline uint64_t head_of(const shoal_record_digest *key)
{
    uint64_t head = 0;
    for (int i = 0; i < 8; i++) head = head << 8 | key->bytes[i];
    return head;
}

/* In the order of digests, which is random for anyone without the key: the state does not keep the
 * order of the table. */
static int by_digest(const void *a, const void *b)
{
    const shoal_record_digest *x = &((const shoal_series_row *)a)->key,
                              *y = &((const shoal_series_row *)b)->key;
    uint64_t p = head_of(x), q = head_of(y);
    return p != q ? (p > q) - (p < q) : memcmp(x->bytes, y->bytes, sizeof x->bytes);
}

/* Rows of a slot: those that stay are in order; those that came are of the newest release, and
 * follow. */
static uint64_t copy_slot(shoal_series_row *to, const shoal_change *c, uint32_t slot)
{
    uint64_t n = 0;
    if (slot < c->n_old_slots)
        for (uint64_t i = c->row_begin[slot]; i < c->row_begin[slot + 1]; i++)
            if (c->fates[i] == SHOAL_ROW_STAYS) to[n++] = c->state->rows[i];
    uint64_t first = n;
    for (uint32_t row = slot < c->added_room ? c->added[slot] : SHOAL_NO_CODE; row != SHOAL_NO_CODE;
         row = c->next_added[row])
        to[n++] = (shoal_series_row){ c->keys[row], c->persons[row], slot, c->values[row],
                                      c->number };
    qsort(to + first, (size_t)(n - first), sizeof *to, by_digest);
    return n;
}

/* Of a withdrawn row only its digest is kept: with it, the row is not taken for a new one. */
static uint64_t copy_withdrawn(shoal_series_row *to, const shoal_change *c)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < c->state->n_rows; i++) {
        bool was = c->state->rows[i].slot == SHOAL_NO_CODE && c->fates[i] == SHOAL_ROW_STAYS;
        if (!was && c->fates[i] != SHOAL_ROW_WITHDRAWN) continue;
        to[n] = c->state->rows[i];
        to[n].person = 0;
        to[n].value = to[n].arrived = 0;
        to[n++].slot = SHOAL_NO_CODE;
    }
    qsort(to, (size_t)n, sizeof *to, by_digest);
    return n;
}

/* Slot after slot, withdrawn rows last: the order that reading requires. */
static bool copy_rows(shoal_series_state *next, const shoal_change *c)
{
    /* each is one of the table */
    next->rows = shoal_alloc((size_t)c->table->n_rows + 1, sizeof *next->rows);
    if (next->rows == NULL) return false;
    for (uint32_t slot = 0; slot < c->state->slots.tuples.n_values; slot++)
        next->n_rows += copy_slot(next->rows + next->n_rows, c, slot);
    next->n_rows += copy_withdrawn(next->rows + next->n_rows, c);
    return true;
}

/* ---- what left ---- */

/* By arrival, then value: rows of one cell and value become one entry with a count. */
static int by_cell(const void *a, const void *b)
{
    const shoal_series_past *x = a, *y = b;
    if (x->arrived != y->arrived) return x->arrived < y->arrived ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Rows that leave slot `slot` with this release, added up by cell and value. */
static uint64_t copy_leaving(shoal_series_past *to, const shoal_change *c, uint32_t slot)
{
    uint64_t n = 0, kept = 0;
    for (uint64_t i = c->row_begin[slot]; i < c->row_begin[slot + 1]; i++)
        if (c->fates[i] != SHOAL_ROW_STAYS)
            to[n++] = (shoal_series_past){ slot, c->state->rows[i].value, 1,
                                           c->state->rows[i].arrived, c->number };
    qsort(to, (size_t)n, sizeof *to, by_cell);
    for (uint64_t i = 0; i < n; i++) {
        if (kept > 0 && by_cell(&to[kept - 1], &to[i]) == 0)
            to[kept - 1].count++;
        else
            to[kept++] = to[i];
    }
    return kept;
}

/* The pasts of a slot are kept in the order in which they were added, earlier releases first. */
static bool copy_pasts(shoal_series_state *next, const shoal_change *c)
{
    uint64_t n_leaving = 0;
    for (uint64_t i = 0; i < c->state->n_rows; i++) n_leaving += c->fates[i] != SHOAL_ROW_STAYS;
    next->pasts = shoal_alloc((size_t)(c->state->n_pasts + n_leaving) + 1, sizeof *next->pasts);
    if (next->pasts == NULL) return false;
    for (uint32_t slot = 0; slot < c->n_old_slots; slot++) {
        uint64_t n = c->past_begin[slot + 1] - c->past_begin[slot];
        if (n > 0)
            memcpy(next->pasts + next->n_pasts, c->state->pasts + c->past_begin[slot],
                   (size_t)n * sizeof *next->pasts);
        next->n_pasts += n;
        next->n_pasts += copy_leaving(next->pasts + next->n_pasts, c, slot);
    }
    return true;
}

/* The pools are shared with the current state: drop() and take() decide who owns them. */
bool shoal_series_next_make(shoal_series_state *next, const shoal_change *c, const char *settings)
{
    const shoal_series_state *old = c->state;
    assert(c->number == old->n_releases + 1);
    *next = (shoal_series_state){ .by_person = c->terms.by_person,
                                  .slots = old->slots,
                                  .values = old->values,
                                  .n_releases = c->number };
    next->settings = shoal_copy_text(settings, strlen(settings));
    next->releases = shoal_alloc(c->number, sizeof *next->releases);
    if (next->settings == NULL || next->releases == NULL) return false;
    if (old->n_releases > 0)
        memcpy(next->releases, old->releases, old->n_releases * sizeof *old->releases);
    next->releases[c->number - 1] = (shoal_series_entry){ 0 };
    return copy_rows(next, c) && copy_pasts(next, c);
}

/* After a failure: the pools stay with the current state. */
void shoal_series_next_drop(shoal_series_state *next)
{
    next->slots = next->values = (shoal_tuple_pool){ 0 };
    shoal_series_state_clear(next);
}

void shoal_series_next_take(shoal_series_state *state, shoal_series_state *next)
{
    state->slots = state->values = (shoal_tuple_pool){ 0 }; /* they are those of `next` */
    shoal_series_state_clear(state);
    *state = *next;
    *next = (shoal_series_state){ 0 };
}
