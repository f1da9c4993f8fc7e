/* SPDX-License-Identifier: Apache-2.0 */
/* person_keys.h - columns that look like keys of persons with several rows each. */
#ifndef SHOAL_PERSON_KEYS_H
#define SHOAL_PERSON_KEYS_H

#include "table/table_internal.h"

/*
 * The likely keys of a loaded table, ascending by column, whatever their roles; *out is freed with
 * shoal_free(). A sample of the rows is read: of a streamed table from its first window, of Arrow
 * batches the encoded columns only, of counted tuples nothing. SHOAL_ENOMEM, SHOAL_EDATA when the
 * text has changed.
 */
SHOAL_NODISCARD shoal_status shoal_person_keys_find(shoal_likely_key **out, size_t *n_out,
                                                    const shoal_table *table, uint32_t threads,
                                                    shoal_error *err);

/*
 * The values of a column in all rows as hashes of 32 bits that are never 0; 0: missing. `out` has
 * n_rows entries. SHOAL_EINVAL: the rows are not at hand (streamed, counted, not encoded in
 * batches).
 */
SHOAL_NODISCARD shoal_status shoal_person_keys_read(uint32_t *out, const shoal_table *table,
                                                    size_t column, shoal_error *err);

#endif
