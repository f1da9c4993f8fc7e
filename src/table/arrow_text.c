/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_text.c - Arrow integers, floats, booleans and dates as text.
 *
 * A float gets the fewest significant digits that read back as the same float: 15, 16 or 17 (single
 * precision: 6 to 9), without trailing zeros. The digits are laid out here, because the decimal
 * point of the C library depends on the locale. NaN and infinities become `nan`, `inf`, `-inf`,
 * which are not numbers for shoal_parse_number().
 */
#include "table/arrow_batches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t copy(char *out, const char *text)
{
    size_t length = strlen(text);
    memcpy(out, text, length);
    return length;
}

static size_t spell_integer(char *out, uint64_t magnitude, bool is_negative)
{
    char digits[24];
    size_t n = 0, length = 0;
    do digits[n++] = (char)('0' + magnitude % 10);
    while ((magnitude /= 10) > 0);
    if (is_negative) out[length++] = '-';
    while (n > 0) out[length++] = digits[--n];
    return length;
}

/*
 * Fast path: the digits of |value| if it is an integer of at most 15 digits divided by a power of
 * ten, as most values of tables are. Both operands are exact as doubles, so the quotient is the
 * double that the digits read as: if it equals the value, and the power is the least one, these are
 * the shortest digits. Same result as find_digits(), which needs up to three conversions.
 */
static bool find_few_digits(char digits[24], int *exponent, double value)
{
    static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
    for (int i = 0; i < (int)(sizeof powers / sizeof *powers); i++) {
        double whole = nearbyint(value * powers[i]);
        if (whole >= 1e15) return false;
        if (whole / powers[i] != value) continue;
        size_t n = spell_integer(digits, (uint64_t)whole, false);
        *exponent = (int)n - 1 - i;
        while (n > 1 && digits[n - 1] == '0') n--;
        digits[n] = '\0';
        return true;
    }
    return false;
}

/* The digits of |value| without point and trailing zeros, NUL-terminated; returns the exponent of
 * the first digit. */
static int find_digits(char digits[24], double value, bool is_single)
{
    char text[SHOAL_ARROW_SPELLED_ROOM];
    int precision = is_single ? 6 : 15, most = is_single ? 9 : 17;
    for (;; precision++) {
        snprintf(text, sizeof text, "%.*e", precision - 1, fabs(value));
        if (precision == most) break;
        if ((is_single ? (double)strtof(text, NULL) : strtod(text, NULL)) == fabs(value)) break;
    }
    size_t n = 0;
    const char *at = text;
    for (; *at != 'e'; at++)
        if (*at >= '0' && *at <= '9') digits[n++] = *at;
    while (n > 1 && digits[n - 1] == '0') n--;
    digits[n] = '\0';
    return (int)strtol(at + 1, NULL, 10);
}

/* Write digits in plain notation where that is short (1234.5, 0.00012), else with an exponent
 * (1.5e+20). */
static size_t lay_out(char *out, const char *digits, int exponent)
{
    enum { LEAST = -4, MOST = 15 };
    int n = (int)strlen(digits);
    size_t length = 0;
    if (exponent < LEAST || exponent > MOST) {
        out[length++] = digits[0];
        if (n > 1) out[length++] = '.';
        length += copy(out + length, digits + 1);
        return length + (size_t)snprintf(out + length, 8, "e%+03d", exponent);
    }
    if (exponent < 0) {
        length += copy(out, "0.");
        for (int i = exponent + 1; i < 0; i++) out[length++] = '0';
        return length + copy(out + length, digits);
    }
    for (int i = 0; i <= exponent || i < n; i++) {
        if (i == exponent + 1) out[length++] = '.';
        out[length++] = i < n ? digits[i] : '0';
    }
    return length;
}

static size_t spell_float(char *out, double value, bool is_single)
{
    if (isnan(value)) return copy(out, "nan");
    if (isinf(value)) return copy(out, value < 0 ? "-inf" : "inf");
    char digits[24];
    int exponent;
    if (is_single || !find_few_digits(digits, &exponent, fabs(value)))
        exponent = find_digits(digits, value, is_single);
    size_t length = 0;
    if (value < 0) out[length++] = '-';
    return length + lay_out(out + length, digits, exponent);
}

/*
 * Days since 1970 as YYYY-MM-DD; the inverse of shoal_parse_date(). Years begin in March, so that
 * the leap day is the last day of its year; an era is 400 years.
 */
static size_t spell_date(char *out, int64_t days)
{
    const int64_t era_days = 146097;
    days += 719468; /* from 0000-03-01 */
    int64_t era = (days >= 0 ? days : days - era_days + 1) / era_days,
            in_era = days - era * era_days;
    int64_t year_of_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int64_t in_year = in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t from_march = (5 * in_year + 2) / 153, day = in_year - (153 * from_march + 2) / 5 + 1;
    int64_t month = from_march < 10 ? from_march + 3 : from_march - 9;
    int64_t year = year_of_era + era * 400 + (month <= 2);
    return (size_t)snprintf(out, SHOAL_ARROW_SPELLED_ROOM, "%04lld-%02d-%02d", (long long)year,
                            (int)month, (int)day);
}

size_t shoal_arrow_spell(char out[SHOAL_ARROW_SPELLED_ROOM], shoal_arrow_format format,
                         uint64_t key)
{
    uint32_t low = (uint32_t)key;
    float single;
    double value;
    switch (format.meaning) {
    case SHOAL_ARROW_BOOL: return copy(out, key != 0 ? "true" : "false");
    /* the magnitude is negated as unsigned: INT64_MIN has no positive counterpart */
    case SHOAL_ARROW_SIGNED:
        return spell_integer(out, (int64_t)key < 0 ? -key : key, (int64_t)key < 0);
    case SHOAL_ARROW_DATE: return spell_date(out, (int64_t)key);
    case SHOAL_ARROW_FLOAT:
        memcpy(&single, &low, sizeof single);
        memcpy(&value, &key, sizeof value);
        return format.width == 4 ? spell_float(out, (double)single, true)
                                 : spell_float(out, value, false);
    default: return spell_integer(out, key, false);
    }
}
