/* SPDX-License-Identifier: Apache-2.0 */
/* homes.h - which finished group suffers least from one more row: where left-over rows go, without looking at every group.
 *
 * Groups lie in a tree (the kernel's, over one row of each); a node knows what its groups cover together, the largest loss that one of them has in
 * each quasi-identifier, and the most that any of them could gain by a row (protection may get better). From that follows the least that a
 * row can cost any group of the node. The answer is the one that a scan of all groups gives, ties to the group formed first.
 */
#ifndef SHOAL_HOMES_H
#define SHOAL_HOMES_H

#include "search/kernel.h"

/* What one more row with these codes costs a group: the rise of its loss less what it gains; INT64_MAX: it must not join. */
typedef int64_t (*shoal_rise_fn)(void *payload, uint32_t group, const uint32_t *codes);

#define SHOAL_NO_HOME UINT32_MAX

typedef struct shoal_homes {
    const shoal_metric *metric;
    const shoal_cluster *clusters; /* of each group; borrowed */
    uint32_t n_groups;
    shoal_classes firsts;          /* one class a group */
    shoal_kernel *kernel;          /* NULL: all groups are looked at */
    shoal_range *hulls;            /* of each node and attribute */
    shoal_loss *losses;            /* likewise: the largest of a group */
    int64_t *gains;                /* of each node */
    uint32_t *least;               /* lowest group of each node */
    struct home_step { uint32_t node; int64_t bound; } *stack;
    uint64_t n_evaluations, n_queries;
} shoal_homes;

/* `gains` has the most that each group could gain; NULL: nothing. Codes of a group's row are found from its cluster. */
SHOAL_NODISCARD shoal_status shoal_homes_make(shoal_homes *out, const shoal_metric *metric, const shoal_cluster *clusters,
                                             const int64_t *gains, uint32_t n_groups, bool uses_tree, shoal_error *err);
void shoal_homes_clear(shoal_homes *homes);

/* The group with the least rise, or SHOAL_NO_HOME. The rise must be at least that of the cluster's loss (by the metric) less the group's gain. */
uint32_t shoal_homes_find(shoal_homes *homes, const uint32_t *codes, shoal_rise_fn rise, void *payload);
/* The group has grown; `gain` is the most that it could gain now. O(depth * attributes). */
void shoal_homes_update(shoal_homes *homes, uint32_t group, int64_t gain);

#endif
