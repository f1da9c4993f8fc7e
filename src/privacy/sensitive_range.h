/* SPDX-License-Identifier: Apache-2.0 */
/* sensitive_range.h - which values reveal as much as a given one: SR(u) of definition 3.4, for
 * every value of a column.
 *
 * A sensitive range is a range of attribute codes that contains the code itself: an interval of
 * numbers, or the leaves under an ancestor. The policy is a text of the column
 * (shoal_table_set_sensitive_range()): `value`, `width:W`, `level:J` or `map:...`. A column with
 * neither numbers nor a hierarchy has only two kinds of range: the value itself and (level:1) all
 * values. The range of a missing value is itself; for `level` it is directly below the root.
 */
#ifndef SHOAL_SENSITIVE_RANGE_H
#define SHOAL_SENSITIVE_RANGE_H

#include "hierarchy/attribute.h"

typedef struct shoal_sensitive_ranges {
    const shoal_attribute *attr; /* borrowed */
    shoal_range *of_code;        /* SR of each code; contains the code */
    shoal_range *reach;          /* hull of the codes in its range or with it in their range */
    bool is_partition;           /* any two ranges are equal or disjoint */
} shoal_sensitive_ranges;

/*
 * Apply the policy of the attribute's column; `attr` is borrowed. SHOAL_EINVAL: the policy cannot
 * be parsed, or does not fit the column. O(codes + nodes).
 */
SHOAL_NODISCARD shoal_status shoal_sensitive_ranges_make(shoal_sensitive_ranges *out,
                                                         const shoal_attribute *attr,
                                                         shoal_error *err);
void shoal_sensitive_ranges_clear(shoal_sensitive_ranges *ranges);

/* Is `code` in SR(of)? */
static inline bool shoal_sensitive_range_holds(const shoal_sensitive_ranges *ranges, uint32_t of,
                                               uint32_t code)
{
    return code >= ranges->of_code[of].lo && code <= ranges->of_code[of].hi;
}

#endif
