/* SPDX-License-Identifier: Apache-2.0 */
/* guarding_node.h - guarding nodes, and how far sensitive values must climb so that nobody's is breached.
 *
 * Each row has a guarding node in the hierarchy of the sensitive column, or none. A group publishes its sensitive values
 * as nodes. Somebody who finds a person in the group takes each of its rows for the person's, and each leaf below a published
 * node for the true value, as equally likely. The chance that the person has a value below the guarding node is then
 *
 *     P_breach = 1/|G| * sum over the rows of G of |leaves below both the published node and the guarding node|
 *                                                  / |leaves below the published node|
 *
 * and must not exceed the threshold. Values climb one by one: as long as some guard is breached, the value whose next
 * step takes most from the breach for what it loses climbs. A step inside the guarded subtree would change nothing, so a
 * value leaves it at once.
 *
 * Xiao, Tao: Personalized Privacy Preservation, SIGMOD 2006. Cost: O(guards * values^2 * height) a group at worst.
 */
#ifndef SHOAL_GUARDING_NODE_H
#define SHOAL_GUARDING_NODE_H

#include "method/algorithm.h"
#include "cost/distortion.h"

typedef struct shoal_guarding_nodes {
    const shoal_problem *problem;
    const shoal_attribute *attr;  /* the sensitive column */
    uint32_t column, guard_column; /* of problem->sensitive; guard_column SHOAL_NO_CODE: a policy */
    uint32_t steps;               /* policy: the guard is so many steps above the value, below the root */
    double breach;
    shoal_ladders ladders;        /* of problem->sensitive->space */
    const shoal_ladder *ladder;   /* of the sensitive column */
    uint32_t *guard_of_value;     /* of each code of the guard column (or of the sensitive one); SHOAL_NO_NODE: no guard */
    bool *is_ambiguous;           /* nodes that share their label with a leaf: never published */
} shoal_guarding_nodes;

/* Read the parameters and the guards. SHOAL_EINVAL, or SHOAL_EDATA for guards that the hierarchy lacks. */
SHOAL_NODISCARD shoal_status shoal_guarding_nodes_make(shoal_guarding_nodes *out, const shoal_problem *problem,
                                              const shoal_algorithm *algorithm, shoal_error *err);
void shoal_guarding_nodes_clear(shoal_guarding_nodes *guards);

/* The group that is looked at: sensitive values and guards with their counts, and what is published. */
typedef struct shoal_guarded_group {
    shoal_tally values;   /* attribute codes */
    shoal_tally guarded;  /* nodes of the ladder that guard some row */
    uint32_t *published;  /* node of each attribute code that is present */
    double loss;          /* of the sensitive column: Q-diversity, summed over rows */
} shoal_guarded_group;

SHOAL_NODISCARD bool shoal_guarded_group_init(shoal_guarded_group *group, const shoal_guarding_nodes *guards);
void shoal_guarded_group_free(shoal_guarded_group *group);
void shoal_guarded_group_clear(shoal_guarded_group *group);
/* `values`: column codes of the columns of problem->sensitive. */
void shoal_guarded_group_add(shoal_guarded_group *group, const shoal_guarding_nodes *guards, const uint32_t *values, uint32_t n_rows);
/* Let values climb until no guard is breached; false when they cannot. */
bool shoal_guarded_group_climb(shoal_guarded_group *group, const shoal_guarding_nodes *guards);

#endif
