/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy_text.c - reads the records of a hierarchy file one at a time, with their line numbers.
 *
 * A record with a quoted label may extend over several lines; its number is that of the first one.
 */
#include "hierarchy/hierarchy_text.h"

#include <inttypes.h>
#include <string.h>

void shoal_hierarchy_lines_begin(shoal_hierarchy_lines *lines, const char *name, const char *text,
                                 size_t size, char delimiter, shoal_arena *arena)
{
    *lines = (shoal_hierarchy_lines){ .name = name,
                                      .at = text,
                                      .end = text + size,
                                      .delimiter = delimiter,
                                      .next_line = 1,
                                      .arena = arena };
}

void shoal_hierarchy_lines_end(shoal_hierarchy_lines *lines)
{
    shoal_free(lines->fields);
    lines->fields = NULL;
    lines->capacity = 0;
}

static void skip_blank_lines(shoal_hierarchy_lines *lines)
{
    for (;;) {
        const char *at = lines->at;
        if (at < lines->end && *at == '\r') at++;
        /* a carriage return alone at the end is not a record */
        if (at == lines->end) lines->at = lines->end;
        if (at == lines->end || *at != '\n') return;
        lines->at = at + 1;
        lines->next_line++;
    }
}

static shoal_status add_field(shoal_hierarchy_lines *lines, const shoal_field *field,
                              shoal_error *err)
{
    void *block = lines->fields;
    if (!shoal_reserve(&block, &lines->capacity, lines->n_fields + 1, sizeof *lines->fields))
        return shoal_fail_memory(err);
    lines->fields = block;
    shoal_text value = shoal_field_value(field, lines->arena);
    if (value.data == NULL) return shoal_fail_memory(err);
    lines->fields[lines->n_fields++] = value;
    return SHOAL_OK;
}

shoal_status shoal_hierarchy_lines_next(bool *more, shoal_hierarchy_lines *lines, shoal_error *err)
{
    skip_blank_lines(lines);
    lines->n_fields = 0;
    lines->line = lines->next_line;
    *more = lines->at < lines->end;
    if (!*more) return SHOAL_OK;
    const char *begin = lines->at;
    for (shoal_field_end end = SHOAL_FIELD_MORE; end == SHOAL_FIELD_MORE;) {
        shoal_field field;
        end = shoal_scan_field(&field, &lines->at, lines->end, lines->delimiter);
        if (end == SHOAL_FIELD_UNCLOSED)
            return shoal_fail(
                err, SHOAL_EDATA,
                "hierarchy '{file %s}': line {line %" PRIu64
                "}: unterminated quote {fix} close it, or double the quotes inside a quoted label",
                lines->name, lines->line);
        if (end == SHOAL_FIELD_GARBAGE)
            return shoal_fail(err, SHOAL_EDATA,
                              "hierarchy '{file %s}': line {line %" PRIu64
                              "}: text after a closing quote {fix} double the quotes inside"
                              " a quoted label",
                              lines->name, lines->line);
        SHOAL_RETURN_IF_ERROR(add_field(lines, &field, err));
    }
    for (const char *p = begin; (p = memchr(p, '\n', (size_t)(lines->at - p))) != NULL; p++)
        lines->next_line++;
    return SHOAL_OK;
}
