/* SPDX-License-Identifier: Apache-2.0 */
/** @file anonymize.h  From a loaded table to a grouping: which rows are published alike. */
#ifndef SHOAL_ANONYMIZE_H
#define SHOAL_ANONYMIZE_H

#include <shoal/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Group the rows of a loaded table so that every group has at least k rows and satisfies every
 * model, losing as little as the algorithm can. Where the table has an entity column, a group has
 * the rows of at least k persons. Time and memory are the algorithm's; see docs/algorithms.
 * @param out        receives the grouping; free with shoal_grouping_free()
 * @param spec       its k, models, method, parameters and limits are read; the roles are the
 * table's
 * @param callbacks  may be NULL. Where progress stops the search: SHOAL_ECANCELLED, or, where the
 *                   algorithm already has a valid grouping and was only improving it, that grouping
 *                   and shoal_grouping_stopped_early()
 * @return SHOAL_EINVAL (options, roles, unknown algorithm or parameter), SHOAL_EUNSAT (fewer than k
 * rows, or a model that cannot be met), SHOAL_EDATA (a value its hierarchy lacks),
 * SHOAL_ECANCELLED, SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_anonymize(shoal_grouping **out,
                                                       const shoal_table *table,
                                                       const shoal_spec *spec,
                                                       const shoal_callbacks *callbacks,
                                                       shoal_error *err);

/** What shoal_grouping_group() answers for a suppressed row. */
#define SHOAL_SUPPRESSED UINT32_MAX

SHOAL_API uint64_t shoal_grouping_n_rows(const shoal_grouping *grouping);
SHOAL_API uint32_t shoal_grouping_n_groups(const shoal_grouping *grouping);
/** Distinct quasi-identifier tuples of the input. */
SHOAL_API uint32_t shoal_grouping_n_classes(const shoal_grouping *grouping);
SHOAL_API uint32_t shoal_grouping_group(const shoal_grouping *grouping, uint64_t row);
SHOAL_API uint64_t shoal_grouping_size(const shoal_grouping *grouping, uint32_t group);
SHOAL_API uint64_t shoal_grouping_n_suppressed(const shoal_grouping *grouping);
/** What shoal_grouping_level() answers where rows are not all published on one level. */
#define SHOAL_NO_LEVEL UINT32_MAX
/**
 * Level on which a full-domain method (datafly, say) publishes quasi-identifier number `qid`, in
 * the order in which they were named: 0 is the value as it is, shoal_grouping_height() is `*`.
 * SHOAL_NO_LEVEL for other methods.
 */
SHOAL_API uint32_t shoal_grouping_level(const shoal_grouping *grouping, size_t qid);
SHOAL_API uint32_t shoal_grouping_height(const shoal_grouping *grouping, size_t qid);
/**
 * Group the rows of a loaded table by these levels, learnt on another table: no search. Without a k
 * (0) every row is published as it then is, and no k is promised; with one, groups with fewer rows
 * are suppressed.
 * @param spec  levels (one for each quasi-identifier, in any order), k, threads and drop_suppressed
 *              are read
 * @return SHOAL_EINVAL (a quasi-identifier without a level, a level without one, another
 * hierarchy), SHOAL_EUNSAT (fewer than k rows), SHOAL_EDATA (a value its hierarchy lacks),
 * SHOAL_ENOMEM
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_apply_levels(shoal_grouping **out,
                                                          const shoal_table *table,
                                                          const shoal_spec *spec, shoal_error *err);

/** What suppression changed in a release made for a class column (iack, iacc); see
 * docs/algorithms/iack.md. */
typedef struct shoal_information {
    /** largest change of normalised mutual information with the class, over quasi-identifiers */
    double alpha;
    /**
     * largest normalised Kullback-Leibler divergence of their values; infinite when a value is gone
     */
    double beta;
    double beta_kept; /**< the same, left out the values that are gone: always finite */
    /** values of quasi-identifiers, on the levels chosen, that no published row has any more */
    uint32_t n_gone;
    uint64_t k_reached; /**< rows of the smallest group, the suppressed rows being one */
} shoal_information;
/** False for methods that do not look at it; `out` is then untouched. */
SHOAL_API bool shoal_grouping_information(const shoal_grouping *grouping, shoal_information *out);
/**
 * Normalised mutual information of a quasi-identifier on one of its levels with the class, before
 * suppression; -1 where shoal_grouping_information() is false or there is no such level.
 */
SHOAL_API double shoal_grouping_level_information(const shoal_grouping *grouping, size_t qid,
                                                  uint32_t level);
/**
 * What suppression made of a quasi-identifier on one of its levels: I_N of the rows that are left,
 * and D_N of its values, infinite where one is gone. False where shoal_grouping_level_information()
 * is -1.
 */
SHOAL_API bool shoal_grouping_level_change(const shoal_grouping *grouping, size_t qid,
                                           uint32_t level, double *information, double *divergence);
/** Are quasi-identifiers published as they are, apart from the sensitive values (anatomy)? Such a
 * release has two tables. */
SHOAL_API bool shoal_grouping_is_bucketed(const shoal_grouping *grouping);
/** Are sensitive values generalised too (personalised)? Such a release is text; see
 * shoal_verify_personal(). */
SHOAL_API bool shoal_grouping_generalises_sensitive(const shoal_grouping *grouping);
/**
 * What a method chose for itself where its parameters left that open (toc: delta, s, size).
 * @param word  receives NULL, or the setting where it is a word; `value` is then 0
 * @return false behind the last
 */
SHOAL_API bool shoal_grouping_setting(const shoal_grouping *grouping, size_t index,
                                      const char **name, double *value, const char **word);
/** True when a time limit or the progress callback ended the search before the algorithm did. */
SHOAL_API bool shoal_grouping_stopped_early(const shoal_grouping *grouping);
/** Seconds spent in "encode", "search" or "refine"; 0 for other names. */
SHOAL_API double shoal_grouping_seconds(const shoal_grouping *grouping, const char *phase);
/** Cost evaluations and searches of the search kernel; both 0 where the algorithm does not use it.
 */
SHOAL_API void shoal_grouping_search_counts(const shoal_grouping *grouping, uint64_t *evaluations,
                                            uint64_t *queries);
SHOAL_API void shoal_grouping_free(shoal_grouping *grouping);

/**
 * The algorithms, in a fixed order, the default first. All texts are static. An index that is too
 * large answers NULL or 0.
 */
SHOAL_API size_t shoal_algorithm_count(void);
/** The index of a name; 0, the default, for NULL, and SIZE_MAX where nobody has it. */
SHOAL_API size_t shoal_algorithm_index(const char *name);
SHOAL_API const char *shoal_algorithm_name(size_t index);
/** One line for people. */
SHOAL_API const char *shoal_algorithm_summary(size_t index);
/**
 * What it means, with the citation, and what the numbers mean that only its reports have; ended by
 * a term without names.
 */
SHOAL_API const shoal_term *shoal_algorithm_terms(size_t index);

/** What an algorithm needs, and what it publishes. */
typedef enum shoal_algorithm_trait {
    SHOAL_METHOD_NEEDS_K = 1 << 0,           /**< see shoal_algorithm_needs_k() */
    SHOAL_METHOD_NEEDS_PARAMS = 1 << 1,      /**< see shoal_algorithm_needs_params() */
    SHOAL_METHOD_NEEDS_CLASS = 1 << 2,       /**< a class column must be named */
    SHOAL_METHOD_NEEDS_SENSITIVE = 1 << 3,   /**< a sensitive column must be named */
    SHOAL_METHOD_NEEDS_ROWS = 1 << 4,        /**< it refuses a table of counts */
    SHOAL_METHOD_WRITES_TWO_TABLES = 1 << 5, /**< shoal_grouping_is_bucketed() of what it returns */
    /** shoal_grouping_generalises_sensitive() of what it returns */
    SHOAL_METHOD_GENERALISES_SENSITIVE = 1 << 6,
    /** it chooses levels for the whole table: parts of one cannot be released one by one */
    SHOAL_METHOD_SETS_LEVELS = 1 << 7,
} shoal_algorithm_trait;
/** The traits of an algorithm, or'ed. */
SHOAL_API unsigned shoal_algorithm_traits(size_t index);

/** Must k be said? Not where another parameter says how large groups are. */
SHOAL_API bool shoal_algorithm_needs_k(size_t index);
/** Is there a parameter without a default, because it is one of privacy? Its `fallback` is
 * "required". */
SHOAL_API bool shoal_algorithm_needs_params(size_t index);

/** A parameter that an algorithm takes through `params`. */
typedef struct shoal_param_info {
    const char *name;
    const char *values;   /**< allowed values for people: "scan|tree", "0..9", "number >= 0" */
    const char *fallback; /**< the default, as text */
    const char *help;
} shoal_param_info;

SHOAL_API size_t shoal_algorithm_n_params(size_t index);
/** A parameter of an algorithm; static, NULL behind the last. */
SHOAL_API const shoal_param_info *shoal_algorithm_param(size_t index, size_t param);

/** Room that shoal_verified_models() needs besides the models of the specification. */
#define SHOAL_MAX_PROMISES 4
/**
 * The models that a release must satisfy: those of the specification, then those that its algorithm
 * promises by its own parameters (upc: group-loss U and range-diversity P), unless they are the
 * same.
 * @param out   room for spec->n_models + SHOAL_MAX_PROMISES; texts are borrowed from `spec`
 * @return how many there are
 */
SHOAL_API size_t shoal_verified_models(shoal_model_spec *out, const shoal_spec *spec);

#ifdef __cplusplus
}
#endif
#endif
