/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - column names in messages: lists of limited length, and the nearest column name.
 *
 * A list keeps room at its end for "and N more".
 * Nearness is Levenshtein's edit distance without regard to ASCII case: O(length^2), names over 63
 * bytes are never near.
 */
#include "plan/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { ROOM_FOR_REST = 40, LONGEST = 63, NEAR = 2 };

static void add_between(shoal_names *names, const char *name, const char *quote)
{
    names->n++;
    if (names->n_shown + 1 < names->n) return; /* once a name did not fit, none is shown */
    size_t need = strlen(name) + 2 * strlen(quote) + 2;
    if (names->length + need + ROOM_FOR_REST >= sizeof names->text) return;
    names->length += (size_t)snprintf(names->text + names->length,
                                      sizeof names->text - names->length, "%s%s%s%s",
                                      names->n_shown > 0 ? ", " : "", quote, name, quote);
    names->n_shown++;
}

/* A name with a comma or a semicolon is quoted, so that its end is visible. */
void shoal_names_add(shoal_names *names, const char *name)
{
    add_between(names, name, strchr(name, ',') != NULL || strstr(name, "; ") != NULL ? "'" : "");
}

void shoal_names_add_quoted(shoal_names *names, const char *name)
{
    add_between(names, name, "'");
}

const char *shoal_names_text(shoal_names *names)
{
    if (names->n == 0) return "none";
    if (names->n_shown < names->n) {
        snprintf(names->text + names->length, sizeof names->text - names->length, "%s%zu %s",
                 names->n_shown > 0 ? " and " : "", names->n - names->n_shown,
                 names->n_shown > 0 ? "more" : "with long names");
        names->n_shown = names->n;
    }
    return names->text;
}

static size_t edit_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t row[LONGEST + 1];
    for (size_t j = 0; j <= n_b; j++) row[j] = j;
    for (size_t i = 1; i <= n_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            size_t change = diagonal +
                            (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            diagonal = row[j];
            size_t gap = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < gap ? change : gap;
        }
    }
    return row[n_b];
}

const char *shoal_nearest_column(const shoal_table *table, const char *name)
{
    size_t length = strlen(name), best = NEAR + 1;
    const char *nearest = NULL;
    if (length > LONGEST) return NULL;
    for (size_t c = 0; c < shoal_table_n_columns(table); c++) {
        const char *candidate = shoal_table_column_name(table, c);
        size_t n = strlen(candidate);
        if (n > LONGEST) continue;
        size_t distance = edit_distance(name, length, candidate, n);
        if (distance < best &&
            /* less than half the length, or equal: short names are all near each other */
            distance * 2 < length + (distance == 0)) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}
