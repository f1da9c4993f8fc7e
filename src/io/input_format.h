/* SPDX-License-Identifier: Apache-2.0 */
/* input_format.h - the formats that tables are read from: one file and one row each.
 *
 * CSV is read in place. Any other format is one function: it goes through the text of a file, which
 * is complete, unpacked and UTF-8, and writes a header and rows as records (records.h). The table
 * is opened on these, so that everything behind it is the same: memory limits, windows, series,
 * manifests. To add a format: src/io/NAME.c that ends in a shoal_input_format, a row below, a line
 * in meson.build; see docs/architecture.md.
 */
#ifndef SHOAL_INPUT_FORMAT_H
#define SHOAL_INPUT_FORMAT_H

#include "io/records.h"

#include <shoal/io.h>

/* A complete text, in memory or mapped, and how it is given back. */
typedef struct shoal_whole_text {
    const char *data;
    size_t size;
    bool is_map; /* of a file: its pages may be dropped once they were read */
    shoal_release_fn release;
    void *payload;
} shoal_whole_text;

typedef struct shoal_input_format {
    shoal_io_format shown; /* what users see of it */
    /* Does a text begin as this format does? For names whose ending no format has. */
    bool (*begins)(const char *text, size_t size);
    /*
     * Write the names of the columns and the rows of a text. SHOAL_EDATA: which row and column, and
     * the fix, never a value. NULL: records as they are.
     */
    shoal_status (*read)(shoal_records *out, const char *text, size_t size, shoal_error *err);
} shoal_input_format;

/* The first is for everything that no other one claims. */
#define SHOAL_INPUT_FORMATS(ROW)                                                                   \
    ROW(csv)                                                                                       \
    ROW(jsonl)

#define SHOAL_DECLARE_FORMAT(name) extern const shoal_input_format shoal_input_##name;
SHOAL_INPUT_FORMATS(SHOAL_DECLARE_FORMAT)
#undef SHOAL_DECLARE_FORMAT

/* By the ending of `path` (.gz and .zst left out), else by the first bytes of the text. */
const shoal_input_format *shoal_input_format_find(const char *path, const char *text, size_t size);
/* The format of the ending of a path, or NULL. */
const shoal_input_format *shoal_input_format_of_path(const char *path);

/*
 * Open a table on the records of a text that the format reads. Takes the text over, also if that
 * fails.
 */
SHOAL_NODISCARD shoal_status shoal_open_records(shoal_table **out, const shoal_input_format *format,
                                                const shoal_whole_text *text,
                                                const shoal_csv_options *options, shoal_error *err);

#endif
