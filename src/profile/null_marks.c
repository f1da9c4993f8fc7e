/* SPDX-License-Identifier: Apache-2.0 */
/* null_marks.c - finds strings of a table that look as if they meant "missing": `?`, `NA`, `N` or
 * `.` among numbers, -9 below all other numbers or among words, 99 far above all other numbers,
 * days such as 00.00.0000.
 *
 * Nulls are those of a whole table, so a mark is proposed only if it looks so in every column that
 * has it: `N` beside `Y` is an answer, 99 among ages is an age. Keys, of which almost every row has
 * its own, have no say: number 99 of 3,000 is a row, and keys are left out anyway. Marks come from
 * the list below, so no other text of the table is ever named. Cost: O(distinct values), once for
 * each mark.
 */
#include "profile/null_marks.h"

#include "base/base.h"
#include "table/table_internal.h"

#include <string.h>

typedef enum mark_kind {
    WORD,   /* means missing wherever it stands */
    PLACE,  /* holds the place of a number or a date; between words it may be a value */
    LETTER, /* as PLACE, and an answer beside `Y` */
    BELOW,  /* a number: below all others, which are not negative, or the only one among words */
    ABOVE   /* a number: more than twice any other */
} mark_kind;

static const struct {
    const char *text;
    mark_kind kind;
    double number;
} marks[SHOAL_N_NULL_MARKS] = {
    { "?", WORD, 0 },          { "NA", WORD, 0 },         { "N/A", WORD, 0 },
    { "n/a", WORD, 0 },        { "#N/A", WORD, 0 },       { "NULL", WORD, 0 },
    { "null", WORD, 0 },       { "NaN", WORD, 0 },        { "nan", WORD, 0 },
    { "None", PLACE, 0 },      { "-", PLACE, 0 },         { ".", PLACE, 0 },
    { "N", LETTER, 0 },        { "n", LETTER, 0 },        { "-9", BELOW, -9 },
    { "-99", BELOW, -99 },     { "-999", BELOW, -999 },   { "-9999", BELOW, -9999 },
    { "99", ABOVE, 99 },       { "999", ABOVE, 999 },     { "9999", ABOVE, 9999 },
    { "00.00.0000", WORD, 0 }, { "0000-00-00", WORD, 0 }, { "00/00/0000", WORD, 0 },
    { "UNK", PLACE, 0 },       { "unknown", PLACE, 0 },   { "Unknown", PLACE, 0 },
    { "UNKNOWN", PLACE, 0 },
};

/* What a column has beside marks. */
typedef struct surroundings {
    bool has_numbers, has_texts, has_yes;
    bool has_words; /* texts with letters, or without digits: no dates, no 12,50 */
    double least, most;
} surroundings;

static bool is_text(shoal_text text, const char *other)
{
    return text.length == strlen(other) && memcmp(text.data, other, text.length) == 0;
}

static size_t find_mark(shoal_text text)
{
    size_t m = 0;
    while (m < SHOAL_N_NULL_MARKS && !is_text(text, marks[m].text)) m++;
    return m;
}

const char *shoal_null_mark(size_t mark)
{
    return marks[mark].text;
}

/* Digits and signs alone: a date, 12,50, 1'200. */
static bool is_figure(shoal_text text)
{
    bool has_digit = false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        if ((c | 32) >= 'a' && (c | 32) <= 'z') return false;
        has_digit |= c >= '0' && c <= '9';
    }
    return has_digit;
}

static surroundings look_around(const shoal_column *column)
{
    surroundings s = { 0 };
    for (uint32_t v = 0; v < column->n_values; v++) {
        double x;
        if (v == column->null_code || find_mark(column->values[v]) < SHOAL_N_NULL_MARKS) continue;
        if (!shoal_parse_number(column->values[v].data, column->values[v].length, &x)) {
            s.has_texts = true;
            s.has_words |= !is_figure(column->values[v]);
            s.has_yes |= (column->values[v].data[0] | 32) == 'y';
            continue;
        }
        s.least = s.has_numbers && s.least < x ? s.least : x;
        s.most = s.has_numbers && s.most > x ? s.most : x;
        s.has_numbers = true;
    }
    return s;
}

static shoal_mark_verdict judge(size_t mark, uint64_t n_rows, const surroundings *s)
{
    bool is_numeric = s->has_numbers && !s->has_texts,
         has_figures = (s->has_numbers || s->has_texts) && !s->has_words;
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
