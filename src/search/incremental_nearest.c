/* SPDX-License-Identifier: Apache-2.0 */
/* incremental_nearest.c - the cheapest class for a growing cluster, again and again; see
 * incremental_nearest.h.
 *
 * Nodes and classes are kept in a heap by a lower bound of their loss, computed in some earlier
 * turn. The cluster only grows, so an old bound is still one; the item on top is evaluated again,
 * and if it stays on top it is opened (a node) or is the answer (a class). Ages 20, 31, 50 are
 * left, under node 1 (20..24) and node 2 (31..50); the cluster is {24}:
 *
 *     turn 1   root opened: node 1 with 0, node 2 with 7    node 1 opened: 20 with 4
 *              top is 20: the answer, 4; the cluster is 20..24
 *     turn 2   top is node 2 with 7 from turn 1: evaluated again, 31 - 20 = 11; still on top,
 * opened: 31 with 11, 50 with 30 top is 31: the answer, 11
 *
 * Three bounds and three losses for both.
 *
 * Invariant: the key of an item is at most (loss, class number) of its class, or of every live
 * class under its node; every live class is an item, is under one, or was returned. Cost per
 * cluster: at most one bound per node and one loss per class, and one more each time an item
 * reaches the top; O(log n) heap operations for each.
 */
#include "base/invariant.h"
#include "search/incremental_nearest.h"

#include "search/cluster_bound.h"

#define IS_PLACE ((uint32_t)1 << 31)

bool shoal_incremental_nearest_make(shoal_incremental_nearest *out, const shoal_kernel *kernel)
{
    *out = (shoal_incremental_nearest){
        .items = shoal_alloc((size_t)kernel->n_places + kernel->n_nodes, sizeof *out->items)
    };
    return out->items != NULL;
}

/* Also for one that was never made: the heap is NULL then. */
void shoal_incremental_nearest_clear(shoal_incremental_nearest *incremental)
{
    shoal_free(incremental->items);
    *incremental = (shoal_incremental_nearest){ 0 };
}

static uint64_t make_key(shoal_loss loss, uint32_t least)
{
    return (uint64_t)loss << 32 | least;
}

static void push(shoal_incremental_nearest *f, shoal_nearest_item it)
{
    uint32_t i = f->n++;
    for (; i > 0 && it.key < f->items[(i - 1) / 2].key; i = (i - 1) / 2)
        f->items[i] = f->items[(i - 1) / 2];
    f->items[i] = it;
}

/* Replace the top item. */
static void replace_top(shoal_incremental_nearest *f, shoal_nearest_item it)
{
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < f->n; i = child) {
        if (child + 1 < f->n && f->items[child + 1].key < f->items[child].key) child++;
        if (it.key <= f->items[child].key) break;
        f->items[i] = f->items[child];
    }
    f->items[i] = it;
}

static void pop(shoal_incremental_nearest *f)
{
    f->n--;
    if (f->n > 0) replace_top(f, f->items[f->n]);
}

void shoal_incremental_nearest_begin(shoal_incremental_nearest *f, const shoal_kernel_state *state)
{
    assert(f->items != NULL);
    f->n = f->turn = 0;
    if (state->kernel->n_nodes > 0 && state->live[0] > 0)
        push(f, (shoal_nearest_item){ make_key(0, state->least[0]), 0, 0 });
}

static shoal_nearest_item look_at_place(shoal_kernel_state *state, const shoal_cluster *cluster,
                                        uint32_t place, uint32_t turn)
{
    state->n_evaluations++;
    return (shoal_nearest_item){ make_key(loss_at(state->kernel, cluster, place, SHOAL_LOSS_MAX),
                                          state->kernel->class_at[place]),
                                 IS_PLACE | place, turn };
}

static shoal_nearest_item look_at_node(shoal_kernel_state *state, const shoal_cluster *cluster,
                                       uint32_t node, uint32_t turn)
{
    shoal_loss bound = cluster_bound(state->kernel, state->narrow, node, cluster, SHOAL_LOSS_MAX);
    SHOAL_INVARIANT(cluster_bound_holds(state->kernel, state->narrow, node, cluster, bound));
    state->n_bounds++;
    return (shoal_nearest_item){ make_key(bound, state->least[node]), node, turn };
}

/* Replace the node on top by its children, or a leaf by its classes. */
static void open_node(shoal_incremental_nearest *f, shoal_kernel_state *state,
                      const shoal_cluster *cluster)
{
    const shoal_kernel_node *node = &state->kernel->nodes[f->items[0].what];
    pop(f);
    for (uint32_t i = 0; node->child != 0 && i < 2; i++)
        if (state->live[node->child + i] > 0)
            push(f, look_at_node(state, cluster, node->child + i, f->turn));
    for (uint32_t p = node->begin; node->child == 0 && p < node->end; p++)
        if (state->left[p] > 0) push(f, look_at_place(state, cluster, p, f->turn));
}

/* Are there no rows left at the place, or under the node? */
static bool is_gone(const shoal_kernel_state *state, uint32_t what)
{
    return what & IS_PLACE ? state->left[what & ~IS_PLACE] == 0 : state->live[what] == 0;
}

/* The top of the heap is evaluated until it stays on top: its bound is then exact. */
uint32_t shoal_incremental_nearest_next(shoal_incremental_nearest *f, shoal_kernel_state *state,
                                        const shoal_cluster *cluster, shoal_loss *loss)
{
    assert(cluster->n_rows > 0);
    f->turn++;
    state->n_queries++;
    while (f->n > 0) {
        shoal_nearest_item top = f->items[0];
        bool is_place = (top.what & IS_PLACE) != 0;
        if (is_gone(state, top.what)) {
            pop(f);
        } else if (top.turn != f->turn) {
            shoal_nearest_item now = is_place ? look_at_place(state, cluster, top.what & ~IS_PLACE,
                                                              f->turn)
                                              : look_at_node(state, cluster, top.what, f->turn);
            SHOAL_INVARIANT(now.key >= top.key); /* clusters only grow, so losses only rise */
            replace_top(f, now);
        } else if (!is_place) {
            open_node(f, state, cluster);
        } else {
            pop(f);
            *loss = (shoal_loss)(top.key >> 32);
            return (uint32_t)top.key;
        }
    }
    *loss = SHOAL_LOSS_MAX;
    return SHOAL_NO_CLASS;
}
