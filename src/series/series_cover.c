/* SPDX-License-Identifier: Apache-2.0 */
/* series_cover.c - does what a record was published as still cover it?
 *
 * A correction that the published values cover, an age of 31 that was 32 and is published as [30..39], changes nothing that anybody sees: the row
 * stays. One that they do not cover leaves its slot and is inserted anew. The texts of all slots are read as a release would be.
 *
 * Cost: O(rows * quasi-identifiers).
 */
#include "series/series_change.h"

#include "published/released.h"
#include "published/text_cover.h"

#include <string.h>

typedef struct covering {
    shoal_buffer text;
    shoal_table *slots; /* a line for each slot */
    shoal_space space;
    size_t *columns;    /* of `slots`, for each attribute */
    shoal_column_covers *covers;
} covering;

static shoal_status load_slots(covering *v, const shoal_change *c, shoal_error *err)
{
    char delimiter = c->table->delimiter;
    const shoal_tuple_pool *pool = &c->state->slots;
    for (uint32_t a = 0; a < pool->n; a++) {
        const char *name = c->terms.quasi[a];
        if (a > 0) shoal_buffer_add(&v->text, &delimiter, 1);
        shoal_add_field(&v->text, (shoal_text){ name, strlen(name) }, delimiter);
    }
    for (uint32_t slot = 0; slot < c->n_old_slots; slot++)
        for (uint32_t a = 0; a < pool->n; a++) {
            shoal_buffer_add(&v->text, a > 0 ? &delimiter : "\n", 1);
            shoal_add_field(&v->text, shoal_tuple_pool_text(pool, slot, a), delimiter);
        }
    shoal_buffer_add(&v->text, "\n", 1);
    if (v->text.failed) return shoal_fail_memory(err);
    return shoal_released_open(&v->slots, v->text.data, v->text.size, c->table, c->threads, err);
}

static shoal_status read_covers(covering *v, const shoal_change *c, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&v->space, c->table, err));
    v->columns = shoal_alloc(v->space.n_attrs, sizeof *v->columns);
    v->covers = shoal_alloc_zero(v->space.n_attrs, sizeof *v->covers);
    if (v->columns == NULL || v->covers == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < v->space.n_attrs; a++) {
        const shoal_attribute *attr = &v->space.attrs[a];
        v->columns[a] = shoal_table_find_column(v->slots, attr->source->name);
        SHOAL_RETURN_IF_ERROR(shoal_column_covers_read(&v->covers[a], v->slots, v->columns[a], c->table, attr, err));
    }
    return SHOAL_OK;
}

static bool covers(const covering *v, uint32_t slot, uint32_t row)
{
    for (uint32_t a = 0; a < v->space.n_attrs; a++) {
        const shoal_attribute *attr = &v->space.attrs[a];
        uint32_t text = shoal_column_code(&v->slots->columns[v->columns[a]], slot);
        if (!shoal_cover_holds(&v->covers[a].covers[text], attr->code_of_value[shoal_column_code(attr->source, row)])) return false;
    }
    return true;
}

static void covering_clear(covering *v)
{
    for (uint32_t a = 0; v->covers != NULL && a < v->space.n_attrs; a++) shoal_column_covers_clear(&v->covers[a]);
    shoal_free(v->covers);
    shoal_free(v->columns);
    shoal_space_clear(&v->space);
    shoal_table_free(v->slots);
    shoal_buffer_clear(&v->text);
}

shoal_status shoal_change_cover(shoal_change *c, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    covering v = { 0 };
    if (c->n_old_slots == 0) return SHOAL_OK;
    SHOAL_GOTO_IF_ERROR(load_slots(&v, c, err), out);
    SHOAL_GOTO_IF_ERROR(read_covers(&v, c, err), out);
    for (uint64_t i = 0; i < c->state->n_rows; i++) {
        uint32_t slot = c->state->rows[i].slot, row = c->new_rows[i];
        if (slot == SHOAL_NO_CODE || c->fates[i] != SHOAL_ROW_STAYS || covers(&v, slot, row)) continue;
        c->fates[i] = SHOAL_ROW_LEAVES;
        c->slots[row] = SHOAL_NO_CODE;
        c->entry.corrected++;
    }
out:
    covering_clear(&v);
    return status;
}
