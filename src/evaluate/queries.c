/* SPDX-License-Identifier: Apache-2.0 */
/* queries.c - a workload of COUNT queries: its columns, its memory, and how it is written as CSV.
 */
#include "evaluate/queries.h"

#include <math.h>
#include <string.h>

/* Columns of a role in the order in which they were named, after those already listed. */
static uint32_t list_role(uint32_t *columns, uint32_t n, const shoal_table *table, shoal_role role)
{
    uint32_t begin = n;
    for (size_t c = 0; c < table->n_columns; c++) {
        if (table->columns[c].role != role || !table->columns[c].is_encoded) continue;
        uint32_t at = n++;
        for (;
             at > begin && table->columns[columns[at - 1]].role_rank > table->columns[c].role_rank;
             at--)
            columns[at] = columns[at - 1];
        columns[at] = (uint32_t)c;
    }
    return n;
}

static shoal_status make_domains(shoal_queries *q, shoal_error *err)
{
    q->domains = shoal_alloc_zero(q->space.n_attrs, sizeof *q->domains);
    q->asked = shoal_alloc_zero(q->space.n_attrs, sizeof *q->asked);
    if (q->domains == NULL || q->asked == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < q->space.n_attrs; a++)
        SHOAL_RETURN_IF_ERROR(
            shoal_domain_make(&q->domains[a], q->original, &q->space.attrs[a], err));
    return SHOAL_OK;
}

shoal_status shoal_queries_begin(shoal_queries **out, const shoal_table *original, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    if (!original->is_loaded)
        return shoal_fail(err, SHOAL_EINVAL, "queries: the table is not loaded");
    shoal_queries *q = shoal_alloc_zero(1, sizeof *q);
    uint32_t *columns = shoal_alloc(original->n_columns, sizeof *columns);
    if (q == NULL || columns == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    q->original = original;
    q->n_quasi = list_role(columns, 0, original, SHOAL_ROLE_QUASI);
    q->n_sensitive = list_role(columns, q->n_quasi, original, SHOAL_ROLE_SENSITIVE) - q->n_quasi;
    uint32_t n = list_role(columns, q->n_quasi + q->n_sensitive, original, SHOAL_ROLE_CLASS);
    if (q->n_quasi == 0) {
        status = shoal_fail(err, SHOAL_EINVAL, "queries: the table has no quasi-identifiers");
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(
        shoal_space_make_columns(&q->space, original, columns, n, original->missing, err), out);
    SHOAL_GOTO_IF_ERROR(make_domains(q, err), out);
    *out = q;
    q = NULL;
out:
    shoal_free(columns);
    shoal_queries_free(q);
    return status;
}

/* The original: each text is a value. */
static shoal_status view_original(shoal_queries *q, uint32_t threads, shoal_error *err)
{
    const shoal_column **columns = shoal_alloc(q->space.n_attrs, sizeof *columns);
    if (columns == NULL) return shoal_fail_memory(err);
    for (uint32_t a = 0; a < q->space.n_attrs; a++) columns[a] = q->space.attrs[a].source;
    shoal_status status = shoal_view_make(&q->view, columns, q->asked, q->space.n_attrs,
                                          q->original->n_rows, threads, err);
    shoal_free(columns);
    SHOAL_RETURN_IF_ERROR(status);
    for (uint32_t a = 0; a < q->space.n_attrs; a++) {
        shoal_view_column *c = &q->view.columns[a];
        for (uint32_t v = 0; v < c->n_texts; v++)
            c->regions[v] = shoal_region_of_value(&q->domains[a], v);
    }
    return SHOAL_OK;
}

shoal_status shoal_queries_reserve(shoal_queries *queries, uint64_t n_queries,
                                   uint32_t max_predicates, uint32_t threads, shoal_error *err)
{
    if (n_queries > SIZE_MAX / 1024 / (max_predicates + 1)) return shoal_fail_memory(err);
    queries->n_queries = n_queries;
    queries->max_predicates = max_predicates;
    queries->n_predicates = shoal_alloc_zero((size_t)n_queries, sizeof *queries->n_predicates);
    queries->predicates = shoal_alloc((size_t)n_queries * max_predicates,
                                      sizeof *queries->predicates);
    queries->actual = shoal_alloc_zero((size_t)n_queries, sizeof *queries->actual);
    if (queries->n_predicates == NULL || queries->predicates == NULL || queries->actual == NULL)
        return shoal_fail_memory(err);
    return view_original(queries, threads, err);
}

uint32_t shoal_queries_attr(const shoal_queries *queries, size_t column)
{
    for (uint32_t a = 0; a < queries->space.n_attrs; a++)
        if (queries->space.attrs[a].column == column) return a;
    return SHOAL_NO_CODE;
}

uint64_t shoal_queries_count(const shoal_queries *queries)
{
    return queries->n_queries;
}
uint32_t shoal_queries_dimensions(const shoal_queries *queries)
{
    return queries->dimensions;
}

uint64_t shoal_queries_n_redrawn(const shoal_queries *queries)
{
    return queries->n_redrawn;
}

bool shoal_queries_ask(const shoal_queries *queries, size_t column)
{
    uint32_t a = shoal_queries_attr(queries, column);
    return a != SHOAL_NO_CODE && queries->asked[a];
}

uint64_t shoal_queries_actual(const shoal_queries *queries, uint64_t query)
{
    return query < queries->n_queries ? queries->actual[query] : 0;
}

void shoal_queries_free(shoal_queries *queries)
{
    if (queries == NULL) return;
    for (uint32_t a = 0; queries->domains != NULL && a < queries->space.n_attrs; a++)
        shoal_domain_clear(&queries->domains[a]);
    shoal_free(queries->domains);
    shoal_free(queries->asked);
    shoal_view_clear(&queries->view);
    shoal_space_clear(&queries->space);
    shoal_free(queries->n_predicates);
    shoal_free(queries->predicates);
    shoal_free(queries->actual);
    shoal_arena_clear(&queries->arena);
    shoal_free(queries);
}

/* ---- writing ---- */

/* A CSV field, quoted if necessary. */
static void add_field(shoal_buffer *out, const char *text, size_t length)
{
    bool needs_quotes = length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
    for (size_t i = 0; i < length; i++) needs_quotes |= strchr(",;|\t\"\r\n", text[i]) != NULL;
    if (needs_quotes) shoal_buffer_add(out, "\"", 1);
    for (size_t i = 0; i < length; i++)
        shoal_buffer_add(out, text[i] == '"' ? "\"\"" : text + i, text[i] == '"' ? 2 : 1);
    if (needs_quotes) shoal_buffer_add(out, "\"", 1);
}

static void add_header(shoal_buffer *out, const shoal_queries *q)
{
    shoal_buffer_print(out, "query");
    for (uint32_t a = 0; a < q->space.n_attrs; a++) {
        const char *name = q->space.attrs[a].source->name;
        if (!q->asked[a]) continue;
        shoal_buffer_add(out, ",", 1);
        add_field(out, name, strlen(name));
    }
    shoal_buffer_print(out, ",actual,estimate,error\n");
}

static void add_query(shoal_buffer *out, shoal_buffer *scratch, const shoal_queries *q,
                      const shoal_query_result *result, uint64_t i)
{
    const shoal_predicate *predicates = shoal_query_predicates(q, i);
    shoal_buffer_print(out, "%llu", (unsigned long long)i + 1);
    for (uint32_t a = 0; a < q->space.n_attrs; a++) {
        if (!q->asked[a]) continue;
        shoal_buffer_add(out, ",", 1);
        for (uint32_t p = 0; p < q->n_predicates[i]; p++) {
            if (predicates[p].attr != a) continue;
            scratch->size = 0;
            if (predicates[p].text.length > 0)
                shoal_buffer_add(scratch, predicates[p].text.data, predicates[p].text.length);
            else
                shoal_region_spell(scratch, &q->domains[a], &predicates[p].region);
            add_field(out, scratch->data, scratch->size);
        }
    }
    shoal_buffer_print(out, ",%llu", (unsigned long long)q->actual[i]);
    if (result == NULL)
        shoal_buffer_print(out, ",,\n");
    else if (isnan(result->errors[i]))
        shoal_buffer_print(out, ",%.10g,\n", result->estimates[i]);
    else
        shoal_buffer_print(out, ",%.10g,%.10g\n", result->estimates[i], result->errors[i]);
}

static shoal_status flush(shoal_buffer *out, shoal_write_fn write, void *payload, shoal_error *err)
{
    if (out->failed) return shoal_fail_memory(err);
    int code = out->size > 0 ? write(out->data, out->size, payload) : 0;
    out->size = 0;
    return code == 0 ? SHOAL_OK
                     : shoal_fail(err, SHOAL_EIO, "cannot write the queries: %s", strerror(code));
}

shoal_status shoal_queries_write_csv(const shoal_queries *queries, const shoal_query_result *result,
                                     shoal_write_fn write, void *payload, shoal_error *err)
{
    enum { BLOCK = 1 << 16 };
    shoal_status status = SHOAL_OK;
    shoal_buffer out = { 0 }, scratch = { 0 };
    if (result != NULL && result->n_queries != queries->n_queries)
        return shoal_fail(err, SHOAL_EINVAL, "queries: the result belongs to another workload");
    add_header(&out, queries);
    for (uint64_t i = 0; i < queries->n_queries && status == SHOAL_OK; i++) {
        add_query(&out, &scratch, queries, result, i);
        if (out.size >= BLOCK || out.failed || scratch.failed)
            status = flush(&out, write, payload, err);
    }
    if (status == SHOAL_OK)
        status = scratch.failed ? shoal_fail_memory(err) : flush(&out, write, payload, err);
    shoal_buffer_clear(&out);
    shoal_buffer_clear(&scratch);
    return status;
}
