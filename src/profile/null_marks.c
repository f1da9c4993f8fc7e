/* SPDX-License-Identifier: Apache-2.0 */
/* null_marks.c - finds strings in a table that probably mean "missing": `?`, `NA`, `N` or `.` among
 * numbers, -9 below all other numbers or among words, 99 far above all other numbers, days such as
 * 00.00.0000; other codes of surveys only beside these (98 beside 99, -8 beside -9).
 *
 * Null strings apply to the whole table, so a string is proposed only if it looks missing in every
 * column that contains it: `N` beside `Y` is an answer, 99 among ages is an age. Keys (columns with
 * a different value in almost every row) are ignored: number 99 of 3,000 is a row, and keys are not
 * published. Candidates come from the list below, so no other text of the table is ever shown.
 * Cost: O(distinct values) for each candidate.
 */
#include "profile/null_marks.h"

#include "base/base.h"
#include "table/table_internal.h"

#include <string.h>

typedef enum mark_kind {
    WORD,   /* means missing in any column */
    PLACE,  /* a placeholder among numbers or dates; between words it may be a value */
    LETTER, /* as PLACE, and an answer beside `Y` */
    BELOW,  /* a number: below all others, which are not negative, or the only one among words */
    ABOVE   /* a number: more than twice any other */
} mark_kind;

static const struct {
    const char *text;
    mark_kind kind;
    double number;
    double beside; /* only where this code is in the column, too: 98 beside 99; 0: alone */
} marks[SHOAL_N_NULL_MARKS] = {
    { "?", WORD, 0, 0 },
    { "NA", WORD, 0, 0 },
    { "N/A", WORD, 0, 0 },
    { "n/a", WORD, 0, 0 },
    { "#N/A", WORD, 0, 0 },
    { "NULL", WORD, 0, 0 },
    { "null", WORD, 0, 0 },
    { "NaN", WORD, 0, 0 },
    { "nan", WORD, 0, 0 },
    { "None", PLACE, 0, 0 },
    { "-", PLACE, 0, 0 },
    { ".", PLACE, 0, 0 },
    { "N", LETTER, 0, 0 },
    { "n", LETTER, 0, 0 },
    { "-9", BELOW, -9, 0 },
    { "-99", BELOW, -99, 0 },
    { "-999", BELOW, -999, 0 },
    { "-9999", BELOW, -9999, 0 },
    { "99", ABOVE, 99, 0 },
    { "999", ABOVE, 999, 0 },
    { "9999", ABOVE, 9999, 0 },
    { "00.00.0000", WORD, 0, 0 },
    { "0000-00-00", WORD, 0, 0 },
    { "00/00/0000", WORD, 0, 0 },
    { "UNK", PLACE, 0, 0 },
    { "unknown", PLACE, 0, 0 },
    { "Unknown", PLACE, 0, 0 },
    { "UNKNOWN", PLACE, 0, 0 },
    { "k. A.", WORD, 0, 0 },
    { "k.A.", WORD, 0, 0 },
    { "keine Angabe", WORD, 0, 0 },
    { "Keine Angabe", WORD, 0, 0 },
    { "keine Angaben", WORD, 0, 0 },
    { "ohne Angabe", WORD, 0, 0 },
    { "n/d", WORD, 0, 0 },
    { "N/D", WORD, 0, 0 },
    { "n.d.", WORD, 0, 0 },
    { "s/d", WORD, 0, 0 },
    { "S/D", WORD, 0, 0 },
    { "sin dato", WORD, 0, 0 },
    { "sin datos", WORD, 0, 0 },
    { "Sin datos", WORD, 0, 0 },
    { "non renseigné", WORD, 0, 0 },
    { "Non renseigné", WORD, 0, 0 },
    { "brak danych", WORD, 0, 0 },
    { "b.d.", WORD, 0, 0 },
    { "geen opgave", WORD, 0, 0 },
    { "not stated", WORD, 0, 0 },
    { "Not stated", WORD, 0, 0 },
    { "not available", WORD, 0, 0 },
    { "no data", WORD, 0, 0 },
    { "missing", WORD, 0, 0 },
    { "--", PLACE, 0, 0 },
    { "unbekannt", PLACE, 0, 0 },
    { "Unbekannt", PLACE, 0, 0 },
    { "onbekend", PLACE, 0, 0 },
    { "Onbekend", PLACE, 0, 0 },
    { "inconnu", PLACE, 0, 0 },
    { "Inconnu", PLACE, 0, 0 },
    { "desconocido", PLACE, 0, 0 },
    { "Desconocido", PLACE, 0, 0 },
    { "sconosciuto", PLACE, 0, 0 },
    { "Sconosciuto", PLACE, 0, 0 },
    { "desconhecido", PLACE, 0, 0 },
    { "nieznane", PLACE, 0, 0 },
    { "-7", BELOW, -7, -9 },
    { "-8", BELOW, -8, -9 },
    { "-77", BELOW, -77, -99 },
    { "-88", BELOW, -88, -99 },
    { "-98", BELOW, -98, -99 },
    { "-777", BELOW, -777, -999 },
    { "-888", BELOW, -888, -999 },
    { "-998", BELOW, -998, -999 },
    { "-7777", BELOW, -7777, -9999 },
    { "-8888", BELOW, -8888, -9999 },
    { "-9998", BELOW, -9998, -9999 },
    { "77", ABOVE, 77, 99 },
    { "88", ABOVE, 88, 99 },
    { "97", ABOVE, 97, 99 },
    { "98", ABOVE, 98, 99 },
    { "777", ABOVE, 777, 999 },
    { "888", ABOVE, 888, 999 },
    { "997", ABOVE, 997, 999 },
    { "998", ABOVE, 998, 999 },
    { "7777", ABOVE, 7777, 9999 },
    { "8888", ABOVE, 8888, 9999 },
    { "9997", ABOVE, 9997, 9999 },
    { "9998", ABOVE, 9998, 9999 },
};

/* What a column contains beside candidates. */
typedef struct surroundings {
    bool has_numbers, has_texts, has_yes;
    bool has_words; /* texts with letters, or without digits: no dates, no 12,50 */
    bool has_mark[SHOAL_N_NULL_MARKS];
    double least, most;
} surroundings;

static bool is_text(shoal_text text, const char *other)
{
    return text.length == strlen(other) && memcmp(text.data, other, text.length) == 0;
}

static size_t find_mark(shoal_text text)
{
    size_t m = 0;
    while (m < SHOAL_N_NULL_MARKS &&
           (text.length == 0 || text.data[0] != marks[m].text[0] || !is_text(text, marks[m].text)))
        m++;
    return m;
}

const char *shoal_null_mark(size_t mark)
{
    return marks[mark].text;
}

/* Digits and signs, and at most a unit or the name of a month: a date, 12,50, 170 cm, €5. */
bool shoal_is_figure(const char *text, size_t length)
{
    enum { MOST_LETTERS = 3 };
    bool has_digit = false;
    size_t n_letters = 0, begins = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool is_letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        n_letters += is_letter;
        begins += is_letter && n_letters == i + 1;
        has_digit |= c >= '0' && c <= '9';
    }
    /* EUR 5, but not K50 */
    return has_digit && n_letters <= MOST_LETTERS && (begins == 0 || begins == MOST_LETTERS);
}

static surroundings look_around(const shoal_column *column)
{
    surroundings s = { 0 };
    for (uint32_t v = 0; v < column->n_values; v++) {
        double x;
        size_t mark = v == column->null_code ? SHOAL_N_NULL_MARKS : find_mark(column->values[v]);
        if (mark < SHOAL_N_NULL_MARKS) s.has_mark[mark] = true;
        if (v == column->null_code || mark < SHOAL_N_NULL_MARKS) continue;
        if (!shoal_parse_number(column->values[v].data, column->values[v].length, &x)) {
            s.has_texts = true;
            s.has_words |= !shoal_is_figure(column->values[v].data, column->values[v].length);
            s.has_yes |= (column->values[v].data[0] | 32) == 'y';
            continue;
        }
        s.least = s.has_numbers && s.least < x ? s.least : x;
        s.most = s.has_numbers && s.most > x ? s.most : x;
        s.has_numbers = true;
    }
    return s;
}

static bool has_companion(size_t mark, const surroundings *s)
{
    bool has = marks[mark].beside == 0;
    for (size_t m = 0; m < SHOAL_N_NULL_MARKS && !has; m++)
        has = s->has_mark[m] && marks[m].number == marks[mark].beside;
    return has;
}

static shoal_mark_verdict judge(size_t mark, uint64_t n_rows, const surroundings *s)
{
    bool is_numeric = s->has_numbers && !s->has_texts,
         has_figures = (s->has_numbers || s->has_texts) && !s->has_words;
    if (!has_companion(mark, s)) return SHOAL_MARK_VALUE;
    switch (marks[mark].kind) {
    case WORD: return SHOAL_MARK_MISSING;
    case PLACE: return has_figures ? SHOAL_MARK_MISSING : SHOAL_MARK_DOUBTFUL;
    case LETTER:
        return s->has_yes    ? SHOAL_MARK_VALUE
               : has_figures ? SHOAL_MARK_MISSING
                             : SHOAL_MARK_DOUBTFUL;
    case BELOW:
        return n_rows > 1 && (is_numeric ? s->least >= 0 : s->has_texts && !s->has_numbers)
                   ? SHOAL_MARK_MISSING
                   : SHOAL_MARK_VALUE;
    default:
        return is_numeric && n_rows > 1 && s->least >= 0 && s->most * 2 < marks[mark].number
                   ? SHOAL_MARK_MISSING
                   : SHOAL_MARK_VALUE;
    }
}

static bool is_key(const shoal_column *column, uint64_t n_rows)
{
    enum { ENOUGH_ROWS = 20 };
    return n_rows >= ENOUGH_ROWS && (double)column->n_values >= 0.95 * (double)n_rows;
}

void shoal_null_marks_find(shoal_null_marks *out, const shoal_table *table)
{
    bool is_missing[SHOAL_N_NULL_MARKS] = { 0 }, is_value[SHOAL_N_NULL_MARKS] = { 0 };
    *out = (shoal_null_marks){ 0 };
    for (size_t c = 0; c < table->n_columns; c++) {
        const shoal_column *column = &table->columns[c];
        bool has_surroundings = false;
        surroundings s = { 0 };
        bool has_say = column->is_encoded && !is_key(column, table->n_rows);
        for (uint32_t v = 0; has_say && v < column->n_values; v++) {
            size_t m = v == column->null_code ? SHOAL_N_NULL_MARKS : find_mark(column->values[v]);
            if (m == SHOAL_N_NULL_MARKS) continue;
            if (!has_surroundings) s = look_around(column);
            has_surroundings = true;
            shoal_mark_verdict verdict = judge(m, column->counts[v], &s);
            out->n_columns[m]++;
            is_missing[m] |= verdict == SHOAL_MARK_MISSING;
            is_value[m] |= verdict == SHOAL_MARK_VALUE;
        }
    }
    for (size_t m = 0; m < SHOAL_N_NULL_MARKS; m++) {
        if (out->n_columns[m] == 0) continue;
        bool is_number = marks[m].kind == BELOW || marks[m].kind == ABOVE;
        out->verdict[m] = is_missing[m] ? (is_value[m] ? SHOAL_MARK_DOUBTFUL : SHOAL_MARK_MISSING)
                          : is_number || is_value[m] ? SHOAL_MARK_VALUE
                                                     : SHOAL_MARK_DOUBTFUL;
    }
}

size_t shoal_null_marks_list(const char *out[SHOAL_N_NULL_MARKS + 1], const shoal_table *table)
{
    shoal_null_marks found;
    size_t n = 1;
    out[0] = "";
    shoal_null_marks_find(&found, table);
    for (size_t m = 0; m < SHOAL_N_NULL_MARKS; m++)
        if (found.verdict[m] == SHOAL_MARK_MISSING) out[n++] = marks[m].text;
    return n;
}
