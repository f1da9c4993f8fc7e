/* SPDX-License-Identifier: Apache-2.0 */
/*
 * block_writer.h - makes rows in parallel and writes them in order; helpers to write labels and
 * numbers.
 */
#ifndef SHOAL_GENERATE_BLOCK_WRITER_H
#define SHOAL_GENERATE_BLOCK_WRITER_H

#include <shoal/generate.h>

#include "base/base.h"

#include <string.h>

/*
 * Write rows first_row .. first_row + n_rows - 1 to `out` and return the end of the text. Called on
 * any thread.
 */
typedef char *(*shoal_block_fn)(char *out, uint64_t first_row, uint64_t n_rows, const void *source);

/* What to make and where to write it. */
typedef struct block_job {
    uint64_t n_rows;
    uint64_t row_space; /* upper bound of the bytes per row, > 0 */
    uint32_t threads;   /* 0 means one */
    shoal_block_fn fill;
    const void *source;
    shoal_write_fn write; /* called on the caller's thread only */
    void *payload;
} block_job;

shoal_status shoal_write_blocks(const block_job *job, shoal_error *err);

/* Write one text outside the blocks: a header, a hierarchy. `write` is not called for 0 bytes. */
shoal_status shoal_write_piece(const void *data, size_t size, shoal_write_fn write, void *payload,
                               shoal_error *err);

/*
 * A short text of fixed width: copying always 32 bytes and advancing by the length is faster than a
 * memcpy of variable size.
 */
enum { LABEL_SPACE = 32 };
typedef struct label {
    char text[LABEL_SPACE - 1];
    uint8_t size;
} label;

/* Copies LABEL_SPACE bytes; the next text overwrites the surplus. */
static inline char *put_label(char *out, const label *text)
{
    memcpy(out, text, LABEL_SPACE);
    return out + text->size;
}

static inline char *put_number(char *out, uint32_t number)
{
    char digits[10];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    memcpy(out, digits + at, sizeof digits - at);
    return out + (sizeof digits - at);
}

#endif
