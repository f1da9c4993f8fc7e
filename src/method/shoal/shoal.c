/* SPDX-License-Identifier: Apache-2.0 */
/* shoal.c - the default method: a good start, then refinement until nothing small improves.
 *
 *     start    cheapest group first; large tables: the same in each region of neighbours; wide
 * ones: groups in the order of the tree; from k = 31 on also cheapest box first, and the one that
 * loses less (boxes give up when they will not win) from effort 2 on, except for large narrow
 * tables, also the groups of Mondrian and, unless it is wide, of k-Members, where they lose less
 *              (seldom: on very small or wide tables)
 *     assign   what is left over joins the groups whose loss grows least
 *     refine   rounds of regrouping neighbouring groups (refine.c)
 *     polish   single moves and swaps until none improves (polish.c); groups whose rows lose less
 * with their like are taken apart (dissolve.c)
 *
 * `effort` says how much of it: 0 groups in the order of the search tree only, one growth a group;
 * 1 the start; 2 to 9 also 3, 6, 10, 15, 22, 35, 70, 150 rounds, and from 7 on cheapest group and
 * cheapest box at every k and to the end. Rows with fewer than k alike are what costs: with more
 * than FULL_ROWS of them there are fewer rounds, but never less than LEAST_SHARE of them (wide
 * tables, whose start is poorer: LEAST_WIDE_SHARE), so that the time is a constant and a part that
 * is linear in the rows; with less than POLISH_SHARE of the rounds polishing is left out below
 * effort 7. A time limit, or the caller, ends refinement early; the grouping at hand is valid at
 * every moment. Rows that the start did not come to in time are grouped by Mondrian
 * (start_methods.c).
 *
 * Invariant after assign: every row is in a group of at least k rows, and later steps keep that and
 * never add loss. Cost on real data: about linear in the number of classes; memory of the kernel,
 * 24q bytes a group and of a few pools.
 */
#include "base/invariant.h"
#include "method/shoal/clustering.h"
#include "method/shoal/penalty.h"
#include "method/shoal/persons_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    EFFORT_FULL = 7,
    LARGE_WORK = 3000000,
    MANY_REGIONS = 3,
    NARROW = 8,
    WIDE = 16,
    FULL_ROWS = 40000,
    BOX_FROM_K = 31
};

static const double LEAST_SHARE = 1.0 / 15, LEAST_WIDE_SHARE = 1.0 / 5, POLISH_SHARE = 0.4;

/* The loss always counts a little: without it rows would go anywhere. */
static const double LEAST_W_U = 0.02;

/* With more groups than this to be repaired the start observes the constraint. */
static const double REPAIR_SHARE = 0.5;

static shoal_status read_effort(uint32_t *out, const shoal_problem *problem, shoal_error *err)
{
    const char *text = shoal_problem_param(problem, &shoal_algorithm_shoal, "effort");
    if (strlen(text) != 1 || text[0] < '0' || text[0] > '9')
        return shoal_fail(err, SHOAL_EINVAL, "effort must be a whole number from 0 to 9");
    *out = (uint32_t)(text[0] - '0');
    return SHOAL_OK;
}

/* Rows whose class has fewer than k: only they cost anything. */
static uint64_t count_needy_rows(const shoal_problem *problem)
{
    uint64_t n = 0;
    for (uint32_t c = 0; c < problem->classes->n_classes; c++)
        if (problem->classes->counts[c] < problem->k) n += problem->classes->counts[c];
    return n;
}

/*
 * Under a constraint fewer steps are open to each group, so it takes more rounds, the more groups
 * have to be repaired. Where nearly all would have to, the start has observed it, groups are large
 * and a round takes long.
 */
static double count_factor(const shoal_clustering *clustering)
{
    double factor = clustering->is_lenient ? 2 + 15 * clustering->lacking : 1;
    return factor < 6 ? factor : 6;
}

/*
 * Which share of an effort's rounds is done with so many needy rows? The rows that go through
 * rounds become more with every row. Rows of a wide table count as more: their pools have more
 * members, and each more values.
 */
static double share_of_rounds(const shoal_problem *problem, uint64_t n_needy)
{
    uint32_t width = problem->classes->n_attrs;
    double n = width > NARROW ? (double)n_needy * width * width / (NARROW * NARROW)
                              : (double)n_needy;
    double least = width > WIDE && problem->constraint == NULL ? LEAST_WIDE_SHARE : LEAST_SHARE;
    return n <= FULL_ROWS ? 1 : least + (1 - least) * FULL_ROWS / n;
}

static const uint32_t rounds_of_effort[] = { 0, 0, 3, 6, 10, 15, 22, 35, 70, 150 };

static uint32_t count_rounds(const shoal_clustering *clustering, uint32_t effort, uint64_t n_needy)
{
    const shoal_problem *problem = clustering->problem;
    double share = share_of_rounds(problem, n_needy);
    if (problem->k >= BOX_FROM_K) share *= 0.9; /* a round takes longer, and fewer are needed */
    if (problem->constraint != NULL) share *= count_factor(clustering);
    /* every step has to be weighed, and groups are large */
    if (clustering->objective != NULL) share *= 0.4;
    return (uint32_t)(rounds_of_effort[effort] * share + 0.5);
}

/*
 * How long to count persons in every step (persons_refine.c): small tables can afford many rounds,
 * some 0.4 seconds' at the default effort, very small ones several starts, and large ones nothing.
 * A round's work grows with the rows and the columns, and where groups are large with k. Where
 * there are other models, it takes several times as long, and there are fewer.
 */
static shoal_refinement plan_person_rounds(const shoal_problem *problem, uint32_t effort)
{
    /* rows * columns * rounds, for each round without persons; */
    const double WORK = 8700;
    /* of tables with more rows than that only this share of it */
    const double MANY = 1500, CUT = 0.7;
    /* rounds, likewise, that each of several starts has at least; starts at most */
    const double LEAST = 6, STARTS = 6;
    /* where there are other models: rows * rounds, and rounds at most */
    const double MODEL_WORK = 1300, MODEL_MOST = 3;
    const double PERTURBATIONS = 2.5, MODEL_PERTURBATIONS = 5; /* a group and round; the same */
    const double LARGE_K = 16; /* from there on a row counts for more */
    uint32_t rounds = rounds_of_effort[effort];
    double rows = (double)problem->classes->n_rows *
                  (problem->k > LARGE_K ? problem->k / LARGE_K : 1);
    if (problem->constraint->n_models > 1)
        return (shoal_refinement){
            1,
            (uint32_t)(rounds * (MODEL_WORK / rows < MODEL_MOST ? MODEL_WORK / rows : MODEL_MOST)),
            MODEL_PERTURBATIONS
        };
    double times = WORK / (rows * problem->classes->n_attrs) * (rows > MANY ? CUT : 1),
           starts = floor(times / LEAST);
    starts = starts < 1 ? 1 : starts < STARTS ? starts : STARTS;
    return (shoal_refinement){
        (uint32_t)starts, (uint32_t)(rounds * (times < LEAST * STARTS ? times / starts : LEAST)),
        PERTURBATIONS
    };
}

/* Perturbations a group in a round: fewer where there are so many rows that hardly more than the
 * least share of rounds is done. */
static double count_perturbations(const shoal_problem *problem, uint32_t effort, uint64_t n_needy)
{
    /* small groups: a perturbation costs next to nothing */
    const double MOST = problem->k < 5 ? 3 : 2, FULL_FROM = 0.12;
    double more = (share_of_rounds(problem, n_needy) - LEAST_SHARE) / FULL_FROM;
    return effort >= EFFORT_FULL || more > 1 ? MOST : MOST * more;
}

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
    out->is_lenient = lacking <= REPAIR_SHARE;
    out->lacking = lacking;
    if (status != SHOAL_OK || out->is_lenient) return status;
    shoal_clustering again = { 0 };
    if (!shoal_clustering_init(&again, problem, out->metric)) return shoal_fail_memory(err);
    shoal_clustering_clear(out);
    *out = again;
    out->to_beat = to_beat;
    return start(out, err);
}

/* A start with every row placed: what it leaves is divided, when time is up, or assigned; unless it
 * has given up. */
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

/* Make another start too and keep the better one. A patient one does not give up when it will not
 * win. */
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

/*
 * Growing from every class takes some k queries, each of which looks at most classes of a tree over
 * many attributes: is that too much? Then groups are formed in the order of the tree, and
 * refinement makes up for it.
 */
static bool is_wide(const shoal_problem *problem, uint32_t effort)
{
    const double MOST_WORK = 1e9;
    double n = problem->classes->n_classes, width = problem->classes->n_attrs;
    return effort < EFFORT_FULL && width > WIDE && problem->constraint == NULL &&
           n * n * problem->k * width > MOST_WORK;
}

static shoal_status start_clustering(shoal_clustering *out, const shoal_problem *problem,
                                     const shoal_metric *metric, uint32_t effort, uint64_t n_needy,
                                     shoal_error *err)
{
    bool is_full = effort >= EFFORT_FULL;
    double work = is_full ? 0 : (double)n_needy * problem->k;
    /* growing under a constraint takes long */
    bool in_order = effort == 0 || (work > LARGE_WORK && problem->constraint != NULL);
    bool by_regions = work > LARGE_WORK ||
                      (!is_full &&
                       problem->classes->n_classes > MANY_REGIONS * shoal_region_classes(metric));
    start_fn start = in_order                   ? shoal_start_in_tree_order
                     : is_wide(problem, effort) ? shoal_start_in_tree_order
                     : by_regions               ? shoal_start_cheapest_by_regions
                                                : shoal_start_cheapest_group;
    SHOAL_RETURN_IF_ERROR(make_start(out, problem, metric, start, 0, err));
    /* narrow large tables: the start is far below theirs, and their time is felt */
    bool has_rivals = effort > 1 && problem->constraint == NULL;
    if (has_rivals && (!by_regions || is_wide(problem, effort)) && !problem->stats->stopped_early)
        SHOAL_RETURN_IF_ERROR(try_start(out, shoal_start_mondrian, true, err));
    if (has_rivals && !by_regions && !is_wide(problem, effort) && !problem->stats->stopped_early)
        SHOAL_RETURN_IF_ERROR(try_start(out, shoal_start_kmembers, true, err));
    bool with_boxes = effort > 0 && (problem->k >= BOX_FROM_K || is_full) &&
                      !problem->stats->stopped_early;
    return with_boxes ? try_start(out, shoal_start_grids, is_full, err) : SHOAL_OK;
}

/* ---- protection as an objective ---- */

static bool asks_protection(const shoal_problem *problem)
{
    return strcmp(shoal_problem_param(problem, &shoal_algorithm_shoal, "w_u"), "1") != 0;
}

static bool wants_values(const shoal_problem *problem)
{
    return problem->constraint != NULL || asks_protection(problem);
}

static void clear_objective(shoal_objective *objective)
{
    for (uint32_t c = 0; objective->ranges != NULL && c < objective->n_columns; c++)
        shoal_sensitive_ranges_clear(&objective->ranges[c]);
    shoal_free(objective->ranges);
}

static shoal_status read_objective(shoal_objective *out, const shoal_problem *problem,
                                   shoal_error *err)
{
    const char *text = shoal_problem_param(problem, &shoal_algorithm_shoal, "w_u");
    const char *kind = shoal_problem_param(problem, &shoal_algorithm_shoal, "objective");
    double w_u;
    if (!shoal_parse_number(text, strlen(text), &w_u) || !(w_u >= 0 && w_u <= 1))
        return shoal_fail(err, SHOAL_EINVAL,
                          "w_u must be a number from 0 (protection alone) to 1 (utility alone)");
    bool by_ranges = strcmp(kind, "range-diversity") == 0;
    if (!by_ranges && strcmp(kind, "s-diversity") != 0)
        return shoal_fail(err, SHOAL_EINVAL, "objective must be s-diversity or range-diversity");
    if (w_u == 1) return SHOAL_OK;
    const shoal_constraint *sensitive = problem->sensitive;
    for (uint32_t c = 0; sensitive != NULL && c < sensitive->space.n_attrs; c++)
        /* persons come last */
        out->n_columns += sensitive->space.attrs[c].source->role == SHOAL_ROLE_SENSITIVE;
    if (out->n_columns == 0)
        return shoal_fail(err, SHOAL_EINVAL,
                          "w_u below 1 weighs protection {fix} "
                          "name what is to be protected with {--sensitive}");
    out->weight = (1 - w_u) / (w_u > LEAST_W_U ? w_u : LEAST_W_U);
    if (!by_ranges) return SHOAL_OK;
    out->ranges = shoal_alloc_zero(out->n_columns, sizeof *out->ranges);
    if (out->ranges == NULL) return shoal_fail_memory(err);
    for (uint32_t c = 0; c < out->n_columns; c++)
        SHOAL_RETURN_IF_ERROR(
            shoal_sensitive_ranges_make(&out->ranges[c], &sensitive->space.attrs[c], err));
    return SHOAL_OK;
}

/* Start, refine and polish. */
static shoal_status search(shoal_clustering *out, const shoal_problem *problem,
                           const shoal_metric *metric, const shoal_objective *objective,
                           shoal_error *err)
{
    uint32_t effort = 0;
    SHOAL_RETURN_IF_ERROR(read_effort(&effort, problem, err));
    uint64_t n_needy = count_needy_rows(problem);
    SHOAL_RETURN_IF_ERROR(start_clustering(out, problem, metric, effort, n_needy, err));
    out->objective = objective->weight > 0 ? objective : NULL;
    double start = shoal_seconds();
    uint32_t rounds = count_rounds(out, effort, n_needy);
    if (rounds > 0 && !problem->stats->stopped_early)
        SHOAL_RETURN_IF_ERROR(
            shoal_refine(out, rounds, count_perturbations(problem, effort, n_needy), err));
    bool is_polished = rounds > 0 &&
                       (share_of_rounds(problem, n_needy) >= POLISH_SHARE || effort >= EFFORT_FULL);
    if (is_polished && !problem->stats->stopped_early)
        SHOAL_RETURN_IF_ERROR(shoal_polish(out, err));
    bool is_dissolved = problem->constraint != NULL || out->objective != NULL ||
                        shoal_clustering_dissolve(out);
    problem->stats->refine_seconds = shoal_seconds() - start;
    return is_dissolved ? SHOAL_OK : shoal_fail_memory(err);
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
    uint32_t effort = 0;
    SHOAL_RETURN_IF_ERROR(read_effort(&effort, problem, err));
    bool keeps_values = problem->constraint->n_models > 1 || objective->weight > 0;
    SHOAL_RETURN_IF_ERROR(shoal_persons_make(&persons, problem, keeps_values, err));
    if (persons.classes.n_rows >=
        problem->k) { /* else one group, which shoal_repair() will judge */
        SHOAL_GOTO_IF_ERROR(search(&clustering, &persons.problem, metric, objective, err), out);
        SHOAL_GOTO_IF_ERROR(shoal_persons_assign(&persons, &clustering, err), out);
        shoal_refinement how = plan_person_rounds(problem, effort);
        if (how.rounds > 0 && objective->weight == 0 && !problem->stats->stopped_early)
            SHOAL_GOTO_IF_ERROR(shoal_persons_refine(&persons, &clustering, how, err), out);
    }
    if (!shoal_persons_emit(&persons, out)) status = shoal_fail_memory(err);
out:
    shoal_clustering_clear(&clustering);
    shoal_persons_clear(&persons);
    return status;
}

static shoal_status run(shoal_slices *out, const shoal_problem *problem, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_metric metric = { 0 };
    shoal_clustering clustering = { 0 };
    shoal_objective objective = { 0 };
    if (problem->constraint != NULL && problem->constraint->needs_original &&
        shoal_space_has_priorities(problem->space))
        return shoal_fail(
            err, SHOAL_EINVAL,
            "group-loss counts all quasi-identifiers alike, and {--priority} does not {fix} leave "
            "one of "
            "them out, or use an algorithm whose groups are merged afterwards, such as kmembers");
    SHOAL_GOTO_IF_ERROR(read_objective(&objective, problem, err), out);
    SHOAL_GOTO_IF_ERROR(shoal_metric_make(&metric, problem->space, NULL, err), out);
    if (shoal_persons_apply(problem)) {
        status = run_by_persons(out, problem, &metric, &objective, err);
        goto out;
    }
    SHOAL_GOTO_IF_ERROR(search(&clustering, problem, &metric, &objective, err), out);
    if (!shoal_clustering_emit(&clustering, out)) status = shoal_fail_memory(err);
out:
    shoal_clustering_clear(&clustering);
    clear_objective(&objective);
    shoal_metric_clear(&metric);
    return status;
}

static const shoal_param_info params[] = {
    { "effort", "0..9", "5", "how much time to spend: 0 fastest, 5 the default, 9 least loss" },
    { "w_u", "0..1", "1",
      "weight of utility against protection of the sensitive values; 1: utility alone" },
    { "objective", "s-diversity|range-diversity", "s-diversity",
      "how protection is measured where w_u is below 1" },
    { 0 },
};

const shoal_algorithm shoal_algorithm_shoal = {
    .name = "shoal",
    .summary = "cheapest groups first, then regrouped and polished: the least loss",
    .run = run,
    .params = params,
    .wants_values = wants_values,
    .terms =
        (const shoal_term[]){
            { .kind = SHOAL_TERM_METHOD,
              .place = 10,
              .names = "shoal",
              .title = "the default method: cheapest groups first, then refined",
              .text = "For every distinct tuple the cheapest group of k rows around it is found; "
                      "the cheapest of all is taken first, "
                      "and so on. Then neighbouring groups are divided anew and rows moved or "
                      "swapped while the loss falls. It "
                      "accepts any constraint, and a time limit or an interrupt keeps the best "
                      "valid grouping so far.",
              .reading = "Parameter effort 0..9: 0 is fastest, 9 loses least. The report's gap "
                         "says how far the result is from what "
                         "any method could do.",
              .source = "this project; docs/algorithms/shoal.md" },
            { 0 },
        },
};
