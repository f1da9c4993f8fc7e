/* SPDX-License-Identifier: Apache-2.0 */
/* population.c - a binary tree over the tuples of a population; see population.h.
 *
 * A node is split on the attribute with the widest range (relative to the whole line), at the
 * middle tuple. Invariant: the bounds of a node cover its tuples. The tree does not depend on
 * threads.
 */
#include "base/invariant.h"
#include "privacy/population.h"

#include <stdlib.h>
#include <string.h>

enum { LEAF_TUPLES = 16, MAX_DEPTH = 64 };

typedef struct keyed {
    uint32_t key, tuple;
} keyed;

typedef struct builder {
    shoal_population *p;
    const uint32_t *places; /* in the order of tuples */
    const uint32_t *counts;
    keyed *order;
} builder;

void shoal_population_free(shoal_population *population)
{
    if (population == NULL) return;
    shoal_free(population->places);
    shoal_free(population->counts);
    shoal_free(population->nodes);
    shoal_free(population->bounds);
    shoal_free(population);
}

/* ---- tuples ---- */

static void gather(uint32_t *places, uint32_t *counts, const shoal_table *population,
                   const size_t *columns, const uint32_t *const *place_of_value, uint32_t n_attrs,
                   const uint32_t *ids)
{
    for (uint64_t row = 0; row < population->n_rows; row++) {
        uint32_t tuple = ids[row];
        if (counts[tuple]++ > 0) continue;
        for (uint32_t a = 0; a < n_attrs; a++)
            places[(size_t)tuple * n_attrs + a] =
                place_of_value[a][shoal_column_code(&population->columns[columns[a]], row)];
    }
}

/* ---- the tree ---- */

static int by_key(const void *x, const void *y)
{
    const keyed *a = x, *b = y;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return (a->tuple > b->tuple) - (a->tuple < b->tuple);
}

static void bound_node(const builder *b, uint32_t node)
{
    uint32_t n_attrs = b->p->n_attrs;
    shoal_range *bounds = b->p->bounds + (size_t)node * n_attrs;
    shoal_population_node *n = &b->p->nodes[node];
    n->n_rows = 0;
    for (uint32_t a = 0; a < n_attrs; a++) bounds[a] = SHOAL_EMPTY_RANGE;
    for (uint32_t i = n->begin; i < n->end; i++) {
        const uint32_t *places = b->places + (size_t)b->order[i].tuple * n_attrs;
        n->n_rows += b->counts[b->order[i].tuple];
        for (uint32_t a = 0; a < n_attrs; a++) {
            if (places[a] < bounds[a].lo) bounds[a].lo = places[a];
            if (places[a] > bounds[a].hi) bounds[a].hi = places[a];
        }
    }
}

static uint32_t widest_attr(const builder *b, uint32_t node)
{
    uint32_t n_attrs = b->p->n_attrs, best = n_attrs;
    double widest = 0;
    for (uint32_t a = 0; a < n_attrs; a++) {
        shoal_range range = b->p->bounds[(size_t)node * n_attrs + a], whole = b->p->bounds[a];
        double width = whole.hi > whole.lo ? (double)(range.hi - range.lo) / (whole.hi - whole.lo)
                                           : 0;
        if (width > widest) widest = width, best = a;
    }
    return best;
}

/* Nodes are bounded and split in the order in which they are made, breadth-first. */
static void build(builder *b)
{
    shoal_population *p = b->p;
    p->nodes[0] = (shoal_population_node){ .end = p->n_tuples };
    p->n_nodes = 1;
    for (uint32_t node = 0; node < p->n_nodes; node++) {
        bound_node(b, node);
        shoal_population_node *n = &p->nodes[node];
        uint32_t size = n->end - n->begin, attr = widest_attr(b, node);
        if (size <= LEAF_TUPLES || attr == p->n_attrs) continue;
        for (uint32_t i = n->begin; i < n->end; i++)
            b->order[i].key = b->places[(size_t)b->order[i].tuple * p->n_attrs + attr];
        qsort(b->order + n->begin, size, sizeof *b->order, by_key);
        n->child = p->n_nodes;
        p->nodes[p->n_nodes++] = (shoal_population_node){ .begin = n->begin,
                                                          .end = n->begin + size / 2 };
        p->nodes[p->n_nodes++] = (shoal_population_node){ .begin = n->begin + size / 2,
                                                          .end = n->end };
    }
    for (uint32_t i = 0; i < p->n_tuples; i++) {
        uint32_t tuple = b->order[i].tuple;
        memcpy(p->places + (size_t)i * p->n_attrs, b->places + (size_t)tuple * p->n_attrs,
               p->n_attrs * sizeof *p->places);
        p->counts[i] = b->counts[tuple];
    }
}

/* A node's bounds cover those of its children, a leaf's its tuples; rows add up. */
static bool bounds_cover(const shoal_population *p)
{
    for (uint32_t node = 0; p->n_tuples > 0 && node < p->n_nodes; node++) {
        const shoal_population_node *n = &p->nodes[node];
        const shoal_range *own = p->bounds + (size_t)node * p->n_attrs,
                          *below = p->bounds + (size_t)n->child * p->n_attrs;
        uint64_t n_rows = 0;
        for (uint32_t i = n->begin; i < n->end; i++) n_rows += p->counts[i];
        if (n_rows != n->n_rows) return false;
        for (uint32_t a = 0; n->child != 0 && a < 2 * p->n_attrs; a++) /* of both children */
            if (below[a].lo < own[a % p->n_attrs].lo || below[a].hi > own[a % p->n_attrs].hi)
                return false;
        for (uint32_t i = n->begin; n->child == 0 && i < n->end; i++)
            for (uint32_t a = 0; a < p->n_attrs; a++)
                if (p->places[(size_t)i * p->n_attrs + a] < own[a].lo ||
                    p->places[(size_t)i * p->n_attrs + a] > own[a].hi)
                    return false;
    }
    return true;
}

/* Leaves hold more than half of LEAF_TUPLES each, unless all tuples fit one. */
static bool make_room(shoal_population *p)
{
    size_t n_nodes = 4 * (size_t)p->n_tuples / LEAF_TUPLES + 8;
    p->places = shoal_alloc((size_t)p->n_tuples * p->n_attrs, sizeof *p->places);
    p->counts = shoal_alloc(p->n_tuples, sizeof *p->counts);
    p->nodes = shoal_alloc(n_nodes, sizeof *p->nodes);
    p->bounds = shoal_alloc(n_nodes * p->n_attrs, sizeof *p->bounds);
    return p->places != NULL && p->counts != NULL && p->nodes != NULL && p->bounds != NULL;
}

shoal_status shoal_population_make(shoal_population **out, const shoal_table *population,
                                   const size_t *columns, const uint32_t *const *place_of_value,
                                   uint32_t n_attrs, uint32_t threads, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    uint32_t *ids = NULL, *places = NULL, *counts = NULL;
    keyed *order = NULL;
    shoal_population *p = shoal_alloc_zero(1, sizeof *p);
    const shoal_column **list = shoal_alloc(n_attrs, sizeof *list);
    if (p == NULL || list == NULL) goto no_memory;
    for (uint32_t a = 0; a < n_attrs; a++) list[a] = &population->columns[columns[a]];
    p->n_attrs = n_attrs;
    p->n_rows = population->n_rows;
    SHOAL_GOTO_IF_ERROR(shoal_number_tuples(&ids, &p->n_tuples, list, n_attrs, p->n_rows,
                                            threads > 0 ? threads : 1, err),
                        out);
    places = shoal_alloc((size_t)p->n_tuples * n_attrs, sizeof *places);
    counts = shoal_alloc_zero(p->n_tuples, sizeof *counts);
    order = shoal_alloc(p->n_tuples, sizeof *order);
    if (places == NULL || counts == NULL || order == NULL || !make_room(p)) goto no_memory;
    gather(places, counts, population, columns, place_of_value, n_attrs, ids);
    for (uint32_t i = 0; i < p->n_tuples; i++) order[i] = (keyed){ 0, i };
    builder b = { p, places, counts, order };
    build(&b);
    SHOAL_INVARIANT(bounds_cover(p));
    *out = p;
    p = NULL;
    goto out;
no_memory:
    status = shoal_fail_memory(err);
out:
    shoal_free(list);
    shoal_free(ids);
    shoal_free(places);
    shoal_free(counts);
    shoal_free(order);
    shoal_population_free(p);
    return status;
}

/* ---- counting ---- */

static bool holds(const shoal_stretch *stretch, uint32_t place)
{
    if (place < stretch->lo || place > stretch->hi) return false;
    return stretch->members == NULL || (stretch->members[place / 64] >> (place % 64) & 1);
}

static uint64_t count_leaf(const shoal_population *p, const shoal_population_node *node,
                           const shoal_stretch *stretches)
{
    uint64_t n_rows = 0;
    for (uint32_t i = node->begin; i < node->end; i++) {
        uint32_t a = 0;
        while (a < p->n_attrs && holds(&stretches[a], p->places[(size_t)i * p->n_attrs + a])) a++;
        if (a == p->n_attrs) n_rows += p->counts[i];
    }
    return n_rows;
}

typedef enum relation { APART, CUT, INSIDE } relation;

static relation compare(const shoal_population *p, uint32_t node, const shoal_stretch *stretches)
{
    relation found = INSIDE;
    for (uint32_t a = 0; a < p->n_attrs; a++) {
        shoal_range range = p->bounds[(size_t)node * p->n_attrs + a];
        const shoal_stretch *s = &stretches[a];
        if (range.lo > s->hi || range.hi < s->lo) return APART;
        if (range.lo < s->lo || range.hi > s->hi || s->members != NULL) found = CUT;
    }
    return found;
}

uint64_t shoal_population_rows(const shoal_population *population, const shoal_stretch *stretches)
{
    /* halving 2^32 tuples gives at most 32 levels, with two entries each */
    uint32_t stack[MAX_DEPTH * 2], n = 0;
    uint64_t n_rows = 0;
    if (population->n_tuples > 0) stack[n++] = 0;
    while (n > 0) {
        uint32_t at = stack[--n];
        const shoal_population_node *node = &population->nodes[at];
        relation where = compare(population, at, stretches);
        if (where == INSIDE)
            n_rows += node->n_rows;
        else if (where == CUT && node->child == 0)
            n_rows += count_leaf(population, node, stretches);
        else if (where == CUT)
            stack[n++] = node->child, stack[n++] = node->child + 1;
    }
    return n_rows;
}
