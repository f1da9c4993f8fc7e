/* SPDX-License-Identifier: Apache-2.0 */
/* cheapest_box.h - the least loss of a box around one tuple that holds k rows: a lower bound of the
 * loss of each of its rows in any release.
 *
 * Whatever group a row ends up in, the published tuple of the group covers the row and at least k -
 * 1 others. So the row loses at least as much as the cheapest tuple that does. Two numbers, both
 * never above that:
 *
 *     near   the loss of the row with its (k-1)-th nearest other row: of k rows in a box one is at
 * least that far away box    the cheapest box itself, by branch and bound over the attributes
 *
 * For numbers and trees `box` is exact. A set counts as if any values could be in it once it has as
 * many as are needed to hold k rows (exact where it is the attribute left for last), and a missing
 * value that matches everything counts as inside any box and loses nothing itself.
 */
#ifndef SHOAL_CHEAPEST_BOX_H
#define SHOAL_CHEAPEST_BOX_H

#include "search/kernel.h"

typedef struct shoal_cheapest_box shoal_cheapest_box;

typedef struct shoal_box_bound {
    shoal_loss near, box; /* near <= box <= the loss of every box with the tuple and k rows in it */
    bool is_stopped;      /* the work limit was reached: box is what was proven until then */
    uint64_t work;        /* done for it: candidates visited, and attributes of bounded nodes */
} shoal_box_bound;

/*
 * A searcher for one thread. `kernel`, `classes` must outlive it. 2 <= k <= rows; a search for a
 * box visits at most about `max_work` candidates. Free with shoal_cheapest_box_free().
 */
SHOAL_NODISCARD shoal_status shoal_cheapest_box_make(shoal_cheapest_box **out,
                                                     const shoal_kernel *kernel,
                                                     const shoal_classes *classes, uint32_t k,
                                                     uint64_t max_work, shoal_error *err);
void shoal_cheapest_box_free(shoal_cheapest_box *search);

/*
 * Both bounds for a class; without `want_box` only `near` is computed and `box` equals it. False
 * when memory is short. The answer depends on the classes, k and max_work alone.
 */
SHOAL_NODISCARD bool shoal_cheapest_box_find(shoal_cheapest_box *search, uint32_t class_index,
                                             bool want_box, shoal_box_bound *out);

#endif
