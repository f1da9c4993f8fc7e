/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file anonymize.h  From a loaded table to a grouping: which rows are published with equal values.
 */
#ifndef SHOAL_ANONYMIZE_H
#define SHOAL_ANONYMIZE_H

#include <shoal/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Group the rows of a loaded table so that every group has at least k rows and satisfies every
 * model, with as little information loss as the algorithm finds. Where the table has an entity
 * column, a group has the rows of at least k persons. Time and memory depend on the algorithm; see
 * docs/algorithms.
 * @param out        receives the grouping; free with shoal_grouping_free()
 * @param spec       k, models, method, parameters and limits are read; roles are those of the table
 * @param callbacks  may be NULL. If progress stops the search: SHOAL_ECANCELLED, or, if the
 *                   algorithm is already improving a valid grouping, that grouping with
 *                   shoal_grouping_stopped_early() true
 * @return SHOAL_EINVAL (options, roles, unknown algorithm or parameter), SHOAL_EUNSAT (fewer than k
 * rows, or a model that cannot be met), SHOAL_EDATA (a value that is not in its hierarchy),
 * SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_anonymize(shoal_grouping **out,
                                                       const shoal_table *table,
                                                       const shoal_spec *spec,
                                                       const shoal_callbacks *callbacks,
                                                       shoal_error *err);

/** Result of shoal_grouping_group() for a suppressed row. */
#define SHOAL_SUPPRESSED UINT32_MAX

SHOAL_API uint64_t shoal_grouping_n_rows(const shoal_grouping *grouping);
SHOAL_API uint32_t shoal_grouping_n_groups(const shoal_grouping *grouping);
/** Distinct quasi-identifier tuples of the input. */
SHOAL_API uint32_t shoal_grouping_n_classes(const shoal_grouping *grouping);
SHOAL_API uint32_t shoal_grouping_group(const shoal_grouping *grouping, uint64_t row);
SHOAL_API uint64_t shoal_grouping_n_suppressed(const shoal_grouping *grouping);
/** Result of shoal_grouping_level() if rows are not all published on one level. */
#define SHOAL_NO_LEVEL UINT32_MAX
/**
 * Level on which a full-domain method (such as datafly) publishes quasi-identifier number `qid`,
 * counted in the order in which they were named: 0 is the value itself, shoal_grouping_height() is
 * `*`. SHOAL_NO_LEVEL for other methods.
 */
SHOAL_API uint32_t shoal_grouping_level(const shoal_grouping *grouping, size_t qid);
SHOAL_API uint32_t shoal_grouping_height(const shoal_grouping *grouping, size_t qid);

/**
 * Effect of suppression on a release made for a class column (iack, iacc); see
 * docs/algorithms/iack.md.
 */
typedef struct shoal_information {
    /** largest change of normalised mutual information with the class, over quasi-identifiers */
    double alpha;
    /**
     * largest normalised Kullback-Leibler divergence of their values; infinite if a value
     * disappears
     */
    double beta;
    double beta_kept; /**< the same without the values that disappear: always finite */
    /** values of quasi-identifiers, on the chosen levels, that no published row has */
    uint32_t n_gone;
    uint64_t k_reached; /**< rows of the smallest group, counting the suppressed rows as a group */
} shoal_information;
/** False for other methods; `out` is then unchanged. */
SHOAL_API bool shoal_grouping_information(const shoal_grouping *grouping, shoal_information *out);
/**
 * Normalised mutual information of a quasi-identifier on one of its levels with the class, before
 * suppression; -1 if shoal_grouping_information() is false or there is no such level.
 */
SHOAL_API double shoal_grouping_level_information(const shoal_grouping *grouping, size_t qid,
                                                  uint32_t level);
/**
 * The same after suppression: I_N of the remaining rows, and D_N of the values, infinite if one
 * disappears. False if shoal_grouping_level_information() is -1.
 */
SHOAL_API bool shoal_grouping_level_change(const shoal_grouping *grouping, size_t qid,
                                           uint32_t level, double *information, double *divergence);
/**
 * Settings that a method chose itself because its parameters were not given (toc: delta, s, size).
 * @param word  receives NULL, or the setting if it is a word; `value` is then 0
 * @return false after the last
 */
SHOAL_API bool shoal_grouping_setting(const shoal_grouping *grouping, size_t index,
                                      const char **name, double *value, const char **word);
/** True if a time limit or the progress callback stopped the search early. */
SHOAL_API bool shoal_grouping_stopped_early(const shoal_grouping *grouping);
/** Seconds spent in "encode", "search" or "refine"; 0 for other names. */
SHOAL_API double shoal_grouping_seconds(const shoal_grouping *grouping, const char *phase);
/** Cost evaluations and searches of the search kernel; both 0 if the algorithm does not use it. */
SHOAL_API void shoal_grouping_search_counts(const shoal_grouping *grouping, uint64_t *evaluations,
                                            uint64_t *queries);
SHOAL_API void shoal_grouping_free(shoal_grouping *grouping);

/**
 * The algorithms, in a fixed order, the default first. All texts are static. For an index that is
 * too large the result is NULL or 0.
 */
SHOAL_API size_t shoal_algorithm_count(void);
/** The index of a name; 0, the default, for NULL; SIZE_MAX if there is no such algorithm. */
SHOAL_API size_t shoal_algorithm_index(const char *name);
SHOAL_API const char *shoal_algorithm_name(size_t index);
/** A one-line description. */
SHOAL_API const char *shoal_algorithm_summary(size_t index);
/**
 * Definition with citation, and the terms that only its reports use; ends with a term without
 * names.
 */
SHOAL_API const shoal_term *shoal_algorithm_terms(size_t index);

/** What an algorithm needs and publishes. */
typedef enum shoal_algorithm_trait {
    SHOAL_METHOD_NEEDS_K = 1 << 0,           /**< see shoal_algorithm_needs_k() */
    SHOAL_METHOD_NEEDS_PARAMS = 1 << 1,      /**< see shoal_algorithm_needs_params() */
    SHOAL_METHOD_NEEDS_CLASS = 1 << 2,       /**< a class column must be named */
    SHOAL_METHOD_NEEDS_SENSITIVE = 1 << 3,   /**< a sensitive column must be named */
    SHOAL_METHOD_NEEDS_ROWS = 1 << 4,        /**< refuses a table of counts */
    SHOAL_METHOD_WRITES_TWO_TABLES = 1 << 5, /**< release by buckets */
    /** sensitive values are generalised, too; such a release is text */
    SHOAL_METHOD_GENERALISES_SENSITIVE = 1 << 6,
    /** chooses levels for the whole table: slices of a table cannot be released one by one */
    SHOAL_METHOD_SETS_LEVELS = 1 << 7,
} shoal_algorithm_trait;
/** The traits of an algorithm, combined with |. */
SHOAL_API unsigned shoal_algorithm_traits(size_t index);

/**
 * Cost of a method, as a text and as numbers. In texts: n rows, c distinct tuples, q
 * quasi-identifiers, k, v distinct values, s of these in columns that are published as sets, h
 * levels of a hierarchy.
 */
typedef struct shoal_method_cost {
    const char *time, *memory; /**< "O(n q log n)" */
    uint32_t row_bytes;        /**< at most per row, or per distinct tuple of a streamed table, */
    uint32_t cell_bytes;       /**< per row and column that is encoded, */
    uint32_t value_bytes;      /**< per distinct value, */
    bool has_boxes; /**< and, if true, per group a bit for each value that a set may have */
} shoal_method_cost;
/** Static; NULL for an index that is too large. */
SHOAL_API const shoal_method_cost *shoal_algorithm_cost(size_t index);

/** True if k is required: false if another parameter determines the size of groups. */
SHOAL_API bool shoal_algorithm_needs_k(size_t index);
/**
 * True if a parameter has no default because privacy depends on it. Its `fallback` is "required".
 */
SHOAL_API bool shoal_algorithm_needs_params(size_t index);

/** A parameter that an algorithm takes through `params`. */
typedef struct shoal_param_info {
    const char *name;
    const char *values;   /**< allowed values for people: "scan|tree", "0..9", "number >= 0" */
    const char *fallback; /**< the default, as text */
    const char *help;
} shoal_param_info;

SHOAL_API size_t shoal_algorithm_n_params(size_t index);
/** A parameter of an algorithm; static, NULL after the last. */
SHOAL_API const shoal_param_info *shoal_algorithm_param(size_t index, size_t param);

/**
 * Additional capacity that shoal_verified_models() needs beyond the models of the specification.
 */
#define SHOAL_MAX_PROMISES 4
/**
 * The models that a release must satisfy: those of the specification, then those that its algorithm
 * guarantees through its parameters (upc: group-loss U and range-diversity P), without duplicates.
 * @param out   capacity spec->n_models + SHOAL_MAX_PROMISES; texts are borrowed from `spec`
 * @return number of models
 */
SHOAL_API size_t shoal_verified_models(shoal_model_spec *out, const shoal_spec *spec);

#ifdef __cplusplus
}
#endif
#endif
