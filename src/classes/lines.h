/* SPDX-License-Identifier: Apache-2.0 */
/* lines.h - the entries of a grouping: rows, or slices of lines that represent several rows.
 *
 * If every line of a table is a row, entry i is row i. If lines have weights, an algorithm may
 * divide one between groups; then it has an entry for each slice. Code that counts rows adds the
 * weights of entries.
 */
#ifndef SHOAL_LINES_H
#define SHOAL_LINES_H

#include "table/table_internal.h"

typedef struct shoal_lines {
    uint64_t n;       /* entries */
    uint32_t *line;   /* of the table, ascending; NULL: the entry's own number */
    uint32_t *weight; /* rows; NULL: one */
} shoal_lines;

/* One entry a line of the table; the weights stay the table's. */
static inline shoal_lines shoal_lines_of(const shoal_table *table)
{
    return (shoal_lines){ table->n_rows, NULL, table->weights };
}

static inline uint64_t shoal_line_of(const shoal_lines *lines, uint64_t entry)
{
    return lines->line == NULL ? entry : lines->line[entry];
}

static inline uint32_t shoal_weight_of(const shoal_lines *lines, uint64_t entry)
{
    return lines->weight == NULL ? 1 : lines->weight[entry];
}

#endif
