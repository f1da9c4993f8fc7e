/* SPDX-License-Identifier: Apache-2.0 */
/* grouping_checks.c - the invariants of classes and groupings; see grouping_checks.h. */
#include "classes/grouping_checks.h"

#include <stdlib.h>

bool shoal_classes_counts_add_up(const shoal_classes *classes)
{
    uint64_t n_rows = 0;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint64_t weight = 0;
        for (uint64_t i = classes->row_begin[c]; i < classes->row_begin[c + 1]; i++)
            weight += classes->weights == NULL ? 1 : classes->weights[classes->rows[i]];
        if (weight != classes->counts[c]) return false;
        n_rows += weight;
    }
    return n_rows == classes->n_rows && classes->row_begin[classes->n_classes] == classes->n_lines;
}

bool shoal_classes_are_in_order(const shoal_classes *classes)
{
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint64_t begin = classes->row_begin[c], end = classes->row_begin[c + 1];
        if (begin >= end) return false;
        if (c > 0 && classes->rows[begin] <= classes->rows[classes->row_begin[c - 1]]) return false;
        for (uint64_t i = begin; i < end; i++)
            if ((i > begin && classes->rows[i] <= classes->rows[i - 1]) ||
                classes->class_of_row[classes->rows[i]] != c)
                return false;
    }
    return true;
}

bool shoal_classes_codes_are_in_range(const shoal_classes *classes, const shoal_space *space)
{
    for (uint32_t c = 0; c < classes->n_classes; c++)
        for (uint32_t a = 0; a < classes->n_attrs; a++)
            if (shoal_class_codes(classes, c)[a] >= space->attrs[a].n_codes) return false;
    return true;
}

bool shoal_grouping_sizes_add_up(const shoal_grouping *grouping)
{
    uint64_t n_suppressed = 0, n_rows = 0,
             *sizes = calloc((size_t)grouping->n_groups + 1, sizeof *sizes);
    bool ok = true;
    for (uint64_t i = 0; sizes != NULL && ok && i < grouping->lines.n; i++) {
        uint32_t group = grouping->group_of_row[i], weight = shoal_weight_of(&grouping->lines, i);
        if (group == SHOAL_SUPPRESSED)
            n_suppressed += weight;
        else if (group < grouping->n_groups)
            sizes[group] += weight;
        else
            ok = false;
        n_rows += weight;
    }
    for (uint32_t g = 0; sizes != NULL && ok && g < grouping->n_groups; g++)
        ok = sizes[g] > 0 && sizes[g] == grouping->sizes[g];
    if (sizes != NULL)
        ok = ok && n_suppressed == grouping->n_suppressed && n_rows == grouping->n_rows;
    free(sizes);
    return ok;
}

bool shoal_grouping_is_in_order(const shoal_grouping *grouping)
{
    uint32_t n_seen = 0;
    for (uint64_t i = 0; i < grouping->lines.n; i++) {
        uint32_t group = grouping->group_of_row[i];
        if (group == SHOAL_SUPPRESSED || group < n_seen) continue;
        if (group != n_seen) return false;
        n_seen++;
    }
    return n_seen == grouping->n_groups;
}

static bool is_cell_in_range(shoal_range cell, const shoal_attribute *attr, uint32_t n_texts)
{
    if (cell.lo == SHOAL_CELL_TEXT) return cell.hi < n_texts;
    if (cell.lo == SHOAL_CELL_NODE) return attr->tree != NULL && cell.hi < attr->tree->n_nodes;
    if (cell.lo > cell.hi) return true; /* empty: nothing but wild codes */
    /* the code after all plain codes means `*` */
    return cell.hi < attr->n_codes || cell.hi == attr->top_from;
}

bool shoal_grouping_cells_are_in_range(const shoal_grouping *grouping, const shoal_space *space)
{
    for (uint32_t g = 0; g < grouping->n_groups; g++)
        for (uint32_t a = 0; a < space->n_attrs; a++)
            if (!is_cell_in_range(grouping->cells[(size_t)g * space->n_attrs + a], &space->attrs[a],
                                  grouping->texts.n))
                return false;
    return true;
}
