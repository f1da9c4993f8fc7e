/* SPDX-License-Identifier: Apache-2.0 */
/* number.c - decimal numbers and ISO dates in text, the same in every locale.
 *
 * Up to 15 digits without an exponent are converted exactly by integer arithmetic and one division
 * by a power of ten (Clinger's fast path: both operands are exact as doubles, so the quotient is
 * rounded once). All other numbers go to strtod on a copy.
 */
#include "base/base.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void trim(const char **text, size_t *length)
{
    while (*length > 0 && (**text == ' ' || **text == '\t')) (*text)++, (*length)--;
    while (*length > 0 && ((*text)[*length - 1] == ' ' || (*text)[*length - 1] == '\t'))
        (*length)--;
}

/* strtod follows the locale's decimal point, so the fraction is turned into an exponent first. */
static bool parse_slow(const char *text, size_t length, double *out)
{
    char copy[512];
    size_t n = 0, n_fraction = 0, i = 0;
    bool in_fraction = false;
    long exponent = 0;
    for (; i < length && text[i] != 'e' && text[i] != 'E'; i++) {
        if (text[i] == '.') {
            in_fraction = true;
            continue;
        }
        if (n >= sizeof copy - 32) return false; /* leaves room for the exponent and the NUL */
        copy[n++] = text[i];
        n_fraction += in_fraction;
    }
    if (i < length) {
        if (length - i > 8) return false; /* an exponent of more than 7 characters is refused */
        char digits[16] = { 0 };
        memcpy(digits, text + i + 1, length - i - 1);
        exponent = strtol(digits, NULL, 10);
    }
    exponent -= (long)n_fraction;
    copy[n++] = 'e';
    if (exponent < 0) copy[n++] = '-', exponent = -exponent;
    char digits[24];
    size_t n_digits = 0;
    do digits[n_digits++] = (char)('0' + exponent % 10);
    while ((exponent /= 10) > 0);
    while (n_digits > 0) copy[n++] = digits[--n_digits];
    copy[n] = '\0';
    *out = strtod(copy, NULL);
    return isfinite(*out);
}

/* Check the form sign? digits? (. digits?)? (e sign? digits)? with at least one digit. */
static bool is_number_form(const char *t, size_t length, bool *has_exponent)
{
    size_t i = 0, digits = 0;
    *has_exponent = false;
    if (i < length && (t[i] == '-' || t[i] == '+')) i++;
    while (i < length && is_digit(t[i])) i++, digits++;
    if (i < length && t[i] == '.')
        for (i++; i < length && is_digit(t[i]); i++) digits++;
    if (digits == 0) return false;
    if (i < length && (t[i] == 'e' || t[i] == 'E')) {
        *has_exponent = true;
        i++;
        if (i < length && (t[i] == '-' || t[i] == '+')) i++;
        if (i >= length) return false;
        while (i < length && is_digit(t[i])) i++;
    }
    return i == length;
}

bool shoal_parse_number(const char *text, size_t length, double *out)
{
    static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    trim(&text, &length);
    bool has_exponent;
    if (!is_number_form(text, length, &has_exponent)) return false;
    uint64_t digits = 0;
    size_t n_digits = 0, n_fraction = 0;
    bool in_fraction = false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.') in_fraction = true;
        if (!is_digit(text[i])) continue;
        /* 19 digits fit in 64 bits */
        if (n_digits < 19) digits = digits * 10 + (uint64_t)(text[i] - '0');
        n_digits++;
        n_fraction += in_fraction;
    }
    /* 10^15 < 2^53 and powers up to 10^22 are exact doubles; beyond these limits the division could
     * round twice */
    if (has_exponent || n_digits > 15 || n_fraction >= sizeof powers / sizeof *powers)
        return parse_slow(text, length, out);
    double value = (double)digits / powers[n_fraction];
    *out = text[0] == '-' && value > 0 ? -value
                                       : value; /* "-0" becomes 0: two zeros would be two values */
    return true;
}

static int two_digits(const char *t)
{
    return (t[0] - '0') * 10 + (t[1] - '0');
}

/* Days are counted from 0000-03-01: the leap day is then the last day of its year. 146097 days are
 * 400 years; 153 days are the five months March to July, which gives the days before month m;
 * 719468 days lead to 1970-01-01. */
bool shoal_days_of(int year, int month, int day, double *out)
{
    static const int month_days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (month < 1 || month > 12 || day < 1) return false;
    if (day > month_days[month - 1] + (month == 2 && leap)) return false;
    long y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
    long era = (y >= 0 ? y : y - 399) / 400, in_era = y - era * 400;
    long days = era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + (153 * m + 2) / 5 + day -
                1;
    *out = (double)(days - 719468);
    return true;
}

void shoal_day_of(long days, int *year, int *month, int *day)
{
    long n = days + 719468, era = (n >= 0 ? n : n - 146096) / 146097, in_era = n - era * 146097;
    long y = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    long in_year = in_era - (365 * y + y / 4 - y / 100), m = (5 * in_year + 2) / 153;
    *year = (int)(y + era * 400 + (m >= 10));
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *day = (int)(in_year - (153 * m + 2) / 5 + 1);
}

bool shoal_parse_date(const char *t, size_t length, double *out)
{
    trim(&t, &length);
    if (length != 10 || t[4] != '-' || t[7] != '-') return false;
    for (int i = 0; i < 10; i++)
        if (i != 4 && i != 7 && !is_digit(t[i])) return false;
    return shoal_days_of(two_digits(t) * 100 + two_digits(t + 2), two_digits(t + 5),
                         two_digits(t + 8), out);
}
