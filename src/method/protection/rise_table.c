/* SPDX-License-Identifier: Apache-2.0 */
/* rise_table.c - the least sum of some lines; see rise_table.h.
 *
 * Groups are taken in runs short enough to stay in the fastest memory, with loops that the compiler
 * turns into vector instructions. Invariant: no sum leaves 32 bits, since the losses of all columns
 * together do not. Memory: 4 bytes per group and code.
 */
#include "method/protection/rise_table.h"

#include "base/invariant.h"

enum { RUN = 512 };

bool shoal_rise_table_init(shoal_rise_table *board, uint32_t n_groups, uint32_t n_columns,
                           const uint32_t *sizes)
{
    *board = (shoal_rise_table){ .n_groups = n_groups, .n_columns = n_columns };
    board->first = shoal_alloc(n_columns, sizeof *board->first);
    if (board->first == NULL) return false;
    for (uint32_t column = 0; column < n_columns; column++) {
        board->first[column] = board->n_codes;
        board->n_codes += sizes[column];
    }
    board->rises = shoal_alloc_zero((size_t)board->n_codes * n_groups, sizeof *board->rises);
    if (board->rises == NULL) shoal_rise_table_clear(board);
    return board->rises != NULL;
}

void shoal_rise_table_clear(shoal_rise_table *board)
{
    shoal_free(board->first);
    shoal_free(board->rises);
    *board = (shoal_rise_table){ 0 };
}

static bool sums_fit(const int32_t *sums, const shoal_rise_table *board, const uint32_t *codes,
                     uint32_t begin, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        int64_t sum = 0;
        for (uint32_t column = 0; column < board->n_columns; column++)
            sum += board->rises[((size_t)board->first[column] + codes[column]) * board->n_groups +
                                begin + i];
        if (sum != sums[i]) return false;
    }
    return true;
}

/* Sums of the groups begin..begin+n-1, and the least of them. */
static int32_t add_up(int32_t *restrict sums, const shoal_rise_table *board, const uint32_t *codes,
                      uint32_t begin, uint32_t n)
{
    int32_t least = INT32_MAX;
    for (uint32_t i = 0; i < n; i++) sums[i] = 0;
    for (uint32_t column = 0; column < board->n_columns; column++) {
        const int32_t *restrict line = board->rises +
                                       ((size_t)board->first[column] + codes[column]) *
                                           board->n_groups +
                                       begin;
        for (uint32_t i = 0; i < n; i++) sums[i] += line[i];
    }
    SHOAL_INVARIANT(sums_fit(sums, board, codes, begin, n));
    for (uint32_t i = 0; i < n; i++) least = sums[i] < least ? sums[i] : least;
    return least;
}

uint32_t shoal_rise_table_find(const shoal_rise_table *board, const uint32_t *codes)
{
    int32_t sums[RUN], least = INT32_MAX;
    uint32_t best = 0;
    for (uint32_t begin = 0; begin < board->n_groups; begin += RUN) {
        uint32_t n = board->n_groups - begin < RUN ? board->n_groups - begin : RUN;
        int32_t here = add_up(sums, board, codes, begin, n);
        if (here >= least && begin > 0) continue;
        least = here;
        for (best = begin; sums[best - begin] != here;) best++;
    }
    return best;
}
