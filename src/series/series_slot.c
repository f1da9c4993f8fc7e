/* SPDX-License-Identifier: Apache-2.0 */
/* series_slot.c - one slot of a series: its past, its next content, and whether that is allowed.
 *
 * Rows of a slot that were added by different releases cannot be distinguished by their text, so
 * the visible difference of two releases may be smaller than the rows added and removed: an added
 * row hides a removed one. Therefore a slot is judged by its text, against every earlier release,
 * in addition to the rules for its cells.
 *
 * An example, k = 2: a slot held flu, flu, cold, cold. Both colds leave, and a batch of a flu and a
 * cold comes: two rows leave and two come, so the cells hold. But the text, now three flus and a
 * cold, has one flu more and one cold less than before: one row each, fewer than k. The slot may
 * not hold that, and the batch has to be published elsewhere.
 */
#include "series/series_change.h"

#include <assert.h>
#include <string.h>

static bool add_past(shoal_slot_scratch *s, shoal_series_past past)
{
    void *room = s->history;
    if (!shoal_reserve(&room, &s->history_room, s->n_history + 1, sizeof *s->history)) return false;
    s->history = room;
    s->history[s->n_history++] = past;
    return true;
}

/* The past of a slot, with the rows that are in it now as entries that have not left. */
bool shoal_change_history(shoal_change *c, uint32_t slot)
{
    shoal_slot_scratch *s = &c->scratch;
    assert(c->past_begin != NULL && c->row_begin != NULL); /* shoal_change_index() was called */
    s->n_history = 0;
    if (slot >= c->n_old_slots) return true;
    for (uint64_t i = c->past_begin[slot]; i < c->past_begin[slot + 1]; i++)
        if (!add_past(s, c->state->pasts[i])) return false;
    for (uint64_t i = c->row_begin[slot]; i < c->row_begin[slot + 1]; i++) {
        const shoal_series_row *row = &c->state->rows[i];
        if (!add_past(s, (shoal_series_past){ slot, row->value, 1, row->arrived, UINT32_MAX }))
            return false;
    }
    return true;
}

bool shoal_change_add_now(shoal_slot_scratch *s, uint32_t value, uint32_t count)
{
    assert(count > 0);
    void *room = s->now;
    if (!shoal_reserve(&room, &s->now_room, s->n_now + 1, sizeof *s->now)) return false;
    s->now = room;
    s->now[s->n_now++] = (shoal_counted_value){ value, count };
    return true;
}

/* What stays in the slot and was added to it so far. */
static bool list_now(shoal_change *c, uint32_t slot)
{
    c->scratch.n_now = 0;
    if (slot < c->n_old_slots)
        for (uint64_t i = c->row_begin[slot]; i < c->row_begin[slot + 1]; i++)
            if (c->fates[i] == SHOAL_ROW_STAYS &&
                !shoal_change_add_now(&c->scratch, c->state->rows[i].value, 1))
                return false;
    uint32_t row = slot < c->added_room ? c->added[slot] : SHOAL_NO_CODE;
    for (; row != SHOAL_NO_CODE; row = c->next_added[row])
        if (!shoal_change_add_now(&c->scratch, c->values[row], 1)) return false;
    return true;
}

shoal_status shoal_change_allows(bool *out, shoal_change *c, uint32_t slot, const uint32_t *more,
                                 size_t n_more, shoal_error *err)
{
    if (!shoal_change_history(c, slot) || !list_now(c, slot)) return shoal_fail_memory(err);
    for (size_t i = 0; i < n_more; i++)
        if (!shoal_change_add_now(&c->scratch, c->values[more[i]], 1))
            return shoal_fail_memory(err);
    return shoal_series_judge_slot(out, &c->judge, c->scratch.history, c->scratch.n_history,
                                   c->scratch.now, c->scratch.n_now, err);
}

/* Rows of the table join a slot, which may be new in this release. */
bool shoal_change_add(shoal_change *c, uint32_t slot, const uint32_t *rows, size_t n)
{
    assert(slot != SHOAL_NO_CODE);
    size_t before = c->added_room;
    void *room = c->added;
    if (!shoal_reserve(&room, &c->added_room, (size_t)slot + 1, sizeof *c->added)) return false;
    c->added = room;
    for (size_t i = before; i < c->added_room; i++) c->added[i] = SHOAL_NO_CODE;
    for (size_t i = 0; i < n; i++) {
        c->next_added[rows[i]] = c->added[slot];
        c->added[slot] = rows[i];
        c->slots[rows[i]] = slot;
    }
    return true;
}
