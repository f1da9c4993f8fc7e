/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_workload.c - any bytes as a file of queries: refused with a message, or read with answers that the table can give. */
#include "original.h"

static shoal_status load(shoal_table **out, const char *data, size_t size, shoal_error *err)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(out, data, size, NULL, NULL, NULL, err));
    for (size_t c = 0; c < shoal_table_n_columns(*out); c++)
        SHOAL_RETURN_IF_ERROR(shoal_table_set_type(*out, c, SHOAL_TYPE_CATEGORICAL, err));
    return shoal_table_load(*out, &options, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const shoal_table *original = original_table(false);
    shoal_error err = { 0 };
    shoal_table *workload = NULL;
    shoal_queries *queries = NULL;
    shoal_status status = load(&workload, (const char *)data, size, &err);
    if (status == SHOAL_OK) status = shoal_queries_read(&queries, original, workload, 1, &err);
    require_said(status, &err);
    if (status == SHOAL_OK) {
        require(shoal_queries_count(queries) == shoal_table_n_rows(workload), "other queries");
        for (uint64_t q = 0; q < shoal_queries_count(queries); q++)
            require(shoal_queries_actual(queries, q) <= shoal_table_n_rows(original), "more rows than there are");
    }
    shoal_queries_free(queries);
    shoal_table_free(workload);
    return 0;
}
