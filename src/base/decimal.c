/* SPDX-License-Identifier: Apache-2.0 */
/* decimal.c - compares decimal numbers by their text, exactly.
 *
 * A double holds 53 bits: 9007199254740992 and 9007199254740993 are one double. Where two doubles
 * are equal, the texts decide: signs, then the power of ten of the first digit that is not 0, then
 * digits one by one. Cost: O(length).
 */
#include "base/base.h"

#include <string.h>

/* Digits from the first that is not 0 on; the decimal point is skipped while they are read. */
typedef struct decimal {
    const char *at, *end; /* `end`: the exponent, or the end of the text */
    long power;           /* of ten, of the first digit */
    int sign;             /* 0: the number is 0 */
} decimal;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static long read_exponent(const char *at, const char *end)
{
    long exponent = 0;
    bool is_negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) at++;
    for (; at < end && exponent < 100000000; at++) exponent = exponent * 10 + (*at - '0');
    return is_negative ? -exponent : exponent;
}

/* `text` is a number for shoal_parse_number(). */
static decimal decimal_of(const char *text, size_t length)
{
    const char *end = text + length, *at = text;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    while (end > at && (end[-1] == ' ' || end[-1] == '\t')) end--;
    decimal d = { .sign = at < end && *at == '-' ? -1 : 1 };
    if (at < end && (*at == '-' || *at == '+')) at++;
    d.end = at;
    while (d.end < end && *d.end != 'e' && *d.end != 'E') d.end++;
    const char *point = memchr(at, '.', (size_t)(d.end - at));
    if (point == NULL) point = d.end;
    while (at < d.end && !(is_digit(*at) && *at != '0')) at++;
    d.at = at;
    if (at == d.end) d.sign = 0;
    d.power = (at < point ? (long)(point - at) - 1 : (long)(point - at)) +
              (d.end < end ? read_exponent(d.end + 1, end) : 0);
    return d;
}

/* The next digit; 0 without end after the last. */
static char next_digit(decimal *d)
{
    if (d->at < d->end && *d->at == '.') d->at++;
    return d->at < d->end ? *d->at++ : '0';
}

int shoal_compare_decimals(const char *a, size_t a_length, const char *b, size_t b_length)
{
    double ignored;
    if (a_length == b_length && (a_length == 0 || memcmp(a, b, a_length) == 0)) return 0;
    if (!shoal_parse_number(a, a_length, &ignored) || !shoal_parse_number(b, b_length, &ignored))
        return 0;
    decimal x = decimal_of(a, a_length), y = decimal_of(b, b_length);
    if (x.sign != y.sign) return x.sign < y.sign ? -1 : 1;
    if (x.sign == 0) return 0;
    if (x.power != y.power) return (x.power < y.power ? -1 : 1) * x.sign;
    while (x.at < x.end || y.at < y.end) {
        char p = next_digit(&x), q = next_digit(&y);
        if (p != q) return (p < q ? -1 : 1) * x.sign;
    }
    return 0;
}
