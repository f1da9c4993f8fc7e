/* SPDX-License-Identifier: Apache-2.0 */
/* clustering.h - a grouping in the making, as the default method passes it from its start to its
 * refinement.
 *
 * Invariant: the rows of each class are in groups or loose, and nothing else. A group is a list of
 * slices (some rows of one class) and the cluster that they cover. An emptied group keeps its
 * place.
 */
#ifndef SHOAL_CLUSTERING_H
#define SHOAL_CLUSTERING_H

#include "method/algorithm.h"
#include "search/kernel.h"

typedef struct shoal_clustering_group {
    shoal_class_rows *slices;
    uint32_t n_slices, room;
    shoal_cluster cluster;
} shoal_clustering_group;

typedef struct shoal_clustering {
    const shoal_problem *problem;
    const shoal_metric *metric;
    shoal_clustering_group *groups;
    size_t n_groups, group_room;
    uint32_t *loose;  /* rows of each class that are in no group */
    uint64_t n_loose; /* in all */
    /* penalty that refinement minimises besides the loss (penalty.h); NULL: none */
    const struct shoal_objective *objective;
    bool ignores_constraint; /* while a start runs that ignores it */
    /* formed without regard to the constraint: refinement applies a low penalty at first */
    bool is_lenient;
    /* groups satisfy the constraint already: perturbations are all that refinement does to them */
    bool perturbs_only;
    double lacking; /* share of the groups that missed it then */
    /* loss of another start (0: there is none): a start that will not be below it may abort */
    uint64_t to_beat;
    bool has_given_up;
} shoal_clustering;

/* The constraint that groups are formed under, or NULL. */
static inline const shoal_constraint *
shoal_clustering_constraint(const shoal_clustering *clustering)
{
    return clustering->ignores_constraint ? NULL : clustering->problem->constraint;
}

SHOAL_NODISCARD bool shoal_clustering_init(shoal_clustering *clustering,
                                           const shoal_problem *problem,
                                           const shoal_metric *metric);
void shoal_clustering_clear(shoal_clustering *clustering);
/* A new empty group, or SIZE_MAX when memory is short. */
size_t shoal_clustering_open(shoal_clustering *clustering);
/* Rows of a class, which must be loose, join a group. */
SHOAL_NODISCARD bool shoal_clustering_give(shoal_clustering *clustering, size_t group,
                                           uint32_t class_index, uint32_t count);
/* Replace the contents of a group. Loose counts are not touched. */
SHOAL_NODISCARD bool shoal_clustering_set(shoal_clustering *clustering, size_t group,
                                          const shoal_class_rows *slices, uint32_t n);
/* Which share of the groups misses the constraint, which must be there? */
SHOAL_NODISCARD shoal_status shoal_clustering_count_lacking(double *out,
                                                            const shoal_clustering *clustering,
                                                            shoal_error *err);
/* Sum over groups of rows * loss. */
uint64_t shoal_clustering_loss(const shoal_clustering *clustering);
/* All loose rows become one group, if they are at least k. */
SHOAL_NODISCARD bool shoal_clustering_close(shoal_clustering *clustering);
/* The loose rows become groups by Mondrian, if they are at least k: after a time limit, or as a
 * start of its own (start_methods.c). */
SHOAL_NODISCARD shoal_status shoal_start_mondrian(shoal_clustering *clustering, shoal_error *err);
/* The same by k-Members (start_methods.c). */
SHOAL_NODISCARD shoal_status shoal_start_kmembers(shoal_clustering *clustering, shoal_error *err);
/* The loose rows of each class join the group whose loss grows least. O(loose classes * groups). */
SHOAL_NODISCARD bool shoal_clustering_assign_loose(shoal_clustering *clustering);
/* Dissolve groups whose rows lose less in groups that have rows of their classes: without a
 * constraint only (dissolve.c). */
SHOAL_NODISCARD bool shoal_clustering_dissolve(shoal_clustering *clustering);
SHOAL_NODISCARD bool shoal_clustering_emit(const shoal_clustering *clustering, shoal_slices *out);

/* ---- starts (each leaves loose what it could not place) and refinement of the default method ----
 */

/* Cheapest group first (start_cheapest_group.c). */
SHOAL_NODISCARD shoal_status shoal_start_cheapest_group(shoal_clustering *clustering,
                                                        shoal_error *err);
/* Groups in the order of the search tree: one pass, for large tables (start_regions.c). */
SHOAL_NODISCARD shoal_status shoal_start_in_tree_order(shoal_clustering *clustering,
                                                       shoal_error *err);
/* Cheapest group first within regions of neighbours, for large tables (start_regions.c). */
SHOAL_NODISCARD shoal_status shoal_start_cheapest_by_regions(shoal_clustering *clustering,
                                                             shoal_error *err);
/* Loose rows become groups without regard to the constraint: refinement repairs them
 * (start_regions.c). */
SHOAL_NODISCARD shoal_status shoal_start_unconstrained(shoal_clustering *clustering,
                                                       shoal_error *err);
/* Cheapest box first (start_grids.c). Aborts when it will not beat clustering->to_beat. */
SHOAL_NODISCARD shoal_status shoal_start_grids(shoal_clustering *clustering, shoal_error *err);

/* Most classes of a region that is searched as a whole: fewer in wide tables. */
uint32_t shoal_region_classes(const shoal_metric *metric);

/* Regroup neighbouring groups for so many rounds, with so many perturbations a group in each; sets
 * stats->stopped_early when a limit or the
 * caller ends it (shoal.c). */
SHOAL_NODISCARD shoal_status shoal_refine(shoal_clustering *clustering, uint32_t rounds,
                                          double perturbations, shoal_error *err);
/* Move and swap rows until no single move or swap lowers the loss (polish.c). */
SHOAL_NODISCARD shoal_status shoal_polish(shoal_clustering *clustering, shoal_error *err);

/*
 * Invariants, for SHOAL_INVARIANT() and tests: the rows of each class are in groups or loose, and
 * nothing else; clusters count them.
 */
bool shoal_clustering_rows_add_up(const shoal_clustering *clustering);
/* Every group that is not empty has k rows. */
bool shoal_clustering_groups_have_k_rows(const shoal_clustering *clustering);

/* Report the loss of the clustering, which must be valid, to the caller. O(groups). */
void shoal_clustering_report_loss(const shoal_clustering *clustering);

/* Should refinement stop now? Calls the progress callback, so only from the caller's thread. */
bool shoal_should_stop(const shoal_problem *problem, double fraction);

#endif
