/* SPDX-License-Identifier: Apache-2.0 */
/* local_search.c - improve the groups of a pool step by step until no step lowers the cost; see
 * pool.h.
 *
 * Steps: *move* some rows of a slice to another group (the group left keeps at least k rows),
 * *swap* rows of two slices, *dissolve* a group into the others (an ejection of all its rows). The
 * best move or swap of a slice is taken if it lowers the cost. Dissolving is judged by an estimate
 * and may raise the cost temporarily, which leaves local optima more often than it does harm; the
 * number of groups decreases each time, so it ends. If the final cost is higher than the initial
 * one, the search starts again and undoes steps that do not lower it (a *strict* search).
 *
 * Why it ends: a step is kept only if it lowers (groups with rows, cost), compared in this order,
 * or in a strict search and for moves and swaps the cost alone. Both are whole numbers, computed
 * from the groups after the step. The estimate that a step was chosen by may differ from that by
 * rounding, since sums over sensitive values depend on their order; a step that does not lower the
 * cost is then undone. shoal_pool_search() asserts it. A deadline ends a search too, with what is
 * there.
 *
 * What is known of each group (shoal_pool_refresh()): its loss with each member added, and without
 * each of its slices. So a move is judged by two look-ups. Losses are *submodular*: what one more
 * row adds to a group's loss is never more in a larger group. So a group without slice i and with
 * member p loses at least what it loses with both, less what it would save without i, and most
 * swaps are ruled out by look-ups too. (This does not hold for a column of which the group covers
 * nothing without i: where that can be, the saving counts as unbounded.)
 *
 * An example, one column of width 100, k = 2: group g = {20, 24, 50}, group h = {48, 53}. Costs are
 * rows * loss, 3 * 0.30 and 2 * 0.05: together 1.00. To move 50: g loses 0.04 without it, h loses
 * 0.05 with it; 2 * 0.04 + 3 * 0.05 = 0.23, so the step gains 0.77. To swap 50 for 48 instead: g
 * with 48 loses 0.30, and saves at most 0.26 without 50, so it would lose 0.04 at least: the swap
 * is not ruled out by that bound; computed, g = {20, 24, 48} loses 0.28 and the swap gains 1.00 - 3
 * * 0.28 - 2 * 0.03 = 0.10, less than the move.
 *
 * Two groups that have not changed since their steps were tried are not compared again. Cost:
 * O(n^2) look-ups for a pass over all pairs of slices, O(n q) for each group that changes.
 */
#include "base/invariant.h"
#include "method/shoal/pool.h"

#include <omp.h>
#include <string.h>

static size_t slot(const shoal_pool *pool, uint32_t g, uint32_t i)
{
    return (size_t)g * pool->room + i;
}

static int64_t cost_of(uint64_t rows, shoal_loss loss)
{
    return (int64_t)(rows * loss);
}

/* ---- what is known of a group ---- */

/* The rows of each value of a SET column in group g. */
static uint32_t *tally_of(const shoal_pool *pool, uint32_t g, uint32_t a)
{
    return pool->search.tally + (size_t)g * pool->search.n_values + pool->search.value_at[a];
}

/* Loss of a SET column of group g without a slice (NULL: with all) and with a code added
 * (SHOAL_NO_CODE: none). */
static shoal_loss set_loss(const shoal_pool *pool, uint32_t g, uint32_t a,
                           const shoal_pool_slice *without, uint32_t added)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    const uint32_t *tally = tally_of(pool, g, a);
    uint32_t n = pool->search.n_distinct[(size_t)g * pool->m + a],
             tops = pool->search.n_tops[(size_t)g * pool->m + a];
    uint32_t lost = without == NULL ? SHOAL_NO_CODE : shoal_pool_tuple(pool, without->member)[a];
    bool is_value = lost != SHOAL_NO_CODE && lost < line->n_plain,
         vanishes = is_value && tally[lost] == without->count;
    if (vanishes) n--;
    if (lost != SHOAL_NO_CODE && lost != line->wild_code && lost >= line->top_from)
        tops -= without->count;
    if (added != SHOAL_NO_CODE && added != line->wild_code) {
        if (added >= line->top_from) return line->one;
        if (tally[added] == 0 || (vanishes && added == lost)) n++;
    }
    return tops > 0 ? line->one : line->set_loss[n];
}

/* The same where every code is a value of the set: no wildcard, and nothing that only `*` covers.
 */
static inline shoal_loss plain_set_loss(const shoal_pool *pool, uint32_t g, uint32_t a,
                                        const shoal_pool_slice *without, uint32_t added)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    const uint32_t *tally = tally_of(pool, g, a);
    uint32_t n = pool->search.n_distinct[(size_t)g * pool->m + a];
    if (without != NULL) {
        uint32_t lost = shoal_pool_tuple(pool, without->member)[a];
        if (added == lost) return line->set_loss[n];
        n -= tally[lost] == without->count;
    }
    return line->set_loss[n + (added != SHOAL_NO_CODE && tally[added] == 0)];
}

/* Loss of column a of group g, which covers `range` without the slice `without`, with a code added
 * (SHOAL_NO_CODE: none). */
static inline shoal_loss column_after(const shoal_pool *pool, uint32_t g, uint32_t a,
                                      shoal_range range, const shoal_pool_slice *without,
                                      uint32_t code)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    if (line->is_set)
        return line->n_plain == line->n_codes ? plain_set_loss(pool, g, a, without, code)
                                              : set_loss(pool, g, a, without, code);
    if (code != SHOAL_NO_CODE && code != line->wild_code) {
        if (code < range.lo) range.lo = code;
        if (code > range.hi) range.hi = code;
    }
    return range.lo <= range.hi ? shoal_line_range(line, range.lo, range.hi) : 0;
}

/* Loss of group g without its slice i (SHOAL_NONE: with all) and with a tuple added (NULL: none).
 */
static shoal_loss loss_after(const shoal_pool *pool, uint32_t g, uint32_t i, const uint32_t *tuple)
{
    uint32_t at = i == SHOAL_NONE ? pool->now.n_slices[g] : i;
    const shoal_range *ranges = pool->search.without + slot(pool, g, at) * pool->m;
    const shoal_pool_slice *without = i == SHOAL_NONE ? NULL
                                                      : &shoal_pool_slices(pool, &pool->now, g)[i];
    shoal_loss sum = 0;
    for (uint32_t a = 0; a < pool->m; a++)
        sum += column_after(pool, g, a, ranges[a], without,
                            tuple == NULL ? SHOAL_NO_CODE : tuple[a]);
    return sum;
}

/* Not inlined: after a write to `with` the compiler would read the pool's fields again. */
static __attribute__((noinline)) shoal_loss find_loss_with(shoal_pool *pool, uint32_t g,
                                                           uint32_t member)
{
    shoal_loss with = loss_after(pool, g, SHOAL_NONE, shoal_pool_tuple(pool, member));
    pool->search.with[slot(pool, g, member)] = with;
    return with;
}

static inline shoal_loss loss_with(shoal_pool *pool, uint32_t g, uint32_t member)
{
    shoal_loss with = pool->search.with[slot(pool, g, member)];
    return with != SHOAL_LOSS_MAX ? with : find_loss_with(pool, g, member);
}

shoal_loss shoal_pool_with(shoal_pool *pool, uint32_t g, uint32_t member)
{
    assert(g < pool->now.n_groups && member < pool->n);
    return loss_with(pool, g, member);
}

shoal_loss shoal_pool_exchange(shoal_pool *pool, uint32_t g, uint32_t i, uint32_t member)
{
    return i == SHOAL_NONE ? loss_with(pool, g, member)
                           : loss_after(pool, g, i, shoal_pool_tuple(pool, member));
}

static inline int64_t saving_of(const shoal_pool *pool, uint32_t g, uint32_t i)
{
    if (pool->metric->has_wild || pool->now.n_slices[g] == 1) return pool->search.unbounded;
    shoal_loss without = pool->search.loss_without[slot(pool, g, i)];
    return (int64_t)pool->now.losses[g] - without + pool->search.slack;
}

int64_t shoal_pool_saving(const shoal_pool *pool, uint32_t g, uint32_t i)
{
    assert(g < pool->now.n_groups && i < pool->now.n_slices[g]);
    return saving_of(pool, g, i);
}

static shoal_range join(shoal_range x, shoal_range y)
{
    return (shoal_range){ x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi };
}

/*
 * What group g covers without each of its slices, by ranges from the left and from the right; at
 * n_slices: with all. Sets have no ranges. Of {20, 24, 50}: from the left nothing, 20..20, 20..24;
 * from the right 24..50, 50..50, nothing; joined 24..50, 20..50, 20..24.
 */
static void exclude_each(shoal_pool *pool, uint32_t g)
{
    const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    uint32_t n = pool->now.n_slices[g], m = pool->m;
    shoal_range *without = pool->search.without + slot(pool, g, 0) * m;
    for (uint32_t a = 0; a < m; a++) {
        uint32_t wild = pool->metric->lines[a].wild_code;
        shoal_range sofar = SHOAL_EMPTY_RANGE;
        if (pool->metric->lines[a].is_set) continue;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t code = shoal_pool_tuple(pool, slices[i].member)[a];
            without[(size_t)i * m + a] = sofar;
            if (code != wild) sofar = join(sofar, (shoal_range){ code, code });
        }
        without[(size_t)n * m + a] = sofar;
        sofar = SHOAL_EMPTY_RANGE;
        for (uint32_t i = n; i-- > 0;) {
            uint32_t code = shoal_pool_tuple(pool, slices[i].member)[a];
            without[(size_t)i * m + a] = join(without[(size_t)i * m + a], sofar);
            if (code != wild) sofar = join(sofar, (shoal_range){ code, code });
        }
    }
}

/* Count the rows of each value of the SET columns in group g. */
static void tally_sets(shoal_pool *pool, uint32_t g)
{
    const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    memset(pool->search.tally + (size_t)g * pool->search.n_values, 0,
           pool->search.n_values * sizeof *pool->search.tally);
    for (uint32_t a = 0; a < pool->m; a++) {
        const shoal_measure_line *line = &pool->metric->lines[a];
        const uint32_t *codes = pool->codes + (size_t)a * pool->room;
        uint32_t *tally = tally_of(pool, g, a), distinct = 0, tops = 0;
        if (!line->is_set) continue;
        for (uint32_t i = 0, n = pool->now.n_slices[g]; i < n; i++) {
            uint32_t code = codes[slices[i].member];
            if (code == line->wild_code) continue;
            if (code >= line->top_from) {
                tops += slices[i].count;
                continue;
            }
            distinct += tally[code] == 0;
            tally[code] += slices[i].count;
        }
        pool->search.n_distinct[(size_t)g * pool->m + a] = distinct;
        pool->search.n_tops[(size_t)g * pool->m + a] = tops;
    }
}

/* What a SET of group g loses with one more of each value. */
static const shoal_loss *tabulate_set(shoal_pool *pool, uint32_t g, uint32_t a)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    const uint32_t *tally = tally_of(pool, g, a);
    const shoal_loss *losses = line->set_loss + pool->search.n_distinct[(size_t)g * pool->m + a];
    shoal_loss *table = pool->search.loss_with + pool->search.value_at[a];
    for (uint32_t code = 0, n = line->n_plain; code < n; code++)
        table[code] = tally[code] == 0 ? losses[1] : losses[0];
    return table;
}

/* What column a of group g loses with each member added, on top of what `with` has: by a table of
 * its values where these are few. */
static void add_column_with(shoal_pool *pool, uint32_t g, uint32_t a, shoal_loss *with)
{
    enum { FEW = 256 };
    shoal_loss room[FEW];
    const shoal_loss *table = NULL;
    const shoal_measure_line *line = &pool->metric->lines[a];
    const uint32_t *codes = pool->codes + (size_t)a * pool->room;
    shoal_range range = pool->search.without[slot(pool, g, pool->now.n_slices[g]) * pool->m + a];
    bool is_plain = line->n_plain == line->n_codes,
         is_ordered = !line->is_set && range.lo <= range.hi;
    if (line->is_set && is_plain) {
        table = tabulate_set(pool, g, a);
    } else if (is_ordered && is_plain && line->n_plain <= FEW && line->n_plain <= 2 * pool->n) {
        shoal_line_tabulate(line, range, room);
        table = room;
    }
    if (table != NULL) {
        for (uint32_t p = 0, n = pool->n; p < n; p++) with[p] += table[codes[p]];
    } else if (line->is_interval && is_plain && is_ordered) {
        for (uint32_t p = 0; p < pool->n; p++)
            with[p] += line->position[codes[p] > range.hi ? codes[p] : range.hi] -
                       line->position[codes[p] < range.lo ? codes[p] : range.lo];
    } else {
        for (uint32_t p = 0; p < pool->n; p++)
            with[p] += column_after(pool, g, a, range, NULL, codes[p]);
    }
}

/* What column a of group g loses without each of its slices, on top of what `left` has. */
static void add_column_without(const shoal_pool *pool, uint32_t g, uint32_t a, shoal_loss *left)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    uint32_t n = pool->now.n_slices[g];
    /* a value goes with the slice that has all its rows */
    if (line->is_set && line->n_plain == line->n_codes) {
        const uint32_t *codes = pool->codes + (size_t)a * pool->room, *tally = tally_of(pool, g, a);
        const shoal_loss *losses = line->set_loss +
                                   pool->search.n_distinct[(size_t)g * pool->m + a];
        for (uint32_t i = 0; i < n; i++)
            left[i] += tally[codes[slices[i].member]] == slices[i].count ? losses[-1] : losses[0];
        return;
    }
    const shoal_range *without = pool->search.without + slot(pool, g, 0) * pool->m + a;
    for (uint32_t i = 0; i < n; i++)
        left[i] += column_after(pool, g, a, without[(size_t)i * pool->m], &slices[i],
                                SHOAL_NO_CODE);
}

void shoal_pool_refresh(shoal_pool *pool, uint32_t g)
{
    shoal_solution *now = &pool->now;
    const shoal_pool_slice *slices = shoal_pool_slices(pool, now, g);
    const uint32_t n = now->n_slices[g];
    assert(g < now->n_groups && n < pool->room); /* one place more is for the whole group */
    pool->search.changed_at[g] = ++pool->search.clock;
    if (pool->metric->has_sets) tally_sets(pool, g);
    exclude_each(pool, g);

    now->cost -= (uint64_t)now->losses[g] * now->n_rows[g] + now->penalties[g];
    now->n_rows[g] = 0;
    for (uint32_t i = 0; i < n; i++) now->n_rows[g] += slices[i].count;
    now->losses[g] = now->n_rows[g] == 0 ? 0 : loss_after(pool, g, SHOAL_NONE, NULL);
    now->penalties[g] = shoal_pool_penalty(pool, g);
    if (pool->penalty.mine_is == g) pool->penalty.mine_is = SHOAL_NO_GROUP;
    now->cost += (uint64_t)now->losses[g] * now->n_rows[g] + now->penalties[g];

    /* with each member: at once, column by column, or on demand (0xff: not known) */
    shoal_loss *with = pool->search.with + slot(pool, g, 0);
    bool is_on_demand = pool->search.is_lazy || n == 0;
    memset(with, is_on_demand ? 0xff : 0, pool->n * sizeof *with);
    for (uint32_t a = 0; !is_on_demand && a < pool->m; a++) add_column_with(pool, g, a, with);

    /* without each slice, and the most that is saved so */
    shoal_loss *left = pool->search.loss_without + slot(pool, g, 0);
    memset(left, 0, n * sizeof *left);
    for (uint32_t a = 0; a < pool->m; a++) add_column_without(pool, g, a, left);
    int64_t most = 0;
    for (uint32_t i = 0; i < n; i++) {
        int64_t saving = saving_of(pool, g, i);
        if (saving > most) most = saving;
    }
    pool->search.most_saving[g] = most;
}

/* ---- steps ---- */

/* Rows of slice i leave group g (the last slice takes its place when it is empty). */
static void take_rows(shoal_pool *pool, uint32_t g, uint32_t i, uint32_t count)
{
    shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    assert(count > 0 && count <= slices[i].count);
    slices[i].count -= count;
    if (slices[i].count == 0) slices[i] = slices[--pool->now.n_slices[g]];
}

void shoal_pool_give(shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count)
{
    shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    uint32_t i = 0;
    assert(count > 0 && member < pool->n);
    while (i < pool->now.n_slices[g] && slices[i].member != member) i++;
    if (i == pool->now.n_slices[g])
        slices[pool->now.n_slices[g]++] = (shoal_pool_slice){ member, 0 };
    slices[i].count += count;
}

/* A step: `count` rows of slice i of group g go to group h; as many of slice j of h come back
 * (SHOAL_NONE: none do). */
typedef struct step {
    uint32_t h, j, count;
    int64_t gain;
} step;

/* A step as penalties see it: `count` rows of member `goes` leave g for h, as many of `comes`
 * (SHOAL_NONE: none) come back. */
typedef struct exchange {
    uint32_t g, h, goes, comes, count;
    shoal_loss after_g, after_h; /* what the groups lose then */
} exchange;

/* Rows of a member go from one group to another, as far as evidence shows. */
static void shift(const shoal_pool *pool, shoal_evidence *from, shoal_evidence *to, uint32_t member,
                  uint32_t count)
{
    if (member == SHOAL_NONE) return;
    shoal_penalty_remove(&pool->penalty, from, pool->class_index[member], count);
    shoal_penalty_add(&pool->penalty, to, pool->class_index[member], count);
}

/*
 * The gain of a step whose losses fall by `gain`, with the penalties of both groups before and
 * after it. Not computed if it cannot exceed `enough`.
 */
static int64_t gain_with_penalties(shoal_pool *pool, const exchange *x, int64_t gain,
                                   int64_t enough)
{
    shoal_penalty *penalty = &pool->penalty;
    if (!pool->has_penalty) return gain;
    gain += (int64_t)(pool->now.penalties[x->g] + pool->now.penalties[x->h]);
    if (gain <= enough) return enough;
    if (pool->persons.is_on) {
        shoal_pool_slice goes = { x->goes, x->count },
                         comes = { x->comes, x->comes == SHOAL_NONE ? 0 : x->count };
        uint32_t least = pool->persons.least,
                 mine = shoal_pool_persons_after(pool, x->g, goes, comes),
                 theirs = shoal_pool_persons_after(pool, x->h, comes, goes);
        return gain - (int64_t)(shoal_penalty_of_persons(penalty, least, mine) +
                                shoal_penalty_of_persons(penalty, least, theirs));
    }
    /* load the evidence of both groups, change it by the step, and change it back */
    if (penalty->mine_is != x->g) shoal_pool_show(pool, &penalty->mine, x->g);
    if (penalty->theirs_is != x->h) shoal_pool_show(pool, &penalty->theirs, x->h);
    penalty->mine_is = x->g;
    penalty->theirs_is = x->h;
    shift(pool, &penalty->mine, &penalty->theirs, x->goes, x->count);
    shift(pool, &penalty->theirs, &penalty->mine, x->comes, x->count);
    gain -= (int64_t)shoal_penalty_charge(penalty, &penalty->mine, x->after_g);
    if (gain > enough) gain -= (int64_t)shoal_penalty_charge(penalty, &penalty->theirs, x->after_h);
    shift(pool, &penalty->mine, &penalty->theirs, x->comes, x->count);
    shift(pool, &penalty->theirs, &penalty->mine, x->goes, x->count);
    return gain;
}

/* Moves of slice i of group g, whole or in part, to group h. */
static inline __attribute__((always_inline)) void try_move(shoal_pool *pool, uint32_t g, uint32_t i,
                                                           uint32_t h, step *best)
{
    const shoal_solution *now = &pool->now;
    shoal_pool_slice slice = shoal_pool_slices(pool, now, g)[i];
    uint32_t spare = now->n_rows[g] - pool->k, count = slice.count <= spare ? slice.count : spare;
    if (now->n_rows[g] <= pool->k) return;
    shoal_loss left = count == slice.count ? pool->search.loss_without[slot(pool, g, i)]
                                           : now->losses[g];
    int64_t most = cost_of(now->n_rows[g], now->losses[g]) +
                   cost_of(now->n_rows[h], now->losses[h]) -
                   cost_of(now->n_rows[g] - count, left); /* what group h may cost then */
    int64_t allowed = most + (int64_t)(now->penalties[g] + now->penalties[h]) - best->gain;
    shoal_loss with = loss_with(pool, h, slice.member);
    if (cost_of((uint64_t)now->n_rows[h] + count, with) > (allowed > 0 ? allowed : 0)) return;
    int64_t gain = most - cost_of((uint64_t)now->n_rows[h] + count, with);
    gain = gain_with_penalties(
        pool, &(exchange){ g, h, slice.member, SHOAL_NONE, count, left, with }, gain, best->gain);
    if (gain > best->gain) *best = (step){ h, SHOAL_NONE, count, gain };
}

/* Swaps of rows of slice i of group g with rows of the slices of group h; most of them end at one
 * of the bounds. */
static inline __attribute__((always_inline)) void try_swaps(shoal_pool *pool, uint32_t g,
                                                            uint32_t i, uint32_t h, step *best)
{
    const shoal_solution *now = &pool->now;
    shoal_pool_slice mine = shoal_pool_slices(pool, now, g)[i];
    const shoal_pool_slice *theirs = shoal_pool_slices(pool, now, h);
    int64_t n_g = now->n_rows[g], n_h = now->n_rows[h];
    int64_t before = n_g * now->losses[g] + n_h * now->losses[h];
    int64_t penalties = (int64_t)(now->penalties[g] + now->penalties[h]);
    int64_t my_saving = saving_of(pool, g, i),
            h_with_mine = n_h * (int64_t)loss_with(pool, h, mine.member);
    int64_t most = before + penalties - best->gain; /* what the two may cost then */
    bool i_shrink = pool->search.loss_without[slot(pool, g, i)] < now->losses[g];
    if (h_with_mine - n_h * pool->search.most_saving[h] + n_g * (now->losses[g] - my_saving) >=
        most)
        return;
    for (uint32_t j = 0; j < now->n_slices[h]; j++) {
        uint32_t count = mine.count < theirs[j].count ? mine.count : theirs[j].count;
        bool mine_goes = count == mine.count, theirs_goes = count == theirs[j].count;
        bool h_shrinks = theirs_goes &&
                         pool->search.loss_without[slot(pool, h, j)] < now->losses[h];
        if ((!(mine_goes && i_shrink) && !h_shrinks && penalties == 0) ||
            theirs[j].member == mine.member)
            continue;
        int64_t g_saves = mine_goes ? my_saving : 0,
                h_saves = theirs_goes ? saving_of(pool, h, j) : 0;
        if (h_with_mine - n_h * h_saves + n_g * (now->losses[g] - g_saves) >= most) continue;
        int64_t g_with = loss_with(pool, g, theirs[j].member);
        if (h_with_mine - n_h * h_saves + n_g * (g_with - g_saves) >= most) continue;
        shoal_loss after_g = mine_goes
                                 ? loss_after(pool, g, i, shoal_pool_tuple(pool, theirs[j].member))
                                 : (shoal_loss)g_with;
        if (h_with_mine - n_h * h_saves + n_g * after_g >= most) continue;
        shoal_loss after_h = shoal_pool_exchange(pool, h, theirs_goes ? j : SHOAL_NONE,
                                                 mine.member);
        int64_t gain = before - n_g * after_g - n_h * after_h;
        gain = gain_with_penalties(
            pool, &(exchange){ g, h, mine.member, theirs[j].member, count, after_g, after_h }, gain,
            best->gain);
        if (gain <= best->gain) continue;
        *best = (step){ h, j, count, gain };
        most = before + penalties - gain;
    }
}

/* Have all steps between the slices of g and group h been tried, without gain, since either of them
 * changed? */
static inline bool is_tried(const shoal_pool_search_state *search, uint32_t g, uint32_t h)
{
    return search->searched_at[g] >= search->changed_at[g] &&
           search->searched_at[g] >= search->changed_at[h];
}

/* Take the best step for one slice, if one gains: true if the cost is lower then. */
static __attribute__((noinline)) bool improve_slice(shoal_pool *pool, uint32_t g, uint32_t i)
{
    shoal_solution *now = &pool->now;
    step best = { .gain = 0 };
    for (uint32_t h = 0; h < now->n_groups; h++) {
        if (h == g || now->n_rows[h] == 0 || is_tried(&pool->search, g, h)) continue;
        try_move(pool, g, i, h, &best);
        /* else they were tried from h */
        if (!is_tried(&pool->search, h, g)) try_swaps(pool, g, i, h, &best);
    }
    if (best.gain == 0) return false;

    const uint32_t h = best.h, n_g = now->n_slices[g], n_h = now->n_slices[h];
    shoal_pool_slice *slices_g = shoal_pool_slices(pool, now, g),
                     *slices_h = shoal_pool_slices(pool, now, h), *undo_g = pool->search.undo,
                     *undo_h = pool->search.undo + pool->room;
    uint64_t before = now->cost;
    if (pool->has_penalty) { /* without penalties gains are exact */
        memcpy(undo_g, slices_g, n_g * sizeof *undo_g);
        memcpy(undo_h, slices_h, n_h * sizeof *undo_h);
    }
    uint32_t mine = slices_g[i].member;
    uint32_t theirs = best.j == SHOAL_NONE ? SHOAL_NONE : slices_h[best.j].member;
    take_rows(pool, g, i, best.count);
    if (theirs != SHOAL_NONE) take_rows(pool, h, best.j, best.count);
    shoal_pool_give(pool, h, mine, best.count);
    if (theirs != SHOAL_NONE) shoal_pool_give(pool, g, theirs, best.count);
    shoal_pool_refresh(pool, g);
    shoal_pool_refresh(pool, h);
    if (now->cost < before) return true;

    /* refreshing goes through the slices in the same order as before and finds the same cost */
    assert(pool->has_penalty);
    now->n_slices[g] = n_g;
    now->n_slices[h] = n_h;
    memcpy(slices_g, undo_g, n_g * sizeof *undo_g);
    memcpy(slices_h, undo_h, n_h * sizeof *undo_h);
    shoal_pool_refresh(pool, g);
    shoal_pool_refresh(pool, h);
    assert(now->cost == before);
    return false;
}

int64_t shoal_pool_rise(shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count)
{
    const shoal_solution *now = &pool->now;
    return cost_of((uint64_t)now->n_rows[g] + count, loss_with(pool, g, member)) -
           cost_of(now->n_rows[g], now->losses[g]);
}

/* The cheapest group other than g for `count` rows of a member; its rise in cost. */
static uint32_t cheapest_group(shoal_pool *pool, uint32_t g, uint32_t member, uint32_t count,
                               int64_t *rise)
{
    const shoal_solution *now = &pool->now;
    uint32_t best = SHOAL_NONE;
    for (uint32_t h = 0; h < now->n_groups; h++) {
        if (h == g || now->n_rows[h] == 0) continue;
        int64_t more = shoal_pool_rise(pool, h, member, count);
        if (best != SHOAL_NONE && more >= *rise) continue;
        best = h;
        *rise = more;
    }
    return best;
}

/* The groups of `before` once more. */
static void undo_all(shoal_pool *pool)
{
    shoal_pool_copy(pool, &pool->now, &pool->before);
    for (uint32_t g = 0; g < pool->now.n_groups; g++) shoal_pool_refresh(pool, g);
}

/*
 * Would the others take the rows of group g for less than it costs, each slice finding them as they
 * are now? Then let them. Slices that join the same group may cost more together than this
 * estimate: a strict search undoes it then.
 */
static bool dissolve(shoal_pool *pool, uint32_t g, bool is_strict)
{
    shoal_solution *now = &pool->now;
    const shoal_pool_slice *slices = shoal_pool_slices(pool, now, g);
    int64_t saving = cost_of(now->n_rows[g], now->losses[g]) + (int64_t)now->penalties[g], rise = 0;
    for (uint32_t i = 0; i < now->n_slices[g] && saving > 0; i++) {
        uint32_t h = cheapest_group(pool, g, slices[i].member, slices[i].count, &rise);
        if (h == SHOAL_NONE) return false;
        saving -= rise;
    }
    if (saving <= 0) return false;

    if (is_strict) shoal_pool_copy(pool, &pool->before, now);
    while (now->n_slices[g] > 0) {
        shoal_pool_slice slice = slices[now->n_slices[g] - 1];
        uint32_t h = cheapest_group(pool, g, slice.member, slice.count, &rise);
        take_rows(pool, g, now->n_slices[g] - 1, slice.count);
        shoal_pool_give(pool, h, slice.member, slice.count);
        shoal_pool_refresh(pool, h);
    }
    shoal_pool_refresh(pool, g);
    if (!is_strict || now->cost < pool->before.cost) return true;
    undo_all(pool);
    return false;
}

/* ---- the search ---- */

/* Is the deadline over, or does the caller stop? Callbacks may be slow: the first thread calls them
 * after so many tuples, some hundredths of a second. */
static bool is_late(shoal_pool *pool)
{
    enum { TUPLES_PER_QUESTION = 1 << 20 };
    shoal_stop *stop = pool->stop;
    if (stop != NULL && stop->problem->callbacks != NULL) {
        if (atomic_load(&stop->is_asked)) return true;
        if (pool->work >= TUPLES_PER_QUESTION && omp_get_thread_num() == 0) {
            pool->work = 0;
            if (shoal_progress_stops(stop->problem->callbacks, "refine", stop->fraction)) {
                atomic_store(&stop->is_asked, true);
                return true;
            }
        }
    }
    return pool->deadline < INFINITY && shoal_seconds() >= pool->deadline;
}

/* The best step for each slice of the group; true if one was taken. A group may have thousands, so
 * some steps check the clock. */
static bool improve_group(shoal_pool *pool, uint32_t g)
{
    bool is_better = false;
    uint32_t i = 0;
    for (; i < pool->now.n_slices[g] && (i % 16 != 15 || !is_late(pool)); i++) {
        is_better |= improve_slice(pool, g, i);
        pool->work += pool->n;
    }
    if (!is_better && i == pool->now.n_slices[g]) pool->search.searched_at[g] = pool->search.clock;
    return is_better;
}

static uint32_t count_groups(const shoal_solution *s)
{
    uint32_t n = 0;
    for (uint32_t g = 0; g < s->n_groups; g++) n += s->n_rows[g] > 0;
    return n;
}

void shoal_pool_search(shoal_pool *pool, bool is_strict)
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
            if (pool->search.searched_at[g] == pool->search.clock) continue;
            is_better |= dissolve(pool, g, is_strict) || improve_group(pool, g);
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
        pool->search.searched_at[g] = 0;
        shoal_pool_refresh(pool, g);
    }
}

void shoal_pool_local_search(shoal_pool *pool)
{
    shoal_solution *now = &pool->now;
    begin_search(pool, false);
    shoal_pool_copy(pool, &pool->before, now);
    shoal_pool_search(pool, false);
    if (now->cost > pool->before.cost) {
        undo_all(pool);
        shoal_pool_search(pool, true);
    }
    shoal_pool_drop_empty(pool);
    assert(now->cost <= pool->before.cost);
    SHOAL_INVARIANT(shoal_pool_is_sound(pool, now));
}

void shoal_pool_mark_searched(shoal_pool *pool)
{
    for (uint32_t g = 0; g < pool->now.n_groups; g++)
        pool->search.searched_at[g] = pool->search.clock;
}

bool shoal_pool_improve_first(shoal_pool *pool)
{
    bool has_improved = false;
    begin_search(pool, true);
    for (bool is_better = true; is_better && !is_late(pool); has_improved |= is_better)
        is_better = improve_group(pool, 0);
    return has_improved;
}
