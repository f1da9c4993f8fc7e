/* SPDX-License-Identifier: Apache-2.0 */
/* verify_memory.c - will the published texts fit into the memory limit when a release is read back?
 *
 * The search is estimated when the table is counted (table/csv_count.c) or before the method starts
 * (method/method_memory.c). Verifying holds each distinct text of each column instead, with its
 * meaning; there are many of them if columns have many values and no hierarchy: nearly every group
 * has a range or a set of its own. The number is not known before the search, so it is bounded: by
 * the labels of the hierarchy; else by the values plus one text per k rows that are not all equal,
 * but at most the number of ranges. No column has more texts than the release can have groups.
 */
#include "pipeline/pipeline_run.h"
#include "table/line_index.h"

#include <math.h>

/* Measured: a text in the dictionary of the release and its reading; a member of a set, in the text
 * and in the reading; windows and buffers of threads. */
enum { BYTES_A_TEXT = 260, BYTES_A_MEMBER = 16, BYTES_WITHOUT_TEXTS = 3 << 20, FEW_TEXTS = 1024 };
/* Of a table in memory, measured: codes and groups of a row while the release is read, a value of
 * the original. */
enum { BYTES_A_ROW = 64, BYTES_A_VALUE = 80 };

static double least_of(double x, double y)
{
    return x < y ? x : y;
}

static double count_needy_rows(const shoal_table *table, uint32_t k)
{
    double n = 0;
    if (table->weights == NULL) return (double)table->n_rows;
    for (uint64_t line = 0; line < table->n_rows; line++)
        if (table->weights[line] < k) n += table->weights[line];
    return n;
}

/*
 * Bytes of the members of the sets of `n_groups` groups. Groups have up to 2k - 1 rows; the mean is
 * less than 1.5 k. In memory the release is read in blocks with dictionaries of their own, so each
 * of the group's k rows may hold its text once.
 */
static double bytes_of_members(const shoal_column *column, double n_groups, uint32_t k,
                               bool is_streamed)
{
    double length = 0, n = 1.5 * least_of(k, column->n_values);
    if (is_streamed) return BYTES_A_MEMBER * n_groups * least_of(k, column->n_values);
    for (uint32_t v = 0; v < column->n_values; v++) length += (double)column->values[v].length;
    if (column->n_values > 0) length /= column->n_values;
    return n_groups * n * (BYTES_A_MEMBER + k * (length + 1));
}

/* Bytes of the texts of a column, of which `n_groups` groups have one that is not a value; adds how
 * many they are. */
static double bytes_of_texts(const shoal_column *column, double n_groups, uint32_t k, double most,
                             double *n_texts)
{
    /* in memory the original's texts are counted with the table */
    double n_values = least_of(column->n_values, most), members = 0;
    bool is_streamed = isinf(most);
    if (column->hierarchy != NULL) {
        *n_texts += least_of(column->hierarchy->n_nodes, n_values + n_groups);
        return BYTES_A_TEXT * least_of(column->hierarchy->n_nodes, n_values + n_groups);
    }
    bool is_set = column->type == SHOAL_TYPE_CATEGORICAL;
    double n_wide = is_set ? n_groups
                           : least_of(n_groups, (double)column->n_values *
                                                    ((double)column->n_values - 1) / 2);
    if (n_wide + n_values > most) n_values = most > n_wide ? most - n_wide : 0;
    if (is_set) members = bytes_of_members(column, n_wide, k, is_streamed);
    *n_texts += n_values + n_wide;
    return BYTES_A_TEXT * (n_values + n_wide) + members +
           (is_streamed ? 0 : (double)BYTES_A_VALUE * column->n_values);
}

shoal_status shoal_pipeline_check_texts(const shoal_pipeline *run, shoal_error *err)
{
    const shoal_table *table = run->table;
    uint64_t limit = table->memory_limit;
    bool is_streamed = shoal_table_is_streamed(table);
    if (limit == 0 || run->k == 0) return SHOAL_OK;
    double n_groups = count_needy_rows(table, run->k) / run->k, n_texts = 0;
    double most = is_streamed ? INFINITY : (double)table->total / run->k + 2;
    double bytes = BYTES_WITHOUT_TEXTS +
                   (is_streamed ? (double)shoal_line_index_bytes(shoal_table_line_index(table))
                                : (double)table->n_rows * BYTES_A_ROW);
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_QUASI)
            bytes += bytes_of_texts(&table->columns[c], n_groups, run->k, most, &n_texts);
    /* a limit is kept within 10 % */
    double room = is_streamed ? 1 : 1.1;
    if (bytes <= room * (double)limit || n_texts < FEW_TEXTS) return SHOAL_OK;
    return shoal_fail(err, SHOAL_ENOMEM,
                      "verifying up to %.0f distinct published texts needs about %.0f MB, but the "
                      "memory limit is %llu MB {fix} raise {--memory-limit}, use hierarchies for "
                      "columns with many distinct values, or fewer quasi-identifiers",
                      n_texts, bytes / (1 << 20) + 1, (unsigned long long)(limit >> 20));
}
