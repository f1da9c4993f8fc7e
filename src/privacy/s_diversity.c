/* SPDX-License-Identifier: Apache-2.0 */
/* s_diversity.c - S-diversity: how little the sensitive values of a group differ, 1 - their Q-diversity.
 *
 * 1 where a group has one value, 0 where its values span the domain. For numbers and trees the least and the greatest code decide, so a
 * group that grows by a row is followed with its range; for sets the number of distinct values.
 * Loukides, PhD thesis 2008, Definition 3.1.3. Cost: O(distinct values) per group, O(height) per row that joins.
 */
#include "privacy/protection.h"

double shoal_sensitive_spread(const shoal_attribute *attr, shoal_range range, uint32_t n_members)
{
    if (range.lo >= range.hi) return 0; /* also a value known only as `*`: it is one value */
    if (attr->kind != SHOAL_KIND_SET) return shoal_range_loss(attr, range.lo, range.hi);
    return range.hi >= attr->top_from ? 1 : n_members > 1 ? (n_members - 1) * attr->scale : 0;
}

double shoal_s_diversity(const shoal_attribute *attr, const shoal_tally *tally)
{
    shoal_range range = SHOAL_EMPTY_RANGE;
    for (uint32_t i = 0; i < tally->n_present; i++) {
        if (tally->present[i] < range.lo) range.lo = tally->present[i];
        if (tally->present[i] > range.hi || i == 0) range.hi = tally->present[i];
    }
    return 1 - shoal_sensitive_spread(attr, range, tally->n_present);
}
