/* SPDX-License-Identifier: Apache-2.0 */
/* order.c - places of ordered categories: low < middle < high, or ranges of numbers such as [0-10),
 * [10-20), >200.
 *
 * A label of a list has its rank as its number; a range of numbers its lower end, and where it has
 * none a number below its upper end. Both depend on the text alone, so that two tables agree.
 * Ranges of one column must not overlap, which also keeps texts that only look like ranges (codes,
 * periods of different kinds) from being taken for some. Cost: O(length of the list) per value.
 */
#include "table/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_BINS = 3, MOST_BINS = 1000 };

static shoal_text trim(shoal_text text)
{
    while (text.length > 0 && (text.data[0] == ' ' || text.data[0] == '\t'))
        text.data++, text.length--;
    while (text.length > 0 &&
           (text.data[text.length - 1] == ' ' || text.data[text.length - 1] == '\t'))
        text.length--;
    return text;
}

/* ---- lists ---- */

bool shoal_order_next(shoal_text *label, const char **rest)
{
    if (*rest == NULL) return false;
    const char *end = strstr(*rest, " < ");
    *label = trim((shoal_text){ *rest, end != NULL ? (size_t)(end - *rest) : strlen(*rest) });
    *rest = end != NULL ? end + 3 : NULL;
    return true;
}

static bool find_rank(const char *order, shoal_text text, double *out)
{
    shoal_text label;
    for (double rank = 0; shoal_order_next(&label, &order); rank++) {
        if (label.length != text.length || memcmp(label.data, text.data, text.length) != 0)
            continue;
        *out = rank;
        return true;
    }
    return false;
}

bool shoal_order_is_sound(const char *order)
{
    shoal_text label;
    double rank, n = 0;
    for (const char *rest = order; shoal_order_next(&label, &rest); n++)
        /* the first of its name has a lower rank */
        if (label.length == 0 || !find_rank(order, label, &rank) || rank != n) return false;
    return n >= 2;
}

/* ---- ranges of numbers ---- */

static bool read_end(const char *from, const char *to, double *out)
{
    return to > from && shoal_parse_number(from, (size_t)(to - from), out);
}

/* a-b, a..b, a,b, a to b, with an en dash; the first separator whose sides are numbers. */
static bool read_ends(shoal_text text, double *low, double *high)
{
    static const char *const separators[] = { "..", "-", ",", " to ", "\xe2\x80\x93" };
    for (size_t s = 0; s < sizeof separators / sizeof *separators; s++) {
        size_t n = strlen(separators[s]);
        for (size_t at = 1; at + n < text.length; at++) /* from 1: a leading minus is a sign */
            if (memcmp(text.data + at, separators[s], n) == 0 &&
                read_end(text.data, text.data + at, low) &&
                read_end(text.data + at + n, text.data + text.length, high))
                return *low < *high;
    }
    return false;
}

/* <30, <=30, >200, >=200, 80+ */
static bool read_open_end(shoal_text text, double *low, double *high)
{
    char first = text.data[0];
    size_t n = first == '<' || first == '>' ? 1 + (text.length > 1 && text.data[1] == '=') : 0;
    bool is_top = n == 0 && text.data[text.length - 1] == '+';
    *low = -INFINITY;
    *high = INFINITY;
    if (n == 0 && !is_top) return false;
    return read_end(text.data + n, text.data + text.length - is_top, first == '<' ? high : low);
}

bool shoal_read_bin(shoal_text text, double *low, double *high)
{
    text = trim(text);
    if (text.length < 2) return false;
    if (read_open_end(text, low, high)) return true;
    bool in_brackets = strchr("[](", text.data[0]) != NULL &&
                       strchr("[])", text.data[text.length - 1]) != NULL;
    if (in_brackets) text = (shoal_text){ text.data + 1, text.length - 2 };
    return read_ends(text, low, high);
}

typedef struct bin {
    double low, high;
} bin;

static int by_low(const void *a, const void *b)
{
    const bin *one = a, *other = b;
    if (one->low != other->low) return one->low < other->low ? -1 : 1;
    return (one->high > other->high) - (one->high < other->high);
}

bool shoal_are_bins(bool *are, const shoal_text *values, const bool *is_left_out, uint32_t n)
{
    uint32_t n_bins = 0;
    *are = false;
    if (n > MOST_BINS) return true;
    bin *bins = shoal_alloc(n, sizeof *bins);
    if (bins == NULL) return false;
    *are = true;
    for (uint32_t i = 0; i < n && *are; i++) {
        if (is_left_out[i]) continue;
        *are = shoal_read_bin(values[i], &bins[n_bins].low, &bins[n_bins].high);
        n_bins++;
    }
    *are = *are && n_bins >= LEAST_BINS;
    if (*are) qsort(bins, n_bins, sizeof *bins, by_low);
    for (uint32_t i = 1; *are && i < n_bins; i++) *are = bins[i - 1].high <= bins[i].low;
    shoal_free(bins);
    return true;
}

/* ---- a value ---- */

bool shoal_order_place(const char *order, shoal_text text, double *out)
{
    double low, high;
    if (order != NULL) return find_rank(order, trim(text), out);
    if (!shoal_read_bin(text, &low, &high)) return false;
    *out = isfinite(low) ? low : high - 1;
    return true;
}
