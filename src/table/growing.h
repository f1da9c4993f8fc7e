/* SPDX-License-Identifier: Apache-2.0 */
/* growing.h - a table whose text is still being made, such as unpacked, when it is opened.
 *
 *     shoal_table_open_memory(&table, its first megabytes, ...);
 *     shoal_table_set_growing(table, ...);
 *
 * The text stays at one address, and what there is of it does not change. Loading the table makes
 * the rest (csv_read.c): one thread at a time makes the next block, the others read those there
 * are. Until then the `size` of the text source is what there is.
 */
#ifndef SHOAL_GROWING_H
#define SHOAL_GROWING_H

#include "table/table_internal.h"

/*
 * Take the maker of the rest over: `grow` and the release of the text source. False, and nothing is
 * taken, when what was found out about separator and header may depend on the rest.
 */
bool shoal_table_set_growing(shoal_table *table, shoal_grow_fn grow, shoal_release_fn release,
                             void *payload);

/* One step; `*share` of the whole is there now. One thread at a time. `grow` must be set. */
SHOAL_NODISCARD shoal_status shoal_table_grow(shoal_table *table, double *share, shoal_error *err);

/*
 * All steps: for those who need the text before it is loaded. Nothing to do where it is complete.
 * The progress function of the options is called after each step: SHOAL_ECANCELLED.
 */
SHOAL_NODISCARD shoal_status shoal_table_complete_text(shoal_table *table,
                                                       const shoal_load_options *options,
                                                       shoal_error *err);

#endif
