/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file frontier.h  The cost of stronger protection: a series of trial releases; knee of a curve.
 */
#ifndef SHOAL_FRONTIER_H
#define SHOAL_FRONTIER_H

#include <shoal/evaluate.h>
#include <shoal/measure.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A release that was made, checked and measured, but not kept. */
typedef struct shoal_trial {
    shoal_measures measures;
    /** 1 / rows of the smallest group: highest probability of picking a person's row */
    double risk_max;
    double risk_mean; /**< groups / rows: the mean over rows */
    bool has_queries;
    double query_average; /**< A.R.E. of the workload */
    double query_median;
    double seconds;     /**< of grouping only */
    bool stopped_early; /**< a time limit ended the search */
} shoal_trial;

/**
 * Release a table into memory with shoal_pipeline_run(), which verifies and measures it, and run
 * the queries on it (may be NULL; they must have been made from `table`). Suppressed rows are
 * published as `*`. Needs memory for the text of the release.
 * @param out  set only on success; free with shoal_trial_clear()
 * @return what shoal_pipeline_run() and shoal_queries_estimate() return; SHOAL_EINVAL for methods
 *     that publish two tables
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_trial_run(shoal_trial *out, const shoal_table *table,
                                                       const shoal_spec *spec,
                                                       const shoal_callbacks *callbacks,
                                                       const shoal_queries *queries,
                                                       shoal_error *err);
/**
 * The lower bound on the gcp of every trial of a table with this k, or NaN if the bound does not
 * apply: quasi-identifiers with different weights, sets or intervals instead of hierarchies, fewer
 * than k rows.
 * @param recoding  of the trials
 * @param options  as for shoal_bound_find()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_trial_bound(double *out, const shoal_table *table,
                                                         uint32_t k, shoal_recode_model recoding,
                                                         const shoal_bound_options *options,
                                                         shoal_error *err);
/** Free what a trial owns; a cleared one may be cleared again. */
SHOAL_API void shoal_trial_clear(shoal_trial *trial);

/**
 * Number of values of a trial, in a fixed order: counts, risk, query error, time, and the measures
 * that a frontier shows (shoal_measure_info.in_frontier).
 */
SHOAL_API size_t shoal_trial_number_count(void);
/** "gcp", the key in reports; static. NULL after the last. */
SHOAL_API const char *shoal_trial_number_name(size_t number);
/** The index of the value with this name, or SIZE_MAX. */
SHOAL_API size_t shoal_trial_number_find(const char *name);
/** The value; NaN if unknown. */
SHOAL_API double shoal_trial_number_of(const shoal_trial *trial, size_t number);
/** True if it is always a whole number. */
SHOAL_API bool shoal_trial_number_is_count(size_t number);

/** One release of a frontier. */
typedef struct shoal_frontier_point {
    const char *value; /**< of the varied setting, as given */
    char k_text[12];   /**< k in digits: `value` where k varies */
    double x;          /**< as a number: the last number in `value`, or its position in the list */
    uint32_t k;
    bool is_unsat; /**< no release was found: `trial` is empty */
    shoal_trial trial;
    /** the largest lower bound of this k and smaller ones, which holds for this k, too; NaN:
     * unknown */
    double bound;
} shoal_frontier_point;

/** The releases of one method, in the order of the given values. */
typedef struct shoal_frontier_series {
    const char *algorithm;
    char name[120];
    shoal_frontier_point *points;
    size_t n_points;
    size_t knee; /**< index, or SIZE_MAX */
} shoal_frontier_series;

/** Releases with increasing protection; see SHOAL_ASK_FRONTIER in ask.h. */
typedef struct shoal_frontier {
    const char *vary; /**< "k", a model or a parameter */
    bool by_k;
    shoal_frontier_series *series;
    size_t n_series;
    uint64_t n_queries; /**< 0: no queries */
    bool has_sensitive; /**< there is a sensitive column: protection is measured */
    bool has_bounds;
    size_t n_ks; /**< the first n_ks series belong to one method, and have all values of k */
} shoal_frontier;

/**
 * The knee of a curve: the point furthest below the straight line from the first to the last
 * point, both axes scaled to [0,1]. Points that are not finite are left out.
 * @return its index, or SIZE_MAX where no point lies below the line
 */
SHOAL_API size_t shoal_knee(const double *x, const double *y, size_t n);

#ifdef __cplusplus
}
#endif
#endif
