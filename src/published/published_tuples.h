/* SPDX-License-Identifier: Apache-2.0 */
/* published_tuples.h - count distinct published tuples: how many rows each has, and with how many rows it can be confused. */
#ifndef SHOAL_PUBLISHED_TUPLES_H
#define SHOAL_PUBLISHED_TUPLES_H

#include "classes/classes.h"

#include <shoal/release.h>

/* Published codes in columns. A unit is a row, or several rows that publish the same (then it has a weight). */
typedef struct shoal_tuple_source {
    const shoal_column **columns;
    uint32_t n_columns;
    uint64_t n_units;
    const uint64_t *weights; /* rows of each unit; NULL: one each, or ... */
    const uint32_t *counts;  /* ... these, where they are not NULL */
    const uint32_t *star;    /* code of `*` in each column, or SHOAL_NO_CODE */
    const uint32_t *wild;    /* code that matches every other in each column, or SHOAL_NO_CODE; NULL: none has one */
} shoal_tuple_source;

typedef struct shoal_tuples {
    uint32_t n_tuples;
    uint32_t *id_of_unit;
    uint64_t *first;      /* a unit of each tuple: its first */
    uint64_t *sizes;      /* rows of each tuple */
    uint64_t *matches;    /* rows it cannot be told from, itself included: its size, or more where values are missing */
    uint32_t star_tuple;  /* the tuple of `*` alone, or SHOAL_NO_CODE */
} shoal_tuples;

/* Tuples are numbered by first appearance. O(units * columns), see tuple_match.c for missing values. */
SHOAL_NODISCARD shoal_status shoal_tuples_count(shoal_tuples *out, const shoal_tuple_source *source, uint32_t threads,
                                               shoal_error *err);
void shoal_tuples_clear(shoal_tuples *tuples);

/* Can a code of some column agree with every other? */
bool shoal_has_wild_codes(const shoal_tuple_source *source);

/* Fill tuples->matches where codes of `source->wild` match everything (tuple_match.c). */
SHOAL_NODISCARD shoal_status shoal_tuples_match(shoal_tuples *tuples, const shoal_tuple_source *source,
                                               uint32_t threads, shoal_error *err);

/* The tuples of columns `columns` (n of them) of a loaded release, missing values by the table's mode. */
SHOAL_NODISCARD shoal_status shoal_tuples_of_release(shoal_tuples *out, const shoal_table *released,
                                                    const size_t *columns, uint32_t n, uint32_t threads,
                                                    shoal_error *err);

/* Called with one tuple and the tuples that it cannot be told from, itself among them, in no particular order. */
typedef shoal_status (*shoal_tuple_visit_fn)(uint32_t tuple, const uint32_t *agreeing, uint32_t n, void *payload,
                                             shoal_error *err);

/*
 * Visit the tuples in order with those that agree with them: only themselves, unless a missing value agrees with everything (then pattern
 * after pattern, see tuple_match.c; O(patterns * tuples * columns) and the number of agreements). Stops at the first failure.
 */
SHOAL_NODISCARD shoal_status shoal_tuples_visit(const shoal_tuples *tuples, const shoal_tuple_source *source,
                                               shoal_tuple_visit_fn visit, void *payload, shoal_error *err);

/* Who is shown the tuples of a release. */
typedef struct shoal_tuple_visitor {
    shoal_status (*begin)(const shoal_tuples *tuples, void *payload, shoal_error *err); /* once they are counted; may be NULL */
    shoal_tuple_visit_fn visit; /* may be NULL */
    void *payload;
} shoal_tuple_visitor;

/* Both for columns of a loaded release: count its tuples into `out`, then visit them. */
SHOAL_NODISCARD shoal_status shoal_tuples_of_release_visit(shoal_tuples *out, const shoal_table *released,
                                                          const size_t *columns, uint32_t n, uint32_t threads,
                                                          const shoal_tuple_visitor *visitor, shoal_error *err);

/* Sum up what was counted. */
void shoal_tuples_result(shoal_check_result *out, const shoal_tuples *tuples, uint32_t k);

#endif
