/* SPDX-License-Identifier: Apache-2.0 */
/* published.h - the published texts of one column, read back: which original values each text
 * covers.
 *
 * Reading is independent of how a release was made: it uses only the text, the original column and
 * its hierarchy. A text may have two meanings (a value that is also the label of a node above it);
 * it covers what either of them covers.
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
    shoal_reading_kind kind; /* the first kind that applies, in the order above */
    uint32_t code;           /* column code of the value, or SHOAL_NO_CODE */
    uint32_t node;           /* of the hierarchy, or SHOAL_NO_NODE */
    bool is_all, is_interval;
    shoal_interval interval;
    const uint32_t *members; /* column codes, ascending */
    uint32_t n_members;
    double loss;      /* in [0,1], of the text as `kind` */
    double wide_loss; /* VALUE: loss of the node with this label (>= loss); else loss */
} shoal_reading;

typedef struct shoal_published {
    const shoal_attribute *attr;           /* of the original; borrowed */
    const struct shoal_kind_reading *kind; /* how its kind is read: kind_reading.h */
    uint32_t n_texts;
    shoal_reading *readings;
    uint32_t *leaf_of_value; /* leaf of each column code, or SHOAL_NO_NODE */
    double *number_of_value; /* number or date of each column code, or NaN */
    uint64_t *prefixes;      /* sort key of each value's text; NULL: values are not texts */
    shoal_arena arena;
} shoal_published;

/*
 * Column code of the value with this text (numbers: with this value; missing: with any of its
 * spellings), or SHOAL_NO_CODE. O(length + log values).
 */
uint32_t shoal_find_value(const shoal_table *original, const shoal_column *column, shoal_text text);

/* Code of the value with exactly this text, or SHOAL_NO_CODE. O(values). */
uint32_t shoal_find_label(const shoal_column *column, shoal_text text);

/* Read the texts published for attribute `attr` of `original`; end with shoal_published_clear().
 * O(n_texts * (length + log values)); sets and intervals over text columns O(values) each. */
SHOAL_NODISCARD shoal_status shoal_published_read(shoal_published *out, const shoal_table *original,
                                                  const shoal_attribute *attr,
                                                  const shoal_text *texts, uint32_t n_texts,
                                                  shoal_error *err);
/*
 * The same for verifying: texts that no release spells so cover nothing. These are a missing cell
 * where missing values are published as `*` (conservative), blanks around anything but a value or a
 * label that has them, and `{}`.
 */
SHOAL_NODISCARD shoal_status shoal_published_read_strictly(shoal_published *out,
                                                           const shoal_table *original,
                                                           const shoal_attribute *attr,
                                                           const shoal_text *texts,
                                                           uint32_t n_texts, shoal_error *err);
void shoal_published_clear(shoal_published *published);

/* Does text number `text` cover the original value with column code `code`? O(log members). */
bool shoal_published_covers(const shoal_published *published, uint32_t text, uint32_t code);

#endif
