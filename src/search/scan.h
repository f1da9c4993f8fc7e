/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h - linear search over the remaining rows: the reference that the kernel must equal.
 *
 * Works on classes with their numbers of remaining rows. Ties go to the class with the lower
 * number, which has the lower first row. Every query is O(classes left * QIDs).
 */
#ifndef SHOAL_SCAN_H
#define SHOAL_SCAN_H

#include "search/metric.h"

#define SHOAL_NO_CLASS UINT32_MAX

typedef struct shoal_scan {
    const shoal_metric *metric;
    const shoal_classes *classes;
    uint32_t *left;  /* remaining rows of each class */
    uint32_t *alive; /* classes with rows left, ascending */
    uint32_t n_alive;
    uint64_t n_rows; /* total of `left` */
    uint64_t n_evaluations, n_queries;
} shoal_scan;

SHOAL_NODISCARD shoal_status shoal_scan_make(shoal_scan *out, const shoal_metric *metric,
                                             const shoal_classes *classes, shoal_error *err);
void shoal_scan_clear(shoal_scan *scan);
/* Remove rows of a class; it must have that many left. */
void shoal_scan_take(shoal_scan *scan, uint32_t class_index, uint32_t n_rows);
/*
 * The class cheapest to add to the cluster, or SHOAL_NO_CLASS; `*loss` is the cluster's loss with
 * it.
 */
uint32_t shoal_scan_cheapest(shoal_scan *scan, const shoal_cluster *cluster, shoal_loss *loss);
/* The class furthest from a tuple, or SHOAL_NO_CLASS. */
uint32_t shoal_scan_furthest(shoal_scan *scan, const uint32_t *codes);

#endif
