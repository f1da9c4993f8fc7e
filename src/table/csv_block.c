/* SPDX-License-Identifier: Apache-2.0 */
/* csv_block.c - parse the records that start in one block.
 *
 * Unquoted fields are found by a bit mask of separators and line feeds over 64 bytes at a time, so a field
 * that passes through costs a few instructions whatever its length; a field that starts with a quote
 * goes to shoal_scan_field and the mask is set up again behind it. Codes are first written as 32 bits, in strips of rows, in each of them
 * column after column; they are narrowed column by column when the block's dictionaries are complete.
 * Invariant: after each record `codes` holds n_rows codes of each encoded column and `row_at` n_rows starts.
 * Cost: O(bytes); 4 bytes a row and 1, 2 or 4 bytes a cell remain.
 */
#include "table/csv.h"
#include "table/marks.h"

enum { STRIP = 256 }; /* rows: the columns of a strip stay in the nearest cache while they are written */

typedef struct reader {
    const shoal_csv_job *job;
    shoal_csv_block *block;
    const char *at, *end;   /* the next byte to look at; end of the whole text */
    shoal_marks marks;      /* those before `at` are passed */
    shoal_dictionary *dictionaries;
    uint32_t *codes;
    size_t code_capacity, row_capacity;
    char *scratch;          /* the last unescaped value */
    size_t scratch_capacity;
} reader;

/* As shoal_scan_field, by the mask where the field is not quoted. */
static inline shoal_field_end read_field(reader *r, shoal_field *field)
{
    const char *begin = r->at;
    if (begin < r->end && *begin == '"') {
        const char *at = begin;
        shoal_field_end kind = shoal_scan_field(field, &at, r->end, r->job->delimiter);
        r->at = at;
        shoal_marks_move(&r->marks, at);
        return kind;
    }
    const char *mark = shoal_marks_next(&r->marks);
    field->begin = begin;
    field->end = mark;
    field->is_quoted = false;
    if (mark < r->end && *mark != '\n') {
        r->at = mark + 1;
        return SHOAL_FIELD_MORE;
    }
    if (mark > begin && mark[-1] == '\r') field->end--;
    r->at = mark < r->end ? mark + 1 : r->end;
    return SHOAL_FIELD_LAST;
}

static uint32_t encode_escaped(reader *r, shoal_dictionary *dictionary, const shoal_field *field)
{
    void *scratch = r->scratch;
    if (!shoal_reserve(&scratch, &r->scratch_capacity, (size_t)(field->end - field->begin), 1)) return SHOAL_NO_CODE;
    r->scratch = scratch;
    size_t length = shoal_csv_unescape(r->scratch, field);
    return shoal_dictionary_add(dictionary, r->scratch, length, r->scratch + length, &r->block->arena);
}

/* The code of a field; SHOAL_NO_CODE when memory is short. */
static inline uint32_t encode_field(reader *r, shoal_dictionary *dictionary, const shoal_field *field)
{
    const char *text = field->begin;
    size_t length = (size_t)(field->end - text);
    if (field->is_quoted) {
        if (field->has_escape) return encode_escaped(r, dictionary, field);
        text++;
        length -= 2;
    }
    return shoal_dictionary_add(dictionary, text, length, r->end, r->job->copies_texts ? &r->block->arena : NULL);
}

static bool set_problem(reader *r, shoal_csv_problem problem, const char *where, size_t n_fields)
{
    r->block->problem = problem;
    r->block->problem_at = (size_t)(where - r->job->data);
    r->block->n_fields = n_fields;
    return false;
}

static bool set_bad_quote(reader *r, shoal_field_end kind, const shoal_field *field, size_t column)
{
    return set_problem(r, kind == SHOAL_FIELD_UNCLOSED ? SHOAL_CSV_UNCLOSED : SHOAL_CSV_GARBAGE, field->begin, column);
}

/* The fields behind the last column: none, or one that is empty; anything else makes the row ragged. */
static bool read_extra(reader *r, const char *record)
{
    shoal_field field;
    size_t n_fields = r->job->n_columns;
    bool is_empty = true;
    for (;;) {
        shoal_field_end kind = read_field(r, &field);
        if (kind != SHOAL_FIELD_MORE && kind != SHOAL_FIELD_LAST) return set_bad_quote(r, kind, &field, n_fields);
        n_fields++;
        is_empty = is_empty && field.begin == field.end;
        if (kind == SHOAL_FIELD_LAST) break;
    }
    if (n_fields == r->job->n_columns + 1 && is_empty) return true;
    return set_problem(r, SHOAL_CSV_RAGGED, record, n_fields);
}

/* Read the record at r->at into `codes`, STRIP apart. False: a problem was put down. */
static bool read_record(reader *r, uint32_t *codes)
{
    const shoal_csv_job *job = r->job;
    const char *record = r->at;
    for (size_t column = 0;; column++) {
        shoal_field field;
        shoal_field_end kind = read_field(r, &field);
        if (kind > SHOAL_FIELD_LAST) return set_bad_quote(r, kind, &field, column);
        uint32_t slot = job->slot_of_column[column];
        if (slot != SHOAL_NO_CODE) {
            uint32_t code = encode_field(r, &r->dictionaries[slot], &field);
            if (code == SHOAL_NO_CODE) return set_problem(r, SHOAL_CSV_NO_MEMORY, record, 0);
            codes[(size_t)slot * STRIP] = code;
        }
        if (column + 1 == job->n_columns) return kind == SHOAL_FIELD_LAST || read_extra(r, record);
        if (kind == SHOAL_FIELD_LAST) return set_problem(r, SHOAL_CSV_RAGGED, record, column + 1);
    }
}

static bool is_blank_line(const reader *r)
{
    const char *p = r->at;
    if (*p == '\r' && (p + 1 == r->end || p[1] == '\n')) return true;
    return *p == '\n';
}

/* Where the codes of a row begin. */
static inline size_t code_place(uint64_t row, uint32_t n_encoded)
{
    return (size_t)(row / STRIP) * STRIP * n_encoded + (size_t)(row % STRIP);
}

/* For the rows of another strip. */
static bool make_room(reader *r)
{
    void *codes = r->codes, *rows = r->block->row_at;
    size_t n_rows = ((size_t)r->block->n_rows / STRIP + 1) * STRIP;
    bool enough = shoal_reserve(&codes, &r->code_capacity, n_rows * r->job->n_encoded, sizeof *r->codes);
    r->codes = codes;
    enough = enough && shoal_reserve(&rows, &r->row_capacity, n_rows, sizeof *r->block->row_at);
    r->block->row_at = rows;
    return enough;
}

static void read_records(reader *r)
{
    shoal_csv_block *block = r->block;
    const char *block_begin = r->job->data + block->begin, *block_end = r->job->data + block->end;
    const uint32_t n_encoded = r->job->n_encoded;
    while (r->at < block_end) {
        if (r->job->n_columns > 1 && is_blank_line(r)) {
            const char *feed = shoal_marks_next(&r->marks); /* a blank line's first mark is its line feed */
            r->at = feed < r->end ? feed + 1 : r->end;
            continue;
        }
        if (block->n_rows % STRIP == 0 && !make_room(r)) {
            set_problem(r, SHOAL_CSV_NO_MEMORY, r->at, 0);
            return;
        }
        block->row_at[block->n_rows] = (uint32_t)(r->at - block_begin);
        if (!read_record(r, r->codes + code_place(block->n_rows, n_encoded))) return;
        block->n_rows++;
    }
    block->next = (size_t)(r->at - r->job->data);
}

/* Write n codes from place `at` on in 8, 16 or 32 bits, and count them. */
static void narrow_codes(shoal_raw_codes *raw, uint64_t at, const uint32_t *codes, uint32_t n)
{
    uint64_t *counts = raw->counts;
    if (raw->code_width == 1) {
        uint8_t *to = (uint8_t *)raw->codes + at;
        for (uint32_t i = 0; i < n; i++) to[i] = (uint8_t)codes[i];
    } else if (raw->code_width == 2) {
        uint16_t *to = (uint16_t *)raw->codes + at;
        for (uint32_t i = 0; i < n; i++) to[i] = (uint16_t)codes[i];
    } else {
        memcpy((uint32_t *)raw->codes + at, codes, n * sizeof *codes);
    }
    for (uint32_t i = 0; i < n; i++) counts[codes[i]]++;
}

/* Take the texts over from the dictionary; write the codes as narrow as they go, and count them. */
static bool finish_column(shoal_raw_codes *raw, shoal_dictionary *dictionary, const uint32_t *codes, uint32_t n_encoded,
                          uint64_t n_rows)
{
    raw->n_rows = n_rows;
    raw->n_values = dictionary->n_values;
    raw->code_width = raw->n_values <= 256 ? 1 : raw->n_values <= 65536 ? 2 : 4;
    raw->codes = shoal_alloc(n_rows, raw->code_width);
    raw->counts = shoal_alloc_zero(raw->n_values, sizeof *raw->counts);
    if (raw->codes == NULL || raw->counts == NULL) return false;
    for (uint64_t row = 0; row < n_rows; row += STRIP)
        narrow_codes(raw, row, codes + code_place(row, n_encoded), n_rows - row < STRIP ? (uint32_t)(n_rows - row) : STRIP);
    raw->values = dictionary->values;
    dictionary->values = NULL;
    return true;
}

static bool finish_block(reader *r)
{
    shoal_csv_block *block = r->block;
    const uint32_t n_encoded = r->job->n_encoded;
    for (uint32_t slot = 0; slot < n_encoded; slot++) {
        const uint32_t *codes = r->codes == NULL ? NULL : r->codes + (size_t)slot * STRIP;
        if (!finish_column(&block->raw[slot], &r->dictionaries[slot], codes, n_encoded, block->n_rows)) return false;
    }
    uint32_t *fitting = shoal_resize(block->row_at, block->n_rows, sizeof *fitting);
    if (fitting != NULL) block->row_at = fitting; /* giving memory back may fail without harm */
    return true;
}

static bool start_reader(reader *r)
{
    shoal_csv_block *block = r->block;
    block->raw = shoal_alloc_zero(r->job->n_encoded, sizeof *block->raw);
    r->dictionaries = shoal_alloc_zero(r->job->n_encoded, sizeof *r->dictionaries);
    if (block->raw == NULL || r->dictionaries == NULL) return false;
    for (uint32_t slot = 0; slot < r->job->n_encoded; slot++)
        if (!shoal_dictionary_init(&r->dictionaries[slot], 0)) return false;
    r->end = r->job->data + r->job->size;
    r->at = r->job->data + block->start;
    shoal_marks_start(&r->marks, r->at, r->end, r->job->delimiter);
    return true;
}

void shoal_csv_parse_block(shoal_csv_block *block, const shoal_csv_job *job)
{
    shoal_csv_block_clear(block, job);
    reader r = { .job = job, .block = block };
    block->is_parsed = true;
    block->next = block->start;
    bool enough = start_reader(&r);
    if (enough) {
        read_records(&r);
        if (block->problem == SHOAL_CSV_FINE) enough = finish_block(&r);
    }
    if (!enough) block->problem = SHOAL_CSV_NO_MEMORY;
    for (uint32_t slot = 0; r.dictionaries != NULL && slot < job->n_encoded; slot++)
        shoal_dictionary_clear(&r.dictionaries[slot]);
    shoal_free(r.dictionaries);
    shoal_free(r.codes);
    shoal_free(r.scratch);
}

void shoal_csv_block_clear(shoal_csv_block *block, const shoal_csv_job *job)
{
    for (uint32_t slot = 0; block->raw != NULL && slot < job->n_encoded; slot++) {
        shoal_free(block->raw[slot].values);
        shoal_free(block->raw[slot].counts);
        shoal_free(block->raw[slot].codes);
    }
    shoal_free(block->raw);
    shoal_free(block->row_at);
    shoal_arena_clear(&block->arena);
    block->raw = NULL;
    block->row_at = NULL;
    block->n_rows = 0;
    block->problem = SHOAL_CSV_FINE;
    block->is_parsed = false;
}
