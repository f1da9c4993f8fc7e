/* SPDX-License-Identifier: Apache-2.0 */
/* disclosure_confidence.c - the confidence with which a group links its rows of value u to the
 * sensitive range of u.
 *
 *     dc(u) = f(u) * sum over values x of the group in SR(u) of f(x) pc(u,x) / |G|
 *
 * f counts rows; dc(u) / f(u), the confidence for one row, is in [0,1].
 * Loukides, PhD thesis 2008, Definition 5.1.3. O(values in the range), or O(values of the group) if
 * these are fewer.
 */
#include "privacy/protection.h"

double shoal_disclosure_confidence(const shoal_sensitive_ranges *ranges, const shoal_tally *tally,
                                   uint32_t code)
{
    const shoal_attribute *attr = ranges->attr;
    shoal_range range = ranges->of_code[code];
    double sum = 0;
    /* scan the shorter of the two: the range or the present codes */
    if (range.hi - range.lo < tally->n_present) {
        for (uint32_t x = range.lo; x <= range.hi; x++)
            if (tally->counts[x] > 0)
                sum += tally->counts[x] * shoal_pairwise_contribution(attr, code, x);
    } else {
        for (uint32_t i = 0; i < tally->n_present; i++) {
            uint32_t x = tally->present[i];
            if (x >= range.lo && x <= range.hi)
                sum += tally->counts[x] * shoal_pairwise_contribution(attr, code, x);
        }
    }
    return tally->n_rows > 0 ? tally->counts[code] * sum / (double)tally->n_rows : 0;
}
