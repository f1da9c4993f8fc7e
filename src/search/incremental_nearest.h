/* SPDX-License-Identifier: Apache-2.0 */
/* incremental_nearest.h - repeated search for the cheapest class while one cluster grows.
 *
 * When a cluster takes in rows, its loss with any other row does not decrease. So the losses of one
 * query are lower bounds for the next: nodes of the tree and classes are kept in a heap by the
 * bound that was computed last. The top item is computed again and put back if its bound has risen;
 * a node is replaced by its children; a class that stays on top is the answer. The tree is
 * traversed once per cluster, not once per row. Answers are those of shoal_kernel_cheapest(), ties
 * included.
 */
#ifndef SHOAL_INCREMENTAL_NEAREST_H
#define SHOAL_INCREMENTAL_NEAREST_H

#include "search/kernel.h"

typedef struct shoal_nearest_item {
    uint64_t key;  /* upper half: the loss; lower half: the lowest class number that may have it */
    uint32_t what; /* a node, or IS_PLACE | place */
    uint32_t turn; /* number of the query for which the loss was computed */
} shoal_nearest_item;

/* Zero-initialised may be cleared. */
typedef struct shoal_incremental_nearest {
    shoal_nearest_item *items; /* a heap; each node and place occurs at most once */
    uint32_t n, turn;
} shoal_incremental_nearest;

/* Memory: 16 bytes per place and node. False when out of memory. */
SHOAL_NODISCARD bool shoal_incremental_nearest_make(shoal_incremental_nearest *out,
                                                    const shoal_kernel *kernel);
void shoal_incremental_nearest_clear(shoal_incremental_nearest *incremental);

/* Begin with a new cluster. */
void shoal_incremental_nearest_begin(shoal_incremental_nearest *incremental,
                                     const shoal_kernel_state *state);

/*
 * The class cheapest to add to the cluster, ties to the lower one, or SHOAL_NO_CLASS; `*loss` is
 * the cluster's loss with it. Since begin() the cluster must only have grown, and rows must only
 * have been taken. A class is returned only once: the caller takes all its rows, or stops.
 */
uint32_t shoal_incremental_nearest_next(shoal_incremental_nearest *incremental,
                                        shoal_kernel_state *state, const shoal_cluster *cluster,
                                        shoal_loss *loss);

#endif
