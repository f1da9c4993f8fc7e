/* SPDX-License-Identifier: Apache-2.0 */
/* arrow_source.c - a table whose rows are in Arrow record batches, shared with all tables that have
 * some of them (arrow_batches.h). */
#include "table/arrow_batches.h"

shoal_status shoal_arrow_source_compare(const shoal_source *source, uint32_t threads,
                                        shoal_error *err)
{
    (void)source, (void)threads, (void)err; /* memory of this process */
    return SHOAL_OK;
}

shoal_status shoal_arrow_source_cell(shoal_text *out, const shoal_table *table, uint64_t row,
                                     size_t column, shoal_arena *arena, shoal_error *err)
{
    (void)out, (void)row, (void)arena;
    return shoal_fail(err, SHOAL_EINVAL,
                      "release: column '{column %s}' of an Arrow table has no text",
                      table->columns[column].name);
}

void shoal_arrow_source_unload(shoal_source *source)
{
    source->kind = &shoal_source_batches;
}

void shoal_arrow_source_free(shoal_source *source)
{
    shoal_arrow_source *arrow = (shoal_arrow_source *)source;
    if (arrow->batches != NULL) shoal_arrow_batches_free(arrow->batches);
    shoal_free(arrow);
}

const shoal_source_kind shoal_source_batches = { .has_batches = true,
                                                 .counted = &shoal_source_counted_batches,
                                                 .load = shoal_arrow_load,
                                                 .compare = shoal_arrow_source_compare,
                                                 .cell = shoal_arrow_source_cell,
                                                 .unload = shoal_arrow_source_unload,
                                                 .free = shoal_arrow_source_free };
