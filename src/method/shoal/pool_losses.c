/* SPDX-License-Identifier: Apache-2.0 */
/* pool_losses.c - what local search knows of the groups of a pool; see pool_losses.h. */
#include "method/shoal/pool_losses.h"

#include <string.h>

#define NONE SHOAL_NONE

/* Loss of a set of group g without one slice and with one more code (NONE,
 * SHOAL_NO_CODE: none). */
static shoal_loss set_loss(const shoal_pool *pool, uint32_t g, uint32_t a,
                           const shoal_pool_slice *gone, uint32_t added)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    const uint32_t *tally = pool->search.tally + (size_t)g * pool->search.n_values +
                            pool->search.value_at[a];
    uint32_t n = pool->search.n_distinct[(size_t)g * pool->m + a],
             tops = pool->search.n_tops[(size_t)g * pool->m + a];
    uint32_t lost = gone == NULL ? SHOAL_NO_CODE : shoal_pool_tuple(pool, gone->member)[a];
    bool is_value = lost != SHOAL_NO_CODE && lost < line->n_plain,
         vanishes = is_value && tally[lost] == gone->count;
    if (vanishes) n--;
    if (lost != SHOAL_NO_CODE && lost != line->wild_code && lost >= line->top_from)
        tops -= gone->count;
    if (added != SHOAL_NO_CODE && added != line->wild_code) {
        if (added >= line->top_from) return line->one;
        if (tally[added] == 0 || (vanishes && added == lost)) n++;
    }
    return tops > 0 ? line->one : line->set_loss[n];
}

/* The same where every code is a value of the set: no wildcard, and nothing that only `*` covers.
 */
static inline shoal_loss plain_set_loss(const shoal_pool *pool, uint32_t g, uint32_t a,
                                        const shoal_pool_slice *gone, uint32_t added)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    const uint32_t *tally = pool->search.tally + (size_t)g * pool->search.n_values +
                            pool->search.value_at[a];
    uint32_t n = pool->search.n_distinct[(size_t)g * pool->m + a];
    if (gone != NULL) {
        uint32_t lost = shoal_pool_tuple(pool, gone->member)[a];
        if (added == lost) return line->set_loss[n];
        n -= tally[lost] == gone->count;
    }
    return line->set_loss[n + (added != SHOAL_NO_CODE && tally[added] == 0)];
}

/* Loss of attribute a of group g, which covers `range` without the slice `gone`, with a code added
 * (SHOAL_NO_CODE: none). */
static inline shoal_loss attr_after(const shoal_pool *pool, uint32_t g, uint32_t a,
                                    shoal_range range, const shoal_pool_slice *gone, uint32_t code)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    if (line->is_set)
        return line->n_plain == line->n_codes ? plain_set_loss(pool, g, a, gone, code)
                                              : set_loss(pool, g, a, gone, code);
    if (code != SHOAL_NO_CODE && code != line->wild_code) {
        if (code < range.lo) range.lo = code;
        if (code > range.hi) range.hi = code;
    }
    return range.lo <= range.hi ? shoal_line_range(line, range.lo, range.hi) : 0;
}

/* Loss of group g without its slice i (NONE: with all) and with a tuple added (NULL: none). */
static shoal_loss loss_after(const shoal_pool *pool, uint32_t g, uint32_t i, const uint32_t *tuple)
{
    const shoal_range *ranges = pool->search.without +
                                shoal_pool_slot(pool, g, i == NONE ? pool->now.n_slices[g] : i) *
                                    pool->m;
    const shoal_pool_slice *gone = i == NONE ? NULL : &shoal_pool_slices(pool, &pool->now, g)[i];
    shoal_loss sum = 0;
    for (uint32_t a = 0; a < pool->m; a++)
        sum += attr_after(pool, g, a, ranges[a], gone, tuple == NULL ? SHOAL_NO_CODE : tuple[a]);
    return sum;
}

static shoal_range join(shoal_range x, shoal_range y)
{
    return (shoal_range){ x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi };
}

/* What group g covers without each of its slices, by ranges from the left and from the right; at
 * n_slices: with all. Sets have no ranges. */
static void exclude_each(shoal_pool *pool, uint32_t g)
{
    const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    uint32_t n = pool->now.n_slices[g], m = pool->m;
    shoal_range *without = pool->search.without + shoal_pool_slot(pool, g, 0) * m;
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

/* Count the rows of each value of a set in group g. */
static void tally_set(shoal_pool *pool, uint32_t g, uint32_t a)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    const uint32_t *codes = pool->codes + (size_t)a * pool->room;
    uint32_t *tally = pool->search.tally + (size_t)g * pool->search.n_values +
                      pool->search.value_at[a];
    uint32_t distinct = 0, tops = 0;
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

static void tally_sets(shoal_pool *pool, uint32_t g)
{
    memset(pool->search.tally + (size_t)g * pool->search.n_values, 0,
           pool->search.n_values * sizeof *pool->search.tally);
    for (uint32_t a = 0; a < pool->m; a++)
        if (pool->metric->lines[a].is_set) tally_set(pool, g, a);
}

shoal_loss shoal_pool_exchange(const shoal_pool *pool, uint32_t g, uint32_t i, uint32_t member)
{
    return i == NONE ? shoal_pool_with(pool, g, member)
                     : loss_after(pool, g, i, shoal_pool_tuple(pool, member));
}

shoal_loss shoal_pool_find_with(const shoal_pool *pool, uint32_t g, uint32_t member)
{
    return pool->search.with[shoal_pool_slot(pool, g, member)] = loss_after(
               pool, g, NONE, shoal_pool_tuple(pool, member));
}

/* What a set of group g loses with one more of each value. */
static const shoal_loss *tabulate_set(const shoal_pool *pool, uint32_t g, uint32_t a)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    const uint32_t *tally = pool->search.tally + (size_t)g * pool->search.n_values +
                            pool->search.value_at[a];
    const shoal_loss *losses = line->set_loss + pool->search.n_distinct[(size_t)g * pool->m + a];
    shoal_loss *table = pool->search.loss_with + pool->search.value_at[a];
    for (uint32_t code = 0, n = line->n_plain; code < n; code++)
        table[code] = tally[code] == 0 ? losses[1] : losses[0];
    return table;
}

/* What attribute a of group g loses with each member added, on top of what `with` has: by a table
 * of its values where these are few. */
static void add_column(const shoal_pool *pool, uint32_t g, uint32_t a, shoal_loss *with)
{
    enum { FEW = 256 };
    shoal_loss room[FEW];
    const shoal_loss *table = NULL;
    const shoal_measure_line *line = &pool->metric->lines[a];
    const uint32_t *codes = pool->codes + (size_t)a * pool->room;
    shoal_range range = pool->search
                            .without[shoal_pool_slot(pool, g, pool->now.n_slices[g]) * pool->m + a];
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
            with[p] += attr_after(pool, g, a, range, NULL, codes[p]);
    }
}

/* The losses of group g with each member added: worked out at once, column by column, or when they
 * are asked for. */
static void fill_with(const shoal_pool *pool, uint32_t g)
{
    shoal_loss *with = pool->search.with + shoal_pool_slot(pool, g, 0);
    bool is_late = pool->search.is_lazy || pool->now.n_slices[g] == 0;
    /* 0xff..: SHOAL_LOSS_MAX, not known */
    memset(with, is_late ? 0xff : 0, pool->n * sizeof *with);
    for (uint32_t a = 0; !is_late && a < pool->m; a++) add_column(pool, g, a, with);
}

/* What attribute a of group g loses without each of its slices, on top of what `left` has. */
static void add_column_without(const shoal_pool *pool, uint32_t g, uint32_t a, shoal_loss *left)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    uint32_t n = pool->now.n_slices[g];
    /* a value goes with the slice that has all its rows */
    if (line->is_set && line->n_plain == line->n_codes) {
        const uint32_t *codes = pool->codes + (size_t)a * pool->room;
        const uint32_t *tally = pool->search.tally + (size_t)g * pool->search.n_values +
                                pool->search.value_at[a];
        const shoal_loss *losses = line->set_loss +
                                   pool->search.n_distinct[(size_t)g * pool->m + a];
        for (uint32_t i = 0; i < n; i++)
            left[i] += tally[codes[slices[i].member]] == slices[i].count ? losses[-1] : losses[0];
        return;
    }
    const shoal_range *without = pool->search.without + shoal_pool_slot(pool, g, 0) * pool->m + a;
    for (uint32_t i = 0; i < n; i++)
        left[i] += attr_after(pool, g, a, without[(size_t)i * pool->m], &slices[i], SHOAL_NO_CODE);
}

/* What the group would save without each of its slices, and the most of it. */
static void find_savings(shoal_pool *pool, uint32_t g)
{
    uint32_t n = pool->now.n_slices[g];
    shoal_loss *left = pool->search.loss_without + shoal_pool_slot(pool, g, 0);
    int64_t most = 0;
    memset(left, 0, n * sizeof *left);
    for (uint32_t a = 0; a < pool->m; a++) add_column_without(pool, g, a, left);
    for (uint32_t i = 0; i < n; i++) {
        int64_t saving = shoal_pool_saving(pool, g, i);
        if (saving > most) most = saving;
    }
    pool->search.most_saving[g] = most;
}

/* Bring what is known of a group up to date after its slices have changed. */
void shoal_pool_refresh(shoal_pool *pool, uint32_t g)
{
    shoal_solution *now = &pool->now;
    pool->search.changed_at[g] = ++pool->search.clock;
    if (pool->metric->has_sets) tally_sets(pool, g);
    exclude_each(pool, g);
    now->cost -= (uint64_t)now->losses[g] * now->n_rows[g] + now->penalties[g];
    const shoal_pool_slice *slices = shoal_pool_slices(pool, now, g);
    now->n_rows[g] = 0;
    for (uint32_t i = 0; i < now->n_slices[g]; i++) now->n_rows[g] += slices[i].count;
    now->losses[g] = now->n_rows[g] == 0 ? 0 : loss_after(pool, g, NONE, NULL);
    now->penalties[g] = shoal_pool_penalty(pool, g);
    if (pool->penalty.mine_is == g) pool->penalty.mine_is = SHOAL_NO_GROUP;
    now->cost += (uint64_t)now->losses[g] * now->n_rows[g] + now->penalties[g];
    fill_with(pool, g);
    find_savings(pool, g);
}
