/* SPDX-License-Identifier: Apache-2.0 */
/* attribute.h - a quasi-identifier as the algorithms see it: a line of codes and what covering some of them costs.
 *
 *     0 .......... n_plain-1 | n_plain .. top_from-1 | top_from .. n_codes-1
 *     numbers in order, or   | each directly below   | known only as `*`
 *     leaves depth-first     | the root              |
 *
 * Numbers (kind NUMERIC, also dates) and trees (kind TREE) are *ordered*: what covers a set of codes
 * depends only on its least and greatest code, so a group is a range lo..hi. Columns with neither (kind SET) are
 * covered by the set of values itself; their codes are ranks of the sorted texts.
 * A missing value is, by the table's mode, a code below the root (own category), a code from top_from on
 * (conservative), or the wild code, which widens nothing and costs nothing.
 *
 * The loss of a set of codes is its Q-diversity (definition 2.1): (max-min)/(domain width) for numbers,
 * (s-1)/(|D|-1) for trees and sets, 1 for `*`. |D| and s count the leaves of the hierarchy, or, by
 * shoal_table_set_domain(), only those that the table holds.
 */
#ifndef SHOAL_ATTRIBUTE_H
#define SHOAL_ATTRIBUTE_H

#include "hierarchy/tree.h"
#include "table/table_internal.h"

typedef enum shoal_kind { SHOAL_KIND_NUMERIC, SHOAL_KIND_TREE, SHOAL_KIND_SET } shoal_kind;

typedef struct shoal_attribute {
    size_t column;               /* in the table */
    const shoal_column *source;  /* borrowed */
    shoal_kind kind;
    uint32_t n_plain, top_from, n_codes;
    uint32_t wild_code;          /* or SHOAL_NO_CODE; never inside a range */
    const shoal_hierarchy *tree; /* TREE: the hierarchy; NUMERIC: levels for methods that want them, or NULL */
    uint32_t *code_of_value;     /* attribute code of each code of the column */
    uint32_t *value_of_code;     /* and back; SHOAL_NO_CODE for leaves the table does not hold */
    double *position;            /* NUMERIC: the value of each plain code, ascending */
    double scale;                /* NUMERIC: 1 / domain width; SET: 1 / (|D| - 1); 0 for constants */
    double *node_loss;           /* TREE: of each node of the tree */
    uint32_t n_words;            /* SET: 64-bit words of a set; else 0 */
    uint32_t word_at;            /* SET: where they begin among a box's words */
} shoal_attribute;

/* The quasi-identifiers of a table, in the order in which they were named. */
typedef struct shoal_space {
    shoal_attribute *attrs;
    uint32_t n_attrs;
    uint32_t n_words; /* of a box, over all SET attributes */
    shoal_missing missing;
} shoal_space;

/* The attributes of a loaded table. SHOAL_EDATA when a hierarchy lacks values (count and first row), SHOAL_EINVAL without QIDs. */
SHOAL_NODISCARD shoal_status shoal_space_make(shoal_space *out, const shoal_table *table, shoal_error *err);
/* The same for the columns of another role (there may be none), or for `n` columns, with missing values counted as said. */
SHOAL_NODISCARD shoal_status shoal_space_make_role(shoal_space *out, const shoal_table *table, shoal_role role,
                                                  shoal_missing missing, shoal_error *err);
SHOAL_NODISCARD shoal_status shoal_space_make_columns(shoal_space *out, const shoal_table *table, const uint32_t *columns,
                                                     uint32_t n, shoal_missing missing, shoal_error *err);
void shoal_space_clear(shoal_space *space);

/* A range of codes. Empty: lo > hi. */
typedef struct shoal_range {
    uint32_t lo, hi;
} shoal_range;

#define SHOAL_EMPTY_RANGE ((shoal_range){ UINT32_MAX, 0 })

/* Loss of the range lo..hi of an ordered attribute (NUMERIC, TREE). The empty range loses nothing. */
static inline double shoal_range_loss(const shoal_attribute *attr, uint32_t lo, uint32_t hi)
{
    if (lo >= hi) return lo == hi && lo >= attr->top_from ? 1 : 0;
    if (hi >= attr->n_plain) return 1;
    if (attr->kind == SHOAL_KIND_NUMERIC) return (attr->position[hi] - attr->position[lo]) * attr->scale;
    return attr->node_loss[shoal_tree_cover(attr->tree, lo, hi)];
}

/*
 * Loss of publishing a node of the attribute's tree. A node of a number costs the width from its least to its
 * greatest leaf, as far as it lies in the data's range: never less than the interval of the values below it. The root
 * costs 1, and so does a node with leaves that are no numbers. O(leaves of the node) for numbers.
 */
double shoal_attribute_node_loss(const shoal_attribute *attr, uint32_t node);

#endif
