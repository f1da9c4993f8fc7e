/* SPDX-License-Identifier: Apache-2.0 */
/* lattice_judge.h - which nodes of the lattice may be published, their costs, and publishing one.
 *
 * Groups of a node with fewer than k rows, or that violate the constraint, are suppressed:
 * published as `*` in every quasi-identifier. The suppressed rows are a group themselves. So as
 * long as there are some, but fewer than k or violating the constraint, the smallest other group
 * (the one with the least class among equals) is suppressed too; this does not apply if suppressed
 * rows are left out of the release or exempt. A node is allowed if at most a given share of the
 * rows is suppressed.
 *
 *     n_below_k    rows in groups of fewer than k. Never more on a node above.
 *     n_small      those and the rows of groups that violate the constraint.
 *     n_suppressed those and the groups added to reach k. May be more on a node above, whose groups
 *                  are larger.
 *
 * Costs; less is better:
 *
 *     gcp      the mean loss of a cell (definition 2.3); a suppressed cell loses 1
 *     dm       discernibility (definition 2.4): the sum of squared sizes, and n per suppressed row
 *     entropy  bits lost by generalising: the mean over cells of
 *              log2(rows with the published value / rows with the original one),
 *              counted in the whole table; `*` counts as all n rows
 *              (the non-uniform entropy of Gionis and Tassa, ESA 2007)
 *
 * They are compared as sums, without terms that are equal for all nodes of a table. A node never
 * costs less than its *floor*, the cost of generalising with all rows kept; and the floor never
 * decreases on the way up.
 */
#ifndef SHOAL_LATTICE_JUDGE_H
#define SHOAL_LATTICE_JUDGE_H

#include "method/full_domain/lattice.h"

typedef enum shoal_node_metric {
    SHOAL_NODE_GCP,
    SHOAL_NODE_DM,
    SHOAL_NODE_ENTROPY
} shoal_node_metric;

typedef struct shoal_judge {
    const shoal_lattice *lattice;
    const shoal_problem *problem; /* k, the constraint, the values of the classes */
    uint64_t limit;               /* rows that may be suppressed */
    shoal_node_metric metric;
    bool is_monotone;     /* a union of groups that satisfy the constraint satisfies it */
    uint32_t *level_at;   /* offset of each attribute's levels in `costs` and `sums` */
    const double **costs; /* of each value of a level; gcp and entropy */
    double *sums;         /* of the costs over all rows, of each level */
    double row_cost;      /* of a suppressed row */
    shoal_arena arena;
} shoal_judge;

/* For the tables of the algorithms. */
#define SHOAL_SUPPRESSION_PARAM                                                                    \
    {                                                                                              \
        "suppression", "0..1", "0", "share of the rows that may be suppressed"                     \
    }
#define SHOAL_NODE_METRIC_PARAM                                                                    \
    {                                                                                              \
        "metric", "gcp|dm|entropy", "gcp",                                                         \
            "measure to minimise: information loss, discernibility, or entropy"                    \
    }

/*
 * Read the parameters `suppression` and, if the algorithm has it, `metric`. The limit is at least
 * problem->may_suppress, the rows that may be suppressed for privacy models. SHOAL_EINVAL if
 * suppressed rows are left out and a model compares groups with the whole table, which would
 * change. End with shoal_judge_clear().
 */
SHOAL_NODISCARD shoal_status shoal_judge_make(shoal_judge *out, const shoal_lattice *lattice,
                                              const shoal_problem *problem,
                                              const shoal_algorithm *algorithm, shoal_error *err);
/* The same with given numbers: at most `limit` suppressed rows. */
SHOAL_NODISCARD shoal_status shoal_judge_init(shoal_judge *out, const shoal_lattice *lattice,
                                              const shoal_problem *problem, uint64_t limit,
                                              shoal_node_metric metric, shoal_error *err);
void shoal_judge_clear(shoal_judge *judge);

typedef enum shoal_fate { SHOAL_KEPT, SHOAL_SMALL, SHOAL_HIDES } shoal_fate;

/* Scratch memory and results of judging; one per thread. Zero-initialised is empty. */
typedef struct shoal_hearing {
    shoal_roller roller;
    uint8_t *fates; /* of each group of the node judged last: a shoal_fate */
    size_t fate_room;
    shoal_node_groups again; /* with a constraint: the groups, rolled up from the classes */
    uint32_t *ids;           /* the group of each class */
    uint32_t *members;       /* classes sorted by group */
    uint32_t *ends;          /* end of each group in `members`; one more entry than groups */
    size_t end_room;
    shoal_evidence group, hidden;
    shoal_range *cells;       /* published cells of a group */
    shoal_stretch *stretches; /* scratch for counting the population */
} shoal_hearing;

void shoal_hearing_clear(shoal_hearing *hearing);

typedef struct shoal_verdict {
    uint64_t n_below_k, n_small, n_suppressed; /* counted until the limit is passed */
    bool is_allowed;
    bool is_hopeless; /* no node below can be allowed either */
} shoal_verdict;

/*
 * Judge a node by its groups. O(groups); with a constraint, if sizes allow the node, O(classes) and
 * the models.
 */
SHOAL_NODISCARD bool shoal_judge_node(shoal_verdict *out, const shoal_judge *judge,
                                      const uint32_t *levels, const shoal_node_groups *groups,
                                      shoal_hearing *hearing);
/*
 * Does a group of a node, whose rows are in hearing->group, satisfy the constraint? There must be
 * one, and a node must have been judged with this hearing.
 */
bool shoal_judge_group(const shoal_judge *judge, const uint32_t *levels,
                       const shoal_node_groups *groups, uint32_t group, shoal_hearing *hearing);
/* Cost of one row of a group in gcp or entropy. O(attributes). */
double shoal_group_cost(const shoal_judge *judge, const uint32_t *levels,
                        const shoal_node_groups *groups, uint32_t group);
/* Cost of generalising every row, none suppressed. O(attributes); O(groups) for dm. */
double shoal_node_floor(const shoal_judge *judge, const uint32_t *levels,
                        const shoal_node_groups *groups);
/* Cost of the allowed node that was judged last. O(groups + suppressed groups * attributes). */
double shoal_node_cost(const shoal_judge *judge, const uint32_t *levels,
                       const shoal_node_groups *groups, const shoal_hearing *hearing);

/* Cost of suppressing one row of this group, minus the cost of publishing it. */
static inline double shoal_suppression_cost(const shoal_judge *judge, const uint32_t *levels,
                                            const shoal_node_groups *groups, uint32_t group)
{
    bool by_size = judge->metric == SHOAL_NODE_DM;
    return judge->row_cost -
           (by_size ? groups->sizes[group] : shoal_group_cost(judge, levels, groups, group));
}

/* Make the slices, cells and levels of a node. SHOAL_EUNSAT if it is not allowed. */
SHOAL_NODISCARD shoal_status shoal_publish_node(shoal_slices *out, const shoal_judge *judge,
                                                const uint32_t *levels, shoal_error *err);

#endif
