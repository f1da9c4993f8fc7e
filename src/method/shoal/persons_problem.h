/* SPDX-License-Identifier: Apache-2.0 */
/* persons_problem.h - groups of k persons (an entity column) by a search without persons.
 *
 * Rows of one person in one class are *duplicates*, and the first of them represents all. A group
 * of k rows without duplicates has k persons unless some of them are the same person's, from
 * different classes. So the search is run on classes without persons, each of which counts its rows
 * without duplicates: it takes as long as without an entity. Then the rows are assigned: where a
 * class is divided among groups, each group gets persons whom it does not have; duplicates sit
 * together. The few groups that still have too few persons are repaired, by single rows from groups
 * that can spare them or by dissolving them, whichever loses less (persons_repair.c). Small tables
 * are then refined once more, by steps that count persons (persons_refine.c).
 *
 * Invariant: after assignment each row is in one group; no step takes a person from a group that
 * has only k.
 */
#ifndef SHOAL_PERSONS_PROBLEM_H
#define SHOAL_PERSONS_PROBLEM_H

#include "method/shoal/effort.h"

#define SHOAL_NO_DUPLICATE UINT32_MAX

typedef struct shoal_persons {
    const shoal_problem *whole; /* the problem, persons and all */
    shoal_problem problem;      /* the one without them, that is searched */
    shoal_constraint rest;      /* its constraint; borrows everything */
    shoal_classes classes; /* its classes; rows without duplicates, after assignment all rows */
    uint32_t n;            /* rows */
    uint32_t *first_of;    /* the first row of each class of `whole`; they are consecutive */
    uint32_t *person_of;   /* of each row, and its class in `classes` */
    uint32_t *class_of;
    uint32_t *next_duplicate; /* the next row of that person in that class; or SHOAL_NO_DUPLICATE */
    uint32_t *list, *begin;   /* rows of each class, without duplicates first: `counts` of them */
    uint32_t *group_of;       /* of each row; 0 before shoal_persons_assign() */
} shoal_persons;

/* Is the constraint of the problem about the persons of one entity column? */
bool shoal_persons_apply(const shoal_problem *problem);
/*
 * Split the problem, which must outlive it. With `keeps_values` sensitive values distinguish
 * classes too, else only quasi-identifiers do. O(rows); 24 bytes per row. SHOAL_ENOMEM.
 */
SHOAL_NODISCARD shoal_status shoal_persons_make(shoal_persons *out, const shoal_problem *whole,
                                                bool keeps_values, shoal_error *err);
void shoal_persons_clear(shoal_persons *persons);
/*
 * Assign each row to one of the groups of `clustering`, of persons->problem, and repair groups that
 * have too few persons: the clustering changes, and has all rows then. What could not be repaired,
 * or was not in time, is for shoal_repair().
 */
SHOAL_NODISCARD shoal_status shoal_persons_assign(shoal_persons *persons,
                                                  shoal_clustering *clustering, shoal_error *err);
/*
 * Refine the groups of assigned rows, counting persons in every step; they never lose more than
 * before (persons_refine.c).
 */
SHOAL_NODISCARD shoal_status shoal_persons_refine(shoal_persons *persons,
                                                  const shoal_clustering *assigned,
                                                  shoal_refinement how, shoal_error *err);
/* The parts of persons->whole. */
SHOAL_NODISCARD bool shoal_persons_emit(const shoal_persons *persons, shoal_slices *out);

#endif
