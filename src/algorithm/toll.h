/* SPDX-License-Identifier: Apache-2.0 */
/* toll.h - what a group costs besides its loss of information: for missing the constraint.
 *
 * The default method lowers the sum over groups of rows * loss. With a constraint each group also pays a toll while it
 * misses some model: so much that mending it is worth more than what a few rows can lose, and rising with what it lacks, so
 * that steps in the right direction pay.
 */
#ifndef SHOAL_TOLL_H
#define SHOAL_TOLL_H

#include "algorithm/algorithm.h"
#include "search/metric.h"

/* One thread's. */
typedef struct shoal_toll {
    const shoal_problem *problem;
    double price;           /* of a lack of 1, in units of rows * loss */
    double scale;           /* from an integer loss to the mean Q-diversity */
    shoal_evidence mine, theirs; /* two groups at hand */
    uint32_t mine_is, theirs_is; /* which: for the user */
} shoal_toll;

#define SHOAL_NO_GROUP UINT32_MAX

/* Only where problem->constraint and the classes' values are there. */
SHOAL_NODISCARD bool shoal_toll_init(shoal_toll *toll, const shoal_problem *problem, const shoal_metric *metric);
void shoal_toll_free(shoal_toll *toll);

static inline void shoal_toll_add(const shoal_toll *toll, shoal_evidence *to, uint32_t class_index, uint32_t count)
{
    shoal_evidence_add(to, toll->problem->constraint, shoal_problem_values(toll->problem, class_index), count);
}

static inline void shoal_toll_remove(const shoal_toll *toll, shoal_evidence *from, uint32_t class_index, uint32_t count)
{
    shoal_evidence_remove(from, toll->problem->constraint, shoal_problem_values(toll->problem, class_index), count);
}

/* What the group lacks, given what it loses. */
double shoal_toll_lack(const shoal_toll *toll, shoal_evidence *group, shoal_loss loss);
/* The same once rows of a class have joined; the loss is that with them. */
double shoal_toll_lack_with(const shoal_toll *toll, shoal_evidence *group, uint32_t class_index, uint32_t count, shoal_loss loss);
/* And the toll for it. */
uint64_t shoal_toll_charge(const shoal_toll *toll, shoal_evidence *group, shoal_loss loss);

#endif
