/* SPDX-License-Identifier: Apache-2.0 */
/* risk_columns.c - which columns cause small classes: rows below k without each column, and without
 * each pair of columns.
 *
 * Rows at risk are those in classes below k. Leaving a column out merges classes, so fewer rows are
 * at risk. The column whose removal helps most is the one to generalise first; generalising it can
 * never help more than removing it. Removing a pair can help where removing either column does not,
 * because each of them may distinguish the rows on its own.
 *
 * Cost: O(distinct tuples * columns) for each column and pair, in parallel over them.
 */
#include "risk/risk_internal.h"

#include <stdlib.h>

/* Rows in classes below k by all columns except `first` and `second`, or by `only`; n_columns means
 * none. */
static shoal_status count_below(uint64_t *out, const shoal_record_units *records, uint32_t k,
                                uint32_t first, uint32_t second, uint32_t only)
{
    shoal_record_classes classes;
    uint32_t n = 0, *which = shoal_alloc((size_t)records->n_columns + 1, sizeof *which);
    if (which == NULL) return SHOAL_ENOMEM;
    for (uint32_t i = 0; i < records->n_columns; i++)
        if (only == records->n_columns ? i != first && i != second : i == only) which[n++] = i;
    shoal_status status = shoal_record_units_classes(&classes, records, which, n, 1, NULL);
    shoal_free(which);
    if (status != SHOAL_OK) return status;
    uint64_t rows = 0;
    for (uint32_t c = 0; c < classes.n_classes; c++)
        if (classes.size[c] < k) rows += classes.n_rows[c];
    shoal_record_classes_clear(&classes);
    *out = rows;
    return SHOAL_OK;
}

static int by_rows_without(const void *x, const void *y)
{
    const shoal_column_risk *a = x, *b = y;
    if (a->rows_without != b->rows_without) return a->rows_without < b->rows_without ? -1 : 1;
    if (a->rows_alone != b->rows_alone) return a->rows_alone > b->rows_alone ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

static int by_pair_rows(const void *x, const void *y)
{
    const shoal_pair_risk *a = x, *b = y;
    if (a->rows_without != b->rows_without) return a->rows_without < b->rows_without ? -1 : 1;
    if (a->first != b->first) return a->first < b->first ? -1 : 1;
    return (a->second > b->second) - (a->second < b->second);
}

static shoal_status measure_columns(shoal_risk *risk, const shoal_record_units *records,
                                    uint32_t threads, shoal_error *err)
{
    uint32_t m = records->n_columns;
    bool ok = true;
    risk->columns = shoal_alloc(m, sizeof *risk->columns);
    if (risk->columns == NULL) return shoal_fail_memory(err);
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(&& : ok)
    for (uint32_t i = 0; i < m; i++) {
        shoal_column_risk *c = &risk->columns[i];
        c->column = records->column[i];
        ok = count_below(&c->rows_without, records, risk->k, i, m, m) == SHOAL_OK &&
             count_below(&c->rows_alone, records, risk->k, m, m, i) == SHOAL_OK && ok;
    }
    if (!ok) return shoal_fail_memory(err);
    risk->n_columns = m;
    qsort(risk->columns, m, sizeof *risk->columns, by_rows_without);
    return SHOAL_OK;
}

static shoal_status measure_pairs(shoal_risk *risk, const shoal_record_units *records,
                                  uint32_t threads, shoal_error *err)
{
    uint32_t m = records->n_columns;
    size_t n_pairs = 0;
    bool ok = true;
    if (m < 3) return SHOAL_OK;
    risk->pairs = shoal_alloc((size_t)m * (m - 1) / 2, sizeof *risk->pairs);
    if (risk->pairs == NULL) return shoal_fail_memory(err);
    for (uint32_t i = 0; i < m; i++) /* positions in `records` until the pair is measured */
        for (uint32_t j = i + 1; j < m; j++)
            risk->pairs[n_pairs++] = (shoal_pair_risk){ .first = i, .second = j };
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(&& : ok)
    for (size_t p = 0; p < n_pairs; p++) {
        shoal_pair_risk *pair = &risk->pairs[p];
        ok = count_below(&pair->rows_without, records, risk->k, (uint32_t)pair->first,
                         (uint32_t)pair->second, m) == SHOAL_OK &&
             ok;
        pair->first = records->column[pair->first];
        pair->second = records->column[pair->second];
    }
    if (!ok) return shoal_fail_memory(err);
    risk->n_pairs = n_pairs;
    qsort(risk->pairs, n_pairs, sizeof *risk->pairs, by_pair_rows);
    return SHOAL_OK;
}

shoal_status shoal_risk_of_columns(shoal_risk *risk, const shoal_record_units *records,
                                   uint32_t threads, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(measure_columns(risk, records, threads, err));
    return measure_pairs(risk, records, threads, err);
}
