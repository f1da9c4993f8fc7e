/* SPDX-License-Identifier: Apache-2.0 */
/* engine_rows.c - cells of the table or of a release, some rows at a time. */
#include "engine.h"

enum { MOST_ROWS = 1000 };

static shoal_status view_release(engine_release *release, shoal_error *err)
{
    if (release->view != NULL) return SHOAL_OK;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_load_options options = SHOAL_LOAD_OPTIONS_INIT;
    size_t size = 0;
    const char *text = shoal_memory_sink_text(release->sink, SHOAL_SINK_RELEASE, &size);
    csv.delimiter = shoal_table_delimiter(release->job.table);
    csv.no_header = release->job.plan->no_header != 0;
    options.encode_all = true;
    ENGINE_RETURN_IF_ERROR(
        shoal_table_open_memory(&release->view, text, size, NULL, NULL, &csv, err));
    shoal_status status = shoal_table_load(release->view, &options, err);
    if (status == SHOAL_OK) return SHOAL_OK;
    shoal_table_free(release->view);
    release->view = NULL;
    return status;
}

static json_t *row_json(const shoal_table *table, uint64_t row)
{
    json_t *cells = json_array();
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        size_t length = 0;
        const char *text = shoal_table_value(table, c, shoal_table_code(table, c, row), &length);
        json_array_append_new(cells, engine_text(text != NULL ? text : "", length));
    }
    return cells;
}

/* Rows "first" to "first" + "count" - 1 of the table, or of the release "id". */
shoal_status engine_rows(engine_state *e, const json_t *request, json_t **answer, shoal_error *err)
{
    const shoal_table *table = e->view;
    if (json_object_get(request, "id") != NULL) {
        engine_release *release;
        ENGINE_RETURN_IF_ERROR(engine_release_of(&release, e, request, err));
        ENGINE_RETURN_IF_ERROR(view_release(release, err));
        table = release->view;
    }
    if (table == NULL)
        return shoal_fail(err, SHOAL_EINVAL, "no table is open {fix} open one first");
    uint64_t first = engine_number(request, "first", 0),
             count = engine_number(request, "count", 100);
    uint64_t end = first + (count < MOST_ROWS ? count : MOST_ROWS),
             total = shoal_table_n_rows(table);
    json_t *rows = json_array(), *names = json_array();
    for (size_t c = 0; c < shoal_table_n_columns(table); c++)
        json_array_append_new(names, engine_text(shoal_table_column_name(table, c),
                                                 strlen(shoal_table_column_name(table, c))));
    for (uint64_t row = first; row < end && row < total; row++)
        json_array_append_new(rows, row_json(table, row));
    *answer = json_pack("{s:I, s:I, s:o, s:o}", "first", (json_int_t)first, "total",
                        (json_int_t)total, "columns", names, "rows", rows);
    return *answer != NULL ? SHOAL_OK : shoal_fail_memory(err);
}
