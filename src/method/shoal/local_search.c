/* SPDX-License-Identifier: Apache-2.0 */
/* local_search.c - improve the groups of a pool step by step; see pool.h.
 *
 * Steps: *move* some rows of a slice to another group (the group left keeps at least k rows),
 * *swap* rows of two slices, *dissolve* a group into the others. Moves and swaps lower the cost.
 * Dissolving is judged by a guess and may raise it for a while, which leads out of dead ends more
 * often than it does harm; there are fewer groups each time, so it ends. When the end costs more
 * than the beginning, the search starts again and undoes what does not pay.
 *
 * Why it ends: a step is kept only if it lowers (groups with rows, cost), compared in this order,
 * or in a strict search and between slices the cost alone. Both are whole numbers, worked out anew
 * from the groups after the step; what a step was judged by may differ from that by rounding, since
 * sums of what groups tell depend on the order of values. A step that does not lower the cost then
 * is taken back. search() asserts it. A deadline ends a search too, with what is there.
 *
 * What a group loses with each member added is known (pool_losses.h), so a move is judged by one
 * look-up, and most swaps are ruled out by two. Two groups that have not changed since their steps
 * were tried are not looked at again. Cost: O(n^2) look-ups for a pass over all pairs of slices,
 * O(n q) for each group that changes.
 */
#include "base/invariant.h"
#include "method/shoal/pool_losses.h"

#include <omp.h>
#include <string.h>

#define NONE SHOAL_NONE

/* Rows of slice i leave group g (the last slice takes its place when it is gone). */
static void take_rows(shoal_pool *pool, uint32_t g, uint32_t i, uint32_t count)
{
    shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    slices[i].count -= count;
    if (slices[i].count == 0) slices[i] = slices[--pool->now.n_slices[g]];
}

void shoal_pool_give(shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count)
{
    shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    uint32_t i = 0;
    while (i < pool->now.n_slices[g] && slices[i].member != member) i++;
    if (i == pool->now.n_slices[g])
        slices[pool->now.n_slices[g]++] = (shoal_pool_slice){ member, 0 };
    slices[i].count += count;
}

/* A step: `count` rows of slice i of group g go to group h; as many of slice j of h come back
 * (NONE: none do). */
typedef struct step {
    uint32_t h, j, count;
    int64_t gain;
} step;

static int64_t cost_of(uint64_t rows, shoal_loss loss)
{
    return (int64_t)(rows * loss);
}

/* Have the evidence of g at hand as `mine`, that of h as `theirs`. */
static void show_both(shoal_pool *pool, uint32_t g, uint32_t h)
{
    shoal_penalty *penalty = &pool->penalty;
    if (penalty->mine_is != g) shoal_pool_show(pool, &penalty->mine, g);
    if (penalty->theirs_is != h) shoal_pool_show(pool, &penalty->theirs, h);
    penalty->mine_is = g;
    penalty->theirs_is = h;
}

/* Rows of a member go from one group to another, as far as evidence shows. */
static void shift(const shoal_pool *pool, shoal_evidence *from, shoal_evidence *to, uint32_t member,
                  uint32_t count)
{
    shoal_penalty_remove(&pool->penalty, from, pool->class_index[member], count);
    shoal_penalty_add(&pool->penalty, to, pool->class_index[member], count);
}

/* A step as penalties see it: `count` rows of member `goes` leave g for h, as many of `comes`
 * (NONE: none) come back. */
typedef struct exchange {
    uint32_t g, h, goes, comes, count;
    shoal_loss after_g, after_h; /* what the groups lose then */
} exchange;

/* What both groups pay for missing persons after a step. */
static int64_t charge_persons(const shoal_pool *pool, const exchange *x)
{
    shoal_pool_slice goes = { x->goes, x->count },
                     comes = { x->comes, x->comes == NONE ? 0 : x->count };
    uint32_t mine = shoal_pool_persons_after(pool, x->g, goes, comes),
             theirs = shoal_pool_persons_after(pool, x->h, comes, goes);
    return (int64_t)(shoal_penalty_of_persons(&pool->penalty, pool->persons.least, mine) +
                     shoal_penalty_of_persons(&pool->penalty, pool->persons.least, theirs));
}

/*
 * The gain of a step of which `gain` is the part from losses: with what both groups pay now and
 * will pay then. Not worked out where it cannot exceed `enough`.
 */
static int64_t gain_with_penalties(shoal_pool *pool, const exchange *x, int64_t gain,
                                   int64_t enough)
{
    if (!pool->has_penalty) return gain;
    gain += (int64_t)(pool->now.penalties[x->g] + pool->now.penalties[x->h]);
    if (gain <= enough) return enough;
    if (pool->persons.is_on) return gain - charge_persons(pool, x);
    shoal_penalty *penalty = &pool->penalty;
    show_both(pool, x->g, x->h);
    shift(pool, &penalty->mine, &penalty->theirs, x->goes, x->count);
    if (x->comes != NONE) shift(pool, &penalty->theirs, &penalty->mine, x->comes, x->count);
    gain -= (int64_t)shoal_penalty_charge(penalty, &penalty->mine, x->after_g);
    if (gain > enough) gain -= (int64_t)shoal_penalty_charge(penalty, &penalty->theirs, x->after_h);
    if (x->comes != NONE) shift(pool, &penalty->mine, &penalty->theirs, x->comes, x->count);
    shift(pool, &penalty->theirs, &penalty->mine, x->goes, x->count);
    return gain;
}

/* The greatest loss with which so many rows cost no more than `most`. */
static shoal_loss loss_limit(int64_t most, uint64_t rows)
{
    if (most <= 0) return 0;
    uint64_t limit = (uint64_t)most / rows;
    return limit < SHOAL_LOSS_MAX ? (shoal_loss)limit : SHOAL_LOSS_MAX;
}

/* Moves of slice i of group g, whole or in part, to group h. */
static void try_move(shoal_pool *pool, uint32_t g, uint32_t i, uint32_t h, step *best)
{
    const shoal_solution *now = &pool->now;
    shoal_pool_slice slice = shoal_pool_slices(pool, now, g)[i];
    uint32_t spare = now->n_rows[g] - pool->k, count = slice.count <= spare ? slice.count : spare;
    if (now->n_rows[g] <= pool->k) return;
    shoal_loss left = count == slice.count ? pool->search.loss_without[shoal_pool_slot(pool, g, i)]
                                           : now->losses[g];
    int64_t most = cost_of(now->n_rows[g], now->losses[g]) +
                   cost_of(now->n_rows[h], now->losses[h]) -
                   cost_of(now->n_rows[g] - count, left); /* what group h may cost then */
    int64_t penalties = (int64_t)(now->penalties[g] + now->penalties[h]);
    shoal_loss limit = loss_limit(most + penalties - best->gain, now->n_rows[h] + count);
    shoal_loss with = shoal_pool_with(pool, h, slice.member);
    if (with > limit) return;
    int64_t gain = most - cost_of(now->n_rows[h] + count, with);
    gain = gain_with_penalties(pool, &(exchange){ g, h, slice.member, NONE, count, left, with },
                               gain, best->gain);
    if (gain > best->gain) *best = (step){ h, NONE, count, gain };
}

/*
 * Swaps of rows of slice i of group g with rows of the slices of group h. What a group loses
 * without one slice and with another is at least what it loses with both, less what it would save
 * without the first (losses are submodular): most swaps end there.
 */
static void try_swaps(shoal_pool *pool, uint32_t g, uint32_t i, uint32_t h, step *best)
{
    const shoal_solution *now = &pool->now;
    shoal_pool_slice mine = shoal_pool_slices(pool, now, g)[i];
    const shoal_pool_slice *theirs = shoal_pool_slices(pool, now, h);
    int64_t n_g = now->n_rows[g], n_h = now->n_rows[h];
    int64_t before = n_g * now->losses[g] + n_h * now->losses[h];
    int64_t penalties = (int64_t)(now->penalties[g] + now->penalties[h]);
    int64_t my_saving = shoal_pool_saving(pool, g, i),
            h_with_mine = n_h * (int64_t)shoal_pool_with(pool, h, mine.member);
    int64_t most = before + penalties - best->gain; /* what the two may cost then */
    bool i_shrink = pool->search.loss_without[shoal_pool_slot(pool, g, i)] < now->losses[g];
    if (h_with_mine - n_h * pool->search.most_saving[h] + n_g * (now->losses[g] - my_saving) >=
        most)
        return;
    for (uint32_t j = 0; j < now->n_slices[h]; j++) {
        uint32_t count = mine.count < theirs[j].count ? mine.count : theirs[j].count;
        bool mine_goes = count == mine.count, theirs_goes = count == theirs[j].count;
        bool h_shrinks = theirs_goes &&
                         pool->search.loss_without[shoal_pool_slot(pool, h, j)] < now->losses[h];
        if ((!(mine_goes && i_shrink) && !h_shrinks && penalties == 0) ||
            theirs[j].member == mine.member)
            continue;
        int64_t g_saves = mine_goes ? my_saving : 0,
                h_saves = theirs_goes ? shoal_pool_saving(pool, h, j) : 0;
        if (h_with_mine - n_h * h_saves + n_g * (now->losses[g] - g_saves) >= most) continue;
        int64_t g_with = shoal_pool_with(pool, g, theirs[j].member);
        if (h_with_mine - n_h * h_saves + n_g * (g_with - g_saves) >= most) continue;
        shoal_loss after_g = mine_goes ? shoal_pool_exchange(pool, g, i, theirs[j].member)
                                       : (shoal_loss)g_with;
        if (h_with_mine - n_h * h_saves + n_g * after_g >= most) continue;
        shoal_loss after_h = shoal_pool_exchange(pool, h, theirs_goes ? j : NONE, mine.member);
        int64_t gain = before - n_g * after_g - n_h * after_h;
        gain = gain_with_penalties(
            pool, &(exchange){ g, h, mine.member, theirs[j].member, count, after_g, after_h }, gain,
            best->gain);
        if (gain <= best->gain) continue;
        *best = (step){ h, j, count, gain };
        most = before + penalties - gain;
    }
}

/* Groups g and h, and the cost, as they are. */
static void remember_pair(shoal_pool *pool, uint32_t g, uint32_t h)
{
    const shoal_solution *now = &pool->now;
    const uint32_t pair[2] = { g, h };
    for (size_t p = 0; p < 2; p++)
        memcpy(pool->search.pair + p * pool->room, shoal_pool_slices(pool, now, pair[p]),
               now->n_slices[pair[p]] * sizeof(shoal_pool_slice));
}

/* As they were: refreshing goes through the slices in the same order and finds the same cost. */
static void restore_pair(shoal_pool *pool, uint32_t g, uint32_t h, uint32_t n_g, uint32_t n_h)
{
    shoal_solution *now = &pool->now;
    now->n_slices[g] = n_g;
    now->n_slices[h] = n_h;
    memcpy(shoal_pool_slices(pool, now, g), pool->search.pair, n_g * sizeof(shoal_pool_slice));
    memcpy(shoal_pool_slices(pool, now, h), pool->search.pair + pool->room,
           n_h * sizeof(shoal_pool_slice));
    shoal_pool_refresh(pool, g);
    shoal_pool_refresh(pool, h);
}

/* Have all steps between the slices of g and group h been tried, without gain, since either of them
 * changed? */
static inline bool is_tried(const shoal_pool_search_state *search, uint32_t g, uint32_t h)
{
    return search->seen_at[g] >= search->changed_at[g] &&
           search->seen_at[g] >= search->changed_at[h];
}

/* Take the best step for one slice, if one gains: true if the cost is lower then. */
static bool improve_slice(shoal_pool *pool, uint32_t g, uint32_t i)
{
    shoal_solution *now = &pool->now;
    step best = { .gain = 0 };
    for (uint32_t h = 0; h < now->n_groups; h++) {
        if (h == g || now->n_rows[h] == 0 || is_tried(&pool->search, g, h)) continue;
        try_move(pool, g, i, h, &best);
        /* else h has tried them */
        if (!is_tried(&pool->search, h, g)) try_swaps(pool, g, i, h, &best);
    }
    if (best.gain == 0) return false;
    uint64_t before = now->cost;
    uint32_t n_g = now->n_slices[g], n_h = now->n_slices[best.h];
    if (pool->has_penalty) remember_pair(pool, g, best.h); /* without penalties gains are exact */
    uint32_t mine = shoal_pool_slices(pool, now, g)[i].member;
    uint32_t theirs = best.j == NONE ? NONE : shoal_pool_slices(pool, now, best.h)[best.j].member;
    take_rows(pool, g, i, best.count);
    if (theirs != NONE) take_rows(pool, best.h, best.j, best.count);
    shoal_pool_give(pool, best.h, mine, best.count);
    if (theirs != NONE) shoal_pool_give(pool, g, theirs, best.count);
    shoal_pool_refresh(pool, g);
    shoal_pool_refresh(pool, best.h);
    if (now->cost < before) return true;
    assert(pool->has_penalty);
    restore_pair(pool, g, best.h, n_g, n_h);
    assert(now->cost == before);
    return false;
}

int64_t shoal_pool_rise(const shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count)
{
    const shoal_solution *now = &pool->now;
    shoal_loss with = shoal_pool_with(pool, g, member);
    return cost_of((uint64_t)now->n_rows[g] + count, with) -
           cost_of(now->n_rows[g], now->losses[g]);
}

/* The cheapest group other than g for `count` rows of a member; its rise in cost. */
static uint32_t cheapest_group(const shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count,
                               int64_t *rise)
{
    const shoal_solution *now = &pool->now;
    uint32_t best = NONE;
    for (uint32_t h = 0; h < now->n_groups; h++) {
        if (h == g || now->n_rows[h] == 0) continue;
        uint64_t rows = (uint64_t)now->n_rows[h] + count;
        int64_t cost = cost_of(now->n_rows[h], now->losses[h]);
        shoal_loss with = shoal_pool_with(pool, h, member);
        int64_t more = cost_of(rows, with) - cost;
        if (best != NONE && more >= *rise) continue;
        best = h;
        *rise = more;
    }
    return best;
}

/* What dissolving group g would save if each slice found the others as they are now. */
static int64_t guess_saving(const shoal_pool *pool, uint32_t g)
{
    const shoal_solution *now = &pool->now;
    const shoal_pool_slice *slices = shoal_pool_slices(pool, now, g);
    int64_t saving = cost_of(now->n_rows[g], now->losses[g]) + (int64_t)now->penalties[g], rise = 0;
    for (uint32_t i = 0; i < now->n_slices[g] && saving > 0; i++) {
        if (cheapest_group(pool, g, slices[i].member, slices[i].count, &rise) == NONE) return 0;
        saving -= rise;
    }
    return saving;
}

/* The groups of `before` once more. */
static void undo(shoal_pool *pool)
{
    shoal_pool_copy(pool, &pool->now, &pool->before);
    for (uint32_t g = 0; g < pool->now.n_groups; g++) shoal_pool_refresh(pool, g);
}

/*
 * Would the others take the rows of group g for less than it costs? Then let them. Shares that join
 * the same group may cost more together than the guess says: a strict search undoes it then.
 */
static bool dissolve(shoal_pool *pool, uint32_t g, bool is_strict)
{
    shoal_solution *now = &pool->now;
    if (guess_saving(pool, g) <= 0) return false;
    if (is_strict) shoal_pool_copy(pool, &pool->before, now);
    const shoal_pool_slice *slices = shoal_pool_slices(pool, now, g);
    while (now->n_slices[g] > 0) {
        shoal_pool_slice slice = slices[now->n_slices[g] - 1];
        int64_t rise = 0;
        uint32_t h = cheapest_group(pool, g, slice.member, slice.count, &rise);
        take_rows(pool, g, now->n_slices[g] - 1, slice.count);
        shoal_pool_give(pool, h, slice.member, slice.count);
        shoal_pool_refresh(pool, h);
    }
    shoal_pool_refresh(pool, g);
    if (!is_strict || now->cost < pool->before.cost) return true;
    undo(pool);
    return false;
}

void shoal_pool_drop_empty(shoal_pool *pool)
{
    shoal_solution *now = &pool->now;
    uint32_t n = 0;
    for (uint32_t g = 0; g < now->n_groups; g++) {
        if (now->n_rows[g] == 0) continue;
        if (n < g) {
            memcpy(shoal_pool_slices(pool, now, n), shoal_pool_slices(pool, now, g),
                   now->n_slices[g] * sizeof(shoal_pool_slice));
            now->n_slices[n] = now->n_slices[g];
            now->n_rows[n] = now->n_rows[g];
            now->losses[n] = now->losses[g];
            now->penalties[n] = now->penalties[g];
        }
        n++;
    }
    now->n_groups = n;
}

static uint32_t count_groups(const shoal_solution *s)
{
    uint32_t n = 0;
    for (uint32_t g = 0; g < s->n_groups; g++) n += s->n_rows[g] > 0;
    return n;
}

/* Callbacks may be slow: the first thread asks after so many tuples, some hundredths of a second.
 */
static bool is_stopped(shoal_pool *pool)
{
    enum { TUPLES_TO_ASK = 1 << 20 };
    shoal_stop *stop = pool->stop;
    if (stop == NULL || stop->problem->callbacks == NULL) return false;
    if (atomic_load(&stop->is_asked)) return true;
    if (pool->work < TUPLES_TO_ASK || omp_get_thread_num() != 0) return false;
    pool->work = 0;
    if (!shoal_progress_stops(stop->problem->callbacks, "refine", stop->fraction)) return false;
    atomic_store(&stop->is_asked, true);
    return true;
}

static bool is_late(shoal_pool *pool)
{
    return is_stopped(pool) || (pool->deadline < INFINITY && shoal_seconds() >= pool->deadline);
}

/* The best step for each slice of the group; true if one was taken. A group may have thousands, so
 * some of them look at the clock. */
static bool improve_group(shoal_pool *pool, uint32_t g)
{
    bool is_better = false;
    uint32_t i = 0;
    for (; i < pool->now.n_slices[g] && (i % 16 != 15 || !is_late(pool)); i++) {
        is_better |= improve_slice(pool, g, i);
        pool->work += pool->n;
    }
    if (!is_better && i == pool->now.n_slices[g]) pool->search.seen_at[g] = pool->search.clock;
    return is_better;
}

static void search(shoal_pool *pool, bool is_strict)
{
    shoal_solution *now = &pool->now;
    for (bool is_better = true; is_better;) {
        uint64_t cost = now->cost;
        uint32_t n_groups = count_groups(now);
        is_better = false;
        for (uint32_t g = 0; g < now->n_groups; g++) {
            if (now->n_rows[g] == 0) continue;
            if (is_late(pool)) return;
            /* nothing has changed since */
            if (pool->search.seen_at[g] == pool->search.clock) continue;
            if (dissolve(pool, g, is_strict)) {
                is_better = true;
                continue;
            }
            is_better |= improve_group(pool, g);
        }
        bool is_lower = now->cost < cost || (!is_strict && count_groups(now) < n_groups);
        assert(is_lower || !is_better);
        is_better = is_better && is_lower; /* ends where asserts are compiled out too */
    }
}

/* Nothing is known of the groups yet. */
static void begin_search(shoal_pool *pool, bool is_lazy)
{
    shoal_pool_forget(pool);
    pool->search.is_lazy = is_lazy;
    pool->search.clock = 0;
    for (uint32_t g = 0; g < pool->now.n_groups; g++) {
        pool->search.seen_at[g] = 0;
        shoal_pool_refresh(pool, g);
    }
}

void shoal_pool_local_search(shoal_pool *pool)
{
    shoal_solution *now = &pool->now;
    begin_search(pool, false);
    shoal_pool_copy(pool, &pool->before, now);
    search(pool, false);
    if (now->cost > pool->before.cost) {
        undo(pool);
        search(pool, true);
    }
    shoal_pool_drop_empty(pool);
    assert(now->cost <= pool->before.cost);
    SHOAL_INVARIANT(shoal_pool_is_sound(pool, now));
}

void shoal_pool_continue_search(shoal_pool *pool)
{
    shoal_pool_forget(pool);
    search(pool, false);
}

void shoal_pool_mark_searched(shoal_pool *pool)
{
    for (uint32_t g = 0; g < pool->now.n_groups; g++) pool->search.seen_at[g] = pool->search.clock;
}

bool shoal_pool_improve_first(shoal_pool *pool)
{
    bool has_improved = false;
    begin_search(pool, true);
    for (bool is_better = true; is_better && !is_late(pool); has_improved |= is_better)
        is_better = improve_group(pool, 0);
    return has_improved;
}
