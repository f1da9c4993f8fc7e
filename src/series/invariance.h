/* SPDX-License-Identifier: Apache-2.0 */
/* invariance.h - a release of a series with m-invariance (Xiao and Tao 2007) while it is made.
 *
 * A *signature* is a set of at least m sensitive values. A group has one row of each value of its
 * signature; a record is in groups of one and the same signature in all releases that have it.
 * Where no record has a value that a group needs, the row is a counterfeit.
 *
 * In the state of such a series the pool of slots has the signatures, each as one text, and a row
 * is a record that was published: its slot is its signature, `arrived` the newest release with it,
 * and its value is 0: which of the values is its own is not kept.
 */
#ifndef SHOAL_INVARIANCE_H
#define SHOAL_INVARIANCE_H

#include "hierarchy/box.h"
#include "series/series_change.h"

/* ---- signatures (invariance_signatures.c) ---- */

/* The number of a set of values, ascending; SHOAL_NO_CODE when memory is short. */
uint32_t shoal_signature_add(shoal_tuple_pool *pool, const uint32_t *values, uint32_t n);
uint32_t shoal_signature_size(const shoal_tuple_pool *pool, uint32_t signature);
/* Value number `i` of it. */
uint32_t shoal_signature_value(const shoal_tuple_pool *pool, uint32_t signature, uint32_t i);
/* The place of a value in it, or SHOAL_NO_CODE. O(log values). */
uint32_t shoal_signature_find(const shoal_tuple_pool *pool, uint32_t signature, uint32_t value);
/* Are these m different values of the pool of values? */
bool shoal_signature_holds(const shoal_tuple_pool *pool, uint32_t signature, uint32_t m,
                           uint32_t n_values);

/* SHOAL_EINVAL where m-invariance cannot be combined with another option. */
SHOAL_NODISCARD shoal_status shoal_invariance_refuse(const shoal_table *table,
                                                     const shoal_plan *plan, shoal_error *err);

/* ---- division, balancing, assignment (invariance_assign.c) ---- */

/* Rows with their values and signatures. */
typedef struct shoal_signed_rows {
    uint32_t m;
    uint64_t n_rows;
    const uint32_t *values; /* of each row */
    uint32_t n_values;      /* above all of them */
    uint32_t *signatures;   /* of each row; SHOAL_NO_CODE: new. In and out */
    shoal_tuple_pool *pool; /* of the signatures; gets new ones */
} shoal_signed_rows;

/*
 * Give new rows signatures: those of records published before where these would need counterfeits,
 * then sets of their own. Rows that keep SHOAL_NO_CODE can be in no group. False: memory is short.
 */
SHOAL_NODISCARD bool shoal_signed_rows_assign(shoal_signed_rows *rows);

/* ---- groups (invariance_split.c) ---- */

/* Group g has rows begin[g] .. begin[g + 1] - 1, in the order of the values of its signature;
 * SHOAL_NO_CODE: a counterfeit. */
typedef struct shoal_signed_groups {
    uint32_t n;
    uint32_t *signatures;
    uint64_t *begin;
    uint32_t *rows;
    shoal_range *ranges; /* boxes of the records of each group */
    uint64_t *words;
} shoal_signed_groups;

/* Split the rows of each signature into groups. False: memory is short. */
SHOAL_NODISCARD bool shoal_signed_groups_make(shoal_signed_groups *out,
                                              const shoal_signed_rows *rows,
                                              const shoal_space *space);
void shoal_signed_groups_clear(shoal_signed_groups *groups);

/* ---- a release ---- */

typedef struct shoal_invariance {
    shoal_change *change;
    shoal_space space;
    shoal_signed_rows rows;
    shoal_signed_groups groups;
    uint32_t *group_of_row; /* its number in the release, from 1; 0: it is not published */
    /* found in the text */
    uint32_t *found_signatures; /* of each row of the table that is published */
    uint64_t n_counterfeits, n_counterfeit_groups;
    shoal_check_result check;
} shoal_invariance;

/* Match, divide, balance, assign, split (invariance_release.c). */
SHOAL_NODISCARD shoal_status shoal_invariance_decide(shoal_invariance *v, shoal_error *err);
void shoal_invariance_clear(shoal_invariance *v);
/* The loss of an independent release, as if nothing had been published before. */
SHOAL_NODISCARD shoal_status shoal_invariance_anew(double *gcp, const shoal_invariance *v,
                                                   shoal_error *err);
/* The state after the release, from what was found in its text. False: memory is short. */
SHOAL_NODISCARD bool shoal_invariance_next(shoal_series_state *next, const shoal_invariance *v,
                                           const char *settings);

/* The release and its table of counterfeits as CSV (invariance_write.c). */
SHOAL_NODISCARD shoal_status shoal_invariance_write(shoal_invariance *v, const shoal_sink *sink,
                                                    shoal_error *err);

/* The texts of a release, read: rows by group (invariance_read.c). */
typedef struct shoal_signed_text {
    shoal_table *table; /* of the text, which must outlive it */
    uint32_t n_groups;
    uint64_t *begin;  /* rows of group g, which is number g + 1 in the text */
    uint32_t *rows;   /* of the text */
    uint32_t *values; /* of each row of the text, in the pool of the state */
} shoal_signed_text;

/*
 * SHOAL_EUNSAT: it is no text of groups that have m different values each and one text for each
 * quasi-identifier. End with shoal_signed_text_clear(), also after a failure.
 */
SHOAL_NODISCARD shoal_status shoal_signed_text_read(shoal_signed_text *out, shoal_change *c,
                                                    const char *text, size_t size,
                                                    shoal_error *err);
void shoal_signed_text_clear(shoal_signed_text *text);
/* The signature of a group of the text, added to the pool if it is new. False: memory is short. */
SHOAL_NODISCARD bool shoal_signed_text_signature(uint32_t *out, const shoal_signed_text *text,
                                                 shoal_tuple_pool *pool, uint32_t group);

/* Check the texts against table and state, and measure them (invariance_verify.c). */
SHOAL_NODISCARD shoal_status shoal_invariance_verify(shoal_invariance *v,
                                                     const shoal_sink_text *release,
                                                     const shoal_sink_text *counterfeits,
                                                     shoal_error *err);
/* The audit of such a series, and a file of it: *is_same is false where it is not what it should
 * be (invariance_check.c). */
SHOAL_NODISCARD shoal_status shoal_invariance_check_state(bool *holds, const shoal_change *c,
                                                          shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_invariance_check_text(bool *is_same, shoal_change *c,
                                                         uint32_t release, const char *text,
                                                         size_t size, shoal_error *err);

#endif
