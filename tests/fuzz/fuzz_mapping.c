/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_mapping.c - any bytes as a mapping of a counted table: refused with a message, or every published tuple has k rows. */
#include "original.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { K = 2 };
    const shoal_table *original = original_table(true);
    shoal_error err = { 0 };
    shoal_check_result found = { 0 };
    shoal_table *mapping = NULL;
    shoal_status status = shoal_mapping_open(&mapping, (const char *)data, size, original, 1, &err);
    require_said(status, &err);
    if (status == SHOAL_OK) {
        status = shoal_verify_mapping(&found, original, mapping, K, 1, &err);
        require_said(status, &err);
        require(status != SHOAL_OK || (found.min_group >= K && found.n_rows == shoal_table_total(original) && found.uncovered_cells == 0),
                "let through with failures");
    }
    shoal_table_free(mapping);
    return 0;
}
