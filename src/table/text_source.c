/* SPDX-License-Identifier: Apache-2.0 */
/* text_source.c - a table whose rows are records of a text: in memory, in a mapped file, or in a
 * text that is still being made.
 *
 * Loading decides by the memory limit whether the rows fit, or the text is streamed
 * (streamed_source.c).
 */
#include "table/csv.h"
#include "table/growing.h"
#include "table/map_file.h"

/* ---- opening ---- */

static shoal_status make_table(shoal_table **out, const char *data, size_t size,
                               const shoal_csv_options *options, shoal_error *err)
{
    static const char *const only_empty[] = { "" };
    shoal_status status = SHOAL_OK;
    shoal_table *table = shoal_alloc_zero(1, sizeof *table);
    shoal_text_source *text = shoal_alloc_zero(1, sizeof *text);
    if (table == NULL || text == NULL) {
        shoal_free(text);
        shoal_free(table);
        return shoal_fail_memory(err);
    }
    *text = (shoal_text_source){ .base = { &shoal_source_text, "csv" },
                                 .data = size > 0 ? data : "",
                                 .size = size,
                                 .original = size > 0 ? data : "",
                                 .original_size = size };
    table->source = &text->base;
    SHOAL_GOTO_IF_ERROR(
        shoal_table_set_nulls(table, only_empty, 1, SHOAL_MISSING_OWN_CATEGORY, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_csv_read_header(table, options, err), out);
    *out = table;
    table = NULL;
out:
    shoal_table_free(table); /* nothing to release yet: the caller keeps the data */
    return status;
}

shoal_status shoal_table_open_memory(shoal_table **out, const char *data, size_t size,
                                     shoal_release_fn release, void *payload,
                                     const shoal_csv_options *options, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(make_table(out, data, size, options, err));
    shoal_text_source *text = shoal_table_own_text(*out);
    text->release = release;
    text->release_payload = payload;
    return SHOAL_OK;
}

shoal_status shoal_table_open_csv(shoal_table **out, const char *path,
                                  const shoal_csv_options *options, shoal_error *err)
{
    shoal_file_map *map = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_file_map_open(&map, path, err));
    shoal_status status = shoal_table_open_memory(out, map->data, map->size, shoal_file_map_release,
                                                  map, options, err);
    if (status != SHOAL_OK) {
        shoal_file_map_release(map);
        return status;
    }
    shoal_text_source *text = shoal_table_own_text(*out);
    text->is_map = true;
    text->file = map;
    shoal_file_map_note_head(map, text->body);
    return SHOAL_OK;
}

/* ---- the functions of its kind ---- */

static shoal_status load(shoal_table *table, const shoal_load_options *options, shoal_error *err)
{
    shoal_text_source *text = shoal_table_own_text(table);
    uint32_t threads = options->threads > 0 ? options->threads : 1;
    if (text->file != NULL && text->n_joined == 0)
        SHOAL_RETURN_IF_ERROR(shoal_file_map_note(text->file, threads, err));
    /* what the rows would take is estimated from the size of the whole text */
    if (options->memory_limit > 0 || options->needs_rows != NULL || text->counts_rows)
        SHOAL_RETURN_IF_ERROR(shoal_table_complete_text(table, options, err));
    SHOAL_RETURN_IF_ERROR(shoal_csv_check_need(table, options, err));
    if (!shoal_csv_is_large(table, options))
        return shoal_csv_load(table, options, SHOAL_CSV_BLOCK, err);
    return shoal_source_streamed_text.load(table, options, err);
}

shoal_status shoal_text_source_compare(const shoal_source *source, uint32_t threads,
                                       shoal_error *err)
{
    const shoal_text_source *text = (const shoal_text_source *)source;
    return text->file == NULL ? SHOAL_OK : shoal_file_map_compare(text->file, threads, err);
}

shoal_status shoal_text_source_cell(shoal_text *out, const shoal_table *table, uint64_t row,
                                    size_t column, shoal_arena *arena, shoal_error *err)
{
    const shoal_text_source *text = shoal_table_text(table);
    const char *at = text->data + text->row_offset[row], *end = text->data + text->size;
    shoal_field field;
    for (size_t c = 0; c <= column; c++) shoal_scan_field(&field, &at, end, text->delimiter);
    *out = shoal_field_value(&field, arena);
    return out->data == NULL ? shoal_fail_memory(err) : SHOAL_OK;
}

void shoal_text_source_unload(shoal_source *source)
{
    shoal_text_source *text = (shoal_text_source *)source;
    shoal_free(text->row_offset);
    text->row_offset = NULL;
    text->base.kind = &shoal_source_text;
}

void shoal_text_source_free(shoal_source *source)
{
    shoal_text_source *text = (shoal_text_source *)source;
    if (text->release != NULL) text->release(text->release_payload);
    if (text->release_made != NULL) text->release_made(text->made_payload);
    shoal_free(text);
}

const shoal_source_kind shoal_source_text = { .has_text = true,
                                              .counted = &shoal_source_counted_text,
                                              .load = load,
                                              .compare = shoal_text_source_compare,
                                              .cell = shoal_text_source_cell,
                                              .unload = shoal_text_source_unload,
                                              .free = shoal_text_source_free };
