/* SPDX-License-Identifier: Apache-2.0 */
/* quasi_cost.c - which proposed quasi-identifiers are most costly, by the lower bound.
 *
 * The lower bound by nearest rows (lower_bound.h) is computed on a sample of at most SAMPLE_ROWS
 * rows with k = SHOAL_USUAL_K: once for all quasi-identifiers, and once without each of them. The
 * cost of a column is by how much the bound falls without it; correlated columns cost little. The
 * stronger bounds are not used: with many columns their searches hit limits, some sooner than
 * others, and differences between such bounds mean nothing. The sample is every n-th row, with the
 * losses of the whole column, so that the same table has the same costs. A sample is sparser than
 * its table: the costs rank columns, they do not predict the loss of a release.
 *
 * The information of the columns is reported beside it: sum(-p log2 p) bits for a column whose
 * values have shares p. Groups of k among n rows leave log2(n / k) bits. For example, a column with
 * four equally frequent values has 2 bits; groups of 10 among 1,000 rows leave log2(100) = 6.6
 * bits. Cost: O(distinct values), and for n columns n + 1 bounds of the sample, each of at most
 * O(rows^2 * n).
 */
#include "profile/quasi_cost.h"

#include "bound/lower_bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* fewer rows for many columns: time grows with the square of the cells */
enum { SAMPLE_ROWS = 2000, SAMPLE_CELLS = 20000, LEAST_SAMPLE = 100 };

/* Entropy of a column in bits; O(distinct values). */
static double bits_of(const shoal_table *table, const shoal_column *column)
{
    double bits = 0, total = (double)table->total;
    for (uint32_t v = 0; v < column->n_values; v++) {
        double share = (double)column->counts[v] / total;
        if (share > 0) bits -= share * log2(share);
    }
    return bits;
}

static int by_cost(const void *x, const void *y)
{
    const shoal_quasi_cost *a = x, *b = y;
    if (a->share != b->share) return a->share > b->share ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

/* ---- the sample ---- */

static void clear_sample(shoal_table *sample, const shoal_quasi_costs *costs)
{
    for (size_t i = 0; sample->columns != NULL && i < costs->n; i++)
        shoal_free(sample->columns[costs->columns[i].column].codes);
    shoal_free(sample->columns);
}

/* A view of every n-th row: dictionaries are borrowed, codes are its own. Numeric codes of
 * categories are read as categories. */
static bool make_sample(shoal_table *sample, const shoal_table *table,
                        const shoal_quasi_costs *costs)
{
    uint64_t n = costs->n * SAMPLE_ROWS > SAMPLE_CELLS ? SAMPLE_CELLS / costs->n : SAMPLE_ROWS;
    if (n < LEAST_SAMPLE) n = LEAST_SAMPLE;
    if (n > table->n_rows) n = table->n_rows;
    *sample = *table;
    sample->n_rows = sample->total = n;
    sample->weights = NULL;
    sample->columns = shoal_alloc_zero(table->n_columns, sizeof *sample->columns);
    if (sample->columns == NULL) return false;
    for (size_t i = 0; i < costs->n; i++) {
        const shoal_column *from = &table->columns[costs->columns[i].column];
        shoal_column *to = &sample->columns[costs->columns[i].column];
        uint32_t *codes = shoal_alloc(n, sizeof *codes);
        *to = *from;
        to->codes = codes;
        to->code_width = sizeof *codes;
        if (costs->columns[i].is_category) to->type = SHOAL_TYPE_CATEGORICAL;
        if (codes == NULL) return false;
        for (uint64_t row = 0; row < n; row++)
            codes[row] = shoal_column_code(from, row * table->n_rows / n);
    }
    return true;
}

/* ---- costs ---- */

/* Lower bound of the sum of losses per row, over `n` columns. */
static shoal_status least_loss(double *out, const shoal_table *sample, const uint32_t *columns,
                               uint32_t n, shoal_error *err)
{
    shoal_bound_parts parts;
    shoal_bound_options options = SHOAL_BOUND_OPTIONS_INIT;
    bound_subject subject = { .table = sample,
                              .columns = columns,
                              .n_columns = n,
                              .k = SHOAL_USUAL_K,
                              .nearest_only = true };
    SHOAL_RETURN_IF_ERROR(lower_bound_find(&parts, NULL, &subject, &options, err));
    *out = parts.bound * n;
    return SHOAL_OK;
}

static shoal_status cost_columns(shoal_quasi_costs *costs, const shoal_table *sample,
                                 shoal_error *err)
{
    uint32_t n = (uint32_t)costs->n, *others = shoal_alloc(n, sizeof *others);
    double all = 0, rest = 0;
    shoal_status status = SHOAL_OK;
    if (others == NULL) return shoal_fail_memory(err);
    for (uint32_t j = 0; j < n; j++) others[j] = (uint32_t)costs->columns[j].column;
    SHOAL_GOTO_IF_ERROR(least_loss(&all, sample, others, n, err), out);
    costs->bound = all / n;
    for (uint32_t i = 0; i < n && all > 0; i++) {
        for (uint32_t j = 0; j + 1 < n; j++)
            others[j] = (uint32_t)costs->columns[j < i ? j : j + 1].column;
        SHOAL_GOTO_IF_ERROR(least_loss(&rest, sample, others, n - 1, err), out);
        costs->columns[i].share = fmax(0, 1 - rest / all);
    }
    qsort(costs->columns, costs->n, sizeof *costs->columns, by_cost);
out:
    shoal_free(others);
    return status;
}

static shoal_status list_quasi(shoal_quasi_costs *out, const shoal_table *table, shoal_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        shoal_column_profile profile;
        SHOAL_RETURN_IF_ERROR(shoal_profile_column(&profile, table, c, err));
        if (profile.proposed != SHOAL_ROLE_QUASI) continue;
        out->columns[out->n++] = (shoal_quasi_cost){
            .column = c, .is_category = profile.type == SHOAL_TYPE_CATEGORICAL
        };
        out->bits += bits_of(table, &table->columns[c]);
    }
    return SHOAL_OK;
}

shoal_status shoal_quasi_costs_find(shoal_quasi_costs *out, const shoal_table *table,
                                    shoal_error *err)
{
    shoal_table sample = { 0 };
    shoal_status status = SHOAL_OK;
    *out = (shoal_quasi_costs){ .columns = shoal_alloc(table->n_columns, sizeof *out->columns) };
    if (out->columns == NULL) return shoal_fail_memory(err);
    SHOAL_GOTO_IF_ERROR(list_quasi(out, table, err), out);
    out->bits_left = table->total > SHOAL_USUAL_K ? log2((double)table->total / SHOAL_USUAL_K) : 0;
    /* no column costs anything */
    if (out->n < 2 || table->n_rows < SHOAL_USUAL_K || out->bits <= out->bits_left) goto out;
    if (!make_sample(&sample, table, out)) SHOAL_GOTO_IF_ERROR(shoal_fail_memory(err), out);
    out->n_sampled = sample.n_rows;
    status = cost_columns(out, &sample, err);
out:
    clear_sample(&sample, out);
    if (status != SHOAL_OK) shoal_quasi_costs_clear(out);
    return status;
}

void shoal_quasi_costs_clear(shoal_quasi_costs *costs)
{
    shoal_free(costs->columns);
    *costs = (shoal_quasi_costs){ 0 };
}
