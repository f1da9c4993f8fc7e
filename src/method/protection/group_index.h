/* SPDX-License-Identifier: Apache-2.0 */
/* group_index.h - the groups that a row can join at the least rise of mr_wtd, without looking at
 * every group.
 *
 * Groups are in a tree (the kernel's, over one row of each); a node has the hull of its groups, the
 * largest loss of one of them in each quasi-identifier, and the largest gain of any of them by a
 * row (protection can improve). This gives a lower bound of the rise for a row in any can cost any
 * group of the node. The answer is the one that a scan of all groups gives, ties to the group
 * formed first.
 *
 *     shoal_group_index_make(&group_index, ...);
 *     n = shoal_group_index_find(&group_index, thread, codes, rise, payload, found, most);     from
 * several threads at once, as long as no group grows the row joins found[0].group;
 * shoal_group_index_update(&group_index, found[0].group, gain);
 */
#ifndef SHOAL_GROUP_INDEX_H
#define SHOAL_GROUP_INDEX_H

#include "search/kernel.h"

/* What one more row with these codes costs a group: the rise of its loss less what it gains;
 * INT64_MAX: it must not join. */
typedef int64_t (*shoal_rise_fn)(void *payload, uint32_t group, const uint32_t *codes);

#define SHOAL_NO_HOME UINT32_MAX

/* A group, and what the row costs it; SHOAL_NO_HOME and INT64_MAX where it must not join any. */
typedef struct shoal_group_choice {
    int64_t rise;
    uint32_t group;
} shoal_group_choice;

/* Is it the better one? Ties go to the group formed first. */
static inline bool shoal_group_choice_is_better(shoal_group_choice it, shoal_group_choice than)
{
    return it.rise < than.rise || (it.rise == than.rise && it.group < than.group);
}

typedef struct shoal_group_index {
    const shoal_metric *metric;
    const shoal_cluster *clusters; /* of each group; borrowed */
    uint32_t n_groups;
    shoal_classes firsts; /* one class a group */
    shoal_kernel *kernel; /* NULL: all groups are compared */
    shoal_range *hulls;   /* of each node and attribute */
    shoal_loss *losses;   /* likewise: the largest of a group */
    int64_t *gains;       /* of each node */
    int64_t *own_gains;   /* of each group */
    uint32_t *least;      /* lowest group of each node */
    /* room for the search of each thread, one behind the other */
    struct group_index_step {
        uint32_t node;
        int64_t bound;
    } * stack;
} shoal_group_index;

/* What is known of the groups when the index is made. */
typedef struct shoal_indexed_groups {
    const shoal_cluster *clusters; /* borrowed as long as the index lives; codes of a group's row
                                      are found from its cluster */
    const int64_t *gains;          /* the most that each group could gain; NULL: nothing */
    uint32_t n;
} shoal_indexed_groups;

/* For searches by up to `threads` threads at once. */
SHOAL_NODISCARD shoal_status shoal_group_index_make(shoal_group_index *out,
                                                    const shoal_metric *metric,
                                                    shoal_indexed_groups groups, uint32_t threads,
                                                    bool uses_tree, shoal_error *err);
void shoal_group_index_clear(shoal_group_index *group_index);

/*
 * The `most` groups with the least rises, the best first; returns how many there are. The rise must
 * be at least that of the cluster's loss (by the metric) less the group's gain. `thread` is the
 * number of the calling thread, from 0.
 */
uint32_t shoal_group_index_find(const shoal_group_index *group_index, uint32_t thread,
                                const uint32_t *codes, shoal_rise_fn rise, void *payload,
                                shoal_group_choice *found, uint32_t most);
/* Is this group better than `best`? Then it takes its place. */
void shoal_group_index_consider(const shoal_group_index *group_index, shoal_group_choice *best,
                                uint32_t group, const uint32_t *codes, shoal_rise_fn rise,
                                void *payload);
/* The group has grown; `gain` is the most that it could gain now. O(depth * attributes). */
void shoal_group_index_update(shoal_group_index *group_index, uint32_t group, int64_t gain);

#endif
