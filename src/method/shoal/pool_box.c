/* SPDX-License-Identifier: Apache-2.0 */
/* pool_box.c - group the rows of a pool from scratch by boxes that grow attribute by attribute; see
 * pool.h.
 *
 * A box starts as one member's tuple. A step widens one attribute: up to an ancestor, out to a
 * further number, by one more value of a set. Of all steps the one with the most rows gained for
 * its loss is taken, until the box holds k rows; then all of them are a group. Where growing row by
 * row sees one row ahead, this sees all rows that a step lets in, which matters when k is large.
 *
 * An example, k = 2, the seed (F, 24) and the members (F, 27), (M, 24), (F, 50), ages 73 wide.
 * Steps from the box F, 24: age out to 27 gains a row for 3/73, age out to 50 gains two rows for
 * 26/73 (one is enough), sex to `*` gains one row for 1. The first is taken: the group is (F, 24),
 * (F, 27).
 *
 * For each member the number of attributes in which it lies outside is kept, with the sum of their
 * numbers: a member outside in exactly one attribute can be added by a step on that attribute.
 * Cost: O(n q) for each step, some ten steps per box.
 */
#include "method/shoal/pool.h"

#include <assert.h>
#include <string.h>

/* A step: attribute `attr` out to `range` (or with the set value range.lo), gaining rows for a
 * loss. */
typedef struct widening {
    uint32_t attr;
    shoal_range range;
    uint32_t gained;
    shoal_loss loss;
} widening;

/* Does the box cover this code of a column? */
static bool is_inside(const shoal_pool *pool, uint32_t a, uint32_t code)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    if (code == line->wild_code) return true;
    shoal_range range = pool->boxes.box[a];
    if (!line->is_set) return code >= range.lo && code <= range.hi;
    if (range.hi >= line->top_from && range.lo <= range.hi) return true; /* `*` covers all */
    return code < line->n_plain &&
           (pool->boxes.members.words[line->word_at + code / 64] >> (code % 64) & 1);
}

/* Is step x better than y: more rows for its loss? `need` rows are enough. */
static bool is_better(widening x, widening y, uint32_t need)
{
    uint64_t gain_x = x.gained < need ? x.gained : need, gain_y = y.gained < need ? y.gained : need;
    return gain_x * ((uint64_t)y.loss + 1) > gain_y * ((uint64_t)x.loss + 1);
}

/* Rows that are outside in attribute `a` only, by code: boxes.gain_rows and the list of such
 * codes. */
static uint32_t list_gains(shoal_pool *pool, uint32_t a)
{
    uint32_t n = 0;
    for (uint32_t p = 0; p < pool->n; p++) {
        if (pool->boxes.n_outside[p] != 1 || pool->boxes.outside_sum[p] != a || pool->left[p] == 0)
            continue;
        uint32_t code = pool->codes[(size_t)a * pool->room + p], i = n;
        while (i > 0 && pool->boxes.gain_code[i - 1] > code) i--;
        if (i > 0 && pool->boxes.gain_code[i - 1] == code) {
            pool->boxes.gain_rows[i - 1] += pool->left[p];
            continue;
        }
        memmove(pool->boxes.gain_code + i + 1, pool->boxes.gain_code + i,
                (n - i) * sizeof *pool->boxes.gain_code);
        memmove(pool->boxes.gain_rows + i + 1, pool->boxes.gain_rows + i,
                (n - i) * sizeof *pool->boxes.gain_rows);
        pool->boxes.gain_code[i] = code;
        pool->boxes.gain_rows[i] = pool->left[p];
        n++;
    }
    return n;
}

/* Keep the step if it is better than the best so far. */
static void offer(widening *best, widening it, uint32_t need)
{
    if (it.gained > 0 && (best->gained == 0 || is_better(it, *best, need))) *best = it;
}

/* Steps on a number: out to each gain on the left, and on the right. */
static void offer_numbers(const shoal_pool *pool, uint32_t a, uint32_t n, uint32_t need,
                          widening *best)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    shoal_range range = pool->boxes.box[a];
    shoal_loss now = shoal_line_range(line, range.lo, range.hi);
    uint32_t rows = 0;
    for (uint32_t i = 0; i < n; i++) { /* codes above the range, nearest first */
        if (pool->boxes.gain_code[i] < range.lo) continue;
        rows += pool->boxes.gain_rows[i];
        shoal_range out = { range.lo, pool->boxes.gain_code[i] };
        offer(best, (widening){ a, out, rows, shoal_line_range(line, out.lo, out.hi) - now }, need);
    }
    rows = 0;
    for (uint32_t i = n; i-- > 0;) {
        if (pool->boxes.gain_code[i] > range.hi) continue;
        rows += pool->boxes.gain_rows[i];
        shoal_range out = { pool->boxes.gain_code[i], range.hi };
        offer(best, (widening){ a, out, rows, shoal_line_range(line, out.lo, out.hi) - now }, need);
    }
}

/* Steps on a tree: up to each ancestor; beyond the leaves everything. */
static void offer_ancestors(const shoal_pool *pool, uint32_t a, uint32_t n, uint32_t need,
                            widening *best)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    shoal_range range = pool->boxes.box[a], all = { 0, line->n_codes - 1 };
    shoal_loss now = shoal_line_range(line, range.lo, range.hi);
    uint32_t root = line->tree->n_nodes - 1;
    uint32_t node = range.hi >= line->n_plain ? root
                                              : shoal_tree_cover(line->tree, range.lo, range.hi);
    while (node != root) {
        node = line->tree->parent[node];
        shoal_range out = node == root
                              ? all
                              : (shoal_range){ line->tree->first[node], line->tree->last[node] };
        uint32_t rows = 0;
        for (uint32_t i = 0; i < n; i++)
            if (pool->boxes.gain_code[i] >= out.lo && pool->boxes.gain_code[i] <= out.hi)
                rows += pool->boxes.gain_rows[i];
        offer(best,
              (widening){ a, out, rows, (node == root ? line->one : line->node_loss[node]) - now },
              need);
    }
    uint32_t rows = 0;
    for (uint32_t i = 0; i < n; i++) rows += pool->boxes.gain_rows[i];
    /* from a lone code */
    if (range.hi >= line->n_plain) offer(best, (widening){ a, all, rows, line->one - now }, need);
}

/* Steps on a set: one more value. */
static void offer_values(const shoal_pool *pool, uint32_t a, uint32_t n, uint32_t need,
                         widening *best)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    uint32_t members = pool->boxes.members.n_members[a];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t code = pool->boxes.gain_code[i];
        shoal_loss now = line->set_loss[members];
        shoal_loss with = code >= line->top_from ? line->one : line->set_loss[members + 1];
        offer(best, (widening){ a, { code, code }, pool->boxes.gain_rows[i], with - now }, need);
    }
}

/* Widen the box so that it covers `range` of attribute a, and see who comes in. */
static void widen(shoal_pool *pool, uint32_t a, shoal_range range)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    shoal_range *box = &pool->boxes.box[a];
    const uint32_t *codes = pool->codes + (size_t)a * pool->room;
    if (line->is_set && range.lo < line->n_plain) {
        uint64_t *word = &pool->boxes.members.words[line->word_at + range.lo / 64],
                 bit = (uint64_t)1 << (range.lo % 64);
        pool->boxes.members.n_members[a] += !(*word & bit);
        *word |= bit;
    }
    if (range.lo < box->lo) box->lo = range.lo;
    if (range.hi > box->hi) box->hi = range.hi;
    for (uint32_t p = 0; p < pool->n; p++) {
        bool was_outside = pool->boxes.outside[(size_t)a * pool->room + p];
        if (!was_outside || !is_inside(pool, a, codes[p])) continue;
        pool->boxes.outside[(size_t)a * pool->room + p] = 0;
        pool->boxes.n_outside[p]--;
        pool->boxes.outside_sum[p] -= a;
    }
}

/* The range that covers the box and a code: an ancestor's for trees. */
static shoal_range hull(const shoal_pool *pool, uint32_t a, uint32_t code)
{
    const shoal_measure_line *line = &pool->metric->lines[a];
    shoal_range range = pool->boxes.box[a];
    if (line->is_set) return (shoal_range){ code, code };
    if (range.lo > range.hi) return (shoal_range){ code, code };
    if (code < range.lo) range.lo = code;
    if (code > range.hi) range.hi = code;
    if (!line->is_tree) return range;
    if (range.hi >= line->n_plain) return (shoal_range){ 0, line->n_codes - 1 };
    uint32_t node = shoal_tree_cover(line->tree, range.lo, range.hi);
    return (shoal_range){ line->tree->first[node], line->tree->last[node] };
}

/* When every outsider differs in two attributes or more: let the cheapest one in. */
static bool widen_to_nearest(shoal_pool *pool)
{
    uint32_t best = SHOAL_NO_CLASS;
    shoal_loss least = SHOAL_LOSS_MAX;
    for (uint32_t p = 0; p < pool->n; p++) {
        if (pool->left[p] == 0 || pool->boxes.n_outside[p] == 0) continue;
        shoal_loss sum = 0;
        const uint32_t *tuple = shoal_pool_tuple(pool, p);
        for (uint32_t a = 0; a < pool->m && sum < least; a++) {
            if (!pool->boxes.outside[(size_t)a * pool->room + p]) continue;
            const shoal_measure_line *line = &pool->metric->lines[a];
            shoal_range out = hull(pool, a, tuple[a]);
            sum += line->is_set ? line->set_loss[2]
                                : shoal_line_range(line, out.lo, out.hi) -
                                      (pool->boxes.box[a].lo <= pool->boxes.box[a].hi
                                           ? shoal_line_range(line, pool->boxes.box[a].lo,
                                                              pool->boxes.box[a].hi)
                                           : 0);
        }
        if (sum >= least) continue;
        least = sum;
        best = p;
    }
    if (best == SHOAL_NO_CLASS) return false;
    for (uint32_t a = 0; a < pool->m; a++)
        if (pool->boxes.outside[(size_t)a * pool->room + best])
            widen(pool, a, hull(pool, a, shoal_pool_tuple(pool, best)[a]));
    return true;
}

/* A box that covers the seed's tuple alone; a missing value of it that matches everything leaves
 * the column open. */
static void begin_box(shoal_pool *pool, uint32_t seed)
{
    const uint32_t *tuple = shoal_pool_tuple(pool, seed);
    shoal_cluster_clear(&pool->boxes.members, pool->metric);
    memset(pool->boxes.n_outside, 0, pool->n * sizeof *pool->boxes.n_outside);
    memset(pool->boxes.outside_sum, 0, pool->n * sizeof *pool->boxes.outside_sum);
    for (uint32_t a = 0; a < pool->m; a++) {
        const shoal_measure_line *line = &pool->metric->lines[a];
        pool->boxes.box[a] = SHOAL_EMPTY_RANGE;
        bool is_wild = tuple[a] == line->wild_code;
        for (uint32_t p = 0; p < pool->n; p++) {
            bool is_out = pool->codes[(size_t)a * pool->room + p] != line->wild_code;
            pool->boxes.outside[(size_t)a * pool->room + p] = is_out;
            pool->boxes.n_outside[p] += is_out;
            pool->boxes.outside_sum[p] += is_out ? a : 0;
        }
        if (!is_wild) widen(pool, a, (shoal_range){ tuple[a], tuple[a] });
    }
}

/* Rows left of the members that lie inside in every column. */
static uint32_t rows_inside(const shoal_pool *pool)
{
    uint32_t rows = 0;
    for (uint32_t p = 0; p < pool->n; p++)
        rows += pool->boxes.n_outside[p] == 0 ? pool->left[p] : 0;
    return rows;
}

/* The next step of the box; false when no member is outside. */
static bool grow_step(shoal_pool *pool, uint32_t need)
{
    widening best = { 0 };
    for (uint32_t a = 0; a < pool->m; a++) {
        uint32_t n = list_gains(pool, a);
        if (n == 0 || pool->boxes.box[a].lo > pool->boxes.box[a].hi) continue;
        const shoal_measure_line *line = &pool->metric->lines[a];
        if (line->is_interval) offer_numbers(pool, a, n, need, &best);
        if (line->is_tree) offer_ancestors(pool, a, n, need, &best);
        if (line->is_set) offer_values(pool, a, n, need, &best);
    }
    if (best.gained == 0) return widen_to_nearest(pool);
    widen(pool, best.attr, best.range);
    return true;
}

/* Do the rows inside miss the constraint? Losses are not known yet: a limit on them is left to
 * local search. */
static bool lacks_something(shoal_pool *pool)
{
    if (!pool->has_penalty) return false;
    shoal_evidence_clear(&pool->penalty.mine);
    for (uint32_t p = 0; p < pool->n; p++)
        if (pool->boxes.n_outside[p] == 0)
            shoal_penalty_add(&pool->penalty, &pool->penalty.mine, pool->class_index[p],
                              pool->left[p]);
    return shoal_penalty_lack(&pool->penalty, &pool->penalty.mine, 0) > 0;
}

bool shoal_pool_grow_box(shoal_pool *pool, uint32_t seed, shoal_loss *loss)
{
    shoal_solution *now = &pool->now;
    assert(seed < pool->n && pool->left[seed] > 0 && now->n_groups < pool->group_room);
    begin_box(pool, seed);
    uint32_t rows;
    while ((rows = rows_inside(pool)) < pool->k || lacks_something(pool)) {
        if (grow_step(pool, rows < pool->k ? pool->k - rows : 1)) continue;
        if (rows < pool->k) return false;
        break; /* all rows are inside: no box does better */
    }
    shoal_pool_slice *slices = shoal_pool_slices(pool, now, now->n_groups);
    uint32_t n = 0;
    shoal_cluster_clear(&pool->growth.cluster, pool->metric);
    for (uint32_t p = 0; p < pool->n; p++) {
        if (pool->boxes.n_outside[p] > 0 || pool->left[p] == 0) continue;
        slices[n++] = (shoal_pool_slice){ p, pool->left[p] };
        shoal_cluster_add(&pool->growth.cluster, pool->metric, shoal_pool_tuple(pool, p),
                          pool->left[p]);
        pool->left[p] = 0;
    }
    now->n_slices[now->n_groups] = n;
    *loss = pool->growth.cluster.loss;
    return true;
}
