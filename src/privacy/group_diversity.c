/* SPDX-License-Identifier: Apache-2.0 */
/* group_diversity.c - group diversity: half the loss of a group plus half its range diversity.
 *
 * Loukides, PhD thesis 2008, Definition 5.2.4. O(1).
 */
#include "privacy/protection.h"

double shoal_group_diversity(double loss, double range_diversity)
{
    return loss / 2 + range_diversity / 2;
}
