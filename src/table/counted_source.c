/* SPDX-License-Identifier: Apache-2.0 */
/* counted_source.c - tuples with a number of rows each, as a database counts them: the rows are
 * there, and a release of such a table is a mapping of the tuples.
 *
 * The tuples are in text or in batches, and read as these are. A table becomes one of them once its
 * column of counts is read (line_counts.c); it is never loaded as one.
 */
#include "table/table_internal.h"

static shoal_status load(shoal_table *table, const shoal_load_options *options, shoal_error *err)
{
    (void)table, (void)options;
    return shoal_fail(err, SHOAL_EINVAL, "table: it is loaded already");
}

const shoal_source_kind shoal_source_counted_text = { .has_text = true,
                                                      .is_counted = true,
                                                      .counted = &shoal_source_counted_text,
                                                      .load = load,
                                                      .compare = shoal_text_source_compare,
                                                      .cell = shoal_text_source_cell,
                                                      .unload = shoal_text_source_unload,
                                                      .free = shoal_text_source_free };

const shoal_source_kind shoal_source_counted_batches = { .has_batches = true,
                                                         .is_counted = true,
                                                         .counted = &shoal_source_counted_batches,
                                                         .load = load,
                                                         .compare = shoal_arrow_source_compare,
                                                         .cell = shoal_arrow_source_cell,
                                                         .unload = shoal_arrow_source_unload,
                                                         .free = shoal_arrow_source_free };
