/* SPDX-License-Identifier: Apache-2.0 */
/** @file plan.h  Everything that is said about one release: what flags and plan files fill in. */
#ifndef SHOAL_PLAN_H
#define SHOAL_PLAN_H

#include <shoal/pipeline.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a plan says of one column. */
typedef struct shoal_plan_column {
    char *name;
    shoal_role role;
    shoal_type type;
    char *hierarchy; /**< a file, or `build:` and a builder such as `intervals:5,10`; NULL: the folder, if any */
    char *sensitive_range; /**< see shoal_table_set_sensitive_range(); NULL: not said */
} shoal_plan_column;

/** A privacy model that a plan asks for; see shoal_model_spec. */
typedef struct shoal_plan_model {
    char *name;
    char *value;
    char *column; /**< NULL: each sensitive column */
} shoal_plan_model;

/**
 * A plan. Strings are owned (shoal_plan_* functions copy what they are given); zero or NULL means "not
 * said", so a plan file can be laid under flags. Initialise with SHOAL_PLAN_INIT, end with shoal_plan_clear().
 */
typedef struct shoal_plan {
    size_t size;
    shoal_plan_column *columns;
    size_t n_columns;
    int rest;          /**< unmentioned columns: 0 refuse, SHOAL_ROLE_OTHER keep, SHOAL_ROLE_DROP drop */
    char delimiter;    /**< 0 detect */
    int no_header;
    char **nulls;      /**< strings that mean missing; none said: the empty string */
    size_t n_nulls;
    int missing;       /**< shoal_missing + 1, or 0 */
    char *hierarchies; /**< folder of hierarchy files */
    int domain;        /**< losses count leaves of: 1 the hierarchy, 2 the data; 0 not said */
    int on_missing;    /**< shoal_on_missing + 1, or 0 */
    uint32_t k;
    char *algorithm;
    char **param_names;
    char **param_values;
    size_t n_params;
    uint64_t seed;
    int has_seed;
    uint32_t threads;
    double time_limit;
    int drop_suppressed;
    shoal_plan_model *models;
    size_t n_models;
    char *population;         /**< file of the table that the rows are drawn from, for models that need it */
    double suppression_limit; /**< share of the rows that may be suppressed to meet models; 0: none */
    int recoding;      /**< shoal_recode_model + 1, or 0 */
} shoal_plan;

#define SHOAL_PLAN_INIT { .size = sizeof(shoal_plan) }

/** The column's entry, added (with nothing said) when it is new; NULL when memory is short. */
SHOAL_API shoal_plan_column *shoal_plan_column_of(shoal_plan *plan, const char *name);
/** Set a parameter of the algorithm; the last one said wins. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_set_param(shoal_plan *plan, const char *name, const char *value,
                                                           shoal_error *err);
/** Ask for a model more; one of the same name, variant and column is replaced. `column` may be NULL. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_add_model(shoal_plan *plan, const char *name, const char *value,
                                                           const char *column, shoal_error *err);
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_add_null(shoal_plan *plan, const char *string, shoal_error *err);
/** Replace a string field of the plan by a copy of `value`. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_set_string(char **field, const char *value, shoal_error *err);
/** Take from `under` whatever `plan` does not say. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_lay_under(shoal_plan *plan, const shoal_plan *under,
                                                           shoal_error *err);
SHOAL_API void shoal_plan_clear(shoal_plan *plan);

/**
 * Give an opened table the plan's roles, types and missing values, load it, and attach hierarchies
 * (files first, then builders over the loaded values).
 * @param need_roles  refuse columns that nobody mentioned (unless plan.rest says what to do with them);
 *                    false: they pass through
 * @return SHOAL_EINVAL (a column the table lacks, columns nobody mentioned, no quasi-identifier; all are listed)
 *         and what loading and hierarchies return
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_prepare(const shoal_plan *plan, shoal_table *table, bool need_roles,
                                                         const shoal_load_options *options, shoal_error *err);

/** What a plan asks of shoal_anonymize() and of shoal_check_models(). Texts are borrowed from the plan. */
typedef struct shoal_plan_request {
    shoal_anonymize_options options; /**< without progress and population */
    shoal_param *params;
    shoal_model_spec *models; /**< those asked for, then those that the algorithm promises */
    size_t n_models;
} shoal_plan_request;

/** End with shoal_plan_request_clear(). */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_request_make(shoal_plan_request *out, const shoal_plan *plan,
                                                              shoal_error *err);
SHOAL_API void shoal_plan_request_clear(shoal_plan_request *request);
/**
 * What a plan asks of shoal_pipeline_run(); without levels, bound and progress.
 * @param request  made from the same plan; borrowed by what is returned
 */
SHOAL_API shoal_pipeline_options shoal_plan_pipeline(const shoal_plan *plan, const shoal_plan_request *request);
/** Does it ask for a model that compares with a population? */
SHOAL_API bool shoal_plan_needs_population(const shoal_plan *plan);

/** What to load of a release besides its quasi-identifiers. */
#define SHOAL_PART_CLASS 1u
#define SHOAL_PART_SENSITIVE 2u           /**< as text */
#define SHOAL_PART_SENSITIVE_AS_IT_WAS 4u /**< with type and hierarchy: for models */
#define SHOAL_PART_PERSONS 8u

/**
 * The plan for a table that was released, by whatever tool: quasi-identifiers as categories, no hierarchies. For shoal_plan_prepare(),
 * with need_roles false.
 * @param out       fresh; end with shoal_plan_clear(), also after a failure
 * @param original  the table that `plan` was carried out on, whose types were found by loading; may be NULL
 * @param parts     SHOAL_PART_... together
 */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_for_release(shoal_plan *out, const shoal_plan *plan,
                                                             const shoal_table *original, unsigned parts,
                                                             shoal_error *err);
/** The plan for an opened population: quasi-identifiers with their types and hierarchies, persons if wanted and there. */
SHOAL_API SHOAL_NODISCARD shoal_status shoal_plan_for_population(shoal_plan *out, const shoal_plan *plan,
                                                                const shoal_table *original,
                                                                const shoal_table *population, bool by_person,
                                                                shoal_error *err);

#ifdef __cplusplus
}
#endif
#endif
