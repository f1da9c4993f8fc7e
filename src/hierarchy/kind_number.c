/* SPDX-License-Identifier: Apache-2.0 */
/* kind_number.c - numbers and dates: covered by the interval from the least to the greatest.
 *
 * Plain codes are the numbers of the column, ascending. The loss of an interval is its width over
 * that of the domain. A hierarchy serves only methods that publish levels; its nodes lose as the
 * interval of their leaves.
 */
#include "hierarchy/kind.h"

#include <float.h>
#include <math.h>

double shoal_number_position(const shoal_attribute *attr, double number)
{
    return attr->shift == 0 ? number : ldexp(number, attr->shift);
}

/* Positions are the numbers themselves, scaled by a power of 2 only where the width of the domain
 * or its inverse overflows. */
static void place_numbers(shoal_attribute *attr)
{
    const double *numbers = attr->source->numbers;
    double width = attr->n_plain > 0 ? numbers[attr->n_plain - 1] - numbers[0] : 0;
    /* a power of 2 rounds nothing */
    attr->shift = width > DBL_MAX ? -2 : width > 0 && width < 4 * DBL_MIN ? 200 : 0;
    for (uint32_t c = 0; c < attr->n_plain; c++)
        attr->position[c] = shoal_number_position(attr, numbers[c]);
    width = attr->n_plain > 0 ? attr->position[attr->n_plain - 1] - attr->position[0] : 0;
    attr->scale = width > 0 ? 1 / width : 0;
    attr->domain_size = attr->n_plain > 0 ? numbers[attr->n_plain - 1] - numbers[0] + 1 : 1;
}

shoal_status shoal_number_make(shoal_attribute *attr, const shoal_table *table, shoal_missing mode,
                               shoal_error *err)
{
    (void)table;
    SHOAL_RETURN_IF_ERROR(shoal_kind_map_values(attr, mode, false, err));
    attr->tree = attr->source->hierarchy;
    attr->position = shoal_alloc(attr->n_plain, sizeof *attr->position);
    if (attr->position == NULL) return shoal_fail_memory(err);
    place_numbers(attr);
    return SHOAL_OK;
}

double shoal_number_loss(const shoal_attribute *attr, shoal_range range, uint32_t n_values)
{
    (void)n_values;
    if (range.lo >= range.hi) /* one code, or none */
        return range.lo == range.hi && range.lo >= attr->top_from ? 1 : 0;
    if (range.hi >= attr->n_plain) return 1;
    return (attr->position[range.hi] - attr->position[range.lo]) * attr->scale;
}

static bool read_leaf(const shoal_attribute *attr, uint32_t leaf, double *out)
{
    const char *label = attr->tree->labels[leaf];
    size_t size = attr->tree->label_sizes[leaf];
    return shoal_format_read(&attr->source->format, label, size, out);
}

double shoal_number_node_loss(const shoal_attribute *attr, uint32_t node)
{
    const shoal_hierarchy *tree = attr->tree;
    if (tree->first[node] == tree->last[node] || attr->n_plain == 0) return 0;
    if (node == tree->n_nodes - 1) return 1;
    double least = INFINITY, greatest = -INFINITY;
    for (uint32_t leaf = tree->first[node]; leaf <= tree->last[node]; leaf++) {
        double number;
        if (!read_leaf(attr, leaf, &number)) return 1;
        least = fmin(least, number);
        greatest = fmax(greatest, number);
    }
    double first = attr->source->numbers[0], last = attr->source->numbers[attr->n_plain - 1];
    least = fmax(least, first);
    greatest = fmin(greatest, last);
    /* differences of halves cannot overflow */
    return least < greatest ? (greatest / 2 - least / 2) / (last / 2 - first / 2) : 0;
}

static bool takes(const shoal_column *column)
{
    return column->type != SHOAL_TYPE_CATEGORICAL && column->type != SHOAL_TYPE_ORDERED;
}

const shoal_kind shoal_kind_number = {
    .name = "numeric",
    .types = "numeric|date",
    .is_interval = true,
    .has_means = true,
    .flat_height = 2,
    .takes = takes,
    .make = shoal_number_make,
    .position = shoal_number_position,
    .loss = shoal_number_loss,
    .node_loss = shoal_number_node_loss,
    .cell = shoal_kind_plain_cell,
};
