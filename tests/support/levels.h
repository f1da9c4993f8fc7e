/* SPDX-License-Identifier: Apache-2.0 */
/*
 * levels.h - full-domain generalisation by the definitions: rows, levels, groups. Slow, independent
 * of the code under test.
 */
#ifndef SHOAL_TEST_LEVELS_H
#define SHOAL_TEST_LEVELS_H

#include "hierarchy/kind.h"
#include "method/full_domain/lattice.h"
#include "groups.h"

/* other ids: a node of the tree, or OWN_ID + code */
enum { STAR_ID = -1, WILD_ID = -2, INTERVAL_ID = -3 };
#define OWN_ID ((int64_t)1 << 40)

static inline uint32_t leaf_of_code(const shoal_attribute *attr, uint32_t code)
{
    if (code >= attr->n_plain) return SHOAL_NO_NODE;
    if (attr->is_tree) return code;
    shoal_text text = attr->source->values[attr->value_of_code[code]];
    return shoal_tree_find_leaf(attr->tree, text.data, text.length);
}

static inline uint32_t height_of_attr(const shoal_attribute *attr)
{
    uint32_t height = attr->top_from > attr->n_plain ? 1 : 0; /* values directly below the root */
    if (attr->tree == NULL && attr->n_plain > 0) return attr->is_interval ? 2 : 1;
    for (uint32_t leaf = 0; attr->tree != NULL && leaf < attr->tree->n_leaves; leaf++) {
        uint32_t depth = 0;
        for (uint32_t node = leaf; attr->tree->parent[node] != node;
             node = attr->tree->parent[node])
            depth++;
        if (depth > height) height = depth;
    }
    return height;
}

/* An id of the published value of a code: equal ids for equal published values. */
static inline int64_t id_on_level(const shoal_attribute *attr, uint32_t code, uint32_t level)
{
    uint32_t height = height_of_attr(attr);
    if (level == height) return STAR_ID;
    if (code == attr->wild_code) return WILD_ID;
    if (code >= attr->top_from) return STAR_ID;
    if (attr->tree == NULL) return level == 1 && code < attr->n_plain ? INTERVAL_ID : OWN_ID + code;
    uint32_t node = leaf_of_code(attr, code);
    if (node == SHOAL_NO_NODE && code < attr->n_plain &&
        attr->source->on_missing == SHOAL_ON_MISSING_TOP)
        return STAR_ID;
    if (node == SHOAL_NO_NODE) return OWN_ID + code;
    for (;;) { /* up to the depth of the level */
        uint32_t depth = 0;
        for (uint32_t at = node; attr->tree->parent[at] != at; at = attr->tree->parent[at]) depth++;
        if (depth <= height - level) return node;
        node = attr->tree->parent[node];
    }
}

static inline double loss_of_id(const shoal_attribute *attr, int64_t id)
{
    if (id == STAR_ID) return 1;
    if (id == INTERVAL_ID) return attr->position[attr->n_plain - 1] > attr->position[0] ? 1 : 0;
    return id >= 0 && id < OWN_ID ? shoal_node_loss(attr, (uint32_t)id) : 0;
}

/* Do two rows publish the same on these levels? */
static inline bool rows_agree(const shoal_space *space, const uint32_t *levels, uint64_t x,
                              uint64_t y)
{
    for (uint32_t a = 0; a < space->n_attrs; a++)
        if (id_on_level(&space->attrs[a], code_in_row(space, a, x), levels[a]) !=
            id_on_level(&space->attrs[a], code_in_row(space, a, y), levels[a]))
            return false;
    return true;
}

/*
 * Group of each row (the first row that agrees with it), and size of each group; free_row_groups()
 * frees both.
 */
typedef struct row_groups {
    uint32_t *group, *sizes;
} row_groups;

static inline row_groups group_rows(const shoal_table *table, const shoal_space *space,
                                    const uint32_t *levels)
{
    uint64_t n = table->n_rows;
    row_groups groups = { calloc(n + 1, sizeof(uint32_t)), calloc(n + 1, sizeof(uint32_t)) };
    assert_true(groups.group != NULL && groups.sizes != NULL);
    for (uint64_t x = 0; x < n; x++) {
        uint64_t y = 0;
        while (!rows_agree(space, levels, x, y)) y++;
        groups.group[x] = (uint32_t)y;
        groups.sizes[y]++;
    }
    return groups;
}

static inline void free_row_groups(row_groups *groups)
{
    free(groups->group);
    free(groups->sizes);
}

/* Advance to the next node of the lattice in numeric order; false after the last. */
static inline bool next_node(uint32_t *levels, const uint32_t *top, uint32_t n_attrs)
{
    for (uint32_t a = n_attrs; a-- > 0;) {
        if (levels[a]++ < top[a]) return true;
        levels[a] = 0;
    }
    return false;
}

static inline bool lies_below(const uint32_t *x, const uint32_t *y, uint32_t n_attrs)
{
    uint32_t a = 0;
    while (a < n_attrs && x[a] <= y[a]) a++;
    return a == n_attrs;
}

#endif
