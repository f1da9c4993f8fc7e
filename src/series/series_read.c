/* SPDX-License-Identifier: Apache-2.0 */
/* series_read.c - reads a release of a series from its text alone: how often each value occurs in
 * each slot.
 *
 * No data of the method that made the release is used, so that a mistake there is found here.
 *
 * An example: the rows [30..39],flu and [40..49],cold and [30..39],cold, with the slots 0 =
 * [30..39] and 1 = [40..49] and the values 0 = flu and 1 = cold. By slot they are flu cold | cold:
 * begin is 0 2 3, values is 0 1 1. Within a slot the order is that of the text; it does not matter.
 *
 * Cost: O(rows * columns).
 */
#include "series/series_change.h"

#include "table/tuples.h"

/* Distinct published tuples become slots; tuples that the series never had are added. */
static bool number_slots(uint32_t *slots, shoal_change *c, const shoal_column *const *columns,
                         const shoal_numbering *distinct)
{
    uint32_t n_attrs = c->terms.n_quasi;
    shoal_text *texts = shoal_alloc(n_attrs, sizeof *texts);
    bool ok = texts != NULL;
    for (uint32_t i = 0; ok && i < distinct->n; i++) {
        for (uint32_t a = 0; a < n_attrs; a++)
            texts[a] = columns[a]->values[shoal_column_code(columns[a], distinct->first[i])];
        slots[i] = shoal_tuple_pool_add(&c->state->slots, texts);
        ok = slots[i] != SHOAL_NO_CODE;
    }
    shoal_free(texts);
    return ok;
}

/* Sort by slot. See shoal_grouped_rows_make() for the two places. */
static bool sort_rows(shoal_slot_rows *out, const uint32_t *slots, const shoal_numbering *distinct,
                      const uint32_t *values, uint64_t n_rows)
{
    out->begin = shoal_alloc_zero((size_t)out->n_slots + 2, sizeof *out->begin);
    out->values = shoal_alloc((size_t)n_rows, sizeof *out->values);
    if (out->begin == NULL || out->values == NULL) return false;
    for (uint64_t row = 0; row < n_rows; row++) out->begin[slots[distinct->ids[row]] + 2]++;
    for (uint32_t s = 0; s < out->n_slots; s++) out->begin[s + 2] += out->begin[s + 1];
    for (uint64_t row = 0; row < n_rows; row++)
        out->values[out->begin[slots[distinct->ids[row]] + 1]++] = values[row];
    return true;
}

/* Columns are found by name: the release may have other columns between them. */
static shoal_status find_columns(const shoal_column **columns, const shoal_change *c,
                                 const shoal_table *released, shoal_error *err)
{
    for (uint32_t a = 0; a < c->terms.n_quasi; a++) {
        size_t column = shoal_table_find_column(released, c->terms.quasi[a]);
        if (column == SIZE_MAX)
            return shoal_fail(err, SHOAL_EDATA, "the release has no column '{column %.200s}'",
                              c->terms.quasi[a]);
        columns[a] = &released->columns[column];
    }
    for (uint32_t s = 0; s < c->terms.n_sensitive; s++)
        if (shoal_table_find_column(released, c->terms.sensitive[s]) == SIZE_MAX)
            return shoal_fail(err, SHOAL_EDATA, "the release has no column '{column %.200s}'",
                              c->terms.sensitive[s]);
    return SHOAL_OK;
}

/* Only text is read: also the method's grouping, if it were wrong, would show up here. */
shoal_status shoal_slot_rows_read(shoal_slot_rows *out, shoal_change *c,
                                  const shoal_table *released, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_numbering distinct = { 0 };
    uint32_t *slots = NULL, *values = shoal_alloc((size_t)released->n_rows, sizeof *values);
    const shoal_column **columns = shoal_alloc(c->terms.n_quasi, sizeof *columns);
    *out = (shoal_slot_rows){ 0 };
    if (values == NULL || columns == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(find_columns(columns, c, released, err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_series_values_of(values, &c->state->values, released, &c->terms, c->threads, err),
        out);
    SHOAL_GOTO_IF_ERROR(shoal_numbering_make(&distinct, columns, c->terms.n_quasi, released->n_rows,
                                             SHOAL_NUMBER_FIRST, c->threads, err),
                        out);
    slots = shoal_alloc(distinct.n, sizeof *slots);
    bool ok = slots != NULL && number_slots(slots, c, columns, &distinct);
    /* after number_slots(), which may have added some */
    out->n_slots = c->state->slots.tuples.n_values;
    if (!ok || !sort_rows(out, slots, &distinct, values, released->n_rows))
        status = shoal_fail_memory(err);
out:
    shoal_numbering_clear(&distinct);
    shoal_free(slots);
    shoal_free(values);
    shoal_free(columns);
    return status;
}

void shoal_slot_rows_clear(shoal_slot_rows *rows)
{
    shoal_free(rows->begin);
    shoal_free(rows->values);
    *rows = (shoal_slot_rows){ 0 };
}
