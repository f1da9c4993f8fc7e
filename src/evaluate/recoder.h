/* SPDX-License-Identifier: Apache-2.0 */
/* recoder.h - recode a row that was not in the input of a release, like the rows of the release.
 *
 * A row gets the texts of the published tuple that covers it in every quasi-identifier and has the
 * least loss; ties go to the tuple with more rows, then to the first. If no tuple covers it, and
 * for other columns, each value gets the text of most rows with that value; a value of no row gets
 * the covering text of least loss; else it is unknown. The tuple of only `*` is never used, nor `*`
 * for a single value, because that would drop known values of a row that has no similar rows.
 *
 * With full-domain recoding this is the recoding itself: each value always has the same text.
 *
 * Only training rows count: all rows of the release except those held out.
 * Cost: O(rows * columns) and one bit per (distinct value, distinct tuple) to make; O(columns *
 * tuples / 64) per row at worst.
 */
#ifndef SHOAL_RECODER_H
#define SHOAL_RECODER_H

#include "published/published.h"

typedef struct shoal_recoder_column {
    const shoal_column *original, *released; /* borrowed */
    shoal_published published;
    bool *says_nothing;    /* of each text: is it `*` or unreadable? */
    uint32_t *pair_of_row; /* number of (original value, published text) of each released row */
    uint32_t n_pairs;
    uint32_t *pair_value, *pair_text;
    uint64_t *pair_rows, *text_rows; /* training rows */
    uint64_t *covers;                /* quasi-identifiers: [value][word], one bit per tuple */
    uint32_t *text_of_value;         /* text for a single value, or SHOAL_NO_CODE */
} shoal_recoder_column;

typedef struct shoal_recoder {
    uint32_t n_columns, n_quasi; /* quasi-identifiers come first */
    shoal_recoder_column *columns;
    uint64_t n_rows; /* of the release */
    uint32_t n_tuples;
    size_t n_words;
    uint32_t *tuple_of_row; /* numbered by preference: 0 has the least loss */
    uint32_t *texts;        /* [tuple][quasi-identifier] */
    bool *is_star;          /* of each tuple: only `*` and unreadable texts */
    uint64_t *tuple_rows;   /* training rows */
} shoal_recoder;

/* Training data: columns of an original and of its release, in one order. */
typedef struct shoal_recoder_source {
    const shoal_table *original;
    const shoal_space *space; /* columns of the original, quasi-identifiers first */
    uint32_t n_quasi;
    const shoal_column *const *released; /* the column of each attribute in the release */
    uint64_t n_rows;                     /* of the release */
    const uint32_t *original_row;        /* of each row of the release; NULL: the same row */
} shoal_recoder_source;

/* Afterwards call shoal_recoder_hold_out() to exclude rows from training. */
SHOAL_NODISCARD shoal_status shoal_recoder_make(shoal_recoder *out,
                                                const shoal_recoder_source *source,
                                                shoal_error *err);
/* Train on all rows but those with held_out[row]; NULL: on all. */
SHOAL_NODISCARD shoal_status shoal_recoder_hold_out(shoal_recoder *recoder, const uint8_t *held_out,
                                                    shoal_error *err);
void shoal_recoder_clear(shoal_recoder *recoder);

/*
 * The text of each column for row `row` of the original, or SHOAL_NO_CODE. True if a tuple covers
 * the row.
 */
bool shoal_recoder_recode(const shoal_recoder *recoder, uint64_t row, uint32_t *texts);

#endif
