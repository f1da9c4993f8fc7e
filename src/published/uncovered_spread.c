/* SPDX-License-Identifier: Apache-2.0 */
/* uncovered_spread.c - see uncovered_spread.h. Sums are taken in the order of the rows, so they do
 * not depend on the numbering of groups.
 */
#include "published/uncovered_spread.h"

#include "hierarchy/box.h"
#include "published/published.h"

#include <math.h>

typedef struct work {
    const shoal_spread_source *source;
    shoal_published *published; /* one per attribute */
    uint64_t *begin;            /* first place of each tuple in `rows` */
    uint32_t *rows;
    uint32_t *codes;
    bool *is_uncovered; /* of each attribute, in the current tuple */
    shoal_range *ranges;
    uint64_t *words;
} work;

/* Counting sort of the rows by tuple. Counts are stored two places up: filling moves begin[t + 1]
 * to its end, which is where tuple t + 1 begins. */
static bool list_rows(work *w)
{
    const shoal_tuples *tuples = w->source->tuples;
    uint64_t n_rows = w->source->original->n_rows;
    w->begin = shoal_alloc_zero((size_t)tuples->n_tuples + 2, sizeof *w->begin);
    w->rows = shoal_alloc((size_t)n_rows, sizeof *w->rows);
    if (w->begin == NULL || w->rows == NULL) return false;
    const uint32_t *tuple_of_row = w->source->tuple_of_row;
    for (uint64_t row = 0; row < n_rows; row++)
        if (tuple_of_row[row] != SHOAL_NO_CODE) w->begin[tuple_of_row[row] + 2]++;
    for (uint32_t t = 2; t < tuples->n_tuples + 2; t++) w->begin[t] += w->begin[t - 1];
    for (uint64_t row = 0; row < n_rows; row++)
        if (tuple_of_row[row] != SHOAL_NO_CODE)
            w->rows[w->begin[tuple_of_row[row] + 1]++] = (uint32_t)row;
    return true;
}

static shoal_status work_init(work *w, shoal_error *err)
{
    const shoal_space *space = w->source->space;
    w->published = shoal_alloc_zero(space->n_attrs, sizeof *w->published);
    w->codes = shoal_alloc(space->n_attrs, sizeof *w->codes);
    w->is_uncovered = shoal_alloc(space->n_attrs, sizeof *w->is_uncovered);
    w->ranges = shoal_alloc(space->n_attrs, sizeof *w->ranges);
    w->words = shoal_alloc(space->n_words, sizeof *w->words);
    bool ok = w->published != NULL && w->codes != NULL && w->is_uncovered != NULL &&
              w->ranges != NULL && w->words != NULL;
    if (!ok || !list_rows(w)) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < space->n_attrs; a++)
        SHOAL_RETURN_IF_ERROR(shoal_published_read(&w->published[a], w->source->original,
                                                   &space->attrs[a], w->source->texts[a],
                                                   w->source->n_texts[a], err));
    return SHOAL_OK;
}

static void work_clear(work *w)
{
    for (uint32_t a = 0; w->published != NULL && a < w->source->space->n_attrs; a++)
        shoal_published_clear(&w->published[a]);
    shoal_free(w->published);
    shoal_free(w->begin);
    shoal_free(w->rows);
    shoal_free(w->codes);
    shoal_free(w->is_uncovered);
    shoal_free(w->ranges);
    shoal_free(w->words);
}

static uint32_t text_of(const work *w, uint32_t tuple, uint32_t a)
{
    return shoal_column_code(w->source->columns[a], w->source->tuples->first[tuple]);
}

/* ---- loss of a covering cell ---- */

static void weigh_tuple(double *loss, work *w, uint32_t tuple)
{
    const shoal_space *space = w->source->space;
    shoal_box box = { w->ranges, w->words };
    shoal_box_clear(space, box);
    for (uint32_t a = 0; a < space->n_attrs; a++) w->is_uncovered[a] = false;
    for (uint64_t at = w->begin[tuple]; at < w->begin[tuple + 1]; at++) {
        for (uint32_t a = 0; a < space->n_attrs; a++) {
            uint32_t value = shoal_column_code(space->attrs[a].source, w->rows[at]);
            w->codes[a] = space->attrs[a].code_of_value[value];
            if (!shoal_published_covers(&w->published[a], text_of(w, tuple, a), value))
                w->is_uncovered[a] = true;
        }
        shoal_box_add(space, box, w->codes);
    }
    for (uint32_t a = 0; a < space->n_attrs; a++)
        loss[a] = w->is_uncovered[a] ? shoal_box_attr_loss(space, box, a) : -1;
}

/* ---- squared distances ---- */

static bool is_number(const shoal_column *column, uint32_t value)
{
    return value != column->null_code;
}

/* The number that each text is, NaN if it is none. `*has_ranges`: some text is a range. NULL if
 * memory is short. */
static double *read_points(bool *has_ranges, const work *w, uint32_t a)
{
    const shoal_published *published = &w->published[a];
    double *points = shoal_alloc(published->n_texts, sizeof *points);
    *has_ranges = false;
    for (uint32_t t = 0; points != NULL && t < published->n_texts; t++) {
        shoal_reading_kind kind = published->readings[t].kind;
        bool is_missing = kind == SHOAL_READ_VALUE &&
                          !is_number(published->attr->source, published->readings[t].code);
        bool is_point = !is_missing &&
                        shoal_read_scalar(w->source->texts[a][t], &published->attr->source->format,
                                          &points[t]);
        if (is_point) continue;
        points[t] = NAN;
        if (kind == SHOAL_READ_INTERVAL || kind == SHOAL_READ_SET || kind == SHOAL_READ_NODE)
            *has_ranges = true;
    }
    return points;
}

/* A number as a fraction of the column's range. Halving first keeps last - first finite for any
 * doubles. */
static double place(const shoal_attribute *attr, double x)
{
    const double *numbers = attr->source->numbers;
    double first = numbers[0], last = numbers[attr->n_plain - 1];
    return (x / 2 - first / 2) / (last / 2 - first / 2);
}

static double mean_place(const shoal_attribute *attr)
{
    double sum = 0, n = 0;
    for (uint32_t v = 0; v < attr->source->n_values; v++) {
        if (!is_number(attr->source, v)) continue;
        sum += (double)attr->source->counts[v] * place(attr, attr->source->numbers[v]);
        n += (double)attr->source->counts[v];
    }
    return sum / n;
}

static double sse_over_sst(const work *w, uint32_t a, const double *points)
{
    const shoal_attribute *attr = &w->source->space->attrs[a];
    double mean = mean_place(attr), sse = 0, sst = 0;
    for (uint64_t row = 0; row < w->source->original->n_rows; row++) {
        uint32_t value = shoal_column_code(attr->source, row);
        if (!is_number(attr->source, value) || w->source->tuple_of_row[row] == SHOAL_NO_CODE)
            continue;
        double x = place(attr, attr->source->numbers[value]);
        double point = points[text_of(w, w->source->tuple_of_row[row], a)],
               to = isnan(point) ? mean : place(attr, point);
        sse += (x - to) * (x - to);
        sst += (x - mean) * (x - mean);
    }
    return sst > 0 ? sse / sst : 0;
}

static bool weigh_numbers(shoal_spread *spread, const work *w)
{
    double sum = 0;
    uint32_t n = 0;
    for (uint32_t a = 0; a < w->source->space->n_attrs; a++) {
        const shoal_attribute *attr = &w->source->space->attrs[a];
        if (!attr->is_interval || attr->n_plain < 2) continue;
        bool has_ranges;
        double *points = read_points(&has_ranges, w, a);
        if (points == NULL) return false;
        if (!has_ranges) sum += sse_over_sst(w, a, points);
        n += !has_ranges;
        shoal_free(points);
    }
    spread->has_numbers = n > 0;
    spread->sse_ratio = n > 0 ? sum / n : 0;
    return true;
}

shoal_status shoal_spread_make(shoal_spread *out, const shoal_spread_source *source,
                               shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    work w = { .source = source };
    shoal_spread spread = { 0 };
    SHOAL_GOTO_IF_ERROR(work_init(&w, err), out);
    spread.loss = shoal_alloc((size_t)source->tuples->n_tuples * source->space->n_attrs,
                              sizeof *spread.loss);
    if (spread.loss == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t t = 0; t < source->tuples->n_tuples; t++)
        weigh_tuple(spread.loss + (size_t)t * source->space->n_attrs, &w, t);
    if (!weigh_numbers(&spread, &w)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    *out = spread;
    spread = (shoal_spread){ 0 };
out:
    shoal_spread_clear(&spread);
    work_clear(&w);
    return status;
}

void shoal_spread_clear(shoal_spread *spread)
{
    shoal_free(spread->loss);
    *spread = (shoal_spread){ 0 };
}
