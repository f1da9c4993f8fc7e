/* SPDX-License-Identifier: Apache-2.0 */
/* microaggregate.c - one value for all rows of a group: their mean, median or mode.
 *
 *     mean    numbers: two decimals more than the column has, rounded half away from zero, no
 * trailing zeros; dates: the nearest day, minute or second that their format has median  numbers
 * and dates: the lower median, which is a value of the group mode    the most frequent value; of
 * several the first in the order of the column (numbers by size, texts by bytes, a missing value
 * last). Always used for categories
 *
 * Mean and median are those of the rows with a number; if there are none, the missing value is
 * published. A group with a value that is known only as `*` publishes `*`. For all three, two
 * groups that publish the same value still publish it after merging, so groups that publish the
 * same can be merged.
 *
 * Domingo-Ferrer, Mateo-Sanz: Practical data-oriented microaggregation for statistical disclosure
 * control, IEEE TKDE 2002 (groups published by their means). Cost: O(distinct values of the group),
 * with a logarithm for the median.
 */
#include "hierarchy/kind.h"
#include "publish/recode_models.h"

#include <math.h>
#include <shoal/release.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DECIMALS = 15 };
#define EXACT 9e15 /* integers up to here are exact in a double */

/*
 * Digits after the decimal point of a number as written, adjusted by its exponent. The limit of
 * 1000 prevents overflow.
 */
static int decimals_of(shoal_text text)
{
    int digits = 0, exponent = 0, sign = 1;
    size_t i = 0;
    while (i < text.length && text.data[i] != '.' && text.data[i] != 'e' && text.data[i] != 'E')
        i++;
    if (i < text.length && text.data[i] == '.')
        for (i++; i < text.length && text.data[i] >= '0' && text.data[i] <= '9'; i++) digits++;
    if (i < text.length && (text.data[i] == 'e' || text.data[i] == 'E'))
        for (i++; i < text.length; i++) {
            if (text.data[i] == '-')
                sign = -1;
            else if (text.data[i] >= '0' && text.data[i] <= '9' && exponent < 1000)
                exponent = exponent * 10 + (text.data[i] - '0');
        }
    return digits - sign * exponent;
}

uint32_t shoal_mean_decimals(const shoal_column *column)
{
    int most = 0;
    for (uint32_t v = 0; v < column->n_values; v++) {
        int decimals = v == column->null_code ? 0
                       : column->format.kind == SHOAL_FORMAT_PLAIN
                           ? decimals_of(column->values[v])
                           : shoal_format_decimals(&column->format, column->values[v].data,
                                                   column->values[v].length);
        if (decimals > most) most = decimals;
    }
    return most + 2 > MOST_DECIMALS ? MOST_DECIMALS : (uint32_t)most + 2;
}

/* ---- spelling ---- */

static void add_value(shoal_buffer *out, const shoal_column *column, uint32_t code)
{
    shoal_text text = code == SHOAL_NO_CODE ? (shoal_text){ "", 0 } : column->values[code];
    shoal_buffer_add(out, text.data, text.length);
}

/* Write `decimals` decimals or, where a double is not exact to them, 15 significant digits; always
 * with a decimal point, whatever the locale. */
static void add_number(shoal_buffer *out, double number, uint32_t decimals)
{
    double scaled = number * pow(10, decimals);
    char text[64];
    if (!(fabs(scaled) < EXACT) || (decimals == MOST_DECIMALS && fabs(number) < 1)) {
        snprintf(text, sizeof text, "%.15g", number);
        for (char *c = text; *c != '\0'; c++)
            if (*c == ',') *c = '.';
        shoal_buffer_add(out, text, strlen(text));
        return;
    }
    long long whole = llround(scaled);
    uint64_t size = whole < 0 ? (uint64_t)-whole : (uint64_t)whole;
    while (decimals > 0 && size % 10 == 0) size /= 10, decimals--;
    uint64_t power = 1;
    for (uint32_t d = 0; d < decimals; d++) power *= 10;
    shoal_buffer_print(out, "%s%llu", whole < 0 ? "-" : "", (unsigned long long)(size / power));
    if (decimals > 0)
        shoal_buffer_print(out, ".%0*llu", (int)decimals, (unsigned long long)(size % power));
}

/* A mean in the format of its column. */
static void add_formatted(shoal_buffer *out, const shoal_column *column, double number,
                          uint32_t decimals)
{
    char text[SHOAL_FORMATTED_SIZE];
    shoal_buffer plain = { 0 };
    if (column->type != SHOAL_TYPE_DATE)
        add_number(column->format.kind == SHOAL_FORMAT_PLAIN ? out : &plain, number, decimals);
    if (column->type != SHOAL_TYPE_DATE && column->format.kind == SHOAL_FORMAT_PLAIN) return;
    size_t length = shoal_format_write(text, &column->format, plain.data != NULL ? plain.data : "",
                                       number);
    shoal_buffer_add(out, text, length);
    out->failed |= plain.failed;
    shoal_buffer_clear(&plain);
}

/* ---- the three ---- */

static int by_code(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* The numbers of the group, ascending, in r->sorted. */
static uint32_t sort_numbers(const shoal_group_recoder *r, uint64_t *n_rows)
{
    uint32_t n = 0;
    *n_rows = 0;
    for (uint32_t i = 0; i < r->tally.n_present; i++) {
        uint32_t v = r->tally.present[i];
        if (v == r->attr->source->null_code) continue;
        r->sorted[n++] = v;
        *n_rows += r->tally.counts[v];
    }
    qsort(r->sorted, n, sizeof *r->sorted, by_code);
    return n;
}

static void add_mean(shoal_buffer *out, const shoal_group_recoder *r)
{
    const shoal_column *column = r->attr->source;
    uint64_t n_rows;
    uint32_t n = sort_numbers(r, &n_rows);
    if (n <= 1) {
        add_value(out, column, n == 0 ? column->null_code : r->sorted[0]);
        return;
    }
    double sum = 0, mean = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += r->tally.counts[r->sorted[i]] * column->numbers[r->sorted[i]];
    if (isfinite(sum))
        mean = sum / (double)n_rows;
    else
        for (uint32_t i = 0; i < n; i++)
            mean += r->tally.counts[r->sorted[i]] / (double)n_rows * column->numbers[r->sorted[i]];
    add_formatted(out, column, mean, r->decimals);
}

static void add_median(shoal_buffer *out, const shoal_group_recoder *r)
{
    uint64_t n_rows, below = 0;
    uint32_t n = sort_numbers(r, &n_rows), i = 0;
    while (i < n && below + r->tally.counts[r->sorted[i]] < (n_rows + 1) / 2)
        below += r->tally.counts[r->sorted[i++]];
    add_value(out, r->attr->source, n == 0 ? r->attr->source->null_code : r->sorted[i]);
}

static void add_mode(shoal_buffer *out, const shoal_group_recoder *r)
{
    uint32_t best = SHOAL_NO_CODE;
    for (uint32_t i = 0; i < r->tally.n_present; i++) {
        uint32_t v = r->tally.present[i];
        bool is_better = best == SHOAL_NO_CODE || r->tally.counts[v] > r->tally.counts[best];
        if (is_better || (r->tally.counts[v] == r->tally.counts[best] && v < best)) best = v;
    }
    add_value(out, r->attr->source, best);
}

void shoal_microaggregate(shoal_buffer *out, shoal_group_recoder *r)
{
    const shoal_attribute *attr = r->attr;
    for (uint32_t i = 0; i < r->tally.n_present; i++)
        if (attr->code_of_value[r->tally.present[i]] >= attr->top_from) {
            shoal_buffer_add(out, "*", 1);
            return;
        }
    if (r->model == SHOAL_RECODE_MODE || !attr->is_interval)
        add_mode(out, r);
    else if (r->model == SHOAL_RECODE_MEAN && attr->kind->has_means)
        add_mean(out, r);
    else
        add_median(out, r);
}
