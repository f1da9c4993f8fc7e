/* SPDX-License-Identifier: Apache-2.0 */
/* series_compose.c - CSV text of a release of a series: rows of the table with the published values
 * of their slots.
 *
 * What is passed on is copied byte for byte; rows that are not published are left out. With the
 * columns name (identifier), age (quasi-identifier) and ill (sensitive), the row `Ann,31,flu` in
 * the slot 31..33 becomes `[31..33],flu`: its pieces are age, from the slot, and ill, from the
 * table.
 *
 * Blocks of rows are made on all threads while the calling one writes those that are ready, in
 * order: the bytes do not depend on the number of threads. Nothing here is trusted: the text is
 * read back and verified as any other release (series_release.c).
 *
 * Cost: O(bytes).
 */
#include "series/series_change.h"

#include "table/csv_rows.h"

#include <string.h>

enum { BLOCK_ROWS = 1 << 13, BLOCKS_PER_THREAD = 4, STEP = 32 };

/* Quotes only where needed, so that equal texts are written alike in every release. An empty text
 * is quoted: without quotes a line of one column would be blank. */
void shoal_add_field(shoal_buffer *out, shoal_text text, char delimiter)
{
    bool is_plain = text.length > 0 && text.data[0] != ' ' && text.data[text.length - 1] != ' ';
    for (size_t i = 0; i < text.length && is_plain; i++) {
        char byte = text.data[i];
        is_plain = byte != delimiter && byte != '"' && byte != '\r' && byte != '\n' && byte != '\0';
    }
    if (is_plain) {
        shoal_buffer_add(out, text.data, text.length);
        return;
    }
    shoal_buffer_add(out, "\"", 1);
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] == '"') shoal_buffer_add(out, "\"", 1);
        shoal_buffer_add(out, text.data + i, 1);
    }
    shoal_buffer_add(out, "\"", 1);
}

/* ---- rows as they are ---- */

/* The header with everything before it, and the records of these rows, byte for byte. The last
 * record of a file may lack its line end. */
bool shoal_rows_text(shoal_buffer *out, const shoal_table *table, const uint32_t *rows, size_t n)
{
    const shoal_text_source *text = shoal_table_text(table);
    shoal_buffer_add(out, text->data, text->body);
    for (size_t i = 0; i < n; i++) {
        uint64_t row = rows[i];
        size_t begin = (size_t)text->row_offset[row];
        size_t end = row + 1 < table->n_rows ? (size_t)text->row_offset[row + 1] : text->size;
        shoal_buffer_add(out, text->data + begin, end - begin);
        if (end > begin && text->data[end - 1] != '\n') shoal_buffer_add(out, "\n", 1);
    }
    return !out->failed;
}

/* ---- rows as they are published ---- */

/* Adjacent columns that are passed on, or a quasi-identifier. */
typedef struct piece {
    uint32_t attr; /* or SHOAL_NO_CODE */
    size_t first, last;
} piece;

typedef struct composer {
    const shoal_change *change;
    shoal_text *texts;        /* of all texts of slots, ready for CSV */
    shoal_buffer quoted;      /* their bytes, and STEP more */
    size_t longest;           /* of them */
    uint32_t *numbers;        /* n_quasi for each slot: its texts */
    uint32_t *attr_of_column; /* or SHOAL_NO_CODE */
    piece *pieces;
    size_t n_pieces;
    bool has_pseudonyms; /* rows are then scanned field by field */
    const char *line_end;
} composer;

/* STEP bytes after the last text may be read by append(). Texts are set once the buffer no longer
 * moves. */
static bool quote_texts(composer *m)
{
    const shoal_dictionary *texts = &m->change->state->slots.texts;
    size_t begin = 0, *ends = shoal_alloc(texts->n_values, sizeof *ends);
    m->texts = shoal_alloc(texts->n_values, sizeof *m->texts);
    bool ok = m->texts != NULL && ends != NULL;
    for (uint32_t i = 0; ok && i < texts->n_values; i++) {
        shoal_add_field(&m->quoted, texts->values[i], shoal_table_delimiter(m->change->table));
        ends[i] = m->quoted.size;
    }
    shoal_buffer_add(&m->quoted, (const char[STEP]){ 0 }, STEP);
    ok = ok && !m->quoted.failed;
    for (uint32_t i = 0; ok && i < texts->n_values; i++) {
        m->texts[i] = (shoal_text){ m->quoted.data + begin, ends[i] - begin };
        if (m->texts[i].length > m->longest) m->longest = m->texts[i].length;
        begin = ends[i];
    }
    shoal_free(ends);
    return ok;
}

/* The tuples of the pool in one block: rows come in any order of slots. */
static bool gather_numbers(composer *m)
{
    const shoal_tuple_pool *slots = &m->change->state->slots;
    m->numbers = shoal_alloc((size_t)slots->tuples.n_values * slots->n, sizeof *m->numbers);
    if (m->numbers == NULL) return false;
    for (uint32_t slot = 0; slot < slots->tuples.n_values; slot++)
        memcpy(m->numbers + (size_t)slot * slots->n, slots->tuples.values[slot].data,
               slots->n * sizeof *m->numbers);
    return true;
}

/* Adjacent columns that are passed on are one piece, with the separators between them. */
static bool plan_pieces(composer *m)
{
    const shoal_change *c = m->change;
    const shoal_table *table = c->table;
    const shoal_text_source *text = shoal_table_text(table);
    m->attr_of_column = shoal_alloc(table->n_columns, sizeof *m->attr_of_column);
    m->pieces = shoal_alloc(table->n_columns, sizeof *m->pieces);
    if (m->attr_of_column == NULL || m->pieces == NULL) return false;
    for (size_t col = 0; col < table->n_columns; col++) {
        uint32_t attr = SHOAL_NO_CODE;
        for (uint32_t a = 0; a < c->terms.n_quasi; a++)
            if (strcmp(table->columns[col].name, c->terms.quasi[a]) == 0) attr = a;
        m->attr_of_column[col] = attr;
        if (!shoal_role_is_published(table->columns[col].role)) continue;
        m->has_pseudonyms = m->has_pseudonyms || table->columns[col].role == SHOAL_ROLE_PSEUDONYM;
        piece *before = m->n_pieces > 0 ? &m->pieces[m->n_pieces - 1] : NULL;
        if (attr == SHOAL_NO_CODE && before != NULL && before->attr == SHOAL_NO_CODE &&
            before->last + 1 == col)
            before->last = col;
        else
            m->pieces[m->n_pieces++] = (piece){ attr, col, col };
    }
    bool is_crlf = text->body >= 2 && text->data[text->body - 1] == '\n' &&
                   text->data[text->body - 2] == '\r';
    m->line_end = is_crlf ? "\r\n" : "\n";
    return true;
}

static void composer_clear(composer *m)
{
    shoal_free(m->texts);
    shoal_free(m->numbers);
    shoal_free(m->attr_of_column);
    shoal_free(m->pieces);
    shoal_buffer_clear(&m->quoted);
}

/* Only for rows with a slot. */
static shoal_text text_of(const composer *m, uint64_t row, uint32_t attr)
{
    return m->texts[m->numbers[(size_t)m->change->slots[row] * m->change->terms.n_quasi + attr]];
}

/* Field by field. `row` SHOAL_NO_CODE: the header. */
static void add_record(const composer *m, shoal_buffer *out, const char *at, uint32_t row)
{
    const shoal_table *table = m->change->table;
    const shoal_text_source *source = shoal_table_text(table);
    const char *end = shoal_table_text_end(table);
    bool is_first = true;
    for (size_t col = 0; col < table->n_columns; col++) {
        const shoal_column *column = &table->columns[col];
        shoal_field field;
        shoal_scan_field(&field, &at, end, source->delimiter);
        if (!shoal_role_is_published(column->role)) continue;
        shoal_text text = { field.begin, (size_t)(field.end - field.begin) };
        if (row != SHOAL_NO_CODE && m->attr_of_column[col] != SHOAL_NO_CODE)
            text = text_of(m, row, m->attr_of_column[col]);
        else if (row != SHOAL_NO_CODE && column->role == SHOAL_ROLE_PSEUDONYM)
            text = column->pseudonyms[shoal_column_code(column, row)];
        if (!is_first) shoal_buffer_add(out, &source->delimiter, 1);
        shoal_buffer_add(out, text.data, text.length);
        is_first = false;
    }
    shoal_buffer_add(out, m->line_end, strlen(m->line_end));
}

/* Short texts in one step: up to STEP bytes are written, and read where that is allowed. */
static inline char *append(char *to, const char *from, size_t size, const char *readable_end)
{
    if (size <= STEP && readable_end - from >= STEP)
        memcpy(to, from, STEP);
    else
        memcpy(to, from, size);
    return to + size;
}

/* The same by the places of the fields. */
static void add_listed(const composer *m, shoal_buffer *out, const char *text,
                       const uint16_t *marks, uint64_t row)
{
    const shoal_table *table = m->change->table;
    const char *table_end = shoal_table_text_end(table),
               *texts_end = m->quoted.data + m->quoted.size;
    void *data = out->data;
    /* the line itself, the longest texts instead of its cells, a separator for each piece, and the
     * bytes that append() may write too many */
    size_t line = (uint16_t)(marks[table->n_columns] - marks[0]),
           most = line + m->change->terms.n_quasi * m->longest + m->n_pieces + STEP + 2;
    if (!shoal_reserve(&data, &out->capacity, out->size + most, 1)) {
        out->failed = true;
        return;
    }
    out->data = data;
    char *to = out->data + out->size;
    for (size_t i = 0; i < m->n_pieces; i++) {
        const piece *p = &m->pieces[i];
        if (i > 0) *to++ = shoal_table_delimiter(table);
        if (p->attr != SHOAL_NO_CODE) {
            shoal_text recoded = text_of(m, row, p->attr);
            to = append(to, recoded.data, recoded.length, texts_end);
            continue;
        }
        size_t begin = (uint16_t)(marks[p->first] + 1), end = marks[p->last + 1];
        if (p->last + 1 == table->n_columns && end > begin && text[end - 1] == '\r') end--;
        to = append(to, text + begin, end - begin, table_end);
    }
    to = append(to, m->line_end, strlen(m->line_end), m->line_end);
    out->size = (size_t)(to - out->data);
}

/* Without `lines`, for which memory was short, rows are scanned. */
static bool add_block(const composer *m, shoal_buffer *out, shoal_csv_rows *lines, uint64_t block)
{
    const shoal_change *c = m->change;
    uint64_t row = block * BLOCK_ROWS,
             end = c->table->n_rows - row < BLOCK_ROWS ? c->table->n_rows : row + BLOCK_ROWS;
    out->size = 0;
    for (; row < end; row++) {
        if (c->slots[row] == SHOAL_NO_CODE) continue;
        const uint16_t *marks = lines != NULL ? shoal_csv_rows_marks(lines, row) : NULL;
        if (marks != NULL)
            add_listed(m, out, shoal_csv_rows_text(lines), marks, row);
        else
            add_record(m, out, shoal_table_record(c->table, row), (uint32_t)row);
    }
    return !out->failed;
}

/* ---- writing ---- */

static shoal_status hand_over(const shoal_buffer *text, const shoal_sink *sink, shoal_error *err)
{
    if (text->size == 0) return SHOAL_OK;
    int failure = sink->write(sink->payload, SHOAL_SINK_RELEASE, text->data, text->size);
    if (failure == 0) return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_EIO,
        "cannot write the release: %s {fix} free disk space, or choose another folder",
        strerror(failure));
}

/* First byte of the header: after a byte order mark and blank lines. */
static const char *find_header(const shoal_table *table)
{
    const shoal_text_source *text = shoal_table_text(table);
    const char *at = text->data, *end = at + text->size;
    if (end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) at += 3;
    while (at < end && (*at == '\n' || (*at == '\r' && at + 1 < end && at[1] == '\n'))) at++;
    return at;
}

/* Names are copied from the file, with its quotes. */
static shoal_status write_header(const composer *m, const shoal_sink *sink, shoal_error *err)
{
    shoal_buffer line = { 0 };
    add_record(m, &line, find_header(m->change->table), SHOAL_NO_CODE);
    shoal_status status = line.failed ? shoal_fail_memory(err) : hand_over(&line, sink, err);
    shoal_buffer_clear(&line);
    return status;
}

typedef struct wave {
    shoal_buffer *texts; /* of blocks first .. first + n - 1 */
    uint64_t first, n;
} wave;

/* Make the blocks of one wave, and write those of the one before meanwhile. */
static shoal_status make_wave(const composer *m, const wave *next, const wave *ready,
                              const shoal_sink *sink, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    bool ok = true;
#pragma omp parallel num_threads(m->change->threads) reduction(&& : ok)
    {
#pragma omp master /* the calling thread; the others begin with the loop */
        for (uint64_t b = 0; b < ready->n && status == SHOAL_OK; b++)
            status = hand_over(&ready->texts[b], sink, err);
        shoal_csv_rows *lines = m->has_pseudonyms ? NULL
                                                  : shoal_csv_rows_new(m->change->table,
                                                                       m->change->table->n_columns);
#pragma omp for schedule(dynamic)
        for (uint64_t b = 0; b < next->n; b++)
            ok = ok && add_block(m, &next->texts[b], lines, next->first + b);
        shoal_free(lines);
    }
    return status != SHOAL_OK || ok ? status : shoal_fail_memory(err);
}

/* Two sets of buffers: while one is written, the other is filled. */
static shoal_status write_rows(const composer *m, const shoal_sink *sink, shoal_error *err)
{
    uint64_t n_blocks = (m->change->table->n_rows + BLOCK_ROWS - 1) / BLOCK_ROWS,
             size = (uint64_t)m->change->threads * BLOCKS_PER_THREAD;
    shoal_status status = SHOAL_OK;
    if (size > n_blocks) size = n_blocks;
    shoal_buffer *texts = shoal_alloc_zero((size_t)size * 2, sizeof *texts);
    if (texts == NULL) return shoal_fail_memory(err);
    wave ready = { texts, 0, 0 }, next = { texts + size, 0, 0 };
    for (uint64_t first = 0; status == SHOAL_OK && (first < n_blocks || ready.n > 0);
         first += next.n) {
        next = (wave){ next.texts, first, n_blocks - first < size ? n_blocks - first : size };
        status = make_wave(m, &next, &ready, sink, err);
        wave made = next;
        next.texts = ready.texts;
        ready = made;
    }
    for (uint64_t b = 0; b < size * 2; b++) shoal_buffer_clear(&texts[b]);
    shoal_free(texts);
    return status;
}

/* Nothing is committed here: the sink keeps the text until it is verified. */
shoal_status shoal_change_write(const shoal_change *c, const shoal_sink *sink, shoal_error *err)
{
    composer m = { .change = c };
    SHOAL_RETURN_IF_ERROR(sink->open(sink->payload, SHOAL_SINK_RELEASE, err));
    shoal_status status = quote_texts(&m) && gather_numbers(&m) && plan_pieces(&m)
                              ? write_header(&m, sink, err)
                              : shoal_fail_memory(err);
    if (status == SHOAL_OK) status = write_rows(&m, sink, err);
    composer_clear(&m);
    return status;
}
