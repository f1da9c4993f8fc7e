/* SPDX-License-Identifier: Apache-2.0 */
/* streamed_source.c - a text that is larger than memory: the lines of its table are distinct tuples
 * with their numbers of rows, and the rows are read again in windows when they are needed.
 *
 * A text becomes streamed when it is loaded (text_source.c), and a plain text again when it is
 * unloaded.
 */
#include "table/csv.h"
#include "table/line_index.h"

/* A window needs about as much memory as it has bytes: take 1/32 of the limit, within 64 KiB .. 64
 * MiB. */
static size_t window_bytes(const shoal_load_options *options)
{
    const uint64_t least = (uint64_t)1 << 16, most = (uint64_t)1 << 26;
    uint64_t bytes = options->memory_limit / 32;
    return (size_t)(bytes < least ? least : bytes > most ? most : bytes);
}

static shoal_status load(shoal_table *table, const shoal_load_options *options, shoal_error *err)
{
    return shoal_csv_count(table, options, window_bytes(options), err);
}

static shoal_status cell(shoal_text *out, const shoal_table *table, uint64_t row, size_t column,
                         shoal_arena *arena, shoal_error *err)
{
    (void)out, (void)table, (void)row, (void)column, (void)arena;
    return shoal_fail(err, SHOAL_EINVAL,
                      "table: its rows are not in memory, so that no cell can be looked up {fix} "
                      "raise {--memory-limit}");
}

static void unload(shoal_source *source)
{
    shoal_text_source *text = (shoal_text_source *)source;
    shoal_line_index_free(text->index);
    text->index = NULL;
    shoal_text_source_unload(source);
}

const shoal_source_kind shoal_source_streamed_text = { .has_text = true,
                                                       .is_streamed = true,
                                                       .counted = &shoal_source_streamed_text,
                                                       .load = load,
                                                       .compare = shoal_text_source_compare,
                                                       .cell = cell,
                                                       .unload = unload,
                                                       .free = shoal_text_source_free };
