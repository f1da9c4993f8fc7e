/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_state.c - what is left of the classes in a tree; see kernel.h. */
#include "search/kernel_search.h"

void shoal_kernel_state_clear(shoal_kernel_state *state)
{
    shoal_free(state->left);
    shoal_free(state->live);
    shoal_free(state->least);
    shoal_free(state->stack);
    shoal_free(state->table);
    *state = (shoal_kernel_state){ 0 };
}

shoal_status shoal_kernel_state_make(shoal_kernel_state *out, const shoal_kernel *kernel, const uint32_t *left,
                                     shoal_error *err)
{
    shoal_kernel_state state = { .kernel = kernel };
    state.left = shoal_alloc(kernel->n_places, sizeof *state.left);
    state.live = shoal_alloc_zero(kernel->n_nodes, sizeof *state.live);
    state.least = shoal_alloc(kernel->n_nodes, sizeof *state.least);
    state.stack = shoal_alloc((size_t)kernel->depth + 2, sizeof *state.stack);
    bool has_table = kernel->stride > 0;
    if (has_table) state.table = shoal_alloc_zero((size_t)kernel->stride * 256 + kernel->stride / 4, sizeof *state.table);
    if (state.left == NULL || state.live == NULL || state.least == NULL || state.stack == NULL || (has_table && state.table == NULL)) {
        shoal_kernel_state_clear(&state);
        return shoal_fail_memory(err);
    }
    for (uint32_t node = 0; node < kernel->n_nodes; node++) state.least[node] = SHOAL_NO_CLASS;
    for (uint32_t p = 0; p < kernel->n_places; p++) {
        uint32_t c = kernel->class_at[p], leaf = kernel->leaf_of[p];
        state.left[p] = left[c];
        state.n_rows += left[c];
        if (left[c] == 0) continue;
        state.live[leaf]++;
        if (c < state.least[leaf]) state.least[leaf] = c;
    }
    for (uint32_t node = kernel->n_nodes; node-- > 1;) { /* children have higher numbers */
        uint32_t parent = kernel->nodes[node].parent;
        state.live[parent] += state.live[node];
        if (state.least[node] < state.least[parent]) state.least[parent] = state.least[node];
    }
    *out = state;
    return SHOAL_OK;
}

/* The lowest live class of a node, from its children or its places. */
static uint32_t find_least(const shoal_kernel_state *state, uint32_t node)
{
    const shoal_kernel *kernel = state->kernel;
    const shoal_kernel_node *n = &kernel->nodes[node];
    if (n->child != 0) {
        uint32_t x = state->least[n->child], y = state->least[n->child + 1];
        return x < y ? x : y;
    }
    uint32_t least = SHOAL_NO_CLASS;
    for (uint32_t p = n->begin; p < n->end; p++)
        if (state->left[p] > 0 && kernel->class_at[p] < least) least = kernel->class_at[p];
    return least;
}

void shoal_kernel_take(shoal_kernel_state *state, uint32_t class_index, uint32_t n_rows)
{
    const shoal_kernel *kernel = state->kernel;
    uint32_t place = kernel->place_of[class_index], node = kernel->leaf_of[place];
    state->left[place] -= n_rows;
    state->n_rows -= n_rows;
    if (state->left[place] > 0 || n_rows == 0) return;
    for (;; node = kernel->nodes[node].parent) {
        state->live[node]--;
        if (state->least[node] == class_index) state->least[node] = find_least(state, node);
        if (node == 0) break;
    }
}

void shoal_kernel_put_back(shoal_kernel_state *state, uint32_t class_index, uint32_t n_rows)
{
    const shoal_kernel *kernel = state->kernel;
    uint32_t place = kernel->place_of[class_index], node = kernel->leaf_of[place];
    bool was_out = state->left[place] == 0 && n_rows > 0;
    state->left[place] += n_rows;
    state->n_rows += n_rows;
    if (!was_out) return;
    for (;; node = kernel->nodes[node].parent) {
        state->live[node]++;
        if (class_index < state->least[node]) state->least[node] = class_index;
        if (node == 0) break;
    }
}
