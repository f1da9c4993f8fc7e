/* SPDX-License-Identifier: Apache-2.0 */
/* row_hints.h - what the order and the identifiers of a table tell of its rows. */
#ifndef SHOAL_ROW_HINTS_H
#define SHOAL_ROW_HINTS_H

#include "table/table_internal.h"

/*
 * Look at the first rows of a loaded table that came from CSV; of others nothing is found. A table
 * with an entity column has no repeated identifiers. `with_sensitive`: sensitive columns may be
 * what it is sorted by, too. SHOAL_ENOMEM; SHOAL_EDATA when the text has changed.
 */
SHOAL_NODISCARD shoal_status shoal_row_hints_find(shoal_row_hints *out, const shoal_table *table,
                                                  bool with_sensitive, uint32_t threads,
                                                  shoal_error *err);

#endif
