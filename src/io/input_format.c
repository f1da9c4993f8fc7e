/* SPDX-License-Identifier: Apache-2.0 */
/* input_format.c - the table of input formats, which of them a file has, and a table on the records
 * that a reader wrote. */
#define _POSIX_C_SOURCE 200809L
#include "io/input_format.h"

#include "base/temp_file.h"
#include "io/io_internal.h"
#include "table/table_internal.h"

#include <string.h>

const shoal_input_format shoal_input_csv = {
    .shown = { "csv", ".csv .tsv .tab .txt",
               "CSV: a header and a record per line; the separator is detected" },
};

#define SHOAL_LIST_FORMAT(name) &shoal_input_##name,
static const shoal_input_format *const formats[] = { SHOAL_INPUT_FORMATS(SHOAL_LIST_FORMAT) };
#undef SHOAL_LIST_FORMAT
enum { N_FORMATS = sizeof formats / sizeof *formats };

const shoal_io_format *shoal_io_format_at(size_t index)
{
    return index < N_FORMATS ? &formats[index]->shown : NULL;
}

/* ---- which format ---- */

static bool same_letters(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char x = a[i] >= 'A' && a[i] <= 'Z' ? (char)(a[i] | 32) : a[i];
        if (x != b[i]) return false;
    }
    return true;
}

/* Does a name of `length` characters end in one of these? */
static bool has_ending(const char *name, size_t length, const char *endings)
{
    for (const char *at = endings; *at != '\0';) {
        size_t n = strcspn(at, " ");
        if (length > n && same_letters(name + length - n, at, n)) return true;
        at += n + (at[n] == ' ');
    }
    return false;
}

const shoal_input_format *shoal_input_format_of_path(const char *path)
{
    size_t length = strlen(path);
    if (has_ending(path, length, ".gz"))
        length -= 3;
    else if (has_ending(path, length, ".zst"))
        length -= 4;
    for (size_t i = 0; i < N_FORMATS; i++)
        if (has_ending(path, length, formats[i]->shown.endings)) return formats[i];
    return NULL;
}

const shoal_input_format *shoal_input_format_find(const char *path, const char *text, size_t size)
{
    const shoal_input_format *named = path != NULL ? shoal_input_format_of_path(path) : NULL;
    if (named != NULL) return named;
    for (size_t i = 0; i < N_FORMATS; i++)
        if (formats[i]->begins != NULL && formats[i]->begins(text, size)) return formats[i];
    return formats[0];
}

/* ---- a table on records ---- */

static void free_made(void *made)
{
    shoal_free(made);
}

static shoal_status open_made(shoal_table **out, shoal_records *records,
                              const shoal_csv_options *options, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_records_finish(records, err));
    if (records->spill >= 0) return shoal_open_unnamed(out, records->spill, options, err);
    char *trimmed = shoal_resize(records->text.data, records->text.size, 1);
    if (trimmed != NULL) records->text.data = trimmed;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(out, records->text.data, records->text.size,
                                                  free_made, records->text.data, options, err));
    records->text = (shoal_buffer){ 0 }; /* the table's */
    return SHOAL_OK;
}

/* The table names the format in messages, and its digest is that of the file's text. */
static void keep_original(shoal_table *table, const shoal_input_format *format,
                          const shoal_whole_text *text)
{
    shoal_text_source *source = shoal_table_own_text(table);
    source->base.name = format->shown.name;
    source->release_made = source->release;
    source->made_payload = source->release_payload;
    source->release = text->release;
    source->release_payload = text->payload;
    source->original = text->data;
    source->original_size = text->size;
}

shoal_status shoal_open_records(shoal_table **out, const shoal_input_format *format,
                                const shoal_whole_text *text, const shoal_csv_options *given,
                                shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_csv_options options = *given;
    if (options.delimiter == 0) options.delimiter = ',';
    shoal_records records = { .delimiter = options.delimiter,
                              .limit = shoal_text_share(options.memory_limit),
                              .spill = -1,
                              .text_is_map = text->is_map };
    if (options.no_header)
        SHOAL_GOTO_IF_ERROR(shoal_fail(err, SHOAL_EINVAL,
                                       "{source %s}: its rows name their columns {fix} leave out "
                                       "{--no-header}",
                                       format->shown.name),
                            out);
    SHOAL_GOTO_IF_ERROR(format->read(&records, text->data, text->size, err), out);
    SHOAL_GOTO_IF_ERROR(open_made(out, &records, &options, err), out);
    keep_original(*out, format, text);
out:
    shoal_records_clear(&records);
    if (status != SHOAL_OK) text->release(text->payload);
    return status;
}
