/* SPDX-License-Identifier: Apache-2.0 */
/* published_tuples.h - count distinct published tuples: the rows of each, and the rows that it
 * cannot be distinguished from.
 */
#ifndef SHOAL_PUBLISHED_TUPLES_H
#define SHOAL_PUBLISHED_TUPLES_H

#include "classes/classes.h"

#include <shoal/release.h>

/*
 * Published codes by column. A unit is a row, or several rows that publish the same tuple (then it
 * has a weight).
 */
typedef struct shoal_tuple_source {
    const shoal_column **columns;
    uint32_t n_columns;
    uint64_t n_units;
    const uint64_t *weights; /* rows of each unit; NULL: see `counts` */
    const uint32_t *counts;  /* rows of each unit if weights is NULL; NULL: one each */
    const uint32_t *star;    /* code of `*` in each column, or SHOAL_NO_CODE */
    const uint32_t *wild;    /* code in each column that matches all, or SHOAL_NO_CODE; or NULL */
    bool exempts_star;       /* the tuple of only `*` is no group, unless it is the only one */
} shoal_tuple_source;

typedef struct shoal_tuples {
    uint32_t n_tuples;
    uint32_t *id_of_unit;
    uint64_t *first;       /* first unit of each tuple */
    uint64_t *sizes;       /* rows of each tuple */
    uint64_t *matches;     /* rows that agree with each tuple, its own included; its size or more */
    uint32_t star_tuple;   /* the tuple of only `*`, or SHOAL_NO_CODE */
    uint32_t exempt_tuple; /* the same if it is exempt: checks skip it */
} shoal_tuples;

/*
 * Tuples are numbered by first appearance. O(units * columns), see tuple_match.c for missing
 * values.
 */
SHOAL_NODISCARD shoal_status shoal_tuples_count(shoal_tuples *out, const shoal_tuple_source *source,
                                                uint32_t threads, shoal_error *err);
void shoal_tuples_clear(shoal_tuples *tuples);

/* Does some column have a code that matches every other? */
bool shoal_has_wild_codes(const shoal_tuple_source *source);

/* Fill tuples->matches if codes of `source->wild` match everything (tuple_match.c). */
SHOAL_NODISCARD shoal_status shoal_tuples_match(shoal_tuples *tuples,
                                                const shoal_tuple_source *source, uint32_t threads,
                                                shoal_error *err);

/* The tuples of `n` columns of a loaded release; missing values by the table's mode. */
SHOAL_NODISCARD shoal_status shoal_tuples_of_release(shoal_tuples *out, const shoal_table *released,
                                                     const size_t *columns, uint32_t n,
                                                     uint32_t threads, shoal_error *err);

/*
 * Called with one tuple and the n tuples that agree with it, itself included, in no particular
 * order.
 */
typedef shoal_status (*shoal_tuple_visit_fn)(uint32_t tuple, const uint32_t *agreeing, uint32_t n,
                                             void *payload, shoal_error *err);

/*
 * Visit every tuple with the tuples that agree with it: only itself, unless a missing value matches
 * everything. The order is that of the tuples, or then pattern after pattern (tuple_match.c;
 * O(patterns * tuples * columns) and the number of agreements). Stops at the first failure.
 */
SHOAL_NODISCARD shoal_status shoal_tuples_visit(const shoal_tuples *tuples,
                                                const shoal_tuple_source *source,
                                                shoal_tuple_visit_fn visit, void *payload,
                                                shoal_error *err);

/* Callbacks that get the tuples of a release. */
typedef struct shoal_tuple_visitor {
    /* once they are counted; may be NULL */
    shoal_status (*begin)(const shoal_tuples *tuples, void *payload, shoal_error *err);
    shoal_tuple_visit_fn visit; /* may be NULL */
    void *payload;
} shoal_tuple_visitor;

/* Count the tuples of a loaded release into `out`, then visit them. */
SHOAL_NODISCARD shoal_status shoal_tuples_of_release_visit(
    shoal_tuples *out, const shoal_table *released, const size_t *columns, uint32_t n,
    uint32_t threads, const shoal_tuple_visitor *visitor, shoal_error *err);

/* Totals of the tuples, with those of fewer than k matches as failing; the exempt one counts as
 * suppressed rows alone. */
void shoal_tuples_result(shoal_check_result *out, const shoal_tuples *tuples, uint32_t k);

#endif
