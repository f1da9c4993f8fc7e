/* SPDX-License-Identifier: Apache-2.0 */
/* guarding_node.h - guarding nodes, and how far sensitive values must be generalised so that none
 * is breached.
 *
 * Each row has a guarding node in the hierarchy of the sensitive column, or none. A group publishes
 * its sensitive values as nodes. For an attacker who knows that a person is in the group, each row
 * of the group is equally likely to be the person's, and each leaf below a published node equally
 * likely to be the true value. The probability that the person has a value below the guarding node
 * is then
 *
 *     P_breach = 1/|G| * sum over the rows of G of
 *                |leaves below both the published node and the guarding node|
 *                / |leaves below the published node|
 *
 * and must not exceed the threshold. Values are generalised one by one: as long as some guard is
 * breached, the value whose next step reduces the breach most per added loss moves up. A step
 * inside the guarded subtree would not change the breach, so a value moves directly out of it.
 *
 * Xiao, Tao: Personalized Privacy Preservation, SIGMOD 2006. Cost: O(guards * values^2 * height)
 * per group at worst.
 */
#ifndef SHOAL_GUARDING_NODE_H
#define SHOAL_GUARDING_NODE_H

#include "method/algorithm.h"
#include "cost/distortion.h"

typedef struct shoal_guarding_nodes {
    const shoal_problem *problem;
    const shoal_attribute *attr;   /* the sensitive column */
    uint32_t column, guard_column; /* of problem->sensitive; guard_column SHOAL_NO_CODE: a policy */
    uint32_t steps;                /* policy: levels of the guard above the value, below the root */
    double breach;
    shoal_ladders ladders;      /* of problem->sensitive->space */
    const shoal_ladder *ladder; /* of the sensitive column */
    uint32_t *guard_of_value;   /* by code of guard or sensitive column; SHOAL_NO_NODE: none */
    bool *is_ambiguous;         /* nodes with the label of a leaf: never published */
} shoal_guarding_nodes;

/*
 * Read the parameters and the guards. SHOAL_EINVAL, or SHOAL_EDATA for guards that are not in the
 * hierarchy.
 */
SHOAL_NODISCARD shoal_status shoal_guarding_nodes_make(shoal_guarding_nodes *out,
                                                       const shoal_problem *problem,
                                                       const shoal_algorithm *algorithm,
                                                       shoal_error *err);
void shoal_guarding_nodes_clear(shoal_guarding_nodes *guards);

/* The current group: sensitive values and guards with their counts, and the published nodes. */
typedef struct shoal_guarded_group {
    shoal_tally values;  /* attribute codes */
    shoal_tally guarded; /* nodes of the ladder that guard some row */
    uint32_t *published; /* node of each attribute code that is present */
    double loss;         /* of the sensitive column: Q-diversity, summed over rows */
} shoal_guarded_group;

SHOAL_NODISCARD bool shoal_guarded_group_init(shoal_guarded_group *group,
                                              const shoal_guarding_nodes *guards);
void shoal_guarded_group_free(shoal_guarded_group *group);
void shoal_guarded_group_clear(shoal_guarded_group *group);
/* `values`: column codes of the columns of problem->sensitive. */
void shoal_guarded_group_add(shoal_guarded_group *group, const shoal_guarding_nodes *guards,
                             const uint32_t *values, uint32_t n_rows);
/* Generalise values until no guard is breached; false if that is impossible. */
bool shoal_guarded_group_generalise(shoal_guarded_group *group, const shoal_guarding_nodes *guards);

#endif
