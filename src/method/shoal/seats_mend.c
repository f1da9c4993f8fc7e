/* SPDX-License-Identifier: Apache-2.0 */
/* seats_mend.c - groups of too few persons are mended; then rows change places while that loses
 * less. See units.h.
 *
 *     mend     a group of fewer than k persons takes the cheapest rows that others can spare
 * (another row of that person stays there, or k persons do), or its classes go to the groups that
 * they cost least, whichever loses less improve  a class that makes its group wide leaves it for
 * the group that it costs least; where the group then has too few persons, it takes the cheapest
 * that others can spare. Kept where both together lose less.
 *
 * A group that takes rows never has fewer persons, so no step spoils another group.
 * Decreasing: in mend, the groups that lack persons; in improve, the loss.
 * Cost: some queries of the kernel for each person that lacks and for each class that makes a group
 * wide; MOST_PASSES times.
 */
#include "method/shoal/seats.h"

#include <math.h>

enum { MOST_PASSES = 8, ASK_EVERY = 16 };

/* ---- what others can spare ---- */

/* What a group lacks of the other models with `n_more` rows of a class more, or `n_fewer` fewer. */
static double lack_with(shoal_seats *s, uint32_t group, uint32_t class_index, uint32_t n_more,
                        uint32_t n_fewer)
{
    const shoal_clustering_group *it = shoal_seats_group(s, group);
    shoal_penalty *penalty = &s->penalty;
    shoal_evidence_clear(&penalty->mine);
    for (uint32_t i = 0; i < it->n_pieces; i++)
        shoal_penalty_add(penalty, &penalty->mine, it->pieces[i].class_index, it->pieces[i].count);
    shoal_penalty_add(penalty, &penalty->mine, class_index, n_more);
    shoal_penalty_remove(penalty, &penalty->mine, class_index, n_fewer);
    return shoal_penalty_lack(penalty, &penalty->mine, it->cluster.loss);
}

static bool can_spare(shoal_seats *s, uint32_t unit)
{
    uint32_t group = s->units->group_of[unit], k = s->units->whole->k, c = s->units->class_of[unit];
    /* and so no more than k persons */
    if (shoal_seats_group(s, group)->cluster.n_rows <= k) return false;
    if (s->n_persons[group] <= k && shoal_seats_count(s, group, s->units->person_of[unit]) == 1)
        return false;
    return !s->has_penalty || lack_with(s, group, c, 0, 1) <= lack_with(s, group, c, 0, 0);
}

/* Has the class a row that the group which asks may have? For shoal_kernel_cheapest_allowed(). */
static bool has_unit(uint32_t class_index, shoal_loss with, void *payload)
{
    shoal_seats *s = payload;
    (void)with;
    for (uint32_t i = s->units->begin[class_index]; i < s->units->begin[class_index + 1]; i++) {
        uint32_t unit = s->units->list[i], group = s->units->group_of[unit];
        if (group == s->asking || shoal_seats_count(s, s->asking, s->units->person_of[unit]) > 0 ||
            !can_spare(s, unit))
            continue;
        s->found = unit;
        return true;
    }
    return false;
}

/*
 * The group takes rows, the cheapest first, until it has k persons. Adds what that costs to
 * `*rise`, which becomes infinite if there are too few or if it reaches `limit`.
 */
static bool take_units(shoal_seats *s, uint32_t group, double *rise, double limit)
{
    s->asking = group;
    while (s->n_persons[group] < s->units->whole->k) {
        shoal_loss with;
        uint32_t c = *rise >= limit ? SHOAL_NO_CLASS
                                    : shoal_kernel_cheapest_allowed(
                                          &s->state, &shoal_seats_group(s, group)->cluster,
                                          SHOAL_LOSS_MAX, UINT64_MAX, has_unit, s, &with);
        if (c == SHOAL_NO_CLASS) {
            *rise = INFINITY;
            return true;
        }
        uint32_t from = s->units->group_of[s->found];
        double before = shoal_seats_cost(s, group) + shoal_seats_cost(s, from);
        if (!shoal_seats_move(s, s->found, group)) return false;
        *rise += shoal_seats_cost(s, group) + shoal_seats_cost(s, from) - before;
    }
    return true;
}

/* ---- another home for a class ---- */

static double rise_with(shoal_seats *s, uint32_t group, uint32_t class_index, uint32_t count,
                        double limit)
{
    const shoal_cluster *cluster = &shoal_seats_group(s, group)->cluster;
    if ((double)cluster->loss * count >= limit) return INFINITY; /* it rises by that at least */
    shoal_loss with = shoal_cluster_with(cluster, s->clustering->metric,
                                         shoal_class_codes(&s->units->classes, class_index),
                                         SHOAL_LOSS_MAX);
    double rise = ((double)cluster->n_rows + count) * with -
                  (double)cluster->n_rows * cluster->loss;
    if (rise >= limit || !s->has_penalty) return rise;
    bool is_harmed = lack_with(s, group, class_index, count, 0) >
                     lack_with(s, group, class_index, 0, 0);
    return is_harmed ? INFINITY : rise;
}

/* The group, not `except`, that so many rows of a class cost least, of those near to it, and what
 * they cost. */
static uint32_t find_home(shoal_seats *s, uint32_t class_index, uint32_t count, uint32_t except,
                          double *rise)
{
    uint32_t n = shoal_kernel_nearest(&s->state, shoal_class_codes(&s->units->classes, class_index),
                                      SHOAL_SEATS_NEAR, s->near);
    uint32_t best = SHOAL_NO_GROUP;
    *rise = INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = s->near[i].class_index, last = except, n_seen = 0;
        for (uint32_t j = s->units->begin[c];
             j < s->units->begin[c + 1] && n_seen < SHOAL_SEATS_NEAR; j++) {
            uint32_t group = s->units->group_of[s->units->list[j]];
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
static bool move_class(shoal_seats *s, uint32_t class_index, uint32_t from, uint32_t to)
{
    for (uint32_t j = s->units->begin[class_index]; j < s->units->begin[class_index + 1]; j++) {
        uint32_t unit = s->units->list[j];
        if (s->units->group_of[unit] == from && !shoal_seats_move(s, unit, to)) return false;
    }
    return true;
}

/* All classes of a group go where they cost least; `*rise` is infinite if one has nowhere to go. */
static bool dissolve(shoal_seats *s, uint32_t group, double *rise)
{
    const shoal_clustering_group *it = shoal_seats_group(s, group);
    *rise = -shoal_seats_cost(s, group);
    while (it->n_pieces > 0) {
        double now;
        shoal_class_rows piece = it->pieces[it->n_pieces - 1];
        uint32_t home = find_home(s, piece.class_index, piece.count, group, &now);
        *rise += now;
        if (home == SHOAL_NO_GROUP) return true;
        if (!move_class(s, piece.class_index, group, home)) return false;
    }
    return true;
}

/* ---- mend and improve ---- */

static bool mend(shoal_seats *s, uint32_t group)
{
    double taking = 0, dissolving;
    s->n_steps = 0;
    if (!take_units(s, group, &taking, INFINITY)) return false;
    if (taking <= 0) return true;
    if (!shoal_seats_undo(s) || !dissolve(s, group, &dissolving)) return false;
    if (dissolving < taking) return true;
    if (!shoal_seats_undo(s)) return false;
    if (taking == INFINITY) return true; /* it cannot be mended here */
    taking = 0;
    return take_units(s, group, &taking, INFINITY);
}

/* Would the group be narrower without this piece? */
static bool is_outside(const shoal_seats *s, const shoal_clustering_group *group, uint32_t piece)
{
    const uint32_t *codes = shoal_class_codes(&s->units->classes, group->pieces[piece].class_index);
    const shoal_metric *metric = s->clustering->metric;
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        bool is_alone = group->cluster.losses[a] > 0;
        for (uint32_t i = 0; i < group->n_pieces && is_alone; i++) {
            const uint32_t *other = shoal_class_codes(&s->units->classes,
                                                      group->pieces[i].class_index);
            is_alone = i == piece || other[a] != codes[a];
        }
        bool is_inner = !metric->lines[a].is_set && codes[a] > group->cluster.ranges[a].lo &&
                        codes[a] < group->cluster.ranges[a].hi;
        if (is_alone && !is_inner) return true;
    }
    return false;
}

/* One class leaves the group, if that loses less; `*has_changed` is set then. */
static bool let_go(shoal_seats *s, uint32_t group, shoal_class_rows piece, bool *has_changed)
{
    double moving, before = shoal_seats_cost(s, group);
    uint32_t home = find_home(s, piece.class_index, piece.count, group, &moving);
    if (home == SHOAL_NO_GROUP || moving >= before || shoal_seats_group(s, group)->n_pieces == 1)
        return true;
    s->n_steps = 0;
    if (!move_class(s, piece.class_index, group, home)) return false;
    double rise = moving + shoal_seats_cost(s, group) - before;
    if (rise < 0 && !take_units(s, group, &rise, 0)) return false;
    bool is_better = rise < 0;
    if (is_better && s->has_penalty) is_better = lack_with(s, group, piece.class_index, 0, 0) == 0;
    if (!is_better) return shoal_seats_undo(s);
    *has_changed = true;
    return true;
}

static bool improve(shoal_seats *s, uint32_t group, bool *has_changed)
{
    const shoal_clustering_group *it = shoal_seats_group(s, group);
    if (it->cluster.loss == 0) return true;
    for (uint32_t i = 0; i < it->n_pieces; i++) {
        bool is_gone = false;
        shoal_class_rows piece = it->pieces[i];
        if (piece.count >= s->units->whole->k || !is_outside(s, it, i)) continue;
        if (!let_go(s, group, piece, &is_gone)) return false;
        *has_changed |= is_gone;
        /* the pieces are others now: begin again; the loss has fallen */
        if (is_gone) i = UINT32_MAX;
    }
    return true;
}

bool shoal_seats_mend(shoal_seats *s)
{
    const shoal_problem *problem = s->units->whole;
    size_t n_groups = s->clustering->n_groups;
    bool ok = true, has_changed = true, stops = problem->stats->stopped_early;
    for (size_t g = 0; ok && !stops && g < n_groups; g++) {
        if (g % ASK_EVERY == 0) stops = shoal_should_stop(problem, 0.9);
        if (!stops && s->n_persons[g] < problem->k &&
            shoal_seats_group(s, (uint32_t)g)->n_pieces > 0)
            ok = mend(s, (uint32_t)g);
    }
    for (uint32_t pass = 0; ok && !stops && has_changed && pass < MOST_PASSES; pass++) {
        has_changed = false;
        for (size_t g = 0; ok && !stops && g < n_groups; g++) {
            if (g % ASK_EVERY == 0)
                stops = shoal_should_stop(problem, 0.92 + 0.06 * pass / MOST_PASSES);
            if (!stops && s->n_persons[g] >= problem->k) ok = improve(s, (uint32_t)g, &has_changed);
        }
    }
    return ok;
}
