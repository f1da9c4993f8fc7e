/* SPDX-License-Identifier: Apache-2.0 */
/* pseudonyms.c - texts that replace identifiers: one for each value, made by the caller's function.
 *
 * The library holds no key: the function comes from outside (src/io/pseudonym_key.c). Cost: one
 * call and 48 bytes for each distinct value.
 */
#include "table/table_internal.h"

#include <string.h>

static bool set_texts(shoal_table *table, shoal_column *column, shoal_pseudonym_fn make,
                      void *payload)
{
    shoal_text *texts = shoal_arena_alloc(&table->arena, (column->n_values + 1) * sizeof *texts);
    char *bytes = shoal_arena_alloc(&table->arena,
                                    ((size_t)column->n_values + 1) * SHOAL_PSEUDONYM_LENGTH);
    if (texts == NULL || bytes == NULL) return false;
    for (uint32_t v = 0; v < column->n_values; v++, bytes += SHOAL_PSEUDONYM_LENGTH) {
        texts[v] = (shoal_text){ bytes, v == column->null_code ? 0 : SHOAL_PSEUDONYM_LENGTH };
        if (v != column->null_code)
            make(bytes, column->values[v].data, column->values[v].length, payload);
    }
    column->pseudonyms = texts;
    return true;
}

shoal_status shoal_table_set_pseudonyms(shoal_table *table, shoal_pseudonym_fn make, void *payload,
                                        shoal_error *err)
{
    if (!table->is_loaded)
        return shoal_fail(err, SHOAL_EINVAL, "table: pseudonyms require a loaded table");
    for (size_t c = 0; c < table->n_columns; c++) {
        shoal_column *column = &table->columns[c];
        if (column->role == SHOAL_ROLE_PSEUDONYM && column->is_encoded &&
            !set_texts(table, column, make, payload))
            return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}
