/* SPDX-License-Identifier: Apache-2.0 */
/* lattice.h - full-domain generalisation: one level per quasi-identifier for all rows, and the
 * resulting groups.
 *
 * A node of the lattice is a level for each attribute, between all 0 (the table as it is) and all
 * at their heights (one group of `*`). A node is *above* another if none of its levels is lower;
 * then each of its groups is a union of groups of the other, so groups are *rolled up* from the
 * groups of any node below, not computed from the rows.
 *
 * The key of a group has the number of its value on each attribute's level (level_axis.h), packed
 * into 64-bit words at fixed positions. Attributes at their top have 0 there. So leaving an
 * attribute out is the same as setting it to its top: the groups of a subset of the attributes are
 * those of a node.
 *
 * Invariant: groups are in the order of their least class. Cost of a roll-up: O(groups below *
 * attributes that change), with hashing; 8 bytes per word and 8 more per group.
 */
#ifndef SHOAL_LATTICE_H
#define SHOAL_LATTICE_H

#include "method/algorithm.h"
#include "method/full_domain/level_axis.h"

typedef struct shoal_node_groups {
    uint64_t *keys;  /* n x n_words */
    uint32_t *sizes; /* rows */
    uint32_t *first; /* least class */
    uint32_t n;
    size_t room;
} shoal_node_groups;

typedef struct shoal_lattice {
    const shoal_space *space;
    const shoal_classes *classes;
    uint32_t n_attrs, n_words;
    shoal_level_axis *axes;
    uint32_t height;  /* of the top node: the sum of all heights */
    uint64_t n_nodes; /* UINT64_MAX if there are more */
    /* the highest node that may be published: `top`, or less where a column has a largest level */
    uint32_t *limit;
    uint32_t *bottom, *top; /* the lowest and the highest node */
    shoal_node_groups base; /* of the lowest node: one group per class */
} shoal_lattice;

/* `method` is used in messages. The space and the classes are borrowed. */
SHOAL_NODISCARD shoal_status shoal_lattice_make(shoal_lattice *out, const shoal_space *space,
                                                const shoal_classes *classes, const char *method,
                                                shoal_error *err);
void shoal_lattice_clear(shoal_lattice *lattice);

static inline uint32_t shoal_group_value(const shoal_lattice *lattice,
                                         const shoal_node_groups *groups, uint32_t group,
                                         uint32_t a)
{
    const shoal_level_axis *axis = &lattice->axes[a];
    return (uint32_t)(groups->keys[(size_t)group * lattice->n_words + axis->word] >> axis->shift &
                      axis->mask);
}

/* Scratch memory for roll-ups; one per thread. Zero-initialised is empty. */
typedef struct shoal_roller {
    uint32_t *slots; /* group + 1, or 0 */
    size_t slot_room;
    uint32_t *maps; /* of the attributes that change, concatenated */
    size_t map_room;
} shoal_roller;

void shoal_roller_clear(shoal_roller *roller);
void shoal_node_groups_clear(shoal_node_groups *groups);

/*
 * Groups of node `to` from the groups `in` of node `from`, which is below it or the same. `ids`
 * (in->n entries, may be NULL) receives the new group of each. `out` may be `in`. False if memory
 * is short.
 */
SHOAL_NODISCARD bool shoal_roll_up(shoal_node_groups *out, const shoal_lattice *lattice,
                                   const shoal_node_groups *in, const uint32_t *from,
                                   const uint32_t *to, uint32_t *ids, shoal_roller *roller);

/*
 * Number of a node: its levels as digits, the last attribute varying fastest. Only if n_nodes fits.
 */
uint64_t shoal_node_index(const shoal_lattice *lattice, const uint32_t *levels);
void shoal_node_levels(uint32_t *levels, const shoal_lattice *lattice, uint64_t index);
uint32_t shoal_node_height(const shoal_lattice *lattice, const uint32_t *levels);
/* Is no level above its column's largest? */
bool shoal_node_is_within(const shoal_lattice *lattice, const uint32_t *levels);

#endif
