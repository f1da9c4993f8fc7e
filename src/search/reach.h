/* SPDX-License-Identifier: Apache-2.0 */
/* reach.h - how far from a class its n nearest rows reach; asked of many classes, in the order of a tree. */
#ifndef SHOAL_REACH_H
#define SHOAL_REACH_H

#include "search/kernel.h"

typedef struct shoal_reach shoal_reach;

/*
 * For a kernel whose metric has tables, and so many threads. `rows` has those of each place, n_rows or more in all, none 0;
 * both must outlive it. n_rows >= 1. Free with shoal_reach_free().
 */
SHOAL_NODISCARD shoal_status shoal_reach_make(shoal_reach **out, const shoal_kernel *kernel, const uint32_t *rows, uint32_t n_rows,
                                             uint32_t threads, shoal_error *err);
void shoal_reach_free(shoal_reach *reach);

/*
 * The distance of the furthest of the n rows nearest to the class at a place, its own rows among them: that of the last
 * answer of shoal_kernel_nearest(). Threads ask at once, each with its number. Quickest in the order of places.
 */
shoal_loss shoal_reach_find(shoal_reach *reach, uint32_t thread, uint32_t place);

#endif
