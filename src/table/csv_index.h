/* SPDX-License-Identifier: Apache-2.0 */
/* csv_index.h - lists the separators and line feeds of a stretch of CSV text in one pass, before
 * fields are decoded.
 *
 * Walking from separator to separator (marks.h) mispredicts a branch at nearly every field; a list
 * can be processed column by column without a branch that depends on the text. Separators and line
 * feeds inside quotes are text and not listed. A list is valid only where every quote opens, closes
 * or is doubled inside a quoted field: see `is_regular`.
 */
#ifndef SHOAL_CSV_INDEX_H
#define SHOAL_CSV_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHOAL_CSV_STRETCH = 16384, /* bytes: text, list and recent values stay in the first caches */
    SHOAL_CSV_SLACK = 64       /* surplus entries that may be written after the last one */
};

/* Positions are relative to the start of the stretch, which is the start of a record. */
typedef struct shoal_csv_index {
    uint32_t n_marks; /* of separators and line feeds */
    uint32_t n_feeds; /* of line feeds */
    bool is_plain;    /* neither a quote nor a NUL byte in it */
    bool is_regular;  /* no NUL byte, and quotes only around whole fields: the list is valid */
    bool has_escape;  /* a quoted field may contain a doubled quote */
    /* [0] is the byte before the stretch (-1 as 16 bits), [i] the position of the i-th mark */
    uint16_t marks[1 + SHOAL_CSV_STRETCH + SHOAL_CSV_SLACK];
    /* [0] is 0, [i] the index in `marks` of the i-th line feed */
    uint16_t feeds[1 + SHOAL_CSV_STRETCH + SHOAL_CSV_SLACK];
} shoal_csv_index;

/*
 * List the marks of `size` bytes, at most SHOAL_CSV_STRETCH; no byte after them is read. Uses the
 * best instructions that the processor has.
 */
void shoal_csv_index_make(shoal_csv_index *index, const char *text, size_t size, char delimiter);
/* The same without special instructions. */
void shoal_csv_index_make_plainly(shoal_csv_index *index, const char *text, size_t size,
                                  char delimiter);

#endif
