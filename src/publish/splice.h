/* SPDX-License-Identifier: Apache-2.0 */
/* splice.h - a row of the release from pieces of the input and recoded texts: the quick way for records without
 * quotes.
 *
 * Adjacent columns that pass through are one piece, copied at once with the separators inside; each quasi-identifier
 * is a text. Records with a quote, and releases that put other things into a row, take the way through every field
 * (write_csv.c).
 */
#ifndef SHOAL_SPLICE_H
#define SHOAL_SPLICE_H

#include "publish/recode.h"

/* Bytes that may be written behind a row: copies are rounded up to as many. */
enum { SHOAL_SPLICE_SLACK = 32 };

/* Columns first..last as they stand, or the text of one quasi-identifier. */
typedef struct shoal_splice_run {
    uint32_t attr; /* SHOAL_NO_CODE: copied */
    size_t first, last;
} shoal_splice_run;

typedef struct shoal_splice {
    const shoal_table *table; /* borrowed */
    shoal_splice_run *pieces;
    size_t n_pieces;
    shoal_text **texts; /* of each attribute, then of each of its texts, for CSV; 32 bytes behind each may be read */
    uint32_t n_attrs;
    char *bytes; /* that the texts lie in */
    const char *line_end;
    size_t line_end_size;
} shoal_splice;

/*
 * Plan the rows of `table`. `attr_of_column` is SHOAL_NO_CODE for columns that pass through; `is_published` has one
 * byte a column. False when memory is short. O(columns + bytes of the distinct texts).
 */
bool shoal_splice_make(shoal_splice *out, const shoal_table *table, const shoal_recoding *recoding,
                       const uint32_t *attr_of_column, const uint8_t *is_published, const char *line_end);
void shoal_splice_clear(shoal_splice *splice);

/*
 * Spell a row whose record has no quote and the right number of fields. `marks` are those of an index of `text` from the record on (csv_index.h): marks[i] stands before
 * field i, marks[i + 1] behind it. `texts` has a text number for each attribute.
 * There is room at `out` for the record, all texts, separators, line end and SHOAL_SPLICE_SLACK. Returns the end of
 * what was written.
 */
char *shoal_splice_row(const shoal_splice *splice, char *out, const char *text, const uint16_t *marks, const uint32_t *texts);

#endif
