/* SPDX-License-Identifier: Apache-2.0 */
/* series_judge.h - does a slice of a group satisfy k and the models by itself? */
#ifndef SHOAL_SERIES_JUDGE_H
#define SHOAL_SERIES_JUDGE_H

#include "privacy/constraint.h"
#include "series/series_terms.h"

/* Rows that have one value. */
typedef struct shoal_counted_value {
    uint32_t value;
    uint32_t count;
} shoal_counted_value;

typedef struct shoal_series_judge {
    uint32_t k;
    bool by_person;
    char *text;          /* of `values` */
    shoal_table *values; /* a line for each value of the pool: input of the models; or NULL */
    shoal_constraint *constraint; /* NULL: no models */
    shoal_evidence evidence;
    uint64_t *persons; /* scratch */
    size_t person_room;
} shoal_series_judge;

/* For the values that the pool has now. End with shoal_series_judge_clear(). */
SHOAL_NODISCARD shoal_status shoal_series_judge_make(shoal_series_judge *out,
                                                     const shoal_series_terms *terms,
                                                     const shoal_tuple_pool *values,
                                                     shoal_error *err);
void shoal_series_judge_clear(shoal_series_judge *judge);

/* Are these none, or k rows that satisfy the models? What a reader of text can count. */
bool shoal_series_judge_counts(shoal_series_judge *judge, const shoal_counted_value *counts,
                               size_t n);

/* The same of rows of a state, which must also be of k persons where these are counted. */
SHOAL_NODISCARD shoal_status shoal_series_judge_rows(bool *holds, shoal_series_judge *judge,
                                                     const shoal_series_row *const *rows, size_t n,
                                                     shoal_error *err);

/*
 * May a slot hold `now` in the next release? For each earlier release: what has come since and what
 * has left since, as multisets of values, must be none or satisfy k and the models.
 */
SHOAL_NODISCARD shoal_status shoal_series_judge_slot(bool *holds, shoal_series_judge *judge,
                                                     const shoal_series_past *history,
                                                     size_t n_history,
                                                     const shoal_counted_value *now, size_t n_now,
                                                     shoal_error *err);

#endif
