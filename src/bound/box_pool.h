/* SPDX-License-Identifier: Apache-2.0 */
/* box_pool.h - boxes that mattered, kept between passes.
 *
 * A pass over all boxes is expensive; the few boxes that gave some class its value once are asked
 * again in milliseconds. What they say is never above the true value (they are some of all boxes),
 * so it is where the next pass begins, and what prices follow between passes.
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

/* Forget boxes that gave no value for a while, and new ones that gave none in the last
 * box_pool_loads(). */
void box_pool_trim(box_pool *pool);

/* What asking all boxes once costs, in classes looked at. */
uint64_t box_pool_work(const box_pool *pool);

#endif
