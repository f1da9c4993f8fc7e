/* SPDX-License-Identifier: Apache-2.0 */
/* perturbation.c - leave a local optimum: divide the rows of two or three neighbouring groups again
 * and continue the search; see pool.h.
 *
 * A perturbation draws a group and one of its slices, takes the groups that this slice would join
 * at the lowest cost, and divides the rows of all of them again, each new group grown from a slice
 * drawn at random. Local search then visits only the changed groups. If the result does not cost
 * less, it is undone. So a perturbation takes a small fraction of the time of grouping the whole
 * pool again.
 *
 * An example, k = 2: the groups {20, 27} and {24, 31} cost 2 * 7 + 2 * 7 = 28. A perturbation takes
 * both and draws 24 as the first slice: the cheapest to add is 27, {24, 27}; what is left is {20,
 * 31}: 6 + 22 = 28. Local search swaps 27 and 20: {20, 24} {27, 31}, 8 + 8 = 16, and that is kept.
 *
 * Invariant: `now` is the best solution before and after each perturbation, and no step of a search
 * would lower its cost. Cost: O(s^2 q) for the s slices of the groups, and the search.
 */
#include "base/invariant.h"
#include "method/shoal/pool.h"
#include "method/shoal/tuning.h"

#include <string.h>

/* Groups that the rows of a perturbation may become. */
enum { MOST_NEW = 8 };

/* The groups that are divided again, and their slices. */
typedef struct perturbation {
    /* places of the new groups; the first are those of the old ones */
    uint32_t groups[MOST_NEW], n_groups;
    shoal_pool_slice *slices;
    uint32_t n_slices;
    uint64_t n_rows;
    /* of each person of the pool: is in the group that is filled; NULL: they are not counted */
    uint8_t *has_person;
} perturbation;

/* Slices of the same member become one. */
static void take_group(shoal_pool *pool, perturbation *it, uint32_t g)
{
    const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    uint32_t n_before = it->n_slices;
    for (uint32_t i = 0; i < pool->now.n_slices[g]; i++) {
        uint32_t at = 0;
        while (at < n_before && it->slices[at].member != slices[i].member) at++;
        if (at < n_before)
            it->slices[at].count += slices[i].count;
        else
            it->slices[it->n_slices++] = slices[i];
    }
    it->n_rows += pool->now.n_rows[g];
    it->groups[it->n_groups++] = g;
}

/* The group, not yet taken, whose cost a row of the member raises least; SHOAL_NO_GROUP: there is
 * none. */
static uint32_t nearest_group(shoal_pool *pool, const perturbation *it, uint32_t member)
{
    const shoal_solution *now = &pool->now;
    uint32_t best = SHOAL_NO_GROUP;
    int64_t least = 0;
    for (uint32_t h = 0; h < now->n_groups; h++) {
        bool is_taken = now->n_rows[h] == 0;
        for (uint32_t i = 0; i < it->n_groups; i++) is_taken |= it->groups[i] == h;
        if (is_taken) continue;
        int64_t rise = shoal_pool_rise(pool, h, member, 1);
        if (best != SHOAL_NO_GROUP && rise >= least) continue;
        best = h;
        least = rise;
    }
    return best;
}

/* A group that loses something, and one or two more: each the nearest to a slice drawn from those
 * taken so far. False when there is nothing to divide. */
static bool choose_groups(shoal_pool *pool, perturbation *it, shoal_rng *rng)
{
    const shoal_solution *now = &pool->now;
    uint32_t g = (uint32_t)shoal_rng_below(rng, now->n_groups);
    if (now->n_rows[g] == 0 || (now->losses[g] == 0 && now->penalties[g] == 0)) return false;
    uint32_t wanted = 2 + (uint32_t)shoal_rng_below(rng, SHOAL_PERTURBED_GROUPS - 1);
    take_group(pool, it, g);
    while (it->n_groups < wanted) {
        uint32_t h = nearest_group(pool, it, it->slices[shoal_rng_below(rng, it->n_slices)].member);
        if (h == SHOAL_NO_GROUP) break;
        take_group(pool, it, h);
    }
    return it->n_groups > 1;
}

/* If the rows suffice for more groups, add empty ones. */
static void open_groups(shoal_pool *pool, perturbation *it)
{
    shoal_solution *now = &pool->now;
    uint64_t wanted = it->n_rows / pool->k < MOST_NEW ? it->n_rows / pool->k : MOST_NEW;
    for (uint32_t g = 0; it->n_groups < wanted && g < pool->group_room; g++) {
        if (g == now->n_groups) {
            now->n_groups++;
            now->n_slices[g] = now->n_rows[g] = now->losses[g] = 0;
            now->penalties[g] = 0;
            pool->search.searched_at[g] = 0;
        }
        if (now->n_rows[g] == 0) it->groups[it->n_groups++] = g;
    }
}

/* The slice cheapest to add to the growing group. */
static uint32_t cheapest_slice(const shoal_pool *pool, const perturbation *it)
{
    uint32_t best = 0;
    shoal_loss least = SHOAL_LOSS_MAX;
    for (uint32_t i = 0; i < it->n_slices; i++) {
        if (it->has_person != NULL && it->has_person[pool->persons.person[it->slices[i].member]])
            continue;
        shoal_loss with = shoal_cluster_with(&pool->perturbation.cluster, pool->metric,
                                             shoal_pool_tuple(pool, it->slices[i].member), least);
        if (with >= least) continue;
        least = with;
        best = i;
    }
    return best;
}

/* Rows of the slice at `i` join group g. */
static void move_rows(shoal_pool *pool, perturbation *it, uint32_t g, uint32_t i, uint32_t count)
{
    shoal_pool_slices(pool, &pool->now,
                      g)[pool->now.n_slices[g]++] = (shoal_pool_slice){ it->slices[i].member,
                                                                        count };
    shoal_cluster_add(&pool->perturbation.cluster, pool->metric,
                      shoal_pool_tuple(pool, it->slices[i].member), count);
    it->n_rows -= count;
    it->slices[i].count -= count;
    if (it->slices[i].count == 0) it->slices[i] = it->slices[--it->n_slices];
}

/* Fill group g with k rows around a slice drawn at random, or with all that are left. */
static void fill_group(shoal_pool *pool, perturbation *it, uint32_t g, bool is_last, shoal_rng *rng)
{
    uint32_t n_rows = 0;
    uint64_t wanted = is_last ? it->n_rows : pool->k;
    shoal_cluster_clear(&pool->perturbation.cluster, pool->metric);
    pool->now.n_slices[g] = 0;
    for (uint32_t next = it->n_slices > 0 ? (uint32_t)shoal_rng_below(rng, it->n_slices) : 0;
         n_rows < wanted; next = cheapest_slice(pool, it)) {
        uint32_t count = it->slices[next].count <= wanted - n_rows ? it->slices[next].count
                                                                   : (uint32_t)(wanted - n_rows);
        move_rows(pool, it, g, next, count);
        n_rows += count;
    }
}

/* `now` as it was before the perturbation: only groups that have changed since are copied. */
static void take_back(shoal_pool *pool, uint32_t clock)
{
    shoal_solution *now = &pool->now;
    const shoal_solution *best = &pool->best;
    for (uint32_t g = 0; g < best->n_groups; g++) {
        if (pool->search.changed_at[g] <= clock) continue;
        now->n_slices[g] = best->n_slices[g];
        memcpy(shoal_pool_slices(pool, now, g), shoal_pool_slices(pool, best, g),
               best->n_slices[g] * sizeof(shoal_pool_slice));
        shoal_pool_refresh(pool, g);
    }
    for (uint32_t g = best->n_groups; g < now->n_groups; g++)
        now->cost -= (uint64_t)now->losses[g] * now->n_rows[g] + now->penalties[g];
    now->n_groups = best->n_groups;
    shoal_pool_mark_searched(pool);
}

/* Fill the groups one after the other with k rows each; the last gets what is left. */
static void divide(shoal_pool *pool, perturbation *it, shoal_rng *rng)
{
    for (uint32_t i = 0; i < it->n_groups; i++) {
        bool is_last = i + 1 == it->n_groups || it->n_rows < 2 * (uint64_t)pool->k;
        fill_group(pool, it, it->groups[i], is_last, rng);
    }
    for (uint32_t i = 0; i < it->n_groups; i++) shoal_pool_refresh(pool, it->groups[i]);
}

/* Persons whose rows are left. */
static uint32_t count_persons(shoal_pool *pool, perturbation *it)
{
    uint32_t n = 0;
    memset(it->has_person, 0, pool->persons.n);
    for (uint32_t i = 0; i < it->n_slices; i++) {
        uint8_t *seen = &it->has_person[pool->persons.person[it->slices[i].member]];
        n += !*seen;
        *seen = 1;
    }
    return n;
}

/* Fill group g with a row each of k persons, around a slice drawn at random. */
static void fill_with_persons(shoal_pool *pool, perturbation *it, uint32_t g, shoal_rng *rng)
{
    uint32_t n = 0;
    shoal_cluster_clear(&pool->perturbation.cluster, pool->metric);
    pool->now.n_slices[g] = 0;
    memset(it->has_person, 0, pool->persons.n);
    for (uint32_t next = (uint32_t)shoal_rng_below(rng, it->n_slices); n < pool->persons.least;
         next = cheapest_slice(pool, it)) {
        it->has_person[pool->persons.person[it->slices[next].member]] = 1;
        move_rows(pool, it, g, next, 1);
        n++;
    }
}

/* What is left joins the groups that it costs least. */
static void place_rest(shoal_pool *pool, perturbation *it, uint32_t n_filled)
{
    while (it->n_slices > 0) {
        shoal_pool_slice slice = it->slices[--it->n_slices];
        uint32_t best = it->groups[0];
        int64_t least = INT64_MAX;
        for (uint32_t j = 0; j < n_filled; j++) {
            int64_t rise = shoal_pool_rise(pool, it->groups[j], slice.member, slice.count);
            if (rise >= least) continue;
            least = rise;
            best = it->groups[j];
        }
        shoal_pool_give(pool, best, slice.member, slice.count);
        shoal_pool_refresh(pool, best);
    }
}

/* Fill as many groups as there are k persons for, with one row of each; the rest joins them. */
static void divide_by_persons(shoal_pool *pool, perturbation *it, shoal_rng *rng)
{
    uint32_t n_filled = 0;
    for (uint32_t i = 0; i < it->n_groups; i++) {
        pool->now.n_slices[it->groups[i]] = 0;
        if (n_filled == i && count_persons(pool, it) >= pool->persons.least) {
            fill_with_persons(pool, it, it->groups[i], rng);
            n_filled++;
        }
        shoal_pool_refresh(pool, it->groups[i]);
    }
    place_rest(pool, it, n_filled);
}

void shoal_pool_perturb(shoal_pool *pool, uint32_t n_perturbations, shoal_rng *rng)
{
    shoal_solution *now = &pool->now, *best = &pool->best;
    shoal_pool_copy(pool, now, best);
    shoal_pool_local_search(pool); /* never above where it began, but perhaps in fewer groups */
    shoal_pool_copy(pool, best, now);
    if (now->n_groups < 2) return;
    shoal_pool_forget(pool);
    /* groups without rows were removed */
    for (uint32_t g = 0; g < now->n_groups; g++) shoal_pool_refresh(pool, g);
    shoal_pool_mark_searched(pool);

    for (uint32_t i = 0; i < n_perturbations; i++) {
        perturbation it = { .slices = pool->perturbation.slices };
        if (pool->persons.is_on) it.has_person = pool->perturbation.has_person;
        uint32_t clock = pool->search.clock;
        if (!choose_groups(pool, &it, rng)) continue;
        open_groups(pool, &it);
        if (it.has_person != NULL)
            divide_by_persons(pool, &it, rng);
        else
            divide(pool, &it, rng);
        shoal_pool_forget(pool);
        shoal_pool_search(pool, false);
        SHOAL_INVARIANT(shoal_pool_is_sound(pool, now));
        if (now->cost < best->cost)
            shoal_pool_copy(pool, best, now);
        else
            take_back(pool, clock);
        SHOAL_INVARIANT(shoal_pool_is_sound(pool, now));
    }
    shoal_pool_drop_empty(pool);
    shoal_pool_copy(pool, best, now);
}
