/* SPDX-License-Identifier: Apache-2.0 */
/* informed_levels.h - the levels with the most information about the class, and the information
 * left when groups are suppressed.
 *
 * For each quasi-identifier the level of the highest I_N (information.h) is chosen, of equal ones
 * the lowest. The rows then form groups; suppressing a group updates the counts of values, labels
 * and pairs of both.
 *
 *     alpha    the largest |change of I_N| by suppression, over quasi-identifiers
 *     beta     the largest D_N
 *
 * Invariant: `after` counts the rows of the groups that are not suppressed. Cost: O(classes *
 * levels) for choosing, by hashing; O(classes of the group * attributes) to suppress one; O(pairs
 * of value and label) for alpha and beta.
 * Memory: 4 bytes per class and attribute, and the counts.
 */
#ifndef SHOAL_INFORMED_LEVELS_H
#define SHOAL_INFORMED_LEVELS_H

#include "method/full_domain/lattice_judge.h"
#include "cost/information.h"

typedef struct shoal_informed {
    const shoal_problem *problem;
    shoal_lattice lattice;
    uint32_t *levels;         /* chosen */
    double **information;     /* I_N of each attribute on each of its levels */
    shoal_node_groups groups; /* on the chosen levels */
    uint32_t *group_of_class;
    uint32_t *members, *begin; /* classes sorted by group */
    /* Of each attribute on its level; `after` shares the arrays value and label with `before`. */
    shoal_joint *before, *after;
    uint32_t **cells; /* of each attribute: the cell of each class */
    /* level on which each class publishes each attribute; its height where it is suppressed */
    uint32_t *published;
} shoal_informed;

/*
 * Choose the levels and form the groups. SHOAL_EINVAL if the class column has a single value.
 * `method` is used in messages. End with shoal_informed_clear(), also after a failure.
 */
SHOAL_NODISCARD shoal_status shoal_informed_make(shoal_informed *out, const shoal_problem *problem,
                                                 const char *method, shoal_error *err);
void shoal_informed_clear(shoal_informed *informed);

/* Suppress a group or (`back`) restore it. */
void shoal_informed_suppress(shoal_informed *informed, uint32_t group, bool back);

/* What suppression changed in one attribute. */
typedef struct shoal_informed_change {
    double alpha, beta; /* |change of I_N|, D_N */
    double beta_kept;   /* D_N without the values that no longer occur */
    uint32_t n_gone;
} shoal_informed_change;
/* The change of attribute `a` by the suppressed groups. */
shoal_informed_change shoal_informed_change_of(const shoal_informed *informed, uint32_t a);

/* For the tables of iack and iacc. */
#define SHOAL_SMALL_PARAM                                                                          \
    {                                                                                              \
        "small", "suppress|generalise", "suppress",                                                \
            "rows of small groups: suppress them, or first generalise them further, "              \
            "level by level, while groups form"                                                    \
    }

/*
 * Suppress the groups that the judge suppresses on the chosen levels, or (parameter `small` of the
 * algorithm) lift them further (further_levels.h) and suppress the rest; report alpha, beta and the
 * numbers of every level, and publish.
 */
SHOAL_NODISCARD shoal_status shoal_informed_publish(shoal_slices *out, shoal_informed *informed,
                                                    const shoal_judge *judge,
                                                    const shoal_algorithm *algorithm,
                                                    shoal_error *err);

#endif
