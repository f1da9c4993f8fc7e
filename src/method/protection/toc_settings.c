/* SPDX-License-Identifier: Apache-2.0 */
/* toc_settings.c - seeds, size, delta and s of toc, found by trying; see toc_settings.h.
 *
 * As published: delta among the midpoints of 2, 4, 8, ... intervals of [0,1], s by doubling from k
 * until the score improves by less than epsilon, both on a sample. By linkage: both kinds of seeds
 * and sizes of k to 2k, 3k, 4k, 6k, 8k, ... while they are not much worse than the best, and for
 * each of these clusterings the deltas that keep the best 1, 2, 3, ... of its clusters; then sizes
 * near the best one. The score is far from smooth: its best is often a delta that keeps few
 * clusters, and neighbours of a good setting may be bad, so many are tried. Settings beyond the
 * guard on the loss per row are not taken. That is done on the table itself, or on one subset of it
 * where it has more than 50,000 rows; then deltas near the best one are compared on the table.
 *
 * Departs from the thesis: (a) where it picks delta and s by UM + MPM, they are picked by w_u UM +
 * w_p MPM, which is the same for equal weights; (b) delta = 1 is tried too, so that there is always
 * one that makes groups; (c) s is the best one tried, and the search ends when the score gets
 * worse, too: Algorithm 4 takes the s at its exit, where two scores in turn differ by less than
 * epsilon (s-choice=exit).
 *
 * Loukides, PhD thesis 2008, Algorithms 3 and 4. Cost: some twenty to fifty clusterings of the rows
 * that it tries on.
 */
#include "method/protection/toc_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cluster some rows as published; `score` is w_u UM + w_p MPM of the groups, infinite when there is
 * none. `out` may be NULL. */
shoal_status shoal_toc_run_literal(shoal_slices *out, shoal_toc_score *score, const shoal_toc *t,
                                   shoal_rows_view slices, double delta, uint64_t s,
                                   shoal_error *err)
{
    shoal_bunch bunch = { 0 };
    shoal_status status = shoal_toc_grow(&bunch, t, slices, delta, s, err);
    if (status == SHOAL_OK) status = shoal_toc_place_leftovers(out, score, t, &bunch, err);
    shoal_bunch_clear(&bunch);
    return status;
}

/* ---- linkage: clusters first, then what delta breaks up ---- */

enum { ROUND = 4, PATIENCE = 4, MOST_ATTEMPTS = 2 * ROUND, MOST_LIMITS = 128, WHOLE = 50000 };

/* Scores this close to the best are as good: of these the settings that cost rows least are taken.
 */
static const double slack = 0.02;

typedef struct setting {
    uint64_t size, s, limit; /* limit: delta in units of the metric */
    bool far_seeds;
    shoal_toc_score score;
} setting;

/* One clustering, and what came of some deltas. */
typedef struct attempt {
    setting base, found[MOST_LIMITS];
    size_t n_found;
    double best; /* score */
    shoal_status status;
} attempt;

/* What was found so far and may still be taken. */
typedef struct findings {
    setting *items;
    size_t n, room;
    double best; /* score */
} findings;

static int by_size(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static uint64_t *sort_costs(const uint64_t *costs, size_t n)
{
    uint64_t *sorted = shoal_alloc(n, sizeof *sorted);
    if (sorted == NULL) return NULL;
    memcpy(sorted, costs, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_size);
    return sorted;
}

static bool try_limit(attempt *it, const shoal_toc *t, const shoal_bunch *bunch,
                      const uint64_t *costs, uint64_t limit)
{
    setting now = it->base;
    now.limit = limit;
    if (shoal_toc_place_leftovers_within(NULL, &now.score, t, bunch, costs, limit, NULL) !=
        SHOAL_OK)
        return false;
    if (now.score.by_group < it->best) it->best = now.score.by_group;
    if (isfinite(now.score.by_group) && it->n_found < MOST_LIMITS) it->found[it->n_found++] = now;
    return true;
}

/* How many clusters to keep next: all numbers up to 8, then a quarter more each time. */
static size_t next_count(size_t n_kept, size_t n)
{
    size_t next = n_kept + (n_kept < 8 ? 1 : n_kept / 4);
    return next < n || n_kept >= n ? next : n;
}

/*
 * Keep the best 1, 2, 3, ... clusters. Left-over rows make groups worse rather than better, so if
 * the kept ones cost more on average than `best`, keeping more cannot help. Finally, numbers
 * between the best one and its neighbours are tried.
 */
static bool try_limits(attempt *it, const shoal_toc *t, const shoal_bunch *bunch,
                       const uint64_t *costs, double best)
{
    size_t n = bunch->n_groups, n_summed = 0, n_best = 0;
    double sum = 0, unit = t->protected.priced.metric.unit;
    uint64_t *sorted = sort_costs(costs, n);
    bool ok = sorted != NULL;
    for (size_t n_kept = 1; ok && n_kept <= n; n_kept = next_count(n_kept, n)) {
        /* delta keeps all of them or none */
        while (n_kept < n && sorted[n_kept] == sorted[n_kept - 1]) n_kept++;
        for (; n_summed < n_kept; n_summed++) sum += (double)sorted[n_summed] / unit;
        /* then what is best by score alone may not be taken */
        bool is_guarded = isfinite(t->guard) && t->w_u > 0;
        if (!is_guarded && sum / (double)n_kept > (1 + slack) * fmin(best, it->best)) break;
        double before = it->best;
        ok = try_limit(it, t, bunch, costs, sorted[n_kept - 1]);
        if (it->best < before) n_best = n_kept;
    }
    for (int step = -3; ok && n_best > 8 && it->best <= best && step <= 3; step++) {
        size_t n_kept = n_best + (size_t)((double)n_best * step * 0.06);
        if (step != 0 && n_kept <= n) ok = try_limit(it, t, bunch, costs, sorted[n_kept - 1]);
    }
    shoal_free(sorted);
    return ok;
}

/* Cluster, and try deltas; `best` is a score to surpass. */
static void make_attempt(attempt *it, const shoal_toc *t, const shoal_class_rows *slices, size_t n,
                         double best)
{
    shoal_bunch bunch = { 0 };
    shoal_toc own = *t;
    own.far_seeds = it->base.far_seeds;
    it->n_found = 0;
    it->best = INFINITY;
    it->status = shoal_toc_link(&bunch, &own, (shoal_rows_view){ slices, n }, it->base.size,
                                it->base.s, NULL);
    uint64_t *costs = shoal_alloc(bunch.n_groups, sizeof *costs);
    bool ok = costs != NULL && it->status == SHOAL_OK && shoal_toc_weigh(costs, &own, &bunch);
    if (ok && bunch.n_groups > 0)
        ok = t->is_delta_auto ? try_limits(it, &own, &bunch, costs, best)
                              : try_limit(it, &own, &bunch, costs, t->limit);
    if (!ok && it->status == SHOAL_OK) it->status = SHOAL_ENOMEM;
    shoal_free(costs);
    shoal_bunch_clear(&bunch);
}

static bool keep(findings *to, const setting *it)
{
    void *block = to->items;
    if (!shoal_reserve(&block, &to->room, to->n + 1, sizeof *to->items)) return false;
    to->items = block;
    to->items[to->n++] = *it;
    return true;
}

/* Some attempts at once. They are independent, so the result does not depend on threads. */
static shoal_status make_attempts(findings *to, attempt *tries, size_t n_tries, const shoal_toc *t,
                                  const shoal_class_rows *slices, size_t n, shoal_error *err)
{
    double best = to->best;
#pragma omp parallel for num_threads(t->problem->threads) schedule(dynamic)
    for (size_t i = 0; i < n_tries; i++) make_attempt(&tries[i], t, slices, n, best);
    for (size_t i = 0; i < n_tries; i++) to->best = fmin(to->best, tries[i].best);
    for (size_t i = 0; i < n_tries; i++) {
        /* nothing else fails here */
        if (tries[i].status != SHOAL_OK) return shoal_fail_memory(err);
        for (size_t j = 0; j < tries[i].n_found; j++)
            if (!keep(to, &tries[i].found[j])) return shoal_fail_memory(err);
    }
    return SHOAL_OK;
}

static bool is_cheaper(const shoal_toc_score *it, const shoal_toc_score *than)
{
    return it->by_row < than->by_row ||
           (it->by_row == than->by_row && it->n_groups > than->n_groups);
}

/* What to take: of the settings within the guard, and as good as the best of these, the one that
 * costs rows least. NULL: no groups were found. */
static const setting *take_best(const findings *from, double guard)
{
    const setting *best = NULL;
    double least_loss = INFINITY, least = INFINITY;
    for (size_t i = 0; i < from->n; i++)
        least_loss = fmin(least_loss, from->items[i].score.row_loss);
    double most_loss = isfinite(guard) ? guard * least_loss + 1e-12 : INFINITY;
    for (size_t i = 0; i < from->n; i++)
        if (from->items[i].score.row_loss <= most_loss)
            least = fmin(least, from->items[i].score.by_group);
    for (size_t i = 0; i < from->n; i++) {
        const setting *it = &from->items[i];
        if (it->score.row_loss > most_loss || it->score.by_group > (1 + slack) * least) continue;
        if (best == NULL || is_cheaper(&it->score, &best->score)) best = it;
    }
    return best;
}

/* Seeds of both kinds, or those that were asked for. */
static size_t add_attempts(attempt *tries, size_t n, const shoal_toc *t, uint64_t size)
{
    uint64_t s = t->uses_subsets && !t->is_s_auto ? t->s : 0;
    for (int far = 1; far >= 0; far--)
        if (t->is_seeds_auto || t->far_seeds == (far == 1))
            tries[n++].base = (setting){ .size = size, .s = s, .far_seeds = far == 1 };
    return n;
}

/* k, 5/4, 6/4, 7/4, 2, 3, 4, 6, 8, ... times k. */
static uint64_t next_size(uint64_t size, uint32_t k)
{
    if (size < 2 * (uint64_t)k)
        return size + (k < 4 ? 1 : k / 4) < 2 * (uint64_t)k ? size + (k < 4 ? 1 : k / 4)
                                                            : 2 * (uint64_t)k;
    uint64_t power = 2 * (uint64_t)k;
    while (2 * power <= size) power *= 2;
    return size == power ? power + power / 2 : 2 * power;
}

/* Sizes from k up, some at a time, until all of them are worse than the best by half; then sizes
 * near the best one. */
static shoal_status choose_size(findings *to, attempt *tries, const shoal_toc *t,
                                const shoal_class_rows *slices, size_t n, uint64_t n_rows,
                                shoal_error *err)
{
    uint32_t k = t->problem->k;
    uint64_t size = k;
    size_t n_tries;
    for (bool is_worse = false; !is_worse && (size == k || 2 * size <= n_rows);) {
        n_tries = 0;
        for (int i = 0; i < ROUND && (i == 0 || 2 * size <= n_rows); i++, size = next_size(size, k))
            n_tries = add_attempts(tries, n_tries, t, size);
        SHOAL_RETURN_IF_ERROR(make_attempts(to, tries, n_tries, t, slices, n, err));
        is_worse = isfinite(to->best);
        for (size_t i = 0; i < n_tries; i++) is_worse = is_worse && tries[i].best > 1.5 * to->best;
        /* what was found so far is used */
        if (shoal_protected_is_late(&t->protected)) return SHOAL_OK;
        SHOAL_RETURN_IF_ERROR(
            shoal_problem_progress(t->problem, 0.5 * fmin(1, (double)size / (double)n_rows), err));
    }
    const setting *best = take_best(to, t->guard);
    n_tries = 0;
    for (int step = -2; best != NULL && step <= 2; step++) {
        uint64_t near = (uint64_t)((double)best->size * (1 + 0.08 * step));
        if (near < k || near == best->size) continue;
        tries[n_tries].base = *best;
        tries[n_tries++].base.size = near;
    }
    return make_attempts(to, tries, n_tries, t, slices, n, err);
}

/* Parts of at least s rows: doubled until that has not helped some times in turn. */
static shoal_status choose_link_s(findings *to, attempt *tries, const shoal_toc *t,
                                  const shoal_class_rows *slices, size_t n, uint64_t n_rows,
                                  shoal_error *err)
{
    const setting *whole = take_best(to, t->guard);
    setting base = { .size = t->size, .limit = t->limit };
    int n_idle = 0;
    if (whole != NULL) base = *whole;
    base.s = base.size;
    setting only = base; /* fewer than two subsets: that is the whole */
    to->n = 0;
    to->best = INFINITY;
    for (; 2 * base.s <= n_rows && n_idle < PATIENCE &&
           (to->n == 0 || !shoal_protected_is_late(&t->protected));
         base.s *= 2) {
        double before = to->best;
        tries[0].base = base;
        SHOAL_RETURN_IF_ERROR(make_attempts(to, tries, 1, t, slices, n, err));
        n_idle = isfinite(before) && before - to->best < t->epsilon * before ? n_idle + 1 : 0;
    }
    if (to->n > 0) return SHOAL_OK;
    to->best = only.score.by_group;
    return keep(to, &only) ? SHOAL_OK : shoal_fail_memory(err);
}

/* One subset of a large table, in `subsets`; the whole of a small one. */
static shoal_status choose_slices(const shoal_class_rows **slices, size_t *n, uint64_t *n_rows,
                                  shoal_row_subsets *subsets, const shoal_toc *t,
                                  const shoal_class_rows *all, shoal_error *err)
{
    const shoal_classes *classes = t->problem->classes;
    shoal_rng rng;
    uint64_t limit = t->is_sample_auto ? WHOLE : t->sample;
    SHOAL_RETURN_IF_ERROR(shoal_prepartition(
        subsets, t->problem->space, classes, (shoal_rows_view){ all, classes->n_classes },
        (shoal_cut_rule){ classes->n_rows > limit ? limit / 2 : 0, t->cuts_as_printed },
        t->problem->threads, err));
    shoal_rng_init(&rng, t->problem->seed, UINT64_MAX);
    size_t subset = (size_t)shoal_rng_below(&rng, subsets->n_subsets);
    *n = subsets->begin[subset + 1] - subsets->begin[subset];
    *slices = subsets->slices + subsets->begin[subset];
    *n_rows = 0;
    for (size_t i = 0; i < *n; i++) *n_rows += (*slices)[i].count;
    return SHOAL_OK;
}

shoal_status shoal_toc_choose_link(shoal_toc *t, const shoal_class_rows *all, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_row_subsets subsets = { 0 };
    findings found = { .best = INFINITY };
    const shoal_class_rows *slices = NULL;
    size_t n = 0;
    uint64_t n_rows = 0;
    bool needs_s = t->uses_subsets && t->is_s_auto;
    if (!t->uses_subsets) t->s = 0;
    if (t->is_size_auto) t->size = t->problem->k;
    if (!t->is_size_auto && !t->is_seeds_auto && !t->is_delta_auto && !needs_s) return SHOAL_OK;
    attempt *tries = shoal_alloc(MOST_ATTEMPTS, sizeof *tries);
    if (tries == NULL) return shoal_fail_memory(err);
    SHOAL_GOTO_IF_ERROR(choose_slices(&slices, &n, &n_rows, &subsets, t, all, err), out);
    if (t->is_size_auto)
        SHOAL_GOTO_IF_ERROR(choose_size(&found, tries, t, slices, n, n_rows, err), out);
    else
        SHOAL_GOTO_IF_ERROR(
            make_attempts(&found, tries, add_attempts(tries, 0, t, t->size), t, slices, n, err),
            out);
    if (needs_s) SHOAL_GOTO_IF_ERROR(choose_link_s(&found, tries, t, slices, n, n_rows, err), out);
    const setting *best = take_best(&found, t->guard);
    if (best == NULL) goto out; /* delta is too small: the error is reported later */
    t->size = best->size;
    t->far_seeds = best->far_seeds;
    t->limit = best->limit;
    if (needs_s) t->s = best->s;
    t->is_from_subset = subsets.n_subsets > 1;
out:
    shoal_free(tries);
    shoal_free(found.items);
    shoal_row_subsets_clear(&subsets);
    return status;
}

/* A subset has other clusters than the table: is more, or less, better there? */
static shoal_status adjust_limit(uint64_t *limit, const shoal_toc *t, const shoal_bunch *bunch,
                                 const uint64_t *costs, shoal_error *err)
{
    static const double factors[] = { 1, 0.8, 1.25, 1.6 };
    enum { N_FACTORS = sizeof factors / sizeof *factors };
    shoal_toc_score scores[N_FACTORS];
    double best = INFINITY;
    shoal_status statuses[N_FACTORS];
    uint64_t given = *limit;
#pragma omp parallel for num_threads(t->problem->threads) schedule(dynamic)
    for (int i = 0; i < N_FACTORS; i++)
        statuses[i] = shoal_toc_place_leftovers_within(
            NULL, &scores[i], t, bunch, costs, (uint64_t)((double)given * factors[i]), NULL);
    for (int i = 0; i < N_FACTORS; i++) {
        if (statuses[i] != SHOAL_OK) return shoal_fail_memory(err);
        if (scores[i].by_group >= best ||
            scores[i].row_loss > t->guard * scores[0].row_loss + 1e-12)
            continue;
        best = scores[i].by_group;
        *limit = (uint64_t)((double)given * factors[i]);
    }
    return SHOAL_OK;
}

shoal_status shoal_toc_run_link(shoal_slices *out, shoal_toc_score *score, const shoal_toc *t,
                                shoal_rows_view slices, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_bunch bunch = { 0 };
    uint64_t *costs = NULL, limit = t->limit;
    SHOAL_GOTO_IF_ERROR(shoal_toc_link(&bunch, t, slices, t->size, t->s, err), out);
    costs = shoal_alloc(bunch.n_groups, sizeof *costs);
    if (costs == NULL || !shoal_toc_weigh(costs, t, &bunch)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    if (t->is_delta_auto && t->is_from_subset && shoal_seconds() < t->problem->deadline)
        SHOAL_GOTO_IF_ERROR(adjust_limit(&limit, t, &bunch, costs, err), out);
    if (t->is_delta_auto)
        shoal_note_setting(t->problem, "delta", (double)limit / t->protected.priced.metric.unit,
                           NULL);
    status = shoal_toc_place_leftovers_within(out, score, t, &bunch, costs, limit, err);
out:
    shoal_free(costs);
    shoal_bunch_clear(&bunch);
    return status;
}

/* ---- Algorithms 3 and 4: delta and s from a sample ---- */

/* The j-th of the candidates of an iteration: midpoints of 2^i intervals; one more in the first
 * iteration: 1. */
static double candidate(uint32_t i, uint32_t j)
{
    double n = (double)((uint64_t)1 << i);
    return j < n ? (j + 0.5) / n : 1;
}

static shoal_status choose_delta(shoal_toc *t, shoal_rows_view sample, shoal_error *err)
{
    double best = INFINITY;
    shoal_toc_score scores[(1 << SHOAL_TOC_ITERATIONS) + 1];
    for (uint32_t i = 1; i <= t->iterations; i++) {
        uint32_t n_candidates = (1u << i) + (i == 1);
        uint32_t n_failed = 0; /* memory was short: nothing else fails here */
#pragma omp parallel for num_threads(t->problem->threads) schedule(dynamic) reduction(+ : n_failed)
        for (uint32_t j = 0; j < n_candidates; j++)
            n_failed += shoal_toc_run_literal(NULL, &scores[j], t, sample, candidate(i, j), 0,
                                              NULL) != SHOAL_OK;
        if (n_failed > 0) return shoal_fail_memory(err);
        for (uint32_t j = 0; j < n_candidates; j++)
            if (scores[j].by_group < best) {
                best = scores[j].by_group;
                t->delta = candidate(i, j);
            }
        SHOAL_RETURN_IF_ERROR(shoal_problem_progress(t->problem, 0.3 * i / t->iterations, err));
    }
    return SHOAL_OK;
}

static shoal_status choose_s(shoal_toc *t, shoal_rows_view sample, shoal_error *err)
{
    double before = INFINITY;
    t->s = t->problem->k;
    for (uint64_t s = t->problem->k; 2 * s <= t->sample; s *= 2) {
        shoal_toc_score found;
        SHOAL_RETURN_IF_ERROR(shoal_toc_run_literal(NULL, &found, t, sample, t->delta, s, err));
        double score = found.by_group;
        bool is_better = score < before;
        if (is_better || !t->takes_best_s) t->s = s;
        double gain = t->takes_best_s ? before - score : fabs(before - score);
        if (isfinite(score) && gain < t->epsilon) break; /* best: also when it got worse */
        if (is_better || !t->takes_best_s) before = score;
    }
    return SHOAL_OK;
}

/* A fortieth of the rows (2.5 %), but enough of them for some groups. */
static uint64_t sample_size(const shoal_problem *problem)
{
    uint64_t n = problem->classes->n_rows,
             least = 20 * (uint64_t)problem->k > 2000 ? 20 * (uint64_t)problem->k : 2000;
    uint64_t size = n / 40 > least ? n / 40 : least;
    return size < n ? size : n;
}

shoal_status shoal_toc_choose_literal(shoal_toc *t, shoal_error *err)
{
    bool needs_s = t->uses_subsets && t->is_s_auto;
    if (!t->uses_subsets) t->s = 0;
    if (!t->is_delta_auto && !needs_s) return SHOAL_OK;
    size_t n = 0;
    if (t->is_sample_auto) t->sample = sample_size(t->problem);
    shoal_class_rows *sample = shoal_sample_rows(t->problem, t->sample, &n);
    if (sample == NULL) return shoal_fail_memory(err);
    shoal_status status = SHOAL_OK;
    if (t->is_delta_auto) status = choose_delta(t, (shoal_rows_view){ sample, n }, err);
    if (status == SHOAL_OK && needs_s) status = choose_s(t, (shoal_rows_view){ sample, n }, err);
    shoal_free(sample);
    return status;
}
