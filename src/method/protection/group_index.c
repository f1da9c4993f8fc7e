/* SPDX-License-Identifier: Apache-2.0 */
/* group_index.c - the group that suffers least, by branch and bound; see group_index.h.
 *
 * Why the bounds hold, for a code outside what a node's groups cover: a number makes a group wider
 * by at least its distance to the node's range; a leaf of a tree makes a group lose at least what
 * its cover with the nearest leaf of the range loses, and before that it lost at most the largest
 * loss of the node. Sets and codes inside count 0. Memory: 12 bytes a node and attribute.
 */
#include "base/invariant.h"
#include "method/protection/group_index.h"

#include <string.h>

void shoal_group_index_clear(shoal_group_index *group_index)
{
    shoal_kernel_free(group_index->kernel);
    shoal_free(group_index->firsts.codes);
    shoal_free(group_index->firsts.counts);
    shoal_free(group_index->hulls);
    shoal_free(group_index->losses);
    shoal_free(group_index->gains);
    shoal_free(group_index->own_gains);
    shoal_free(group_index->least);
    shoal_free(group_index->stack);
    *group_index = (shoal_group_index){ 0 };
}

/* A tuple of the group's box: its lower ends (a wild code where it has none). */
static bool represent_groups(shoal_group_index *h)
{
    uint32_t m = h->metric->n_attrs;
    h->firsts = (shoal_classes){ .n_classes = h->n_groups, .n_attrs = m };
    h->firsts.codes = shoal_alloc((size_t)h->n_groups * m, sizeof *h->firsts.codes);
    h->firsts.counts = shoal_alloc(h->n_groups, sizeof *h->firsts.counts);
    if (h->firsts.codes == NULL || h->firsts.counts == NULL) return false;
    for (uint32_t g = 0; g < h->n_groups; g++) {
        h->firsts.counts[g] = 1;
        for (uint32_t a = 0; a < m; a++) {
            shoal_range range = h->clusters[g].ranges[a];
            h->firsts.codes[(size_t)g * m + a] = range.lo <= range.hi
                                                     ? range.lo
                                                     : h->metric->lines[a].wild_code;
        }
    }
    return true;
}

/* A node takes in a group. */
static void widen(shoal_group_index *h, uint32_t node, uint32_t group, int64_t gain)
{
    uint32_t m = h->metric->n_attrs;
    const shoal_cluster *cluster = &h->clusters[group];
    for (uint32_t a = 0; a < m; a++) {
        shoal_range *hull = &h->hulls[(size_t)node * m + a];
        if (cluster->ranges[a].lo < hull->lo) hull->lo = cluster->ranges[a].lo;
        if (cluster->ranges[a].hi > hull->hi && cluster->ranges[a].lo <= cluster->ranges[a].hi)
            hull->hi = cluster->ranges[a].hi;
        if (cluster->losses[a] > h->losses[(size_t)node * m + a])
            h->losses[(size_t)node * m + a] = cluster->losses[a];
    }
    if (gain > h->gains[node]) h->gains[node] = gain;
}

void shoal_group_index_update(shoal_group_index *group_index, uint32_t group, int64_t gain)
{
    if (group_index->kernel == NULL) return;
    group_index->own_gains[group] = gain;
    for (uint32_t node = group_index->kernel->leaf_of[group_index->kernel->place_of[group]];;
         node = group_index->kernel->nodes[node].parent) {
        widen(group_index, node, group, gain);
        if (node == 0) return;
    }
}

static bool make_nodes(shoal_group_index *h, const int64_t *gains, uint32_t threads)
{
    size_t n = h->kernel->n_nodes, m = h->metric->n_attrs;
    h->hulls = shoal_alloc(n * m, sizeof *h->hulls);
    h->losses = shoal_alloc_zero(n * m, sizeof *h->losses);
    h->gains = shoal_alloc_zero(n, sizeof *h->gains);
    h->least = shoal_alloc(n, sizeof *h->least);
    h->own_gains = shoal_alloc(h->n_groups, sizeof *h->own_gains);
    h->stack = shoal_alloc(((size_t)h->kernel->depth + 2) * threads, sizeof *h->stack);
    if (h->hulls == NULL || h->losses == NULL || h->gains == NULL || h->least == NULL ||
        h->own_gains == NULL || h->stack == NULL)
        return false;
    for (size_t i = 0; i < n * m; i++) h->hulls[i] = SHOAL_EMPTY_RANGE;
    for (size_t i = 0; i < n; i++) h->least[i] = SHOAL_NO_HOME;
    for (uint32_t g = 0; g < h->n_groups; g++) {
        shoal_group_index_update(h, g, gains == NULL ? 0 : gains[g]);
        for (uint32_t node = h->kernel->leaf_of[h->kernel->place_of[g]];;
             node = h->kernel->nodes[node].parent) {
            if (g < h->least[node]) h->least[node] = g;
            if (node == 0) break;
        }
    }
    return true;
}

/* Made in place: the kernel keeps an eye on `firsts`. */
shoal_status shoal_group_index_make(shoal_group_index *out, const shoal_metric *metric,
                                    shoal_indexed_groups groups, uint32_t threads, bool uses_tree,
                                    shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    *out = (shoal_group_index){ .metric = metric,
                                .clusters = groups.clusters,
                                .n_groups = groups.n };
    if (!uses_tree || groups.n == 0) return SHOAL_OK;
    if (!represent_groups(out)) status = shoal_fail_memory(err);
    if (status == SHOAL_OK)
        status = shoal_kernel_make(&out->kernel, metric, &out->firsts, NULL, 0, err);
    if (status == SHOAL_OK && !make_nodes(out, groups.gains, threads))
        status = shoal_fail_memory(err);
    if (status != SHOAL_OK) shoal_group_index_clear(out);
    return status;
}

/* ---- the search ---- */

static int64_t attr_bound(const shoal_measure_line *line, shoal_range hull, shoal_loss most,
                          uint32_t code)
{
    /* a group of wild codes alone takes any code for nothing */
    if (line->wild_code != SHOAL_NO_CODE || line->is_set || (code >= hull.lo && code <= hull.hi) ||
        hull.lo > hull.hi)
        return 0;
    shoal_loss with = code < hull.lo ? shoal_line_range(line, code, hull.lo)
                                     : shoal_line_range(line, hull.hi, code);
    bool is_number = line->is_interval && code < line->n_plain && hull.hi < line->n_plain;
    if (is_number) return with;
    return with > most ? (int64_t)with - most : 0;
}

static int64_t node_bound(const shoal_group_index *h, uint32_t node, const uint32_t *codes)
{
    int64_t sum = -h->gains[node];
    uint32_t m = h->metric->n_attrs;
    for (uint32_t a = 0; a < m; a++)
        sum += attr_bound(&h->metric->lines[a], h->hulls[(size_t)node * m + a],
                          h->losses[(size_t)node * m + a], codes[a]);
    return sum;
}

/* A group's own bound first: its loss is known sooner than what it gains. */
void shoal_group_index_consider(const shoal_group_index *h, shoal_group_choice *best,
                                uint32_t group, const uint32_t *codes, shoal_rise_fn rise,
                                void *payload)
{
    if (h->own_gains != NULL) {
        int64_t loss = (int64_t)shoal_cluster_with(&h->clusters[group], h->metric, codes,
                                                   SHOAL_LOSS_MAX) -
                       h->clusters[group].loss;
        if (!shoal_group_choice_is_better((shoal_group_choice){ loss - h->own_gains[group], group },
                                          *best))
            return;
    }
    shoal_group_choice it = { rise(payload, group, codes), group };
    if (it.rise != INT64_MAX && shoal_group_choice_is_better(it, *best)) *best = it;
}

/* The best so far, in order; those behind them are SHOAL_NO_HOME. */
typedef struct best_groups {
    shoal_group_choice *items;
    uint32_t most;
} best_groups;

static shoal_group_choice worst_of(const best_groups *best)
{
    return best->items[best->most - 1];
}

static void add_group(const shoal_group_index *h, best_groups *best, uint32_t group,
                      const uint32_t *codes, shoal_rise_fn rise, void *payload)
{
    shoal_group_choice it = worst_of(best);
    uint32_t at = best->most - 1;
    shoal_group_index_consider(h, &it, group, codes, rise, payload);
    if (it.group != group) return;
    for (; at > 0 && shoal_group_choice_is_better(it, best->items[at - 1]); at--)
        best->items[at] = best->items[at - 1];
    best->items[at] = it;
}

/* The bound of a leaf is at most what a row costs any of its groups. */
static bool no_rise_is_below(const shoal_group_index *h, const shoal_kernel_node *leaf,
                             int64_t bound, const uint32_t *codes, shoal_rise_fn rise,
                             void *payload)
{
    for (uint32_t p = leaf->begin; p < leaf->end; p++)
        if (rise(payload, h->kernel->class_at[p], codes) < bound) return false;
    return true;
}

static void search(const shoal_group_index *h, struct group_index_step *stack, best_groups *best,
                   const uint32_t *codes, shoal_rise_fn rise, void *payload)
{
    uint32_t n = 0;
    stack[n++] = (struct group_index_step){ 0, node_bound(h, 0, codes) };
    while (n > 0) {
        struct group_index_step step = stack[--n];
        if (!shoal_group_choice_is_better((shoal_group_choice){ step.bound, h->least[step.node] },
                                          worst_of(best)))
            continue;
        const shoal_kernel_node *node = &h->kernel->nodes[step.node];
        if (node->child == 0) {
            SHOAL_INVARIANT(no_rise_is_below(h, node, step.bound, codes, rise, payload));
            for (uint32_t p = node->begin; p < node->end; p++)
                add_group(h, best, h->kernel->class_at[p], codes, rise, payload);
            continue;
        }
        struct group_index_step near = { node->child, node_bound(h, node->child, codes) };
        struct group_index_step far = { node->child + 1, node_bound(h, node->child + 1, codes) };
        bool is_swapped = far.bound < near.bound;
        stack[n++] = is_swapped ? near : far;
        stack[n++] = is_swapped ? far : near;
    }
}

uint32_t shoal_group_index_find(const shoal_group_index *group_index, uint32_t thread,
                                const uint32_t *codes, shoal_rise_fn rise, void *payload,
                                shoal_group_choice *found, uint32_t most)
{
    best_groups best = { found, most };
    uint32_t n = 0;
    for (uint32_t i = 0; i < most; i++) found[i] = (shoal_group_choice){ INT64_MAX, SHOAL_NO_HOME };
    if (group_index->kernel != NULL)
        search(group_index, group_index->stack + (size_t)thread * (group_index->kernel->depth + 2),
               &best, codes, rise, payload);
    else
        for (uint32_t g = 0; g < group_index->n_groups; g++)
            add_group(group_index, &best, g, codes, rise, payload);
    while (n < most && found[n].group != SHOAL_NO_HOME) n++;
    return n;
}
