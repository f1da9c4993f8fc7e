/* SPDX-License-Identifier: Apache-2.0 */
/* null_marks.c - finds strings in a table that probably mean "missing": `?`, `NA`, `N` or `.` among
 * numbers, -9 below all other numbers or among words, 99 far above all other numbers, days such as
 * 00.00.0000.
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

#include <shoal/profile.h>
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

/* What a column contains beside candidates. */
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

shoal_status shoal_profile_load(shoal_table *table, const shoal_load_options *options,
                                bool propose_nulls, shoal_error *err)
{
    const char *nulls[SHOAL_N_NULL_MARKS + 1] = { "" };
    size_t n = 1;
    shoal_null_marks found;
    shoal_load_options all = options != NULL ? *options
                                             : (shoal_load_options)SHOAL_LOAD_OPTIONS_INIT;
    all.encode_all = true;
    SHOAL_RETURN_IF_ERROR(shoal_table_load(table, &all, err));
    if (!propose_nulls) return SHOAL_OK;
    shoal_null_marks_find(&found, table);
    for (size_t m = 0; m < SHOAL_N_NULL_MARKS; m++)
        if (found.verdict[m] == SHOAL_MARK_MISSING) nulls[n++] = marks[m].text;
    if (n == 1) return SHOAL_OK;
    shoal_table_clear_rows(table);
    table->is_loaded = false;
    SHOAL_RETURN_IF_ERROR(shoal_table_set_nulls(table, nulls, n, shoal_table_missing(table), err));
    return shoal_table_load(table, &all, err);
}
