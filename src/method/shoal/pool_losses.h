/* SPDX-License-Identifier: Apache-2.0 */
/* pool_losses.h - what local search knows of the groups of a pool: their losses without each of
 * their slices, and with each member of the pool added. Kept by shoal_pool_refresh().
 *
 * Losses are *submodular*: what one more row adds to a group's loss is never more in a larger
 * group. So a group without slice i and with a member p loses at least what it loses with both,
 * less what it would save without i. This does not hold for an attribute of which the group covers
 * nothing without i: where that can be, savings count as all that the group loses with p added.
 */
#ifndef SHOAL_POOL_LOSSES_H
#define SHOAL_POOL_LOSSES_H

#include "method/shoal/pool.h"

#define SHOAL_NONE UINT32_MAX

static inline size_t shoal_pool_slot(const shoal_pool *pool, uint32_t g, uint32_t i)
{
    return (size_t)g * pool->room + i;
}

shoal_loss shoal_pool_find_with(const shoal_pool *pool, uint32_t g, uint32_t member);

/* Loss of group g with a row of the member added. */
static inline shoal_loss shoal_pool_with(const shoal_pool *pool, uint32_t g, uint32_t member)
{
    shoal_loss with = pool->search.with[shoal_pool_slot(pool, g, member)];
    return with != SHOAL_LOSS_MAX ? with : shoal_pool_find_with(pool, g, member);
}

/* The same without its slice i (SHOAL_NONE: with all). */
shoal_loss shoal_pool_exchange(const shoal_pool *pool, uint32_t g, uint32_t i, uint32_t member);

/*
 * At least what group g would save without its slice i, whatever row is added.
 */
static inline int64_t shoal_pool_saving(const shoal_pool *pool, uint32_t g, uint32_t i)
{
    if (pool->metric->has_wild || pool->now.n_slices[g] == 1) return pool->search.unbounded;
    shoal_loss without = pool->search.loss_without[shoal_pool_slot(pool, g, i)];
    return (int64_t)pool->now.losses[g] - without + pool->search.slack;
}

#endif
