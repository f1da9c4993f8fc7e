/* SPDX-License-Identifier: Apache-2.0 */
/* line_index.h - the distinct tuples of a table that is larger than memory, with their numbers of
 * rows.
 *
 * Windows (window.h) are entered one after the other; tuples are numbered by first appearance,
 * independent of the size of the windows. Each tuple becomes a line of the table. Later passes over
 * the same text look up the lines of rows.
 *
 * Memory per line: 8 bytes per packed word, 4 for the count, 6 to 12 for slots; and each distinct
 * text once.
 */
#ifndef SHOAL_LINE_INDEX_H
#define SHOAL_LINE_INDEX_H

#include "table/dictionary.h"

typedef struct shoal_line_index {
    uint32_t n_columns;
    size_t *columns;         /* the encoded columns of the table */
    shoal_dictionary *texts; /* per column, in order of appearance */
    shoal_arena arena;       /* holds the texts */
    uint32_t **code_of_text; /* per column: code in the table; set when the columns are encoded */
    uint32_t *merged;        /* of each line: its line in the table, where spellings of one value
                                made several lines of it; NULL: the same */
    uint8_t *width;          /* per column: bytes of a text number in a key, 1, 2 or 4 */
    uint32_t *word, *shift;  /* per column: its position in a key */
    uint32_t n_words;        /* of a key */
    uint64_t *keys;
    uint32_t *counts; /* rows of each line */
    uint32_t n_lines;
    size_t key_room, count_room;
    uint32_t *slots; /* line + 1, or 0 */
    size_t n_slots;
    size_t window_bytes;   /* text per window */
    uint64_t memory_limit; /* of the load that made the index */
    uint64_t need;         /* bytes that a search over its lines takes in all, as reckoned */
} shoal_line_index;

SHOAL_NODISCARD shoal_status shoal_line_index_make(shoal_line_index **out, const shoal_table *table,
                                                   size_t window_bytes, shoal_error *err);
void shoal_line_index_free(shoal_line_index *index);

/* Enter the rows of a window and count them. O(rows * columns). */
SHOAL_NODISCARD shoal_status shoal_line_index_enter(shoal_line_index *index,
                                                    const shoal_table *rows, uint32_t threads,
                                                    shoal_error *err);

/*
 * Write the line of each row of a window to `lines`. SHOAL_EDATA when a row was not entered: the
 * text has changed.
 */
SHOAL_NODISCARD shoal_status shoal_line_index_find(uint32_t *lines, const shoal_line_index *index,
                                                   const shoal_table *rows, uint32_t threads,
                                                   shoal_error *err);

/*
 * Write the table's code of each value of a window's column to `codes` (n_values entries); `i` is
 * the number of the column in the index. SHOAL_EDATA as above.
 */
SHOAL_NODISCARD shoal_status shoal_line_index_codes(uint32_t *codes, const shoal_line_index *index,
                                                    uint32_t i, const shoal_table *rows,
                                                    shoal_error *err);

/* Number of the text that a line has in column number `i` of the index. */
static inline uint32_t shoal_line_text(const shoal_line_index *index, uint32_t line, uint32_t i)
{
    uint64_t word = index->keys[(size_t)line * index->n_words + index->word[i]] >> index->shift[i];
    return index->width[i] == 4   ? (uint32_t)word
           : index->width[i] == 2 ? (uint16_t)word
                                  : (uint8_t)word;
}

/* Bytes that the keys, counts and slots occupy; texts excluded. */
uint64_t shoal_line_index_bytes(const shoal_line_index *index);

#endif
