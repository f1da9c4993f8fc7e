/* SPDX-License-Identifier: Apache-2.0 */
/* format_guess.c - finds how the numbers or dates of a column are written, and whether that can be
 * understood in two ways.
 *
 * The first value, by its text, determines the possible formats: its currency, its unit, its
 * separators, the order of its date. Each of them is then tried on all values. A unit is one of a
 * list, or a word after a blank; a currency is one of a list, so that codes such as P17 stay text.
 * Of the remaining formats, the first that reads some value as another number than the first one is
 * the second reading. Dates with two-digit years never have one reading: the order of the parts, or
 * else the century, must be given. Cost: O(values), times a dozen formats at most.
 */
#include "table/format_guess.h"

#include <stdio.h>
#include <string.h>

/* Numbers, from the simplest on: the example in the middle of a format's name. */
static const char *const examples[] = { "1234.5",  "1234,5",  "1.234,5", "1,234.5",
                                        "1 234,5", "1 234.5", "1'234.5", "1'234,5" };
static const char *const dates[] = {
    "YYYY-MM-DD",  "DD.MM.YYYY",    "DD/MM/YYYY",   "MM/DD/YYYY",     "DD-MM-YYYY",
    "MM-DD-YYYY",  "YYYY/MM/DD",    "YYYY.MM.DD",   "YYYYMMDD",       "DD-Mon-YYYY",
    "DD Mon YYYY", "DD Month YYYY", "Mon DD, YYYY", "Month DD, YYYY", "DD/Mon/YYYY",
    "DD.Mon.YYYY", "DDMonYYYY",     "YYYY-Mon-DD",  "DD. Monat YYYY"
};
static const char *const short_dates[] = { "DD.MM.YY",  "DD/MM/YY",    "MM/DD/YY", "DD-MM-YY",
                                           "MM-DD-YY",  "YY-MM-DD",    "YY/MM/DD", "DD-Mon-YY",
                                           "DD Mon YY", "DD Month YY", "DDMonYY",  "DD. Monat YY" };
static const char *const times[] = { "",          " hh:mm",     " hh:mm:ss", "Thh:mm",
                                     "Thh:mm:ss", "Thh:mm:ssZ", " hh:mm AM", " hh:mm:ss AM" };
/* of births, and of what happened since computers count */
static const char *const first_years[] = { "1930", "1970" };
static const char *const currencies[] = {
    "$",   "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", "\xe2\x82\xb9", "EUR", "USD",       "GBP",
    "CHF", "JPY",          "CNY",      "SEK",      "NOK",          "DKK", "PLN",       "CZK",
    "INR", "BRL",          "CAD",      "AUD",      "Fr.",          "kr",  "z\xc5\x82", "R$"
};
static const char *const units[] = { "%",
                                     "\xe2\x80\xb0",
                                     "cm",
                                     "mm",
                                     "m",
                                     "km",
                                     "kg",
                                     "g",
                                     "mg",
                                     "t",
                                     "lb",
                                     "lbs",
                                     "oz",
                                     "ft",
                                     "in",
                                     "ml",
                                     "l",
                                     "L",
                                     "\xc2\xb0"
                                     "C",
                                     "\xc2\xb0"
                                     "F",
                                     "h",
                                     "min",
                                     "s",
                                     "ms",
                                     "d",
                                     "y",
                                     "yr",
                                     "yrs",
                                     "k",
                                     "kWh",
                                     "W",
                                     "kW",
                                     "V",
                                     "mmHg",
                                     "mg/dl",
                                     "mg/dL",
                                     "mmol/l",
                                     "mmol/L",
                                     "kcal",
                                     "kJ",
                                     "bpm",
                                     "km/h",
                                     "mph",
                                     "m2",
                                     "m\xc2\xb2" };
enum {
    N_EXAMPLES = sizeof examples / sizeof *examples,
    N_DATES = sizeof dates / sizeof *dates,
    N_TIMES = sizeof times / sizeof *times,
    N_SHORT_DATES = sizeof short_dates / sizeof *short_dates,
    LONGEST_WORD = 16,
    ENOUGH_DAYS = 3
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_one_of(const char *word, size_t n, const char *const *list, size_t n_list)
{
    for (size_t i = 0; i < n_list; i++)
        if (strlen(list[i]) == n && memcmp(list[i], word, n) == 0) return true;
    return false;
}

static bool is_currency(const char *word, size_t n)
{
    return is_one_of(word, n, currencies, sizeof currencies / sizeof *currencies);
}

static bool are_letters(const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(((word[i] | 32) >= 'a' && (word[i] | 32) <= 'z') || (unsigned char)word[i] >= 0x80))
            return false;
    return n >= 2;
}

/* The text before and after the digits of a value. */
typedef struct surrounding {
    char before[LONGEST_WORD + 1], behind[LONGEST_WORD + 1];
} surrounding;

static bool take_word(char *out, const char *from, const char *to)
{
    if (to - from > LONGEST_WORD) return false;
    memcpy(out, from, (size_t)(to - from));
    out[to - from] = '\0';
    return true;
}

/* Split a value; false when it has no digits or what surrounds them is no currency and no unit. */
static bool look_around(surrounding *out, shoal_text text)
{
    const char *at = text.data, *end = text.data + text.length;
    while (at < end && *at == ' ') at++;
    while (end > at && end[-1] == ' ') end--;
    if (at < end && (*at == '-' || *at == '+')) at++;
    const char *first = at, *last = end;
    while (first < end && !is_digit(*first)) first++;
    while (last > first && !is_digit(last[-1])) last--;
    if (first == last) return false;
    const char *before_end = first;
    if (before_end > at && (before_end[-1] == '-' || before_end[-1] == '+')) before_end--;
    if (!take_word(out->before, at, before_end) || !take_word(out->behind, last, end)) return false;
    size_t n_before = strlen(out->before), n_behind = strlen(out->behind),
           skip = strspn(out->behind, " ");
    while (n_before > 0 && out->before[n_before - 1] == ' ') n_before--;
    bool has_blank = skip > 0 || strncmp(out->behind, "\xc2\xa0", 2) == 0;
    if (strncmp(out->behind, "\xc2\xa0", 2) == 0) skip = 2;
    const char *unit = out->behind + skip;
    bool is_unit = is_one_of(unit, n_behind - skip, units, sizeof units / sizeof *units) ||
                   is_currency(unit, n_behind - skip) ||
                   (has_blank && are_letters(unit, n_behind - skip));
    return (n_before == 0 || is_currency(out->before, n_before)) && (n_behind == 0 || is_unit);
}

/* 007 is a code: digits with a zero in front, and no decimal point behind it. */
static bool has_leading_zero(shoal_text text)
{
    size_t i = 0;
    while (i < text.length && !is_digit(text.data[i])) i++;
    return i + 1 < text.length && text.data[i] == '0' && is_digit(text.data[i + 1]);
}

/* A day as YYYYMMDD is distinguished from a number by its years. */
static bool is_day_number(shoal_text text)
{
    return text.length >= 2 && (memcmp(text.data, "19", 2) == 0 || memcmp(text.data, "20", 2) == 0);
}

static bool reads_all(const shoal_format *format, const shoal_value_list *list)
{
    uint32_t n = 0;
    bool is_number = !shoal_format_is_date(format),
         is_bare_day = strncmp(format->spec, "YYYYMMDD", 8) == 0, is_short = format->first_year > 0;
    for (uint32_t i = 0; i < list->n; i++) {
        double x;
        shoal_text text = list->values[i];
        if (list->is_null[i]) continue;
        if (!shoal_format_read(format, text.data, text.length, &x)) return false;
        if ((is_number && has_leading_zero(text)) || (is_bare_day && !is_day_number(text)))
            return false;
        n++;
    }
    return n > 0 && (!(is_bare_day || is_short) || n >= ENOUGH_DAYS);
}

static bool reads_the_same(const shoal_format *a, const shoal_format *b,
                           const shoal_value_list *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        double x = 0, y = 0;
        if (list->is_null[i]) continue;
        if (!shoal_format_read(a, list->values[i].data, list->values[i].length, &x)) return false;
        if (!shoal_format_read(b, list->values[i].data, list->values[i].length, &y) || x < y ||
            x > y)
            return false;
    }
    return true;
}

/* Enter a format if it reads all values, and differently from the first. */
static void try_format(shoal_format_guess *out, const char *spec, const shoal_value_list *list)
{
    shoal_format format;
    if (out->n == 2 || !shoal_format_parse(&format, spec) || !reads_all(&format, list)) return;
    if (out->n == 0 || !reads_the_same(&out->formats[0], &format, list))
        out->formats[out->n++] = format;
}

/* Does some value have the character? */
static bool has_char(const shoal_value_list *list, char c)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (!list->is_null[i] && list->values[i].length > 0 &&
            memchr(list->values[i].data, c, list->values[i].length) != NULL)
            return true;
    return false;
}

static void try_numbers(shoal_format_guess *out, shoal_text first, const shoal_value_list *list)
{
    surrounding s;
    /* no unit: a plain number may still look unusual, such as 1. or 1e3 */
    if (!look_around(&s, first)) {
        try_format(out, examples[0], list);
        return;
    }
    bool has_others = has_char(list, ',') || has_char(list, '\'') || has_char(list, ' ') ||
                      has_char(list, '\xc2') || has_char(list, '\xe2');
    for (size_t i = 0; i < N_EXAMPLES; i++) {
        char spec[SHOAL_FORMAT_SIZE];
        /* unused separators make no difference */
        bool is_needed = i == 0 || has_others || (i == 2 && has_char(list, '.'));
        if (!is_needed) continue;
        snprintf(spec, sizeof spec, "%s%s%s", s.before, examples[i], s.behind);
        try_format(out, spec, list);
    }
    bool is_money = *s.before != '\0' || is_currency(s.behind + strspn(s.behind, " "),
                                                     strlen(s.behind + strspn(s.behind, " ")));
    /* no money has three decimals in every value */
    if (out->n == 2 && is_money && out->formats[0].thousands == 0 &&
        out->formats[1].thousands != 0) {
        out->formats[0] = out->formats[1];
        out->n = 1;
    }
}

/* Write the names of months in `spec` as the first value does: JAN by MON, jan by mon. */
static void take_case(char *spec, shoal_text first)
{
    char *name = strstr(spec, "Mon");
    if (name == NULL) return;
    size_t at = 0, n = strncmp(name, "Month", 5) == 0 || strncmp(name, "Monat", 5) == 0 ? 5 : 3;
    while (at < first.length &&
           (is_digit(first.data[at]) || strchr(" .-/", first.data[at]) != NULL))
        at++;
    if (at + 1 >= first.length) return;
    bool is_small = first.data[at] >= 'a' && first.data[at] <= 'z',
         is_capital = !(first.data[at + 1] >= 'a' && first.data[at + 1] <= 'z');
    /* an umlaut */
    if (first.data[at + 1] == '\xc3' && at + 2 < first.length)
        is_capital = first.data[at + 2] != '\xa4';
    if (is_small) name[0] = 'm';
    for (size_t i = 1; i < n && is_capital && !is_small; i++) name[i] = (char)(name[i] - 32);
}

/* If dates have a time, every value has one, also the first. `behind`: of the format's name. */
static void try_dates_of(shoal_format_guess *out, const char *day, const char *behind,
                         shoal_text first, const shoal_value_list *list)
{
    for (size_t t = 0; t < N_TIMES; t++) {
        char spec[SHOAL_FORMAT_SIZE];
        shoal_format format;
        double x;
        snprintf(spec, sizeof spec, "%s%s%s", day, times[t], behind);
        if (!shoal_format_parse(&format, spec) ||
            !shoal_format_read(&format, first.data, first.length, &x))
            continue;
        take_case(spec, first);
        try_format(out, spec, list);
    }
}

static void try_dates(shoal_format_guess *out, shoal_text first, const shoal_value_list *list)
{
    for (size_t d = 0; d < N_DATES; d++) try_dates_of(out, dates[d], "", first, list);
}

/* Dates without a century have two readings or none, so that the century must be given. */
static void try_short_dates(shoal_format_guess *out, shoal_text first, const shoal_value_list *list)
{
    char behind[16];
    snprintf(behind, sizeof behind, " from %s", first_years[0]);
    for (size_t d = 0; d < N_SHORT_DATES; d++)
        try_dates_of(out, short_dates[d], behind, first, list);
    if (out->n != 1) return;
    char spec[SHOAL_FORMAT_SIZE];
    size_t n = strlen(out->formats[0].spec) - strlen(first_years[0]);
    snprintf(spec, sizeof spec, "%.*s%s", (int)n, out->formats[0].spec, first_years[1]);
    if (shoal_format_parse(&out->formats[1], spec)) out->n = 2;
}

static bool is_before(shoal_text a, shoal_text b)
{
    size_t shorter = a.length < b.length ? a.length : b.length;
    int order = shorter > 0 ? memcmp(a.data, b.data, shorter) : 0;
    return order < 0 || (order == 0 && a.length < b.length);
}

void shoal_format_guess_find(shoal_format_guess *out, const shoal_value_list *list)
{
    uint32_t first = list->n;
    *out = (shoal_format_guess){ 0 };
    /* the first in the alphabet: the same in whatever order values are met */
    for (uint32_t i = 0; i < list->n; i++)
        if (!list->is_null[i] &&
            (first == list->n || is_before(list->values[i], list->values[first])))
            first = i;
    if (first == list->n) return;
    try_dates(out, list->values[first], list);
    if (out->n == 0) try_numbers(out, list->values[first], list);
    if (out->n == 0) try_short_dates(out, list->values[first], list);
}
