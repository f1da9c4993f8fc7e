/* SPDX-License-Identifier: Apache-2.0 */
/* recoder.h - publish a row that was not there when a release was made, as the release publishes others.
 *
 * A row takes the texts of the published tuple that covers it in every quasi-identifier and loses least; ties go to the tuple
 * of more rows, then to the one that appears first. Where no tuple covers it, and for columns that are no
 * quasi-identifiers, each value by itself takes the text that most rows with that value have; a value that no row has takes the
 * text that covers it and loses least; else it is unknown. The tuple of `*` alone is never taken,
 * nor `*` for a value by itself: a row unlike all others is no reason to forget what is known of it.
 *
 * With full-domain recoding this is the recoding itself: a value always has one text.
 *
 * Only training rows count: all rows of the release but those held out.
 * Cost: making O(rows * columns), and one bit for each (distinct value, distinct tuple); a row O(columns * tuples / 64) at worst.
 */
#ifndef SHOAL_RECODER_H
#define SHOAL_RECODER_H

#include "published/published.h"

typedef struct shoal_recoder_column {
    const shoal_column *original, *released; /* borrowed */
    shoal_published published;
    bool *says_nothing;      /* texts that are `*` or cannot be read */
    uint32_t *pair_of_row;   /* (original value, published text) of each row of the release, numbered */
    uint32_t n_pairs;
    uint32_t *pair_value, *pair_text;
    uint64_t *pair_rows, *text_rows; /* of training */
    uint64_t *covers;        /* quasi-identifiers: [value][word], one bit a tuple in the order of preference */
    uint32_t *text_of_value; /* what a value takes by itself, or SHOAL_NO_CODE */
} shoal_recoder_column;

typedef struct shoal_recoder {
    uint32_t n_columns, n_quasi; /* quasi-identifiers come first */
    shoal_recoder_column *columns;
    uint64_t n_rows;             /* of the release */
    uint32_t n_tuples;
    size_t n_words;
    uint32_t *tuple_of_row;      /* by preference: 0 loses least */
    uint32_t *texts;             /* [tuple][quasi-identifier] */
    bool *is_star;               /* of each tuple: does it say nothing at all? */
    uint64_t *tuple_rows;        /* of training */
} shoal_recoder;

/* What is learnt from: columns of an original and of its release, in one order. */
typedef struct shoal_recoder_source {
    const shoal_table *original;
    const shoal_space *space;             /* columns of the original, quasi-identifiers first */
    uint32_t n_quasi;
    const shoal_column *const *released;  /* the column of each attribute in the release */
    uint64_t n_rows;                      /* of the release */
    const uint32_t *original_row;         /* of each row of the release; NULL: the same row */
} shoal_recoder_source;

/* Then say with shoal_recoder_hold_out() which rows are not for training. */
SHOAL_NODISCARD shoal_status shoal_recoder_make(shoal_recoder *out, const shoal_recoder_source *source, shoal_error *err);
/* Learn from all rows but those with held_out[row]; NULL: from all. */
SHOAL_NODISCARD shoal_status shoal_recoder_hold_out(shoal_recoder *recoder, const uint8_t *held_out, shoal_error *err);
void shoal_recoder_clear(shoal_recoder *recoder);

/* The text of each column for row `row` of the original, SHOAL_NO_CODE where unknown. True if a tuple covered it. */
bool shoal_recoder_recode(const shoal_recoder *recoder, uint64_t row, uint32_t *texts);

#endif
