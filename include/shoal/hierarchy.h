/* SPDX-License-Identifier: Apache-2.0 */
/** @file hierarchy.h  Value generalisation trees: which label covers which leaves. */
#ifndef SHOAL_HIERARCHY_H
#define SHOAL_HIERARCHY_H

#include <shoal/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A tree of labels over leaf values. Leaves are nodes 0..n_leaves-1 in depth-first order, so each
 * node covers one run of leaf numbers; inner nodes follow, the root is the last node. Immutable and
 * reference-counted, so it may be shared between tables and threads.
 */
typedef struct shoal_hierarchy shoal_hierarchy;

/**
 * Read a hierarchy from text.
 *
 * Two formats, distinguished by their content: level files (`leaf;level1;...;*`, no header,
 * separators `;`, `,` or tab, RFC 4180 quotes) and child,parent tables (two columns; a header line
 * `child,parent` is skipped; branches may differ in depth). A level file whose last column has more
 * than one label gets a root. Two columns are a child,parent table if the first line is that
 * header, or if some parent is also a child.
 *
 * @param out   receives the hierarchy; the caller frees it with shoal_hierarchy_free()
 * @param text  `size` bytes; not needed after the call
 * @param name  used in messages, usually the path of the file
 * @return SHOAL_OK, SHOAL_EDATA (empty, ragged, a leaf twice, two parents, a cycle, bad quotes; the
 *         message gives the line and how many lines are affected), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_parse(shoal_hierarchy **out,
                                                             const char *text, size_t size,
                                                             const char *name, shoal_error *err);

/**
 * Read a hierarchy from a file.
 * @return SHOAL_EIO when the file cannot be read, else as shoal_hierarchy_parse()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_load(shoal_hierarchy **out, const char *path,
                                                            shoal_error *err);

/**
 * Find the hierarchy file of a column in a folder: `COLUMN.csv`, else the only
 * `*_hierarchy_COLUMN.csv`.
 *
 * @param path  receives the path, to be freed with shoal_string_free(), or NULL when there is none
 * @return SHOAL_EIO (the folder cannot be read), SHOAL_EINVAL (several files match), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_find(char **path, const char *folder,
                                                            const char *column, shoal_error *err);
/** Free a string that the library returned. NULL is allowed. */
SHOAL_API void shoal_string_free(char *string);

/** The distinct values of a column, for shoal_hierarchy_build(). All pointers are borrowed. */
typedef struct shoal_values {
    size_t n_values;
    const char *const *texts; /**< need not end in NUL; an empty text is the missing value */
    const size_t *lengths;    /**< bytes of each text */
    const uint64_t *counts;   /**< rows with each value; NULL means one each */
    /** format of numbers or dates, see shoal_column_spec; NULL: the one that fits all */
    const char *format;
} shoal_values;

/**
 * Build a hierarchy over the given values. `spec` is `KIND` or `KIND:ARGUMENTS`:
 *
 *     intervals:5,10,20[,origin=0]  numbers in ranges of these widths, each a multiple of the last
 *     quantiles:8                   numbers in 8 parts of equal frequency, then 4, 2, 1
 *     mask[:left][,char=*]          hide one more character per level, from the right (or left)
 *     prefix:3,2,1[,min=100]        keep the first 3, then 2, then 1 characters; with min only
 *                                   where at least 100 rows share them
 *     grid:100                      places (`52.52,13.40`) in a quadtree of the earth, in cells of
 *                                   at least 100 rows
 *     order:young=17|18;old=60|61   named groups of values; all others directly below the root
 *     dates:month,year,decade       YYYY-MM-DD by week, month, quarter, year, decade, century
 *     rare:100                      values with fewer than 100 rows under `Other`
 *     known:icd10                   under the groups of a classification, see shoal_known_name();
 *                                   values that are not in it are left out
 *
 * @param out  receives the hierarchy; the caller frees it with shoal_hierarchy_free()
 * @return SHOAL_EINVAL when the spec is wrong (the message shows the right form), SHOAL_EDATA when
 *         a value does not fit the kind (given by its position, never its text), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_build(shoal_hierarchy **out,
                                                             const shoal_values *values,
                                                             const char *spec, shoal_error *err);

/**
 * If this text of a plan is a recipe (`build:SPEC`, `known:NAME`) and not a file, the spec for
 * shoal_hierarchy_build(), a substring of `text`; else NULL.
 */
SHOAL_API const char *shoal_hierarchy_recipe(const char *text);

/** Number of built-in classifications. */
SHOAL_API size_t shoal_known_count(void);
/** "icd10": as in the spec `known:icd10`; NULL after the last. */
SHOAL_API const char *shoal_known_name(size_t index);
/** Its subject, in a few words. */
SHOAL_API const char *shoal_known_title(size_t index);
/** Its publisher. */
SHOAL_API const char *shoal_known_source(size_t index);
/**
 * The tree of a classification: its groups, with the lowest groups or names as leaves.
 * @return SHOAL_EINVAL (no such name; the message lists all), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_known(shoal_hierarchy **out,
                                                             const char *name, shoal_error *err);

/** Number of leaves. */
SHOAL_API uint32_t shoal_hierarchy_n_leaves(const shoal_hierarchy *hierarchy);
/** Number of nodes, leaves and root included. */
SHOAL_API uint32_t shoal_hierarchy_n_nodes(const shoal_hierarchy *hierarchy);
/** Steps from the deepest leaf to the root. */
SHOAL_API uint32_t shoal_hierarchy_height(const shoal_hierarchy *hierarchy);
/** Label of node 0..n_nodes-1, NUL-terminated, owned by the hierarchy. */
SHOAL_API const char *shoal_hierarchy_label(const shoal_hierarchy *hierarchy, uint32_t node);
/** Parent of a node; the root is its own parent. */
SHOAL_API uint32_t shoal_hierarchy_parent(const shoal_hierarchy *hierarchy, uint32_t node);
/** The leaves under `node` are *first..*last, both included. */
SHOAL_API void shoal_hierarchy_leaves(const shoal_hierarchy *hierarchy, uint32_t node,
                                      uint32_t *first, uint32_t *last);
/** The leaf with this label, `length` bytes of text, or UINT32_MAX. O(log nodes). */
SHOAL_API uint32_t shoal_hierarchy_find_leaf(const shoal_hierarchy *hierarchy, const char *label,
                                             size_t length);
/**
 * Write a hierarchy as an ARX level file (short branches repeat their lowest label upward).
 * @param out  receives NUL-terminated text, to be freed with shoal_string_free()
 * @return SHOAL_ENOMEM is the only error
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_to_levels(char **out,
                                                                 const shoal_hierarchy *hierarchy,
                                                                 shoal_error *err);
/** Add an owner; returns its argument (may be NULL). Each owner calls shoal_hierarchy_free(). */
SHOAL_API const shoal_hierarchy *shoal_hierarchy_retain(const shoal_hierarchy *hierarchy);
/** Remove an owner; the last one frees the hierarchy. NULL is allowed. Safe from any thread. */
SHOAL_API void shoal_hierarchy_free(const shoal_hierarchy *hierarchy);

#ifdef __cplusplus
}
#endif
#endif
