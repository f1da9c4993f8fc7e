/* SPDX-License-Identifier: Apache-2.0 */
/* alias.c - draws from a fixed discrete distribution in constant time (alias method).
 *
 * n cells of equal probability; each has its own value and at most one other. A value below the
 * average fills the rest of its cell with a value above it, which is reduced by that amount.
 * Invariant: the remainders of the open cells add up to (number of open cells) * (sum of weights),
 * in exact integers, so that the table is the same on every machine.
 *
 * Vose: A linear algorithm for generating random numbers with a given distribution, IEEE TSE 17(9),
 * 1991. Cost: O(n) to build, one random number per draw.
 */
#include "generate/alias.h"

#include <assert.h>

static uint32_t share_of(uint64_t part, uint64_t whole)
{
    double share = (double)part / (double)whole * 4294967296.0;
    return share >= 4294967295.0 ? UINT32_MAX : (uint32_t)share;
}

/* `small` and `large` list the open cells below and not below the average; `left` is the remainder
 * of each. */
static void fill_cells(alias_cell *cells, uint64_t *left, uint32_t *small, uint32_t *large,
                       uint32_t n, uint64_t sum)
{
    uint32_t n_small = 0, n_large = 0;
    for (uint32_t i = 0; i < n; i++) {
        cells[i] = (alias_cell){ UINT32_MAX, i }; /* only its own value until it is filled up */
        if (left[i] < sum)
            small[n_small++] = i;
        else
            large[n_large++] = i;
    }
    while (n_small > 0 && n_large > 0) {
        uint32_t s = small[--n_small], l = large[n_large - 1];
        cells[s] = (alias_cell){ share_of(left[s], sum), l };
        /* so the cell can be filled up, and nothing is lost */
        assert(left[s] < sum && left[l] >= sum);
        left[l] -= sum - left[s];
        if (left[l] < sum) {
            n_large--;
            small[n_small++] = l;
        }
    }
}

bool shoal_alias_build(alias_table *out, shoal_arena *arena, const uint64_t *weights, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += weights[i];
    *out = (alias_table){ NULL, n };
    if (sum == 0) return true;

    alias_cell *cells = shoal_arena_alloc(arena, n * sizeof *cells);
    uint64_t *left = shoal_alloc(n, sizeof *left);
    uint32_t *lists = shoal_alloc(2 * (size_t)n, sizeof *lists);
    bool ok = cells != NULL && left != NULL && lists != NULL;
    if (ok) {
        for (uint32_t i = 0; i < n; i++) left[i] = weights[i] * n;
        fill_cells(cells, left, lists, lists + n, n, sum);
        out->cells = cells;
    }
    shoal_free(left);
    shoal_free(lists);
    return ok;
}
