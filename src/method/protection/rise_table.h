/* SPDX-License-Identifier: Apache-2.0 */
/* rise_table.h - a table of the rise of every group by every code, for assigning left-over rows
 * when there are few codes or few groups.
 *
 * The rise of a group by a row is a sum over columns of a number that depends on the group and the
 * row's code there. The table has these numbers, those of one code side by side for all groups, so
 * the least sum is found by adding up as many lines as there are columns.
 */
#ifndef SHOAL_RISE_TABLE_H
#define SHOAL_RISE_TABLE_H

#include "base/base.h"

typedef struct shoal_rise_table {
    uint32_t n_groups, n_columns, n_codes; /* codes of all columns together */
    uint32_t *first;                       /* of each column: its first line */
    int32_t *rises;                        /* of each line: one a group */
} shoal_rise_table;

/* `sizes` has the number of codes of each column. All rises are 0 at first. False when memory is
 * short. O(groups * codes). */
SHOAL_NODISCARD bool shoal_rise_table_init(shoal_rise_table *board, uint32_t n_groups,
                                           uint32_t n_columns, const uint32_t *sizes);
void shoal_rise_table_clear(shoal_rise_table *board);

static inline void shoal_rise_table_put(shoal_rise_table *board, uint32_t group, uint32_t column,
                                        uint32_t code, int32_t rise)
{
    board->rises[((size_t)board->first[column] + code) * board->n_groups + group] = rise;
}

/* The group with the least sum, ties to the lower one; there must be one. `codes` has one a column.
 * O(groups * columns), several groups at a time. */
uint32_t shoal_rise_table_find(const shoal_rise_table *board, const uint32_t *codes);

#endif
