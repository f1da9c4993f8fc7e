/* SPDX-License-Identifier: Apache-2.0 */
/* hierarchy_text.h - shared by the readers of hierarchy files: records, and faults found in them.
 *
 * A reader continues after a fault, so that its message can give the number of affected lines.
 */
#ifndef SHOAL_HIERARCHY_TEXT_H
#define SHOAL_HIERARCHY_TEXT_H

#include "hierarchy/draft.h"
#include "table/table_internal.h"

/* Iterates over the records of a hierarchy file; blank lines are skipped. */
typedef struct shoal_hierarchy_lines {
    const char *name; /* of the file, for messages */
    const char *at, *end;
    char delimiter;
    uint64_t line; /* first line of the current record, from 1 */
    uint64_t next_line;
    shoal_text *fields; /* of the current record; they point into the file or the arena */
    size_t n_fields;
    size_t capacity;
    shoal_arena *arena;
} shoal_hierarchy_lines;

void shoal_hierarchy_lines_begin(shoal_hierarchy_lines *lines, const char *name, const char *text,
                                 size_t size, char delimiter, shoal_arena *arena);
/* Read the next record; *more is false at the end. SHOAL_EDATA for bad quotes. */
SHOAL_NODISCARD shoal_status shoal_hierarchy_lines_next(bool *more, shoal_hierarchy_lines *lines,
                                                        shoal_error *err);
void shoal_hierarchy_lines_end(shoal_hierarchy_lines *lines);

/* A fault: its first line and the number of lines that have it. */
typedef struct shoal_trouble {
    uint64_t line;
    uint64_t other; /* the line it clashes with, if any */
    uint64_t count;
} shoal_trouble;

static inline void shoal_trouble_note(shoal_trouble *trouble, uint64_t line, uint64_t other)
{
    if (trouble->count++ == 0) trouble->line = line, trouble->other = other;
}

static inline bool shoal_text_is(shoal_text text, const char *word, size_t length)
{
    return text.length == length && (length == 0 || __builtin_memcmp(text.data, word, length) == 0);
}

static inline bool shoal_text_is_star(shoal_text text)
{
    return shoal_text_is(text, "*", 1);
}

static inline bool shoal_texts_equal(shoal_text a, shoal_text b)
{
    return shoal_text_is(a, b.data, b.length);
}

/* ---- the two formats ---- */

/* Read a level file; `lines` is at its beginning. */
SHOAL_NODISCARD shoal_status shoal_level_file_read(shoal_hierarchy **out,
                                                   shoal_hierarchy_lines *lines, shoal_error *err);

/* Is the current record the header of a child,parent table? */
bool shoal_parent_table_is_header(const shoal_hierarchy_lines *lines);
/* Is this file of two columns a child,parent table? */
SHOAL_NODISCARD shoal_status shoal_parent_table_detect(bool *is_one, shoal_hierarchy_lines *lines,
                                                       shoal_error *err);
/* Read a child,parent table; `lines` is at its beginning. */
SHOAL_NODISCARD shoal_status shoal_parent_table_read(shoal_hierarchy **out,
                                                     shoal_hierarchy_lines *lines,
                                                     shoal_error *err);

#endif
