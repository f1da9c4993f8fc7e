/* SPDX-License-Identifier: Apache-2.0 */
/* oracle.h - losses and covers by the definitions: slow, independent of the code under test.
 *
 * They use the meaning of attribute codes (attribute.h), tree->parent and the numbers of the
 * column, but nothing that the library computes from those.
 */
#ifndef SHOAL_TEST_ORACLE_H
#define SHOAL_TEST_ORACLE_H

#include "tables.h"

#include <math.h>

#define assert_near(x, y, tolerance)                                                               \
    do {                                                                                           \
        double near_x = (x), near_y = (y);                                                         \
        if (!(fabs(near_x - near_y) <= (tolerance)))                                               \
            fail_msg("%s is %.17g, not %.17g", #x, near_x, near_y);                                \
    } while (0)

static inline bool lies_under(const shoal_hierarchy *tree, uint32_t node, uint32_t leaf)
{
    while (leaf != node && tree->parent[leaf] != leaf) leaf = tree->parent[leaf];
    return leaf == node;
}

/* Does this leaf occur in the table? */
static inline bool leaf_occurs(const shoal_attribute *attr, uint32_t leaf)
{
    for (uint32_t v = 0; v < attr->source->n_values; v++)
        if (attr->code_of_value[v] == leaf) return true;
    return false;
}

/* Number of leaves under a node; values directly below the root count for the root. */
static inline uint32_t leaves_under(const shoal_attribute *attr, uint32_t node, bool data_only)
{
    uint32_t n = node == attr->tree->n_nodes - 1 ? attr->top_from - attr->n_plain : 0;
    for (uint32_t leaf = 0; leaf < attr->tree->n_leaves; leaf++)
        n += lies_under(attr->tree, node, leaf) && (!data_only || leaf_occurs(attr, leaf));
    return n;
}

static inline double tree_loss(const shoal_attribute *attr, const uint32_t *codes, size_t n,
                               bool data_only)
{
    uint32_t node = codes[0], root = attr->tree->n_nodes - 1;
    for (size_t i = 1; i < n; i++)
        while (!lies_under(attr->tree, node, codes[i])) node = attr->tree->parent[node];
    uint32_t all = leaves_under(attr, root, data_only), some = leaves_under(attr, node, data_only);
    return all > 1 && some > 1 ? (some - 1.0) / (all - 1.0) : 0;
}

static inline double number_loss(const shoal_attribute *attr, const uint32_t *codes, size_t n)
{
    const double *numbers = attr->source->numbers;
    double least = numbers[codes[0]], most = least;
    for (size_t i = 1; i < n; i++) {
        least = fmin(least, numbers[codes[i]]);
        most = fmax(most, numbers[codes[i]]);
    }
    double width = numbers[attr->n_plain - 1] - numbers[0];
    return width > 0 ? (most - least) / width : 0;
}

static inline double set_loss_of(const shoal_attribute *attr, const uint32_t *codes, size_t n)
{
    size_t distinct = 0;
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        while (codes[j] != codes[i]) j++;
        distinct += j == i;
    }
    return attr->n_plain > 1 ? ((double)distinct - 1) / (attr->n_plain - 1.0) : 0;
}

/* Q-diversity (definition 2.1) of some codes of an attribute, in any order. Reorders the codes. */
static inline double loss_by_definition(const shoal_attribute *attr, uint32_t *codes, size_t n,
                                        bool data_only)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (codes[i] != attr->wild_code) codes[m++] = codes[i];
    bool are_alike = true, has_top = false, has_own = false;
    for (size_t i = 0; i < m; i++) {
        are_alike = are_alike && codes[i] == codes[0];
        has_top = has_top || codes[i] >= attr->top_from;
        has_own = has_own || codes[i] >= attr->n_plain;
    }
    if (m == 0) return 0; /* only wild codes */
    if (has_top) return 1;
    if (are_alike) return 0;
    if (has_own) return 1; /* only the root covers such a value together with another one */
    if (attr->is_interval) return number_loss(attr, codes, m);
    return attr->is_tree ? tree_loss(attr, codes, m, data_only) : set_loss_of(attr, codes, m);
}

/* Does the published cell of a group cover the code? */
static inline bool cell_covers(const shoal_grouping *grouping, uint32_t group, uint32_t a,
                               uint32_t code)
{
    const shoal_attribute *attr = &grouping->space.attrs[a];
    shoal_range cell = grouping->cells[(size_t)group * grouping->space.n_attrs + a];
    if (code == attr->wild_code) return true;
    if (cell.lo == SHOAL_CELL_NODE && cell.hi == attr->tree->n_nodes - 1) return true;
    if (cell.lo == SHOAL_CELL_NODE) {
        shoal_text text = code < attr->n_plain && attr->value_of_code[code] != SHOAL_NO_CODE
                              ? attr->source->values[attr->value_of_code[code]]
                              : (shoal_text){ "", 0 };
        uint32_t leaf = attr->is_tree ? code
                                      : shoal_tree_find_leaf(attr->tree, text.data, text.length);
        return code < attr->n_plain && leaf < attr->tree->n_leaves &&
               lies_under(attr->tree, cell.hi, leaf);
    }
    bool is_star = cell.lo <= cell.hi &&
                   (cell.hi >= attr->top_from || (cell.lo < cell.hi && cell.hi >= attr->n_plain));
    if (is_star) return true;
    if (attr->is_set && code < attr->n_plain && cell.lo < cell.hi) {
        uint32_t n, i = 0;
        const uint32_t *codes = shoal_cell_set(&grouping->sets, &grouping->space, group, a, &n);
        while (i < n && codes[i] != code) i++;
        return i < n;
    }
    return cell.lo <= code && code <= cell.hi;
}

/* The codes of the rows of a group in one attribute; the caller frees them with free(). */
static inline uint32_t *codes_of_group(const shoal_grouping *grouping, uint32_t group, uint32_t a,
                                       size_t *n)
{
    uint32_t *codes = malloc((grouping->n_rows + 1) * sizeof *codes);
    assert_non_null(codes);
    *n = 0;
    for (uint64_t row = 0; row < grouping->n_rows; row++)
        if (grouping->group_of_row[row] == group)
            codes[(*n)++] = code_in_row(&grouping->space, a, row);
    return codes;
}

/*
 * Every cell covers its rows and has the loss of their least cover; full-domain levels may lose
 * more.
 */
static inline void assert_cells_cover(const shoal_grouping *grouping, bool data_only)
{
    for (uint32_t g = 0; g < grouping->n_groups; g++)
        for (uint32_t a = 0; a < grouping->space.n_attrs; a++) {
            size_t n;
            uint32_t *codes = codes_of_group(grouping, g, a, &n);
            assert_int_equal(n, grouping->sizes[g]);
            for (size_t i = 0; i < n; i++) assert_true(cell_covers(grouping, g, a, codes[i]));
            double expected = loss_by_definition(&grouping->space.attrs[a], codes, n, data_only);
            if (shoal_grouping_level(grouping, a) == SHOAL_NO_LEVEL)
                assert_near(shoal_grouping_cell_loss(grouping, g, a), expected, 1e-12);
            else
                assert_true(shoal_grouping_cell_loss(grouping, g, a) >= expected - 1e-12);
            free(codes);
        }
}

/* Check all invariants of a grouping for k, recomputed from its rows. */
static inline void assert_valid_grouping(const shoal_grouping *grouping, const shoal_table *table,
                                         uint32_t k)
{
    assert_int_equal(shoal_grouping_n_rows(grouping), table->n_rows);
    uint32_t n_groups = shoal_grouping_n_groups(grouping), seen = 0;
    uint64_t suppressed = 0, *sizes = calloc((size_t)n_groups + 1, sizeof *sizes);
    assert_non_null(sizes);
    for (uint64_t row = 0; row < table->n_rows; row++) {
        uint32_t group = shoal_grouping_group(grouping, row);
        if (group == SHOAL_SUPPRESSED) {
            suppressed++;
            continue;
        }
        assert_true(group < n_groups && group <= seen); /* numbered by first row */
        seen += group == seen;
        sizes[group]++;
    }
    assert_int_equal(seen, n_groups);
    for (uint32_t g = 0; g < n_groups; g++) {
        assert_int_equal(sizes[g], shoal_grouping_size(grouping, g));
        assert_true(sizes[g] >= k);
    }
    assert_int_equal(suppressed, shoal_grouping_n_suppressed(grouping));
    assert_true(suppressed == 0 || suppressed >= k);
    free(sizes);
    assert_cells_cover(grouping, table->domain_is_data);
}

#endif
