/* SPDX-License-Identifier: Apache-2.0 */
/* moved_rows.h - do the rows of a release stand where they stand in its original? */
#ifndef SHOAL_MOVED_ROWS_H
#define SHOAL_MOVED_ROWS_H

#include "hierarchy/attribute.h"

/*
 * Rows were moved (--row-order shuffle, another table) if some range, set or node does not cover
 * what stands in its place: no recoding publishes one. Single values that differ are no sign of it:
 * means do. False where the tables have different numbers of rows. O(rows * attributes), less where
 * rows were moved.
 */
SHOAL_NODISCARD shoal_status shoal_rows_moved(bool *out, const shoal_space *space,
                                              const shoal_table *original,
                                              const shoal_table *released, shoal_error *err);

#endif
