/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_build.c - building the tree; see kernel.h.
 *
 * A run of places is split on the attribute in which two of its classes, drawn at random, differ most in loss on
 * average: that is the one whose split raises bounds fastest. Numbers and sets are split at the median code,
 * trees at the border between two children of the run's lowest common ancestor nearest to it, so
 * that the halves lie under smaller nodes. A worklist instead of recursion.
 */
#include "search/kernel.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKET = 6, PAIRS = 48 };

typedef struct build {
    shoal_kernel *kernel;
    const shoal_classes *classes;
    uint32_t *swap;       /* classes and codes of the right half while a run is divided */
    uint32_t *swap_codes;
    size_t node_room;
    uint32_t bucket;      /* classes of a leaf */
    shoal_rng rng;
} build;

static uint32_t code_at(const build *b, uint32_t place, uint32_t attr)
{
    return b->kernel->codes[(size_t)place * b->kernel->n_attrs + attr];
}

static bool add_node(build *b, uint32_t begin, uint32_t end, uint32_t parent)
{
    shoal_kernel *kernel = b->kernel;
    if (kernel->n_nodes == b->node_room) {
        size_t room = b->node_room < 64 ? 64 : b->node_room + b->node_room / 2;
        void *nodes = shoal_resize(kernel->nodes, room, sizeof *kernel->nodes);
        if (nodes != NULL) kernel->nodes = nodes;
        void *ranges = nodes == NULL ? NULL : shoal_resize(kernel->ranges, room * kernel->n_attrs, sizeof *kernel->ranges);
        if (ranges != NULL) kernel->ranges = ranges;
        if (ranges == NULL) return false;
        b->node_room = room;
    }
    kernel->nodes[kernel->n_nodes] = (shoal_kernel_node){ .begin = begin, .end = end, .parent = parent };
    shoal_range *ranges = kernel->ranges + (size_t)kernel->n_nodes++ * kernel->n_attrs;
    for (uint32_t a = 0; a < kernel->n_attrs; a++) ranges[a] = SHOAL_EMPTY_RANGE;
    for (uint32_t p = begin; p < end; p++) {
        const uint32_t *codes = kernel->codes + (size_t)p * kernel->n_attrs;
        for (uint32_t a = 0; a < kernel->n_attrs; a++) {
            if (codes[a] < ranges[a].lo) ranges[a].lo = codes[a];
            if (codes[a] > ranges[a].hi) ranges[a].hi = codes[a];
        }
    }
    return true;
}

static shoal_loss pair_loss(const shoal_measure_line *line, uint32_t x, uint32_t y)
{
    if (x == y) return 0;
    if (line->kind == SHOAL_KIND_SET) return line->set_loss[2];
    return shoal_line_range(line, x < y ? x : y, x > y ? x : y);
}

/* The attribute with the largest mean loss over some pairs; n_attrs when all classes of the run are alike. */
static uint32_t choose_attribute(build *b, uint32_t begin, uint32_t end, const shoal_range *ranges)
{
    const shoal_metric *metric = b->kernel->metric;
    uint32_t x[PAIRS], y[PAIRS], best = metric->n_attrs;
    uint64_t most = 0;
    uint32_t n_pairs = end - begin < PAIRS ? end - begin : PAIRS; /* a short run needs few */
    for (uint32_t i = 0; i < n_pairs; i++) {
        uint64_t random = shoal_rng_next(&b->rng);
        x[i] = begin + (uint32_t)((random & UINT32_MAX) * (end - begin) >> 32);
        y[i] = begin + (uint32_t)((random >> 32) * (end - begin) >> 32);
    }
    for (uint32_t a = 0; a < metric->n_attrs; a++) {
        if (ranges[a].lo == ranges[a].hi) continue;
        uint64_t sum = 1; /* an attribute that differs is better than none, even if no pair showed it */
        for (uint32_t i = 0; i < n_pairs; i++)
            sum += pair_loss(&metric->lines[a], code_at(b, x[i], a), code_at(b, y[i], a));
        if (sum > most) {
            most = sum;
            best = a;
        }
    }
    return best;
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

/* The median code of the run on an attribute, from a sample when the run is long. */
static uint32_t median_code(build *b, uint32_t begin, uint32_t end, uint32_t attr)
{
    enum { SAMPLE = 101 };
    uint32_t sample[SAMPLE], n = end - begin < SAMPLE ? end - begin : SAMPLE;
    for (uint32_t i = 0; i < n; i++)
        sample[i] = code_at(b, begin + (uint32_t)((uint64_t)i * (end - begin) / n), attr);
    qsort(sample, n, sizeof *sample, by_number);
    return sample[n / 2];
}

/* Codes below the answer go left; it lies in lo+1..hi of the run's range. */
static uint32_t choose_border(build *b, uint32_t begin, uint32_t end, uint32_t attr, shoal_range range)
{
    const shoal_measure_line *line = &b->kernel->metric->lines[attr];
    uint32_t median = median_code(b, begin, end, attr);
    uint32_t border = median > range.lo ? median : range.lo + 1;
    if (line->kind != SHOAL_KIND_TREE) return border;
    if (range.hi >= line->n_plain) return range.lo < line->n_plain ? line->n_plain : border;
    uint32_t node = shoal_tree_cover(line->tree, range.lo, range.hi), child = median;
    while (line->tree->parent[child] != node) child = line->tree->parent[child];
    uint32_t before = line->tree->first[child], after = line->tree->last[child] + 1;
    uint64_t below = 0, through = 0;
    for (uint32_t p = begin; p < end; p++) {
        uint32_t code = code_at(b, p, attr);
        below += code < before;
        through += code < after;
    }
    bool can_precede = before > range.lo, can_follow = after <= range.hi;
    if (can_precede && (!can_follow || below + through >= end - begin)) return before;
    return can_follow ? after : border;
}

/* Put the classes with codes below the border first, keeping their order; returns the first place of the rest. */
static uint32_t partition(build *b, uint32_t begin, uint32_t end, uint32_t attr, uint32_t border)
{
    uint32_t *classes = b->kernel->class_at, *codes = b->kernel->codes;
    size_t m = b->kernel->n_attrs;
    uint32_t at = begin, n_right = 0;
    for (uint32_t p = begin; p < end; p++) {
        bool is_left = codes[p * m + attr] < border;
        if (is_left && at < p) {
            classes[at] = classes[p];
            memcpy(codes + at * m, codes + p * m, m * sizeof *codes);
        } else if (!is_left) {
            b->swap[n_right] = classes[p];
            memcpy(b->swap_codes + n_right++ * m, codes + p * m, m * sizeof *codes);
        }
        at += is_left;
    }
    memcpy(classes + at, b->swap, n_right * sizeof *b->swap);
    memcpy(codes + at * m, b->swap_codes, n_right * m * sizeof *codes);
    return at;
}

static bool split_node(build *b, uint32_t node)
{
    shoal_kernel *kernel = b->kernel;
    uint32_t begin = kernel->nodes[node].begin, end = kernel->nodes[node].end;
    if (end - begin <= b->bucket) return true;
    const shoal_range *ranges = kernel->ranges + (size_t)node * kernel->n_attrs;
    uint32_t attr = choose_attribute(b, begin, end, ranges);
    if (attr == kernel->n_attrs) return true; /* classes that differ in other columns only */
    uint32_t border = choose_border(b, begin, end, attr, ranges[attr]);
    uint32_t middle = partition(b, begin, end, attr, border);
    kernel->nodes[node].child = kernel->n_nodes;
    return add_node(b, begin, middle, node) && add_node(b, middle, end, node);
}

/* Nodes are made in breadth-first order: a child's number is above its parent's. */
static bool build_tree(build *b)
{
    shoal_kernel *kernel = b->kernel;
    if (!add_node(b, 0, kernel->n_places, 0)) return false;
    for (uint32_t node = 0; node < kernel->n_nodes; node++)
        if (!split_node(b, node)) return false;
    return true;
}

/* The same ranges and codes as bytes: a quarter of the memory to walk through. */
static bool narrow_down(shoal_kernel *kernel)
{
    size_t m = kernel->n_attrs;
    kernel->narrow = shoal_alloc(kernel->n_nodes * 2 * m, 1);
    kernel->bytes = shoal_alloc(kernel->n_places * m, 1);
    if (kernel->narrow == NULL || kernel->bytes == NULL) return false;
    for (size_t node = 0; node < kernel->n_nodes; node++)
        for (size_t a = 0; a < m; a++) {
            kernel->narrow[2 * m * node + a] = (uint8_t)kernel->ranges[node * m + a].lo;
            kernel->narrow[2 * m * node + m + a] = (uint8_t)kernel->ranges[node * m + a].hi;
        }
    for (size_t i = 0; i < kernel->n_places * m; i++) kernel->bytes[i] = (uint8_t)kernel->codes[i];
    shoal_free(kernel->ranges);
    kernel->ranges = NULL;
    return true;
}

static bool finish(shoal_kernel *kernel)
{
    uint32_t *depth = shoal_alloc(kernel->n_nodes, sizeof *depth);
    if (depth == NULL) return false;
    for (uint32_t p = 0; p < kernel->n_places; p++) kernel->place_of[kernel->class_at[p]] = p;
    depth[0] = 0;
    for (uint32_t node = 0; node < kernel->n_nodes; node++) {
        if (node > 0) depth[node] = depth[kernel->nodes[node].parent] + 1;
        if (depth[node] > kernel->depth) kernel->depth = depth[node];
        if (kernel->nodes[node].child != 0) continue;
        for (uint32_t p = kernel->nodes[node].begin; p < kernel->nodes[node].end; p++) kernel->leaf_of[p] = node;
    }
    shoal_free(depth);
    return !kernel->metric->has_tables || narrow_down(kernel);
}

/* Memory for the places, filled with the classes as they come. */
static bool begin_build(build *b, const uint32_t *members)
{
    shoal_kernel *kernel = b->kernel;
    size_t n = kernel->n_places, m = kernel->n_attrs;
    kernel->class_at = shoal_alloc(n, sizeof *kernel->class_at);
    kernel->place_of = shoal_alloc(b->classes->n_classes, sizeof *kernel->place_of);
    kernel->leaf_of = shoal_alloc(n, sizeof *kernel->leaf_of);
    kernel->codes = shoal_alloc(n * m, sizeof *kernel->codes);
    b->swap = shoal_alloc(n, sizeof *b->swap);
    b->swap_codes = shoal_alloc(n * m, sizeof *b->swap_codes);
    if (kernel->class_at == NULL || kernel->place_of == NULL || kernel->leaf_of == NULL || kernel->codes == NULL ||
        b->swap == NULL || b->swap_codes == NULL)
        return false;
    for (size_t p = 0; p < n; p++) {
        kernel->class_at[p] = members == NULL ? (uint32_t)p : members[p];
        memcpy(kernel->codes + p * m, shoal_class_codes(b->classes, kernel->class_at[p]), m * sizeof *kernel->codes);
    }
    shoal_rng_init(&b->rng, 1, n); /* for the shape only: answers do not depend on it */
    return true;
}

shoal_status shoal_kernel_make(shoal_kernel **out, const shoal_metric *metric, const shoal_classes *classes,
                               const uint32_t *members, uint32_t n_members, shoal_error *err)
{
    return shoal_kernel_make_coarse(out, metric, classes, members, n_members, BUCKET, err);
}

shoal_status shoal_kernel_make_coarse(shoal_kernel **out, const shoal_metric *metric, const shoal_classes *classes,
                                      const uint32_t *members, uint32_t n_members, uint32_t bucket, shoal_error *err)
{
    build b = { .classes = classes, .bucket = bucket };
    shoal_kernel *kernel = b.kernel = shoal_alloc_zero(1, sizeof *kernel);
    if (kernel == NULL) return shoal_fail_memory(err);
    kernel->metric = metric;
    kernel->n_attrs = metric->n_attrs;
    kernel->n_places = members == NULL ? classes->n_classes : n_members;
    bool ok = begin_build(&b, members) && build_tree(&b) && finish(kernel);
    shoal_free(b.swap);
    shoal_free(b.swap_codes);
    if (!ok) {
        shoal_kernel_free(kernel);
        return shoal_fail_memory(err);
    }
    *out = kernel;
    return SHOAL_OK;
}

void shoal_kernel_free(shoal_kernel *kernel)
{
    if (kernel == NULL) return;
    shoal_free(kernel->codes);
    shoal_free(kernel->class_at);
    shoal_free(kernel->place_of);
    shoal_free(kernel->leaf_of);
    shoal_free(kernel->nodes);
    shoal_free(kernel->ranges);
    shoal_free(kernel->narrow);
    shoal_free(kernel->bytes);
    shoal_free(kernel);
}
