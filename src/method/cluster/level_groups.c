/* SPDX-License-Identifier: Apache-2.0 */
/* level_groups.c - see level_groups.h. */
#include "method/cluster/level_groups.h"

#include "base/invariant.h"

bool shoal_level_groups_init(shoal_level_groups *groups, const shoal_distance_index *index,
                             uint32_t n_groups)
{
    *groups = (shoal_level_groups){ .index = index, .n_groups = n_groups };
    for (uint32_t a = 0; a < index->n_attrs; a++)
        groups->n_levels += index->lines[a].ladder->shape.height + 1;
    size_t n_nodes = (size_t)n_groups * index->n_attrs;
    groups->nodes = shoal_alloc(n_nodes, sizeof *groups->nodes);
    groups->counts = shoal_alloc_zero((size_t)n_groups * groups->n_levels, sizeof *groups->counts);
    if (groups->nodes == NULL || groups->counts == NULL) return false;
    for (size_t i = 0; i < n_nodes; i++) groups->nodes[i] = SHOAL_NO_NODE;
    return true;
}

void shoal_level_groups_clear(shoal_level_groups *groups)
{
    shoal_free(groups->nodes);
    shoal_free(groups->counts);
    *groups = (shoal_level_groups){ 0 };
}

/* The group's nodes cover the class, and each attribute where the class has a value has counted its
 * rows. */
static bool group_holds(const shoal_level_groups *groups, uint32_t group, uint32_t class_index,
                        uint32_t n_rows)
{
    const shoal_distance_index *index = groups->index;
    const uint32_t *counts = groups->counts + (size_t)group * groups->n_levels;
    for (uint32_t a = 0; a < index->n_attrs; a++) {
        const shoal_ladder *ladder = index->lines[a].ladder;
        uint32_t node = shoal_distance_node(index, class_index, a),
                 own = groups->nodes[(size_t)group * index->n_attrs + a];
        if (shoal_ladder_join(ladder, own, node) != own) return false;
        if (node != SHOAL_NO_NODE && counts[ladder->shape.depth[node]] < n_rows) return false;
        counts += ladder->shape.height + 1;
    }
    return true;
}

void shoal_level_groups_add(shoal_level_groups *groups, uint32_t group, uint32_t class_index,
                            uint32_t n_rows)
{
    const shoal_distance_index *index = groups->index;
    uint32_t *nodes = groups->nodes + (size_t)group * index->n_attrs;
    uint32_t *counts = groups->counts + (size_t)group * groups->n_levels;
    for (uint32_t a = 0; a < index->n_attrs; a++) {
        const shoal_ladder *ladder = index->lines[a].ladder;
        uint32_t node = shoal_distance_node(index, class_index, a);
        nodes[a] = shoal_ladder_join(ladder, nodes[a], node);
        if (node != SHOAL_NO_NODE) counts[ladder->shape.depth[node]] += n_rows;
        counts += ladder->shape.height + 1;
    }
    SHOAL_INVARIANT(group_holds(groups, group, class_index, n_rows));
}

/* Ascent from `node` to `to` of the rows counted by depth. */
static uint64_t raise_rows(const shoal_distance_line *line, const uint32_t *counts, uint32_t node,
                           uint32_t to)
{
    const shoal_hierarchy *shape = &line->ladder->shape;
    uint64_t sum = 0;
    size_t side = (size_t)shape->height + 1;
    for (size_t depth = shape->depth[node]; depth < side; depth++) {
        const shoal_loss *steps = line->steps + depth * side;
        sum += (uint64_t)counts[depth] * (steps[shape->depth[node]] - steps[shape->depth[to]]);
    }
    return sum;
}

uint64_t shoal_level_groups_rise(const shoal_level_groups *groups, uint32_t group,
                                 uint32_t class_index)
{
    const shoal_distance_index *index = groups->index;
    const uint32_t *nodes = groups->nodes + (size_t)group * index->n_attrs;
    const uint32_t *counts = groups->counts + (size_t)group * groups->n_levels;
    uint64_t sum = 0;
    for (uint32_t a = 0; a < index->n_attrs; a++) {
        const shoal_distance_line *line = &index->lines[a];
        const shoal_hierarchy *shape = &line->ladder->shape;
        uint32_t node = shoal_distance_node(index, class_index, a),
                 both = shoal_ladder_join(line->ladder, nodes[a], node);
        if (node != SHOAL_NO_NODE) {
            const shoal_loss *steps = line->steps +
                                      (size_t)shape->depth[node] * (shape->height + 1);
            sum += steps[shape->depth[node]] - steps[shape->depth[both]];
        }
        if (nodes[a] != SHOAL_NO_NODE && nodes[a] != both)
            sum += raise_rows(line, counts, nodes[a], both);
        counts += shape->height + 1;
    }
    return sum;
}
