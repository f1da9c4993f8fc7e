/* SPDX-License-Identifier: Apache-2.0 */
/* encode.c - merges pieces with separate dictionaries into one column of ordered codes.
 *
 * The dictionaries are merged in the order of the pieces, strings that mean missing are separated,
 * the type is found (or checked), the distinct values are sorted, and the codes of each piece are
 * mapped to ranks. Different spellings of one number get one code (7 and 7.0), whose text is the
 * shortest spelling; numbers that differ, but not as doubles, have different codes. Codes are
 * ranks, so they do not depend on threads. Cost: O(rows) plus O(d log d) for d distinct values;
 * about 100 bytes per distinct value while it runs.
 */
#include "base/invariant.h"
#include "table/csv.h"
#include "table/order.h"
#include "table/format_guess.h"
#include "table/guess.h"

#include <stdlib.h>

/* rows: a team for each of thousands of short columns costs more than it saves */
enum { WORTH_THREADS = 1 << 14 };

typedef struct encoding {
    shoal_table *table;
    shoal_column *column;
    const shoal_raw_codes *pieces;
    size_t n_pieces;
    uint32_t threads;
    shoal_dictionary merged;  /* the distinct texts of all pieces */
    uint32_t *code_of_merged; /* their final codes */
    /* of each piece: from its codes to merged ones, after finish_maps() to final ones */
    uint32_t **maps;
    bool *is_null;        /* of each merged text */
    uint32_t null_merged; /* the text of the missing value, or SHOAL_NO_CODE */
    double *numbers;      /* of each merged text, when the type has numbers */
} encoding;

static bool merge_pieces(encoding *e)
{
    bool has_text = shoal_table_has_text(e->table);
    const char *data = has_text ? shoal_table_text(e->table)->data : NULL,
               *data_end = has_text ? shoal_table_text_end(e->table) : NULL;
    e->maps = shoal_alloc_zero(e->n_pieces, sizeof *e->maps);
    if (e->maps == NULL || !shoal_dictionary_init(&e->merged, 0)) return false;
    for (size_t i = 0; i < e->n_pieces; i++) {
        const shoal_raw_codes *piece = &e->pieces[i];
        e->maps[i] = shoal_alloc(piece->n_values, sizeof **e->maps);
        if (e->maps[i] == NULL) return false;
        for (uint32_t value = 0; value < piece->n_values; value++) {
            e->maps[i][value] = 0; /* a value that no row has needs no code */
            if (piece->counts[value] == 0) continue;
            shoal_text text = piece->values[value];
            /* texts in the table's own data may be read up to its end (the fast path of the
             * dictionary), copies may not */
            bool in_data = has_text && (uintptr_t)text.data >= (uintptr_t)data &&
                           (uintptr_t)text.data < (uintptr_t)data_end;
            const char *readable_end = in_data ? data_end : text.data + text.length;
            uint32_t code = shoal_dictionary_add(&e->merged, text.data, text.length, readable_end,
                                                 NULL);
            if (code == SHOAL_NO_CODE) return false;
            e->maps[i][value] = code;
        }
    }
    return true;
}

/* The first string of the list that occurs becomes the text of the missing value. */
static bool find_nulls(encoding *e)
{
    e->null_merged = SHOAL_NO_CODE;
    e->is_null = shoal_alloc_zero(e->merged.n_values, sizeof *e->is_null);
    if (e->is_null == NULL) return false;
    for (size_t i = 0; i < e->table->n_nulls; i++) {
        const char *text = e->table->nulls[i];
        uint32_t code = shoal_dictionary_find(&e->merged, text, strlen(text));
        if (code == SHOAL_NO_CODE) continue;
        e->is_null[code] = true;
        if (e->null_merged == SHOAL_NO_CODE) e->null_merged = code;
    }
    return true;
}

static bool parse_value(encoding *e, uint32_t merged)
{
    shoal_text text = e->merged.values[merged];
    if (e->column->format.kind == SHOAL_FORMAT_LABELS)
        return shoal_order_place(e->column->order, text, &e->numbers[merged]);
    return shoal_format_read(&e->column->format, text.data, text.length, &e->numbers[merged]);
}

static uint32_t raw_code(const shoal_raw_codes *piece, uint64_t row)
{
    switch (piece->code_width) {
    case 1: return ((const uint8_t *)piece->codes)[row];
    case 2: return ((const uint16_t *)piece->codes)[row];
    default: return ((const uint32_t *)piece->codes)[row];
    }
}

static shoal_status fail_order(const encoding *e, uint64_t n_rows, shoal_error *err)
{
    if (e->column->order == NULL)
        return shoal_fail(
            err, SHOAL_EDATA,
            "column '{column %.100s}': its values are not consecutive numeric ranges {fix} set "
            "their order with ordered: \"low < middle < high\" in the plan, or {--ordered}",
            e->column->name);
    return shoal_fail(err, SHOAL_EDATA,
                      "column '{column %.100s}': %llu rows have values that are not in its order "
                      "{fix} add them to the order, or name "
                      "them with {--null} if they mean missing",
                      e->column->name, (unsigned long long)n_rows);
}

static const char *what_it_is(const encoding *e, bool are_many)
{
    bool is_date = shoal_format_is_date(&e->column->format);
    if (e->column->has_format)
        return are_many ? "of its format" : is_date ? "date of its format" : "number of its format";
    return is_date    ? (are_many ? "dates (YYYY-MM-DD)" : "date (YYYY-MM-DD)")
           : are_many ? "numbers"
                      : "number";
}

/* Some values do not have the requested type: report the first row and how many there are. */
static shoal_status fail_type(const encoding *e, const bool *is_bad, shoal_error *err)
{
    uint64_t row = 0, first = UINT64_MAX, n_bad = 0;
    for (size_t i = 0; i < e->n_pieces; i++) {
        const shoal_raw_codes *piece = &e->pieces[i];
        for (uint64_t r = 0; r < piece->n_rows; r++, row++) {
            if (!is_bad[e->maps[i][raw_code(piece, r)]]) continue;
            n_bad += shoal_table_weight(e->table, row);
            if (first == UINT64_MAX) first = row;
        }
    }
    if (e->column->format.kind == SHOAL_FORMAT_LABELS) return fail_order(e, n_bad, err);
    if (shoal_table_is_streamed(e->table)) /* which row it was is not known */
        return shoal_fail(err, SHOAL_EDATA,
                          "{source csv}: column '{column %.100s}': %llu rows are not %s {fix} if "
                          "the text means missing, name it with {--null}; otherwise set the format "
                          "with {--format}, or make the column categorical",
                          e->column->name, (unsigned long long)n_bad, what_it_is(e, true));
    return shoal_fail(err, SHOAL_EDATA,
                      "{source %s}: row {row %llu}, column '{column %.100s}': not a %s; %llu rows "
                      "are not {fix} if the text means missing, name it with {--null}; otherwise "
                      "set the format with {--format}, or make the column categorical",
                      e->table->source->name, (unsigned long long)first + 1, e->column->name,
                      what_it_is(e, false), (unsigned long long)n_bad);
}

static shoal_status check_type(encoding *e, shoal_error *err)
{
    bool *is_bad = shoal_alloc_zero(e->merged.n_values, sizeof *is_bad);
    if (is_bad == NULL) return shoal_fail_memory(err);
    bool any = false;
    for (uint32_t i = 0; i < e->merged.n_values; i++) {
        is_bad[i] = !e->is_null[i] && !parse_value(e, i);
        any = any || is_bad[i];
    }
    shoal_status status = any ? fail_type(e, is_bad, err) : SHOAL_OK;
    shoal_free(is_bad);
    return status;
}

/* Ranges of numbers must not overlap, so that each has a place of its own. */
static shoal_status check_bins(encoding *e, shoal_error *err)
{
    bool are_bins;
    if (e->column->order != NULL) return SHOAL_OK;
    if (!shoal_are_bins(&are_bins, e->merged.values, e->is_null, e->merged.n_values))
        return shoal_fail_memory(err);
    return are_bins ? SHOAL_OK : fail_order(e, 0, err);
}

/* A quasi-identifier of ranges of numbers is ordered; all other texts are categories. */
static shoal_status tell_texts(encoding *e, shoal_type *type, shoal_error *err)
{
    bool are_bins = false;
    if (e->column->role == SHOAL_ROLE_QUASI &&
        !shoal_are_bins(&are_bins, e->merged.values, e->is_null, e->merged.n_values))
        return shoal_fail_memory(err);
    *type = are_bins ? SHOAL_TYPE_ORDERED : SHOAL_TYPE_CATEGORICAL;
    return SHOAL_OK;
}

/*
 * Are the numbers of a quasi-identifier codes of categories (race 1..9, admission_type_id) rather
 * than amounts? There are few of them, they are whole, and the name suggests it, or they have one
 * digit and the name does not suggest amounts. All values are numbers without leading zeros.
 */
static bool are_codes(const encoding *e)
{
    enum { ENOUGH_ROWS = 20, ROWS_PER_CODE = 5, MOST_CODES = 100 };
    uint64_t n_rows = 0, n_codes = 0;
    shoal_number_hint hint = shoal_name_number_hint(e->column->name);
    if ((e->column->role != SHOAL_ROLE_QUASI && e->column->role != SHOAL_ROLE_UNSET) ||
        hint == SHOAL_NUMBERS_AMOUNTS)
        return false;
    for (uint32_t i = 0; i < e->merged.n_values; i++) {
        if (e->is_null[i]) continue;
        shoal_text text = e->merged.values[i];
        for (size_t j = 0; j < text.length; j++) /* 1 and 1.0 would be two categories */
            if (text.data[j] < '0' || text.data[j] > '9') return false;
        if ((text.length > 1 && hint != SHOAL_NUMBERS_CODES) || ++n_codes > MOST_CODES)
            return false;
    }
    for (size_t i = 0; i < e->n_pieces; i++)
        for (uint32_t v = 0; v < e->pieces[i].n_values; v++)
            n_rows += e->is_null[e->maps[i][v]] ? 0 : e->pieces[i].counts[v];
    return n_rows >= ENOUGH_ROWS && n_codes * ROWS_PER_CODE <= n_rows;
}

/* Numbers and dates of an asked type are plain and ISO dates unless a format was named. */
static void take_asked_format(encoding *e)
{
    if (e->column->has_format)
        e->column->format = e->column->asked_format;
    else if (e->column->type == SHOAL_TYPE_DATE)
        shoal_format_parse(&e->column->format, "YYYY-MM-DD");
}

/* A quasi-identifier that can be read in two ways is an error: only the user can decide. */
static shoal_status fail_two_readings(const encoding *e, const shoal_format_guess *guess,
                                      shoal_error *err)
{
    const char *name = e->column->name, *a = guess->formats[0].spec, *b = guess->formats[1].spec;
    const char
        *why = guess->formats[0].first_year == 0
                   ? ""
                   : ": the century of a two-digit year is ambiguous; 'from' sets the first year";
    return shoal_fail(err, SHOAL_EDATA,
                      "{source %s}: column '{column %.100s}' has an ambiguous format, %s or %s%s "
                      "{fix} set one: {--format} '%.100s=%s' or {--format} '%.100s=%s'; "
                      "{--categorical} '%.100s' makes it categorical",
                      e->table->source->name, name, a, b, why, name, a, name, b, name);
}

/* Find type and format of a column without declared type; afterwards `format` is set. */
static shoal_status guess_type(encoding *e, shoal_type *type, shoal_error *err)
{
    shoal_format_guess guess;
    shoal_format_guess_find(
        &guess, &(shoal_value_list){ e->merged.values, e->is_null, e->merged.n_values });
    bool is_plain = guess.n > 0 && guess.formats[0].kind == SHOAL_FORMAT_PLAIN;
    *type = SHOAL_TYPE_CATEGORICAL;
    e->column->has_readings = guess.n == 2;
    memcpy(e->column->readings, guess.formats, sizeof guess.formats);
    if (guess.n == 2 && !is_plain) /* 1.234 is a plain number unless declared otherwise */
        return e->column->role == SHOAL_ROLE_QUASI ? fail_two_readings(e, &guess, err) : SHOAL_OK;
    if (guess.n == 0) return tell_texts(e, type, err);
    if (is_plain && are_codes(e)) return SHOAL_OK;
    *type = shoal_format_is_date(&guess.formats[0]) ? SHOAL_TYPE_DATE : SHOAL_TYPE_NUMERIC;
    e->column->format = guess.formats[0];
    return SHOAL_OK;
}

/* Determine the type; afterwards `numbers` is filled if the column is numeric or a date. */
static shoal_status find_type(encoding *e, shoal_type *type, shoal_error *err)
{
    *type = e->column->type;
    bool is_open = *type == SHOAL_TYPE_AUTO && !e->column->has_format;
    if (is_open && e->column->hierarchy != NULL) *type = SHOAL_TYPE_CATEGORICAL;
    if (*type == SHOAL_TYPE_CATEGORICAL) return SHOAL_OK;
    if (*type == SHOAL_TYPE_AUTO && !is_open)
        *type = shoal_format_is_date(&e->column->asked_format) ? SHOAL_TYPE_DATE
                                                               : SHOAL_TYPE_NUMERIC;
    if (is_open)
        SHOAL_RETURN_IF_ERROR(guess_type(e, type, err));
    else
        take_asked_format(e);
    if (*type == SHOAL_TYPE_ORDERED)
        e->column->format = (shoal_format){ .kind = SHOAL_FORMAT_LABELS };
    if (*type == SHOAL_TYPE_CATEGORICAL) return SHOAL_OK;
    e->numbers = shoal_alloc(e->merged.n_values, sizeof *e->numbers);
    if (e->numbers == NULL) return shoal_fail_memory(err);
    if (*type == SHOAL_TYPE_ORDERED) SHOAL_RETURN_IF_ERROR(check_bins(e, err));
    return check_type(e, err);
}

/* Sort the values that are not missing, in ascending order. */
static bool sort_merged(encoding *e, bool has_numbers, shoal_sort_item **items, uint32_t *n_items)
{
    *items = shoal_alloc(e->merged.n_values, sizeof **items);
    if (*items == NULL) return false;
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->merged.n_values; i++) {
        if (e->is_null[i]) continue;
        uint64_t key = has_numbers ? shoal_number_sort_key(e->numbers[i])
                                   : shoal_text_sort_key(e->merged.values[i]);
        (*items)[n++] = (shoal_sort_item){ key, i };
    }
    *n_items = n;
    return shoal_sort_values(*items, n, e->merged.values, has_numbers, e->threads);
}

/* Of two texts that are one double. */
static int compare_numbers(const shoal_column *column, shoal_text a, shoal_text b)
{
    return shoal_format_compare(&column->format, a.data, a.length, b.data, b.length);
}

/* Assign the final codes in sorted order; returns how many. Spellings of one number share a code.
 */
static uint32_t number_values(encoding *e, const shoal_sort_item *items, uint32_t n_items,
                              bool has_numbers)
{
    uint32_t n_values = 0;
    for (uint32_t i = 0; i < n_items; i++) {
        bool same = has_numbers && i > 0 && items[i].key == items[i - 1].key &&
                    compare_numbers(e->column, e->merged.values[items[i - 1].index],
                                    e->merged.values[items[i].index]) == 0;
        e->code_of_merged[items[i].index] = same ? n_values - 1 : n_values++;
    }
    if (e->null_merged == SHOAL_NO_CODE) return n_values;
    for (uint32_t i = 0; i < e->merged.n_values; i++)
        if (e->is_null[i]) e->code_of_merged[i] = n_values;
    return n_values + 1;
}

static bool fill_values(encoding *e, const shoal_sort_item *items, uint32_t n_items,
                        bool has_numbers)
{
    shoal_column *column = e->column;
    column->values = shoal_alloc(column->n_values, sizeof *column->values);
    column->counts = shoal_alloc_zero(column->n_values, sizeof *column->counts);
    if (has_numbers) column->numbers = shoal_alloc_zero(column->n_values, sizeof *column->numbers);
    if (column->values == NULL || column->counts == NULL ||
        (has_numbers && column->numbers == NULL))
        return false;
    /* downwards, so that the first spelling of a number, the shortest, is written last and stays */
    for (uint32_t i = n_items; i-- > 0;) {
        uint32_t code = e->code_of_merged[items[i].index];
        column->values[code] = e->merged.values[items[i].index];
        /* no negative zero */
        if (has_numbers) column->numbers[code] = e->numbers[items[i].index] + 0.0;
    }
    column->null_code = SHOAL_NO_CODE;
    if (e->null_merged != SHOAL_NO_CODE) {
        column->null_code = column->n_values - 1;
        column->values[column->null_code] = e->merged.values[e->null_merged];
    }
    return true;
}

/* Compose the maps with the final codes, and count rows per final code. */
static void finish_maps(encoding *e)
{
    for (size_t i = 0; i < e->n_pieces; i++)
        for (uint32_t value = 0; value < e->pieces[i].n_values; value++) {
            uint64_t count = e->pieces[i].counts[value];
            if (count == 0) continue;
            e->maps[i][value] = e->code_of_merged[e->maps[i][value]];
            e->column->counts[e->maps[i][value]] += count;
        }
}

#define REWRITE(from_type, to_type)                                                                \
    do {                                                                                           \
        const from_type *from = piece->codes;                                                      \
        to_type *to = (to_type *)column->codes + first_row;                                        \
        for (uint64_t row = 0; row < piece->n_rows; row++) to[row] = (to_type)map[from[row]];      \
    } while (0)

static void rewrite_codes(const shoal_column *column, uint64_t first_row,
                          const shoal_raw_codes *piece, const uint32_t *map)
{
    switch (piece->code_width * 8 + column->code_width) {
    case 1 * 8 + 1: REWRITE(uint8_t, uint8_t); break;
    case 1 * 8 + 2: REWRITE(uint8_t, uint16_t); break;
    case 1 * 8 + 4: REWRITE(uint8_t, uint32_t); break;
    case 2 * 8 + 1: REWRITE(uint16_t, uint8_t); break;
    case 2 * 8 + 2: REWRITE(uint16_t, uint16_t); break;
    case 2 * 8 + 4: REWRITE(uint16_t, uint32_t); break;
    case 0 * 8 + 1:
    case 4 * 8 + 1: REWRITE(uint32_t, uint8_t); break;
    case 0 * 8 + 2:
    case 4 * 8 + 2: REWRITE(uint32_t, uint16_t); break;
    default: REWRITE(uint32_t, uint32_t); break;
    }
}

static bool fill_codes(encoding *e)
{
    shoal_column *column = e->column;
    uint64_t *first_row = shoal_alloc(e->n_pieces, sizeof *first_row);
    uint64_t n_rows = 0;
    for (size_t i = 0; first_row != NULL && i < e->n_pieces; i++) {
        first_row[i] = n_rows;
        n_rows += e->pieces[i].n_rows;
    }
    column->code_width = column->n_values <= 256 ? 1 : column->n_values <= 65536 ? 2 : 4;
    if (first_row != NULL) column->codes = shoal_alloc(n_rows, column->code_width);
    if (column->codes != NULL) {
#pragma omp parallel for num_threads(e->threads)                                                   \
    schedule(dynamic) if (n_rows >= WORTH_THREADS && e->n_pieces > 1)
        for (size_t i = 0; i < e->n_pieces; i++)
            rewrite_codes(column, first_row[i], &e->pieces[i], e->maps[i]);
    }
    shoal_free(first_row);
    return column->codes != NULL;
}

/* All steps after the type is known. False when out of memory. */
static bool build_column(encoding *e, shoal_type type)
{
    bool has_numbers = type != SHOAL_TYPE_CATEGORICAL;
    shoal_sort_item *items = NULL;
    uint32_t n_items = 0;
    e->code_of_merged = shoal_alloc(e->merged.n_values, sizeof *e->code_of_merged);
    bool enough = e->code_of_merged != NULL && sort_merged(e, has_numbers, &items, &n_items);
    if (enough) {
        e->column->n_values = number_values(e, items, n_items, has_numbers);
        enough = fill_values(e, items, n_items, has_numbers);
    }
    shoal_free(items);
    if (!enough) return false;
    finish_maps(e);
    return fill_codes(e);
}

static bool comes_before(shoal_text x, shoal_text y)
{
    size_t shorter = x.length < y.length ? x.length : y.length;
    int order = shorter > 0 ? memcmp(x.data, y.data, shorter) : 0;
    return order < 0 || (order == 0 && x.length < y.length);
}

/* Numbers ascend (those that are one double by their digits), texts by bytes; the missing value is
 * the last. */
static bool are_values_in_order(const shoal_column *column)
{
    bool has_null = column->null_code != SHOAL_NO_CODE;
    if (has_null && column->null_code != column->n_values - 1) return false;
    for (uint32_t v = 1; v < column->n_values - has_null; v++) {
        bool is_tied = column->numbers != NULL && column->numbers[v - 1] == column->numbers[v];
        bool is_ordered = is_tied ? compare_numbers(column, column->values[v - 1],
                                                    column->values[v]) < 0
                          : column->numbers != NULL
                              ? column->numbers[v - 1] < column->numbers[v]
                              : comes_before(column->values[v - 1], column->values[v]);
        if (!is_ordered) return false;
    }
    return true;
}

bool shoal_column_is_sound(const shoal_column *column, uint64_t n_lines, uint64_t n_rows)
{
    uint64_t *counts = calloc((size_t)column->n_values + 1, sizeof *counts);
    bool ok = column->n_values == 0 || are_values_in_order(column);
    for (uint64_t row = 0; counts != NULL && ok && row < n_lines; row++) {
        uint32_t code = shoal_column_code(column, row);
        ok = code < column->n_values;
        if (ok) counts[code]++;
    }
    for (uint32_t v = 0; counts != NULL && ok && v < column->n_values; v++) {
        ok = counts[v] > 0 && counts[v] <= column->counts[v] && column->counts[v] <= n_rows;
        n_rows -= column->counts[v];
    }
    ok = ok && (counts == NULL || n_rows == 0);
    free(counts);
    return ok;
}

static bool is_result_sound(const encoding *e)
{
    uint64_t n_lines = 0, n_rows = 0;
    for (size_t i = 0; i < e->n_pieces; i++) {
        n_lines += e->pieces[i].n_rows;
        for (uint32_t v = 0; v < e->pieces[i].n_values; v++) n_rows += e->pieces[i].counts[v];
    }
    return shoal_column_is_sound(e->column, n_lines, n_rows);
}

shoal_status shoal_encode_column(shoal_table *table, size_t column, const shoal_raw_codes *pieces,
                                 size_t n_pieces, uint32_t threads, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    encoding e = { .table = table,
                   .column = &table->columns[column],
                   .pieces = pieces,
                   .n_pieces = n_pieces,
                   .threads = threads > 0 ? threads : 1 };
    shoal_type type = SHOAL_TYPE_CATEGORICAL;
    if (!merge_pieces(&e) || !find_nulls(&e)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(find_type(&e, &type, err), out);
    if (!build_column(&e, type)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    e.column->is_encoded = true;
    e.column->type = type;
    SHOAL_INVARIANT(is_result_sound(&e));
out:
    for (size_t i = 0; e.maps != NULL && i < n_pieces; i++) shoal_free(e.maps[i]);
    shoal_free(e.maps);
    shoal_free(e.is_null);
    shoal_free(e.numbers);
    shoal_free(e.code_of_merged);
    shoal_dictionary_clear(&e.merged);
    return status;
}
