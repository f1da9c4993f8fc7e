/* SPDX-License-Identifier: Apache-2.0 */
/* jsonl.c - JSON Lines: one object per line, its keys are columns.
 *
 *     {"age": 34, "name": "Ann"}          age,name,city
 *     {"age": 7.50, "city": "Ulm"}   -->  34,Ann,
 *                                         7.50,,Ulm
 *
 * Columns come in the order in which keys first appear. A key that a row lacks and null are the
 * empty string, which means missing by default. Numbers keep their digits, true and false their
 * words; a value that is a list or an object is refused, since a cell has one value. Blank lines
 * are skipped. The text is read twice: for its keys, then for its rows. Not read by jansson because
 * that makes doubles of numbers; the fuzz target compares both.
 *
 * RFC 8259; https://jsonlines.org. Cost: O(size) time, memory for one row and the keys.
 */
#include "io/input_format.h"
#include "table/dictionary.h"

enum {
    MOST_COLUMNS = 10000,
    MOST_CELLS_PER_BYTE = 16 /* of text: more empty cells than this are no table */
};

/* What is wrong with a line; what it is called and how to fix it are in `problems`. */
typedef enum problem {
    FINE,
    NO_MEMORY,
    NO_OBJECT,
    IS_ARRAY,
    CUT_OFF,
    BAD_KEY,
    NO_KEY,
    KEY_TWICE,
    BAD_VALUE,
    NESTED,
    BAD_STRING,
    NUL_CHARACTER,
    TEXT_BEHIND,
    MANY_COLUMNS,
    FEW_IN_COMMON
} problem;

static const struct {
    const char *what, *fix;
} problems[] = {
    [NO_OBJECT] = { "not an object", "write one object in braces per line" },
    [IS_ARRAY] = { "a list, not one object per line",
                   "convert it, for instance with jq -c '.[]' FILE > NEW.jsonl" },
    [CUT_OFF] = { "the object does not end on its line",
                  "write one object per line, for instance with jq -c . FILE > NEW.jsonl" },
    [BAD_KEY] = { "no key in quotes, or no colon behind it", "correct the line" },
    [NO_KEY] = { "an empty key", "name the column" },
    [KEY_TWICE] = { "the key occurs twice", "rename one" },
    [BAD_VALUE] = { "no value of JSON", "write a string in quotes, a number, true, false or null" },
    [NESTED] = { "a list or an object, not one value",
                 "flatten it first, or leave it out, for instance with jq -c 'del(.KEY)'" },
    [BAD_STRING] = { "a string with a bad escape or a control character", "correct the line" },
    [NUL_CHARACTER] = { "a NUL character", "remove it" },
    [TEXT_BEHIND] = { "text behind the object", "write one object per line" },
    [MANY_COLUMNS] = { "more than 10000 different keys", "make the keys values of a column" },
    [FEW_IN_COMMON] = { "the rows have hardly a key in common", "split the file by its keys" },
};

typedef struct reader {
    const char *at, *end;
    uint64_t row, line;     /* that are being read, from 1 */
    shoal_dictionary names; /* column numbers by key */
    shoal_arena keys;       /* holds them */
    shoal_text *cells;      /* of the row, by column */
    uint64_t *row_of_cell;  /* the row that a cell is of: others are missing */
    size_t room;            /* for so many columns */
    uint32_t n_previous;    /* number of the key before: the next one mostly follows it */
    shoal_arena strings;    /* of the row: those that have escapes */
} reader;

/* ---- scanning ---- */

/* Blanks inside a line. */
static void skip_blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r')) r->at++;
}

static bool take(reader *r, char c)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The four digits at `at`, or -1. */
static int32_t hex_unit(const char *at, const char *end)
{
    int32_t unit = 0;
    if (end - at < 4) return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0) return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static char *put_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *to++ = (char)(0xe0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
        *to++ = (char)(0x80 | (c & 0x3f));
    } else {
        *to++ = (char)(0xf0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 0x3f));
        *to++ = (char)(0x80 | (c >> 6 & 0x3f));
        *to++ = (char)(0x80 | (c & 0x3f));
    }
    return to;
}

/* The character of \uXXXX, or of two of them; `*at` is behind the u and moves behind the digits. */
static problem read_unit(char **to, const char **at, const char *end)
{
    int32_t unit = hex_unit(*at, end);
    if (unit < 0 || (unit >= 0xdc00 && unit < 0xe000)) return BAD_STRING;
    if (unit == 0) return NUL_CHARACTER;
    uint32_t c = (uint32_t)unit;
    *at += 4;
    if (unit >= 0xd800 && unit < 0xdc00) {
        int32_t low = end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u' ? hex_unit(*at + 2, end)
                                                                            : -1;
        if (low < 0xdc00 || low >= 0xe000) return BAD_STRING;
        c = 0x10000 + ((c - 0xd800) << 10) + ((uint32_t)low - 0xdc00);
        *at += 6;
    }
    *to = put_utf8(*to, c);
    return FINE;
}

/* The value of a string with escapes; no value is longer than its spelling. */
static problem unescape(shoal_text *out, const char *at, const char *end, shoal_arena *arena)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char *begin = shoal_arena_alloc(arena, (size_t)(end - at)), *to = begin;
    if (begin == NULL) return NO_MEMORY;
    while (at < end) {
        if (*at != '\\') {
            *to++ = *at++;
            continue;
        }
        char c = at[1]; /* there is one: the closing quote is not escaped */
        const char *known = c != '\0' ? strchr(escapes, c) : NULL;
        at += 2;
        if (known != NULL) {
            *to++ = meant[known - escapes];
        } else {
            problem found = c == 'u' ? read_unit(&to, &at, end) : BAD_STRING;
            if (found != FINE) return found;
        }
    }
    *out = (shoal_text){ begin, (size_t)(to - begin) };
    return FINE;
}

/* The string behind an opening quote. */
static problem read_string(reader *r, shoal_text *out)
{
    const char *begin = r->at;
    bool has_escape = false;
    for (; r->at < r->end && *r->at != '"'; r->at++) {
        unsigned char c = (unsigned char)*r->at;
        if (c == '\n') return CUT_OFF;
        if (c < 0x20) return c == 0 ? NUL_CHARACTER : BAD_STRING;
        if (c != '\\') continue;
        has_escape = true;
        if (++r->at == r->end || *r->at == '\n') return CUT_OFF;
    }
    if (r->at == r->end) return CUT_OFF;
    const char *end = r->at++;
    *out = (shoal_text){ begin, (size_t)(end - begin) };
    return has_escape ? unescape(out, begin, end, &r->strings) : FINE;
}

static bool skip_digits(reader *r)
{
    const char *begin = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9') r->at++;
    return r->at > begin;
}

static problem read_number(reader *r, shoal_text *out)
{
    const char *begin = r->at;
    if (*r->at == '-') r->at++;
    const char *digits = r->at;
    if (!skip_digits(r) || (*digits == '0' && r->at - digits > 1)) return BAD_VALUE;
    if (r->at < r->end && *r->at == '.') {
        r->at++;
        if (!skip_digits(r)) return BAD_VALUE;
    }
    if (r->at < r->end && (*r->at | 32) == 'e') {
        r->at++;
        if (r->at < r->end && (*r->at == '+' || *r->at == '-')) r->at++;
        if (!skip_digits(r)) return BAD_VALUE;
    }
    *out = (shoal_text){ begin, (size_t)(r->at - begin) };
    return FINE;
}

/* true, false or null, which is the empty text. */
static problem read_word(reader *r, shoal_text *out)
{
    static const char *const words[] = { "true", "false", "null" };
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if ((size_t)(r->end - r->at) < length || memcmp(r->at, words[i], length) != 0) continue;
        *out = (shoal_text){ words[i], i < 2 ? length : 0 };
        r->at += length;
        return FINE;
    }
    return BAD_VALUE;
}

static problem read_value(reader *r, shoal_text *out)
{
    skip_blanks(r);
    if (r->at == r->end || *r->at == '\n') return CUT_OFF;
    switch (*r->at) {
    case '"': r->at++; return read_string(r, out);
    case '{':
    case '[': return NESTED;
    case 't':
    case 'f':
    case 'n': return read_word(r, out);
    default:
        return *r->at == '-' || (*r->at >= '0' && *r->at <= '9') ? read_number(r, out) : BAD_VALUE;
    }
}

/* ---- rows ---- */

/* Room for one column more. */
static bool reserve_columns(reader *r)
{
    size_t rooms[2] = { r->room, r->room };
    void *cells = r->cells, *rows = r->row_of_cell;
    bool is_there = shoal_reserve(&cells, &rooms[0], r->names.n_values + 1, sizeof *r->cells);
    r->cells = cells;
    is_there = is_there &&
               shoal_reserve(&rows, &rooms[1], r->names.n_values + 1, sizeof *r->row_of_cell);
    r->row_of_cell = rows;
    r->room = rooms[0] < rooms[1] ? rooms[0] : rooms[1];
    return is_there;
}

/* The column of a key, which is new or known. Keys mostly come in the same order. */
static problem find_column(reader *r, shoal_text key, uint32_t *out)
{
    uint32_t next = r->n_previous, n = r->names.n_values;
    if (key.length == 0) return NO_KEY;
    if (next < n && r->names.values[next].length == key.length &&
        memcmp(r->names.values[next].data, key.data, key.length) == 0) {
        *out = next;
    } else {
        *out = shoal_dictionary_add(&r->names, key.data, key.length, key.data + key.length,
                                    &r->keys);
        if (*out == SHOAL_NO_CODE) return NO_MEMORY;
    }
    r->n_previous = *out + 1;
    if (*out < n) return FINE;
    if (n == MOST_COLUMNS) return MANY_COLUMNS;
    if (!reserve_columns(r)) return NO_MEMORY;
    r->row_of_cell[*out] = 0;
    return FINE;
}

/* One key and its value; `*column` is set where a problem is one of the value. */
static problem read_member(reader *r, uint32_t *column)
{
    shoal_text key, value;
    if (!take(r, '"')) return r->at == r->end || *r->at == '\n' ? CUT_OFF : BAD_KEY;
    problem found = read_string(r, &key);
    uint32_t at = 0;
    if (found == FINE) found = find_column(r, key, &at);
    if (found != FINE) return found;
    *column = at;
    if (r->row_of_cell[at] == r->row) return KEY_TWICE;
    if (!take(r, ':')) return BAD_KEY;
    found = read_value(r, &value);
    if (found != FINE) return found;
    r->cells[at] = value;
    r->row_of_cell[at] = r->row;
    *column = SHOAL_NO_CODE;
    return FINE;
}

/* The object of a line, up to its line end; its cells are those of row r->row. */
static problem read_object(reader *r, uint32_t *column)
{
    *column = SHOAL_NO_CODE;
    r->n_previous = 0;
    if (!take(r, '{')) return r->row == 1 && *r->at == '[' ? IS_ARRAY : NO_OBJECT;
    bool is_empty = take(r, '}');
    while (!is_empty) {
        problem found = read_member(r, column);
        if (found != FINE) return found;
        if (take(r, '}')) break;
        if (!take(r, ',')) return r->at == r->end || *r->at == '\n' ? CUT_OFF : BAD_VALUE;
    }
    skip_blanks(r);
    return r->at == r->end || *r->at == '\n' ? FINE : TEXT_BEHIND;
}

/* Go to the next line that is not blank; false at the end of the text. */
static bool next_row(reader *r)
{
    shoal_arena_clear(&r->strings);
    for (skip_blanks(r); r->at < r->end && *r->at == '\n'; skip_blanks(r)) {
        r->at++;
        r->line++;
    }
    r->row++;
    return r->at < r->end;
}

static void begin(reader *r, const char *text, size_t size)
{
    bool has_mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    r->at = has_mark ? text + 3 : text;
    r->end = text + size;
    r->row = 0;
    r->line = 1;
    for (uint32_t c = 0; c < r->names.n_values; c++) r->row_of_cell[c] = 0;
}

static shoal_status fail(const reader *r, problem found, uint32_t column, shoal_error *err)
{
    if (found == NO_MEMORY) return shoal_fail_memory(err);
    unsigned long long row = r->row, line = r->line;
    if (column == SHOAL_NO_CODE)
        return shoal_fail(err, SHOAL_EDATA,
                          "{source jsonl}: row {row %llu} (line {line %llu}): %s {fix} %s", row,
                          line, problems[found].what, problems[found].fix);
    shoal_text name = r->names.values[column];
    return shoal_fail(
        err, SHOAL_EDATA,
        "{source jsonl}: row {row %llu} (line {line %llu}), column '{column %.*s}': %s "
        "{fix} %s",
        row, line, (int)(name.length < 100 ? name.length : 100), name.data, problems[found].what,
        problems[found].fix);
}

/* ---- the two passes ---- */

/* Which keys are there? Every mistake is found here. */
static shoal_status read_keys(reader *r, shoal_records *out, const char *text, size_t size,
                              shoal_error *err)
{
    uint32_t column;
    for (begin(r, text, size); next_row(r);) {
        problem found = read_object(r, &column);
        if (found != FINE) return fail(r, found, column, err);
        shoal_records_seen(out, r->at);
    }
    uint64_t n_rows = r->row - 1, n_columns = r->names.n_values;
    if (n_columns == 0)
        return shoal_fail(err, SHOAL_EDATA,
                          "{source jsonl}: the file has no row with a key {fix} give a table with "
                          "one object per line");
    if (n_rows > size / n_columns * MOST_CELLS_PER_BYTE + 1)
        return fail(r, FEW_IN_COMMON, SHOAL_NO_CODE, err);
    return SHOAL_OK;
}

static shoal_status write_rows(reader *r, shoal_records *out, const char *text, size_t size,
                               shoal_error *err)
{
    uint32_t column, n = r->names.n_values;
    for (uint32_t c = 0; c < n; c++)
        shoal_records_cell(out, r->names.values[c].data, r->names.values[c].length);
    SHOAL_RETURN_IF_ERROR(shoal_records_end_row(out, err));
    for (begin(r, text, size); next_row(r);) {
        problem found = read_object(r, &column);
        if (found != FINE) return fail(r, found, column, err);
        for (uint32_t c = 0; c < n; c++) {
            bool is_there = r->row_of_cell[c] == r->row;
            shoal_records_cell(out, is_there ? r->cells[c].data : "",
                               is_there ? r->cells[c].length : 0);
        }
        SHOAL_RETURN_IF_ERROR(shoal_records_end_row(out, err));
        shoal_records_seen(out, r->at);
    }
    return SHOAL_OK;
}

static shoal_status read_jsonl(shoal_records *out, const char *text, size_t size, shoal_error *err)
{
    reader r = { 0 };
    shoal_status status = shoal_dictionary_init(&r.names, 0) ? SHOAL_OK : shoal_fail_memory(err);
    if (status == SHOAL_OK) status = read_keys(&r, out, text, size, err);
    if (status == SHOAL_OK) status = write_rows(&r, out, text, size, err);
    shoal_dictionary_clear(&r.names);
    shoal_arena_clear(&r.keys);
    shoal_arena_clear(&r.strings);
    shoal_free(r.cells);
    shoal_free(r.row_of_cell);
    return status;
}

/* An object with a key in its first line. */
static bool begins_jsonl(const char *text, size_t size)
{
    reader r = { .at = text, .end = text + size };
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) r.at += 3;
    while (r.at < r.end && strchr(" \t\r\n", *r.at) != NULL && *r.at != '\0') r.at++;
    return take(&r, '{') && take(&r, '"');
}

const shoal_input_format shoal_input_jsonl = {
    .shown = { "jsonl", ".jsonl .ndjson", "JSON Lines: one object per line, keys are columns" },
    .begins = begins_jsonl,
    .read = read_jsonl,
};
