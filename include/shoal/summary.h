/* SPDX-License-Identifier: Apache-2.0 */
/** @file summary.h  One column of a release: small distributions in original and release. */
#ifndef SHOAL_SUMMARY_H
#define SHOAL_SUMMARY_H

#include <shoal/release.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHOAL_SUMMARY_BARS                                                                         \
    14 /**< maximum number of bars of a distribution, including the bar of the rest */
#define SHOAL_SUMMARY_TEXTS 8 /**< maximum number of published texts listed */

/** One value of the original, or a range of its numbers. Contains values of the table. */
typedef struct shoal_summary_bar {
    char *label;   /**< owned; "other values" for the rest */
    double before; /**< rows of the original */
    /**
     * Rows of the release, assuming that all values covered by a published cell are equally likely
     */
    double after;
    /** The release shows the value itself; or the bar is a range, the missing value, or the rest */
    bool is_shown;
    bool is_rest; /**< the bar of all other values, or that of the missing value */
} shoal_summary_bar;

/** A text that the release shows. */
typedef struct shoal_summary_text {
    char *text; /**< owned */
    uint64_t n_rows;
} shoal_summary_text;

/** One column in original and release. Free with shoal_column_summary_clear(). */
typedef struct shoal_column_summary {
    uint64_t n_rows;    /**< of the original */
    uint64_t n_values;  /**< distinct values of the original, missing excluded */
    uint64_t n_missing; /**< rows of the original */
    size_t n_bars;
    shoal_summary_bar bars[SHOAL_SUMMARY_BARS];
    /** The release was read: the fields below, and `after` of the bars, are set. */
    bool has_release;
    uint64_t n_released; /**< rows of the release */
    uint64_t n_texts;    /**< distinct published texts */
    uint64_t exact_rows; /**< rows that show an original value */
    uint64_t star_rows;  /**< rows that show `*` */
    double median_width; /**< numbers and dates: of the published intervals, weighted by rows */
    size_t n_listed;
    shoal_summary_text texts[SHOAL_SUMMARY_TEXTS]; /**< the most frequent first */
} shoal_column_summary;

/**
 * Summarise an encoded column of a loaded table, and its published values in a release.
 * @param released  published text, with its quasi-identifiers as categories; NULL, or the column is
 *                  not loaded: summarise only the original
 * @return SHOAL_EINVAL (no such column, or not encoded), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_column_summary_find(shoal_column_summary *out,
                                                                 const shoal_table *original,
                                                                 const shoal_table *released,
                                                                 size_t column, shoal_error *err);
/** Free what a summary owns; a cleared one may be cleared again. */
SHOAL_API void shoal_column_summary_clear(shoal_column_summary *summary);

#ifdef __cplusplus
}
#endif
#endif
