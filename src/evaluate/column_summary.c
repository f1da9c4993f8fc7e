/* SPDX-License-Identifier: Apache-2.0 */
/* column_summary.c - small distributions of one column in the original and in the release, for the
 * beginning of a report.
 *
 * Bars are the most frequent values of the original, or ranges of equal width of its numbers. A
 * published cell adds its rows to all values that it covers, in equal parts, as COUNT queries
 * estimate (region.h); so the bars of the release add up to its rows. Cost: O(values + texts log
 * texts), for sets O(members).
 */
#include "evaluate/region.h"
#include "hierarchy/kind.h"
#include "published/released.h"

#include <math.h>
#include <shoal/summary.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct summing {
    shoal_column_summary *out;
    const shoal_table *original;
    const shoal_column *column;
    shoal_space space;
    shoal_domain domain;
    uint32_t *bar_of; /* of each element; SHOAL_NO_CODE: none */
    bool by_range;    /* bars are ranges of numbers */
    double low, step; /* of the ranges */
    uint32_t n_ranges;
} summing;

/* ---- bars ---- */

static shoal_status name_bar(summing *s, const char *text, size_t length, shoal_error *err)
{
    shoal_summary_bar *bar = &s->out->bars[s->out->n_bars];
    *bar = (shoal_summary_bar){ .label = shoal_copy_text(text, length) };
    if (bar->label == NULL) return shoal_fail_memory(err);
    s->out->n_bars++;
    return SHOAL_OK;
}

/* 1, 2 or 5 times a power of ten, at least `width`. */
static double round_step(double width, bool is_whole)
{
    double power = pow(10, floor(log10(width)));
    double factor = width / power;
    double step = (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10) * power;
    return is_whole && step < 1 ? 1 : step;
}

static shoal_status name_range(summing *s, double low, shoal_error *err)
{
    char text[2 * SHOAL_FORMATTED_SIZE + 8], first[SHOAL_FORMATTED_SIZE],
        last[SHOAL_FORMATTED_SIZE];
    bool is_date = s->column->type == SHOAL_TYPE_DATE;
    if (is_date) {
        shoal_format_write(first, &s->column->format, "", low);
        shoal_format_write(last, &s->column->format, "", low + s->step - 1);
        snprintf(text, sizeof text, "%s to %s", first, last);
    } else if (s->step == 1) {
        snprintf(text, sizeof text, "%.10g", low);
    } else {
        snprintf(text, sizeof text, "%.10g to below %.10g", low, low + s->step);
    }
    return name_bar(s, text, strlen(text), err);
}

static uint32_t range_of(const summing *s, double number)
{
    double at = floor((number - s->low) / s->step);
    return at < 0 ? 0 : at >= s->n_ranges ? s->n_ranges - 1 : (uint32_t)at;
}

/* Ranges of equal width over the numbers; the missing value has a bar of its own. */
static shoal_status make_ranges(summing *s, uint32_t n_numbers, shoal_error *err)
{
    const double *numbers = s->column->numbers;
    double width = numbers[n_numbers - 1] - numbers[0];
    bool is_whole = true;
    for (uint32_t v = 0; v < n_numbers; v++) is_whole = is_whole && floor(numbers[v]) == numbers[v];
    s->step = width > 0 ? round_step(width / (SHOAL_SUMMARY_BARS - 4), is_whole) : 1;
    s->low = floor(numbers[0] / s->step) * s->step;
    s->n_ranges = (uint32_t)floor((numbers[n_numbers - 1] - s->low) / s->step) + 1;
    if (!isfinite(s->low) || s->n_ranges > SHOAL_SUMMARY_BARS - 1)
        s->n_ranges = SHOAL_SUMMARY_BARS - 1;
    for (uint32_t i = 0; i < s->n_ranges; i++) {
        SHOAL_RETURN_IF_ERROR(name_range(s, s->low + i * s->step, err));
        s->out->bars[i].is_shown = true;
    }
    for (uint32_t e = 0; e < s->domain.n_elements; e++) {
        uint32_t value = s->domain.value_of_element[e];
        if (value != SHOAL_NO_CODE && value != s->column->null_code)
            s->bar_of[e] = range_of(s, numbers[value]);
    }
    s->by_range = true;
    return SHOAL_OK;
}

typedef struct ranked {
    uint32_t code;
    uint64_t n_rows;
} ranked;

static int by_rows(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->n_rows != y->n_rows) return x->n_rows > y->n_rows ? -1 : 1;
    return (x->code > y->code) - (x->code < y->code);
}

/* The codes of a column, the most frequent first; without `left_out`. */
static ranked *rank_codes(const shoal_column *column, uint32_t left_out, uint32_t *n)
{
    ranked *list = shoal_alloc(column->n_values, sizeof *list);
    *n = 0;
    for (uint32_t v = 0; list != NULL && v < column->n_values; v++)
        if (v != left_out) list[(*n)++] = (ranked){ v, column->counts[v] };
    if (list != NULL && *n > 0) qsort(list, *n, sizeof *list, by_rows);
    return list;
}

/* A bar for each of the most frequent values, and one for all others, including leaves of the
 * hierarchy that do not occur in the data. */
static shoal_status make_values(summing *s, shoal_error *err)
{
    uint32_t n, n_own, rest = SHOAL_NO_CODE;
    shoal_status status = SHOAL_OK;
    ranked *list = rank_codes(s->column, s->column->null_code, &n);
    if (list == NULL) return shoal_fail_memory(err);
    n_own = n <= SHOAL_SUMMARY_BARS - 2 ? n : SHOAL_SUMMARY_BARS - 3;
    for (uint32_t i = 0; i < n_own; i++) {
        shoal_text text = s->column->values[list[i].code];
        s->bar_of[s->domain.element_of_value[list[i].code]] = i;
        SHOAL_GOTO_IF_ERROR(name_bar(s, text.data, text.length, err), out);
    }
    for (uint32_t e = 0; e < s->domain.n_elements; e++) {
        if (s->bar_of[e] != SHOAL_NO_CODE ||
            (s->column->null_code != SHOAL_NO_CODE &&
             s->domain.value_of_element[e] == s->column->null_code))
            continue;
        if (rest == SHOAL_NO_CODE) {
            rest = (uint32_t)s->out->n_bars;
            SHOAL_GOTO_IF_ERROR(name_bar(s, "other values", 12, err), out);
            s->out->bars[rest].is_shown = s->out->bars[rest].is_rest = true;
        }
        s->bar_of[e] = rest;
    }
out:
    shoal_free(list);
    return status;
}

static shoal_status make_bars(summing *s, shoal_error *err)
{
    uint32_t n_numbers = s->column->n_values - (s->column->null_code != SHOAL_NO_CODE),
             null_code = s->column->null_code;
    bool has_numbers = s->domain.attr->kind->has_means && n_numbers > 0;
    s->bar_of = shoal_alloc(s->domain.n_elements, sizeof *s->bar_of);
    if (s->bar_of == NULL) return shoal_fail_memory(err);
    for (uint32_t e = 0; e < s->domain.n_elements; e++) s->bar_of[e] = SHOAL_NO_CODE;
    SHOAL_RETURN_IF_ERROR(has_numbers && n_numbers > SHOAL_SUMMARY_BARS - 2
                              ? make_ranges(s, n_numbers, err)
                              : make_values(s, err));
    if (null_code != SHOAL_NO_CODE) {
        s->bar_of[s->domain.element_of_value[null_code]] = (uint32_t)s->out->n_bars;
        SHOAL_RETURN_IF_ERROR(name_bar(s, "missing", 7, err));
        shoal_summary_bar *missing = &s->out->bars[s->out->n_bars - 1];
        missing->is_shown = missing->is_rest = true;
    }
    for (uint32_t v = 0; v < s->column->n_values; v++) {
        uint32_t bar = s->bar_of[s->domain.element_of_value[v]];
        if (bar != SHOAL_NO_CODE) s->out->bars[bar].before += (double)s->column->counts[v];
    }
    return SHOAL_OK;
}

/* ---- the release ---- */

static uint64_t weight_of(const shoal_domain *d, uint32_t element)
{
    return d->weight_before[element + 1] - d->weight_before[element];
}

/* The bar of a number that covers no value, for example the mean of a group. */
static void add_between(const summing *s, const shoal_region *region, double n_rows)
{
    double middle = (region->low + region->high) / 2;
    if (s->by_range && region->has_ends && isfinite(middle))
        s->out->bars[range_of(s, middle)].after += n_rows;
}

static void add_members(const summing *s, const shoal_region *region, double n_rows)
{
    double weight = 0;
    for (uint32_t i = 0; i < region->n_members; i++)
        weight += (double)(region->weights != NULL ? region->weights[i]
                                                   : weight_of(&s->domain, region->members[i]));
    for (uint32_t i = 0; weight > 0 && i < region->n_members; i++) {
        uint32_t bar = s->bar_of[region->members[i]];
        double own = (double)(region->weights != NULL ? region->weights[i]
                                                      : weight_of(&s->domain, region->members[i]));
        if (bar != SHOAL_NO_CODE) s->out->bars[bar].after += n_rows * own / weight;
    }
}

/* Values that a text names: itself, or the members of a set. */
static void mark_shown(const summing *s, const shoal_reading *reading, const shoal_region *region)
{
    if (reading->kind == SHOAL_READ_VALUE && region->members == NULL &&
        region->first == region->last) {
        uint32_t bar = s->bar_of[region->first];
        if (bar != SHOAL_NO_CODE) s->out->bars[bar].is_shown = true;
    }
    if (reading->kind != SHOAL_READ_SET) return;
    uint32_t n = region->members != NULL ? region->n_members : region->last + 1 - region->first;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t bar = s->bar_of[region->members != NULL ? region->members[i] : region->first + i];
        if (bar != SHOAL_NO_CODE) s->out->bars[bar].is_shown = true;
    }
}

/* `density`: of the runs so far, as differences. */
static void add_region(const summing *s, double *density, const shoal_region *region, double n_rows)
{
    if (region->members != NULL) {
        add_members(s, region, n_rows);
        return;
    }
    bool is_empty = region->first > region->last;
    double weight = is_empty ? 0
                             : (double)(s->domain.weight_before[region->last + 1] -
                                        s->domain.weight_before[region->first]);
    if (weight > 0) {
        density[region->first] += n_rows / weight;
        density[region->last + 1] -= n_rows / weight;
    } else if (is_empty) {
        add_between(s, region, n_rows);
    } else { /* a missing value that is no category: it is shown as it was */
        uint32_t bar = s->bar_of[region->first];
        if (bar != SHOAL_NO_CODE) s->out->bars[bar].after += n_rows;
    }
}

static void spread_density(const summing *s, const double *density)
{
    double sum = 0;
    for (uint32_t e = 0; e < s->domain.n_elements; e++) {
        sum += density[e];
        if (s->bar_of[e] != SHOAL_NO_CODE)
            s->out->bars[s->bar_of[e]].after += sum * (double)weight_of(&s->domain, e);
    }
    for (size_t b = 0; b < s->out->n_bars; b++)
        if (fabs(s->out->bars[b].after) < 1e-6) s->out->bars[b].after = 0; /* rounding residue */
}

/* ---- published texts ---- */

static double width_of(const summing *s, const shoal_reading *r)
{
    const shoal_column *c = s->column;
    uint32_t n = c->n_values - (c->null_code != SHOAL_NO_CODE);
    if (r->is_interval && isfinite(r->interval.low) && isfinite(r->interval.high))
        return r->interval.high - r->interval.low;
    return r->kind == SHOAL_READ_VALUE || n == 0 || c->numbers == NULL
               ? 0
               : c->numbers[n - 1] - c->numbers[0];
}

typedef struct wide {
    double width;
    uint64_t n_rows;
} wide;

static int by_width(const void *a, const void *b)
{
    double x = ((const wide *)a)->width, y = ((const wide *)b)->width;
    return (x > y) - (x < y);
}

static shoal_status find_median(summing *s, const shoal_published *read, const shoal_column *texts,
                                shoal_error *err)
{
    uint64_t total = 0, below = 0;
    wide *list = shoal_alloc(texts->n_values, sizeof *list);
    if (list == NULL) return shoal_fail_memory(err);
    for (uint32_t t = 0; t < texts->n_values; t++) {
        list[t] = (wide){ width_of(s, &read->readings[t]), texts->counts[t] };
        total += texts->counts[t];
    }
    if (texts->n_values > 0) qsort(list, texts->n_values, sizeof *list, by_width);
    for (uint32_t t = 0; t < texts->n_values && below * 2 < total; t++) {
        s->out->median_width = list[t].width;
        below += list[t].n_rows;
    }
    shoal_free(list);
    return SHOAL_OK;
}

static shoal_status list_texts(shoal_column_summary *out, const shoal_column *texts,
                               shoal_error *err)
{
    uint32_t n;
    ranked *list = rank_codes(texts, SHOAL_NO_CODE, &n);
    if (list == NULL) return shoal_fail_memory(err);
    bool is_made = true;
    for (uint32_t i = 0; i < n && i < SHOAL_SUMMARY_TEXTS && is_made; i++) {
        shoal_text text = texts->values[list[i].code];
        out->texts[i] = (shoal_summary_text){ shoal_copy_text(text.data, text.length),
                                              list[i].n_rows };
        is_made = out->texts[i].text != NULL;
        out->n_listed += is_made;
    }
    shoal_free(list);
    return is_made ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status count_texts(summing *s, const shoal_published *read, const shoal_column *texts,
                                shoal_error *err)
{
    shoal_arena arena = { 0 };
    bool is_made = true;
    double *density = shoal_alloc_zero((size_t)s->domain.n_elements + 1, sizeof *density);
    for (uint32_t t = 0; density != NULL && is_made && t < texts->n_values; t++) {
        shoal_region region;
        is_made = shoal_region_of_text(&region, &s->domain, read, t, false, &arena);
        if (!is_made) break;
        add_region(s, density, &region, (double)texts->counts[t]);
        mark_shown(s, &read->readings[t], &region);
        s->out->n_released += texts->counts[t];
        if (read->readings[t].kind == SHOAL_READ_VALUE) s->out->exact_rows += texts->counts[t];
        if (read->readings[t].kind == SHOAL_READ_ALL) s->out->star_rows += texts->counts[t];
    }
    if (density != NULL && is_made) spread_density(s, density);
    is_made = is_made && density != NULL;
    shoal_free(density);
    shoal_arena_clear(&arena);
    return is_made ? SHOAL_OK : shoal_fail_memory(err);
}

static shoal_status read_release(summing *s, const shoal_column *texts, shoal_error *err)
{
    shoal_published read = { 0 };
    s->out->has_release = true;
    s->out->n_texts = texts->n_values;
    SHOAL_RETURN_IF_ERROR(shoal_published_read(&read, s->original, s->domain.attr, texts->values,
                                               texts->n_values, err));
    shoal_status status = count_texts(s, &read, texts, err);
    if (status == SHOAL_OK) status = find_median(s, &read, texts, err);
    shoal_published_clear(&read);
    return status == SHOAL_OK ? list_texts(s->out, texts, err) : status;
}

/* ---- all of it ---- */

static const shoal_column *published_column(const shoal_table *original,
                                            const shoal_table *released, size_t column)
{
    size_t at = released != NULL ? shoal_released_column(original, released, column) : SIZE_MAX;
    return at != SIZE_MAX && released->columns[at].is_encoded ? &released->columns[at] : NULL;
}

shoal_status shoal_column_summary_find(shoal_column_summary *out, const shoal_table *original,
                                       const shoal_table *released, size_t column, shoal_error *err)
{
    if (column >= original->n_columns || !original->columns[column].is_encoded)
        return shoal_fail(err, SHOAL_EINVAL, "summary: no encoded column %zu", column);
    uint32_t number = (uint32_t)column;
    const shoal_column *texts = published_column(original, released, column);
    shoal_column_summary made = { .n_rows = original->total };
    summing s = { .out = &made, .original = original, .column = &original->columns[column] };
    uint32_t null_code = s.column->null_code;
    made.n_values = s.column->n_values - (null_code != SHOAL_NO_CODE);
    made.n_missing = null_code != SHOAL_NO_CODE ? s.column->counts[null_code] : 0;
    shoal_status status = SHOAL_OK;
    SHOAL_GOTO_IF_ERROR(
        shoal_space_make_columns(&s.space, original, &number, 1, original->missing, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_domain_make(&s.domain, original, &s.space.attrs[0], err), out);
    SHOAL_GOTO_IF_ERROR(make_bars(&s, err), out);
    if (texts != NULL) SHOAL_GOTO_IF_ERROR(read_release(&s, texts, err), out);
    *out = made;
    made = (shoal_column_summary){ 0 };
out:
    shoal_free(s.bar_of);
    shoal_domain_clear(&s.domain);
    shoal_space_clear(&s.space);
    shoal_column_summary_clear(&made);
    return status;
}

void shoal_column_summary_clear(shoal_column_summary *summary)
{
    for (size_t i = 0; i < summary->n_bars; i++) shoal_free(summary->bars[i].label);
    for (size_t i = 0; i < summary->n_listed; i++) shoal_free(summary->texts[i].text);
    *summary = (shoal_column_summary){ 0 };
}
