/* SPDX-License-Identifier: Apache-2.0 */
/* format_date.c - reads and writes dates as a column writes them; see format_date.h.
 *
 * A date is matched against its pattern, part by part. Days, months and hours may have one digit
 * where something else than a digit follows. Months have digits (MM) or names: Mon is Jan, Month is
 * January, Monat is Januar; MON, MONTH, month write them in capitals or small, and all of them read
 * either. AM is AM or PM behind an hour up to 12.
 *
 * Two digits of a year (YY) do not determine the century, so such a format ends in the first of the
 * hundred years that they can mean: "DD.MM.YY from 1930" is 1930 to 2029. No century is assumed,
 * and the clock is not used: the same plan always reads the same dates.
 *
 * Cost: O(length), times the names of a month; nothing is allocated.
 */
#include "base/format_date.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, HALF, N_PARTS, N_MONTHS = 12, CENTURY = 100 };
typedef enum naming { IN_DIGITS, SHORT_ENGLISH, ENGLISH, GERMAN } naming;

/* Elements of a pattern; of those with a common beginning the longest comes first. */
typedef struct token {
    const char *word;
    int part;
    int digits; /* at most */
    naming names;
} token;

static const token tokens[] = {
    { "YYYY", YEAR, 4, IN_DIGITS },     { "YY", YEAR, 2, IN_DIGITS },
    { "MM", MONTH, 2, IN_DIGITS },      { "DD", DAY, 2, IN_DIGITS },
    { "hh", HOUR, 2, IN_DIGITS },       { "mm", MINUTE, 2, IN_DIGITS },
    { "ss", SECOND, 2, IN_DIGITS },     { "AM", HALF, 0, ENGLISH },
    { "Month", MONTH, 0, ENGLISH },     { "MONTH", MONTH, 0, ENGLISH },
    { "month", MONTH, 0, ENGLISH },     { "Monat", MONTH, 0, GERMAN },
    { "MONAT", MONTH, 0, GERMAN },      { "monat", MONTH, 0, GERMAN },
    { "Mon", MONTH, 0, SHORT_ENGLISH }, { "MON", MONTH, 0, SHORT_ENGLISH },
    { "mon", MONTH, 0, SHORT_ENGLISH },
};
enum { N_TOKENS = sizeof tokens / sizeof *tokens };

static const char *const english[] = { "January",   "February", "March",    "April",
                                       "May",       "June",     "July",     "August",
                                       "September", "October",  "November", "December" };
static const char *const german[] = { "Januar",    "Februar", "M\xc3\xa4rz", "April",
                                      "Mai",       "Juni",    "Juli",        "August",
                                      "September", "Oktober", "November",    "Dezember" };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const token *token_at(const char *at, const char *end)
{
    for (int i = 0; i < N_TOKENS; i++) {
        size_t n = strlen(tokens[i].word);
        if ((size_t)(end - at) >= n && memcmp(at, tokens[i].word, n) == 0) return &tokens[i];
    }
    return NULL;
}

/* ---- names of formats ---- */

/* The first year in " from 1930" at the end of a name. */
static bool parse_first_year(shoal_format *format)
{
    static const char word[] = " from ";
    size_t n = strlen(format->spec), n_word = sizeof word - 1;
    if (n < n_word + 4 || memcmp(format->spec + n - 4 - n_word, word, n_word) != 0) return false;
    for (const char *at = format->spec + n - 4; *at != '\0'; at++) {
        if (!is_digit(*at)) return false;
        format->first_year = (uint16_t)(format->first_year * 10 + (*at - '0'));
    }
    format->n_suffix = (uint8_t)(n_word + 4);
    return format->first_year > 0;
}

bool shoal_date_format_parse(shoal_format *format)
{
    int n[N_PARTS] = { 0 };
    bool has_century = strstr(format->spec, "YYYY") != NULL;
    format->kind = strcmp(format->spec, "YYYY-MM-DD") == 0 ? SHOAL_FORMAT_ISO_DATE
                                                           : SHOAL_FORMAT_DATE;
    if (!has_century && !parse_first_year(format)) return false;
    for (const char *at = format->spec, *end = at + strlen(at) - format->n_suffix; at < end;) {
        const token *t = token_at(at, end);
        if (t == NULL && strchr("YMDhms0123456789", *at) != NULL) return false;
        if (t != NULL) n[t->part]++;
        at += t != NULL ? strlen(t->word) : 1;
    }
    bool has_time = n[HOUR] == 1 && n[MINUTE] == 1 && n[SECOND] <= 1 && n[HALF] <= 1;
    return n[YEAR] == 1 && n[MONTH] == 1 && n[DAY] == 1 &&
           (has_time || n[HOUR] + n[MINUTE] + n[SECOND] + n[HALF] == 0);
}

/* ---- reading ---- */

/* Read up to `most` digits; fewer where something else follows and `least` allows it. */
static bool read_digits(const char **at, const char *end, int least, int most, int *out)
{
    int n = 0;
    for (*out = 0; n < most && *at < end && is_digit(**at); n++, (*at)++)
        *out = *out * 10 + (**at - '0');
    return n >= least;
}

/* The fraction of a second, up to microseconds. */
static double read_fraction(const char **at, const char *end)
{
    double value = 0, unit = 1;
    if (*at + 1 >= end || (**at != '.' && **at != ',') || !is_digit((*at)[1])) return 0;
    (*at)++;
    for (int n = 0; n < 6 && *at < end && is_digit(**at); n++, (*at)++)
        value += (**at - '0') * (unit /= 10);
    return value;
}

/* Small letters of ASCII, and of the second byte of umlauts. */
static char small(char c)
{
    unsigned char byte = (unsigned char)c;
    return (char)((byte >= 'A' && byte <= 'Z') || (byte >= 0x80 && byte < 0xa0) ? byte + 32 : byte);
}

static bool skip_name(const char **at, const char *end, const char *name, size_t n)
{
    if ((size_t)(end - *at) < n) return false;
    for (size_t i = 0; i < n; i++)
        if (small((*at)[i]) != small(name[i])) return false;
    *at += n;
    return true;
}

static bool read_month(const char **at, const char *end, naming names, int *out)
{
    if (names == SHORT_ENGLISH && skip_name(at, end, "Sept", 4)) return *out = 9, true;
    for (int m = 0; m < N_MONTHS; m++) {
        const char *name = names == GERMAN ? german[m] : english[m];
        *out = m + 1;
        if (skip_name(at, end, name, names == SHORT_ENGLISH ? 3 : strlen(name))) return true;
    }
    if (names != GERMAN) return false;
    if (skip_name(at, end, "J\xc3\xa4nner", 7)) return *out = 1, true;
    return *out = 3, skip_name(at, end, "Maerz", 5);
}

static bool read_half(const char **at, const char *end, int *out)
{
    *out = 1;
    if (skip_name(at, end, "AM", 2)) return true;
    *out = 2;
    return skip_name(at, end, "PM", 2);
}

/* The year of a century by its two last digits. */
static int place_year(const shoal_format *f, int year)
{
    if (f->first_year == 0) return year;
    int placed = f->first_year - f->first_year % CENTURY + year;
    return placed < f->first_year ? placed + CENTURY : placed;
}

static bool finish(const shoal_format *f, const int value[N_PARTS], double fraction, double *out)
{
    int hour = value[HOUR];
    double days;
    if (value[HALF] > 0 && (hour < 1 || hour > 12)) return false;
    if (value[HALF] > 0) hour = hour % 12 + (value[HALF] == 2 ? 12 : 0);
    if (hour > 23 || value[MINUTE] > 59 || value[SECOND] > 60) return false;
    if (!shoal_days_of(place_year(f, value[YEAR]), value[MONTH], value[DAY], &days)) return false;
    *out = days + ((hour * 60.0 + value[MINUTE]) * 60.0 + value[SECOND] + fraction) / 86400.0;
    return true;
}

bool shoal_date_format_read(const shoal_format *f, const char *at, const char *end, double *out)
{
    int value[N_PARTS] = { 0 };
    double fraction = 0;
    bool is_behind_digits = false;
    const char *p = f->spec, *p_end = p + strlen(p) - f->n_suffix;
    while (p < p_end) {
        const token *t = token_at(p, p_end);
        if (t == NULL) {
            if (at == end || *at++ != *p++) return false;
            is_behind_digits = false;
            continue;
        }
        p += strlen(t->word);
        const token *next = token_at(p, p_end);
        bool is_bounded = !is_behind_digits && (next == NULL || next->digits == 0);
        int least = t->part == YEAR ? t->digits : is_bounded && t->part < MINUTE ? 1 : 2;
        bool is_read = t->part == HALF  ? read_half(&at, end, &value[HALF])
                       : t->digits == 0 ? read_month(&at, end, t->names, &value[MONTH])
                                        : read_digits(&at, end, least, t->digits, &value[t->part]);
        if (!is_read) return false;
        is_behind_digits = t->digits > 0;
        if (t->part == SECOND) fraction = read_fraction(&at, end);
    }
    return at == end && finish(f, value, fraction, out);
}

/* ---- writing ---- */

/* The name of a month, in capitals or small letters if the word of the pattern is. */
static int write_month(char *out, const token *t, int month)
{
    const char *name = t->names == GERMAN ? german[month - 1] : english[month - 1];
    size_t n = t->names == SHORT_ENGLISH ? 3 : strlen(name);
    bool is_small = t->word[0] == 'm', is_capital = t->word[1] == 'O';
    for (size_t i = 0; i < n; i++) {
        /* of the two bytes of an umlaut the second */
        bool is_lower = (name[i] >= 'a' && name[i] <= 'z') || (unsigned char)name[i] == 0xa4;
        out[i] = is_small                 ? small(name[i])
                 : is_capital && is_lower ? (char)((unsigned char)name[i] - 32)
                                          : name[i];
    }
    return (int)n;
}

/* Year, month, day and time of a number of days; the last moment of a hundred years does not become
 * the first one. */
static void split(int value[N_PARTS], const shoal_format *f, double number, double unit)
{
    /* a quarter: 1440 minutes may be a hair below a day */
    double units = floor(number / unit + 0.5), days = floor(units * unit + unit / 4);
    shoal_day_of((long)days, &value[YEAR], &value[MONTH], &value[DAY]);
    if (f->first_year > 0 && value[YEAR] == f->first_year + CENTURY) {
        units -= 1;
        days = floor(units * unit + unit / 4);
        shoal_day_of((long)days, &value[YEAR], &value[MONTH], &value[DAY]);
    }
    int seconds = (int)floor((units * unit - days) * 86400 + 0.5);
    value[HOUR] = seconds / 3600;
    value[MINUTE] = seconds / 60 % 60;
    value[SECOND] = seconds % 60;
    value[HALF] = value[HOUR] / 12 + 1;
}

size_t shoal_date_format_write(char *out, const shoal_format *f, double number, double unit)
{
    int value[N_PARTS], n = 0;
    const char *p = f->spec, *end = p + strlen(p) - f->n_suffix;
    split(value, f, number, unit);
    if (strstr(p, "AM") != NULL) value[HOUR] = (value[HOUR] + 11) % 12 + 1;
    while (p < end) {
        const token *t = token_at(p, end);
        if (t == NULL)
            out[n++] = *p++;
        else if (t->part == HALF)
            n += snprintf(out + n, 3, "%s", value[HALF] == 2 ? "PM" : "AM");
        else if (t->digits == 0)
            n += write_month(out + n, t, value[MONTH]);
        else
            n += snprintf(out + n, 8, "%0*d", t->digits,
                          value[t->part] % (t->digits == 4 ? 10000 : 100));
        if (t != NULL) p += strlen(t->word);
    }
    out[n] = '\0';
    return (size_t)n;
}
