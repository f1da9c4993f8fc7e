/* SPDX-License-Identifier: Apache-2.0 */
/* population.h - how many rows of a population table fit what a group publishes: what k-map and delta-presence ask for.
 *
 * The distinct tuples of the population lie in a tree of halves, each half with the least and greatest place of its tuples on a
 * line for each quasi-identifier. What a group publishes is a stretch of each line, so a question visits the halves that the stretches cut.
 *
 * A line is made for the reader: places are attribute codes of the table that is published (shoal_population_make_for), or whatever
 * a reader of published texts chooses. A value that has no place there fits `*` alone.
 */
#ifndef SHOAL_POPULATION_H
#define SHOAL_POPULATION_H

#include "classes/classes.h"
#include "hierarchy/box.h"

#define SHOAL_NO_PLACE (UINT32_MAX - 1)

typedef struct shoal_population_node {
    uint32_t begin, end; /* tuples */
    uint32_t child;      /* the first of two neighbours, or 0 for a leaf */
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

/* Places lo..hi of a line; where `members` is not NULL, only those whose bit is set. */
typedef struct shoal_stretch {
    uint32_t lo, hi;
    const uint64_t *members;
} shoal_stretch;

/* What `*` fits: every place, and values without one. */
#define SHOAL_WHOLE_LINE ((shoal_stretch){ 0, UINT32_MAX, NULL })

/*
 * Read the tuples of `columns` (one per attribute) of a loaded table; `place_of_value[a]` has the place of each value of that column.
 * O(tuples log^2 tuples) time, (4 + 6 attrs) bytes or so a tuple.
 */
SHOAL_NODISCARD shoal_status shoal_population_make(shoal_population **out, const shoal_table *population,
                                                  const size_t *columns, const uint32_t *const *place_of_value,
                                                  uint32_t n_attrs, uint32_t threads, shoal_error *err);
void shoal_population_free(shoal_population *population);

/* Rows that fit all stretches (one per attribute). Safe to ask from several threads at once. */
uint64_t shoal_population_rows(const shoal_population *population, const shoal_stretch *stretches);

/* ---- beside a table that is grouped (population_box.c) ---- */

/*
 * The same with places for boxes of `space`. Columns are found by name; values are matched by number where the attribute is numeric,
 * else by text. SHOAL_EINVAL when the population lacks a column, or holds text where numbers are wanted.
 */
SHOAL_NODISCARD shoal_status shoal_population_make_for(shoal_population **out, const shoal_table *population,
                                                      const shoal_space *space, uint32_t threads, shoal_error *err);

/* Rows that fit what is published for a box: of a tree its lowest common ancestor. `room` has n_attrs entries. */
uint64_t shoal_population_in_box(const shoal_population *population, const shoal_space *space, shoal_box box,
                                 shoal_stretch *room);

/* Column of the population with that name, loaded and encoded; SHOAL_EINVAL with a message otherwise. */
SHOAL_NODISCARD shoal_status shoal_population_column(size_t *out, const shoal_table *population, const char *name,
                                                    shoal_error *err);

#endif
