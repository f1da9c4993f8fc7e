/* SPDX-License-Identifier: Apache-2.0 */
/* records.c - see records.h. */
#define _POSIX_C_SOURCE 200809L
#include "io/records.h"

#include "base/temp_file.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { FORGET_STEP = 4 << 20 }; /* bytes of text between two calls that drop pages */

/* A row of one empty cell would be a blank line, which is no record; a first name that begins with
 * a byte order mark would lose it. */
static bool needs_quotes(const shoal_records *out, const char *data, size_t length)
{
    if (length == 0) return out->n_columns == 1 || out->n_rows == 0;
    if (out->n_rows == 0 && data[0] == '\xef') return true;
    for (size_t i = 0; i < length; i++)
        if (data[i] == out->delimiter || data[i] == '"' || data[i] == '\n' || data[i] == '\r')
            return true;
    return false;
}

void shoal_records_cell(shoal_records *out, const char *data, size_t length)
{
    shoal_buffer *text = &out->text;
    if (out->n_cells++ > 0) shoal_buffer_add(text, &out->delimiter, 1);
    if (!needs_quotes(out, data, length)) {
        if (length > 0) shoal_buffer_add(text, data, length);
        return;
    }
    shoal_buffer_add(text, "\"", 1);
    for (const char *quote; length > 0 && (quote = memchr(data, '"', length)) != NULL;) {
        size_t n = (size_t)(quote - data) + 1;
        shoal_buffer_add(text, data, n);
        shoal_buffer_add(text, "\"", 1);
        data += n;
        length -= n;
    }
    if (length > 0) shoal_buffer_add(text, data, length);
    shoal_buffer_add(text, "\"", 1);
}

static shoal_status fail_spill(int failure, shoal_error *err)
{
    if (failure == ENOMEM) return shoal_fail_memory(err);
    return shoal_fail(
        err, SHOAL_EIO,
        "the rows cannot be put into a file in TMPDIR: %s {fix} set TMPDIR to a folder "
        "with room, or raise {--memory-limit}",
        strerror(failure));
}

/* The text so far goes to the file. */
static shoal_status spill_text(shoal_records *out, shoal_error *err)
{
    int failure = out->spill < 0 ? shoal_temp_file_spill(&out->spill) : 0;
    if (failure == 0) failure = shoal_write_all(out->spill, out->text.data, out->text.size);
    out->text.size = 0;
    return failure == 0 ? SHOAL_OK : fail_spill(failure, err);
}

shoal_status shoal_records_end_row(shoal_records *out, shoal_error *err)
{
    assert(out->n_rows == 0 || out->n_cells == out->n_columns);
    if (out->n_rows++ == 0) out->n_columns = out->n_cells;
    out->n_cells = 0;
    shoal_buffer_add(&out->text, "\n", 1);
    if (out->text.failed) return shoal_fail_memory(err);
    return out->limit > 0 && out->text.size > out->limit ? spill_text(out, err) : SHOAL_OK;
}

void shoal_records_seen(shoal_records *out, const char *at)
{
    if (!out->text_is_map) return;
    if (out->forgotten == NULL || at < out->forgotten) out->forgotten = at;
    if (at - out->forgotten < FORGET_STEP) return;
    shoal_pages_forget(out->forgotten, (size_t)(at - out->forgotten));
    out->forgotten = at;
}

shoal_status shoal_records_finish(shoal_records *out, shoal_error *err)
{
    return out->spill < 0 ? SHOAL_OK : spill_text(out, err);
}

void shoal_records_clear(shoal_records *out)
{
    shoal_buffer_clear(&out->text);
    if (out->spill >= 0) close(out->spill);
    out->spill = -1;
}
