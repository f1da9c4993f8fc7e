/* SPDX-License-Identifier: Apache-2.0 */
/* grower.c - growing one group; see grower.h. At most k queries of the kernel per group.
 *
 * An example, k = 3, ages 20 24 27 31 with one row each. From the seed 24 the cheapest row is 27 (a
 * range of 3), then 20 or 31 (7 each; the lower class wins): {20, 24, 27} loses 7, and the path of
 * the seed is 27, 20. When 24 grows again and 20 and 27 are still there, the path is followed
 * without a query. If 27 was taken in the meantime, the path is no longer valid: 20 comes first now
 * (4) and then 31 (11), and the key of 24 rises from 7 to 11.
 *
 * A seed with many rows gives most of them at once: with 47 rows and k = 10 it gives 30 and keeps
 * 17, k and what exceeds a multiple of k, for neighbours that lack rows.
 */
#include "method/shoal/grower.h"

#include <assert.h>

/* A constraint may need groups of more than k rows: up to SHOAL_GROWTH_TIMES_K times k, and for
 * small k some more, are tried. */
enum { MOST_MORE = 60 };

/* Queries from the root are faster once a group has many rows; earlier if losses are not looked up
 * in tables. */
/* With a constraint the allowed rows change with each row taken, so old bounds would not hold. */
static bool wants_incremental(const shoal_grower *grower)
{
    return !grower->has_penalty &&
           grower->k >=
               (grower->metric->n_untabled == 0 ? SHOAL_HEAP_FROM_K : SHOAL_HEAP_FROM_K_SLOW);
}

/* Only the first SHOAL_PATH_CLASSES classes of a growth are kept: later ones are rarely valid. */
bool shoal_growth_paths_make(shoal_growth_paths *out, uint32_t n_seeds, uint32_t k)
{
    *out = (shoal_growth_paths){ .room = k < SHOAL_PATH_CLASSES ? k : SHOAL_PATH_CLASSES };
    out->classes = shoal_alloc((size_t)n_seeds * out->room, sizeof *out->classes);
    out->lengths = shoal_alloc_zero(n_seeds, sizeof *out->lengths);
    return out->classes != NULL && out->lengths != NULL;
}

void shoal_growth_paths_clear(shoal_growth_paths *paths)
{
    shoal_free(paths->classes);
    shoal_free(paths->lengths);
    *paths = (shoal_growth_paths){ 0 };
}

shoal_status shoal_grower_make(shoal_grower *out, const shoal_kernel *kernel,
                               const shoal_problem *problem, bool is_constrained,
                               const uint32_t *loose, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_grower grower = {
        .kernel = kernel, .metric = kernel->metric, .k = problem->k, .has_penalty = is_constrained
    };
    grower.slice_room = grower.has_penalty ? SHOAL_GROWTH_TIMES_K * problem->k + MOST_MORE
                                           : problem->k;
    SHOAL_GOTO_IF_ERROR(shoal_kernel_state_make(&grower.state, kernel, loose, err), out);
    grower.slices = shoal_alloc(grower.slice_room, sizeof *grower.slices);
    grower.has_incremental = wants_incremental(&grower);
    grower.is_hasty = !grower.metric->has_tables && grower.k >= SHOAL_HASTY_FROM_K;
    if (grower.has_incremental && !shoal_incremental_nearest_make(&grower.incremental, kernel)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    if (grower.slices == NULL ||
        (grower.has_penalty && !shoal_penalty_init(&grower.penalty, problem, kernel->metric)) ||
        !shoal_cluster_init_probe(&grower.cluster, kernel->metric)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    *out = grower;
    return SHOAL_OK;
out:
    shoal_grower_clear(&grower, NULL);
    return status;
}

void shoal_grower_clear(shoal_grower *grower, shoal_search_stats *stats)
{
    if (stats != NULL) { /* sums of whole numbers: the order of threads does not matter */
#pragma omp atomic
        stats->evaluations += grower->state.n_evaluations;
#pragma omp atomic
        stats->queries += grower->state.n_queries;
    }
    shoal_kernel_state_clear(&grower->state);
    shoal_cluster_free(&grower->cluster);
    shoal_incremental_nearest_clear(&grower->incremental);
    shoal_penalty_free(&grower->penalty);
    shoal_free(grower->slices);
    *grower = (shoal_grower){ 0 };
}

/* How many rows a seed with at least k of them gives: all but k and the remainder modulo k. */
static uint32_t rows_alone(uint32_t left, uint32_t k)
{
    return left >= 3 * (uint64_t)k ? left - k - left % k : k;
}

/* ---- with a constraint ---- */

/* The deficit is computed after each row: it decides which rows are allowed next. */
static void take_rows(shoal_grower *grower, uint32_t class_index, uint32_t count)
{
    shoal_cluster_add(&grower->cluster, grower->metric,
                      shoal_kernel_codes(grower->kernel, class_index), count);
    shoal_kernel_take(&grower->state, class_index, count);
    grower->slices[grower->n_slices++] = (shoal_class_rows){ class_index, count };
    shoal_penalty_add(&grower->penalty, &grower->penalty.mine, class_index, count);
    grower->lack = shoal_penalty_lack(&grower->penalty, &grower->penalty.mine,
                                      grower->cluster.loss);
}

/* The cheapest row of those that help. */
static uint32_t cheapest_help(shoal_grower *grower, shoal_loss *loss)
{
    shoal_penalty_look(&grower->penalty, grower->cluster.loss);
    return shoal_kernel_cheapest_allowed(&grower->state, &grower->cluster, SHOAL_LOSS_MAX,
                                         grower->penalty.tags, shoal_penalty_helps,
                                         &grower->penalty, loss);
}

/* Up to slice_room classes are taken; a group that still violates the constraint is abandoned. */
static bool grow_until_it_holds(shoal_grower *grower, uint32_t seed, shoal_loss limit,
                                shoal_loss *loss)
{
    shoal_cluster *cluster = &grower->cluster;
    grower->lack = 0;
    shoal_evidence_clear(&grower->penalty.mine);
    for (uint32_t next = seed;;) {
        take_rows(grower, next,
                  shoal_penalty_rows(&grower->penalty, grower->lack, cluster->n_rows,
                                     shoal_kernel_left(&grower->state, next)));
        *loss = cluster->loss;
        if (cluster->n_rows >= grower->k && grower->lack == 0) return true;
        bool is_stuck = grower->n_slices == grower->slice_room;
        if (is_stuck)
            next = SHOAL_NO_CLASS;
        else if (shoal_penalty_must_help(&grower->penalty, grower->lack, cluster->n_rows))
            next = cheapest_help(grower, loss);
        else
            next = shoal_kernel_cheapest_from(&grower->state, cluster, next, SHOAL_LOSS_MAX, loss);
        if (next == SHOAL_NO_CLASS) *loss = SHOAL_LOSS_MAX;
        if (next == SHOAL_NO_CLASS || *loss > limit) return false;
    }
}

/* ---- without ---- */

/* All rows of the class that the group needs; a seed with many rows gives most of them at once. */
static void take_class(shoal_grower *grower, uint32_t class_index, bool with_table)
{
    uint32_t k = grower->k, need = k - grower->cluster.n_rows,
             left = shoal_kernel_left(&grower->state, class_index);
    uint32_t count = left < need ? left : grower->n_slices == 0 ? rows_alone(left, k) : need;
    const uint32_t *codes = shoal_kernel_codes(grower->kernel, class_index);
    if (with_table)
        shoal_cluster_add(&grower->cluster, grower->metric, codes, count);
    else
        shoal_cluster_add_untabled(&grower->cluster, grower->metric, codes, count);
    shoal_kernel_take(&grower->state, class_index, count);
    assert(grower->n_slices < grower->slice_room);
    grower->slices[grower->n_slices++] = (shoal_class_rows){ class_index, count };
}

/* Take the seed and what it grew by last time, as far as that is left, or until there are k rows.
 * Returns how much of the path is still true. */
static uint32_t follow_path(shoal_grower *grower, uint32_t seed, const uint32_t *path,
                            uint32_t length)
{
    uint32_t n = 0;
    take_class(grower, seed, false);
    for (; n < length && grower->cluster.n_rows < grower->k &&
           shoal_kernel_left(&grower->state, path[n]) > 0;
         n++)
        take_class(grower, path[n], false);
    return n;
}

bool shoal_grow(shoal_grower *grower, uint32_t seed, shoal_loss limit, shoal_loss *loss)
{
    shoal_cluster *cluster = &grower->cluster;
    shoal_growth_paths *paths = grower->paths;
    uint32_t *path = paths == NULL ? NULL : paths->classes + (size_t)seed * paths->room;
    shoal_cluster_clear(cluster, grower->metric);
    grower->n_slices = 0;
    assert(shoal_kernel_left(&grower->state, seed) > 0);
    if (grower->has_penalty) return grow_until_it_holds(grower, seed, limit, loss);
    uint32_t n = follow_path(grower, seed, path, paths == NULL ? 0 : paths->lengths[seed]);
    if (cluster->n_rows < grower->k && grower->has_incremental)
        shoal_incremental_nearest_begin(&grower->incremental, &grower->state);
    if (cluster->n_rows < grower->k) shoal_cluster_tabulate(cluster, grower->metric);
    for (*loss = cluster->loss; cluster->n_rows < grower->k && *loss <= limit;) {
        uint32_t last = grower->slices[grower->n_slices - 1].class_index;
        uint32_t next = grower->has_incremental
                            ? shoal_incremental_nearest_next(&grower->incremental, &grower->state,
                                                             cluster, loss)
                            : shoal_kernel_cheapest_from(&grower->state, cluster, last,
                                                         SHOAL_LOSS_MAX, loss);
        if (next == SHOAL_NO_CLASS) break;
        if (paths != NULL && n < paths->room) path[n++] = next;
        if (*loss <= limit) take_class(grower, next, true);
    }
    if (paths != NULL) paths->lengths[seed] = (uint8_t)n;
    return cluster->n_rows >= grower->k;
}

void shoal_grow_back(shoal_grower *grower)
{
    for (uint32_t i = 0; i < grower->n_slices; i++)
        shoal_kernel_put_back(&grower->state, grower->slices[i].class_index,
                              grower->slices[i].count);
}
