/* SPDX-License-Identifier: Apache-2.0 */
/* looks.c - does a value look like an e-mail address, a web address, an IP address, a social
 * security number, a phone number, a person's name?
 *
 * Simple scanners over bytes, one pass each, independent of the locale. They need not be right for
 * every value: the caller counts how many values of a column match. Where two could match, the
 * first in shoal_look_names is tried first.
 */
#include "base/format.h"
#include "table/guess.h"

#include <string.h>

const char *const shoal_look_names[SHOAL_N_LOOKS] = {
    "e-mail", "url", "ip", "ssn", "phone", "name"
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_upper(char c)
{
    /* the first byte of letters such as É, Ж */
    return (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0xc3;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool is_email(const char *text, size_t n)
{
    const char *at = memchr(text, '@', n);
    if (at == NULL || at == text) return false;
    size_t n_domain = (size_t)(text + n - at) - 1;
    const char *dot = n_domain > 0 ? memchr(at + 1, '.', n_domain) : NULL;
    if (dot == NULL || dot == at + 1 || text[n - 1] == '.') return false;
    for (size_t i = 0; i < n; i++)
        if (text[i] == ' ' || text[i] == ',' || (text[i] == '@' && text + i != at)) return false;
    return true;
}

static bool starts_with(const char *text, size_t n, const char *prefix)
{
    size_t m = strlen(prefix);
    return n > m && memcmp(text, prefix, m) == 0;
}

static bool is_url(const char *text, size_t n)
{
    return memchr(text, ' ', n) == NULL &&
           (starts_with(text, n, "http://") || starts_with(text, n, "https://") ||
            starts_with(text, n, "ftp://") || starts_with(text, n, "www."));
}

/* Four numbers up to 255 between dots. */
static bool is_ip4(const char *text, size_t n)
{
    unsigned parts = 0, value = 0, digits = 0;
    for (size_t i = 0; i <= n; i++) {
        if (i < n && is_digit(text[i])) {
            value = value * 10 + (unsigned)(text[i] - '0');
            if (++digits > 3) return false;
        } else if ((i == n || text[i] == '.') && digits > 0 && value <= 255) {
            parts++;
            value = digits = 0;
        } else {
            return false;
        }
    }
    return parts == 4;
}

/* Groups of hexadecimal digits between colons; all eight, or some left out by `::` (so 12:30:45 is
 * none). */
static bool is_ip6(const char *text, size_t n)
{
    size_t colons = 0;
    bool is_short = false;
    for (size_t i = 0; i < n; i++) {
        if (text[i] == ':') {
            colons++;
            is_short |= i + 1 < n && text[i + 1] == ':';
        } else if (!is_digit(text[i]) && !((text[i] | 32) >= 'a' && (text[i] | 32) <= 'f')) {
            return false;
        }
    }
    return n <= 39 && (colons == 7 || (is_short && colons < 8));
}

/* Does the text have the form of the pattern, in which 9 matches any digit? */
static bool has_form(const char *text, size_t n, const char *pattern)
{
    if (n != strlen(pattern)) return false;
    for (size_t i = 0; i < n; i++)
        if (pattern[i] == '9' ? !is_digit(text[i]) : text[i] != pattern[i]) return false;
    return true;
}

/* For dates with a time only the date is compared. */
static size_t digits_of_day(const char *text, size_t n)
{
    size_t day = 0;
    while (day < n && text[day] != ' ' && text[day] != 'T') day++;
    return day >= 8 && day <= 10 ? day : 0;
}

bool shoal_looks_like_day(const char *text, size_t n)
{
    static const char *const forms[] = { "YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY", "MM/DD/YYYY",
                                         "DD-MM-YYYY", "MM-DD-YYYY", "YYYY/MM/DD", "YYYY.MM.DD" };
    static const char *const named[] = { "DD-Mon-YYYY",    "DD Mon YYYY",        "DD Month YYYY",
                                         "Mon DD, YYYY",   "Month DD, YYYY",     "DDMonYYYY",
                                         "DD. Monat YYYY", "DD-Mon-YY from 1930" };
    double ignored;
    shoal_format format;
    size_t day = digits_of_day(text, n);
    for (size_t i = 0; day > 0 && i < sizeof forms / sizeof *forms; i++)
        if (shoal_format_parse(&format, forms[i]) &&
            shoal_format_read(&format, text, day, &ignored))
            return true;
    bool may_be_named = n >= 8 && n <= 18 && (is_digit(text[0]) || is_digit(text[n - 1]));
    for (size_t i = 0; may_be_named && i < sizeof named / sizeof *named; i++)
        if (shoal_format_parse(&format, named[i]) && shoal_format_read(&format, text, n, &ignored))
            return true;
    return false;
}

/* 7 to 15 digits with some of + ( ) - . / and blanks; digits alone are a number, not a phone
 * number. */
static bool is_phone(const char *text, size_t n)
{
    size_t digits = 0, marks = 0, dots = 0;
    double ignored;
    if (n == 0 || n > 25) return false;
    for (size_t i = 0; i < n; i++) {
        if (is_digit(text[i]))
            digits++;
        else if (text[i] == '.')
            dots++;
        else if (text[i] != '\0' && strchr("+-()/ ", text[i]) != NULL)
            marks++;
        else
            return false;
    }
    if (digits < 7 || digits > 15 || (marks == 0 && dots < 2)) return false;
    if (has_form(text, n, "99999-9999")) return false; /* a long ZIP code */
    return !shoal_parse_number(text, n, &ignored) && !shoal_looks_like_day(text, n);
}

/* Two to five words that start with a capital, such as "Ada M. Lovelace" or "Lovelace, Ada". */
static bool is_name(const char *text, size_t n)
{
    size_t words = 0;
    bool at_start = true;
    if (n > 60) return false;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (is_letter(c)) {
            if (at_start && !is_upper(c)) return false;
            words += at_start;
            at_start = false;
        } else if (c == ' ') {
            at_start = true;
        } else if (c != '.' && c != ',' && c != '-' && c != '\'') {
            return false;
        }
    }
    return words >= 2 && words <= 5;
}

bool shoal_looks_like(size_t look, const char *text, size_t length)
{
    switch (look) {
    case 0: return is_email(text, length);
    case 1: return is_url(text, length);
    case 2: return is_ip4(text, length) || is_ip6(text, length);
    case 3: return has_form(text, length, "999-99-9999");
    case 4: return is_phone(text, length);
    default: return is_name(text, length);
    }
}

/* ---- most values of a column ---- */

enum { SENTENCE_WORDS = 4 };
static const double look_share = 0.8; /* least share of the values that must match a form */
/* distinct values per filled row: persons, not categories */
static const double variety_share = 0.05;
enum { MANY_VALUES = 100 }; /* categories have hardly more */

static size_t count_words(const char *text, size_t n)
{
    size_t words = 0;
    for (size_t i = 0; i < n; i++) words += is_letter(text[i]) && (i == 0 || text[i - 1] == ' ');
    return words;
}

void shoal_sights_add(shoal_sights *sights, const char *text, size_t length)
{
    sights->n++;
    for (size_t look = 0; look < SHOAL_N_LOOKS; look++)
        sights->n_alike[look] += shoal_looks_like(look, text, length);
    sights->n_wordy += count_words(text, length) >= SENTENCE_WORDS;
}

bool shoal_are_of_persons(const shoal_sight_counts *counts)
{
    return (double)counts->n_distinct >= variety_share * (double)counts->n_filled &&
           (counts->n_distinct > MANY_VALUES || counts->n_distinct * 3 >= counts->n_filled);
}

/* City names look like names of persons, district codes like phone numbers: these two forms need
 * many distinct values. */
static bool has_variety(const char *look, const shoal_sight_counts *counts)
{
    double filled = (double)counts->n_filled, distinct = (double)counts->n_distinct;
    if (strcmp(look, "phone") == 0) return distinct >= variety_share * filled;
    if (strcmp(look, "name") != 0) return true;
    return distinct >= 0.3 * filled && shoal_name_hint(counts->name) != SHOAL_HINT_QUASI;
}

const char *shoal_sights_look(const shoal_sights *sights, const shoal_sight_counts *counts)
{
    for (size_t look = 0; look < SHOAL_N_LOOKS && sights->n > 0; look++)
        if ((double)sights->n_alike[look] >= look_share * (double)sights->n)
            return has_variety(shoal_look_names[look], counts) ? shoal_look_names[look] : NULL;
    return NULL;
}

bool shoal_sights_are_free_text(const shoal_sights *sights, const shoal_sight_counts *counts)
{
    enum { FEWEST = 20 };
    return counts->n_distinct >= FEWEST &&
           (double)counts->n_distinct >= variety_share * (double)counts->n_filled &&
           sights->n_wordy * 2 > sights->n;
}
