/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_counts.c - any bytes as a table of counted tuples, the last column counts: refused with a
 * word, or counts that add up. */
#include "table/csv.h"

#include "original.h"

static shoal_status load(shoal_table **out, const char *data, size_t size, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(out, data, size, NULL, NULL, NULL, err));
    for (size_t c = 0; c < (*out)->n_columns; c++)
        SHOAL_RETURN_IF_ERROR(shoal_table_set_role(
            *out, c, c + 1 < (*out)->n_columns ? SHOAL_ROLE_QUASI : SHOAL_ROLE_COUNT, err));
    return shoal_table_load(*out, NULL, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    shoal_error err = { 0 };
    shoal_table *table = NULL;
    shoal_status status = load(&table, (const char *)data, size, &err);
    require_said(status, &err);
    uint64_t total = 0;
    for (uint64_t line = 0; status == SHOAL_OK && line < table->n_rows; line++) {
        require(shoal_table_weight(table, line) > 0, "a tuple without rows");
        total += shoal_table_weight(table, line);
    }
    require(status != SHOAL_OK || total == shoal_table_total(table), "counts do not add up");
    for (size_t c = 0; status == SHOAL_OK && c < table->n_columns; c++)
        require(!table->columns[c].is_encoded ||
                    shoal_column_is_sound(&table->columns[c], table->n_rows, table->total),
                "an unsound column");
    shoal_table_free(table);
    return 0;
}
