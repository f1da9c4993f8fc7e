/* SPDX-License-Identifier: Apache-2.0 */
/* window.h - reads a CSV table that is larger than memory, one window of records at a time.
 *
 *     SHOAL_RETURN_IF_ERROR(shoal_window_open(&w, table, bytes, threads));
 *     while (shoal_window_next(&w, &is_there, err) == SHOAL_OK && is_there) ... w.rows ...
 *     shoal_window_close(&w);
 *
 * A window holds all records that start in its bytes. Its columns are encoded as text; types and
 * missing values of the table are ignored. Codes of one window mean nothing in another:
 * line_index.h combines them.
 */
#ifndef SHOAL_WINDOW_H
#define SHOAL_WINDOW_H

#include "table/table_internal.h"

typedef struct shoal_window {
    const shoal_table *table; /* borrowed; opened, with roles */
    shoal_table rows;         /* the records of this window; text.rows_before precede it */
    shoal_text_source text;   /* the source of `rows`, so that a window must not be copied */
    size_t bytes;             /* of text per window */
    uint32_t threads;
} shoal_window;

SHOAL_NODISCARD shoal_status shoal_window_open(shoal_window *window, const shoal_table *table,
                                               size_t bytes, uint32_t threads, shoal_error *err);
/* Load the next window; `*is_there` is false when none is left. O(bytes of the window). */
SHOAL_NODISCARD shoal_status shoal_window_next(shoal_window *window, bool *is_there,
                                               shoal_error *err);
void shoal_window_close(shoal_window *window);

/* The end of the window as a fraction of the table's text. */
double shoal_window_progress(const shoal_window *window);

#endif
