/* SPDX-License-Identifier: Apache-2.0 */
/* informed_levels.h - a table on the levels that tell most of the class, and what it still tells as groups are suppressed.
 *
 * For each quasi-identifier the level of the highest I_N (information.h) is chosen; of equal ones the one nearer to the
 * values. The rows then form groups; taking a group out changes counts of values, labels and pairs of both,
 * which are kept up to date.
 *
 *     alpha    the largest |change of I_N| that suppression made, over quasi-identifiers
 *     beta     the largest D_N
 *
 * Invariant: `after` counts the rows of the groups that were not taken out. Cost: O(classes * levels) for choosing, by hashing;
 * O(classes of the group * attributes) for taking one out; O(pairs of value and label) for alpha and beta.
 * Memory: 4 bytes a class and attribute, and the counts.
 */
#ifndef SHOAL_INFORMED_LEVELS_H
#define SHOAL_INFORMED_LEVELS_H

#include "method/full_domain/lattice_judge.h"
#include "cost/information.h"

typedef struct shoal_informed {
    const shoal_problem *problem;
    shoal_lattice lattice;
    uint32_t *levels;          /* chosen */
    double **information;      /* I_N of each attribute on each of its levels */
    shoal_node_groups groups;  /* on the chosen levels */
    uint32_t *group_of_class;
    uint32_t *members, *begin; /* classes of each group, group after group */
    shoal_joint *before, *after; /* of each attribute on its level; `after` shares value and label with `before` */
    uint32_t **cells;          /* of each attribute: the cell of each class */
} shoal_informed;

/*
 * Choose the levels and form the groups. SHOAL_EINVAL when the class column has a single value. `method` is named in
 * messages. Free with shoal_informed_clear(), also after a failure.
 */
SHOAL_NODISCARD shoal_status shoal_informed_make(shoal_informed *out, const shoal_problem *problem, const char *method,
                                                shoal_error *err);
void shoal_informed_clear(shoal_informed *informed);

/* Take a group out, or (`back`) put it in again. */
void shoal_informed_suppress(shoal_informed *informed, uint32_t group, bool back);
/* What the groups taken out have changed; all but k_reached. */
void shoal_informed_changes(const shoal_informed *informed, shoal_information *out);
/* Suppress what a judge does on the chosen levels, note alpha and beta for the report, and publish. */
SHOAL_NODISCARD shoal_status shoal_informed_publish(shoal_parts *out, shoal_informed *informed, const shoal_judge *judge,
                                                   shoal_error *err);

#endif
