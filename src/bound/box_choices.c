/* SPDX-License-Identifier: Apache-2.0 */
/* box_choices.c - the choices of one attribute; see box_choices.h.
 *
 * Choices are in one array, breadth-first, so the children of a choice are adjacent. A tree of the
 * leaves a, b, c (codes 0, 1, 2), where a and b have a node ab below the root:
 *
 *     number     0      1    2    3    4
 *     choice     root   ab   c    a    b
 *     codes      0..2   0..1 2    0    1
 *     children   1, 2   3, 4 -    -    -
 *
 * `child_of` has for each code of a choice with children which child covers it: for the root 0 0 1
 * (a and b: the first child, c: the second), for ab 0 1.
 *
 * A number has one choice for all its codes; a walk chooses the window. A set has one for "several
 * values", which costs at least what two values cost, above its single values, which cost nothing.
 */
#include "bound/box_choices.h"

#include <assert.h>

void box_choices_clear(box_choices *choices)
{
    shoal_free(choices->all);
    shoal_free(choices->child_of);
    *choices = (box_choices){ 0 };
}

/* Fill in the choice of a node of the tree and list its children behind all there are. */
static void add_node(box_choices *c, uint32_t at, uint32_t *node_of)
{
    const shoal_hierarchy *tree = c->line->tree;
    const uint32_t node = node_of[at];
    box_choice *choice = &c->all[at];
    *choice = (box_choice){ .lo = tree->first[node],
                            .hi = tree->last[node],
                            .child = c->n,
                            .cost = box_loss_floor(c->line->node_loss[node]) };
    for (uint32_t leaf = choice->lo; node >= tree->n_leaves && leaf <= choice->hi;) {
        uint32_t child = leaf;
        while (tree->parent[child] != node) child = tree->parent[child];
        node_of[c->n++] = child;
        choice->n_child++;
        leaf = tree->last[child] + 1;
    }
}

/* The tree from choice `at` on, breadth-first, so that the children of one node are adjacent. */
static void add_tree(box_choices *c, uint32_t at, uint32_t *node_of)
{
    node_of[at] = c->line->tree->n_nodes - 1;
    uint32_t next = c->n;
    add_node(c, at, node_of);
    for (; next < c->n; next++) add_node(c, next, node_of);
}

static void add_codes(box_choices *c, uint32_t from, uint32_t to)
{
    for (uint32_t code = from; code < to; code++) {
        if (code == c->line->wild_code) continue;
        c->all[c->n++] = (box_choice){ .lo = code, .hi = code };
    }
}

static uint32_t most_choices(const shoal_measure_line *line)
{
    return line->n_codes + 2 + (line->is_tree ? line->tree->n_nodes : 0);
}

static void find_least_step(box_choices *c)
{
    const shoal_measure_line *line = c->line;
    c->least_step = line->one;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->all[i].cost > 0 && c->all[i].cost < c->least_step) c->least_step = c->all[i].cost;
    if (line->is_interval) c->least_step = 0; /* a window is found last */
}

static void add_set(box_choices *c)
{
    const shoal_measure_line *line = c->line;
    c->all[c->n++] = (box_choice){ .lo = 0,
                                   .hi = line->n_codes - 1,
                                   .child = 1,
                                   .kind = CHOICE_SEVERAL,
                                   .cost = line->n_plain > 0 ? box_loss_floor(line->set_loss[2])
                                                             : 0 };
    add_codes(c, 0, line->top_from);
    c->all[0].n_child = c->n - 1;
}

static void add_ordered(box_choices *c, uint32_t *node_of)
{
    const shoal_measure_line *line = c->line;
    uint32_t n_extra = 0, at = 0;
    for (uint32_t code = line->n_plain; code < line->n_codes; code++)
        n_extra += code != line->wild_code;
    if (n_extra > 0 || line->n_plain == 0) {
        at = 1;
        c->all[c->n++] = (box_choice){
            .lo = 0, .hi = line->n_codes - 1, .child = 1, .cost = box_loss_floor(line->one)
        };
        if (line->n_plain > 0) c->n++; /* all plain codes: filled in below */
        add_codes(c, line->n_plain, line->top_from);
        c->all[0].n_child = c->n - 1;
    } else {
        c->n++;
    }
    if (line->n_plain == 0) return;
    if (line->is_tree)
        add_tree(c, at, node_of);
    else
        c->all[at] = (box_choice){ .lo = 0, .hi = line->n_plain - 1, .kind = CHOICE_WINDOW };
}

static bool map_children(box_choices *c)
{
    size_t size = 0;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->all[i].n_child > 0) size += c->all[i].hi - c->all[i].lo + 1;
    c->child_of = size < UINT32_MAX ? shoal_alloc(size, sizeof *c->child_of) : NULL;
    if (c->child_of == NULL) return false;
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        box_choice *choice = &c->all[i];
        if (choice->n_child == 0) continue;
        choice->map = at;
        at += choice->hi - choice->lo + 1;
        for (uint32_t code = choice->map; code < at; code++) c->child_of[code] = BOX_NO_CHILD;
        for (uint32_t j = 0; j < choice->n_child; j++) {
            const box_choice *child = &c->all[choice->child + j];
            for (uint32_t code = child->lo; code <= child->hi; code++)
                c->child_of[choice->map + code - choice->lo] = j;
        }
    }
    return true;
}

bool box_choices_make(box_choices *out, const shoal_metric *metric, uint32_t attr)
{
    assert(attr < metric->n_attrs);
    const shoal_measure_line *line = &metric->lines[attr];
    uint32_t room = most_choices(line);
    box_choices c = { .line = line, .attr = attr, .all = shoal_alloc(room, sizeof *c.all) };
    uint32_t *node_of = shoal_alloc(room, sizeof *node_of);
    bool ok = c.all != NULL && node_of != NULL;
    if (ok && line->is_set)
        add_set(&c);
    else if (ok)
        add_ordered(&c, node_of);
    shoal_free(node_of);
    assert(!ok || (c.n > 0 && c.n <= room));
    if (!ok || !map_children(&c)) {
        box_choices_clear(&c);
        return false;
    }
    find_least_step(&c);
    *out = c;
    return true;
}
