/* SPDX-License-Identifier: Apache-2.0 */
/* write_mapping.c - the released values of each line of a counted table, as a table that a database
 * can join with its rows.
 *
 * Cost: O(size of the counted table and of the mapping); memory for one buffer.
 */
#include "published/mapping.h"
#include "publish/publish.h"
#include "publish/recode.h"

#include <stdio.h>
#include <string.h>

enum { FLUSH_SIZE = 1 << 20 };

typedef struct writer {
    const shoal_table *table;
    const shoal_recoding *recoding;
    shoal_buffer out;
    shoal_write_fn write;
    void *payload;
} writer;

static void add_text(writer *w, shoal_text text)
{
    shoal_buffer_add(&w->out, text.data, text.length);
}

static void add_separator(writer *w)
{
    shoal_buffer_add(&w->out, &shoal_table_text(w->table)->delimiter, 1);
}

static bool add_name(writer *w, char *name)
{
    shoal_arena arena = { 0 };
    shoal_text text;
    bool ok = name != NULL && shoal_quote_csv(&text, (shoal_text){ name, strlen(name) },
                                              shoal_table_delimiter(w->table), &arena);
    if (ok) add_text(w, text);
    shoal_arena_clear(&arena);
    shoal_free(name);
    return ok;
}

static bool add_copy(writer *w, const char *name)
{
    return add_name(w, shoal_copy_text(name, strlen(name)));
}

static bool add_header(writer *w)
{
    const shoal_table *table = w->table;
    const shoal_space *space = &w->recoding->grouping->space;
    bool ok = true;
    for (size_t c = 0; ok && c < table->n_columns; c++) {
        if (!shoal_role_is_key(table->columns[c].role)) continue;
        ok = add_copy(w, table->columns[c].name);
        add_separator(w);
    }
    ok = ok && add_copy(w, table->columns[shoal_count_column(table)].name);
    add_separator(w);
    ok = ok && add_name(w, shoal_mapping_before_name(table));
    for (uint32_t a = 0; ok && a < space->n_attrs; a++) {
        add_separator(w);
        ok = add_name(w, shoal_mapping_released_name(table, space->attrs[a].column));
    }
    shoal_buffer_add(&w->out, "\n", 1);
    return ok && !w->out.failed;
}

/* The key fields of a line unchanged, each followed by a separator. */
static void add_keys(writer *w, uint64_t line)
{
    const shoal_table *table = w->table;
    const shoal_text_source *text = shoal_table_text(table);
    const char *at = shoal_table_record(table, line), *end = shoal_table_text_end(table);
    for (size_t c = 0; c < table->n_columns; c++) {
        shoal_field field;
        shoal_scan_field(&field, &at, end, text->delimiter);
        if (!shoal_role_is_key(table->columns[c].role)) continue;
        shoal_buffer_add(&w->out, field.begin, (size_t)(field.end - field.begin));
        add_separator(w);
    }
}

static void add_share(writer *w, uint64_t entry, uint64_t before)
{
    const shoal_lines *lines = &w->recoding->grouping->lines;
    add_keys(w, shoal_line_of(lines, entry));
    shoal_buffer_print(&w->out, "%u%c%llu", shoal_weight_of(lines, entry),
                       shoal_table_delimiter(w->table), (unsigned long long)before);
    for (uint32_t a = 0; a < w->recoding->n_attrs; a++) {
        add_separator(w);
        add_text(w, w->recoding->columns[a].csv[shoal_recoded_text(w->recoding, a, entry)]);
    }
    shoal_buffer_add(&w->out, "\n", 1);
}

static shoal_status flush(writer *w, shoal_error *err)
{
    if (w->out.failed) return shoal_fail_memory(err);
    int code = w->out.size > 0 ? w->write(w->out.data, w->out.size, w->payload) : 0;
    w->out.size = 0;
    return code == 0 ? SHOAL_OK
                     : shoal_fail(err, SHOAL_EIO, "release: cannot write the mapping: %s",
                                  strerror(code));
}

static shoal_status write_shares(writer *w, const shoal_release_options *options, shoal_error *err)
{
    const shoal_lines *lines = &w->recoding->grouping->lines;
    uint64_t before = 0;
    for (uint64_t i = 0; i < lines->n; i++) {
        bool is_same = i > 0 && shoal_line_of(lines, i) == shoal_line_of(lines, i - 1);
        before = is_same ? before + shoal_weight_of(lines, i - 1) : 0;
        add_share(w, i, before);
        if (w->out.size < FLUSH_SIZE) continue;
        SHOAL_RETURN_IF_ERROR(flush(w, err));
        if (shoal_progress_stops(options->callbacks, "write", (double)i / (double)lines->n))
            return shoal_fail(err, SHOAL_ECANCELLED, "release: stopped while writing");
    }
    return flush(w, err);
}

shoal_status shoal_release_write_mapping(const shoal_table *table, const shoal_grouping *grouping,
                                         const shoal_release_options *given, shoal_write_fn write,
                                         void *payload, shoal_error *err)
{
    shoal_release_options options = SHOAL_RELEASE_OPTIONS_INIT;
    if (given != NULL && (given->size == 0 || given->size > sizeof options))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "mapping: options not initialised, or made for a newer version of the library");
    if (given != NULL) memcpy(&options, given, given->size);
    SHOAL_RETURN_IF_ERROR(shoal_mapping_check(table, err));
    if (grouping->n_rows != table->total)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "mapping: the grouping belongs to another table {fix} use the table it was made from");
    shoal_recoding recoding = { 0 };
    writer w = { .table = table, .recoding = &recoding, .write = write, .payload = payload };
    SHOAL_RETURN_IF_ERROR(shoal_recoding_make(&recoding, grouping, shoal_table_delimiter(table),
                                              false, options.threads > 0 ? options.threads : 1,
                                              err));
    shoal_status status = add_header(&w) ? write_shares(&w, &options, err) : shoal_fail_memory(err);
    shoal_buffer_clear(&w.out);
    shoal_recoding_clear(&recoding);
    return status;
}
