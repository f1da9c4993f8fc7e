/* SPDX-License-Identifier: Apache-2.0 */
/** @file release.h  How groups are published, and checks of published tables. */
#ifndef SHOAL_RELEASE_H
#define SHOAL_RELEASE_H

#include <shoal/anonymize.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The recoding model by which the groups are published. */
SHOAL_API shoal_recode_model shoal_grouping_model(const shoal_grouping *grouping);
/** "full-domain" for SHOAL_RECODE_FULL_DOMAIN, and so on; NULL if out of range. */
SHOAL_API const char *shoal_recode_name(shoal_recode_model model);
/**
 * True for mean, median and mode, which publish one value for all rows of a group that need not
 * cover theirs.
 */
SHOAL_API bool shoal_recode_is_microaggregation(shoal_recode_model model);

/**
 * Receives the next bytes of an output; returns 0, or an errno value that ends the writing
 * (SHOAL_EIO).
 */
typedef int (*shoal_write_fn)(const void *data, size_t size, void *payload);

/** Result of a check of published values. Counts only, never a value. */
typedef struct shoal_check_result {
    uint64_t n_rows;
    uint64_t n_groups;        /**< distinct published tuples */
    uint64_t min_group;       /**< rows of the smallest group: the k that holds */
    uint64_t suppressed_rows; /**< rows with `*` in every quasi-identifier */
    uint64_t failing_groups;  /**< groups below k */
    uint64_t failing_rows;
    /**
     * Verify only: published cells that do not cover their original, or are not the mean (median,
     * mode) of their group
     */
    uint64_t uncovered_cells;
    /**
     * By text alone, with a missing value equal only to itself: rows of the smallest group, and
     * rows in groups below k. Equal to min_group and failing_rows, except with
     * SHOAL_MISSING_WILDCARD
     */
    uint64_t min_text_group;
    uint64_t text_failing_rows;
} shoal_check_result;

/**
 * Count the rows per tuple of quasi-identifiers of a loaded table from any tool, and compare with
 * k. Uses published text only; missing values are treated as the table says. O(rows) time.
 * @return SHOAL_OK if it was counted: read `failing_groups`
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check(shoal_check_result *out,
                                                   const shoal_table *released, uint32_t k,
                                                   uint32_t threads, shoal_error *err);

/** Cells of a release that cannot be read, and their columns. Counts only, never a value. */
typedef struct shoal_unread {
    uint64_t n_cells; /**< in all examined columns */
    size_t n_columns; /**< columns with such cells */
    size_t *columns;  /**< of the original */
    uint64_t *cells;  /**< per such column */
} shoal_unread;

/**
 * Count the published cells that are neither values of the original nor labels of its hierarchies,
 * ranges or sets: measures and estimates treat them as `*`. Free with shoal_unread_clear().
 * @param released  as for shoal_measure_release(); columns that it lacks are skipped
 * @param columns   `n_columns` loaded columns of the original; NULL: its quasi-identifiers
 * @return SHOAL_OK, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_unread_find(shoal_unread *out,
                                                         const shoal_table *original,
                                                         const shoal_table *released,
                                                         const size_t *columns, size_t n_columns,
                                                         shoal_error *err);
/**
 * The error for a measurement that would treat such cells as `*`: names the columns and the missing
 * hierarchies.
 * @return SHOAL_EDATA, or SHOAL_OK if there are none
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_unread_refuse(const shoal_unread *unread,
                                                           const shoal_table *original,
                                                           shoal_error *err);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_unread_clear(shoal_unread *unread);

/** Result of a check of one set of columns. Counts only, never a value. */
typedef struct shoal_set_result {
    uint64_t n_rows;
    uint64_t n_persons;       /**< distinct persons, if the table has entity columns; else 0 */
    uint64_t suppressed_rows; /**< rows with `*` in every quasi-identifier of the table */
    uint64_t n_groups;        /**< distinct published tuples of these columns */
    /** The smallest group, in rows or distinct persons: the k that holds */
    uint64_t min_group;
    uint64_t failing_groups; /**< groups below k */
    uint64_t failing_rows;
} shoal_set_result;

/** Options of the checks of column sets. */
typedef struct shoal_set_options {
    size_t size;
    uint32_t k;                       /**< required */
    uint32_t threads;                 /**< 0 means one; the result does not depend on it */
    const shoal_callbacks *callbacks; /**< may be NULL */
} shoal_set_options;

#define SHOAL_SET_OPTIONS_INIT                                                                     \
    {                                                                                              \
        .size = sizeof(shoal_set_options)                                                          \
    }

/**
 * Check that each tuple of some of the table's quasi-identifiers occurs at least k times. If the
 * table is loaded with entity columns, persons are counted instead of rows: a person with several
 * rows in a group counts once.
 * @param columns  `n_columns` quasi-identifiers of the table; NULL: all of them together
 * @return SHOAL_OK if it was counted: read `failing_groups`. SHOAL_EINVAL (a column that is not a
 *     quasi-identifier; persons combined with SHOAL_MISSING_WILDCARD)
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check_set(shoal_set_result *out,
                                                       const shoal_table *released,
                                                       const size_t *columns, size_t n_columns,
                                                       const shoal_set_options *options,
                                                       shoal_error *err);

#define SHOAL_SUBSETS_LISTED 100

/** Result of a check of all combinations of quasi-identifiers. */
typedef struct shoal_subsets_result {
    uint32_t n_columns; /**< of each combination */
    uint64_t n_sets;    /**< combinations checked */
    uint64_t n_failing; /**< combinations below k */
    /** Columns of the combination with the smallest group (ties: most failing rows) */
    size_t *worst;
    shoal_set_result worst_result;
    /** Number of failing combinations in the lists below: at most SHOAL_SUBSETS_LISTED */
    uint32_t n_listed;
    size_t *listed; /**< n_listed x n_columns columns */
    shoal_set_result *listed_results;
} shoal_subsets_result;

/**
 * Check k for every combination of at most `n_columns` quasi-identifiers. A tuple of fewer columns
 * occurs at least as often as one of more, so it suffices to check the combinations of exactly
 * `n_columns` (of all, if there are fewer). Free with shoal_subsets_clear(). O(combinations *
 * distinct tuples); SHOAL_EINVAL for more than a million combinations.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check_subsets(shoal_subsets_result *out,
                                                           const shoal_table *released,
                                                           uint32_t n_columns,
                                                           const shoal_set_options *options,
                                                           shoal_error *err);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_subsets_clear(shoal_subsets_result *result);

/**
 * Options of shoal_check_models(). Zero is the default of every field.
 */
typedef struct shoal_models_options {
    size_t size;
    const shoal_model_spec *models;
    size_t n_models;
    /** For k-map and delta-presence: loaded, with quasi-identifiers of the same names */
    const shoal_table *population;
    /** Verify: minimum number of persons per group if the original has an entity column */
    uint32_t k;
    uint32_t threads; /**< 0 means one */
} shoal_models_options;

#define SHOAL_MODELS_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_models_options)                                                       \
    }

/** Values of privacy models over the groups of a table. Counts only, never a cell value. */
typedef struct shoal_models_result {
    uint64_t n_rows;
    uint64_t n_groups;
    uint64_t failing_groups; /**< groups that fail at least one model */
    uint64_t failing_rows;
    size_t n_models;
    /** In the order requested; one result per sensitive column if the model names no column */
    shoal_model_result *models;
} shoal_models_result;

/**
 * Compute the values of models over the groups of a loaded table from any tool. Groups are rows
 * with the same published quasi-identifiers (with SHOAL_MISSING_WILDCARD: rows that cannot be
 * distinguished), including rows of only `*`. Sensitive columns are loaded as such, with a
 * hierarchy where a model needs one. Models that compare groups with the whole table use the
 * published table.
 * @return SHOAL_OK if it was counted: read `failing_groups`. Free with shoal_models_clear()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check_models(shoal_models_result *out,
                                                          const shoal_table *released,
                                                          const shoal_models_options *options,
                                                          shoal_error *err);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_models_clear(shoal_models_result *result);

/** Disclosure of the values of one sensitive column by groups. Counts only, never a value. */
typedef struct shoal_sensitive_groups {
    uint64_t n_groups;         /**< groups examined */
    uint64_t n_rows;           /**< rows in them */
    uint64_t one_value_groups; /**< all rows have the same value */
    uint64_t one_value_rows;
    uint64_t dominated_groups; /**< one value has more than half of the rows */
    uint64_t dominated_rows;
    uint64_t fewest_values; /**< distinct values of the group with the fewest; 0: no group */
    uint64_t fewest_groups; /**< groups with that number of distinct values */
} shoal_sensitive_groups;

/** The same for each sensitive column of a table. */
typedef struct shoal_sensitive_result {
    size_t n_columns;
    size_t *columns;                /**< their numbers in the table */
    shoal_sensitive_groups *groups; /**< per column */
} shoal_sensitive_result;

/**
 * Count them in a release by its text, for every column that is loaded as sensitive. A generalised
 * value counts as a distinct value; shoal_measure_release() considers the values that it covers.
 * @param out  free with shoal_sensitive_clear()
 * @return SHOAL_EINVAL (not loaded, no quasi-identifier), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check_sensitive(shoal_sensitive_result *out,
                                                             const shoal_table *released,
                                                             uint32_t threads, shoal_error *err);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_sensitive_clear(shoal_sensitive_result *result);

/** Rows that one release has and another lacks. Counts only, never a value. */
typedef struct shoal_difference_result {
    uint64_t n_rows;         /**< rows of the first release that the second lacks */
    uint64_t n_groups;       /**< distinct tuples of quasi-identifiers among them */
    uint64_t min_group;      /**< rows of the smallest group; 0: no difference */
    uint64_t failing_groups; /**< groups below k */
    uint64_t failing_rows;
    shoal_models_result models; /**< over these groups; columns are those of the first release */
} shoal_difference_result;

/**
 * Check whether the rows that `released` has and `other` lacks satisfy k and the models. Releases
 * are compared as multisets: a row is the published text of quasi-identifiers and sensitive
 * columns, and the difference counts by how many `released` has more of each. Both are loaded as
 * for shoal_check_models(); columns are matched by name. Call it again with the two exchanged for
 * the rows that only `other` has.
 * @param options  k is required; no population
 * @return SHOAL_OK if it was counted: see shoal_difference_satisfied(). SHOAL_EINVAL: columns
 *     differ, SHOAL_MISSING_WILDCARD, or a model that compares groups with a whole table
 *     or a population. Free with
 *     shoal_difference_clear()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check_difference(shoal_difference_result *out,
                                                              const shoal_table *released,
                                                              const shoal_table *other,
                                                              const shoal_models_options *options,
                                                              shoal_error *err);
/** True if no group is below k and none fails a model. An empty difference satisfies everything. */
SHOAL_API bool shoal_difference_satisfied(const shoal_difference_result *result);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_difference_clear(shoal_difference_result *result);

/** Result of a check of a release by buckets. Counts only, never a value. */
typedef struct shoal_bucket_result {
    uint64_t n_rows, n_groups;
    uint64_t min_group; /**< rows of the smallest group */
    double max_share;   /**< largest share of one value in a group */
    /**
     * Reconstruction error: sum over rows of the squared distance between the row and the
     * distribution of its group
     */
    double rce;
    uint64_t failing_groups; /**< groups below k or with a share above 1/l */
    uint64_t failing_rows;
} shoal_bucket_result;

/** Result of a check of personalised anonymity. Counts only, never a value. */
typedef struct shoal_personal_result {
    uint64_t guarded_rows;
    uint64_t breached_rows;
    double max_breach; /**< highest probability of a value below the guarding node of its person */
    double sensitive_loss; /**< mean Q-diversity of the published sensitive cells */
} shoal_personal_result;

#ifdef __cplusplus
}
#endif
#endif
