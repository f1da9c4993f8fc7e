/* SPDX-License-Identifier: Apache-2.0 */
/* series_cover.c - does what a record was published as still cover it?
 *
 * A correction that the published values cover, an age of 31 that was 32 and is published as [30..39], changes nothing that anybody sees: the row
 * stays. One that they do not cover leaves its slot and is inserted anew. Texts are read as the verifier reads them.
 *
 * Cost: O(rows * quasi-identifiers).
 */
#include "series/series_change.h"

#include "published/published.h"

#include <string.h>

/* The texts that slots have for one quasi-identifier. */
typedef struct slot_texts {
    uint32_t *of_slot; /* number of the text of each slot among those read */
    shoal_published read;
} slot_texts;

/* Number the distinct texts of a quasi-identifier by first appearance, and read them. */
static shoal_status read_texts(slot_texts *out, const shoal_change *c, const shoal_attribute *attr, uint32_t place, shoal_error *err)
{
    const shoal_tuple_pool *pool = &c->state->slots;
    uint32_t n = 0, *number_of = shoal_alloc(pool->texts.n_values, sizeof *number_of);
    shoal_text *texts = shoal_alloc(pool->texts.n_values, sizeof *texts);
    out->of_slot = shoal_alloc(c->n_old_slots, sizeof *out->of_slot);
    shoal_status status = number_of != NULL && texts != NULL && out->of_slot != NULL ? SHOAL_OK : shoal_fail_memory(err);
    if (status == SHOAL_OK) {
        memset(number_of, 0xff, pool->texts.n_values * sizeof *number_of);
        for (uint32_t slot = 0; slot < c->n_old_slots; slot++) {
            uint32_t text;
            memcpy(&text, pool->tuples.values[slot].data + place * sizeof text, sizeof text);
            if (number_of[text] == SHOAL_NO_CODE) {
                texts[n] = pool->texts.values[text];
                number_of[text] = n++;
            }
            out->of_slot[slot] = number_of[text];
        }
        status = shoal_published_read(&out->read, c->table, attr, texts, n, err);
    }
    shoal_free(number_of);
    shoal_free(texts);
    return status;
}

static bool covers(const slot_texts *texts, const shoal_space *space, uint32_t slot, uint32_t row)
{
    for (uint32_t a = 0; a < space->n_attrs; a++)
        if (!shoal_published_covers(&texts[a].read, texts[a].of_slot[slot], shoal_column_code(space->attrs[a].source, row))) return false;
    return true;
}

/* Rows whose record the slot does not cover leave it. */
static void find_uncovered(shoal_change *c, const slot_texts *texts, const shoal_space *space)
{
    for (uint64_t i = 0; i < c->state->n_rows; i++) {
        uint32_t slot = c->state->rows[i].slot, row = c->new_rows[i];
        if (slot == SHOAL_NO_CODE || c->fates[i] != SHOAL_ROW_STAYS || covers(texts, space, slot, row)) continue;
        c->fates[i] = SHOAL_ROW_LEAVES;
        c->slots[row] = SHOAL_NO_CODE;
        c->entry.corrected++;
    }
}

shoal_status shoal_change_cover(shoal_change *c, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_space space = { 0 };
    slot_texts *texts = NULL;
    if (c->n_old_slots == 0) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&space, c->table, err));
    texts = shoal_alloc_zero(space.n_attrs, sizeof *texts);
    if (texts == NULL) status = shoal_fail_memory(err);
    for (uint32_t a = 0; a < space.n_attrs && status == SHOAL_OK; a++) status = read_texts(&texts[a], c, &space.attrs[a], a, err);
    if (status == SHOAL_OK) find_uncovered(c, texts, &space);
    for (uint32_t a = 0; texts != NULL && a < space.n_attrs; a++) {
        shoal_free(texts[a].of_slot);
        shoal_published_clear(&texts[a].read);
    }
    shoal_free(texts);
    shoal_space_clear(&space);
    return status;
}
