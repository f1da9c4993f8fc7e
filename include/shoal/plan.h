/* SPDX-License-Identifier: Apache-2.0 */
/** @file plan.h  The settings of one release, as filled in from options and plan files. */
#ifndef SHOAL_PLAN_H
#define SHOAL_PLAN_H

#include <shoal/pipeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The settings of one column. Strings are owned by the plan. */
typedef struct shoal_plan_column {
    char *name;
    shoal_role role;
    shoal_type type;
    char *format; /**< see shoal_table_set_format(); NULL: not set */
    /**
     * A file, or `build:` and a builder such as `intervals:5,10`; NULL: from the folder, if any.
     */
    char *hierarchy;
    /** "low < middle < high", or "auto" for ranges of numbers; NULL: not set */
    char *ordered;
    /**
     * "latitude,longitude": it is made of these two columns, which are left out; a comma of a name
     * is `\,`. A table that has the column already, such as a release, keeps it. NULL: not set
     */
    char *join;
    char *sensitive_range; /**< see shoal_table_set_sensitive_range(); NULL: not set */
    char *priority;        /**< see shoal_table_set_priority(); NULL: that of the plan, if any */
    char *weights;         /**< see shoal_table_set_level_weights(); NULL: those of the plan */
    char *max_level;       /**< see shoal_table_set_max_level(); NULL: not set */
    char *why;             /**< why it has this role, for the report; NULL: not stated */
} shoal_plan_column;

/** A privacy model of a plan; see shoal_model_spec. Strings are owned by the plan. */
typedef struct shoal_plan_model {
    char *name;
    char *value;
    char *column; /**< NULL: each sensitive column */
} shoal_plan_model;

/** What a steward says of a release, for its report. */
typedef enum shoal_about {
    SHOAL_ABOUT_PURPOSE,
    SHOAL_ABOUT_RECIPIENTS,
    SHOAL_ABOUT_ENVIRONMENT, /**< where and under which rules the release is used */
    SHOAL_ABOUT_CONTACT,
    SHOAL_ABOUT_REVIEW_DATE,
    SHOAL_ABOUT_EARLIER_RELEASES, /**< of the same persons */
} shoal_about;
#define SHOAL_N_ABOUT 6
/** "purpose", "review-date": the key in plans, inside `about`; NULL behind the last. */
SHOAL_API const char *shoal_about_key(size_t index);

/**
 * A plan. All strings are owned by the plan: the shoal_plan_* functions copy what they are given.
 * Zero or NULL means "not set", so that a plan file can supply what options leave open. Initialise
 * with SHOAL_PLAN_INIT, end with shoal_plan_clear().
 */
typedef struct shoal_plan {
    size_t size; /**< set by SHOAL_PLAN_INIT */
    shoal_plan_column *columns;
    size_t n_columns;
    int rest;       /**< other columns: 0 refuse, SHOAL_ROLE_OTHER keep, SHOAL_ROLE_DROP drop */
    char delimiter; /**< 0: detect */
    int no_header;  /**< 1: the input has no header line */
    shoal_encoding encoding; /**< of the input; unset: detected */
    char **nulls;            /**< strings that mean missing; none: the empty string */
    size_t n_nulls;
    int missing;       /**< shoal_missing + 1, or 0 */
    char *hierarchies; /**< folder of hierarchy files */
    int domain;      /**< leaves that losses count: 1 of the hierarchy, 2 in the data; 0 not set */
    int on_missing;  /**< shoal_on_missing + 1, or 0 */
    uint32_t k;      /**< least number of rows per group */
    char *algorithm; /**< name of the method; NULL: the default */
    char **param_names;
    char **param_values;
    size_t n_params;
    uint64_t seed;
    int has_seed;
    uint32_t threads;    /**< 0: not set */
    double time_limit;   /**< seconds; 0: none */
    int drop_suppressed; /**< 1: leave suppressed rows out instead of publishing them as `*` */
    shoal_plan_model *models;
    size_t n_models;
    char *population;         /**< file with the population, for models that need it */
    double suppression_limit; /**< share of the rows that may be suppressed to satisfy models */
    int recoding;             /**< shoal_recode_model + 1, or 0 */
    /** rows of only `*`: 1 a group, 2 exempt (shoal_table_exempt_suppressed()); 0 not set */
    int suppressed;
    /**
     * All quasi-identifiers, the most important first ("age,zip,sex", "age,zip:0.5,sex"), or the
     * priorities of some ("age=1,zip=0.2"); NULL: not set.
     */
    char *priority;
    char *weights;              /**< of the levels of every quasi-identifier; NULL: not set */
    int row_order;              /**< 1: that of the input, 2: shuffled; 0 not set */
    char *about[SHOAL_N_ABOUT]; /**< see shoal_about; NULL: not stated */
    char *series;               /**< folder of the series that the release is part of; NULL: none */
    char *record_key;           /**< column that tells which rows of its releases are one record */
    int pending;                /**< shoal_pending + 1, or 0 */
    int erasures;               /**< shoal_erasures + 1, or 0 */
    /** M of m-invariance, instead of the promise about differences; 0: not asked for */
    uint32_t m_invariance;
    struct shoal_dictionary *names; /**< private: entries of `columns` by name */
} shoal_plan;

#define SHOAL_PLAN_INIT                                                                            \
    {                                                                                              \
        .size = sizeof(shoal_plan)                                                                 \
    }

/**
 * The entry of a column, added (with nothing set) when it is new. It belongs to the plan and is
 * valid until a column is added or the plan is cleared. NULL when out of memory.
 */
SHOAL_API shoal_plan_column *shoal_plan_column_of(shoal_plan *plan, const char *name);
/** Set a parameter of the algorithm, replacing an earlier value. Fails with SHOAL_ENOMEM only. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_set_param(shoal_plan *plan, const char *name,
                                                            const char *value, shoal_error *err);
/**
 * Add a model, or replace the one of the same name, variant and column. `column` may be NULL. Names
 * and values are not checked here. Fails with SHOAL_ENOMEM only.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_add_model(shoal_plan *plan, const char *name,
                                                            const char *value, const char *column,
                                                            shoal_error *err);
/** Add a string that means missing, unless it is there already. Fails with SHOAL_ENOMEM only. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_add_null(shoal_plan *plan, const char *string,
                                                           shoal_error *err);
/**
 * Replace a string field of the plan by a copy of `value`, or NULL. Fails with SHOAL_ENOMEM only.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_set_string(char **field, const char *value,
                                                             shoal_error *err);
/**
 * Copy from `under` what `plan` leaves unset. Parameters are not copied if the plans name different
 * algorithms, nor models of a name that `plan` has already. Fails with SHOAL_ENOMEM only.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_lay_under(shoal_plan *plan,
                                                            const shoal_plan *under,
                                                            shoal_error *err);
/** Free all strings and reset the plan to SHOAL_PLAN_INIT. NULL is allowed. */
SHOAL_API void shoal_plan_clear(shoal_plan *plan);

/**
 * Give an opened table the roles, types and missing values of the plan, load it, and attach
 * hierarchies (files first, then builders over the loaded values).
 *
 * @param need_roles  true: refuse columns that the plan does not mention (unless plan.rest is set);
 *                    false: they pass through
 * @param options     of loading; may be NULL
 * @return SHOAL_EINVAL (a column the table lacks, columns not mentioned, no quasi-identifier; the
 *         message lists all of them) and the errors of loading and of hierarchies
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_prepare(const shoal_plan *plan,
                                                          shoal_table *table, bool need_roles,
                                                          const shoal_load_options *options,
                                                          shoal_error *err);

/**
 * What of the plan needs every row in memory, for shoal_load_options.needs_rows: the method,
 * persons, a model, rows that are left out; NULL: nothing does.
 * @param is_applied  levels are applied (shoal_apply_levels()): the method does not count
 */
SHOAL_API const char *shoal_plan_needs_rows(const shoal_plan *plan, bool is_applied);

/** What a plan asks of shoal_anonymize() and of shoal_check_models(). Texts are borrowed from the
 * plan. */
typedef struct shoal_plan_request {
    shoal_anonymize_options options; /**< without progress and population */
    shoal_param *params;
    shoal_model_spec *models; /**< those asked for, then those that the algorithm promises */
    size_t n_models;
} shoal_plan_request;

/** Make a request; end it with shoal_plan_request_clear(). Fails with SHOAL_ENOMEM only. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_request_make(shoal_plan_request *out,
                                                               const shoal_plan *plan,
                                                               shoal_error *err);
/** Free the arrays of a request. */
SHOAL_API void shoal_plan_request_clear(shoal_plan_request *request);
/**
 * What a plan asks of shoal_pipeline_run(); without levels, bound and progress.
 * @param request  made from the same plan; borrowed by what is returned
 */
SHOAL_API shoal_pipeline_options shoal_plan_pipeline(const shoal_plan *plan,
                                                     const shoal_plan_request *request);
/** Does it ask for a model that compares with a population? */
SHOAL_API bool shoal_plan_needs_population(const shoal_plan *plan);

/** How shoal_plan_rerun() makes a release: its payload. Borrowed. */
typedef struct shoal_rerun {
    const shoal_plan *plan;
    uint32_t threads; /**< 0 means one */
    const shoal_callbacks *callbacks;
} shoal_rerun;

/**
 * Make a release of CSV text by a plan, in memory; a shoal_attack_rerun_fn.
 * @param text     receives the release; free it with shoal_string_free()
 * @param payload  a shoal_rerun
 * @return the errors of shoal_plan_prepare() and shoal_pipeline_run(); SHOAL_EINVAL where the
 *         release is not text
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_rerun(char **text, size_t *size,
                                                        const char *original, size_t original_size,
                                                        void *payload, shoal_error *err);

/**
 * Weigh mr_wtd by the parameters w_u and w_p of a plan, see shoal_measures_weigh(). One of them is
 * enough; without both nothing changes.
 * @return SHOAL_EINVAL (no number in 0..1, or they do not add up to 1)
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_weigh(const shoal_plan *plan,
                                                        shoal_measures *measures, shoal_error *err);

/** What to load of a release besides its quasi-identifiers; combined with |. */
#define SHOAL_PART_CLASS 1u
#define SHOAL_PART_SENSITIVE 2u           /**< as text */
#define SHOAL_PART_SENSITIVE_AS_IT_WAS 4u /**< with type and hierarchy, for models */
#define SHOAL_PART_PERSONS 8u
#define SHOAL_PART_COUNTS 16u /**< the column that counts rows, of a release that was counted */
/** sensitive columns that the release has, as text; shoal_plan_for_opened_release() alone */
#define SHOAL_PART_SENSITIVE_IF_THERE 32u

/**
 * Make the plan for reading a release, whichever tool made it: quasi-identifiers as categories,
 * without hierarchies. Use it with shoal_plan_prepare() and need_roles false.
 *
 * @param out       freshly initialised; end with shoal_plan_clear(), also after a failure
 * @param original  the loaded table that `plan` was applied to, for its types; may be NULL
 * @param parts     SHOAL_PART_... combined
 * @return SHOAL_ENOMEM, or the errors of shoal_hierarchy_find()
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_for_release(shoal_plan *out,
                                                              const shoal_plan *plan,
                                                              const shoal_table *original,
                                                              unsigned parts, shoal_error *err);
/** The same for a release that is opened already, so that it is known which columns it has. */
SHOAL_API SHOAL_NODISCARD shoal_status
shoal_plan_for_opened_release(shoal_plan *out, const shoal_plan *plan, const shoal_table *original,
                              const shoal_table *released, unsigned parts, shoal_error *err);
/**
 * Make the plan for reading an opened population: quasi-identifiers with their types and
 * hierarchies, and the entity column if `by_person` is set and the population has it. `out` and
 * `original` as in shoal_plan_for_release(). Fails with SHOAL_ENOMEM only.
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_for_population(shoal_plan *out,
                                                                 const shoal_plan *plan,
                                                                 const shoal_table *original,
                                                                 const shoal_table *population,
                                                                 bool by_person, shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
