/* SPDX-License-Identifier: Apache-2.0 */
/* incremental_nearest.h - the cheapest class again and again, while one cluster grows.
 *
 * A cluster that takes rows in loses no less with any other row than before. So what was found out for one question bounds the next: nodes of the tree
 * and classes wait in a heap with the least loss they can have, as it was when they were last looked at. The one on top is looked at again, and goes back if it
 * has risen; a node gives way to its children; a class that stays on top is the answer. The tree is gone through once in a growth, not once per row.
 * Answers are those of shoal_kernel_cheapest(), ties included.
 */
#ifndef SHOAL_INCREMENTAL_NEAREST_H
#define SHOAL_INCREMENTAL_NEAREST_H

#include "search/kernel.h"

typedef struct shoal_nearest_item {
    uint64_t key;  /* the loss, then the lowest class number that may have it */
    uint32_t what; /* a node, or IS_PLACE and a place */
    uint32_t turn; /* when the loss was found */
} shoal_nearest_item;

/* Zero-initialised may be cleared. */
typedef struct shoal_incremental_nearest {
    shoal_nearest_item *items; /* a heap; every node and place is there once at most */
    uint32_t n, turn;
} shoal_incremental_nearest;

/* 16 bytes per place and node. */
SHOAL_NODISCARD bool shoal_incremental_nearest_make(shoal_incremental_nearest *out, const shoal_kernel *kernel);
void shoal_incremental_nearest_clear(shoal_incremental_nearest *incremental);

/* A new cluster. */
void shoal_incremental_nearest_begin(shoal_incremental_nearest *incremental, const shoal_kernel_state *state);

/*
 * The class cheapest to add to the cluster, ties to the lower one, or SHOAL_NO_CLASS; `*loss` is the cluster's loss with it. Since begin() the cluster only grew, and
 * rows were only taken. The answer is not given again: it has to be taken whole, or be the last.
 */
uint32_t shoal_incremental_nearest_next(shoal_incremental_nearest *incremental, shoal_kernel_state *state, const shoal_cluster *cluster, shoal_loss *loss);

#endif
