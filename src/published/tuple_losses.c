/* SPDX-License-Identifier: Apache-2.0 */
/* tuple_losses.c - the loss of each published tuple, computed from its texts and the original; the
 * verifier's input for wgu.
 *
 * The loss of a text is that of its reading (published.h). A text that is a value and also a wider
 * label is read as the value only if every row with the text has that value. A cell that does not
 * cover its original (microaggregation) loses what a covering cell would lose (uncovered_spread.h).
 *
 * Cost: O(rows * attributes).
 */
#include "published/tuple_losses.h"

#include "published/uncovered_spread.h"
#include "published/published.h"
#include "published/released.h"

typedef struct weigher {
    const shoal_table *original, *released;
    const shoal_tuples *tuples;
    shoal_space space;
    size_t *at;                   /* column of the release of each attribute */
    const shoal_column **columns; /* the same */
    const shoal_text **texts;
    uint32_t *n_texts;
    /* of each row of the original, SHOAL_NO_CODE where it is left out */
    uint32_t *tuple_of_row;
    double *sums; /* tuples x attributes */
    bool covers;  /* every cell covers its original */
} weigher;

static shoal_status set_up(weigher *w, const uint8_t *kept, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_space_make(&w->space, w->original, err));
    uint32_t n = w->space.n_attrs;
    uint64_t n_rows = w->original->n_rows, next = 0;
    w->at = shoal_alloc(n, sizeof *w->at);
    w->columns = shoal_alloc(n, sizeof *w->columns);
    w->texts = shoal_alloc(n, sizeof *w->texts);
    w->n_texts = shoal_alloc(n, sizeof *w->n_texts);
    w->tuple_of_row = shoal_alloc((size_t)n_rows, sizeof *w->tuple_of_row);
    w->sums = shoal_alloc((size_t)w->tuples->n_tuples * n, sizeof *w->sums);
    if (w->at == NULL || w->columns == NULL || w->texts == NULL || w->n_texts == NULL ||
        w->tuple_of_row == NULL || w->sums == NULL)
        return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(shoal_released_match(w->at, &w->space, w->original, w->released, err));
    for (uint64_t row = 0; row < n_rows; row++) {
        bool is_there = (kept == NULL || kept[row] != 0) && next < w->released->n_rows;
        w->tuple_of_row[row] = is_there ? w->tuples->id_of_unit[next++] : SHOAL_NO_CODE;
    }
    if (next == w->released->n_rows) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "verify: the release has %llu rows, its original only %llu of them",
                      (unsigned long long)w->released->n_rows, (unsigned long long)next);
}

static void clear(weigher *w)
{
    shoal_free(w->at);
    shoal_free(w->columns);
    shoal_free(w->texts);
    shoal_free(w->n_texts);
    shoal_free(w->tuple_of_row);
    shoal_free(w->sums);
    shoal_space_clear(&w->space);
}

static uint32_t text_of(const weigher *w, uint32_t a, uint32_t tuple)
{
    return shoal_column_code(w->columns[a], w->tuples->first[tuple]);
}

/* Losses of the texts of one attribute. */
static void weigh_texts(double *loss, weigher *w, uint32_t a, const shoal_published *published)
{
    const shoal_column *own = w->space.attrs[a].source;
    for (uint32_t t = 0; t < published->n_texts; t++) loss[t] = published->readings[t].loss;
    for (uint64_t row = 0; row < w->original->n_rows; row++) {
        if (w->tuple_of_row[row] == SHOAL_NO_CODE) continue;
        uint32_t text = text_of(w, a, w->tuple_of_row[row]), value = shoal_column_code(own, row);
        if (published->readings[text].code == value) continue;
        loss[text] = published->readings[text].wide_loss;
        w->covers = w->covers && shoal_published_covers(published, text, value);
    }
}

static shoal_status weigh_column(weigher *w, uint32_t a, shoal_error *err)
{
    const shoal_column *column = w->columns[a] = &w->released->columns[w->at[a]];
    shoal_published published;
    w->texts[a] = column->values;
    w->n_texts[a] = column->n_values;
    SHOAL_RETURN_IF_ERROR(shoal_published_read(&published, w->original, &w->space.attrs[a],
                                               column->values, column->n_values, err));
    double *loss = shoal_alloc(column->n_values, sizeof *loss);
    if (loss != NULL) {
        weigh_texts(loss, w, a, &published);
        for (uint32_t t = 0; t < w->tuples->n_tuples; t++)
            w->sums[(size_t)t * w->space.n_attrs + a] = loss[text_of(w, a, t)];
    }
    shoal_published_clear(&published);
    shoal_free(loss);
    return loss != NULL ? SHOAL_OK : shoal_fail_memory(err);
}

/* Cells that do not cover their originals lose what a covering cell would lose. */
static shoal_status add_spread(weigher *w, shoal_error *err)
{
    shoal_spread spread = { 0 };
    shoal_spread_source source = { .original = w->original,
                                   .space = &w->space,
                                   .tuples = w->tuples,
                                   .columns = w->columns,
                                   .texts = w->texts,
                                   .n_texts = w->n_texts,
                                   .tuple_of_row = w->tuple_of_row };
    if (w->covers) return SHOAL_OK;
    SHOAL_RETURN_IF_ERROR(shoal_spread_make(&spread, &source, err));
    for (size_t i = 0; i < (size_t)w->tuples->n_tuples * w->space.n_attrs; i++)
        if (spread.loss[i] > w->sums[i]) w->sums[i] = spread.loss[i];
    shoal_spread_clear(&spread);
    return SHOAL_OK;
}

shoal_status shoal_tuple_losses(double **out, const shoal_tuples *tuples,
                                const shoal_table *original, const shoal_table *released,
                                const uint8_t *kept, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    weigher w = { .original = original, .released = released, .tuples = tuples, .covers = true };
    double *mean = NULL;
    SHOAL_GOTO_IF_ERROR(set_up(&w, kept, err), out);
    for (uint32_t a = 0; a < w.space.n_attrs; a++)
        SHOAL_GOTO_IF_ERROR(weigh_column(&w, a, err), out);
    SHOAL_GOTO_IF_ERROR(add_spread(&w, err), out);
    mean = shoal_alloc_zero(tuples->n_tuples, sizeof *mean);
    if (mean == NULL) status = shoal_fail_memory(err);
    for (uint32_t t = 0; status == SHOAL_OK && t < tuples->n_tuples; t++)
        for (uint32_t a = 0; a < w.space.n_attrs; a++)
            mean[t] += w.sums[(size_t)t * w.space.n_attrs + a] / w.space.n_attrs;
    *out = mean;
out:
    clear(&w);
    return status;
}
