/* SPDX-License-Identifier: Apache-2.0 */
/* lower_bound.h - the lower bound of some of a table's columns, with the prices of its rows. */
#ifndef SHOAL_LOWER_BOUND_H
#define SHOAL_LOWER_BOUND_H

#include "bound/best_sets.h"
#include "classes/classes.h"

#include <shoal/measure.h>

/* Prices of classes: each row of a class loses at least that, over all rows together. */
typedef struct row_prices {
    uint32_t n; /* classes */
    shoal_price *price;
    uint32_t *rows;
    double unit; /* price of a gcp of 1 for one row */
} row_prices;

void row_prices_clear(row_prices *prices);

/* What is bounded: the table's quasi-identifiers, or `n_columns` of its columns instead. */
typedef struct bound_subject {
    const shoal_table *table;
    const shoal_grouping *grouping; /* or NULL */
    const uint32_t *columns;        /* or NULL */
    uint32_t n_columns, k;
    /* work is divided by this number; 0 and 1: all of it */
    uint32_t work_part;
    /* candidates visited by box searches are divided by this number; 0: all */
    uint32_t box_part;
    bool nearest_only; /* no cheapest boxes, no prices: microseconds for each class, always exact */
} bound_subject;

/* shoal_bound_find() of a subject, and the prices where `prices` is not NULL: floors, where none
 * were raised. Clear them with row_prices_clear(). */
SHOAL_NODISCARD shoal_status lower_bound_find(shoal_bound_parts *out, row_prices *prices,
                                              const bound_subject *subject,
                                              const shoal_bound_options *options, shoal_error *err);

#endif
