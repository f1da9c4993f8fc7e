/* SPDX-License-Identifier: Apache-2.0 */
/* published.h - the published texts of one column, read back: what each says of the original value.
 *
 * Reading is independent of how a release was made: it looks at the text, the original column and its
 * hierarchy, nothing else. A text may have two meanings (a value that is also the label of a node above it); it covers
 * what any of them covers.
 */
#ifndef SHOAL_PUBLISHED_H
#define SHOAL_PUBLISHED_H

#include "hierarchy/attribute.h"
#include "published/spelling.h"

typedef enum shoal_reading_kind {
    SHOAL_READ_VALUE,    /* a value of the original column */
    SHOAL_READ_NODE,     /* a label of its hierarchy */
    SHOAL_READ_ALL,      /* `*`, or the root's label */
    SHOAL_READ_INTERVAL, /* numbers or dates */
    SHOAL_READ_SET,      /* some values of the column */
    SHOAL_READ_NOTHING   /* cannot be read: covers nothing, loses 1 */
} shoal_reading_kind;

typedef struct shoal_reading {
    shoal_reading_kind kind; /* the first that applies, in the order above */
    uint32_t code;           /* column code of the value it is, or SHOAL_NO_CODE */
    uint32_t node;           /* of the hierarchy, or SHOAL_NO_NODE */
    bool is_all, is_interval;
    shoal_interval interval;
    const uint32_t *members; /* column codes, ascending */
    uint32_t n_members;
    double loss;             /* as `kind` */
    double wide_loss;        /* VALUE: as the node that has the same label (>= loss); else the same */
} shoal_reading;

typedef struct shoal_published {
    const shoal_attribute *attr; /* of the original; borrowed */
    uint32_t n_texts;
    shoal_reading *readings;
    uint32_t *leaf_of_value; /* with a hierarchy: leaf of each column code, or SHOAL_NO_NODE */
    double *number_of_value; /* of each column code that is a number or date, else NaN */
    shoal_arena arena;
} shoal_published;

/* Code of the column's value with that text (numbers: with that value; missing: any spelling of it), or SHOAL_NO_CODE. */
uint32_t shoal_find_value(const shoal_table *original, const shoal_column *column, shoal_text text);

/* Read texts published for attribute `attr` of `original`. O(n_texts * (length + log values)); sets and intervals over
 * text columns O(values) each. */
SHOAL_NODISCARD shoal_status shoal_published_read(shoal_published *out, const shoal_table *original,
                                                 const shoal_attribute *attr, const shoal_text *texts,
                                                 uint32_t n_texts, shoal_error *err);
void shoal_published_clear(shoal_published *published);

/* Does text number `text` cover the original value with column code `code`? O(log members). */
bool shoal_published_covers(const shoal_published *published, uint32_t text, uint32_t code);

#endif
