/* SPDX-License-Identifier: Apache-2.0 */
/* csv_count.c - load a table that is larger than memory: count its distinct tuples in one pass over
 * the file.
 *
 * Each window of records is read like a table and entered into a line index. The tuples become the
 * lines of the table, with counts as weights, and its columns are encoded from the distinct texts.
 * Codes and the order of classes are the same as with all rows in memory. Cost: O(bytes) time;
 * memory for the distinct tuples and one window.
 */
#include "table/csv.h"
#include "table/line_index.h"
#include "table/tuples.h"
#include "table/window.h"

#define MAX_ROWS ((uint64_t)UINT32_MAX - 2) /* row numbers are 32 bits */

/*
 * Memory of a row from reading to verifying: its offset, codes, class and group, and the codes of
 * the release again. Methods that use sensitive values have more classes. tests/cli/memory.py
 * compares this estimate with the memory used, for each method.
 */
enum { BYTES_A_ROW = 128, BYTES_A_CELL = 20, BYTES_A_SENSITIVE = 60 };
/* Memory of a line during the search, measured with the default method; its codes are held in four
 * places of 4 bytes. */
enum { BYTES_A_LINE = 112, BYTES_A_CODE = 16 };
enum { BYTES_WITHOUT_ROWS = 3 << 20 }; /* windows, buffers of threads, tables of the search */

static uint32_t bytes_a_row(const shoal_table *table)
{
    uint32_t n = BYTES_A_ROW;
    for (size_t c = 0; c < table->n_columns; c++) {
        shoal_role role = table->columns[c].role;
        n += (shoal_role_is_encoded(role) ? BYTES_A_CELL : 0) +
             (role == SHOAL_ROLE_SENSITIVE ? BYTES_A_SENSITIVE : 0);
    }
    return n;
}

/* What all rows in memory would take: an estimate from the size of the text and its first lines. */
static double estimate_bytes(const shoal_table *table)
{
    const shoal_text_source *text = shoal_table_text(table);
    enum { SAMPLE = 1 << 20 };
    size_t size = text->size - text->body, looked_at = size < SAMPLE ? size : SAMPLE, n_lines = 1;
    for (size_t i = 0; i < looked_at; i++) n_lines += text->data[text->body + i] == '\n';
    double n_rows = (double)n_lines * (double)size / (double)(looked_at > 0 ? looked_at : 1);
    return n_rows * bytes_a_row(table) + BYTES_WITHOUT_ROWS;
}

bool shoal_csv_is_large(const shoal_table *table, const shoal_load_options *options)
{
    if (shoal_table_text(table)->counts_rows) return true;
    if (options->memory_limit == 0 || options->encode_all) return false;
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_COUNT) return false;
    return estimate_bytes(table) > (double)options->memory_limit;
}

shoal_status shoal_csv_check_need(const shoal_table *table, const shoal_load_options *options,
                                  shoal_error *err)
{
    if (options->needs_rows == NULL) return SHOAL_OK;
    uint64_t need = (uint64_t)estimate_bytes(table);
    const shoal_callbacks *callbacks = options->callbacks;
    if (callbacks != NULL && callbacks->need != NULL) callbacks->need(need, callbacks->payload);
    if (!shoal_csv_is_large(table, options)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "%s needs every row in memory, about %llu MB, but the memory limit is %llu "
                      "MB {fix} raise {--memory-limit}, or remove it",
                      options->needs_rows, (unsigned long long)(need >> 20) + 1,
                      (unsigned long long)(options->memory_limit >> 20));
}

static shoal_status check_memory(shoal_line_index *index, const shoal_load_options *options,
                                 shoal_error *err)
{
    uint64_t need = BYTES_WITHOUT_ROWS + shoal_line_index_bytes(index) +
                    (uint64_t)index->n_lines *
                        (BYTES_A_LINE + BYTES_A_CODE * (uint64_t)index->n_columns);
    index->need = need;
    if (options->memory_limit == 0 || need <= options->memory_limit || index->n_lines < 1024)
        return SHOAL_OK;
    return shoal_fail(
        err, SHOAL_ENOMEM,
        "{source csv}: %u distinct tuples so far need about %llu MB, but the memory limit is %llu "
        "MB {fix} raise {--memory-limit}, use fewer quasi-identifiers, or generalise them first",
        index->n_lines, (unsigned long long)(need >> 20),
        (unsigned long long)(options->memory_limit >> 20));
}

static shoal_status count_windows(shoal_table *table, const shoal_load_options *options,
                                  shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_window window;
    bool is_there = true;
    SHOAL_RETURN_IF_ERROR(shoal_window_open(
        &window, table, shoal_table_line_index(table)->window_bytes, options->threads, err));
    for (;;) {
        SHOAL_GOTO_IF_ERROR(shoal_window_next(&window, &is_there, err), out);
        if (!is_there) break;
        table->total = window.text.rows_before + window.rows.n_rows;
        if (table->total > MAX_ROWS) {
            status = shoal_fail(err, SHOAL_EDATA,
                                "{source csv}: more than %llu rows {fix} split the table",
                                (unsigned long long)MAX_ROWS);
            goto out;
        }
        SHOAL_GOTO_IF_ERROR(shoal_line_index_enter(shoal_table_line_index(table), &window.rows,
                                                   options->threads, err),
                            out);
        SHOAL_GOTO_IF_ERROR(check_memory(shoal_table_line_index(table), options, err), out);
        SHOAL_GOTO_IF_ERROR(shoal_csv_report(options, shoal_window_progress(&window), err), out);
    }
out:
    shoal_window_close(&window);
    return status;
}

/* Encode column number `i` of the index from the numbers of its texts, and note which code each
 * text got. */
static shoal_status encode_lines(shoal_table *table, uint32_t i, uint32_t threads, shoal_error *err)
{
    shoal_line_index *index = shoal_table_line_index(table);
    shoal_status status = SHOAL_OK;
    size_t c = index->columns[i];
    shoal_raw_codes raw = { .values = index->texts[i].values,
                            .n_values = index->texts[i].n_values,
                            .code_width = 4,
                            .n_rows = index->n_lines };
    uint32_t *numbers = shoal_alloc(index->n_lines, sizeof *numbers);
    raw.codes = numbers;
    raw.counts = shoal_alloc_zero(raw.n_values, sizeof *raw.counts);
    index->code_of_text[i] = shoal_alloc_zero(raw.n_values, sizeof **index->code_of_text);
    if (numbers == NULL || raw.counts == NULL || index->code_of_text[i] == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t line = 0; line < index->n_lines; line++) {
        numbers[line] = shoal_line_text(index, line, i);
        raw.counts[numbers[line]] += table->weights[line];
    }
    SHOAL_GOTO_IF_ERROR(shoal_encode_column(table, c, &raw, 1, threads, err), out);
    for (uint32_t line = 0; line < index->n_lines; line++)
        index->code_of_text[i][numbers[line]] = shoal_column_code(&table->columns[c], line);
out:
    shoal_free(numbers);
    shoal_free(raw.counts);
    return status;
}

/* One line for each of the numbered tuples instead of one for each spelling. */
static void merge_lines(shoal_table *table, const shoal_numbering *tuples)
{
    const shoal_line_index *index = shoal_table_line_index(table);
    for (uint32_t i = 0; i < index->n_columns; i++) {
        shoal_column *column = &table->columns[index->columns[i]];
        char *codes = column->codes;
        /* first[line] >= line: nothing is overwritten before it is read */
        for (uint32_t line = 0; line < tuples->n; line++)
            memmove(codes + (size_t)line * column->code_width,
                    codes + (size_t)tuples->first[line] * column->code_width, column->code_width);
    }
    for (uint64_t line = 0; line < table->n_rows; line++) {
        uint32_t to = tuples->ids[line], weight = table->weights[line];
        if (tuples->first[to] == line)
            table->weights[to] = weight;
        else
            table->weights[to] += weight;
    }
    table->n_rows = tuples->n;
}

/* Lines differ by text. Where texts are one value (7 and 7.0), several lines are one tuple, and
 * become one, as with rows in memory. */
static shoal_status merge_spellings(shoal_table *table, uint32_t threads, shoal_error *err)
{
    shoal_line_index *index = shoal_table_line_index(table);
    bool has_spellings = false;
    for (uint32_t i = 0; i < index->n_columns; i++)
        has_spellings = has_spellings ||
                        table->columns[index->columns[i]].n_values < index->texts[i].n_values;
    if (!has_spellings) return SHOAL_OK;
    shoal_numbering tuples = { 0 };
    const shoal_column **columns = shoal_alloc(index->n_columns, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (uint32_t i = 0; i < index->n_columns; i++) columns[i] = &table->columns[index->columns[i]];
    shoal_status status = shoal_numbering_make(&tuples, columns, index->n_columns, table->n_rows,
                                               SHOAL_NUMBER_FIRST, threads, err);
    shoal_free(columns);
    if (status == SHOAL_OK && tuples.n < table->n_rows) {
        merge_lines(table, &tuples);
        index->merged = tuples.ids;
        tuples.ids = NULL;
    }
    shoal_numbering_clear(&tuples);
    return status;
}

shoal_status shoal_csv_count(shoal_table *table, const shoal_load_options *options,
                             size_t window_bytes, shoal_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (shoal_role_is_person(table->columns[c].role))
            return shoal_fail(err, SHOAL_EINVAL,
                              "{source csv}: counting persons ({--entity}) needs the rows in "
                              "memory {fix} raise {--memory-limit}, or remove {--entity}");
    shoal_text_source *text = shoal_table_own_text(table);
    text->base.kind = &shoal_source_streamed_text; /* a text again when it is unloaded */
    SHOAL_RETURN_IF_ERROR(shoal_line_index_make(&text->index, table, window_bytes, err));
    text->index->memory_limit = options->memory_limit;
    SHOAL_RETURN_IF_ERROR(count_windows(table, options, err));
    shoal_line_index *index = shoal_table_line_index(table);
    table->n_rows = index->n_lines;
    table->weights = index->counts; /* the table owns them from here on; NULL without rows */
    index->counts = NULL;
    index->count_room = 0;
    for (uint32_t i = 0; i < index->n_columns; i++)
        SHOAL_RETURN_IF_ERROR(encode_lines(table, i, options->threads, err));
    return merge_spellings(table, options->threads, err);
}
