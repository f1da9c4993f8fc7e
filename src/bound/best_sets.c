/* SPDX-License-Identifier: Apache-2.0 */
/* best_sets.c - the highest-priced sets of a box; see best_sets.h.
 *
 * An example, k = 2: the box 20..24 costs 4 and holds two priced rows, 20 at price 8 and 24 at
 * price
 * 4. excess[t] is what the t highest-priced rows exceed the cost by: excess[0] = 0, excess[1] = 8 -
 * 4 = 4. The only set of two rows has the excess 4 + (4 - 4) = 4 and two priced rows, so each of
 * them has the value 4 / 2 = 2 (given as 3: rounded up, and one unit more). Prices less values, 6
 * and 2, add up to 2 * 4, what the group {20, 24} loses.
 *
 * With a fixed row of price 3 in the box instead of 24, fill_up() lets it take the second place:
 * the excess of {20, fixed} is 4 + (3 - 4) = 3, which 20 carries alone: its value is 3.
 */
#include "bound/best_sets.h"

#include "base/invariant.h"

#include <math.h>

bool best_sets_init(best_sets *sets, uint32_t k)
{
    assert(k > 0);
    *sets = (best_sets){ .k = k, .excess = shoal_alloc(2 * (size_t)k, sizeof *sets->excess) };
    return sets->excess != NULL;
}

void best_sets_clear(best_sets *sets)
{
    shoal_free(sets->excess);
    shoal_free(sets->priced);
    shoal_free(sets->fixed);
    *sets = (best_sets){ 0 };
}

bool best_sets_reserve(best_sets *sets, size_t n_priced, size_t n_fixed)
{
    void *priced = sets->priced, *fixed = sets->fixed;
    bool ok = shoal_reserve(&priced, &sets->priced_room, n_priced, sizeof *sets->priced);
    sets->priced = priced;
    ok = ok && shoal_reserve(&fixed, &sets->fixed_room, n_fixed, sizeof *sets->fixed);
    sets->fixed = fixed;
    return ok;
}

/* excess[t] for the t highest-priced priced rows alone, t up to `most`; returns how many there are,
 * at most 2k - 1. */
static uint32_t sum_priced(best_sets *s)
{
    uint32_t t = 0, end = 2 * s->k - 1;
    s->excess[0] = 0;
    for (uint32_t i = 0; i < s->n_priced && t < end; i++)
        for (uint32_t row = 0; row < s->priced[i].rows && t < end; row++, t++)
            s->excess[t + 1] = s->excess[t] + s->priced[i].price - s->cost;
    return t;
}

/* If fewer than k - 1 priced rows are taken besides i, the best other rows complete the set:
 * excess[k-1-g] is that of g others. */
static void fill_up(best_sets *s, uint32_t n_rows)
{
    uint64_t free_left = s->free_rows;
    uint32_t fixed = 0, used = 0;
    shoal_price sum = 0;
    s->least = s->k - 1;
    if (s->least > n_rows) s->least = n_rows;
    for (uint32_t g = 1; g < s->k; g++) {
        if (free_left > 0)
            free_left--;
        else {
            while (fixed < s->n_fixed && used == s->fixed[fixed].rows) fixed++, used = 0;
            if (fixed == s->n_fixed) break;
            /* a box that holds it costs its price at least */
            if (s->fixed[fixed].price < s->cost) sum += s->fixed[fixed].price - s->cost;
            used++;
        }
        uint32_t t = s->k - 1 - g;
        if (t > n_rows) continue;
        s->excess[t] += sum;
        s->least = t;
    }
}

/* Is `value` at least excess / rows? In whole numbers: at least the quotient rounded up. */
static bool is_at_least(shoal_price value, shoal_price excess, uint32_t rows)
{
    return value >= excess / (int64_t)rows + (excess % (int64_t)rows > 0);
}

/* Prices do not ascend. */
static bool is_by_price(const best_set_member *members, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (members[i].price > members[i - 1].price) return false;
    return true;
}

/* No set, of any size, is above the value of the best of all. */
static bool whole_is_never_below(const best_sets *s)
{
    bool holds = true;
    for (uint32_t i = 0, t = 0; i < s->n_priced && t <= s->most; i++)
        for (uint32_t row = 0; row < s->priced[i].rows && t <= s->most; row++, t++)
            if (t >= s->least)
                holds &= is_at_least(s->whole, s->excess[t] + s->priced[i].price - s->cost, t + 1);
    return holds;
}

static bool value_is_never_below(const best_sets *s, shoal_price value, shoal_price own,
                                 uint32_t end)
{
    bool holds = true;
    for (uint32_t t = s->least; t <= end; t++)
        holds &= is_at_least(value, s->excess[t] + own, t + 1);
    return holds;
}

bool best_sets_prepare(best_sets *s)
{
    uint64_t rows = s->free_rows;
    SHOAL_INVARIANT(is_by_price(s->priced, s->n_priced) && is_by_price(s->fixed, s->n_fixed));
    for (uint32_t i = 0; i < s->n_priced && rows < s->k; i++) rows += s->priced[i].rows;
    for (uint32_t i = 0; i < s->n_fixed && rows < s->k; i++) rows += s->fixed[i].rows;
    if (rows < s->k || s->n_priced == 0) return false;
    uint32_t n_rows = sum_priced(s);
    s->most = n_rows - 1; /* i itself is one of them */
    fill_up(s, n_rows);
    if (s->least > s->most) s->least = s->most;
    double best = -INFINITY;
    s->whole_rows = 0;
    /* The best of all sets of t + 1 priced rows: excess[t] and the next row, which is the
     * difference of sums without fillers. */
    for (uint32_t i = 0, t = 0; i < s->n_priced && t <= s->most; i++)
        for (uint32_t row = 0; row < s->priced[i].rows && t <= s->most; row++, t++) {
            if (t < s->least) continue;
            double value = (double)(s->excess[t] + s->priced[i].price - s->cost) / (t + 1.0);
            if (value > best) best = value, s->whole_rows = t + 1;
        }
    s->whole = (shoal_price)ceil(best) + 1;
    SHOAL_INVARIANT(whole_is_never_below(s));
    return true;
}

shoal_price best_sets_value(const best_sets *s, shoal_price price, uint64_t rows_before,
                            uint32_t *t)
{
    assert(s->least <= s->most && *t <= s->most);
    if (rows_before < s->whole_rows) return s->whole;
    uint32_t end = rows_before < s->most ? (uint32_t)rows_before : s->most;
    shoal_price own = price - s->cost;
    double best = (double)(s->excess[*t] + own) / (*t + 1.0);
    while (*t < end) {
        double next = (double)(s->excess[*t + 1] + own) / (*t + 2.0);
        if (next < best) break;
        best = next;
        ++*t;
    }
    SHOAL_INVARIANT(value_is_never_below(s, (shoal_price)ceil(best) + 1, own, end));
    return (shoal_price)ceil(best) + 1;
}
