/* SPDX-License-Identifier: Apache-2.0 */
/* csv_block.c - parse the records that start in one block.
 *
 * The text is processed in stretches that fit the first-level cache. In a stretch whose quotes, if
 * any, enclose whole fields, all separators and line feeds are listed first (csv_index.h). As long
 * as every line has the right number of fields, the encoded columns are then processed one after
 * the other: the only branch that depends on the text is whether a value is among the recent ones
 * (recent.h), and columns that pass through cost nothing. Everything else (odd quotes, empty lines,
 * a wrong number of fields) goes record by record through read_record(), which follows the
 * separators by masks of 64 bytes and is the only place that reports problems. Codes are written as
 * 32 bits into a strip of rows, column after column, and moved from there to the columns in as few
 * bytes as they need.
 * Invariant: after each record `columns` and the strip together hold n_rows codes of each encoded
 * column, and `row_at` holds n_rows starts. Cost: O(bytes); 4 bytes per row and 1, 2 or 4 bytes per
 * cell remain.
 */
#include "base/invariant.h"
#include "table/csv.h"
#include "table/csv_index.h"
#include "table/marks.h"
#include "table/recent.h"

enum {
    MOST_STRIP = 256 /* rows */,
    LEAST_STRIP = 8,
    MOST_STRIP_CODES = 1 << 22 /* 16 MB: of wide tables a strip has fewer rows */,
    SMALL_BLOCK = 1 << 18 /* bytes */,
    MOST_PLACES = 1 << 15 /* of recent values: 1 MB */
};

/* The codes of one column of the block so far. */
typedef struct column_codes {
    void *codes; /* of `width` bytes each */
    size_t n_bytes, width;
} column_codes;

typedef struct shoal_csv_reader {
    const shoal_csv_job *job;
    shoal_csv_block *block;
    const char *at, *end;   /* the next byte; end of the text */
    shoal_marks marks;      /* when records are read singly; those before `at` are consumed */
    shoal_csv_index *index; /* of the current stretch */
    shoal_dictionary *dictionaries;
    shoal_recent_text *recent; /* 1 << recent_bits places per encoded column */
    unsigned recent_bits, most_bits;
    /* codes of the last n_strip rows: strip_rows consecutive entries per column */
    uint32_t *strip;
    uint32_t n_strip, strip_rows;
    column_codes *columns; /* codes of the rows before the strip */
    uint32_t *row_at;      /* record starts, as in the block */
    size_t row_capacity;
    char *scratch; /* the last unescaped value */
    size_t scratch_capacity;
} reader;

/* As shoal_scan_field(), but an unquoted field is found by the mask. */
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
    if (!shoal_reserve(&scratch, &r->scratch_capacity, (size_t)(field->end - field->begin), 1))
        return SHOAL_NO_CODE;
    r->scratch = scratch;
    size_t length = shoal_csv_unescape(r->scratch, field);
    return shoal_dictionary_add(dictionary, r->scratch, length, r->scratch + length,
                                &r->block->arena);
}

/* The code of a field; SHOAL_NO_CODE when out of memory. */
static inline uint32_t encode_field(reader *r, shoal_dictionary *dictionary,
                                    const shoal_field *field)
{
    const char *text = field->begin;
    size_t length = (size_t)(field->end - text);
    if (field->is_quoted) {
        if (field->has_escape) return encode_escaped(r, dictionary, field);
        text++;
        length -= 2;
    }
    return shoal_dictionary_add(dictionary, text, length, r->end,
                                r->job->copies_texts ? &r->block->arena : NULL);
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
    return set_problem(r, kind == SHOAL_FIELD_UNCLOSED ? SHOAL_CSV_UNCLOSED : SHOAL_CSV_GARBAGE,
                       field->begin, column);
}

/* Read the fields after the last column. A single empty one (a trailing separator) is fine; else
 * the row is ragged. */
static bool read_extra(reader *r, const char *record)
{
    shoal_field field;
    size_t n_fields = r->job->n_columns;
    bool is_empty = true;
    for (;;) {
        shoal_field_end kind = read_field(r, &field);
        if (kind != SHOAL_FIELD_MORE && kind != SHOAL_FIELD_LAST)
            return set_bad_quote(r, kind, &field, n_fields);
        n_fields++;
        is_empty = is_empty && field.begin == field.end;
        if (kind == SHOAL_FIELD_LAST) break;
    }
    if (n_fields == r->job->n_columns + 1 && is_empty) return true;
    return set_problem(r, SHOAL_CSV_RAGGED, record, n_fields);
}

/* Read the record at r->at; the code of slot s goes to codes[s * strip_rows]. False: a problem was
 * recorded. */
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
            codes[(size_t)slot * r->strip_rows] = code;
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

/* Bytes per code of a column with n_values values. */
static size_t width_for(uint32_t n_values)
{
    return n_values <= 256 ? 1 : n_values <= 65536 ? 2 : 4;
}

static void widen_codes(column_codes *column, uint64_t n_rows, size_t width)
{
    uint16_t *two = column->codes;
    uint32_t *four = column->codes;
    /* in place, so backwards: each code moves to a higher address */
    for (uint64_t i = n_rows; i-- > 0;) {
        uint32_t code = column->width == 1 ? ((const uint8_t *)column->codes)[i]
                                           : ((const uint16_t *)column->codes)[i];
        if (width == 2)
            two[i] = (uint16_t)code;
        else
            four[i] = code;
    }
}

static void write_codes(const column_codes *column, uint64_t row, const uint32_t *codes, uint32_t n)
{
    if (n == 0) return; /* column->codes may be NULL then */
    if (column->width == 1) {
        uint8_t *to = (uint8_t *)column->codes + row;
        for (uint32_t i = 0; i < n; i++) to[i] = (uint8_t)codes[i];
    } else if (column->width == 2) {
        uint16_t *to = (uint16_t *)column->codes + row;
        for (uint32_t i = 0; i < n; i++) to[i] = (uint16_t)codes[i];
    } else {
        memcpy((uint32_t *)column->codes + row, codes, n * sizeof *codes);
    }
}

/* Move the strip's codes to the columns. False when out of memory. */
static bool empty_strip(reader *r)
{
    const uint64_t n_before = r->block->n_rows - r->n_strip;
    for (uint32_t slot = 0; slot < r->job->n_encoded; slot++) {
        column_codes *column = &r->columns[slot];
        size_t width = width_for(r->dictionaries[slot].n_values);
        if (!shoal_reserve(&column->codes, &column->n_bytes, (size_t)r->block->n_rows * width, 1))
            return false;
        if (width > column->width) widen_codes(column, n_before, width);
        column->width = width;
        write_codes(column, n_before, r->strip + (size_t)slot * r->strip_rows, r->n_strip);
    }
    r->n_strip = 0;
    return true;
}

/* Make room for at least one more row in the strip and in row_at. False when out of memory. */
static bool make_room(reader *r)
{
    if (r->n_strip == r->strip_rows && !empty_strip(r)) return false;
    void *rows = r->row_at;
    bool enough = shoal_reserve(&rows, &r->row_capacity,
                                (size_t)r->block->n_rows + r->strip_rows - r->n_strip,
                                sizeof *r->row_at);
    r->row_at = rows;
    return enough;
}

/* The strip holds the last rows, those before it are in the columns, and the last row begins after
 * the one before it. */
static bool last_row_is_in_order(const reader *r)
{
    const uint64_t n = r->block->n_rows;
    return r->n_strip <= r->strip_rows && r->n_strip <= n &&
           (n < 2 || r->row_at[n - 1] > r->row_at[n - 2]);
}

/* Read records that start before `limit` one by one. False: a problem was recorded. */
static bool read_singly(reader *r, const char *limit)
{
    shoal_csv_block *block = r->block;
    const char *block_begin = r->job->data + block->begin;
    shoal_marks_start(&r->marks, r->at, r->end, r->job->delimiter);
    while (r->at < limit) {
        if (r->job->n_columns > 1 && is_blank_line(r)) {
            /* a blank line's first mark is its line feed */
            const char *feed = shoal_marks_next(&r->marks);
            r->at = feed < r->end ? feed + 1 : r->end;
            continue;
        }
        if (!make_room(r)) return set_problem(r, SHOAL_CSV_NO_MEMORY, r->at, 0);
        r->row_at[block->n_rows] = (uint32_t)(r->at - block_begin);
        if (!read_record(r, r->strip + r->n_strip)) return false;
        block->n_rows++;
        r->n_strip++;
        SHOAL_INVARIANT(last_row_is_in_order(r));
    }
    return true;
}

/* How many records at the start of the stretch, all beginning before `limit`, have the right number
 * of fields. */
static uint32_t count_regular(const reader *r, const char *limit)
{
    const shoal_csv_index *index = r->index;
    uint32_t n = 0;
    /* the cast wraps marks[0], UINT16_MAX, to 0: the first record begins at the start of the
     * stretch */
    while (n < index->n_feeds &&
           (size_t)(index->feeds[n + 1] - index->feeds[n]) == r->job->n_columns &&
           r->at + (uint16_t)(index->marks[index->feeds[n]] + 1) < limit)
        n++;
    return n;
}

/* The code of a text that is not among the recent ones; it is stored at `place` unless that is
 * NULL. */
static __attribute__((noinline)) uint32_t encode_rare(reader *r, uint32_t slot, const char *text,
                                                      size_t length, shoal_recent_text *place)
{
    uint32_t code = shoal_dictionary_add(&r->dictionaries[slot], text, length, r->end,
                                         r->job->copies_texts ? &r->block->arena : NULL);
    if (place != NULL && code != SHOAL_NO_CODE) {
        *place = shoal_recent_key(text, length);
        place->code = code;
    }
    return code;
}

/* Encode one column of the n regular records from record `first` of the stretch into the strip.
 * False when out of memory. */
static __attribute__((noinline)) bool encode_column(reader *r, uint32_t slot, const char *stretch,
                                                    uint32_t first, uint32_t n)
{
    const size_t n_columns = r->job->n_columns, column = r->job->column_of_slot[slot];
    const uint16_t *marks = r->index->marks + first * n_columns + column;
    const bool is_last = column + 1 == n_columns;
    const unsigned bits = r->recent_bits;
    const bool has_quotes = !r->index->is_plain, has_escape = r->index->has_escape;
    /* short texts, behind a quote, are loaded as SHOAL_RECENT_BYTES bytes; near the end of the text
     * that would read too far: 0 disables it */
    const size_t too_long = r->end - (stretch + (uint16_t)(marks[(n - 1) * n_columns] + 1)) >
                                    SHOAL_RECENT_BYTES
                                ? SHOAL_RECENT_BYTES + 1
                                : 0;
    shoal_recent_text *recent = r->recent + ((size_t)slot << bits);
    uint32_t *codes = r->strip + (size_t)slot * r->strip_rows + r->n_strip;
    for (uint32_t i = 0; i < n; i++, marks += n_columns) {
        size_t begin = (uint16_t)(marks[0] + 1), length = marks[1] - begin;
        const char *text = stretch + begin;
        if (is_last && length > 0 && text[length - 1] == '\r') length--;
        if (has_quotes && length > 0 && *text == '"') {
            text++;
            length -= 2;
            if (has_escape && memchr(text, '"', length) != NULL) {
                codes[i] = encode_escaped(
                    r, &r->dictionaries[slot],
                    &(shoal_field){ .begin = text - 1, .end = text + length + 1 });
                if (codes[i] == SHOAL_NO_CODE) return false;
                continue;
            }
        }
        shoal_recent_text *place = NULL;
        if (length < too_long) {
            shoal_recent_text key = shoal_recent_key(text, length);
            place = &recent[shoal_recent_place(key, bits)];
            codes[i] = place->code;
            if (shoal_recent_is(place, key)) continue;
        }
        codes[i] = encode_rare(r, slot, text, length, place);
        if (codes[i] == SHOAL_NO_CODE) return false;
    }
    return true;
}

/* Read the first n records of the stretch at r->at, all regular, column by column. False: out of
 * memory, recorded. */
static bool read_regular(reader *r, uint32_t n)
{
    shoal_csv_block *block = r->block;
    const char *stretch = r->at;
    const uint32_t from = (uint32_t)(stretch - r->job->data - block->begin);
    const shoal_csv_index *index = r->index;
    for (uint32_t done = 0, some; done < n; done += some) {
        if (!make_room(r)) return set_problem(r, SHOAL_CSV_NO_MEMORY, r->at, 0);
        some = n - done < r->strip_rows - r->n_strip ? n - done : r->strip_rows - r->n_strip;
        for (uint32_t slot = 0; slot < r->job->n_encoded; slot++)
            if (!encode_column(r, slot, stretch, done, some))
                return set_problem(r, SHOAL_CSV_NO_MEMORY, r->at, 0);
        for (uint32_t i = 0; i < some; i++)
            r->row_at[block->n_rows + i] = from +
                                           (uint16_t)(index->marks[index->feeds[done + i]] + 1);
        block->n_rows += some;
        r->n_strip += some;
        SHOAL_INVARIANT(last_row_is_in_order(r));
    }
    r->at += (uint16_t)(index->marks[index->feeds[n]] + 1);
    return true;
}

static void read_records(reader *r)
{
    shoal_csv_block *block = r->block;
    const char *block_end = r->job->data + block->end;
    while (r->at < block_end) {
        size_t left = (size_t)(r->end - r->at),
               size = left < SHOAL_CSV_STRETCH ? left : SHOAL_CSV_STRETCH;
        const char *stretch_end = r->at + size,
                   *limit = stretch_end < block_end ? stretch_end : block_end;
        shoal_csv_index_make(r->index, r->at, size, r->job->delimiter);
        if (!r->index->is_plain) block->is_plain = false;
        uint32_t n = r->index->is_regular ? count_regular(r, limit) : 0;
        if (n > 0 && !read_regular(r, n)) return;
        if ((n == 0 || n < r->index->n_feeds) && !read_singly(r, limit)) return;
        /* the last record went beyond the bytes that were checked for quotes and NUL */
        if (r->at > stretch_end) block->is_plain = false;
    }
    block->next = (size_t)(r->at - r->job->data);
}

/* Four counters per code: an increment need not wait for the one before it where a value is
 * repeated. */
static void count_bytes(uint64_t *counts, const uint8_t *codes, uint64_t n, uint32_t n_values)
{
    uint32_t lanes[4][256] = { 0 };
    uint64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int lane = 0; lane < 4; lane++) lanes[lane][codes[i + (uint64_t)lane]]++;
    for (; i < n; i++) lanes[0][codes[i]]++;
    for (uint32_t code = 0; code < n_values; code++)
        counts[code] = (uint64_t)lanes[0][code] + lanes[1][code] + lanes[2][code] + lanes[3][code];
}

/* Copy the codes to a block of exact size and count them; take over the texts of the dictionary. */
static bool finish_column(shoal_raw_codes *raw, const column_codes *column,
                          shoal_dictionary *dictionary, uint64_t n_rows)
{
    raw->n_rows = n_rows;
    raw->n_values = dictionary->n_values;
    raw->code_width = (uint8_t)column->width;
    raw->codes = shoal_alloc(n_rows, column->width);
    raw->counts = shoal_alloc_zero(raw->n_values, sizeof *raw->counts);
    if (raw->codes == NULL || raw->counts == NULL) return false;
    if (n_rows > 0) memcpy(raw->codes, column->codes, (size_t)n_rows * column->width);
    if (raw->code_width == 1) count_bytes(raw->counts, raw->codes, n_rows, raw->n_values);
    for (uint64_t i = 0; raw->code_width == 2 && i < n_rows; i++)
        raw->counts[((const uint16_t *)raw->codes)[i]]++;
    for (uint64_t i = 0; raw->code_width == 4 && i < n_rows; i++)
        raw->counts[((const uint32_t *)raw->codes)[i]]++;
    raw->values = dictionary->values;
    dictionary->values = NULL;
    return true;
}

static bool finish_block(reader *r)
{
    shoal_csv_block *block = r->block;
    if (!empty_strip(r)) return false;
    for (uint32_t slot = 0; slot < r->job->n_encoded; slot++)
        if (!finish_column(&block->raw[slot], &r->columns[slot], &r->dictionaries[slot],
                           block->n_rows))
            return false;
    block->row_at = shoal_alloc((size_t)block->n_rows, sizeof *block->row_at);
    if (block->row_at == NULL) return false;
    if (block->n_rows > 0)
        memcpy(block->row_at, r->row_at, (size_t)block->n_rows * sizeof *block->row_at);
    return true;
}

static bool start_block(reader *r, shoal_csv_block *block)
{
    const uint32_t n_encoded = r->job->n_encoded;
    r->block = block;
    r->n_strip = 0;
    r->end = r->job->data + block->text_end;
    r->at = r->job->data + block->start;
    block->raw = shoal_alloc_zero(n_encoded, sizeof *block->raw);
    if (block->raw == NULL) return false;
    /* few places for a small block: clearing them must not cost more than the block itself */
    r->recent_bits = block->end - block->begin < SMALL_BLOCK && r->most_bits > 4 ? 4 : r->most_bits;
    /* length UINT32_MAX: an empty place */
    memset(r->recent, 0xff, ((size_t)n_encoded << r->recent_bits) * sizeof *r->recent);
    for (uint32_t slot = 0; slot < n_encoded; slot++) {
        r->columns[slot].width = 1;
        if (!shoal_dictionary_init(&r->dictionaries[slot], 0)) return false;
    }
    return true;
}

void shoal_csv_parse_block(shoal_csv_reader *r, shoal_csv_block *block)
{
    shoal_csv_block_clear(block, r->job);
    block->is_parsed = block->is_plain = true;
    block->next = block->start;
    bool enough = start_block(r, block);
    if (enough) {
        read_records(r);
        if (block->problem == SHOAL_CSV_FINE) enough = finish_block(r);
    }
    if (!enough) block->problem = SHOAL_CSV_NO_MEMORY;
    for (uint32_t slot = 0; slot < r->job->n_encoded; slot++)
        shoal_dictionary_clear(&r->dictionaries[slot]);
}

shoal_csv_reader *shoal_csv_reader_new(const shoal_csv_job *job)
{
    reader *r = shoal_alloc_zero(1, sizeof *r);
    if (r == NULL) return NULL;
    r->job = job;
    r->dictionaries = shoal_alloc_zero(job->n_encoded, sizeof *r->dictionaries);
    r->columns = shoal_alloc_zero(job->n_encoded, sizeof *r->columns);
    for (r->strip_rows = MOST_STRIP; r->strip_rows > LEAST_STRIP &&
                                     (uint64_t)job->n_encoded * r->strip_rows > MOST_STRIP_CODES;)
        r->strip_rows /= 2;
    r->strip = shoal_alloc((size_t)job->n_encoded * r->strip_rows, sizeof *r->strip);
    for (r->most_bits = SHOAL_RECENT_BITS;
         r->most_bits > 2 && (uint64_t)job->n_encoded << r->most_bits > MOST_PLACES;)
        r->most_bits--;
    r->recent = shoal_alloc((size_t)job->n_encoded << r->most_bits, sizeof *r->recent);
    r->index = shoal_alloc(1, sizeof *r->index);
    if (r->dictionaries != NULL && r->columns != NULL && r->strip != NULL && r->recent != NULL &&
        r->index != NULL)
        return r;
    shoal_csv_reader_free(r);
    return NULL;
}

void shoal_csv_reader_free(shoal_csv_reader *r)
{
    if (r == NULL) return;
    for (uint32_t slot = 0; r->columns != NULL && slot < r->job->n_encoded; slot++)
        shoal_free(r->columns[slot].codes);
    shoal_free(r->columns);
    shoal_free(r->dictionaries);
    shoal_free(r->strip);
    shoal_free(r->recent);
    shoal_free(r->index);
    shoal_free(r->row_at);
    shoal_free(r->scratch);
    shoal_free(r);
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
    block->is_parsed = block->is_plain = false;
}
