/* SPDX-License-Identifier: Apache-2.0 */
/* kind.h - the kinds of attribute: one table of functions per kind.
 *
 *     kind      columns                      a cover of some values is      example
 *     numeric   numbers and dates            the interval between two       [17..24]
 *     ordered   labels in a given order      the same, without a mean       low..middle
 *     tree      categories with a hierarchy  the lowest node above them     Europe
 *     set       other categories             the set of them                {A|B|C}
 *
 * One kind per file. To add one: write src/hierarchy/kind_NAME.c with a `shoal_kind` at the end,
 * name the file in meson.build and the row in SHOAL_KINDS. Its texts are those of another kind
 * (texts_of), or a row of src/publish/kind_spelling.c and one of src/published/kind_reading.c.
 *
 * A kind uses one of three forms of cover (is_interval, is_tree, is_set). Code for which only the
 * form matters asks for it: losses as integers (search/metric.h), the pool of the default method
 * and the lower bound compute them in inner loops, where a call per cell would take most of the
 * time. These properties are copied into each attribute and each line of a metric.
 */
#ifndef SHOAL_KIND_H
#define SHOAL_KIND_H

#include "hierarchy/box.h"

/* A set of more labels is published as `*`: a cell of thousands of labels is not useful, and is
 * repeated in each row of the group. */
enum { SHOAL_LONGEST_SET = 1000 };

struct shoal_kind {
    const char *name;
    /* The types of its columns, as plans and JSON spell them, separated by `|`. */
    const char *types;
    bool is_interval, is_tree, is_set; /* see shoal_attribute; exactly one holds */
    bool has_means;                    /* differences and means of its numbers have a meaning */
    uint32_t flat_height; /* steps from a value to `*` without a hierarchy: 2 with an interval */
    const shoal_kind *texts_of; /* the kind whose published texts it shares; NULL: its own */

    /* Is the column of this kind? The first kind that returns true is used. */
    bool (*takes)(const shoal_column *column);
    /*
     * Number the codes, and compute what losses need. `attr` has its column, its kind and memory
     * for code_of_value; what else is allocated is freed by shoal_space_clear(), also on failure.
     */
    shoal_status (*make)(shoal_attribute *attr, const shoal_table *table, shoal_missing mode,
                         shoal_error *err);
    /*
     * is_interval: the position of a number, which may lie between or beyond those of the column;
     * attr->position has theirs. It never falls where the number grows. NULL for other kinds.
     */
    double (*position)(const shoal_attribute *attr, double number);
    /*
     * Loss in [0,1] of the cover of codes with that least and greatest one, `n_values` of them
     * different (ignored unless is_set). The empty range loses nothing. With is_interval the loss
     * of plain codes is the difference of their positions times attr->scale, with is_tree that of
     * their lowest common node in attr->node_loss, with is_set (n_values - 1) * attr->scale: other
     * code relies on it.
     */
    double (*loss)(const shoal_attribute *attr, shoal_range range, uint32_t n_values);
    /*
     * Loss of publishing a node of the attribute's tree, if it has one. Numbers: the width from the
     * least to the greatest leaf, clipped to the range of the data, so never less than that of the
     * interval of the values below the node. The root costs 1, and so does a node with leaves that
     * are not numbers. O(leaves of the node) for numbers.
     */
    double (*node_loss)(const shoal_attribute *attr, uint32_t node);
    /*
     * The cell of a group: ranges with the same published text become the same one. `range` is not
     * empty; `n_values` is the number of its plain codes (is_set).
     */
    shoal_range (*cell)(const shoal_attribute *attr, shoal_range range, uint32_t n_values);
};

/* Every kind; a special one precedes more general ones. The names of the rows are those of the
 * files. */
#define SHOAL_KINDS(ROW)                                                                           \
    ROW(number)                                                                                    \
    ROW(order)                                                                                     \
    ROW(tree)                                                                                      \
    ROW(set)

#define SHOAL_DECLARE_KIND(row) extern const shoal_kind shoal_kind_##row;
SHOAL_KINDS(SHOAL_DECLARE_KIND)
#undef SHOAL_DECLARE_KIND

/* Kind number `index`, or NULL beyond the last one. */
const shoal_kind *shoal_kind_at(size_t index);
/* The kind of a loaded column. */
const shoal_kind *shoal_kind_of(const shoal_column *column);

static inline double shoal_cover_loss(const shoal_attribute *attr, shoal_range range,
                                      uint32_t n_values)
{
    return attr->kind->loss(attr, range, n_values);
}

static inline double shoal_node_loss(const shoal_attribute *attr, uint32_t node)
{
    return attr->kind->node_loss(attr, node);
}

/* ---- for the files of kinds ---- */

/*
 * Codes equal to those of the column; only the missing value needs care. With
 * `null_is_plain`, a missing value that is a category of its own is a plain code.
 */
SHOAL_NODISCARD shoal_status shoal_kind_map_values(shoal_attribute *attr, shoal_missing mode,
                                                   bool null_is_plain, shoal_error *err);
/* Whatever is published as `*` becomes one range; others are returned as they are. */
shoal_range shoal_kind_plain_cell(const shoal_attribute *attr, shoal_range range,
                                  uint32_t n_values);

/* Numbers on a line, for kinds with is_interval (kind_number.c). */
SHOAL_NODISCARD shoal_status shoal_number_make(shoal_attribute *attr, const shoal_table *table,
                                               shoal_missing mode, shoal_error *err);
double shoal_number_position(const shoal_attribute *attr, double number);
double shoal_number_loss(const shoal_attribute *attr, shoal_range range, uint32_t n_values);
double shoal_number_node_loss(const shoal_attribute *attr, uint32_t node);

#endif
