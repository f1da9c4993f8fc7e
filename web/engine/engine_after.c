/* SPDX-License-Identifier: Apache-2.0 */
/* engine_after.c - a release beside its table: risk, errors of counts, distributions of columns.
 *
 * A distribution is a workload of its own, one COUNT query for each bar: before is the exact
 * answer, after is what the release answers, by the library's rule that all values of a published
 * cell are equally likely.
 */
#include "engine.h"

#include <stdlib.h>

static shoal_status released_text(const char **text, size_t *size, const engine_release *release,
                                  shoal_error *err)
{
    if (release->outcome.is_bucketed)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "a release in two tables publishes every value as it is: there is nothing to compare");
    *text = shoal_memory_sink_text(release->sink, SHOAL_SINK_RELEASE, size);
    return SHOAL_OK;
}

/* Risk of the release "id" and of the table. */
shoal_status engine_risk(engine_state *e, const json_t *request, json_t **answer, shoal_error *err)
{
    engine_release *release;
    const char *text = NULL;
    size_t size = 0;
    shoal_table *released = NULL, *original = NULL;
    shoal_risk after = { 0 }, before = { 0 };
    shoal_risk_options options = SHOAL_RISK_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    ENGINE_RETURN_IF_ERROR(engine_release_of(&release, e, request, err));
    ENGINE_RETURN_IF_ERROR(released_text(&text, &size, release, err));
    options.k = release->job.plan.k;
    ENGINE_GOTO_IF_ERROR(engine_load_released(&released, &release->job, text, size, NULL, 0, err),
                         out);
    ENGINE_GOTO_IF_ERROR(
        engine_load_released(&original, &release->job, e->text, e->size, NULL, 0, err), out);
    ENGINE_GOTO_IF_ERROR(shoal_risk_measure(&after, released, &options, err), out);
    ENGINE_GOTO_IF_ERROR(shoal_risk_measure(&before, original, &options, err), out);
    status = engine_take_json(answer, shoal_risk_json(&after, &before, released, false), err);
out:
    shoal_risk_clear(&after);
    shoal_risk_clear(&before);
    shoal_table_free(released);
    shoal_table_free(original);
    return status;
}

/* Errors of "queries" random counts over "dimensions" quasi-identifiers, as shoal evaluate queries
 * draws them where neither is given, answered from the release "id". */
shoal_status engine_query_error(engine_state *e, const json_t *request, json_t **answer,
                                shoal_error *err)
{
    engine_release *release;
    const char *text = NULL;
    size_t size = 0;
    shoal_table *released = NULL;
    shoal_queries *queries = NULL;
    shoal_query_result result = { 0 };
    shoal_workload_options options = SHOAL_WORKLOAD_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    ENGINE_RETURN_IF_ERROR(engine_release_of(&release, e, request, err));
    ENGINE_RETURN_IF_ERROR(released_text(&text, &size, release, err));
    options.n_queries = engine_number(request, "queries", 0);
    options.dimensions = (uint32_t)engine_number(request, "dimensions", 0);
    options.seed = release->job.plan.seed;
    options.callbacks = &e->callbacks;
    shoal_estimate_options estimate = SHOAL_ESTIMATE_OPTIONS_INIT;
    estimate.callbacks = &e->callbacks;
    ENGINE_GOTO_IF_ERROR(shoal_queries_draw(&queries, release->job.table, &options, err), out);
    ENGINE_GOTO_IF_ERROR(engine_load_released(&released, &release->job, text, size,
                                              release->job.table,
                                              SHOAL_PART_CLASS | SHOAL_PART_SENSITIVE, err),
                         out);
    ENGINE_GOTO_IF_ERROR(shoal_queries_estimate(&result, queries, released, &estimate, err), out);
    status = engine_take_json(
        answer, shoal_queries_json(&result, queries, "census-range", options.seed), err);
out:
    shoal_query_result_clear(&result);
    shoal_queries_free(queries);
    shoal_table_free(released);
    return status;
}

/* ---- distributions ---- */

/* Text that grows; `failed` remembers that memory was short. */
typedef struct sheet {
    char *text;
    size_t size;
    bool failed;
} sheet;

static void add(sheet *s, const char *text, size_t size)
{
    char *grown = s->failed ? NULL : realloc(s->text, s->size + size + 1);
    if (grown == NULL) {
        s->failed = true;
        return;
    }
    memcpy(grown + s->size, text, size);
    s->text = grown;
    s->size += size;
    s->text[s->size] = '\0';
}

/* A field in quotes, those inside doubled. */
static void add_quoted(sheet *s, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        add(s, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
}

static void add_bar(sheet *s, const shoal_table *table, size_t column, const engine_bar *bar)
{
    size_t first_size, last_size;
    const char *first = shoal_table_value(table, column, bar->first, &first_size);
    const char *last = shoal_table_value(table, column, bar->last, &last_size);
    bool is_run = bar->first != bar->last;
    add(s, "\"", 1);
    if (is_run) add(s, "[", 1);
    add_quoted(s, first, first_size);
    if (is_run) add(s, "..", 2);
    if (is_run) add_quoted(s, last, last_size);
    if (is_run) add(s, "]", 1);
    add(s, "\"\n", 2);
}

/* One query for each bar of a column. */
static shoal_status bar_queries(shoal_queries **out, const shoal_table *table, size_t column,
                                const engine_bar *bars, size_t n, shoal_error *err)
{
    sheet s = { 0 };
    shoal_table *workload = NULL;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    shoal_status status = SHOAL_OK;
    const char *name = shoal_table_column_name(table, column);
    csv.delimiter = ',';
    add(&s, "\"", 1);
    add_quoted(&s, name, strlen(name));
    add(&s, "\"\n", 2);
    for (size_t i = 0; i < n; i++) add_bar(&s, table, column, &bars[i]);
    if (s.failed) ENGINE_GOTO_IF_ERROR(shoal_fail_memory(err), out);
    ENGINE_GOTO_IF_ERROR(shoal_table_open_memory(&workload, s.text, s.size, NULL, NULL, &csv, err),
                         out);
    ENGINE_GOTO_IF_ERROR(shoal_table_set_role(workload, 0, SHOAL_ROLE_QUASI, err), out);
    ENGINE_GOTO_IF_ERROR(shoal_table_set_type(workload, 0, SHOAL_TYPE_CATEGORICAL, err), out);
    ENGINE_GOTO_IF_ERROR(shoal_table_load(workload, NULL, err), out);
    status = shoal_queries_read(out, table, workload, 1, err);
out:
    shoal_table_free(workload);
    free(s.text);
    return status;
}

static json_t *value_json(const shoal_table *table, size_t column, uint32_t code)
{
    size_t length = 0;
    const char *text = shoal_table_value(table, column, code, &length);
    return engine_text(text != NULL ? text : "", length);
}

static shoal_status column_json(json_t **out, const engine_release *release,
                                const shoal_table *released, size_t column, shoal_error *err)
{
    const shoal_table *table = release->job.table;
    engine_bar bars[ENGINE_BARS + 1];
    uint64_t other;
    size_t n = engine_bars(bars, table, column, &other);
    shoal_queries *queries = NULL;
    shoal_query_result result = { 0 };
    json_t *list = json_array();
    shoal_status status = SHOAL_OK;
    if (n > 0) ENGINE_GOTO_IF_ERROR(bar_queries(&queries, table, column, bars, n, err), out);
    if (n > 0)
        ENGINE_GOTO_IF_ERROR(shoal_queries_estimate(&result, queries, released, NULL, err), out);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:o, s:o, s:I, s:f}", "from",
                                              value_json(table, column, bars[i].first), "to",
                                              value_json(table, column, bars[i].last), "before",
                                              (json_int_t)shoal_queries_actual(queries, i), "after",
                                              result.estimates[i]));
    const char *name = shoal_table_column_name(table, column);
    *out = json_pack("{s:o, s:b, s:I, s:O}", "name", engine_text(name, strlen(name)), "numbers",
                     engine_has_numbers(table, column), "other", (json_int_t)other, "bars", list);
out:
    json_decref(list);
    shoal_query_result_clear(&result);
    shoal_queries_free(queries);
    return status;
}

/* Bars of every quasi-identifier, before and after the release "id". */
shoal_status engine_distribution(engine_state *e, const json_t *request, json_t **answer,
                                 shoal_error *err)
{
    engine_release *release;
    const char *text = NULL;
    size_t size = 0;
    shoal_table *released = NULL;
    json_t *columns = json_array();
    shoal_status status = SHOAL_OK;
    ENGINE_GOTO_IF_ERROR(engine_release_of(&release, e, request, err), out);
    ENGINE_GOTO_IF_ERROR(released_text(&text, &size, release, err), out);
    ENGINE_GOTO_IF_ERROR(
        engine_load_released(&released, &release->job, text, size, release->job.table, 0, err),
        out);
    for (size_t c = 0; c < shoal_table_n_columns(release->job.table); c++) {
        json_t *column = NULL;
        if (shoal_table_role(release->job.table, c) != SHOAL_ROLE_QUASI) continue;
        ENGINE_GOTO_IF_ERROR(column_json(&column, release, released, c, err), out);
        json_array_append_new(columns, column);
    }
    *answer = json_incref(columns);
out:
    json_decref(columns);
    shoal_table_free(released);
    return status;
}
