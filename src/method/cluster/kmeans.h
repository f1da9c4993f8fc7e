/* SPDX-License-Identifier: Apache-2.0 */
/* kmeans.h - what k-means and its repair share. */
#ifndef SHOAL_KMEANS_H
#define SHOAL_KMEANS_H

#include "method/algorithm.h"
#include "search/kernel.h"

typedef struct shoal_kmeans {
    const shoal_problem *problem;
    shoal_parts *out;
    shoal_metric metric;
    bool dissolves;
    uint32_t max_passes;
    shoal_classes centres;      /* tuples like classes, so that a kernel can be built over them; one row each */
    shoal_kernel *tree;         /* over the centres */
    shoal_kernel_state *states; /* one a thread */
    shoal_cluster *probes;      /* one a thread: the row that is looking for a centre */
    uint32_t *home, *new_home;  /* centre of each class */
    uint32_t *head, *next;      /* the classes of each centre as a list, ended by SHOAL_NO_CLASS */
    uint64_t *sizes;            /* rows of each centre */
    uint64_t *counts;           /* of codes, 0 between uses */
} shoal_kmeans;

/* Build the tree over the centres anew; all of them can be found again. */
SHOAL_NODISCARD shoal_status shoal_kmeans_plant(shoal_kmeans *m, shoal_error *err);
/* The nearest centre that can be found; ties to the lower one. `thread` owns a state and a probe. */
uint32_t shoal_kmeans_nearest(shoal_kmeans *m, uint32_t class_index, uint32_t thread);
/* Give the parts of groups that all have at least k rows (kmeans_repair.c). */
SHOAL_NODISCARD shoal_status shoal_kmeans_repair(shoal_kmeans *m, shoal_error *err);

#endif
