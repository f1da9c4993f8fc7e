/* SPDX-License-Identifier: Apache-2.0 */
/* pairwise_contribution.c - how close two sensitive values are: 1 - |u - u'| / (max - min), or 1 -
 * (s - 1) / (|D| - 1).
 *
 * 1 for a value and itself, 0 for the two ends of the domain. Loukides, PhD thesis 2008,
 * Definition 5.1.2. O(height).
 */
#include "privacy/protection.h"

double shoal_pairwise_contribution(const shoal_attribute *attr, uint32_t x, uint32_t y)
{
    return 1 - shoal_sensitive_spread(attr, (shoal_range){ x < y ? x : y, x < y ? y : x },
                                      1 + (x != y));
}
