/* SPDX-License-Identifier: Apache-2.0 */
/* merge_index.c - see merge_index.h. */
#include "base/invariant.h"
#include "method/cluster/merge_index.h"

#include <math.h>
#include <string.h>

/* The fields of a ladder node together, for one cache miss per node. */
typedef struct merge_node {
    uint32_t first, last, depth, deepest;
} merge_node;

/*
 * One attribute. A row of `steps` has the distance of each depth from the root, on the path of a
 * leaf of depth `deepest`.
 */
typedef struct merge_line {
    merge_node *nodes;
    const uint32_t *parent;
    uint32_t *steps; /* [deepest * (height + 1) + depth] */
    uint32_t height;
    uint32_t slack; /* 1 if rounding may make a bound one unit too large (rounds_unevenly()) */
} merge_line;

/* A node above the query's class, and the ascent of its n1 rows to that node. */
typedef struct merge_rung {
    uint32_t first, last, depth;
    shoal_cost cost;
} merge_rung;

/* Summary of one attribute over the classes of a tree node. */
typedef struct merge_summary {
    uint32_t least_last, greatest_first, least_depth;
} merge_summary;

typedef struct merge_count {
    uint32_t n_live, least_class, least_size;
} merge_count;

typedef struct merge_step {
    shoal_cost bound;
    uint32_t node;
} merge_step;

/* ---- making ---- */

static inline const uint32_t *steps_of(const merge_line *line, uint32_t deepest)
{
    return line->steps + (size_t)deepest * (line->height + 1);
}

/*
 * On a shorter path each step weighs more, so bounds use the longest path. Rounding may still make
 * a ascent there larger than on a shorter path, by at most one unit; this is tested here. Very high
 * ladders are not tested but assumed to do so.
 */
static bool rounds_unevenly(const merge_line *line)
{
    enum { HIGH = 40 };
    const uint32_t *longest = steps_of(line, line->height);
    for (uint32_t deepest = 1; deepest < line->height && line->height < HIGH; deepest++)
        for (uint32_t from = 1; from <= deepest; from++)
            for (uint32_t to = 0; to < from; to++)
                if (longest[from] - longest[to] >
                    steps_of(line, deepest)[from] - steps_of(line, deepest)[to])
                    return true;
    return line->height >= HIGH;
}

static bool make_line(merge_line *line, const shoal_ladders *ladders, uint32_t a)
{
    const shoal_ladder *ladder = &ladders->items[a];
    const shoal_hierarchy *shape = &ladder->shape;
    uint32_t side = shape->height + 1;
    *line = (merge_line){ .parent = shape->parent, .height = shape->height };
    line->nodes = shoal_alloc(shape->n_nodes, sizeof *line->nodes);
    line->steps = shoal_alloc_zero((size_t)side * side, sizeof *line->steps);
    if (line->nodes == NULL || line->steps == NULL) return false;
    for (uint32_t node = 0; node < shape->n_nodes; node++) {
        line->nodes[node] = (merge_node){ shape->first[node], shape->last[node], shape->depth[node],
                                          ladder->deepest[node] };
    }
    for (uint32_t deepest = 1; deepest <= shape->height; deepest++)
        for (uint32_t d = 0; d <= deepest; d++)
            line->steps[(size_t)deepest * side + d] = (uint32_t)llround(
                ladders->priorities[a] * SHOAL_COST_UNIT * ladder->ascent[d] /
                ladder->whole[deepest]);
    if (rounds_unevenly(line)) line->slack = 1;
    return true;
}

/* The shape of the tree depends on the ascent of a leaf to each node. */
static bool make_measure_line(shoal_measure_line *out, const merge_line *line,
                              const shoal_hierarchy *shape)
{
    *out = (shoal_measure_line){ .is_tree = true,
                                 .n_plain = shape->n_leaves,
                                 .top_from = shape->n_leaves,
                                 .n_codes = shape->n_leaves,
                                 .wild_code = SHOAL_NO_CODE,
                                 .tree = shape };
    out->node_loss = shoal_alloc(shape->n_nodes, sizeof *out->node_loss);
    if (out->node_loss == NULL) return false;
    for (uint32_t node = 0; node < shape->n_nodes; node++) {
        const merge_node *n = &line->nodes[node];
        const uint32_t *steps = steps_of(line, n->deepest);
        out->node_loss[node] = steps[n->deepest] - steps[n->depth];
    }
    return true;
}

static bool make_lines(shoal_merge_index *index)
{
    const shoal_ladders *ladders = index->ladders;
    index->lines = shoal_alloc_zero(index->n_attrs, sizeof *index->lines);
    index->rungs = shoal_alloc((size_t)index->n_attrs * (ladders->height + 1),
                               sizeof *index->rungs);
    index->n_rungs = shoal_alloc(index->n_attrs, sizeof *index->n_rungs);
    index->metric.lines = shoal_alloc_zero(index->n_attrs, sizeof *index->metric.lines);
    if (index->lines == NULL || index->rungs == NULL || index->n_rungs == NULL ||
        index->metric.lines == NULL)
        return false;
    index->metric.n_attrs = index->n_attrs;
    for (uint32_t a = 0; a < index->n_attrs; a++)
        if (!make_line(&index->lines[a], ladders, a) ||
            !make_measure_line(&index->metric.lines[a], &index->lines[a], &ladders->items[a].shape))
            return false;
    return true;
}

static uint32_t first_leaf(const shoal_merge_index *index, uint32_t a, uint32_t node)
{
    return node == SHOAL_NO_NODE ? 0 : index->lines[a].nodes[node].first;
}

static void set_shape(shoal_merge_index *index, uint32_t c)
{
    size_t at = (size_t)c * index->n_attrs;
    for (uint32_t a = 0; a < index->n_attrs; a++)
        index->shape.codes[at + a] = first_leaf(index, a, index->nodes[at + a]);
}

static bool fill_classes(shoal_merge_index *index, const shoal_classes *classes)
{
    size_t n_codes = (size_t)index->n_classes * index->n_attrs;
    index->nodes = shoal_alloc(n_codes, sizeof *index->nodes);
    index->sizes = shoal_alloc(index->n_classes, sizeof *index->sizes);
    index->shape.codes = shoal_alloc(index->uses_tree ? n_codes : 0, sizeof *index->shape.codes);
    if (index->nodes == NULL || index->sizes == NULL || index->shape.codes == NULL) return false;
    for (uint32_t c = 0; c < index->n_classes; c++) {
        shoal_tuple_of_codes(index->nodes + (size_t)c * index->n_attrs, index->ladders,
                             shoal_class_codes(classes, c));
        index->sizes[c] = classes->counts[c];
        if (index->uses_tree) set_shape(index, c);
    }
    return true;
}

shoal_status shoal_merge_index_make(shoal_merge_index *out, const shoal_ladders *ladders,
                                    const shoal_classes *classes, uint32_t k, bool uses_tree,
                                    shoal_error *err)
{
    shoal_merge_index index = { .k = k,
                                .n_attrs = ladders->n_attrs,
                                .n_classes = classes->n_classes,
                                .n_live = classes->n_classes,
                                .ladders = ladders,
                                .uses_tree = uses_tree };
    index.shape.n_classes = index.n_classes;
    index.shape.n_attrs = index.n_attrs;
    shoal_status status = SHOAL_OK;
    if (!make_lines(&index) || !fill_classes(&index, classes)) {
        status = shoal_fail_memory(err);
        goto out;
    }
    *out = index; /* before the tree is built: it points into the index */
    index = (shoal_merge_index){ 0 };
    status = shoal_merge_index_rebuild(out, err);
    if (status != SHOAL_OK) shoal_merge_index_clear(out);
out:
    shoal_merge_index_clear(&index);
    return status;
}

static void drop_tree(shoal_merge_index *index)
{
    shoal_kernel_free(index->kernel);
    shoal_free(index->summaries);
    shoal_free(index->counts);
    shoal_free(index->stack);
    index->kernel = NULL;
    index->summaries = NULL;
    index->counts = NULL;
    index->stack = NULL;
}

void shoal_merge_index_clear(shoal_merge_index *index)
{
    drop_tree(index);
    for (uint32_t a = 0; index->lines != NULL && a < index->n_attrs; a++) {
        shoal_free(index->lines[a].nodes);
        shoal_free(index->lines[a].steps);
    }
    shoal_metric_clear(&index->metric);
    shoal_free(index->shape.codes);
    shoal_free(index->lines);
    shoal_free(index->rungs);
    shoal_free(index->n_rungs);
    shoal_free(index->nodes);
    shoal_free(index->sizes);
    *index = (shoal_merge_index){ 0 };
}

/* ---- summaries of tree nodes ---- */

static void widen(merge_summary *to, merge_summary by)
{
    if (by.least_last < to->least_last) to->least_last = by.least_last;
    if (by.greatest_first > to->greatest_first) to->greatest_first = by.greatest_first;
    if (by.least_depth < to->least_depth) to->least_depth = by.least_depth;
}

static void count_in(merge_count *to, merge_count by)
{
    to->n_live += by.n_live;
    if (by.least_class < to->least_class) to->least_class = by.least_class;
    if (by.least_size < to->least_size) to->least_size = by.least_size;
}

static void add_class(shoal_merge_index *index, merge_summary *to, uint32_t c)
{
    const uint32_t *nodes = index->nodes + (size_t)c * index->n_attrs;
    for (uint32_t a = 0; a < index->n_attrs; a++) {
        merge_summary one = { 0, UINT32_MAX, 0 }; /* a wildcard is equal to every node: no bound */
        if (nodes[a] != SHOAL_NO_NODE) {
            const merge_node *n = &index->lines[a].nodes[nodes[a]];
            one = (merge_summary){ n->last, n->first, n->depth };
        }
        widen(&to[a], one);
    }
}

static void sum_up(shoal_merge_index *index, uint32_t node)
{
    const shoal_kernel_node *n = &index->kernel->nodes[node];
    merge_summary *own = index->summaries + (size_t)node * index->n_attrs;
    merge_count *count = &index->counts[node];
    *count = (merge_count){ 0, SHOAL_NO_CLASS, UINT32_MAX };
    for (uint32_t a = 0; a < index->n_attrs; a++)
        own[a] = (merge_summary){ UINT32_MAX, 0, UINT32_MAX };
    for (uint32_t child = n->child; n->child != 0 && child < n->child + 2; child++) {
        const merge_summary *below = index->summaries + (size_t)child * index->n_attrs;
        for (uint32_t a = 0; a < index->n_attrs; a++) widen(&own[a], below[a]);
        count_in(count, index->counts[child]);
    }
    for (uint32_t p = n->begin; n->child == 0 && p < n->end; p++) {
        uint32_t c = index->kernel->class_at[p];
        if (index->sizes[c] == 0) continue;
        add_class(index, own, c);
        count_in(count, (merge_count){ 1, c, index->sizes[c] });
    }
}

/* A node counts its classes with rows, and knows the least of their numbers and sizes. */
static bool counts_are_exact(const shoal_merge_index *index)
{
    for (uint32_t node = 0; node < index->kernel->n_nodes; node++) {
        const shoal_kernel_node *n = &index->kernel->nodes[node];
        merge_count found = { 0, SHOAL_NO_CLASS, UINT32_MAX };
        for (uint32_t p = n->begin; p < n->end; p++) {
            uint32_t c = index->kernel->class_at[p];
            if (index->sizes[c] > 0) count_in(&found, (merge_count){ 1, c, index->sizes[c] });
        }
        if (memcmp(&found, &index->counts[node], sizeof found) != 0) return false;
    }
    return true;
}

/* A class has changed: update the path above it. */
static void update_path(shoal_merge_index *index, uint32_t c)
{
    if (!index->uses_tree) return;
    const shoal_kernel *kernel = index->kernel;
    uint32_t node = kernel->leaf_of[kernel->place_of[c]];
    for (sum_up(index, node); node != 0;) sum_up(index, node = kernel->nodes[node].parent);
    assert(index->counts[0].n_live <= index->n_live_at_build);
}

shoal_status shoal_merge_index_rebuild(shoal_merge_index *index, shoal_error *err)
{
    if (!index->uses_tree) return SHOAL_OK;
    drop_tree(index);
    uint32_t n = 0, *members = shoal_alloc(index->n_classes, sizeof *members);
    if (members == NULL) return shoal_fail_memory(err);
    for (uint32_t c = 0; c < index->n_classes; c++)
        if (index->sizes[c] > 0) members[n++] = c;
    shoal_status status = shoal_kernel_make(&index->kernel, &index->metric, &index->shape, members,
                                            n, err);
    shoal_free(members);
    SHOAL_RETURN_IF_ERROR(status);
    const shoal_kernel *kernel = index->kernel;
    index->n_live_at_build = n;
    index->summaries = shoal_alloc((size_t)kernel->n_nodes * index->n_attrs,
                                   sizeof *index->summaries);
    index->counts = shoal_alloc(kernel->n_nodes, sizeof *index->counts);
    index->stack = shoal_alloc((size_t)kernel->depth + 2, sizeof *index->stack);
    if (index->summaries == NULL || index->counts == NULL || index->stack == NULL)
        return shoal_fail_memory(err);
    /* children have higher numbers */
    for (uint32_t node = kernel->n_nodes; node-- > 0;) sum_up(index, node);
    SHOAL_INVARIANT(counts_are_exact(index));
    return SHOAL_OK;
}

/* ---- the nearest class ---- */

typedef struct nearest_query {
    uint32_t of, n_rows; /* the query's class and its size */
    uint32_t best_class;
    shoal_cost best;
} nearest_query;

/* List the path above the class in each attribute; empty for a wildcard, whose ascent is always 0.
 */
static void list_rungs(shoal_merge_index *index, uint32_t of)
{
    const uint32_t *nodes = index->nodes + (size_t)of * index->n_attrs;
    for (uint32_t a = 0; a < index->n_attrs; a++) {
        const merge_line *line = &index->lines[a];
        merge_rung *rungs = index->rungs + (size_t)a * (index->ladders->height + 1);
        index->n_rungs[a] = 0;
        if (nodes[a] == SHOAL_NO_NODE) continue;
        const merge_node *start = &line->nodes[nodes[a]];
        const uint32_t *steps = steps_of(line, start->deepest);
        for (uint32_t node = nodes[a];; node = line->parent[node]) {
            const merge_node *n = &line->nodes[node];
            shoal_cost cost = (shoal_cost)index->sizes[of] *
                              (steps[start->depth] - steps[n->depth]);
            rungs[index->n_rungs[a]++] = (merge_rung){ n->first, n->last, n->depth, cost };
            if (n->depth == 0) break;
        }
    }
}

/* Rows of the other class that are generalised: all, or those of the stub. */
static inline uint64_t ascending_rows(const shoal_merge_index *index, uint32_t n1, uint32_t n2)
{
    return (uint64_t)n1 + n2 >= 2 * (uint64_t)index->k ? index->k - n1 : n2;
}

/* Distance to a class; stops early with some number above `q->best`. */
static shoal_cost distance_to(const shoal_merge_index *index, const nearest_query *q, uint32_t c)
{
    const uint32_t *nodes = index->nodes + (size_t)c * index->n_attrs;
    const merge_rung *rungs = index->rungs;
    uint64_t n2 = ascending_rows(index, q->n_rows, index->sizes[c]);
    shoal_cost sum = 0;
    for (uint32_t a = 0; a < index->n_attrs && sum <= q->best;
         a++, rungs += index->ladders->height + 1) {
        if (index->n_rungs[a] == 0 || nodes[a] == SHOAL_NO_NODE) continue;
        const merge_node *n = &index->lines[a].nodes[nodes[a]];
        const merge_rung *r = rungs;
        /* depth: chains of single children */
        while (r->first > n->first || r->last < n->last || r->depth > n->depth) r++;
        const uint32_t *steps = steps_of(&index->lines[a], n->deepest);
        sum += r->cost + n2 * (steps[n->depth] - steps[r->depth]);
    }
    return sum;
}

/* A lower bound of the distance to every class under a tree node: the least ascent of the query's
 * class, plus that of at least n2 rows from the least depth. */
static shoal_cost bound_of(const shoal_merge_index *index, const nearest_query *q, uint32_t node)
{
    const merge_summary *summaries = index->summaries + (size_t)node * index->n_attrs;
    const merge_rung *rungs = index->rungs;
    uint32_t least_size = index->counts[node].least_size, stub = index->k - q->n_rows;
    uint64_t n2 = least_size < stub ? least_size : stub;
    shoal_cost sum = 0;
    for (uint32_t a = 0; a < index->n_attrs && sum <= q->best;
         a++, rungs += index->ladders->height + 1) {
        if (index->n_rungs[a] == 0) continue;
        const merge_line *line = &index->lines[a];
        const merge_summary *s = &summaries[a];
        const merge_rung *r = rungs;
        while (r->first > s->greatest_first || r->last < s->least_last) r++;
        sum += r->cost;
        if (s->least_depth <= r->depth) continue;
        const uint32_t *steps = steps_of(line, line->height);
        uint32_t ascent = steps[s->least_depth] - steps[r->depth];
        if (ascent > line->slack) sum += n2 * (ascent - line->slack);
    }
    return sum;
}

static void look_at(shoal_merge_index *index, nearest_query *q, uint32_t c)
{
    if (index->sizes[c] == 0 || c == q->of) return;
    shoal_cost distance = distance_to(index, q, c);
    index->n_evaluations++;
    if (distance < q->best || (distance == q->best && c < q->best_class)) {
        q->best = distance;
        q->best_class = c;
    }
}

/*
 * Can the tree node contain a better class? With an equal bound only if it has a lower class
 * number, which wins ties.
 */
static bool may_enter(const shoal_merge_index *index, const nearest_query *q,
                      const merge_step *step)
{
    return step->bound < q->best ||
           (step->bound == q->best && index->counts[step->node].least_class < q->best_class);
}

static void search_tree(shoal_merge_index *index, nearest_query *q)
{
    const shoal_kernel *kernel = index->kernel;
    merge_step *stack = index->stack;
    uint32_t n = 0;
    stack[n++] = (merge_step){ 0, 0 };
    while (n > 0) {
        merge_step step = stack[--n];
        const shoal_kernel_node *node = &kernel->nodes[step.node];
        if (!may_enter(index, q, &step)) continue;
        for (uint32_t p = node->begin; node->child == 0 && p < node->end; p++)
            look_at(index, q, kernel->class_at[p]);
        if (node->child == 0) continue;
        merge_step near = { 0, node->child }, far = { 0, node->child + 1 };
        bool has_near = index->counts[near.node].n_live > 0,
             has_far = index->counts[far.node].n_live > 0;
        if (has_near) near.bound = bound_of(index, q, near.node);
        if (has_far) far.bound = bound_of(index, q, far.node);
        bool swaps = has_near && has_far && far.bound < near.bound;
        if (has_far && !swaps) stack[n++] = far;
        if (has_near) stack[n++] = near;
        if (swaps) stack[n++] = far;
    }
}

uint32_t shoal_merge_index_nearest(shoal_merge_index *index, uint32_t of, shoal_cost *distance)
{
    nearest_query q = { of, index->sizes[of], SHOAL_NO_CLASS, SHOAL_COST_MAX };
    index->n_queries++;
    list_rungs(index, of);
    if (index->uses_tree) search_tree(index, &q);
    for (uint32_t c = 0; !index->uses_tree && c < index->n_classes; c++) look_at(index, &q, c);
    *distance = q.best;
    return q.best_class;
}

/* ---- changes ---- */

void shoal_merge_index_remove(shoal_merge_index *index, uint32_t class_index)
{
    index->sizes[class_index] = 0;
    index->n_live--;
    update_path(index, class_index);
}

void shoal_merge_index_merge(shoal_merge_index *index, uint32_t into, uint32_t from,
                             uint32_t n_rows)
{
    uint32_t *to = index->nodes + (size_t)into * index->n_attrs;
    shoal_tuple_join(to, index->ladders, to, index->nodes + (size_t)from * index->n_attrs);
    index->sizes[into] += n_rows;
    index->sizes[from] -= n_rows;
    if (index->sizes[from] == 0) index->n_live--;
    if (index->uses_tree) set_shape(index, into);
    update_path(index, from);
    update_path(index, into);
}
