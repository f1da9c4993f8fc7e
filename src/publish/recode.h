/* SPDX-License-Identifier: Apache-2.0 */
/* recode.h - the published text of every cell of a grouping, as one dictionary per
 * quasi-identifier.
 *
 * Rows of a group share their texts, and many groups have equal texts, so each distinct text is
 * made once. Text 0 is always `*`. In wildcard mode a row whose value is missing keeps the text of
 * the missing value, whatever its group publishes; use shoal_recoded_text() to get the text of a
 * row.
 */
#ifndef SHOAL_RECODE_H
#define SHOAL_RECODE_H

#include "classes/grouping.h"

#define SHOAL_TEXT_STAR 0

typedef struct shoal_recoded_column {
    const shoal_attribute *attr; /* borrowed from the grouping */
    uint32_t n_texts;
    shoal_text *texts;       /* distinct */
    shoal_text *csv;         /* the same with quotes where CSV needs them */
    double *loss;            /* of each text; 1 for `*` */
    uint32_t *text_of_group; /* n_groups */
    uint32_t null_text;      /* text of a missing value that is published unchanged */
    size_t max_csv_length;
    size_t text_room;  /* allocated entries of `texts` and `loss` */
    shoal_arena arena; /* holds the texts */
} shoal_recoded_column;

typedef struct shoal_recoding {
    const shoal_grouping *grouping; /* borrowed */
    shoal_recoded_column *columns;  /* one per attribute, in the order of grouping->space */
    uint32_t n_attrs;
} shoal_recoding;

/*
 * Make the texts of all groups; end with shoal_recoding_clear(). `delimiter` is that of the CSV;
 * `quote_empty` also quotes empty texts, because an empty line would not be read as a row. Parallel
 * over attributes. O(n_groups * n_attrs + bytes of the distinct texts).
 */
SHOAL_NODISCARD shoal_status shoal_recoding_make(shoal_recoding *out,
                                                 const shoal_grouping *grouping, char delimiter,
                                                 bool quote_empty, uint32_t threads,
                                                 shoal_error *err);
void shoal_recoding_clear(shoal_recoding *recoding);

/* Number of the text published for an entry of the grouping (a row, or a share of a line). */
static inline uint32_t shoal_recoded_text(const shoal_recoding *recoding, uint32_t attr,
                                          uint64_t entry)
{
    const shoal_recoded_column *column = &recoding->columns[attr];
    uint32_t group = recoding->grouping->group_of_row[entry];
    if (group == SHOAL_SUPPRESSED) return SHOAL_TEXT_STAR;
    const shoal_attribute *a = column->attr;
    if (a->wild_code != SHOAL_NO_CODE &&
        a->code_of_value[shoal_column_code(
            a->source, shoal_line_of(&recoding->grouping->lines, entry))] == a->wild_code)
        return column->null_text;
    return column->text_of_group[group];
}

/* Add the published text of one cell of a group to `out`. */
void shoal_recode_cell(shoal_buffer *out, const shoal_grouping *grouping, uint32_t group,
                       uint32_t attr);

/* The text as a field of CSV: itself, or with quotes (in `arena`). False when memory is short. */
bool shoal_quote_csv(shoal_text *out, shoal_text text, char delimiter, shoal_arena *arena);

#endif
