/* SPDX-License-Identifier: Apache-2.0 */
/* names.h - column names in messages: lists that stay short, and the name somebody probably meant. */
#ifndef SHOAL_NAMES_H
#define SHOAL_NAMES_H

#include <shoal/table.h>

/* A list for a message: "a, b, c and 40 more". Zero-initialised is empty; needs no clearing. */
typedef struct shoal_names {
    size_t n;       /* names added */
    size_t n_shown; /* of them in `text` */
    size_t length;
    char text[400];
} shoal_names;

void shoal_names_add(shoal_names *names, const char *name);
void shoal_names_add_quoted(shoal_names *names, const char *name);
/* The list as text, borrowed; "none" when it is empty. */
const char *shoal_names_text(shoal_names *names);

/* The column whose name is within two changes of `name` (letters' case does not count), or NULL. */
const char *shoal_nearest_column(const shoal_table *table, const char *name);

#endif
