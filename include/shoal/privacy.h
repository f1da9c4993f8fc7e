/* SPDX-License-Identifier: Apache-2.0 */
/** @file privacy.h  Privacy models in addition to k-anonymity: what every group must satisfy. */
#ifndef SHOAL_PRIVACY_H
#define SHOAL_PRIVACY_H

#include <shoal/table.h>
#include <shoal/term.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A requested model, as text: name "l-diversity", value "distinct:3". shoal_model_name() lists the
 * names. A value is [VARIANT:]NUMBER[,NUMBER].
 */
typedef struct shoal_model_spec {
    const char *name;
    const char *value;
    const char *column; /**< the sensitive column it applies to; NULL: each of them */
} shoal_model_spec;

/**
 * The models, in a fixed order; one entry per variant, variants of a model next to each other. All
 * texts are static. For an index that is too large the result is NULL or 0.
 */
SHOAL_API size_t shoal_model_count(void);
/** The first entry with that name, or SIZE_MAX. */
SHOAL_API size_t shoal_model_find(const char *name);
/** "l-diversity": the name in plans, reports and options. */
SHOAL_API const char *shoal_model_name(size_t index);
/** "distinct", or "" if the model has one form only. */
SHOAL_API const char *shoal_model_variant(size_t index);
/** Placeholders for its numbers, for help texts: "L", "C,L". */
SHOAL_API const char *shoal_model_values(size_t index);
/** One line for help texts. */
SHOAL_API const char *shoal_model_summary(size_t index);
/** Help of its option, for all variants; NULL except for the first entry of a name. */
SHOAL_API const char *shoal_model_help(size_t index);
/** Its letter in the literature ("l"), or NULL; set in the first entry of a name. */
SHOAL_API const char *shoal_model_letter(size_t index);
/** The name of the model with this letter, or NULL. */
SHOAL_API const char *shoal_model_of_letter(const char *letter);
/** Definition with citation, a list that ends with a term without names; variants may share it. */
SHOAL_API const shoal_term *shoal_model_terms(size_t index);

/** What a model needs, and how it can be used. */
typedef enum shoal_model_trait {
    SHOAL_MODEL_HAS_COLUMN = 1 << 0,       /**< applies to a sensitive column */
    SHOAL_MODEL_NEEDS_NUMBERS = 1 << 1,    /**< the column must be numeric */
    SHOAL_MODEL_NEEDS_HIERARCHY = 1 << 2,  /**< the column must have a hierarchy */
    SHOAL_MODEL_NEEDS_POPULATION = 1 << 3, /**< compares groups with a population table */
    SHOAL_MODEL_NEEDS_ORIGINAL = 1 << 4,   /**< verified row by row against the original: not from a
                                              release alone or from counts */
    SHOAL_MODEL_COMPARES_WITH_TABLE = 1 << 5, /**< compares groups with the whole table */
    SHOAL_MODEL_HOLDS_FOR_UNIONS =
        1 << 6, /**< the union of two groups that satisfy it satisfies it */
} shoal_model_trait;
/** The traits of a model, combined with |. */
SHOAL_API unsigned shoal_model_traits(size_t index);

/**
 * A number that states the protection of a table, whatever was requested; see
 * shoal_strength_find().
 */
typedef struct shoal_model_strength {
    const char *key;   /**< "distinct_l", the key in reports */
    const char *value; /**< a model value that every group satisfies: "distinct:1" */
    const char *help;  /**< one line for people */
} shoal_model_strength;
/** NULL if reports do not use this entry. */
SHOAL_API const shoal_model_strength *shoal_model_strength_of(size_t index);

/** Result of checking a model on all groups of a release. Counts only, never a value of a cell. */
typedef struct shoal_model_result {
    const char *name;    /**< "l-diversity"; static */
    const char *variant; /**< "distinct"; static */
    size_t column;       /**< of the table; SIZE_MAX if the model has no column */
    double asked[2];     /**< the requested numbers; n_asked of them */
    uint32_t n_asked;
    double achieved; /**< the value of the worst group */
    uint64_t failing_groups;
    uint64_t failing_rows;
} shoal_model_result;

/**
 * True if `spec` asks for this result without naming its form ("0.2", not "equal:0.2"), so that the
 * type or the hierarchy of the column chose it: without the hierarchy it would be another one.
 * @param column  name of the column of the result; NULL: none
 */
SHOAL_API bool shoal_model_form_is_default(const shoal_model_result *result, const char *column,
                                           const shoal_model_spec *spec);

#ifdef __cplusplus
}
#endif
#endif
