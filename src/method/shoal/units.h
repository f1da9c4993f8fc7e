/* SPDX-License-Identifier: Apache-2.0 */
/* units.h - groups of k persons (an entity column) by a search that knows no persons.
 *
 * A *unit* is all rows of one person in one class. A group of k units has k persons unless some of
 * them are the same person's, from different classes. So the search is run on classes without
 * persons, each of which counts its units, as if these were rows: it takes as long as without an
 * entity. Then the units are seated: where a class is divided among groups, each group gets persons
 * whom it does not have. The few groups that still have too few are mended, by single units from
 * groups that can spare them or by merging, whichever loses less (seats.c).
 *
 * Invariant: after seating each unit is in one group; no step takes a person from a group that has
 * only k.
 */
#ifndef SHOAL_UNITS_H
#define SHOAL_UNITS_H

#include "method/shoal/clustering.h"

typedef struct shoal_units {
    const shoal_problem *whole; /* the problem, persons and all */
    shoal_problem problem;      /* the one without them, that is searched */
    shoal_constraint rest;      /* its constraint; borrows everything */
    shoal_classes classes;      /* its classes: `counts` are units */
    uint32_t n;                 /* units */
    uint32_t *unit_of;          /* of each class of `whole` */
    uint32_t *person_of;        /* of each unit, and its class in `classes` */
    uint32_t *class_of;
    uint32_t *list, *begin;     /* units of each class */
    uint32_t *group_of;         /* of each unit; 0 before shoal_units_seat() */
} shoal_units;

/* Is the constraint of the problem about the persons of one entity column? */
bool shoal_units_apply(const shoal_problem *problem);
/*
 * Take the problem apart, which must outlive it. With `keeps_values` sensitive values tell classes
 * apart, else only quasi-identifiers. O(classes); 40 bytes a class. SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_units_make(shoal_units *out, const shoal_problem *whole,
                                              bool keeps_values, shoal_error *err);
void shoal_units_clear(shoal_units *units);
/*
 * Give each unit its seat in the groups of `clustering`, of units->problem, and mend groups that
 * have too few persons: the clustering changes. What could not be mended, or was not in time, is
 * for shoal_repair().
 */
SHOAL_NODISCARD shoal_status shoal_units_seat(shoal_units *units, shoal_clustering *clustering,
                                              shoal_error *err);
/* The parts of units->whole. */
SHOAL_NODISCARD bool shoal_units_emit(const shoal_units *units, shoal_parts *out);

#endif
