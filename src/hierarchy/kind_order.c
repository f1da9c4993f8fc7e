/* SPDX-License-Identifier: Apache-2.0 */
/* kind_order.c - labels in a given order (low, middle, high): covered by the interval of places.
 *
 * The numbers of the column are the places of its labels, so losses are those of numbers. The
 * domain counts labels, not numbers between places, and a mean of places has no meaning.
 */
#include "hierarchy/kind.h"

static bool takes(const shoal_column *column)
{
    return column->type == SHOAL_TYPE_ORDERED;
}

static shoal_status make(shoal_attribute *attr, const shoal_table *table, shoal_missing mode,
                         shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_number_make(attr, table, mode, err));
    attr->domain_size = attr->n_plain > 0 ? attr->n_plain : 1;
    return SHOAL_OK;
}

const shoal_kind shoal_kind_order = {
    .name = "ordered",
    .types = "ordered",
    .is_interval = true,
    .flat_height = 2,
    .takes = takes,
    .make = make,
    .position = shoal_number_position,
    .loss = shoal_number_loss,
    .node_loss = shoal_number_node_loss,
    .cell = shoal_kind_plain_cell,
};
