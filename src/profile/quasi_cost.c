/* SPDX-License-Identifier: Apache-2.0 */
/* quasi_cost.c - which proposed quasi-identifiers tell rows apart most, and so cost most of a release.
 *
 * A column with values of shares p tells sum(-p log2 p) bits about a row. Groups of k among n rows leave log2(n / k) bits, so what the
 * columns tell beyond that has to be given up; a column that tells many bits is a dear one. Columns that depend on each other tell less
 * together than their sum.
 * Cost: O(distinct values).
 */
#include "profile/quasi_cost.h"

#include <math.h>
#include <stdlib.h>

/* Bits that the value of a row tells; O(distinct values). */
static double bits_of(const shoal_table *table, const shoal_column *column)
{
    double bits = 0, total = (double)table->total;
    for (uint32_t v = 0; v < column->n_values; v++) {
        double share = (double)column->counts[v] / total;
        if (share > 0) bits -= share * log2(share);
    }
    return bits;
}

static int by_bits(const void *x, const void *y)
{
    const shoal_quasi_cost *a = x, *b = y;
    if (a->bits != b->bits) return a->bits > b->bits ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

shoal_status shoal_quasi_costs_find(shoal_quasi_costs *out, const shoal_table *table, shoal_error *err)
{
    *out = (shoal_quasi_costs){ .columns = shoal_alloc(table->n_columns, sizeof *out->columns) };
    if (out->columns == NULL) return shoal_fail_memory(err);
    for (size_t c = 0; c < table->n_columns; c++) {
        shoal_column_profile profile;
        shoal_status status = shoal_profile_column(&profile, table, c, err);
        if (status != SHOAL_OK) {
            shoal_quasi_costs_clear(out);
            return status;
        }
        if (profile.proposed != SHOAL_ROLE_QUASI) continue;
        out->columns[out->n] = (shoal_quasi_cost){ c, bits_of(table, &table->columns[c]) };
        out->bits += out->columns[out->n++].bits;
    }
    qsort(out->columns, out->n, sizeof *out->columns, by_bits);
    out->bits_left = table->total > SHOAL_USUAL_K ? log2((double)table->total / SHOAL_USUAL_K) : 0;
    return SHOAL_OK;
}

void shoal_quasi_costs_clear(shoal_quasi_costs *costs)
{
    shoal_free(costs->columns);
    *costs = (shoal_quasi_costs){ 0 };
}
