/* SPDX-License-Identifier: Apache-2.0 */
/* protected.h - shared by toc, upc and kmembers-p: sensitive columns beside quasi-identifiers,
 * subsets of the table, unfinished groups. */
#ifndef SHOAL_PROTECTED_H
#define SHOAL_PROTECTED_H

#include "method/protection/group_index.h"
#include "method/protection/prepartition.h"
#include "privacy/protection.h"
#include "search/priced_search.h"

/* ---- the sensitive columns of a problem ---- */

typedef struct shoal_protected {
    const shoal_problem *problem;
    shoal_space sides; /* the sensitive columns; the attributes are borrowed */
    shoal_priced_search priced;
    double side_unit; /* integer loss of a price of 1: the weight of one sensitive column */
} shoal_protected;

/*
 * Quasi-identifiers share the weight w_u, evenly or `by_priority`, sensitive columns w_p. `name` is
 * the algorithm's, for messages. SHOAL_EINVAL where there is no sensitive column, SHOAL_EDATA where
 * one of them has a single value.
 */
SHOAL_NODISCARD shoal_status shoal_protected_make(shoal_protected *out,
                                                  const shoal_problem *problem, const char *name,
                                                  double w_u, double w_p, bool by_priority,
                                                  shoal_error *err);
void shoal_protected_clear(shoal_protected *protected);

/* Sensitive codes of a class, one a column. */
static inline const uint32_t *shoal_protected_values(const shoal_protected *protected,
                                                     const uint32_t *codes)
{
    return codes + protected->priced.n_qids;
}

/* ---- what sensitive values span ---- */

/* Q-diversity of the values of a box in column s, now and with one more value. */
double shoal_spread_of(const shoal_space *sides, shoal_box box, uint32_t s);
double shoal_spread_with(const shoal_space *sides, shoal_box box, uint32_t s, uint32_t code);
/* Sum over columns of the cost of the S-diversity, rounded down each: of a box, and with one more
 * row. */
shoal_loss shoal_box_price(const shoal_protected *protected, shoal_box box);
shoal_loss shoal_box_price_with(const shoal_protected *protected, shoal_box box,
                                const uint32_t *values);
/* The most by which one more row could lower the price. */
int64_t shoal_box_gain(const shoal_protected *protected, shoal_box box);

/* ---- groups of one subset, and all groups ---- */

/* Slices of groups one after the other, and of rows that found none. Classes are numbered as in the
 * problem. */
typedef struct shoal_bunch {
    shoal_class_rows *slices;
    size_t n_slices, room;
    size_t *begin; /* of each group; begin[n_groups] is n_slices */
    size_t n_groups, group_room;
    shoal_class_rows *loose;
    size_t n_loose, loose_room;
} shoal_bunch;

/* to the group that is being made */
SHOAL_NODISCARD bool shoal_bunch_add(shoal_bunch *bunch, shoal_class_rows slice);
SHOAL_NODISCARD bool shoal_bunch_close(shoal_bunch *bunch); /* it is a group */
/* it is none: its rows are loose */
SHOAL_NODISCARD bool shoal_bunch_drop(shoal_bunch *bunch);
SHOAL_NODISCARD bool shoal_bunch_loose(shoal_bunch *bunch, shoal_class_rows slice);
/* Append all of another one. */
SHOAL_NODISCARD bool shoal_bunch_join(shoal_bunch *bunch, const shoal_bunch *other);
void shoal_bunch_clear(shoal_bunch *bunch);

/* Some classes of the problem, renumbered from 0, with their rows in this subset. */
typedef struct shoal_row_subset {
    shoal_classes classes; /* codes as in priced.classes, and counts */
    uint32_t *class_of;    /* in the problem */
    uint32_t *order;       /* one entry a row: its class, shuffled */
    uint64_t n_rows;
    shoal_kernel *kernel; /* NULL for searches by scan */
    shoal_kernel_state state;
    uint32_t *left; /* rows of each class */
} shoal_row_subset;

SHOAL_NODISCARD shoal_status shoal_row_subset_make(shoal_row_subset *out,
                                                   const shoal_protected *protected,
                                                   const shoal_class_rows *slices, size_t n,
                                                   uint64_t task, bool uses_tree, shoal_error *err);
void shoal_row_subset_clear(shoal_row_subset *subset, shoal_search_stats *stats);
void shoal_row_subset_take(shoal_row_subset *subset, uint32_t class_index, uint32_t n_rows);
void shoal_row_subset_put_back(shoal_row_subset *subset, uint32_t class_index, uint32_t n_rows);

/* shoal_priced_search_cheapest() and shoal_priced_search_cheapest_rows() on a subset, by its tree
 * or by looking at every class. */
uint32_t shoal_row_subset_cheapest(shoal_row_subset *subset, const shoal_priced_search *priced,
                                   const shoal_cluster *cluster, const shoal_side *sides);
uint32_t shoal_row_subset_cheapest_rows(shoal_row_subset *subset, const shoal_priced_search *priced,
                                        const shoal_cluster *cluster, const shoal_side *sides,
                                        uint32_t n_rows, shoal_neighbour *out);

/* The class left that is furthest from a class of the subset, by quasi-identifiers and sensitive
 * values, ties to the lower one. */
uint32_t shoal_row_subset_furthest(shoal_row_subset *subset, const shoal_priced_search *priced,
                                   uint32_t from);

/* Is the time up? Then the run is marked as stopped early. Called from several threads at once. */
bool shoal_protected_is_late(const shoal_protected *protected);
/* All rows left are one group, if there are k of them; else they are loose. */
SHOAL_NODISCARD bool shoal_row_subset_close_rest(shoal_row_subset *subset, shoal_bunch *out,
                                                 uint32_t k);

/* All rows of the problem as slices. NULL when memory is short. */
shoal_class_rows *shoal_all_rows(const shoal_problem *problem);
/* A sample of `n` rows with replacement, as slices, `*n_slices` of them. NULL when memory is short.
 */
shoal_class_rows *shoal_sample_rows(const shoal_problem *problem, uint64_t n, size_t *n_slices);

/* What an algorithm does with one subset: fill `out` from the subset. Called from several threads
 * at once. */
typedef shoal_status (*shoal_row_subset_fn)(shoal_bunch *out, shoal_row_subset *subset,
                                            void *payload, shoal_error *err);

/* What is to be done with each subset of some rows. */
typedef struct shoal_row_subset_work {
    shoal_cut_rule cut;
    bool uses_tree; /* subsets are searched by trees */
    shoal_row_subset_fn fn;
    void *payload;
} shoal_row_subset_work;

/*
 * Cut the slices into subsets, work on them in parallel, and join the results in the order of the
 * subsets.
 */
SHOAL_NODISCARD shoal_status shoal_run_subsets(shoal_bunch *out, const shoal_protected *protected,
                                               shoal_rows_view slices,
                                               const shoal_row_subset_work *work, shoal_error *err);

/* The slices of a bunch's groups, group i of the bunch being group i; loose rows are left out.
 * False when memory is short. */
SHOAL_NODISCARD bool shoal_bunch_emit(shoal_slices *out, const shoal_bunch *bunch);
/*
 * Suppressed rows are a group too, all `*`. Suppress the smallest group (of `n_groups`; ties: the
 * lowest) as long as they are too few (shoal_least_suppressed()) but not none. SHOAL_EUNSAT when no
 * group would be left.
 */
SHOAL_NODISCARD shoal_status shoal_withhold_enough(shoal_slices *slices, uint32_t n_groups,
                                                   const shoal_problem *problem, shoal_error *err);
/* Suppress the smallest group; false when there is none. */
bool shoal_withhold_smallest(shoal_slices *slices, uint64_t *sizes, uint32_t n_groups);

/* A number that is a parameter, in least..most; SHOAL_EINVAL names the algorithm and the parameter.
 */
SHOAL_NODISCARD shoal_status shoal_read_number_param(double *out, const shoal_problem *problem,
                                                     const shoal_algorithm *algorithm,
                                                     const char *name, double least, double most,
                                                     shoal_error *err);
/* A parameter with two words: is it the first? */
SHOAL_NODISCARD shoal_status shoal_read_word_param(bool *is_first, const shoal_problem *problem,
                                                   const shoal_algorithm *algorithm,
                                                   const char *name, const char *first,
                                                   const char *second, shoal_error *err);

#endif
