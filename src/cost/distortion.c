/* SPDX-License-Identifier: Apache-2.0 */
/* distortion.c - ladders and distances on them; see distortion.h. */
#include "cost/distortion.h"

/* ---- the shape of a ladder ---- */

static bool ladder_alloc(shoal_ladder *ladder, uint32_t n_leaves, uint32_t n_nodes,
                         uint32_t n_codes)
{
    shoal_hierarchy *shape = &ladder->shape;
    shape->n_leaves = n_leaves;
    shape->n_nodes = n_nodes;
    shape->parent = shoal_alloc(n_nodes, sizeof *shape->parent);
    shape->first = shoal_alloc(n_nodes, sizeof *shape->first);
    shape->last = shoal_alloc(n_nodes, sizeof *shape->last);
    shape->depth = shoal_alloc(n_nodes, sizeof *shape->depth);
    ladder->deepest = shoal_alloc_zero(n_nodes, sizeof *ladder->deepest);
    ladder->node_of_code = shoal_alloc(n_codes, sizeof *ladder->node_of_code);
    return shape->parent != NULL && shape->first != NULL && shape->last != NULL &&
           shape->depth != NULL && ladder->deepest != NULL && ladder->node_of_code != NULL;
}

static void set_node(shoal_hierarchy *shape, uint32_t node, uint32_t parent, shoal_range leaves,
                     uint32_t depth)
{
    shape->parent[node] = parent;
    shape->first[node] = leaves.lo;
    shape->last[node] = leaves.hi;
    shape->depth[node] = depth;
}

/* Set the leaves from `first_leaf` on directly below the root, and the root itself. */
static void add_root(shoal_hierarchy *shape, uint32_t first_leaf)
{
    uint32_t root = shape->n_nodes - 1;
    for (uint32_t leaf = first_leaf; leaf < shape->n_leaves; leaf++)
        set_node(shape, leaf, root, (shoal_range){ leaf, leaf }, 1);
    set_node(shape, root, root, (shoal_range){ 0, shape->n_leaves > 0 ? shape->n_leaves - 1 : 0 },
             0);
}

/* Children come before their parents, so one pass propagates depths upwards. */
static void find_deepest(shoal_ladder *ladder)
{
    shoal_hierarchy *shape = &ladder->shape;
    for (uint32_t node = 0; node < shape->n_nodes; node++) {
        if (node < shape->n_leaves) ladder->deepest[node] = shape->depth[node];
        uint32_t *above = &ladder->deepest[shape->parent[node]];
        if (ladder->deepest[node] > *above) *above = ladder->deepest[node];
    }
    shape->height = ladder->deepest[shape->n_nodes - 1];
}

/* Codes from top_from on are the root; the wild code has no node. */
static void map_special_codes(shoal_ladder *ladder, const shoal_attribute *attr)
{
    for (uint32_t code = attr->top_from; code < attr->n_codes; code++)
        ladder->node_of_code[code] = ladder->shape.n_nodes - 1;
    if (attr->wild_code != SHOAL_NO_CODE) ladder->node_of_code[attr->wild_code] = SHOAL_NO_NODE;
}

/* ---- {value, *} and {value, interval, *} ---- */

static bool make_flat(shoal_ladder *ladder, const shoal_attribute *attr)
{
    bool has_intervals = attr->is_interval && attr->n_plain > 0;
    uint32_t n_leaves = attr->top_from, n_nodes = n_leaves + 1 + has_intervals;
    if (!ladder_alloc(ladder, n_leaves, n_nodes, attr->n_codes)) return false;
    add_root(&ladder->shape, has_intervals ? attr->n_plain : 0);
    for (uint32_t leaf = 0; has_intervals && leaf < attr->n_plain; leaf++)
        set_node(&ladder->shape, leaf, n_leaves, (shoal_range){ leaf, leaf }, 2);
    if (has_intervals)
        set_node(&ladder->shape, n_leaves, n_nodes - 1, (shoal_range){ 0, attr->n_plain - 1 }, 1);
    for (uint32_t code = 0; code < n_leaves; code++) ladder->node_of_code[code] = code;
    ladder->is_even = true;
    return true;
}

/* ---- the levels of a hierarchy ---- */

/* Leaf of each code below top_from: by text for numbers, the code itself for trees. Returns how
 * many the hierarchy lacks. */
static uint32_t find_leaves(uint32_t *leaves, const shoal_attribute *attr)
{
    uint32_t n_lacking = 0;
    for (uint32_t code = 0; code < attr->top_from; code++) {
        leaves[code] = code;
        if (attr->is_tree) {
            n_lacking += code >= attr->n_plain;
            continue;
        }
        const shoal_text text = attr->source->values[attr->value_of_code[code]];
        leaves[code] = code < attr->n_plain
                           ? shoal_tree_find_leaf(attr->tree, text.data, text.length)
                           : SHOAL_NO_NODE;
        if (leaves[code] == SHOAL_NO_NODE) leaves[code] = attr->tree->n_leaves + n_lacking++;
    }
    return n_lacking;
}

static void copy_nodes(shoal_ladder *ladder, const shoal_hierarchy *tree)
{
    uint32_t lifted = ladder->n_lifted, n_leaves = tree->n_leaves;
    for (uint32_t node = 0; node + 1 < tree->n_nodes; node++) {
        uint32_t to = node < n_leaves ? node : node + lifted;
        uint32_t parent = tree->parent[node] + lifted; /* a parent is never a leaf */
        set_node(&ladder->shape, to, parent, (shoal_range){ tree->first[node], tree->last[node] },
                 tree->depth[node]);
    }
    add_root(&ladder->shape, n_leaves);
}

static bool has_even_leaves(const shoal_hierarchy *tree)
{
    for (uint32_t leaf = 1; leaf < tree->n_leaves; leaf++)
        if (tree->depth[leaf] != tree->depth[0]) return false;
    return true;
}

/* Are the leaves of numbers in the order of the numbers? Then the node above both ends of an
 * interval is above all of it. */
static bool keeps_order(const shoal_ladder *ladder, const shoal_attribute *attr)
{
    if (!attr->is_interval) return true;
    for (uint32_t code = 1; code < attr->n_plain; code++)
        if (ladder->node_of_code[code] < ladder->node_of_code[code - 1]) return false;
    return true;
}

static bool make_levels(shoal_ladder *ladder, const shoal_attribute *attr)
{
    const shoal_hierarchy *tree = attr->tree;
    uint32_t *leaves = shoal_alloc(attr->top_from, sizeof *leaves);
    if (leaves == NULL) return false;
    ladder->n_lifted = find_leaves(leaves, attr);
    bool ok = ladder_alloc(ladder, tree->n_leaves + ladder->n_lifted,
                           tree->n_nodes + ladder->n_lifted, attr->n_codes);
    if (ok) {
        copy_nodes(ladder, tree);
        for (uint32_t code = 0; code < attr->top_from; code++)
            ladder->node_of_code[code] = leaves[code];
        ladder->is_even = has_even_leaves(tree) && keeps_order(ladder, attr);
    }
    shoal_free(leaves);
    return ok;
}

/* ---- all attributes ---- */

/* What each step counts, and the factor of the attribute. */
typedef struct ladder_weights {
    const shoal_step_weights *steps; /* NULL: those of the column, or `spec` */
    const char *spec;                /* NULL: the column's own */
    const double *priorities;        /* NULL: all 1, or the columns' own */
    bool is_by_column;
} ladder_weights;

static shoal_status check_listed(const shoal_step_weights *steps, const shoal_ladder *ladder,
                                 const shoal_attribute *attr, shoal_error *err)
{
    if (steps->scheme != SHOAL_WEIGHTS_LISTED || steps->n_listed == ladder->shape.height)
        return SHOAL_OK;
    return shoal_fail(err, SHOAL_EINVAL,
                      "column '{column %.200s}': %u weights given, but its hierarchy has %u steps "
                      "{fix} give one weight per step in {--weights} COLUMN=W1,W2,...",
                      attr->source->name, steps->n_listed, ladder->shape.height);
}

static shoal_status weigh_steps(shoal_ladder *ladder, const shoal_attribute *attr,
                                const ladder_weights *weights, shoal_error *err)
{
    shoal_step_weights read = { 0 };
    size_t side = (size_t)ladder->shape.height + 1;
    if (weights->steps == NULL)
        SHOAL_RETURN_IF_ERROR(shoal_step_weights_read(
            &read, weights->spec != NULL ? weights->spec : attr->source->level_weights, err));
    const shoal_step_weights *steps = weights->steps != NULL ? weights->steps : &read;
    shoal_status status = check_listed(steps, ladder, attr, err);
    if (status == SHOAL_OK) ladder->ascent = shoal_alloc(2 * side, sizeof *ladder->ascent);
    if (status == SHOAL_OK && ladder->ascent == NULL) status = shoal_fail_memory(err);
    if (status == SHOAL_OK) {
        ladder->whole = ladder->ascent + side;
        shoal_step_weights_sum(ladder->ascent, ladder->whole, ladder->shape.height, steps);
    }
    shoal_step_weights_clear(&read);
    return status;
}

static bool make_ladder(shoal_ladder *ladder, const shoal_attribute *attr)
{
    if (!(attr->tree == NULL ? make_flat(ladder, attr) : make_levels(ladder, attr))) return false;
    map_special_codes(ladder, attr);
    find_deepest(ladder);
    return true;
}

static shoal_status make_ladders(shoal_ladders *out, const shoal_space *space,
                                 const ladder_weights *weights, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    shoal_ladders ladders = { .n_attrs = space->n_attrs };
    ladders.items = shoal_alloc_zero(space->n_attrs, sizeof *ladders.items);
    ladders.priorities = shoal_alloc(space->n_attrs, sizeof *ladders.priorities);
    if (ladders.items == NULL || ladders.priorities == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    for (uint32_t a = 0; a < space->n_attrs; a++) {
        const shoal_attribute *attr = &space->attrs[a];
        double own = weights->is_by_column ? 1 - attr->source->unimportance : 1;
        ladders.priorities[a] = weights->priorities == NULL ? own : weights->priorities[a];
        if (!make_ladder(&ladders.items[a], attr)) {
            status = shoal_fail_memory(err);
            goto out;
        }
        SHOAL_GOTO_IF_ERROR(weigh_steps(&ladders.items[a], attr, weights, err), out);
        if (ladders.items[a].shape.height > ladders.height)
            ladders.height = ladders.items[a].shape.height;
    }
    *out = ladders;
    ladders = (shoal_ladders){ 0 };
out:
    shoal_ladders_clear(&ladders);
    return status;
}

shoal_status shoal_ladders_make(shoal_ladders *out, const shoal_space *space,
                                shoal_weighting weighting, double exponent,
                                const double *priorities, shoal_error *err)
{
    const shoal_step_weights steps = { .scheme = weighting, .exponent = exponent };
    return make_ladders(out, space, &(ladder_weights){ .steps = &steps, .priorities = priorities },
                        err);
}

shoal_status shoal_ladders_make_weighted(shoal_ladders *out, const shoal_space *space,
                                         const shoal_ascent_weights *weights, shoal_error *err)
{
    ladder_weights asked = { .spec = weights->steps,
                             .priorities = weights->priorities,
                             .is_by_column = true };
    return make_ladders(out, space, &asked, err);
}

void shoal_ladders_clear(shoal_ladders *ladders)
{
    for (uint32_t a = 0; ladders->items != NULL && a < ladders->n_attrs; a++) {
        shoal_ladder *ladder = &ladders->items[a];
        shoal_free(ladder->shape.parent);
        shoal_free(ladder->shape.first);
        shoal_free(ladder->shape.last);
        shoal_free(ladder->shape.depth);
        shoal_free(ladder->deepest);
        shoal_free(ladder->node_of_code);
        shoal_free(ladder->ascent);
    }
    shoal_free(ladders->items);
    shoal_free(ladders->priorities);
    *ladders = (shoal_ladders){ 0 };
}

/* ---- distances ---- */

uint32_t shoal_ladder_join(const shoal_ladder *ladder, uint32_t x, uint32_t y)
{
    const shoal_hierarchy *shape = &ladder->shape;
    if (x == SHOAL_NO_NODE || x == y) return y;
    if (y == SHOAL_NO_NODE) return x;
    /* ascend from the higher node: a node may have the same leaves as its only child, and the
     * result must not be below it */
    if (shape->depth[x] > shape->depth[y]) {
        uint32_t swap = x;
        x = y;
        y = swap;
    }
    while (shape->first[x] > shape->first[y] || shape->last[x] < shape->last[y])
        x = shape->parent[x];
    return x;
}

void shoal_tuple_of_codes(uint32_t *nodes, const shoal_ladders *ladders, const uint32_t *codes)
{
    for (uint32_t a = 0; a < ladders->n_attrs; a++)
        nodes[a] = ladders->items[a].node_of_code[codes[a]];
}

void shoal_tuple_join(uint32_t *out, const shoal_ladders *ladders, const uint32_t *x,
                      const uint32_t *y)
{
    for (uint32_t a = 0; a < ladders->n_attrs; a++)
        out[a] = shoal_ladder_join(&ladders->items[a], x[a], y[a]);
}

/* One attribute, weighted by its priority. */
static double ascent_cost(const shoal_ladders *ladders, uint32_t a, uint32_t from, uint32_t to)
{
    if (from == SHOAL_NO_NODE || from == to) return 0;
    const shoal_ladder *ladder = &ladders->items[a];
    return ladders->priorities[a] * shoal_whd(ladder, ladder->deepest[from],
                                              ladder->shape.depth[from], ladder->shape.depth[to]);
}

double shoal_tuple_distortion(const shoal_ladders *ladders, const uint32_t *from,
                              const uint32_t *to)
{
    double sum = 0;
    for (uint32_t a = 0; a < ladders->n_attrs; a++) sum += ascent_cost(ladders, a, from[a], to[a]);
    return sum;
}

double shoal_tuple_distance(const shoal_ladders *ladders, const uint32_t *x, double n_x,
                            const uint32_t *y, double n_y)
{
    double sum = 0;
    for (uint32_t a = 0; a < ladders->n_attrs; a++) {
        uint32_t both = shoal_ladder_join(&ladders->items[a], x[a], y[a]);
        sum += n_x * ascent_cost(ladders, a, x[a], both) +
               n_y * ascent_cost(ladders, a, y[a], both);
    }
    return sum;
}

/* ---- tables ---- */

bool shoal_ascents_init(shoal_ascents *ascents, const shoal_ladders *ladders)
{
    size_t side = (size_t)ladders->height + 1;
    *ascents = (shoal_ascents){ .height = ladders->height,
                                .counts = shoal_alloc_zero(side * side, sizeof *ascents->counts) };
    return ascents->counts != NULL;
}

void shoal_ascents_free(shoal_ascents *ascents)
{
    shoal_free(ascents->counts);
    *ascents = (shoal_ascents){ 0 };
}

double shoal_ascents_distortion(const shoal_ascents *ascents, const shoal_ladder *ladder)
{
    uint32_t height = ladder->shape.height;
    double sum = (double)ascents->n_root * shoal_ladder_root_cost(ladder);
    for (uint32_t from = 0; from <= height; from++)
        for (uint32_t to = 0; to < from; to++) {
            uint64_t n = ascents->counts[(size_t)from * (ascents->height + 1) + to];
            if (n > 0) sum += (double)n * shoal_whd(ladder, from, from, to);
        }
    return sum;
}
