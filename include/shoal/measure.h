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
    SHOAL_MEASURE_NEEDS_CLASS,            /**< a class column whose labels are known */
    SHOAL_MEASURE_NEEDS_SENSITIVE,        /**< sensitive columns whose values are known */
    SHOAL_MEASURE_NEEDS_MICROAGGREGATION, /**< numbers published as single numbers, not covering */
    SHOAL_MEASURE_NEEDS_WEIGHTS,          /**< weights of levels or priorities that were said */
    SHOAL_MEASURE_NEEDS_SENSITIVE_NUMBERS /**< a sensitive column of numbers */
} shoal_measure_need;

/** The row of a measure. Static, owned by the library; later versions may append fields. */
typedef struct shoal_measure_info {
    const char *name;   /**< "gcp": its key in JSON, its column in CSV, its attribute in Python */
    const char *help;   /**< one line for people */
    const char *label;  /**< how a report for people calls it; NULL: it is not in there */
    int decimals;       /**< digits behind the point in such a report */
    const char *after;  /**< the measure whose line is above its own; NULL: the row before */
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
    bool is_moved;      /**< a release whose rows do not stand where they stand in the original, as
                             after --row-order shuffle: cells are measured by their text alone */
    double cm;          /**< share of rows whose label is not their group's most frequent */
    double cm_before;   /**< the same of the original, each distinct tuple being a group */
    bool has_sse;       /**< microaggregation: sse_ratio is set */
    double sse_ratio;   /**< squared distances of numbers to what is published over those to their
                             mean (SSE/SST), the mean over numeric quasi-identifiers: 0 unchanged,
                             1 all rows at the mean */
    size_t n_sensitive; /**< sensitive columns; 0: none is named, the next eight are not set */
    double mpm;         /**< mean over groups of the mean S-diversity, in [0,1], less is better */
    double mr_wtd;      /**< (um + mpm) / 2: max-range weighted tuple diversity, equal weights;
                             see shoal_measures_weigh() */
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
 * How plainly groups tell the values of sensitive column number `index`, below n_sensitive; NULL
 * behind the last. Owned by the measures, which the library must have filled in.
 */
SHOAL_API const shoal_sensitive_groups *shoal_measures_sensitive(const shoal_measures *measures,
                                                                 size_t index);

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
/**
 * What each of some texts would lose as a published cell of a quasi-identifier, in [0,1], by the
 * domain of the table's column: 0 for a value, 1 for `*` and for a text that cannot be read.
 * @param losses  n_texts of them
 * @return SHOAL_EINVAL (no such quasi-identifier), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_text_losses(double *losses,
                                                         const shoal_table *original,
                                                         const char *column,
                                                         const char *const *texts, uint32_t n_texts,
                                                         shoal_error *err);
/** Free what the measures own and set all of it to 0. */
SHOAL_API void shoal_measures_clear(shoal_measures *measures);

/**
 * Weigh utility and protection otherwise than equally: mr_wtd becomes w_u um + (1 - w_u) mpm.
 * Does nothing where there are no sensitive columns.
 */
SHOAL_API void shoal_measures_weigh(shoal_measures *measures, double w_u);

/** Rows of one group, and its range diversity in the worst of the sensitive columns. */
typedef struct shoal_range_step {
    uint64_t n_rows;
    double diversity;
} shoal_range_step;

/** The range diversity of each row, ascending: one step for each group. */
typedef struct shoal_range_curve {
    shoal_range_step *steps;
    size_t n_steps;
    uint64_t n_rows; /**< of all steps */
} shoal_range_curve;

/**
 * The range diversity of the group of each row of a release, sorted. Both tables are loaded as for
 * shoal_measure_release(), with the sensitive columns; a generalised sensitive value stands for
 * each value that it covers, all equally likely.
 * @param out  free with shoal_range_curve_clear()
 * @return SHOAL_EINVAL (no sensitive values, or values that the original does not know),
 *         SHOAL_ENOMEM
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
 * every group has at least k rows; weighted by the priorities of the columns, where they have some.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_bound(double *out, const shoal_table *table,
                                                   uint32_t k, uint32_t threads,
                                                   const shoal_callbacks *callbacks,
                                                   shoal_error *err);

/**
 * The loss that shoal_bound() bounds: gcp, or where the columns of the table that was measured have
 * priorities, the same weighted by them. Their ratio is the gap.
 */
SHOAL_API double shoal_bounded_loss(const shoal_measures *measures, const shoal_table *table);

/**
 * Is shoal_bound() about releases that are published as this grouping is? Not where sets or
 * intervals stand in for hierarchies.
 */
SHOAL_API bool shoal_bound_applies(const shoal_table *table, const shoal_grouping *grouping);

/** How much a lower bound gave way, so that it holds: bits of shoal_bound_parts.relaxations. */
typedef enum shoal_bound_relaxation {
    /** very many classes: the nearest rows stand for the cheapest box around each */
    SHOAL_BOUND_NEAREST = 1 << 0,
    /** some cheapest boxes took too long to find: lower numbers stand for them */
    SHOAL_BOUND_STOPPED = 1 << 1,
    /** of a set without hierarchy only the number of values counts */
    SHOAL_BOUND_SETS = 1 << 2,
    /**
     * rows with a missing value that matches everything are inside every box and cost nothing there
     */
    SHOAL_BOUND_WILDCARDS = 1 << 3,
    /** some branches of boxes were bounded as a whole, for lack of work or time */
    SHOAL_BOUND_CUT = 1 << 4,
    /** no prices: k or the number of classes is too large for the work allowed */
    SHOAL_BOUND_UNPRICED = 1 << 5,
} shoal_bound_relaxation;

/** The name of one of them, "sets"; NULL for other numbers. */
SHOAL_API const char *shoal_bound_relaxation_name(unsigned bit);

/** Where a lower bound comes from. */
typedef struct shoal_bound_parts {
    double bound;   /**< what shoal_bound() answers: the greatest of the next three */
    double nearest; /**< from the (k-1)-th nearest row of each row alone; never above `box` */
    double box;     /**< from the cheapest box around each row */
    /** from prices of rows, the dual of the linear programme; 0 where there are none */
    double dual;
    /** the cheapest box around each row was searched too: not on tables with very many classes */
    bool has_boxes;
    /** by the time limit or the progress callback: it holds, and more time may raise it */
    bool is_stopped;
    uint64_t n_searched; /**< classes with fewer than k rows */
    /** those whose cheapest box took too long to find: a lower number stands for it */
    uint64_t n_stopped;
    uint64_t n_passes;    /**< over all boxes, to raise prices */
    uint64_t n_cut;       /**< branches of boxes that were bounded as a whole in the best of them */
    unsigned relaxations; /**< of shoal_bound_relaxation */
} shoal_bound_parts;

/** How much to do for a lower bound. Begin with SHOAL_BOUND_OPTIONS_INIT. */
typedef struct shoal_bound_options {
    size_t size;      /**< set by SHOAL_BOUND_OPTIONS_INIT */
    uint32_t threads; /**< the result does not depend on it, unless there is a time limit */
    /**
     * seconds in all, of which cheapest boxes may take half; 0: as much work as the table deserves,
     * always the same
     */
    double time_limit;
    /** instead: so much work, in classes looked at (about 10 ns each); 0: by the table */
    uint64_t work;
    /** once prices are being raised, stopping keeps the best bound so far */
    const shoal_callbacks *callbacks;
    /** it ends after so many seconds with what is known then, and does no more for them; 0: none */
    double most_seconds;
} shoal_bound_options;

#define SHOAL_BOUND_OPTIONS_INIT                                                                   \
    {                                                                                              \
        .size = sizeof(shoal_bound_options), .threads = 1                                          \
    }

/** As shoal_bound(), with its parts. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_bound_explain(shoal_bound_parts *out,
                                                           const shoal_table *table, uint32_t k,
                                                           uint32_t threads,
                                                           const shoal_callbacks *callbacks,
                                                           shoal_error *err);

/**
 * The same with options. `grouping` may be NULL; where it was made from that table, the distinct
 * tuples are not counted again, and about as much work is done as its search took.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_bound_find(shoal_bound_parts *out,
                                                        const shoal_table *table,
                                                        const shoal_grouping *grouping, uint32_t k,
                                                        const shoal_bound_options *options,
                                                        shoal_error *err);

/** What would be without one quasi-identifier. */
typedef struct shoal_loss_column {
    size_t column; /**< of the table */
    double rest;   /**< lower bound on the gcp of the other quasi-identifiers alone */
    /**
     * how much of the bound on the sum over quasi-identifiers is gone with it: a difference of
     * bounds, in mean loss of a row
     */
    double taken;
} shoal_loss_column;

/** What another k would be. */
typedef struct shoal_loss_k {
    uint32_t k;
    double bound; /**< lower bound on gcp */
} shoal_loss_k;

/** Where the loss comes from that no release avoids: all of it from lower bounds. */
typedef struct shoal_loss_explanation {
    shoal_bound_parts parts;
    uint64_t n_rows;
    uint64_t half_rows; /**< so few rows have prices that make half of the bound */
    uint64_t dear_rows; /**< the dearest 1 % of the rows, */
    double dear_share;  /**< their share of the bound, */
    /** and the lower bound on the gcp of the other rows, were these left out */
    double dear_rest;
    size_t n_columns;           /**< 0 where there is one quasi-identifier */
    shoal_loss_column *columns; /**< by `rest`, ascending: the first one costs most */
    size_t n_ks;
    shoal_loss_k *ks; /**< smaller k, descending */
} shoal_loss_explanation;

/**
 * Find it. Takes as much work for the table as shoal_bound_find(), and a part of it for each column
 * and each k. Prices tell rows apart, no value of which is in the answer. Free with
 * shoal_loss_explanation_clear().
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
