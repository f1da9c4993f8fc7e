/* SPDX-License-Identifier: Apache-2.0 */
/* distance_index.c - see distance_index.h. */
#include "base/invariant.h"
#include "method/cluster/distance_index.h"
#include "search/kernel_search.h"
#include "search/neighbours.h"

#include <math.h>
#include <string.h>

/*
 * UNIT = 2^9 * lcm(1..12): with uniform weights and up to 12 levels all distances are exact
 * integers, so equal ones are ties.
 */
enum { TABLE_LEAVES = 256, UNIT = 512 * 27720 };

/* ---- one attribute ---- */

/* Ascent from a leaf at depth `from` to depth `to`. */
static inline shoal_loss ascent(const shoal_distance_line *line, uint32_t from, uint32_t to)
{
    const shoal_loss *steps = line->steps + (size_t)from * (line->ladder->shape.height + 1);
    return steps[from] - steps[to];
}

/* The distance of two different leaves or (`beyond`) the bound for all leaves on the far side of
 * `y`, by walking up. */
static shoal_loss walk(const shoal_distance_line *line, uint32_t x, uint32_t y, bool beyond)
{
    const shoal_hierarchy *shape = &line->ladder->shape;
    uint32_t node = shoal_tree_cover(shape, x < y ? x : y, x < y ? y : x);
    shoal_loss up = ascent(line, shape->depth[x], shape->depth[node]);
    return up + (beyond ? line->least_up[node] : ascent(line, shape->depth[y], shape->depth[node]));
}

/* Ascent from any place to the root. */
static inline shoal_loss to_root(const shoal_distance_line *line, uint32_t place)
{
    return place < line->n_leaves ? ascent(line, line->ladder->shape.depth[place], 0) : 0;
}

static inline shoal_loss line_distance(const shoal_distance_line *line, uint32_t x, uint32_t y)
{
    uint32_t n = line->n_leaves;
    if (x == y || x > n || y > n) return 0; /* equal, or a wild code */
    if (x == n || y == n) return to_root(line, x) + to_root(line, y);
    return line->pair != NULL ? line->pair[(size_t)x * n + y] : walk(line, x, y, false);
}

/* A lower bound of the distance from `x` to places in `range`. */
static inline shoal_loss line_bound(const shoal_distance_line *line, uint32_t x, shoal_range range)
{
    uint32_t n = line->n_leaves;
    if (range.hi > n || x > n || (range.lo <= x && x <= range.hi)) return 0;
    if (range.lo == n) return to_root(line, x);
    if (x == n) return line->least_up[line->ladder->shape.n_nodes - 1];
    uint32_t y = range.lo > x ? range.lo : range.hi;
    shoal_loss bound = line->bound != NULL ? line->bound[(size_t)x * n + y]
                                           : walk(line, x, y, true);
    if (range.hi < n) return bound;
    /* values known only as `*` are at the root already: their own ascent is 0 */
    shoal_loss root = to_root(line, x);
    return root < bound ? root : bound;
}

static void find_least_ascents(shoal_distance_line *line)
{
    const shoal_hierarchy *shape = &line->ladder->shape;
    for (uint32_t node = 0; node < shape->n_nodes; node++) line->least_up[node] = UINT32_MAX;
    for (uint32_t leaf = 0; leaf < line->n_leaves; leaf++)
        for (uint32_t node = leaf;; node = shape->parent[node]) {
            shoal_loss up = ascent(line, shape->depth[leaf], shape->depth[node]);
            if (up < line->least_up[node]) line->least_up[node] = up;
            if (node == shape->parent[node]) break;
        }
    for (uint32_t node = shape->n_nodes - 1; node-- > 0;) { /* parents come after their children */
        shoal_loss above = line->least_up[shape->parent[node]];
        if (above < line->least_up[node]) line->least_up[node] = above;
    }
}

static bool fill_tables(shoal_distance_line *line)
{
    size_t n = line->n_leaves;
    if (n > TABLE_LEAVES) return true;
    line->pair = shoal_alloc(n * n, sizeof *line->pair);
    line->bound = shoal_alloc(n * n, sizeof *line->bound);
    if (line->pair == NULL || line->bound == NULL) return false;
    for (uint32_t x = 0; x < n; x++)
        for (uint32_t y = 0; y < n; y++) {
            line->pair[x * n + y] = x == y ? 0 : walk(line, x, y, false);
            line->bound[x * n + y] = x == y ? 0 : walk(line, x, y, true);
        }
    return true;
}

static bool make_line(shoal_distance_line *line, const shoal_ladders *ladders, uint32_t a,
                      double unit)
{
    const shoal_ladder *ladder = &ladders->items[a];
    size_t side = (size_t)ladder->shape.height + 1;
    *line = (shoal_distance_line){ .ladder = ladder, .n_leaves = ladder->shape.n_leaves };
    line->steps = shoal_alloc_zero(side * side, sizeof *line->steps);
    line->least_up = shoal_alloc(ladder->shape.n_nodes, sizeof *line->least_up);
    if (line->steps == NULL || line->least_up == NULL) return false;
    for (size_t deepest = 1; deepest < side; deepest++)
        for (size_t d = 0; d <= deepest; d++)
            line->steps[deepest * side + d] = (shoal_loss)llround(
                ladders->priorities[a] * unit * ladder->ascent[d] / ladder->whole[deepest]);
    find_least_ascents(line);
    return fill_tables(line);
}

/* ---- classes as places ---- */

static uint32_t place_of_node(const shoal_ladder *ladder, uint32_t node)
{
    uint32_t n = ladder->shape.n_leaves;
    return node == SHOAL_NO_NODE ? n + 1 : node < n ? node : n;
}

static bool fill_places(shoal_distance_index *index, const shoal_classes *classes)
{
    index->places = (shoal_classes){ .n_rows = classes->n_rows,
                                     .n_classes = classes->n_classes,
                                     .n_attrs = index->n_attrs + index->has_label };
    size_t side = index->places.n_attrs;
    index->places.codes = shoal_alloc(classes->n_classes * side, sizeof *index->places.codes);
    index->left = shoal_alloc(classes->n_classes, sizeof *index->left);
    if (index->places.codes == NULL || index->left == NULL) return false;
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        const uint32_t *codes = shoal_class_codes(classes, c);
        uint32_t *places = index->places.codes + c * side;
        for (uint32_t a = 0; a < index->n_attrs; a++) {
            const shoal_ladder *ladder = index->lines[a].ladder;
            places[a] = place_of_node(ladder, ladder->node_of_code[codes[a]]);
        }
        if (index->has_label) places[index->n_attrs] = classes->extra[(size_t)c * classes->n_extra];
        index->left[c] = classes->counts[c];
    }
    index->n_left = classes->n_rows;
    return true;
}

uint32_t shoal_distance_node(const shoal_distance_index *index, uint32_t class_index, uint32_t a)
{
    const shoal_distance_line *line = &index->lines[a];
    uint32_t place = shoal_class_codes(&index->places, class_index)[a];
    if (place > line->n_leaves) return SHOAL_NO_NODE;
    return place < line->n_leaves ? place : line->ladder->shape.n_nodes - 1;
}

/* ---- the tree ---- */

static bool shape_line(shoal_measure_line *out, const shoal_distance_line *line)
{
    const shoal_hierarchy *tree = &line->ladder->shape;
    *out = (shoal_measure_line){ .is_tree = true,
                                 .n_plain = line->n_leaves,
                                 .top_from = line->n_leaves,
                                 .n_codes = line->n_leaves + 2,
                                 .wild_code = line->n_leaves + 1,
                                 .tree = tree,
                                 .one = line->least_up[tree->n_nodes - 1] };
    out->node_loss = shoal_alloc(tree->n_nodes, sizeof *out->node_loss);
    for (uint32_t node = 0; out->node_loss != NULL && node < tree->n_nodes; node++)
        out->node_loss[node] = ascent(line, line->ladder->deepest[node], tree->depth[node]);
    return out->node_loss != NULL;
}

/* Labels have no order: two of them are equal or not. */
static bool shape_label(shoal_measure_line *out, shoal_loss cost)
{
    *out = (shoal_measure_line){ .is_set = true, .wild_code = SHOAL_NO_CODE, .one = cost };
    out->set_loss = shoal_alloc_zero(3, sizeof *out->set_loss);
    if (out->set_loss != NULL) out->set_loss[2] = cost;
    return out->set_loss != NULL;
}

static bool make_shape(shoal_distance_index *index)
{
    uint32_t n = index->places.n_attrs;
    index->shape = (shoal_metric){ .unit = index->unit, .has_sets = index->has_label };
    index->shape.lines = shoal_alloc_zero(n, sizeof *index->shape.lines);
    if (index->shape.lines == NULL) return false;
    index->shape.n_attrs = n;
    for (uint32_t a = 0; a < index->n_attrs; a++)
        if (!shape_line(&index->shape.lines[a], &index->lines[a])) return false;
    return !index->has_label || shape_label(&index->shape.lines[index->n_attrs], index->label_cost);
}

static shoal_status plant(shoal_distance_index *index, shoal_error *err)
{
    uint32_t n = 0, *alive = shoal_alloc(index->n_classes, sizeof *alive);
    if (alive == NULL) return shoal_fail_memory(err);
    for (uint32_t c = 0; c < index->n_classes; c++)
        if (index->left[c] > 0) alive[n++] = c;
    index->n_evaluations += index->state.n_evaluations;
    index->n_queries += index->state.n_queries;
    shoal_kernel_state_clear(&index->state);
    shoal_kernel_free(index->kernel);
    index->kernel = NULL;
    index->n_live_at_build = n;
    shoal_status status = shoal_kernel_make(&index->kernel, &index->shape, &index->places, alive, n,
                                            err);
    shoal_free(alive);
    return status == SHOAL_OK
               ? shoal_kernel_state_make(&index->state, index->kernel, index->left, err)
               : status;
}

/* `left` and the tree's state agree. */
static bool left_agrees(const shoal_distance_index *index)
{
    uint64_t n_rows = 0;
    for (uint32_t c = 0; c < index->n_classes; c++) n_rows += index->left[c];
    if (n_rows != index->n_left) return false;
    for (uint32_t p = 0; index->uses_tree && p < index->kernel->n_places; p++)
        if (index->state.left[p] != index->left[index->kernel->class_at[p]]) return false;
    return !index->uses_tree || index->state.n_rows == n_rows;
}

shoal_status shoal_distance_index_tidy(shoal_distance_index *index, shoal_error *err)
{
    SHOAL_INVARIANT(left_agrees(index));
    bool is_thin = index->uses_tree && index->state.live[0] * 2 < index->n_live_at_build;
    return is_thin ? plant(index, err) : SHOAL_OK;
}

shoal_status shoal_distance_index_make(shoal_distance_index *out, const shoal_ladders *ladders,
                                       const shoal_classes *classes, bool uses_tree, bool has_label,
                                       double lambda, shoal_error *err)
{
    shoal_distance_index index = { .n_attrs = ladders->n_attrs,
                                   .n_classes = classes->n_classes,
                                   .unit = UNIT,
                                   .uses_tree = uses_tree,
                                   .has_label = has_label };
    /* sums of 2 * unit per attribute, and a label added, must fit in 32 bits */
    while (index.unit * 2 * ladders->n_attrs > 1073741824.0) index.unit /= 2;
    index.lines = shoal_alloc_zero(ladders->n_attrs, sizeof *index.lines);
    bool ok = index.lines != NULL;
    double most = 1; /* greater than every distance */
    for (uint32_t a = 0; ok && a < ladders->n_attrs; a++) {
        ok = make_line(&index.lines[a], ladders, a, index.unit);
        most += 2 * ceil(ladders->priorities[a] * index.unit);
    }
    index.label_cost = (shoal_loss)(lambda * index.unit < most ? llround(lambda * index.unit)
                                                               : (long long)most);
    ok = ok && fill_places(&index, classes) && (!uses_tree || make_shape(&index));
    *out = index; /* the tree, made next, points into it */
    shoal_status status = !ok ? shoal_fail_memory(err) : uses_tree ? plant(out, err) : SHOAL_OK;
    if (status != SHOAL_OK) shoal_distance_index_clear(out);
    return status;
}

void shoal_distance_index_clear(shoal_distance_index *index)
{
    for (uint32_t a = 0; index->lines != NULL && a < index->n_attrs; a++) {
        shoal_free(index->lines[a].steps);
        shoal_free(index->lines[a].least_up);
        shoal_free(index->lines[a].pair);
        shoal_free(index->lines[a].bound);
    }
    shoal_free(index->lines);
    shoal_free(index->places.codes);
    shoal_free(index->left);
    shoal_kernel_state_clear(&index->state);
    shoal_kernel_free(index->kernel);
    shoal_metric_clear(&index->shape);
    *index = (shoal_distance_index){ 0 };
}

void shoal_distance_index_take(shoal_distance_index *index, uint32_t class_index, uint32_t n_rows)
{
    index->left[class_index] -= n_rows;
    index->n_left -= n_rows;
    if (index->uses_tree) shoal_kernel_take(&index->state, class_index, n_rows);
}

/* ---- searches ---- */

typedef struct distance_query {
    const shoal_distance_index *index;
    const uint32_t *from;  /* places */
    shoal_loss label_cost; /* 0: labels do not count */
    shoal_neighbours found;
} distance_query;

static inline shoal_loss distance_to(const distance_query *q, const uint32_t *places)
{
    const shoal_distance_index *index = q->index;
    shoal_loss sum = 0;
    for (uint32_t a = 0; a < index->n_attrs; a++)
        sum += line_distance(&index->lines[a], q->from[a], places[a]);
    if (q->label_cost > 0 && q->from[index->n_attrs] != places[index->n_attrs])
        sum += q->label_cost;
    return sum;
}

static inline shoal_loss nearest_bound(const shoal_kernel *kernel, uint32_t node, const void *query)
{
    const distance_query *q = query;
    const shoal_distance_index *index = q->index;
    const shoal_range *ranges = kernel->ranges + (size_t)node * kernel->n_attrs;
    shoal_loss sum = 0, limit = shoal_neighbours_limit(&q->found);
    if (q->label_cost > 0) {
        uint32_t label = q->from[index->n_attrs];
        if (label < ranges[index->n_attrs].lo || label > ranges[index->n_attrs].hi)
            sum += q->label_cost;
    }
    for (uint32_t a = 0; a < index->n_attrs && sum <= limit; a++)
        sum += line_bound(&index->lines[a], q->from[a], ranges[a]);
    return sum;
}

static inline bool nearest_enter(const shoal_kernel_state *state, uint32_t node, shoal_loss bound,
                                 const void *query)
{
    const distance_query *q = query;
    return shoal_neighbours_may_enter(&q->found, bound, state->least[node]);
}

static inline void nearest_visit(shoal_kernel_state *state, uint32_t place, void *query)
{
    distance_query *q = query;
    const shoal_kernel *kernel = state->kernel;
    state->n_evaluations++;
    shoal_neighbour it = { distance_to(q, kernel->codes + (size_t)place * kernel->n_attrs),
                           kernel->class_at[place] };
    shoal_neighbours_keep(&q->found, it);
}

shoal_loss shoal_distance_of(const shoal_distance_index *index, uint32_t x, uint32_t y)
{
    distance_query q = { .index = index, .from = shoal_class_codes(&index->places, x) };
    return distance_to(&q, shoal_class_codes(&index->places, y));
}

shoal_status shoal_distance_asker_make(shoal_kernel_state *out, const shoal_distance_index *index,
                                       shoal_error *err)
{
    *out = (shoal_kernel_state){ 0 };
    return index->uses_tree ? shoal_kernel_state_make(out, index->kernel, index->left, err)
                            : SHOAL_OK;
}

uint32_t shoal_distance_nearest(shoal_distance_index *index, shoal_kernel_state *asker,
                                uint32_t class_index, bool counts_label, uint32_t n_rows,
                                shoal_neighbour *out)
{
    distance_query q = { .index = index,
                         .from = shoal_class_codes(&index->places, class_index),
                         .label_cost = counts_label ? index->label_cost : 0,
                         .found = { .heap = out, .wanted = n_rows } };
    shoal_kernel_state *state = asker == NULL ? &index->state : asker;
    if (n_rows == 0) return 0;
    if (index->uses_tree) {
        q.found.left = state->left;
        q.found.place_of = index->kernel->place_of;
        shoal_kernel_search(state, &q, nearest_bound, nearest_enter, nearest_visit);
        return shoal_neighbours_sort(&q.found);
    }
    q.found.left = index->left;
    state->n_queries++;
    for (uint32_t c = 0; c < index->n_classes; c++) {
        if (index->left[c] == 0) continue;
        state->n_evaluations++;
        shoal_neighbours_keep(
            &q.found,
            (shoal_neighbour){ distance_to(&q, shoal_class_codes(&index->places, c)), c });
    }
    return shoal_neighbours_sort(&q.found);
}
