/* SPDX-License-Identifier: Apache-2.0 */
/* queries_read.c - read a workload from a table: each row is a query, each cell a predicate in the
 * spelling of a release.
 *
 * Each distinct text of a column is read once, by the code that reads releases (published.h). A
 * text that is a value and also a label above it means the value. Cost: O(texts) and one count per
 * row.
 */
#include "evaluate/queries.h"

#include <string.h>

/* Columns that shoal_queries_write_csv() adds. */
static bool is_passed_over(const char *name)
{
    static const char *const names[] = { "query", "actual", "estimate", "error" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* The predicates of one column of the workload. */
typedef struct asked_column {
    uint32_t attr; /* SHOAL_NO_CODE: skipped */
    shoal_published published;
    shoal_region *regions; /* of each text */
    bool *asks;            /* is the text a predicate? */
    shoal_text *texts;     /* the texts; the queries keep copies */
} asked_column;

typedef struct reading {
    shoal_queries *queries;
    const shoal_table *workload;
    asked_column *columns;
} reading;

static shoal_status fail_unread(const reading *r, size_t c, uint32_t text, shoal_error *err)
{
    const shoal_column *column = &r->workload->columns[c];
    uint64_t row = 0;
    while (row < r->workload->n_rows && shoal_column_code(column, row) != text) row++;
    return shoal_fail(
        err, SHOAL_EDATA,
        "workload: row {row %llu}, column '{column %s}': not a value of that column, a label of "
        "its hierarchy, an interval or a set {fix} write it as in a release",
        (unsigned long long)row + 1, column->name);
}

/* A region between two values has no elements to write it with, and an interval contains more than
 * its values: the text itself is written again. */
static bool keep_text(asked_column *asked, uint32_t t, shoal_text text, shoal_arena *arena)
{
    char *copy = shoal_arena_alloc(arena, text.length);
    if (copy == NULL) return false;
    memcpy(copy, text.data, text.length);
    asked->texts[t] = (shoal_text){ copy, text.length };
    return true;
}

static shoal_status read_column(reading *r, size_t c, shoal_error *err)
{
    const shoal_column *column = &r->workload->columns[c];
    asked_column *asked = &r->columns[c];
    size_t at = shoal_table_find_column(r->queries->original, column->name);
    asked->attr = at == SIZE_MAX ? SHOAL_NO_CODE : shoal_queries_attr(r->queries, at);
    if (at == SIZE_MAX && is_passed_over(column->name)) return SHOAL_OK;
    if (asked->attr == SHOAL_NO_CODE)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "workload: column '{column %s}' is not a quasi-identifier, sensitive or class column "
            "of the original {fix} give it one of these roles or remove it from the workload",
            column->name);
    if (!column->is_encoded || column->type != SHOAL_TYPE_CATEGORICAL)
        return shoal_fail(err, SHOAL_EINVAL,
                          "workload: column '{column %s}' must be loaded as categorical",
                          column->name);
    asked->regions = shoal_alloc(column->n_values, sizeof *asked->regions);
    asked->asks = shoal_alloc_zero(column->n_values, sizeof *asked->asks);
    asked->texts = shoal_alloc(column->n_values, sizeof *asked->texts);
    if (asked->regions == NULL || asked->asks == NULL || asked->texts == NULL)
        return shoal_fail_memory(err);
    SHOAL_RETURN_IF_ERROR(shoal_published_read(&asked->published, r->queries->original,
                                               &r->queries->space.attrs[asked->attr],
                                               column->values, column->n_values, err));
    for (uint32_t t = 0; t < column->n_values; t++) {
        const shoal_reading *text = &asked->published.readings[t];
        if (column->values[t].length == 0 || text->kind == SHOAL_READ_ALL) continue;
        if (text->kind == SHOAL_READ_NOTHING) return fail_unread(r, c, t, err);
        asked->asks[t] = true;
        r->queries->asked[asked->attr] = true;
        if (!keep_text(asked, t, column->values[t], &r->queries->arena) ||
            !shoal_region_of_text(&asked->regions[t], &r->queries->domains[asked->attr],
                                  &asked->published, t, false, &r->queries->arena))
            return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

static shoal_status read_row(reading *r, uint64_t row, shoal_query_room *room, shoal_error *err)
{
    shoal_queries *q = r->queries;
    shoal_predicate *predicates = shoal_query_predicates(q, row);
    uint32_t n = 0;
    for (size_t c = 0; c < r->workload->n_columns; c++) {
        const asked_column *asked = &r->columns[c];
        if (asked->attr == SHOAL_NO_CODE) continue;
        uint32_t text = shoal_column_code(&r->workload->columns[c], row);
        if (asked->asks[text])
            predicates[n++] = (shoal_predicate){ asked->attr, asked->regions[text],
                                                 asked->texts[text] };
    }
    if (n == 0)
        return shoal_fail(
            err, SHOAL_EDATA,
            "workload: row {row %llu} has no condition {fix} fill in a cell or remove the row",
            (unsigned long long)row + 1);
    q->n_predicates[row] = n;
    q->actual[row] = (uint64_t)(shoal_view_count(&q->view, q->domains, predicates, n, room) + 0.5);
    return SHOAL_OK;
}

static shoal_status read_rows(reading *r, uint32_t threads, shoal_error *err)
{
    shoal_queries *q = r->queries;
    uint32_t n_asked = 0;
    for (uint32_t a = 0; a < q->space.n_attrs; a++) n_asked += q->asked[a];
    if (n_asked == 0)
        return shoal_fail(err, SHOAL_EDATA, "workload: no queries {fix} write one row per query");
    SHOAL_RETURN_IF_ERROR(shoal_queries_reserve(q, r->workload->n_rows, n_asked, threads, err));
    shoal_query_room *room = shoal_rooms_make(&q->view, q->domains, n_asked, 1);
    if (room == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    for (uint64_t row = 0; row < r->workload->n_rows && status == SHOAL_OK; row++)
        status = read_row(r, row, room, err);
    shoal_rooms_free(room, 1);
    return status;
}

shoal_status shoal_queries_read(shoal_queries **out, const shoal_table *original,
                                const shoal_table *workload, uint32_t threads, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    if (!workload->is_loaded)
        return shoal_fail(err, SHOAL_EINVAL, "workload: the table is not loaded");
    reading r = { .workload = workload };
    SHOAL_RETURN_IF_ERROR(shoal_queries_begin(&r.queries, original, err));
    r.columns = shoal_alloc_zero(workload->n_columns, sizeof *r.columns);
    if (r.columns == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (size_t c = 0; c < workload->n_columns; c++)
        SHOAL_GOTO_IF_ERROR(read_column(&r, c, err), out);
    SHOAL_GOTO_IF_ERROR(read_rows(&r, threads, err), out);
    *out = r.queries;
    r.queries = NULL;
out:
    for (size_t c = 0; r.columns != NULL && c < workload->n_columns; c++) {
        shoal_published_clear(&r.columns[c].published);
        shoal_free(r.columns[c].regions);
        shoal_free(r.columns[c].asks);
        shoal_free(r.columns[c].texts);
    }
    shoal_free(r.columns);
    shoal_queries_free(r.queries);
    return status;
}
