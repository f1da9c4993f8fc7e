/* SPDX-License-Identifier: Apache-2.0 */
/* spelling.c - read intervals and sets; see spelling.h.
 *
 * The separator of an interval may also be part of its numbers (`-5--3`, `1...5`), so each
 * occurrence is tried until both sides are numbers. Texts are short; the cost is O(length^2) at
 * worst.
 */
#include "published/spelling.h"

#include <math.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool shoal_has_blanks_around(shoal_text text)
{
    return text.length > 0 && (is_blank(text.data[0]) || is_blank(text.data[text.length - 1]));
}

static shoal_text trim(shoal_text text)
{
    while (text.length > 0 && is_blank(text.data[0])) text.data++, text.length--;
    while (text.length > 0 && is_blank(text.data[text.length - 1])) text.length--;
    return text;
}

static shoal_text slice(shoal_text text, size_t begin, size_t end)
{
    return (shoal_text){ text.data + begin, end - begin };
}

bool shoal_read_scalar(shoal_text text, const shoal_format *format, double *out)
{
    text = trim(text);
    return shoal_format_read(format, text.data, text.length, out);
}

static bool is_text(shoal_text text, const char *word)
{
    return text.length == strlen(word) && memcmp(text.data, word, text.length) == 0;
}

/* An end of an interval: a scalar, or no end at all (`-inf`, `inf`). */
static bool read_end(shoal_text text, const shoal_format *format, double *out)
{
    static const char *const below[] = { "-inf", "-Inf", "-INF", "-\xe2\x88\x9e" };
    static const char *const above[] = { "inf", "+inf",         "Inf",          "+Inf",
                                         "INF", "\xe2\x88\x9e", "+\xe2\x88\x9e" };
    if (shoal_read_scalar(text, format, out)) return true;
    text = trim(text);
    *out = -INFINITY;
    for (size_t i = 0; i < sizeof below / sizeof *below; i++)
        if (is_text(text, below[i])) return true;
    *out = INFINITY;
    for (size_t i = 0; i < sizeof above / sizeof *above; i++)
        if (is_text(text, above[i])) return true;
    return false;
}

/*
 * Split at the first `separator` whose two sides are both ends of an interval. It starts at 1: a
 * leading minus is a sign.
 */
static bool split_at(shoal_text text, const char *separator, const shoal_format *format,
                     shoal_text *left, shoal_text *right)
{
    size_t n = strlen(separator);
    for (size_t at = 1; at + n < text.length; at++) {
        double low, high;
        /* long sets of other values have none */
        const char *found = memchr(text.data + at, separator[0], text.length - n - at);
        if (found == NULL) return false;
        at = (size_t)(found - text.data);
        if (memcmp(found, separator, n) != 0) continue;
        *left = slice(text, 0, at);
        *right = slice(text, at + n, text.length);
        if (read_end(*left, format, &low) && read_end(*right, format, &high)) return true;
    }
    return false;
}

static bool split_any(shoal_text text, bool in_brackets, const shoal_format *format,
                      shoal_text *left, shoal_text *right)
{
    static const char *const separators[] = { "..", "-", "\xe2\x80\x93" /* en dash */, " to " };
    if (in_brackets && split_at(text, ",", format, left, right)) return true;
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++)
        if (split_at(text, separators[i], format, left, right)) return true;
    return false;
}

/*
 * Length of the comparison sign in front of a number, or 0. `*is_below`: the interval lies below;
 * `*is_open`: without its end.
 */
static size_t read_sign(shoal_text text, bool *is_below, bool *is_open)
{
    static const struct {
        const char *sign;
        bool is_below, is_open;
    } signs[] = {
        { "<=", true, false }, { ">=", false, false },          { "<", true, true },
        { ">", false, true },  { "\xe2\x89\xa4", true, false }, { "\xe2\x89\xa5", false, false }
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t n = strlen(signs[i].sign);
        if (text.length <= n || memcmp(text.data, signs[i].sign, n) != 0) continue;
        *is_below = signs[i].is_below;
        *is_open = signs[i].is_open;
        return n;
    }
    return 0;
}

/* `<50`, `80+` and similar; false if the text is not of this form. */
static bool read_half_line(shoal_text text, const shoal_format *format, shoal_interval *out)
{
    bool is_below = false, is_open = false;
    double end;
    size_t n = read_sign(text, &is_below, &is_open);
    bool is_top_code = n == 0 && text.data[text.length - 1] == '+';
    if (n == 0 && !is_top_code) return false;
    if (!shoal_read_scalar(slice(text, n, text.length - is_top_code), format, &end)) return false;
    shoal_text number = trim(slice(text, n, text.length - is_top_code));
    if (is_below)
        *out = (shoal_interval){ .low = -INFINITY,
                                 .high = end,
                                 .low_open = true,
                                 .high_open = is_open,
                                 .high_text = number,
                                 .format = format };
    else
        *out = (shoal_interval){ .low = end,
                                 .high = INFINITY,
                                 .low_open = is_open,
                                 .high_open = true,
                                 .low_text = number,
                                 .format = format };
    return true;
}

/* Are both ends one double, the lower one above the other by its digits? */
static bool is_reversed(const shoal_interval *i)
{
    return i->low == i->high &&
           shoal_format_compare(i->format, i->low_text.data, i->low_text.length, i->high_text.data,
                                i->high_text.length) > 0;
}

/* The position of x relative to an end: below 0, 0, above 0. */
static int compare_to_end(const shoal_format *format, double x, shoal_text text, double end,
                          shoal_text end_text)
{
    if (x != end) return x < end ? -1 : 1;
    return shoal_format_compare(format, text.data, text.length, end_text.data, end_text.length);
}

bool shoal_interval_holds(const shoal_interval *interval, double x, shoal_text text)
{
    if (isnan(x)) return false;
    int low = compare_to_end(interval->format, x, text, interval->low, interval->low_text);
    int high = compare_to_end(interval->format, x, text, interval->high, interval->high_text);
    return (interval->low_open ? low > 0 : low >= 0) &&
           (interval->high_open ? high < 0 : high <= 0);
}

bool shoal_read_interval(shoal_text text, const shoal_format *format, shoal_interval *out)
{
    text = trim(text);
    if (text.length < 2) return false;
    if (read_half_line(text, format, out)) return true;
    char first = text.data[0], last = text.data[text.length - 1];
    bool in_brackets = strchr("[](", first) != NULL && strchr("[])", last) != NULL;
    shoal_interval read = { .format = format };
    shoal_text left, right;
    if (in_brackets) {
        read.low_open = first != '[';
        read.high_open = last != ']';
        text = slice(text, 1, text.length - 1);
    }
    if (!split_any(text, in_brackets, format, &left, &right)) return false;
    if (!read_end(left, format, &read.low) || !read_end(right, format, &read.high) ||
        read.low > read.high)
        return false;
    read.low_text = trim(left);
    read.high_text = trim(right);
    if (is_reversed(&read)) return false;
    *out = read;
    return true;
}

bool shoal_split_range(shoal_text text, const shoal_format *format, shoal_text *low,
                       shoal_text *high)
{
    if (text.length < 2 || text.data[0] != '[' || text.data[text.length - 1] != ']') return false;
    return split_at(slice(text, 1, text.length - 1), "..", format, low, high);
}

bool shoal_open_set(shoal_text text, shoal_text *inside)
{
    if (text.length < 2 || text.data[0] != '{' || text.data[text.length - 1] != '}') return false;
    *inside = slice(text, 1, text.length - 1);
    return true;
}

bool shoal_next_member(shoal_text *rest, char separator, shoal_buffer *scratch, shoal_text *member)
{
    if (rest->data == NULL) return false;
    const char *end = memchr(rest->data, separator, rest->length);
    size_t at = end != NULL ? (size_t)(end - rest->data) : rest->length;
    if (separator == '|' && memchr(rest->data, '\\', at) != NULL) {
        scratch->size = 0;
        for (at = 0; at < rest->length && rest->data[at] != separator; at++) {
            if (rest->data[at] == '\\' && at + 1 < rest->length) at++;
            shoal_buffer_add(scratch, rest->data + at, 1);
        }
        if (scratch->failed) return false;
        *member = (shoal_text){ scratch->size > 0 ? scratch->data : "", scratch->size };
    } else {
        *member = slice(*rest, 0, at);
    }
    if (separator != '|') *member = trim(*member);
    if (at == rest->length)
        rest->data = NULL; /* that was the last */
    else
        *rest = slice(*rest, at + 1, rest->length);
    return true;
}
