/* SPDX-License-Identifier: Apache-2.0 */
/* refine.c - take neighbouring groups apart and group their rows anew, where that loses less.
 *
 * A round divides the groups into regions: a centre, drawn at random, and the groups nearest to it
 * that no other region has. Each region becomes a pool. Its groups are improved by moves, swaps and
 * dissolving, and then by perturbations: two or three neighbouring groups are divided anew and
 * improved in turn (perturbation.c). From START_OVER_FROM_K on, where a few groups say little of
 * what k rows would be best together, all rows are also grouped from scratch and improved: row by
 * row in one round, by boxes with some noise in the next, both in the first ones; under a
 * constraint both, and no perturbations. The best replaces the region's groups. Regions have no
 * group in common, so they are solved in parallel; each draws its random numbers from its own
 * number, so threads do not matter. Groups change at the end of a round only, so while a slice of
 * regions is solved the calling thread chooses the next slice first.
 *
 * Invariant: the loss never rises, groups keep at least k rows, no row is lost. So it can stop at
 * any moment. Cost: a round is about linear in the number of groups.
 */
#include "base/invariant.h"
#include "method/shoal/pool.h"
#include "method/shoal/regions.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum {
    MAX_GROUPS = 48,
    START_OVER_FROM_K = 16,
    START_OVER_TWICE = 4,
    FIRST_SLICE = 8,
    SLICE = 64,
    MOST_BOUNDS = 4096
};

static const double NOISE = 0.2;

/* Some neighbouring groups, and what they are to become. */
typedef struct region {
    uint32_t groups[MAX_GROUPS];
    uint32_t n;
    shoal_class_rows *slices; /* of the new groups, or NULL when the old ones are best */
    uint32_t *begin;
    uint32_t n_new;
    size_t first_opened; /* of the groups that are more than before */
    bool failed;         /* memory was short */
} region;

typedef struct refiner {
    shoal_clustering *clustering;
    shoal_stop stop;
    shoal_regions regions;
    shoal_cluster probe; /* the centre of a region, with the tables of a query */
    shoal_pool **pools;  /* one a thread */
    uint32_t round;
    uint8_t *used;                   /* groups that belong to a region of this round */
    uint32_t *order;                 /* centres to try, */
    uint32_t n_centres, next_centre; /* so many, of which these were not tried yet */
    size_t group_room;
    region *list;
    size_t n_list, list_room;
    uint32_t rows;        /* a region has about so many */
    double perturbations; /* a group */
} refiner;

static bool add_group(refiner *r, region *to, uint32_t g, uint32_t *rows)
{
    if (r->used[g]) return false;
    r->used[g] = 1;
    to->groups[to->n++] = g;
    *rows += r->clustering->groups[g].cluster.n_rows;
    return true;
}

/* A centre and the unused groups nearest to it: those of the classes cheapest to add to it. */
static void choose_region(refiner *r, region *to, uint32_t centre)
{
    shoal_regions *at = &r->regions;
    uint32_t rows = 0;
    *to = (region){ .n = 0 };
    add_group(r, to, centre, &rows);
    shoal_cluster_copy(&r->probe, &r->clustering->groups[centre].cluster, r->clustering->metric);
    shoal_cluster_tabulate(&r->probe, r->clustering->metric);
    uint32_t n = shoal_kernel_cheapest_rows(&at->state, &r->probe, r->probe.n_rows + 2 * r->rows,
                                            at->near);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = at->near[i].class_index;
        for (uint32_t j = at->class_begin[c]; j < at->class_begin[c + 1]; j++) {
            if (to->n == MAX_GROUPS || rows >= r->rows) return;
            add_group(r, to, at->class_groups[j], &rows);
        }
    }
}

/* Groups that lose something, in random order. A huge group is left alone: it is a class that
 * stands by itself. */
static uint32_t list_centres(refiner *r)
{
    const shoal_clustering *c = r->clustering;
    shoal_rng rng;
    shoal_rng_init(&rng, c->problem->seed, ((uint64_t)1 << 40) + r->round);
    uint32_t n = 0;
    for (size_t g = 0; g < c->n_groups; g++) {
        const shoal_cluster *cluster = &c->groups[g].cluster;
        r->used[g] = cluster->n_rows == 0 || cluster->n_rows > 8 * (uint64_t)c->problem->k + 1000;
        /* what lacks something may lose nothing */
        bool is_wanting = cluster->loss > 0 || r->pools[0]->has_penalty;
        if (!r->used[g] && is_wanting) r->order[n++] = (uint32_t)g;
    }
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = (uint32_t)shoal_rng_below(&rng, i), swap = r->order[i - 1];
        r->order[i - 1] = r->order[j];
        r->order[j] = swap;
    }
    return n;
}

static bool begin_round(refiner *r)
{
    size_t n_groups = r->clustering->n_groups, room = r->group_room;
    void *used = r->used, *order = r->order;
    bool ok = shoal_reserve(&used, &room, n_groups, 1);
    r->used = used;
    room = r->group_room;
    ok = ok && shoal_reserve(&order, &room, n_groups, sizeof *r->order);
    r->order = order;
    if (ok) r->group_room = room;
    if (!ok || !shoal_regions_map(&r->regions)) return false;
    r->n_centres = list_centres(r);
    r->next_centre = 0;
    r->n_list = 0;
    return true;
}

static bool reserve_slice(refiner *r)
{
    void *list = r->list;
    bool ok = shoal_reserve(&list, &r->list_room, r->n_list + SLICE, sizeof *r->list);
    r->list = list;
    return ok;
}

/* Up to n further regions, for which there is room. */
static void choose_regions(refiner *r, size_t n)
{
    for (size_t end = r->n_list + n; r->next_centre < r->n_centres && r->n_list < end;) {
        uint32_t centre = r->order[r->next_centre++];
        if (r->used[centre]) continue;
        choose_region(r, &r->list[r->n_list], centre);
        r->n_list += r->list[r->n_list].n > 1;
    }
}

/* Copy the pool's best solution. */
static bool copy_solution(region *to, const shoal_pool *pool)
{
    const shoal_solution *best = &pool->best;
    uint32_t n = 0;
    for (uint32_t g = 0; g < best->n_groups; g++) n += best->n_slices[g];
    to->slices = shoal_alloc(n, sizeof *to->slices);
    to->begin = shoal_alloc((size_t)best->n_groups + 1, sizeof *to->begin);
    if (to->slices == NULL || to->begin == NULL) return false;
    to->n_new = best->n_groups;
    to->begin[0] = 0;
    for (uint32_t g = 0; g < best->n_groups; g++) {
        const shoal_pool_slice *slices = shoal_pool_slices(pool, best, g);
        uint32_t at = to->begin[g];
        for (uint32_t i = 0; i < best->n_slices[g]; i++)
            to->slices[at++] = (shoal_class_rows){ pool->class_index[slices[i].member],
                                                   slices[i].count };
        to->begin[g + 1] = at;
    }
    return true;
}

/* Group the rows of the pool from scratch, row by row or by boxes, and improve that. */
static void start_over(shoal_pool *pool, bool by_boxes, shoal_rng *rng)
{
    shoal_pool_grow(pool, by_boxes, by_boxes ? NOISE : 0, rng);
    shoal_pool_local_search(pool);
    shoal_pool_keep(pool);
}

static void solve_region(const refiner *r, region *it, shoal_pool *pool, uint64_t number)
{
    shoal_rng rng;
    shoal_rng_init(&rng, r->clustering->problem->seed, ((uint64_t)r->round << 32) + number);
    if (atomic_load(&pool->stop->is_asked)) return;
    it->failed = !shoal_pool_fill(pool, r->clustering, it->groups, it->n);
    if (it->failed) return;
    uint64_t before = pool->best.cost;
    if (r->clustering->perturbs_only) {
        shoal_pool_perturb(pool, (uint32_t)(r->perturbations * it->n + 0.5), &rng);
    } else if (pool->has_penalty) {
        shoal_pool_local_search(pool);
        shoal_pool_keep(pool);
        start_over(pool, false, &rng);
        start_over(pool, true, &rng);
    } else {
        shoal_pool_perturb(pool, (uint32_t)(r->perturbations * it->n + 0.5), &rng);
        bool is_early = r->round < START_OVER_TWICE;
        for (uint32_t i = 0; pool->k >= START_OVER_FROM_K && i < (is_early ? 2 : 1); i++)
            start_over(pool, (r->round + i) % 2 == 1, &rng);
    }
    if (pool->best.cost < before) it->failed = !copy_solution(it, pool);
}

/* The new groups take the places of the old ones; for further ones places are opened. */
static bool open_places(shoal_clustering *clustering, region *it)
{
    it->first_opened = clustering->n_groups;
    for (uint32_t g = it->n; it->slices != NULL && g < it->n_new; g++)
        if (shoal_clustering_open(clustering) == SIZE_MAX) return false;
    return !it->failed; /* also where memory was short for a part of it */
}

/* Put them there; places left over are emptied. */
static bool fill_places(shoal_clustering *clustering, const region *it)
{
    if (it->slices == NULL) return true;
    for (uint32_t g = 0; g < it->n_new || g < it->n; g++) {
        size_t to = g < it->n ? it->groups[g] : it->first_opened + (g - it->n);
        uint32_t n = g < it->n_new ? it->begin[g + 1] - it->begin[g] : 0;
        if (!shoal_clustering_set(clustering, to, n > 0 ? it->slices + it->begin[g] : NULL, n))
            return false;
    }
    return true;
}

/* Apply the first n regions, and free what they hold. */
static bool apply_regions(refiner *r, size_t n)
{
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) ok = open_places(r->clustering, &r->list[i]);
    bool is_filled = ok;
#pragma omp parallel for num_threads((int)r->clustering->problem->threads) schedule(dynamic, 16) \
    reduction(&& : is_filled)
    for (size_t i = 0; i < n; i++) {
        if (ok) is_filled = fill_places(r->clustering, &r->list[i]) && is_filled;
        shoal_free(r->list[i].slices);
        shoal_free(r->list[i].begin);
    }
    return is_filled;
}

/*
 * Where groups were formed without regard to the constraint, penalties begin low, so that those
 * which lack something can trade for a while, and rise until they are as high as when they are
 * polished, after LENIENT of the rounds.
 */
static void set_penalties(const refiner *r, uint32_t rounds)
{
    const double FIRST = 0.05, LENIENT = 0.67;
    double share = rounds > 1 && r->clustering->is_lenient ? r->round / (LENIENT * (rounds - 1))
                                                           : 1;
    for (uint32_t t = 0; t < r->clustering->problem->threads; t++)
        if (r->pools[t]->has_penalty)
            shoal_penalty_set(&r->pools[t]->penalty,
                              share < 1 ? FIRST * pow(SHOAL_TOLL_FULL / FIRST, share)
                                        : SHOAL_TOLL_FULL);
}

static double share_done(const refiner *r, uint32_t rounds)
{
    return 0.5 + 0.4 * (r->round + (r->n_centres > 0 ? (double)r->next_centre / r->n_centres : 1)) /
                     rounds;
}

/* A round may take long: between slices of its regions it is asked whether to stop. What is solved
 * by then counts. */
static bool solve_regions(refiner *r, uint32_t rounds, size_t *n_solved)
{
    const shoal_problem *problem = r->clustering->problem;
    size_t n = 0;
    bool ok = reserve_slice(r);
    if (ok) choose_regions(r, FIRST_SLICE);
    while (ok && n < r->n_list) {
        size_t end = r->n_list;
        ok = reserve_slice(r);
        if (!ok) break;
        r->stop.fraction = share_done(r, rounds);
#pragma omp parallel num_threads((int)problem->threads)
        {
#pragma omp master /* the others begin with the loop */
            choose_regions(r, SLICE);
#pragma omp for schedule(dynamic)
            for (size_t i = n; i < end; i++)
                solve_region(r, &r->list[i], r->pools[omp_get_thread_num()], i);
        }
        n = end;
        if (atomic_load(&r->stop.is_asked)) problem->stats->stopped_early = true;
        if (problem->stats->stopped_early) break;
        if (n < r->n_list && shoal_should_stop(problem, share_done(r, rounds))) break;
    }
    *n_solved = n;
    return ok;
}

static bool run_round(refiner *r, uint32_t rounds)
{
    size_t n = 0;
    if (!begin_round(r)) return false;
    set_penalties(r, rounds);
    bool ok = solve_regions(r, rounds, &n);
    return apply_regions(r, n) && ok;
}

static bool refiner_init(refiner *r)
{
    uint32_t threads = r->clustering->problem->threads;
    r->pools = shoal_alloc_zero(threads, sizeof(shoal_pool *));
    if (r->pools == NULL || !shoal_cluster_init_probe(&r->probe, r->clustering->metric))
        return false;
    for (uint32_t t = 0; t < threads; t++) {
        r->pools[t] = shoal_pool_make(r->clustering);
        if (r->pools[t] == NULL) return false;
        r->pools[t]->stop = &r->stop;
    }
    return true;
}

static void refiner_clear(refiner *r)
{
    for (uint32_t t = 0; r->pools != NULL && t < r->clustering->problem->threads; t++)
        shoal_pool_free(r->pools[t]);
    shoal_free(r->pools);
    shoal_free(r->used);
    shoal_free(r->order);
    shoal_free(r->list);
    shoal_cluster_free(&r->probe);
    shoal_regions_clear(&r->regions);
}

/* A region is to have several groups: so many rows of groups of k, or of the size that a constraint
 * makes them. */
static uint32_t count_region_rows(const shoal_clustering *clustering)
{
    uint64_t k = clustering->problem->k, n_rows = 0, n = 0;
    for (size_t g = 0; g < clustering->n_groups; g++) {
        n_rows += clustering->groups[g].cluster.n_rows;
        n += clustering->groups[g].n_slices > 0;
    }
    if ((clustering->problem->constraint != NULL || clustering->objective != NULL) && n > 0 &&
        n_rows / n > k)
        k = n_rows / n;
    return (uint32_t)(k < 20 ? 40 + 6 * k : 60 + 5 * k);
}

/* Is there nothing that a rise of the loss could pay for? */
static bool lowers_loss_alone(const shoal_clustering *clustering)
{
    return clustering->problem->constraint == NULL && clustering->objective == NULL;
}

shoal_status shoal_refine(shoal_clustering *clustering, uint32_t rounds, double perturbations,
                          shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    uint64_t loss_before = SHOAL_CHECKS_INVARIANTS ? shoal_clustering_loss(clustering) : 0;
    refiner r = { .stop.problem = clustering->problem,
                  .clustering = clustering,
                  .rows = count_region_rows(clustering),
                  .perturbations = perturbations };
    SHOAL_GOTO_IF_ERROR(shoal_regions_make(&r.regions, clustering, err), out);
    r.regions.state.most_bounds = MOST_BOUNDS;
    bool ok = refiner_init(&r);
    /* who has said stop is not asked again */
    for (; ok && r.round < rounds && !clustering->problem->stats->stopped_early; r.round++) {
        shoal_clustering_report_loss(clustering);
        if (!shoal_should_stop(clustering->problem, 0.5 + 0.4 * r.round / rounds))
            ok = run_round(&r, rounds);
    }
    if (!ok) status = shoal_fail_memory(err);
    SHOAL_INVARIANT(!ok || shoal_clustering_rows_add_up(clustering));
    SHOAL_INVARIANT(!ok || shoal_clustering_groups_have_k_rows(clustering));
    SHOAL_INVARIANT(!lowers_loss_alone(clustering) ||
                    shoal_clustering_loss(clustering) <= loss_before);
out:
    refiner_clear(&r);
    return status;
}
