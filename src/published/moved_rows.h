/* SPDX-License-Identifier: Apache-2.0 */
/* moved_rows.h - checks that the rows of a release are at the same positions as in its original. */
#ifndef SHOAL_MOVED_ROWS_H
#define SHOAL_MOVED_ROWS_H

#include "hierarchy/attribute.h"

/*
 * Rows were moved (--row-order shuffle, another table) if some range, set or node does not cover
 * the original value at its position: no recoding publishes one. Different single values are no
 * evidence, since means differ, too. False if the tables have different numbers of rows. O(rows *
 * attributes), less if rows were moved.
 */
SHOAL_NODISCARD shoal_status shoal_rows_moved(bool *out, const shoal_space *space,
                                              const shoal_table *original,
                                              const shoal_table *released, shoal_error *err);

#endif
