/* SPDX-License-Identifier: Apache-2.0 */
/* engine_columns.c - what the columns of the table are like: the library's profile and proposed
 * plan, and bars to draw. */
#include "engine.h"

#include <math.h>
#include <stdlib.h>

static double number_at(const shoal_table *table, size_t column, uint32_t code)
{
    char copy[64];
    size_t length;
    const char *text = shoal_table_value(table, column, code, &length);
    snprintf(copy, sizeof copy, "%.*s", (int)(length < 60 ? length : 60), text != NULL ? text : "");
    return strtod(copy, NULL);
}

bool engine_has_numbers(const shoal_table *table, size_t column)
{
    shoal_type type = shoal_table_type(table, column);
    return type == SHOAL_TYPE_NUMERIC || type == SHOAL_TYPE_DATE;
}

/* Codes of numbers and dates ascend with their values: bars of about equal width, each from a value
 * to a value. */
static size_t bars_of_numbers(engine_bar *out, const shoal_table *table, size_t column,
                              uint32_t n_codes)
{
    bool is_date = shoal_table_type(table, column) == SHOAL_TYPE_DATE;
    double low = is_date ? 0 : number_at(table, column, 0),
           high = is_date ? n_codes : number_at(table, column, n_codes - 1);
    double width = (high - low) / ENGINE_BARS;
    size_t n = 0;
    long last_bin = -1;
    for (uint32_t code = 0; code < n_codes; code++) {
        double at = is_date ? code : number_at(table, column, code);
        long bin = width > 0 && isfinite(width) ? (long)((at - low) / width) : 0;
        if (bin >= ENGINE_BARS) bin = ENGINE_BARS - 1;
        if (bin != last_bin) out[n++] = (engine_bar){ code, code, 0 };
        last_bin = bin;
        out[n - 1].last = code;
        out[n - 1].rows += shoal_table_value_count(table, column, code);
    }
    return n;
}

/* The most frequent categories. */
static size_t bars_of_categories(engine_bar *out, const shoal_table *table, size_t column,
                                 uint64_t *other_rows)
{
    uint32_t n_codes = shoal_table_n_values(table, column),
             null_code = shoal_table_null_code(table, column);
    size_t n = 0;
    for (uint32_t code = 0; code < n_codes; code++) {
        if (code == null_code) continue;
        engine_bar bar = { code, code, shoal_table_value_count(table, column, code) };
        size_t at = n;
        while (at > 0 && out[at - 1].rows < bar.rows) at--;
        if (n == ENGINE_BARS) *other_rows += at < n ? out[n - 1].rows : bar.rows;
        if (at == ENGINE_BARS) continue;
        size_t kept = n < ENGINE_BARS ? n : ENGINE_BARS - 1;
        memmove(out + at + 1, out + at, (kept - at) * sizeof *out);
        out[at] = bar;
        n = kept + 1;
    }
    return n;
}

size_t engine_bars(engine_bar *out, const shoal_table *table, size_t column, uint64_t *other_rows)
{
    uint32_t n_codes = shoal_table_n_values(table, column),
             null_code = shoal_table_null_code(table, column);
    *other_rows = 0;
    if (!engine_has_numbers(table, column))
        return bars_of_categories(out, table, column, other_rows);
    if (null_code != UINT32_MAX) n_codes = null_code; /* missing is the last */
    return n_codes > 0 ? bars_of_numbers(out, table, column, n_codes) : 0;
}

static json_t *value_json(const shoal_table *table, size_t column, uint32_t code)
{
    size_t length = 0;
    const char *text = shoal_table_value(table, column, code, &length);
    return engine_text(text != NULL ? text : "", length);
}

static json_t *bars_json(const shoal_table *table, size_t column)
{
    engine_bar bars[ENGINE_BARS + 1];
    uint64_t other;
    size_t n = engine_bars(bars, table, column, &other);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_pack("{s:o, s:o, s:I}", "from",
                                              value_json(table, column, bars[i].first), "to",
                                              value_json(table, column, bars[i].last), "rows",
                                              (json_int_t)bars[i].rows));
    return json_pack("{s:o, s:I, s:b}", "bars", list, "other", (json_int_t)other, "numbers",
                     engine_has_numbers(table, column));
}

static shoal_status proposed_plan(json_t **out, const shoal_table *table, shoal_error *err)
{
    char *text = NULL;
    shoal_spec plan = SHOAL_SPEC_INIT;
    ENGINE_RETURN_IF_ERROR(shoal_profile_plan(&text, table, NULL, err));
    shoal_status status = shoal_plan_parse(&plan, text, strlen(text), ENGINE_PLAN_PATH, err);
    if (status == SHOAL_OK) status = engine_take_json(out, shoal_plan_json(&plan), err);
    shoal_spec_clear(&plan);
    shoal_string_free(text);
    return status;
}

/* The profile of every column, bars, and the plan that the library proposes. */
shoal_status engine_columns(engine_state *e, const json_t *request, json_t **answer,
                            shoal_error *err)
{
    char *text = NULL;
    json_t *profile = NULL, *plan = NULL, *bars = json_array();
    (void)request;
    if (e->view == NULL)
        return shoal_fail(err, SHOAL_EINVAL, "no table is open {fix} open one first");
    ENGINE_RETURN_IF_ERROR(shoal_profile_json(&text, e->view, NULL, err));
    ENGINE_RETURN_IF_ERROR(engine_take_json(&profile, text, err));
    shoal_status status = proposed_plan(&plan, e->view, err);
    if (status != SHOAL_OK) {
        json_decref(profile);
        return status;
    }
    for (size_t i = 0; i < shoal_table_n_columns(e->view); i++)
        json_array_append_new(bars, bars_json(e->view, i));
    *answer = json_pack("{s:o, s:o, s:o}", "profile", profile, "plan", plan, "bars", bars);
    return *answer != NULL ? SHOAL_OK : shoal_fail_memory(err);
}
