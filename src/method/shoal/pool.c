/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - a pool's memory, and how it is filled; see pool.h. */
#include "base/invariant.h"
#include "method/shoal/pool_losses.h"

#include <stdlib.h>
#include <string.h>

static void clear_solution(shoal_solution *s)
{
    shoal_free(s->slices);
    shoal_free(s->n_slices);
    shoal_free(s->n_rows);
    shoal_free(s->losses);
    shoal_free(s->penalties);
}

void shoal_pool_free(shoal_pool *pool)
{
    if (pool == NULL) return;
    void *blocks[] = { pool->class_index,
                       pool->slots,
                       pool->count,
                       pool->left,
                       pool->codes,
                       pool->tuples,
                       pool->growth.cost,
                       pool->growth.total,
                       pool->growth.key,
                       pool->growth.changed,
                       pool->boxes.box,
                       pool->boxes.outside,
                       pool->boxes.n_outside,
                       pool->boxes.outside_sum,
                       pool->boxes.gain_code,
                       pool->boxes.gain_rows,
                       pool->search.without,
                       pool->search.loss_without,
                       pool->search.tally,
                       pool->search.loss_with,
                       pool->search.n_distinct,
                       pool->search.n_tops,
                       pool->search.value_at,
                       pool->search.pair,
                       pool->search.changed_at,
                       pool->search.seen_at,
                       pool->search.with,
                       pool->search.most_saving,
                       pool->columns.lines,
                       pool->ranks };
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) shoal_free(blocks[i]);
    clear_solution(&pool->now);
    clear_solution(&pool->best);
    clear_solution(&pool->before);
    shoal_cluster_free(&pool->growth.cluster);
    shoal_penalty_free(&pool->penalty);
    shoal_pool_persons_free(&pool->persons);
    shoal_free(pool);
}

shoal_pool *shoal_pool_make(const shoal_clustering *clustering)
{
    shoal_pool *pool = shoal_alloc_zero(1, sizeof *pool);
    if (pool == NULL) return NULL;
    pool->whole = clustering->metric;
    pool->columns = *pool->whole;
    pool->metric = &pool->columns;
    pool->classes = clustering->problem->classes;
    pool->k = clustering->problem->k;
    pool->search.unbounded = (int64_t)1 << 32; /* above any loss */
    pool->search.slack = pool->whole->has_sets ? pool->whole->n_attrs : 0;
    pool->deadline = clustering->problem->deadline;
    pool->columns.lines = shoal_alloc(pool->whole->n_attrs, sizeof *pool->columns.lines);
    pool->search.value_at = shoal_alloc(pool->whole->n_attrs, sizeof *pool->search.value_at);
    pool->ranks = shoal_alloc((size_t)pool->whole->n_words + 1, sizeof *pool->ranks);
    pool->has_penalty = clustering->problem->constraint != NULL || clustering->objective != NULL;
    if (pool->has_penalty && !shoal_penalty_init(&pool->penalty, clustering->problem, pool->whole))
        goto out;
    pool->penalty.objective = clustering->objective;
    if (!shoal_pool_persons_make(pool, clustering)) goto out;
    bool ok = pool->columns.lines != NULL && pool->search.value_at != NULL && pool->ranks != NULL &&
              shoal_cluster_init(&pool->growth.cluster, pool->whole);
    for (uint32_t a = 0; a < pool->whole->n_attrs; a++)
        if (pool->whole->lines[a].is_set) pool->search.value_room += pool->whole->lines[a].n_plain;
    if (ok) return pool;
out:
    shoal_pool_free(pool);
    return NULL;
}

static bool grow_block(void *block_at, size_t n, size_t size)
{
    void **at = block_at, *block = shoal_resize(*at, n, size);
    if (block != NULL) *at = block;
    return block != NULL;
}

static bool reserve_solution(shoal_solution *s, size_t room, size_t groups)
{
    return grow_block(&s->slices, room * groups, sizeof *s->slices) &&
           grow_block(&s->n_slices, groups, 4) && grow_block(&s->n_rows, groups, 4) &&
           grow_block(&s->losses, groups, 4) &&
           grow_block(&s->penalties, groups, sizeof *s->penalties);
}

static bool reserve_persons(shoal_pool_persons *persons, size_t room, size_t groups)
{
    return grow_block(&persons->person, room, 4) && grow_block(&persons->rows, room * groups, 4) &&
           grow_block(&persons->n_in, groups, 4) && grow_block(&persons->is_seen, room, 1);
}

/* Room for n members in so many groups. */
static bool reserve(shoal_pool *pool, uint32_t n, uint32_t n_groups)
{
    if (n <= pool->room && n_groups <= pool->group_room) return true;
    size_t room = n <= pool->room ? pool->room : (size_t)n + n / 2 + 16;
    size_t groups = n_groups <= pool->group_room ? pool->group_room
                    : pool->keeps_groups         ? n_groups
                                                 : (size_t)n_groups + n_groups / 2 + 4;
    size_t m = pool->whole->n_attrs;
    pool->room = pool->group_room = 0; /* until all is there */
    bool ok = grow_block(&pool->class_index, room, 4) && grow_block(&pool->count, room, 4) &&
              grow_block(&pool->slots, 4 * room, 4) && grow_block(&pool->left, room, 4) &&
              grow_block(&pool->codes, room * m, 4) && grow_block(&pool->tuples, room * m, 4) &&
              grow_block(&pool->growth.cost, room * m, 4) &&
              grow_block(&pool->growth.total, room, 4) && grow_block(&pool->growth.key, room, 4) &&
              grow_block(&pool->growth.changed, m, 4) &&
              grow_block(&pool->boxes.box, m, sizeof *pool->boxes.box) &&
              grow_block(&pool->boxes.outside, room * m, 1) &&
              grow_block(&pool->boxes.n_outside, room, 4) &&
              grow_block(&pool->boxes.outside_sum, room, 4) &&
              grow_block(&pool->boxes.gain_code, room + 1, 4) &&
              grow_block(&pool->boxes.gain_rows, room + 1, 4) &&
              reserve_solution(&pool->now, room, groups) &&
              reserve_solution(&pool->best, room, groups) &&
              reserve_solution(&pool->before, room, groups) &&
              grow_block(&pool->search.without, room * groups * m, sizeof *pool->search.without) &&
              grow_block(&pool->search.loss_without, room * groups, 4) &&
              grow_block(&pool->search.tally, groups * pool->search.value_room, 4) &&
              grow_block(&pool->search.loss_with, pool->search.value_room,
                         sizeof *pool->search.loss_with) &&
              grow_block(&pool->search.n_distinct, groups * m, 4) &&
              grow_block(&pool->search.n_tops, groups * m, 4) &&
              grow_block(&pool->search.with, room * groups, 4) &&
              grow_block(&pool->search.most_saving, groups, sizeof *pool->search.most_saving) &&
              grow_block(&pool->search.changed_at, groups, 4) &&
              grow_block(&pool->search.seen_at, groups, 4) &&
              grow_block(&pool->search.pair, 2 * room, sizeof *pool->search.pair) &&
              (!pool->persons.is_on || reserve_persons(&pool->persons, room, groups));
    if (!ok) return false;
    pool->room = (uint32_t)room;
    pool->group_room = (uint32_t)groups;
    return true;
}

static uint32_t first_slot(const shoal_pool *pool, uint32_t class_index)
{
    return (uint32_t)((class_index * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (pool->n_slots - 1);
}

/* The member of a class, added when it is new: members by their classes, with open addressing, half
 * of the slots free at least. */
static uint32_t member_of(shoal_pool *pool, uint32_t class_index)
{
    uint32_t at = first_slot(pool, class_index);
    while (pool->slots[at] != SHOAL_NONE && pool->class_index[pool->slots[at]] != class_index)
        at = (at + 1) & (pool->n_slots - 1);
    if (pool->slots[at] != SHOAL_NONE) return pool->slots[at];
    uint32_t p = pool->slots[at] = pool->n++;
    pool->class_index[p] = class_index;
    pool->count[p] = 0;
    if (pool->persons.is_on) shoal_pool_persons_meet(pool, p);
    return p;
}

/* No members yet, and slots for twice as many as there may be. */
static void begin_members(shoal_pool *pool, uint32_t most)
{
    pool->n = 0;
    for (pool->n_slots = 1; pool->n_slots < 2 * most;) pool->n_slots *= 2;
    memset(pool->slots, 0xff, pool->n_slots * sizeof *pool->slots); /* SHOAL_NONE */
}

bool shoal_pool_fill(shoal_pool *pool, const shoal_clustering *clustering, const uint32_t *groups,
                     uint32_t n)
{
    uint32_t n_slices = 0;
    uint64_t n_rows = 0;
    for (uint32_t g = 0; g < n; g++) {
        n_slices += clustering->groups[groups[g]].n_slices;
        n_rows += clustering->groups[groups[g]].cluster.n_rows;
    }
    /* One place more than members: local search keeps there what a group covers with all its
     * slices. */
    if (!reserve(pool, n_slices + 1, pool->keeps_groups ? n : (uint32_t)(n_rows / pool->k) + 1))
        return false;
    shoal_solution *now = &pool->now;
    if (pool->persons.is_on) shoal_pool_persons_forget(pool);
    begin_members(pool, n_slices + 1);
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
    shoal_pool_choose_columns(pool);
    pool->best.cost = UINT64_MAX;
    shoal_pool_keep(pool);
    return true;
}

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
