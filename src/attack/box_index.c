/* SPDX-License-Identifier: Apache-2.0 */
/* box_index.c - a tree of boxes for records; see box_index.h.
 *
 * Built from the top: the boxes of a node are cut at the median of their middles on the attribute
 * whose middles spread most, relative to its codes. So the depth is log2(boxes), whatever the boxes
 * are.
 *
 * Cost: O(b log^2 b + b log b * attrs) to build.
 */
#include "attack/box_index.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF = 8 };

bool shoal_box_index_reserve(shoal_box_index *out, uint32_t n_boxes, uint32_t n_attrs)
{
    *out = (shoal_box_index){ .n_boxes = n_boxes, .n_attrs = n_attrs };
    out->covers = shoal_alloc((size_t)n_boxes * n_attrs, sizeof *out->covers);
    out->weights = shoal_alloc(n_boxes, sizeof *out->weights);
    out->order = shoal_alloc(n_boxes, sizeof *out->order);
    return out->covers != NULL && out->weights != NULL && out->order != NULL;
}

void shoal_box_index_clear(shoal_box_index *index)
{
    shoal_free(index->covers);
    shoal_free(index->weights);
    shoal_free(index->order);
    shoal_free(index->nodes);
    shoal_free(index->bounds);
    *index = (shoal_box_index){ 0 };
}

static shoal_range range_of(const shoal_text_cover *cover)
{
    return cover->is_all ? (shoal_range){ 0, UINT32_MAX - 1 } : cover->range;
}

static uint64_t middle_of(const shoal_box_index *index, uint32_t box, uint32_t a)
{
    shoal_range range = range_of(index->covers[(size_t)box * index->n_attrs + a]);
    return ((uint64_t)range.lo + range.hi) / 2;
}

static int by_key(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]) != 0 ? (x[0] > y[0]) - (x[0] < y[0])
                                              : (x[1] > y[1]) - (x[1] < y[1]);
}

static void bound_node(shoal_box_index *index, uint32_t n)
{
    const shoal_box_node *node = &index->nodes[n];
    shoal_range *bounds = &index->bounds[(size_t)n * index->n_attrs];
    for (uint32_t a = 0; a < index->n_attrs; a++) bounds[a] = SHOAL_EMPTY_RANGE;
    for (uint32_t i = node->begin; i < node->end; i++)
        for (uint32_t a = 0; a < index->n_attrs; a++) {
            shoal_range range = range_of(
                index->covers[(size_t)index->order[i] * index->n_attrs + a]);
            if (range.lo > range.hi) continue; /* covers nothing */
            if (range.lo < bounds[a].lo) bounds[a].lo = range.lo;
            if (range.hi > bounds[a].hi) bounds[a].hi = range.hi;
        }
}

/* The attribute on which the middles of the boxes of a node are furthest apart, relative to the
 * codes that boxes have there. */
static uint32_t choose_attr(const shoal_box_index *index, const shoal_box_node *node,
                            const double *width)
{
    uint32_t best = 0;
    double most = -1;
    for (uint32_t a = 0; a < index->n_attrs; a++) {
        uint64_t least = UINT64_MAX, greatest = 0;
        for (uint32_t i = node->begin; i < node->end; i++) {
            uint64_t middle = middle_of(index, index->order[i], a);
            if (middle < least) least = middle;
            if (middle > greatest) greatest = middle;
        }
        double spread = (double)(greatest - least) / width[a];
        if (spread > most) {
            most = spread;
            best = a;
        }
    }
    return best;
}

/* Cut a node at the median; `keys` has room for two numbers for each of its boxes. */
static void cut_node(shoal_box_index *index, uint32_t n, const double *width, uint64_t *keys)
{
    shoal_box_node *node = &index->nodes[n];
    uint32_t a = choose_attr(index, node, width), n_here = node->end - node->begin;
    for (uint32_t i = 0; i < n_here; i++) {
        keys[2 * (size_t)i] = middle_of(index, index->order[node->begin + i], a);
        keys[2 * (size_t)i + 1] = index->order[node->begin + i];
    }
    qsort(keys, n_here, 2 * sizeof *keys, by_key);
    for (uint32_t i = 0; i < n_here; i++)
        index->order[node->begin + i] = (uint32_t)keys[2 * (size_t)i + 1];
    uint32_t half = node->begin + n_here / 2, child = index->n_nodes;
    node->child = child;
    index->nodes[child] = (shoal_box_node){ node->begin, half, 0 };
    index->nodes[child + 1] = (shoal_box_node){ half, node->end, 0 };
    index->n_nodes += 2;
}

/* Of the middles of all boxes, so that attributes of many codes do not win always. */
static void measure_widths(const shoal_box_index *index, double *width)
{
    for (uint32_t a = 0; a < index->n_attrs; a++) {
        uint64_t greatest = 0;
        for (uint32_t b = 0; b < index->n_boxes; b++) {
            const shoal_text_cover *cover = index->covers[(size_t)b * index->n_attrs + a];
            if (!cover->is_all && cover->range.lo <= cover->range.hi && cover->range.hi > greatest)
                greatest = cover->range.hi;
        }
        width[a] = (double)greatest + 1;
    }
}

bool shoal_box_index_build(shoal_box_index *index)
{
    /* halves of more than LEAF have at least LEAF / 2 */
    size_t most_nodes = index->n_boxes > LEAF ? (size_t)index->n_boxes : 1;
    index->nodes = shoal_alloc(most_nodes + 1, sizeof *index->nodes);
    index->bounds = shoal_alloc((most_nodes + 1) * index->n_attrs, sizeof *index->bounds);
    uint64_t *keys = shoal_alloc((size_t)index->n_boxes * 2, sizeof *keys);
    double *width = shoal_alloc(index->n_attrs, sizeof *width);
    bool ok = index->nodes != NULL && index->bounds != NULL && keys != NULL && width != NULL;
    if (ok) {
        for (uint32_t b = 0; b < index->n_boxes; b++) index->order[b] = b;
        measure_widths(index, width);
        index->nodes[0] = (shoal_box_node){ 0, index->n_boxes, 0 };
        index->n_nodes = 1;
        for (uint32_t n = 0; n < index->n_nodes; n++) {
            bound_node(index, n);
            if (index->nodes[n].end - index->nodes[n].begin > LEAF) cut_node(index, n, width, keys);
        }
        for (uint32_t left = index->n_boxes; left > LEAF; left = left - left / 2) index->depth++;
    }
    shoal_free(keys);
    shoal_free(width);
    return ok;
}

static bool node_holds(const shoal_box_index *index, uint32_t n, const uint32_t *codes)
{
    const shoal_range *bounds = &index->bounds[(size_t)n * index->n_attrs];
    for (uint32_t a = 0; a < index->n_attrs; a++)
        if (codes[a] < bounds[a].lo || codes[a] > bounds[a].hi) return false;
    return true;
}

static bool box_holds(const shoal_box_index *index, uint32_t box, const uint32_t *codes)
{
    const shoal_text_cover *const *covers = &index->covers[(size_t)box * index->n_attrs];
    for (uint32_t a = 0; a < index->n_attrs; a++)
        if (!shoal_cover_holds(covers[a], codes[a])) return false;
    return true;
}

void shoal_box_index_search(const shoal_box_index *index, const uint32_t *codes, uint32_t *stack,
                            void (*visit)(uint32_t box, void *payload), void *payload)
{
    size_t n = 0;
    stack[n++] = 0;
    while (n > 0) {
        uint32_t at = stack[--n];
        const shoal_box_node *node = &index->nodes[at];
        if (!node_holds(index, at, codes)) continue;
        if (node->child != 0) {
            stack[n++] = node->child + 1;
            stack[n++] = node->child;
            continue;
        }
        for (uint32_t i = node->begin; i < node->end; i++)
            if (box_holds(index, index->order[i], codes)) visit(index->order[i], payload);
    }
}

typedef struct row_sum {
    const uint64_t *weights;
    uint64_t sum;
} row_sum;

static void add_rows(uint32_t box, void *payload)
{
    row_sum *s = payload;
    s->sum += s->weights[box];
}

uint64_t shoal_box_index_rows(const shoal_box_index *index, const uint32_t *codes, uint32_t *stack)
{
    row_sum s = { index->weights, 0 };
    shoal_box_index_search(index, codes, stack, add_rows, &s);
    return s.sum;
}
