/* SPDX-License-Identifier: Apache-2.0 */
/* toc_groups.h - groups of toc as left-over rows see them: what they cover, and which of them
 * suffers least from one more row. */
#ifndef SHOAL_TOC_GROUPS_H
#define SHOAL_TOC_GROUPS_H

#include "method/protection/protected.h"
#include "method/protection/rise_table.h"

typedef struct shoal_toc_groups {
    const shoal_protected *protected;
    uint32_t n_groups;
    shoal_cluster *clusters;
    shoal_range *ranges; /* of sensitive values */
    uint64_t *words;
    shoal_loss *prices; /* of S-diversity, of each group */
    int64_t *gains;     /* the most by which a row could lower them */
} shoal_toc_groups;

/* To be cleared also when it fails: memory is short. */
SHOAL_NODISCARD bool shoal_toc_groups_init(shoal_toc_groups *groups,
                                           const shoal_protected *protected,
                                           const shoal_bunch *bunch);
void shoal_toc_groups_clear(shoal_toc_groups *groups);
/* The sensitive values of a group. */
shoal_box shoal_toc_groups_box(const shoal_toc_groups *groups, uint32_t group);

/* Where rows go: by the board, or, where it has no lines, by branch and bound. The answer is the
 * same. */
typedef struct shoal_toc_finder {
    shoal_toc_groups *groups;
    shoal_rise_table board;
    shoal_group_index group_index;
    uint32_t *wider; /* room for the columns that a row makes wider */
} shoal_toc_finder;

/* Made in place, for about `n_queries` queries. `uses_tree`: else every group is compared each
 * time. To be cleared only when it succeeds. */
SHOAL_NODISCARD shoal_status shoal_toc_finder_make(shoal_toc_finder *out, shoal_toc_groups *groups,
                                                   size_t n_queries, bool uses_tree,
                                                   shoal_error *err);
void shoal_toc_finder_clear(shoal_toc_finder *finder);
/* The group whose mr_wtd grows least by a row of the class, ties to the group formed first. */
uint32_t shoal_toc_finder_find(shoal_toc_finder *finder, uint32_t class_index);
/* The row joins it. False: the group covered it already, so the answer for every row is what it
 * was. */
bool shoal_toc_finder_join(shoal_toc_finder *finder, uint32_t group, uint32_t class_index);

#endif
