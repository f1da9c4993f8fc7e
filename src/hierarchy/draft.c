/* SPDX-License-Identifier: Apache-2.0 */
/* draft.c - a growing list of nodes and a hash table to find them.
 *
 * Open addressing with linear probing, at most half full. Nodes are numbered in the order in which
 * they are added, so results do not depend on hashes. O(1) per look-up, 48 bytes per node.
 */
#include "hierarchy/draft.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static uint32_t hash_of(uint32_t level, const char *label, size_t size)
{
    return (uint32_t)XXH3_64bits_withSeed(label, size, level);
}

/* The slot of the node, or the empty slot where it belongs. */
static size_t find_slot(const shoal_draft *draft, uint32_t hash, uint32_t level, const char *label,
                        size_t size)
{
    size_t mask = draft->n_slots - 1, at = hash & mask;
    for (; draft->slots[at] != 0; at = (at + 1) & mask) {
        const shoal_draft_node *node = draft->nodes + draft->slots[at] - 1;
        if (node->hash == hash && node->level == level && node->size == size &&
            (size == 0 || memcmp(node->label, label, size) == 0))
            break;
    }
    return at;
}

static bool grow_slots(shoal_draft *draft)
{
    size_t n_slots = draft->n_slots > 0 ? draft->n_slots * 2 : 64;
    uint32_t *slots = shoal_alloc_zero(n_slots, sizeof *slots);
    if (slots == NULL) return false;
    for (uint32_t i = 0; i < draft->n_nodes; i++) {
        size_t at = draft->nodes[i].hash & (n_slots - 1);
        while (slots[at] != 0) at = (at + 1) & (n_slots - 1);
        slots[at] = i + 1;
    }
    shoal_free(draft->slots);
    draft->slots = slots;
    draft->n_slots = n_slots;
    return true;
}

uint32_t shoal_draft_find(const shoal_draft *draft, uint32_t level, const char *label, size_t size)
{
    if (draft->n_slots == 0) return SHOAL_NO_NODE;
    size_t at = find_slot(draft, hash_of(level, label, size), level, label, size);
    return draft->slots[at] != 0 ? draft->slots[at] - 1 : SHOAL_NO_NODE;
}

shoal_status shoal_draft_add(uint32_t *node, bool *is_new, shoal_draft *draft, uint32_t level,
                             const char *label, size_t size, shoal_error *err)
{
    if ((size_t)draft->n_nodes * 2 >= draft->n_slots && !grow_slots(draft))
        return shoal_fail_memory(err);
    uint32_t hash = hash_of(level, label, size);
    size_t at = find_slot(draft, hash, level, label, size);
    *is_new = draft->slots[at] == 0;
    if (*is_new) {
        if (draft->n_nodes == UINT32_MAX - 2)
            return shoal_fail(err, SHOAL_EDATA, "hierarchy: more than 4 billion labels");
        void *block = draft->nodes;
        if (!shoal_reserve(&block, &draft->capacity, (size_t)draft->n_nodes + 1,
                           sizeof *draft->nodes))
            return shoal_fail_memory(err);
        draft->nodes = block;
        draft->nodes[draft->n_nodes] = (shoal_draft_node){
            .label = label, .size = size, .level = level, .parent = SHOAL_NO_NODE, .hash = hash
        };
        draft->slots[at] = ++draft->n_nodes;
    }
    *node = draft->slots[at] - 1;
    return SHOAL_OK;
}

shoal_status shoal_draft_add_copy(uint32_t *node, bool *is_new, shoal_draft *draft, uint32_t level,
                                  const char *label, size_t size, shoal_error *err)
{
    SHOAL_RETURN_IF_ERROR(shoal_draft_add(node, is_new, draft, level, label, size, err));
    if (!*is_new) return SHOAL_OK;
    char *copy = shoal_arena_alloc(&draft->arena, size > 0 ? size : 1);
    if (copy == NULL) {
        /* the label belongs to the caller and may be freed: size 0 keeps it from being read */
        draft->nodes[*node].size = 0;
        return shoal_fail_memory(err);
    }
    if (size > 0) memcpy(copy, label, size);
    draft->nodes[*node].label = copy;
    return SHOAL_OK;
}

/* Index of each node in the list for shoal_tree_make(), which leaves out the root and others;
 * returns how many are in it. */
static uint32_t number_nodes(uint32_t *place, const shoal_draft *draft)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < draft->n_nodes; i++)
        place[i] = i == draft->root || draft->nodes[i].is_left_out ? SHOAL_NO_NODE : n++;
    return n;
}

shoal_status shoal_draft_finish(shoal_hierarchy **out, const shoal_draft *draft, shoal_error *err)
{
    shoal_status status = SHOAL_OK;
    const char **labels = shoal_alloc(draft->n_nodes, sizeof *labels);
    size_t *sizes = shoal_alloc(draft->n_nodes, sizeof *sizes);
    uint32_t *parents = shoal_alloc(draft->n_nodes, sizeof *parents);
    uint32_t *place = shoal_alloc(draft->n_nodes, sizeof *place);
    if (labels == NULL || sizes == NULL || parents == NULL || place == NULL) {
        status = shoal_fail_memory(err);
        goto out;
    }
    uint32_t n = number_nodes(place, draft);
    for (uint32_t i = 0; i < draft->n_nodes; i++) {
        const shoal_draft_node *node = &draft->nodes[i];
        if (place[i] == SHOAL_NO_NODE) continue;
        labels[place[i]] = node->label;
        sizes[place[i]] = node->size;
        parents[place[i]] = node->parent != SHOAL_NO_NODE ? place[node->parent] : SHOAL_NO_NODE;
    }
    SHOAL_GOTO_IF_ERROR(shoal_tree_make(out, labels, sizes, parents, n, err), out);
    if (draft->root == SHOAL_NO_NODE) goto out;
    status = shoal_tree_name_root(*out, draft->nodes[draft->root].label,
                                  draft->nodes[draft->root].size, err);
    if (status == SHOAL_OK) goto out;
    shoal_hierarchy_free(*out);
    *out = NULL;
out:
    shoal_free(labels);
    shoal_free(sizes);
    shoal_free(parents);
    shoal_free(place);
    return status;
}

void shoal_draft_clear(shoal_draft *draft)
{
    shoal_free(draft->nodes);
    shoal_free(draft->slots);
    shoal_arena_clear(&draft->arena);
    *draft = (shoal_draft)SHOAL_DRAFT_INIT;
}
