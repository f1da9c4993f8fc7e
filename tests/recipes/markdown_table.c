/* SPDX-License-Identifier: Apache-2.0 */
/* markdown_table.c - a table of Markdown as an input format:
 *
 *     | name | age |
 *     |------|-----|
 *     | Ann  | 34  |
 *
 * The fifth recipe of docs/architecture.md: this file, its row in src/io/input_format.h, its line
 * in src/io/meson.build. Cost: O(size) time, one record of memory.
 */
#include "io/input_format.h"

#include <string.h>

static const char *trim(const char *at, const char *end, size_t *length)
{
    while (at < end && *at == ' ') at++;
    while (end > at && end[-1] == ' ') end--;
    *length = (size_t)(end - at);
    return at;
}

static shoal_status read_markdown(shoal_records *out, const char *text, size_t size,
                                  shoal_error *err)
{
    const char *end = text + size;
    for (uint64_t line = 1; text < end; line++) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        if (line_end == NULL) line_end = end;
        bool is_rule = line == 2; /* |---|---| */
        for (const char *at = text; at < line_end && !is_rule; at++) {
            const char *bar = memchr(at + 1, '|', (size_t)(line_end - at - 1));
            if (*at != '|' || bar == NULL) break;
            size_t length;
            const char *cell = trim(at + 1, bar, &length);
            shoal_records_cell(out, cell, length);
            at = bar - 1;
        }
        if (!is_rule && (out->n_cells == 0 || (line > 1 && out->n_cells != out->n_columns)))
            return shoal_fail(err, SHOAL_EDATA,
                              "{source markdown}: line {line %llu} has not the columns of the "
                              "header {fix} write | cell | cell | with a cell for each column",
                              (unsigned long long)line);
        if (!is_rule) SHOAL_RETURN_IF_ERROR(shoal_records_end_row(out, err));
        shoal_records_seen(out, line_end);
        text = line_end + (line_end < end);
    }
    return SHOAL_OK;
}

const shoal_input_format shoal_input_markdown_table = {
    .shown = { "markdown", ".md", "a table of Markdown: | cell | cell |" },
    .read = read_markdown,
};
