/* SPDX-License-Identifier: Apache-2.0 */
/* refine.c - one round of refinement: regions of neighbouring groups, improved in parallel; see
 * refine.h.
 *
 * A round visits the groups that lose something in random order. Each that no region has yet is the
 * centre of one: with it go the nearest groups that no region has, until the region has about
 * count_region_rows() rows. For example, k = 10: 40 + 6 * 10 = 100 rows, ten groups or so.
 *
 *     groups            1   2   3   4   5   6   7   8   9       order of centres: 5 2 8 ...
 *     regions of 3      c   b   b   a   a   a   b   c   c       a: 5 with 4, 6; b: 2 with 3, 7; ...
 *
 * Each region becomes a pool, is improved there, and takes the places of its old groups if it costs
 * less. Regions have no group in common, so they are improved in parallel; each draws its random
 * numbers from its own number, so threads do not matter. Groups change at the end of a round only,
 * so while a batch of regions is improved the calling thread chooses the next batch first.
 *
 * Invariant: the cost never rises, groups keep at least k rows, no row is lost. So it can stop at
 * any moment. Cost: a round is about linear in the number of groups.
 */
#include "method/shoal/refine.h"

#include "method/shoal/regions.h"
#include "method/shoal/tuning.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <string.h>

/* Regions that are improved between two questions whether to stop: few at first, so that the others
 * need not wait long for the thread that chooses them. */
enum { FIRST_BATCH = 8, BATCH = 64 };

/* Groups that a region can have; SHOAL_REGION_GROUPS is what it may have. */
enum { MOST_GROUPS = 96 };

/* Some neighbouring groups, and what they are to become. */
typedef struct region {
    uint32_t groups[MOST_GROUPS];
    uint32_t n;
    shoal_class_rows *slices; /* of the new groups, or NULL when the old ones are best */
    uint32_t *begin;
    uint32_t n_new;
    size_t first_opened; /* of the groups that are more than before */
    bool failed;         /* memory was short */
} region;

struct shoal_refiner {
    shoal_clustering *clustering;
    shoal_stop stop;
    shoal_regions regions;
    shoal_cluster probe;             /* the centre of a region, with the tables of a query */
    shoal_pool **pools;              /* one per thread */
    uint32_t round, rounds;          /* the one that runs, and how many there are */
    shoal_neighbour *near;           /* classes near a centre */
    uint8_t *used;                   /* groups that belong to a region of this round */
    uint32_t *order;                 /* centres to try, */
    uint32_t n_centres, next_centre; /* so many, of which these were not tried yet */
    size_t group_room;
    region *list;
    size_t n_list, list_room;
    uint32_t rows;        /* a region has about so many */
    double perturbations; /* per group */
};

/* Group g joins the region, unless it belongs to one already. */
static bool add_group(shoal_refiner *r, region *to, uint32_t g, uint32_t *rows)
{
    if (r->used[g]) return false;
    r->used[g] = 1;
    to->groups[to->n++] = g;
    *rows += r->clustering->groups[g].cluster.n_rows;
    return true;
}

/* A centre and the unused groups nearest to it: those of the classes cheapest to add to it. */
static void choose_region(shoal_refiner *r, region *to, uint32_t centre)
{
    shoal_regions *at = &r->regions;
    uint32_t rows = 0;
    *to = (region){ .n = 0 };
    add_group(r, to, centre, &rows);
    shoal_cluster_copy(&r->probe, &r->clustering->groups[centre].cluster, r->clustering->metric);
    shoal_cluster_tabulate(&r->probe, r->clustering->metric);
    uint32_t n = shoal_kernel_cheapest_rows(&at->state, &r->probe, r->probe.n_rows + 2 * r->rows,
                                            r->near);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = r->near[i].class_index;
        for (uint32_t j = at->class_begin[c]; j < at->class_begin[c + 1]; j++) {
            if (to->n == SHOAL_REGION_GROUPS || rows >= r->rows) return;
            add_group(r, to, at->class_groups[j], &rows);
        }
    }
}

/* Groups with a loss, in random order. A huge group is left alone: it is a class that is a group by
 * itself. */
static uint32_t list_centres(shoal_refiner *r)
{
    const shoal_clustering *c = r->clustering;
    shoal_rng rng;
    shoal_rng_init(&rng, c->problem->seed, ((uint64_t)1 << 40) + r->round);
    uint32_t n = 0;
    for (size_t g = 0; g < c->n_groups; g++) {
        const shoal_cluster *cluster = &c->groups[g].cluster;
        r->used[g] = cluster->n_rows == 0 || cluster->n_rows > 8 * (uint64_t)c->problem->k + 1000;
        /* a group with a deficit may have no loss */
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

/* Which groups each class is in, and the centres of this round. */
static bool begin_round(shoal_refiner *r)
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

/* Room for a further batch of regions, before threads work on the list: it may move. */
static bool reserve_batch(shoal_refiner *r)
{
    void *list = r->list;
    bool ok = shoal_reserve(&list, &r->list_room, r->n_list + BATCH, sizeof *r->list);
    r->list = list;
    return ok;
}

/* Up to n further regions, for which there is room. */
static void choose_regions(shoal_refiner *r, size_t n)
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

/* Improve one region in a pool, with random numbers that depend on the round and on its number. */
static void improve(const shoal_refiner *r, region *it, shoal_pool *pool, uint64_t number,
                    shoal_improve_fn improve_region)
{
    shoal_rng rng;
    shoal_rng_init(&rng, r->clustering->problem->seed, ((uint64_t)r->round << 32) + number);
    if (atomic_load(&pool->stop->is_asked)) return;
    it->failed = !shoal_pool_fill(pool, r->clustering, it->groups, it->n);
    if (it->failed) return;
    uint64_t before = pool->best.cost;
    shoal_region_task task = { r->round, (uint32_t)(r->perturbations * it->n + 0.5),
                               r->clustering->perturbs_only };
    improve_region(pool, &task, &rng);
    assert(pool->best.cost <= before);
    if (pool->best.cost < before) it->failed = !copy_solution(it, pool);
}

/* The new groups take the places of the old ones; for further ones places are opened. */
static bool open_places(shoal_clustering *clustering, region *it)
{
    it->first_opened = clustering->n_groups;
    for (uint32_t g = it->n; it->slices != NULL && g < it->n_new; g++)
        if (shoal_clustering_open(clustering) == SIZE_MAX) return false;
    return !it->failed; /* also if memory was short for some of it */
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
static bool apply_regions(shoal_refiner *r, size_t n)
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
 * If groups were formed without regard to the constraint, penalties begin low, so that groups with
 * a deficit can exchange rows, and rise to the value used in polishing after SHOAL_PENALTY_RISE of
 * the rounds.
 */
static void set_penalties(const shoal_refiner *r)
{
    double done = r->rounds > 1 && r->clustering->is_lenient
                      ? r->round / (SHOAL_PENALTY_RISE * (r->rounds - 1))
                      : 1;
    double times_k = done < 1
                         ? SHOAL_PENALTY_FIRST * pow(SHOAL_PENALTY_FULL / SHOAL_PENALTY_FIRST, done)
                         : SHOAL_PENALTY_FULL;
    for (uint32_t t = 0; t < r->clustering->problem->threads; t++)
        if (r->pools[t]->has_penalty) shoal_penalty_set(&r->pools[t]->penalty, times_k);
}

/* For progress: starts take half of it, rounds four tenths. */
static double share_done(const shoal_refiner *r)
{
    return 0.5 + 0.4 * (r->round + (r->n_centres > 0 ? (double)r->next_centre / r->n_centres : 1)) /
                     r->rounds;
}

bool shoal_refiner_run(shoal_refiner *r, uint32_t round, shoal_improve_fn improve_region)
{
    const shoal_problem *problem = r->clustering->problem;
    assert(round < r->rounds);
    r->round = round;
    if (!begin_round(r)) return false;
    set_penalties(r);
    size_t n = 0; /* regions that are improved */
    bool ok = reserve_batch(r);
    if (ok) choose_regions(r, FIRST_BATCH);
    while (ok && n < r->n_list) {
        size_t end = r->n_list;
        ok = reserve_batch(r);
        if (!ok) break;
        r->stop.fraction = share_done(r);
#pragma omp parallel num_threads((int)problem->threads)
        {
#pragma omp master /* the others begin with the loop */
            choose_regions(r, BATCH);
#pragma omp for schedule(dynamic)
            for (size_t i = n; i < end; i++)
                improve(r, &r->list[i], r->pools[omp_get_thread_num()], i, improve_region);
        }
        n = end;
        /* A round may take long: between batches the deadline and the caller are checked. Regions
         * improved by then count. */
        if (atomic_load(&r->stop.is_asked)) problem->stats->stopped_early = true;
        if (problem->stats->stopped_early) break;
        if (n < r->n_list && shoal_should_stop(problem, share_done(r))) break;
    }
    return apply_regions(r, n) && ok;
}

/* A region should have several groups: this many rows of groups of k, or of the size that a
 * constraint requires. */
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
    return (uint32_t)(SHOAL_REGION_ROWS * (double)(k < 20 ? 40 + 6 * k : 60 + 5 * k));
}

static bool init(shoal_refiner *r)
{
    const shoal_clustering *c = r->clustering;
    r->pools = shoal_alloc_zero(c->problem->threads, sizeof(shoal_pool *));
    r->near = shoal_alloc((size_t)c->problem->classes->n_classes + 1, sizeof *r->near);
    if (r->pools == NULL || r->near == NULL || !shoal_cluster_init_probe(&r->probe, c->metric))
        return false;
    for (uint32_t t = 0; t < c->problem->threads; t++) {
        r->pools[t] = shoal_pool_make(c);
        if (r->pools[t] == NULL) return false;
        r->pools[t]->stop = &r->stop;
    }
    return true;
}

/* One pool per thread; regions of a round are disjoint, so the pools never share a group. */
shoal_status shoal_refiner_make(shoal_refiner **out, shoal_clustering *clustering, uint32_t rounds,
                                double perturbations, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_refiner *r = shoal_alloc_zero(1, sizeof *r);
    if (r == NULL) return shoal_fail_memory(err);
    assert(perturbations >= 0);
    r->stop.problem = clustering->problem;
    r->clustering = clustering;
    r->rounds = rounds;
    r->rows = count_region_rows(clustering);
    r->perturbations = perturbations;
    SHOAL_GOTO_IF_ERROR(shoal_regions_make(&r->regions, clustering, err), out);
    r->regions.state.most_bounds = SHOAL_REGION_BOUNDS;
    if (!init(r)) status = shoal_fail_memory(err);
out:
    if (status != SHOAL_OK) {
        shoal_refiner_free(r);
        return status;
    }
    *out = r;
    return SHOAL_OK;
}

void shoal_refiner_free(shoal_refiner *r)
{
    if (r == NULL) return;
    for (uint32_t t = 0; r->pools != NULL && t < r->clustering->problem->threads; t++)
        shoal_pool_free(r->pools[t]);
    shoal_free(r->pools);
    shoal_free(r->near);
    shoal_free(r->used);
    shoal_free(r->order);
    shoal_free(r->list);
    shoal_cluster_free(&r->probe);
    shoal_regions_clear(&r->regions);
    shoal_free(r);
}
