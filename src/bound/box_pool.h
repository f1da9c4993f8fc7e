/* SPDX-License-Identifier: Apache-2.0 */
/* box_pool.h - boxes with high values, kept between passes.
 *
 * A pass over all boxes is expensive; the few boxes that once gave some class its value can be
 * evaluated again in milliseconds. Their values are at most the true ones (they are some of all
 * boxes). Prices follow them between passes, and the next pass begins with them.
 */
#ifndef SHOAL_BOX_POOL_H
#define SHOAL_BOX_POOL_H

#include "bound/box_walk.h"

typedef struct box_pool box_pool;

SHOAL_NODISCARD shoal_status box_pool_make(box_pool **out, const price_list *list, uint32_t threads,
                                           shoal_error *err);
void box_pool_free(box_pool *pool);

/* Take in what a pass found. */
SHOAL_NODISCARD bool box_pool_add(box_pool *pool, const found_boxes *found);

/* list->value of each priced class at list->price: the greatest that a box of the pool gives it,
 * `least` where there is none. */
void box_pool_values(box_pool *pool, price_list *list, shoal_price least);

/*
 * How often the rows of each class are in the sets that gave the values, on average over its rows,
 * as the last box_pool_values() found them: where 1, raising its price changes nothing; above, it
 * costs more than it brings.
 */
void box_pool_loads(box_pool *pool, const price_list *list, double *load);

/* Remove boxes that gave no value for a while, and new ones that gave none in the last
 * box_pool_loads(). */
void box_pool_trim(box_pool *pool);

/* Cost of evaluating all boxes once, in classes visited. */
uint64_t box_pool_work(const box_pool *pool);

#endif
