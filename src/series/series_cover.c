/* SPDX-License-Identifier: Apache-2.0 */
/* series_cover.c - do the published values of a record still cover it?
 *
 * A correction that the published values cover (an age of 31 that was 32 and is published as
 * [30..39]) changes nothing in the release: the row stays. A record that they do not cover leaves
 * its slot and is inserted again. Texts are read as the verifier reads them.
 *
 * Cost: O(rows * quasi-identifiers), on all threads.
 */
#include "series/series_change.h"

#include "published/published.h"

#include <string.h>

enum { RUN_ROWS = 1 << 13 };

/* The texts that slots have, read for each quasi-identifier. */
typedef struct slot_texts {
    uint32_t *of_slot; /* n_attrs for each slot: numbers of its texts among those read */
    shoal_published *read;
    /* of each quasi-identifier [text * values + value]; NULL: more pairs than rows */
    uint8_t **covers;
    uint32_t n_attrs;
} slot_texts;

/* Test each pair of text and value once, where there are fewer pairs than rows. */
static shoal_status tabulate(uint8_t **out, const shoal_published *read, uint64_t n_rows,
                             shoal_error *err)
{
    uint32_t n_values = read->attr->source->n_values;
    if ((uint64_t)read->n_texts * n_values > n_rows) return SHOAL_OK;
    uint8_t *pairs = shoal_alloc((size_t)read->n_texts * n_values, 1);
    if (pairs == NULL) return shoal_fail_memory(err);
    for (uint32_t text = 0; text < read->n_texts; text++)
        for (uint32_t value = 0; value < n_values; value++)
            pairs[(size_t)text * n_values + value] = shoal_published_covers(read, text, value);
    *out = pairs;
    return SHOAL_OK;
}

/* Number the distinct texts of a quasi-identifier by first appearance, and read them. */
static shoal_status read_texts(slot_texts *out, const shoal_change *c, const shoal_attribute *attr,
                               uint32_t place, shoal_error *err)
{
    const shoal_tuple_pool *pool = &c->state->slots;
    uint32_t n = 0, *number_of = shoal_alloc(pool->texts.n_values, sizeof *number_of);
    shoal_text *texts = shoal_alloc(pool->texts.n_values, sizeof *texts);
    shoal_status status = number_of != NULL && texts != NULL ? SHOAL_OK : shoal_fail_memory(err);
    if (status == SHOAL_OK) {
        memset(number_of, 0xff, pool->texts.n_values * sizeof *number_of);
        for (uint32_t slot = 0; slot < c->n_old_slots; slot++) {
            uint32_t text;
            memcpy(&text, pool->tuples.values[slot].data + place * sizeof text, sizeof text);
            if (number_of[text] == SHOAL_NO_CODE) {
                texts[n] = pool->texts.values[text];
                number_of[text] = n++;
            }
            out->of_slot[(size_t)slot * out->n_attrs + place] = number_of[text];
        }
        status = shoal_published_read(&out->read[place], c->table, attr, texts, n, err);
    }
    if (status == SHOAL_OK)
        status = tabulate(&out->covers[place], &out->read[place], c->table->n_rows, err);
    shoal_free(number_of);
    shoal_free(texts);
    return status;
}

/* By the table of pairs if there is one, else by reading. */
static bool covers(const slot_texts *texts, uint32_t a, uint32_t slot, const shoal_column *column,
                   uint32_t row)
{
    uint32_t text = texts->of_slot[(size_t)slot * texts->n_attrs + a],
             value = shoal_column_code(column, row);
    if (texts->covers[a] != NULL)
        return texts->covers[a][(size_t)text * column->n_values + value] != 0;
    return shoal_published_covers(&texts->read[a], text, value);
}

/*
 * Remove rows of the state whose record the slot does not cover. In the order of the state, by
 * slot, so that a text is read once for all its rows, and column by column, so that scattered reads
 * are confined to one column of the table.
 */
static uint64_t uncover_run(shoal_change *c, const slot_texts *texts, const shoal_space *space,
                            uint64_t first, uint64_t end)
{
    const shoal_series_row *rows = c->state->rows;
    uint64_t n_uncovered = 0;
    for (uint32_t a = 0; a < texts->n_attrs; a++)
        for (uint64_t i = first; i < end && rows[i].slot != SHOAL_NO_CODE; i++) {
            if (c->fates[i] != SHOAL_ROW_STAYS ||
                covers(texts, a, rows[i].slot, space->attrs[a].source, c->new_rows[i]))
                continue;
            c->fates[i] = SHOAL_ROW_LEAVES;
            c->slots[c->new_rows[i]] = SHOAL_NO_CODE;
            n_uncovered++;
        }
    return n_uncovered;
}

/* Each row of the state is in one run, and its row of the table in no other: threads write to
 * different elements. */
static void find_uncovered(shoal_change *c, const slot_texts *texts, const shoal_space *space)
{
    uint64_t n = c->state->n_rows, n_runs = (n + RUN_ROWS - 1) / RUN_ROWS, n_uncovered = 0;
#pragma omp parallel for num_threads(c->threads) schedule(dynamic) \
    reduction(+ : n_uncovered) if (n_runs > 1)
    for (uint64_t run = 0; run < n_runs; run++)
        n_uncovered += uncover_run(c, texts, space, run * RUN_ROWS,
                                   n - run * RUN_ROWS < RUN_ROWS ? n : (run + 1) * RUN_ROWS);
    c->entry.corrected += n_uncovered;
}

/* Rows that are no longer covered count as corrected, like rows with another sensitive value. */
shoal_status shoal_change_cover(shoal_change *c, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_space space = { 0 };
    if (c->n_old_slots == 0) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&space, c->table, err));
    slot_texts texts = { .of_slot = shoal_alloc((size_t)c->n_old_slots * space.n_attrs,
                                                sizeof *texts.of_slot),
                         .read = shoal_alloc_zero(space.n_attrs, sizeof *texts.read),
                         .covers = shoal_alloc_zero(space.n_attrs, sizeof *texts.covers),
                         .n_attrs = space.n_attrs };
    if (texts.of_slot == NULL || texts.read == NULL || texts.covers == NULL)
        status = shoal_fail_memory(err);
    for (uint32_t a = 0; a < space.n_attrs && status == SHOAL_OK; a++)
        status = read_texts(&texts, c, &space.attrs[a], a, err);
    if (status == SHOAL_OK) find_uncovered(c, &texts, &space);
    for (uint32_t a = 0; texts.read != NULL && a < space.n_attrs; a++)
        shoal_published_clear(&texts.read[a]);
    for (uint32_t a = 0; texts.covers != NULL && a < space.n_attrs; a++)
        shoal_free(texts.covers[a]);
    shoal_free(texts.covers);
    shoal_free(texts.read);
    shoal_free(texts.of_slot);
    shoal_space_clear(&space);
    return status;
}
