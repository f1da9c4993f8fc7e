/* SPDX-License-Identifier: Apache-2.0 */
/* persons_repair.c - groups of too few persons are repaired; then rows change places while that
 * loses less. See persons_problem.h.
 *
 *     repair     a group of fewer than k persons takes the cheapest rows that others can spare
 *                (another row of that person stays there, or k persons do), or its classes go to
 *                the groups that they cost least, whichever loses less
 *     improve    a class that makes its group wide leaves it for the group that it costs least; if
 *                the group then has too few persons, it takes the cheapest that others can spare;
 *                kept if both together lose less
 *
 * An example, k = 2: the group {30, 31} has two rows of p. Another group has {29, 33, 34} of q, r
 * and s, one person more than it needs: 29 of q moves over, {29, 30, 31} and {33, 34}. Or the rows
 * of p move to groups where they cost less, and the group is dissolved.
 *
 * A group that takes rows never has fewer persons, so no step harms another group. Decreasing: in
 * repair, the number of groups with too few persons; in improve, the loss. Cost: some queries of
 * the kernel for each missing person and for each class that makes a group wide;
 * SHOAL_PERSON_PASSES times.
 */
#include "method/shoal/persons_assign.h"

#include <math.h>

enum { ASK_EVERY = 16 };

/* ---- what others can spare ---- */

/* The group's deficit of the other models with `n_more` rows of a class more, or `n_fewer` fewer.
 */
static double lack_with(shoal_assignment *s, uint32_t group, uint32_t class_index, uint32_t n_more,
                        uint32_t n_fewer)
{
    const shoal_clustering_group *it = shoal_assignment_group(s, group);
    shoal_penalty *penalty = &s->penalty;
    shoal_evidence_clear(&penalty->mine);
    for (uint32_t i = 0; i < it->n_slices; i++)
        shoal_penalty_add(penalty, &penalty->mine, it->slices[i].class_index, it->slices[i].count);
    shoal_penalty_add(penalty, &penalty->mine, class_index, n_more);
    shoal_penalty_remove(penalty, &penalty->mine, class_index, n_fewer);
    return shoal_penalty_lack(penalty, &penalty->mine, it->cluster.loss);
}

/* May the row leave its group? The group keeps k rows and k persons, and its deficit of the other
 * models does not rise. */
static bool can_spare(shoal_assignment *s, uint32_t row)
{
    uint32_t group = s->persons->group_of[row], k = s->persons->whole->k,
             c = s->persons->class_of[row];
    /* and so no more than k persons */
    if (shoal_assignment_group(s, group)->cluster.n_rows <= k) return false;
    if (s->n_persons[group] <= k &&
        shoal_assignment_count(s, group, s->persons->person_of[row]) == 1)
        return false;
    return !s->has_penalty || lack_with(s, group, c, 0, 1) <= lack_with(s, group, c, 0, 0);
}

/* Does the class have a row that the group may take? For shoal_kernel_cheapest_allowed(). */
static bool has_row(uint32_t class_index, shoal_loss with, void *payload)
{
    shoal_assignment *s = payload;
    (void)with;
    for (uint32_t i = s->persons->begin[class_index]; i < s->persons->begin[class_index + 1]; i++) {
        uint32_t row = s->persons->list[i], group = s->persons->group_of[row];
        if (group == s->asking ||
            shoal_assignment_count(s, s->asking, s->persons->person_of[row]) > 0 ||
            !can_spare(s, row))
            continue;
        s->found = row;
        return true;
    }
    return false;
}

/*
 * The group takes rows, the cheapest first, until it has k persons. Adds what that costs to
 * `*rise`, which becomes infinite if there are too few or if it reaches `limit`.
 */
static bool take_rows(shoal_assignment *s, uint32_t group, double *rise, double limit)
{
    s->asking = group;
    while (s->n_persons[group] < s->persons->whole->k) {
        shoal_loss with;
        uint32_t c = *rise >= limit ? SHOAL_NO_CLASS
                                    : shoal_kernel_cheapest_allowed(
                                          &s->state, &shoal_assignment_group(s, group)->cluster,
                                          SHOAL_LOSS_MAX, UINT64_MAX, has_row, s, &with);
        if (c == SHOAL_NO_CLASS) {
            *rise = INFINITY;
            return true;
        }
        uint32_t from = s->persons->group_of[s->found];
        double before = shoal_assignment_cost(s, group) + shoal_assignment_cost(s, from);
        if (!shoal_assignment_move(s, s->found, group)) return false;
        *rise += shoal_assignment_cost(s, group) + shoal_assignment_cost(s, from) - before;
    }
    return true;
}

/* ---- another group for a class ---- */

/* What `count` rows of a class add to the loss of a group; INFINITY from `limit` on, or if the
 * group's deficit of the other models would rise. */
static double rise_with(shoal_assignment *s, uint32_t group, uint32_t class_index, uint32_t count,
                        double limit)
{
    const shoal_cluster *cluster = &shoal_assignment_group(s, group)->cluster;
    if ((double)cluster->loss * count >= limit) return INFINITY; /* it rises by that at least */
    shoal_loss with = shoal_cluster_with(cluster, s->clustering->metric,
                                         shoal_class_codes(&s->persons->classes, class_index),
                                         SHOAL_LOSS_MAX);
    double rise = ((double)cluster->n_rows + count) * with -
                  (double)cluster->n_rows * cluster->loss;
    if (rise >= limit || !s->has_penalty) return rise;
    bool is_harmed = lack_with(s, group, class_index, count, 0) >
                     lack_with(s, group, class_index, 0, 0);
    return is_harmed ? INFINITY : rise;
}

/* The group, not `except`, in which so many rows of a class cost least, of those near to it, and
 * the cost. */
static uint32_t find_cheapest_group(shoal_assignment *s, uint32_t class_index, uint32_t count,
                                    uint32_t except, double *rise)
{
    uint32_t n = shoal_kernel_nearest(&s->state,
                                      shoal_class_codes(&s->persons->classes, class_index),
                                      SHOAL_PERSON_NEAR, s->near);
    uint32_t best = SHOAL_NO_GROUP;
    *rise = INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = s->near[i].class_index, last = except, n_seen = 0;
        for (uint32_t j = s->persons->begin[c];
             j < s->persons->begin[c + 1] && n_seen < SHOAL_PERSON_NEAR; j++) {
            uint32_t group = s->persons->group_of[s->persons->list[j]];
            if (group == except || group == last) continue;
            last = group;
            n_seen++;
            double now = rise_with(s, group, class_index, count, *rise);
            if (now >= *rise) continue;
            *rise = now;
            best = group;
        }
    }
    return best;
}

/* Move all rows of a class that are in a group. */
static bool move_class(shoal_assignment *s, uint32_t class_index, uint32_t from, uint32_t to)
{
    for (uint32_t j = s->persons->begin[class_index]; j < s->persons->begin[class_index + 1]; j++) {
        uint32_t row = s->persons->list[j];
        if (s->persons->group_of[row] == from && !shoal_assignment_move(s, row, to)) return false;
    }
    return true;
}

/* All classes of a group go where they cost least; `*rise` is infinite if one has nowhere to go. */
static bool dissolve(shoal_assignment *s, uint32_t group, double *rise)
{
    const shoal_clustering_group *it = shoal_assignment_group(s, group);
    *rise = -shoal_assignment_cost(s, group);
    while (it->n_slices > 0) {
        double now;
        shoal_class_rows slice = it->slices[it->n_slices - 1];
        uint32_t target = find_cheapest_group(s, slice.class_index, slice.count, group, &now);
        *rise += now;
        if (target == SHOAL_NO_GROUP) return true;
        if (!move_class(s, slice.class_index, group, target)) return false;
    }
    return true;
}

/* ---- repair and improve ---- */

/* Give a group that has too few persons the cheapest rows that others can spare, or dissolve it,
 * whichever adds less loss. Both are tried, and undone; where neither is possible it stays. */
static bool repair(shoal_assignment *s, uint32_t group)
{
    double taking = 0, dissolving;
    s->n_steps = 0;
    if (!take_rows(s, group, &taking, INFINITY)) return false;
    if (taking <= 0) return true;
    if (!shoal_assignment_undo(s) || !dissolve(s, group, &dissolving)) return false;
    if (dissolving < taking) return true;
    if (!shoal_assignment_undo(s)) return false;
    if (taking == INFINITY) return true; /* it cannot be repaired here */
    taking = 0;
    return take_rows(s, group, &taking, INFINITY);
}

/* Would the group be narrower without this slice? */
static bool is_outside(const shoal_assignment *s, const shoal_clustering_group *group,
                       uint32_t slice)
{
    const uint32_t *codes = shoal_class_codes(&s->persons->classes,
                                              group->slices[slice].class_index);
    const shoal_metric *metric = s->clustering->metric;
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        bool is_alone = group->cluster.losses[a] > 0;
        for (uint32_t i = 0; i < group->n_slices && is_alone; i++) {
            const uint32_t *other = shoal_class_codes(&s->persons->classes,
                                                      group->slices[i].class_index);
            is_alone = i == slice || other[a] != codes[a];
        }
        bool is_inner = !metric->lines[a].is_set && codes[a] > group->cluster.ranges[a].lo &&
                        codes[a] < group->cluster.ranges[a].hi;
        if (is_alone && !is_inner) return true;
    }
    return false;
}

/* One class leaves the group, if that loses less; `*has_changed` is set then. */
static bool let_go(shoal_assignment *s, uint32_t group, shoal_class_rows slice, bool *has_changed)
{
    double moving, before = shoal_assignment_cost(s, group);
    uint32_t target = find_cheapest_group(s, slice.class_index, slice.count, group, &moving);
    if (target == SHOAL_NO_GROUP || moving >= before ||
        shoal_assignment_group(s, group)->n_slices == 1)
        return true;
    s->n_steps = 0;
    if (!move_class(s, slice.class_index, group, target)) return false;
    double rise = moving + shoal_assignment_cost(s, group) - before;
    if (rise < 0 && !take_rows(s, group, &rise, 0)) return false;
    bool is_better = rise < 0;
    if (is_better && s->has_penalty) is_better = lack_with(s, group, slice.class_index, 0, 0) == 0;
    if (!is_better) return shoal_assignment_undo(s);
    *has_changed = true;
    return true;
}

/* Each slice that alone makes the group wide, and has fewer than k rows, may leave it. */
static bool improve(shoal_assignment *s, uint32_t group, bool *has_changed)
{
    const shoal_clustering_group *it = shoal_assignment_group(s, group);
    if (it->cluster.loss == 0) return true;
    for (uint32_t i = 0; i < it->n_slices; i++) {
        bool is_gone = false;
        shoal_class_rows slice = it->slices[i];
        if (slice.count >= s->persons->whole->k || !is_outside(s, it, i)) continue;
        if (!let_go(s, group, slice, &is_gone)) return false;
        *has_changed |= is_gone;
        /* the slices are others now: begin again; the loss has fallen */
        if (is_gone) i = UINT32_MAX;
    }
    return true;
}

/* Repair all groups once, then improve them in passes until one changes nothing. */
bool shoal_assignment_repair(shoal_assignment *s)
{
    const shoal_problem *problem = s->persons->whole;
    size_t n_groups = s->clustering->n_groups;
    bool ok = true, has_changed = true, stops = problem->stats->stopped_early;
    for (size_t g = 0; ok && !stops && g < n_groups; g++) {
        if (g % ASK_EVERY == 0) stops = shoal_should_stop(problem, 0.9);
        if (!stops && s->n_persons[g] < problem->k &&
            shoal_assignment_group(s, (uint32_t)g)->n_slices > 0)
            ok = repair(s, (uint32_t)g);
    }
    for (uint32_t pass = 0; ok && !stops && has_changed && pass < SHOAL_PERSON_PASSES; pass++) {
        has_changed = false;
        for (size_t g = 0; ok && !stops && g < n_groups; g++) {
            if (g % ASK_EVERY == 0)
                stops = shoal_should_stop(problem, 0.92 + 0.06 * pass / SHOAL_PERSON_PASSES);
            if (!stops && s->n_persons[g] >= problem->k) ok = improve(s, (uint32_t)g, &has_changed);
        }
    }
    return ok;
}
