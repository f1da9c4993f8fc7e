/* SPDX-License-Identifier: Apache-2.0 */
/* join_columns.h - two columns of CSV text as one: a latitude and a longitude are a place. */
#ifndef SHOAL_JOIN_COLUMNS_H
#define SHOAL_JOIN_COLUMNS_H

#include "table/table_internal.h"

/*
 * Add a column to an opened table, behind its last one: the texts of two columns with a semicolon
 * between (numbers may have commas); missing where one of them is, so set nulls before. The parts
 * stay, marked `is_joined`. `spec` names them, "latitude,longitude"; a comma of a name is written
 * `\,`. Nothing happens to a table that has the column and neither part, such as a release. O(size)
 * time and memory; with a memory limit the text goes to a file in $TMPDIR.
 *
 * @param options  those that the table will be loaded with; may be NULL
 * @return SHOAL_EINVAL (a part that the table lacks, a name that is taken, no CSV with a header),
 *         SHOAL_EIO (the input changed, no room in $TMPDIR), SHOAL_ECANCELLED, SHOAL_ENOMEM; the
 *         table is as before
 */
SHOAL_NODISCARD shoal_status shoal_table_join(shoal_table *table, const char *name,
                                              const char *spec, const shoal_load_options *options,
                                              shoal_error *err);

#endif
