/* SPDX-License-Identifier: Apache-2.0 */
/* lattice_search.c - branch and bound over the nodes of the lattice; see lattice_search.h.
 *
 * Levels are chosen for one attribute after the other, those with the most values first. Nodes that
 * agree in the levels chosen so far form a box of the lattice: its lowest node has 0 for the
 * others, its highest has their tops. A box is pruned if one of these shows that no node in it can
 * be better than the best so far:
 *
 *     the highest node still has too many rows in small groups: all nodes below have at least as
 * many the floor of the lowest node (lattice_judge.h), plus the cost of suppressing the rows that
 * are in small groups even on the highest node, is greater than the best
 *
 * An allowed node without suppressed rows ends its box too: every node above it costs at least as
 * much. The first rule is Incognito's subset pruning, because the highest node of a box publishes
 * only the chosen attributes. OLA and Flash decide nodes by their neighbours in the same way.
 *
 * Groups of a box's lowest node are rolled up from those of the enclosing box, so most roll-ups are
 * small. The boxes of the first few attributes are tasks, searched in parallel in waves of fixed
 * length; a wave starts from the best node of the waves before. So neither the result nor the
 * counts depend on the number of threads.
 *
 * El Emam et al.: A Globally Optimal k-Anonymity Method for the De-Identification of Health Data,
 * JAMIA 2009 (OLA). Kohlmayer et al.: Flash: Efficient, Stable and Optimal K-Anonymity, PASSAT
 * 2012. Cost: O(nodes * groups) at worst; memory O(classes * attributes) per thread.
 */
#include "method/full_domain/lattice_search.h"

#include <omp.h>
#include <string.h>

enum { MIN_TASKS = 24, WAVE = 8 };

/* ---- choices ---- */

bool shoal_choice_init(shoal_choice *choice, const shoal_lattice *lattice)
{
    *choice = (shoal_choice){ .levels = shoal_alloc_zero(lattice->n_attrs,
                                                         sizeof *choice->levels) };
    return choice->levels != NULL;
}

void shoal_choice_clear(shoal_choice *choice)
{
    shoal_free(choice->levels);
    *choice = (shoal_choice){ 0 };
}

static bool is_better(const shoal_choice *than, const shoal_lattice *lattice, double cost,
                      uint32_t height, const uint32_t *levels)
{
    if (!than->is_found || cost != than->cost) return !than->is_found || cost < than->cost;
    if (height != than->height) return height < than->height;
    uint32_t a = 0;
    while (a < lattice->n_attrs && levels[a] == than->levels[a]) a++;
    return a < lattice->n_attrs && levels[a] < than->levels[a];
}

void shoal_choice_offer(shoal_choice *choice, const shoal_lattice *lattice, double cost,
                        const uint32_t *levels)
{
    uint32_t height = shoal_node_height(lattice, levels);
    if (!is_better(choice, lattice, cost, height, levels)) return;
    choice->is_found = true;
    choice->cost = cost;
    choice->height = height;
    memcpy(choice->levels, levels, lattice->n_attrs * sizeof *levels);
}

static void copy_choice(shoal_choice *to, const shoal_choice *from, const shoal_lattice *lattice)
{
    uint32_t *levels = to->levels;
    memcpy(levels, from->levels, lattice->n_attrs * sizeof *levels);
    *to = *from;
    to->levels = levels;
}

/* Sums of the same numbers in another order differ by rounding, so a bound must be clearly above
 * the best to prune. */
static bool is_ruled_out(const shoal_choice *best, double bound)
{
    return best->is_found && bound > best->cost * (1 + 1e-9);
}

/* ---- the search ---- */

typedef struct search {
    const shoal_judge *judge;
    const shoal_lattice *lattice;
    uint32_t *order;  /* attributes in the order in which their levels are chosen */
    uint32_t *rest;   /* sum of the heights of those not chosen yet, by the number chosen */
    uint32_t n_split; /* attributes whose levels make a task */
    uint64_t n_tasks;
    uint32_t height; /* of the nodes wanted, or SHOAL_ANY_HEIGHT */
} search;

/* State of one thread. Depth d: the levels of order[0] .. order[d-1] are chosen. */
typedef struct walker {
    const search *s;
    shoal_hearing hearing;
    shoal_node_groups *own; /* for each depth */
    /* groups of the box's lowest node at each depth: own, or those of the previous depth if the
     * level is 0 */
    const shoal_node_groups **at;
    shoal_node_groups upper; /* of the box's highest node */
    uint32_t *upper_of;      /* group of the highest node, for each group of the lowest */
    size_t upper_room;
    uint32_t *levels, *other; /* the lowest node; a temporary one */
    shoal_choice *best;
    uint64_t n_evaluations;
    bool is_out_of_time;
} walker;

typedef enum step {
    DESCEND, /* choose a level of the next attribute */
    NEXT,    /* the next level of this one */
    UP       /* skip the higher levels of this one too */
} step;

/* Is no node at or below the highest one allowed? Models can show this only if they are monotone
 * and no row may be suppressed. False if memory is short. */
static bool judge_upper(bool *is_hopeless, uint64_t *n_below_k, walker *w)
{
    const shoal_judge *judge = w->s->judge;
    *n_below_k = 0;
    for (uint32_t g = 0; g < w->upper.n; g++)
        if (w->upper.sizes[g] < judge->problem->k) *n_below_k += w->upper.sizes[g];
    *is_hopeless = *n_below_k > judge->limit;
    bool models_tell = judge->problem->constraint != NULL && judge->is_monotone &&
                       judge->limit == 0;
    if (*is_hopeless || !models_tell) return true;
    shoal_verdict verdict;
    if (!shoal_judge_node(&verdict, judge, w->other, &w->upper, &w->hearing)) return false;
    *is_hopeless = verdict.is_hopeless;
    return true;
}

/* Can the box contain a better node? `floor` is that of its lowest node; rows in groups that are
 * small even on the highest node are suppressed on every node, which adds to it. False if memory is
 * short. */
static bool look_up(bool *is_hopeful, walker *w, uint32_t depth, double floor)
{
    const search *s = w->s;
    const shoal_node_groups *groups = w->at[depth];
    void *block = w->upper_of;
    if (!shoal_reserve(&block, &w->upper_room, groups->n, sizeof *w->upper_of)) return false;
    w->upper_of = block;
    memcpy(w->other, w->levels, s->lattice->n_attrs * sizeof *w->other);
    for (uint32_t d = depth; d < s->lattice->n_attrs; d++)
        w->other[s->order[d]] = s->lattice->top[s->order[d]];
    if (!shoal_roll_up(&w->upper, s->lattice, groups, w->levels, w->other, w->upper_of,
                       &w->hearing.roller))
        return false;
    w->n_evaluations++;
    bool is_hopeless;
    uint64_t n_below_k;
    if (!judge_upper(&is_hopeless, &n_below_k, w)) return false;
    *is_hopeful = !is_hopeless;
    if (is_hopeless || n_below_k == 0) return true;
    for (uint32_t g = 0; g < groups->n; g++)
        if (w->upper.sizes[w->upper_of[g]] < s->judge->problem->k)
            floor += groups->sizes[g] * shoal_suppression_cost(s->judge, w->levels, groups, g);
    *is_hopeful = !is_ruled_out(w->best, floor);
    return true;
}

/* Visit the box with lowest node w->levels. `is_new`: this node was not judged yet. False if memory
 * is short. */
static bool visit(step *out, walker *w, uint32_t depth, bool is_new)
{
    const search *s = w->s;
    const shoal_node_groups *groups = w->at[depth];
    uint32_t height = shoal_node_height(s->lattice, w->levels);
    double floor = shoal_node_floor(s->judge, w->levels, groups);
    *out = UP;
    w->is_out_of_time = w->is_out_of_time || shoal_seconds() > s->judge->problem->deadline;
    if (w->is_out_of_time || height > s->height || is_ruled_out(w->best, floor)) return true;
    *out = NEXT;
    if (s->height != SHOAL_ANY_HEIGHT && height + s->rest[depth] < s->height) return true;
    if (is_new && (s->height == SHOAL_ANY_HEIGHT || s->height == height)) {
        shoal_verdict verdict;
        if (!shoal_judge_node(&verdict, s->judge, w->levels, groups, &w->hearing)) return false;
        w->n_evaluations++;
        if (verdict.is_allowed)
            shoal_choice_offer(w->best, s->lattice,
                               shoal_node_cost(s->judge, w->levels, groups, &w->hearing),
                               w->levels);
        if (verdict.n_small == 0) {
            *out = UP;
            return true;
        }
    }
    if (depth == s->lattice->n_attrs) return true;
    bool is_hopeful;
    if (!look_up(&is_hopeful, w, depth, floor)) return false;
    if (is_hopeful) *out = DESCEND;
    return true;
}

/* One level up in the attribute chosen last. */
static bool raise(walker *w, uint32_t depth)
{
    const shoal_lattice *lattice = w->s->lattice;
    uint32_t a = w->s->order[depth - 1];
    memcpy(w->other, w->levels, lattice->n_attrs * sizeof *w->other);
    w->other[a]++;
    if (!shoal_roll_up(&w->own[depth], lattice, w->at[depth], w->levels, w->other, NULL,
                       &w->hearing.roller))
        return false;
    w->levels[a]++;
    w->at[depth] = &w->own[depth];
    return true;
}

/* Visit the boxes of a task in lexicographic order, from depth n_split on. False if memory is
 * short. */
static bool walk_boxes(walker *w)
{
    const search *s = w->s;
    uint32_t depth = s->n_split;
    bool is_new = true;
    for (;;) {
        step next;
        if (!visit(&next, w, depth, is_new)) return false;
        if (next == DESCEND) {
            w->at[depth + 1] = w->at[depth];
            depth++;
            is_new = false; /* level 0 is the same node again */
            continue;
        }
        /* back to an attribute whose level can be raised */
        for (; depth > s->n_split; depth--, next = NEXT) {
            uint32_t a = s->order[depth - 1];
            if (next != UP && w->levels[a] < s->lattice->limit[a]) break;
            w->levels[a] = 0;
        }
        if (depth == s->n_split) return true;
        if (!raise(w, depth)) return false;
        is_new = true;
    }
}

static bool walk_task(walker *w, uint64_t task)
{
    const search *s = w->s;
    memset(w->levels, 0, s->lattice->n_attrs * sizeof *w->levels);
    for (uint32_t d = s->n_split; d-- > 0;) {
        uint32_t n_levels = s->lattice->limit[s->order[d]] + 1;
        w->levels[s->order[d]] = (uint32_t)(task % n_levels);
        task /= n_levels;
    }
    w->n_evaluations = 0;
    w->at[s->n_split] = &w->own[s->n_split];
    return shoal_roll_up(&w->own[s->n_split], s->lattice, &s->lattice->base, s->lattice->bottom,
                         w->levels, NULL, &w->hearing.roller) &&
           walk_boxes(w);
}

/* ---- setting up ---- */

static void walker_clear(walker *w)
{
    for (uint32_t d = 0; w->own != NULL && d <= w->s->lattice->n_attrs; d++)
        shoal_node_groups_clear(&w->own[d]);
    shoal_hearing_clear(&w->hearing);
    shoal_node_groups_clear(&w->upper);
    shoal_free(w->own);
    shoal_free(w->at);
    shoal_free(w->upper_of);
    shoal_free(w->levels);
    shoal_free(w->other);
}

static bool walker_init(walker *w, const search *s)
{
    uint32_t n = s->lattice->n_attrs;
    *w = (walker){ .s = s };
    w->own = shoal_alloc_zero((size_t)n + 1, sizeof *w->own);
    w->at = shoal_alloc((size_t)n + 1, sizeof *w->at);
    w->levels = shoal_alloc_zero(n, sizeof *w->levels);
    w->other = shoal_alloc(n, sizeof *w->other);
    return w->own != NULL && w->at != NULL && w->levels != NULL && w->other != NULL;
}

static bool search_init(search *s, const shoal_judge *judge, uint32_t height)
{
    const shoal_lattice *lattice = judge->lattice;
    uint32_t n = lattice->n_attrs;
    *s = (search){ .judge = judge, .lattice = lattice, .height = height, .n_tasks = 1 };
    s->order = shoal_alloc(n, sizeof *s->order);
    s->rest = shoal_alloc((size_t)n + 1, sizeof *s->rest);
    if (s->order == NULL || s->rest == NULL) return false;
    for (uint32_t a = 0; a < n; a++) { /* by descending number of values, then as named */
        uint32_t at = a;
        for (; at > 0 && lattice->axes[s->order[at - 1]].levels[0].n_values <
                             lattice->axes[a].levels[0].n_values;
             at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = a;
    }
    s->rest[n] = 0;
    for (uint32_t d = n; d-- > 0;) s->rest[d] = s->rest[d + 1] + lattice->limit[s->order[d]];
    while (s->n_split < n && s->n_tasks < MIN_TASKS)
        s->n_tasks *= lattice->limit[s->order[s->n_split++]] + 1;
    return true;
}

/* ---- running ---- */

typedef struct wave {
    shoal_choice found[WAVE]; /* the best node after each task */
    uint64_t n_evaluations[WAVE];
} wave;

/* Tasks begin .. begin + n - 1. False when memory is short. */
static bool run_wave(wave *v, walker *walkers, const search *s, const shoal_choice *best,
                     uint64_t begin, uint32_t n)
{
    bool ok = true;
    uint32_t threads = s->judge->problem->threads;
#pragma omp parallel for num_threads((int)threads) schedule(dynamic) reduction(&& : ok)
    for (uint32_t i = 0; i < n; i++) {
        walker *w = &walkers[omp_get_thread_num()];
        copy_choice(&v->found[i], best, s->lattice);
        w->best = &v->found[i];
        ok = walk_task(w, begin + i) && ok;
        v->n_evaluations[i] = w->n_evaluations;
    }
    return ok;
}

static void end_wave(shoal_choice *best, bool *is_out_of_time, const wave *v, const walker *walkers,
                     const search *s, uint32_t n)
{
    const shoal_problem *problem = s->judge->problem;
    for (uint32_t i = 0; i < n; i++) {
        problem->stats->evaluations += v->n_evaluations[i];
        if (v->found[i].is_found)
            shoal_choice_offer(best, s->lattice, v->found[i].cost, v->found[i].levels);
    }
    for (uint32_t t = 0; t < problem->threads; t++) *is_out_of_time |= walkers[t].is_out_of_time;
}

static shoal_status run_waves(shoal_choice *best, wave *v, walker *walkers, const search *s,
                              shoal_error *err)
{
    const shoal_problem *problem = s->judge->problem;
    bool is_out_of_time = false;
    for (uint64_t begin = 0; begin < s->n_tasks && !is_out_of_time; begin += WAVE) {
        uint32_t n = s->n_tasks - begin < WAVE ? (uint32_t)(s->n_tasks - begin) : WAVE;
        if (!run_wave(v, walkers, s, best, begin, n)) return shoal_fail_memory(err);
        end_wave(best, &is_out_of_time, v, walkers, s, n);
        SHOAL_RETURN_IF_ERROR(
            shoal_problem_progress(problem, (double)begin / (double)s->n_tasks, err));
    }
    problem->stats->stopped_early |= is_out_of_time;
    return SHOAL_OK;
}

shoal_status shoal_lattice_search(shoal_choice *best, const shoal_judge *judge, uint32_t height,
                                  shoal_error *err)
{
    search s = { 0 };
    wave v = { 0 };
    uint32_t threads = judge->problem->threads;
    walker *walkers = shoal_alloc_zero(threads, sizeof *walkers);
    bool ok = walkers != NULL && search_init(&s, judge, height);
    for (uint32_t t = 0; ok && t < threads; t++) ok = walker_init(&walkers[t], &s);
    for (uint32_t i = 0; ok && i < WAVE; i++) ok = shoal_choice_init(&v.found[i], judge->lattice);
    shoal_status status = ok ? run_waves(best, &v, walkers, &s, err) : shoal_fail_memory(err);
    for (uint32_t i = 0; i < WAVE; i++) shoal_choice_clear(&v.found[i]);
    for (uint32_t t = 0; walkers != NULL && t < threads; t++)
        if (walkers[t].s != NULL) walker_clear(&walkers[t]);
    shoal_free(walkers);
    shoal_free(s.order);
    shoal_free(s.rest);
    return status;
}

/* ---- a start ---- */

typedef struct descent {
    const shoal_judge *judge;
    shoal_hearing hearing;
    shoal_node_groups groups;
    uint32_t *levels;
} descent;

/* Offer a node if it is allowed. False when memory is short. */
static bool try_node(shoal_choice *best, descent *d)
{
    const shoal_lattice *lattice = d->judge->lattice;
    shoal_verdict verdict;
    if (!shoal_roll_up(&d->groups, lattice, &lattice->base, lattice->bottom, d->levels, NULL,
                       &d->hearing.roller) ||
        !shoal_judge_node(&verdict, d->judge, d->levels, &d->groups, &d->hearing))
        return false;
    d->judge->problem->stats->evaluations++;
    if (verdict.is_allowed)
        shoal_choice_offer(best, lattice,
                           shoal_node_cost(d->judge, d->levels, &d->groups, &d->hearing),
                           d->levels);
    return true;
}

/* Try all nodes one step below the best one; is one of them better? False if memory is short. */
static bool try_below(bool *is_lower, shoal_choice *best, descent *d, shoal_choice *from)
{
    const shoal_lattice *lattice = d->judge->lattice;
    copy_choice(from, best, lattice);
    *is_lower = false;
    for (uint32_t a = 0; a < lattice->n_attrs && shoal_seconds() <= d->judge->problem->deadline;
         a++) {
        memcpy(d->levels, from->levels, lattice->n_attrs * sizeof *d->levels);
        if (d->levels[a]-- == 0) continue;
        if (!try_node(best, d)) return false;
    }
    *is_lower = best->height < from->height;
    return true;
}

shoal_status shoal_lattice_descend(shoal_choice *best, const shoal_judge *judge, shoal_error *err)
{
    const shoal_lattice *lattice = judge->lattice;
    shoal_status status = SHOAL_OK;
    shoal_choice from = { 0 };
    descent d = { .judge = judge, .levels = shoal_alloc(lattice->n_attrs, sizeof *d.levels) };
    bool ok = d.levels != NULL && shoal_choice_init(&from, lattice);
    if (ok) memcpy(d.levels, lattice->limit, lattice->n_attrs * sizeof *d.levels);
    ok = ok && try_node(best, &d);
    for (bool is_lower = true; ok && best->is_found && is_lower;) {
        ok = try_below(&is_lower, best, &d, &from);
        if (ok) SHOAL_GOTO_IF_ERROR(shoal_problem_progress(judge->problem, 0, err), out);
    }
    if (!ok) status = shoal_fail_memory(err);
out:
    shoal_choice_clear(&from);
    shoal_hearing_clear(&d.hearing);
    shoal_node_groups_clear(&d.groups);
    shoal_free(d.levels);
    return status;
}
