/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_workload.c - any bytes as a file of queries: refused with a message, or read with answers
 * that the table can give, estimated on a release and written again as the same queries.
 */
#include "base/base.h"

#include "original.h"
#include "evaluate/queries.h"

static shoal_status load(shoal_table **out, const char *data, size_t size, shoal_error *err)
{
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    options.encode_all = true;
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(out, data, size, NULL, NULL, NULL, err));
    for (size_t c = 0; c < shoal_table_n_columns(*out); c++)
        SHOAL_RETURN_IF_ERROR(shoal_table_set_type(*out, c, SHOAL_TYPE_CATEGORICAL, err));
    return shoal_table_load(*out, &options, err);
}

static int keep(const void *data, size_t size, void *payload)
{
    shoal_buffer_add(payload, data, size);
    return ((shoal_buffer *)payload)->failed;
}

/* What is written can be read back, with the same answers. */
static void check_written(const shoal_queries *queries, const shoal_query_result *result)
{
    shoal_error err = { 0 };
    shoal_buffer text = { 0 };
    shoal_table *workload = NULL;
    shoal_queries *again = NULL;
    require(shoal_queries_write_csv(queries, result, keep, &text, &err) == SHOAL_OK, "not written");
    require(load(&workload, text.data, text.size, &err) == SHOAL_OK,
            "what was written is no table");
    require(shoal_queries_read(&again, original_table(false), workload, 1, &err) == SHOAL_OK,
            "what was written is not read");
    require(shoal_queries_count(again) == shoal_queries_count(queries),
            "other queries were written");
    for (uint64_t q = 0; q < shoal_queries_count(queries); q++)
        require(shoal_queries_actual(again, q) == shoal_queries_actual(queries, q),
                "another answer to what was written");
    shoal_queries_free(again);
    shoal_table_free(workload);
    shoal_buffer_clear(&text);
}

/* On releases of the original: the second is `*` everywhere, the first has intervals, sets and
 * nodes. */
static void check_estimates(const shoal_queries *queries)
{
    static const char wide[] =
        "age,born,city,job,pay,ill\n[20..31.5],1990-01-02,west,cook,10,flu\n20,*,west,{cook|smith},"
        "20,flu\n[20..31.5],*,{riga|bern},*,30,cough\n"
        "31.5,,east,{a\\|b},40,cough\n*,*,*,*,55.5,ache\n(-10..25],[1990-01-01..1991-12-31],bern,*,"
        "60,ache\n";
    static shoal_table *released;
    shoal_error err = { 0 };
    shoal_query_result result = { 0 };
    if (released == NULL)
        require(load(&released, wide, sizeof wide - 1, &err) == SHOAL_OK, "no release");
    require(shoal_queries_estimate(&result, queries, released, NULL, &err) == SHOAL_OK,
            "no estimates");
    for (uint64_t q = 0; q < result.n_queries; q++)
        require(result.estimates[q] >= -1e-9 && result.estimates[q] <= 6 + 1e-9,
                "an estimate that the release cannot have");
    check_written(queries, &result);
    shoal_query_result_clear(&result);
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
            require(shoal_queries_actual(queries, q) <= shoal_table_n_rows(original),
                    "more rows than there are");
        check_estimates(queries);
    }
    shoal_queries_free(queries);
    shoal_table_free(workload);
    return 0;
}
