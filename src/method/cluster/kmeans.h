/* SPDX-License-Identifier: Apache-2.0 */
/* kmeans.h - state shared by k-means and its repair. */
#ifndef SHOAL_KMEANS_H
#define SHOAL_KMEANS_H

#include "method/algorithm.h"
#include "search/kernel.h"

typedef struct shoal_kmeans {
    const shoal_problem *problem;
    shoal_slices *out;
    shoal_metric metric;
    bool dissolves;
    uint32_t max_passes;
    shoal_classes centres;      /* as classes of one row, so that a kernel can index them */
    shoal_kernel *tree;         /* over the centres */
    shoal_kernel_state *states; /* one per thread */
    shoal_cluster *probes;      /* one per thread: the row whose centre is searched */
    uint32_t *centre_of, *new_centre_of; /* centre of each class */
    uint32_t *head, *next;      /* the classes of each centre as a list, ended by SHOAL_NO_CLASS */
    uint64_t *sizes;            /* rows of each centre */
    uint64_t *counts;           /* of codes; all 0 between uses */
} shoal_kmeans;

/* Rebuild the tree over all centres. */
SHOAL_NODISCARD shoal_status shoal_kmeans_plant(shoal_kmeans *m, shoal_error *err);
/* The nearest centre in the tree; ties to the lower one. Uses state and probe of `thread`. */
uint32_t shoal_kmeans_nearest(shoal_kmeans *m, uint32_t class_index, uint32_t thread);
/* Make the slices of groups that all have at least k rows (kmeans_repair.c). */
SHOAL_NODISCARD shoal_status shoal_kmeans_repair(shoal_kmeans *m, shoal_error *err);

#endif
