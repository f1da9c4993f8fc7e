/* SPDX-License-Identifier: Apache-2.0 */
/* quasi_cost.c - which proposed quasi-identifiers are most costly, by quick releases.
 *
 * A sample is released with all proposed quasi-identifiers, and without each of them, by the
 * default method with the lowest effort: the most costly column is the one without which the loss
 * (gcp) of the others is lowest, as `explain-loss` ranks columns by lower bounds. The sample is
 * every n-th row, with the losses of the whole column; k is smaller by the same factor, but at
 * least 2, so that groups are about as wide as those of the table. No random numbers are used: the
 * same table has the same costs.
 *
 * The information of the columns is reported beside it: sum(-p log2 p) bits for a column whose
 * values have shares p. Groups of k among n rows leave log2(n / k) bits. For example, a column with
 * four equally frequent values has 2 bits; groups of 10 among 1,000 rows leave log2(100) = 6.6
 * bits. Cost: O(distinct values), and for n columns n + 1 releases of the sample, of at most
 * MOST_CELLS cells in all.
 */
#include "profile/quasi_cost.h"

#include <math.h>
#include <shoal/anonymize.h>
#include <shoal/measure.h>
#include <stdlib.h>
#include <string.h>

/* rows of the sample; fewer of many columns */
enum { SAMPLE_ROWS = 10000, MOST_CELLS = 1000000, LEAST_SAMPLE = 200 };

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

static int by_rest(const void *x, const void *y)
{
    const shoal_quasi_cost *a = x, *b = y;
    if (a->rest != b->rest) return a->rest < b->rest ? -1 : 1;
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
    uint64_t n = MOST_CELLS / (costs->n * (costs->n + 1));
    if (n > SAMPLE_ROWS) n = SAMPLE_ROWS;
    if (n < LEAST_SAMPLE) n = LEAST_SAMPLE;
    if (n > table->n_rows) n = table->n_rows;
    *sample = *table;
    sample->n_rows = sample->total = n;
    sample->weights = NULL;
    sample->columns = shoal_alloc_zero(table->n_columns, sizeof *sample->columns);
    if (sample->columns == NULL) return false;
    for (size_t c = 0; c < table->n_columns; c++) {
        sample->columns[c] = table->columns[c];
        sample->columns[c].codes = NULL;
        sample->columns[c].role = SHOAL_ROLE_DROP;
    }
    for (size_t i = 0; i < costs->n; i++) {
        const shoal_column *from = &table->columns[costs->columns[i].column];
        shoal_column *to = &sample->columns[costs->columns[i].column];
        uint32_t *codes = shoal_alloc(n, sizeof *codes);
        to->role = SHOAL_ROLE_QUASI;
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

/* The loss of a release of the sample's quasi-identifiers. */
static shoal_status release_loss(double *out, const shoal_table *sample, uint32_t k,
                                 shoal_error *err)
{
    static const shoal_param quick[] = { { "effort", "0" } };
    shoal_grouping *grouping = NULL;
    shoal_measures measures;
    shoal_spec spec = SHOAL_SPEC_INIT;
    spec.k = k;
    spec.algorithm = "shoal";
    spec.params = quick;
    spec.n_params = 1;
    SHOAL_RETURN_IF_ERROR(shoal_anonymize(&grouping, sample, &spec, NULL, err));
    shoal_status status = shoal_measure_grouping(&measures, sample, grouping, k, err);
    if (status == SHOAL_OK) {
        *out = measures.gcp;
        shoal_measures_clear(&measures);
    }
    shoal_grouping_free(grouping);
    return status;
}

static shoal_status cost_columns(shoal_quasi_costs *costs, shoal_table *sample, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(release_loss(&costs->loss, sample, costs->k, err));
    for (size_t i = 0; i < costs->n; i++) {
        shoal_column *column = &sample->columns[costs->columns[i].column];
        column->role = SHOAL_ROLE_DROP;
        shoal_status status = release_loss(&costs->columns[i].rest, sample, costs->k, err);
        column->role = SHOAL_ROLE_QUASI;
        SHOAL_RETURN_IF_ERROR(status);
    }
    qsort(costs->columns, costs->n, sizeof *costs->columns, by_rest);
    return SHOAL_OK;
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
    double k = round((double)SHOAL_USUAL_K * (double)sample.n_rows / (double)table->n_rows);
    out->k = k > 2 ? (uint32_t)k : 2;
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
