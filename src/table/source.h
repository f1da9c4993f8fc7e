/* SPDX-License-Identifier: Apache-2.0 */
/* source.h - where the rows of a table are, and what can be done with them there.
 *
 * A table has one source. Its kind is one of
 *
 *     text            records of a text in memory, of a mapped file, or of a text that still grows
 *     streamed text   the same, larger than memory: the lines of the table are its distinct tuples,
 *                     and the rows are read again in windows (window.h)
 *     counted tuples  lines with a number of rows each, in text or in batches: the rows themselves
 *                     are elsewhere, in a database for instance
 *     Arrow batches   columns of record batches
 *
 * A source is opened as text or as batches. Loading the table may turn it into the kind that is
 * streamed or counted. Only the files of a source look into it; all others ask the questions below
 * and, in loops, take shoal_table_text() once before them.
 */
#ifndef SHOAL_TABLE_SOURCE_H
#define SHOAL_TABLE_SOURCE_H

#include "base/base.h"

#include <shoal/table.h>

struct shoal_arrow_batches; /* arrow_batches.h */
struct shoal_file_map;      /* map_file.h */
struct shoal_line_index;    /* line_index.h */

typedef struct shoal_source shoal_source;

/* A borrowed text, not NUL-terminated. */
typedef struct shoal_text {
    const char *data;
    size_t length;
} shoal_text;

/* One kind of source: properties and functions. */
typedef struct shoal_source_kind {
    bool has_text;    /* its lines are records of a text: shoal_table_text() */
    bool has_batches; /* its lines are in batches: shoal_table_batches() */
    bool is_streamed; /* its lines represent rows that are read in windows */
    bool is_counted;  /* its lines represent rows that are elsewhere */
    /* what it becomes when a column counts the rows of each line */
    const struct shoal_source_kind *counted;

    /* Read the rows into table->columns, n_rows and, where lines are distinct tuples, weights. */
    shoal_status (*load)(shoal_table *table, const shoal_load_options *options, shoal_error *err);
    /* Are the rows still what they were when loading began? SHOAL_EIO. */
    shoal_status (*compare)(const shoal_source *source, uint32_t threads, shoal_error *err);
    /* The text of a cell, borrowed from the source or from `arena`. SHOAL_EINVAL: it has none. */
    shoal_status (*cell)(shoal_text *out, const shoal_table *table, uint64_t row, size_t column,
                         shoal_arena *arena, shoal_error *err);
    /* Free what loading made; the source is what it was when it was opened. */
    void (*unload)(shoal_source *source);
    void (*free)(shoal_source *source);
} shoal_source_kind;

/* The first member of every source. */
struct shoal_source {
    const shoal_source_kind *kind;
    const char *name; /* of its format, which messages begin with */
};

/* ---- text ---- */

/* The text so far of a text that grows (growing.h). */
typedef struct shoal_growth {
    size_t size;
    bool is_complete;
    double share; /* of the whole, about */
} shoal_growth;

/* Make more of a text. Not called again once it is complete; after a failure it fails again. */
typedef shoal_status (*shoal_grow_fn)(void *payload, shoal_growth *now, shoal_error *err);

/* Text, streamed text, and counted tuples in text. */
typedef struct shoal_text_source {
    shoal_source base;

    /* the text, UTF-8 */
    const char *data;
    size_t size; /* while it grows: of the text so far */
    bool is_map; /* a file mapping: pages may be dropped, so encoded values are copied */
    struct shoal_file_map *file; /* of shoal_table_open_csv(), freed by `release`; else NULL */
    shoal_grow_fn grow; /* makes the rest of the text, of release_payload; NULL: it is complete */
    shoal_release_fn release;
    void *release_payload;

    /* its header */
    size_t first_line; /* offset of `sep=;`, if there is such a line, else of `head` */
    size_t head;       /* offset of the first record, the header if there is one */
    size_t body;       /* offset of the first record after the header */
    char delimiter;
    bool has_header;
    bool trailing_delimiter; /* the header ends in a separator */
    shoal_encoding encoding; /* of the file */
    bool has_mark;

    /* the original text, if `data` was made from it (join_columns.h); else `data` */
    const char *original;
    size_t original_size;
    size_t n_joined;               /* columns that were added */
    shoal_release_fn release_made; /* of `data`, where it was made; else NULL */
    void *made_payload;
    bool is_rewritten; /* joined columns are in the text already, beside their parts */

    /* its rows, after loading */
    uint64_t *row_offset; /* n_rows starts, ascending; blank lines are skipped */

    /* a window of a larger text (window.h) */
    size_t window_end;    /* records that start here or later are not read; 0: all are */
    size_t window_next;   /* the first record that was not read */
    uint64_t rows_before; /* rows of earlier windows, for messages */

    /* streamed text (csv_count.c) */
    struct shoal_line_index *index;
    bool counts_rows; /* load it this way whatever its size */
} shoal_text_source;

extern const shoal_source_kind shoal_source_text, shoal_source_streamed_text,
    shoal_source_counted_text; /* text_source.c, streamed_source.c, counted_source.c */

/* What these three have in common (text_source.c); see shoal_source_kind. */
SHOAL_NODISCARD shoal_status shoal_text_source_compare(const shoal_source *source, uint32_t threads,
                                                       shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_text_source_cell(shoal_text *out, const shoal_table *table,
                                                    uint64_t row, size_t column, shoal_arena *arena,
                                                    shoal_error *err);
void shoal_text_source_unload(shoal_source *source);
void shoal_text_source_free(shoal_source *source);

/* ---- Arrow batches ---- */

typedef struct shoal_arrow_source {
    shoal_source base;
    struct shoal_arrow_batches *batches;
} shoal_arrow_source;

extern const shoal_source_kind shoal_source_batches,
    shoal_source_counted_batches; /* arrow_source.c, counted_source.c */

/* What these two have in common (arrow_source.c); see shoal_source_kind. */
SHOAL_NODISCARD shoal_status shoal_arrow_source_compare(const shoal_source *source,
                                                        uint32_t threads, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_arrow_source_cell(shoal_text *out, const shoal_table *table,
                                                     uint64_t row, size_t column,
                                                     shoal_arena *arena, shoal_error *err);
void shoal_arrow_source_unload(shoal_source *source);
void shoal_arrow_source_free(shoal_source *source);

#endif
