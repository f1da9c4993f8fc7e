/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_encode.c - the codes of the columns of an Arrow table.
 *
 * Batches are cut into pieces of at most PIECE_ROWS rows. Each piece numbers its distinct values in
 * a dictionary of its own, in parallel, and shoal_encode_column() merges the pieces. Texts are
 * entered directly; integers, floats, booleans and dates are entered as 8 bytes, and only distinct
 * ones are converted to text. A dictionary column keeps a table from index to code and reads an
 * entry of the Arrow dictionary when it first occurs. A null gets the text of the table's first
 * missing string. Cost: O(rows) per column, 4 bytes per row while one column is encoded.
 */
#include "table/arrow_batches.h"
#include "table/dictionary.h"

enum { PIECE_ROWS = 1 << 18, KEY_SIZE = 8, MARK_SIZE = 9 };

typedef enum problem { FINE, NO_MEMORY, NO_NULL_TEXT, BAD_TEXT, BAD_INDEX } problem;

typedef struct piece {
    size_t batch;
    int64_t begin, end; /* rows of the batch */
    shoal_dictionary dictionary;
    /* dictionary columns: code of each index, SHOAL_NO_CODE until it occurs */
    uint32_t *code_of_entry;
    uint32_t null_code;  /* or SHOAL_NO_CODE */
    shoal_arena arena;   /* texts of values that were not text */
    shoal_raw_codes raw; /* its values are borrowed from the dictionary */
    problem problem;
    uint64_t problem_row; /* of the batch */
} piece;

typedef struct loading {
    shoal_table *table;
    const shoal_load_options *options;
    uint32_t threads;
    piece *pieces;
    shoal_raw_codes *raw; /* of each piece */
    size_t n_pieces;
} loading;

/* The value at `index` as 64 bits; see shoal_arrow_spell(). */
static inline uint64_t read_key(const void *data, shoal_arrow_format format, int64_t index)
{
    const int64_t day = 86400000; /* milliseconds */
    int64_t value;
    uint32_t single;
    uint64_t bits;
    switch (format.meaning) {
    case SHOAL_ARROW_BOOL: return shoal_arrow_is_valid(data, index); /* values are a bitmap, too */
    case SHOAL_ARROW_DATE:
        value = shoal_arrow_integer(data, format, index);
        /* rounds down before 1970, too */
        if (format.width == 8) value = value / day - (value % day < 0);
        return (uint64_t)value;
    case SHOAL_ARROW_FLOAT:
        if (format.width == 4) {
            memcpy(&single, (const char *)data + index * 4, sizeof single);
            return single;
        }
        memcpy(&bits, (const char *)data + index * 8, sizeof bits);
        /* different bits of one value (0 and -0, the NaNs) are merged when texts are compared */
        return bits;
    default: return (uint64_t)shoal_arrow_integer(data, format, index);
    }
}

/* ---- numbering the values of a piece ---- */

/* Number a value of 8 bytes as a short text, which the dictionary stores in its key: `bytes` need
 * not outlive the call. */
static uint32_t add_bytes(piece *p, uint64_t key, size_t size)
{
    char bytes[SHOAL_SHORT_TEXT] = { 0 };
    memcpy(bytes, &key, sizeof key);
    return shoal_dictionary_add(&p->dictionary, bytes, size, bytes + sizeof bytes, NULL);
}

/* The code of a missing value. Among 8-byte values it is a text of MARK_SIZE bytes, so that it
 * equals none of them. */
static uint32_t add_null(piece *p, const loading *load, shoal_arrow_format format)
{
    if (load->table->n_nulls == 0) {
        p->problem = NO_NULL_TEXT;
        return SHOAL_NO_CODE;
    }
    const char *null = load->table->nulls[0];
    size_t length = strlen(null);
    if (p->null_code == SHOAL_NO_CODE)
        p->null_code = format.meaning == SHOAL_ARROW_TEXT
                           ? shoal_dictionary_add(&p->dictionary, null, length, null + length, NULL)
                           : add_bytes(p, 0, MARK_SIZE);
    if (p->null_code == SHOAL_NO_CODE) p->problem = NO_MEMORY;
    return p->null_code;
}

/* Number the value at position `index` of the buffers. SHOAL_NO_CODE: see p->problem. */
static inline uint32_t add_value(piece *p, const struct ArrowArray *values,
                                 shoal_arrow_format format, int64_t index)
{
    uint32_t code;
    if (format.meaning == SHOAL_ARROW_TEXT) {
        shoal_text text;
        const char *readable_end;
        if (!shoal_arrow_text(&text, &readable_end, values, format.layout, index)) {
            p->problem = BAD_TEXT;
            return SHOAL_NO_CODE;
        }
        code = shoal_dictionary_add(&p->dictionary, text.data, text.length, readable_end, NULL);
    } else {
        code = add_bytes(p, read_key(values->buffers[1], format, index), KEY_SIZE);
    }
    if (code == SHOAL_NO_CODE) p->problem = NO_MEMORY;
    return code;
}

/* The code of entry `entry` of the Arrow dictionary. */
static uint32_t add_entry(piece *p, const loading *load, const struct ArrowArray *dictionary,
                          shoal_arrow_format format, int64_t entry)
{
    int64_t index = dictionary->offset + entry;
    if (format.layout == SHOAL_ARROW_NULLS ||
        !shoal_arrow_is_valid(shoal_arrow_validity(dictionary), index))
        return add_null(p, load, format);
    return add_value(p, dictionary, format, index);
}

static uint32_t look_up(piece *p, const loading *load, const struct ArrowArray *array,
                        const shoal_arrow_column *column, int64_t index)
{
    int64_t entry = shoal_arrow_integer(array->buffers[1], column->format, index);
    if (entry < 0 || entry >= array->dictionary->length) {
        p->problem = BAD_INDEX;
        return SHOAL_NO_CODE;
    }
    uint32_t *code = &p->code_of_entry[entry];
    if (*code == SHOAL_NO_CODE)
        *code = add_entry(p, load, array->dictionary, column->values, entry);
    return *code;
}

static void number_rows(piece *p, const loading *load, const shoal_arrow_column *column,
                        const struct ArrowArray *array, int64_t first)
{
    uint32_t *codes = p->raw.codes;
    bool all_null = column->format.layout == SHOAL_ARROW_NULLS;
    const uint8_t *validity = all_null ? NULL : shoal_arrow_validity(array);
    for (int64_t row = p->begin; row < p->end; row++) {
        int64_t index = first + row;
        uint32_t code;
        if (all_null || !shoal_arrow_is_valid(validity, index))
            code = add_null(p, load, column->values);
        else if (column->has_dictionary)
            code = look_up(p, load, array, column, index);
        else
            code = add_value(p, array, column->format, index);
        if (code == SHOAL_NO_CODE) {
            p->problem_row = (uint64_t)row;
            return;
        }
        codes[row - p->begin] = code;
    }
}

/* ---- what shoal_encode_column() needs of a piece ---- */

static bool count_rows(piece *p)
{
    const uint32_t *codes = p->raw.codes;
    p->raw.counts = shoal_alloc_zero(p->dictionary.n_values, sizeof *p->raw.counts);
    if (p->raw.counts == NULL) return false;
    for (uint64_t row = 0; row < p->raw.n_rows; row++) p->raw.counts[codes[row]]++;
    return true;
}

/* Replace the 8-byte values of the dictionary by their texts. */
static bool spell_values(piece *p, const loading *load, shoal_arrow_format format)
{
    for (uint32_t code = 0; code < p->dictionary.n_values; code++) {
        if (code == p->null_code) {
            p->dictionary.values[code] = (shoal_text){ load->table->nulls[0],
                                                       strlen(load->table->nulls[0]) };
            continue;
        }
        char spelled[SHOAL_ARROW_SPELLED_ROOM];
        uint64_t key;
        memcpy(&key, &p->dictionary.keys[code], sizeof key);
        size_t length = shoal_arrow_spell(spelled, format, key);
        char *text = shoal_arena_alloc(&p->arena, length);
        if (text == NULL) return false;
        memcpy(text, spelled, length);
        p->dictionary.values[code] = (shoal_text){ text, length };
    }
    return true;
}

static void make_piece(piece *p, const loading *load, size_t c)
{
    const struct ArrowArray *batch = &shoal_table_batches(load->table)->arrays[p->batch],
                            *array = batch->children[c];
    const shoal_arrow_column *column = &shoal_table_batches(load->table)->columns[c];
    uint64_t n_rows = (uint64_t)(p->end - p->begin);
    p->null_code = SHOAL_NO_CODE;
    p->problem = FINE;
    p->raw = (shoal_raw_codes){ .codes = shoal_alloc(n_rows, sizeof(uint32_t)),
                                .code_width = 4,
                                .n_rows = n_rows };
    bool enough = p->raw.codes != NULL && shoal_dictionary_init(&p->dictionary, 0);
    if (enough && column->has_dictionary) {
        size_t n = (size_t)array->dictionary->length;
        p->code_of_entry = shoal_alloc(n, sizeof *p->code_of_entry);
        enough = p->code_of_entry != NULL;
        /* all SHOAL_NO_CODE */
        if (enough) memset(p->code_of_entry, 0xff, n * sizeof *p->code_of_entry);
    }
    if (enough) {
        number_rows(p, load, column, array, batch->offset + array->offset);
        if (p->problem != FINE) return;
        enough = count_rows(p) && (column->values.meaning == SHOAL_ARROW_TEXT ||
                                   spell_values(p, load, column->values));
    }
    if (!enough) p->problem = NO_MEMORY;
    p->raw.values = p->dictionary.values;
    p->raw.n_values = p->dictionary.n_values;
}

static void clear_piece(piece *p)
{
    shoal_dictionary_clear(&p->dictionary); /* frees the values of `raw`, too */
    shoal_arena_clear(&p->arena);
    shoal_free(p->code_of_entry);
    shoal_free(p->raw.counts);
    shoal_free(p->raw.codes);
    *p = (piece){ .batch = p->batch, .begin = p->begin, .end = p->end };
}

/* ---- columns ---- */

static uint64_t row_of_problem(const loading *load, size_t at)
{
    uint64_t row = load->pieces[at].problem_row + 1;
    for (size_t b = 0; b < load->pieces[at].batch; b++)
        row += (uint64_t)shoal_table_batches(load->table)->arrays[b].length;
    return row;
}

static shoal_status fail_problem(const loading *load, size_t at, const char *name, shoal_error *err)
{
    problem why = load->pieces[at].problem;
    if (why == NO_MEMORY) return shoal_fail_memory(err);
    unsigned long long row = row_of_problem(load, at);
    if (why == NO_NULL_TEXT)
        return shoal_fail(err, SHOAL_EINVAL,
                          "arrow: row {row %llu}, column '{column %.100s}' is null, but no string "
                          "is defined as missing {fix} define one for the table",
                          row, name);
    return shoal_fail(
        err, SHOAL_EDATA,
        "arrow: row {row %llu}, column '{column %.100s}': %s {fix} correct the producer of the "
        "stream",
        row, name, why == BAD_TEXT ? "offsets outside the text" : "index outside the dictionary");
}

static shoal_status gather_pieces(loading *load, size_t c, bool *has_nulls, shoal_error *err)
{
    for (size_t i = 0; i < load->n_pieces; i++) {
        const piece *p = &load->pieces[i];
        if (p->problem != FINE) return fail_problem(load, i, load->table->columns[c].name, err);
        load->raw[i] = p->raw;
        *has_nulls = *has_nulls || p->null_code != SHOAL_NO_CODE;
    }
    return SHOAL_OK;
}

/* Copy the texts of the column's values from the pieces' arenas to the table's. */
static shoal_status keep_texts(shoal_table *table, shoal_column *column, shoal_error *err)
{
    for (uint32_t code = 0; code < column->n_values; code++) {
        shoal_text *text = &column->values[code];
        char *copy = shoal_arena_alloc(&table->arena, text->length > 0 ? text->length : 1);
        if (copy == NULL) return shoal_fail_memory(err);
        memcpy(copy, text->data, text->length);
        text->data = copy;
    }
    return SHOAL_OK;
}

static shoal_status encode_column(loading *load, size_t c, shoal_error *err)
{
    shoal_table *table = load->table;
    shoal_arrow_column *column = &shoal_table_batches(table)->columns[c];
    shoal_status status = SHOAL_OK;
#pragma omp parallel for num_threads(load->threads) schedule(dynamic)
    for (size_t i = 0; i < load->n_pieces; i++) make_piece(&load->pieces[i], load, c);
    column->has_nulls = false;
    SHOAL_GOTO_IF_ERROR(gather_pieces(load, c, &column->has_nulls, err), out);
    SHOAL_GOTO_IF_ERROR(
        shoal_encode_column(table, c, load->raw, load->n_pieces, load->threads, err), out);
    if (column->values.meaning != SHOAL_ARROW_TEXT)
        status = keep_texts(table, &table->columns[c], err);
out:
    for (size_t i = 0; i < load->n_pieces; i++) clear_piece(&load->pieces[i]);
    return status;
}

/* Is the column to be encoded? Fails when its role needs it and its format does not allow it. */
static shoal_status plan_column(bool *out, const loading *load, size_t c, shoal_error *err)
{
    const shoal_table *table = load->table;
    bool is_opaque = shoal_table_batches(table)->columns[c].values.meaning == SHOAL_ARROW_OPAQUE;
    *out = shoal_role_is_encoded(table->columns[c].role) ||
           (load->options->encode_all && !is_opaque);
    if (!*out || !is_opaque) return SHOAL_OK;
    const struct ArrowSchema *field = shoal_table_batches(table)->schema.children[c];
    bool in_dictionary = field->dictionary != NULL;
    return shoal_fail(
        err, SHOAL_EDATA,
        "arrow: column '{column %.100s}' has the format %s'%.40s', which can only be copied "
        "unchanged {fix} convert it to text, numbers or dates, or give it another role",
        table->columns[c].name, in_dictionary ? "dictionary of " : "",
        in_dictionary ? field->dictionary->format : field->format);
}

/* ---- loading ---- */

static shoal_status cut_pieces(loading *load, shoal_error *err)
{
    const struct shoal_arrow_batches *batches = shoal_table_batches(load->table);
    size_t n = 0;
    for (size_t b = 0; b < batches->n_arrays; b++)
        n += (size_t)((batches->arrays[b].length + PIECE_ROWS - 1) / PIECE_ROWS);
    load->pieces = shoal_alloc_zero(n, sizeof *load->pieces);
    load->raw = shoal_alloc_zero(n, sizeof *load->raw);
    if (load->pieces == NULL || load->raw == NULL) return shoal_fail_memory(err);
    for (size_t b = 0; b < batches->n_arrays; b++) {
        int64_t length = batches->arrays[b].length;
        for (int64_t begin = 0; begin < length; begin += PIECE_ROWS) {
            int64_t end = length - begin < PIECE_ROWS ? length : begin + PIECE_ROWS;
            load->pieces[load->n_pieces++] = (piece){ .batch = b, .begin = begin, .end = end };
        }
    }
    return SHOAL_OK;
}

static shoal_status report(const loading *load, size_t n_done, shoal_error *err)
{
    const shoal_load_options *options = load->options;
    double share = (double)n_done / (double)load->table->n_columns;
    if (!shoal_progress_stops(options->callbacks, "read", share)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_ECANCELLED, "arrow: reading was stopped on request");
}

shoal_status shoal_arrow_load(shoal_table *table, const shoal_load_options *options,
                              shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    loading load = { .table = table,
                     .options = options,
                     .threads = options->threads > 0 ? options->threads : 1 };
    SHOAL_GOTO_IF_ERROR(cut_pieces(&load, err), out);
    table->n_rows = shoal_table_batches(table)->n_rows;
    for (size_t c = 0; c < table->n_columns; c++) {
        bool encoded;
        SHOAL_GOTO_IF_ERROR(report(&load, c, err), out);
        SHOAL_GOTO_IF_ERROR(plan_column(&encoded, &load, c, err), out);
        if (encoded) SHOAL_GOTO_IF_ERROR(encode_column(&load, c, err), out);
    }
    status = report(&load, table->n_columns, err);
out:
    shoal_free(load.pieces);
    shoal_free(load.raw);
    return status;
}
