/* SPDX-License-Identifier: Apache-2.0 */
/* shoal.c - the default method: a good start, then refinement until no small step lowers the loss.
 *
 * This file is the algorithm (docs/algorithms/shoal.md); read it from the end, run(), or from here:
 *
 *     1. start        grow the cheapest group there is, again and again   start_cheapest_group.c
 *                     (large tables: in each region of neighbours)        start_regions.c
 *                     other starts, where they lose less                  start_grids.c,
 *                                                                         start_methods.c
 *     2. assign       rows left over join the group whose loss            clustering.c
 *                     increases least
 *     3. refine       in rounds: divide the groups into regions of        refine.c, regions.c
 *                     neighbours and improve each region, in parallel:
 *        local search     move and swap rows, dissolve groups             local_search.c
 *        perturbation     divide two or three groups at random, search    perturbation.c
 *                         again, keep what loses less
 *        from scratch     group all rows of the region again (large k,    pool_grow.c, pool_box.c
 *                         or under a constraint)
 *     4. polish       moves and swaps between any two groups while they   polish.c
 *                     gain, in a limited number of passes; rows go back   dissolve.c
 *                     to groups of their own class
 *
 * With persons (--entity) the search runs on classes that count persons, then rows are assigned so
 * that each group has k persons, and small tables are refined once more (persons_*.c). With privacy
 * models a group that violates one pays a penalty (penalty.c). How much is done depends on `effort`
 * and on the size of the table (effort.c); all tuning constants are in tuning.h.
 *
 * Example, k = 2, ages 20 24 27 31 50 51 58, loss = range / 38: the start takes {50, 51}, {24, 27},
 * {20, 31}; 58 joins {50, 51}; rows * range: 6 + 22 + 24 = 52. Refinement swaps 27 and 20:
 * {20, 24} {27, 31} {50, 51, 58}, 8 + 8 + 24 = 40. Nothing else gains.
 *
 * Invariant after 2.: every row is in a group of at least k rows; later steps keep that and never
 * add loss (with models: loss and penalties). So a time limit, or the caller, may end refinement at
 * any moment. Rows that the start did not reach in time are grouped by Mondrian. Cost on real data:
 * about linear in the number of classes; memory: the kernel's, 24q bytes per group, and a few
 * pools.
 */
#include "base/invariant.h"
#include "method/shoal/effort.h"
#include "method/shoal/persons_problem.h"
#include "method/shoal/refine.h"
#include "method/shoal/tuning.h"

#include <stdlib.h>

#ifdef SHOAL_TUNING_OVERRIDE
double shoal_tuned(const char *name, double value)
{
    const char *text = getenv(name);
    return text != NULL ? atof(text) : value;
}
#endif

/* ---- 1. start, 2. assign ---- */

typedef shoal_status (*start_fn)(shoal_clustering *clustering, shoal_error *err);

/* With a constraint: a start that ignores it, unless most of its groups would have to be
 * repaired. */
static shoal_status run_start(shoal_clustering *out, start_fn start, shoal_error *err)
{
    const shoal_problem *problem = out->problem;
    if (problem->constraint == NULL) return start(out, err);
    double lacking = 0;
    uint64_t to_beat = out->to_beat;
    out->ignores_constraint = true;
    shoal_status status = start(out, err);
    out->ignores_constraint = false;
    if (status == SHOAL_OK && !out->has_given_up)
        status = shoal_clustering_count_lacking(&lacking, out, err);
    out->is_lenient = lacking <= SHOAL_REPAIR_SHARE;
    out->lacking = lacking;
    if (status != SHOAL_OK || out->is_lenient) return status;
    shoal_clustering again = { 0 };
    if (!shoal_clustering_init(&again, problem, out->metric)) return shoal_fail_memory(err);
    shoal_clustering_clear(out);
    *out = again;
    out->to_beat = to_beat;
    return start(out, err);
}

/* A start with every row placed: rows that it leaves are grouped quickly, if time is up, or
 * assigned; unless it has aborted. */
static shoal_status make_start(shoal_clustering *out, const shoal_problem *problem,
                               const shoal_metric *metric, start_fn start, uint64_t to_beat,
                               shoal_error *err)
{
    if (!shoal_clustering_init(out, problem, metric)) return shoal_fail_memory(err);
    out->to_beat = to_beat;
    SHOAL_RETURN_IF_ERROR(run_start(out, start, err));
    if (out->has_given_up) return SHOAL_OK;
    if (shoal_seconds() >= problem->deadline) {
        problem->stats->stopped_early = true;
        SHOAL_RETURN_IF_ERROR(shoal_start_mondrian(out, err));
    }
    if (problem->constraint != NULL) SHOAL_RETURN_IF_ERROR(shoal_start_unconstrained(out, err));
    bool ok = shoal_clustering_close(out) && shoal_clustering_assign_loose(out);
    /* and assignment has left no row loose */
    SHOAL_INVARIANT(!ok || shoal_clustering_groups_have_k_rows(out));
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* Make another start too and keep the better one. A patient one does not abort when it will not
 * win.
 */
static shoal_status try_start(shoal_clustering *out, start_fn start, bool is_patient,
                              shoal_error *err)
{
    shoal_clustering other = { 0 };
    uint64_t to_beat = shoal_clustering_loss(out);
    shoal_status status = make_start(&other, out->problem, out->metric, start,
                                     is_patient ? 0 : to_beat, NULL);
    if (status == SHOAL_ECANCELLED) { /* the first start is valid: keep it */
        out->problem->stats->stopped_early = true;
        status = SHOAL_OK;
    } else if (status == SHOAL_OK && !other.has_given_up &&
               shoal_clustering_loss(&other) < to_beat) {
        shoal_clustering worse = *out;
        *out = other;
        other = worse;
    }
    shoal_clustering_clear(&other);
    return status == SHOAL_OK ? SHOAL_OK : shoal_fail_memory(err);
}

/* The start that suits the table, replaced by any affordable other start that loses less. */
static shoal_status start(shoal_clustering *out, const shoal_problem *problem,
                          const shoal_metric *metric, const shoal_effort *effort, shoal_error *err)
{
    static const start_fn first[] = {
        [SHOAL_START_CHEAPEST_GROUP] = shoal_start_cheapest_group,
        [SHOAL_START_CHEAPEST_BY_REGIONS] = shoal_start_cheapest_by_regions,
        [SHOAL_START_IN_TREE_ORDER] = shoal_start_in_tree_order,
    };
    const bool *is_stopped = &problem->stats->stopped_early;
    SHOAL_RETURN_IF_ERROR(make_start(out, problem, metric, first[effort->first], 0, err));
    if (effort->tries_mondrian && !*is_stopped)
        SHOAL_RETURN_IF_ERROR(try_start(out, shoal_start_mondrian, true, err));
    if (effort->tries_kmembers && !*is_stopped)
        SHOAL_RETURN_IF_ERROR(try_start(out, shoal_start_kmembers, true, err));
    if (effort->tries_grids && !*is_stopped)
        SHOAL_RETURN_IF_ERROR(try_start(out, shoal_start_grids, effort->is_full, err));
    return SHOAL_OK;
}

/* ---- 3. refine ---- */

/* Group the rows of the pool from scratch, row by row or by boxes, and improve that. */
static void regroup(shoal_pool *pool, bool by_boxes, shoal_rng *rng)
{
    shoal_pool_grow(pool, by_boxes, by_boxes ? SHOAL_SCRATCH_NOISE : 0, rng);
    shoal_pool_local_search(pool);
    shoal_pool_keep(pool);
}

/*
 * What a round does to a region. Perturbations begin with a local search, too. From
 * SHOAL_SCRATCH_FROM_K on a few groups are a poor hint which k rows would be best together, so all
 * rows are also grouped from scratch: row by row in one round, by boxes in the next, both in the
 * first rounds. Under a constraint both are tried in every round, and nothing is perturbed.
 */
static void improve_region(shoal_pool *pool, const shoal_region_task *task, shoal_rng *rng)
{
    if (pool->has_penalty && !task->perturbs_only) {
        shoal_pool_local_search(pool);
        shoal_pool_keep(pool);
        regroup(pool, false, rng);
        regroup(pool, true, rng);
        return;
    }
    shoal_pool_perturb(pool, task->n_perturbations, rng);
    if (task->perturbs_only || pool->k < SHOAL_SCRATCH_FROM_K) return;
    bool by_boxes = task->round % 2 == 1;
    regroup(pool, by_boxes, rng);
    if (task->round < SHOAL_SCRATCH_TWICE) regroup(pool, !by_boxes, rng);
}

shoal_status shoal_refine(shoal_clustering *clustering, uint32_t rounds, double perturbations,
                          shoal_error *err)
{
    const shoal_problem *problem = clustering->problem;
    bool lowers_loss_alone = problem->constraint == NULL && clustering->objective == NULL;
    uint64_t loss_before = SHOAL_CHECKS_INVARIANTS ? shoal_clustering_loss(clustering) : 0;
    shoal_refiner *refiner = NULL;
    SHOAL_RETURN_IF_ERROR(shoal_refiner_make(&refiner, clustering, rounds, perturbations, err));
    bool ok = true;
    for (uint32_t round = 0; ok && round < rounds && !problem->stats->stopped_early; round++) {
        shoal_clustering_report_loss(clustering);
        if (!shoal_should_stop(problem, 0.5 + 0.4 * round / rounds))
            ok = shoal_refiner_run(refiner, round, improve_region);
    }
    shoal_refiner_free(refiner);
    SHOAL_INVARIANT(!ok || shoal_clustering_rows_add_up(clustering));
    SHOAL_INVARIANT(!ok || shoal_clustering_groups_have_k_rows(clustering));
    SHOAL_INVARIANT(!lowers_loss_alone || shoal_clustering_loss(clustering) <= loss_before);
    return ok ? SHOAL_OK : shoal_fail_memory(err);
}

/* ---- all of it ---- */

static shoal_status search(shoal_clustering *out, const shoal_problem *problem,
                           const shoal_metric *metric, const shoal_objective *objective,
                           shoal_error *err)
{
    shoal_effort effort;
    SHOAL_RETURN_IF_ERROR(shoal_effort_make(&effort, problem, metric, err));
    SHOAL_RETURN_IF_ERROR(start(out, problem, metric, &effort, err));

    out->objective = objective->weight > 0 ? objective : NULL;
    double began = shoal_seconds();
    uint32_t rounds = shoal_effort_rounds(&effort, out);
    if (rounds > 0 && !problem->stats->stopped_early)
        SHOAL_RETURN_IF_ERROR(shoal_refine(out, rounds, effort.perturbations, err));

    if (shoal_effort_polishes(&effort, rounds) && !problem->stats->stopped_early)
        SHOAL_RETURN_IF_ERROR(shoal_polish(out, err));
    bool keeps_groups = problem->constraint != NULL || out->objective != NULL;
    if (!keeps_groups && !shoal_clustering_dissolve(out)) return shoal_fail_memory(err);
    problem->stats->refine_seconds = shoal_seconds() - began;
    return SHOAL_OK;
}

/* Search without persons, then see that every group has k of them, and improve that where the table
 * is small (persons_problem.h). */
static shoal_status run_by_persons(shoal_slices *out, const shoal_problem *problem,
                                   const shoal_metric *metric, const shoal_objective *objective,
                                   shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_persons persons = { 0 };
    shoal_clustering clustering = { 0 };
    shoal_effort effort;
    SHOAL_RETURN_IF_ERROR(shoal_effort_make(&effort, problem, metric, err));
    bool keeps_values = problem->constraint->n_models > 1 || objective->weight > 0;
    SHOAL_RETURN_IF_ERROR(shoal_persons_make(&persons, problem, keeps_values, err));
    if (persons.classes.n_rows >=
        problem->k) { /* else one group, which shoal_repair() will judge */
        SHOAL_GOTO_IF_ERROR(search(&clustering, &persons.problem, metric, objective, err), out);
        SHOAL_GOTO_IF_ERROR(shoal_persons_assign(&persons, &clustering, err), out);
        shoal_refinement how = shoal_effort_for_persons(&effort, problem);
        if (how.rounds > 0 && objective->weight == 0 && !problem->stats->stopped_early)
            SHOAL_GOTO_IF_ERROR(shoal_persons_refine(&persons, &clustering, how, err), out);
    }
    if (!shoal_persons_emit(&persons, out)) status = shoal_fail_memory(err);
out:
    shoal_clustering_clear(&clustering);
    shoal_persons_clear(&persons);
    return status;
}

static bool wants_values(const shoal_problem *problem)
{
    return problem->constraint != NULL || shoal_objective_is_asked(problem);
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_metric metric = { 0 };
    shoal_clustering clustering = { 0 };
    shoal_objective objective = { 0 };
    if (problem->constraint != NULL && problem->constraint->needs_original &&
        shoal_space_has_priorities(problem->space))
        return shoal_fail(err, SHOAL_EINVAL,
                          "group-loss cannot be combined with {--priority} {fix} remove one of "
                          "them, or use another algorithm, such as kmembers");
    SHOAL_GOTO_IF_ERROR(shoal_objective_read(&objective, problem, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_metric_make(&metric, problem->space, NULL, err), out);
    if (shoal_persons_apply(problem)) {
        status = run_by_persons(out, problem, &metric, &objective, err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(search(&clustering, problem, &metric, &objective, err), out);
    if (!shoal_clustering_emit(&clustering, out)) status = shoal_fail_memory(err);
out:
    shoal_clustering_clear(&clustering);
    shoal_objective_clear(&objective);
    shoal_metric_clear(&metric);
    return status;
}

static const shoal_param_info params[] = {
    { "effort", "0..9", "5", "search effort: 0 fastest, 9 lowest loss" },
    { "w_u", "0..1", "1",
      "weight of utility against protection of the sensitive values; 1: utility alone" },
    { "objective", "s-diversity|range-diversity", "s-diversity",
      "measure of protection if w_u is below 1" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_shoal = {
    .name = "shoal",
    .summary = "cheapest groups first, then local search: lowest loss",
    .cost = { .time = "O(k c q log c)",
              .memory = "O(n q + n s / k)",
              .row_bytes = 128,
              .cell_bytes = 20,
              .value_bytes = 80,
              .has_boxes = true },
    .has_frugal_way = true,
    .run = run,
    .params = params,
    .wants_values = wants_values,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 10,
              .names = "shoal",
              .title = "the default method: cheapest groups first, then refined",
              .text =
                  "For every class, the cheapest group of k rows around it is found; groups are "
                  "formed in order of cost. Then neighbouring groups are regrouped, and rows are "
                  "moved or swapped while the loss decreases. It supports every constraint; after "
                  "a time limit or an interrupt the best valid grouping so far is used.",
              .reading = "Parameter effort 0..9: 0 is fastest, 9 has the lowest loss. The gap in "
                         "the report bounds the distance from the optimum.",
              .source = "this project; docs/algorithms/shoal.md" },
            { 0 },
        },
};
