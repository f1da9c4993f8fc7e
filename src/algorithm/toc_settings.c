/* SPDX-License-Identifier: Apache-2.0 */
/* toc_settings.c - seeds, size, delta and s of toc, found by trying; see toc_settings.h.
 *
 * As published: delta among the midpoints of 2, 4, 8, ... intervals of [0,1], s by doubling from k until the score improves by less than epsilon, both on
 * a sample. By linkage: sizes k, 2k, 4k, ... while the score falls, and for each the deltas that break up 0, 2, 5, 10, 20, 35 and 50 percent of the
 * clusters; on the table itself, or on one part of it where it has more than 50,000 rows.
 *
 * Departs from the thesis: (a) where it picks delta and s by UM + MPM, they are picked by w_u UM + w_p MPM, which is the same for equal weights;
 * (b) delta = 1 is tried too, so that there is always one that makes groups.
 *
 * Loukides, PhD thesis 2008, Algorithms 3 and 4. Cost: some ten clusterings of the rows that it tries on.
 */
#include "algorithm/toc_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cluster some rows as published; `score` is w_u UM + w_p MPM of the groups, infinite when there is none. `out` may be NULL. */
shoal_status shoal_toc_run_literal(shoal_parts *out, double *score, const shoal_toc *t, const shoal_piece *pieces, size_t n, double delta,
                                 uint64_t s, shoal_error *err)
{
    shoal_bunch bunch = { 0 };
    shoal_status status = shoal_toc_grow(&bunch, t, pieces, n, delta, s, err);
    if (status == SHOAL_OK) status = shoal_toc_settle(out, score, t, &bunch, err);
    shoal_bunch_clear(&bunch);
    return status;
}

/* ---- linkage: clusters first, then what delta breaks up ---- */

static int by_size(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

enum { N_SHARES = 7 };

/* The deltas that break up so many clusters, the least first of equal scores. */
static shoal_status try_deltas(double *best, uint64_t *delta, const shoal_toc *t, const shoal_bunch *bunch, const uint64_t *costs, shoal_error *err)
{
    static const double shares[N_SHARES] = { 0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5 };
    double scores[N_SHARES];
    shoal_status statuses[N_SHARES];
    uint64_t deltas[N_SHARES], *sorted = shoal_alloc(bunch->n_groups, sizeof *sorted);
    if (sorted == NULL) return shoal_fail_memory(err);
    memcpy(sorted, costs, bunch->n_groups * sizeof *sorted);
    qsort(sorted, bunch->n_groups, sizeof *sorted, by_size);
    for (int i = 0; i < N_SHARES; i++)
        deltas[i] = sorted[bunch->n_groups - 1 - (size_t)((double)(bunch->n_groups - 1) * shares[i])];
    shoal_free(sorted);
#pragma omp parallel for num_threads(t->problem->threads) schedule(dynamic)
    for (int i = 0; i < N_SHARES; i++) statuses[i] = shoal_toc_settle_within(NULL, &scores[i], t, bunch, costs, deltas[i], NULL);
    *best = INFINITY;
    for (int i = 0; i < N_SHARES; i++) {
        if (statuses[i] != SHOAL_OK) return shoal_fail_memory(err);
        if (scores[i] >= *best) continue;
        *best = scores[i];
        *delta = deltas[i];
    }
    return SHOAL_OK;
}

/* Clusters of `size` rows, settled with the delta that was given or with the best one. */
shoal_status shoal_toc_run_link(shoal_parts *out, double *score, const shoal_toc *t, const shoal_piece *pieces, size_t n, uint64_t size,
                              uint64_t s, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_bunch bunch = { 0 };
    uint64_t *costs = NULL, delta = (uint64_t)(t->delta * t->guarded.steer.metric.unit);
    SHOAL_GOTO_IF_ERROR(shoal_toc_link(&bunch, t, pieces, n, size, s, err), out);
    costs = shoal_alloc(bunch.n_groups, sizeof *costs);
    if (costs == NULL || !shoal_toc_weigh(costs, t, &bunch)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    *score = INFINITY;
    if (t->is_delta_auto && bunch.n_groups > 0) SHOAL_GOTO_IF_ERROR(try_deltas(score, &delta, t, &bunch, costs, err), out);
    if (out != NULL || !t->is_delta_auto) status = shoal_toc_settle_within(out, score, t, &bunch, costs, delta, err);
out:
    shoal_free(costs);
    shoal_bunch_clear(&bunch);
    return status;
}

/* Sizes from k up, twice as much each time, until two in a row were no better than the best; last, all rows in one group. */
static shoal_status choose_size(shoal_toc *t, const shoal_piece *pieces, size_t n, uint64_t n_rows, shoal_error *err)
{
    double best = INFINITY;
    int n_worse = 0;
    t->size = t->problem->k;
    for (uint64_t size = t->problem->k; n_worse < 2; size *= 2) {
        double score;
        bool is_last = 2 * size > n_rows;
        if (is_last) size = t->problem->classes->n_rows; /* of the whole table, also where this is a part of it */
        SHOAL_RETURN_IF_ERROR(shoal_toc_run_link(NULL, &score, t, pieces, n, size, t->uses_parts && !t->is_s_auto ? t->s : 0, err));
        n_worse = score < best ? 0 : n_worse + 1;
        if (shoal_seconds() >= t->problem->deadline) { /* what was found so far is used */
            t->problem->stats->stopped_early = true;
            is_last = true;
        }
        if (score < best) {
            best = score;
            t->size = size;
        }
        if (is_last) break;
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(t->problem, 0.5 * (double)size / (double)n_rows, err));
    }
    return SHOAL_OK;
}

/* Parts of at least s rows: doubled while that helps. */
static shoal_status choose_link_s(shoal_toc *t, const shoal_piece *pieces, size_t n, uint64_t n_rows, shoal_error *err)
{
    double before = INFINITY;
    t->s = t->size;
    for (uint64_t s = t->size; 2 * s <= n_rows; s *= 2) {
        double score;
        SHOAL_RETURN_IF_ERROR(shoal_toc_run_link(NULL, &score, t, pieces, n, t->size, s, err));
        bool is_better = score < before;
        if (is_better) t->s = s;
        if (isfinite(score) && before - score < t->epsilon * score) break;
        before = is_better ? score : before;
    }
    return SHOAL_OK;
}

/* Where clusters begin: both are tried with clusters of k rows (or of the size given). */
static shoal_status choose_seeds(shoal_toc *t, const shoal_piece *pieces, size_t n, shoal_error *err)
{
    double far_score, random_score;
    uint64_t size = t->is_size_auto ? t->problem->k : t->size, s = t->uses_parts && !t->is_s_auto ? t->s : 0;
    t->far_seeds = true;
    SHOAL_RETURN_IF_ERROR(shoal_toc_run_link(NULL, &far_score, t, pieces, n, size, s, err));
    t->far_seeds = false;
    SHOAL_RETURN_IF_ERROR(shoal_toc_run_link(NULL, &random_score, t, pieces, n, size, s, err));
    t->far_seeds = far_score < random_score;
    return SHOAL_OK;
}

/* Find what was not given, on the table or on a part of it. */
shoal_status shoal_toc_choose_link(shoal_toc *t, const shoal_piece *all, shoal_error *err)
{
    enum { WHOLE = 50000 };
    shoal_status status = SHOAL_OK;
    shoal_lots lots = { 0 };
    shoal_rng rng;
    bool needs_s = t->uses_parts && t->is_s_auto;
    if (!t->uses_parts) t->s = 0;
    if (!t->is_size_auto && !t->is_seeds_auto && !needs_s) return SHOAL_OK;
    uint64_t limit = t->is_sample_auto ? WHOLE : t->sample, n_rows = 0;
    SHOAL_RETURN_IF_ERROR(shoal_prepartition(&lots, t->problem->space, t->problem->classes, all, t->problem->classes->n_classes,
                                             t->problem->classes->n_rows > limit ? limit / 2 : 0, err));
    shoal_rng_init(&rng, t->problem->seed, UINT64_MAX);
    size_t part = (size_t)shoal_rng_below(&rng, lots.n_lots), n = lots.begin[part + 1] - lots.begin[part];
    const shoal_piece *pieces = lots.pieces + lots.begin[part];
    for (size_t i = 0; i < n; i++) n_rows += pieces[i].count;
    if (t->is_seeds_auto) status = choose_seeds(t, pieces, n, err);
    if (status == SHOAL_OK && t->is_size_auto) status = choose_size(t, pieces, n, n_rows, err);
    if (status == SHOAL_OK && needs_s) status = choose_link_s(t, pieces, n, n_rows, err);
    shoal_lots_clear(&lots);
    return status;
}

/* ---- Algorithms 3 and 4: delta and s from a sample ---- */

/* The j-th of the candidates of an iteration: midpoints of 2^i intervals; one more in the first iteration: 1. */
static double candidate(uint32_t i, uint32_t j)
{
    double n = (double)((uint64_t)1 << i);
    return j < n ? (j + 0.5) / n : 1;
}

static shoal_status choose_delta(shoal_toc *t, const shoal_piece *sample, size_t n, shoal_error *err)
{
    double best = INFINITY, scores[(1 << SHOAL_TOC_ITERATIONS) + 1];
    for (uint32_t i = 1; i <= t->iterations; i++) {
        uint32_t n_candidates = (1u << i) + (i == 1);
        uint32_t n_failed = 0; /* for want of memory: nothing else fails here */
#pragma omp parallel for num_threads(t->problem->threads) schedule(dynamic) reduction(+ : n_failed)
        for (uint32_t j = 0; j < n_candidates; j++)
            n_failed += shoal_toc_run_literal(NULL, &scores[j], t, sample, n, candidate(i, j), 0, NULL) != SHOAL_OK;
        if (n_failed > 0) return shoal_fail_memory(err);
        for (uint32_t j = 0; j < n_candidates; j++)
            if (scores[j] < best) {
                best = scores[j];
                t->delta = candidate(i, j);
            }
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(t->problem, 0.3 * i / t->iterations, err));
    }
    return SHOAL_OK;
}

static shoal_status choose_s(shoal_toc *t, const shoal_piece *sample, size_t n, shoal_error *err)
{
    double before = INFINITY;
    t->s = t->problem->k;
    for (uint64_t s = t->problem->k; 2 * s <= t->sample; s *= 2) {
        double score;
        SHOAL_RETURN_IF_ERROR(shoal_toc_run_literal(NULL, &score, t, sample, n, t->delta, s, err));
        bool is_better = score < before;
        if (is_better) t->s = s;
        if (isfinite(score) && before - score < t->epsilon) break; /* also when it got worse */
        before = is_better ? score : before;
    }
    return SHOAL_OK;
}

/* A fortieth of the rows (2.5 %), but enough of them for some groups. */
static uint64_t sample_size(const shoal_problem *problem)
{
    uint64_t n = problem->classes->n_rows, least = 20 * (uint64_t)problem->k > 2000 ? 20 * (uint64_t)problem->k : 2000;
    uint64_t size = n / 40 > least ? n / 40 : least;
    return size < n ? size : n;
}

shoal_status shoal_toc_choose_literal(shoal_toc *t, shoal_error *err)
{
    bool needs_s = t->uses_parts && t->is_s_auto;
    if (!t->uses_parts) t->s = 0;
    if (!t->is_delta_auto && !needs_s) return SHOAL_OK;
    size_t n = 0;
    if (t->is_sample_auto) t->sample = sample_size(t->problem);
    shoal_piece *sample = shoal_sample_pieces(t->problem, t->sample, &n);
    if (sample == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    if (t->is_delta_auto) status = choose_delta(t, sample, n, err);
    if (status == SHOAL_OK && needs_s) status = choose_s(t, sample, n, err);
    shoal_free(sample);
    return status;
}
