/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - a pool's memory, its members and their columns, its solutions; see pool.h.
 *
 * Memory. Each array is listed once, in one of two lists (lay_out_by_table(),
 * lay_out_by_members()), with its number of elements; workspace.h does the rest. Nothing in
 * by_members outlives a filling.
 *
 * Columns. Rows of a pool are neighbours: in many columns, in most of a wide table, they all have
 * one value. Such a column adds no loss to any group, so it is left out. The values of a SET in the
 * pool are renumbered from 0 in their order: the loss of a group depends on the number of its
 * values, not on which they are, and tallies of the values of all groups stay small. With members
 *
 *     (F, 30, {3})  (F, 34, {70})  (F, 34, {3})      the column F is left out, m = 2, and the set
 *                                                    has the values 0 (for 3) and 1 (for 70)
 *
 * Invariant: groups of members lose by `columns` what they lose by the metric of the table.
 *
 * Cost of filling: O(n q) for n members; of memory: 8 bytes for each group, slice and column, and
 * about 40 for each group and slice besides.
 */
#include "method/shoal/pool.h"

#include "base/invariant.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

/* Arrays whose sizes depend on the table. */
static bool lay_out_by_table(shoal_pool *pool)
{
    const size_t n_columns = pool->whole->n_attrs, n_words = (size_t)pool->whole->n_words + 1;
    const shoal_workspace_part parts[] = {
        SHOAL_WORKSPACE_PART(pool->columns.lines, n_columns),
        SHOAL_WORKSPACE_PART(pool->set_words, n_words),
        SHOAL_WORKSPACE_PART(pool->set_ranks, n_words),
        SHOAL_WORKSPACE_PART(pool->growth.changed, n_columns),
        SHOAL_WORKSPACE_PART(pool->boxes.box, n_columns),
        SHOAL_WORKSPACE_PART(pool->search.value_at, n_columns),
        SHOAL_WORKSPACE_PART(pool->search.loss_with, pool->search.value_room),
        SHOAL_WORKSPACE_PART(pool->persons.known_as, pool->persons.n_codes),
    };
    return shoal_workspace_lay_out(&pool->by_table, parts, sizeof parts / sizeof *parts);
}

/* The arrays of a solution with room for so many groups and, in all of them, slices. */
#define SOLUTION_PARTS(solution, groups, slices)                                                   \
    SHOAL_WORKSPACE_PART((solution).slices, slices),                                               \
        SHOAL_WORKSPACE_PART((solution).n_slices, groups),                                         \
        SHOAL_WORKSPACE_PART((solution).n_rows, groups),                                           \
        SHOAL_WORKSPACE_PART((solution).losses, groups),                                           \
        SHOAL_WORKSPACE_PART((solution).penalties, groups)

/* Arrays whose sizes depend on how many members and groups there is room for. */
static bool lay_out_by_members(shoal_pool *pool, size_t members, size_t groups)
{
    const size_t m = pool->whole->n_attrs, cells = members * m;
    const size_t slices = members * groups; /* each group may have one of each member */
    const size_t persons = pool->persons.is_on ? members : 0; /* each member is a person's */
    const shoal_workspace_part parts[] = {
        SHOAL_WORKSPACE_PART(pool->class_index, members),
        SHOAL_WORKSPACE_PART(pool->slots, 4 * members),
        SHOAL_WORKSPACE_PART(pool->count, members),
        SHOAL_WORKSPACE_PART(pool->left, members),
        SHOAL_WORKSPACE_PART(pool->codes, cells),
        SHOAL_WORKSPACE_PART(pool->tuples, cells),
        SOLUTION_PARTS(pool->now, groups, slices),
        SOLUTION_PARTS(pool->best, groups, slices),
        SOLUTION_PARTS(pool->before, groups, slices),
        SHOAL_WORKSPACE_PART(pool->growth.cost, cells),
        SHOAL_WORKSPACE_PART(pool->growth.total, members),
        SHOAL_WORKSPACE_PART(pool->growth.key, members),
        SHOAL_WORKSPACE_PART(pool->boxes.outside, cells),
        SHOAL_WORKSPACE_PART(pool->boxes.n_outside, members),
        SHOAL_WORKSPACE_PART(pool->boxes.outside_sum, members),
        SHOAL_WORKSPACE_PART(pool->boxes.gain_code, members + 1),
        SHOAL_WORKSPACE_PART(pool->boxes.gain_rows, members + 1),
        SHOAL_WORKSPACE_PART(pool->search.without, slices * m),
        SHOAL_WORKSPACE_PART(pool->search.loss_without, slices),
        SHOAL_WORKSPACE_PART(pool->search.with, slices),
        SHOAL_WORKSPACE_PART(pool->search.most_saving, groups),
        SHOAL_WORKSPACE_PART(pool->search.tally, groups * pool->search.value_room),
        SHOAL_WORKSPACE_PART(pool->search.n_distinct, groups * m),
        SHOAL_WORKSPACE_PART(pool->search.n_tops, groups * m),
        SHOAL_WORKSPACE_PART(pool->search.undo, 2 * members),
        SHOAL_WORKSPACE_PART(pool->search.changed_at, groups),
        SHOAL_WORKSPACE_PART(pool->search.searched_at, groups),
        SHOAL_WORKSPACE_PART(pool->perturbation.slices, members),
        SHOAL_WORKSPACE_PART(pool->perturbation.has_person, persons),
        SHOAL_WORKSPACE_PART(pool->persons.person, persons),
        SHOAL_WORKSPACE_PART(pool->persons.rows, persons * groups),
        SHOAL_WORKSPACE_PART(pool->persons.n_in, groups),
    };
    return shoal_workspace_lay_out(&pool->by_members, parts, sizeof parts / sizeof *parts);
}

/* All sizes that depend on the table alone are reserved here, the others by reserve() when the
 * first pool is filled. A pool serves one thread, and is filled again for each region. */
shoal_pool *shoal_pool_make(const shoal_clustering *clustering)
{
    const shoal_problem *problem = clustering->problem;
    assert(problem->k > 0);
    shoal_pool *pool = shoal_alloc_zero(1, sizeof *pool);
    if (pool == NULL) return NULL;
    pool->whole = clustering->metric;
    pool->columns = *pool->whole;
    pool->metric = &pool->columns;
    pool->classes = problem->classes;
    pool->k = problem->k;
    pool->deadline = problem->deadline;
    /* losses are below 2^32, so a saving bounded by this is never the reason to skip a step */
    pool->search.unbounded = (int64_t)1 << 32; /* above any loss */
    pool->search.slack = pool->whole->has_sets ? pool->whole->n_attrs : 0;
    for (uint32_t a = 0; a < pool->whole->n_attrs; a++)
        if (pool->whole->lines[a].is_set) pool->search.value_room += pool->whole->lines[a].n_plain;
    shoal_pool_persons_choose(pool, clustering);
    pool->has_penalty = problem->constraint != NULL || clustering->objective != NULL;
    bool ok = lay_out_by_table(pool) && shoal_cluster_init(&pool->growth.cluster, pool->whole) &&
              shoal_cluster_init(&pool->boxes.members, pool->whole) &&
              shoal_cluster_init(&pool->perturbation.cluster, pool->whole) &&
              (!pool->has_penalty || shoal_penalty_init(&pool->penalty, problem, pool->whole));
    if (!ok) {
        shoal_pool_free(pool);
        return NULL;
    }
    pool->penalty.objective = clustering->objective;
    for (uint32_t code = 0; code < pool->persons.n_codes; code++)
        pool->persons.known_as[code] = SHOAL_NO_GROUP;
    return pool;
}

/* NULL is allowed, and a pool whose making failed. */
void shoal_pool_free(shoal_pool *pool)
{
    if (pool == NULL) return;
    shoal_workspace_free(&pool->by_table);
    shoal_workspace_free(&pool->by_members);
    shoal_cluster_free(&pool->growth.cluster);
    shoal_cluster_free(&pool->boxes.members);
    shoal_cluster_free(&pool->perturbation.cluster);
    shoal_penalty_free(&pool->penalty);
    shoal_free(pool);
}

/* Growth is by half, so that a thread whose regions become larger lays out only O(log n) times. */
/* Room for n members in so many groups, and half as many more. */
static bool reserve(shoal_pool *pool, uint32_t n, uint32_t n_groups)
{
    if (n <= pool->room && n_groups <= pool->group_room) return true;
    size_t room = n <= pool->room ? pool->room : (size_t)n + n / 2 + 16;
    size_t groups = n_groups <= pool->group_room ? pool->group_room
                    : pool->keeps_groups         ? n_groups
                                                 : (size_t)n_groups + n_groups / 2 + 4;
    pool->n = pool->room = pool->group_room = 0; /* until all is there */
    if (!lay_out_by_members(pool, room, groups)) return false;
    pool->room = (uint32_t)room;
    pool->group_room = (uint32_t)groups;
    return true;
}

/* ---- columns ---- */

static uint32_t code_of(const shoal_pool *pool, uint32_t member, uint32_t attr)
{
    return shoal_class_codes(pool->classes, pool->class_index[member])[attr];
}

/* Have all members one value there, which alone loses nothing? */
static bool is_idle(const shoal_pool *pool, uint32_t attr)
{
    const shoal_measure_line *line = &pool->whole->lines[attr];
    uint32_t code = code_of(pool, 0, attr);
    if (code >= line->n_plain ||
        (line->is_set ? line->set_loss[1] : shoal_line_range(line, code, code)) > 0)
        return false;
    for (uint32_t p = 1; p < pool->n; p++)
        if (code_of(pool, p, attr) != code) return false;
    return true;
}

/* Renumber the values of a SET by their ranks among those that members have. */
static void renumber(shoal_pool *pool, shoal_measure_line *line, uint32_t *codes)
{
    uint64_t *words = pool->set_words;
    uint32_t n = 0;
    memset(words, 0, line->n_words * sizeof *words);
    for (uint32_t p = 0; p < pool->n; p++) words[codes[p] / 64] |= (uint64_t)1 << (codes[p] % 64);
    for (uint32_t w = 0; w < line->n_words; w++) {
        pool->set_ranks[w] = n;
        n += (uint32_t)__builtin_popcountll(words[w]);
    }
    for (uint32_t p = 0; p < pool->n; p++) {
        uint32_t w = codes[p] / 64;
        uint64_t lower = words[w] & (((uint64_t)1 << (codes[p] % 64)) - 1);
        codes[p] = pool->set_ranks[w] + (uint32_t)__builtin_popcountll(lower);
    }
    line->n_plain = line->n_codes = line->top_from = n;
    line->n_words = (n + 63) / 64;
}

/* The columns that differ, and the members' codes there. */
static void choose_columns(shoal_pool *pool)
{
    shoal_metric *columns = &pool->columns;
    pool->m = columns->n_words = pool->search.n_values = 0;
    columns->has_sets = false;
    for (uint32_t a = 0; a < pool->whole->n_attrs; a++) {
        if (is_idle(pool, a)) continue;
        shoal_measure_line *line = &columns->lines[pool->m];
        uint32_t *codes = pool->codes + (size_t)pool->m * pool->room;
        *line = pool->whole->lines[a];
        for (uint32_t p = 0; p < pool->n; p++) codes[p] = code_of(pool, p, a);
        pool->search.value_at[pool->m++] = pool->search.n_values;
        if (!line->is_set) continue;
        if (line->n_plain == line->n_codes) renumber(pool, line, codes);
        line->word_at = columns->n_words;
        columns->n_words += line->n_words;
        columns->has_sets = true;
        pool->search.n_values += line->n_plain;
    }
    columns->n_attrs = pool->m;
    /* renumbering only lowers the number of values, so the tallies fit */
    assert(pool->search.n_values <= pool->search.value_room);
    for (uint32_t p = 0; p < pool->n; p++)
        for (uint32_t i = 0; i < pool->m; i++)
            pool->tuples[(size_t)p * pool->m + i] = pool->codes[(size_t)i * pool->room + p];
}

/* ---- filling ---- */

/* The member of a class, added when it is new: members by their classes, with open addressing, half
 * of the slots free at least. */
static uint32_t member_of(shoal_pool *pool, uint32_t class_index)
{
    const uint64_t hash = (class_index * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    uint32_t at = (uint32_t)hash & (pool->n_slots - 1);
    while (pool->slots[at] != SHOAL_NONE && pool->class_index[pool->slots[at]] != class_index)
        at = (at + 1) & (pool->n_slots - 1);
    if (pool->slots[at] != SHOAL_NONE) return pool->slots[at];
    assert(pool->n < pool->room);
    uint32_t p = pool->slots[at] = pool->n++;
    pool->class_index[p] = class_index;
    pool->count[p] = 0;
    if (pool->persons.is_on) shoal_pool_persons_meet(pool, p);
    return p;
}

/* `groups` are numbers of groups of the clustering, each once. Their rows stay there: the caller
 * takes over the best solution afterwards. */
bool shoal_pool_fill(shoal_pool *pool, const shoal_clustering *clustering, const uint32_t *groups,
                     uint32_t n)
{
    uint32_t n_slices = 0;
    uint64_t n_rows = 0;
    assert(n > 0);
    /* each slice is at most one new member; classes with slices in several groups are one member */
    for (uint32_t g = 0; g < n; g++) {
        n_slices += clustering->groups[groups[g]].n_slices;
        n_rows += clustering->groups[groups[g]].cluster.n_rows;
    }
    if (pool->persons.is_on) shoal_pool_persons_forget(pool);
    /* One place more than members: local search keeps there what a group covers with all slices. */
    if (!reserve(pool, n_slices + 1, pool->keeps_groups ? n : (uint32_t)(n_rows / pool->k) + 1))
        return false;
    shoal_solution *now = &pool->now;
    pool->n = 0;
    /* a power of two, so that `& (n_slots - 1)` selects a slot */
    for (pool->n_slots = 1; pool->n_slots < 2 * (n_slices + 1);) pool->n_slots *= 2;
    memset(pool->slots, 0xff, pool->n_slots * sizeof *pool->slots); /* SHOAL_NONE */
    now->n_groups = n;
    now->cost = 0;
    for (uint32_t g = 0; g < n; g++) {
        const shoal_clustering_group *group = &clustering->groups[groups[g]];
        now->n_slices[g] = group->n_slices;
        now->n_rows[g] = group->cluster.n_rows;
        now->losses[g] = group->cluster.loss;
        now->cost += (uint64_t)group->cluster.n_rows * group->cluster.loss;
        for (uint32_t i = 0; i < group->n_slices; i++) {
            uint32_t member = member_of(pool, group->slices[i].class_index);
            pool->count[member] += group->slices[i].count;
            shoal_pool_slices(pool, now, g)[i] = (shoal_pool_slice){ member,
                                                                     group->slices[i].count };
        }
        shoal_pool_forget(pool);
        now->penalties[g] = shoal_pool_penalty(pool, g);
        now->cost += now->penalties[g];
    }
    choose_columns(pool);
    pool->best.cost = UINT64_MAX;
    shoal_pool_keep(pool);
    return true;
}

/* ---- solutions ---- */

void shoal_pool_forget(shoal_pool *pool)
{
    pool->penalty.mine_is = pool->penalty.theirs_is = SHOAL_NO_GROUP;
}

void shoal_pool_show(const shoal_pool *pool, shoal_evidence *to, uint32_t g)
{
    const shoal_pool_slice *slices = shoal_pool_slices(pool, &pool->now, g);
    shoal_evidence_clear(to);
    for (uint32_t i = 0; i < pool->now.n_slices[g]; i++)
        shoal_penalty_add(&pool->penalty, to, pool->class_index[slices[i].member], slices[i].count);
}

/* Persons are counted incrementally if they are the only model; other models need the evidence of
 * the group. */
uint64_t shoal_pool_penalty(shoal_pool *pool, uint32_t g)
{
    if (!pool->has_penalty || pool->now.n_rows[g] == 0) return 0;
    if (pool->persons.is_on) {
        shoal_pool_persons_count(pool, g);
        return shoal_penalty_of_persons(&pool->penalty, pool->persons.least, pool->persons.n_in[g]);
    }
    pool->penalty.theirs_is = SHOAL_NO_GROUP;
    shoal_pool_show(pool, &pool->penalty.theirs, g);
    return shoal_penalty_charge(&pool->penalty, &pool->penalty.theirs, pool->now.losses[g]);
}

/* Copies only the slices that are in use: solutions have room for many more. */
void shoal_pool_copy(const shoal_pool *pool, shoal_solution *to, const shoal_solution *from)
{
    to->cost = from->cost;
    to->n_groups = from->n_groups;
    for (uint32_t g = 0; g < from->n_groups; g++) {
        to->n_slices[g] = from->n_slices[g];
        to->n_rows[g] = from->n_rows[g];
        to->losses[g] = from->losses[g];
        to->penalties[g] = from->penalties[g];
        memcpy(shoal_pool_slices(pool, to, g), shoal_pool_slices(pool, from, g),
               from->n_slices[g] * sizeof(shoal_pool_slice));
    }
}

/* Used by SHOAL_INVARIANT() only: calloc() instead of shoal_alloc(), see base/invariant.h. */
bool shoal_pool_is_sound(const shoal_pool *pool, const shoal_solution *solution)
{
    uint64_t cost = 0;
    uint32_t *rows = calloc((size_t)pool->n + 1, sizeof *rows);
    bool ok = true;
    for (uint32_t g = 0; rows != NULL && ok && g < solution->n_groups; g++) {
        const shoal_pool_slice *slices = shoal_pool_slices(pool, solution, g);
        uint32_t n_rows = 0;
        for (uint32_t i = 0; ok && i < solution->n_slices[g]; i++) {
            ok = slices[i].member < pool->n && slices[i].count > 0;
            if (ok) rows[slices[i].member] += slices[i].count;
            n_rows += slices[i].count;
        }
        ok = ok && n_rows == solution->n_rows[g] && (n_rows == 0 || n_rows >= pool->k);
        cost += (uint64_t)n_rows * solution->losses[g] + solution->penalties[g];
    }
    for (uint32_t p = 0; rows != NULL && ok && p < pool->n; p++) ok = rows[p] == pool->count[p];
    ok = ok && (rows == NULL || cost == solution->cost);
    free(rows);
    return ok;
}

void shoal_pool_keep(shoal_pool *pool)
{
    SHOAL_INVARIANT(shoal_pool_is_sound(pool, &pool->now));
    if (pool->now.cost < pool->best.cost) shoal_pool_copy(pool, &pool->best, &pool->now);
}

/* The order of the remaining groups is kept, so that the search stays deterministic. */
void shoal_pool_drop_empty(shoal_pool *pool)
{
    shoal_solution *now = &pool->now;
    uint32_t n = 0;
    for (uint32_t g = 0; g < now->n_groups; g++) {
        if (now->n_rows[g] == 0) continue;
        if (n < g) {
            memcpy(shoal_pool_slices(pool, now, n), shoal_pool_slices(pool, now, g),
                   now->n_slices[g] * sizeof(shoal_pool_slice));
            now->n_slices[n] = now->n_slices[g];
            now->n_rows[n] = now->n_rows[g];
            now->losses[n] = now->losses[g];
            now->penalties[n] = now->penalties[g];
        }
        n++;
    }
    now->n_groups = n;
}
