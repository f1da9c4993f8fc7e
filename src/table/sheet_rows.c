/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_rows.c - finds rows of a spreadsheet that are no records, and leaves them out.
 *
 * Found are
 *
 *   empty rows  no field has more than blanks;
 *   totals      the first field that is filled is a word for totals, means or counts, no other
 *               field is text, and at least half of them are blank or most numbers are sums or
 *               means of their columns;
 *   notes       at the end of the table, but for other rows that are no records: one field is
 *               filled, and it is text of several words or begins as notes do.
 *
 * A person called Total has an age, a sex or a town, so some field is text or no sum. Tables with
 * one or two columns have no notes and no empty rows: a missing value would be one. Spreadsheets
 * have at most 1,048,576 rows; larger tables, streamed ones and data frames are not looked at.
 *
 * Cost: O(rows) for their first bytes, and the fields of rows that begin with a blank or a word for
 * totals; O(rows * columns) for each of at most MOST_SUMS rows without blanks.
 */
#include "table/sheet_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_ROWS = 1048576,
    FEWEST_COLUMNS = 3,
    LONGEST_WORD = 40,
    MOST_SUMS = 10, /* rows whose numbers are compared with sums: each costs a pass over the rows */
    MOST_OTHERS = 3, /* of these, rows that are no totals: the word is an ordinary value, then */
    FORGET_EVERY = 1 << 14 /* rows; about a megabyte */
};

static const char *const words[] = {
    "total",
    "totals",
    "grand total",
    "subtotal",
    "sub-total",
    "sum",
    "overall",
    "count",
    "average",
    "mean",
    "all",
    "gesamt",
    "insgesamt",
    "summe",
    "gesamtsumme",
    "zwischensumme",
    "gesamtzahl",
    "mittelwert",
    "ergebnis",
    "gesamtergebnis",
    "durchschnitt",
    "anzahl",
    "total général",
    "total general",
    "somme",
    "sous-total",
    "moyenne",
    "ensemble",
    "suma",
    "promedio",
    "media",
    "totale",
    "totale generale",
    "somma",
    "totaal",
    "eindtotaal",
    "subtotaal",
    "som",
    "gemiddelde",
    "total geral",
    "soma",
    "razem",
    "łącznie",
    "ogółem",
    "średnia",
};

static const char *const note_words[] = {
    "*",    "note",   "notes", "source", "quelle",   "hinweis", "anmerkung", "stand",
    "nota", "fuente", "bron",  "fonte",  "remarque", "uwaga",   "źródło",
};

static bool is_blank(shoal_text text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.data[i] != ' ' && text.data[i] != '\t' && text.data[i] != '\r') return false;
    return true;
}

static shoal_text trimmed(shoal_text text)
{
    while (text.length > 0 && (text.data[0] == ' ' || text.data[0] == '*')) {
        if (text.data[0] == '*' && text.length == 1) break;
        text.data++, text.length--;
    }
    while (text.length > 0 && strchr(" :.=*", text.data[text.length - 1]) != NULL) text.length--;
    return text;
}

/* Are they the same but for capital letters of ASCII? */
static bool is_word(shoal_text text, const char *word)
{
    if (text.length != strlen(word)) return false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c + 32);
        if (c != word[i]) return false;
    }
    return true;
}

static bool is_total_word(shoal_text text)
{
    text = trimmed(text);
    if (text.length == 0 || text.length > LONGEST_WORD) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(text, words[i])) return true;
    return false;
}

/* Several words, or one that notes begin with. */
static bool is_note(shoal_text text)
{
    size_t n_blanks = 0, length = 0;
    while (length < text.length && strchr(" :.,", text.data[length]) == NULL) length++;
    for (size_t i = 0; i < sizeof note_words / sizeof *note_words; i++)
        if (is_word((shoal_text){ text.data, length }, note_words[i])) return true;
    for (size_t i = 0; i + 1 < text.length; i++) n_blanks += text.data[i] == ' ';
    return n_blanks >= 2 || (text.length > 0 && text.data[0] == '*');
}

/* ---- a row ---- */

/* 1,234.5 and 1.234,50 are numbers here, too. */
static bool read_number(shoal_text text, double *out)
{
    char plain[LONGEST_WORD + 1];
    size_t n = 0;
    if (shoal_parse_number(text.data, text.length, out)) return true;
    if (text.length == 0 || text.length > LONGEST_WORD) return false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.data[i];
        bool is_last = memchr(text.data + i + 1, '.', text.length - i - 1) == NULL &&
                       memchr(text.data + i + 1, ',', text.length - i - 1) == NULL;
        bool is_group = (c == '.' || c == ',') && (!is_last || text.length - i - 1 == 3);
        if (is_group || c == ' ' || c == '\'' || c == '%') continue;
        plain[n++] = c == ',' ? '.' : c;
    }
    plain[n] = '\0';
    return shoal_parse_number(plain, n, out);
}

static size_t read_fields(shoal_text *out, const shoal_table *table, uint64_t row)
{
    const char *at = shoal_table_record(table, row), *end = shoal_table_text_end(table);
    shoal_field_end kind = SHOAL_FIELD_MORE;
    size_t n = 0;
    for (; n < table->n_columns && kind == SHOAL_FIELD_MORE; n++) {
        shoal_field field;
        kind = shoal_scan_field(&field, &at, end, shoal_table_text(table)->delimiter);
        out[n] = (shoal_text){ field.begin + field.is_quoted,
                               (size_t)(field.end - field.begin) - 2 * (size_t)field.is_quoted };
    }
    return n;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-6 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* A column over the rows other than a possible total. */
typedef struct column_sum {
    double sum, above; /* of all rows, of those above */
    uint64_t n;
} column_sum;

/* Are most numbers of the row sums or means of their columns over the other rows, or the rows
 * above? One pass over the rows. */
static bool has_sum(const shoal_text *fields, shoal_text *scratch, column_sum *sums,
                    const shoal_table *table, uint64_t row, const bool *is_number)
{
    size_t n_numbers = 0, n_sums = 0;
    double number;
    memset(sums, 0, table->n_columns * sizeof *sums);
    for (uint64_t other = 0; other < table->n_rows; other++) {
        size_t n_fields = other == row ? 0 : read_fields(scratch, table, other);
        if (n_fields == 0 || is_total_word(scratch[0])) continue;
        for (size_t c = 0; c < n_fields; c++) {
            if (!is_number[c] || !read_number(scratch[c], &number)) continue;
            sums[c].sum += number;
            sums[c].n++;
            if (other < row) sums[c].above += number;
        }
    }
    for (size_t c = 0; c < table->n_columns; c++) {
        if (!is_number[c] || !read_number(fields[c], &number)) continue;
        n_numbers++;
        bool is_sum = is_near(number, sums[c].sum) || is_near(number, sums[c].above),
             is_mean = sums[c].n > 0 && is_near(number, sums[c].sum / (double)sums[c].n);
        n_sums += sums[c].n > 1 && (is_sum || is_mean);
    }
    return n_sums * 2 > n_numbers;
}

typedef enum row_kind { RECORD, EMPTY, TOTAL, ONE_TEXT } row_kind;

typedef struct reader {
    const shoal_table *table;
    shoal_text *fields, *scratch;
    bool *is_number;
    column_sum *sums;
    uint32_t n_sums, n_others; /* rows compared with sums, and those that are no totals */
} reader;

static row_kind judge(reader *r, uint64_t row)
{
    size_t n = read_fields(r->fields, r->table, row), n_filled = 0, first = 0, n_texts = 0;
    for (size_t c = 0; c < n; c++) {
        double ignored;
        r->is_number[c] = false;
        if (is_blank(r->fields[c])) continue;
        if (n_filled++ == 0) {
            first = c;
            continue;
        }
        r->is_number[c] = read_number(trimmed(r->fields[c]), &ignored);
        n_texts += !r->is_number[c];
    }
    if (n_filled == 0) return r->table->n_columns >= FEWEST_COLUMNS ? EMPTY : RECORD;
    if (is_total_word(r->fields[first])) {
        bool is_mostly_blank = (n_filled - 1) * 2 <= r->table->n_columns - 1;
        if (n_texts > 0 || r->table->n_columns < 2) return RECORD;
        if (is_mostly_blank && r->table->n_columns >= FEWEST_COLUMNS) return TOTAL;
        if (r->n_sums == MOST_SUMS || r->n_others == MOST_OTHERS) return RECORD;
        bool is_sum = has_sum(r->fields, r->scratch, r->sums, r->table, row, r->is_number);
        r->n_sums++;
        r->n_others += !is_sum;
        return is_sum ? TOTAL : RECORD;
    }
    return n_filled == 1 && r->table->n_columns >= FEWEST_COLUMNS && is_note(r->fields[first])
               ? ONE_TEXT
               : RECORD;
}

/* May the row be anything but a record? By its first bytes: a blank field, a word for totals, a
 * quote. */
static bool is_suspect(const shoal_table *table, uint64_t row)
{
    static const char begins[] = "tgsocamizedprlłoś"; /* of the words, small */
    const char *at = shoal_table_record(table, row), *end = shoal_table_text_end(table);
    while (at < end && (*at == ' ' || *at == '"' || *at == '*')) at++;
    if (at == end || *at == shoal_table_text(table)->delimiter) return true;
    char c = *at >= 'A' && *at <= 'Z' ? (char)(*at + 32) : *at;
    if (strchr(begins, c) == NULL) return false;
    const char *word = at;
    while (at < end && *at != shoal_table_text(table)->delimiter && *at != '"' && *at != '\n' &&
           at - word <= LONGEST_WORD)
        at++;
    return is_total_word((shoal_text){ word, (size_t)(at - word) });
}

/* ---- all of them ---- */

static void add(shoal_sheet_rows *out, uint64_t row, row_kind kind)
{
    out->rows[out->n++] = row;
    out->n_totals += kind == TOTAL;
    out->n_empty += kind == EMPTY;
    out->n_notes += kind == ONE_TEXT;
}

/* Give the pages of a mapped file up to a row back, so that they do not add to the memory of the
 * process. Returns where the row begins. */
static const char *forget(const shoal_table *table, const char *from, uint64_t row)
{
    const char *to = shoal_table_record(table, row);
    if (shoal_table_text(table)->is_map) shoal_pages_forget(from, (size_t)(to - from));
    return to;
}

static shoal_status look(shoal_sheet_rows *out, reader *r, shoal_error *err)
{
    uint64_t n = r->table->n_rows, room = 0, first_note = n;
    /* notes, from the end on */
    while (first_note > 0 && judge(r, first_note - 1) != RECORD) first_note--;
    if (first_note == 0) return SHOAL_OK; /* no records at all: not a spreadsheet */
    const char *read_from = shoal_table_record(r->table, 0);
    for (uint64_t row = 0; row < n; row++) {
        if (row % FORGET_EVERY == 0) read_from = forget(r->table, read_from, row);
        if (row < first_note && !is_suspect(r->table, row)) continue;
        row_kind kind = judge(r, row);
        if (kind == RECORD || (kind == ONE_TEXT && row < first_note)) continue;
        if (out->n == room) {
            room = room * 2 + 16;
            uint64_t *rows = shoal_resize(out->rows, (size_t)room, sizeof *rows);
            if (rows == NULL) return shoal_fail_memory(err);
            out->rows = rows;
        }
        add(out, row, kind);
    }
    return SHOAL_OK;
}

shoal_status shoal_sheet_rows_find(shoal_sheet_rows *out, const shoal_table *table,
                                   shoal_error *err)
{
    *out = (shoal_sheet_rows){ 0 };
    bool is_sheet = shoal_table_has_text(table) && !shoal_table_is_counted(table) &&
                    !shoal_table_is_streamed(table) && shoal_table_has_header(table) &&
                    table->n_rows >= 2 && table->n_rows <= MOST_ROWS && table->n_columns >= 2;
    if (!is_sheet) return SHOAL_OK;
    reader r = { .table = table,
                 .fields = shoal_alloc(table->n_columns, sizeof *r.fields),
                 .scratch = shoal_alloc(table->n_columns, sizeof *r.scratch),
                 .is_number = shoal_alloc(table->n_columns, sizeof *r.is_number),
                 .sums = shoal_alloc(table->n_columns, sizeof *r.sums) };
    bool ok = r.fields != NULL && r.scratch != NULL && r.is_number != NULL && r.sums != NULL;
    shoal_status status = ok ? look(out, &r, err) : shoal_fail_memory(err);
    shoal_free(r.fields);
    shoal_free(r.scratch);
    shoal_free(r.is_number);
    shoal_free(r.sums);
    if (status != SHOAL_OK) shoal_free(out->rows);
    if (status != SHOAL_OK) *out = (shoal_sheet_rows){ 0 };
    return status;
}

void shoal_sheet_rows_tell(char *out, size_t size, const shoal_sheet_rows *found)
{
    const struct {
        uint64_t n;
        const char *one, *many;
    } kinds[] = { { found->n_totals, "total", "totals" },
                  { found->n_empty, "empty row", "empty rows" },
                  { found->n_notes, "note", "notes" } };
    size_t at = 0;
    bool is_first = true;
    for (size_t i = 0; i < 3; i++) {
        if (kinds[i].n == 0) continue;
        at += (size_t)snprintf(out + at, size - at, "%s%llu %s", is_first ? "" : ", ",
                               (unsigned long long)kinds[i].n,
                               kinds[i].n == 1 ? kinds[i].one : kinds[i].many);
        is_first = false;
    }
    at += (size_t)snprintf(out + at, size - at, " (row%s", found->n == 1 ? "" : "s");
    for (uint64_t i = 0; i < found->n && i < SHOAL_SHEET_ROWS_NAMED; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%llu", i > 0 ? ", " : " ",
                               (unsigned long long)found->rows[i] + 1);
    snprintf(out + at, size - at, found->n > SHOAL_SHEET_ROWS_NAMED ? " ...)" : ")");
}

static void free_text(void *text)
{
    shoal_free(text);
}

shoal_status shoal_sheet_rows_skip(shoal_table *table, const shoal_sheet_rows *found,
                                   const shoal_load_options *options, shoal_error *err)
{
    shoal_text_source *source = shoal_table_own_text(table);
    if (found->n == 0) return SHOAL_OK;
    char *text = shoal_alloc(source->size, 1);
    if (text == NULL) return shoal_fail_memory(err);
    memcpy(text, source->data, source->size);
    for (uint64_t i = 0; i < found->n; i++) {
        const char *begin = shoal_table_record(table, found->rows[i]),
                   *end = shoal_table_record_end(table, found->rows[i]);
        memset(text + (begin - source->data), '\n', (size_t)(end - begin));
    }
    shoal_table_clear_rows(table);
    table->is_loaded = false;
    if (source->release_made != NULL) source->release_made(source->made_payload);
    source->data = text;
    source->is_map = false;
    source->release_made = free_text;
    source->made_payload = text;
    return shoal_table_load(table, options, err);
}
