/* SPDX-License-Identifier: Apache-2.0 */
/* null_marks.h - strings of a table that probably mean "missing". */
#ifndef SHOAL_NULL_MARKS_H
#define SHOAL_NULL_MARKS_H

#include <shoal/table.h>

enum { SHOAL_N_NULL_MARKS = 88 };

typedef enum shoal_mark_verdict {
    SHOAL_MARK_ABSENT,
    SHOAL_MARK_VALUE,    /* an ordinary value */
    SHOAL_MARK_DOUBTFUL, /* may mean missing, in at least one column */
    SHOAL_MARK_MISSING   /* means missing in every column that contains it */
} shoal_mark_verdict;

typedef struct shoal_null_marks {
    size_t n_columns[SHOAL_N_NULL_MARKS]; /* with the mark as a value */
    shoal_mark_verdict verdict[SHOAL_N_NULL_MARKS];
} shoal_null_marks;

/* The text of a mark, below SHOAL_N_NULL_MARKS. */
const char *shoal_null_mark(size_t mark);
/* Is the text a number, an amount with a unit, or a date, by its characters? */
bool shoal_is_figure(const char *text, size_t length);
/* The table is loaded with encode_all; strings that are already declared as null are skipped. */
void shoal_null_marks_find(shoal_null_marks *out, const shoal_table *table);
/* The strings to read as missing: the empty one, and the marks that look so. Returns how many. */
size_t shoal_null_marks_list(const char *out[SHOAL_N_NULL_MARKS + 1], const shoal_table *table);

#endif
