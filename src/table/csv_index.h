/* SPDX-License-Identifier: Apache-2.0 */
/* csv_index.h - where the fields and lines of a stretch of CSV text end, found in one pass before anything is decoded.
 *
 * Walking from separator to separator (marks.h) guesses wrong at nearly every turn of a line; a list of all of them can be gone through
 * column by column without a branch that depends on the text. A list is only good for text without quotes: `is_plain` tells.
 */
#ifndef SHOAL_CSV_INDEX_H
#define SHOAL_CSV_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SHOAL_CSV_STRETCH = 16384, /* bytes: text, list and the columns' values stay in the nearest caches */
    SHOAL_CSV_SLACK = 64       /* entries that may be written behind the last, of no meaning */
};

/* Places are counted from the start of the stretch, which is the start of a record. */
typedef struct shoal_csv_index {
    uint32_t n_marks; /* of separators and line feeds */
    uint32_t n_feeds; /* of line feeds */
    bool is_plain;    /* neither a quote nor a NUL byte in it */
    uint16_t marks[1 + SHOAL_CSV_STRETCH + SHOAL_CSV_SLACK]; /* [0] is the byte before the stretch (-1), [i] the i-th mark */
    uint16_t feeds[1 + SHOAL_CSV_STRETCH + SHOAL_CSV_SLACK]; /* [0] is 0, feeds[i]: which of the marks is the i-th line feed */
} shoal_csv_index;

/* List the marks of `size` bytes, at most SHOAL_CSV_STRETCH, of which no more are read. The fastest way that the processor has. */
void shoal_csv_index_make(shoal_csv_index *index, const char *text, size_t size, char delimiter);
/* The same, by the way that works everywhere. */
void shoal_csv_index_make_plainly(shoal_csv_index *index, const char *text, size_t size, char delimiter);

#endif
