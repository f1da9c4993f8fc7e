/* SPDX-License-Identifier: Apache-2.0 */
/* best_sets.h - given the rows in a box and a price of each: by how much does the highest-priced
 * set of at least k of them exceed its cost?
 *
 * Rows are of three kinds. A *priced* row i has a price p_i and a share of the excess; a *fixed*
 * one has a price that does not change, and no box with k rows costs less than it; a *free* one has
 * neither. For a box of cost c (the loss of each of its rows)
 *
 *     excess(S) = sum over S of (price - c)                 free rows count 0
 *     value_i   = max over S with i in S, |S| = k .. 2k - 1, of excess(S) / (priced rows of S)
 *
 * With i, the best S takes the t highest-priced other priced rows and, if these are fewer than k -
 * 1, the best of the others. The excess is concave in t, so the quotient rises and then falls: one
 * pass finds the best of all sets (`whole`, it serves every row in it), and for rows further down,
 * whose price falls, the best t only rises.
 *
 * Prices are whole numbers in units of the metric; values are rounded up, and one unit more for the
 * quotients being compared as floating-point numbers. Invariant: a value given is never below the
 * true one.
 */
#ifndef SHOAL_BEST_SETS_H
#define SHOAL_BEST_SETS_H

#include "base/base.h"

typedef int64_t shoal_price;
#define SHOAL_NO_VALUE INT64_MIN

typedef struct best_set_member {
    shoal_price price;
    uint32_t id, rows;
} best_set_member;

typedef struct best_sets {
    uint32_t k;
    /* the box: to be filled in by the caller, each list by price descending */
    best_set_member *priced, *fixed; /* room for `room` each */
    size_t priced_room, fixed_room;
    uint32_t n_priced, n_fixed;
    uint64_t free_rows;
    shoal_price cost;
    /* what best_sets_prepare() makes of it */
    shoal_price
        *excess; /* of the t highest-priced priced rows and what fills up, without i: 0..most */
    uint32_t least, most; /* t */
    uint32_t whole_rows;  /* priced rows of the best of all sets */
    shoal_price whole;    /* its value */
} best_sets;

SHOAL_NODISCARD bool best_sets_init(best_sets *sets, uint32_t k);
void best_sets_clear(best_sets *sets);
SHOAL_NODISCARD bool best_sets_reserve(best_sets *sets, size_t n_priced, size_t n_fixed);

/* False when there are fewer than k rows or no priced one: no row has a value. O(k + members). */
bool best_sets_prepare(best_sets *sets);

/* Value of a priced row with so many priced rows before its class; *t is advanced from its value
 * for the last row (begin at `least`). Its set has *t other priced rows. */
shoal_price best_sets_value(const best_sets *sets, shoal_price price, uint64_t rows_before,
                            uint32_t *t);

#endif
