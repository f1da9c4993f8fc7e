/* SPDX-License-Identifier: Apache-2.0 */
/* kind_magnitude.c - example of a kind of attribute for the recipes test: ages by their logarithm,
 * so that [10..20] loses as much as [40..80]. Its texts are those of numbers. */
#include "hierarchy/kind.h"

#include <math.h>
#include <string.h>

static bool takes(const shoal_column *column)
{
    return column->type == SHOAL_TYPE_NUMERIC && strcmp(column->name, "age") == 0;
}

static double position(const shoal_attribute *attr, double number)
{
    (void)attr;
    return log(number > 1 ? number : 1);
}

static shoal_status make(shoal_attribute *attr, const shoal_table *table, shoal_missing mode,
                         shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_number_make(attr, table, mode, err));
    for (uint32_t c = 0; c < attr->n_plain; c++)
        attr->position[c] = position(attr, attr->source->numbers[c]);
    double width = attr->n_plain > 0 ? attr->position[attr->n_plain - 1] - attr->position[0] : 0;
    attr->scale = width > 0 ? 1 / width : 0;
    return SHOAL_OK;
}

const shoal_kind shoal_kind_magnitude = {
    .name = "magnitude",
    .types = "numeric",
    .is_interval = true,
    .has_means = true,
    .flat_height = 2,
    .texts_of = &shoal_kind_number,
    .takes = takes,
    .make = make,
    .position = position,
    .loss = shoal_number_loss,
    .node_loss = shoal_number_node_loss,
    .cell = shoal_kind_plain_cell,
};
