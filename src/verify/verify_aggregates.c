/* SPDX-License-Identifier: Apache-2.0 */
/* verify_aggregates.c - the check of means, medians and modes, from published text and originals
 * only.
 *
 * Rows with the same published tuple are a group. For each group and column the aggregate is
 * computed again, by another algorithm than the one that made the release: the mean as a running
 * mean over the rows, median and mode by sorting the rows' values. The published text must be that
 * value:
 *
 *     mean        within half a unit of the last published decimal (two decimals more than the
 *                 column has, a day for dates), plus the rounding error of doubles
 *     median      a value of the column: the lower median of the group's numbers
 *     mode        a value of the column, as frequent as any in the group, and the first such
 *     no numbers  a missing value
 *
 * `*` is always correct, because it covers every value. Cost: O(rows log rows * attributes).
 */
#include "verify/verify_aggregates.h"

#include "hierarchy/kind.h"
#include "published/published.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One attribute. */
typedef struct column_check {
    const shoal_aggregate_check *check;
    const shoal_attribute *attr;
    const shoal_column *original, *released;
    double half_unit; /* half a unit of the last decimal of a mean */
} column_check;

/* Rows of the release sorted by tuple. */
typedef struct tuple_rows {
    uint64_t *begin;
    uint64_t *rows;
    uint32_t *values; /* room for the originals of one tuple */
} tuple_rows;

static bool tuple_rows_make(tuple_rows *t, const shoal_tuples *tuples, uint64_t n_rows)
{
    t->begin = shoal_alloc_zero((size_t)tuples->n_tuples + 2, sizeof *t->begin);
    t->rows = shoal_alloc((size_t)n_rows, sizeof *t->rows);
    t->values = shoal_alloc((size_t)n_rows, sizeof *t->values);
    if (t->begin == NULL || t->rows == NULL || t->values == NULL) return false;
    for (uint64_t row = 0; row < n_rows; row++) t->begin[tuples->id_of_unit[row] + 2]++;
    for (uint32_t i = 2; i < tuples->n_tuples + 2; i++) t->begin[i] += t->begin[i - 1];
    for (uint64_t row = 0; row < n_rows; row++)
        t->rows[t->begin[tuples->id_of_unit[row] + 1]++] = row;
    return true;
}

static void tuple_rows_clear(tuple_rows *t)
{
    shoal_free(t->begin);
    shoal_free(t->rows);
    shoal_free(t->values);
}

/* ---- the expected values ---- */

/* Unit of the last decimal of the column: the least 10^-decimals over its values. */
static double last_place(const shoal_column *column)
{
    double least = 1;
    for (uint32_t v = 0; v < column->n_values; v++) {
        shoal_text text = column->values[v];
        double place = 1, power = 0;
        bool is_behind = false, is_plain = column->format.kind == SHOAL_FORMAT_PLAIN;
        if (!is_plain)
            place = pow(10, -shoal_format_decimals(&column->format, text.data, text.length));
        for (size_t i = 0; is_plain && v != column->null_code && i < text.length; i++) {
            if (text.data[i] == '.')
                is_behind = true;
            else if (text.data[i] >= '0' && text.data[i] <= '9')
                place /= is_behind ? 10 : 1;
            else if (text.data[i] == 'e' || text.data[i] == 'E') {
                shoal_parse_number(text.data + i + 1, text.length - i - 1, &power);
                break;
            }
        }
        place *= pow(10, power);
        if (place < least) least = place;
    }
    return least;
}

static bool is_mean(const column_check *c, shoal_text text, const uint32_t *values, uint64_t n)
{
    double mean = 0, most = 0, published;
    if (!shoal_read_scalar(text, &c->original->format, &published)) return false;
    for (uint64_t i = 0; i < n; i++) {
        double x = c->original->numbers[values[i]];
        /* two divisions: x - mean could overflow */
        mean += x / (double)(i + 1) - mean / (double)(i + 1);
        most = fmax(most, fabs(x));
    }
    /* The last terms allow for rounding errors of the sum: relative to the largest number, growing
     * with sqrt(n). */
    return fabs(published - mean) <=
           c->half_unit * (1 + 1e-9) + 1e-13 * most + 1e-15 * most * sqrt((double)n);
}

static int by_code(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static bool is_mode(shoal_text text, const column_check *c, const uint32_t *sorted, uint64_t n)
{
    uint64_t longest = 0, from = 0;
    uint32_t mode = SHOAL_NO_CODE;
    for (uint64_t i = 1; i <= n; i++) {
        if (i < n && sorted[i] == sorted[from]) continue;
        if (i - from > longest) { /* the first of several: values ascend */
            longest = i - from;
            mode = sorted[from];
        }
        from = i;
    }
    return shoal_find_value(c->check->original, c->original, text) == mode;
}

/* Has the text blanks around it that its value does not have? */
static bool is_padded(const column_check *c, shoal_text text)
{
    if (!shoal_has_blanks_around(text)) return false;
    uint32_t code = shoal_find_value(c->check->original, c->original, text);
    return code == SHOAL_NO_CODE || c->original->values[code].length != text.length ||
           memcmp(c->original->values[code].data, text.data, text.length) != 0;
}

/* `values`: the originals of the tuple, as codes of the column. */
static bool is_right(const column_check *c, shoal_text text, uint32_t *values, uint64_t n)
{
    if (text.length == 1 && text.data[0] == '*') return true;
    if (is_padded(c, text)) return false;
    for (uint64_t i = 0; i < n; i++) /* known only as `*` */
        if (c->attr->code_of_value[values[i]] >= c->attr->top_from) return false;
    if (!c->attr->is_interval || c->check->model == SHOAL_RECODE_MODE) {
        qsort(values, (size_t)n, sizeof *values, by_code);
        return is_mode(text, c, values, n);
    }
    uint64_t n_numbers = 0;
    for (uint64_t i = 0; i < n; i++)
        if (values[i] != c->original->null_code) values[n_numbers++] = values[i];
    uint32_t published = shoal_find_value(c->check->original, c->original, text);
    if (n_numbers == 0) return published != SHOAL_NO_CODE && published == c->original->null_code;
    if (published != SHOAL_NO_CODE && published == c->original->null_code) return false;
    if (c->check->model == SHOAL_RECODE_MEAN && c->attr->kind->has_means)
        return is_mean(c, text, values, n_numbers);
    qsort(values, (size_t)n_numbers, sizeof *values, by_code);
    return published == values[(n_numbers - 1) / 2];
}

/* ---- all cells ---- */

static uint64_t count_wrong(const column_check *c, tuple_rows *t)
{
    const shoal_aggregate_check *check = c->check;
    uint64_t n_wrong = 0;
    for (uint32_t i = 0; i < check->tuples->n_tuples; i++) {
        uint64_t n = t->begin[i + 1] - t->begin[i];
        const uint64_t *rows = t->rows + t->begin[i];
        for (uint64_t j = 0; j < n; j++)
            t->values[j] = shoal_column_code(
                c->original, check->original_row == NULL ? rows[j] : check->original_row[rows[j]]);
        shoal_text text = c->released->values[shoal_column_code(c->released, rows[0])];
        if (!is_right(c, text, t->values, n)) n_wrong += n;
    }
    return n_wrong;
}

shoal_status shoal_count_wrong_aggregates(uint64_t *n_wrong, uint32_t *first_attr,
                                          const shoal_aggregate_check *check, shoal_error *err)
{
    tuple_rows rows = { 0 };
    bool ok = tuple_rows_make(&rows, check->tuples, check->released->n_rows);
    *n_wrong = 0;
    for (uint32_t a = 0; ok && a < check->space->n_attrs; a++) {
        const shoal_attribute *attr = &check->space->attrs[a];
        column_check c = { .check = check,
                           .attr = attr,
                           .original = attr->source,
                           .released = &check->released->columns[check->columns[a]] };
        if (attr->is_interval)
            c.half_unit = attr->source->type == SHOAL_TYPE_DATE
                              ? shoal_format_unit(&attr->source->format) / 2
                              : last_place(attr->source) / 200;
        uint64_t n = count_wrong(&c, &rows);
        if (n > 0 && *n_wrong == 0) *first_attr = a;
        *n_wrong += n;
    }
    tuple_rows_clear(&rows);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}
