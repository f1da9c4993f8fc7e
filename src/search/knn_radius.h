/* SPDX-License-Identifier: Apache-2.0 */
/* knn_radius.h - how far from a class its n nearest rows reach; asked of many classes, in the order of a tree. */
#ifndef SHOAL_KNN_RADIUS_H
#define SHOAL_KNN_RADIUS_H

#include "search/kernel.h"

typedef struct shoal_knn_radius shoal_knn_radius;

/*
 * For a kernel whose metric has tables, and so many threads. `rows` has those of each place, n_rows or more in all, none 0;
 * both must outlive it. n_rows >= 1. Free with shoal_knn_radius_free().
 */
SHOAL_NODISCARD shoal_status shoal_knn_radius_make(shoal_knn_radius **out, const shoal_kernel *kernel, const uint32_t *rows, uint32_t n_rows,
                                             uint32_t threads, shoal_error *err);
void shoal_knn_radius_free(shoal_knn_radius *reach);

/*
 * The distance of the furthest of the n rows nearest to the class at a place, its own rows among them: that of the last
 * answer of shoal_kernel_nearest(). Threads ask at once, each with its number. Quickest in the order of places.
 */
shoal_loss shoal_knn_radius_find(shoal_knn_radius *reach, uint32_t thread, uint32_t place);

#endif
