/* SPDX-License-Identifier: Apache-2.0 */
/* attribute.h - a quasi-identifier as a line of codes, with the loss of covering a set of them.
 *
 *     0 .......... n_plain-1 | n_plain .. top_from-1 | top_from .. n_codes-1
 *     numbers in order, or   | each directly below   | known only as `*`
 *     leaves depth-first     | the root              |
 *
 * What differs between kinds of attribute is a table of functions (kind.h). Numbers, ordered labels
 * and trees are *ordered*: the cover of a set of codes depends only on its least and greatest code,
 * so a group is a range lo..hi. Other columns (is_set) are covered by the set of values itself;
 * their codes are ranks of the sorted texts. A missing value is, depending on the mode, a code
 * below the root (own category), a code from top_from on (conservative), or the wild code, which
 * widens nothing and has no loss (wildcard).
 *
 * The loss of a set of codes is its Q-diversity (definition 2.1): (max-min)/(domain width) for
 * numbers, (s-1)/(|D|-1) for trees and sets, 1 for `*`. |D| and s count the leaves of the
 * hierarchy, or, after shoal_table_set_domain(), only those that occur in the table.
 */
#ifndef SHOAL_ATTRIBUTE_H
#define SHOAL_ATTRIBUTE_H

#include "hierarchy/tree.h"
#include "table/table_internal.h"

typedef struct shoal_kind shoal_kind; /* kind.h */

typedef struct shoal_attribute {
    size_t column;              /* in the table */
    const shoal_column *source; /* borrowed */
    const shoal_kind *kind;
    /*
     * How the kind covers values, copied from it: by the interval between two of them, by a node of
     * the tree, or by the set of them. Exactly one holds.
     */
    bool is_interval, is_tree, is_set;
    uint32_t n_plain, top_from, n_codes;
    uint32_t wild_code; /* or SHOAL_NO_CODE; never inside a range */
    /* is_tree: the hierarchy; is_interval: levels for some methods, or NULL */
    const shoal_hierarchy *tree;
    uint32_t *code_of_value; /* attribute code of each code of the column */
    uint32_t *value_of_code; /* the inverse; SHOAL_NO_CODE for leaves not in the table */
    double *position;        /* is_interval: of each plain code on a line, ascending */
    int shift; /* of numbers and ordered labels: position = number * 2^shift; mostly 0 */
    /* is_interval: 1 / domain width; is_set: 1 / (|D| - 1); 0 for constants */
    double scale;
    double *node_loss; /* is_tree: of each node of the tree */
    /* |D|: leaves or values; for numbers: whole numbers from the minimum to the maximum */
    double domain_size;
    /* how much it counts to methods: its column's priority over the greatest of the space's */
    double priority;
    uint32_t n_words; /* is_set: 64-bit words of a set; else 0 */
    uint32_t word_at; /* index of the first of them among the words of a box */
    uint32_t set_at;  /* is_set: its number among the attributes with sets */
} shoal_attribute;

/* The quasi-identifiers of a table, in the order in which their roles were set. */
typedef struct shoal_space {
    shoal_attribute *attrs;
    uint32_t n_attrs;
    uint32_t n_words; /* of a box, over all attributes with sets */
    uint32_t n_sets;  /* attributes with sets */
    shoal_missing missing;
} shoal_space;

/*
 * Make the attributes of the quasi-identifiers of a loaded table, which must outlive them.
 * SHOAL_EDATA when a hierarchy lacks values (with their number and the first row), SHOAL_EINVAL
 * without quasi-identifiers.
 */
SHOAL_NODISCARD shoal_status shoal_space_make(shoal_space *out, const shoal_table *table,
                                              shoal_error *err);
/*
 * The same for the columns of another role (there may be none), or for `n` columns, with the given
 * mode of missing values.
 */
SHOAL_NODISCARD shoal_status shoal_space_make_role(shoal_space *out, const shoal_table *table,
                                                   shoal_role role, shoal_missing missing,
                                                   shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_space_make_columns(shoal_space *out, const shoal_table *table,
                                                      const uint32_t *columns, uint32_t n,
                                                      shoal_missing missing, shoal_error *err);
void shoal_space_clear(shoal_space *space);
/* Do the attributes count differently? */
bool shoal_space_has_priorities(const shoal_space *space);

/* A range of codes. Empty: lo > hi. */
typedef struct shoal_range {
    uint32_t lo, hi;
} shoal_range;

#define SHOAL_EMPTY_RANGE ((shoal_range){ UINT32_MAX, 0 })

#endif
