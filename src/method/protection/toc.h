/* SPDX-License-Identifier: Apache-2.0 */
/* toc.h - what the files of toc share: its settings, and the steps of one clustering (toc.c has the
 * whole). */
#ifndef SHOAL_TOC_H
#define SHOAL_TOC_H

#include "method/protection/protected.h"

/* So often are candidates for delta doubled at most. */
enum { SHOAL_TOC_ITERATIONS = 10 };

typedef struct shoal_toc {
    const shoal_problem *problem;
    shoal_protected protected;
    /*
     * of each sensitive column: of code y for a seed with code x at x * n_codes + y; NULL where
     * there are many codes
     */
    double **prices;
    double w_u, w_p, delta, epsilon, guard;
    uint64_t s, sample, size;
    uint64_t limit; /* growth=linkage: delta in units of the metric */
    uint32_t iterations;
    bool is_delta_auto, is_s_auto, is_sample_auto, is_size_auto, is_seeds_auto, far_seeds,
        uses_subsets, cuts_as_printed, is_literal, suppresses, uses_tree, takes_best_s;
    bool is_from_subset; /* the settings were found on a subset of the table */
} shoal_toc;

/* Scores of the groups: w_u UM + w_p MPM, in which every group has the same weight; and mr_wtd, in
 * which every row has. */
typedef struct shoal_toc_score {
    double by_group, by_row; /* infinite: there is no group */
    double row_loss;         /* the subset of by_row that is loss: w_u times gcp */
    uint32_t n_groups;       /* that publish different tuples */
} shoal_toc_score;

/* ---- clusters (toc_grow.c): groups and loose rows of the slices, in subsets of at least s rows
 * (0: one subset) ---- */

/* Algorithm 1: rows nearest to a seed, while the cluster is within delta. */
SHOAL_NODISCARD shoal_status shoal_toc_grow(shoal_bunch *out, const shoal_toc *toc,
                                            shoal_rows_view slices, double delta, uint64_t s,
                                            shoal_error *err);
/* By linkage: every cluster has `size` rows, or what is left at the end. */
SHOAL_NODISCARD shoal_status shoal_toc_link(shoal_bunch *out, const shoal_toc *toc,
                                            shoal_rows_view slices, uint64_t size, uint64_t s,
                                            shoal_error *err);

/* ---- groups (toc_leftovers.c) ---- */

/* mr_wtd of each group of a bunch, in units of the metric. False when memory is short. */
SHOAL_NODISCARD bool shoal_toc_weigh(uint64_t *costs, const shoal_toc *toc,
                                     const shoal_bunch *bunch);
/*
 * Assign rows without a group, or suppress them; `score` is then that of the groups. `out` may be
 * NULL: only the score is computed.
 */
SHOAL_NODISCARD shoal_status shoal_toc_place_leftovers(shoal_slices *out, shoal_toc_score *score,
                                                       const shoal_toc *toc,
                                                       const shoal_bunch *bunch, shoal_error *err);
/* The same where groups that cost more than delta are broken up first; `costs` are those of
 * shoal_toc_weigh(). */
SHOAL_NODISCARD shoal_status shoal_toc_place_leftovers_within(
    shoal_slices *out, shoal_toc_score *score, const shoal_toc *toc, const shoal_bunch *bunch,
    const uint64_t *costs, uint64_t delta, shoal_error *err);

#endif
