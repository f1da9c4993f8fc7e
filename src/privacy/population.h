/* SPDX-License-Identifier: Apache-2.0 */
/* population.h - counts the rows of a population table that fit the published values of a group,
 * for k-map and delta-presence.
 *
 * Each quasi-identifier is a line of places. The distinct tuples of the population are in a binary
 * tree (a k-d tree) whose nodes have the least and greatest place of their tuples on each line. The
 * published values of a group are an interval on each line, so a query visits only the nodes whose
 * bounds the intervals intersect.
 *
 * The caller defines the places: attribute codes of the published table
 * (shoal_population_make_for()), or ranks of published texts. A value without a place fits only
 * `*`.
 */
#ifndef SHOAL_POPULATION_H
#define SHOAL_POPULATION_H

#include "classes/classes.h"
#include "hierarchy/box.h"

#define SHOAL_NO_PLACE (UINT32_MAX - 1)

typedef struct shoal_population_node {
    uint32_t begin, end; /* tuples begin..end-1 */
    uint32_t child;      /* the first of two consecutive children, or 0 for a leaf */
    uint64_t n_rows;
} shoal_population_node;

typedef struct shoal_population {
    uint32_t n_attrs, n_tuples, n_nodes;
    uint64_t n_rows;
    uint32_t *places; /* n_tuples x n_attrs */
    uint32_t *counts; /* rows of each tuple */
    shoal_population_node *nodes;
    shoal_range *bounds; /* n_nodes x n_attrs */
} shoal_population;

/* Places lo..hi of a line; if `members` is not NULL, only those whose bit is set. */
typedef struct shoal_stretch {
    uint32_t lo, hi;
    const uint64_t *members;
} shoal_stretch;

/* The stretch of `*`: every place, and values without one. */
#define SHOAL_WHOLE_LINE ((shoal_stretch){ 0, UINT32_MAX, NULL })

/*
 * Read the tuples of `columns` (one per attribute) of a loaded table; `place_of_value[a]` has the
 * place of each value of that column. The arguments are not needed afterwards. O(tuples log^2
 * tuples) time, about 4 + 6 attrs bytes per tuple.
 */
SHOAL_NODISCARD shoal_status shoal_population_make(
    shoal_population **out, const shoal_table *population, const size_t *columns,
    const uint32_t *const *place_of_value, uint32_t n_attrs, uint32_t threads, shoal_error *err);
void shoal_population_free(shoal_population *population);

/*
 * Number of rows that fit all stretches (one per attribute). May be called from several threads at
 * once.
 */
uint64_t shoal_population_rows(const shoal_population *population, const shoal_stretch *stretches);

/* ---- for a table that is grouped (population_box.c) ---- */

/*
 * The same with places for boxes of `space`. Columns are found by name; values are matched by
 * number if the attribute is numeric, else by text. SHOAL_EINVAL when the population lacks a
 * column, or has text where numbers are needed.
 */
SHOAL_NODISCARD shoal_status shoal_population_make_for(shoal_population **out,
                                                       const shoal_table *population,
                                                       const shoal_space *space, uint32_t threads,
                                                       shoal_error *err);

/*
 * Number of rows that fit the published values of a box (trees: the lowest common ancestor). `room`
 * is scratch of n_attrs entries.
 */
uint64_t shoal_population_in_box(const shoal_population *population, const shoal_space *space,
                                 shoal_box box, shoal_stretch *room);

/* Find the column of that name; SHOAL_EINVAL when it does not exist or is not encoded. */
SHOAL_NODISCARD shoal_status shoal_population_column(size_t *out, const shoal_table *population,
                                                     const char *name, shoal_error *err);

#endif
