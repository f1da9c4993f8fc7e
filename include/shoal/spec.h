/* SPDX-License-Identifier: Apache-2.0 */
/** @file spec.h  The specification of a run, the same for every caller. */
#ifndef SHOAL_SPEC_H
#define SHOAL_SPEC_H

#include <shoal/privacy.h>
#include <shoal/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the groups of a grouping are published; see shoal_grouping_recode() and docs/publishing.md.
 */
typedef enum shoal_recode_model {
    /** hierarchy nodes, intervals of numbers and dates, else sets: the default */
    SHOAL_RECODE_LOCAL = 0,
    /** as above, but numbers and dates that have a hierarchy also by its nodes */
    SHOAL_RECODE_NODE,
    SHOAL_RECODE_INTERVAL, /**< as above, but categories that are all numbers also by intervals */
    SHOAL_RECODE_SET,      /**< the values that occur in the group */
    /** one level of the hierarchy for all rows; `*` for a column without one */
    SHOAL_RECODE_FULL_DOMAIN,
    /** microaggregation: the mean of numbers and dates, the mode of categories */
    SHOAL_RECODE_MEAN,
    /** microaggregation: the lower median of numbers and dates, the mode of categories */
    SHOAL_RECODE_MEDIAN,
    SHOAL_RECODE_MODE, /**< microaggregation: the most frequent value; ties go to the smallest */
    /** a node of the hierarchy for all values below it: no published node is above another */
    SHOAL_RECODE_FULL_SUBTREE,
    /** disjoint sets of values, or intervals of numbers; a value is in the same one in all rows */
    SHOAL_RECODE_SET_PARTITION,
    SHOAL_RECODE_COUNT /**< number of models; not a model */
} shoal_recode_model;

/** A parameter of one algorithm, as text ("search", "tree"); see shoal_algorithm_param(). */
typedef struct shoal_param {
    const char *name;
    const char *value;
} shoal_param;

/** The level of one quasi-identifier, learnt on another table. */
typedef struct shoal_level_choice {
    const char *column;
    uint32_t level; /**< 0: unchanged */
    /** levels above the values in the hierarchy it was learnt on; SHOAL_NO_LEVEL: unknown */
    uint32_t height;
} shoal_level_choice;

/** The settings of one column. Strings are owned by the specification. */
typedef struct shoal_column_spec {
    const char *name;
    shoal_role role;
    shoal_type type;
    const char *format; /**< see shoal_table_set_format(); NULL: not set */
    /**
     * A file, or `build:` and a builder such as `intervals:5,10`; NULL: look in the folder, if any.
     */
    const char *hierarchy;
    /** "low < middle < high", or "auto" for ranges of numbers; NULL: not set */
    const char *ordered;
    /**
     * "latitude,longitude": the column is made from these two, which are then left out; a comma in
     * a name is `\,`. A table that already has the column, such as a release, keeps it. NULL: not
     * set
     */
    const char *join;
    const char *sensitive_range; /**< see shoal_table_set_sensitive_range(); NULL: not set */
    const char *priority;        /**< see shoal_table_set_priority(); NULL: the general setting */
    const char *weights;   /**< see shoal_table_set_level_weights(); NULL: the general setting */
    const char *max_level; /**< see shoal_table_set_max_level(); NULL: not set */
    const char *why;       /**< reason for the role, for the report; NULL: not stated */
} shoal_column_spec;

/** Statements of the data steward about a release, for its report. */
typedef enum shoal_about {
    SHOAL_ABOUT_PURPOSE,
    SHOAL_ABOUT_RECIPIENTS,
    SHOAL_ABOUT_ENVIRONMENT, /**< where and under which rules the release is used */
    SHOAL_ABOUT_CONTACT,
    SHOAL_ABOUT_REVIEW_DATE,
    SHOAL_ABOUT_EARLIER_RELEASES, /**< of the same persons */
} shoal_about;
#define SHOAL_N_ABOUT 6
/** "purpose", "review-date": the key in plans, inside `about`; NULL after the last. */
SHOAL_API const char *shoal_about_key(size_t index);

/**
 * The specification of a run: roles, models, method, parameters, limits, outputs. A plan file
 * (shoal_plan_load()), the options of the command and the keyword arguments of other languages all
 * fill in this struct, and the pipeline reads it directly. Zero or NULL means "not set", so a plan
 * file can supply what options leave unset; k has no default.
 *
 * The functions below copy texts and arrays; free such a specification with shoal_plan_clear(). One
 * that is filled in by hand borrows what it points to and is not cleared.
 */
typedef struct shoal_spec {
    size_t size; /**< set by SHOAL_SPEC_INIT */
    shoal_column_spec *columns;
    size_t n_columns;
    int rest; /**< columns without a role: 0 refuse, SHOAL_ROLE_OTHER keep, SHOAL_ROLE_DROP drop */
    char delimiter;          /**< 0: detect */
    int no_header;           /**< 1: the input has no header line */
    shoal_encoding encoding; /**< of the input; unset: detected */
    const char **nulls;      /**< strings that mean missing; if none: the empty string */
    size_t n_nulls;
    int missing;             /**< shoal_missing + 1, or 0 */
    const char *hierarchies; /**< folder of hierarchy files */
    int domain;     /**< leaves that losses count: 1 of the hierarchy, 2 in the data; 0: not set */
    int on_missing; /**< shoal_on_missing + 1, or 0 */
    uint32_t k;     /**< minimum number of rows per group; required, at least 2 */
    const char *algorithm;     /**< name of the method; NULL: the default */
    const shoal_param *params; /**< of the algorithm */
    size_t n_params;
    uint64_t seed;
    int has_seed;
    uint32_t threads;    /**< 0: not set */
    double time_limit;   /**< seconds; 0: none */
    int drop_suppressed; /**< 1: leave suppressed rows out instead of publishing them as `*` */
    const shoal_model_spec *models; /**< models that every group must satisfy in addition to k */
    size_t n_models;
    const char *population;   /**< file with the population table, for models that need one */
    double suppression_limit; /**< share of the rows that may be suppressed to satisfy models */
    int recoding;             /**< shoal_recode_model + 1, or 0 */
    /**
     * rows with only `*`: 1 an ordinary group, 2 exempt (shoal_table_exempt_suppressed()); 0: not
     * set
     */
    int suppressed;
    /**
     * All quasi-identifiers, the most important first ("age,zip,sex", "age,zip:0.5,sex"), or the
     * priorities of some ("age=1,zip=0.2"); NULL: not set.
     */
    const char *priority;
    const char *weights; /**< of the levels of every quasi-identifier; NULL: not set */
    int row_order;       /**< 1: as in the input, 2: shuffled (SHOAL_ROWS_SHUFFLED); 0: not set */
    const char *about[SHOAL_N_ABOUT]; /**< see shoal_about; NULL: not stated */
    const char *series;     /**< folder of the series that the release is part of; NULL: none */
    const char *record_key; /**< column that identifies a record across the releases of a series */
    int pending;            /**< shoal_pending + 1, or 0 */
    int erasures;           /**< shoal_erasures + 1, or 0 */
    /** m of m-invariance, instead of the guarantee about differences; 0: off */
    uint32_t m_invariance;
    /** totals, empty rows and notes of a spreadsheet: 1 left out, 2 rows like any; 0: an error */
    int skip_rows;
    struct shoal_dictionary *names; /**< private: entries of `columns` by name */

    /* Settings of one run, never in a plan file; borrowed. */
    /** `population` as a loaded table, with quasi-identifiers of the same names */
    const shoal_table *population_table;
    /** Levels to apply instead of a search, see shoal_apply_levels(); k may be 0. NULL: search. */
    const shoal_level_choice *levels;
    size_t n_levels;
    bool skip_measures; /**< shoal_pipeline_measure() can compute them later; implies no bound */
    bool with_bound;    /**< also compute the lower bound; may take as long as the search */
} shoal_spec;

/** Random order, from the system's entropy source; for releases that are text. */
#define SHOAL_ROWS_SHUFFLED 2

#define SHOAL_SPEC_INIT                                                                            \
    {                                                                                              \
        .size = sizeof(shoal_spec)                                                                 \
    }

/** Earlier names of the specification. */
typedef shoal_spec shoal_plan;
typedef shoal_column_spec shoal_plan_column;
#define SHOAL_PLAN_INIT SHOAL_SPEC_INIT

/** How groups are published: `recoding`, or the default. */
static inline shoal_recode_model shoal_spec_recoding(const shoal_spec *spec)
{
    return spec->recoding > 0 ? (shoal_recode_model)(spec->recoding - 1) : SHOAL_RECODE_LOCAL;
}

/**
 * The entry of a column, added empty if it is new. Owned by the plan and valid until a column is
 * added or the plan is cleared. NULL if out of memory.
 */
SHOAL_API shoal_column_spec *shoal_plan_column_of(shoal_spec *plan, const char *name);
/** Set a parameter of the algorithm, replacing an earlier value. Fails with SHOAL_ENOMEM only. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_set_param(shoal_spec *plan, const char *name,
                                                            const char *value, shoal_error *err);
/**
 * Add a model, or replace the one of the same name, variant and column. `column` may be NULL. Names
 * and values are not checked here. Fails with SHOAL_ENOMEM only.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_add_model(shoal_spec *plan, const char *name,
                                                            const char *value, const char *column,
                                                            shoal_error *err);
/** Add a string that means missing, unless it is already there. Fails with SHOAL_ENOMEM only. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_add_null(shoal_spec *plan, const char *string,
                                                           shoal_error *err);
/**
 * Set a string field of the plan to a copy of `value`, or to NULL. Fails with SHOAL_ENOMEM only.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_set_string(const char **field, const char *value,
                                                             shoal_error *err);
/**
 * Copy from `under` what `plan` leaves unset. Parameters are not copied if the plans name different
 * algorithms, nor models that `plan` already names. Fails with SHOAL_ENOMEM only.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_lay_under(shoal_spec *plan,
                                                            const shoal_spec *under,
                                                            shoal_error *err);
/** Free all strings and reset the plan to SHOAL_SPEC_INIT. NULL is allowed. */
SHOAL_API void shoal_plan_clear(shoal_spec *plan);

#ifdef __cplusplus
}
#endif
#endif
