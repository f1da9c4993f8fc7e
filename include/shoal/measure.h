/* SPDX-License-Identifier: Apache-2.0 */
/** @file measure.h  Information loss of a release, and its protection of sensitive values. */
#ifndef SHOAL_MEASURE_H
#define SHOAL_MEASURE_H

#include <shoal/release.h>
#include <shoal/term.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- registry of measures ---- */

/** What a measure needs in order to be defined. */
typedef enum shoal_measure_need {
    SHOAL_MEASURE_NEEDS_NOTHING = 0,
    SHOAL_MEASURE_NEEDS_CLASS,            /**< a class column whose labels are known */
    SHOAL_MEASURE_NEEDS_SENSITIVE,        /**< sensitive columns whose values are known */
    SHOAL_MEASURE_NEEDS_MICROAGGREGATION, /**< numbers published as single values that need not
                                             cover the originals */
    SHOAL_MEASURE_NEEDS_WEIGHTS,          /**< level weights or priorities that were set */
    SHOAL_MEASURE_NEEDS_SENSITIVE_NUMBERS /**< a numeric sensitive column */
} shoal_measure_need;

/**
 * The registry entry of a measure. Static, owned by the library; later versions may append fields.
 */
typedef struct shoal_measure_info {
    const char *name;   /**< "gcp": its key in JSON, its column in CSV, its attribute in Python */
    const char *help;   /**< one line for people */
    const char *label;  /**< its label in text reports; NULL: not shown there */
    int decimals;       /**< decimal places in text reports */
    const char *after;  /**< the measure it follows in text reports; NULL: the previous entry */
    const char *beside; /**< the measure whose line it shares; NULL: a line of its own */
    const char *unit;   /**< "share" (0..1), "ratio", "cells", "rows^2", "k" */
    bool more_is_better;
    bool in_frontier; /**< part of a trial (frontier.h) */
    shoal_measure_need needs;
    const shoal_term *terms; /**< definition with citation; ends with a term without names */
} shoal_measure_info;

/** The measures, in the order of the JSON keys. */
SHOAL_API size_t shoal_measure_count(void);
/** A measure by its index; NULL after the last. */
SHOAL_API const shoal_measure_info *shoal_measure_at(size_t index);

/* ---- the measures of a release ---- */

/**
 * Measures of one release. Groups are distinct published tuples. Every measure is in `values`; the
 * measures of this version also have their own fields. Measures of later versions are in `values`
 * only, so the size of this struct is fixed: read them with shoal_measure_value().
 */
typedef struct shoal_measures {
    uint64_t n_rows;
    uint64_t n_groups;
    uint64_t min_group; /**< rows of the smallest group */
    /** Rows that the method suppressed; of a release that is read: rows that it lacks, and rows of
     * only `*` if these are exempt */
    uint64_t suppressed_rows;
    double gcp;  /**< mean Q-diversity over rows and quasi-identifiers, in [0,1]; `*` is 1 */
    double ncp;  /**< the same, summed instead of averaged */
    double um;   /**< utility measure: mean over groups of the mean Q-diversity */
    double wgu;  /**< worst group: the maximum instead of the mean */
    double dm;   /**< sum of squared group sizes, n for each suppressed row */
    double cavg; /**< rows / (groups * k) */
    double modification_rate; /**< share of quasi-identifier cells that changed */
    double distortion; /**< sum over cells of the share of hierarchy levels climbed, 1 for `*` */
    double distortion_ratio; /**< distortion relative to that of a table of only `*`, in [0,1] */
    double genc; /**< generalisation cost: sum over cells of levels climbed / height of the
                      hierarchy, 1 for `*` */
    double
        s1_loss; /**< sum over cells of the distance to the published value: categories as in
                    distortion, numbers by interval width / domain width (Pramanik et al. 2016) */
    double
        s1_loss_wid; /**< the same, with a smaller weight for quasi-identifiers with more levels */
    bool has_class;  /**< there is a class column (the first of several is used): cm and cm_before
                        are set */
    bool is_moved; /**< the rows are not in the order of the original, as after --row-order shuffle:
                      cells are measured by their text only */
    double cm;     /**< share of rows whose label is not their group's most frequent */
    double cm_before;   /**< the same for the original, each distinct tuple being a group */
    bool has_sse;       /**< microaggregation: sse_ratio is set */
    double sse_ratio;   /**< squared distances between numbers and their published values over those
                           to their mean (SSE/SST), averaged over numeric quasi-identifiers: 0
                           unchanged, 1 all rows at the mean */
    size_t n_sensitive; /**< number of sensitive columns; 0: none, and the next eight fields are not
                           set */
    double mpm;         /**< mean over groups of the mean S-diversity, in [0,1], lower is better */
    double mr_wtd;      /**< (um + mpm) / 2: max-range weighted tuple diversity, equal weights;
                             see shoal_measures_weigh() */
    double wgp;         /**< largest range diversity of a group, in [0,1], lower is better */
    double gd; /**< largest group diversity: half the mean Q-diversity of the group, half its range
                  diversity */
    double dc; /**< largest disclosure confidence of a row: how strongly its group links it to its
                  sensitive range */
    size_t *sensitive_column; /**< column of each in the original */
    double *sensitive_mpm;    /**< mpm of each */
    double *sensitive_wgp;    /**< wgp of each */
    size_t n_qids;
    size_t *qid_column; /**< column of each quasi-identifier in the original */
    double *qid_loss;   /**< mean Q-diversity of each quasi-identifier over rows */
    size_t n_values;    /**< number of measures known to the library that filled this in */
    double *values; /**< per measure, in the order of shoal_measure_at(); NaN if its needs are not
                       met */
} shoal_measures;

/**
 * The value of a measure by its name ("gcp").
 * @return false, with `*value` unchanged, if there is no such measure, its needs are not met, or
 *     `measures` was not filled in
 */
SHOAL_API bool shoal_measure_value(const shoal_measures *measures, const char *name, double *value);
/** The same by its index. */
SHOAL_API bool shoal_measure_value_at(const shoal_measures *measures, size_t index, double *value);

/**
 * Disclosure counts of sensitive column number `index`, below n_sensitive; NULL after the last.
 * Owned by the measures, which must have been filled in by the library.
 */
SHOAL_API const shoal_sensitive_groups *shoal_measures_sensitive(const shoal_measures *measures,
                                                                 size_t index);

/**
 * Measure a grouping. k is the requested one (for cavg and dm).
 * @param out  is overwritten; free with shoal_measures_clear()
 * @return SHOAL_EINVAL (k is 0, or the release is in two tables), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_measure_grouping(shoal_measures *out,
                                                              const shoal_table *table,
                                                              const shoal_grouping *grouping,
                                                              uint32_t k, shoal_error *err);

/**
 * Measure a release against its original from published text; see shoal_verify() for the arguments.
 * The loss of a published cell that does not cover its original (microaggregation) is that of a
 * cell covering the originals of all rows with the same published tuple. A published cell that
 * cannot be read as a value, node, interval or set counts as `*`; the number of such cells goes to
 * `*unread` (may be NULL). Sensitive values are those of the release if they are loaded; else, if
 * it has all rows, those of the original; else protection is not measured. The same holds for class
 * labels and the classification metric.
 * @param out  is overwritten; free with shoal_measures_clear()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_measure_release(shoal_measures *out,
                                                             const shoal_table *original,
                                                             const shoal_table *released,
                                                             uint32_t k, uint64_t *unread,
                                                             shoal_error *err);
/**
 * The loss of each of some texts as published cells of a quasi-identifier, in [0,1], relative to
 * the domain of the table's column: 0 for a value, 1 for `*` and for text that cannot be read.
 * @param losses  receives n_texts numbers
 * @return SHOAL_EINVAL (no such quasi-identifier), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_text_losses(double *losses,
                                                         const shoal_table *original,
                                                         const char *column,
                                                         const char *const *texts, uint32_t n_texts,
                                                         shoal_error *err);
/** Free what the measures own and set them to 0. */
SHOAL_API void shoal_measures_clear(shoal_measures *measures);

/**
 * Use other weights than equal ones for utility and protection: mr_wtd becomes w_u um + (1 - w_u)
 * mpm. Does nothing if there are no sensitive columns.
 */
SHOAL_API void shoal_measures_weigh(shoal_measures *measures, double w_u);

/** Rows of one group, and its largest range diversity over the sensitive columns. */
typedef struct shoal_range_step {
    uint64_t n_rows;
    double diversity;
} shoal_range_step;

/** The range diversity of each row, ascending: one step per group. */
typedef struct shoal_range_curve {
    shoal_range_step *steps;
    size_t n_steps;
    uint64_t n_rows; /**< in all steps */
} shoal_range_curve;

/**
 * The range diversity of each row's group in a release, sorted. Both tables are loaded as for
 * shoal_measure_release(), with the sensitive columns; a generalised sensitive value stands for all
 * values that it covers, with equal probability.
 * @param out  free with shoal_range_curve_clear()
 * @return SHOAL_EINVAL (no sensitive values, or values that are not in the original), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_range_curve_find(shoal_range_curve *out,
                                                              const shoal_table *original,
                                                              const shoal_table *released,
                                                              shoal_error *err);
/** Free what a curve owns; a cleared one may be cleared again. */
SHOAL_API void shoal_range_curve_clear(shoal_range_curve *curve);

/* ---- the lower bound ---- */

/**
 * Lower bound on the gcp of any release of `table` by ranges, sets and hierarchy nodes in which
 * every group has at least k rows; weighted by the priorities of the columns, if any.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_bound(double *out, const shoal_table *table,
                                                   uint32_t k, uint32_t threads,
                                                   const shoal_callbacks *callbacks,
                                                   shoal_error *err);

/**
 * The loss that shoal_bound() bounds: gcp, weighted by the priorities of the measured table's
 * columns, if any. The gap is its ratio to the bound.
 */
SHOAL_API double shoal_bounded_loss(const shoal_measures *measures, const shoal_table *table);

/**
 * True if shoal_bound() applies to releases published like this grouping: not if sets or intervals
 * replace hierarchies.
 */
SHOAL_API bool shoal_bound_applies(const shoal_table *table, const shoal_grouping *grouping);

/** How a lower bound was relaxed (weaker, but valid): bits of shoal_bound_parts.relaxations. */
typedef enum shoal_bound_relaxation {
    /** too many classes: the nearest rows are used instead of the cheapest box around each class */
    SHOAL_BOUND_NEAREST = 1 << 0,
    /** the search for some cheapest boxes was cut short: lower bounds of their costs are used */
    SHOAL_BOUND_STOPPED = 1 << 1,
    /** for a set without hierarchy only the number of values counts */
    SHOAL_BOUND_SETS = 1 << 2,
    /** rows with a wildcard missing value are in every box at no cost there */
    SHOAL_BOUND_WILDCARDS = 1 << 3,
    /** some branches of boxes were bounded as a whole, because of the work or time limit */
    SHOAL_BOUND_CUT = 1 << 4,
    /** no dual prices: k or the number of classes is too large for the work limit */
    SHOAL_BOUND_UNPRICED = 1 << 5,
} shoal_bound_relaxation;

/** Its name, such as "sets"; NULL for other numbers. */
SHOAL_API const char *shoal_bound_relaxation_name(unsigned bit);

/** The components of a lower bound. */
typedef struct shoal_bound_parts {
    double bound;   /**< the result of shoal_bound(): the largest of the next three */
    double nearest; /**< from the distance of each row to its (k-1)-th nearest row; at most `box` */
    double box;     /**< from the cheapest box around each row */
    /** from dual prices of rows, by linear programming; 0 if there are none */
    double dual;
    /** the cheapest box around each row was also searched: not for tables with very many classes */
    bool has_boxes;
    /** stopped by the time limit or the progress callback: valid, but more time may raise it */
    bool is_stopped;
    uint64_t n_searched; /**< classes with fewer than k rows */
    /** those whose search was cut short: a lower bound of the cost is used */
    uint64_t n_stopped;
    uint64_t n_passes;    /**< over all boxes, to raise prices */
    uint64_t n_cut;       /**< branches of boxes that were bounded as a whole in the best pass */
    unsigned relaxations; /**< combination of shoal_bound_relaxation */
} shoal_bound_parts;

/** Limits on the work for a lower bound. Initialise with SHOAL_BOUND_OPTIONS_INIT. */
typedef struct shoal_bound_options {
    size_t size;      /**< set by SHOAL_BOUND_OPTIONS_INIT */
    uint32_t threads; /**< the result does not depend on it, unless there is a time limit */
    /**
     * seconds in total, at most half of them for cheapest boxes; 0: a fixed amount of work that
     * depends on the table
     */
    double time_limit;
    /**
     * alternatively: amount of work, in class visits (about 10 ns each); 0: depends on the table
     */
    uint64_t work;
    /** while prices are being raised, a stop keeps the best bound so far */
    const shoal_callbacks *callbacks;
    /** stop after this many seconds with the bound known by then; 0: no limit */
    double most_seconds;
} shoal_bound_options;

#define SHOAL_BOUND_OPTIONS_INIT                                                                   \
    {                                                                                              \
        .size = sizeof(shoal_bound_options), .threads = 1                                          \
    }

/** As shoal_bound(), with its components. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_bound_explain(shoal_bound_parts *out,
                                                           const shoal_table *table, uint32_t k,
                                                           uint32_t threads,
                                                           const shoal_callbacks *callbacks,
                                                           shoal_error *err);

/**
 * The same with options. `grouping` may be NULL; if it was made from that table, its distinct
 * tuples are reused, and the work is about that of its search.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_bound_find(shoal_bound_parts *out,
                                                        const shoal_table *table,
                                                        const shoal_grouping *grouping, uint32_t k,
                                                        const shoal_bound_options *options,
                                                        shoal_error *err);

/** The bound without one quasi-identifier. */
typedef struct shoal_loss_column {
    size_t column; /**< of the table */
    double rest;   /**< lower bound on the gcp of the other quasi-identifiers alone */
    /**
     * decrease of the bound on the sum over quasi-identifiers without this one: a difference of
     * bounds, in mean loss per row
     */
    double taken;
} shoal_loss_column;

/** The bound for another k. */
typedef struct shoal_loss_k {
    uint32_t k;
    double bound; /**< lower bound on gcp */
} shoal_loss_k;

/** Sources of the unavoidable loss, computed from lower bounds only. */
typedef struct shoal_loss_explanation {
    shoal_bound_parts parts;
    uint64_t n_rows;
    uint64_t
        half_rows; /**< number of rows whose prices sum to half of the bound, most costly first */
    uint64_t costly_rows; /**< number of rows in the most costly 1 % */
    double costly_share;  /**< their share of the bound */
    /** lower bound on the gcp of the other rows if these were left out */
    double costly_rest;
    size_t n_columns;           /**< 0 if there is only one quasi-identifier */
    shoal_loss_column *columns; /**< sorted by `rest`, ascending: the first is the most costly */
    size_t n_ks;
    shoal_loss_k *ks; /**< smaller k, descending */
} shoal_loss_explanation;

/**
 * Compute it. Takes as much work as shoal_bound_find(), plus a fraction of it per column and per k;
 * all of them take at most options->most_seconds, and those that were not answered are left out.
 * The result contains no value of the table. Free with shoal_loss_explanation_clear().
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_explain_loss(shoal_loss_explanation *out,
                                                          const shoal_table *table, uint32_t k,
                                                          const shoal_bound_options *options,
                                                          shoal_error *err);
SHOAL_API void shoal_loss_explanation_clear(shoal_loss_explanation *explanation);

#ifdef __cplusplus
}
#endif
#endif
