/* SPDX-License-Identifier: Apache-2.0 */
/* seats.c - which person's rows sit in which group; see units.h and seats.h.
 *
 * A class that lies in one group puts all its rows there. Then come classes that are divided: the
 * groups with the fewest rows first take persons whom they do not have. Twins sit together, for
 * now.
 *
 * Cost: O(rows), and 24 bytes a row.
 */
#include "method/shoal/seats.h"

#include "base/invariant.h"

#include <stdlib.h>
#include <string.h>

/* ---- pairs ---- */

static shoal_seat_pair *find_pair(const shoal_seats *s, uint32_t group, uint32_t person)
{
    uint64_t hash = ((uint64_t)group << 32 | person) * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 20) & (s->n_slots - 1);
    while (s->pairs[at].group != SHOAL_NO_GROUP &&
           (s->pairs[at].group != group || s->pairs[at].person != person))
        at = (at + 1) & (s->n_slots - 1);
    return &s->pairs[at];
}

uint32_t shoal_seats_count(const shoal_seats *s, uint32_t group, uint32_t person)
{
    return find_pair(s, group, person)->count;
}

static void free_slots(shoal_seats *s)
{
    for (size_t i = 0; i < s->n_slots; i++)
        s->pairs[i] = (shoal_seat_pair){ .group = SHOAL_NO_GROUP };
    s->n_pairs = 0;
}

/* Room for one more pair. Pairs that went to 0 are forgotten when the table grows. */
static bool reserve_pair(shoal_seats *s)
{
    if ((s->n_pairs + 1) * 3 < s->n_slots * 2) return true;
    shoal_seat_pair *old = s->pairs;
    size_t n_old = s->n_slots;
    shoal_seat_pair *pairs = shoal_alloc(n_old * 2, sizeof *pairs);
    if (pairs == NULL) return false;
    s->pairs = pairs;
    s->n_slots = n_old * 2;
    free_slots(s);
    for (size_t i = 0; i < n_old; i++) {
        if (old[i].group == SHOAL_NO_GROUP || old[i].count == 0) continue;
        *find_pair(s, old[i].group, old[i].person) = old[i];
        s->n_pairs++;
    }
    shoal_free(old);
    return true;
}

static bool sit_down(shoal_seats *s, uint32_t unit, uint32_t group)
{
    if (!reserve_pair(s)) return false;
    uint32_t person = s->units->person_of[unit];
    shoal_seat_pair *it = find_pair(s, group, person);
    if (it->group == SHOAL_NO_GROUP) {
        *it = (shoal_seat_pair){ group, person, 0 };
        s->n_pairs++;
    }
    s->n_persons[group] += it->count++ == 0;
    s->units->group_of[unit] = group;
    return true;
}

static void stand_up(shoal_seats *s, uint32_t unit)
{
    uint32_t group = s->units->group_of[unit];
    shoal_seat_pair *it = find_pair(s, group, s->units->person_of[unit]);
    assert(it->count > 0);
    s->n_persons[group] -= --it->count == 0;
    s->units->group_of[unit] = SHOAL_SUPPRESSED;
}

/* ---- seat ---- */

/* A piece of a divided class. */
typedef struct piece {
    uint32_t class_index, group, count, size; /* size: rows of the group */
    uint32_t at;                              /* among its pieces */
} piece;

/* By class; within one the smallest group first. */
static int by_class(const void *x, const void *y)
{
    const piece *a = x, *b = y;
    if (a->class_index != b->class_index) return a->class_index < b->class_index ? -1 : 1;
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    return a->group < b->group ? -1 : a->group > b->group;
}

/* A row and its twins. */
static bool seat_twins(shoal_seats *s, uint32_t unit, const piece *it)
{
    shoal_clustering_group *group = shoal_seats_group(s, it->group);
    if (!sit_down(s, unit, it->group)) return false;
    while ((unit = s->units->twin_of[unit]) != SHOAL_NO_TWIN) {
        if (!sit_down(s, unit, it->group)) return false;
        group->pieces[it->at].count++;
        group->cluster.n_rows++;
    }
    return true;
}

/* Seats for a piece: from those of begin..end-1 that have none, persons new to the group first.
 * Those that are seated go to the front. */
static bool seat_piece(shoal_seats *s, const piece *it, uint32_t *begin, uint32_t end)
{
    uint32_t *list = s->units->list, left = it->count;
    for (int takes_any = 0; takes_any <= 1; takes_any++)
        for (uint32_t i = *begin; i < end && left > 0; i++) {
            uint32_t unit = list[i];
            if (!takes_any && shoal_seats_count(s, it->group, s->units->person_of[unit]) > 0)
                continue;
            if (!seat_twins(s, unit, it)) return false;
            list[i] = list[*begin];
            list[(*begin)++] = unit;
            left--;
        }
    assert(left == 0);
    return true;
}

static size_t list_pieces(piece *out, const shoal_clustering *clustering)
{
    size_t n = 0;
    for (size_t g = 0; g < clustering->n_groups; g++)
        for (uint32_t i = 0; i < clustering->groups[g].n_pieces; i++)
            out[n++] = (piece){ clustering->groups[g].pieces[i].class_index, (uint32_t)g,
                                clustering->groups[g].pieces[i].count,
                                clustering->groups[g].cluster.n_rows, i };
    return n;
}

/* Whole classes first: what divided ones give must fit to them. */
static bool seat_all(shoal_seats *s)
{
    size_t n = 0;
    for (size_t g = 0; g < s->clustering->n_groups; g++) n += s->clustering->groups[g].n_pieces;
    piece *pieces = shoal_alloc(n, sizeof *pieces);
    if (pieces == NULL) return false;
    n = list_pieces(pieces, s->clustering);
    qsort(pieces, n, sizeof *pieces, by_class);
    bool ok = true;
    for (int divided = 0; divided <= 1; divided++)
        for (size_t i = 0, next = 0; ok && i < n; i = next) {
            uint32_t c = pieces[i].class_index, begin = s->units->begin[c];
            while (next < n && pieces[next].class_index == c) next++;
            if ((next - i > 1) != divided) continue;
            for (size_t j = i; ok && j < next; j++)
                ok = seat_piece(s, &pieces[j], &begin,
                                s->units->begin[c] + s->units->classes.counts[c]);
        }
    for (uint32_t c = 0; c < s->units->classes.n_classes; c++)
        s->units->classes.counts[c] = s->units->begin[c + 1] - s->units->begin[c];
    s->units->classes.n_rows = s->units->n;
    shoal_free(pieces);
    return ok;
}

/* ---- steps ---- */

/* Change how many rows of a class a group has. */
static bool change_piece(shoal_seats *s, uint32_t group, uint32_t class_index, bool is_more)
{
    shoal_clustering_group *it = shoal_seats_group(s, group);
    uint32_t i = 0;
    while (i < it->n_pieces && it->pieces[i].class_index != class_index) i++;
    if (i == it->n_pieces || is_more) {
        const uint32_t *codes = shoal_class_codes(&s->units->classes, class_index);
        if (i < it->n_pieces) {
            it->pieces[i].count++;
            shoal_cluster_add(&it->cluster, s->clustering->metric, codes, 1);
            return true;
        }
        s->clustering->loose[class_index]++;
        s->clustering->n_loose++;
        return shoal_clustering_give(s->clustering, group, class_index, 1);
    }
    if (--it->pieces[i].count > 0) { /* the cover stays */
        it->cluster.n_rows--;
        return true;
    }
    it->pieces[i] = it->pieces[--it->n_pieces];
    shoal_cluster_clear(&it->cluster, s->clustering->metric);
    for (i = 0; i < it->n_pieces; i++)
        shoal_cluster_add(&it->cluster, s->clustering->metric,
                          shoal_class_codes(&s->units->classes, it->pieces[i].class_index),
                          it->pieces[i].count);
    return true;
}

static bool shift(shoal_seats *s, uint32_t unit, uint32_t to)
{
    uint32_t from = s->units->group_of[unit], c = s->units->class_of[unit];
    if (!reserve_pair(s) || !change_piece(s, to, c, true)) return false;
    stand_up(s, unit);
    return change_piece(s, from, c, false) && sit_down(s, unit, to);
}

bool shoal_seats_move(shoal_seats *s, uint32_t unit, uint32_t to)
{
    void *block = s->steps;
    if (!shoal_reserve(&block, &s->step_room, s->n_steps + 1, sizeof *s->steps)) return false;
    s->steps = block;
    s->steps[s->n_steps++] = (shoal_seat_step){ unit, s->units->group_of[unit] };
    return shift(s, unit, to);
}

bool shoal_seats_undo(shoal_seats *s)
{
    while (s->n_steps > 0) {
        shoal_seat_step step = s->steps[--s->n_steps];
        if (!shift(s, step.unit, step.from)) return false;
    }
    return true;
}

/* Pieces of one class in a group are made one. */
static void unite_pieces(shoal_seats *s, shoal_clustering_group *group)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < group->n_pieces; i++) {
        shoal_class_rows it = group->pieces[i];
        uint32_t at = s->piece_of[it.class_index];
        if (at < n && group->pieces[at].class_index == it.class_index) {
            group->pieces[at].count += it.count;
            continue;
        }
        s->piece_of[it.class_index] = n;
        group->pieces[n++] = it;
    }
    group->n_pieces = n;
}

/* ---- all of it ---- */

static shoal_status set_up(shoal_seats *s, shoal_error *err)
{
    const shoal_problem *problem = &s->units->problem;
    s->n_slots = 16;
    while (s->n_slots < (size_t)s->units->n * 2) s->n_slots *= 2;
    s->pairs = shoal_alloc(s->n_slots, sizeof *s->pairs);
    s->n_persons = shoal_alloc_zero(s->clustering->n_groups, sizeof *s->n_persons);
    s->piece_of = shoal_alloc_zero(s->units->classes.n_classes, sizeof *s->piece_of);
    s->near = shoal_alloc(SHOAL_SEATS_NEAR + 1, sizeof *s->near);
    bool ok = s->pairs != NULL && s->n_persons != NULL && s->piece_of != NULL && s->near != NULL;
    if (ok && problem->constraint != NULL)
        ok = s->has_penalty = shoal_penalty_init(&s->penalty, problem, s->clustering->metric);
    if (!ok) return shoal_fail_memory(err);
    free_slots(s);
    SHOAL_RETURN_IF_ERROR(
        shoal_kernel_make(&s->kernel, s->clustering->metric, &s->units->classes, NULL, 0, err));
    /* as rows: a query for so many rows is one for so many classes */
    for (uint32_t c = 0; c < s->units->classes.n_classes; c++) s->piece_of[c] = 1;
    return shoal_kernel_state_make(&s->state, s->kernel, s->piece_of, err);
}

static void clear(shoal_seats *s)
{
    shoal_free(s->pairs);
    shoal_free(s->n_persons);
    shoal_free(s->piece_of);
    shoal_free(s->near);
    shoal_free(s->steps);
    if (s->has_penalty) shoal_penalty_free(&s->penalty);
    shoal_kernel_state_clear(&s->state);
    shoal_kernel_free(s->kernel);
}

shoal_status shoal_units_seat(shoal_units *units, shoal_clustering *clustering, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_seats s = { .units = units, .clustering = clustering };
    SHOAL_GOTO_IF_ERROR(set_up(&s, err), out);
    for (size_t g = 0; g < clustering->n_groups; g++) unite_pieces(&s, &clustering->groups[g]);
    bool ok = seat_all(&s) && shoal_seats_mend(&s);
    if (!ok) status = shoal_fail_memory(err);
    SHOAL_INVARIANT(!ok || shoal_clustering_rows_add_up(clustering));
out:
    clear(&s);
    return status;
}
