/* SPDX-License-Identifier: Apache-2.0 */
/* series_compose.c - CSV text of a release of a series: rows of the table with the published values of their slots.
 *
 * What is passed on is copied byte for byte; rows that are not published are left out. Nothing here is trusted: the text is read back and verified as
 * any other release (series_release.c).
 *
 * Cost: O(bytes), on one thread.
 */
#include "series/series_change.h"

#include <string.h>

enum { BLOCK = 1 << 20 };

void shoal_add_field(shoal_buffer *out, shoal_text text, char delimiter)
{
    bool is_plain = text.length > 0 && text.data[0] != ' ' && text.data[text.length - 1] != ' ';
    for (size_t i = 0; i < text.length && is_plain; i++) is_plain = text.data[i] != delimiter && strchr("\"\r\n", text.data[i]) == NULL;
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

bool shoal_rows_text(shoal_buffer *out, const shoal_table *table, const uint32_t *rows, size_t n)
{
    shoal_buffer_add(out, table->data, table->body);
    for (size_t i = 0; i < n; i++) {
        uint64_t row = rows[i];
        size_t begin = (size_t)table->row_offset[row];
        size_t end = row + 1 < table->n_rows ? (size_t)table->row_offset[row + 1] : table->data_size;
        shoal_buffer_add(out, table->data + begin, end - begin);
        if (end > begin && table->data[end - 1] != '\n') shoal_buffer_add(out, "\n", 1);
    }
    return !out->failed;
}

/* ---- rows as they are published ---- */

typedef struct composer {
    const shoal_change *change;
    shoal_text *texts;        /* of all texts of slots, ready for CSV */
    shoal_buffer quoted;      /* bytes of those that needed quotes */
    uint32_t *attr_of_column; /* or SHOAL_NO_CODE */
    const char *line_end;
    shoal_buffer out;
} composer;

static bool composer_make(composer *m)
{
    const shoal_change *c = m->change;
    const shoal_table *table = c->table;
    const shoal_dictionary *texts = &c->state->slots.texts;
    m->texts = shoal_alloc(texts->n_values, sizeof *m->texts);
    size_t *ends = shoal_alloc((size_t)texts->n_values + 1, sizeof *ends);
    m->attr_of_column = shoal_alloc(table->n_columns, sizeof *m->attr_of_column);
    bool ok = m->texts != NULL && ends != NULL && m->attr_of_column != NULL;
    for (uint32_t i = 0; ok && i < texts->n_values; i++) {
        shoal_add_field(&m->quoted, texts->values[i], table->delimiter);
        ends[i + 1] = m->quoted.size;
    }
    ok = ok && !m->quoted.failed;
    if (ok) ends[0] = 0;
    for (uint32_t i = 0; ok && i < texts->n_values; i++) m->texts[i] = (shoal_text){ m->quoted.data + ends[i], ends[i + 1] - ends[i] };
    for (size_t col = 0; ok && col < table->n_columns; col++) {
        m->attr_of_column[col] = SHOAL_NO_CODE;
        for (uint32_t a = 0; a < c->terms.n_quasi; a++)
            if (strcmp(table->columns[col].name, c->terms.quasi[a]) == 0) m->attr_of_column[col] = a;
    }
    bool is_crlf = table->body >= 2 && table->data[table->body - 1] == '\n' && table->data[table->body - 2] == '\r';
    m->line_end = is_crlf ? "\r\n" : "\n";
    shoal_free(ends);
    return ok;
}

static void composer_clear(composer *m)
{
    shoal_free(m->texts);
    shoal_free(m->attr_of_column);
    shoal_buffer_clear(&m->quoted);
    shoal_buffer_clear(&m->out);
}

static shoal_text text_of(const composer *m, uint32_t slot, uint32_t attr)
{
    uint32_t number;
    memcpy(&number, m->change->state->slots.tuples.values[slot].data + attr * sizeof number, sizeof number);
    return m->texts[number];
}

/* `row` SHOAL_NO_CODE: the header. */
static void add_record(composer *m, const char *at, const char *end, uint32_t row)
{
    const shoal_table *table = m->change->table;
    bool is_first = true;
    for (size_t col = 0; col < table->n_columns; col++) {
        const shoal_column *column = &table->columns[col];
        shoal_field field;
        shoal_scan_field(&field, &at, end, table->delimiter);
        if (!shoal_role_is_published(column->role)) continue;
        shoal_text text = { field.begin, (size_t)(field.end - field.begin) };
        if (row != SHOAL_NO_CODE && m->attr_of_column[col] != SHOAL_NO_CODE) text = text_of(m, m->change->slots[row], m->attr_of_column[col]);
        else if (row != SHOAL_NO_CODE && column->role == SHOAL_ROLE_PSEUDONYM) text = column->pseudonyms[shoal_column_code(column, row)];
        if (!is_first) shoal_buffer_add(&m->out, &table->delimiter, 1);
        shoal_buffer_add(&m->out, text.data, text.length);
        is_first = false;
    }
    shoal_buffer_add(&m->out, m->line_end, strlen(m->line_end));
}

static shoal_status flush(composer *m, const shoal_sink *sink, size_t least, shoal_error *err)
{
    if (m->out.failed) return shoal_fail_memory(err);
    if (m->out.size < least || m->out.size == 0) return SHOAL_OK;
    int failure = sink->write(sink->payload, SHOAL_SINK_RELEASE, m->out.data, m->out.size);
    m->out.size = 0;
    if (failure == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO, "the release cannot be written: %s {fix} make room, or choose another folder", strerror(failure));
}

/* First byte of the header: after a byte order mark and blank lines. */
static const char *find_header(const shoal_table *table)
{
    const char *at = table->data, *end = at + table->data_size;
    if (end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) at += 3;
    while (at < end && (*at == '\n' || (*at == '\r' && at + 1 < end && at[1] == '\n'))) at++;
    return at;
}

static shoal_status write_all(composer *m, const shoal_sink *sink, shoal_error *err)
{
    const shoal_change *c = m->change;
    const char *end = c->table->data + c->table->data_size;
    add_record(m, find_header(c->table), end, SHOAL_NO_CODE);
    for (uint64_t row = 0; row < c->table->n_rows; row++) {
        if (c->slots[row] == SHOAL_NO_CODE) continue;
        add_record(m, c->table->data + c->table->row_offset[row], end, (uint32_t)row);
        SHOAL_RETURN_IF_ERROR(flush(m, sink, BLOCK, err));
    }
    return flush(m, sink, 1, err);
}

shoal_status shoal_change_write(const shoal_change *c, const shoal_sink *sink, shoal_error *err)
{
    composer m = { .change = c };
    SHOAL_RETURN_IF_ERROR(sink->open(sink->payload, SHOAL_SINK_RELEASE, err));
    shoal_status status = composer_make(&m) ? write_all(&m, sink, err) : shoal_fail_memory(err);
    composer_clear(&m);
    return status;
}
