/* SPDX-License-Identifier: Apache-2.0 */
/** @file hierarchy.h  Value generalisation trees: which label stands for which leaves. */
#ifndef SHOAL_HIERARCHY_H
#define SHOAL_HIERARCHY_H

#include <shoal/status.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A tree of labels over leaf values. Leaves are numbered 0..n_leaves-1 in depth-first order, so each
 * node covers one run of leaf numbers; inner nodes follow, the root is the last node. Read-only once made.
 */
typedef struct shoal_hierarchy shoal_hierarchy;

/**
 * Read a hierarchy from text.
 *
 * Two forms, told apart by their content: level files (`leaf;level1;...;*`, no header, separators `;`,
 * `,` or tab, RFC 4180 quotes) and child,parent tables (two columns; a header line `child,parent` is
 * skipped; ragged depth is fine). A level file whose last column is not one single label gets a root.
 * Two columns are a child,parent table if the first line says so, or if some parent is itself a child.
 *
 * @param name  what messages call it, usually the file's path
 * @return SHOAL_OK, SHOAL_EDATA (empty, ragged, a leaf twice, two parents, a cycle, bad quotes; the
 *         message names the line and how many lines are affected), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_parse(shoal_hierarchy **out, const char *text, size_t size,
                                                            const char *name, shoal_error *err);

/** Read a hierarchy from a file; see shoal_hierarchy_parse(). SHOAL_EIO when it cannot be read. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_load(shoal_hierarchy **out, const char *path, shoal_error *err);

/**
 * Find the file of a column in a folder: `COLUMN.csv`, else exactly one `*_hierarchy_COLUMN.csv`.
 * `*path` receives a string to free with shoal_string_free(), or NULL when there is none.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_find(char **path, const char *folder, const char *column,
                                                           shoal_error *err);
SHOAL_API void shoal_string_free(char *string);

/** One column's distinct values, as a builder wants them. Texts need not end in NUL. */
typedef struct shoal_values {
    size_t n_values;
    const char *const *texts;
    const size_t *lengths;
    const uint64_t *counts; /**< rows with each value; NULL means one each */
} shoal_values;

/**
 * Build a hierarchy over the given values. `spec` is `KIND` or `KIND:ARGUMENTS`:
 *
 *     intervals:5,10,20[,origin=0]   numbers in ranges of these widths, each a multiple of the one before
 *     quantiles:8                    numbers in 8 parts of equal frequency, then 4, 2, 1
 *     mask[:left][,char=*]           hide one character more at each level, from the right (or left)
 *     prefix:3,2,1                   keep the first 3, then 2, then 1 characters
 *     order:young=17|18;old=60|61    named groups of values; the rest stand alone below the root
 *     dates:month,year,decade        YYYY-MM-DD by any of week, month, quarter, year, decade, century
 *     rare:100                       values with fewer than 100 rows under `Other`
 *
 * @return SHOAL_EINVAL when the spec is wrong (the message shows the right form), SHOAL_EDATA when a
 *         value does not fit the kind (by its position, never its text), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_build(shoal_hierarchy **out, const shoal_values *values,
                                                            const char *spec, shoal_error *err);

SHOAL_API uint32_t shoal_hierarchy_n_leaves(const shoal_hierarchy *hierarchy);
SHOAL_API uint32_t shoal_hierarchy_n_nodes(const shoal_hierarchy *hierarchy);
/** Steps from the deepest leaf to the root. */
SHOAL_API uint32_t shoal_hierarchy_height(const shoal_hierarchy *hierarchy);
/** Borrowed; ends in NUL. */
SHOAL_API const char *shoal_hierarchy_label(const shoal_hierarchy *hierarchy, uint32_t node);
/** The root is its own parent. */
SHOAL_API uint32_t shoal_hierarchy_parent(const shoal_hierarchy *hierarchy, uint32_t node);
/** The leaves under `node` are first..last, both included. */
SHOAL_API void shoal_hierarchy_leaves(const shoal_hierarchy *hierarchy, uint32_t node, uint32_t *first, uint32_t *last);
/** Write it as an ARX level file (short branches repeat their lowest label upward). Free with shoal_string_free(). */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_hierarchy_to_levels(char **out, const shoal_hierarchy *hierarchy,
                                                                shoal_error *err);
/** One more owner; returns its argument. Each owner calls shoal_hierarchy_free(). */
SHOAL_API const shoal_hierarchy *shoal_hierarchy_retain(const shoal_hierarchy *hierarchy);
SHOAL_API void shoal_hierarchy_free(const shoal_hierarchy *hierarchy);

#ifdef __cplusplus
}
#endif
#endif
