/* SPDX-License-Identifier: Apache-2.0 */
/* lattice_judge.c - see lattice_judge.h. */
#include "method/full_domain/lattice_judge.h"

#include <math.h>
#include <string.h>

/* ---- making it ---- */

static shoal_status read_metric(shoal_node_metric *out, const char *text, const char *method,
                                shoal_error *err)
{
    static const char *const names[] = { "gcp", "dm", "entropy" };
    for (uint32_t i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (shoal_node_metric)i;
            return SHOAL_OK;
        }
    return shoal_fail(err, SHOAL_EINVAL, "%s: metric must be 'gcp', 'dm' or 'entropy'", method);
}

shoal_status shoal_judge_make(shoal_judge *out, const shoal_lattice *lattice,
                              const shoal_problem *problem, const shoal_algorithm *algorithm,
                              shoal_error *err)
{
    const char *text = shoal_problem_param(problem, algorithm, "suppression");
    const char *metric_text = shoal_problem_param(problem, algorithm, "metric");
    shoal_node_metric metric = SHOAL_NODE_GCP;
    double share;
    if (!shoal_parse_number(text, strlen(text), &share) || !(share >= 0 && share <= 1))
        return shoal_fail(err, SHOAL_EINVAL, "%s: suppression must be a number from 0 to 1",
                          algorithm->name);
    if (share > 0 && problem->drops_suppressed && problem->constraint != NULL &&
        problem->constraint->uses_totals)
        return shoal_fail(
            err, SHOAL_EINVAL,
            "%s: a privacy model compares groups with the whole table, which removing suppressed "
            "rows would change {fix} set suppression to 0, or remove {--drop-suppressed}",
            algorithm->name);
    if (metric_text != NULL)
        SHOAL_RETURN_IF_ERROR(read_metric(&metric, metric_text, algorithm->name, err));
    /* 0.05 of 100 rows must be 5: the product may be slightly less */
    uint64_t limit = (uint64_t)floor(share * (double)lattice->classes->n_rows * (1 + 1e-12));
    /* given for all methods, to satisfy privacy models */
    if (problem->may_suppress > limit) limit = problem->may_suppress;
    return shoal_judge_init(out, lattice, problem, limit, metric, err);
}

/* log2 of the number of rows with each value of a level. NULL if memory is short. */
static const double *count_bits(shoal_arena *arena, const shoal_level *level)
{
    double *bits = shoal_arena_alloc(arena, level->n_values * sizeof *bits);
    for (uint32_t v = 0; bits != NULL && v < level->n_values; v++)
        bits[v] = log2((double)level->rows[v]);
    return bits;
}

static bool weigh_level(shoal_judge *judge, const shoal_level *level, uint32_t at)
{
    judge->costs[at] = judge->metric == SHOAL_NODE_ENTROPY ? count_bits(&judge->arena, level)
                                                           : level->losses;
    if (judge->costs[at] == NULL) return false;
    judge->sums[at] = 0;
    for (uint32_t v = 0; v < level->n_values; v++)
        judge->sums[at] += (double)level->rows[v] * judge->costs[at][v];
    return true;
}

static bool is_monotone(const shoal_constraint *constraint)
{
    for (uint32_t m = 0; constraint != NULL && m < constraint->n_models; m++)
        if (!constraint->models[m].kind->is_monotone) return false;
    return true;
}

shoal_status shoal_judge_init(shoal_judge *out, const shoal_lattice *lattice,
                              const shoal_problem *problem, uint64_t limit,
                              shoal_node_metric metric, shoal_error *err)
{
    shoal_judge judge = {
        .lattice = lattice, .problem = problem, .limit = limit, .metric = metric
    };
    judge.is_monotone = is_monotone(problem->constraint);
    size_t n_levels = (size_t)lattice->height + lattice->n_attrs;
    double n_rows = (double)lattice->classes->n_rows;
    judge.row_cost = metric == SHOAL_NODE_DM
                         ? n_rows
                         : lattice->n_attrs * (metric == SHOAL_NODE_GCP ? 1 : log2(n_rows));
    judge.level_at = shoal_alloc(lattice->n_attrs, sizeof *judge.level_at);
    judge.costs = shoal_alloc(n_levels, sizeof *judge.costs);
    judge.sums = shoal_alloc(n_levels, sizeof *judge.sums);
    bool ok = judge.level_at != NULL && judge.costs != NULL && judge.sums != NULL;
    uint32_t at = 0;
    for (uint32_t a = 0; ok && a < lattice->n_attrs; a++) {
        judge.level_at[a] = at;
        for (uint32_t l = 0; ok && l <= lattice->top[a]; l++)
            ok = weigh_level(&judge, &lattice->axes[a].levels[l], at++);
    }
    if (!ok) {
        shoal_judge_clear(&judge);
        return shoal_fail_memory(err);
    }
    *out = judge;
    return SHOAL_OK;
}

void shoal_judge_clear(shoal_judge *judge)
{
    shoal_free(judge->level_at);
    shoal_free(judge->costs);
    shoal_free(judge->sums);
    shoal_arena_clear(&judge->arena);
    *judge = (shoal_judge){ 0 };
}

/* ---- judging ---- */

void shoal_hearing_clear(shoal_hearing *hearing)
{
    shoal_roller_clear(&hearing->roller);
    shoal_free(hearing->fates);
    shoal_node_groups_clear(&hearing->again);
    shoal_free(hearing->ids);
    shoal_free(hearing->members);
    shoal_free(hearing->ends);
    shoal_evidence_free(&hearing->group);
    shoal_evidence_free(&hearing->hidden);
    shoal_free(hearing->cells);
    shoal_free(hearing->stretches);
    *hearing = (shoal_hearing){ 0 };
}

/* Allocate the memory for a constraint on first use; allocations of an earlier attempt are kept. */
static bool open_hearing(shoal_hearing *h, const shoal_judge *judge)
{
    const shoal_constraint *constraint = judge->problem->constraint;
    uint32_t n = judge->lattice->base.n;
    if (h->ids == NULL) h->ids = shoal_alloc(n, sizeof *h->ids);
    if (h->members == NULL) h->members = shoal_alloc(n, sizeof *h->members);
    if (h->cells == NULL) h->cells = shoal_alloc(judge->lattice->n_attrs, sizeof *h->cells);
    if (h->stretches == NULL)
        h->stretches = shoal_alloc(judge->lattice->n_attrs, sizeof *h->stretches);
    return h->ids != NULL && h->members != NULL && h->cells != NULL && h->stretches != NULL &&
           (h->group.tallies != NULL || shoal_evidence_init(&h->group, constraint)) &&
           (h->hidden.tallies != NULL || shoal_evidence_init(&h->hidden, constraint));
}

/*
 * List the classes of each group. Groups are in the order of their least class, independent of how
 * they were rolled up.
 */
static bool list_members(shoal_hearing *h, const shoal_lattice *lattice, const uint32_t *levels)
{
    if (!shoal_roll_up(&h->again, lattice, &lattice->base, lattice->bottom, levels, h->ids,
                       &h->roller))
        return false;
    uint32_t n = h->again.n;
    void *ends = h->ends;
    if (!shoal_reserve(&ends, &h->end_room, (size_t)n + 1, sizeof *h->ends)) return false;
    h->ends = ends;
    memset(h->ends, 0, ((size_t)n + 1) * sizeof *h->ends);
    for (uint32_t c = 0; c < lattice->base.n; c++) h->ends[h->ids[c] + 1]++;
    for (uint32_t g = 0; g < n; g++) h->ends[g + 1] += h->ends[g];
    /* filling moves each begin to its end */
    for (uint32_t c = 0; c < lattice->base.n; c++) h->members[h->ends[h->ids[c]]++] = c;
    return true;
}

static void add_group(shoal_evidence *evidence, const shoal_hearing *h, const shoal_judge *judge,
                      uint32_t group)
{
    const shoal_problem *problem = judge->problem;
    for (uint32_t i = group == 0 ? 0 : h->ends[group - 1]; i < h->ends[group]; i++)
        shoal_evidence_add(evidence, problem->constraint,
                           shoal_problem_values(problem, h->members[i]),
                           problem->classes->counts[h->members[i]]);
}

/* Set the mean loss of the group's cells, and the rows of the population that they cover. */
static void show_published(shoal_hearing *h, const shoal_judge *judge, const uint32_t *levels,
                           const shoal_node_groups *groups, uint32_t group)
{
    const shoal_lattice *lattice = judge->lattice;
    double sum = 0;
    for (uint32_t a = 0; a < lattice->n_attrs; a++) {
        const shoal_level *level = &lattice->axes[a].levels[levels[a]];
        uint32_t value = shoal_group_value(lattice, groups, group, a);
        h->cells[a] = level->cells[value];
        sum += level->losses[value];
    }
    h->group.loss = sum / lattice->n_attrs;
    /* a set is one value or `*` here, so its members are not needed */
    shoal_box box = { h->cells, NULL };
    h->group.population = shoal_constraint_population(judge->problem->constraint, box,
                                                      h->stretches);
}

bool shoal_judge_group(const shoal_judge *judge, const uint32_t *levels,
                       const shoal_node_groups *groups, uint32_t group, shoal_hearing *hearing)
{
    show_published(hearing, judge, levels, groups, group);
    return shoal_constraint_lack(judge->problem->constraint, &hearing->group) == 0;
}

/* Mark groups that violate the constraint as small. */
static bool put_to_constraint(shoal_verdict *verdict, const shoal_judge *judge,
                              const uint32_t *levels, const shoal_node_groups *groups,
                              shoal_hearing *h)
{
    if (!open_hearing(h, judge) || !list_members(h, judge->lattice, levels)) return false;
    for (uint32_t g = 0; g < groups->n && verdict->n_small <= judge->limit; g++) {
        if (h->fates[g] != SHOAL_KEPT) continue;
        shoal_evidence_clear(&h->group);
        add_group(&h->group, h, judge, g);
        if (shoal_judge_group(judge, levels, groups, g, h)) continue;
        h->fates[g] = SHOAL_SMALL;
        verdict->n_small += groups->sizes[g];
    }
    return true;
}

/* Are the suppressed rows a valid group? */
static bool are_hidden(const shoal_judge *judge, const shoal_verdict *verdict,
                       const shoal_hearing *h)
{
    const shoal_problem *problem = judge->problem;
    if (verdict->n_suppressed < shoal_least_suppressed(problem)) return false;
    return problem->constraint == NULL || problem->frees_suppressed ||
           shoal_constraint_lack(problem->constraint, &h->hidden) == 0;
}

static uint32_t smallest_kept(const shoal_node_groups *groups, const shoal_hearing *h)
{
    uint32_t least = SHOAL_NO_CODE;
    for (uint32_t g = 0; g < groups->n; g++)
        if (h->fates[g] == SHOAL_KEPT &&
            (least == SHOAL_NO_CODE || groups->sizes[g] < groups->sizes[least]))
            least = g;
    return least;
}

/* Suppress more groups until the suppressed rows are a valid group, or too many. */
static void hide_small(shoal_verdict *verdict, const shoal_judge *judge,
                       const shoal_node_groups *groups, shoal_hearing *h)
{
    const shoal_constraint *constraint = judge->problem->constraint;
    if (constraint != NULL) {
        shoal_evidence_clear(&h->hidden);
        h->hidden.loss = NAN; /* the loss of suppressed rows is not limited */
        h->hidden.population = constraint->population != NULL
                                   ? (double)constraint->population->n_rows
                                   : NAN;
        for (uint32_t g = 0; g < groups->n; g++)
            if (h->fates[g] == SHOAL_SMALL) add_group(&h->hidden, h, judge, g);
    }
    while (verdict->n_suppressed <= judge->limit && !are_hidden(judge, verdict, h)) {
        uint32_t g = smallest_kept(groups, h);
        verdict->n_suppressed = g == SHOAL_NO_CODE ? UINT64_MAX
                                                   : verdict->n_suppressed + groups->sizes[g];
        if (g == SHOAL_NO_CODE) return;
        h->fates[g] = SHOAL_HIDES;
        if (constraint != NULL) add_group(&h->hidden, h, judge, g);
    }
}

bool shoal_judge_node(shoal_verdict *out, const shoal_judge *judge, const uint32_t *levels,
                      const shoal_node_groups *groups, shoal_hearing *hearing)
{
    shoal_verdict verdict = { 0 };
    void *fates = hearing->fates;
    if (!shoal_reserve(&fates, &hearing->fate_room, groups->n, sizeof *hearing->fates))
        return false;
    hearing->fates = fates;
    for (uint32_t g = 0; g < groups->n; g++) {
        bool is_small = groups->sizes[g] < judge->problem->k;
        hearing->fates[g] = is_small ? SHOAL_SMALL : SHOAL_KEPT;
        if (is_small) verdict.n_below_k += groups->sizes[g];
    }
    verdict.n_small = verdict.n_below_k;
    if (judge->problem->constraint != NULL && verdict.n_small <= judge->limit &&
        !put_to_constraint(&verdict, judge, levels, groups, hearing))
        return false;
    verdict.n_suppressed = verdict.n_small;
    if (verdict.n_small > 0 && verdict.n_small <= judge->limit)
        hide_small(&verdict, judge, groups, hearing);
    verdict.is_allowed = verdict.n_suppressed <= judge->limit;
    verdict.is_hopeless = verdict.n_below_k > judge->limit ||
                          (judge->limit == 0 && judge->is_monotone && verdict.n_small > 0);
    *out = verdict;
    return true;
}

double shoal_group_cost(const shoal_judge *judge, const uint32_t *levels,
                        const shoal_node_groups *groups, uint32_t group)
{
    double sum = 0;
    for (uint32_t a = 0; a < judge->lattice->n_attrs; a++)
        sum += judge->costs[judge->level_at[a] + levels[a]]
                           [shoal_group_value(judge->lattice, groups, group, a)];
    return sum;
}

double shoal_node_floor(const shoal_judge *judge, const uint32_t *levels,
                        const shoal_node_groups *groups)
{
    double sum = 0;
    if (judge->metric == SHOAL_NODE_DM) {
        for (uint32_t g = 0; g < groups->n; g++)
            sum += (double)groups->sizes[g] * (double)groups->sizes[g];
        return sum;
    }
    for (uint32_t a = 0; a < judge->lattice->n_attrs; a++)
        sum += judge->sums[judge->level_at[a] + levels[a]];
    return sum;
}

double shoal_node_cost(const shoal_judge *judge, const uint32_t *levels,
                       const shoal_node_groups *groups, const shoal_hearing *hearing)
{
    double sum = shoal_node_floor(judge, levels, groups);
    for (uint32_t g = 0; g < groups->n; g++)
        if (hearing->fates[g] != SHOAL_KEPT)
            sum += groups->sizes[g] * shoal_suppression_cost(judge, levels, groups, g);
    return sum;
}

/* ---- publishing ---- */

static bool fill_domain(shoal_full_domain *domain, const shoal_lattice *lattice,
                        const uint32_t *levels, const shoal_node_groups *groups)
{
    uint32_t n_attrs = lattice->n_attrs;
    domain->cells = shoal_alloc((size_t)groups->n * n_attrs, sizeof *domain->cells);
    domain->levels = shoal_alloc(n_attrs, sizeof *domain->levels);
    domain->heights = shoal_alloc(n_attrs, sizeof *domain->heights);
    if (domain->cells == NULL || domain->levels == NULL || domain->heights == NULL) return false;
    memcpy(domain->levels, levels, n_attrs * sizeof *levels);
    memcpy(domain->heights, lattice->top, n_attrs * sizeof *lattice->top);
    for (uint32_t g = 0; g < groups->n; g++)
        for (uint32_t a = 0; a < n_attrs; a++)
            domain->cells[(size_t)g * n_attrs + a] =
                lattice->axes[a].levels[levels[a]].cells[shoal_group_value(lattice, groups, g, a)];
    return true;
}

static bool fill_slices(shoal_slices *slices, const shoal_classes *classes, const uint32_t *ids,
                        const uint8_t *fates)
{
    for (uint32_t c = 0; c < classes->n_classes; c++)
        if (!shoal_slices_add(slices, c, fates[ids[c]] == SHOAL_KEPT ? ids[c] : SHOAL_SUPPRESSED,
                              classes->counts[c]))
            return false;
    return true;
}

static shoal_status fail_node(const shoal_judge *judge, const shoal_verdict *verdict,
                              shoal_error *err)
{
    const char *what = verdict->n_below_k > judge->limit ? "have fewer than k rows"
                                                         : "do not satisfy a privacy model";
    bool is_limited = shoal_node_height(judge->lattice, judge->lattice->limit) <
                      judge->lattice->height;
    return shoal_fail(err, SHOAL_EUNSAT,
                      "at the best levels, groups with at least %llu rows %s, or suppressed rows "
                      "would, and at most %llu rows may be suppressed {fix} {text %s}relax k or "
                      "the model, or allow more suppression with {--param} suppression=SHARE",
                      (unsigned long long)verdict->n_small, what, (unsigned long long)judge->limit,
                      is_limited ? "raise a level with {--max-level}, " : "");
}

shoal_status shoal_publish_node(shoal_slices *out, const shoal_judge *judge, const uint32_t *levels,
                                shoal_error *err)
{
    const shoal_lattice *lattice = judge->lattice;
    shoal_status status = SHOAL_OK;
    shoal_node_groups groups = { 0 };
    shoal_hearing hearing = { 0 };
    shoal_verdict verdict;
    uint32_t *ids = shoal_alloc(lattice->base.n, sizeof *ids);
    if (ids == NULL ||
        !shoal_roll_up(&groups, lattice, &lattice->base, lattice->bottom, levels, ids,
                       &hearing.roller) ||
        !shoal_judge_node(&verdict, judge, levels, &groups, &hearing))
        status = shoal_fail_memory(err);
    else if (!verdict.is_allowed)
        status = fail_node(judge, &verdict, err);
    else if (!fill_domain(&out->domain, lattice, levels, &groups) ||
             !fill_slices(out, lattice->classes, ids, hearing.fates))
        status = shoal_fail_memory(err);
    shoal_free(ids);
    shoal_node_groups_clear(&groups);
    shoal_hearing_clear(&hearing);
    return status;
}
