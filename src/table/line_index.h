/* SPDX-License-Identifier: Apache-2.0 */
/* line_index.h - the distinct tuples of a table whose rows are never all in memory: how many rows each has, and which is a row's.
 *
 * Windows (window.h) are entered one after the other; tuples are numbered by first appearance, whatever the windows' size. Each
 * becomes a line of the table. Later passes over the same text ask for the lines of a window's rows.
 * Memory: about 8 bytes for each packed word of a line's codes, 4 for its count, 6 to 12 for its slots, and the distinct texts once.
 */
#ifndef SHOAL_LINE_INDEX_H
#define SHOAL_LINE_INDEX_H

#include "table/dictionary.h"

typedef struct shoal_line_index {
    uint32_t n_columns;
    size_t *columns;          /* of the table: those that are encoded */
    shoal_dictionary *texts;  /* of each column, in order of appearance */
    shoal_arena arena;        /* holds the texts */
    uint32_t **code_of_text;  /* of each column: the table's code; filled in when the columns are encoded */
    uint8_t *width;           /* bytes of a text's number in a key: 1, 2 or 4 */
    uint32_t *word, *shift;   /* where it goes */
    uint32_t n_words;         /* of a key */
    uint64_t *keys;
    uint32_t *counts;         /* rows of each line */
    uint32_t n_lines;
    size_t key_room, count_room;
    uint32_t *slots;          /* line + 1, or 0 */
    size_t n_slots;
    size_t window_bytes;      /* how much text to look at in one go */
    uint64_t memory_limit;    /* of the load that made it */
} shoal_line_index;

SHOAL_NODISCARD shoal_status shoal_line_index_make(shoal_line_index **out, const shoal_table *table, size_t window_bytes,
                                                  shoal_error *err);
void shoal_line_index_free(shoal_line_index *index);

/* Count the rows of a window. O(rows * columns). */
SHOAL_NODISCARD shoal_status shoal_line_index_enter(shoal_line_index *index, const shoal_table *rows, uint32_t threads,
                                                   shoal_error *err);

/* The line of each row of a window, into `lines`. SHOAL_EDATA when the text is not the one that was counted. */
SHOAL_NODISCARD shoal_status shoal_line_index_find(uint32_t *lines, const shoal_line_index *index, const shoal_table *rows,
                                                  uint32_t threads, shoal_error *err);

/*
 * Which code of the table each value of a window has in column number `i` of the index, into `codes` (n_values of the window's
 * column). SHOAL_EDATA as above.
 */
SHOAL_NODISCARD shoal_status shoal_line_index_codes(uint32_t *codes, const shoal_line_index *index, uint32_t i,
                                                   const shoal_table *rows, shoal_error *err);

/* Number of a line's text in column number `i`. */
static inline uint32_t shoal_line_text(const shoal_line_index *index, uint32_t line, uint32_t i)
{
    uint64_t word = index->keys[(size_t)line * index->n_words + index->word[i]] >> index->shift[i];
    return index->width[i] == 4 ? (uint32_t)word : index->width[i] == 2 ? (uint16_t)word : (uint8_t)word;
}

/* Bytes that it holds. */
uint64_t shoal_line_index_bytes(const shoal_line_index *index);

#endif
