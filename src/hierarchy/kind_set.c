/* SPDX-License-Identifier: Apache-2.0 */
/* kind_set.c - categories without a hierarchy: covered by the set of the values itself.
 *
 * Codes are ranks of the sorted texts. The loss of s values is (s-1)/(|D|-1). A missing value that
 * is a category of its own is a member like any other.
 */
#include "hierarchy/kind.h"

static bool takes(const shoal_column *column)
{
    return column->type == SHOAL_TYPE_CATEGORICAL && column->hierarchy == NULL;
}

static shoal_status make(shoal_attribute *attr, const shoal_table *table, shoal_missing mode,
                         shoal_error *err)
{
    (void)table;
    SHOAL_RETURN_IF_ERROR(shoal_kind_map_values(attr, mode, true, err));
    attr->scale = attr->n_plain > 1 ? 1.0 / (attr->n_plain - 1) : 0;
    attr->domain_size = attr->n_plain;
    attr->n_words = (attr->n_plain + 63) / 64;
    return SHOAL_OK;
}

static double loss(const shoal_attribute *attr, shoal_range range, uint32_t n_values)
{
    if (range.lo > range.hi) return 0;
    if (range.hi >= attr->top_from) return 1;
    return n_values > 1 ? (n_values - 1) * attr->scale : 0;
}

/* There is no node but `*`. */
static double node_loss(const shoal_attribute *attr, uint32_t node)
{
    (void)attr;
    (void)node;
    return 1;
}

/* A set that is too long becomes the cell of a set with all codes. */
static shoal_range cell(const shoal_attribute *attr, shoal_range range, uint32_t n_values)
{
    if (n_values > SHOAL_LONGEST_SET) range = (shoal_range){ 0, attr->n_plain };
    return shoal_kind_plain_cell(attr, range, n_values);
}

const shoal_kind shoal_kind_set = {
    .name = "set",
    .types = "categorical",
    .is_set = true,
    .flat_height = 1,
    .takes = takes,
    .make = make,
    .loss = loss,
    .node_loss = node_loss,
    .cell = cell,
};
