/* SPDX-License-Identifier: Apache-2.0 */
/* range_growth.c - incremental range diversity; see range_growth.h. Memory: 24 bytes per code. */
#include "privacy/range_growth.h"

#include "privacy/protection.h"

bool shoal_range_growth_init(shoal_range_growth *growth, const shoal_sensitive_ranges *ranges)
{
    *growth = (shoal_range_growth){ .ranges = ranges };
    growth->near = shoal_alloc_zero(ranges->attr->n_codes, sizeof *growth->near);
    if (growth->near != NULL && shoal_tally_init(&growth->tally, ranges->attr->n_codes))
        return true;
    shoal_range_growth_free(growth);
    return false;
}

void shoal_range_growth_free(shoal_range_growth *growth)
{
    shoal_free(growth->near);
    shoal_tally_free(&growth->tally);
    *growth = (shoal_range_growth){ 0 };
}

void shoal_range_growth_clear(shoal_range_growth *growth)
{
    for (uint32_t i = 0; i < growth->tally.n_present; i++) {
        shoal_range reach = growth->ranges->reach[growth->tally.present[i]];
        for (uint32_t code = reach.lo; code <= reach.hi; code++) growth->near[code] = 0;
    }
    shoal_tally_clear(&growth->tally);
    growth->weight = 0;
}

void shoal_range_growth_add(shoal_range_growth *growth, uint32_t code, uint32_t n_rows)
{
    const shoal_sensitive_ranges *ranges = growth->ranges;
    if (n_rows == 0) return;
    growth->weight += shoal_range_growth_rise(growth, code, n_rows);
    shoal_tally_add(&growth->tally, code, n_rows);
    for (uint32_t other = ranges->reach[code].lo; other <= ranges->reach[code].hi; other++) {
        if (other == code) continue;
        int times = shoal_sensitive_range_holds(ranges, code, other) +
                    shoal_sensitive_range_holds(ranges, other, code);
        if (times > 0)
            growth->near[other] += n_rows * times *
                                   shoal_pairwise_contribution(ranges->attr, code, other);
    }
}
