/* SPDX-License-Identifier: Apache-2.0 */
/* units.h - groups of k persons (an entity column) by a search that knows no persons.
 *
 * Rows of one person in one class are *twins*, and the first of them stands for all. A group of k
 * rows without twins has k persons unless some of them are the same person's, from different
 * classes. So the search is run on classes without persons, each of which counts its rows without
 * twins: it takes as long as without an entity. Then the rows are seated: where a class is divided
 * among groups, each group gets persons whom it does not have; twins sit together. The few groups
 * that still have too few persons are mended, by single rows from groups that can spare them or by
 * dissolving them, whichever loses less (seats_mend.c). Small tables are then refined once more, by
 * steps that mind persons (units_improve.c).
 *
 * Invariant: after seating each row is in one group; no step takes a person from a group that has
 * only k.
 */
#ifndef SHOAL_UNITS_H
#define SHOAL_UNITS_H

#include "method/shoal/clustering.h"

#define SHOAL_NO_TWIN UINT32_MAX

typedef struct shoal_units {
    const shoal_problem *whole; /* the problem, persons and all */
    shoal_problem problem;      /* the one without them, that is searched */
    shoal_constraint rest;      /* its constraint; borrows everything */
    shoal_classes classes;      /* its classes; rows without twins, after seating all rows */
    uint32_t n;                 /* rows */
    uint32_t *first_of;         /* the first row of each class of `whole`; they are consecutive */
    uint32_t *person_of;        /* of each row, and its class in `classes` */
    uint32_t *class_of;
    uint32_t *twin_of;      /* the next row of that person in that class; or SHOAL_NO_TWIN */
    uint32_t *list, *begin; /* rows of each class, without twins first: `counts` of them */
    uint32_t *group_of;     /* of each row; 0 before shoal_units_seat() */
} shoal_units;

/* Is the constraint of the problem about the persons of one entity column? */
bool shoal_units_apply(const shoal_problem *problem);
/*
 * Take the problem apart, which must outlive it. With `keeps_values` sensitive values tell classes
 * apart, else only quasi-identifiers. O(rows); 24 bytes a row. SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_units_make(shoal_units *out, const shoal_problem *whole,
                                              bool keeps_values, shoal_error *err);
void shoal_units_clear(shoal_units *units);
/*
 * Give each row its seat in the groups of `clustering`, of units->problem, and mend groups that
 * have too few persons: the clustering changes, and has all rows then. What could not be mended,
 * or was not in time, is for shoal_repair().
 */
SHOAL_NODISCARD shoal_status shoal_units_seat(shoal_units *units, shoal_clustering *clustering,
                                              shoal_error *err);
/* How much is refined: so often from the same seats, each time so many rounds with so many kicks a
 * group. */
typedef struct shoal_refinement {
    uint32_t starts, rounds;
    double kicks;
} shoal_refinement;
/*
 * Refine the groups of seated rows, minding persons in every step; they never lose more than before
 * (units_improve.c).
 */
SHOAL_NODISCARD shoal_status shoal_units_improve(shoal_units *units, const shoal_clustering *seated,
                                                 shoal_refinement how, shoal_error *err);
/* The parts of units->whole. */
SHOAL_NODISCARD bool shoal_units_emit(const shoal_units *units, shoal_parts *out);

#endif
