/* SPDX-License-Identifier: Apache-2.0 */
/** @file release.h  From a grouping to a published table, and the check that nothing skips. */
#ifndef SHOAL_RELEASE_H
#define SHOAL_RELEASE_H

#include <shoal/anonymize.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Takes the next bytes of an output; 0, or an errno value that ends the writing (SHOAL_EIO). */
typedef int (*shoal_write_fn)(const void *data, size_t size, void *payload);

/** Options of the functions below. Zero is the default of every field. */
typedef struct shoal_release_options {
    size_t size;
    uint32_t threads;
    bool drop_suppressed; /**< leave suppressed rows out instead of publishing `*` */
    shoal_progress_fn progress;
    void *progress_payload;
} shoal_release_options;

#define SHOAL_RELEASE_OPTIONS_INIT { .size = sizeof(shoal_release_options) }

/**
 * Write the release as CSV with the separator of the input: rows in their order, quasi-identifiers
 * generalised, identifiers and dropped columns left out, everything else byte for byte.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_release_write_csv(const shoal_table *table, const shoal_grouping *grouping,
                                                              const shoal_release_options *options,
                                                              shoal_write_fn write, void *payload, shoal_error *err);

/** The published text of one cell; free with shoal_string_free(). For looking, not for bulk. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_release_cell(char **out, const shoal_table *table,
                                                         const shoal_grouping *grouping, uint64_t row, size_t column,
                                                         shoal_error *err);

/** What a check of published values found. Counts only, never a value. */
typedef struct shoal_check_result {
    uint64_t n_rows;
    uint64_t n_groups;        /**< distinct published tuples */
    uint64_t min_group;       /**< rows of the smallest: the k that holds */
    uint64_t suppressed_rows; /**< rows with `*` in every quasi-identifier */
    uint64_t failing_groups;  /**< groups below k */
    uint64_t failing_rows;
    uint64_t uncovered_cells; /**< verify only: published cells that do not cover their original */
} shoal_check_result;

/**
 * Does a loaded table, whoever made it, have at least k rows for each tuple of its quasi-identifiers?
 * Counts published text alone; missing values by the table's mode. O(rows) time.
 * @return SHOAL_OK when it was counted: read `failing_groups`
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check(shoal_check_result *out, const shoal_table *released, uint32_t k,
                                                  uint32_t threads, shoal_error *err);

/**
 * Check a release against its original, from published text alone: k, the number of rows, and that each
 * published cell covers the original value of the same row. `released` is loaded with the same
 * quasi-identifiers (by name) as categorical columns; see shoal_released_open().
 * @param kept  with rows left out: one byte a row of the original, non-zero where it is in the release; else NULL
 * @return SHOAL_EUNSAT with a message when the release must not be published
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_verify(shoal_check_result *out, const shoal_table *original,
                                                   const shoal_table *released, uint32_t k, const uint8_t *kept,
                                                   uint32_t threads, shoal_error *err);

/**
 * Load CSV text as a release of `original`: same separator, the quasi-identifiers found by name.
 * `data` is borrowed until the table is freed.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_released_open(shoal_table **out, const char *data, size_t size,
                                                          const shoal_table *original, uint32_t threads,
                                                          shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
