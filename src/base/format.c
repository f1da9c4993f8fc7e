/* SPDX-License-Identifier: Apache-2.0 */
/* format.c - reads and writes numbers and dates as a column writes them; see format.h.
 *
 * A number is copied without its separators, unit and currency, and read as a plain one. A group of
 * thousands has three digits, the first one to three and no zero in front; a number without any
 * group is read, too. Where the separator is a blank or an apostrophe, its typographic forms
 * (no-break spaces, a right quote) are read as well. Dates are format_date.c's. Cost: O(length);
 * nothing is allocated.
 */
#include "base/format_date.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DIGITS = 15 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool starts(const char *at, const char *end, const char *word, size_t n)
{
    return (size_t)(end - at) >= n && memcmp(at, word, n) == 0;
}

/* Bytes of a blank at `at`, also of a no-break one; 0: none. */
static size_t blank_size(const char *at, const char *end)
{
    if (at < end && (*at == ' ' || *at == '\t')) return 1;
    if (starts(at, end, "\xc2\xa0", 2)) return 2;
    return starts(at, end, "\xe2\x80\xaf", 3) ? 3 : 0;
}

static const char *skip_blanks(const char *at, const char *end)
{
    for (size_t n; (n = blank_size(at, end)) > 0;) at += n;
    return at;
}

/* The end without blanks before it. */
static const char *trim_end(const char *at, const char *end)
{
    for (;;) {
        size_t n = end - at >= 3 && blank_size(end - 3, end) == 3 ? 3
                   : end - at >= 2 && blank_size(end - 2, end) == 2
                       ? 2
                       : end > at && blank_size(end - 1, end) == 1;
        if (n == 0) return end;
        end -= n;
    }
}

/* Bytes of the separator of thousands at `at`; 0: none. */
static size_t thousands_size(const shoal_format *f, const char *at, const char *end)
{
    if (f->thousands == ' ') return blank_size(at, end);
    if (f->thousands == '\'' && starts(at, end, "\xe2\x80\x99", 3)) return 3;
    return f->thousands != 0 && at < end && *at == f->thousands;
}

/* ---- names of formats ---- */

/* The number in the middle: 1234, 1.234, 1234,5, 1.234,5 and so on; the length of it, or 0. */
static size_t parse_example(shoal_format *out, const char *at)
{
    const char *begin = at;
    if (*at++ != '1') return 0;
    if (*at != '2') out->thousands = *at++;
    if (strncmp(at, "234", 3) != 0 ||
        (out->thousands != 0 && strchr(".,' ", out->thousands) == NULL))
        return 0;
    at += 3;
    out->decimal = out->thousands == '.' ? ',' : '.';
    if ((at[0] == '.' || at[0] == ',') && at[1] == '5') {
        if (at[0] == out->thousands) return 0;
        out->decimal = at[0];
        at += 2;
    }
    return (size_t)(at - begin);
}

static bool parse_number_format(shoal_format *out, const char *spec)
{
    size_t n_prefix = strcspn(spec, "0123456789"), n = parse_example(out, spec + n_prefix);
    if (n == 0 || strpbrk(spec + n_prefix + n, "0123456789") != NULL) return false;
    out->kind = SHOAL_FORMAT_NUMBER;
    out->n_prefix = (uint8_t)n_prefix;
    out->n_suffix = (uint8_t)(strlen(spec) - n_prefix - n);
    if (n_prefix == 0 && out->n_suffix == 0 && out->thousands == 0 && out->decimal == '.')
        out->kind = SHOAL_FORMAT_PLAIN;
    return true;
}

bool shoal_format_parse(shoal_format *out, const char *spec)
{
    *out = (shoal_format){ 0 };
    if (strlen(spec) >= sizeof out->spec) return false;
    memcpy(out->spec, spec, strlen(spec) + 1);
    return strstr(spec, "YY") != NULL ? shoal_date_format_parse(out)
                                      : parse_number_format(out, spec);
}

bool shoal_format_is_date(const shoal_format *format)
{
    return format->kind == SHOAL_FORMAT_ISO_DATE || format->kind == SHOAL_FORMAT_DATE;
}

/* ---- reading ---- */

/* Skip a unit or a currency, with or without the blanks around it; NULL when it is not there. */
static const char *skip_word(const char *at, const char *end, const char *word, size_t n)
{
    const char *from = skip_blanks(word, word + n), *to = trim_end(from, word + n);
    at = skip_blanks(at, end);
    return starts(at, end, from, (size_t)(to - from)) ? at + (to - from) : NULL;
}

/* Copy digits and a point to `plain`; NULL when there is no number of the format. */
static const char *copy_digits(char *plain, size_t *n, const shoal_format *f, const char *at,
                               const char *end)
{
    size_t n_digits = 0, in_group = 0, n_groups = 0;
    for (;; at++) {
        size_t skip = n_digits > 0 ? thousands_size(f, at, end) : 0;
        if (skip > 0 && at + skip < end && is_digit(at[skip])) {
            if (n_groups == 0 ? in_group > 3 || plain[*n - in_group] == '0' : in_group != 3)
                return NULL;
            n_groups++;
            in_group = 0;
            at += skip;
        }
        if (at == end || !is_digit(*at)) break;
        if (++n_digits > MOST_DIGITS) return NULL;
        plain[(*n)++] = *at;
        in_group++;
    }
    if (n_digits == 0 || (n_groups > 0 && in_group != 3)) return NULL;
    if (at == end || *at != f->decimal) return at;
    plain[(*n)++] = '.';
    const char *first = ++at;
    for (; at < end && is_digit(*at); at++) {
        if (++n_digits > MOST_DIGITS) return NULL;
        plain[(*n)++] = *at;
    }
    return at > first ? at : NULL;
}

static bool read_styled(const shoal_format *f, const char *at, const char *end, double *out)
{
    char plain[MOST_DIGITS + 4];
    size_t n = 0, n_spec = strlen(f->spec);
    for (int i = 0; i < 2; i++) { /* the sign may precede or follow the currency */
        if (at < end && (*at == '-' || *at == '+') && n == 0)
            plain[n++] = *at++;
        else if (starts(at, end, "\xe2\x88\x92", 3) && n == 0)
            plain[n++] = '-', at += 3;
        if (i == 0 && (at = skip_word(at, end, f->spec, f->n_prefix)) == NULL) return false;
        at = skip_blanks(at, end);
    }
    at = copy_digits(plain, &n, f, at, end);
    if (at != NULL && f->n_suffix > 0)
        at = skip_word(at, end, f->spec + n_spec - f->n_suffix, f->n_suffix);
    return at == end && shoal_parse_number(plain, n, out);
}

bool shoal_format_read(const shoal_format *format, const char *text, size_t length, double *out)
{
    if (format->kind == SHOAL_FORMAT_PLAIN) return shoal_parse_number(text, length, out);
    if (format->kind == SHOAL_FORMAT_ISO_DATE) return shoal_parse_date(text, length, out);
    if (length == 0 || format->kind == SHOAL_FORMAT_LABELS) return false;
    const char *end = text + length, *at = skip_blanks(text, end);
    end = trim_end(at, end);
    return format->kind == SHOAL_FORMAT_NUMBER ? read_styled(format, at, end, out)
                                               : shoal_date_format_read(format, at, end, out);
}

/* ---- writing ---- */

double shoal_format_unit(const shoal_format *format)
{
    if (format->kind != SHOAL_FORMAT_DATE || strstr(format->spec, "hh") == NULL) return 1;
    return strstr(format->spec, "ss") != NULL ? 1.0 / 86400 : 1.0 / 1440;
}

int shoal_format_decimals(const shoal_format *format, const char *text, size_t length)
{
    for (size_t i = 1; i < length; i++) {
        if (text[i] != format->decimal || !is_digit(text[i - 1])) continue;
        size_t first = i + 1;
        for (i = first; i < length && is_digit(text[i]);) i++;
        return (int)(i - first);
    }
    return 0;
}

static size_t write_styled(char *out, const shoal_format *f, const char *plain)
{
    size_t n = 0, n_spec = strlen(f->spec), n_plain = strlen(plain) < 40 ? strlen(plain) : 40;
    if (*plain == '-') out[n++] = *plain++, n_plain--;
    memcpy(out + n, f->spec, f->n_prefix);
    n += f->n_prefix;
    size_t n_whole = strspn(plain, "0123456789");
    for (size_t i = 0; i < n_plain; i++) {
        bool is_between = i > 0 && i < n_whole && (n_whole - i) % 3 == 0;
        if (is_between && f->thousands != 0) out[n++] = f->thousands;
        out[n++] = plain[i] == '.' ? f->decimal : plain[i];
    }
    memcpy(out + n, f->spec + n_spec - f->n_suffix, f->n_suffix);
    n += f->n_suffix;
    out[n] = '\0';
    return n;
}

size_t shoal_format_write(char *out, const shoal_format *format, const char *plain, double number)
{
    if (format->kind == SHOAL_FORMAT_ISO_DATE)
        return shoal_date_format_write(out, &(shoal_format){ .spec = "YYYY-MM-DD" }, number, 1);
    if (format->kind == SHOAL_FORMAT_DATE)
        return shoal_date_format_write(out, format, number, shoal_format_unit(format));
    if (format->kind == SHOAL_FORMAT_NUMBER) return write_styled(out, format, plain);
    return (size_t)snprintf(out, SHOAL_FORMATTED_SIZE, "%.100s", plain);
}

int shoal_format_compare(const shoal_format *format, const char *a, size_t a_length, const char *b,
                         size_t b_length)
{
    return format->kind == SHOAL_FORMAT_PLAIN ? shoal_compare_decimals(a, a_length, b, b_length)
                                              : 0;
}
