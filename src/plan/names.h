/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - column names in messages: lists of limited length, and the nearest column name. */
#ifndef SHOAL_NAMES_H
#define SHOAL_NAMES_H

#include <shoal/table.h>

/*
 * A list for a message: "a, b, c and 40 more". A zero-initialised list is empty; no clearing is
 * needed.
 */
typedef struct shoal_names {
    size_t n;       /* names added */
    size_t n_shown; /* names in `text` */
    size_t length;
    char text[400];
} shoal_names;

void shoal_names_add(shoal_names *names, const char *name);
void shoal_names_add_quoted(shoal_names *names, const char *name);
/* The list as text, owned by the list; "none" when it is empty. */
const char *shoal_names_text(shoal_names *names);

/*
 * The name of the column within two changes of `name` (ignoring case), owned by the table, or NULL.
 */
const char *shoal_nearest_column(const shoal_table *table, const char *name);

#endif
