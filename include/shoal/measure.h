/* SPDX-License-Identifier: Apache-2.0 */
/** @file measure.h  How much a release loses, and how well it protects. */
#ifndef SHOAL_MEASURE_H
#define SHOAL_MEASURE_H

#include <shoal/release.h>
#include <shoal/term.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the measures there are ---- */

/** What must be there for a measure to have a value. */
typedef enum shoal_measure_need {
    SHOAL_MEASURE_NEEDS_NOTHING = 0,
    SHOAL_MEASURE_NEEDS_CLASS,           /**< a class column whose labels are known */
    SHOAL_MEASURE_NEEDS_SENSITIVE,       /**< sensitive columns whose values are known */
    SHOAL_MEASURE_NEEDS_MICROAGGREGATION /**< numbers published as single numbers, not covering */
} shoal_measure_need;

/** The row of a measure. Static, owned by the library; later versions may append fields. */
typedef struct shoal_measure_info {
    const char *name;  /**< "gcp": its key in JSON, its column in CSV, its attribute in Python */
    const char *help;  /**< one line for people */
    const char *label; /**< how a report for people calls it; NULL: it is not in there */
    int decimals;      /**< digits behind the point in such a report */
    const char *after; /**< the measure whose line is above its own; NULL: the row before */
    const char *beside; /**< the measure in whose line it stands; NULL: it has its own */
    const char *unit;   /**< "share" (0..1), "ratio", "cells", "rows^2", "k" */
    bool more_is_better;
    bool in_frontier; /**< one of the numbers of a trial (frontier.h) */
    shoal_measure_need needs;
    const shoal_term *terms; /**< what it means, with the citation; ended by a term without names */
} shoal_measure_info;

/** The measures, in the order of the JSON keys. */
SHOAL_API size_t shoal_measure_count(void);
/** A measure by its index; NULL behind the last. */
SHOAL_API const shoal_measure_info *shoal_measure_at(size_t index);

/* ---- the measures of a release ---- */

/**
 * Measures of one release. Groups are distinct published tuples. Every measure is in `values`;
 * those that this version has are fields besides. A measure that is added later is in `values`
 * alone, so that the structure keeps its size: read it with shoal_measure_value().
 */
typedef struct shoal_measures {
    uint64_t n_rows;
    uint64_t n_groups;
    uint64_t min_group; /**< rows of the smallest group */
    uint64_t suppressed_rows;
    double gcp;  /**< mean Q-diversity over rows and quasi-identifiers, in [0,1]; `*` is 1 */
    double ncp;  /**< the same, summed instead of averaged */
    double um;   /**< utility measure: mean over groups of the mean Q-diversity */
    double wgu;  /**< worst group: the maximum instead of the mean */
    double dm;   /**< sum of squared group sizes, n for each suppressed row */
    double cavg; /**< rows / (groups * k) */
    double modification_rate; /**< share of quasi-identifier cells that changed */
    double distortion; /**< sum over cells of the share of hierarchy levels climbed, 1 for `*` */
    double distortion_ratio; /**< distortion over that of a table of `*` alone, in [0,1] */
    double genc;        /**< generalisation cost: sum over cells of levels climbed / height of the
                             hierarchy, 1 for `*` */
    double s1_loss;     /**< sum over cells of the distance to what is published: categories as in
                             distortion, numbers by the width of the interval over that of the
                             domain (Pramanik et al. 2016) */
    double s1_loss_wid; /**< the same, each quasi-identifier counting less the more levels it has */
    bool has_class;     /**< a class column is named (the first of several counts): cm and
                             cm_before are set */
    double cm;          /**< share of rows whose label is not their group's most frequent */
    double cm_before;   /**< the same of the original, each distinct tuple being a group */
    bool has_sse;       /**< microaggregation: sse_ratio is set */
    double sse_ratio;   /**< squared distances of numbers to what is published over those to their
                             mean (SSE/SST), the mean over numeric quasi-identifiers: 0 unchanged,
                             1 all rows at the mean */
    size_t n_sensitive; /**< sensitive columns; 0: none is named, the next eight are not set */
    double mpm;         /**< mean over groups of the mean S-diversity, in [0,1], less is better */
    double mr_wtd;      /**< (um + mpm) / 2: max-range weighted tuple diversity, equal weights */
    double wgp;         /**< greatest range diversity of a group, in [0,1], less is better */
    double gd;          /**< greatest group diversity of a group: half its mean Q-diversity, half
                             its range diversity */
    double dc;          /**< greatest disclosure confidence of a row: how surely its group ties it
                             to its sensitive range */
    size_t *sensitive_column; /**< column of each in the original */
    double *sensitive_mpm;    /**< mpm of each */
    double *sensitive_wgp;    /**< wgp of each */
    size_t n_qids;
    size_t *qid_column; /**< column of each quasi-identifier in the original */
    double *qid_loss;   /**< mean Q-diversity of each quasi-identifier over rows */
    size_t n_values;    /**< measures that the library which filled this in knows */
    double *values;     /**< of each, in the order of shoal_measure_at(); NaN where its needs are
                             not met */
} shoal_measures;

/**
 * The value of a measure by its name ("gcp").
 * @return false, and `*value` is untouched, where there is no such measure, or its needs are not
 * met, or `measures` was not filled in
 */
SHOAL_API bool shoal_measure_value(const shoal_measures *measures, const char *name, double *value);
/** The same by its index. */
SHOAL_API bool shoal_measure_value_at(const shoal_measures *measures, size_t index, double *value);

/**
 * Measure a grouping. k is the one asked for (for cavg and dm).
 * @param out  is overwritten; free with shoal_measures_clear()
 * @return SHOAL_EINVAL (k is 0, or the release is in two tables), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_measure_grouping(shoal_measures *out,
                                                              const shoal_table *table,
                                                              const shoal_grouping *grouping,
                                                              uint32_t k, shoal_error *err);

/**
 * Measure a release against its original from published text; see shoal_verify() for the arguments.
 * A published cell that does not cover its original (microaggregation) loses what covering the
 * originals of all rows with its tuple would lose. A published cell that cannot be read as a value,
 * node, interval or set counts as `*`; their number goes to `*unread` (may be NULL). Sensitive
 * values are those of the release where it is loaded with them; else, if it has all rows, those of
 * the original; else protection is not measured. Class labels are those of the release where it is
 * loaded with a class column; else, if it has all rows, those of the original; else the
 * classification metric is not measured.
 * @param out  is overwritten; free with shoal_measures_clear()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_measure_release(shoal_measures *out,
                                                             const shoal_table *original,
                                                             const shoal_table *released,
                                                             uint32_t k, uint64_t *unread,
                                                             shoal_error *err);
/** Free what the measures own and set all of it to 0. */
SHOAL_API void shoal_measures_clear(shoal_measures *measures);

/* ---- the lower bound ---- */

/**
 * Lower bound on the gcp of any release of `table` by ranges, sets and hierarchy nodes in which
 * every group has at least k rows.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_bound(double *out, const shoal_table *table,
                                                   uint32_t k, uint32_t threads,
                                                   shoal_progress_fn progress, void *payload,
                                                   shoal_error *err);

/**
 * Is shoal_bound() about releases that are published as this grouping is? Not where sets or
 * intervals stand in for hierarchies.
 */
SHOAL_API bool shoal_bound_applies(const shoal_table *table, const shoal_grouping *grouping);

/** Where a lower bound comes from. */
typedef struct shoal_bound_parts {
    double bound;   /**< what shoal_bound() answers */
    double nearest; /**< from the (k-1)-th nearest row of each row alone; never above `bound` */
    bool has_boxes; /**< the cheapest box around each row was searched too: not on tables with very
                         many classes */
    uint64_t n_searched; /**< classes with fewer than k rows */
    uint64_t n_stopped;  /**< those whose cheapest box took too long to find: a lower number stands
                              for it */
} shoal_bound_parts;

/** As shoal_bound(), with its parts. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_bound_explain(shoal_bound_parts *out,
                                                           const shoal_table *table, uint32_t k,
                                                           uint32_t threads,
                                                           shoal_progress_fn progress,
                                                           void *payload, shoal_error *err);

/** Options of shoal_bound_of_grouping(). Zero is the default of every field but k. */
typedef struct shoal_bound_options {
    size_t size;
    uint32_t k;                 /**< required, >= 2 */
    uint32_t threads;
    shoal_progress_fn progress; /**< may be NULL */
    void *progress_payload;
} shoal_bound_options;

#define SHOAL_BOUND_OPTIONS_INIT { .size = sizeof(shoal_bound_options) }

/** The same, without counting the distinct tuples of the table anew where the grouping, made from
 * that table, knows them. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_bound_of_grouping(shoal_bound_parts *out,
                                                               const shoal_table *table,
                                                               const shoal_grouping *grouping,
                                                               const shoal_bound_options *options,
                                                               shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
