/* SPDX-License-Identifier: Apache-2.0 */
/* mixed_units.c - finds columns of numbers in several units or currencies, which no format reads.
 *
 * As categories they would be published in sets, which list exact amounts although the loss of a
 * set among many values is low. At least nine tenths of the values must be digits with the marks of
 * numbers and at most one known unit before or behind them, and two units, or one and none, must
 * have one row in twenty each. Units come from the list below, so no other text of the table is
 * ever named.
 */
#include "table/mixed_units.h"

#include <stdio.h>
#include <string.h>

static const char *const units[] = {
    "",    "$",   "€",   "£",   "¥",   "zł",     "EUR",   "USD",  "US$",  "GBP", "CHF",
    "JPY", "SEK", "NOK", "DKK", "PLN", "kr",     "Fr.",   "Euro", "euro", "%",   "cm",
    "mm",  "m",   "km",  "in",  "ft",  "kg",     "g",     "mg",   "lb",   "lbs", "t",
    "h",   "min", "s",   "k",   "K",   "mmol/l", "mg/dl", "°C",   "°F",
};
enum { N_UNITS = sizeof units / sizeof *units, FEWEST_VALUES = 10 };

/* Digits with the marks of numbers, at least one of them. */
static bool is_number(const char *text, size_t length)
{
    bool has_digit = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        has_digit |= c >= '0' && c <= '9';
        if ((c < '0' || c > '9') && strchr(".,' -+", c) == NULL) return false;
    }
    return has_digit;
}

/* The unit of a number, and on which side it is; N_UNITS: no number. */
static size_t unit_of(shoal_text text, bool *is_before)
{
    for (size_t u = 0; u < N_UNITS; u++) {
        size_t n = strlen(units[u]);
        if (n >= text.length) continue;
        bool begins = memcmp(text.data, units[u], n) == 0,
             ends = memcmp(text.data + text.length - n, units[u], n) == 0;
        *is_before = n > 0 && begins;
        if (begins && is_number(text.data + n, text.length - n)) return u;
        *is_before = false;
        if (ends && is_number(text.data, text.length - n)) return u;
    }
    return N_UNITS;
}

bool shoal_mixed_units_find(char *out, size_t size, const shoal_column *column)
{
    uint64_t n_rows[N_UNITS + 1] = { 0 }, n_values = 0, n_numbers = 0, n_all = 0;
    bool is_before[N_UNITS + 1] = { 0 };
    if (!column->is_encoded || column->type != SHOAL_TYPE_CATEGORICAL) return false;
    for (uint32_t v = 0; v < column->n_values; v++) {
        bool before = false;
        if (v == column->null_code) continue;
        size_t u = unit_of(column->values[v], &before);
        is_before[u] |= before;
        n_rows[u] += column->counts[v];
        n_all += column->counts[v];
        n_numbers += u < N_UNITS;
        n_values++;
    }
    size_t first = 0, second = N_UNITS;
    for (size_t u = 1; u < N_UNITS; u++)
        if (n_rows[u] > n_rows[first]) first = u;
    for (size_t u = 0; u < N_UNITS; u++)
        if (u != first && (second == N_UNITS || n_rows[u] > n_rows[second])) second = u;
    if (n_values < FEWEST_VALUES || n_numbers * 10 < n_values * 9 || n_rows[second] * 20 < n_all)
        return false;
    char shown[2][24];
    for (int i = 0; i < 2; i++) {
        size_t u = i == 0 ? first : second;
        snprintf(shown[i], sizeof shown[i], "%s1%s%s", is_before[u] ? units[u] : "",
                 is_before[u] || u == 0 ? "" : " ", is_before[u] ? "" : units[u]);
    }
    snprintf(out, size, "'%s' in %llu rows and '%s' in %llu rows", shown[0],
             (unsigned long long)n_rows[first], shown[1], (unsigned long long)n_rows[second]);
    return true;
}
