/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_state.c - what is left of the classes in a tree; see kernel.h.
 *
 * The tree never changes; a state counts the rows left of each place and, for each node, the
 * classes with rows left (`live`) and the lowest of their numbers (`least`). Four classes by age,
 * 0: 20 (2 rows), 1: 24, 2: 31, 3: 50 (1 row each), in a tree of three nodes:
 *
 *                        live           least
 *     node               0   1   2      0   1   2        node 0: the root, 20..50
 *     at first           4   2   2      0   0   2        node 1: classes 0 and 1, 20..24
 *     24 is taken        3   1   2      0   0   2        node 2: classes 2 and 3, 31..50
 *     both 20s too       2   0   2      2   -   2        -: SHOAL_NO_CLASS, not entered any more
 *     one 20 is put back  3   1   2      0   0   2
 *
 * Only when a class runs out or comes back are the nodes above it changed: O(depth); else O(1).
 *
 * A state that *follows* has its own ranges of nodes, of the classes with rows left: above, node 1
 * is 20..20 once 24 is taken. Taking a class shrinks a range only where the class was outermost,
 * and the way up ends where a range did not change; putting it back widens all ranges on the way.
 */
#include "base/invariant.h"
#include "search/kernel_search.h"

#include <string.h>

void shoal_kernel_state_clear(shoal_kernel_state *state)
{
    shoal_free(state->left);
    shoal_free(state->live);
    shoal_free(state->least);
    shoal_free(state->stack);
    shoal_free(state->table);
    if (state->follows) shoal_free(state->narrow);
    *state = (shoal_kernel_state){ 0 };
}

/* A state has its own counts, stack and table; the tree is shared by all states. */
shoal_status shoal_kernel_state_make(shoal_kernel_state *out, const shoal_kernel *kernel,
                                     const uint32_t *left, shoal_error *err)
{
    shoal_kernel_state state = { .kernel = kernel, .narrow = kernel->narrow };
    assert(left != NULL || kernel->n_places == 0);
    state.left = shoal_alloc(kernel->n_places, sizeof *state.left);
    state.live = shoal_alloc_zero(kernel->n_nodes, sizeof *state.live);
    state.least = shoal_alloc(kernel->n_nodes, sizeof *state.least);
    state.stack = shoal_alloc((size_t)kernel->depth + 2, sizeof *state.stack);
    bool has_table = kernel->stride > 0;
    if (has_table)
        state.table = shoal_alloc_zero((size_t)kernel->stride * 256 + kernel->stride / 4,
                                       sizeof *state.table);
    if (state.left == NULL || state.live == NULL || state.least == NULL || state.stack == NULL ||
        (has_table && state.table == NULL)) {
        shoal_kernel_state_clear(&state);
        return shoal_fail_memory(err);
    }
    for (uint32_t node = 0; node < kernel->n_nodes; node++) state.least[node] = SHOAL_NO_CLASS;
    /* counts of leaves first, then those of the nodes above them */
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
    SHOAL_INVARIANT(shoal_kernel_counts_hold(&state));
    *out = state;
    return SHOAL_OK;
}

/* Recounts everything: for SHOAL_INVARIANT() and tests. */
bool shoal_kernel_counts_hold(const shoal_kernel_state *state)
{
    const shoal_kernel *kernel = state->kernel;
    uint64_t n_rows = 0;
    for (uint32_t p = 0; p < kernel->n_places; p++) n_rows += state->left[p];
    for (uint32_t node = 0; node < kernel->n_nodes; node++) {
        const shoal_kernel_node *n = &kernel->nodes[node];
        uint32_t live = 0, least = SHOAL_NO_CLASS;
        for (uint32_t p = n->begin; p < n->end; p++) {
            if (state->left[p] == 0) continue;
            live++;
            if (kernel->class_at[p] < least) least = kernel->class_at[p];
        }
        if (state->live[node] != live || state->least[node] != least) return false;
    }
    return n_rows == state->n_rows;
}

/* ---- ranges of what is left ---- */

/* Eight attributes at a time; compilers make vector instructions of these loops. */
static void widen(uint8_t *lo, uint8_t *hi, const uint8_t *by_lo, const uint8_t *by_hi, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) lo[i] = by_lo[i] < lo[i] ? by_lo[i] : lo[i];
    for (uint32_t i = 0; i < n; i++) hi[i] = by_hi[i] > hi[i] ? by_hi[i] : hi[i];
}

/* The ranges of a node from those of its children, or from its live places; without any, lows are
 * above highs. */
static void find_range(const shoal_kernel_state *state, uint32_t node, uint8_t *range)
{
    const shoal_kernel *kernel = state->kernel;
    const shoal_kernel_node *n = &kernel->nodes[node];
    uint32_t stride = kernel->stride;
    memset(range, 0xff, stride);
    memset(range + stride, 0, stride);
    if (n->child != 0) {
        const uint8_t *x = state->narrow + (size_t)n->child * 2 * stride, *y = x + 2 * stride;
        widen(range, range + stride, x, x + stride, stride);
        widen(range, range + stride, y, y + stride, stride);
        return;
    }
    for (uint32_t p = n->begin; p < n->end; p++) {
        const uint8_t *codes = kernel->bytes + (size_t)p * stride;
        if (state->left[p] > 0) widen(range, range + stride, codes, codes, stride);
    }
}

/* Only for trees of byte codes; otherwise the static ranges stay in use, which are wider but valid.
 */
shoal_status shoal_kernel_state_follow(shoal_kernel_state *state, shoal_error *err)
{
    const shoal_kernel *kernel = state->kernel;
    if (!kernel->metric->has_tables || state->follows) return SHOAL_OK;
    state->narrow = shoal_alloc(kernel->n_nodes, 2 * kernel->stride);
    if (state->narrow == NULL) {
        state->narrow = kernel->narrow;
        return shoal_fail_memory(err);
    }
    state->follows = true;
    for (uint32_t node = kernel->n_nodes; node-- > 0;)
        find_range(state, node, state->narrow + (size_t)node * 2 * kernel->stride);
    return SHOAL_OK;
}

/* A class under the node has become empty: update the ranges of the node. Returns whether they may
 * have changed. */
static bool shrink(shoal_kernel_state *state, uint32_t node, const uint8_t *codes)
{
    uint32_t stride = state->kernel->stride;
    uint8_t *range = state->narrow + (size_t)node * 2 * stride;
    bool was_outermost = false;
    for (uint32_t i = 0; i < state->kernel->n_attrs; i++)
        was_outermost |= (codes[i] == range[i]) | (codes[i] == range[stride + i]);
    if (!was_outermost) return false;
    /* ranges of up to 32 attributes are compared with a copy; wider ones count as changed */
    uint8_t small[64], *before = 2 * stride <= sizeof small ? small : NULL;
    if (before != NULL) memcpy(before, range, 2 * stride);
    find_range(state, node, range);
    return before == NULL || memcmp(before, range, 2 * stride) != 0;
}

/* The lowest live class of a node, from its children or its places; SHOAL_NO_CLASS without any. */
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

/* Only a class that runs out changes the tree: counts on the path to the root, and ranges as long
 * as they shrink. */
void shoal_kernel_take(shoal_kernel_state *state, uint32_t class_index, uint32_t n_rows)
{
    const shoal_kernel *kernel = state->kernel;
    uint32_t place = kernel->place_of[class_index], node = kernel->leaf_of[place];
    assert(place < kernel->n_places && kernel->class_at[place] == class_index);
    assert(n_rows <= state->left[place]);
    state->left[place] -= n_rows;
    state->n_rows -= n_rows;
    if (state->left[place] > 0 || n_rows == 0) return;
    bool shrinks = state->follows;
    for (;; node = kernel->nodes[node].parent) {
        if (shrinks) shrinks = shrink(state, node, kernel->bytes + (size_t)place * kernel->stride);
        assert(state->live[node] > 0);
        state->live[node]--;
        if (state->least[node] == class_index) state->least[node] = find_least(state, node);
        if (node == 0) break;
    }
}

/* The reverse of take(): ranges are widened up to the root, since any of them may have shrunk. */
void shoal_kernel_put_back(shoal_kernel_state *state, uint32_t class_index, uint32_t n_rows)
{
    const shoal_kernel *kernel = state->kernel;
    uint32_t place = kernel->place_of[class_index], node = kernel->leaf_of[place];
    assert(place < kernel->n_places && kernel->class_at[place] == class_index);
    assert(n_rows <= UINT32_MAX - state->left[place]);
    bool was_out = state->left[place] == 0 && n_rows > 0;
    state->left[place] += n_rows;
    state->n_rows += n_rows;
    if (!was_out) return;
    const uint8_t *codes = state->follows ? kernel->bytes + (size_t)place * kernel->stride : NULL;
    for (;; node = kernel->nodes[node].parent) {
        uint8_t *range = state->follows ? state->narrow + (size_t)node * 2 * kernel->stride : NULL;
        if (range != NULL) widen(range, range + kernel->stride, codes, codes, kernel->stride);
        state->live[node]++;
        if (class_index < state->least[node]) state->least[node] = class_index;
        if (node == 0) break;
    }
}
