/* SPDX-License-Identifier: Apache-2.0 */
/* kinds.c - the kinds of attribute by number and by column, and what several of them share; see
 * kind.h. */
#include "hierarchy/kind.h"

#define ADDRESS(row) &shoal_kind_##row,
static const shoal_kind *const kinds[] = { SHOAL_KINDS(ADDRESS) };
#undef ADDRESS

enum { N_KINDS = sizeof kinds / sizeof *kinds };

const shoal_kind *shoal_kind_at(size_t index)
{
    return index < N_KINDS ? kinds[index] : NULL;
}

const shoal_kind *shoal_kind_of(const shoal_column *column)
{
    size_t i = 0;
    while (i + 1 < N_KINDS && !kinds[i]->takes(column)) i++;
    return kinds[i];
}

shoal_status shoal_kind_map_values(shoal_attribute *attr, shoal_missing mode, bool null_is_plain,
                                   shoal_error *err)
{
    const shoal_column *column = attr->source;
    bool has_null = column->null_code != SHOAL_NO_CODE;
    attr->value_of_code = shoal_alloc(column->n_values, sizeof *attr->value_of_code);
    if (attr->value_of_code == NULL) return shoal_fail_memory(err);
    attr->n_plain = column->n_values - (has_null ? 1 : 0);
    if (has_null && null_is_plain && mode == SHOAL_MISSING_OWN_CATEGORY) attr->n_plain++;
    attr->n_codes = column->n_values;
    attr->top_from = mode == SHOAL_MISSING_CONSERVATIVE ? attr->n_plain : attr->n_codes;
    if (has_null && mode == SHOAL_MISSING_WILDCARD) {
        attr->wild_code = column->null_code;
        attr->top_from = attr->n_plain;
    }
    for (uint32_t v = 0; v < column->n_values; v++)
        attr->code_of_value[v] = attr->value_of_code[v] = v;
    return SHOAL_OK;
}

shoal_range shoal_kind_plain_cell(const shoal_attribute *attr, shoal_range range, uint32_t n_values)
{
    (void)n_values;
    bool is_lone_top = range.lo == range.hi && range.lo >= attr->top_from;
    bool is_mixed = range.lo < range.hi && range.hi >= attr->n_plain;
    if (!is_lone_top && !is_mixed) return range;
    return (shoal_range){ 0, attr->n_plain < attr->top_from ? attr->n_plain : attr->top_from };
}
