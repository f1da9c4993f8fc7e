/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_search.h - the branch-and-bound loop of all queries: depth-first, nearer child first.
 *
 * A query supplies three functions, which the compiler inlines: `bound` (a lower bound of the cost
 * of each class under a node; called at most once per node), `may_enter` (can a node with this
 * bound still contain an answer?) and `visit` (a place with rows left). To find the greatest, a
 * query uses costs that count down from SHOAL_LOSS_MAX.
 */
#ifndef SHOAL_KERNEL_SEARCH_H
#define SHOAL_KERNEL_SEARCH_H

#include "search/kernel.h"

typedef struct shoal_kernel_step {
    uint32_t node;
    shoal_loss bound;
} shoal_kernel_step;

typedef shoal_loss (*shoal_bound_fn)(const shoal_kernel *kernel, uint32_t node, const void *query);
typedef bool (*shoal_enter_fn)(const shoal_kernel_state *state, uint32_t node, shoal_loss bound,
                               const void *query);
typedef void (*shoal_visit_fn)(shoal_kernel_state *state, uint32_t place, void *query);

/* Search everything under one node. */
__attribute__((always_inline)) static inline void
shoal_kernel_search_node(shoal_kernel_state *state, void *query, shoal_kernel_step from,
                         shoal_bound_fn bound, shoal_enter_fn may_enter, shoal_visit_fn visit)
{
    const shoal_kernel *kernel = state->kernel;
    /* depth + 2 entries suffice: at most one waiting sibling per level */
    shoal_kernel_step *stack = state->stack;
    uint32_t n = 0;
    stack[n++] = from;
    uint64_t stop_at = state->most_bounds > 0 ? state->n_bounds + state->most_bounds : UINT64_MAX;
    while (n > 0 && state->n_bounds < stop_at) {
        shoal_kernel_step step = stack[--n];
        if (!may_enter(state, step.node, step.bound, query)) continue;
        const shoal_kernel_node *node = &kernel->nodes[step.node];
        if (node->child == 0) {
            for (uint32_t p = node->begin; p < node->end; p++)
                if (state->left[p] > 0) visit(state, p, query);
            continue;
        }
        uint32_t near = node->child, far = near + 1;
        shoal_loss near_bound = state->live[near] > 0 ? bound(kernel, near, query) : SHOAL_LOSS_MAX;
        shoal_loss far_bound = state->live[far] > 0 ? bound(kernel, far, query) : SHOAL_LOSS_MAX;
        state->n_bounds += 2;
        if (far_bound < near_bound) {
            uint32_t node_swap = near;
            shoal_loss bound_swap = near_bound;
            near = far, far = node_swap;
            near_bound = far_bound, far_bound = bound_swap;
        }
        if (far_bound != SHOAL_LOSS_MAX) stack[n++] = (shoal_kernel_step){ far, far_bound };
        if (near_bound != SHOAL_LOSS_MAX) stack[n++] = (shoal_kernel_step){ near, near_bound };
    }
}

__attribute__((always_inline)) static inline void
shoal_kernel_search(shoal_kernel_state *state, void *query, shoal_bound_fn bound,
                    shoal_enter_fn may_enter, shoal_visit_fn visit)
{
    state->n_queries++;
    if (state->kernel->n_nodes == 0 || state->live[0] == 0) return;
    shoal_kernel_search_node(state, query, (shoal_kernel_step){ 0, 0 }, bound, may_enter, visit);
}

/*
 * The same, beginning at a leaf where good classes are likely: first that leaf, then the sibling of
 * each node on the path to the root. This needs half the bounds of a descent from the root, and
 * none for empty nodes.
 */
__attribute__((always_inline)) static inline void
shoal_kernel_search_from(shoal_kernel_state *state, void *query, uint32_t leaf,
                         shoal_bound_fn bound, shoal_enter_fn may_enter, shoal_visit_fn visit)
{
    const shoal_kernel *kernel = state->kernel;
    state->n_queries++;
    if (state->live[leaf] > 0)
        shoal_kernel_search_node(state, query, (shoal_kernel_step){ leaf, 0 }, bound, may_enter,
                                 visit);
    for (uint32_t node = leaf; node != 0; node = kernel->nodes[node].parent) {
        uint32_t first = kernel->nodes[kernel->nodes[node].parent].child,
                 sibling = first == node ? first + 1 : first;
        if (state->live[sibling] == 0) continue;
        shoal_kernel_step step = { sibling, bound(kernel, sibling, query) };
        state->n_bounds++;
        if (may_enter(state, step.node, step.bound, query))
            shoal_kernel_search_node(state, query, step, bound, may_enter, visit);
    }
}

#endif
