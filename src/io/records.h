/* SPDX-License-Identifier: Apache-2.0 */
/* records.h - rows that a reader of another format writes: CSV text in memory or, beyond a limit,
 * in a file without a name.
 *
 *     for each column: shoal_records_cell(out, name, length);
 *     shoal_records_end_row(out, err);                  the header
 *     for each row: its cells, then shoal_records_end_row(out, err)
 */
#ifndef SHOAL_RECORDS_H
#define SHOAL_RECORDS_H

#include "base/base.h"

typedef struct shoal_records {
    shoal_buffer text; /* what is not in the file yet */
    char delimiter;
    uint64_t limit;        /* bytes in memory; 0: all */
    int spill;             /* the file, or -1 */
    size_t n_columns;      /* of the header, once it has ended */
    size_t n_cells;        /* of the row so far */
    uint64_t n_rows;       /* that have ended, the header included */
    const char *forgotten; /* pages of the text before this were dropped */
    bool text_is_map;
} shoal_records;

/* A cell of the row; a memory that is short is found by shoal_records_end_row(). */
void shoal_records_cell(shoal_records *out, const char *data, size_t length);
/* The row is complete, with one cell for each column. SHOAL_ENOMEM, SHOAL_EIO. */
SHOAL_NODISCARD shoal_status shoal_records_end_row(shoal_records *out, shoal_error *err);
/* The text was read up to `at`: pages before it may be dropped. Going back to its start is fine. */
void shoal_records_seen(shoal_records *out, const char *at);

/* What is left goes to the file, if there is one. */
SHOAL_NODISCARD shoal_status shoal_records_finish(shoal_records *out, shoal_error *err);
void shoal_records_clear(shoal_records *out);

#endif
