/* SPDX-License-Identifier: Apache-2.0 */
/* verify_memory.c - will the published texts fit into the memory limit when a streamed release is
 * read back?
 *
 * The search over counted tuples is estimated while they are counted (table/csv_count.c). Verifying
 * holds each distinct text of each column instead, with its meaning; there are many of them if
 * columns have many values and no hierarchy: nearly every group has a range or a set of its own.
 * The number is not known before the search, so it is bounded: by the labels of the hierarchy; else
 * by the values plus one text per k rows that are not all equal, but at most the number of ranges.
 */
#include "pipeline/pipeline_run.h"
#include "table/line_index.h"

/* Measured: a text in the dictionary of the release and its reading; a member of a set, in the text
 * and in the reading; windows and buffers of threads. */
enum { BYTES_A_TEXT = 260, BYTES_A_MEMBER = 16, BYTES_WITHOUT_TEXTS = 3 << 20, FEW_TEXTS = 1024 };

static double least_of(double x, double y)
{
    return x < y ? x : y;
}

static double count_needy_rows(const shoal_table *table, uint32_t k)
{
    double n = 0;
    for (uint64_t line = 0; line < table->n_rows; line++)
        if (table->weights[line] < k) n += table->weights[line];
    return n;
}

/* Bytes of the texts of a column, of which `n_groups` groups have one that is not a value; adds how
 * many they are. */
static double bytes_of_texts(const shoal_column *column, double n_groups, uint32_t k,
                             double *n_texts)
{
    double n_values = column->n_values, members = 0;
    if (column->hierarchy != NULL) {
        *n_texts += least_of(column->hierarchy->n_nodes, n_values + n_groups);
        return BYTES_A_TEXT * least_of(column->hierarchy->n_nodes, n_values + n_groups);
    }
    bool is_set = column->type == SHOAL_TYPE_CATEGORICAL;
    double n_wide = is_set ? n_groups : least_of(n_groups, n_values * (n_values - 1) / 2);
    if (is_set) members = n_wide * least_of(k, n_values);
    *n_texts += n_values + n_wide;
    return BYTES_A_TEXT * (n_values + n_wide) + BYTES_A_MEMBER * members;
}

shoal_status shoal_pipeline_check_texts(const shoal_pipeline *run, shoal_error *err)
{
    const shoal_table *table = run->table;
    uint64_t limit = shoal_table_is_streamed(table) ? shoal_table_line_index(table)->memory_limit
                                                    : 0;
    if (limit == 0 || run->k == 0) return SHOAL_OK;
    double n_groups = count_needy_rows(table, run->k) / run->k, n_texts = 0;
    double bytes = BYTES_WITHOUT_TEXTS +
                   (double)shoal_line_index_bytes(shoal_table_line_index(table));
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == SHOAL_ROLE_QUASI)
            bytes += bytes_of_texts(&table->columns[c], n_groups, run->k, &n_texts);
    if (bytes <= (double)limit || n_texts < FEW_TEXTS) return SHOAL_OK;
    return shoal_fail(err, SHOAL_ENOMEM,
                      "verifying up to %.0f distinct published texts needs about %.0f MB, but the "
                      "memory limit is %llu MB {fix} raise {--memory-limit}, use hierarchies for "
                      "columns with many distinct values, or fewer quasi-identifiers",
                      n_texts, bytes / (1 << 20) + 1, (unsigned long long)(limit >> 20));
}
