/* SPDX-License-Identifier: Apache-2.0 */
/* splice.h - build a row of the release from pieces of the input and recoded texts: the fast path
 * for records without quotes.
 *
 * Adjacent columns that are published unchanged are one piece, copied together with the separators
 * between them; each quasi-identifier is a text. Records with a quote, and releases with other
 * changes, are written field by field (write_csv.c).
 */
#ifndef SHOAL_SPLICE_H
#define SHOAL_SPLICE_H

#include "publish/recode.h"

/* Copies are rounded up to this many bytes, so up to this many may be written after a row. */
enum { SHOAL_SPLICE_SLACK = 32 };

/* Columns first..last unchanged, or the text of one quasi-identifier. */
typedef struct shoal_splice_run {
    uint32_t attr; /* SHOAL_NO_CODE: copied */
    size_t first, last;
} shoal_splice_run;

typedef struct shoal_splice {
    const shoal_table *table; /* borrowed */
    shoal_splice_run *pieces;
    size_t n_pieces;
    shoal_text **texts; /* [attribute][text], quoted for CSV; 32 bytes from its start can be read */
    uint32_t n_attrs;
    char *bytes; /* of the texts */
    const char *line_end;
    size_t line_end_size;
} shoal_splice;

/*
 * Plan the rows of `table`. `attr_of_column` is SHOAL_NO_CODE for columns published unchanged;
 * `is_published` has one byte per column. False if memory is short. O(columns + bytes of the
 * distinct texts).
 */
bool shoal_splice_make(shoal_splice *out, const shoal_table *table, const shoal_recoding *recoding,
                       const uint32_t *attr_of_column, const uint8_t *is_published,
                       const char *line_end);
void shoal_splice_clear(shoal_splice *splice);

/*
 * Write a row whose record has no quote and one field per column. `marks` are those of an index of
 * `text` (csv_index.h), from this record on: marks[i] is the separator before field i, marks[i + 1]
 * the one after it. `texts` has one text number per attribute. `out` has room for the record, all
 * texts, separators, line end and SHOAL_SPLICE_SLACK. Returns the end of the row.
 */
char *shoal_splice_row(const shoal_splice *splice, char *out, const char *text,
                       const uint16_t *marks, const uint32_t *texts);

#endif
