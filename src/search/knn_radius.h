/* SPDX-License-Identifier: Apache-2.0 */
/*
 * knn_radius.h - the distance of the n-th nearest row of a class, for many classes in tree order.
 */
#ifndef SHOAL_KNN_RADIUS_H
#define SHOAL_KNN_RADIUS_H

#include "search/kernel.h"

typedef struct shoal_knn_radius shoal_knn_radius;

/*
 * Prepare for a kernel whose metric has tables, and for `threads` threads. `rows` has the rows of
 * each place, none 0, n_rows >= 1 or more in total. Kernel and rows must outlive the result, which
 * is freed with shoal_knn_radius_free().
 */
SHOAL_NODISCARD shoal_status shoal_knn_radius_make(shoal_knn_radius **out,
                                                   const shoal_kernel *kernel, const uint32_t *rows,
                                                   uint32_t n_rows, uint32_t threads,
                                                   shoal_error *err);
void shoal_knn_radius_free(shoal_knn_radius *reach);

/*
 * The distance of the furthest of the n rows nearest to the class at a place, its own rows
 * included: that of the last entry of shoal_kernel_nearest(). Threads may call it at once, each
 * with its number. Fastest in the order of places.
 */
shoal_loss shoal_knn_radius_find(shoal_knn_radius *reach, uint32_t thread, uint32_t place);

#endif
