/* SPDX-License-Identifier: Apache-2.0 */
/* spelling.h - spellings of intervals and sets, of this program and of other tools. */
#ifndef SHOAL_SPELLING_H
#define SHOAL_SPELLING_H

#include "base/format.h"
#include "table/table_internal.h"

typedef struct shoal_interval {
    double low, high; /* may be infinite */
    bool low_open, high_open;
    shoal_text low_text, high_text; /* as written, borrowed; nothing: infinite */
    const shoal_format *format;     /* of its ends, borrowed */
} shoal_interval;

/* Does the text begin or end with a blank? No release spells a value so that has none. */
bool shoal_has_blanks_around(shoal_text text);

/* As shoal_format_read(). */
bool shoal_read_scalar(shoal_text text, const shoal_format *format, double *out);

/*
 * Read an interval: `[a..b]`, `[a, b]`, `[a,b)`, `[a, b[`, `]a, b]`, `(a,b]`, `a..b`, `a-b` (also
 * with an en dash), `a to b`, `[a-b]`, `<b`, `<=b`, `>a`, `>=a` (also as one sign), `a+`. An end
 * may be `inf` or `-inf`. False if it is none of these, or if a > b.
 */
bool shoal_read_interval(shoal_text text, const shoal_format *format, shoal_interval *out);

/* The two ends of `[a..b]`, the spelling of this program, as text. False for any other spelling. */
bool shoal_split_range(shoal_text text, const shoal_format *format, shoal_text *low,
                       shoal_text *high);

/* Does the interval hold the number x with this text? Exact where two numbers are one double. */
bool shoal_interval_holds(const shoal_interval *interval, double x, shoal_text text);

/* Is the text a set, `{...}`? Then `*inside` is the text between the braces. */
bool shoal_open_set(shoal_text text, shoal_text *inside);

/*
 * The next member of a set, with backslashes removed; it is valid until the next call, which reuses
 * `scratch`. `separator` is '|' for the spelling of this program; with ',' blanks around members
 * are dropped. False at the end, or if memory is short (scratch->failed).
 */
bool shoal_next_member(shoal_text *rest, char separator, shoal_buffer *scratch, shoal_text *member);

#endif
