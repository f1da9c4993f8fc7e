/* SPDX-License-Identifier: Apache-2.0 */
/* pool_climb.c - improve the groups of a pool step by step; see pool.h.
 *
 * Steps: *move* some rows of a share to another group (the group left keeps at least k rows), *swap* rows of
 * two shares, *dissolve* a group into the others. Moves and swaps lower the cost. Dissolving is judged by a guess and
 * may raise it for a while, which leads out of dead ends more often than it does harm; there are fewer groups each
 * time, so it ends. When the end costs more than the beginning, the climb starts again and undoes what does not pay.
 *
 * Why it ends: a step is kept only if it lowers (groups with rows, cost), compared in this order, or in a strict climb and between
 * shares the cost alone. Both are whole numbers, worked out anew from the groups after the step; what a step was judged by
 * may differ from that by rounding, since sums of what groups tell depend on the order of values. A step that does not
 * lower the cost then is taken back. climb() asserts it. A deadline ends a climb too, with what is there.
 *
 * For each share the climb knows what its group would cover without it, so a move or swap is judged by one
 * look-up an attribute and group. Cost: O(n^2 q) for a pass over all pairs of shares.
 */
#include "base/invariant.h"
#include "method/shoal/pool.h"

#include <omp.h>
#include <string.h>

#define NOBODY UINT32_MAX

static inline size_t slot(const shoal_pool *pool, uint32_t g, uint32_t i)
{
    return (size_t)g * pool->room + i;
}

/* Loss of a SET attribute of group g without one share and with one more code (NOBODY, SHOAL_NO_CODE: none). */
static shoal_loss set_loss(const shoal_pool *pool, uint32_t g, uint32_t a, const shoal_share *gone, uint32_t added)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    const uint32_t *tally = pool->climb.tally + (size_t)g * pool->climb.n_values + pool->climb.value_at[a];
    uint32_t n = pool->climb.n_distinct[(size_t)g * pool->m + a], tops = pool->climb.n_tops[(size_t)g * pool->m + a];
    uint32_t lost = gone == NULL ? SHOAL_NO_CODE : shoal_pool_tuple(pool, gone->member)[a];
    bool is_value = lost != SHOAL_NO_CODE && lost < line->n_plain, vanishes = is_value && tally[lost] == gone->count;
    if (vanishes) n--;
    if (lost != SHOAL_NO_CODE && lost != line->wild_code && lost >= line->top_from) tops -= gone->count;
    if (added != SHOAL_NO_CODE && added != line->wild_code) {
        if (added >= line->top_from) return line->one;
        if (tally[added] == 0 || (vanishes && added == lost)) n++;
    }
    return tops > 0 ? line->one : line->set_loss[n];
}

/* Loss of group g without its share i (NOBODY: with all) and with a tuple added (NULL: none); stops once above `limit`. */
static shoal_loss loss_after(const shoal_pool *pool, uint32_t g, uint32_t i, const uint32_t *tuple, shoal_loss limit)
{
    const shoal_range *ranges = pool->climb.without + slot(pool, g, i == NOBODY ? pool->now.n_shares[g] : i) * pool->m;
    const shoal_share *gone = i == NOBODY ? NULL : &shoal_pool_shares(pool, &pool->now, g)[i];
    shoal_loss sum = 0;
    for (uint32_t a = 0; a < pool->m; a++) {
        const shoal_measure_line *line = &pool->metric->lines[a];
        uint32_t code = tuple == NULL ? SHOAL_NO_CODE : tuple[a];
        if (line->kind == SHOAL_KIND_SET) {
            sum += set_loss(pool, g, a, gone, code);
        } else {
            shoal_range range = ranges[a];
            if (code != SHOAL_NO_CODE && code != line->wild_code) {
                if (code < range.lo) range.lo = code;
                if (code > range.hi) range.hi = code;
            }
            if (range.lo <= range.hi) sum += shoal_line_range(line, range.lo, range.hi);
        }
        if (sum > limit) return sum;
    }
    return sum;
}

static shoal_range join(shoal_range x, shoal_range y)
{
    return (shoal_range){ x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi };
}

/* What group g covers without each of its shares, by ranges from the left and from the right; at n_shares: with all. */
static void exclude_each(shoal_pool *pool, uint32_t g)
{
    const shoal_share *shares = shoal_pool_shares(pool, &pool->now, g);
    uint32_t n = pool->now.n_shares[g], m = pool->m;
    shoal_range *without = pool->climb.without + slot(pool, g, 0) * m;
    for (uint32_t a = 0; a < m; a++) {
        uint32_t wild = pool->metric->lines[a].wild_code;
        shoal_range sofar = SHOAL_EMPTY_RANGE;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t code = shoal_pool_tuple(pool, shares[i].member)[a];
            without[(size_t)i * m + a] = sofar;
            if (code != wild) sofar = join(sofar, (shoal_range){ code, code });
        }
        without[(size_t)n * m + a] = sofar;
        sofar = SHOAL_EMPTY_RANGE;
        for (uint32_t i = n; i-- > 0;) {
            uint32_t code = shoal_pool_tuple(pool, shares[i].member)[a];
            without[(size_t)i * m + a] = join(without[(size_t)i * m + a], sofar);
            if (code != wild) sofar = join(sofar, (shoal_range){ code, code });
        }
    }
}

static void tally_sets(shoal_pool *pool, uint32_t g)
{
    const shoal_share *shares = shoal_pool_shares(pool, &pool->now, g);
    uint32_t *tally = pool->climb.tally + (size_t)g * pool->climb.n_values;
    memset(tally, 0, pool->climb.n_values * sizeof *tally);
    for (uint32_t a = 0; a < pool->m; a++) {
        const shoal_measure_line *line = &pool->metric->lines[a];
        uint32_t distinct = 0, tops = 0;
        for (uint32_t i = 0; line->kind == SHOAL_KIND_SET && i < pool->now.n_shares[g]; i++) {
            uint32_t code = shoal_pool_tuple(pool, shares[i].member)[a];
            if (code == line->wild_code) continue;
            if (code >= line->top_from) {
                tops += shares[i].count;
                continue;
            }
            distinct += tally[pool->climb.value_at[a] + code] == 0;
            tally[pool->climb.value_at[a] + code] += shares[i].count;
        }
        pool->climb.n_distinct[(size_t)g * pool->m + a] = distinct;
        pool->climb.n_tops[(size_t)g * pool->m + a] = tops;
    }
}

/* Bring what is known of a group up to date after its shares have changed. */
static void refresh(shoal_pool *pool, uint32_t g)
{
    shoal_solution *now = &pool->now;
    if (pool->metric->has_sets) tally_sets(pool, g);
    exclude_each(pool, g);
    now->cost -= (uint64_t)now->losses[g] * now->n_rows[g] + now->penalties[g];
    const shoal_share *shares = shoal_pool_shares(pool, now, g);
    now->n_rows[g] = 0;
    for (uint32_t i = 0; i < now->n_shares[g]; i++) now->n_rows[g] += shares[i].count;
    now->losses[g] = now->n_rows[g] == 0 ? 0 : loss_after(pool, g, NOBODY, NULL, SHOAL_LOSS_MAX);
    now->penalties[g] = shoal_pool_penalty(pool, g);
    if (pool->penalty.mine_is == g) pool->penalty.mine_is = SHOAL_NO_GROUP;
    now->cost += (uint64_t)now->losses[g] * now->n_rows[g] + now->penalties[g];
    for (uint32_t i = 0; i < now->n_shares[g]; i++)
        pool->climb.loss_without[slot(pool, g, i)] = loss_after(pool, g, i, NULL, SHOAL_LOSS_MAX);
}

/* Rows of share i leave group g (the last share takes its place when it is gone). */
static void take_rows(shoal_pool *pool, uint32_t g, uint32_t i, uint32_t count)
{
    shoal_share *shares = shoal_pool_shares(pool, &pool->now, g);
    shares[i].count -= count;
    if (shares[i].count == 0) shares[i] = shares[--pool->now.n_shares[g]];
}

static void give_rows(shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count)
{
    shoal_share *shares = shoal_pool_shares(pool, &pool->now, g);
    uint32_t i = 0;
    while (i < pool->now.n_shares[g] && shares[i].member != member) i++;
    if (i == pool->now.n_shares[g]) shares[pool->now.n_shares[g]++] = (shoal_share){ member, 0 };
    shares[i].count += count;
}

/* A step: `count` rows of share i of group g go to group h; as many of share j of h come back (NOBODY: none do). */
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
static void shift(const shoal_pool *pool, shoal_evidence *from, shoal_evidence *to, uint32_t member, uint32_t count)
{
    shoal_penalty_remove(&pool->penalty, from, pool->class_index[member], count);
    shoal_penalty_add(&pool->penalty, to, pool->class_index[member], count);
}

/* A step as penalties see it: `count` rows of member `goes` leave g for h, as many of `comes` (NOBODY: none) come back. */
typedef struct exchange {
    uint32_t g, h, goes, comes, count;
    shoal_loss after_g, after_h; /* what the groups lose then */
} exchange;

/*
 * The gain of a step of which `gain` is the part from losses: with what both groups pay now and will pay then. Not worked out
 * where it cannot exceed `enough`.
 */
static int64_t gain_with_penalties(shoal_pool *pool, const exchange *x, int64_t gain, int64_t enough)
{
    if (!pool->has_penalty) return gain;
    gain += (int64_t)(pool->now.penalties[x->g] + pool->now.penalties[x->h]);
    if (gain <= enough) return enough;
    shoal_penalty *penalty = &pool->penalty;
    show_both(pool, x->g, x->h);
    shift(pool, &penalty->mine, &penalty->theirs, x->goes, x->count);
    if (x->comes != NOBODY) shift(pool, &penalty->theirs, &penalty->mine, x->comes, x->count);
    gain -= (int64_t)shoal_penalty_charge(penalty, &penalty->mine, x->after_g);
    if (gain > enough) gain -= (int64_t)shoal_penalty_charge(penalty, &penalty->theirs, x->after_h);
    if (x->comes != NOBODY) shift(pool, &penalty->mine, &penalty->theirs, x->comes, x->count);
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

/* Moves of share i of group g, whole or in part, to group h. */
static void try_move(shoal_pool *pool, uint32_t g, uint32_t i, uint32_t h, step *best)
{
    const shoal_solution *now = &pool->now;
    shoal_share share = shoal_pool_shares(pool, now, g)[i];
    uint32_t spare = now->n_rows[g] - pool->k, count = share.count <= spare ? share.count : spare;
    if (now->n_rows[g] <= pool->k) return;
    shoal_loss left = count == share.count ? pool->climb.loss_without[slot(pool, g, i)] : now->losses[g];
    int64_t most = cost_of(now->n_rows[g], now->losses[g]) + cost_of(now->n_rows[h], now->losses[h]) -
                   cost_of(now->n_rows[g] - count, left); /* what group h may cost then */
    int64_t penalties = (int64_t)(now->penalties[g] + now->penalties[h]);
    shoal_loss limit = loss_limit(most + penalties - best->gain, now->n_rows[h] + count);
    shoal_loss with = loss_after(pool, h, NOBODY, shoal_pool_tuple(pool, share.member), limit);
    if (with > limit) return;
    int64_t gain = most - cost_of(now->n_rows[h] + count, with);
    gain = gain_with_penalties(pool, &(exchange){ g, h, share.member, NOBODY, count, left, with }, gain, best->gain);
    if (gain > best->gain) *best = (step){ h, NOBODY, count, gain };
}

/* Swaps of rows of share i of group g with rows of the shares of group h. */
static void try_swaps(shoal_pool *pool, uint32_t g, uint32_t i, uint32_t h, step *best)
{
    const shoal_solution *now = &pool->now;
    shoal_share mine = shoal_pool_shares(pool, now, g)[i];
    const shoal_share *theirs = shoal_pool_shares(pool, now, h);
    const uint32_t *my_tuple = shoal_pool_tuple(pool, mine.member);
    int64_t before = cost_of(now->n_rows[g], now->losses[g]) + cost_of(now->n_rows[h], now->losses[h]);
    int64_t penalties = (int64_t)(now->penalties[g] + now->penalties[h]);
    bool i_shrink = pool->climb.loss_without[slot(pool, g, i)] < now->losses[g];
    for (uint32_t j = 0; j < now->n_shares[h]; j++) {
        uint32_t count = mine.count < theirs[j].count ? mine.count : theirs[j].count;
        bool mine_goes = count == mine.count, theirs_goes = count == theirs[j].count;
        bool g_shrinks = mine_goes && i_shrink;
        bool h_shrinks = theirs_goes && pool->climb.loss_without[slot(pool, h, j)] < now->losses[h];
        if ((!g_shrinks && !h_shrinks && penalties == 0) || theirs[j].member == mine.member) continue;
        int64_t most = before + penalties - best->gain; /* what the two may cost then */
        shoal_loss limit = loss_limit(most, now->n_rows[g]);
        shoal_loss after_g = loss_after(pool, g, mine_goes ? i : NOBODY, shoal_pool_tuple(pool, theirs[j].member), limit);
        if (after_g > limit) continue;
        limit = loss_limit(most - cost_of(now->n_rows[g], after_g), now->n_rows[h]);
        shoal_loss after_h = loss_after(pool, h, theirs_goes ? j : NOBODY, my_tuple, limit);
        if (after_h > limit) continue;
        int64_t gain = before - cost_of(now->n_rows[g], after_g) - cost_of(now->n_rows[h], after_h);
        gain = gain_with_penalties(pool, &(exchange){ g, h, mine.member, theirs[j].member, count, after_g, after_h }, gain, best->gain);
        if (gain > best->gain) *best = (step){ h, j, count, gain };
    }
}

/* Groups g and h, and the cost, as they are. */
static void remember_pair(shoal_pool *pool, uint32_t g, uint32_t h)
{
    const shoal_solution *now = &pool->now;
    const uint32_t pair[2] = { g, h };
    for (size_t p = 0; p < 2; p++)
        memcpy(pool->climb.pair + p * pool->room, shoal_pool_shares(pool, now, pair[p]), now->n_shares[pair[p]] * sizeof(shoal_share));
}

/* As they were: refreshing goes through the shares in the same order and finds the same cost. */
static void restore_pair(shoal_pool *pool, uint32_t g, uint32_t h, uint32_t n_g, uint32_t n_h)
{
    shoal_solution *now = &pool->now;
    now->n_shares[g] = n_g;
    now->n_shares[h] = n_h;
    memcpy(shoal_pool_shares(pool, now, g), pool->climb.pair, n_g * sizeof(shoal_share));
    memcpy(shoal_pool_shares(pool, now, h), pool->climb.pair + pool->room, n_h * sizeof(shoal_share));
    refresh(pool, g);
    refresh(pool, h);
}

/* Take the best step for one share, if one gains: true if the cost is lower then. */
static bool improve_share(shoal_pool *pool, uint32_t g, uint32_t i)
{
    shoal_solution *now = &pool->now;
    step best = { .gain = 0 };
    for (uint32_t h = 0; h < now->n_groups; h++) {
        if (h == g || now->n_rows[h] == 0) continue;
        try_move(pool, g, i, h, &best);
        try_swaps(pool, g, i, h, &best);
    }
    if (best.gain == 0) return false;
    uint64_t before = now->cost;
    uint32_t n_g = now->n_shares[g], n_h = now->n_shares[best.h];
    if (pool->has_penalty) remember_pair(pool, g, best.h); /* without penalties gains are exact */
    uint32_t mine = shoal_pool_shares(pool, now, g)[i].member;
    uint32_t theirs = best.j == NOBODY ? NOBODY : shoal_pool_shares(pool, now, best.h)[best.j].member;
    take_rows(pool, g, i, best.count);
    if (theirs != NOBODY) take_rows(pool, best.h, best.j, best.count);
    give_rows(pool, best.h, mine, best.count);
    if (theirs != NOBODY) give_rows(pool, g, theirs, best.count);
    refresh(pool, g);
    refresh(pool, best.h);
    if (now->cost < before) return true;
    assert(pool->has_penalty);
    restore_pair(pool, g, best.h, n_g, n_h);
    assert(now->cost == before);
    return false;
}

/* The cheapest group other than g for `count` rows of a member; its rise in cost. */
static uint32_t cheapest_home(const shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count, int64_t *rise)
{
    const shoal_solution *now = &pool->now;
    uint32_t best = NOBODY;
    for (uint32_t h = 0; h < now->n_groups; h++) {
        if (h == g || now->n_rows[h] == 0) continue;
        uint64_t rows = (uint64_t)now->n_rows[h] + count;
        int64_t cost = cost_of(now->n_rows[h], now->losses[h]);
        shoal_loss limit = best == NOBODY ? SHOAL_LOSS_MAX : loss_limit(*rise + cost, rows);
        shoal_loss with = loss_after(pool, h, NOBODY, shoal_pool_tuple(pool, member), limit);
        int64_t more = cost_of(rows, with) - cost;
        if (best != NOBODY && more >= *rise) continue;
        best = h;
        *rise = more;
    }
    return best;
}

/* What dissolving group g would save if each share found the others as they are now. */
static int64_t guess_saving(const shoal_pool *pool, uint32_t g)
{
    const shoal_solution *now = &pool->now;
    const shoal_share *shares = shoal_pool_shares(pool, now, g);
    int64_t saving = cost_of(now->n_rows[g], now->losses[g]) + (int64_t)now->penalties[g], rise = 0;
    for (uint32_t i = 0; i < now->n_shares[g] && saving > 0; i++) {
        if (cheapest_home(pool, g, shares[i].member, shares[i].count, &rise) == NOBODY) return 0;
        saving -= rise;
    }
    return saving;
}

/* The groups of `before` once more. */
static void undo(shoal_pool *pool)
{
    shoal_pool_copy(pool, &pool->now, &pool->before);
    for (uint32_t g = 0; g < pool->now.n_groups; g++) refresh(pool, g);
}

/*
 * Would the others take the rows of group g for less than it costs? Then let them. Shares that join the same group may
 * cost more together than the guess says: a strict climb undoes it then.
 */
static bool dissolve(shoal_pool *pool, uint32_t g, bool is_strict)
{
    shoal_solution *now = &pool->now;
    if (guess_saving(pool, g) <= 0) return false;
    if (is_strict) shoal_pool_copy(pool, &pool->before, now);
    const shoal_share *shares = shoal_pool_shares(pool, now, g);
    while (now->n_shares[g] > 0) {
        shoal_share share = shares[now->n_shares[g] - 1];
        int64_t rise = 0;
        uint32_t h = cheapest_home(pool, g, share.member, share.count, &rise);
        take_rows(pool, g, now->n_shares[g] - 1, share.count);
        give_rows(pool, h, share.member, share.count);
        refresh(pool, h);
    }
    refresh(pool, g);
    if (!is_strict || now->cost < pool->before.cost) return true;
    undo(pool);
    return false;
}

static void drop_empty_groups(shoal_pool *pool)
{
    shoal_solution *now = &pool->now;
    uint32_t n = 0;
    for (uint32_t g = 0; g < now->n_groups; g++) {
        if (now->n_rows[g] == 0) continue;
        if (n < g) {
            memcpy(shoal_pool_shares(pool, now, n), shoal_pool_shares(pool, now, g), now->n_shares[g] * sizeof(shoal_share));
            now->n_shares[n] = now->n_shares[g];
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

/* Callbacks may be slow: the first thread asks after so many tuples, some hundredths of a second. */
static bool is_stopped(shoal_pool *pool)
{
    enum { TUPLES_TO_ASK = 1 << 20 };
    shoal_stop *stop = pool->stop;
    if (stop == NULL || stop->problem->progress == NULL) return false;
    if (atomic_load(&stop->is_asked)) return true;
    if (pool->work < TUPLES_TO_ASK || omp_get_thread_num() != 0) return false;
    pool->work = 0;
    if (stop->problem->progress("refine", stop->fraction, stop->problem->progress_payload) == 0) return false;
    atomic_store(&stop->is_asked, true);
    return true;
}

static bool is_late(shoal_pool *pool)
{
    return is_stopped(pool) || (pool->deadline < INFINITY && shoal_seconds() >= pool->deadline);
}

/* Improve the shares of a group; a group may have thousands, so some of them look at the clock. */
static bool improve_group(shoal_pool *pool, uint32_t g)
{
    bool is_better = false;
    for (uint32_t i = 0; i < pool->now.n_shares[g] && (i % 16 != 15 || !is_late(pool)); i++) {
        is_better |= improve_share(pool, g, i);
        pool->work += pool->n;
    }
    return is_better;
}

static void climb(shoal_pool *pool, bool is_strict)
{
    shoal_solution *now = &pool->now;
    for (bool is_better = true; is_better;) {
        uint64_t cost = now->cost;
        uint32_t n_groups = count_groups(now);
        is_better = false;
        for (uint32_t g = 0; g < now->n_groups; g++) {
            if (now->n_rows[g] == 0) continue;
            if (is_late(pool)) return;
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

void shoal_pool_climb(shoal_pool *pool)
{
    shoal_solution *now = &pool->now;
    shoal_pool_forget(pool);
    for (uint32_t g = 0; g < now->n_groups; g++) refresh(pool, g);
    shoal_pool_copy(pool, &pool->before, now);
    climb(pool, false);
    if (now->cost > pool->before.cost) {
        undo(pool);
        climb(pool, true);
    }
    drop_empty_groups(pool);
    assert(now->cost <= pool->before.cost);
    SHOAL_INVARIANT(shoal_pool_is_sound(pool, now));
}

bool shoal_pool_improve_first(shoal_pool *pool)
{
    bool has_improved = false;
    shoal_pool_forget(pool);
    for (uint32_t g = 0; g < pool->now.n_groups; g++) refresh(pool, g);
    for (bool is_better = true; is_better && !is_late(pool); has_improved |= is_better) is_better = improve_group(pool, 0);
    return has_improved;
}
