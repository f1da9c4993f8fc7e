/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fitting.h - rows of a population that fit the published values of a group, row by row and by the
 * definition.
 */
#ifndef SHOAL_TEST_FITTING_H
#define SHOAL_TEST_FITTING_H

#include "groups.h"
#include "publish/recode.h"

/* Does the value in a row of the population fit the published cell of the group? */
static inline bool fits_cell(const shoal_grouping *grouping, uint32_t group, uint32_t a,
                             const shoal_column *column, uint64_t row)
{
    const shoal_attribute *attr = &grouping->space.attrs[a];
    shoal_buffer text = { 0 };
    shoal_recode_cell(&text, grouping, group, a);
    shoal_text value = column->values[shoal_column_code(column, row)];
    bool is_missing = shoal_column_code(column, row) == column->null_code, fits = false;
    shoal_range range = grouping->cells[(size_t)group * grouping->space.n_attrs + a];
    bool is_node = range.lo == SHOAL_CELL_NODE;
    if ((text.size == 1 && text.data[0] == '*') || (!is_node && range.lo > range.hi))
        fits = true;
    else if (text.size == value.length && memcmp(text.data, value.data, value.length) == 0)
        fits = !is_missing || grouping->space.missing == SHOAL_MISSING_OWN_CATEGORY;
    else if (is_missing && !attr->is_set)
        fits = false;
    else if (attr->is_interval && !is_node) {
        double x = column->numbers[shoal_column_code(column, row)];
        fits = range.hi < attr->n_plain && x >= attr->source->numbers[range.lo] &&
               x <= attr->source->numbers[range.hi];
    } else if (attr->is_tree || is_node) {
        uint32_t leaf = shoal_tree_find_leaf(attr->tree, value.data, value.length);
        uint32_t node = is_node ? range.hi
                        : range.hi < attr->n_plain
                            ? shoal_tree_cover(attr->tree, range.lo, range.hi)
                            : 0;
        fits = leaf != SHOAL_NO_NODE && (is_node || range.hi < attr->n_plain) &&
               leaf >= attr->tree->first[node] && leaf <= attr->tree->last[node];
    } else {
        /* a set: does a row of the group have the value? */
        for (uint64_t w = 0; w < grouping->n_rows && !fits; w++) {
            if (grouping->group_of_row[w] != group) continue;
            shoal_text own = attr->source->values[shoal_column_code(attr->source, w)];
            bool is_own = !is_missing || grouping->space.missing == SHOAL_MISSING_OWN_CATEGORY;
            fits = is_own && own.length == value.length &&
                   memcmp(own.data, value.data, own.length) == 0;
        }
    }
    shoal_buffer_clear(&text);
    return fits;
}

static inline uint64_t count_fitting(const shoal_grouping *grouping, uint32_t group,
                                     const shoal_table *population)
{
    uint64_t n = 0;
    for (uint64_t row = 0; row < population->n_rows; row++) {
        uint32_t a = 0;
        while (a < grouping->space.n_attrs &&
               fits_cell(grouping, group, a,
                         &population->columns[shoal_table_find_column(
                             population, grouping->space.attrs[a].source->name)],
                         row))
            a++;
        n += a == grouping->space.n_attrs;
    }
    return n;
}

#endif
