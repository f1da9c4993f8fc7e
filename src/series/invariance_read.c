/* SPDX-License-Identifier: Apache-2.0 */
/* invariance_read.c - an m-invariant release from its text alone: its groups, and that each of them
 * has m rows, different values, and one text for each quasi-identifier.
 *
 * Nothing of how the release was made is used. The last column has the numbers of the groups, 1, 2,
 * 3, ...
 *
 * Cost: O(rows * columns + rows log (rows of a group)).
 */
#include "base/stable_sort.h"
#include "series/invariance.h"

#include <stdlib.h>
#include <string.h>

/* The text is about to be published, or was: either way it must not be trusted. */
static shoal_status fail_text(const char *why, shoal_error *err)
{
    return shoal_fail(err, SHOAL_EUNSAT,
                      "verify: the release is not m-invariant: %s {fix} do not publish it", why);
}

/* ---- columns ---- */

/* Values are compared as texts, also numbers. */
static shoal_status set_column(shoal_table *table, const char *name, shoal_role role,
                               shoal_error *err)
{
    size_t column = shoal_table_find_column(table, name);
    if (column == SIZE_MAX)
        return shoal_fail(err, SHOAL_EDATA, "the release has no column '{column %.200s}'", name);
    SHOAL_RETURN_IF_ERROR(shoal_table_set_role(table, column, role, err));
    return shoal_table_set_type(table, column, SHOAL_TYPE_CATEGORICAL, err);
}

/* The header decides: quasi-identifiers, the sensitive column and one more for the groups. */
static shoal_status open_text(shoal_table **out, const shoal_change *c, const char *text,
                              size_t size, shoal_error *err)
{
    const shoal_series_terms *t = &c->terms;
    shoal_load_options load = SHOAL_LOAD_OPTIONS_INIT;
    shoal_csv_options csv = SHOAL_CSV_OPTIONS_INIT;
    load.threads = c->threads;
    /* a file of an earlier release can be read without the state */
    if (c->table != NULL) csv.delimiter = shoal_table_delimiter(c->table);
    SHOAL_RETURN_IF_ERROR(shoal_table_open_memory(out, text, size, NULL, NULL, &csv, err));
    if ((*out)->n_columns != t->n_quasi + 2) return fail_text("unexpected columns", err);
    SHOAL_RETURN_IF_ERROR(
        shoal_table_set_nulls(*out, t->nulls, t->n_nulls, SHOAL_MISSING_OWN_CATEGORY, err));
    for (uint32_t a = 0; a < t->n_quasi; a++)
        SHOAL_RETURN_IF_ERROR(set_column(*out, t->quasi[a], SHOAL_ROLE_QUASI, err));
    SHOAL_RETURN_IF_ERROR(set_column(*out, t->sensitive[0], SHOAL_ROLE_SENSITIVE, err));
    SHOAL_RETURN_IF_ERROR(
        set_column(*out, (*out)->columns[t->n_quasi + 1].name, SHOAL_ROLE_CLASS, err));
    return shoal_table_load(*out, &load, err);
}

/* ---- groups ---- */

/* Leading zeros are accepted, signs and blanks are not. */
/* The number in a text of digits; 0: it is none, or too large. */
static uint32_t read_number(shoal_text text)
{
    uint64_t number = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.data[i] < '0' || text.data[i] > '9' ||
            (number = number * 10 + (uint64_t)(text.data[i] - '0')) >= SHOAL_NO_CODE)
            return 0;
    }
    return (uint32_t)number;
}

/* Rows by the number of their group. */
static shoal_status list_groups(shoal_signed_text *t, shoal_error *err)
{
    const shoal_column *groups = &t->table->columns[t->table->n_columns - 1];
    uint64_t n_rows = t->table->n_rows;
    t->n_groups = groups->n_values;
    t->begin = shoal_alloc_zero((size_t)t->n_groups + 2, sizeof *t->begin);
    t->rows = shoal_alloc((size_t)n_rows, sizeof *t->rows);
    uint32_t *numbers = shoal_alloc(t->n_groups, sizeof *numbers);
    shoal_status status = t->begin != NULL && t->rows != NULL && numbers != NULL
                              ? SHOAL_OK
                              : shoal_fail_memory(err);
    for (uint32_t i = 0; status == SHOAL_OK && i < t->n_groups; i++) {
        numbers[i] = read_number(groups->values[i]);
        if (numbers[i] == 0 || numbers[i] > t->n_groups)
            status = fail_text("group numbers are not 1, 2, 3, ...", err);
    }
    /* begin[g + 1] counts group g, from 1; the second loop moves it to its start */
    for (uint64_t row = 0; status == SHOAL_OK && row < n_rows; row++)
        t->begin[numbers[shoal_column_code(groups, row)] + 1]++;
    for (uint32_t g = 0; status == SHOAL_OK && g < t->n_groups; g++)
        t->begin[g + 2] += t->begin[g + 1];
    for (uint64_t row = 0; status == SHOAL_OK && row < n_rows; row++)
        t->rows[t->begin[numbers[shoal_column_code(groups, row)]]++] = (uint32_t)row;
    shoal_free(numbers);
    return status;
}

/* For the stable sort: rows of equal values keep their order. */
static int by_value(const void *x, const void *y, void *payload)
{
    const uint32_t *values = payload, a = values[*(const uint32_t *)x],
                   b = values[*(const uint32_t *)y];
    return (a > b) - (a < b);
}

/* Rows with m distinct values need at least m rows; k may ask for more. */
static shoal_status check_group(const shoal_signed_text *t, const shoal_change *c, uint32_t group,
                                shoal_error *err)
{
    uint32_t *rows = t->rows + t->begin[group];
    size_t n = (size_t)(t->begin[group + 1] - t->begin[group]);
    if (n < c->terms.m || n < c->terms.k) return fail_text("a group has too few rows", err);
    shoal_stable_sort(rows, n, sizeof *rows, by_value, t->values);
    for (size_t i = 1; i < n; i++) {
        if (t->values[rows[i]] == t->values[rows[i - 1]])
            return fail_text("a group has a duplicate value", err);
        for (size_t col = 0; col + 1 < t->table->n_columns; col++) {
            const shoal_column *column = &t->table->columns[col];
            if (column->role == SHOAL_ROLE_QUASI &&
                shoal_column_code(column, rows[i]) != shoal_column_code(column, rows[0]))
                return fail_text("a group has two published tuples", err);
        }
    }
    return SHOAL_OK;
}

/* After a failure `out` is to be cleared, too. */
shoal_status shoal_signed_text_read(shoal_signed_text *out, shoal_change *c, const char *text,
                                    size_t size, shoal_error *err)
{
    *out = (shoal_signed_text){ 0 };
    /* such a series has one sensitive column, and signatures instead of slots */
    if (c->terms.n_sensitive != 1 || c->state->slots.n != 1 || c->state->values.n != 1)
        return fail_text("the state does not belong to an m-invariant series", err);
    SHOAL_RETURN_IF_ERROR(open_text(&out->table, c, text, size, err));
    out->values = shoal_alloc((size_t)out->table->n_rows, sizeof *out->values);
    if (out->values == NULL) return shoal_fail_memory(err);
    uint32_t n_values = c->state->values.tuples.n_values;
    SHOAL_RETURN_IF_ERROR(shoal_series_values_of(out->values, &c->state->values, out->table,
                                                 &c->terms, c->threads, err));
    if (c->state->values.tuples.n_values != n_values)
        return fail_text("it has values that are neither in the table nor in an earlier release",
                         err);
    SHOAL_RETURN_IF_ERROR(list_groups(out, err));
    for (uint32_t g = 0; g < out->n_groups; g++) SHOAL_RETURN_IF_ERROR(check_group(out, c, g, err));
    return SHOAL_OK;
}

/* The values of a group are sorted, so equal groups have the same signature number. */
bool shoal_signed_text_signature(uint32_t *out, const shoal_signed_text *text,
                                 shoal_tuple_pool *pool, uint32_t group)
{
    uint64_t begin = text->begin[group];
    uint32_t n = (uint32_t)(text->begin[group + 1] - begin),
             *values = shoal_alloc(n, sizeof *values);
    for (uint32_t i = 0; values != NULL && i < n; i++)
        values[i] = text->values[text->rows[begin + i]];
    *out = values != NULL ? shoal_signature_add(pool, values, n) : SHOAL_NO_CODE;
    shoal_free(values);
    return *out != SHOAL_NO_CODE;
}

void shoal_signed_text_clear(shoal_signed_text *text)
{
    shoal_table_free(text->table);
    shoal_free(text->begin);
    shoal_free(text->rows);
    shoal_free(text->values);
    *text = (shoal_signed_text){ 0 };
}
