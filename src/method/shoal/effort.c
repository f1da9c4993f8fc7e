/* SPDX-License-Identifier: Apache-2.0 */
/* effort.c - how much the default method does for a table; see effort.h. The numbers are in
 * tuning.h.
 *
 * Rows of classes with fewer than k rows (*needy* rows) determine time and loss. Up to
 * SHOAL_FULL_ROWS of them all rounds of the level are run. n > SHOAL_FULL_ROWS of them take the
 * share
 *
 *     least + (1 - least) * SHOAL_FULL_ROWS / n        of the rounds, least = 1/15
 *
 * so that rounds * n, the time, is a constant and a term that is linear in n. For example at effort
 * 5 (15 rounds): 40,000 needy rows 15 rounds, 80,000 rows 15 * (1/15 + 14/15 * 1/2) = 8,
 * 1,000,000 rows 15 * (1/15 + 14/15 * 0.04) = 1.56, rounded to 2.
 */
#include "method/shoal/effort.h"

#include "method/registry.h"
#include "method/shoal/tuning.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static uint64_t count_needy_rows(const shoal_problem *problem)
{
    uint64_t n = 0;
    for (uint32_t c = 0; c < problem->classes->n_classes; c++)
        if (problem->classes->counts[c] < problem->k) n += problem->classes->counts[c];
    return n;
}

/*
 * The share of an effort's rounds that is run with so many needy rows. Rows of a wide table count
 * as more: their pools have more members, each with more values.
 */
static double share_of_rounds(const shoal_problem *problem, uint64_t n_needy)
{
    uint32_t width = problem->classes->n_attrs;
    double n = width > SHOAL_NARROW
                   ? (double)n_needy * width * width / (SHOAL_NARROW * SHOAL_NARROW)
                   : (double)n_needy;
    double least = width > SHOAL_WIDE && problem->constraint == NULL ? SHOAL_LEAST_ROUNDS_WIDE
                                                                     : SHOAL_LEAST_ROUNDS;
    return n <= SHOAL_FULL_ROWS ? 1 : least + (1 - least) * SHOAL_FULL_ROWS / n;
}

/* Perturbing small groups takes little time. Near the least share of rounds there are fewer
 * perturbations, too. */
static double count_perturbations(const shoal_problem *problem, const shoal_effort *effort)
{
    const double most = problem->k < 5 ? SHOAL_PERTURBATIONS_SMALL_K : SHOAL_PERTURBATIONS;
    double more = (effort->share - SHOAL_LEAST_ROUNDS) / SHOAL_PERTURBATIONS_FULL;
    return effort->is_full || more > 1 ? most : most * more;
}

shoal_status shoal_effort_make(shoal_effort *out, const shoal_problem *problem,
                               const shoal_metric *metric, shoal_error *err)
{
    const char *text = shoal_problem_param(problem, &shoal_algorithm_shoal, "effort");
    if (strlen(text) != 1 || text[0] < '0' || text[0] > '9')
        return shoal_fail(err, SHOAL_EINVAL, "effort must be a whole number from 0 to 9");
    const shoal_classes *classes = problem->classes;
    const bool has_constraint = problem->constraint != NULL;
    uint64_t n_needy = count_needy_rows(problem);
    *out = (shoal_effort){ .level = (uint32_t)(text[0] - '0') };
    out->is_full = out->level >= SHOAL_FULL_EFFORT;
    out->share = share_of_rounds(problem, n_needy);
    out->perturbations = count_perturbations(problem, out);

    double work = out->is_full ? 0 : (double)n_needy * problem->k;
    bool is_large = work > SHOAL_LARGE_WORK ||
                    (!out->is_full &&
                     classes->n_classes > SHOAL_MANY_REGIONS * shoal_region_classes(metric));
    /* Growing from every class takes k queries, each of which visits most classes of a tree over
     * many attributes. */
    double n = classes->n_classes, width = classes->n_attrs;
    bool is_wide = !out->is_full && width > SHOAL_WIDE && !has_constraint &&
                   n * n * problem->k * width > SHOAL_WIDE_WORK;
    /* growing under a constraint takes long */
    bool is_long = work > SHOAL_LARGE_WORK && has_constraint;
    out->first = out->level == 0 || is_long || is_wide ? SHOAL_START_IN_TREE_ORDER
                 : is_large                            ? SHOAL_START_CHEAPEST_BY_REGIONS
                                                       : SHOAL_START_CHEAPEST_GROUP;
    /* large narrow tables: the first start loses far less than these, which are slow */
    out->tries_mondrian = out->level > 1 && !has_constraint && (!is_large || is_wide);
    out->tries_kmembers = out->level > 1 && !has_constraint && !is_large && !is_wide;
    out->tries_grids = out->level > 0 && (problem->k >= SHOAL_GRIDS_FROM_K || out->is_full);
    return SHOAL_OK;
}

uint32_t shoal_effort_rounds(const shoal_effort *effort, const shoal_clustering *clustering)
{
    static const uint32_t rounds_of_level[] = SHOAL_ROUNDS_OF_EFFORT;
    const shoal_problem *problem = clustering->problem;
    double share = effort->share;
    assert(effort->level < sizeof rounds_of_level / sizeof *rounds_of_level);
    /* a round takes longer, and fewer are needed */
    if (problem->k >= SHOAL_GRIDS_FROM_K) share *= SHOAL_ROUNDS_LARGE_K;
    /*
     * Under a constraint fewer steps are open to each group, so it takes more rounds, the more
     * groups have to be repaired. Where nearly all would have to, the start has observed it, groups
     * are large and a round takes long.
     */
    if (problem->constraint != NULL && clustering->is_lenient)
        share *= fmin(2 + SHOAL_REPAIR_ROUNDS * clustering->lacking, SHOAL_REPAIR_ROUNDS_MOST);
    /* every step has to be weighed, and groups are large */
    if (clustering->objective != NULL) share *= SHOAL_OBJECTIVE_ROUNDS;
    return (uint32_t)(rounds_of_level[effort->level] * share * SHOAL_ROUNDS_FACTOR + 0.5);
}

bool shoal_effort_polishes(const shoal_effort *effort, uint32_t rounds)
{
    return rounds > 0 && (effort->share >= SHOAL_POLISH_FROM || effort->is_full);
}

/*
 * Rounds that count persons in every step (persons_refine.c) are slow: small tables get many of
 * them, about 0.4 seconds of work at the default effort, very small ones several starts, and large
 * ones none. The work of a round grows with the rows and the columns, and for large groups with k.
 * With other models as well, a round takes several times as long, and there are fewer.
 *
 * For example 400 rows of 3 quasi-identifiers, k = 10: 8700 / (400 * 3) = 7.25 times the rounds
 * without persons; one start (floor(7.25 / 6)) of 15 * 7.25 = 108 rounds at effort 5.
 */
shoal_refinement shoal_effort_for_persons(const shoal_effort *effort, const shoal_problem *problem)
{
    static const uint32_t rounds_of_level[] = SHOAL_ROUNDS_OF_EFFORT;
    const uint32_t rounds = rounds_of_level[effort->level];
    double rows = (double)problem->classes->n_rows;
    if (problem->k > SHOAL_PERSON_LARGE_K) rows *= problem->k / SHOAL_PERSON_LARGE_K;
    if (problem->constraint->n_models > 1) {
        double times = fmin(SHOAL_PERSON_MODEL_WORK / rows, SHOAL_PERSON_MODEL_ROUNDS);
        return (shoal_refinement){ 1, (uint32_t)(rounds * times),
                                   SHOAL_PERSON_MODEL_PERTURBATIONS };
    }
    double times = SHOAL_PERSON_WORK / (rows * problem->classes->n_attrs);
    if (rows > SHOAL_PERSON_MANY_ROWS) times *= SHOAL_PERSON_MANY_CUT;
    double starts = floor(times / SHOAL_PERSON_START_ROUNDS);
    starts = starts < 1 ? 1 : fmin(starts, SHOAL_PERSON_STARTS);
    double most = SHOAL_PERSON_START_ROUNDS * SHOAL_PERSON_STARTS;
    times = times < most ? times / starts : SHOAL_PERSON_START_ROUNDS;
    return (shoal_refinement){ (uint32_t)starts, (uint32_t)(rounds * times),
                               SHOAL_PERSON_PERTURBATIONS };
}
