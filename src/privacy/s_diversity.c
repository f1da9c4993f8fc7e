/* SPDX-License-Identifier: Apache-2.0 */
/* s_diversity.c - S-diversity: 1 - Q-diversity of the sensitive values of a group.
 *
 * 1 if a group has one value, 0 if its values span the domain. For numbers and trees it depends on
 * the least and greatest code only, so a growing group needs only its range; for sets on the number
 * of distinct values. Loukides, PhD thesis 2008, Definition 3.1.3. Cost: O(distinct values) per
 * group, O(height) per added row.
 */
#include "privacy/protection.h"

#include "hierarchy/kind.h"

double shoal_sensitive_spread(const shoal_attribute *attr, shoal_range range, uint32_t n_members)
{
    if (range.lo >= range.hi) return 0; /* a single value, even one known only as `*` */
    return shoal_cover_loss(attr, range, n_members);
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
