/* SPDX-License-Identifier: Apache-2.0 */
/* refine.h - one round of refinement: the groups in regions, each improved by itself, in parallel.
 *
 * What is done to a region is the caller's: a function that gets a pool with the region's groups
 * and leaves the best solution in pool->best (improve_region() of shoal.c).
 */
#ifndef SHOAL_REFINE_H
#define SHOAL_REFINE_H

#include "method/shoal/pool.h"

typedef struct shoal_refiner shoal_refiner;

/* Arguments of improving a region, besides its pool. */
typedef struct shoal_region_task {
    uint32_t round;           /* from 0 on */
    uint32_t n_perturbations; /* of this region */
    bool perturbs_only;       /* see shoal_clustering */
} shoal_region_task;

/* Called from several threads at once. All random numbers must come from `rng`. */
typedef void (*shoal_improve_fn)(shoal_pool *pool, const shoal_region_task *task, shoal_rng *rng);

/* For `rounds` rounds with so many perturbations per group; the clustering must outlive it. */
SHOAL_NODISCARD shoal_status shoal_refiner_make(shoal_refiner **out, shoal_clustering *clustering,
                                                uint32_t rounds, double perturbations,
                                                shoal_error *err);
void shoal_refiner_free(shoal_refiner *refiner); /* may be NULL */

/*
 * Run round number `round`: divide the groups into regions, improve each of them, and replace the
 * groups of those whose cost fell. A stop within it keeps what is improved by then and sets
 * stats->stopped_early. False when memory is short.
 */
SHOAL_NODISCARD bool shoal_refiner_run(shoal_refiner *refiner, uint32_t round,
                                       shoal_improve_fn improve);

#endif
