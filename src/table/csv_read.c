/* SPDX-License-Identifier: Apache-2.0 */
/* csv_read.c - read all rows of a CSV table, in parallel over blocks, with the result of one serial
 * pass.
 *
 * Where the records of a block begin depends on everything before it: a line feed may be inside
 * quotes. So each block is first assumed to begin outside quotes and all blocks are parsed at once.
 * Then the chain is checked: a block is right when it starts where the one before it ended. The
 * first wrong block gets its true start, the starts after it are guessed again from the number of
 * quotes before them (odd: inside), and the wrong ones are parsed again. That guess fails only
 * after a quote that is plain text in an unquoted field; after GUESSING_ROUNDS rounds only the one
 * wrong block is parsed each time, so the work is bounded.
 *
 * A text that is still being unpacked (growing.h) is cut into blocks as it grows: an idle thread
 * makes the next block, one thread at a time, and then reads it, while others make those after it.
 * A block is read when some more text than its own is there. Where that was not enough, or there
 * seems to be a problem, it is read again when the text is complete.
 *
 * Invariant: blocks 0..n_right-1 hold what a serial parse would give. A problem counts only in a
 * block that is right, and the first one is reported, so messages do not depend on threads either.
 * Cost: O(bytes) expected; 12 bytes per row while the rows are gathered, 8 afterwards. Of a mapped
 * file only the blocks in work are resident, because the pages of a block are given back once it
 * has been read.
 */
#include "base/invariant.h"
#include "table/csv.h"
#include "table/growing.h"

#include <omp.h>
#include <stdatomic.h>

enum { GUESSING_ROUNDS = 4 };

#define MAX_ROWS ((uint64_t)UINT32_MAX - 2) /* row numbers are 32 bits */
/* Progress after parsing; the rest is encoding. */
#define AFTER_PARSING 0.9
/* This much text after a block is available before it is read: mostly its last record ends in that.
 */
#define OVERHANG ((size_t)1 << 16)

typedef struct loading {
    shoal_table *table;
    const shoal_load_options *options;
    uint32_t threads;
    shoal_csv_job job;
    shoal_csv_block *blocks;
    size_t n_blocks, n_right, block_size;
    atomic_size_t n_done; /* blocks parsed, for progress */
    atomic_bool cancelled;

    /* While the text grows: the lock protects the text, the blocks and these. */
    omp_lock_t lock;
    size_t block_room;
    double share;        /* of the text that is there */
    shoal_status status; /* of making it */
    shoal_error error;
} loading;

/* Must be called on the caller's thread. */
static void report_progress(loading *load, double fraction)
{
    if (atomic_load(&load->cancelled)) return;
    if (shoal_progress_stops(load->options->callbacks, "read", fraction))
        atomic_store(&load->cancelled, true);
}

/* `reader` is NULL when it could not be allocated. */
static void parse_block(shoal_csv_reader *reader, shoal_csv_block *block)
{
    if (block->start >= block->end) return;
    if (reader != NULL)
        shoal_csv_parse_block(reader, block);
    else
        block->problem = SHOAL_CSV_NO_MEMORY;
}

/*
 * Called on any thread after a block: gives the pages of a mapped file back and reports progress on
 * the first thread. Blocks that are parsed twice do not push the fraction above AFTER_PARSING.
 */
static void finish_block(loading *load, const shoal_csv_block *block)
{
    if (shoal_table_text(load->table)->is_map)
        shoal_pages_forget(load->job.data + block->begin, block->end - block->begin);
    double share = (double)(atomic_fetch_add(&load->n_done, 1) + 1) / (double)load->n_blocks;
    if (omp_get_thread_num() == 0) report_progress(load, AFTER_PARSING * (share < 1 ? share : 1));
}

static shoal_status check_cancelled(loading *load, shoal_error *err)
{
    if (!atomic_load(&load->cancelled)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_ECANCELLED, "{source csv}: reading was stopped on request");
}

static shoal_status plan_columns(loading *load, shoal_error *err)
{
    shoal_table *table = load->table;
    const shoal_text_source *text = shoal_table_text(table);
    shoal_csv_job *job = &load->job;
    *job = (shoal_csv_job){ .data = text->data,
                            .delimiter = text->delimiter,
                            .n_columns = table->n_columns,
                            .copies_texts = text->is_map };
    job->slot_of_column = shoal_alloc(table->n_columns, sizeof *job->slot_of_column);
    job->column_of_slot = shoal_alloc(table->n_columns, sizeof *job->column_of_slot);
    if (job->slot_of_column == NULL || job->column_of_slot == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < table->n_columns; i++) {
        bool encoded = load->options->encode_all || shoal_role_is_encoded(table->columns[i].role);
        job->slot_of_column[i] = encoded ? job->n_encoded : SHOAL_NO_CODE;
        if (encoded) job->column_of_slot[job->n_encoded++] = i;
    }
    return SHOAL_OK;
}

static shoal_status cut_blocks(loading *load, shoal_error *err)
{
    const shoal_text_source *text = shoal_table_text(load->table);
    size_t block_size = load->block_size, body = text->body,
           size = text->window_end > 0 ? text->window_end : text->size;
    load->n_blocks = size > body ? (size - body - 1) / block_size + 1 : 0;
    load->blocks = shoal_alloc_zero(load->n_blocks, sizeof *load->blocks);
    if (load->blocks == NULL) return shoal_fail_memory(err);
    for (size_t i = 0; i < load->n_blocks; i++) {
        shoal_csv_block *block = &load->blocks[i];
        block->begin = body + i * block_size;
        block->end = size - block->begin > block_size ? block->begin + block_size : size;
        block->text_end = text->size;
    }
    return SHOAL_OK;
}

/* 64 counters of one byte each, emptied before one can overflow (after 255 steps): compilers
 * vectorise this. */
static uint64_t count_quotes(const char *data, size_t size)
{
    enum { LANES = 64, MAX_STEPS = 255 };
    uint64_t n = 0;
    while (size >= LANES) {
        uint8_t lanes[LANES] = { 0 };
        size_t n_steps = size / LANES < MAX_STEPS ? size / LANES : MAX_STEPS;
        for (size_t step = 0; step < n_steps; step++, data += LANES, size -= LANES)
            for (size_t i = 0; i < LANES; i++) lanes[i] = (uint8_t)(lanes[i] + (data[i] == '"'));
        for (size_t i = 0; i < LANES; i++) n += lanes[i];
    }
    for (size_t i = 0; i < size; i++) n += data[i] == '"';
    return n;
}

/* Count the quotes up to `end` and look for NUL bytes, in steps that fit the first-level cache. */
static void survey_bytes(shoal_csv_block *block, const char *data, size_t end)
{
    enum { STEP = 16384 };
    for (size_t at = block->begin; at < end; at += STEP) {
        size_t size = end - at < STEP ? end - at : STEP;
        block->n_quotes += count_quotes(data + at, size);
        const char *nul = block->nul_at == SIZE_MAX ? memchr(data + at, 0, size) : NULL;
        if (nul != NULL) block->nul_at = (size_t)(nul - data);
    }
}

/*
 * Count the quotes and find the first NUL byte of a block. Where a complete parse met none, only
 * the bytes before its first record are left to check.
 */
static void survey_block(shoal_csv_block *block, const char *data)
{
    bool is_seen = block->is_parsed && block->is_plain && block->problem == SHOAL_CSV_FINE;
    block->nul_at = SIZE_MAX;
    survey_bytes(block, data, is_seen ? block->start : block->end);
}

static shoal_status check_nul(const loading *load, shoal_error *err)
{
    for (size_t i = 0; i < load->n_blocks; i++)
        if (load->blocks[i].nul_at != SIZE_MAX)
            return shoal_fail(
                err, SHOAL_EDATA,
                "{source csv}: line {line %llu} has a NUL byte, so the file is not plain text "
                "{fix} correct it, or convert it with iconv if it is UTF-16",
                (unsigned long long)shoal_csv_line(load->table, load->blocks[i].nul_at));
    return SHOAL_OK;
}

/* First record start of a block that begins inside or outside quotes. Searches only the block. */
static size_t guess_start(const shoal_csv_block *block, const char *data, bool in_quotes)
{
    if (!in_quotes && data[block->begin - 1] == '\n') return block->begin;
    for (size_t at = block->begin; at < block->end; at++) {
        if (in_quotes) {
            const char *quote = block->n_quotes > 0 ? memchr(data + at, '"', block->end - at)
                                                    : NULL;
            if (quote == NULL) break;
            at = (size_t)(quote - data);
            in_quotes = false;
        } else if (data[at] == '"') {
            in_quotes = true;
        } else if (data[at] == '\n') {
            return at + 1;
        }
    }
    return SHOAL_CSV_NO_START;
}

/* Guess where the blocks after `first` start, given that the start of `first` is right, so outside
 * quotes. */
static void guess_starts(loading *load, size_t first)
{
    const char *data = load->job.data;
    const shoal_csv_block *known = &load->blocks[first];
    uint64_t n_quotes = known->start < known->end
                            ? count_quotes(data + known->start, known->end - known->start)
                            : 0;
    for (size_t i = first + 1; i < load->n_blocks; i++) {
        shoal_csv_block *block = &load->blocks[i];
        size_t start = guess_start(block, data, n_quotes % 2 == 1);
        if (start != block->start) block->is_parsed = false;
        block->start = start;
        n_quotes += block->n_quotes;
    }
}

/* Could a block that was read be read differently when more text follows? */
static bool may_differ(const shoal_csv_block *block)
{
    if (block->problem == SHOAL_CSV_NO_MEMORY) return false;
    return block->problem != SHOAL_CSV_FINE || (block->is_parsed && block->next >= block->text_end);
}

/*
 * First round, one pass over each block: assume that it begins outside quotes, parse from its first
 * line end on, and count its quotes. Wrong only if a quoted field with line ends spans two blocks,
 * which check_chain() detects.
 */
static void read_block(loading *load, shoal_csv_reader *reader, shoal_csv_block *block)
{
    size_t body = shoal_table_text(load->table)->body;
    block->start = block->begin == body ? body : guess_start(block, load->job.data, false);
    parse_block(reader, block); /* SHOAL_CSV_NO_START is beyond every end: nothing is parsed */
    if (block->text_grows && may_differ(block)) shoal_csv_block_clear(block, &load->job);
    survey_block(block, load->job.data);
}

static void read_blocks(loading *load)
{
#pragma omp parallel num_threads(load->threads) if (load->n_blocks > 1)
    {
        shoal_csv_reader *reader = shoal_csv_reader_new(&load->job);
#pragma omp for schedule(dynamic)
        for (size_t i = 0; i < load->n_blocks; i++)
            if (!atomic_load(&load->cancelled)) {
                read_block(load, reader, &load->blocks[i]);
                finish_block(load, &load->blocks[i]);
            }
        shoal_csv_reader_free(reader);
    }
}

/* Make the text grow to `size` bytes, or to its end. */
static void grow_to(loading *load, size_t size)
{
    shoal_table *table = load->table;
    const shoal_text_source *text = shoal_table_text(table);
    while (load->status == SHOAL_OK && text->grow != NULL && text->size < size &&
           !atomic_load(&load->cancelled))
        load->status = shoal_table_grow(table, &load->share, &load->error);
}

/* Cut the next block, number *i, from a text that grows; false when there is none. */
static bool cut_block(loading *load, size_t *i)
{
    const shoal_table *table = load->table;
    const shoal_text_source *text = shoal_table_text(table);
    void *blocks = load->blocks;
    size_t begin = text->body + load->n_blocks * load->block_size, end = begin + load->block_size;
    grow_to(load, end + (load->block_size < OVERHANG ? load->block_size : OVERHANG));
    if (load->status != SHOAL_OK || atomic_load(&load->cancelled) || begin >= text->size)
        return false;
    if (!shoal_reserve(&blocks, &load->block_room, load->n_blocks + 1, sizeof *load->blocks)) {
        load->status = shoal_fail_memory(&load->error);
        return false;
    }
    load->blocks = blocks;
    *i = load->n_blocks++;
    load->blocks[*i] = (shoal_csv_block){ .begin = begin,
                                          .end = end < text->size ? end : text->size,
                                          .text_end = text->size,
                                          .text_grows = text->grow != NULL };
    return true;
}

/* On any thread: the block that was read goes to its place, unless it is the first one, and the
 * next one is cut. */
static bool take_block(loading *load, shoal_csv_block *block, size_t *i, bool is_first)
{
    omp_set_lock(&load->lock);
    if (!is_first) load->blocks[*i] = *block;
    double share = load->share;
    bool is_there = cut_block(load, i);
    /* a copy: the blocks move when there are more of them */
    if (is_there) *block = load->blocks[*i];
    omp_unset_lock(&load->lock);
    if (omp_get_thread_num() == 0) report_progress(load, AFTER_PARSING * share);
    return is_there;
}

/* As read_blocks(), for a text that grows. */
static shoal_status read_growing(loading *load, shoal_error *err)
{
    omp_init_lock(&load->lock);
#pragma omp parallel num_threads(load->threads)
    {
        shoal_csv_reader *reader = shoal_csv_reader_new(&load->job);
        shoal_csv_block block;
        size_t i;
        for (bool more = take_block(load, &block, &i, true); more;
             more = take_block(load, &block, &i, false))
            read_block(load, reader, &block);
        shoal_csv_reader_free(reader);
    }
    omp_destroy_lock(&load->lock);
    for (size_t i = 0; i < load->n_blocks; i++)
        load->blocks[i].text_end = shoal_table_text(load->table)->size;
    atomic_store(&load->n_done, load->n_blocks);
    if (load->status != SHOAL_OK && err != NULL) *err = load->error;
    return load->status;
}

/* Parse the blocks whose start was guessed again. */
static void parse_blocks(loading *load)
{
#pragma omp parallel num_threads(load->threads) if (load->n_blocks > 1)
    {
        shoal_csv_reader *reader = shoal_csv_reader_new(&load->job);
#pragma omp for schedule(dynamic)
        for (size_t i = load->n_right; i < load->n_blocks; i++) {
            shoal_csv_block *block = &load->blocks[i];
            if (block->is_parsed || block->start == SHOAL_CSV_NO_START ||
                atomic_load(&load->cancelled))
                continue;
            parse_block(reader, block);
            finish_block(load, block);
        }
        shoal_csv_reader_free(reader);
    }
}

/* Each right block begins where the one before it ended, as a serial parse would. */
static bool right_blocks_are_chained(const loading *load)
{
    for (size_t i = 0; i < load->n_right; i++)
        if (load->blocks[i].start !=
            (i == 0 ? shoal_table_text(load->table)->body : load->blocks[i - 1].next))
            return false;
    return true;
}

/*
 * Advance n_right as long as blocks start where the one before ended. False: block n_right was
 * wrong; it has its true start now and must be parsed. A block that lies wholly inside a long
 * record has no records.
 */
static bool check_chain(loading *load)
{
    for (; load->n_right < load->n_blocks; load->n_right++) {
        shoal_csv_block *block = &load->blocks[load->n_right];
        size_t start = load->n_right == 0 ? shoal_table_text(load->table)->body : block[-1].next;
        /* blocks after the first problem do not count */
        if (load->n_right > 0 && block[-1].problem != SHOAL_CSV_FINE) return true;
        if (start >= block->end) {
            shoal_csv_block_clear(block, &load->job);
            block->start = block->next = start;
        } else if (!block->is_parsed || block->start != start) {
            block->start = start;
            block->is_parsed = false;
            return false;
        }
    }
    SHOAL_INVARIANT(right_blocks_are_chained(load));
    return true;
}

static shoal_status parse_all(loading *load, shoal_error *err)
{
    if (shoal_table_text(load->table)->grow != NULL)
        SHOAL_RETURN_IF_ERROR(read_growing(load, err));
    else if (load->n_blocks == 0)
        return SHOAL_OK;
    else
        read_blocks(load);
    for (int round = 1;; round++) {
        SHOAL_RETURN_IF_ERROR(check_cancelled(load, err));
        if (round == 1) SHOAL_RETURN_IF_ERROR(check_nul(load, err));
        for (size_t i = load->n_right; i < load->n_blocks; i++)
            if (load->blocks[i].problem == SHOAL_CSV_NO_MEMORY) return shoal_fail_memory(err);
        if (check_chain(load)) return SHOAL_OK;
        if (round <= GUESSING_ROUNDS) guess_starts(load, load->n_right);
        parse_blocks(load);
    }
}

static shoal_status fail_problem(const loading *load, const shoal_csv_block *block, uint64_t row,
                                 shoal_error *err)
{
    const shoal_table *table = load->table;
    const shoal_text_source *source = shoal_table_text(table);
    unsigned long long line = shoal_csv_line(table, block->problem_at),
                       number = source->rows_before + row;
    /* of the file, which the message is about */
    size_t n_columns = table->n_columns - source->n_joined;
    const char *column = block->n_fields < n_columns ? table->columns[block->n_fields].name
                                                     : "(extra)";
    if (block->problem == SHOAL_CSV_RAGGED) {
        size_t n = block->n_fields - source->n_joined;
        return shoal_fail(err, SHOAL_EDATA,
                          "{source csv}: row {row %llu} (line {line %llu}) has %zu field%s, but "
                          "the %s has %zu {fix} %s; quote fields that contain the separator, or "
                          "set the separator with {--delimiter}",
                          number, line, n, n == 1 ? "" : "s",
                          source->has_header ? "header" : "first row", n_columns,
                          n_columns == 1 && source->has_header
                              ? "remove the lines above the header"
                              : "correct the row, or remove it if it is a note or a total");
    }
    if (block->problem == SHOAL_CSV_UNCLOSED)
        return shoal_fail(
            err, SHOAL_EDATA,
            "{source csv}: row {row %llu} (line {line %llu}), column '{column %.100s}': "
            "unterminated quote {fix} close it, or quote the field and double the quotes inside",
            number, line, column);
    return shoal_fail(err, SHOAL_EDATA,
                      "{source csv}: row {row %llu} (line {line %llu}), column '{column %.100s}': "
                      "text after a closing quote {fix} "
                      "double the quotes inside "
                      "a quoted field",
                      number, line, column);
}

/* Number the rows over all blocks, or report the first problem. */
static shoal_status gather_rows(loading *load, shoal_error *err)
{
    shoal_table *table = load->table;
    shoal_text_source *text = shoal_table_own_text(table);
    uint64_t *first_row = shoal_alloc(load->n_blocks, sizeof *first_row);
    if (first_row == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    uint64_t n_rows = 0;
    for (size_t i = 0; i < load->n_blocks; i++) {
        const shoal_csv_block *block = &load->blocks[i];
        first_row[i] = n_rows;
        n_rows += block->n_rows;
        if (block->problem != SHOAL_CSV_FINE)
            SHOAL_GOTO_IF_ERROR(fail_problem(load, block, n_rows + 1, err), out);
    }
    if (n_rows > MAX_ROWS) {
        status = shoal_fail(
            err, SHOAL_EDATA,
            "{source csv}: %llu rows {fix} split the table; at most %llu rows are supported",
            (unsigned long long)n_rows, (unsigned long long)MAX_ROWS);
        goto out;
    }
    text->row_offset = shoal_alloc(n_rows, sizeof *text->row_offset);
    if (text->row_offset == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    table->n_rows = n_rows;
#pragma omp parallel for num_threads(load->threads) schedule(dynamic) if (load->n_blocks > 1)
    for (size_t i = 0; i < load->n_blocks; i++) {
        shoal_csv_block *block = &load->blocks[i];
        for (uint64_t row = 0; row < block->n_rows; row++)
            text->row_offset[first_row[i] + row] = block->begin + block->row_at[row];
        shoal_free(block->row_at);
        block->row_at = NULL;
    }
out:
    shoal_free(first_row);
    return status;
}

/* Unescaped texts are in the arenas of the blocks; copy those that are still used to the table's.
 */
static shoal_status keep_texts(shoal_table *table, shoal_column *column, shoal_error *err)
{
    const shoal_text_source *source = shoal_table_text(table);
    const char *data = source->data, *end = data + source->size;
    for (uint32_t code = 0; code < column->n_values; code++) {
        shoal_text *text = &column->values[code];
        if ((uintptr_t)text->data >= (uintptr_t)data && (uintptr_t)text->data <= (uintptr_t)end)
            continue;
        char *copy = shoal_arena_alloc(&table->arena, text->length > 0 ? text->length : 1);
        if (copy == NULL) return shoal_fail_memory(err);
        memcpy(copy, text->data, text->length);
        text->data = copy;
    }
    return SHOAL_OK;
}

/* Encode one column and free what the blocks held of it. */
static shoal_status encode_slot(loading *load, uint32_t slot, shoal_raw_codes *pieces,
                                shoal_error *err)
{
    shoal_table *table = load->table;
    size_t column = load->job.column_of_slot[slot], n_pieces = 0;
    for (size_t i = 0; i < load->n_blocks; i++)
        if (load->blocks[i].raw != NULL) pieces[n_pieces++] = load->blocks[i].raw[slot];
    SHOAL_RETURN_IF_ERROR(shoal_encode_column(table, column, pieces, n_pieces, load->threads, err));
    SHOAL_RETURN_IF_ERROR(keep_texts(table, &table->columns[column], err));
    for (size_t i = 0; i < load->n_blocks; i++) {
        if (load->blocks[i].raw == NULL) continue;
        shoal_raw_codes *raw = &load->blocks[i].raw[slot];
        shoal_free(raw->values);
        shoal_free(raw->counts);
        shoal_free(raw->codes);
        *raw = (shoal_raw_codes){ 0 };
    }
    return SHOAL_OK;
}

static shoal_status encode_all(loading *load, shoal_error *err)
{
    shoal_raw_codes *pieces = shoal_alloc(load->n_blocks, sizeof *pieces);
    if (pieces == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    for (uint32_t slot = 0; slot < load->job.n_encoded; slot++) {
        SHOAL_GOTO_IF_ERROR(encode_slot(load, slot, pieces, err), out);
        double share = (double)(slot + 1) / (double)load->job.n_encoded;
        report_progress(load, AFTER_PARSING + (1 - AFTER_PARSING) * share);
        SHOAL_GOTO_IF_ERROR(check_cancelled(load, err), out);
    }
out:
    shoal_free(pieces);
    return status;
}

shoal_status shoal_csv_load(shoal_table *table, const shoal_load_options *options,
                            size_t block_size, shoal_error *err)
{
    shoal_text_source *text = shoal_table_own_text(table);
    shoal_status status = SHOAL_OK;
    loading load = { .table = table,
                     .options = options,
                     .threads = options->threads > 0 ? options->threads : 1,
                     .block_size = block_size };
    SHOAL_GOTO_IF_ERROR(plan_columns(&load, err), out);
    if (text->grow == NULL) SHOAL_GOTO_IF_ERROR(cut_blocks(&load, err), out);
    report_progress(&load, 0);
    SHOAL_GOTO_IF_ERROR(parse_all(&load, err), out);
    SHOAL_GOTO_IF_ERROR(gather_rows(&load, err), out);
    text->window_next = load.n_blocks > 0 ? load.blocks[load.n_blocks - 1].next : text->size;
    SHOAL_GOTO_IF_ERROR(encode_all(&load, err), out);
out:
    for (size_t i = 0; load.blocks != NULL && i < load.n_blocks; i++)
        shoal_csv_block_clear(&load.blocks[i], &load.job);
    shoal_free(load.blocks);
    shoal_free(load.job.slot_of_column);
    shoal_free(load.job.column_of_slot);
    return status;
}
