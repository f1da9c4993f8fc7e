/* SPDX-License-Identifier: Apache-2.0 */
/* grower.h - grow one group of k rows from a seed: what both greedy starts of the default method do
 * again and again. */
#ifndef SHOAL_GROWER_H
#define SHOAL_GROWER_H

#include "method/shoal/clustering.h"
#include "method/shoal/penalty.h"
#include "method/shoal/tuning.h"
#include "search/incremental_nearest.h"

/*
 * The classes that each seed took when it was last grown, in their order. A class that was cheapest
 * then is cheapest now, as long as it has rows left: the group is the same up to there, and only
 * fewer classes are left. So growing again begins at the first class without rows.
 */
typedef struct shoal_growth_paths {
    uint32_t *classes; /* `room` for each seed */
    uint8_t *lengths;
    uint32_t room;
} shoal_growth_paths;

/* For groups of k rows; at most 65 bytes per seed. Zero-initialised may be cleared. */
SHOAL_NODISCARD bool shoal_growth_paths_make(shoal_growth_paths *out, uint32_t n_seeds, uint32_t k);
void shoal_growth_paths_clear(shoal_growth_paths *paths);

/* A thread's view of the rows left, and the last group grown. */
typedef struct shoal_grower {
    const shoal_kernel *kernel;
    const shoal_metric *metric;
    uint32_t k;
    shoal_kernel_state state;
    shoal_cluster cluster;
    bool has_incremental;
    shoal_incremental_nearest incremental; /* where the tree alone prunes little */
    shoal_growth_paths *paths;             /* NULL: seeds grow once, or under a constraint */
    bool is_hasty; /* growing takes long: what is nearly the cheapest group is good enough */
    shoal_class_rows *slices;
    uint32_t n_slices, slice_room;
    bool has_penalty; /* there is a constraint: the group grows until it satisfies it */
    shoal_penalty penalty;
    double lack;
} shoal_grower;

/*
 * `loose` has the rows left of each class. Groups keep the problem's constraint where
 * `is_constrained`.
 */
SHOAL_NODISCARD shoal_status shoal_grower_make(shoal_grower *out, const shoal_kernel *kernel,
                                               const shoal_problem *problem, bool is_constrained,
                                               const uint32_t *loose, shoal_error *err);
/* Adds its counts to `stats`, also from several threads at once. */
void shoal_grower_clear(shoal_grower *grower, shoal_search_stats *stats);

/*
 * Grow from a seed to k rows, taking them out of the state. A seed with many rows gives most of
 * them at once. False when that would lose more than the limit, or rows run out; `*loss` is what
 * the group loses, or would have lost with one row more. With a constraint, rows that reduce the
 * deficit are taken once it is as large as the room left in the group, and beyond k until it is 0;
 * a group that cannot satisfy it is abandoned: false, and a loss of SHOAL_LOSS_MAX. With paths the
 * limit must not be below the loss that the seed had when it was last grown.
 */
bool shoal_grow(shoal_grower *grower, uint32_t seed, shoal_loss limit, shoal_loss *loss);
/*
 * The loss up to which a group is kept as the cheapest, when all others are known to lose `limit`
 * or more. Normally that is `limit`; in haste a tenth more, which saves two of three growths, and
 * refinement makes up for it.
 */
static inline shoal_loss shoal_grower_limit(const shoal_grower *grower, shoal_loss limit)
{
    return grower->is_hasty && limit < SHOAL_LOSS_MAX / 2 ? limit + limit / SHOAL_HASTE : limit;
}

/* Put the rows of the last group back. */
void shoal_grow_back(shoal_grower *grower);

#endif
