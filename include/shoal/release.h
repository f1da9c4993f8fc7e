/* SPDX-License-Identifier: Apache-2.0 */
/** @file release.h  How groups are published, and checks of published tables. */
#ifndef SHOAL_RELEASE_H
#define SHOAL_RELEASE_H

#include <shoal/anonymize.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Publish the groups of a grouping by another model than the default one. Groups that come to
 * publish the same become one, so no group gets smaller. Once for each grouping. O(rows *
 * quasi-identifiers) time.
 * @return SHOAL_EINVAL (another table, recoded before, microaggregation where missing values
 *         match everything). After any failure the grouping can only be freed
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_grouping_recode(shoal_grouping *grouping,
                                                             const shoal_table *table,
                                                             shoal_recode_model model,
                                                             uint32_t threads, shoal_error *err);
/** By which model the groups are published. */
SHOAL_API shoal_recode_model shoal_grouping_model(const shoal_grouping *grouping);
/** "full-domain" for SHOAL_RECODE_FULL_DOMAIN, and so on; NULL for what is no model. */
SHOAL_API const char *shoal_recode_name(shoal_recode_model model);
/**
 * Is it one of mean, median and mode: does it publish one value for all rows of a group, whatever
 * theirs are?
 */
SHOAL_API bool shoal_recode_is_microaggregation(shoal_recode_model model);

/** Takes the next bytes of an output; 0, or an errno value that ends the writing (SHOAL_EIO). */
typedef int (*shoal_write_fn)(const void *data, size_t size, void *payload);

/** What a check of published values found. Counts only, never a value. */
typedef struct shoal_check_result {
    uint64_t n_rows;
    uint64_t n_groups;        /**< distinct published tuples */
    uint64_t min_group;       /**< rows of the smallest: the k that holds */
    uint64_t suppressed_rows; /**< rows with `*` in every quasi-identifier */
    uint64_t failing_groups;  /**< groups below k */
    uint64_t failing_rows;
    /**
     * Verify only: published cells that do not cover their original, or are not its group's mean
     * (median, mode)
     */
    uint64_t uncovered_cells;
    /**
     * By text alone, where a missing value equals nothing but itself: rows of the smallest tuple,
     * and rows of tuples below k. As min_group and failing_rows, unless missing values match any
     */
    uint64_t min_text_group;
    uint64_t text_failing_rows;
} shoal_check_result;

/**
 * Does a loaded table, whoever made it, have at least k rows for each tuple of its
 * quasi-identifiers? Counts published text alone; missing values by the table's mode. O(rows)
 * time.
 * @return SHOAL_OK when it was counted: read `failing_groups`
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check(shoal_check_result *out,
                                                   const shoal_table *released, uint32_t k,
                                                   uint32_t threads, shoal_error *err);

/** Cells of a release that nobody can read, and where they are. Counts only, never a value. */
typedef struct shoal_unread {
    uint64_t n_cells; /**< in all columns that were looked at */
    size_t n_columns; /**< columns with such cells */
    size_t *columns;  /**< of the original */
    uint64_t *cells;  /**< of each of these columns */
} shoal_unread;

/**
 * Count the published cells that are neither values of the original nor labels of its hierarchies,
 * ranges or sets: measures and estimates take them for `*`. Free with shoal_unread_clear().
 * @param released  as for shoal_measure_release(); columns that it lacks are not looked at
 * @param columns   `n_columns` loaded columns of the original; NULL: its quasi-identifiers
 * @return SHOAL_OK, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_unread_find(shoal_unread *out,
                                                         const shoal_table *original,
                                                         const shoal_table *released,
                                                         const size_t *columns, size_t n_columns,
                                                         shoal_error *err);
/**
 * The error for a measurement that would take such cells for `*`: it names the columns and the
 * hierarchies that are missing.
 * @return SHOAL_EDATA, or SHOAL_OK when there are none
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_unread_refuse(const shoal_unread *unread,
                                                           const shoal_table *original,
                                                           shoal_error *err);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_unread_clear(shoal_unread *unread);

/** What a check of one set of columns found. Counts only, never a value. */
typedef struct shoal_set_result {
    uint64_t n_rows;
    uint64_t n_persons;       /**< distinct persons, where the table has entity columns; else 0 */
    uint64_t suppressed_rows; /**< rows with `*` in every quasi-identifier of the table */
    uint64_t n_groups;        /**< distinct published tuples of these columns */
    /** The smallest: in rows, or in distinct persons. The k that holds */
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
 * Does each tuple of some of the table's quasi-identifiers occur at least k times? Where the
 * table is loaded with entity columns, persons are counted instead of rows: one with several rows
 * in a group counts once.
 * @param columns  `n_columns` columns of the table, quasi-identifiers all; NULL: all of them
 *                 together
 * @return SHOAL_OK when it was counted: read `failing_groups`. SHOAL_EINVAL (a column that is no
 *         quasi-identifier; persons while missing values match everything)
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check_set(shoal_set_result *out,
                                                       const shoal_table *released,
                                                       const size_t *columns, size_t n_columns,
                                                       const shoal_set_options *options,
                                                       shoal_error *err);

#define SHOAL_SUBSETS_LISTED 100

/** What a check of all combinations of quasi-identifiers found. */
typedef struct shoal_subsets_result {
    uint32_t n_columns; /**< of each combination */
    uint64_t n_sets;    /**< combinations looked at */
    uint64_t n_failing; /**< of them below k */
    /** Columns of the combination with the smallest group (then with most failing rows) */
    size_t *worst;
    shoal_set_result worst_result;
    /** Failing combinations in the lists below: the first SHOAL_SUBSETS_LISTED */
    uint32_t n_listed;
    size_t *listed; /**< n_listed x n_columns columns */
    shoal_set_result *listed_results;
} shoal_subsets_result;

/**
 * Does every combination of at most `n_columns` quasi-identifiers satisfy k? A tuple of fewer
 * columns occurs at least as often as one of more, so those of exactly `n_columns` (of all, if
 * there are fewer) decide. Free with shoal_subsets_clear(). O(combinations * distinct tuples);
 * SHOAL_EINVAL for more than a million combinations.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check_subsets(shoal_subsets_result *out,
                                                           const shoal_table *released,
                                                           uint32_t n_columns,
                                                           const shoal_set_options *options,
                                                           shoal_error *err);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_subsets_clear(shoal_subsets_result *result);

/**
 * Options of shoal_check_models() and shoal_verify_models(). Zero is the default of every field.
 */
typedef struct shoal_models_options {
    size_t size;
    const shoal_model_spec *models;
    size_t n_models;
    /** For k-map and delta-presence: loaded, with the quasi-identifiers under the same names */
    const shoal_table *population;
    /** Verify: how many persons a group must have where the original has an entity column */
    uint32_t k;
    uint32_t threads; /**< 0 means one */
} shoal_models_options;

#define SHOAL_MODELS_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_models_options)                                                       \
    }

/** What privacy models come to over the groups of a table. Counts only, never a value. */
typedef struct shoal_models_result {
    uint64_t n_rows;
    uint64_t n_groups;
    uint64_t failing_groups; /**< groups that miss some model */
    uint64_t failing_rows;
    size_t n_models;
    /** In the order asked for; one for each sensitive column where no column was said */
    shoal_model_result *models;
} shoal_models_result;

/**
 * What do models come to over the groups of a loaded table, whoever made it? Groups are rows with
 * the same published quasi-identifiers (under wildcard: that cannot be told apart), those of `*`
 * alone included. Sensitive columns are loaded as such, with a hierarchy where a model needs one.
 * Models that compare groups with the whole table take the table as it is published.
 * @return SHOAL_OK when it was counted: read `failing_groups`. Free with shoal_models_clear()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check_models(shoal_models_result *out,
                                                          const shoal_table *released,
                                                          const shoal_models_options *options,
                                                          shoal_error *err);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_models_clear(shoal_models_result *result);

/** How plainly groups tell the values of one sensitive column. Counts only, never a value. */
typedef struct shoal_sensitive_groups {
    uint64_t n_groups;         /**< that were looked at */
    uint64_t n_rows;           /**< of them */
    uint64_t one_value_groups; /**< whose rows all share one value */
    uint64_t one_value_rows;
    uint64_t dominated_groups; /**< in which one value has more than half of the rows, or all */
    uint64_t dominated_rows;
    uint64_t fewest_values; /**< distinct values of the group that has the fewest; 0: no group */
    uint64_t fewest_groups; /**< that have so few */
} shoal_sensitive_groups;

/** The same of each sensitive column of a table. */
typedef struct shoal_sensitive_result {
    size_t n_columns;
    size_t *columns;                /**< their numbers in the table */
    shoal_sensitive_groups *groups; /**< of each */
} shoal_sensitive_result;

/**
 * Count them in a release alone, by its text: for every column that is loaded as sensitive. A
 * generalised value counts as a value of its own; shoal_measure_release() knows what it stands for.
 * @param out  free with shoal_sensitive_clear()
 * @return SHOAL_EINVAL (not loaded, no quasi-identifier), SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check_sensitive(shoal_sensitive_result *out,
                                                             const shoal_table *released,
                                                             uint32_t threads, shoal_error *err);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_sensitive_clear(shoal_sensitive_result *result);

/** What one release has and another lacks. Counts only, never a value. */
typedef struct shoal_difference_result {
    uint64_t n_rows;         /**< rows of the one that the other lacks */
    uint64_t n_groups;       /**< distinct tuples of quasi-identifiers among them */
    uint64_t min_group;      /**< rows of the smallest; 0: there is no difference */
    uint64_t failing_groups; /**< groups below k */
    uint64_t failing_rows;
    shoal_models_result models; /**< over these groups; columns are those of the one */
} shoal_difference_result;

/**
 * Do the rows that `released` has and `other` lacks satisfy k and models, too? Releases are
 * multisets: a row is the published text of quasi-identifiers and sensitive columns, and the
 * difference has of each as many as `released` has more. Both are loaded as for
 * shoal_check_models(), columns are matched by name. Ask again with the two exchanged for what
 * `other` has.
 * @param options  k is required; no population
 * @return SHOAL_OK when it was counted: see shoal_difference_satisfied(). SHOAL_EINVAL: columns
 *         differ, missing values match everything, or as shoal_difference_models(). Free with
 *         shoal_difference_clear()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_check_difference(shoal_difference_result *out,
                                                              const shoal_table *released,
                                                              const shoal_table *other,
                                                              const shoal_models_options *options,
                                                              shoal_error *err);
/**
 * Can these models be asked of a difference?
 * @return SHOAL_EINVAL for one that compares groups with a whole table or a population
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_difference_models(const shoal_model_spec *models,
                                                               size_t n_models, shoal_error *err);
/** Is no group below k, and does none miss a model? An empty difference satisfies everything. */
SHOAL_API bool shoal_difference_satisfied(const shoal_difference_result *result);
/** Free what a result owns; a cleared one may be cleared again. */
SHOAL_API void shoal_difference_clear(shoal_difference_result *result);

/**
 * The same for a release beside its original, as shoal_released_open_sensitive() loads it;
 * columns in results are those of the original. Where the original has entity columns, persons
 * are counted too, from the original's rows: the result is called "persons".
 * @param kept  as for shoal_verify()
 * @return SHOAL_EUNSAT with a message when the release must not be published; `out` is filled
 *         then too
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_verify_models(shoal_models_result *out,
                                                           const shoal_table *original,
                                                           const shoal_table *released,
                                                           const shoal_models_options *options,
                                                           const uint8_t *kept, shoal_error *err);

/**
 * Check a release against its original, from published text alone: k, the number of rows, and
 * that each published cell covers the original value of the same row. `released` is loaded with
 * the same quasi-identifiers (by name) as categorical columns; see shoal_released_open().
 * @param kept  with rows left out: one byte a row of the original, non-zero where it is in the
 *              release; else NULL
 * @return SHOAL_EUNSAT with a message when the release must not be published
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_verify(shoal_check_result *out,
                                                    const shoal_table *original,
                                                    const shoal_table *released, uint32_t k,
                                                    const uint8_t *kept, uint32_t threads,
                                                    shoal_error *err);

/**
 * Can a mapping be made of the loaded table? Asked before the search, so that it is not in vain.
 * @return SHOAL_EINVAL (no count column, columns that are no part of the tuples, names that the
 *         mapping needs for itself)
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_mapping_check(const shoal_table *table,
                                                           shoal_error *err);

/**
 * Load the CSV text of a mapping beside the counted table it was made from. `data` is borrowed
 * until the table is freed.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_mapping_open(shoal_table **out, const char *data,
                                                          size_t size, const shoal_table *original,
                                                          uint32_t threads, shoal_error *err);

/**
 * Check a mapping against the counted table, from its text alone: the lines and their order, that
 * shares add up, that what is published covers the line's values, and that each published tuple
 * has k rows. shoal_verify_models() takes a mapping too.
 * @return SHOAL_EUNSAT with a message when the mapping must not be used
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_verify_mapping(shoal_check_result *out,
                                                            const shoal_table *original,
                                                            const shoal_table *mapping, uint32_t k,
                                                            uint32_t threads, shoal_error *err);

/** Options of shoal_verify_release(). Zero is the default of every field but k. */
typedef struct shoal_verify_options {
    size_t size;
    uint32_t k; /**< required */
    uint32_t threads;
    const uint8_t *kept; /**< as in shoal_verify() */
    /**
     * How the release claims to be published. A microaggregated cell does not cover its original:
     * instead each must be what the originals of all rows with the same published tuple give,
     * worked out anew. `*` is right everywhere.
     */
    shoal_recode_model recoding;
} shoal_verify_options;

#define SHOAL_VERIFY_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_verify_options)                                                       \
    }

/** As shoal_verify(), for a release by any model of recoding. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_verify_release(shoal_check_result *out,
                                                            const shoal_table *original,
                                                            const shoal_table *released,
                                                            const shoal_verify_options *options,
                                                            shoal_error *err);

/** Options of shoal_verify_buckets(). Zero is the default of every field but l. */
typedef struct shoal_bucket_options {
    size_t size;
    uint32_t l; /**< required, >= 2: no sensitive value may make up more than 1/l of a group */
    uint32_t k; /**< rows that each group must have besides */
    uint32_t threads;
} shoal_bucket_options;

#define SHOAL_BUCKET_OPTIONS_INIT                                                                  \
    {                                                                                              \
        .size = sizeof(shoal_bucket_options)                                                       \
    }

/** What a check of a release by buckets found. Counts only, never a value. */
typedef struct shoal_bucket_result {
    uint64_t n_rows, n_groups;
    uint64_t min_group; /**< rows of the smallest */
    double max_share;   /**< of one value in a group: the worst */
    /**
     * Reconstruction error: squared distance between each row and what its group says of it,
     * summed
     */
    double rce;
    uint64_t failing_groups; /**< groups below k or with a share above 1/l */
    uint64_t failing_rows;
} shoal_bucket_result;

/** The two tables of a release by buckets, as text. */
typedef struct shoal_bucket_texts {
    const char *first; /**< quasi-identifiers and the number of the group */
    size_t first_size;
    const char *second; /**< groups, sensitive values, counts */
    size_t second_size;
} shoal_bucket_texts;

/**
 * Check both tables of a release by buckets, from their text alone, against the original: rows,
 * columns and their order, the bytes of every published cell, the counts of each group, and that
 * each group is large and diverse enough.
 * @return SHOAL_EUNSAT with a message when the release must not be published
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_verify_buckets(shoal_bucket_result *out,
                                                            const shoal_table *original,
                                                            const shoal_bucket_texts *texts,
                                                            const shoal_bucket_options *options,
                                                            shoal_error *err);

/** Options of shoal_verify_personal(). */
typedef struct shoal_personal_options {
    size_t size;
    uint32_t k; /**< required */
    uint32_t threads;
    double breach;      /**< required, in (0,1] */
    const char *column; /**< the sensitive column, which has a hierarchy */
    /** Column of the original with each row's guarding node (empty: none); NULL: `guard` */
    const char *guard_column;
    const char *guard; /**< "value", or "level:N": N steps above the value, never the root */
} shoal_personal_options;

#define SHOAL_PERSONAL_OPTIONS_INIT                                                                \
    {                                                                                              \
        .size = sizeof(shoal_personal_options)                                                     \
    }

/** What a check of personalised anonymity found. Counts only, never a value. */
typedef struct shoal_personal_result {
    uint64_t guarded_rows;
    uint64_t breached_rows;
    double max_breach;     /**< the most likely that a value below somebody's guarding node is */
    double sensitive_loss; /**< mean Q-diversity of the published sensitive cells */
} shoal_personal_result;

/**
 * Check a release with generalised sensitive values against its original, from its text alone:
 * what shoal_verify() checks, that each sensitive cell covers its original, and that in no group
 * a row's guarding node is breached by more than `breach`.
 * @return SHOAL_EUNSAT with a message when the release must not be published
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_verify_personal(shoal_personal_result *out,
                                                             const shoal_table *original,
                                                             const char *data, size_t size,
                                                             const shoal_personal_options *options,
                                                             shoal_error *err);

/**
 * Load CSV text as a release of `original`: same separator, the quasi-identifiers found by name.
 * `data` is borrowed until the table is freed.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_released_open(shoal_table **out, const char *data,
                                                           size_t size, const shoal_table *original,
                                                           uint32_t threads, shoal_error *err);

/**
 * The same with the sensitive columns, read with the types and hierarchies of the original: what
 * shoal_verify_models() needs.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_released_open_sensitive(shoal_table **out,
                                                                     const char *data, size_t size,
                                                                     const shoal_table *original,
                                                                     uint32_t threads,
                                                                     shoal_error *err);

/**
 * Either of the two, where `data` is a read-only map of a file, as shoal_output_view() gives it:
 * pages that have been read are given back to the system, so that a large release does not add to
 * the memory of the process.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_released_open_map(shoal_table **out, const char *data,
                                                               size_t size,
                                                               const shoal_table *original,
                                                               bool with_sensitive,
                                                               uint32_t threads, shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
