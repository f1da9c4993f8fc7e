/* SPDX-License-Identifier: Apache-2.0 */
/* range_growth.h - incremental range diversity of a group: now, and after adding rows of a value.
 *
 *     |G|^2 rd(G) = sum over u, x in SR(u) of f(u) f(x) pc(u,x)
 *
 * One more row of value v adds 2 f(v) + 1 + sum over x != v of f(x) pc(v,x) ([x in SR(v)] + [v in
 * SR(x)]). The last sum is maintained for every v that is in reach of a value of the group, so a
 * query costs O(1), adding a row O(codes in reach).
 */
#ifndef SHOAL_RANGE_GROWTH_H
#define SHOAL_RANGE_GROWTH_H

#include "privacy/sensitive_range.h"
#include "privacy/tally.h"

typedef struct shoal_range_growth {
    const shoal_sensitive_ranges *ranges;
    shoal_tally tally;
    double *near;  /* of each code: the last sum above */
    double weight; /* |G|^2 rd(G) */
} shoal_range_growth;

SHOAL_NODISCARD bool shoal_range_growth_init(shoal_range_growth *growth,
                                             const shoal_sensitive_ranges *ranges);
void shoal_range_growth_free(shoal_range_growth *growth);
/* Remove all rows. O(codes in reach of the values of the group). */
void shoal_range_growth_clear(shoal_range_growth *growth);
void shoal_range_growth_add(shoal_range_growth *growth, uint32_t code, uint32_t n_rows);

/* What `n_rows` more rows of the value add to the weight: n (2 f + n + near). */
static inline double shoal_range_growth_rise(const shoal_range_growth *growth, uint32_t code,
                                             uint32_t n_rows)
{
    double f = growth->tally.counts[code], n = n_rows;
    return n * (2 * f + n + growth->near[code]);
}

/* Range diversity now, 0 for an empty group, and with more rows of a value. */
static inline double shoal_range_growth_now(const shoal_range_growth *growth)
{
    double n = (double)growth->tally.n_rows;
    return n > 0 ? growth->weight / (n * n) : 0;
}

static inline double shoal_range_growth_with(const shoal_range_growth *growth, uint32_t code,
                                             uint32_t n_rows)
{
    double n = (double)growth->tally.n_rows + n_rows;
    return n > 0 ? (growth->weight + shoal_range_growth_rise(growth, code, n_rows)) / (n * n) : 0;
}

#endif
