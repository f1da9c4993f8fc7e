/* SPDX-License-Identifier: Apache-2.0 */
/* write_csv.c - the release as CSV: the input with recoded quasi-identifiers.
 *
 * The input text is scanned again. A published column that is not a quasi-identifier is copied
 * unchanged, quotes included; a quasi-identifier gets its recoded text; other columns are left out.
 * Records whose quotes enclose whole fields are built from a few pieces (splice.h), the others
 * field by field. Rows are divided into blocks of fixed size. The blocks of a wave are made in
 * parallel; while the next wave is made, the calling thread passes the finished one to the caller's
 * function, in order. So the bytes do not depend on the number of threads, and only two waves are
 * in memory. A bucketised release (buckets.h) also copies quasi-identifiers unchanged, drops the
 * sensitive column and ends each row with the number of its group.
 *
 * Cost: O(input size + output size).
 */
#include "published/buckets.h"
#include "publish/row_shares.h"
#include "publish/publish.h"
#include "publish/recode.h"
#include "publish/splice.h"
#include "table/csv_index.h"
#include "table/line_index.h"
#include "table/window.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK_ROWS = 16384, BLOCKS_PER_THREAD = 4, AHEAD = 12, MOST_RESERVED = 1 << 20 };
#define NOT_QUASI SHOAL_NO_CODE

typedef struct writer {
    const shoal_table *table;
    const shoal_recoding *recoding;
    bool drop_suppressed;
    bool is_bucketed;
    /* of generalised sensitive values, with quotes where CSV needs them; NULL: there are none */
    shoal_text *labels;
    size_t max_label;
    shoal_arena label_arena;
    uint32_t *attr_of_column; /* or NOT_QUASI */
    uint8_t *is_published;    /* of each column */
    bool is_spliced;          /* records without odd quotes use splice.h */
    shoal_splice splice;
    /* n_groups x n_attrs, then a row of `*`: the texts of a row are adjacent */
    uint32_t *text_of_cell;
    size_t n_scanned; /* columns up to the last published one */
    size_t n_published;
    /* greatest size in bytes of a row's recoded texts, separators and line end */
    size_t max_recoded;
    const char *line_end;
    size_t line_end_size;
    uint32_t threads;
    const shoal_callbacks *callbacks;
    double done_before, done_after; /* fraction of the input before and after a window */
} writer;

/* First byte of the header, or of the first row if there is none. */
static const char *first_record(const shoal_table *table)
{
    const shoal_text_source *text = shoal_table_text(table);
    return text->data + text->head;
}

/* The line ends of the release are those of the input's first line. */
static void find_line_end(writer *w)
{
    const shoal_table *table = w->table;
    const shoal_text_source *text = shoal_table_text(table);
    const char *at = first_record(table), *end = shoal_table_text_end(table);
    shoal_field field;
    while (at < end && shoal_scan_field(&field, &at, end, text->delimiter) == SHOAL_FIELD_MORE) {
    }
    bool is_crlf = at - text->data >= 2 && at[-1] == '\n' && at[-2] == '\r';
    w->line_end = is_crlf ? "\r\n" : "\n";
    w->line_end_size = strlen(w->line_end);
}

static bool reserve(shoal_buffer *buffer, size_t more)
{
    void *data = buffer->data;
    if (!shoal_reserve(&data, &buffer->capacity, buffer->size + more, 1)) return false;
    buffer->data = data;
    return true;
}

static void append(shoal_buffer *buffer, const char *data, size_t size)
{
    memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
}

/* The published text of a row: that of its group, except that a missing value that matches
 * everything is unchanged. */
static inline shoal_text quasi_text(const writer *w, uint32_t a, uint64_t row,
                                    const uint32_t *texts)
{
    const shoal_recoded_column *column = &w->recoding->columns[a];
    const shoal_attribute *attr = column->attr;
    uint32_t text = texts[a];
    if (attr->wild_code != SHOAL_NO_CODE) text = shoal_recoded_text(w->recoding, a, row);
    return column->csv[text];
}

static bool find_published(const writer *w, size_t column)
{
    shoal_role role = w->table->columns[column].role;
    const shoal_grouping *g = w->recoding->grouping;
    if (g->sensitive.text_of_row != NULL && column == g->sensitive.withheld_column) return false;
    return w->is_bucketed ? shoal_role_is_bucketed(role) : shoal_role_is_published(role);
}

/* What is published instead of the sensitive value or the identifier of a row, ready for CSV; NULL:
 * the value itself. */
static const shoal_text *label_of(const writer *w, size_t column, uint64_t row)
{
    const shoal_column *source = &w->table->columns[column];
    if (source->role == SHOAL_ROLE_PSEUDONYM)
        return &source->pseudonyms[shoal_column_code(source, row)];
    const shoal_grouping *g = w->recoding->grouping;
    if (w->labels == NULL || column != g->sensitive.column ||
        g->sensitive.text_of_row[row] == SHOAL_NO_CODE)
        return NULL;
    return &w->labels[g->sensitive.text_of_row[row]];
}

/* plan_columns() has reserved room for it. */
static void add_group(const writer *w, shoal_buffer *out, uint64_t row, bool is_first,
                      bool is_header)
{
    char text[SHOAL_GROUP_NAME_SIZE];
    if (is_header)
        shoal_bucket_group_name(text, w->table);
    else
        snprintf(text, sizeof text, "%u", w->recoding->grouping->group_of_row[row] + 1);
    if (!is_first) out->data[out->size++] = shoal_table_text(w->table)->delimiter;
    append(out, text, strlen(text));
}

/*
 * Add one record. Without `texts` it is the header: published fields are copied unchanged. Room for
 * the record's own bytes and all recoded texts is reserved once, so that no field needs a check.
 */
static bool add_record(const writer *w, shoal_buffer *out, const char *at, const char *end,
                       uint64_t row, const uint32_t *texts)
{
    const shoal_table *table = w->table;
    const shoal_text_source *source = shoal_table_text(table);
    bool is_first = true;
    if (!reserve(out, (size_t)(end - at) + w->max_recoded)) return false;
    for (size_t c = 0; c < w->n_scanned; c++) {
        shoal_field field;
        shoal_scan_field(&field, &at, end, source->delimiter);
        if (!w->is_published[c]) continue;
        if (!is_first) out->data[out->size++] = source->delimiter;
        is_first = false;
        uint32_t attr = w->attr_of_column[c];
        const shoal_text *label = texts == NULL ? NULL : label_of(w, c, row);
        if (label != NULL) {
            append(out, label->data, label->length);
        } else if (attr == NOT_QUASI || texts == NULL) {
            append(out, field.begin, (size_t)(field.end - field.begin));
        } else {
            shoal_text text = quasi_text(w, attr, row, texts);
            append(out, text.data, text.length);
        }
    }
    if (w->is_bucketed) add_group(w, out, row, is_first, texts == NULL);
    append(out, w->line_end, w->line_end_size);
    return true;
}

/* Numbers of the texts of a row; `*` for a suppressed one. */
static inline const uint32_t *texts_of_row(const writer *w, uint64_t row)
{
    const shoal_grouping *grouping = w->recoding->grouping;
    uint32_t group = grouping->group_of_row[row];
    if (group == SHOAL_SUPPRESSED) group = grouping->n_groups;
    return w->text_of_cell + (size_t)group * w->recoding->n_attrs;
}

static bool is_dropped(const writer *w, uint64_t row)
{
    return w->drop_suppressed && w->recoding->grouping->group_of_row[row] == SHOAL_SUPPRESSED;
}

/* Number of consecutive rows from `row` on, within the indexed text, whose records have one field
 * per column and follow each other without blank lines: each must begin where the separator list
 * has it. */
static uint32_t count_regular(const writer *w, const shoal_csv_index *index, uint64_t row,
                              uint64_t end_row)
{
    const uint64_t *offset = shoal_table_text(w->table)->row_offset + row;
    uint32_t n = 0;
    while (index->is_regular && n < index->n_feeds && row + n < end_row &&
           (size_t)(index->feeds[n + 1] - index->feeds[n]) == w->table->n_columns &&
           offset[n] - offset[0] == (uint16_t)(index->marks[index->feeds[n]] + 1))
        n++;
    return n;
}

/* Add n rows with such records, beginning at `text`. */
static bool add_spliced(const writer *w, shoal_buffer *out, const char *text,
                        const shoal_csv_index *index, uint64_t row, uint32_t n, uint64_t end_row)
{
    /* limits the reservation if one text is very long */
    size_t few = MOST_RESERVED / w->max_recoded + 1;
    char *at = NULL;
    for (uint32_t i = 0; i < n; i++, row++) {
        if (i % few == 0) {
            if (at != NULL) out->size = (size_t)(at - out->data);
            size_t rows = n - i < few ? n - i : few;
            if (!reserve(out, SHOAL_CSV_STRETCH + rows * w->max_recoded + SHOAL_SPLICE_SLACK))
                return false;
            at = out->data + out->size;
        }
        /* Rows come in any order of groups, so a cache miss on a row's texts would take longer than
         * writing the row: prefetch them. (Inline, because compilers drop a function that only
         * prefetches.) */
        const uint32_t *coming = texts_of_row(w, row + AHEAD < end_row ? row + AHEAD : row);
        __builtin_prefetch(coming);
        __builtin_prefetch(coming + w->recoding->n_attrs - 1);
        if (is_dropped(w, row)) continue;
        at = shoal_splice_row(&w->splice, at, text, index->marks + index->feeds[i],
                              texts_of_row(w, row));
    }
    out->size = (size_t)(at - out->data);
    return true;
}

/* Add the rows that begin before `limit`, field by field; *row is the next one afterwards. */
static bool add_singly(const writer *w, shoal_buffer *out, uint64_t *row, uint64_t end_row,
                       const char *limit)
{
    for (; *row < end_row && shoal_table_record(w->table, *row) < limit; (*row)++) {
        const char *begin = shoal_table_record(w->table, *row);
        if (!is_dropped(w, *row) &&
            !add_record(w, out, begin, shoal_table_record_end(w->table, *row), *row,
                        texts_of_row(w, *row)))
            return false;
    }
    return true;
}

static bool add_block(const writer *w, shoal_buffer *out, shoal_csv_index *index, uint64_t block)
{
    const shoal_table *table = w->table;
    uint64_t row = block * BLOCK_ROWS, end_row = row + BLOCK_ROWS;
    if (end_row > table->n_rows) end_row = table->n_rows;
    const shoal_text_source *source = shoal_table_text(table);
    const char *block_text = source->data + source->row_offset[row],
               *block_end = shoal_table_record_end(table, end_row - 1);
    out->size = 0;
    while (row < end_row) {
        const char *text = source->data + source->row_offset[row];
        size_t size = block_end - text < SHOAL_CSV_STRETCH ? (size_t)(block_end - text)
                                                           : SHOAL_CSV_STRETCH;
        uint32_t n = 0, n_lines = 0;
        if (w->is_spliced) {
            shoal_csv_index_make(index, text, size, source->delimiter);
            n = count_regular(w, index, row, end_row);
            n_lines = index->n_feeds;
        }
        if (n > 0 && !add_spliced(w, out, text, index, row, n, end_row)) return false;
        row += n;
        if ((n == 0 || n < n_lines) && !add_singly(w, out, &row, end_row, text + size))
            return false;
    }
    if (source->is_map) shoal_pages_forget(block_text, (size_t)(block_end - block_text));
    return true;
}

static shoal_status hand_over(const shoal_buffer *buffer, shoal_write_fn write, void *payload,
                              shoal_error *err)
{
    if (buffer->size == 0) return SHOAL_OK;
    int code = write(buffer->data, buffer->size, payload);
    if (code == 0) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EIO, "release: cannot write the output: %s", strerror(code));
}

static shoal_status report(const writer *w, double fraction, shoal_error *err)
{
    /* of a window */
    if (w->done_after > 0) fraction = w->done_before + (w->done_after - w->done_before) * fraction;
    if (!shoal_progress_stops(w->callbacks, "write", fraction)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_ECANCELLED, "release: stopped while writing");
}

static shoal_status write_header(const writer *w, shoal_write_fn write, void *payload,
                                 shoal_error *err)
{
    const shoal_text_source *text = shoal_table_text(w->table);
    shoal_buffer line = { 0 };
    const char *begin = first_record(w->table);
    /* sep=; */
    shoal_buffer_add(&line, text->data + text->first_line, text->head - text->first_line);
    bool is_made = !line.failed && (!shoal_table_has_header(w->table) ||
                                    add_record(w, &line, begin, text->data + text->body, 0, NULL));
    shoal_status status = is_made ? hand_over(&line, write, payload, err) : shoal_fail_memory(err);
    shoal_buffer_clear(&line);
    return status;
}

/* Blocks that are made together and then wait for output. */
typedef struct wave {
    shoal_buffer *buffers;
    uint64_t n;
} wave;

static shoal_status hand_over_wave(const wave *ready, shoal_write_fn write, void *payload,
                                   shoal_error *err)
{
    for (uint64_t b = 0; b < ready->n; b++)
        SHOAL_RETURN_IF_ERROR(hand_over(&ready->buffers[b], write, payload, err));
    return SHOAL_OK;
}

static shoal_status write_rows(const writer *w, shoal_write_fn write, void *payload,
                               shoal_error *err)
{
    uint64_t n_blocks = (w->table->n_rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    uint64_t wave_size = (uint64_t)w->threads * BLOCKS_PER_THREAD;
    shoal_status status = SHOAL_OK;
    bool ok = true;
    if (wave_size > n_blocks) wave_size = n_blocks;
    shoal_buffer *buffers = shoal_alloc_zero((size_t)wave_size * 2, sizeof *buffers);
    if (buffers == NULL) return shoal_fail_memory(err);
    wave ready = { buffers, 0 }, next = { buffers + wave_size, 0 };
    for (uint64_t first = 0; ok && status == SHOAL_OK && (first < n_blocks || ready.n > 0);
         first += next.n) {
        next.n = n_blocks - first < wave_size ? n_blocks - first : wave_size;
#pragma omp parallel num_threads(w->threads) reduction(&& : ok)
        {
#pragma omp master /* the calling thread; the others start the loop, and it joins them afterwards  \
                    */
            status = hand_over_wave(&ready, write, payload, err);
            shoal_csv_index *index = shoal_alloc(1, sizeof *index);
            ok = index != NULL;
#pragma omp for schedule(dynamic)
            for (uint64_t b = 0; b < next.n; b++)
                ok = ok && add_block(w, &next.buffers[b], index, first + b);
            shoal_free(index);
        }
        if (ok && status == SHOAL_OK && first > 0)
            status = report(w, (double)first / (double)n_blocks, err);
        wave spelled = next;
        next.buffers = ready.buffers;
        ready = spelled;
    }
    if (!ok) status = shoal_fail_memory(err);
    for (uint64_t b = 0; b < wave_size * 2; b++) shoal_buffer_clear(&buffers[b]);
    shoal_free(buffers);
    return status;
}

/* The rows of a table that were only counted: read, dealt to their groups and written a window at a
 * time. */
static shoal_status write_windows(const writer *whole, shoal_write_fn write, void *payload,
                                  shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    const shoal_table *table = whole->table;
    const shoal_grouping *grouping = whole->recoding->grouping;
    shoal_grouping dealt = *grouping;
    /* of a window: what is not of its rows is borrowed from the whole */
    shoal_recoding recoding = *whole->recoding;
    writer w = *whole;
    shoal_table rows;
    shoal_text_source text;
    shoal_row_shares shares;
    shoal_window window;
    bool is_there = true;
    SHOAL_RETURN_IF_ERROR(shoal_row_shares_make(&shares, table, grouping, w.threads, err));
    SHOAL_GOTO_IF_ERROR(shoal_window_open(&window, table,
                                          shoal_table_line_index(table)->window_bytes, w.threads,
                                          err),
                        shares);
    recoding.grouping = &dealt;
    w.recoding = &recoding;
    w.table = &rows;
    for (w.done_before = 0;; w.done_before = shoal_window_progress(&window)) {
        SHOAL_GOTO_IF_ERROR(shoal_window_next(&window, &is_there, err), window);
        if (!is_there) break;
        SHOAL_GOTO_IF_ERROR(shoal_row_shares_assign(&shares, &window.rows, err), window);
        rows = window.rows;
        text = window.text;
        text.size = text.window_next; /* end of the last record */
        rows.source = &text.base;
        dealt.group_of_row = shares.group;
        dealt.lines = (shoal_lines){ rows.n_rows, shares.line, NULL };
        w.done_after = shoal_window_progress(&window);
        if (rows.n_rows > 0) SHOAL_GOTO_IF_ERROR(write_rows(&w, write, payload, err), window);
    }
window:
    shoal_window_close(&window);
shares:
    shoal_row_shares_clear(&shares);
    return status;
}

static void plan_columns(writer *w)
{
    const shoal_table *table = w->table;
    const shoal_space *space = &w->recoding->grouping->space;
    w->max_recoded = w->line_end_size;
    for (size_t c = 0; c < table->n_columns; c++) w->attr_of_column[c] = NOT_QUASI;
    w->max_recoded += w->max_label;
    if (w->is_bucketed) w->max_recoded += SHOAL_GROUP_NAME_SIZE + 1;
    for (uint32_t a = 0; a < space->n_attrs && !w->is_bucketed; a++) {
        w->attr_of_column[space->attrs[a].column] = a;
        w->max_recoded += w->recoding->columns[a].max_csv_length;
    }
    for (size_t c = 0; c < table->n_columns; c++) {
        w->is_published[c] = find_published(w, c);
        if (!w->is_published[c]) continue;
        w->n_scanned = c + 1;
        w->max_recoded++; /* its separator */
        if (table->columns[c].role == SHOAL_ROLE_PSEUDONYM)
            w->max_recoded += SHOAL_PSEUDONYM_LENGTH;
    }
}

/*
 * Rows come in any order of groups: with the texts of a group adjacent, a row costs one cache miss,
 * not one per column.
 */
static bool gather_texts(writer *w)
{
    const shoal_recoding *recoding = w->recoding;
    uint32_t n_groups = recoding->grouping->n_groups, n_attrs = recoding->n_attrs;
    w->text_of_cell = shoal_alloc(((size_t)n_groups + 1) * n_attrs, sizeof *w->text_of_cell);
    if (w->text_of_cell == NULL) return false;
    for (uint32_t g = 0; g < n_groups; g++)
        for (uint32_t a = 0; a < n_attrs; a++)
            w->text_of_cell[(size_t)g * n_attrs + a] = recoding->columns[a].text_of_group[g];
    for (uint32_t a = 0; a < n_attrs; a++)
        w->text_of_cell[(size_t)n_groups * n_attrs + a] = SHOAL_TEXT_STAR;
    return true;
}

static bool has_pseudonyms(const shoal_table *table)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_PSEUDONYM) return true;
    return false;
}

/* Rows that consist only of unchanged input and the texts of their group can use splice.h. */
static bool plan_splice(writer *w)
{
    w->is_spliced = !w->is_bucketed && w->labels == NULL && !has_pseudonyms(w->table);
    for (uint32_t a = 0; a < w->recoding->n_attrs; a++)
        if (w->recoding->columns[a].attr->wild_code != SHOAL_NO_CODE) w->is_spliced = false;
    return !w->is_spliced || shoal_splice_make(&w->splice, w->table, w->recoding, w->attr_of_column,
                                               w->is_published, w->line_end);
}

static bool quote_labels(writer *w)
{
    const shoal_grouping *g = w->recoding->grouping;
    if (g->sensitive.text_of_row == NULL) return true;
    uint32_t n = 0;
    for (uint64_t row = 0; row < g->n_rows; row++)
        if (g->sensitive.text_of_row[row] != SHOAL_NO_CODE && g->sensitive.text_of_row[row] >= n)
            n = g->sensitive.text_of_row[row] + 1;
    w->labels = shoal_alloc_zero(n, sizeof *w->labels);
    if (w->labels == NULL) return false;
    for (uint32_t i = 0; i < n; i++) {
        if (g->sensitive.texts[i].data == NULL) continue; /* a leaf */
        if (!shoal_quote_csv(&w->labels[i], g->sensitive.texts[i], shoal_table_delimiter(w->table),
                             &w->label_arena))
            return false;
        if (w->labels[i].length > w->max_label) w->max_label = w->labels[i].length;
    }
    return true;
}

static size_t count_published(const shoal_table *table)
{
    size_t n = 0;
    for (size_t c = 0; c < table->n_columns; c++)
        n += shoal_role_is_published(table->columns[c].role);
    return n;
}

static shoal_status check_arguments(const shoal_table *table, const shoal_grouping *grouping,
                                    const shoal_release_options *options, shoal_error *err)
{
    if (options != NULL && (options->size == 0 || options->size > sizeof *options))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "release: options not initialised, or made for a newer version of the library");
    if (grouping->n_rows != table->total)
        return shoal_fail(err, SHOAL_EINVAL,
                          "release: the grouping has %llu rows, the table %llu {fix} use the table "
                          "it was made from",
                          (unsigned long long)grouping->n_rows, (unsigned long long)table->total);
    if (shoal_table_is_counted(table))
        return shoal_fail(err, SHOAL_EINVAL,
                          "release: a table of counts has no rows {fix} write a mapping, see "
                          "shoal_release_write_mapping()");
    if (shoal_table_has_batches(table))
        return shoal_fail(err, SHOAL_EINVAL,
                          "release: the table came from Arrow and has no text {fix} write the "
                          "release as Arrow batches");
    return SHOAL_OK;
}

shoal_status shoal_release_write_csv(const shoal_table *table, const shoal_grouping *grouping,
                                     const shoal_release_options *options, shoal_write_fn write,
                                     void *payload, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(check_arguments(table, grouping, options, err));
    shoal_release_options set = SHOAL_RELEASE_OPTIONS_INIT;
    /* an older caller leaves newer fields at zero */
    if (options != NULL) memcpy(&set, options, options->size);

    shoal_status status = SHOAL_OK;
    shoal_recoding recoding = { 0 };
    writer w = { .table = table,
                 .recoding = &recoding,
                 .drop_suppressed = set.drop_suppressed,
                 .is_bucketed = grouping->is_bucketed,
                 .threads = set.threads > 0 ? set.threads : 1,
                 .callbacks = set.callbacks,
                 .n_published = count_published(table) };
    w.attr_of_column = shoal_alloc(table->n_columns, sizeof *w.attr_of_column);
    w.is_published = shoal_alloc(table->n_columns, sizeof *w.is_published);
    if (w.attr_of_column == NULL || w.is_published == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(shoal_recoding_make(&recoding, grouping, shoal_table_delimiter(table),
                                            w.n_published == 1, w.threads, err),
                        out);
    if (!gather_texts(&w) || !quote_labels(&w)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    find_line_end(&w);
    plan_columns(&w);
    if (!plan_splice(&w)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(write_header(&w, write, payload, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_table_is_streamed(table) ? write_windows(&w, write, payload, err)
                                                       : write_rows(&w, write, payload, err),
                        out);
out:
    shoal_recoding_clear(&recoding);
    shoal_splice_clear(&w.splice);
    shoal_free(w.attr_of_column);
    shoal_free(w.is_published);
    shoal_free(w.text_of_cell);
    shoal_free(w.labels);
    shoal_arena_clear(&w.label_arena);
    return status;
}
