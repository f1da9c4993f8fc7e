/* SPDX-License-Identifier: Apache-2.0 */
/* order.h - ordered categories (SHOAL_TYPE_ORDERED): a list of labels, or ranges of numbers. */
#ifndef SHOAL_ORDER_H
#define SHOAL_ORDER_H

#include "table/table_internal.h"

/* The next label of `low < middle < high`, without blanks around it; false at the end. */
bool shoal_order_next(shoal_text *label, const char **rest);
/* Two labels at least, none empty, none twice? */
bool shoal_order_is_sound(const char *order);

/* Read a range of numbers: [0-10), 0-9, 10 to 20, <30, 80+; an end may be infinite. */
bool shoal_read_bin(shoal_text text, double *low, double *high);
/*
 * Are the values ranges of numbers, three at least, that do not overlap? False when out of memory.
 */
SHOAL_NODISCARD bool shoal_are_bins(bool *are, const shoal_text *values, const bool *is_left_out,
                                    uint32_t n);

/*
 * The number of a value: its rank in the list, or (order NULL) where its range begins. False when
 * it has none.
 */
bool shoal_order_place(const char *order, shoal_text text, double *out);

#endif
