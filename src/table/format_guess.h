/* SPDX-License-Identifier: Apache-2.0 */
/* format_guess.h - which format all values of a column have. */
#ifndef SHOAL_FORMAT_GUESS_H
#define SHOAL_FORMAT_GUESS_H

#include "table/table_internal.h"

/* Values of a column; those that mean missing are marked. */
typedef struct shoal_value_list {
    const shoal_text *values;
    const bool *is_null;
    uint32_t n;
} shoal_value_list;

typedef struct shoal_format_guess {
    unsigned n; /* formats found: 0, 1, or 2 that read some value differently */
    shoal_format formats[2];
} shoal_format_guess;

/* Which formats can read every value? Plain numbers and ISO dates are formats, too. Numbers with
 * leading zeros are codes and have none. */
void shoal_format_guess_find(shoal_format_guess *out, const shoal_value_list *list);

#endif
