/* SPDX-License-Identifier: Apache-2.0 */
/* csv_scan.c - finds the end of a field, and its value.
 *
 * The grammar is RFC 4180, relaxed for real files: a field whose first byte is a quote extends to
 * the closing quote (line ends and separators inside are text, "" is a quote); any other field
 * extends to the next separator or line end, and quotes inside are plain text. A line ends in LF or
 * CRLF; at the end of the text the line end may be missing. A CR elsewhere is text. Has no state:
 * libshoal-io carries a copy of this file.
 */
#include "table/csv.h"

/* After the last byte of a field: skip a separator or a line end. */
static shoal_field_end end_field(const char **at, const char *end, char delimiter)
{
    const char *p = *at;
    if (p == end) return SHOAL_FIELD_LAST;
    if (*p == delimiter) {
        *at = p + 1;
        return SHOAL_FIELD_MORE;
    }
    if (*p == '\r' && (p + 1 == end || p[1] == '\n')) p++;
    if (p < end && *p != '\n') return SHOAL_FIELD_GARBAGE;
    *at = p < end ? p + 1 : end;
    return SHOAL_FIELD_LAST;
}

static shoal_field_end scan_quoted(shoal_field *out, const char **at, const char *end,
                                   char delimiter)
{
    const char *p = *at + 1;
    *out = (shoal_field){ .begin = *at, .is_quoted = true };
    for (;;) {
        p = p < end ? memchr(p, '"', (size_t)(end - p)) : NULL;
        if (p == NULL) {
            out->end = end;
            *at = end;
            return SHOAL_FIELD_UNCLOSED;
        }
        if (p + 1 == end || p[1] != '"') break;
        out->has_escape = true;
        p += 2;
    }
    out->end = *at = p + 1;
    return end_field(at, end, delimiter);
}

shoal_field_end shoal_scan_field(shoal_field *out, const char **at, const char *end, char delimiter)
{
    if (*at < end && **at == '"') return scan_quoted(out, at, end, delimiter);
    const char *p = *at;
    while (p < end && *p != delimiter && *p != '\n') p++;
    *out = (shoal_field){ .begin = *at, .end = p };
    bool is_last = p == end || *p == '\n';
    if (is_last && p > *at && p[-1] == '\r') out->end = p - 1;
    *at = p < end ? p + 1 : end;
    return is_last ? SHOAL_FIELD_LAST : SHOAL_FIELD_MORE;
}

size_t shoal_csv_unescape(char *out, const shoal_field *field)
{
    size_t length = 0;
    for (const char *p = field->begin + 1; p < field->end - 1; p++) {
        out[length++] = *p;
        if (*p == '"') p++; /* the second of a pair */
    }
    return length;
}

shoal_text shoal_field_value(const shoal_field *field, shoal_arena *arena)
{
    size_t length = (size_t)(field->end - field->begin);
    if (!field->is_quoted) return (shoal_text){ field->begin, length };
    if (!field->has_escape) return (shoal_text){ field->begin + 1, length - 2 };
    char *copy = shoal_arena_alloc(arena, length);
    if (copy == NULL) return (shoal_text){ NULL, 0 };
    return (shoal_text){ copy, shoal_csv_unescape(copy, field) };
}

bool shoal_csv_is_line_end(const char *p, const char *end)
{
    return *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] == '\n'));
}

const char *shoal_csv_skip_blank_lines(const char *at, const char *end)
{
    while (at < end && shoal_csv_is_line_end(at, end)) at++;
    return at;
}

uint64_t shoal_csv_line(const shoal_table *table, size_t offset)
{
    uint64_t line = 1;
    for (size_t i = 0; i < offset; i++) line += shoal_table_text(table)->data[i] == '\n';
    return line;
}

shoal_status shoal_csv_report(const shoal_load_options *options, double fraction, shoal_error *err)
{
    if (!shoal_progress_stops(options->callbacks, "read", fraction)) return SHOAL_OK;
    return shoal_fail(err, SHOAL_ECANCELLED, "{source csv}: reading was stopped on request");
}
